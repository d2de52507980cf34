#include "answers.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "target.hpp"

namespace painleve::fuzz {
namespace {

constexpr int most_planar = 4, most_spatial = 2;
constexpr double slip_matrix_residual = 1e-6;
constexpr double fewer_digits = 1e-250;  // products near the smallest numbers lose digits

template <class Matrix>
bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0);
}

bool known(const std::string& verdict) {
  return verdict == "unique" || verdict == "inconsistent" || verdict == "indeterminate" || verdict == "impact";
}

void check_mode(const ModeEntry& mode, const ContactProblem* problem) {
  law(mode.consistent == mode.reason.empty(), "the mode " + mode.name + " is neither consistent nor rejected");
  law(mode.contacts.size() <= mode.name.size(), "the word " + mode.name + " is shorter than its contacts");
  if (!mode.consistent) return;
  law(mode.lambda.has_value() && mode.a.has_value(), "the consistent mode " + mode.name + " has no forces");
  law(mode.lambda->allFinite() && mode.a->allFinite(), "the consistent mode " + mode.name + " has forces without end");
  const double allowed = problem == nullptr ? slip_matrix_residual
                                            : allowed_residual(*problem, *mode.lambda, mode.force_family_dimension > 0);
  law(mode.residual <= allowed, "the consistent mode " + mode.name + " does not satisfy the laws of contact: " +
                                    std::to_string(mode.residual / allowed) + " of what is allowed");
}

void check_table(const ModeTable& table, const ContactProblem* problem) {
  for (const ModeEntry& mode : table.modes) check_mode(mode, problem);
  const std::size_t consistent = table.consistent_modes().size();
  law(known(table.verdict) || (table.verdict.empty() && !table.verdict_reason.empty()),
      "the verdict is '" + table.verdict + "', without a reason");
  if (table.verdict == "unique") law(consistent > 0 || table.closed.empty(), "a unique motion, but no consistent mode");
  if (table.verdict == "inconsistent") law(consistent == 0, "no motion, but a consistent mode");
  if (table.verdict == "indeterminate")
    law(consistent > 1 || table.motion_family_dimension > 0, "several motions, but one consistent mode");
  law(table.complete == table.incomplete_reason.empty(), "a list that is not complete does not say why");
}

}  // namespace

double allowed_residual(const ContactProblem& p, const Eigen::VectorXd& r, bool family) {
  law(r.size() == p.q.size(), "forces of another size than the problem");
  if (r.size() == 0) return 0;
  double force = 0, load = 0;
  for (int i = 0; i < p.count(); ++i) {
    const double factor = own_factor(p, i, largest_response(p));
    force = std::max(force, r.segment(p.tangent(i), p.dimension).cwiseAbs().maxCoeff() / factor);
    load = std::max(load, factor * p.q.segment(p.tangent(i), p.dimension).cwiseAbs().maxCoeff());
  }
  if (load > 0 && load < fewer_digits) return std::numeric_limits<double>::infinity();
  // Equations of a word hold to 1e-10 of the load; directions of slip in space are found by iteration.
  const double equations = p.dimension == 3 ? 1e-6 : 1e-9;
  // A normal force below 1e-12 of the scale counts as none, but its friction is mu times that.
  const double friction = 1e-11 * p.mu.maxCoeff();
  // Of W r, where a force beyond 1e6 times the load is not the scale (certificate.cpp); a family is found where pivots
  // of 1e-12 count as zero.
  constexpr double far_beyond = 1e6;
  const double rounding = (family ? 1e-10 : 1e-12) * std::max(1.0, load > 0 ? force / load / far_beyond : 0.0);
  return equations + friction + rounding;
}

bool small_enough(const Scene& scene) {
  if (scene.kind == SceneKind::drifting_contacts) return scene.laws.size() <= static_cast<std::size_t>(most_planar);
  return scene.space.count() <= (scene.space.dimension == 2 ? most_planar : most_spatial);
}

bool same_numbers(const Scene& a, const Scene& b) {
  return a.kind == b.kind && a.mechanism == b.mechanism && same_bits(a.space.W, b.space.W) &&
         same_bits(a.space.b, b.space.b) && same_bits(a.space.u, b.space.u) && same_bits(a.space.gap, b.space.gap) &&
         same_bits(a.space.mu, b.space.mu) && a.space.bilateral == b.space.bilateral && a.space.names == b.space.names;
}

void check_modes(const Scene& scene, const ModeTable& table) {
  if (scene.kind == SceneKind::drifting_contacts) return check_table(table, nullptr);
  const ContactProblem problem = acceleration_problem(scene.space, scene.tolerance).problem;
  check_table(table, &problem);
}

void check_solutions(const SolveReport& report) {
  const ContactSolutions& set = report.set;
  for (const ContactSolution& one : set.solutions) {
    law(one.r.allFinite() && one.w.allFinite(), "the solution " + one.mode + " has forces without end");
    const double allowed = allowed_residual(report.formulation.problem, one.r, one.family.dimension > 0);
    law(one.residual <= allowed, "the solution " + one.mode + " does not satisfy the laws of contact: " +
                                     std::to_string(one.residual / allowed) + " of what is allowed");
  }
  const std::string& verdict = report.verdict;
  law(!verdict.empty() || !report.verdict_reason.empty(), "there is neither a verdict nor a reason");
  if (verdict == "none") law(set.solutions.empty(), "no motion, but a solution");
  if (verdict == "one") law(!set.solutions.empty(), "one motion, but no solution");
  if (verdict == "several")
    law(set.solutions.size() > 1 || set.motion_family_dimension() > 0, "several motions, but one solution");
  if (report.pivoting_index >= 0)
    law(static_cast<std::size_t>(report.pivoting_index) < set.solutions.size(), "pivoting reached what is not listed");
}

}  // namespace painleve::fuzz
