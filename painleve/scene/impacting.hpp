// The impact of a scene's state: before, after, what it passed through, its energy, and the bounces that would follow.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "painleve/impact/bounce_map.hpp"
#include "painleve/impact/impact.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve {

struct ImpactRunOptions {
  std::optional<RestitutionLaw> law;  // for all contacts, instead of the scene's
  std::optional<double> restitution;  // 0 ≤ r ≤ 1; likewise
  SeveralImpacts several = SeveralImpacts::sequential;
  std::vector<std::string> without_collision;  // names; as in ImpactOptions
  // [m/s] speeds > 0 with which contacts strike, instead of the scene's u_n; the name "" is the first closed contact. A
  // posture solves for u_n = 0 of closed contacts, so this is the short way to an impact. All other velocities of
  // closed contacts stay; of the motions of the bodies that are left, the nearest to the scene's is taken: the kinetic
  // energy of the difference is least. Open contacts move with it.
  std::map<std::string, double> approach;
};

struct ImpactRun {
  Scene scene;  // with the approach
  ImpactRunOptions options;
  ImpactOptions impact;  // what was asked of the library
  ImpactReport report;
  int contact = -1;  // that strikes first, or would; −1 when none is closed
  // ½ uᵀ W⁺ u; none where u is outside the range of W.
  std::optional<double> energy_before, energy_after;
  std::string energy_reason;  // why there is none before
  std::optional<BounceCycle> bounce;
  std::string bounce_reason;  // why there is none
};

// The law of a contact in this impact: its own, or that of the model of several impacts.
RestitutionLaw law_used(const ImpactRun& run, int contact);

// Throws InputError for drifting contacts, which have no contact space, for a name that is no contact, for an approach
// of a contact that is not closed or that no motion has, and for a restitution out of range.
ImpactRun impact(Scene scene, const ImpactRunOptions& options);

// The object that `painleve impact --json` prints; keys as in docs/interface.md.
nlohmann::ordered_json to_json(const ImpactRun& run);

}  // namespace painleve
