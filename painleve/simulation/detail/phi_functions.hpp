// The functions φ_k(X) = Σ_j X^j/(j + k)!, k = 0 … 7, of a small matrix: φ_0 = e^X, φ_{k−1} = X φ_k + 1/(k − 1)!.
//
// φ_7 by its series for |X| <= 2, the others downwards from it, and then doubled as often as needed,
//   φ_k(2X) = 2^{−k} (φ_0(X) φ_k(X) + Σ_{j=1}^{k} φ_j(X)/(k − j)!),
// see Hochbruck & Ostermann (2010), Acta Numerica 19, Sec. 4.1 and the literature there. |X| is `pace`, which bounds
// |X^j|^{1/j} for all j >= 2 (Al-Mohy & Higham, SIAM J. Matrix Anal. Appl. 31, 2009): friction makes matrices with a
// norm far above their eigenvalues, and doublings by the norm would lose time and digits. Plain loops over storage that
// is part of the object: nothing is taken from the heap.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstddef>

namespace painleve::detail {

class SmallMatrix {
 public:
  static constexpr int kMost = 12;
  // Only the entries of its size are set and copied: a matrix is made much smaller than the largest one.
  SmallMatrix() = default;
  SmallMatrix(const SmallMatrix& other) { *this = other; }
  SmallMatrix& operator=(const SmallMatrix& other) {
    size_ = other.size_;
    std::copy_n(other.entries_.begin(), size_ * size_, entries_.begin());
    return *this;
  }
  ~SmallMatrix() = default;
  // All entries are 0 where the size changes.
  void resize(int size) {
    if (size == size_) return;
    size_ = size;
    std::fill_n(entries_.begin(), size * size, 0.0);
  }
  int size() const { return size_; }
  double& operator()(int i, int j) { return entries_[at(i, j)]; }
  double operator()(int i, int j) const { return entries_[at(i, j)]; }
  double* data() { return entries_.data(); }
  const double* data() const { return entries_.data(); }
  double norm() const;  // largest sum of |entries| of a row
  double pace() const;  // max(|A²|^{1/2}, |A³|^{1/3}) and at most the norm: not below any |eigenvalue|

 private:
  std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(j);
  }
  int size_ = 0;
  std::array<double, static_cast<std::size_t>(kMost) * kMost> entries_;
};

class PhiFunctions {
 public:
  static constexpr int kMost = SmallMatrix::kMost;
  static constexpr int kLast = 7;

  // Of factor · A, for the pace of A.
  void compute(const SmallMatrix& A, double pace, double factor);
  // Of twice the argument of `half`.
  void compute_doubled(const PhiFunctions& half);
  // Of z' = A z + r over the step: z at its end, φ_0 z + step Σ_k part^k φ_{k+1} r_k, and its mean, the same with the
  // next φ. r_k are `count` derivatives of r, at most 6, per step/part; they lie kMost numbers apart.
  struct Course {
    double step, part;
    const double* derivatives;
    int count;
  };
  void advance(const Course& course, const double* z, double* end, double* mean) const;
  // Two vectors side by side.
  struct TwoColumns {
    std::array<Eigen::Array2d, static_cast<std::size_t>(kMost)> pairs;
    Eigen::Array2d& at(int i) { return pairs[static_cast<std::size_t>(i)]; }
    const Eigen::Array2d& at(int i) const { return pairs[static_cast<std::size_t>(i)]; }
  };
  // z and ∫z after so many steps from 0 with the constant r = d, for two d at once.
  void carry(double step, int steps, const TwoColumns& d, TwoColumns& end, TwoColumns& integral) const;
  // Entry (i, j) of φ_k.
  double operator()(int k, int i, int j) const { return of(k)[2 * (size_ * i + j)]; }

 private:
  static constexpr int kPairs = (kLast + 1) / 2;
  // φ_{2p} and φ_{2p+1}, entry beside entry: what is done to one is done to the other.
  struct alignas(16) Two {
    std::array<double, static_cast<std::size_t>(2 * kMost * kMost)> entries;
  };

  void series(const SmallMatrix& X);
  template <int Entries>
  void sum_series(const SmallMatrix& X);
  void set(int k, const SmallMatrix& phi);
  template <int Size>
  void double_from(const PhiFunctions& half);
  template <int Size, std::size_t P>
  void double_two(const PhiFunctions& half);
  void advance_3(const Course& course, const double* z, double* end, double* mean) const;
  void advance_3(double step, const double* r, const double* z, double* end, double* mean) const;
  // The first entry of φ_k; the others follow two numbers apart.
  const double* of(int k) const { return two_[static_cast<std::size_t>(k / 2)].entries.data() + k % 2; }

  int size_ = 0;
  std::array<Two, static_cast<std::size_t>(kPairs)> two_;
  SmallMatrix scaled_, product_, last_;
};

}  // namespace painleve::detail
