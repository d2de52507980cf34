#include "painleve/complementarity/lemke.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/detail/lemke_short_path.hpp"

namespace painleve {
namespace lemke_test {

LinearComplementarity scalar(double M, double q) {
  return {Eigen::MatrixXd::Constant(1, 1, M), Eigen::VectorXd::Constant(1, q)};
}

// The method as in a textbook: the full tableau [I | −M | −d | q] in exact enough arithmetic for small integers, ties
// broken lexicographically or by the first row.
class Textbook {
 public:
  enum class End { solution, ray, cycle };

  Textbook(const LinearComplementarity& p, bool lexicographic) : n(p.q.size()), lexicographic_(lexicographic) {
    Eigen::MatrixXd start(n, 2 * n + 2);
    start << Eigen::MatrixXd::Identity(n, n), -p.M, Eigen::VectorXd::Constant(n, -1), p.q;
    T = start.cast<long double>();
    for (Eigen::Index i = 0; i < n; ++i) basis.push_back(i);
    run();
  }

  End end = End::cycle;
  int pivots = 0;
  Eigen::VectorXd z() const {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Eigen::Index j = basis[static_cast<std::size_t>(i)] - n;
      if (j >= 0 && j < n) result(j) = static_cast<double>(T(i, 2 * n + 1));
    }
    return result;
  }

 private:
  static constexpr long double zero = 1e-12L;

  // Whether row i comes before row j: by the ratio of the constant to the pivot, then by those of the rows of B⁻¹.
  bool before(Eigen::Index i, Eigen::Index j, Eigen::Index entering) const {
    const auto ratio = [&](Eigen::Index r, Eigen::Index k) { return T(r, k) / T(r, entering); };
    const long double difference = ratio(i, 2 * n + 1) - ratio(j, 2 * n + 1);
    if (std::abs(difference) > zero) return difference < 0;
    if (basis[static_cast<std::size_t>(j)] == 2 * n) return false;
    if (basis[static_cast<std::size_t>(i)] == 2 * n) return true;
    for (Eigen::Index k = 0; lexicographic_ && k < n; ++k) {
      const long double d = ratio(i, k) - ratio(j, k);
      if (std::abs(d) > zero) return d < 0;
    }
    return false;
  }

  Eigen::Index pivot(Eigen::Index row, Eigen::Index entering) {
    T.row(row) /= T(row, entering);
    for (Eigen::Index i = 0; i < n; ++i)
      if (i != row) T.row(i) -= T(i, entering) * T.row(row).eval();
    ++pivots;
    return std::exchange(basis[static_cast<std::size_t>(row)], entering);
  }

  void run() {
    Eigen::Index row = 0;
    for (Eigen::Index i = 1; i < n; ++i)
      if (T(i, 2 * n + 1) <= T(row, 2 * n + 1)) row = i;
    Eigen::Index entering = 2 * n;
    std::set<std::pair<std::set<Eigen::Index>, Eigen::Index>> seen;
    while (true) {
      const Eigen::Index leaving = pivot(row, entering);
      if (leaving == 2 * n) {
        end = End::solution;
        return;
      }
      entering = leaving < n ? leaving + n : leaving - n;
      if (!seen.insert({{basis.begin(), basis.end()}, entering}).second) return;  // a cycle
      row = -1;
      for (Eigen::Index i = 0; i < n; ++i)
        if (T(i, entering) > zero && (row < 0 || before(i, row, entering))) row = i;
      if (row < 0) {
        end = End::ray;
        return;
      }
    }
  }

