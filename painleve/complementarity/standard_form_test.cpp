#include "painleve/complementarity/standard_form.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/planar_modes.hpp"

namespace painleve {
namespace standard_form_test {

ContactProblem resting(int dimension, const Eigen::MatrixXd& W, const Eigen::VectorXd& q, const Eigen::VectorXd& mu) {
  ContactProblem p;
  p.dimension = dimension;
  p.W = W;
  p.q = q;
  p.mu = mu;
  p.bilateral.assign(static_cast<std::size_t>(mu.size()), false);
  p.law.assign(static_cast<std::size_t>(mu.size()), Law::resting);
  p.slip = Eigen::MatrixXd::Zero(dimension - 1, mu.size());
  return p;
}

Eigen::VectorXd drawn_vector(Draws& draws, Eigen::Index size) {
  Eigen::VectorXd v(size);
  for (double& x : v) x = draws.normal();
  return v;
}
Eigen::MatrixXd drawn_matrix(Draws& draws, Eigen::Index rows, Eigen::Index columns) {
  return drawn_vector(draws, rows * columns).reshaped(rows, columns);
}

// The rod of Preclik & Rüde (2011) at 60°, μ = 3/2, sliding left: W in the order (t, n).
ContactProblem rod(const Eigen::Vector2d& q) {
  const double phi = std::numbers::pi / 3;
  const double c = std::cos(phi), s = std::sin(phi);
  Eigen::Matrix2d W;
  W << 1 + 3 * s * s, -3 * s * c, -3 * s * c, 1 + 3 * c * c;
  return resting(2, W, q, Eigen::VectorXd::Constant(1, 1.5));
}
Eigen::Vector2d rod_load(double torque) {  // J M⁻¹ f with weight 1
  const double phi = std::numbers::pi / 3;
  return {3 * torque * std::sin(phi), -1 - 3 * torque * std::cos(phi)};
}

// Jacobian rows of a contact of a rigid body: a random frame at a random point.
Eigen::MatrixXd body_rows(Draws& draws, int dimension) {
  if (dimension == 2) {
    const double a = draws.uniform(-3, 3), x = draws.uniform(-1, 1), y = draws.uniform(-1, 1);
    Eigen::MatrixXd rows(2, 3);
    rows << std::cos(a), std::sin(a), x * std::sin(a) - y * std::cos(a),  //
        -std::sin(a), std::cos(a), x * std::cos(a) + y * std::sin(a);
    return rows;
  }
  const Eigen::Vector4d quaternion = drawn_vector(draws, 4);
  const Eigen::Matrix3d R = Eigen::Quaterniond(quaternion.normalized()).toRotationMatrix();
  const Eigen::Vector3d x = drawn_vector(draws, 3);
  Eigen::MatrixXd rows(3, 6);
  rows.leftCols<3>() = R;
  for (int k = 0; k < 3; ++k) rows.block<1, 3>(k, 3) = x.cross(R.row(k).transpose()).transpose();
  return rows;
}

enum class Shape { regular, body, chain, half_rank };

// W = J M⁻¹ Jᵀ and q = J v: a system of bodies that moves. Fewer freedoms than rows make W singular. Inverse masses are
// spread over `decades` up and down.
ContactProblem drawn_system(Draws& draws, int dimension, int count, Shape shape, double decades = 0) {
  const int rows = dimension * count;
  const int per_body = dimension == 2 ? 3 : 6;
  const int bodies = shape == Shape::chain ? (count + 1) / 2 : 1;
  Eigen::MatrixXd J;
  if (shape == Shape::regular) {
    J = drawn_matrix(draws, rows, rows + 2);
  } else if (shape == Shape::half_rank) {
    J = drawn_matrix(draws, rows, (rows + 1) / 2);
  } else {
    J = Eigen::MatrixXd::Zero(rows, bodies * per_body);
    for (int i = 0; i < count; ++i) {
      const int b = draws.integer(0, bodies - 1);
      J.block(dimension * i, per_body * b, dimension, per_body) = body_rows(draws, dimension);
      if (b > 0) J.block(dimension * i, per_body * (b - 1), dimension, per_body) = -body_rows(draws, dimension);
    }
  }
  Eigen::VectorXd inverse_mass(J.cols()), mu(count);
  for (double& m : inverse_mass) {
    m = draws.uniform(0.5, 3);
    m *= std::pow(10, decades * draws.uniform(-1, 1));
  }
  for (double& m : mu) m = draws.uniform(0, 1.5);
  return resting(dimension, J * inverse_mass.asDiagonal() * J.transpose(), J * drawn_vector(draws, J.cols()), mu);
}

TEST(StandardForm, OnePlanarContact) {
  Eigen::Matrix2d W;
  W << 3, -1, -1, 2;
  const StandardForm f = standard_form(resting(2, W, Eigen::Vector2d(5, -7), Eigen::VectorXd::Constant(1, 0.3)), 2);
  Eigen::Matrix4d M;
  M << 2, -1, 1, 0,  //
      -1, 3, -3, 1,  //
      1, -3, 3, 1,   //
      0.3, -1, -1, 0;
  EXPECT_EQ(f.lcp.M, M);
  EXPECT_EQ(f.lcp.q, Eigen::Vector4d(-7, 5, -5, 0));
  Eigen::MatrixXd to_r(2, 4);
  to_r << 0, 1, -1, 0, 1, 0, 0, 0;
  EXPECT_EQ(f.to_r, to_r);
  EXPECT_TRUE(f.copositive);
  EXPECT_TRUE(f.solvable);
}

TEST(StandardForm, SlidingAndSeparatedContacts) {
  Draws draws(3);
  ContactProblem p = drawn_system(draws, 2, 3, Shape::regular);
  p.law = {Law::sliding, Law::separated, Law::sliding};
  p.slip << 1, 0, -1;
  const StandardForm f = standard_form(p, 2);
  ASSERT_EQ(f.lcp.q.size(), 2) << "one row per sliding contact, none for one that separates";
  EXPECT_FALSE(f.copositive);
  EXPECT_FALSE(f.solvable);
  // P_ij = W_nn,ij − μ_j s_j W_nt,ij
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const double s = j == 0 ? 1 : -1;
      EXPECT_NEAR(f.lcp.M(i, j), p.W(1 + 4 * i, 1 + 4 * j) - p.mu(2 * j) * s * p.W(1 + 4 * i, 4 * j), 1e-14);
    }
    EXPECT_EQ(f.lcp.q(i), p.q(1 + 4 * i));
  }
  p.mu.setZero();
  EXPECT_TRUE(standard_form(p, 2).copositive) << "without friction it makes no difference whether a contact slides";
}

