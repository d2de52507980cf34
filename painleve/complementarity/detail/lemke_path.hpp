// The path of Lemke's method.
//
// The tableau of the problem is B⁻¹ [q | I | −M | −d], B the columns of the basic variables. Of its 2n + 1 columns only
// those that are looked at are kept up to date: the one that enters, and those that decide a tie. Each pivot leaves one
// column η (the product form of the inverse, B⁻¹ = E_k … E_1), and a column catches up by the η that it has missed. So
// a path of k pivots costs at most k²n/2 multiplications, instead of the k n² of a compact tableau and the 2 k n² of a
// full one, and a new factorisation of the basis is a matter of making the η again from the original data.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "painleve/complementarity/detail/lemke_memory.hpp"
#include "painleve/complementarity/lemke.hpp"

namespace painleve {

// The tolerances are for a problem whose rows, columns and load have size 1, see detail/lemke_scaling.hpp.
struct LemkeTolerances {
  static constexpr double smallest_pivot = 1e-11;      // of the largest entry of its column, or of 1
  static constexpr double smallest_last_pivot = 1e-9;  // of z0: there is no path after it to make good
  static constexpr double tie = 1e-11;                 // of the largest basic value, or of 1
  static constexpr double lexicographic_tie = 1e-10;   // of the largest entry compared, or of 1
  static constexpr double drift = 1e-11;               // of |q − B x|, relative to the largest basic value, or 1
  static constexpr int drift_interval = 32;            // pivots between two looks at the drift
  static constexpr double wanted = 1e-13;              // of refine(): above, the path starts again where it ended
  static constexpr double accepted = 1e-9;  // of that and of the residual: above, it is not called a solution
};

// How much memory n rows need.
struct LemkeSizes {
  static constexpr int etas(int n) { return 3 * n + LemkeTolerances::drift_interval / 2; }
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static constexpr std::size_t entries(int n) { return at(n + n % 2) * at(3 * n + 6 + etas(n)); }
  static constexpr std::size_t numbers(int n) { return at(7 * n + 2 + etas(n)); }
};

// Variables are numbered w: 0 … n − 1, z: n … 2n − 1, z0: 2n. All columns lie in one block of memory, padded to even
// length with a zero, which pivots leave alone.
//
// The functions of the loop in follow() are too many for the compiler to inline them unasked.
class LemkePath {
 public:
  LemkePath(const LinearComplementarity& problem, const LemkeOptions& options);

  LemkeStatus follow();
  void restart();
  double refine();
  int pivots() const { return pivots_; }
  Eigen::VectorXd z() const;

 private:
  using Tolerances = LemkeTolerances;
  using Vector = Eigen::Map<Eigen::VectorXd, Eigen::Aligned16>;
  using ConstVector = Eigen::Map<const Eigen::VectorXd, Eigen::Aligned16>;

  using Sizes = LemkeSizes;

  int n() const { return n_; }
  int stride() const { return stride_; }
  int z0() const { return 2 * n(); }
  int complement(int variable) const { return variable < n() ? variable + n() : variable - n(); }

  EIGEN_ALWAYS_INLINE Vector column(int k) {
    return {block_.data() + static_cast<Eigen::Index>(stride()) * k, stride()};
  }
  EIGEN_ALWAYS_INLINE ConstVector column(int k) const {
    return {block_.data() + static_cast<Eigen::Index>(stride()) * k, stride()};
  }
  // Original columns −M and −d by the number of their variable; tableau columns, as old as age() says; η; and vectors.
  Vector A(int variable) { return column(variable - n()); }
  Vector T(int variable) { return column(n() + 1 + variable); }
  Vector q() { return column(3 * n() + 2); }
  Vector x() { return column(3 * n() + 3); }  // values of the basic variables
  ConstVector x() const { return column(3 * n() + 3); }
  Vector scratch() { return column(3 * n() + 4); }
  Vector columns() { return column(3 * n() + 5); }  // z = columns ∘ (scaled z)
  ConstVector columns() const { return column(3 * n() + 5); }
  Vector eta(int k) { return column(3 * n() + 6 + k); }

  int* basic() { return numbers_.data(); }  // variable of a row
  const int* basic() const { return numbers_.data(); }
  int* row() { return basic() + n(); }  // row of a variable, −1: not basic
  const int* row() const { return basic() + n(); }
  int* age() { return row() + 2 * n() + 1; }        // η that its tableau column has seen, −1: not made yet
  int* reference() { return age() + 2 * n() + 1; }  // basic at the start: their columns of the tableau break ties
  int* ties() { return reference() + n(); }
  int* eta_row() { return ties() + n(); }