  Eigen::Index n;
  bool lexicographic_;
  Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> T;
  std::vector<Eigen::Index> basis;
};

// All complementary bases, one after the other: the isolated solutions of a small problem.
std::vector<Eigen::VectorXd> by_enumeration(const LinearComplementarity& p) {
  const int n = static_cast<int>(p.q.size());
  std::vector<Eigen::VectorXd> found;
  for (unsigned set = 0; set < (1U << static_cast<unsigned>(n)); ++set) {
    Eigen::MatrixXd B = Eigen::MatrixXd::Identity(n, n);
    for (int i = 0; i < n; ++i)
      if ((set >> static_cast<unsigned>(i)) & 1U) B.col(i) = -p.M.col(i);
    const Eigen::VectorXd x = B.fullPivLu().solve(p.q);
    if (!(x.minCoeff() > -1e-9) || (B * x - p.q).norm() > 1e-9) continue;
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    for (int i = 0; i < n; ++i)
      if ((set >> static_cast<unsigned>(i)) & 1U) z(i) = x(i);
    found.push_back(z);
  }
  return found;
}

Eigen::MatrixXd drawn_matrix(Draws& draws, int rows, int columns) {
  Eigen::MatrixXd A(rows, columns);
  for (double& a : A.reshaped()) a = draws.normal();
  return A;
}
Eigen::VectorXd drawn_vector(Draws& draws, int size) { return drawn_matrix(draws, size, 1); }

// Positive definite, with a skew part as friction has it.
Eigen::MatrixXd drawn_definite(Draws& draws, int n) {
  const Eigen::MatrixXd A = drawn_matrix(draws, n, n);
  const Eigen::MatrixXd S = drawn_matrix(draws, n, n);
  return A * A.transpose() / n + 0.05 * Eigen::MatrixXd::Identity(n, n) + S - S.transpose();
}

TEST(ComplementarityResidual, IsTheLargestViolationRelativeToTheNumbers) {
  const LinearComplementarity p{Eigen::Matrix2d::Identity(), Eigen::Vector2d(-4, 2)};
  EXPECT_EQ(complementarity_residual(p, Eigen::Vector2d(4, 0)), 0);
  EXPECT_EQ(complementarity_residual(p, Eigen::Vector2d(0, 0)), 1) << "w = −4, of 4";
  EXPECT_EQ(complementarity_residual(p, Eigen::Vector2d(5, 0)), 0.2) << "w = 1 with z = 5";
  EXPECT_EQ(complementarity_residual(p, Eigen::Vector2d(4, -1)), 0.25) << "z = −1, of 4";
  EXPECT_EQ(complementarity_residual(p, Eigen::Vector2d(4, 1)), 0.25) << "z = 1 with w = 3, of 4";
  EXPECT_EQ(complementarity_residual(scalar(1, 0), Eigen::VectorXd::Zero(1)), 0);
  EXPECT_EQ(complementarity_residual({}, {}), 0);
}

TEST(Lemke, WithoutNegativeLoadNothingMoves) {
  for (const double M : {2.0, 0.0, -2.0}) {
    for (const double q : {0.0, 3.0}) {
      const LemkeReport r = lemke(scalar(M, q));
      EXPECT_EQ(r.status, LemkeStatus::solution);
      EXPECT_EQ(r.pivots, 0);
      EXPECT_EQ(r.z, Eigen::VectorXd::Zero(1));
      EXPECT_EQ(r.residual, 0);
    }
  }
  EXPECT_EQ(lemke({}).status, LemkeStatus::solution);
}

TEST(Lemke, OneUnknown) {
  const LemkeReport r = lemke(scalar(4, -3));
  EXPECT_EQ(r.status, LemkeStatus::solution);
  EXPECT_EQ(r.z(0), 0.75);
  EXPECT_EQ(r.pivots, 2);
  EXPECT_EQ(lemke(scalar(-4, -3)).status, LemkeStatus::ray) << "p < 0 and b < 0: the paradox";
  EXPECT_EQ(lemke(scalar(0, -3)).status, LemkeStatus::ray);
  EXPECT_EQ(lemke(scalar(-4, -3)).z, Eigen::VectorXd::Zero(1));
}

TEST(Lemke, NamesOfTheStatus) {
  EXPECT_STREQ(to_string(LemkeStatus::solution), "solution");
  EXPECT_STREQ(to_string(LemkeStatus::ray), "ray");
  EXPECT_STREQ(to_string(LemkeStatus::limit), "limit");
}

// Ties of this problem (Murty's circulant) and of the next lead back to an earlier basis when the first row wins them.
TEST(Lemke, DegenerateTiesDoNotCycle) {
  Eigen::Matrix3d circulant, other;
  circulant << 1, 2, 0, 0, 1, 2, 2, 0, 1;
  other << 1, 0, 2, -1, 1, -1, 1, 1, 1;
  for (const auto& M : {circulant, other}) {
    const LinearComplementarity p{M, -Eigen::Vector3d::Ones()};
    EXPECT_EQ(Textbook(p, false).end, Textbook::End::cycle);
    const LemkeReport r = lemke(p);
    EXPECT_EQ(r.status, LemkeStatus::solution);
    EXPECT_LE(r.residual, 1e-15);
  }
  EXPECT_LT((lemke({circulant, -Eigen::Vector3d::Ones()}).z - Eigen::Vector3d::Constant(1.0 / 3)).norm(), 1e-15);
}

TEST(Lemke, FollowsTheLexicographicPathOfTheTextbook) {
  int solutions = 0, rays = 0, cycles = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Draws draws(seed);
    const int n = draws.integer(2, 6);
    LinearComplementarity p{Eigen::MatrixXd(n, n), Eigen::VectorXd(n)};
    for (double& m : p.M.reshaped()) m = draws.integer(-2, 2);
    for (double& q : p.q) q = draws.integer(-1, 1);
    if (p.q.minCoeff() >= 0) continue;
    const Textbook book(p, true);
    ASSERT_NE(book.end, Textbook::End::cycle) << seed;
    const LemkeReport r = lemke(p);
    EXPECT_EQ(r.status == LemkeStatus::solution, book.end == Textbook::End::solution) << seed;
    EXPECT_NE(r.status, LemkeStatus::limit) << seed;
    EXPECT_EQ(r.pivots, book.pivots) << seed;
    EXPECT_LT((r.z - book.z()).norm(), 1e-12 * (1 + r.z.norm())) << seed;
    ++(book.end == Textbook::End::solution ? solutions : rays);
    if (Textbook(p, false).end == Textbook::End::cycle) ++cycles;
  }
  EXPECT_GT(solutions, 500);
  EXPECT_GT(rays, 500);
  EXPECT_GT(cycles, 0) << "the draws contain problems that need the rule";
}

