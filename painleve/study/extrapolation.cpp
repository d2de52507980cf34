#include "painleve/study/extrapolation.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace painleve {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
using Points = std::vector<double>;

struct Fit {
  double limit = none, order = none;
  std::function<double(double)> at;  // the law
};

// One kind of law with its unknowns. `fit` goes through the points [first, first + size).
struct Law {
  std::string name;
  int size = 0;
  bool logarithm = false;
  std::function<Fit(const Points& h, const Points& a, std::size_t first)> fit;
};

Fit power_fit(const Points& h, const Points& a, std::size_t i) {
  const double d = a[i + 1] - a[i], e = a[i + 2] - a[i + 1];
  const double ratio = e / d;
  if (!(ratio > 0 && ratio < 1)) return {};
  Fit fit;
  fit.order = std::log(ratio) / std::log(h[i + 1] / h[i]);
  fit.limit = a[i + 2] + e * ratio / (1 - ratio);
  const double factor = (a[i + 2] - fit.limit) / std::pow(h[i + 2], fit.order);
  fit.at = [fit_limit = fit.limit, factor, p = fit.order](double x) { return fit_limit + factor * std::pow(x, p); };
  return fit;
}

using Terms = std::vector<std::function<double(double)>>;

// L and the factors of the terms through size(terms) + 1 points; columns scaled, for powers of 1e-10 stand beside 1.
Fit linear_fit(const Terms& terms, double order, const Points& h, const Points& a, std::size_t first) {
  const auto n = static_cast<Eigen::Index>(terms.size() + 1);
  Eigen::MatrixXd A = Eigen::MatrixXd::Ones(n, n);
  Eigen::VectorXd y(n), scale = Eigen::VectorXd::Ones(n);
  for (Eigen::Index r = 0; r < n; ++r) {
    const std::size_t at = first + static_cast<std::size_t>(r);
    y(r) = a[at];
    for (Eigen::Index c = 1; c < n; ++c) A(r, c) = terms[static_cast<std::size_t>(c - 1)](h[at]);
  }
  for (Eigen::Index c = 1; c < n; ++c) scale(c) = A.col(c).cwiseAbs().maxCoeff();
  A = A * scale.cwiseInverse().asDiagonal();
  const Eigen::VectorXd x = A.fullPivLu().solve(y).cwiseQuotient(scale);
  if (!x.allFinite()) return {};
  return {x(0), order, [terms, x](double at) {
            double sum = x(0);
            for (std::size_t c = 0; c < terms.size(); ++c) sum += x(static_cast<Eigen::Index>(c + 1)) * terms[c](at);
            return sum;
          }};
}

std::function<double(double)> power(double p) {
  return [p](double h) { return std::pow(h, p); };
}

Law linear_law(std::string name, double p, bool logarithm, Terms others) {
  Terms terms = {power(p)};
  if (logarithm) terms.push_back([p](double h) { return std::pow(h, p) * std::log(h); });
  terms.insert(terms.end(), others.begin(), others.end());
  const int size = static_cast<int>(terms.size()) + 1;
  return {std::move(name), size, logarithm, [terms, p](const Points& h, const Points& a, std::size_t first) {
            return linear_fit(terms, p, h, a, first);
          }};
}

std::vector<Law> laws(const std::vector<ExpectedPowers>& expected) {
  std::vector<Law> all = {{"power", 3, false, power_fit}};
  for (const ExpectedPowers& e : expected) {
    const auto square = power(2 * e.p);
    all.push_back(linear_law("two powers", e.p, false, {power(e.q.value_or(2 * e.p))}));
    all.push_back(linear_law("power with logarithm", e.p, true, {}));
    all.push_back(linear_law("two powers with logarithm", e.p, true, {square}));
    if (e.q) all.push_back(linear_law("three powers", e.p, false, {power(*e.q), square}));
  }
  return all;
}

// How badly the law, fitted to the points before each of the last two, foretells them; infinity when it cannot be.
double surprise(const Law& law, const Points& h, const Points& a) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto n = a.size();
  const auto size = static_cast<std::size_t>(law.size);
  double worst = infinity;
  for (std::size_t last = n - 1; last + 2 >= n && last >= size; --last) {
    const Fit fit = law.fit(h, a, last - size);
    if (!fit.at) return infinity;
    const double miss = std::abs(fit.at(h[last]) - a[last]);
    worst = worst == infinity ? miss : std::max(worst, miss);
  }
  return worst;
}

bool is_monotone(const Points& a, double noise) {
  bool up = false, down = false;
  for (std::size_t k = 1; k < a.size(); ++k) {
    up = up || a[k] - a[k - 1] > noise;
    down = down || a[k - 1] - a[k] > noise;
  }
  return !(up && down);
}

// Four unknowns are for six points: with fewer every law of that size would have but one point to foretell.
bool allowed(const Law& law, std::size_t points) {
  const auto size = static_cast<std::size_t>(law.size);
  return points > size && (size < 4 || points >= size + 2);
}

}  // namespace

LimitEstimate extrapolate(const Points& h, const Points& a, double noise, const std::vector<ExpectedPowers>& expected) {
  LimitEstimate e;
  const auto n = a.size();
  e.limit = a.back();
  e.error = n > 1 ? std::max(std::abs(a[n - 1] - a[n - 2]), noise) : std::numeric_limits<double>::infinity();
  e.monotone = is_monotone(a, noise);
  e.law = n > 1 && e.error <= noise ? "settled" : "none";
  if (n < 3 || e.law == "settled") return e;
  if (n == 3) {
    const Fit fit = power_fit(h, a, 0);
    if (!fit.at) return e;
    return {fit.limit, std::max(std::abs(fit.limit - a.back()), noise), fit.order, false, e.monotone, "power"};
  }
  double least = std::max(std::abs(a[n - 1] - a[n - 2]), std::abs(a[n - 2] - a[n - 3]));  // of the law "settled"
  for (const Law& law : laws(expected)) {
    if (!allowed(law, n)) continue;
    const double miss = surprise(law, h, a);
    if (!(miss < least)) continue;
    const auto size = static_cast<std::size_t>(law.size);
    const Fit fit = law.fit(h, a, n - size), before = law.fit(h, a, n - size - 1);
    if (!fit.at || !before.at) continue;
    least = miss;
    e.limit = fit.limit;
    e.error = std::max(std::abs(fit.limit - before.limit), noise);
    e.order = fit.order;
    e.logarithm = law.logarithm;
    e.law = law.name;
  }
  return e;
}

std::vector<std::optional<double>> orders_of_differences(const Points& h, const Points& a, double noise) {
  std::vector<std::optional<double>> orders;
  for (std::size_t k = 2; k < a.size(); ++k) {
    const double d = a[k - 1] - a[k - 2], e = a[k] - a[k - 1];
    const bool known = std::min(std::abs(d), std::abs(e)) > noise && d * e > 0;
    orders.push_back(known ? std::optional(std::log(d / e) / std::log(h[k - 2] / h[k - 1])) : std::nullopt);
  }
  return orders;
}

std::vector<std::optional<double>> orders_of_errors(const Points& h, const Points& a, double exact, double noise) {
  std::vector<std::optional<double>> orders;
  for (std::size_t k = 1; k < a.size(); ++k) {
    const double d = std::abs(a[k - 1] - exact), e = std::abs(a[k] - exact);
    orders.push_back(std::min(d, e) > noise ? std::optional(std::log(d / e) / std::log(h[k - 1] / h[k]))
                                            : std::nullopt);
  }
  return orders;
}

}  // namespace painleve