TEST(StandardForm, CornersOfTheFrictionPolygon) {
  for (const int facets : {3, 4, 5, 6, 8, 12}) {
    const StandardForm f = standard_form(
        resting(3, Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero(), Eigen::VectorXd::Ones(1)), facets);
    ASSERT_EQ(f.lcp.q.size(), facets + 2);
    const Eigen::MatrixXd D = f.to_r.block(0, 1, 2, facets);
    EXPECT_EQ(D.col(0), Eigen::Vector2d(1, 0));
    for (int k = 0; k < facets; ++k) {
      EXPECT_NEAR(D.col(k).norm(), 1, 1e-15);
      EXPECT_NEAR(D.col(k).dot(D.col((k + 1) % facets)), std::cos(2 * std::numbers::pi / facets), 1e-15);
      if (facets % 2 == 0) {
        EXPECT_EQ(D.col((k + facets / 2) % facets), -D.col(k));
      }
    }
  }
}

TEST(StandardForm, WithoutFrictionThereAreOnlyNormals) {
  Draws draws(5);
  ContactProblem p = drawn_system(draws, 3, 2, Shape::regular);
  p.mu.setZero();
  const StandardForm f = standard_form(p, 4);
  ASSERT_EQ(f.lcp.q.size(), 2);
  EXPECT_EQ(f.lcp.M(0, 1), p.W(2, 5));
  EXPECT_EQ(f.lcp.q(1), p.q(5));
}

