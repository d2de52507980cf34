// The tableau of the problem is B⁻¹ [q | I | −M | −d], B the columns of the basic variables. Of its 2n + 1 columns only
// those that are looked at are kept up to date: the one that enters, and those that decide a tie. Each pivot leaves one
// column η (the product form of the inverse, B⁻¹ = E_k … E_1), and a column catches up by the η that it has missed. So
// a path of k pivots costs at most k²n/2 multiplications, instead of the k n² of a compact tableau and the 2 k n² of a
// full one, and a new factorisation of the basis is a matter of making the η again from the original data.
#include "painleve/complementarity/lemke.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace painleve {
namespace {

// The tolerances are for a problem whose rows, columns and load have size 1, see Path::scale().
constexpr double smallest_pivot = 1e-11;      // of the largest entry of its column, or of 1
constexpr double smallest_last_pivot = 1e-9;  // of z0: there is no path after it to make good
constexpr double tie = 1e-11;                 // of the largest basic value, or of 1
constexpr double lexicographic_tie = 1e-10;   // of the largest entry compared, or of 1
constexpr double drift_limit = 1e-11;         // of |q − B x|, relative to the largest basic value, or 1
constexpr int drift_interval = 32;            // pivots between two looks at the drift
constexpr double wanted = 1e-13;              // Path::refine(): above, the path starts again where it ended
constexpr double accepted = 1e-9;             // of that and of the residual: above, it is not called a solution
constexpr int most_restarts = 4;

using Vector = Eigen::Map<Eigen::VectorXd, Eigen::Aligned16>;
using ConstVector = Eigen::Map<const Eigen::VectorXd, Eigen::Aligned16>;

// Largest absolute value. For the few rows of one contact a plain loop takes less than Eigen's preparations.
template <class Column>
double largest(const Column& v) {
  constexpr Eigen::Index few = 12;
  if (v.size() > few) return v.cwiseAbs().maxCoeff();
  double most = 0;
  for (Eigen::Index i = 0; i < v.size(); ++i) most = std::max(most, std::abs(v(i)));
  return most;
}

// Variables are numbered w: 0 … n − 1, z: n … 2n − 1, z0: 2n. All columns lie in one block of memory, padded to even
// length with a zero, which pivots leave alone.
class Path {
 public:
  Path(const LinearComplementarity& problem, const LemkeOptions& options);
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

  LemkeStatus follow();
  void restart();
  double refine();
  int pivots() const { return pivots_; }
  Eigen::VectorXd z() const;

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int z0() const { return 2 * n_; }
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }

  Vector column(int k) { return {block_ + static_cast<Eigen::Index>(stride_) * k, stride_}; }
  ConstVector column(int k) const { return {block_ + static_cast<Eigen::Index>(stride_) * k, stride_}; }
  // Original columns −M and −d by the number of their variable; tableau columns, as old as age_ says; η; and vectors.
  Vector A(int variable) { return column(variable - n_); }
  Vector T(int variable) { return column(n_ + 1 + variable); }
  Vector q() { return column(3 * n_ + 2); }
  Vector x() { return column(3 * n_ + 3); }  // values of the basic variables
  ConstVector x() const { return column(3 * n_ + 3); }
  Vector scratch() { return column(3 * n_ + 4); }
  Vector columns() { return column(3 * n_ + 5); }  // z = columns ∘ (scaled z)
  ConstVector columns() const { return column(3 * n_ + 5); }
  Vector eta(int k) { return column(3 * n_ + 6 + k); }

  void start_from_identity();
  bool sweep();
  void scale(const LinearComplementarity& problem, const Eigen::VectorXd& covering);
  double size() const { return std::max(1.0, largest(x())); }
  void apply_etas(Vector column, int from);
  void catch_up(int variable);
  void pivot(int variable, int row);
  int first_row();
  int leaving_row(int variable);
  int lexicographic_least(int variable);
  double drift();
  bool refactor();

