// Rigid bodies on spatial contacts: forces that are not determined, and motions that few contacts leave.
#include "painleve/complementarity/spatial_solutions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "painleve/complementarity/detail/drawn_spatial_problems.hpp"

namespace painleve {
namespace spatial_bodies_test {

constexpr double pi = std::numbers::pi;

// A rigid body with mass and moments of inertia of a box, contacts at `points` with frames of their own.
struct Body {
  Eigen::MatrixXd W;
  Eigen::MatrixXd J;
};
Body body(Draws& draws, int count, bool level) {
  Eigen::MatrixXd J(3 * count, 6);
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3d x(draws.uniform(-1, 1), draws.uniform(-1, 1), level ? -0.5 : draws.uniform(-1, 1));
    Eigen::Matrix3d cross;
    cross << 0, x.z(), -x.y(), -x.z(), 0, x.x(), x.y(), -x.x(), 0;  // ω × x
    const Eigen::Vector3d axis = normals(draws, 3).normalized();
    const double angle = level ? 0 : draws.uniform(-1.2, 1.2);
    const Eigen::Matrix3d frame = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    J.middleRows(3 * i, 3) << frame, frame * cross;
  }
  Eigen::VectorXd inverse(6);
  inverse << 1, 1, 1, 3, 2.5, 2;
  return {J * inverse.asDiagonal() * J.transpose(), J};
}

TEST(SpatialSolutions, TwoContactsOfABodyStickWithALineOfForces) {
  int families = 0;
  int unique_stick = 0;
  for (std::uint64_t seed = 1; seed <= 400 && !HasFailure(); ++seed) {
    Draws draws(seed);
    const Body b = body(draws, 2, seed % 2 == 0);
    Eigen::VectorXd weight(6);
    weight << 0.3 * draws.normal(), 0.3 * draws.normal(), -1, 0.1 * normals(draws, 3);
    const ContactProblem p =
        resting(b.W, b.J * weight, Eigen::Vector2d(draws.uniform(0.1, 1.5), draws.uniform(0.1, 1.5)));
    const ContactSolutions set = spatial_solutions(p, {});
    expect_sound(p, set, std::to_string(seed));
    for (const auto& s : set.solutions) {
      if (s.mode != "TT") {
        EXPECT_EQ(s.family.dimension, 0) << seed << " " << s.mode;
        continue;
      }
      ++unique_stick;
      ASSERT_EQ(s.family.dimension, 1) << seed;
      EXPECT_EQ(s.family.motion_dimension, 0) << seed;
      EXPECT_LT((p.W * s.family.directions).norm(), 1e-12) << seed;
      EXPECT_NEAR(s.family.directions.norm(), 1, 1e-12) << seed;
      // Some way to both sides the laws still hold; far away they do not.
      for (const double side : {1.0, -1.0}) {
        const Eigen::VectorXd near = s.r + side * 1e-6 * s.r.norm() * s.family.directions;
        EXPECT_LT(law_residual(p, near, s.w), 1e-9) << seed;
      }
      ++families;
    }
    // Slip that does not begin is the end of the line of forces, and not listed once more.
    const bool sticks = words(set).count("TT") > 0;
    for (const auto& s : set.solutions) {
      EXPECT_TRUE(!sticks || s.mode == "TT" || s.w.norm() > 1e-6) << seed << " " << s.mode;
    }
    // The line of forces, step by step.
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(p.W, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::VectorXd inverse = svd.singularValues().cwiseInverse();
    inverse(5) = 0;
    const Eigen::VectorXd r0 = -svd.matrixV() * inverse.asDiagonal() * svd.matrixU().transpose() * p.q;
    double deepest = -1e9;
    for (int k = -10000; k <= 10000; ++k) {
      const Eigen::VectorXd r = r0 + 0.004 * k * svd.matrixV().col(5);
      deepest =
          std::max(deepest, std::min(p.mu(0) * r(2) - r.head<2>().norm(), p.mu(1) * r(5) - r.segment<2>(3).norm()));
    }
    if (std::abs(deepest) > 0.02) {  // five steps
      EXPECT_EQ(sticks, deepest > 0) << seed << " " << deepest;
    }
  }
  EXPECT_GT(families, 30);
  EXPECT_EQ(families, unique_stick);
}

TEST(SpatialSolutions, OfABodyAreTheLimitsOfSlightlyYieldingContacts) {
  // With W + ε 1 in place of W no force is undetermined. Whatever its solutions tend to solves the rigid problem, and
  // their number is odd.
  int checked = 0;
  int in_families = 0;
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    Draws draws(seed);
    const Body b = body(draws, 2, seed % 2 == 0);
    Eigen::VectorXd push = normals(draws, 6);
    push(2) -= 1;
    const ContactProblem p =
        resting(b.W, b.J * push, Eigen::Vector2d(draws.uniform(0.1, 2.5), draws.uniform(0.1, 2.5)));
    const ContactSolutions set = spatial_solutions(p, {});
    expect_sound(p, set, std::to_string(seed));
    EXPECT_TRUE(set.complete) << seed << " " << set.incomplete_reason;
    ContactProblem yielding = p;
    yielding.W += 1e-8 * Eigen::MatrixXd::Identity(6, 6);
    const ContactSolutions limit = spatial_solutions(yielding, {});
    EXPECT_EQ(limit.solutions.size() % 2, 1U) << seed;
    for (const auto& s : limit.solutions) {
      if (s.r.norm() > 1e3) {
        continue;  // escapes to infinity
      }
      double nearest = 1e300;
      for (const auto& o : set.solutions) {
        Eigen::VectorXd apart = s.r - o.r;
        if (o.family.dimension > 0) {
          apart -= o.family.directions * (o.family.directions.transpose() * apart);
        }
        const double distance = std::max(apart.norm(), (s.w - o.w).norm());
        in_families += distance < 1e-4 && o.family.dimension > 0;
        nearest = std::min(nearest, distance);
      }
      EXPECT_LT(nearest, 1e-4 * (1 + s.r.norm())) << seed << " " << s.mode;  // ε times forces and condition
      ++checked;
    }
  }
  EXPECT_GT(checked, 280);
  EXPECT_GT(in_families, 20);
}

TEST(SpatialSolutions, OfABodyThatCannotTurnShareTheirLoad) {
  // Two feet of a body that only translates: the split of the load between them is not determined.
  Eigen::MatrixXd J(6, 3);
  J << Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Identity();
  const auto solve = [&](const Eigen::Vector3d& push, double mu1, double mu2) {
    return spatial_solutions(resting(J * J.transpose(), J * push, Eigen::Vector2d(mu1, mu2)), {});
  };
  const ContactSolutions slides = solve({0.8, 0.1, -1}, 0.5, 0.5);
  EXPECT_EQ(words(slides), (std::multiset<std::string>{"FS", "SF", "SS"}));
  EXPECT_EQ(slides.force_family_dimension(), 1);
  EXPECT_EQ(slides.motion_family_dimension(), 0);
  EXPECT_TRUE(slides.complete) << slides.incomplete_reason;
  const ContactSolutions differently = solve({0.8, 0.1, -1}, 0.5, 0.3);
  EXPECT_EQ(differently.motion_family_dimension(), 1) << "the split decides how fast it slides";
  const ContactSolutions sticks = solve({0.2, 0.1, -1}, 0.5, 0.5);
  EXPECT_EQ(words(sticks), (std::multiset<std::string>{"FT", "TF", "TT"}));
  EXPECT_EQ(sticks.force_family_dimension(), 3);
  const ContactSolutions lifts = solve({0.2, 0.1, 1}, 0.5, 0.5);
  EXPECT_EQ(words(lifts), (std::multiset<std::string>{"FF"}));
  EXPECT_TRUE(lifts.complete) << lifts.incomplete_reason;
}

TEST(SpatialSolutions, AtTheEdgeOfBothConesIsOnePoint) {
  Eigen::MatrixXd J(6, 6);
  for (const int i : {0, 1}) {
    const Eigen::Vector3d x(i == 0 ? -1 : 1, 0, -0.5);
    Eigen::Matrix3d cross;
    cross << 0, x.z(), -x.y(), -x.z(), 0, x.x(), x.y(), -x.x(), 0;
    J.middleRows(3 * i, 3) << Eigen::Matrix3d::Identity(), cross;
  }
  const auto solve = [&](double along) {
    Eigen::VectorXd push(6);
    push << along, 0, -1, 0, 0, 0;
    return spatial_solutions(resting(J * J.transpose(), J * push, Eigen::Vector2d(0.5, 0.5)), {});
  };
  const ContactSolutions edge = solve(0.5);
  ASSERT_EQ(words(edge), (std::multiset<std::string>{"TT"}));
  EXPECT_EQ(edge.solutions[0].family.dimension, 0) << "only one force holds it";
  EXPECT_LT(edge.solutions[0].residual, 1e-10);
  EXPECT_EQ(solve(0.4).force_family_dimension(), 1);
  EXPECT_EQ(words(solve(0.6)), (std::multiset<std::string>{"SS"}));
}

TEST(SpatialSolutions, StickOfABodyOnManyContactsIsDecidedByTheCones) {
  // A body on a level floor under its weight: every set of contacts around the centre of mass holds it; the forces of n
  // contacts have 3 n − 6 free numbers.
  for (const int count : {3, 4}) {
    Eigen::MatrixXd J(3 * count, 6);
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * pi * i / count + 0.2;
      const Eigen::Vector3d x(std::cos(angle), std::sin(angle), -0.3);
      Eigen::Matrix3d cross;
      cross << 0, x.z(), -x.y(), -x.z(), 0, x.x(), x.y(), -x.x(), 0;
      J.middleRows(3 * i, 3) << Eigen::Matrix3d::Identity(), cross;
    }
    Eigen::VectorXd push(6);
    push << 0.2, 0, -1, 0, 0, 0;
    for (const double mu : {0.5, 0.21, 0.19}) {
      const ContactProblem p = resting(J * J.transpose(), J * push, Eigen::VectorXd::Constant(count, mu));
      const ContactSolutions set = spatial_solutions(p, {});
      expect_sound(p, set, std::to_string(count));
      const std::string all(static_cast<std::size_t>(count), 'T');
      const auto stick =
          std::find_if(set.solutions.begin(), set.solutions.end(), [&](const auto& s) { return s.mode == all; });
      ASSERT_EQ(stick != set.solutions.end(), mu > 0.2) << count << " " << mu;
      EXPECT_FALSE(set.complete) << "three contacts may begin to slip";
      if (mu > 0.2) {
        EXPECT_EQ(stick->family.dimension, 3 * count - 6);
        EXPECT_EQ(stick->family.motion_dimension, 0);
      } else {
        const std::string slide(static_cast<std::size_t>(count), 'S');
        ASSERT_EQ(words(set).count(slide), 1U) << "it slides";
        // One load on count feet, with the three conditions of force and tilting moments.
        EXPECT_EQ(set.force_family_dimension(), count - 3);
      }
    }
  }
}

}  // namespace spatial_bodies_test
}  // namespace painleve
