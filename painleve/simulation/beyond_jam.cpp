#include "painleve/simulation/beyond_jam.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "painleve/simulation/compliant.hpp"
#include "painleve/simulation/jam_approach.hpp"

namespace painleve {
namespace {

// Multiples of the contacts' stiffness, or of 1e8 N/m where none is given.
constexpr double ladder[] = {1, 10, 100};
constexpr double fallback_stiffness = 1e8;

// The springs compressed as the forces at the point demand: q moved along M⁻¹ J_nᵀ by −λ_n/k.
State on_springs(const SimulationProblem& problem, const JamPoint& point) {
  State state = point.state;
  const Dynamics d = problem.mechanism->dynamics(state);
  const int dimension = problem.mechanism->dimension();
  std::vector<int> pressing;
  for (int i = 0; i < static_cast<int>(problem.laws.size()); ++i) {
    const double force = point.lambda(dimension * i + dimension - 1);
    if (force > 0 || (force < 0 && problem.bilateral[static_cast<std::size_t>(i)])) pressing.push_back(i);
  }
  Eigen::MatrixXd J(static_cast<Eigen::Index>(pressing.size()), d.J.cols());
  Eigen::VectorXd depth(J.rows());
  for (Eigen::Index k = 0; k < J.rows(); ++k) {
    const int i = pressing[static_cast<std::size_t>(k)];
    const int n = dimension * i + dimension - 1;
    J.row(k) = d.J.row(n);
    depth(k) = d.gap(i) + point.lambda(n) / *problem.laws[static_cast<std::size_t>(i)].stiffness;
  }
  const Eigen::MatrixXd X = d.M.llt().solve(J.transpose());
  state.q -= X * (J * X).llt().solve(depth);
  return state;
}

// What the contact does first: "F" lifts off, "I" locks up (it sticks, after a force that no slip would carry).
std::string first_outcome(const Run& run, int contact) {
  for (const SimulationEvent& e : run.events) {
    if (e.contact != contact) continue;
    if (e.kind == EventKind::liftoff) return "F";
    if (e.kind == EventKind::stick || e.kind == EventKind::iwc) return "I";
  }
  return "";
}

}  // namespace

BeyondJam beyond_jam(const SimulationProblem& problem, const std::vector<ContactMode>& modes, const PhaseEnd& end,
                     int contact) {
  BeyondJam beyond;
  if (end.approach.empty()) return beyond;
  const JamPoint& from = end.approach.front();
  const double left = end.state.t - from.t;
  SimulationOptions options;
  options.samples = 0;
  options.relative = 1e-9;
  options.t_end = end.state.t + 3 * left;
  std::vector<std::string> lines;
  for (auto rung = std::rbegin(ladder); rung != std::rend(ladder); ++rung) {
    SimulationProblem soft = problem;
    for (ContactLaw& law : soft.laws) {
      law.stiffness = *rung * law.stiffness.value_or(fallback_stiffness);
      if (law.damping) law.damping = std::sqrt(*rung) * *law.damping;
    }
    soft.start = on_springs(soft, from);
    const std::string outcome = first_outcome(simulate_compliant(soft, options, {}), contact);
    const double k = *soft.laws[static_cast<std::size_t>(contact)].stiffness;
    lines.push_back(fmt::format("{} at {:g} N/m",
                                outcome.empty()  ? "still slips"
                                : outcome == "F" ? "lifts off"
                                                 : "locks up",
                                k));
    const bool known =
        std::any_of(beyond.ways.begin(), beyond.ways.end(), [&](const Way& w) { return w.name == outcome; });
    if (outcome.empty() || known) continue;
    Way way;
    way.name = outcome;
    way.why = fmt::format("beyond the jam the contact {} (springs of {:g} N/m)",
                          outcome == "F" ? "lifts off" : "locks up", k);
    if (outcome == "I") {
      way.impact = true;
      way.struck = {contact};
    } else {
      way.modes = modes;
      const auto at = static_cast<std::size_t>(contact);
      way.modes[at] = let_go(problem, contact, modes[at]);
    }
    beyond.ways.push_back(std::move(way));
  }
  beyond.summary = fmt::format("with springs the contact {}", fmt::join(lines, ", "));
  return beyond;
}

}  // namespace painleve