  int n_, stride_, most_etas_, most_pivots_;
  int pivots_ = 0;
  int etas_ = 0;
  bool fresh_ = true;                                 // factorised since the last pivot
  alignas(16) std::array<double, 2048> small_block_;  // enough for some 16 rows, which then need no allocation
  std::array<int, 256> small_numbers_;
  Eigen::VectorXd large_block_;
  std::vector<int> large_numbers_;
  double* block_;
  int* basic_;      // variable of a row
  int* row_;        // row of a variable, −1: not basic
  int* age_;        // η that the tableau column of a variable has seen, −1: not made yet
  int* reference_;  // basic at the start: their columns of the tableau break ties
  int* eta_row_;
  int* ties_;
  int tied_ = 0;
};

Path::Path(const LinearComplementarity& problem, const LemkeOptions& options)
    : n_(static_cast<int>(problem.q.size())),
      stride_(n_ + n_ % 2),
      most_etas_(3 * n_ + drift_interval / 2),
      most_pivots_(options.most_pivots > 0 ? options.most_pivots : 100 + 50 * n_),
      block_(small_block_.data()),
      basic_(small_numbers_.data()) {
  const std::size_t entries = at(stride_) * at(3 * n_ + 6 + most_etas_);
  const std::size_t numbers = at(7 * n_ + 2 + most_etas_);
  if (entries > small_block_.size() || numbers > small_numbers_.size()) {
    large_block_.resize(static_cast<Eigen::Index>(entries));
    large_numbers_.resize(numbers);
    block_ = large_block_.data();
    basic_ = large_numbers_.data();
  }
  row_ = basic_ + n_;
  age_ = row_ + 2 * n_ + 1;
  reference_ = age_ + 2 * n_ + 1;
  eta_row_ = reference_ + n_;
  ties_ = eta_row_ + most_etas_;
  scale(problem, options.covering);
  start_from_identity();
  std::copy(basic_, basic_ + n_, reference_);
}

// All w basic.
void Path::start_from_identity() {
  std::fill(row_, row_ + 2 * n_ + 1, -1);
  std::fill(age_, age_ + 2 * n_ + 1, -1);
  for (int i = 0; i < n_; ++i) basic_[i] = row_[i] = i;
  etas_ = 0;
  x() = q();
}

// Powers of two, so that scaling rounds nothing. Subnormal numbers count as zero.
int exponent(double size) { return static_cast<int>(std::bit_cast<std::uint64_t>(size) >> 52U) - 1023; }
double power_of_two(int k) { return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52U); }
double inverse_root(double size) { return exponent(size) > -1023 ? power_of_two(-((exponent(size) + 1) >> 1)) : 1; }
bool far_from_one(double size) { return size > 0 && (size < 0.0625 || size > 16); }

// Divides rows and columns of −M by the square roots of their largest entries; false when all are near 1.
bool Path::sweep() {
  Vector rows = x();
  Vector by_column = scratch();
  rows.setZero();
  bool far = false;
  for (int j = 0; j < n_; ++j) {
    rows = rows.cwiseMax(column(j).cwiseAbs());
    by_column(j) = largest(column(j));
    far = far || far_from_one(by_column(j));
  }
  if (!far && std::none_of(rows.begin(), rows.end(), far_from_one)) return false;
  rows = rows.unaryExpr(&inverse_root);
  for (int j = 0; j < n_; ++j) {
    const double factor = inverse_root(by_column(j));
    column(j) = factor * column(j).cwiseProduct(rows);
    columns()(j) *= factor;
  }
  q() = q().cwiseProduct(rows);
  return true;
}

// With R and C that bring rows and columns to size 1:  R w = R q + (R M C) (z / C) + R d z0,  then all over the load.
void Path::scale(const LinearComplementarity& problem, const Eigen::VectorXd& covering) {
  for (int j = 0; j < n_; ++j) {
    column(j)(stride_ - 1) = 0;
    column(j).head(n_) = -problem.M.col(j);
  }
  q().setOnes();
  columns().setOnes();
  constexpr int sweeps = 3;
  for (int k = 0; k < sweeps && sweep(); ++k) {
  }
  if (stride_ > n_) q()(n_) = 0;
  A(z0()).setConstant(-1);
  if (covering.size() == n_) A(z0()).head(n_) = -q().head(n_).cwiseProduct(covering);
  if (stride_ > n_) A(z0())(n_) = 0;
  q().head(n_).array() *= problem.q.array();
  const double load = power_of_two(std::max(exponent(largest(q())), -1022));
  q() /= load;
  columns() *= load;
}

