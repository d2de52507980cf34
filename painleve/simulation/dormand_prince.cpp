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
  const double eighth_root = std::sqrt(std::sqrt(std::sqrt(error)));
  return std::clamp(margin / eighth_root, smallest, largest);
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

// Two components of a vector; and the last one alone where their number is odd, beside which stands 0.
struct WholePair {
  static Pair read(const double* from) { return pair(from); }
  static void write(Pair p, double* to) { put(p, to); }
  static Pair read_scale(const double* from) { return pair(from); }
};
struct HalfPair {
  static Pair read(const double* from) { return Pair{from[0], 0}; }
  static void write(Pair p, double* to) { to[0] = p[0]; }
  static Pair read_scale(const double* from) { return Pair{from[0], 1}; }  // something to divide by
};

// use(i, how) for the pairs of the components begin ≤ i < end; `how` reads and writes numbers of them.
template <class Use>
[[gnu::always_inline]] inline void over_pairs(Eigen::Index begin, Eigen::Index end, const Use& use) {
  Eigen::Index i = begin;
  for (; i + 1 < end; i += 2) use(i, WholePair());
  if (i < end) use(i, HalfPair());
}

Pair magnitude(Pair p) { return p < 0 ? -p : p; }
Pair larger(Pair p, Pair q) { return p < q ? q : p; }

// Σ_j c_j k_j of one pair of components, whose k_j lie one behind the other. Which c_j are zero is known when this is
// compiled.
template <class Row>
Pair combined(const double* k) {
  static_assert(Row::at(0) != 0);
  Pair sum = Row::at(0) * pair(k);
  detail::unrolled<Row::count>([&](auto j) {
    constexpr double c = Row::at(j);
    if constexpr (j > 0 && c != 0) {
      sum += c * pair(k + 2 * j);
    }
  });
  return sum;
}

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
  double off() const { return off_; }
  std::optional<double> peak(double before) const;

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

// It is nowhere higher than the largest coefficient, but may be off a little.
std::optional<double> Bernstein::peak(double before) const {
  const double inside = std::max(std::max(c_[1], c_[2]), std::max(c_[3], c_[4]));
  if (!(inside + safety * off_ > std::max(before, std::max(c_.front(), c_.back())))) return std::nullopt;
  constexpr int trials = 8;
  double x = 1.0 / trials;
  for (int k = 2; k < trials; ++k)
    if (at(static_cast<double>(k) / trials) > at(x)) x = static_cast<double>(k) / trials;
  const double left = x - 1.0 / trials, right = x + 1.0 / trials;
  const double rise = slope(left), fall = slope(right);
  if (!(rise > 0 && fall < 0)) return at(left) > at(right) ? left : right;
  constexpr double resolution = 1e-6;  // finer than what the polynomial is off
  RootSearch search(left, rise, right, fall, resolution);
  while (!search.done()) search.put(slope(search.next()));
  return search.next();
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

// 0 x is 0 for finite x alone.
bool finite(const Eigen::VectorXd& x) {
  Pair sum{};
  over_pairs(0, x.size(), [&, from = x.data()](Eigen::Index i, auto how) { sum += 0 * how.read(from + i); });
  return sum[0] + sum[1] == 0;
}

}  // namespace

DormandPrince853::DormandPrince853(const OdeSystem& system, const OdeTolerance& tolerance, int active)
    : OdeIntegrator(system, tolerance),
      active_(active > 0 ? std::min<Eigen::Index>(active + active % 2, y_.size()) : y_.size()),
      y_new_(y_),
      point_(y_),
      rate_(y_),
      pairs_((y_.size() + 1) / 2 * kPairSize) {}

void DormandPrince853::start(double t, const Eigen::VectorXd& y) {
  place(t, y);
  dense_ = 0;
  finite_start_ = slope(t_, y_, kNew);
  if (finite_start_ && !(h_next_ > 0)) {
    y_new_ = rate_;
    h_next_ = chosen_first_step(8, y_new_, point_, rate_);
  }
}

StepStatus DormandPrince853::step(double t_limit) {
  const double proposed = h_next_;
  double h = std::min(proposed, tolerance_.largest_step);
  bool refused = false;
  copy_slope(kNew, 0);
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
  copy_slope(0, kNew);
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
  if (estimated <= 1 && !slope(t_new, y_new_, kNew)) return false;
  error_here = estimated;
  return estimated <= 1;
}

// k of this row is f(t, y), counted; false if it is not finite.
bool DormandPrince853::slope(double t, const Eigen::VectorXd& y, int row) const {
  ++work_.rates;
  system_.rates(t, y, rate_);
  Pair sum{};
  double* to = pairs_.data() + 2 * row;
  const double* const from = rate_.data();
  const Eigen::Index n = rate_.size();
  for (Eigen::Index i = 0; i < n; i += 2, to += kPairSize) {
    // Number by number, as they were just written: read in pairs they would have to wait.
    const double first = from[i];
    const double second = i + 1 < n ? from[i + 1] : 0;
    const Pair k{first, second};
    put(k, to);
    sum += 0 * k;  // 0 x is 0 for finite x alone
  }
  return sum[0] + sum[1] == 0;
}

void DormandPrince853::copy_slope(int from, int to) {
  double* const end = pairs_.data() + pairs_.size();
  for (double* k = pairs_.data(); k != end; k += kPairSize) put(pair(k + 2 * from), k + 2 * to);
}

// The first `count` components of y + h Σ_j c_j k_j.
template <class Row>
void DormandPrince853::combine(double h, const Eigen::VectorXd& y, Eigen::Index count, Eigen::VectorXd& sum) const {
  const double* k = pairs_.data();
  over_pairs(0, count, [&, from = y.data(), to = sum.data()](Eigen::Index i, auto how) {
    how.write(how.read(from + i) + h * combined<Row>(k), to + i);
    k += kPairSize;
  });
}

