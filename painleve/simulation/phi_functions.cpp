#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "painleve/simulation/detail/phi_functions.hpp"

namespace painleve::detail {
namespace {

constexpr int kTerms = 20;         // of the series, a multiple of 4: |X|^20 7!/27! < 1e-18
constexpr double kSeriesUpTo = 2;  // |X|

constexpr std::array<double, 28> inverse_factorials() {
  std::array<double, 28> list{};
  double factorial = 1;
  for (std::size_t k = 0; k < list.size(); ++k) {
    factorial *= k == 0 ? 1.0 : static_cast<double>(k);
    list[k] = 1 / factorial;
  }
  return list;
}
constexpr std::array<double, 28> kInverseFactorial = inverse_factorials();

double inverse_factorial(int k) { return kInverseFactorial[static_cast<std::size_t>(k)]; }

// The size of one planar contact, written out.
void multiply_3(const double* A, const double* B, double* C) {
  for (int i = 0; i < 9; i += 3) {
    const double x = A[i];
    const double y = A[i + 1];
    const double z = A[i + 2];
    C[i] = x * B[0] + y * B[3] + z * B[6];
    C[i + 1] = x * B[1] + y * B[4] + z * B[7];
    C[i + 2] = x * B[2] + y * B[5] + z * B[8];
  }
}

void multiply_any(const SmallMatrix& A, const SmallMatrix& B, SmallMatrix& C) {
  const int n = A.size();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += A(i, k) * B(k, j);
      C(i, j) = sum;
    }
  }
}

// C := A B
inline void multiply(const SmallMatrix& A, const SmallMatrix& B, SmallMatrix& C) {
  C.resize(A.size());
  if (A.size() == 3) {
    multiply_3(A.data(), B.data(), C.data());
  } else {
    multiply_any(A, B, C);
  }
}

using Pair = Eigen::Array2d;
using PairOf = Eigen::Map<const Pair, Eigen::Aligned16>;

// What φ_{2q} and φ_{2q+1} give to φ_{2p} and φ_{2p+1} of twice the argument, for p − q = 0 … 3: 1/(k − l)!.
struct alignas(16) Shares {
  std::array<double, 2> of_even, of_odd;
};
constexpr std::array<Shares, 4> kShares = [] {
  std::array<Shares, 4> list{};
  for (std::size_t d = 0; d < list.size(); ++d) {
    list[d].of_even = {kInverseFactorial[2 * d], kInverseFactorial[2 * d + 1]};
    list[d].of_odd = {d > 0 ? kInverseFactorial[2 * d - 1] : 0, kInverseFactorial[2 * d]};
  }
  return list;
}();

inline Pair of_odd(std::size_t d, double x) { return x * PairOf(kShares[d].of_odd.data()); }
inline Pair of_both(std::size_t d, const double* x) {
  return x[0] * PairOf(kShares[d].of_even.data()) + x[1] * PairOf(kShares[d].of_odd.data());
}

// A B for the entry of A that begins a row, the pair of B that begins a column: n of each.
template <int Size>
inline Pair row_times_column(const double* row, const double* column, int n) {
  if constexpr (Size == 3) {
    return row[0] * PairOf(column) + row[2] * PairOf(column + 6) + row[4] * PairOf(column + 12);
  } else {
    Pair sum = Pair::Zero();
    for (int k = 0; k < n; ++k) sum += row[2 * k] * PairOf(column + 2 * n * k);
    return sum;
  }
}

void add_to_diagonal(SmallMatrix& A, double x) {
  for (int i = 0; i < A.size(); ++i) A(i, i) += x;
}

}  // namespace

double SmallMatrix::norm() const {
  double largest = 0;
  for (int i = 0; i < size_; ++i) {
    double sum = 0;
    for (int j = 0; j < size_; ++j) sum += std::abs((*this)(i, j));
    largest = std::max(largest, sum);
  }
  return largest;
}

double SmallMatrix::pace() const {
  SmallMatrix square, cube;
  multiply(*this, *this, square);
  multiply(square, *this, cube);
  return std::min(norm(), std::max(std::sqrt(square.norm()), std::cbrt(cube.norm())));
}

void PhiFunctions::compute(const SmallMatrix& A, double pace, double factor) {
  const int n = A.size();
  int doublings = 0;
  std::frexp(pace * std::abs(factor) / kSeriesUpTo, &doublings);
  doublings = std::max(doublings, 0);
  const double part = std::ldexp(factor, -doublings);
  size_ = n;
  scaled_.resize(n);
  for (int i = 0; i < n * n; ++i) scaled_.data()[i] = part * A.data()[i];
  series(scaled_);
  for (int k = 0; k < doublings; ++k) compute_doubled(*this);
}

