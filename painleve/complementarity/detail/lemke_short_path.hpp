// The path of Lemke's method for a few rows that the compiler knows, as long as nothing unusual happens on it.
//
// The pivots, their order and the rounding of each number are those of LemkePath. What is left out is what a short path
// hardly ever needs: a factorisation made anew, a path that starts again. Where it is needed after all the answer is
// `false`, and LemkePath walks from the start.
//
// Rows are compared two at a time, and which one leaves is a matter of masks: jumps would be mispredicted for every
// other row. One jump leads to the pivot on that row. A column of the tableau exists only while it enters: it is made
// from the original column, or from the η that its variable left behind, by the η that came later.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "painleve/complementarity/detail/lemke_column.hpp"
#include "painleve/complementarity/detail/lemke_path.hpp"
#include "painleve/complementarity/lemke.hpp"

namespace painleve {

template <int Size>
class ShortLemkePath {
 public:
  // Whether the path led to a solution.
  bool walk(const LinearComplementarity& problem, int most_pivots);
  LemkeReport report() const;

 private:
  using Tolerances = LemkeTolerances;
  using Pairs = LemkePairs;
  using Pair = LemkePairs::Pair;
  using Column = LemkeColumn<Size>;
  static constexpr int pairs = Column::pairs;
  static constexpr int most_etas = 24;  // fewer than make LemkePath look at the drift
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr LemkeUnits<Size> units{};
  using Numbers = std::array<int, 2 * Size>;  // by variable
  static constexpr Numbers nowhere = [] {
    Numbers rows{};
    rows.fill(Size);
    return rows;
  }();
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  static Pair inverse_roots(Pair sizes);
  bool sweep();
  void scale(const LinearComplementarity& problem);
  bool lift(Column& x);
  void apply_etas(Column& column, int from) const;
  void enter(int variable);
  unsigned blocking_rows(const Column& x) const;
  int leaving_row(const Column& x) const;
  int lexicographic_least(unsigned tied) const;
  template <int r>
  int pivot(Column& x, int entering);
  bool follow(Column& x, int most_pivots);
  Column left_over(const Column& x) const;
  bool refine(Column& x) const;
  Column z_of(const Column& x) const;
  static double residual(const LinearComplementarity& problem, const Column& z);

  // Calls with the row as a constant: the jump is foreseen by the processor, so that nothing waits for the row.
  template <class Call>
  EIGEN_ALWAYS_INLINE static void with_row(int row, const Call& call) {
    const auto one_of = [&]<int... r>(std::integer_sequence<int, r...>) __attribute__((always_inline)) {
      static_cast<void>(((row == r && (call(std::integral_constant<int, r>{}), true)) || ...));
    };
    one_of(std::make_integer_sequence<int, Size>{});
  }
  Column& A(int j) { return block_[at(Size + j)]; }
  Column& eta(int k) { return block_[at(2 * Size + k)]; }
  const Column& eta(int k) const { return block_[at(2 * Size + k)]; }

