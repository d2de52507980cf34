#include "painleve/complementarity/polygon_solutions.hpp"

#include <Eigen/Dense>

#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/standard_form.hpp"

namespace painleve {
namespace {

// The letter of contact i, by what it does: no force, no motion, or the direction in which it moves.
ContactMode letter_of(const ContactProblem& p, int i, const Eigen::VectorXd& r, const Eigen::VectorXd& w) {
  constexpr double small = 1e-9;
  const ProblemScale unit = scale(p);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(p.dimension - 1);
  const double r_n = std::abs(r(p.normal(i)));
  if (r_n <= small * unit.force) return {Letter::F, none, 1};
  const int sign = r(p.normal(i)) < 0 ? -1 : 1;
  if (p.law[static_cast<std::size_t>(i)] == Law::sliding) return {Letter::S, p.slip.col(i), sign};
  const Eigen::VectorXd w_t = w.segment(p.tangent(i), p.dimension - 1);
  if (w_t.norm() <= small * unit.motion) return {Letter::T, none, sign};
  return {Letter::S, w_t.normalized(), sign};
}

// A family in the coordinates of the standard form, as a family of forces: directions that split a force differently
// and leave it what it is drop out.
Family family_of_forces(const ContactProblem& p, const Eigen::MatrixXd& to_r, const Family& z) {
  Family f;
  if (z.dimension == 0) return f;
  const Eigen::MatrixXd image = to_r * z.directions;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(image);
  qr.setThreshold(1e-9);
  if (image.norm() <= 1e-9) return f;
  f.dimension = static_cast<int>(qr.rank());
  f.directions = qr.householderQ() * Eigen::MatrixXd::Identity(image.rows(), qr.rank());
  const Eigen::MatrixXd motion = p.W * f.directions;
  if (motion.norm() > 1e-12 * p.W.norm()) {
    Eigen::FullPivLU<Eigen::MatrixXd> lu(motion);
    lu.setThreshold(1e-10);
    f.motion_dimension = static_cast<int>(lu.rank());
  }
  return f;
}

}  // namespace

ContactSolutions polygon_solutions(const ContactProblem& problem, int facets, const EnumerationOptions& options) {
  const StandardForm form = standard_form(problem, facets);
  const LcpSolutions found = all_solutions(form.lcp, options);
  ContactSolutions set;
  set.complete = found.complete;
  set.incomplete_reason = found.incomplete_reason;
  set.work = found.work;
  for (const auto& z : found.solutions) {
    ContactSolution s;
    s.r = form.to_r * z.z;
    s.w = problem.W * s.r + problem.q;
    s.family = family_of_forces(problem, form.to_r, z.family);
    if (index_of(problem, set, s.r, s.w, 1e-9) >= 0) continue;
    for (int i = 0; i < problem.count(); ++i) {
      s.contacts.push_back(letter_of(problem, i, s.r, s.w));
      const bool lifts = s.w(problem.normal(i)) > 1e-9 * scale(problem).motion;
      s.boundary = s.boundary || (s.contacts.back().letter == Letter::F && !lifts);
    }
    s.mode = word(s.contacts);
    s.residual = law_residual(problem, s.r, s.w);
    set.solutions.push_back(std::move(s));
  }
  return set;
}

}  // namespace painleve
