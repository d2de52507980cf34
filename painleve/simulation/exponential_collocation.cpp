#include "painleve/simulation/exponential_collocation.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "painleve/base/error.hpp"
#include "painleve/simulation/detail/collocation_tables.hpp"

namespace painleve {
namespace {

using detail::collocation_tables;
using Eigen::VectorXd;

constexpr int kRefusals = 100;        // consecutive ones that end the integration
constexpr double kLeft = 0.03;        // what the iteration may leave, in parts of the error that a step may have
constexpr double kStrict = 200;       // `strict_`, where rounding leaves room for it
constexpr double kDefectShare = 0.3;  // from the defect at 1/10 or 9/10 to its mean over the step: 0.22 where smooth
constexpr double kWorkShare = 0.1;    // the rule is of degree 11, and the tenth difference is what one of 9 misses
constexpr double kTrust = 0.1;        // an error above this may be what the iteration has left: better go on with it
constexpr double kLeastError = 1e-4;  // below it the estimates of two steps do not tell how the next will be
constexpr double kSeriesUpTo =
    2.5;  // pace times a part of a fifth: the series of z itself is shorter than those of φ_k
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double step_factor(double error) {
  constexpr double margin = 0.9;
  constexpr double smallest = 0.2;
  constexpr double largest = 30;
  return std::clamp(margin * std::pow(error, -1.0 / 7), smallest, largest);
}

// An estimate cannot be smaller than the rounding of what it is made from. `length`: of the step, in units of the
// fastest motion; the functions φ_k of a long step come from those of a short one by doubling, which doubles their
// rounding.
double strictness(double relative, double length) {
  constexpr double rounding = 64 * kEpsilon;
  constexpr double per_length = kEpsilon / 16;
  return std::clamp(relative / std::max(rounding, per_length * length), 1.0, kStrict);
}

// Of z' = A z + r over a short step, with the derivatives of r per step/part.
struct Series {
  const double* A;  // row by row
  double step, part;
  double size;  // of A times step
  const double* derivatives;
  int count;  // of them, kMostFast numbers apart
};

// z to the end of the step, and its mean: by the Taylor series of z, with Size unknowns if that is not Dynamic.
template <int Size>
void sum_series(const Series& s, double* z, double* mean, int size = Size) {
  constexpr int most = Size == Eigen::Dynamic ? ExponentialCollocation::kMostFast : Size;
  constexpr double negligible = 1e-3 * kEpsilon;
  using Column = Eigen::Matrix<double, Size, 1, 0, most, 1>;
  using Square = Eigen::Matrix<double, Size, Size, 0, most, most>;
  const Square A = s.step * Eigen::Map<const Square>(s.A, size, size).transpose();
  Column term = Eigen::Map<const Column>(z, size);
  Column end = term;
  Column middle = term;
  double power = s.step;  // step^{m+1}/m!, in units of the derivatives
  double bound = 1;       // of |A|^m/m!
  for (int m = 0; m < s.count || bound > negligible; ++m) {
    const double share = 1.0 / (m + 1);
    Column next = A.lazyProduct(term);
    if (m < s.count) {
      next += power * Eigen::Map<const Column>(s.derivatives + m * ExponentialCollocation::kMostFast, size);
    }
    term = share * next;
    end += term;
    middle += 1.0 / (m + 2) * term;
    power *= s.part * share;
    bound *= s.size * share;
  }
  Eigen::Map<Column>(z, size) = end;
  Eigen::Map<Column>(mean, size) = middle;
}

// From the derivatives of a polynomial of degree 5 at one point to those at the next, a unit away; not its value.
inline void shift_derivatives(const double* from, double* to, int size) {
  constexpr int row = ExponentialCollocation::kMostFast;
  constexpr double sixth = 1.0 / 6;
  constexpr double twenty_fourth = 1.0 / 24;
  for (int i = 0; i < size; ++i) {
    const double second = from[2 * row + i];
    const double third = from[3 * row + i];
    const double fourth = from[4 * row + i];
    const double fifth = from[5 * row + i];
    to[row + i] = from[row + i] + (second + (0.5 * third + (sixth * fourth + twenty_fourth * fifth)));
    to[2 * row + i] = second + (third + (0.5 * fourth + sixth * fifth));
    to[3 * row + i] = third + (fourth + 0.5 * fifth);
    to[4 * row + i] = fourth + fifth;
    to[5 * row + i] = fifth;
  }
}

// Of the right side over a step, the rows that the packet begins with: of the six r_j, of L, and of y at the beginning.
template <int Rows>
class SlowRows {
 public:
  using Packet = Eigen::Array<double, Rows, 1>;