  void start_from_identity();
  bool sweep();
  void scale(const LinearComplementarity& problem, const Eigen::VectorXd& covering);
  double size() const { return std::max(1.0, largest(x())); }
  void apply_etas(Vector column, int from);
  void catch_up(int variable);
  void pivot(int variable, int r);
  int first_row();
  int leaving_row(int variable);
  int lexicographic_least(int variable);
  double drift();
  bool refactor();

  template <class Values>
  static double largest(const Values& v);

  static constexpr int few = 16;  // rows that need no allocation
  int n_, stride_, most_pivots_;
  int pivots_ = 0;
  int etas_ = 0;
  bool fresh_ = true;  // factorised since the last pivot
  int tied_ = 0;
  LemkeMemory<double, Sizes::entries(few)> block_;
  LemkeMemory<int, Sizes::numbers(few)> numbers_;
};

// All w basic.
EIGEN_ALWAYS_INLINE void LemkePath::start_from_identity() {
  std::fill(row(), row() + 2 * n() + 1, -1);
  std::fill(age(), age() + 2 * n() + 1, -1);
  for (int i = 0; i < n(); ++i) basic()[i] = row()[i] = i;
  etas_ = 0;
  x() = q();
}

// Largest absolute value. For few rows Eigen's reduction takes more than a plain loop.
template <class Values>
EIGEN_ALWAYS_INLINE double LemkePath::largest(const Values& v) {
  constexpr Eigen::Index short_column = 12;
  if (v.size() > short_column) return v.cwiseAbs().maxCoeff();
  double most = 0;
  for (Eigen::Index i = 0; i < v.size(); ++i) most = std::max(most, std::abs(v(i)));
  return most;
}

// c_r goes to c_r / t_r, any other c_i to c_i − t_i c_r / t_r.
EIGEN_ALWAYS_INLINE void LemkePath::apply_etas(Vector column, int from) {
  const int* const rows = eta_row();
  const int last = etas_;
  for (int k = from; k < last; ++k) {
    const int r = rows[k];
    const double c = column(r);
    if (c == 0) continue;
    column(r) = 0;
    column += c * eta(k);
  }
}

EIGEN_ALWAYS_INLINE void LemkePath::catch_up(int variable) {
  if (age()[variable] < 0) {
    T(variable) = A(variable);
    age()[variable] = 0;
  }
  apply_etas(T(variable), age()[variable]);
  age()[variable] = etas_;
}

EIGEN_ALWAYS_INLINE void LemkePath::pivot(int variable, int r) {
  const int leaving = basic()[r];
  const double inverse = 1 / T(variable)(r);
  const double reach = x()(r);
  const double* t = T(variable).data();
  double* change = eta(etas_).data();
  double* values = x().data();
  double* left = T(leaving).data();
  for (int i = 0; i < stride(); ++i) {  // one loop over all that changes
    change[i] = left[i] = -inverse * t[i];
    values[i] += reach * change[i];
  }
  change[r] = left[r] = inverse;
  values[r] = reach * inverse;
  eta_row()[etas_++] = r;
  age()[leaving] = etas_;
  row()[leaving] = -1;
  row()[variable] = r;
  basic()[r] = variable;
}

// The row that z0 has to lift most; the last one of a tie, which is the lexicographic rule for rows of the identity.
EIGEN_ALWAYS_INLINE int LemkePath::first_row() {
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < n(); ++i) {
    const double ratio = x()(i) / -T(z0())(i);
    if (ratio > least) continue;
    best = i;
    least = ratio;
  }
  return best;
}

// The row that blocks first, −1 for none. z0 goes first if it may: that ends the path.
EIGEN_ALWAYS_INLINE int LemkePath::leaving_row(int variable) {
  const Vector t = T(variable);
  const Vector values = x();
  const double zero = Tolerances::smallest_pivot * std::max(1.0, largest(t));
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < n(); ++i)
    if (t(i) > zero) least = std::min(least, std::max(values(i), 0.0) / t(i));
  if (std::isinf(least)) return -1;
  const double slack = Tolerances::tie * size();
  const auto blocks = [&](int i) { return t(i) > zero && !(values(i) - least * t(i) > slack); };
  const int last = row()[z0()];
  if (last >= 0 && t(last) > Tolerances::smallest_last_pivot && blocks(last)) return last;
  int count = 0;
  int first = 0;
  int* const tied = ties();
  for (int i = 0; i < n(); ++i) {
    if (!blocks(i)) continue;
    if (count == 0) first = i;
    tied[count++] = i;
  }
  tied_ = count;
  return count == 1 ? first : lexicographic_least(variable);
}