// One stage of the step of size h from (t, y), whose point remains in point_; false if it is not finite.
template <int stage>
bool DormandPrince853::stage_of(double h, double t, const Eigen::VectorXd& y) const {
  combine<Stage<stage>>(h, y, active_, point_);
  return slope(t + table::c[stage] * h, point_, stage);
}

// The stages of a step of size h and its new point; false if one of them is not finite.
bool DormandPrince853::stages(double h) {
  const auto all = [&]<int... i>(std::integer_sequence<int, i...>) { return (stage_of<i + 1>(h, t_, y_) && ...); };
  if (!all(std::make_integer_sequence<int, kNew - 1>())) return false;
  combine<Stage<kNew>>(h, y_, y_.size(), y_new_);
  return finite(y_new_);
}

double DormandPrince853::error(double h) const {
  const Eigen::Index n = y_.size();
  Pair square_5{};
  Pair square_3{};
  const double* k = pairs_.data();
  const double *y = y_.data(), *y_new = y_new_.data(), *absolute = tolerance_.absolute.data();
  over_pairs(0, n, [&](Eigen::Index i, auto how) {
    const Pair size = larger(magnitude(how.read(y + i)), magnitude(how.read(y_new + i)));
    const Pair scale = how.read_scale(absolute + i) + tolerance_.relative * size;
    const Pair e_5 = combined<Error5>(k) / scale;
    const Pair e_3 = combined<Error3>(k) / scale;
    k += kPairSize;
    square_5 += e_5 * e_5;
    square_3 += e_3 * e_3;
  });
  const double sum_5 = square_5[0] + square_5[1];
  const double mixed = sum_5 + 0.01 * (square_3[0] + square_3[1]);
  return mixed > 0 ? h * sum_5 / std::sqrt(mixed * static_cast<double>(n)) : mixed;  // `mixed` is 0 or not a number
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

bool DormandPrince853::smooth(const double* values) const {
  const auto [least, largest] = std::minmax_element(values, values + kNew + 1);
  constexpr double part = 1e-3;
  return Bernstein(values).off() <= part * (*largest - *least);
}

std::optional<double> DormandPrince853::peak(const double* values, double before) const {
  // A parabola whose top is inside is higher at the inner evaluations than at the ends, or lower by 2 % of what it
  // varies.
  constexpr double part = 0.03;
  const auto [least, largest] = std::minmax_element(values + 1, values + kNew - 1);
  const double ends = std::max(values[0], values[kNew]);
  const double range = std::max(*largest, ends) - std::min(*least, std::min(values[0], values[kNew]));
  if (!(*largest + part * range >= std::max(before, ends))) return std::nullopt;
  return Bernstein(values).peak(before);
}

std::optional<OdeIntegrator::Fall> DormandPrince853::only_fall(const double* values) const {
  const Bernstein p(values);
  if (!p.falls_once()) return std::nullopt;
  constexpr double resolution = 1e-8;  // finer than what the polynomial is off
  RootSearch search(0, p.at(0), 1, p.at(1), resolution);
  while (!search.done()) search.put(p.at(search.next()));
  return Fall{search.next(), p.slope(search.next())};
}

// The dense output of the first `count` components.
void DormandPrince853::prepare_dense(Eigen::Index count) const {
  const double h = t_ - t_begin_;
  if (dense_ == 0) {
    stage_of<kNew + 1>(h, t_begin_, y_begin_);
    stage_of<kNew + 2>(h, t_begin_, y_begin_);
    stage_of<kNew + 3>(h, t_begin_, y_begin_);
  }
  over_pairs(dense_, count, [&, begin = y_begin_.data(), end = y_.data()](Eigen::Index i, auto how) {
    double* const k = pairs_.data() + i / 2 * kPairSize;
    double* const F = k + kDense;
    const Pair difference = how.read(end + i) - how.read(begin + i);
    put(difference, F);
    put(h * pair(k) - difference, F + 2);
    put(2 * difference - h * (pair(k) + pair(k + 2 * kNew)), F + 4);
    detail::unrolled<table::dense.size()>([&](auto row) { put(h * combined<Dense<row>>(k), F + 6 + 2 * row); });
  });
  dense_ = count;
}

void DormandPrince853::interpolate(double t, Eigen::VectorXd& y) const { interpolate_first(y_.size(), t, y); }

void DormandPrince853::interpolate_active(double t, Eigen::VectorXd& y) const { interpolate_first(active_, t, y); }

void DormandPrince853::interpolate_first(Eigen::Index count, double t, Eigen::VectorXd& y) const {
  if (!inside(t, y)) {
    return;
  }
  if (dense_ < count) prepare_dense(count);
  // y_begin + x (F_1 + (1 - x) (F_2 + x (F_3 + (1 - x) (F_4 + …)))), from the inside out.
  const double x = (t - t_begin_) / (t_ - t_begin_);
  const double rest = 1 - x;
  y.resize(y_.size());
  const double* F = pairs_.data() + kDense;
  over_pairs(0, count, [&, begin = y_begin_.data(), to = y.data()](Eigen::Index i, auto how) {
    Pair value = pair(F + 2 * (kDegree - 1)) * x;
    detail::unrolled<kDegree - 1>([&](auto k) {
      constexpr std::size_t power = kDegree - 2 - k;
      value += pair(F + 2 * power);
      value *= power % 2 == 0 ? x : rest;
    });
    how.write(value + how.read(begin + i), to + i);
    F += kPairSize;
  });
}

}  // namespace painleve