TEST(StandardForm, TwoFacetsAreNoPolygonInSpace) {
  Draws draws(6);
  const ContactProblem p = drawn_system(draws, 3, 1, Shape::regular);
  EXPECT_THROW(standard_form(p, 2), InputError);
  EXPECT_THROW(solve_by_pivoting(p, 2), InputError);
  EXPECT_NO_THROW(standard_form(p, 3));
}

// zᵀM z = rᵀW r + μ r_n σ for all z, with r = to_r z; and the rows are those of the head of the header.
TEST(StandardForm, WorkOfAnyUnknowns) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Draws draws(seed);
    const int dimension = draws.integer(2, 3);
    ContactProblem p = drawn_system(draws, dimension, draws.integer(1, 4), Shape::regular);
    p.bilateral[0] = seed % 3 == 0;
    const int facets = dimension == 2 ? 2 : 6;
    const StandardForm f = standard_form(p, facets);
    const Eigen::VectorXd z = drawn_vector(draws, f.lcp.q.size());
    const Eigen::VectorXd r = f.to_r * z;
    double work = r.dot(p.W * r);
    Eigen::Index at = 0;
    for (int i = 0; i < p.count(); ++i) {
      const int normals = p.bilateral[static_cast<std::size_t>(i)] ? 2 : 1;
      work += p.mu(i) * z.segment(at, normals).sum() * z(at + normals + facets);
      EXPECT_NEAR(r(p.normal(i)), normals == 2 ? z(at) - z(at + 1) : z(at), 1e-15) << seed;
      at += normals + facets + 1;
    }
    EXPECT_NEAR(z.dot(f.lcp.M * z), work, 1e-12 * (1 + std::abs(work))) << seed;
    EXPECT_NEAR(z.dot(f.lcp.q), r.dot(p.q), 1e-12 * (1 + std::abs(r.dot(p.q)))) << seed;
    EXPECT_TRUE(f.copositive) << seed;
  }
}

// Two frictionless contacts that squeeze one freedom: W = (1 −1; −1 1).
TEST(StandardForm, SolvableIsSaidOnlyWhereItIsProved) {
  Eigen::Matrix4d W = Eigen::Matrix4d::Zero();
  W(1, 1) = W(3, 3) = 1;
  W(1, 3) = W(3, 1) = -1;
  const auto wedge = [&](double q1, double q2) {
    return resting(2, W, Eigen::Vector4d(0, q1, 0, q2), Eigen::Vector2d::Zero());
  };
  EXPECT_TRUE(standard_form(wedge(-1, 1), 2).solvable) << "in the range of W";
  EXPECT_TRUE(standard_form(wedge(-1, 3), 2).solvable) << "and a gap";
  EXPECT_FALSE(standard_form(wedge(-1, 0.5), 2).solvable) << "squeezed: there is no solution";
  EXPECT_EQ(solve_by_pivoting(wedge(-1, 3), 2).report.status, LemkeStatus::solution);
  const PivotedSolution none = solve_by_pivoting(wedge(-1, 0.5), 2);
  EXPECT_EQ(none.report.status, LemkeStatus::ray);
  EXPECT_FALSE(none.guaranteed);
  EXPECT_EQ(none.paths, 1);
  ContactProblem held = wedge(-1, 3);
  held.bilateral = {true, true};
  EXPECT_FALSE(standard_form(held, 2).solvable) << "no gap at a bilateral contact";
}

