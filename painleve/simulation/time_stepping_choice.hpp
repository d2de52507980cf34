// The solutions of one step's contact problem, and which of them a policy takes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/simulation/run.hpp"

namespace painleve::detail {

// What a contact did in a step.
enum class StepLetter : signed char { free, stick, slip_plus, slip_minus, slip };
std::string step_word(const std::vector<StepLetter>& letters);
inline bool slips(StepLetter letter) { return letter >= StepLetter::slip_plus; }

struct StepSolution {
  Eigen::VectorXd Lambda, w;  // stacked over the contacts that take part
  std::vector<StepLetter> letters;
};

// Solutions with distinct motions, the least impulse first. Entries beyond `count` are storage.
struct StepSolutions {
  std::vector<StepSolution> list;
  int count = 0;
  bool complete = true;  // no solution is missing
  std::string reason;    // why it is not complete

  StepSolution& next();
};

// `last`: impulses of the last step at these contacts, where sweeps start; asked for only then.
void find_solutions(const ContactProblem& problem, const std::function<Eigen::VectorXd()>& last,
                    StepSolutions& solutions);

// What the last step did at the same contacts; `known` false: there was none.
struct StepHistory {
  bool known = false;
  Eigen::VectorXd Lambda;
  std::vector<StepLetter> letters;
};

// Index of the solution that the policy takes; `solutions.count` > 0. Policy::all is not for this function.
int choose(Policy policy, const ContactProblem& problem, const StepSolutions& solutions, const StepHistory& history,
           Draws& draws);

// Whether the springs of the pressing contacts, of one unit each, would hold this solution.
bool stable(const ContactProblem& problem, const StepSolution& solution);

// Painlevé parameter W_nn − μ W_tnᵀ e of contact k of the problem for the slip direction e.
double painleve_parameter(const ContactProblem& problem, int k, const Eigen::VectorXd& direction);

}  // namespace painleve::detail
