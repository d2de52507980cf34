// Which solutions of a word's equations satisfy its inequalities: a free contact does not sink in, forces push, those
// of sticking contacts lie in the friction cone, and a contact that begins to slip moves along its direction.
#pragma once

#include <optional>
#include <string>

#include "painleve/complementarity/solution_set.hpp"
#include "painleve/complementarity/spatial_word.hpp"

namespace painleve {

// What one unit of motion and force is at each contact.
struct ContactUnits {
  Eigen::VectorXd motion, force;
};

struct Judged {
  std::optional<ContactSolution> solution;  // without residual; a point of the relative interior of its family
  std::string reason;                       // the first inequality that is broken
};

// `unit`: what one is in the numbers of the problem, per contact, for the reason.
Judged judge(const ContactProblem& problem, const SpatialWord& word, const WordPoint& point, const ContactUnits& unit);

}  // namespace painleve