// Of the tied rows, the one whose row of B⁻¹, divided by its pivot, is lexicographically least. The column of a
// reference variable that is basic is a unit vector, which rules its own row out.
inline int LemkePath::lexicographic_least(int variable) {
  const Vector t = T(variable);
  int* const tied = ties();
  for (int k = 0; k < n() && tied_ > 1; ++k) {
    const int r = reference()[k];
    if (row()[r] >= 0) {
      tied_ = static_cast<int>(std::remove(tied, tied + tied_, row()[r]) - tied);
      continue;
    }
    catch_up(r);
    const Vector other = T(r);
    double least = std::numeric_limits<double>::infinity();
    double most = 1;
    for (int i = 0; i < tied_; ++i) {
      least = std::min(least, other(tied[i]) / t(tied[i]));
      most = std::max(most, std::abs(other(tied[i])));
    }
    const auto above = [&](int i) { return other(i) - least * t(i) > Tolerances::lexicographic_tie * most; };
    tied_ = static_cast<int>(std::remove_if(tied, tied + tied_, above) - tied);
  }
  return *std::max_element(tied, tied + tied_, [&](int i, int j) { return t(i) < t(j); });
}

// Leaves q − B x, from the original data, in scratch() and returns its size.
EIGEN_ALWAYS_INLINE double LemkePath::drift() {
  Vector left = scratch();
  left = q();
  for (int i = 0; i < n(); ++i) {
    const int variable = basic()[i];
    if (variable < n()) {
      left(variable) -= x()(i);
    } else if (x()(i) != 0) {
      left -= x()(i) * A(variable);
    }
  }
  return largest(left);
}

// The η of the present basis from the original data, with partial pivoting. False when the basis is singular.
inline bool LemkePath::refactor() {
  std::vector<int> entering;
  std::vector<int> rows;  // without their w
  for (int i = 0; i < n(); ++i) {
    if (basic()[i] >= n()) entering.push_back(basic()[i]);
    if (row()[i] < 0) rows.push_back(i);
  }
  start_from_identity();
  for (const int variable : entering) {
    catch_up(variable);
    const Vector t = T(variable);
    const auto smaller = [&](int i, int j) { return std::abs(t(i)) < std::abs(t(j)); };
    const auto best = std::max_element(rows.begin(), rows.end(), smaller);
    if (std::abs(t(*best)) < std::numeric_limits<double>::epsilon()) return false;
    pivot(variable, *best);
    rows.erase(best);
  }
  fresh_ = true;
  return true;
}

inline LemkeStatus LemkePath::follow() {
  if (*std::min_element(x().begin(), x().end()) >= 0) return LemkeStatus::solution;
  int entering = z0();
  catch_up(entering);
  int r = first_row();
  for (int k = 1; r >= 0; ++k) {
    const int leaving = basic()[r];
    pivot(entering, r);
    ++pivots_;
    fresh_ = false;
    if (leaving == z0()) return LemkeStatus::solution;
    const bool drifted = k % Tolerances::drift_interval == 0 && drift() > Tolerances::drift * size();
    const bool full = etas_ == Sizes::etas(n());
    if (pivots_ >= most_pivots_ || ((full || drifted) && !refactor())) return LemkeStatus::limit;
    entering = complement(leaving);
    catch_up(entering);
    r = leaving_row(entering);
    if (r >= 0 || fresh_) continue;
    if (!refactor()) return LemkeStatus::limit;  // a ray counts only on fresh numbers
    catch_up(entering);
    r = leaving_row(entering);
  }
  return LemkeStatus::ray;
}

// Takes the basis, which z0 has left, as the start of another path, with ones as its covering vector: −d = −B e.
inline void LemkePath::restart() {
  A(z0()).setZero();
  for (int i = 0; i < n(); ++i) {
    const int variable = reference()[i] = basic()[i];
    if (variable < n()) {
      A(z0())(variable) -= 1;
    } else {
      A(z0()) -= A(variable);
    }
  }
  age()[z0()] = -1;
}

// Solves B x = q by iterative refinement, on a new factorisation if that does not settle. Returns how far x is from a
// solution of the scaled problem, relative to its largest value; z0 counts as error.
inline double LemkePath::refine() {
  constexpr double settled = 4 * std::numeric_limits<double>::epsilon();
  constexpr int rounds = 6;
  double left = drift();
  for (int k = 0; k < rounds && left > settled * size(); ++k) {
    if (k == rounds / 2) {
      if (!refactor()) break;
      drift();
    }
    apply_etas(scratch(), 0);
    x() += scratch();
    left = drift();
  }
  const double rest = row()[z0()] < 0 ? 0 : x()(row()[z0()]);
  return std::max({left, -*std::min_element(x().begin(), x().end()), rest}) / size();
}

inline Eigen::VectorXd LemkePath::z() const {
  Eigen::VectorXd z(n());
  for (int j = 0; j < n(); ++j) {
    const int r = row()[n() + j];
    z(j) = r < 0 ? 0 : columns()(j) * std::max(0.0, x()(r));
  }
  return z;
}

}  // namespace painleve