// Ones on the diagonal, twos below it and q = −e: the path visits all 2^n bases (Murty 1978), the last one being z =
// e1.
TEST(Lemke, LongestPathIsWalkedToItsEnd) {
  for (int n = 2; n <= 11; ++n) {
    Eigen::MatrixXd M = Eigen::MatrixXd::Identity(n, n);
    M.triangularView<Eigen::StrictlyLower>().setConstant(2);
    const LinearComplementarity p{M, -Eigen::VectorXd::Ones(n)};
    const LemkeReport r = lemke(p, {.most_pivots = 1 << 12});
    EXPECT_EQ(r.status, LemkeStatus::solution) << n;
    EXPECT_EQ(r.pivots, 1 << n) << n;
    EXPECT_EQ(r.z, Eigen::VectorXd(Eigen::VectorXd::Unit(n, 0))) << n;
    const LemkeReport cut = lemke(p, {.most_pivots = (1 << n) - 1});
    EXPECT_EQ(cut.status, LemkeStatus::limit) << n;
    EXPECT_EQ(cut.pivots, (1 << n) - 1) << n;
  }
}

TEST(Lemke, FindsTheOneSolutionOfDefiniteProblems) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Draws draws(seed);
    const int n = draws.integer(1, 7);
    const LinearComplementarity p{drawn_definite(draws, n), drawn_vector(draws, n)};
    const auto all = by_enumeration(p);
    ASSERT_EQ(all.size(), 1U) << seed;
    Eigen::VectorXd d(n);
    for (double& x : d) x = draws.uniform(0.1, 3);
    for (const auto& covering : {Eigen::VectorXd(), d}) {
      const LemkeReport r = lemke(p, {.covering = covering});
      EXPECT_EQ(r.status, LemkeStatus::solution) << seed;
      EXPECT_LT((r.z - all[0]).norm(), 1e-12 * (1 + all[0].norm())) << seed;
      EXPECT_LE(r.residual, 1e-14) << seed;
      EXPECT_EQ(r.residual, complementarity_residual(p, r.z)) << seed;
    }
  }
}

