#include "painleve/impact/simultaneous_impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/complementarity/solution_set.hpp"
#include "painleve/impact/detail/impact_space.hpp"

namespace painleve {
namespace {

// One alternative and the rounds that follow it.
struct Course {
  ImpactAlternative total;
  std::vector<std::string> modes;  // one per round
  std::string reason;              // why contacts still approach
};

class Rounds {
 public:
  Rounds(const ContactSpace& space, const ImpactOptions& options)
      : s_(detail::impact_space(space, options)), options_(options), space_(space) {
    space_.mu = s_.space.mu;
  }

  // All solutions of Moreau's problem for the velocities u.
  std::vector<ImpactAlternative> at_once(const Eigen::VectorXd& u) {
    space_.u = u;
    Formulation f = impulse_problem(space_, options_.tolerance);
    for (std::size_t k = 0; k < f.contacts.size(); ++k) {
      const int n = f.problem.normal(static_cast<int>(k));
      const double restitution = s_.laws[static_cast<std::size_t>(f.contacts[k])].restitution;
      if (!f.problem.bilateral[k]) f.shift(n) = restitution * f.problem.q(n);
    }
    f.problem.q += f.shift;
    const ContactSolutions set = all_solutions(f.problem);
    complete = set.complete;
    incomplete_reason = set.incomplete_reason;
    std::vector<ImpactAlternative> list;
    for (const ContactSolution& solution : set.solutions) list.push_back(alternative(f, solution));
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.energy_change < b.energy_change; });
    return list;
  }

  // Further rounds, of which each takes most energy, until nothing approaches.
  Course follow(const Eigen::VectorXd& u_before, const ImpactAlternative& first) {
    Course course{first, {first.mode}, {}};
    ImpactAlternative& total = course.total;
    for (auto late = approaching(first.u_after); !late.empty(); late = approaching(total.u_after)) {
      const auto rounds = course.modes.size();
      if (rounds >= static_cast<std::size_t>(options_.most_impacts)) {
        course.reason = fmt::format("the rounds have not ended after {}; {} still approaches with {:.3g} m/s", rounds,
                                    space_.names[static_cast<std::size_t>(late.front())],
                                    -total.u_after(space_.normal(late.front())));
        break;
      }
      const std::vector<ImpactAlternative> next = at_once(total.u_after);
      if (next.empty()) {
        course.reason = fmt::format("round {}: {}", rounds + 1, no_solution());
        break;
      }
      total.Lambda += next.front().Lambda;
      total.u_after = next.front().u_after;
      course.modes.push_back(next.front().mode);
    }
    total.energy_change = total.Lambda.dot(u_before + total.u_after) / 2;
    return course;
  }

  std::vector<int> approaching(const Eigen::VectorXd& u) const { return detail::approaching(s_, u); }

  std::string no_solution() const {
    return "the impulse problem has no solution" + (complete ? std::string() : " that was found: " + incomplete_reason);
  }

  bool complete = true;  // of the last problem
  std::string incomplete_reason;

 private:
  ImpactAlternative alternative(const Formulation& f, const ContactSolution& solution) const {
    ImpactAlternative a;
    a.mode = solution.mode;
    a.Lambda = Eigen::VectorXd::Zero(space_.u.size());
    for (std::size_t k = 0; k < f.contacts.size(); ++k)
      a.Lambda.segment(space_.tangent(f.contacts[k]), space_.dimension) =
          solution.r.segment(f.problem.tangent(static_cast<int>(k)), space_.dimension);
    a.u_after = space_.u + space_.W * a.Lambda;
    // Velocities that the solution sets are better known than u + W Λ.
    for (std::size_t k = 0; k < f.contacts.size(); ++k)
      a.u_after.segment(space_.tangent(f.contacts[k]), space_.dimension) =
          (solution.w - f.shift).segment(f.problem.tangent(static_cast<int>(k)), space_.dimension);
    a.energy_change = a.Lambda.dot(space_.u + a.u_after) / 2;
    return a;
  }

  detail::ImpactSpace s_;
  const ImpactOptions& options_;
  ContactSpace space_;  // with the friction of impacts and the velocities of the round
};

}  // namespace

ImpactReport simultaneous_impact(const ContactSpace& space, const ImpactOptions& options) {
  Rounds rounds(space, options);
  ImpactReport report;
  report.method = "simultaneous: Moreau's impulse problem with Newton's restitution";
  report.law = RestitutionLaw::newton;
  report.u_before = space.u;
  const std::vector<ImpactAlternative> first = rounds.at_once(space.u);
  if (first.empty()) {
    report.reason = rounds.no_solution();
    return report;
  }
  if (!rounds.complete) report.reason = rounds.incomplete_reason;
  std::vector<Course> courses;
  for (const ImpactAlternative& a : first) courses.push_back(rounds.follow(space.u, a));
  std::stable_sort(courses.begin(), courses.end(), [](const Course& a, const Course& b) {
    return std::pair(!a.reason.empty(), a.total.energy_change) < std::pair(!b.reason.empty(), b.total.energy_change);
  });
  for (const Course& course : courses) report.alternatives.push_back(course.total);
  const Course& taken = courses.front();
  report.happened = true;
  report.ended = taken.reason.empty();
  if (!report.ended) report.reason = taken.reason;
  report.impacts = static_cast<int>(taken.modes.size());
  report.Lambda = taken.total.Lambda;
  for (const std::string& mode : taken.modes) {
    if (report.phases.size() < detail::most_phases) report.phases.push_back("impulses at once, " + mode);
  }
  report.contacts = rounds.approaching(space.u);
  detail::finish(space, taken.total.u_after, report);
  return report;
}

}  // namespace painleve
