// What can come next at a state with closed contacts: every consistent mode, and impacts without collision; and which
// of them a policy takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "painleve/contact/contact_mode.hpp"
#include "painleve/modes/mode_table.hpp"
#include "painleve/simulation/run.hpp"

namespace painleve {

struct Way {
  std::string name;                // word over the closed contacts; with I where an impulse acts
  bool impact = false;             // an impact without collision
  std::vector<ContactMode> modes;  // per contact of the mechanism, F where open; of a mode
  std::vector<int> struck;         // contacts of the mechanism on which the impulse acts; of an impact
  std::optional<double> phase;     // of the bounces that grow out of rest, in [0, 1); of reverse chatter
  bool survives = true;            // in the stiff limit
  std::string why;
};

struct Crossroads {
  ContactSpace space;     // of all contacts, with what is known of them put exactly
  ModeTable table;        // without modes where a single contact in the plane has but one way
  std::vector<Way> ways;  // distinct motions
};

// `closed` tells which contacts are; `resting` which of them have u_t = 0 exactly. Their gap and velocities are taken
// for exactly 0, whatever integration left there.
Crossroads crossroads(const SimulationProblem& problem, const State& state, const std::vector<bool>& closed,
                      const std::vector<bool>& resting);

// The only way on, where that is plain: one contact in the plane is closed, and its mode is certain. What crossroads()
// finds there, without its space and table; empty where it has to be asked.
std::optional<Way> plain_way(const SimulationProblem& problem, const State& state, const std::vector<bool>& closed,
                             const std::vector<bool>& resting);

// Which of the ways, and the reason; empty when there is none. `pressed` are the normal forces just before, per
// contact (0 at the start); `draw` numbers the choices of a run, for the policy `seeded`.
struct Taken {
  int way = 0;
  std::string reason;
};
std::optional<Taken> take(const SimulationProblem& problem, const Crossroads& crossroads,
                          const SimulationOptions& options, const Eigen::VectorXd& pressed, long draw);

}  // namespace painleve