TEST(StandardForm, GapsOfSingularSystems) {
  int in_range = 0, outside = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Draws draws(seed);
    const int dimension = draws.integer(2, 3);
    ContactProblem p = drawn_system(draws, dimension, 6, Shape::body);
    for (int i = 0; i < p.count(); ++i)
      if (seed % 2 == 0) p.q(p.normal(i)) += draws.uniform(0, 1);
    EXPECT_TRUE(standard_form(p, 4).solvable) << seed;
    EXPECT_EQ(solve_by_pivoting(p, 4).report.status, LemkeStatus::solution) << seed;
    ++in_range;
    p.q(p.tangent(2)) += 0.5;  // no motion of the body can do that
    if (!standard_form(p, 4).solvable) ++outside;
  }
  EXPECT_EQ(in_range, 100);
  EXPECT_GT(outside, 50);
}

// Preclik & Rüde (2011), Sec. 4.1: stick, Λ = (Λ_t, Λ_n) = (7/16, 3√3/16) + dt (3√3/16, 13/16).
TEST(SolveByPivoting, StepOfTheRodWithoutSolutionInForces) {
  const double dt = 0.01;
  const PivotedSolution s = solve_by_pivoting(rod(Eigen::Vector2d(-1, 0) + dt * rod_load(0)), 2);
  const double root = 3 * std::sqrt(3.0) / 16;
  EXPECT_EQ(s.report.status, LemkeStatus::solution);
  EXPECT_TRUE(s.guaranteed);
  EXPECT_EQ(s.paths, 1);
  EXPECT_NEAR(s.r(0), 7.0 / 16 + dt * root, 1e-15);
  EXPECT_NEAR(s.r(1), root + dt * 13.0 / 16, 1e-15);
  EXPECT_NEAR(s.r(0), 0.4407, 5e-5);
  EXPECT_NEAR(s.r(1), 0.3329, 5e-5);
  EXPECT_EQ(s.w, Eigen::Vector2d::Zero()) << "rows that vanish are zero, not rounding";
  EXPECT_LE(s.residual, 1e-15);
}

// Sec. 4.2: three solutions; pivoting finds one of them.
TEST(SolveByPivoting, StepOfTheRodWithThreeSolutions) {
  const PivotedSolution s = solve_by_pivoting(rod(Eigen::Vector2d(-1, 0) + 0.01 * rod_load(-5.0 / 3)), 2);
  EXPECT_EQ(s.report.status, LemkeStatus::solution);
  EXPECT_LE(s.residual, 1e-15);
  const std::vector<Eigen::Vector2d> printed{{0, 0}, {0.1133, 0.0755}, {0.4516, 0.3266}};
  int matches = 0;
  for (const auto& r : printed) matches += (s.r - r).cwiseAbs().maxCoeff() < 5e-5 ? 1 : 0;
  EXPECT_EQ(matches, 1) << s.r.transpose();
}

TEST(SolveByPivoting, SlidingRod) {
  ContactProblem p = rod(rod_load(0));
  p.law[0] = Law::sliding;
  p.slip(0, 0) = -1;
  const PivotedSolution none = solve_by_pivoting(p, 2);
  EXPECT_EQ(none.report.status, LemkeStatus::ray) << "p < 0 and b_n < 0: no force keeps the tip from sinking";
  EXPECT_FALSE(none.guaranteed);
  EXPECT_EQ(none.w, p.q);
  p.slip(0, 0) = 1;  // away from the jam
  const PivotedSolution slides = solve_by_pivoting(p, 2);
  EXPECT_EQ(slides.report.status, LemkeStatus::solution);
  EXPECT_NEAR(slides.r(1), 1 / (p.W(1, 1) - 1.5 * p.W(0, 1)), 1e-15);
  EXPECT_NEAR(slides.r(0), -1.5 * slides.r(1), 1e-15);
  EXPECT_EQ(slides.w(1), 0);
  EXPECT_LE(slides.residual, 1e-15);
}