// c_r goes to c_r / t_r, any other c_i to c_i − t_i c_r / t_r.
void Path::apply_etas(Vector column, int from) {
  for (int k = from; k < etas_; ++k) {
    const double c = column(eta_row_[k]);
    if (c == 0) continue;
    column(eta_row_[k]) = 0;
    column += c * eta(k);
  }
}

void Path::catch_up(int variable) {
  if (age_[variable] < 0) {
    T(variable) = A(variable);
    age_[variable] = 0;
  }
  apply_etas(T(variable), age_[variable]);
  age_[variable] = etas_;
}

// One loop over all that changes, of which little is vectorised: it is the η that cost time when there are many rows.
void Path::pivot(int variable, int row) {
  const int leaving = basic_[row];
  const double inverse = 1 / T(variable)(row);
  const double reach = x()(row);
  const double* t = T(variable).data();
  double* change = eta(etas_).data();
  double* values = x().data();
  double* left = T(leaving).data();
  for (int i = 0; i < stride_; ++i) {
    change[i] = left[i] = -inverse * t[i];
    values[i] += reach * change[i];
  }
  change[row] = left[row] = inverse;
  values[row] = reach * inverse;
  eta_row_[etas_++] = row;
  age_[leaving] = etas_;
  row_[leaving] = -1;
  row_[variable] = row;
  basic_[row] = variable;
}

// The row that z0 has to lift most; the last one of a tie, which is the lexicographic rule for rows of the identity.
int Path::first_row() {
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < n_; ++i) {
    const double ratio = x()(i) / -T(z0())(i);
    if (ratio > least) continue;
    least = ratio;
    best = i;
  }
  return best;
}

// The row that blocks first, −1 for none. z0 goes first if it may: that ends the path.
int Path::leaving_row(int variable) {
  const Vector t = T(variable);
  const Vector values = x();
  const double zero = smallest_pivot * std::max(1.0, largest(t));
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < n_; ++i)
    if (t(i) > zero) least = std::min(least, std::max(values(i), 0.0) / t(i));
  if (std::isinf(least)) return -1;
  const double slack = tie * size();
  tied_ = 0;
  for (int i = 0; i < n_; ++i) {
    if (t(i) <= zero || values(i) - least * t(i) > slack) continue;
    if (basic_[i] == z0() && t(i) > smallest_last_pivot) return i;
    ties_[tied_++] = i;
  }
  return tied_ == 1 ? ties_[0] : lexicographic_least(variable);
}

// Of the tied rows, the one whose row of B⁻¹, divided by its pivot, is lexicographically least. The column of a
// reference variable that is basic is a unit vector, which rules its own row out.
int Path::lexicographic_least(int variable) {
  const Vector t = T(variable);
  for (int k = 0; k < n_ && tied_ > 1; ++k) {
    const int r = reference_[k];
    if (row_[r] >= 0) {
      tied_ = static_cast<int>(std::remove(ties_, ties_ + tied_, row_[r]) - ties_);
      continue;
    }
    catch_up(r);
    const Vector entries = T(r);
    double least = std::numeric_limits<double>::infinity();
    double most = 1;
    for (int i = 0; i < tied_; ++i) {
      least = std::min(least, entries(ties_[i]) / t(ties_[i]));
      most = std::max(most, std::abs(entries(ties_[i])));
    }
    const auto above = [&](int i) { return entries(i) - least * t(i) > lexicographic_tie * most; };
    tied_ = static_cast<int>(std::remove_if(ties_, ties_ + tied_, above) - ties_);
  }
  return *std::max_element(ties_, ties_ + tied_, [&](int i, int j) { return t(i) < t(j); });
}

