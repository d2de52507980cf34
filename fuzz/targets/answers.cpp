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
constexpr double worst_residual = 1e-6;  // answers are certified to rounding, relative to the forces
constexpr double widest_scale = 1e8;

template <class Matrix>
bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0);
}

bool known(const std::string& verdict) {
  return verdict == "unique" || verdict == "inconsistent" || verdict == "indeterminate" || verdict == "impact";
}

void check_mode(const ModeEntry& mode, bool scaled) {
  law(mode.consistent == mode.reason.empty(), "the mode " + mode.name + " is neither consistent nor rejected");
  law(mode.contacts.size() <= mode.name.size(), "the word " + mode.name + " is shorter than its contacts");
  if (!mode.consistent) return;
  law(mode.lambda.has_value() && mode.a.has_value(), "the consistent mode " + mode.name + " has no forces");
  law(mode.lambda->allFinite() && mode.a->allFinite(), "the consistent mode " + mode.name + " has forces without end");
  law(!scaled || mode.residual <= worst_residual,
      "the consistent mode " + mode.name + " does not satisfy the laws of contact");
}

}  // namespace

bool well_scaled(const Eigen::MatrixXd& W) {
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < W.rows(); ++i) {
    if (W(i, i) > 0) least = std::min(least, W(i, i));
  }
  const double most = W.size() > 0 ? W.cwiseAbs().maxCoeff() : 0;
  return most <= widest_scale * least && most < widest_scale && (most == 0 || most > 1 / widest_scale);
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

void check_modes(const ModeTable& table, bool scaled) {
  for (const ModeEntry& mode : table.modes) check_mode(mode, scaled);
  const std::size_t consistent = table.consistent_modes().size();
  law(known(table.verdict) || (table.verdict.empty() && !table.verdict_reason.empty()),
      "the verdict is '" + table.verdict + "', without a reason");
  if (table.verdict == "unique") law(consistent > 0 || table.closed.empty(), "a unique motion, but no consistent mode");
  if (table.verdict == "inconsistent") law(consistent == 0, "no motion, but a consistent mode");
  if (table.verdict == "indeterminate")
    law(consistent > 1 || table.motion_family_dimension > 0, "several motions, but one consistent mode");
  law(table.complete == table.incomplete_reason.empty(), "a list that is not complete does not say why");
}

void check_solutions(const SolveReport& report, bool scaled) {
  const ContactSolutions& set = report.set;
  for (const ContactSolution& one : set.solutions) {
    law(one.r.allFinite() && one.w.allFinite(), "the solution " + one.mode + " has forces without end");
    law(!scaled || one.residual <= worst_residual,
        "the solution " + one.mode + " does not satisfy the laws of contact");
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