// What it finds for one planar contact at rest is one of the modes of the closed form.
TEST(SolveByPivoting, FindsAModeOfThePlanarContact) {
  unsigned seen = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Draws draws(seed);
    Eigen::Matrix2d W = drawn_matrix(draws, 2, 2);
    W = (W * W.transpose() + 0.01 * Eigen::Matrix2d::Identity()).eval();
    const Eigen::Vector2d q = drawn_vector(draws, 2);
    const double mu = draws.uniform(0, 3);
    const PlanarModes modes = planar_modes({W(0, 0), W(0, 1), W(1, 1), q(0), q(1), 0, mu});
    const PivotedSolution s = solve_by_pivoting(resting(2, W, q, Eigen::VectorXd::Constant(1, mu)), 2);
    EXPECT_EQ(s.report.status, LemkeStatus::solution) << seed;
    EXPECT_TRUE(s.guaranteed) << seed;
    unsigned found = 0;
    const auto compare = [&](unsigned bit, const PlanarForce& f) {
      const double size = 1 + s.r.norm();
      if ((modes.consistent & bit) != 0U &&
          std::abs(f.lambda_n - s.r(1)) + std::abs(f.lambda_t - s.r(0)) < 1e-10 * size)
        found |= bit;
    };
    compare(mode_F, modes.free);
    compare(mode_T, modes.stick);
    compare(mode_S_plus, modes.slip_plus);
    compare(mode_S_minus, modes.slip_minus);
    EXPECT_NE(found, 0U) << seed;
    seen |= found;
  }
  EXPECT_EQ(seen, unsigned{mode_F} | mode_T | mode_S_plus | mode_S_minus);
}

TEST(SolveByPivoting, BilateralContactsWithFriction) {
  int pulled = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Draws draws(seed);
    const int dimension = draws.integer(2, 3);
    ContactProblem p = drawn_system(draws, dimension, draws.integer(1, 6), Shape::regular);
    for (int i = 0; i < p.count(); i += 2) p.bilateral[static_cast<std::size_t>(i)] = true;
    const PivotedSolution s = solve_by_pivoting(p, 4);
    EXPECT_EQ(s.report.status, LemkeStatus::solution) << seed;
    if (dimension == 2) {
      EXPECT_LE(s.residual, 1e-12) << seed << ": |r_t| ≤ μ |r_n|, no prestress";
    }
    for (int i = 0; i < p.count(); i += 2) {
      EXPECT_EQ(s.w(p.normal(i)), 0) << seed;
      pulled += s.r(p.normal(i)) < 0 ? 1 : 0;
    }
  }
  EXPECT_GT(pulled, 50);
}

// Every drawn problem has a solution, by theory, and every one is found. In space the polygon is compared with itself.
TEST(SolveByPivoting, SolvesEverySolvableProblem) {
  for (const Shape shape : {Shape::regular, Shape::body, Shape::chain, Shape::half_rank}) {
    for (const int dimension : {2, 3}) {
      for (const int count : {1, 2, 4, 8, 16, 32, 64}) {
        const int draws_of_size = count <= 8 ? 40 : (count <= 16 ? 10 : 2);
        for (int k = 0; k < draws_of_size; ++k) {
          Draws draws(static_cast<std::uint64_t>(1000 * count + k));
          const ContactProblem p = drawn_system(draws, dimension, count, shape);
          const PivotedSolution s = solve_by_pivoting(p, 4);
          ASSERT_TRUE(s.guaranteed) << count << ' ' << k;
          ASSERT_EQ(s.report.status, LemkeStatus::solution) << count << ' ' << k;
          // 1e-15 as a rule; the worst of 1e5 draws is 1e-12, where W is singular to 1e-5 by chance.
          EXPECT_LE(s.report.residual, 1e-11) << count << ' ' << k;
          EXPECT_LE((p.W * s.r + p.q - s.w).norm(), 1e-10 * (1 + s.r.norm())) << count << ' ' << k;
          if (dimension == 2) {
            EXPECT_LE(s.residual, 1e-11) << count << ' ' << k;
          }
        }
      }
    }
  }
}