void PhiFunctions::series(const SmallMatrix& X) {
  if (X.size() == 3) {
    sum_series<9>(X);
  } else {
    sum_series<Eigen::Dynamic>(X);
  }
}

// The series in blocks of four terms, Horner's rule in X⁴ (Paterson & Stockmeyer, SIAM J. Comput. 2, 1973).
template <int Entries>
void PhiFunctions::sum_series(const SmallMatrix& X) {
  constexpr int most = Entries == Eigen::Dynamic ? kMost * kMost : Entries;
  using All = Eigen::Array<double, Entries, 1, 0, most, 1>;
  const auto all = [count = X.size() * X.size()](auto& matrix) { return Eigen::Map<const All>(matrix.data(), count); };
  SmallMatrix square, cube, fourth;
  multiply(X, X, square);
  multiply(square, X, cube);
  multiply(square, square, fourth);
  product_.resize(X.size());
  last_.resize(X.size());
  Eigen::Map<All> last(last_.data(), X.size() * X.size());
  last.setZero();
  for (int term = kTerms - 4; term >= 0; term -= 4) {
    const int k = kLast + term;
    multiply(fourth, last_, product_);
    last = all(product_) + (inverse_factorial(k + 1) * all(X) +
                            (inverse_factorial(k + 2) * all(square) + inverse_factorial(k + 3) * all(cube)));
    add_to_diagonal(last_, inverse_factorial(k));
  }
  set(kLast, last_);
  for (int k = kLast; k > 0; --k) {
    multiply(X, last_, product_);
    add_to_diagonal(product_, inverse_factorial(k - 1));
    set(k - 1, product_);
    last_ = product_;
  }
}

void PhiFunctions::set(int k, const SmallMatrix& phi) {
  double* entries = two_[static_cast<std::size_t>(k / 2)].entries.data() + k % 2;
  for (int i = 0; i < phi.size() * phi.size(); ++i) entries[2 * i] = phi.data()[i];
}

void PhiFunctions::compute_doubled(const PhiFunctions& half) {
  size_ = half.size_;
  if (size_ == 3) {
    double_from<3>(half);
  } else {
    double_from<Eigen::Dynamic>(half);
  }
}

// From the last to the first: φ_k of twice the argument takes φ_1 … φ_k of the argument, and `half` may be this one.
template <int Size>
void PhiFunctions::double_from(const PhiFunctions& half) {
  double_two<Size, 3>(half);
  double_two<Size, 2>(half);
  double_two<Size, 1>(half);
  double_two<Size, 0>(half);
}

template <int Size, std::size_t P>
inline void PhiFunctions::double_two(const PhiFunctions& half) {
  constexpr double even = 1.0 / (1 << (2 * P));
  const Pair share(even, even / 2);
  const int n = Size == Eigen::Dynamic ? size_ : Size;
  const double* exponential = half.of(0);
  const double* old = half.two_[P].entries.data();
  Two made;
  for (int e = 0, i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j, e += 2) {
      Pair sum = row_times_column<Size>(exponential + 2 * n * i, old + 2 * j, n);
      sum += of_odd(P, half.two_[0].entries[static_cast<std::size_t>(e) + 1]);
      if constexpr (P >= 1) sum += of_both(P - 1, half.two_[1].entries.data() + e);
      if constexpr (P >= 2) sum += of_both(P - 2, half.two_[2].entries.data() + e);
      if constexpr (P >= 3) sum += of_both(P - 3, half.two_[3].entries.data() + e);
      Eigen::Map<Pair, Eigen::Aligned16>(made.entries.data() + e) = share * sum;
    }
  }
  std::copy_n(made.entries.begin(), 2 * n * n, two_[P].entries.begin());
}

