#include "painleve/complementarity/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace painleve {
namespace {

// One contact in units of its own response, with its second tangent zero in the plane: F r' = r, w' = F w.
struct OwnUnits {
  double r_t[2] = {0, 0}, w_t[2] = {0, 0};
  double r_n = 0, w_n = 0;
};

template <int D>
OwnUnits own_units(int t, const Eigen::VectorXd& r, const Eigen::VectorXd& w, double factor) {
  OwnUnits c;
  const double inverse = 1 / factor;  // a power of two
  for (int k = 0; k < D - 1; ++k) {
    c.r_t[k] = r(t + k) * inverse;
    c.w_t[k] = factor * w(t + k);
  }
  c.r_n = r(t + D - 1) * inverse;
  c.w_n = factor * w(t + D - 1);
  return c;
}

double length(double x, double y) { return y == 0 ? std::abs(x) : std::sqrt(x * x + y * y); }

// Distance of a force from the natural map r = proj(r − w), zero exactly when the law holds; responses are of order
// one.
template <int D>
double contact_residual(const ContactProblem& p, int i, const OwnUnits& c) {
  const auto at = static_cast<std::size_t>(i);
  if (p.law[at] == Law::separated) return length(length(c.r_t[0], c.r_t[1]), c.r_n);
  const double normal = p.bilateral[at] ? std::abs(c.w_n) : std::abs(c.r_n - std::max(0.0, c.r_n - c.w_n));
  const double limit = p.mu(i) * std::abs(c.r_n);
  double wanted[2] = {c.r_t[0] - c.w_t[0], c.r_t[1] - c.w_t[1]};
  if (p.law[at] == Law::sliding) {
    for (int k = 0; k < D - 1; ++k) wanted[k] = -limit * p.slip(k, i);
  } else if (const double size = length(wanted[0], wanted[1]); size > limit) {
    for (double& x : wanted) x *= limit / size;
  }
  return std::max(length(c.r_t[0] - wanted[0], c.r_t[1] - wanted[1]), normal);
}

// The larger of the two, or what is not a number: that may never pass for a small violation.
void raise(double& worst, double x) {
  if (!(x <= worst) && !std::isnan(worst)) worst = x;
}

template <int D>
double largest_of(const Eigen::VectorXd& v, int first) {
  double most = 0;
  for (int k = first; k < first + D; ++k) most = std::max(most, std::abs(v(k)));
  return most;
}

// W r, row by row: at once for many rows, and without allocation for few.
class Product {
 public:
  Product(const Eigen::MatrixXd& W, const Eigen::VectorXd& r) : W_(W), r_(r) {
    constexpr Eigen::Index few = 6;
    if (r.size() > few) all_.noalias() = W * r;
  }
  double operator()(int row) const {
    if (all_.size() > 0) return all_(row);
    double sum = 0;
    for (Eigen::Index j = 0; j < r_.size(); ++j) sum += W_(row, j) * r_(j);
    return sum;
  }

 private:
  const Eigen::MatrixXd& W_;
  const Eigen::VectorXd& r_;
  Eigen::VectorXd all_;
};

template <int D>
double residual(const ContactProblem& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& w) {
  const double response = largest_response(problem);
  const Product product(problem.W, r);
  double worst = 0;
  double force = 1e-300;
  double load = 0;
  for (int i = 0, t = 0; i < problem.count(); ++i, t += D) {
    const double factor = own_factor(problem, i, response);
    force = std::max(force, largest_of<D>(r, t) / factor);
    load = std::max(load, factor * largest_of<D>(problem.q, t));
    for (int k = t; k < t + D; ++k) raise(worst, factor * std::abs(product(k) + problem.q(k) - w(k)));
    raise(worst, contact_residual<D>(problem, i, own_units<D>(t, r, w, factor)));
  }
  // Relative to the force or the load, whichever is larger; but a force far beyond the load cannot hide a violation.
  // Nor can one whose rounding swallows the load: there r − w is r, whatever w.
  constexpr double far_beyond = 1e6;
  const double swallowed = std::numeric_limits<double>::epsilon() * force;
  if (load > 0 && swallowed > load) raise(worst, swallowed);
  return worst / (load > 0 ? std::clamp(force, load, far_beyond * load) : force);
}

}  // namespace

double law_residual(const ContactProblem& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& w) {
  if (r.size() == 0) return 0;
  switch (problem.dimension) {
    case 1:
      return residual<1>(problem, r, w);
    case 2:
      return residual<2>(problem, r, w);
    default:
      return residual<3>(problem, r, w);
  }
}

}  // namespace painleve