struct Draw {
  double decades;
  int dimension;
  Shape shape;
  int count;
  std::uint64_t seed;
};
ContactProblem problem_of(const Draw& d) {
  Draws draws(d.seed);
  return drawn_system(draws, d.dimension, d.count, d.shape, d.decades);
}

// Inverse masses over eight decades: what is singular is hard to tell from what is light. The bound is that of a
// solution; all of 1e5 such draws keep it.
TEST(SolveByPivoting, VeryDifferentMasses) {
  int guaranteed = 0;
  for (const Shape shape : {Shape::body, Shape::chain, Shape::half_rank}) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      const int dimension = 2 + static_cast<int>(seed % 2);
      const PivotedSolution s =
          solve_by_pivoting(problem_of({4, dimension, shape, 1 + static_cast<int>(seed % 9), seed}), 4);
      if (!s.guaranteed) continue;
      ++guaranteed;
      EXPECT_EQ(s.report.status, LemkeStatus::solution) << seed;
      EXPECT_LE(s.report.residual, 1e-9) << seed;
    }
  }
  EXPECT_GT(guaranteed, 800);
}

// Draws in which rounding misleads the first path, each cured in its own way.
TEST(SolveByPivoting, RoundingIsRepaired) {
  const std::vector<Draw> path_starts_again{{4, 2, Shape::chain, 4, 621}, {4, 3, Shape::chain, 8, 421},
                                            {3, 3, Shape::chain, 8, 706}, {4, 2, Shape::body, 4, 43},
                                            {4, 3, Shape::body, 8, 1740}, {4, 3, Shape::body, 8, 1623}};
  const std::vector<Draw> ray_on_worn_numbers{{4, 2, Shape::half_rank, 2, 368},
                                              {4, 2, Shape::body, 8, 225},
                                              {4, 2, Shape::body, 2, 1951},
                                              {4, 2, Shape::body, 3, 566}};
  for (const auto& draws : {path_starts_again, ray_on_worn_numbers}) {
    for (const Draw& d : draws) {
      const LemkeReport r = lemke(standard_form(problem_of(d), 4).lcp);
      EXPECT_EQ(r.status, LemkeStatus::solution) << d.seed;
      EXPECT_LE(r.residual, 1e-12) << d.seed;
    }
  }
  int cured = 0;  // up to a residual of 1e-11, where no other path is tried
  for (const Draw& d : std::vector<Draw>{{3, 2, Shape::half_rank, 8, 1820},
                                         {4, 2, Shape::half_rank, 3, 1892},
                                         {4, 2, Shape::body, 3, 1608},
                                         {4, 2, Shape::body, 4, 1362}}) {
    const PivotedSolution s = solve_by_pivoting(problem_of(d), 2);
    EXPECT_EQ(s.report.status, LemkeStatus::solution) << d.seed;
    EXPECT_LE(s.report.residual, 1e-11) << d.seed;
    cured += s.paths > 1 ? 1 : 0;
  }
  EXPECT_GT(cured, 0) << "by another covering vector";
}

// A polygon turns the friction of a slip to its nearest corner: an error of first order in the angle between corners.
TEST(SolveByPivoting, PolygonsApproachTheRoundCone) {
  Draws draws(9);
  const ContactProblem p = drawn_system(draws, 3, 4, Shape::regular);
  const double coarse = solve_by_pivoting(p, 8).residual;
  const double fine = solve_by_pivoting(p, 128).residual;
  EXPECT_GT(coarse, 1e-4);
  EXPECT_LT(fine, coarse / 8);
}