// No theory helps here: a solution must be one of those that enumeration finds, and where there is none a ray remains.
TEST(Lemke, ArbitraryMatrices) {
  int solved = 0, unsolvable = 0, missed = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    Draws draws(seed);
    const int n = draws.integer(1, 5);
    const LinearComplementarity p{drawn_matrix(draws, n, n), drawn_vector(draws, n)};
    const auto all = by_enumeration(p);
    const LemkeReport r = lemke(p);
    ASSERT_NE(r.status, LemkeStatus::limit) << seed;
    if (r.status == LemkeStatus::solution) {
      ++solved;
      const auto close = [&](const auto& z) { return (z - r.z).norm() < 1e-9 * (1 + z.norm()); };
      EXPECT_TRUE(std::any_of(all.begin(), all.end(), close)) << seed;
    } else {
      ++(all.empty() ? unsolvable : missed);
    }
  }
  EXPECT_GT(solved, 500);
  EXPECT_GT(unsolvable, 100);
  EXPECT_GT(missed, 10) << "a ray is no proof that there is no solution";
}

TEST(Lemke, UnitsDoNotMatter) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Draws draws(seed);
    const int n = draws.integer(2, 30);
    const LinearComplementarity p{drawn_definite(draws, n), drawn_vector(draws, n)};
    Eigen::VectorXd rows(n), columns(n);
    for (double& x : rows) x = std::exp2(draws.integer(-30, 30));
    for (double& x : columns) x = std::exp2(draws.integer(-30, 30));
    const double load = std::exp2(draws.integer(-60, 60));
    const LinearComplementarity other{rows.asDiagonal() * p.M * columns.asDiagonal(), load * rows.cwiseProduct(p.q)};
    const Eigen::VectorXd z = lemke(p).z;
    const LemkeReport r = lemke(other);
    EXPECT_EQ(r.status, LemkeStatus::solution) << seed;
    const Eigen::VectorXd back = columns.cwiseProduct(r.z) / load;
    EXPECT_LT((back - z).norm(), 1e-12 * (1 + z.norm())) << seed;
  }
}

// Singular values over eight decades. Refined, the residual is little more than the rounding of M z, some n epsilon.
TEST(Lemke, IllConditionedProblemsAreSolvedToRounding) {
  const int n = 80;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Draws draws(seed);
    Eigen::MatrixXd A = drawn_matrix(draws, n, n);
    for (int j = 0; j < n; ++j) A.col(j) *= std::pow(10, -4.0 * j / n);
    const LinearComplementarity p{A * A.transpose(), A * drawn_vector(draws, n)};
    const LemkeReport r = lemke(p);
    EXPECT_EQ(r.status, LemkeStatus::solution) << seed;
    EXPECT_LE(r.residual, n * std::numeric_limits<double>::epsilon()) << seed;
  }
}

// A row that stands alone turns a problem of a size that the compiler knows into one of a size that it does not know
// and leaves the path as it is, to the last bit: it has the least positive load, so that it never blocks.
LinearComplementarity with_a_row_alone(const LinearComplementarity& p) {
  const Eigen::Index n = p.q.size();
  LinearComplementarity longer{Eigen::MatrixXd::Identity(n + 1, n + 1), Eigen::VectorXd::Constant(n + 1, 1e-12)};
  longer.M.topLeftCorner(n, n) = p.M;
  longer.q.head(n) = p.q;
  return longer;
}

// The sizes of few contacts are known to the compiler, others are not.
TEST(Lemke, KnownSizesFollowTheSamePath) {
  Draws draws(33);
  int solved = 0;
  int rays = 0;
  for (int i = 0; i < 4000; ++i) {
    const Eigen::Index n = std::vector<Eigen::Index>{4, 6, 8, 12, 16}[static_cast<std::size_t>(i % 5)];
    LinearComplementarity p{Eigen::MatrixXd(n, n), Eigen::VectorXd(n)};
    for (double& x : p.M.reshaped()) x = draws.normal() * std::exp2(draws.integer(-3, 3));
    for (double& x : p.q) x = draws.normal();
    if (i % 3 != 0) p.M = (p.M * p.M.transpose()).eval();
    if (p.q.minCoeff() >= 0) continue;
    const LemkeReport known = lemke(p);
    const LemkeReport other = lemke(with_a_row_alone(p));
    EXPECT_EQ(known.status, other.status) << i;
    EXPECT_EQ(known.pivots, other.pivots) << i;
    EXPECT_EQ(known.z, other.z.head(n)) << i;
    EXPECT_EQ(known.residual, complementarity_residual(p, known.z)) << i;
    solved += known.status == LemkeStatus::solution ? 1 : 0;
    rays += known.status == LemkeStatus::ray ? 1 : 0;
  }
  EXPECT_GT(solved, 1000);
  EXPECT_GT(rays, 200);
}

