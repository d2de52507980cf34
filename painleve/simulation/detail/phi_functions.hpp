// The functions φ_k(X) = Σ_j X^j/(j + k)!, k = 0 … 7, of a small matrix: φ_0 = e^X, φ_{k−1} = X φ_k + 1/(k − 1)!.
//
// φ_7 by its series for |X| <= 1/2, the others downwards from it, and then doubled as often as needed,
//   φ_k(2X) = 2^{−k} (φ_0(X) φ_k(X) + Σ_{j=1}^{k} φ_j(X)/(k − j)!),
// see Hochbruck & Ostermann (2010), Acta Numerica 19, Sec. 4.1 and the literature there. Plain loops over storage that
// is part of the object: nothing is taken from the heap.
#pragma once

#include <array>
#include <cstddef>

namespace painleve::detail {

class SmallMatrix {
 public:
  static constexpr int kMost = 12;
  void resize(int size) { size_ = size; }
  int size() const { return size_; }
  double& operator()(int i, int j) { return entries_[at(i, j)]; }
  double operator()(int i, int j) const { return entries_[at(i, j)]; }
  double* data() { return entries_.data(); }
  const double* data() const { return entries_.data(); }
  double norm() const;  // largest sum of |entries| of a row

 private:
  std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(j);
  }
  int size_ = 0;
  std::array<double, static_cast<std::size_t>(kMost) * kMost> entries_{};
};

class PhiFunctions {
 public:
  static constexpr int kMost = SmallMatrix::kMost;
  static constexpr int kLast = 7;

  // Of factor · A.
  void compute(const SmallMatrix& A, double factor);
  // y := y + factor φ_k x
  void add(int k, double factor, const double* x, double* y) const;
  const SmallMatrix& operator[](int k) const { return phi_[static_cast<std::size_t>(k)]; }

 private:
  void series(const SmallMatrix& X);
  void double_argument();

  SmallMatrix scaled_, product_;
  std::array<SmallMatrix, kLast + 1> phi_;
};

}  // namespace painleve::detail