  SlowRows(const std::array<VectorXd, 6>& r, const Eigen::MatrixXd& L, const VectorXd& base, int row)
      : base_(base.data() + row), L_(L.data() + row), column_(L.rows()), fast_(static_cast<int>(L.cols())) {
    for (std::size_t j = 0; j < r.size(); ++j) r_[j] = Eigen::Map<const Packet>(r[j].data() + row);
    if (fast_ != 3) return;
    for (int j = 0; j < 3; ++j) columns_[static_cast<std::size_t>(j)] = Eigen::Map<const Packet>(L_ + j * column_);
  }

  // y := base + h Σ_j weights_j r_j + L ∫z
  void put(const std::array<double, 6>& w, double h, const double* integral, double* y) const {
    Packet change = h * (w[0] * r_[0] + w[1] * r_[1] + w[2] * r_[2] + w[3] * r_[3] + w[4] * r_[4] + w[5] * r_[5]);
    if (fast_ == 3) {
      change += integral[0] * columns_[0];
      change += integral[1] * columns_[1];
      change += integral[2] * columns_[2];
    } else {
      for (int j = 0; j < fast_; ++j) change += integral[j] * Eigen::Map<const Packet>(L_ + j * column_);
    }
    Eigen::Map<Packet> out(y);
    out = Eigen::Map<const Packet>(base_) + change;
  }

