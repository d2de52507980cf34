#include "painleve/simulation/dormand_prince.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "painleve/mechanism/jet.hpp"
#include "painleve/simulation/detail/dormand_prince_coefficients.hpp"
#include "painleve/simulation/detail/line_search.hpp"

namespace painleve {
namespace {

namespace table = dormand_prince_coefficients;

constexpr int kRefusals = 100;  // consecutive ones that end the integration

// The factor from one step size to the next: the estimated error is of order h^8.
double step_factor(double error) {
  // The error may grow 3.7-fold from one step to the next before it is refused.
  constexpr double margin = 0.85;
  constexpr double smallest = 1.0 / 3;
  constexpr double largest = 6;
  return std::clamp(margin * std::pow(error, -1.0 / 8), smallest, largest);
}

// Two numbers that are added and multiplied at once.
using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;
Pair pair(const double* from) {
  Pair p;
  std::memcpy(&p, from, sizeof p);
  return p;
}
void put(Pair p, double* to) { std::memcpy(to, &p, sizeof p); }

// The rows of coefficients of the method, one for each of the k_j.
template <std::size_t stage>
struct Stage {
  static constexpr std::size_t count = stage;
  static constexpr double at(std::size_t j) { return table::a[stage][j]; }
};
struct Error5 {
  static constexpr std::size_t count = table::error_5.size();
  static constexpr double at(std::size_t j) { return table::error_5[j]; }
};
struct Error3 {
  static constexpr std::size_t count = table::error_3.size();
  static constexpr double at(std::size_t j) { return table::error_3[j]; }
};
template <std::size_t row>
struct Dense {
  static constexpr std::size_t count = table::kRows;
  static constexpr double at(std::size_t j) { return table::dense[row][j]; }
};

struct Components {
  Eigen::Index begin, end;
};

// The components `range` of start + Σ_j (factor c_j) k_j, term by term; no start: zero. Which c_j are zero is known
// when this is compiled.
template <class Row>
class Combination {
 public:
  Combination(double factor, const std::array<Eigen::VectorXd, table::kRows>& k) {
    over_terms([&](auto j) {
      coefficients_[j] = factor * Row::at(j);
      k_[j] = k[j].data();
    });
  }
  void to(const double* start, const Components& range, Eigen::VectorXd& sum) const {
    Eigen::Index i = range.begin;
    for (; i + 8 <= range.end; i += 8) pairs<4>(start, i, sum.data());
    for (; i + 2 <= range.end; i += 2) pairs<1>(start, i, sum.data());
    if (i == range.end) return;
    double total = start != nullptr ? start[i] : 0.0;
    over_terms([&](auto j) { total += coefficients_[j] * k_[j][i]; });
    sum[i] = total;
  }

 private:
  template <class F>
  static void over_terms(const F& f) {
    detail::unrolled<Row::count>([&](auto j) {
      if constexpr (Row::at(j) != 0) f(j);
    });
  }
  // `count` pairs from component i on, in registers.
  template <std::size_t count>
  void pairs(const double* start, Eigen::Index i, double* sum) const {
    std::array<Pair, count> total{};
    if (start != nullptr) detail::unrolled<count>([&](auto m) { total[m] = pair(start + i + 2 * m); });
    over_terms([&](auto j) {
      detail::unrolled<count>([&](auto m) { total[m] += coefficients_[j] * pair(k_[j] + i + 2 * m); });
    });
    detail::unrolled<count>([&](auto m) { put(total[m], sum + i + 2 * m); });
  }

  std::array<double, Row::count> coefficients_;
  std::array<const double*, Row::count> k_;
};

// The polynomial of degree 5 through values of a function in a step, in the basis of Bernstein: between its ends it
// stays above the least of its coefficients, and where these change their sign once it has one zero.
//
// The values are those at the begin of the step and at its evaluations of f. From the sixth stage on these lie within
// h^6 of the motion, the fourth within h^4 / 5000: six of them make the polynomial, four others show how far it is off.
class Bernstein {
 public:
  static constexpr std::size_t count = 6;
  using Row = std::array<double, count>;

  explicit Bernstein(const double* values);

