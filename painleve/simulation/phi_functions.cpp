#include <algorithm>
#include <cmath>

#include "painleve/simulation/detail/phi_functions.hpp"

namespace painleve::detail {
namespace {

constexpr int kTerms = 12;           // of the series: |X|^12 7!/19! < 1e-17
constexpr double kSeriesUpTo = 0.5;  // |X|

constexpr std::array<double, 20> inverse_factorials() {
  std::array<double, 20> list{};
  double factorial = 1;
  for (std::size_t k = 0; k < list.size(); ++k) {
    factorial *= k == 0 ? 1.0 : static_cast<double>(k);
    list[k] = 1 / factorial;
  }
  return list;
}
constexpr std::array<double, 20> kInverseFactorial = inverse_factorials();

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

// C := A B
void multiply(const SmallMatrix& A, const SmallMatrix& B, SmallMatrix& C) {
  const int n = A.size();
  C.resize(n);
  if (n == 3) {
    multiply_3(A.data(), B.data(), C.data());
    return;
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += A(i, k) * B(k, j);
      C(i, j) = sum;
    }
  }
}

void copy(const SmallMatrix& from, SmallMatrix& to) {
  to.resize(from.size());
  std::copy_n(from.data(), from.size() * from.size(), to.data());
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

void PhiFunctions::compute(const SmallMatrix& A, double factor) {
  const int n = A.size();
  int doublings = 0;
  std::frexp(A.norm() * std::abs(factor) / kSeriesUpTo, &doublings);
  doublings = std::max(doublings, 0);
  const double part = std::ldexp(factor, -doublings);
  scaled_.resize(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) scaled_(i, j) = part * A(i, j);
  }
  series(scaled_);
  for (int k = 0; k < doublings; ++k) double_argument();
}

void PhiFunctions::series(const SmallMatrix& X) {
  SmallMatrix& last = phi_[kLast];
  last.resize(X.size());
  for (int i = 0; i < X.size(); ++i) {
    for (int j = 0; j < X.size(); ++j) last(i, j) = 0;
  }
  add_to_diagonal(last, inverse_factorial(kLast + kTerms));
  for (int term = kTerms - 1; term >= 0; --term) {
    multiply(X, last, product_);
    copy(product_, last);
    add_to_diagonal(last, inverse_factorial(kLast + term));
  }
  for (int k = kLast; k > 0; --k) {
    SmallMatrix& lower = phi_[static_cast<std::size_t>(k - 1)];
    multiply(X, phi_[static_cast<std::size_t>(k)], lower);
    add_to_diagonal(lower, inverse_factorial(k - 1));
  }
}

void PhiFunctions::double_argument() {
  const int entries = phi_[0].size() * phi_[0].size();
  double half = std::ldexp(1.0, -kLast);
  for (int k = kLast; k > 0; --k, half *= 2) {
    double* phi = phi_[static_cast<std::size_t>(k)].data();
    multiply(phi_[0], phi_[static_cast<std::size_t>(k)], product_);
    double* sum = product_.data();
    for (int l = 1; l <= k; ++l) {
      const double weight = inverse_factorial(k - l);
      const double* other = phi_[static_cast<std::size_t>(l)].data();
      for (int i = 0; i < entries; ++i) sum[i] += weight * other[i];
    }
    for (int i = 0; i < entries; ++i) phi[i] = half * sum[i];
  }
  multiply(phi_[0], phi_[0], product_);
  copy(product_, phi_[0]);
}

void PhiFunctions::add(int k, double factor, const double* x, double* y) const {
  const SmallMatrix& phi = phi_[static_cast<std::size_t>(k)];
  const double* A = phi.data();
  if (phi.size() == 3) {
    y[0] += factor * (A[0] * x[0] + A[1] * x[1] + A[2] * x[2]);
    y[1] += factor * (A[3] * x[0] + A[4] * x[1] + A[5] * x[2]);
    y[2] += factor * (A[6] * x[0] + A[7] * x[1] + A[8] * x[2]);
    return;
  }
  for (int i = 0; i < phi.size(); ++i) {
    double sum = 0;
    for (int j = 0; j < phi.size(); ++j) sum += phi(i, j) * x[j];
    y[i] += factor * sum;
  }
}

}  // namespace painleve::detail
