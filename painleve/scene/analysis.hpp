// Everything about one state: contact space, cone, modes with reasons, stability, impact without collision, verdict.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "painleve/cone/friction_cone.hpp"
#include "painleve/modes/gspot.hpp"
#include "painleve/modes/jam_manifolds.hpp"
#include "painleve/modes/mode_table.hpp"
#include "painleve/modes/selectors.hpp"
#include "painleve/modes/slip_transitions.hpp"
#include "painleve/modes/tangential_stability.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve {

struct ContactReport {
  std::string name;
  Touch touch = Touch::open;
  FrictionCone cone;                  // the other contacts free
  std::optional<double> mu_jam_held;  // the other closed contacts held
  std::string mu_jam_held_reason;
  std::optional<double> p;  // for the present slip direction
  std::string p_reason;
};

struct Analysis {
  Scene scene;
  std::vector<ContactReport> contacts;
  int rank = 0;  // of W
  ModeTable modes;
  // All closed contacts slip in the plane: how far they are from jamming together, and for two of them from the other
  // boundaries of slip.
  std::optional<JamManifolds> manifolds;
  std::optional<SlipBoundaries> boundaries;
  std::string boundaries_reason;
  std::optional<TangentialStability> tangential;  // of the mode in which all closed contacts stick
  std::string tangential_reason;
  NextTransition next_transition;  // of two drifting contacts, from the present time on
  std::optional<std::string> two_contact_class;
  std::string two_contact_class_reason;
  std::vector<Selection> selections;  // what rules of the literature make of the modes; none for drifting contacts
  std::optional<GSpot> gspot;
  std::string gspot_reason;
};

Analysis analyze(Scene scene);

// The object that `painleve analyze --json` prints; keys as in docs/interface.md.
nlohmann::ordered_json to_json(const Analysis& analysis);

const char* to_string(Touch touch);

}  // namespace painleve
