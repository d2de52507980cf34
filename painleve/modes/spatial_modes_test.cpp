// One spatial contact through the mode table: slip, stick, the edge of the cone, pulling contacts, and the certificate.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/complementarity/slip_directions.hpp"
#include "painleve/modes/detail/drawn_contacts.hpp"
#include "painleve/modes/mode_table.hpp"

namespace painleve {
namespace spatial_modes_test {

constexpr double pi = std::numbers::pi;
const Eigen::Vector2d at_rest = Eigen::Vector2d::Zero();

Eigen::Matrix3d rod_45() {
  Eigen::Matrix3d W;
  W << 2.5, 0, -1.5, 0, 4, 0, -1.5, 0, 2.5;
  return W;
}

struct Drawn {
  Eigen::Matrix3d W;
  Eigen::Vector3d b;
  double mu;
};
Drawn drawn_spatial(Draws& draws) {
  Drawn d;
  d.W = drawn_gram(draws, 3, 3, 0.02);
  d.b = {2 * draws.normal(), 2 * draws.normal(), draws.normal()};
  d.mu = draws.uniform(0, 3);
  return d;
}

std::vector<const ModeEntry*> consistent(const ModeTable& table, const std::string& name) {
  std::vector<const ModeEntry*> list;
  for (const auto& entry : table.modes) {
    if (entry.consistent && entry.name == name) {
      list.push_back(&entry);
    }
  }
  return list;
}

TEST(SpatialSlip, IsThePlanarProblemInThePlaneOfSlip) {
  Draws draws(1);
  for (int k = 0; k < 5000; ++k) {
    const PlanarContact c = drawn_planar(draws, 1);
    const Eigen::Matrix2d turn = Eigen::Rotation2Dd(draws.uniform(0, 2 * pi)).toRotationMatrix();
    // Coupling in the plane of slip only.
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    R.topLeftCorner<2, 2>() = turn;
    Eigen::Matrix3d W;
    W << c.W_tt, 0, c.W_tn, 0, draws.uniform(0.1, 3), 0, c.W_tn, 0, c.W_nn;
    const ModeTable table = mode_table(one_contact(R * W * R.transpose(), R * Eigen::Vector3d(c.b_t, 0, c.b_n),
                                                   turn * Eigen::Vector2d(c.u_t, 0), c.mu),
                                       {});
    const PlanarModes planar = planar_modes(c);
    const bool slips = planar.consistent & mode_S_plus;
    EXPECT_EQ(!consistent(table, "F").empty(), (planar.consistent & mode_F) != 0) << k;
    ASSERT_EQ(consistent(table, "S").size(), slips ? 1U : 0U) << k;
    EXPECT_EQ(table.jam, planar.p_plus <= 0) << k;
    const bool necessary = planar.p_plus < 0;
    ASSERT_EQ(table.iwc.size(), 1U);
    EXPECT_EQ(table.iwc[0].possible, necessary) << k;
    if (slips) {
      const ModeEntry& s = *consistent(table, "S")[0];
      const double scale = 1 + std::abs(planar.slip_plus.lambda_n);
      EXPECT_NEAR((*s.lambda)(2), planar.slip_plus.lambda_n, 1e-9 * scale * scale) << k;  // p down to 1e-5
      EXPECT_LT((s.lambda->head<2>() - turn * Eigen::Vector2d(planar.slip_plus.lambda_t, 0)).norm(),
                1e-8 * scale * scale)
          << k;
      EXPECT_LT(s.residual, 1e-12) << k;
      EXPECT_EQ(s.stability.verdict, planar.p_plus > 0 ? "stable" : "unstable") << k;
    }
  }
}

TEST(SpatialRest, HasEveryModeOfThePlanarProblemWithinIt) {
  Draws draws(2);
  int turned = 0;
  for (int k = 0; k < 3000; ++k) {
    const PlanarContact c = drawn_planar(draws, 0);
    Eigen::Matrix3d W;
    W << c.W_tt, 0, c.W_tn, 0, draws.uniform(0.1, 3), 0, c.W_tn, 0, c.W_nn;
    const ModeTable table = mode_table(one_contact(W, Eigen::Vector3d(c.b_t, 0, c.b_n), at_rest, c.mu), {});
    const PlanarModes planar = planar_modes(c);
    EXPECT_EQ(!consistent(table, "F").empty(), (planar.consistent & mode_F) != 0) << k;
    EXPECT_EQ(!consistent(table, "T").empty(), (planar.consistent & mode_T) != 0) << k;
    for (const double side : {1.0, -1.0}) {
      const bool wanted = planar.consistent & (side > 0 ? mode_S_plus : mode_S_minus);
      const auto slips = consistent(table, "S");
      const auto found = std::count_if(slips.begin(), slips.end(), [&](const ModeEntry* s) {
        return (s->contacts[0].direction - Eigen::Vector2d(side, 0)).norm() < 1e-9;
      });
      EXPECT_EQ(found, wanted ? 1 : 0) << k;
    }
    turned += consistent(table, "S").size() >
              static_cast<std::size_t>(__builtin_popcount(planar.consistent & (mode_S_plus | mode_S_minus)));
  }
  EXPECT_EQ(turned, 0) << "across the plane nothing but friction acts, and that is against the slip";
}

TEST(SpatialRest, EveryAnswerIsCertifiedAndCounted) {
  Draws draws(3);
  int indeterminate = 0;
  for (int k = 0; k < 5000; ++k) {
    const Drawn d = drawn_spatial(draws);
    const ModeTable table = mode_table(one_contact(d.W, d.b, at_rest, d.mu), {});
    int motions = 0;
    for (const auto& entry : table.modes) {
      EXPECT_EQ(entry.consistent, entry.reason.empty()) << k << " " << entry.name;
      if (entry.consistent) {
        EXPECT_LT(entry.residual, 1e-12) << k << " " << entry.name;
        ++motions;
      }
    }
    // Stick by a solve of its own.
    const Eigen::Vector3d lambda = -d.W.fullPivLu().solve(d.b);
    const double margin = d.mu * lambda.z() - lambda.head<2>().norm();
    if (std::abs(margin) > 1e-9) {
      EXPECT_EQ(!consistent(table, "T").empty(), lambda.z() > 0 && margin > 0) << k;
    }
    const SlipDirections slips = slip_directions(spatial_contact(one_contact(d.W, d.b, at_rest, d.mu), 0));
    EXPECT_EQ(consistent(table, "S").size(), slips.consistent.size()) << k;
    // Each slip is listed once; where there is none, one entry says so.
    const auto listed =
        std::count_if(table.modes.begin(), table.modes.end(), [](const auto& e) { return e.name == "S"; });
    EXPECT_EQ(listed, std::max<std::ptrdiff_t>(std::ssize(slips.consistent), 1)) << k;
    EXPECT_EQ(table.verdict, motions == 0 ? "inconsistent" : (motions == 1 ? "unique" : "indeterminate")) << k;
    indeterminate += motions > 1;
  }
  EXPECT_GT(indeterminate, 100);
}

TEST(SpatialRest, TurningTheFrameAboutTheNormalTurnsTheAnswer) {
  Draws draws(4);
  for (int k = 0; k < 2000; ++k) {
    const Drawn d = drawn_spatial(draws);
    const Eigen::Matrix3d R = Eigen::AngleAxisd(draws.uniform(0, 2 * pi), Eigen::Vector3d::UnitZ()).toRotationMatrix();
    const ModeTable here = mode_table(one_contact(d.W, d.b, at_rest, d.mu), {});
    const ModeTable there = mode_table(one_contact(R * d.W * R.transpose(), R * d.b, at_rest, d.mu), {});
    EXPECT_EQ(here.verdict, there.verdict) << k;
    ASSERT_EQ(here.consistent_modes().size(), there.consistent_modes().size()) << k;
    for (const auto& entry : here.modes) {
      if (!entry.consistent) {
        continue;
      }
      const Eigen::VectorXd turned = R * *entry.lambda;
      const auto twins = consistent(there, entry.name);
      const bool found = std::any_of(twins.begin(), twins.end(), [&](const ModeEntry* o) {
        return (*o->lambda - turned).norm() < 1e-6 * (1e-3 + turned.norm());  // close pairs of directions lose digits
      });
      EXPECT_TRUE(found) << k << " " << entry.name;
    }
  }
}

TEST(SpatialRest, TheEdgeOfTheConeBelongsToStick) {
  Draws draws(5);
  for (int k = 0; k < 3000; ++k) {
    const Drawn d = drawn_spatial(draws);
    const double mu = k % 5 == 0 ? 0 : d.mu;  // without friction the cone is all edge
    const double angle = draws.uniform(0, 2 * pi);
    const Eigen::Vector3d lambda(mu * std::cos(angle), mu * std::sin(angle), 1);
    const ModeTable table = mode_table(one_contact(d.W, -d.W * lambda, at_rest, mu), {});
    ASSERT_EQ(consistent(table, "T").size(), 1U) << k;
    EXPECT_LT(consistent(table, "T")[0]->residual, 1e-12) << k;
    for (const auto* slip : consistent(table, "S")) {  // others may exist, the same force as a slip may not
      EXPECT_GT((*slip->lambda - lambda).norm(), 1e-9) << k;
    }
    const Eigen::Vector3d outside(1.001 * lambda.x() + (mu == 0 ? 0.001 : 0), 1.001 * lambda.y(), 1);
    EXPECT_TRUE(consistent(mode_table(one_contact(d.W, -d.W * outside, at_rest, mu), {}), "T").empty()) << k;
  }
}

TEST(SpatialRest, WithoutLoadItIsFreeAtTheBoundary) {
  const ModeTable table = mode_table(one_contact(rod_45(), {1, 0.3, 0}, at_rest, 0.5), {});
  EXPECT_EQ(joined(names_of_consistent(table.modes)), "F");
  EXPECT_TRUE(table.modes[0].boundary);
  EXPECT_EQ(table.verdict, "unique");
}

TEST(SpatialSlip, PZeroFollowsTheSameDefinitionsAsInThePlane) {
  const Eigen::Vector2d jam(-2, 0);
  const auto with = [&](double b_n) { return mode_table(one_contact(rod_45(), {1, 0, b_n}, jam, 5.0 / 3), {}); };
  EXPECT_EQ(joined(names_of_consistent(with(1).modes)), "F");
  EXPECT_EQ(with(-1).verdict, "inconsistent");
  EXPECT_TRUE(with(-1).jam);
  const ModeTable ray = with(0);
  ASSERT_EQ(consistent(ray, "S").size(), 1U);
  EXPECT_TRUE(consistent(ray, "F")[0]->boundary);
  EXPECT_EQ(ray.force_family_dimension, 1);
  EXPECT_EQ(ray.motion_family_dimension, 1);
  EXPECT_EQ(ray.verdict, "indeterminate");
  EXPECT_LT(consistent(ray, "S")[0]->residual, 1e-15);
  // At rest: a segment of slips along the jamming direction, ended by stick on the edge of the cone.
  const ModeTable rest = mode_table(one_contact(rod_45(), {-1, 0, 0}, at_rest, 5.0 / 3), {});
  EXPECT_EQ(joined(names_of_consistent(rest.modes)), "F S T");
  EXPECT_EQ(rest.force_family_dimension, 1);
  EXPECT_EQ(rest.verdict, "indeterminate");
}

// Slip from rest without normal load, in a direction in which p = 0: the force is the one that accelerates the contact
// along its slip. States are made from their solutions, in directions that no digit of p helps to find.
TEST(SpatialRest, PZeroIsHeldByTheForceThatBeginsTheSlip) {
  Draws draws(31);
  int found = 0;
  for (int i = 0; i < 40; ++i) {
    const Drawn d = drawn_spatial(draws);
    const Eigen::Vector2d W_tn = d.W.block<2, 1>(0, 2);
    const double mu = 1.2 * d.W(2, 2) / W_tn.norm();
    for (const double side : {1.0, -1.0}) {
      const Eigen::Vector2d e =
          Eigen::Rotation2Dd(side * std::acos(d.W(2, 2) / (mu * W_tn.norm()))) * W_tn.normalized();  // p(e) = 0
      const Eigen::Vector3d lambda = draws.uniform(0.5, 2) * Eigen::Vector3d(-mu * e.x(), -mu * e.y(), 1);
      Eigen::Vector3d b = -d.W * lambda;
      b.head<2>() += draws.uniform(0.5, 2) * e;
      b.z() = 0;
      const ModeTable table = mode_table(one_contact(d.W, b, at_rest, mu), {});
      EXPECT_TRUE(table.complete) << i;
      double nearest = 1;
      for (const ModeEntry* slip : consistent(table, "S")) {
        EXPECT_LT(slip->residual, 1e-9) << i;
        nearest = std::min(nearest, (*slip->lambda - lambda).norm() / lambda.norm());
      }
      EXPECT_LT(nearest, 1e-9) << i << " " << side;
      found += nearest < 1e-9 ? 1 : 0;
    }
  }
  EXPECT_GE(found, 80);
}

TEST(SpatialSlip, FrictionCasesOfTheRod) {
  // Sliding along e_jam, pushed into the floor or pulled from it.
  const Eigen::Vector2d u(-1, 0);
  const auto table = [&](double mu, double b_n) { return mode_table(one_contact(rod_45(), {0, 0, b_n}, u, mu), {}); };
  EXPECT_NEAR((*consistent(table(1, -1), "S").at(0)->lambda)(2), 1, 1e-15);
  EXPECT_EQ(joined(names_of_consistent(table(1, 1).modes)), "F");
  EXPECT_EQ(table(2, -1).verdict, "inconsistent");
  EXPECT_EQ(table(2, -1).continuations, std::vector<std::string>{"I"});
  EXPECT_EQ(joined(names_of_consistent(table(2, 1).modes)), "F S");
  EXPECT_NEAR((*consistent(table(2, 1), "S").at(0)->lambda)(2), 2, 1e-14);
  EXPECT_EQ(table(2, 1).continuations, (std::vector<std::string>{"F", "I"}));
}

TEST(SpatialBilateral, PullsAsWellAsItPushes) {
  Draws draws(6);
  for (int k = 0; k < 3000; ++k) {
    const Drawn d = drawn_spatial(draws);
    const bool slides = k % 2 == 0;
    const Eigen::Vector2d u = slides ? Eigen::Vector2d(draws.normal(), draws.normal()) : at_rest;
    ContactSpace s = one_contact(d.W, d.b, u, d.mu);
    s.bilateral[0] = true;
    const ModeTable table = mode_table(s, {});
    std::size_t slips = 0;
    for (const int sense : {1, -1}) {
      if (slides) {
        const double p = d.W(2, 2) - sense * d.mu * d.W.topRightCorner<2, 1>().dot(u.normalized());
        slips += sense * -d.b.z() / p > 0;
      } else {
        slips += slip_directions(spatial_contact(s, 0), sense).consistent.size();
      }
    }
    EXPECT_EQ(consistent(table, "S").size(), slips) << k;
    const Eigen::Vector3d lambda = -d.W.fullPivLu().solve(d.b);
    const double margin = d.mu * std::abs(lambda.z()) - lambda.head<2>().norm();
    if (std::abs(margin) > 1e-9) {
      EXPECT_EQ(consistent(table, "T").size(), !slides && margin > 0 ? 1U : 0U) << k;
    }
    EXPECT_TRUE(consistent(table, "F").empty()) << k;
    for (const auto& entry : table.modes) {
      EXPECT_LT(entry.residual, 1e-12) << k;
    }
  }
}

TEST(SpatialBilateral, WithoutLoadItBeginsToSlideFreely) {
  ContactSpace s = one_contact(rod_45(), {1, 0.3, 0}, at_rest, 0.5);
  s.bilateral[0] = true;
  const ModeTable table = mode_table(s, {});
  EXPECT_EQ(table.verdict, "unique");
  ASSERT_EQ(consistent(table, "S").size(), 1U);
  EXPECT_EQ(consistent(table, "S")[0]->lambda->norm(), 0);
  EXPECT_EQ(*consistent(table, "S")[0]->a, Eigen::Vector3d(1, 0.3, 0));
}

TEST(SpatialSeparating, IsFreeWhateverItsAcceleration) {
  ContactSpace s = one_contact(rod_45(), {0, 0, -9.81}, at_rest, 0.5);
  s.u(2) = 0.1;
  EXPECT_EQ(joined(names_of_consistent(mode_table(s, {}).modes)), "F");
  EXPECT_EQ(mode_table(s, {}).verdict, "unique");
}

TEST(Certificate, DetectsWrongAnswers) {
  Draws draws(7);
  int tried = 0;
  for (int k = 0; k < 2000; ++k) {
    const Drawn d = drawn_spatial(draws);
    const Eigen::Vector2d u = k % 2 == 0 ? Eigen::Vector2d(draws.normal(), draws.normal()) : at_rest;
    const ContactSpace s = one_contact(d.W, d.b, u, d.mu);
    const ModeTable table = mode_table(s, {});
    for (const auto& entry : table.modes) {
      if (!entry.consistent || entry.name != "S" || d.mu < 0.1) {
        continue;
      }
      const Eigen::VectorXd lambda = *entry.lambda;
      const double good = law_residual(acceleration_problem(s, {}).problem, lambda, *entry.a);
      EXPECT_LT(good, 1e-12) << k;
      EXPECT_EQ(good, entry.residual) << k;
      const auto residual = [&](const Eigen::VectorXd& force) {
        return law_residual(acceleration_problem(s, {}).problem, force, d.W * force + d.b);
      };
      Eigen::VectorXd larger = lambda;
      larger(2) *= 1 + 1e-6;
      EXPECT_GT(residual(larger), 1e-10) << k;
      EXPECT_GT(residual(-lambda), 1e-3) << k << ": pulls";
      Eigen::VectorXd forward = lambda;
      forward.head<2>() *= -1;
      // Twice μ λ_n, relative to the load, which may be a thousand times larger than the force.
      EXPECT_GT(residual(forward), 1e-4) << k << ": friction along the slip";
      EXPECT_GT(residual(Eigen::VectorXd::Zero(3)), d.b.z() < 0 ? 1e-9 : -1) << k << ": sinks in";
      Eigen::VectorXd a = *entry.a;
      a(0) += 1e-6 * (1 + a.norm());
      EXPECT_GT(law_residual(acceleration_problem(s, {}).problem, lambda, a), 1e-10) << k << ": not W lambda + b";
      ++tried;
    }
  }
  EXPECT_GT(tried, 300);
}

TEST(Certificate, KnowsRestBilateralAndSeparatingContacts) {
  const Eigen::Matrix2d W = Eigen::Matrix2d::Identity();
  const auto residual = [&](Eigen::Vector2d b, Eigen::Vector2d u, Eigen::Vector2d lambda, bool bilateral) {
    ContactSpace s = closed_contacts(2, W, b, u, Eigen::VectorXd::Constant(1, 0.5));
    s.bilateral[0] = bilateral;
    return law_residual(acceleration_problem(s, {}).problem, lambda, W * lambda + b);
  };
  EXPECT_EQ(residual({0.4, -1}, {0, 0}, {-0.4, 1}, false), 0) << "sticks within the cone";
  EXPECT_GT(residual({0.6, -1}, {0, 0}, {-0.6, 1}, false), 0.05) << "sticks beyond the cone";
  EXPECT_LT(residual({0.6, -1}, {0, 0}, {-0.5, 1}, false), 1e-15) << "slips, friction against the acceleration";
  EXPECT_GT(residual({0.6, -1}, {0, 0}, {-0.3, 1}, false), 0.1) << "slips with too little friction";
  EXPECT_GT(residual({0, 1}, {0, 0}, {0, -1}, false), 0.5) << "pulls";
  EXPECT_EQ(residual({0, 1}, {0, 0}, {0, -1}, true), 0) << "a guide may";
  EXPECT_GT(residual({0, 1}, {0, 0}, {0, 0}, true), 0.5) << "a guide may not open";
  EXPECT_EQ(residual({0, -1}, {0, 1}, {0, 0}, false), 0) << "separating: free";
  EXPECT_GT(residual({0, -1}, {0, 1}, {0, 1}, false), 0.5) << "separating: no force";
  EXPECT_EQ(residual({0, -1}, {2, 0}, {-0.5, 1}, false), 0) << "slides";
  EXPECT_GT(residual({0, -1}, {-2, 0}, {-0.5, 1}, false), 0.5) << "slides the other way";
}

}  // namespace spatial_modes_test
}  // namespace painleve
