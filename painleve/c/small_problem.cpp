#include <algorithm>
#include <cmath>

#include "painleve/c/detail/small_problem.hpp"

namespace painleve::small {
namespace {

// Distance of a force from the natural map r = proj(r − w), zero exactly when the law holds.
double contact_residual(const Problem& p, int i, const Vector& r, const Vector& w) {
  const double r_t = r(Problem::tangent(i));
  const double r_n = r(Problem::normal(i));
  const double w_t = w(Problem::tangent(i));
  const double w_n = w(Problem::normal(i));
  if (p.law[i] == Law::separated) return std::hypot(r_t, r_n);
  const double normal = p.bilateral[i] ? std::abs(w_n) : std::abs(r_n - std::max(0.0, r_n - w_n));
  const double limit = p.mu[i] * std::abs(r_n);
  const double wanted = p.law[i] == Law::sliding ? -limit * p.slip[i] : std::clamp(r_t - w_t, -limit, limit);
  return std::max(normal, std::abs(r_t - wanted));
}

}  // namespace

Scaled scaled(const Problem& problem) {
  Scaled s{problem, Vector::Ones(problem.q.size())};
  const double largest = problem.W.size() > 0 ? problem.W.cwiseAbs().maxCoeff() : 0;
  if (largest == 0) return s;
  constexpr double nothing = 1e-14;  // of the largest response: rounding of one that vanishes
  for (int i = 0; i < problem.count; ++i) {
    const int t = Problem::tangent(i);
    const double own = std::max(std::abs(problem.W(t, t)), std::abs(problem.W(t + 1, t + 1)));
    const double response = own > nothing * largest ? own : largest;
    s.factor(t) = s.factor(t + 1) = std::exp2(-std::round(std::log2(response) / 2));
  }
  for (Eigen::Index i = 0; i < problem.q.size(); ++i) {
    s.problem.q(i) *= s.factor(i);
    for (Eigen::Index j = 0; j < problem.q.size(); ++j) s.problem.W(i, j) *= s.factor(i) * s.factor(j);
  }
  return s;
}

Scale scale(const Problem& problem) {
  const double response = problem.W.size() > 0 ? problem.W.cwiseAbs().maxCoeff() : 0;
  const double load = problem.q.size() > 0 ? problem.q.cwiseAbs().maxCoeff() : 0;
  const double motion = load > 0 ? load : 1;  // without load any scale serves
  return {motion, motion / (response > 0 ? response : 1)};
}

double residual(const Problem& problem, const Vector& r, const Vector& w) {
  if (r.size() == 0) return 0;
  const Scaled s = scaled(problem);
  const Vector own_r = r.cwiseQuotient(s.factor);
  const Vector own_w = s.factor.cwiseProduct(w);
  constexpr double far_beyond = 1e6;  // a force far beyond the load cannot hide a violation
  const double force = std::max(own_r.cwiseAbs().maxCoeff(), 1e-300);
  const double load = s.problem.q.cwiseAbs().maxCoeff();
  const double unit = load > 0 ? std::clamp(force, load, far_beyond * load) : force;
  const Vector balance = s.problem.W.lazyProduct(own_r) + s.problem.q - own_w;
  double worst = balance.cwiseAbs().maxCoeff();
  for (int i = 0; i < problem.count; ++i) worst = std::max(worst, contact_residual(s.problem, i, own_r, own_w));
  return worst / unit;
}

}  // namespace painleve::small
