#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>

#include "painleve/complementarity/linear_complementarity.hpp"
#include "painleve/complementarity/linear_solutions.hpp"
#include "painleve/complementarity/linear_word.hpp"
#include "painleve/complementarity/solution_set.hpp"
#include "painleve/complementarity/spatial_solutions.hpp"

namespace painleve {
namespace {

int largest_dimension(const std::vector<ContactSolution>& list, int Family::*dimension) {
  int most = 0;
  for (const auto& s : list) most = std::max(most, s.family.*dimension);
  return most;
}

}  // namespace

int ContactSolutions::force_family_dimension() const { return largest_dimension(solutions, &Family::dimension); }
int ContactSolutions::motion_family_dimension() const {
  return largest_dimension(solutions, &Family::motion_dimension);
}

ContactSolutions all_solutions(const ContactProblem& problem, const EnumerationOptions& options) {
  ContactSolutions set = is_linear(problem) ? linear_solutions(problem, options) : spatial_solutions(problem, options);
  // The least force first: what lifts, what slips, what is held.
  std::stable_sort(set.solutions.begin(), set.solutions.end(),
                   [](const ContactSolution& a, const ContactSolution& b) { return a.r.norm() < b.r.norm(); });
  return set;
}

int index_of(const ContactProblem& problem, const ContactSolutions& solutions, const Eigen::VectorXd& r,
             const Eigen::VectorXd& w, double tolerance) {
  const ScaledProblem units = scaled(problem);
  const double load = scale(units.problem).motion;  // of responses of order one: also the size of forces
  const auto size = [&](const Eigen::VectorXd& x) { return std::max(load, x.norm()); };
  int best = -1;
  double nearest = tolerance;
  for (std::size_t k = 0; k < solutions.solutions.size(); ++k) {
    const ContactSolution& s = solutions.solutions[k];
    Eigen::VectorXd apart = r - s.r;
    Eigen::VectorXd motion = w - s.w;
    if (s.family.dimension > 0) {
      const Eigen::VectorXd along = s.family.directions * (s.family.directions.transpose() * apart);
      const bool beyond = s.family.G.rows() > 0 && (s.family.G * along + s.family.h).minCoeff() < -tolerance;
      if (beyond) continue;
      apart -= along;
      motion -= problem.W * along;
    }
    const double distance = std::max(apart.cwiseQuotient(units.factor).norm() / size(s.r.cwiseQuotient(units.factor)),
                                     motion.cwiseProduct(units.factor).norm() / size(s.w.cwiseProduct(units.factor)));
    if (distance > nearest) continue;
    nearest = distance;
    best = static_cast<int>(k);
  }
  return best;
}

ContactProblem normals_alone(const LinearComplementarity& problem) {
  const auto n = static_cast<std::size_t>(problem.q.size());
  ContactProblem p;
  p.dimension = 1;
  p.W = problem.M;
  p.q = problem.q;
  p.mu = Eigen::VectorXd::Zero(problem.q.size());
  p.bilateral.assign(n, false);
  p.law.assign(n, Law::sliding);
  p.slip = Eigen::MatrixXd::Zero(0, problem.q.size());
  return p;
}

LcpSolutions all_solutions(const LinearComplementarity& problem, const EnumerationOptions& options) {
  const ContactSolutions found = linear_solutions(normals_alone(problem), options);
  LcpSolutions set{{}, found.complete, found.incomplete_reason, found.work};
  for (const auto& s : found.solutions)
    set.solutions.push_back({s.r, s.w, s.family, complementarity_residual(problem, s.r)});
  return set;
}

}  // namespace painleve