TEST(SolveByPivoting, MassesDoNotMatter) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Draws draws(seed);
    const ContactProblem p = drawn_system(draws, 2, 5, Shape::regular);
    ContactProblem q = p;
    Eigen::VectorXd s(p.q.size());
    for (int i = 0; i < p.count(); ++i) s.segment(p.tangent(i), 2).setConstant(std::exp2(draws.integer(-10, 10)));
    q.W = s.asDiagonal() * p.W * s.asDiagonal();
    q.q = s.cwiseProduct(p.q);
    const PivotedSolution a = solve_by_pivoting(p, 2), b = solve_by_pivoting(q, 2);
    EXPECT_EQ(a.r, Eigen::VectorXd(s.cwiseProduct(b.r))) << seed << ": the same digits";
  }
}

// r = (1, 1, 0, 0) lies in the friction cone, moves nothing, and q pushes along it: no motion can balance that.
TEST(StandardFormRange, AForceThatMovesNothingCanRefuteTheGuarantee) {
  ContactProblem p;
  p.W.resize(4, 4);
  p.W << 3, -3, 0, -1, -3, 3, 0, 1, 0, 0, 2, 1, -1, 1, 1, 1;
  p.q = Eigen::Vector4d(0, -0.5, 0, 0);
  p.mu = Eigen::Vector2d(1, 1);
  p.bilateral.assign(2, false);
  p.law.assign(2, Law::resting);
  p.slip = Eigen::MatrixXd::Zero(1, 2);
  EXPECT_FALSE(standard_form(p, 2).solvable);
  EXPECT_FALSE(solve_by_pivoting(p, 2).guaranteed);
}

// A bilateral contact that slides drags against its slip whether it pushes or pulls.
TEST(SolveByPivoting, BilateralContactsThatSlide) {
  for (const double load : {-1.0, 1.0}) {
    for (const double slip : {1.0, -1.0}) {
      ContactProblem p;
      p.W = Eigen::MatrixXd(2, 2);
      p.W << 9, 1, 1, 2;
      p.q = Eigen::Vector2d(0.3, load);
      p.mu = Eigen::VectorXd::Constant(1, 0.5);
      p.bilateral = {true};
      p.law = {Law::sliding};
      p.slip = Eigen::MatrixXd::Constant(1, 1, slip);
      const PivotedSolution s = solve_by_pivoting(p, 4);
      ASSERT_EQ(s.report.status, LemkeStatus::solution) << load << " " << slip;
      EXPECT_GT(s.report.pivots, 0);
      // r_n (2 ∓ μ) = −q_n with friction −μ |r_n| e.
      const double r_n = -load / (2 + 0.5 * slip * (load < 0 ? -1 : 1));
      EXPECT_LE((s.r - Eigen::Vector2d(-0.5 * slip * std::abs(r_n), r_n)).norm(), 1e-14) << load << " " << slip;
    }
  }
}

// Weak or strong loads, newtons or meganewtons: what has a solution does not depend on it.
TEST(StandardFormRange, TheUnitOfTheLoadDoesNotMatter) {
  Eigen::Matrix4d W = Eigen::Matrix4d::Zero();
  W(1, 1) = W(3, 3) = 1;
  W(1, 3) = W(3, 1) = -1;
  for (const double unit : {1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9}) {
    const auto solvable = [&](double q1, double q2) {
      const Eigen::Vector4d q(0, unit * q1, 0, unit * q2);
      return standard_form(resting(2, W, q, Eigen::Vector2d::Zero()), 2).solvable;
    };
    EXPECT_TRUE(solvable(-1, 1)) << unit << ": in the range of W";
    EXPECT_TRUE(solvable(-1, 3)) << unit << ": and a gap";
    EXPECT_FALSE(solvable(-1, 0.5)) << unit << ": squeezed";
    EXPECT_FALSE(solvable(-1, 0.9999)) << unit << ": squeezed a little";
  }
}

}  // namespace standard_form_test
}  // namespace painleve