  double least_inside() const { return std::min(c_[1], least_later()) - safety * off_; }
  // The begin is zero to what integration left there, and a slope that is negative by so little is none.
  bool leaves_zero() const {
    const double later = least_later();
    return later > 0 && c_[5] > 0 && c_[0] >= -1e-6 * later && c_[0] <= 1e-3 * later && c_[1] >= -1e-3 * later &&
           safety * off_ <= 5e-3 * later;
  }
  bool falls_once() const;
  double at(double x) const;
  double slope(double x) const;

 private:
  // Where Π (x − x_j) is as large as at a check, its slope at the begin is 50 times as large.
  static constexpr double safety = 50;
  double least_later() const { return std::min(std::min(c_[2], c_[3]), c_[4]); }

  static constexpr std::array<std::size_t, count> nodes = {0, 3, 5, 9, 10, 12};
  static constexpr std::array<std::size_t, 4> checks = {6, 7, 8, 11};

  // (5 over k) x^k (1 − x)^(5 − k)
  static constexpr Row basis(double x) {
    Row at = {1, 5, 10, 10, 5, 1};
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t j = 0; j < k; ++j) at[k] *= x;
      for (std::size_t j = k + 1; j < count; ++j) at[k] *= 1 - x;
    }
    return at;
  }
  static constexpr std::array<Row, count> from_nodes();
  static constexpr std::array<Row, checks.size()> at_checks() {
    std::array<Row, checks.size()> rows{};
    for (std::size_t i = 0; i < checks.size(); ++i) rows[i] = basis(table::c[checks[i]]);
    return rows;
  }

  Row c_{};
  double off_ = 0;  // the largest distance from a value that it does not go through
};

// From the values at the nodes to the coefficients: the inverse of the basis at the nodes, by elimination.
constexpr std::array<Bernstein::Row, Bernstein::count> Bernstein::from_nodes() {
  std::array<Row, count> A{}, inverse{};
  for (std::size_t i = 0; i < count; ++i) {
    A[i] = basis(table::c[nodes[i]]);
    inverse[i][i] = 1;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const double pivot = 1 / A[i][i];
    for (std::size_t k = 0; k < count; ++k) {
      A[i][k] *= pivot;
      inverse[i][k] *= pivot;
    }
    for (std::size_t other = 0; other < count; ++other) {
      const double factor = other == i ? 0 : A[other][i];
      for (std::size_t k = 0; k < count; ++k) {
        A[other][k] -= factor * A[i][k];
        inverse[other][k] -= factor * inverse[i][k];
      }
    }
  }
  return inverse;
}

Bernstein::Bernstein(const double* values) {
  static constexpr std::array<Row, count> coefficients = from_nodes();
  static constexpr std::array<Row, checks.size()> check = at_checks();
  for (std::size_t i = 0; i < count; ++i) {
    const Row& row = coefficients[i];
    for (std::size_t k = 0; k < count; ++k) c_[i] += row[k] * values[nodes[k]];
  }
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const Row& row = check[i];
    double distance = -values[checks[i]];
    for (std::size_t k = 0; k < count; ++k) distance += row[k] * c_[k];
    off_ = std::max(off_, std::abs(distance));
  }
}

// The ends are known exactly, between them only what is clear of the error counts.
bool Bernstein::falls_once() const {
  const double error = safety * off_;
  if (!(c_.front() > 0 && c_.back() <= 0)) return false;
  const auto inner_end = c_.end() - 1;
  const auto first = std::find_if(c_.begin() + 1, inner_end, [&](double c) { return !(c > error); });
  return std::all_of(first, inner_end, [&](double c) { return c < -error; });
}

double Bernstein::at(double x) const {
  const double r = 1 - x;
  const double r_2 = r * r;
  const double low = (c_[0] * r_2 + 5 * c_[1] * r * x + 10 * c_[2] * x * x) * r_2 * r;
  return low + (10 * c_[3] * r_2 + 5 * c_[4] * r * x + c_[5] * x * x) * x * x * x;
}

double Bernstein::slope(double x) const {
  const double r = 1 - x;
  const double outer = (c_[1] - c_[0]) * r * r * r * r + (c_[5] - c_[4]) * x * x * x * x;
  const double inner = (c_[2] - c_[1]) * 4 * r * r * r * x + (c_[3] - c_[2]) * 6 * r * r * x * x;
  return 5 * (outer + inner + (c_[4] - c_[3]) * 4 * r * x * x * x);
}

