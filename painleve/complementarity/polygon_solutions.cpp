#include "painleve/complementarity/polygon_solutions.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/complementarity/linear_solutions.hpp"
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

void name_modes(const ContactProblem& p, ContactSolution& s) {
  for (int i = 0; i < p.count(); ++i) {
    s.contacts.push_back(letter_of(p, i, s.r, s.w));
    const bool lifts = s.w(p.normal(i)) > 1e-9 * scale(p).motion;
    s.boundary = s.boundary || (s.contacts.back().letter == Letter::F && !lifts);
  }
  s.mode = word(s.contacts);
}

// As a pair of opposed one-sided contacts, which could push and pull at once, a bilateral one would hold more friction
// than μ |r_n|. So it is let push alone, and then pull alone: a one-sided contact, seen from the other side.
struct OneSided {
  ContactProblem problem;
  Eigen::VectorXd side;  // −1 at the normal of a contact that pulls, else 1
};

std::vector<int> bilateral_with_friction(const ContactProblem& p) {
  std::vector<int> list;
  for (int i = 0; i < p.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (p.bilateral[at] && p.law[at] == Law::resting && p.mu(i) > 0) list.push_back(i);
  }
  return list;
}

// The k-th bit of `pulls` is that of the k-th contact of the list.
OneSided one_sided(const ContactProblem& p, const std::vector<int>& list, unsigned pulls) {
  OneSided one{p, Eigen::VectorXd::Ones(p.q.size())};
  for (std::size_t k = 0; k < list.size(); ++k) {
    one.problem.bilateral[static_cast<std::size_t>(list[k])] = false;
    if (((pulls >> k) & 1U) != 0) one.side(p.normal(list[k])) = -1;
  }
  one.problem.W = one.side.asDiagonal() * p.W * one.side.asDiagonal();
  one.problem.q = one.side.cwiseProduct(p.q);
  return one;
}

void add_solutions(const ContactProblem& p, const std::vector<int>& bilateral, const OneSided& one, int facets,
                   const EnumerationOptions& options, ContactSolutions& set) {
  const StandardForm form = standard_form(one.problem, facets);
  const Eigen::MatrixXd to_r = one.side.asDiagonal() * form.to_r;
  const LcpSolutions found = all_solutions(form.lcp, options);
  const auto incomplete = [&set](const std::string& reason) {
    set.complete = false;
    set.incomplete_reason = reason;
  };
  if (!found.complete) incomplete(found.incomplete_reason);
  set.work.nodes += found.work.nodes;
  set.work.pruned += found.work.pruned;
  set.work.leaves += found.work.leaves;
  for (const auto& z : found.solutions) {
    ContactSolution s;
    s.r = to_r * z.z;
    s.w = p.W * s.r + p.q;
    s.family = family_of_forces(p, to_r, z.family);
    const auto leaves = [&](int i) { return std::abs(s.w(p.normal(i))) > 1e-9 * (scale(p).motion + s.w.norm()); };
    if (std::any_of(bilateral.begin(), bilateral.end(), leaves)) {
      if (s.family.dimension > 0) incomplete("the ends of a family at a bilateral contact were not looked for");
      continue;
    }
    if (index_of(p, set, s.r, s.w, 1e-9) >= 0) continue;
    name_modes(p, s);
    set.solutions.push_back(std::move(s));
  }
}

}  // namespace

ContactSolutions polygon_solutions(const ContactProblem& problem, int facets, const EnumerationOptions& options) {
  const ScaledProblem units = scaled(problem);  // W beside the ones of the polygon: both of order one
  const std::vector<int> bilateral = bilateral_with_friction(units.problem);
  constexpr std::size_t most = 16;
  if (bilateral.size() > most)
    throw InputError(fmt::format("a polygon with {} bilateral contacts at rest: at most {} can be enumerated",
                                 bilateral.size(), most));
  ContactSolutions set;
  for (unsigned pulls = 0; pulls < 1U << bilateral.size(); ++pulls)
    add_solutions(units.problem, bilateral, one_sided(units.problem, bilateral, pulls), facets, options, set);
  for (auto& s : set.solutions) restore(problem, units.factor, s);
  return set;
}

}  // namespace painleve