 private:
  std::array<Packet, 6> r_;
  std::array<Packet, 3> columns_;  // of L, where it has three
  const double* base_;
  const double* L_;
  Eigen::Index column_;
  int fast_;
};

// `put` with the rows begin … end − 1, two at a time.
template <class Put>
inline void for_row_pairs(int begin, int end, const Put& put) {
  int i = begin;
  for (; i + 1 < end; i += 2) put(i, std::integral_constant<int, 2>{});
  if (i < end) put(i, std::integral_constant<int, 1>{});
}

// r += sign L z over all rows: three columns at once where there are three.
inline void add_linear(double sign, const Eigen::MatrixXd& L, const double* z, VectorXd& r) {
  if (L.cols() == 3) {
    r = ((r + sign * z[0] * L.col(0)) + sign * z[1] * L.col(1)) + sign * z[2] * L.col(2);
    return;
  }
  for (Eigen::Index j = 0; j < L.cols(); ++j) r += sign * z[j] * L.col(j);
}

}  // namespace

ExponentialCollocation::ExponentialCollocation(const PartlyLinearSystem& system, const OdeTolerance& tolerance)
    : OdeIntegrator(system, tolerance),
      partly_(system),
      fast_(system.fast()),
      work_block_(system.work()),
      active_(system.active()) {
  if (fast_.count > kMostFast || work_block_.count > kMostWork) {
    throw InputError("exponential collocation takes at most 12 fast unknowns and 2 kinds of work");
  }
  typical_ = tolerance_.absolute / tolerance_.relative;
  for (VectorXd* vector : {&y_new_, &early_, &late_, &point_}) vector->setZero(y_.size());
  for (Linear* linear : {&now_, &next_, &last_}) {
    linear->rate.setZero(y_.size());
    linear->L.setZero(y_.size(), fast_.count);
    linear->A.resize(fast_.count);
  }
  r_.fill(y_);
  node_.fill(y_);
  trial_.fill(y_);
}

bool ExponentialCollocation::linearise(double t, const VectorXd& y, Linear& linear) const {
  ++work_.rates;
  ++work_.jacobians;
  partly_.linearise(t, y, typical_, linear.rate, linear.L);
  for (int j = 0; j < fast_.count; ++j) {
    linear.L.col(j) *= typical_(fast_.begin + j);
    for (int i = 0; i < fast_.count; ++i) {
      linear.A(i, j) = linear.L(fast_.begin + i, j) / typical_(fast_.begin + i);
    }
  }
  linear.pace = linear.A.pace();
  return linear.rate.allFinite() && linear.L.allFinite();
}

void ExponentialCollocation::start(double t, const VectorXd& y) {
  constexpr double same = 0.1;  // change of the pace that leaves the last good step size
  place(t, y);
  known_.fill({});
  error_before_ = 0;
  const double pace_before = now_.pace;
  finite_start_ = linearise(t_, y_, now_);
  if (!finite_start_) return;
  const double first = now_.pace > 0 ? 1 / now_.pace : chosen_first_step(7, now_.rate, point_, early_);
  const bool goes_on = work_.steps > 0 && std::abs(now_.pace - pace_before) <= same * now_.pace;
  h_next_ = goes_on ? std::max(first, h_next_) : first;
}

StepStatus ExponentialCollocation::step(double t_limit) {
  const double proposed = std::min(h_next_, tolerance_.largest_step);
  double h = proposed;
  bool refused = false;
  for (int refusals = 0; finite_start_ && refusals <= kRefusals && !below_resolution(h); ++refusals) {
    const double t_new = end_of_step(h, t_limit);
    h = t_new - t_;
    h_ = h;
    strict_ = strictness(tolerance_.relative, h * now_.pace);
    tenth_.compute(now_.A, now_.pace, h / kTenths);
    fifth_.compute_doubled(tenth_);
    bool agrees = iterate();
    double error = agrees ? estimate() : std::numeric_limits<double>::infinity();
    if (agrees && on_trust_ && error > kTrust) {
      known_.fill({});
      agrees = converge();
      error = agrees ? estimate() : std::numeric_limits<double>::infinity();
    }
    const double factor = std::min(step_factor(error), foreseen_factor(error));
    if (error <= 1 && linearise(t_new, y_new_, next_)) {
      h_before_ = h;
      error_before_ = std::max(error, kLeastError);
      h_next_ = refused ? std::min(factor, 1.0) * h : std::max(factor * h, h < 0.99 * proposed ? proposed : 0.0);
      ++work_.steps;
      y_begin_.swap(y_);
      y_.swap(y_new_);
      t_begin_ = std::exchange(t_, t_new);
      std::swap(last_, now_);
      std::swap(now_, next_);
      return StepStatus::accepted;
    }
    ++work_.rejected;
    refused = true;
    h *= std::isfinite(error) && error > 1 ? factor : 0.25;
  }
  h_next_ = 0;
  place(t_, y_);
  return StepStatus::collapsed;
}

// Where errors grow from step to step they will go on to do so (Gustafsson, ACM Trans. Math. Softw. 20, 1994).
double ExponentialCollocation::foreseen_factor(double error) const {
  if (!(error_before_ > 0) || !(error > error_before_ && error <= 1)) return std::numeric_limits<double>::infinity();
  return h_ / h_before_ * step_factor(error * error / error_before_);
}

// r = f − L z at (t, y).
bool ExponentialCollocation::rest(double t, const VectorXd& y, VectorXd& r) {
  if (!rates(t, y, r)) return false;
  Fast z;
  for (int j = 0; j < fast_.count; ++j) z[at(j)] = y(fast_.begin + j) / typical_(fast_.begin + j);
  add_linear(-1, now_.L, z.data(), r);
  return true;
}

// What a sweep leaves, in parts of its change: as the same sweep of an earlier step did, or by how much it is smaller
// than the one before, because each sweep converges faster than the one before.
double ExponentialCollocation::left(int sweep, double measured) const {
  const Convergence& known = known_[at(sweep)];
  const double longer = std::max(1.0, h_ / known.h);
  constexpr double margin = 5;
  return known.h > 0 ? std::min(measured, margin * known.rate * longer * longer) : measured;
}

// The values of r and y at the six points agree with each other; false: they do not get there.
bool ExponentialCollocation::iterate() {
  r_[0] = now_.rate;
  for (int j = 0; j < fast_.count; ++j) {
    z_[0][at(j)] = y_(fast_.begin + j) / typical_(fast_.begin + j);
    integral_[0][at(j)] = 0;
  }
  add_linear(-1, now_.L, z_[0].data(), r_[0]);
  for (std::size_t j = 1; j < kNodes; ++j) r_[j] = r_[0];
  sweep(1);
  update_nodes();
  sweeps_ = 0;
  return converge();
}

// Goes on to sweep until nothing is left.
bool ExponentialCollocation::converge() {
  double measured = 1;
  while (sweeps_ < kSweeps) {
    const double before = std::max(change_, std::numeric_limits<double>::min());
    if (!evaluate_nodes()) return false;
    sweep(kNodes);
    change_ = strict_ * update_nodes();
    if (!std::isfinite(change_)) return false;
    if (sweeps_ > 0) {
      const double rate = change_ / before;
      // Only rounding keeps it moving, of rates that are h times the pace larger than what they leave: within the
      // tolerance that is for the defect to judge.
      if (!(rate < 0.9)) return change_ <= strict_;
      known_[at(sweeps_ - 1)] = {rate, h_};
      measured = rate / (1 - rate);
    }
    const double leaves = left(sweeps_++, measured) * change_;
    on_trust_ = measured * change_ > kLeft;
    if (leaves <= kLeft) return true;
  }
  return false;
}

bool ExponentialCollocation::evaluate_nodes() {
  for (int j = 1; j < kNodes; ++j) {
    if (!rest(t_ + h_ * j / (kNodes - 1), node_[at(j)], r_[at(j)])) return false;
  }
  return true;
}

// z and ∫z at the six points, for the r there, of which so many derivatives are not 0.
void ExponentialCollocation::sweep(int derivatives) {
  for (std::size_t j = 0; j < kNodes; ++j) {
    for (int i = 0; i < fast_.count; ++i) r_fast_[j][at(i)] = r_[j](fast_.begin + i) / typical_(fast_.begin + i);
  }
  if (derivatives > 1) find_taylor();
  for (int fifth = 0; fifth + 1 < kNodes; ++fifth) {
    taylor_[at(fifth)][0] = r_fast_[at(fifth)];
    advance(fifth_, 1, fifth, derivatives, 2 * fifth + 2);
  }
}

// The derivatives of r at the beginnings of the fifths, without its values.
void ExponentialCollocation::find_taylor() {
  auto& first = taylor_[0];
  const auto& table = collocation_tables().taylor[0];
  for (std::size_t k = 1; k < kNodes; ++k) {
    const Weights& w = table[k];
    for (std::size_t i = 0; i < at(fast_.count); ++i) {
      first[k][i] = w[0] * r_fast_[0][i] + w[1] * r_fast_[1][i] + w[2] * r_fast_[2][i] + w[3] * r_fast_[3][i] +
                    w[4] * r_fast_[4][i] + w[5] * r_fast_[5][i];
    }
  }
  for (std::size_t fifth = 0; fifth + 1 < taylor_.size(); ++fifth) {
    shift_derivatives(taylor_[fifth][0].data(), taylor_[fifth + 1][0].data(), fast_.count);
  }
}

// z and ∫z at a tenth of the step, from the beginning of a fifth by `part` of its length; phi belongs to that part.
void ExponentialCollocation::advance(const detail::PhiFunctions& phi, double part, int fifth, int derivatives,
                                     int tenth) {
  advance(phi, part, fifth, derivatives, z_[at(tenth)], integral_[at(tenth)]);
}

void ExponentialCollocation::advance(const detail::PhiFunctions& phi, double part, int fifth, int derivatives, Fast& z,
                                     Fast& integral) const {
  const double step = part * h_ / (kNodes - 1);
  const Fast& integral_before = integral_[at(2 * fifth)];
  Fast mean;
  phi.advance({step, part, taylor_[at(fifth)][0].data(), derivatives}, z_[at(2 * fifth)].data(), z.data(), mean.data());
  for (std::size_t i = 0; i < at(fast_.count); ++i) integral[i] = integral_before[i] + step * mean[i];
}

// The same for a short part of the last step, to either side of a node: z' = A z + r, differentiated again and again.
void ExponentialCollocation::advance_by_series(double part, int node, Fast& z, Fast& integral) const {
  const double step = part * h_ / (kNodes - 1);
  std::copy_n(z_[at(2 * node)].begin(), fast_.count, z.begin());
  const Series series{last_.A.data(), step, part, last_.pace * std::abs(step), taylor_[at(node)][0].data(), kNodes};
  Fast mean;
  if (fast_.count == 3) {
    sum_series<3>(series, z.data(), mean.data());
  } else {
    sum_series<Eigen::Dynamic>(series, z.data(), mean.data(), fast_.count);
  }
  for (std::size_t i = 0; i < at(fast_.count); ++i) integral[i] = integral_[at(2 * node)][i] + step * mean[i];
}

void ExponentialCollocation::find_odd_tenths() {
  for (int fifth = 0; fifth + 1 < kNodes; ++fifth) advance(tenth_, 0.5, fifth, kNodes, 2 * fifth + 1);
}

// Rows begin … end − 1 of y at some part of a step from `base`: not those of z.
void ExponentialCollocation::slow_rows(int begin, int end, const VectorXd& base, const Linear& linear,
                                       const Weights& weights, const Fast& integral, VectorXd& y) const {
  for_row_pairs(begin, end, [&](int i, auto rows) {
    SlowRows<rows()>(r_, linear.L, base, i).put(weights, h_, integral.data(), y.data() + i);
  });
}

// The same for all six points of this step but the first, in trial_.
void ExponentialCollocation::slow_rows_of_nodes(int begin, int end) {
  const auto& tables = collocation_tables().integral;
  for_row_pairs(begin, end, [&](int i, auto rows) {
    const SlowRows<rows()> here(r_, now_.L, y_, i);
    for (std::size_t j = 1; j < kNodes; ++j) {
      here.put(tables[2 * j], h_, integral_[2 * j].data(), trial_[j].data() + i);
    }
  });
}

void ExponentialCollocation::put_fast(const Fast& z, VectorXd& y) const {
  for (int j = 0; j < fast_.count; ++j) y(fast_.begin + j) = z[at(j)] * typical_(fast_.begin + j);
}

// What the rates depend on, at a tenth of this step.
void ExponentialCollocation::put_together(int tenth, VectorXd& y) const {
  const Weights& weights = collocation_tables().integral[at(tenth)];
  slow_rows(0, fast_.begin, y_, now_, weights, integral_[at(tenth)], y);
  slow_rows(fast_.begin + fast_.count, active_, y_, now_, weights, integral_[at(tenth)], y);
  put_fast(z_[at(tenth)], y);
  y.segment(work_block_.begin, work_block_.count) = y_.segment(work_block_.begin, work_block_.count);
}

// What no rate depends on, without the work.
void ExponentialCollocation::put_ledger(const VectorXd& base, const Linear& linear, const Weights& weights,
                                        const Fast& integral, VectorXd& y) const {
  slow_rows(active_, static_cast<int>(y_.size()), base, linear, weights, integral, y);
  y.segment(work_block_.begin, work_block_.count) = base.segment(work_block_.begin, work_block_.count);
}

// y at the six points; the largest change there in units of the tolerance.
double ExponentialCollocation::update_nodes() {
  double largest = 0;
  slow_rows_of_nodes(0, fast_.begin);
  slow_rows_of_nodes(fast_.begin + fast_.count, active_);
  for (std::size_t j = 1; j < kNodes; ++j) {
    put_fast(z_[2 * j], trial_[j]);
    const double* point = trial_[j].data();
    const double* node = node_[j].data();
    double sum = 0;
    for (int i = 0; i < active_; ++i) {
      const double change = (point[i] - node[i]) / error_scale(i, y_(i), point[i]);
      sum += change * change;
    }
    node_[j].swap(trial_[j]);
    if (!(sum <= largest)) largest = sum;
  }
  return std::sqrt(largest / static_cast<double>(y_.size()));
}

double ExponentialCollocation::estimate() {
  y_new_ = node_[kNodes - 1];
  put_ledger(y_, now_, collocation_tables().integral[kTenths], integral_[kTenths], y_new_);
  find_odd_tenths();
  find_work();
  add_work(collocation_tables().work[kTenths], y_new_);
  if (!y_new_.allFinite()) return std::numeric_limits<double>::infinity();
  if (!find_defect(1, early_) || !find_defect(kTenths - 1, late_)) return std::numeric_limits<double>::infinity();
  return std::max(strict_ * defect(), work_error());
}

// The defect of r at a tenth.
bool ExponentialCollocation::find_defect(int tenth, VectorXd& r) {
  put_together(tenth, point_);
  if (!rest(t_ + h_ * tenth / kTenths, point_, r)) return false;
  const Weights& value = collocation_tables().value[at(tenth)];
  r -= value[0] * r_[0] + value[1] * r_[1] + value[2] * r_[2] + value[3] * r_[3] + value[4] * r_[4] + value[5] * r_[5];
  return true;
}

// The larger of the two defects, as if it were constant over the step, carried to the end of the step.
double ExponentialCollocation::defect() {
  detail::PhiFunctions::TwoColumns d, end, integral;
  for (int i = 0; i < fast_.count; ++i) {
    const double unit = typical_(fast_.begin + i);
    d.at(i) = {early_(fast_.begin + i) / unit, late_(fast_.begin + i) / unit};
  }
  fifth_.carry(h_ / (kNodes - 1), kNodes - 1, d, end, integral);
  double largest = 0;
  for (int side = 0; side < 2; ++side) {
    VectorXd& error = side == 0 ? early_ : late_;
    Fast z, z_integral;
    for (int i = 0; i < fast_.count; ++i) {
      z[at(i)] = end.at(i)(side);
      z_integral[at(i)] = integral.at(i)(side);
    }
    error *= h_;
    add_linear(1, now_.L, z_integral.data(), error);
    put_fast(z, error);
    error.segment(work_block_.begin, work_block_.count).setZero();
    const double size = error_size(error);
    if (!(size <= largest)) largest = size;
  }
  return kDefectShare * largest;
}

// In units of the tolerance.
double ExponentialCollocation::error_size(const VectorXd& error) const {
  double sum = 0;
  for (int i = 0; i < error.size(); ++i) {
    const double part = error(i) / error_scale(i, y_(i), y_new_(i));
    sum += part * part;
  }
  return std::sqrt(sum / static_cast<double>(y_.size()));
}

void ExponentialCollocation::find_work() {
  if (work_block_.count == 0) return;
  point_ = y_;
  for (int p = 0; p <= kTenths; ++p) {
    put_fast(z_[at(p)], point_);
    partly_.work_rates(point_, power_[at(p)].data());
  }
}

double ExponentialCollocation::work_error() const {
  double sum = 0;
  for (int i = 0; i < work_block_.count; ++i) {
    double missed = 0;
    const auto& difference = collocation_tables().tenth_difference;
    for (int p = 0; p <= kTenths; ++p) missed += difference[at(p)] * power_[at(p)][at(i)];
    const int row = work_block_.begin + i;
    const double part = h_ * missed / error_scale(row, y_(row), y_new_(row));
    sum += part * part;
  }
  return kWorkShare * std::sqrt(sum / static_cast<double>(y_.size()));
}

// Adds the work of the step: the polynomial through the eleven points, integrated up to some part of it.
void ExponentialCollocation::add_work(const std::array<double, kTenths + 1>& weights, VectorXd& y) const {
  for (int i = 0; i < work_block_.count; ++i) {
    double sum = 0;
    for (int p = 0; p <= kTenths; ++p) sum += weights[at(p)] * power_[at(p)][at(i)];
    y(work_block_.begin + i) += h_ * sum;
  }
}

bool ExponentialCollocation::layered() const {
  constexpr double fast = 5;  // within a step
  return h_ * last_.pace > fast;
}

ExponentialCollocation::Place ExponentialCollocation::place_of(double t) const {
  constexpr int fifths = kNodes - 1;
  const double x = (t - t_begin_) / h_;
  // A time that is a fifth up to its own rounding is that fifth.
  const double rounding = 8 * kEpsilon * (1 + std::abs(t) / h_);
  const int nearest = static_cast<int>(std::lround(fifths * x));
  if (std::abs(fifths * x - nearest) <= fifths * rounding) return {x, 0, nearest};
  const int fifth = std::min(static_cast<int>(fifths * x), fifths - 1);
  return {x, fifths * x - fifth, fifth};
}

// What the rates depend on, and ∫z.
void ExponentialCollocation::active_at(const Place& place, Fast& integral, VectorXd& y) const {
  y.resize(y_.size());
  if (place.part == 0) {
    std::copy_n(integral_[at(2 * place.node)].begin(), fast_.count, integral.begin());
    y.head(active_) = (place.node == 0 ? y_begin_ : node_[at(place.node)]).head(active_);
    return;
  }
  Fast z;
  const double step = h_ / (kNodes - 1);
  const bool nearer_next = place.part > 0.5 && place.node + 1 < static_cast<int>(taylor_.size());
  const int node = nearer_next ? place.node + 1 : place.node;
  const double part = nearer_next ? place.part - 1 : place.part;
  if (last_.pace * std::abs(part * step) <= kSeriesUpTo) {
    advance_by_series(part, node, z, integral);
  } else {
    part_.compute(last_.A, last_.pace, place.part * step);
    advance(part_, place.part, place.node, kNodes, z, integral);
  }
  const Weights weights = collocation_tables().integral_to(place.x);
  slow_rows(0, fast_.begin, y_begin_, last_, weights, integral, y);
  slow_rows(fast_.begin + fast_.count, active_, y_begin_, last_, weights, integral, y);
  put_fast(z, y);
}

void ExponentialCollocation::interpolate_active(double t, VectorXd& y) const {
  if (!inside(t, y)) return;
  Fast integral;
  active_at(place_of(t), integral, y);
}

void ExponentialCollocation::interpolate(double t, VectorXd& y) const {
  if (!inside(t, y)) return;
  Fast integral;
  const Place place = place_of(t);
  active_at(place, integral, y);
  if (place.part == 0) {
    const std::size_t tenth = at(2 * place.node);
    put_ledger(y_begin_, last_, collocation_tables().integral[tenth], integral, y);
    add_work(collocation_tables().work[tenth], y);
  } else {
    put_ledger(y_begin_, last_, collocation_tables().integral_to(place.x), integral, y);
    add_work(collocation_tables().work_to(place.x), y);
  }
}

}  // namespace painleve