// For three unknowns, φ_k and φ_{k+1} at once: times (x_k, x_{k+1}) for the end, times (x_{k−1}, x_k) for the mean,
// with x_0 = z and x_{k+1} = step part^k r_k.
void PhiFunctions::advance_3(const Course& course, const double* z, double* end, double* mean) const {
  using Three = std::array<double, 3>;
  double power = course.step;
  const auto factor = [&](int k) {
    if (k >= course.count) return Three{};
    const double* r = course.derivatives + k * kMost;
    const Three x = {power * r[0], power * r[1], power * r[2]};
    power *= course.part;
    return x;
  };
  Pair end0 = Pair::Zero(), end1 = Pair::Zero(), end2 = Pair::Zero();
  Pair mean0 = Pair::Zero(), mean1 = Pair::Zero(), mean2 = Pair::Zero();
  Three before{};
  Three here = {z[0], z[1], z[2]};
  const Two* two = two_.data();
  for (int k = 0; k <= course.count + 1; k += 2, ++two) {
    const Three next = factor(k);
    const double* A = two->entries.data();
    const Pair x0(here[0], next[0]), x1(here[1], next[1]), x2(here[2], next[2]);
    const Pair y0(before[0], here[0]), y1(before[1], here[1]), y2(before[2], here[2]);
    end0 += PairOf(A) * x0 + PairOf(A + 2) * x1 + PairOf(A + 4) * x2;
    mean0 += PairOf(A) * y0 + PairOf(A + 2) * y1 + PairOf(A + 4) * y2;
    end1 += PairOf(A + 6) * x0 + PairOf(A + 8) * x1 + PairOf(A + 10) * x2;
    mean1 += PairOf(A + 6) * y0 + PairOf(A + 8) * y1 + PairOf(A + 10) * y2;
    end2 += PairOf(A + 12) * x0 + PairOf(A + 14) * x1 + PairOf(A + 16) * x2;
    mean2 += PairOf(A + 12) * y0 + PairOf(A + 14) * y1 + PairOf(A + 16) * y2;
    before = next;
    here = factor(k + 1);
  }
  end[0] = end0.sum();
  end[1] = end1.sum();
  end[2] = end2.sum();
  mean[0] = mean0.sum();
  mean[1] = mean1.sum();
  mean[2] = mean2.sum();
}

// For three unknowns and a constant r.
inline void PhiFunctions::advance_3(double step, const double* r, const double* z, double* end, double* mean) const {
  const double r0 = step * r[0], r1 = step * r[1], r2 = step * r[2];
  const double* first = two_[0].entries.data();
  const double* second = two_[1].entries.data();
  for (int i = 0; i < 3; ++i, first += 6, second += 6) {
    end[i] = (first[0] * z[0] + first[2] * z[1] + first[4] * z[2]) + (first[1] * r0 + first[3] * r1 + first[5] * r2);
    mean[i] =
        (first[1] * z[0] + first[3] * z[1] + first[5] * z[2]) + (second[0] * r0 + second[2] * r1 + second[4] * r2);
  }
}

void PhiFunctions::advance(const Course& course, const double* z, double* end, double* mean) const {
  const int n = size_;
  if (n == 3 && course.count == 1) {
    advance_3(course.step, course.derivatives, z, end, mean);
    return;
  }
  if (n == 3) {
    advance_3(course, z, end, mean);
    return;
  }
  std::array<double, kMost> x;
  std::copy_n(z, n, x.begin());
  std::fill_n(end, n, 0.0);
  std::fill_n(mean, n, 0.0);
  double power = course.step;
  for (int k = 0; k <= course.count; ++k) {
    const double* A = of(k);
    const double* next = of(k + 1);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j, A += 2, next += 2) {
        end[i] += A[0] * x[static_cast<std::size_t>(j)];
        mean[i] += next[0] * x[static_cast<std::size_t>(j)];
      }
    }
    if (k == course.count) break;
    const double* r = course.derivatives + k * kMost;
    for (int j = 0; j < n; ++j) x[static_cast<std::size_t>(j)] = power * r[j];
    power *= course.part;
  }
}

void PhiFunctions::carry(double step, int steps, const TwoColumns& d, TwoColumns& end, TwoColumns& integral) const {
  const int n = size_;
  TwoColumns begin;
  for (int i = 0; i < n; ++i) end.at(i) = integral.at(i) = Pair::Zero();
  for (int k = 0; k < steps; ++k) {
    std::copy_n(end.pairs.begin(), n, begin.pairs.begin());
    const double* first = two_[0].entries.data();
    const double* second = two_[1].entries.data();
    for (int i = 0; i < n; ++i) {
      Pair at_end = Pair::Zero();
      Pair mean = Pair::Zero();
      for (int j = 0; j < n; ++j, first += 2, second += 2) {
        at_end += first[0] * begin.at(j) + (step * first[1]) * d.at(j);
        mean += first[1] * begin.at(j) + (step * second[0]) * d.at(j);
      }
      end.at(i) = at_end;
      integral.at(i) += step * mean;
    }
  }
}

}  // namespace painleve::detail