// 0 x is 0 for finite x alone. Number by number, as they were just written: read in pairs they would have to wait.
bool finite(const Eigen::VectorXd& x) {
  double even = 0;
  double odd = 0;
  Eigen::Index i = 0;
  for (; i + 2 <= x.size(); i += 2) {
    even += 0 * x[i];
    odd += 0 * x[i + 1];
  }
  if (i < x.size()) even += 0 * x[i];
  return even + odd == 0;
}

}  // namespace

DormandPrince853::DormandPrince853(const OdeSystem& system, const OdeTolerance& tolerance, int active)
    : OdeIntegrator(system, tolerance),
      active_(active > 0 ? std::min<Eigen::Index>(active + active % 2, y_.size()) : y_.size()),
      y_new_(y_),
      error_5_(y_),
      error_3_(y_),
      point_(y_) {
  k_.fill(y_);
  dense_coefficients_.fill(y_);
}

void DormandPrince853::start(double t, const Eigen::VectorXd& y) {
  place(t, y);
  dense_ = 0;
  finite_start_ = slope(t_, y_, k_[kNew]);
  if (finite_start_ && !(h_next_ > 0)) {
    h_next_ = chosen_first_step(8, k_[kNew], point_, k_[1]);
  }
}

StepStatus DormandPrince853::step(double t_limit) {
  const double proposed = h_next_;
  double h = std::min(proposed, tolerance_.largest_step);
  bool refused = false;
  k_[0].swap(k_[kNew]);
  for (int refusals = 0; finite_start_ && refusals <= kRefusals && !below_resolution(h); ++refusals) {
    const double t_new = end_of_step(h, t_limit);
    const bool cut = t_new == t_limit && t_new - t_ < h;
    h = t_new - t_;
    double error_here = std::numeric_limits<double>::infinity();
    const bool accepted = try_step(t_new, error_here);
    const double factor = step_factor(error_here);
    if (accepted) {
      const double grown = refused ? std::min(factor, 1.0) * h : factor * h;
      h_next_ = cut && !refused ? std::max(grown, proposed) : grown;
      accept(t_new);
      return StepStatus::accepted;
    }
    ++work_.rejected;
    refused = true;
    h *= std::isfinite(error_here) ? factor : 0.25;
  }
  k_[0].swap(k_[kNew]);
  h_next_ = 0;
  place(t_, y_);
  dense_ = 0;
  return StepStatus::collapsed;
}

// Whether a step to t_new is good enough. The rates at its end are those of the next step: they are not made for a
// step that is refused.
bool DormandPrince853::try_step(double t_new, double& error_here) {
  const double h = t_new - t_;
  if (!stages(h)) return false;
  const double estimated = error(h);
  if (estimated <= 1 && !slope(t_new, y_new_, k_[kNew])) return false;
  error_here = estimated;
  return estimated <= 1;
}

// f(t, y), counted; false if it is not finite.
bool DormandPrince853::slope(double t, const Eigen::VectorXd& y, Eigen::VectorXd& k) const {
  ++work_.rates;
  system_.rates(t, y, k);
  return finite(k);
}

// One stage of the step of size h from (t, y), whose point remains in point_; false if it is not finite.
template <int stage>
bool DormandPrince853::stage_of(double h, double t, const Eigen::VectorXd& y) const {
  Combination<Stage<stage>>(h, k_).to(y.data(), {0, active_}, point_);
  return slope(t + table::c[stage] * h, point_, k_[stage]);
}

// The stages of a step of size h and its new point; false if one of them is not finite.
bool DormandPrince853::stages(double h) {
  const auto all = [&]<int... i>(std::integer_sequence<int, i...>) { return (stage_of<i + 1>(h, t_, y_) && ...); };
  if (!all(std::make_integer_sequence<int, kNew - 1>())) return false;
  Combination<Stage<kNew>>(h, k_).to(y_.data(), {0, y_.size()}, y_new_);
  return finite(y_new_);
}

