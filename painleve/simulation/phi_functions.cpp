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

// phi := share (sum + Σ_{l=1}^{k} φ_l/(k − l)!), all with `entries` entries: Size of them, if that is not Dynamic.
template <int Size>
void add_lower(int k, double share, int entries, const SmallMatrix& sum,
               const std::array<SmallMatrix, PhiFunctions::kLast + 1>& lower, SmallMatrix& phi) {
  constexpr int most = Size == Eigen::Dynamic ? SmallMatrix::kMost * SmallMatrix::kMost : Size;
  using Entries = Eigen::Array<double, Size, 1, 0, most, 1>;
  Entries total = Eigen::Map<const Entries>(sum.data(), entries);
  for (int l = 1; l <= k; ++l) {
    const double* other = lower[static_cast<std::size_t>(l)].data();
    total += inverse_factorial(k - l) * Eigen::Map<const Entries>(other, entries);
  }
  Eigen::Map<Entries>(phi.data(), entries) = share * total;
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
  scaled_.resize(n);
  for (int i = 0; i < n * n; ++i) scaled_.data()[i] = part * A.data()[i];
  series(scaled_);
  for (int k = 0; k < doublings; ++k) compute_doubled(*this);
}

// The series in blocks of four terms, Horner's rule in X⁴ (Paterson & Stockmeyer, SIAM J. Comput. 2, 1973).
void PhiFunctions::series(const SmallMatrix& X) {
  SmallMatrix square, cube, fourth;
  multiply(X, X, square);
  multiply(square, X, cube);
  multiply(square, square, fourth);
  SmallMatrix& last = phi_[kLast];
  last.resize(X.size());
  for (int term = kTerms - 4; term >= 0; term -= 4) {
    const double c1 = inverse_factorial(kLast + term + 1);
    const double c2 = inverse_factorial(kLast + term + 2);
    const double c3 = inverse_factorial(kLast + term + 3);
    const bool first = term == kTerms - 4;
    if (!first) multiply(fourth, last, product_);
    for (int i = 0; i < X.size() * X.size(); ++i) {
      const double block = c1 * X.data()[i] + (c2 * square.data()[i] + c3 * cube.data()[i]);
      last.data()[i] = first ? block : product_.data()[i] + block;
    }
    add_to_diagonal(last, inverse_factorial(kLast + term));
  }
  for (int k = kLast; k > 0; --k) {
    SmallMatrix& lower = phi_[static_cast<std::size_t>(k - 1)];
    multiply(X, phi_[static_cast<std::size_t>(k)], lower);
    add_to_diagonal(lower, inverse_factorial(k - 1));
  }
}

// From the last to the first: φ_k of twice the argument takes φ_1 … φ_k of the argument, and `half` may be this one.
void PhiFunctions::compute_doubled(const PhiFunctions& half) {
  const int n = half.phi_[0].size();
  double share = std::ldexp(1.0, -kLast);
  for (int k = kLast; k > 0; --k, share *= 2) {
    multiply(half.phi_[0], half.phi_[static_cast<std::size_t>(k)], product_);
    SmallMatrix& phi = phi_[static_cast<std::size_t>(k)];
    phi.resize(n);
    if (n == 3) {
      add_lower<9>(k, share, 9, product_, half.phi_, phi);
    } else {
      add_lower<Eigen::Dynamic>(k, share, n * n, product_, half.phi_, phi);
    }
  }
  multiply(half.phi_[0], half.phi_[0], product_);
  phi_[0] = product_;
}

void PhiFunctions::sum(int shift, int count, const double* x, double* y) const {
  const int n = phi_[0].size();
  if (n == 3) {
    double y0 = 0, y1 = 0, y2 = 0;
    for (int m = 0; m < count; ++m, x += kMost) {
      const double* A = phi_[static_cast<std::size_t>(m) + static_cast<std::size_t>(shift)].data();
      y0 += A[0] * x[0] + A[1] * x[1] + A[2] * x[2];
      y1 += A[3] * x[0] + A[4] * x[1] + A[5] * x[2];
      y2 += A[6] * x[0] + A[7] * x[1] + A[8] * x[2];
    }
    y[0] = y0;
    y[1] = y1;
    y[2] = y2;
    return;
  }
  std::fill_n(y, n, 0.0);
  for (int m = 0; m < count; ++m, x += kMost) {
    const double* A = phi_[static_cast<std::size_t>(m) + static_cast<std::size_t>(shift)].data();
    for (int i = 0; i < n; ++i, A += n) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += A[j] * x[j];
      y[i] += sum;
    }
  }
}

}  // namespace painleve::detail
