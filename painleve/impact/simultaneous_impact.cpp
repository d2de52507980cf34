#include "painleve/impact/simultaneous_impact.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/complementarity/solution_set.hpp"
#include "painleve/impact/detail/impact_space.hpp"

namespace painleve {
namespace {

ImpactAlternative alternative(const ContactSpace& space, const Formulation& f, const ContactSolution& solution) {
  ImpactAlternative a;
  a.mode = solution.mode;
  a.Lambda = Eigen::VectorXd::Zero(space.u.size());
  for (std::size_t k = 0; k < f.contacts.size(); ++k)
    a.Lambda.segment(space.tangent(f.contacts[k]), space.dimension) =
        solution.r.segment(f.problem.tangent(static_cast<int>(k)), space.dimension);
  a.u_after = space.u + space.W * a.Lambda;
  // Velocities that the solution sets are better known than u + W Λ.
  for (std::size_t k = 0; k < f.contacts.size(); ++k)
    a.u_after.segment(space.tangent(f.contacts[k]), space.dimension) =
        (solution.w - f.shift).segment(f.problem.tangent(static_cast<int>(k)), space.dimension);
  a.energy_change = a.Lambda.dot(space.u + a.u_after) / 2;
  return a;
}

}  // namespace

ImpactReport simultaneous_impact(const ContactSpace& space, const ImpactOptions& options) {
  const detail::ImpactSpace s = detail::impact_space(space, options);
  ContactSpace rough = space;
  rough.mu = s.space.mu;
  Formulation f = impulse_problem(rough, options.tolerance);
  for (std::size_t k = 0; k < f.contacts.size(); ++k) {
    const int n = f.problem.normal(static_cast<int>(k));
    if (f.problem.bilateral[k] || !(f.problem.q(n) < 0)) continue;
    f.shift(n) = s.laws[static_cast<std::size_t>(f.contacts[k])].restitution * f.problem.q(n);
  }
  f.problem.q += f.shift;
  const ContactSolutions set = all_solutions(f.problem);
  ImpactReport report;
  report.method = "simultaneous: Moreau's impulse problem with Newton's restitution";
  report.u_before = space.u;
  if (set.solutions.empty()) {
    report.reason = "the impulse problem has no solution" +
                    (set.complete ? std::string() : " that was found: " + set.incomplete_reason);
    return report;
  }
  for (const ContactSolution& solution : set.solutions) report.alternatives.push_back(alternative(space, f, solution));
  std::stable_sort(report.alternatives.begin(), report.alternatives.end(),
                   [](const auto& a, const auto& b) { return a.energy_change < b.energy_change; });
  const ImpactAlternative& first = report.alternatives.front();
  report.happened = true;
  report.impacts = 1;
  report.Lambda = first.Lambda;
  report.phases = {"impulses at once, " + first.mode};
  for (const int i : detail::approaching(s, space.u)) report.contacts.push_back(i);
  if (!set.complete) report.reason = set.incomplete_reason;
  detail::finish(space, first.u_after, report);
  return report;
}

}  // namespace painleve