// Leaves q − B x, from the original data, in scratch() and returns its size.
double Path::drift() {
  Vector left = scratch();
  left = q();
  for (int i = 0; i < n_; ++i) {
    const int variable = basic_[i];
    if (variable < n_) {
      left(variable) -= x()(i);
    } else if (x()(i) != 0) {
      left -= x()(i) * A(variable);
    }
  }
  return largest(left);
}

// The η of the present basis from the original data, with partial pivoting. False when the basis is singular.
bool Path::refactor() {
  std::vector<int> entering;
  std::vector<int> rows;  // without their w
  for (int i = 0; i < n_; ++i) {
    if (basic_[i] >= n_) entering.push_back(basic_[i]);
    if (row_[i] < 0) rows.push_back(i);
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

LemkeStatus Path::follow() {
  if (x().minCoeff() >= 0) return LemkeStatus::solution;
  int entering = z0();
  catch_up(entering);
  int row = first_row();
  for (int k = 1; row >= 0; ++k) {
    const int leaving = basic_[row];
    pivot(entering, row);
    ++pivots_;
    fresh_ = false;
    if (leaving == z0()) return LemkeStatus::solution;
    const bool drifted = k % drift_interval == 0 && drift() > drift_limit * size();
    if (pivots_ >= most_pivots_ || ((etas_ == most_etas_ || drifted) && !refactor())) return LemkeStatus::limit;
    entering = complement(leaving);
    catch_up(entering);
    row = leaving_row(entering);
    if (row >= 0 || fresh_) continue;
    if (!refactor()) return LemkeStatus::limit;  // a ray counts only on fresh numbers
    catch_up(entering);
    row = leaving_row(entering);
  }
  return LemkeStatus::ray;
}

// Takes the basis, which z0 has left, as the start of another path, with ones as its covering vector: −d = −B e.
void Path::restart() {
  A(z0()).setZero();
  for (int i = 0; i < n_; ++i) {
    const int variable = reference_[i] = basic_[i];
    if (variable < n_) {
      A(z0())(variable) -= 1;
    } else {
      A(z0()) -= A(variable);
    }
  }
  age_[z0()] = -1;
}

// Solves B x = q by iterative refinement, on a new factorisation if that does not settle. Returns how far x is from a
// solution of the scaled problem, relative to its largest value; z0 counts as error.
double Path::refine() {
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
  const double rest = row_[z0()] < 0 ? 0 : x()(row_[z0()]);
  return std::max({left, -x().minCoeff(), rest}) / size();
}

Eigen::VectorXd Path::z() const {
  Eigen::VectorXd z = Eigen::VectorXd::Zero(n_);
  for (int i = 0; i < n_; ++i) {
    const int j = basic_[i] - n_;
    if (j >= 0 && j < n_) z(j) = columns()(j) * std::max(x()(i), 0.0);
  }
  return z;
}

}  // namespace

LemkeReport lemke(const LinearComplementarity& problem, const LemkeOptions& options) {
  LemkeReport report;
  if (problem.q.size() == 0 || problem.q.minCoeff() >= 0) {
    report.status = LemkeStatus::solution;
    report.z = Eigen::VectorXd::Zero(problem.q.size());
    return report;
  }
  Path path(problem, options);
  report.status = path.follow();
  double error = path.refine();
  report.z = path.z();
  for (int k = 0; k < most_restarts && report.status == LemkeStatus::solution && error > wanted; ++k) {
    path.restart();
    if (path.follow() != LemkeStatus::solution) break;
    const double other = path.refine();
    if (other >= error) continue;
    error = other;
    report.z = path.z();
  }
  report.pivots = path.pivots();
  report.residual = complementarity_residual(problem, report.z);
  const double worst = std::max(error, report.residual);
  if (report.status == LemkeStatus::solution && worst > accepted) report.status = LemkeStatus::limit;
  if (worst <= wanted) report.status = LemkeStatus::solution;  // wherever the path took itself to be
  return report;
}

const char* to_string(LemkeStatus status) {
  switch (status) {
    case LemkeStatus::solution:
      return "solution";
    case LemkeStatus::ray:
      return "ray";
    case LemkeStatus::limit:
      return "limit";
  }
  return "";
}

}  // namespace painleve