// Several hundred rows, odd and even, of full and of deficient rank. M = A Aᵀ, q in its range.
TEST(Lemke, LargeProblems) {
  for (const auto& [n, rank] : {std::pair{255, 255}, {256, 60}, {301, 200}}) {
    Draws draws(static_cast<std::uint64_t>(n));
    const Eigen::MatrixXd A = drawn_matrix(draws, n, rank);
    const LinearComplementarity p{A * A.transpose(), A * drawn_vector(draws, rank)};
    const LemkeReport r = lemke(p);
    EXPECT_EQ(r.status, LemkeStatus::solution) << n;
    EXPECT_LE(r.residual, 1e-13) << n;
    EXPECT_GE(r.z.minCoeff(), 0) << n;
    EXPECT_EQ(r.z, lemke(p).z) << "the same digits every time";
  }
}

// Units that are too far apart for the few sweeps of scaling to remove: both paths are scaled alike.
TEST(Lemke, KnownSizesFollowTheSamePathInAnyUnits) {
  Draws draws(34);
  for (int i = 0; i < 400; ++i) {
    const int n = i % 2 == 0 ? 4 : 8;
    LinearComplementarity p{drawn_definite(draws, n), drawn_vector(draws, n)};
    for (int k = 0; k < n; ++k) {
      const double row = std::exp2(draws.integer(-60, 60));
      p.M.row(k) *= row;
      p.q(k) *= row;
      p.M.col(k) *= std::exp2(draws.integer(-60, 60));
    }
    if (p.q.minCoeff() >= 0) continue;
    const LemkeReport known = lemke(p);
    const LemkeReport other = lemke(with_a_row_alone(p));
    EXPECT_EQ(known.status, other.status) << i;
    EXPECT_EQ(known.pivots, other.pivots) << i;
    EXPECT_EQ(known.z, other.z.head(n)) << i;
  }
}

// The path for sizes that the compiler knows walks to the end by itself: what it gives up is done twice.
template <int Size>
void expect_short_paths(Draws& draws, double units) {
  for (int i = 0; i < 40; ++i) {
    LinearComplementarity p{drawn_definite(draws, Size), drawn_vector(draws, Size)};
    p.q(0) = -1;
    p.M.row(1) *= units;
    p.q(1) *= units;
    p.M.col(2) *= units;
    ShortLemkePath<Size> path;
    ASSERT_TRUE(path.walk(p, 1000)) << Size << " " << i << " units " << units;
    EXPECT_LE(complementarity_residual(p, path.report().z), 1e-13) << Size << " " << i;
  }
}

TEST(Lemke, ShortPathsEndInASolution) {
  Draws draws(35);
  for (const double units : {1.0, 256.0, 1.0 / 256}) {
    expect_short_paths<4>(draws, units);
    expect_short_paths<8>(draws, units);
  }
}

// w_2 = 1 whatever moves: a row and a column of zeros have no unit of their own, and must not change that of others.
TEST(Lemke, AnUnknownWithoutEffectDoesNotDisturbTheScaling) {
  for (const double unit : {1e-3, 1.0, 1e3}) {
    LinearComplementarity p{Eigen::MatrixXd::Zero(3, 3), Eigen::Vector3d(-1, 1, -2)};
    p.M(0, 0) = 4 * unit;
    p.M(2, 2) = 8 * unit;
    p.M(0, 2) = p.M(2, 0) = unit;
    const LemkeReport r = lemke(p);
    ASSERT_EQ(r.status, LemkeStatus::solution) << unit;
    EXPECT_LE((unit * r.z - Eigen::Vector3d(6, 0, 7) / 31).norm(), 1e-15) << unit;
  }
}

}  // namespace lemke_test
}  // namespace painleve