double DormandPrince853::error(double h) {
  const int n = static_cast<int>(y_.size());
  Combination<Error5>(1, k_).to(nullptr, {0, n}, error_5_);
  Combination<Error3>(1, k_).to(nullptr, {0, n}, error_3_);
  double square_5 = 0;
  double square_3 = 0;
  for (int i = 0; i < n; ++i) {
    const double part = 1 / error_scale(i, y_[i], y_new_[i]);
    const double e_5 = error_5_[i] * part;
    const double e_3 = error_3_[i] * part;
    square_5 += e_5 * e_5;
    square_3 += e_3 * e_3;
  }
  const double mixed = square_5 + 0.01 * square_3;
  return mixed > 0 ? h * square_5 / std::sqrt(mixed * n) : mixed;  // `mixed` is 0 or not a number
}

void DormandPrince853::accept(double t_new) {
  ++work_.steps;
  y_begin_.swap(y_);
  y_.swap(y_new_);
  t_begin_ = t_;
  t_ = t_new;
  dense_ = 0;
}

double DormandPrince853::least_inside(const double* values) const {
  // What varies by little beside its values needs no polynomial.
  const auto [least, largest] = std::minmax_element(values, values + kNew + 1);
  if (*least > 2 * (*largest - *least)) return *least - (*largest - *least);
  return Bernstein(values).least_inside();
}

bool DormandPrince853::leaves_zero(const double* values) const { return Bernstein(values).leaves_zero(); }

std::optional<OdeIntegrator::Fall> DormandPrince853::only_fall(const double* values) const {
  const Bernstein p(values);
  if (!p.falls_once()) return std::nullopt;
  constexpr double resolution = 1e-8;  // finer than what the polynomial is off
  RootSearch search(0, p.at(0), 1, p.at(1), resolution);
  while (!search.done()) search.put(p.at(search.next()));
  return Fall{search.next(), p.slope(search.next())};
}

// The dense output of the first `count` components.
void DormandPrince853::prepare_dense(int count) const {
  const double h = t_ - t_begin_;
  if (dense_ == 0) {
    stage_of<kNew + 1>(h, t_begin_, y_begin_);
    stage_of<kNew + 2>(h, t_begin_, y_begin_);
    stage_of<kNew + 3>(h, t_begin_, y_begin_);
  }
  auto& coefficients = dense_coefficients_;
  for (Eigen::Index i = dense_; i < count; ++i) {
    const double difference = y_[i] - y_begin_[i];
    coefficients[0][i] = difference;
    coefficients[1][i] = h * k_[0][i] - difference;
    coefficients[2][i] = 2 * difference - h * (k_[0][i] + k_[kNew][i]);
  }
  detail::unrolled<table::dense.size()>([&](auto row) {
    Combination<Dense<row>>(h, k_).to(nullptr, {dense_, count}, coefficients[row + 3]);
  });
  dense_ = count;
}

void DormandPrince853::interpolate(double t, Eigen::VectorXd& y) const { interpolate_first(y_.size(), t, y); }

void DormandPrince853::interpolate_active(double t, Eigen::VectorXd& y) const { interpolate_first(active_, t, y); }

void DormandPrince853::interpolate_first(Eigen::Index count, double t, Eigen::VectorXd& y) const {
  if (!inside(t, y)) {
    return;
  }
  if (dense_ < count) prepare_dense(static_cast<int>(count));
  // y_begin + x (F_1 + (1 - x) (F_2 + x (F_3 + (1 - x) (F_4 + …)))), from the inside out.
  const double x = (t - t_begin_) / (t_ - t_begin_);
  const double rest = 1 - x;
  const auto at = [&](auto&& read) {
    auto value = read(dense_coefficients_[kDegree - 1]) * x;
    detail::unrolled<kDegree - 1>([&](auto k) {
      constexpr std::size_t power = kDegree - 2 - k;
      value += read(dense_coefficients_[power]);
      value *= power % 2 == 0 ? x : rest;
    });
    return value + read(y_begin_);
  };
  y.resize(y_.size());
  Eigen::Index i = 0;
  for (; i + 2 <= count; i += 2)
    put(at([i](const Eigen::VectorXd& from) { return pair(from.data() + i); }), y.data() + i);
  if (i < count) y[i] = at([i](const Eigen::VectorXd& from) { return from[i]; });
}

}  // namespace painleve
