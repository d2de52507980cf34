#include "painleve/complementarity/standard_form.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/complementarity/certificate.hpp"

namespace painleve {
namespace {

// W as a computed product J M⁻¹ Jᵀ carries rounding of some 1e-14; what is smaller than this counts as its null space.
constexpr double null_part = 1e-11;
constexpr double fits = 1e-10;         // of |q|: what may be left of q outside the range of W
constexpr double good = 1e-11;         // complementarity_residual() that makes another path needless
constexpr double unacceptable = 1e-9;  // and one that is no solution
constexpr int most_paths = 8;

// One unknown of the standard form: its share of the force at its contact, and the combination of the motion there that
// is its complement. Both vanish for the sliding speed σ.
using OfContact = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
struct Unknown {
  int contact;
  OfContact force, motion;
};

struct Layout {
  std::vector<Unknown> unknowns;
  std::vector<int> normals, sigmas;  // per contact: its first unknown, and its σ (−1: none)
};

bool takes_part(const ContactProblem& p, int i) { return p.law[static_cast<std::size_t>(i)] != Law::separated; }
bool slides(const ContactProblem& p, int i) { return p.law[static_cast<std::size_t>(i)] == Law::sliding; }
bool has_friction_rows(const ContactProblem& p, int i) {
  return p.dimension > 1 && p.law[static_cast<std::size_t>(i)] == Law::resting && p.mu(i) > 0;
}

// Columns: the corners of the friction polygon for μ r_n = 1. Opposite ones are exactly opposite.
Eigen::MatrixXd corners(int dimension, int facets) {
  if (dimension == 2) return Eigen::RowVector2d(1, -1);
  Eigen::MatrixXd D(2, facets);
  const bool even = facets % 2 == 0;
  for (int k = 0; k < facets; ++k) {
    if (even && k >= facets / 2) {
      D.col(k) = -D.col(k - facets / 2);
    } else if (4 * k == facets) {
      D.col(k) = Eigen::Vector2d(0, 1);
    } else {
      const double angle = 2 * std::numbers::pi * k / facets;
      D.col(k) = Eigen::Vector2d(std::cos(angle), std::sin(angle));
    }
  }
  return D;
}

Layout layout_of(const ContactProblem& p, int facets) {
  const int tangents = p.dimension - 1;
  const Eigen::MatrixXd D = corners(p.dimension, facets);
  const OfContact nothing = OfContact::Zero(p.dimension);
  const OfContact normal = OfContact::Unit(p.dimension, tangents);
  Layout layout;
  for (int i = 0; i < p.count(); ++i) {
    layout.normals.push_back(static_cast<int>(layout.unknowns.size()));
    layout.sigmas.push_back(-1);
    if (!takes_part(p, i)) continue;
    OfContact drag = nothing;
    if (slides(p, i)) drag.head(tangents) = -p.mu(i) * p.slip.col(i);
    layout.unknowns.push_back({i, normal + drag, normal});
    if (p.bilateral[static_cast<std::size_t>(i)]) layout.unknowns.push_back({i, -normal + drag, -normal});
    if (!has_friction_rows(p, i)) continue;
    for (Eigen::Index k = 0; k < D.cols(); ++k) {
      OfContact push = nothing;
      push.head(tangents) = D.col(k);
      layout.unknowns.push_back({i, push, push});
    }
    layout.sigmas.back() = static_cast<int>(layout.unknowns.size());
    layout.unknowns.push_back({i, nothing, nothing});
  }
  return layout;
}

// The rows and columns of σ: e, μ and −eᵀ.
void add_friction_limits(const ContactProblem& p, const Layout& layout, Eigen::MatrixXd& M) {
  for (int i = 0; i < p.count(); ++i) {
    const int sigma = layout.sigmas[static_cast<std::size_t>(i)];
    if (sigma < 0) continue;
    const int normal = layout.normals[static_cast<std::size_t>(i)];
    const int first = normal + (p.bilateral[static_cast<std::size_t>(i)] ? 2 : 1);
    M.row(sigma).segment(normal, first - normal).setConstant(p.mu(i));
    M.row(sigma).segment(first, sigma - first).setConstant(-1);
    M.col(sigma).segment(first, sigma - first).setOnes();
  }
}

// The complements of all unknowns in a motion of the contacts.
Eigen::VectorXd seen_by(const Layout& layout, const ContactProblem& p, const Eigen::VectorXd& motion) {
  Eigen::VectorXd seen(static_cast<Eigen::Index>(layout.unknowns.size()));
  for (Eigen::Index i = 0; i < seen.size(); ++i) {
    const Unknown& u = layout.unknowns[static_cast<std::size_t>(i)];
    seen(i) = 0;
    for (int k = 0; k < p.dimension; ++k) seen(i) += u.motion(k) * motion(p.tangent(u.contact) + k);
  }
  return seen;
}

StandardForm form_of(const ContactProblem& p, const Layout& layout) {
  const auto n = static_cast<Eigen::Index>(layout.unknowns.size());
  StandardForm form;
  form.to_r = Eigen::MatrixXd::Zero(p.q.size(), n);
  form.lcp.M.resize(n, n);
  Eigen::VectorXd motion(p.q.size());  // W to_r, column by column
  for (Eigen::Index j = 0; j < n; ++j) {
    const Unknown& u = layout.unknowns[static_cast<std::size_t>(j)];
    const int t = p.tangent(u.contact);
    form.to_r.col(j).segment(t, p.dimension) = u.force;
    motion.setZero();
    for (int k = 0; k < p.dimension; ++k)
      if (u.force(k) != 0) motion += u.force(k) * p.W.col(t + k);
    form.lcp.M.col(j) = seen_by(layout, p, motion);
  }
  form.lcp.q = seen_by(layout, p, p.q);
  add_friction_limits(p, layout, form.lcp.M);
  return form;
}

// Sliding with friction is all that can take copositivity away.
bool is_copositive(const ContactProblem& p) {
  for (int i = 0; i < p.count(); ++i)
    if (slides(p, i) && p.mu(i) > 0) return false;
  return true;
}

// The least squares solution s ≥ 0 of A s = b: the complementarity problem of its optimality conditions.
Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return lemke({A.transpose() * A, -A.transpose() * b}).z;
}

// Whether q = W y + s for some y and some s ≥ 0 on the normals of one-sided contacts. Forces in the null space of W
// then do no negative work on q. Rows that carry no force do not count.
bool fits_range(const ContactProblem& p) {
  std::vector<int> rows, one_sided;
  for (int i = 0; i < p.count(); ++i) {
    if (!takes_part(p, i)) continue;
    for (int k = p.tangent(i); has_friction_rows(p, i) && k < p.normal(i); ++k) rows.push_back(k);
    if (!p.bilateral[static_cast<std::size_t>(i)]) one_sided.push_back(static_cast<int>(rows.size()));
    rows.push_back(p.normal(i));
  }
  if (rows.empty()) return true;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(null_part);
  qr.compute(p.W(rows, rows));
  const Eigen::VectorXd q = p.q(rows);
  const Eigen::Index null = q.size() - qr.rank();
  const Eigen::VectorXd outside = (qr.householderQ().transpose() * q).tail(null);
  const double enough = fits * q.norm();
  if (outside.norm() <= enough) return true;
  const Eigen::MatrixXd Q = qr.householderQ();
  const Eigen::MatrixXd normals = Q.rightCols(null)(one_sided, Eigen::all).transpose();
  // A normal that lies in the range leaves rounding here, which a huge gap could blow up to anything.
  const Eigen::MatrixXd to_outside = (normals.array().abs() > 1e-12).select(normals, 0.0);
  const Eigen::VectorXd gaps = nonnegative_least_squares(to_outside, outside);
  constexpr double plausible = 1e6;
  return gaps.norm() <= plausible * q.norm() && (to_outside * gaps - outside).norm() <= enough;
}

void check_facets(const ContactProblem& p, int facets) {
  if (p.dimension == 3 && facets < 3)
    throw InputError(fmt::format("a friction polygon in space needs at least 3 facets, not {}", facets));
}

// Lemke's own at first; then drawn ones, which lead along other paths should rounding have spoilt the first.
Eigen::VectorXd covering(int path, Eigen::Index size) {
  if (path == 0) return {};
  Draws draws(static_cast<std::uint64_t>(path));
  Eigen::VectorXd d(size);
  for (double& x : d) x = draws.uniform(0.5, 2);
  return d;
}

// A solution of the scaled problem in the unknowns of the original one.
Eigen::VectorXd unscaled(const ContactProblem& p, const Layout& layout, const Eigen::VectorXd& factor,
                         const Eigen::VectorXd& z) {
  Eigen::VectorXd result(z.size());
  for (Eigen::Index j = 0; j < z.size(); ++j) {
    const int i = layout.unknowns[static_cast<std::size_t>(j)].contact;
    const bool is_speed = layout.sigmas[static_cast<std::size_t>(i)] == j;
    const double s = factor(p.normal(i));
    result(j) = is_speed ? z(j) / s : z(j) * s;
  }
  return result;
}

// w = W r + q, and exactly zero where the solution says so: at the normal of a loaded contact, and at a sticking one.
Eigen::VectorXd motion_of(const ContactProblem& p, const Layout& layout, const Eigen::VectorXd& z,
                          const Eigen::VectorXd& r) {
  Eigen::VectorXd w = p.W * r + p.q;
  for (int i = 0; i < p.count(); ++i) {
    if (!takes_part(p, i)) continue;
    const int sigma = layout.sigmas[static_cast<std::size_t>(i)];
    if (r(p.normal(i)) > 0 || p.bilateral[static_cast<std::size_t>(i)]) w(p.normal(i)) = 0;
    if (sigma >= 0 && z(sigma) == 0) w.segment(p.tangent(i), p.dimension - 1).setZero();
  }
  return w;
}

bool ended_well(const LemkeReport& report) { return report.status == LemkeStatus::solution && report.residual <= good; }

// Paths through the scaled problem, until one ends well: the first, unless a solution is guaranteed. The best is kept.
template <class Unscale>
void follow_paths(const LinearComplementarity& inner, const LinearComplementarity& outer, const Unscale& unscale,
                  PivotedSolution& solution) {
  int pivots = 0;
  do {
    LemkeReport report = lemke(inner, {.covering = covering(solution.paths, inner.q.size())});
    report.z = unscale(report.z);
    report.residual = complementarity_residual(outer, report.z);
    if (report.residual > unacceptable && report.status == LemkeStatus::solution) report.status = LemkeStatus::limit;
    pivots += report.pivots;
    const bool solved = report.status == LemkeStatus::solution;
    const bool before = solution.report.status == LemkeStatus::solution;
    const bool better = solution.paths == 0 || (solved && (!before || report.residual < solution.report.residual));
    if (better) solution.report = std::move(report);
    ++solution.paths;
  } while (solution.guaranteed && !ended_well(solution.report) && solution.paths < most_paths);
  solution.report.pivots = pivots;
}

}  // namespace

StandardForm standard_form(const ContactProblem& problem, int facets) {
  check_facets(problem, facets);
  StandardForm form = form_of(problem, layout_of(problem, facets));
  form.copositive = is_copositive(problem);
  form.solvable = form.copositive && fits_range(scaled(problem).problem);
  return form;
}

PivotedSolution solve_by_pivoting(const ContactProblem& problem, int facets) {
  check_facets(problem, facets);
  const ScaledProblem units = scaled(problem);  // powers of two: nothing is rounded
  const ContactProblem& inner = units.problem;
  const Layout layout = layout_of(problem, facets);
  const StandardForm form = form_of(problem, layout);
  PivotedSolution solution;
  solution.guaranteed = is_copositive(inner) && fits_range(inner);
  follow_paths(
      form_of(inner, layout).lcp, form.lcp, [&](const auto& z) { return unscaled(problem, layout, units.factor, z); },
      solution);
  solution.r = form.to_r * solution.report.z;
  const bool solved = solution.report.status == LemkeStatus::solution;
  solution.w = solved ? motion_of(problem, layout, solution.report.z, solution.r) : problem.W * solution.r + problem.q;
  solution.residual = law_residual(problem, solution.r, solution.w);
  return solution;
}

}  // namespace painleve