  std::array<Column, 2 * Size + most_etas> block_;  // I, −M scaled, and the η
  Column q_, columns_;                              // as in LemkePath
  Column t_;                                        // the column that enters
  std::array<int, most_etas> eta_row_;
  std::array<int, Size> basic_;
  Numbers row_;     // of a variable; one that is not basic: Size
  Numbers origin_;  // of a variable: its original column, or the η with which it left the basis last
  int etas_ = 0;
  int z0_row_ = 0;
  Column z_;
  double residual_ = 0;
};

// PowerOfTwo::inverse_root(): with the biased exponent e that of 2^−⌊(e − 1022)/2⌋ is 1534 − ⌊e/2⌋.
template <int Size>
EIGEN_ALWAYS_INLINE auto ShortLemkePath<Size>::inverse_roots(Pair sizes) -> Pair {
  const Pairs::Bits bits = (1534 - ((Pairs::Bits)sizes >> 53)) << 52;
  return sizes >= std::numeric_limits<double>::min() ? (Pair)bits : Pair{1, 1};
}

// As LemkePath::sweep().
template <int Size>
EIGEN_ALWAYS_INLINE bool ShortLemkePath<Size>::sweep() {
  Column rows, by_column;
  rows.fill([](int) { return Pair{}; });
#pragma GCC unroll 8
  for (int j = 0; j < pairs; ++j) {
    Pair even{}, odd{};
#pragma GCC unroll 8
    for (int p = 0; p < pairs; ++p) {
      const Pair a = Pairs::abs(A(2 * j).get(p));
      const Pair b = Pairs::abs(A(2 * j + 1).get(p));
      rows.put(p, Pairs::max(Pairs::max(rows.get(p), a), b));
      even = Pairs::max(even, a);
      odd = Pairs::max(odd, b);
    }
    by_column.put(j, Pairs::max(__builtin_shufflevector(even, odd, 0, 2), __builtin_shufflevector(even, odd, 1, 3)));
  }
  constexpr Pair lower = {0.0625, 0.0625}, upper = {16, 16};
  Pair far{};
#pragma GCC unroll 8
  for (int p = 0; p < pairs; ++p) {
    const Pair r = rows.get(p), c = by_column.get(p);
    const Pair small = Pairs::either(Pairs::both(Pairs::below(r, lower), Pairs::below(Pair{}, r)),
                                     Pairs::both(Pairs::below(c, lower), Pairs::below(Pair{}, c)));
    far = Pairs::either(far, Pairs::either(Pairs::below(upper, Pairs::max(r, c)), small));
  }
  if (Pairs::bits(far) == 0) return false;
  rows.fill([&](int p) { return inverse_roots(rows.get(p)); });
  by_column.fill([&](int p) { return inverse_roots(by_column.get(p)); });
  for (int j = 0; j < Size; ++j) A(j).fill([&](int p) { return by_column[j] * (A(j).get(p) * rows.get(p)); });
  columns_.fill([&](int p) { return columns_.get(p) * by_column.get(p); });
  q_.fill([&](int p) { return q_.get(p) * rows.get(p); });
  return true;
}

// As LemkePath::scale().
template <int Size>
EIGEN_ALWAYS_INLINE void ShortLemkePath<Size>::scale(const LinearComplementarity& problem) {
  const double* const M = problem.M.data();
#pragma GCC unroll 8
  for (int j = 0; j < Size; ++j) block_[at(j)] = units.unit[at(j)];
#pragma GCC unroll 8
  for (int j = 0; j < Size; ++j) A(j).fill([&](int p) { return -Pairs::load(M + Size * j + 2 * p); });
  q_.fill([](int) { return Pair{1, 1}; });
  columns_.fill([](int) { return Pair{1, 1}; });
  constexpr int sweeps = 3;
  for (int k = 0; k < sweeps && sweep(); ++k) {
  }
  q_.fill([&](int p) { return q_.get(p) * Pairs::load(problem.q.data() + 2 * p); });
  // PowerOfTwo::of(max(exponent, −1022)), in fewer operations
  const std::int64_t size = std::bit_cast<std::int64_t>(q_.largest(0)[0]);
  const double load = std::bit_cast<double>(std::max(size >> 52 << 52, std::int64_t{1} << 52));
  q_.fill([&](int p) { return q_.get(p) / load; });
  columns_.fill([&](int p) { return columns_.get(p) * load; });
}

// The first pivot: z0 enters with a column of −1 and lifts the row of the least value, the last of several.
template <int Size>
EIGEN_ALWAYS_INLINE bool ShortLemkePath<Size>::lift(Column& x) {
  const Pair reach = q_.least();
  const unsigned lowest = Column::rows([&](int p) { return Pairs::equal(q_.get(p), reach); });
  if (!(reach[0] < 0) || lowest == 0) return false;
  std::iota(basic_.begin(), basic_.end(), 0);
  std::iota(origin_.begin(), origin_.end(), 0);
  row_ = nowhere;
  eta(0).fill([](int) { return Pair{-1, -1}; });
  with_row(static_cast<int>(std::bit_width(lowest) - 1U), [&](auto r) {
    z0_row_ = r;
    basic_[at(r)] = 2 * Size;
    origin_[at(r)] = 2 * Size;
    eta_row_[0] = r;
    x.fill([&](int p) { return units.others(r, p, q_.get(p)) - reach; });
  });
  etas_ = 1;
  return true;
}

template <int Size>
EIGEN_ALWAYS_INLINE void ShortLemkePath<Size>::apply_etas(Column& column, int from) const {
  for (int k = from; k < etas_; ++k) {
    const int r = eta_row_[at(k)];
    const double c = column[r];
    column.fill([&](int p) { return units.others(r, p, column.get(p)) + c * eta(k).get(p); });
  }
}

// Makes t, the column of a variable that is not basic.
template <int Size>
EIGEN_ALWAYS_INLINE void ShortLemkePath<Size>::enter(int variable) {
  const int origin = origin_[at(variable)];
  const Column& column = block_[at(origin)];
  if (origin < 2 * Size) {  // the first η is −1
    const double c = column[z0_row_];
    t_.fill([&](int p) { return units.others(z0_row_, p, column.get(p)) - c; });
    apply_etas(t_, 1);
  } else {
    t_ = column;
    apply_etas(t_, origin - 2 * Size + 1);
  }
}

// As in LemkePath::leaving_row().
template <int Size>
EIGEN_ALWAYS_INLINE unsigned ShortLemkePath<Size>::blocking_rows(const Column& x) const {
  const Pair zero = Tolerances::smallest_pivot * t_.largest(1);
  Pair least = {infinity, infinity};
#pragma GCC unroll 8
  for (int p = 0; p < pairs; ++p) {
    const Pair ratio = Pairs::max(x.get(p), Pair{}) / t_.get(p);
    least = Pairs::min(Pairs::either(ratio, Pairs::up_to(t_.get(p), zero)), least);  // no number where t is no pivot
  }
  least = Pairs::min(least, Pairs::swapped(least));
  const Pair slack = Tolerances::tie * x.largest(1);
  return Column::rows([&](int p) {
    return Pairs::both(Pairs::below(zero, t_.get(p)), Pairs::up_to(x.get(p) - least * t_.get(p), slack));
  });
}

// The row that blocks first, −1 for none. z0 goes first if it may.
template <int Size>
EIGEN_ALWAYS_INLINE int ShortLemkePath<Size>::leaving_row(const Column& x) const {
  const unsigned rows = blocking_rows(x);
  if (rows == 0) return -1;
  if ((rows >> static_cast<unsigned>(z0_row_) & 1U) != 0 && t_[z0_row_] > Tolerances::smallest_last_pivot)
    return z0_row_;
  return (rows & (rows - 1)) == 0 ? std::countr_zero(rows) : lexicographic_least(rows);
}

template <int Size>
int ShortLemkePath<Size>::lexicographic_least(unsigned tied) const {
  for (int k = 0; k < Size && !std::has_single_bit(tied); ++k) {
    const auto basic = std::find(basic_.begin(), basic_.end(), k);
    if (basic != basic_.end()) {
      tied &= ~(1U << static_cast<unsigned>(basic - basic_.begin()));
      continue;
    }
    const int origin = origin_[at(k)];
    Column other = block_[at(origin)];
    apply_etas(other, origin - 2 * Size + 1);
    double least = infinity;
    double most = 1;
    for (int i = 0; i < Size; ++i) {
      if ((tied >> static_cast<unsigned>(i) & 1U) == 0) continue;
      least = std::min(least, other[i] / t_[i]);
      most = std::max(most, std::abs(other[i]));
    }
    const Pair slack = Pair{1, 1} * (Tolerances::lexicographic_tie * most);
    tied &= Column::rows([&](int p) { return Pairs::up_to(other.get(p) - least * t_.get(p), slack); });
  }
  int best = std::countr_zero(tied);
  for (int i = best + 1; i < Size; ++i)
    if ((tied >> static_cast<unsigned>(i) & 1U) != 0 && t_[i] > t_[best]) best = i;
  return best;
}

// Returns the variable that leaves.
template <int Size>
template <int r>
EIGEN_ALWAYS_INLINE int ShortLemkePath<Size>::pivot(Column& x, int entering) {
  const double factor = -(1 / t_[r]);
  const Pair reach = x.both(r);
  Column& change = eta(etas_);
#pragma GCC unroll 8
  for (int p = 0; p < pairs; ++p) {
    const Pair along = factor * Pairs::either(units.others(r, p, t_.get(p)), units.minus[at(r)].get(p));
    x.put(p, units.others(r, p, x.get(p)) + reach * along);
    change.put(p, along);
  }
  eta_row_[at(etas_++)] = r;
  row_[at(entering)] = r;
  return std::exchange(basic_[at(r)], entering);
}

// False when the path leads to a ray or is long.
template <int Size>
EIGEN_ALWAYS_INLINE bool ShortLemkePath<Size>::follow(Column& x, int most_pivots) {
  if (!lift(x)) return false;
  int leaving = z0_row_;
  while (etas_ < most_pivots) {
    const int entering = leaving < Size ? leaving + Size : leaving - Size;
    enter(entering);
    const int row = leaving_row(x);
    if (row < 0) return false;
    with_row(row, [&](auto r) { leaving = pivot<r>(x, entering); });
    if (row == z0_row_) return true;
    row_[at(leaving)] = Size;
    origin_[at(leaving)] = 2 * Size + etas_ - 1;
  }
  return false;
}

// q − B x
template <int Size>
EIGEN_ALWAYS_INLINE auto ShortLemkePath<Size>::left_over(const Column& x) const -> Column {
  Column left = q_;
#pragma GCC unroll 16
  for (int i = 0; i < Size; ++i) {
    const Column& column = block_[at(basic_[at(i)])];
    left.fill([&](int p) { return left.get(p) - x.both(i) * column.get(p); });
  }
  return left;
}

// As LemkePath::refine(). False when it does not settle without a new factorisation, or to a solution.
template <int Size>
EIGEN_ALWAYS_INLINE bool ShortLemkePath<Size>::refine(Column& x) const {
  constexpr double settled = 4 * std::numeric_limits<double>::epsilon();
  constexpr int rounds = 3;
  Column left = left_over(x);
  for (int k = 0; left.largest(0)[0] > settled * x.largest(1)[0]; ++k) {
    if (k == rounds) return false;
    apply_etas(left, 0);
    x.fill([&](int p) { return x.get(p) + left.get(p); });
    left = left_over(x);
  }
  return std::max(left.largest(0)[0], -x.least()[0]) / x.largest(1)[0] <= Tolerances::wanted;
}

// z, with what the path left of its rows.
template <int Size>
EIGEN_ALWAYS_INLINE auto ShortLemkePath<Size>::z_of(const Column& x) const -> Column {
  std::array<double, Size + 1> values;  // and 0 for those that are not basic
  std::memcpy(values.data(), x.entries.data(), sizeof x.entries);
  values[Size] = 0;
  Column z;
  z.fill([&](int p) {
    const Pair scaled = {values[at(row_[at(Size + 2 * p)])], values[at(row_[at(Size + 2 * p + 1)])]};
    return columns_.get(p) * Pairs::max(scaled, Pair{});
  });
  return z;
}

// complementarity_residual() in the same order of operations, or no number when one of the problem's is not finite.
template <int Size>
EIGEN_ALWAYS_INLINE double ShortLemkePath<Size>::residual(const LinearComplementarity& problem, const Column& z) {
  Column w;
  w.fill([&](int p) { return Pairs::load(problem.q.data() + 2 * p); });
  const Pair load = w.largest(0);
#pragma GCC unroll 16
  for (int j = 0; j < Size; ++j)
    w.fill([&](int p) { return w.get(p) + z.both(j) * Pairs::load(problem.M.data() + Size * j + 2 * p); });
  Column violations;
  violations.fill([&](int p) { return Pairs::min(z.get(p), w.get(p)); });
  const Pair size = Pairs::max(Pairs::max(load, z.largest(0)), w.largest(0));
  Pair sum = w.get(0);
#pragma GCC unroll 8
  for (int p = 1; p < pairs; ++p) sum += w.get(p);
  sum -= sum;
  return (violations.largest(0)[0] + (sum[0] + sum[1])) / (size[0] > 0 ? size[0] : 1);
}

template <int Size>
bool ShortLemkePath<Size>::walk(const LinearComplementarity& problem, int most_pivots) {
  scale(problem);
  Column x;
  if (!follow(x, std::min(most_pivots, most_etas)) || !refine(x)) return false;
  z_ = z_of(x);
  residual_ = residual(problem, z_);
  return residual_ <= Tolerances::accepted;
}

template <int Size>
LemkeReport ShortLemkePath<Size>::report() const {
  return {LemkeStatus::solution, etas_, Eigen::Map<const Eigen::Matrix<double, Size, 1>>(z_.entries.data()), residual_};
}

}  // namespace painleve
