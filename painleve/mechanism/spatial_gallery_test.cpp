// The rod and the arm in space: closed forms and published numbers.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "painleve/mechanism/mechanisms_for_tests.hpp"

namespace painleve {
namespace spatial_gallery_test {

using detail::expect_close;
using detail::Named;
using detail::setup_of;
using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::Vector4d;

constexpr double degree = std::numbers::pi / 180;
// A dozen roundings of numbers of order 1 to 10, behind a well-conditioned M⁻¹.
constexpr double rounding = 1e-13;

ContactSpace space_of(const Posed& posed) {
  const std::vector<Surface> surface(1);
  return contact_space(*posed.mechanism, posed.state, surface);
}

// W = ((1 + 1/κ) I − n nᵀ/κ)/m; the free tip accelerates by −l (θ̇² + ψ̇² cos² θ) n − g e_z.
TEST(Rod3d, MatchesItsClosedForm) {
  Draws draws(51);
  for (int i = 0; i < 100; ++i) {
    const double m = draws.uniform(0.5, 3), l = draws.uniform(0.3, 2), kappa = draws.uniform(0.05, 1),
                 g = draws.uniform(0, 10);
    const double theta = draws.uniform(0.1, 1.4), psi = draws.uniform(-3, 3), w = draws.uniform(-2, 2),
                 o = draws.uniform(-2, 2);
    const auto s =
        space_of(build(gallery_entry("rod-3d"),
                       setup_of({{"mass", m}, {"half_length", l}, {"gyration", l * std::sqrt(kappa)}, {"gravity", g}},
                                {{"theta", theta}, {"psi", psi}, {"theta_dot", w}, {"psi_dot", o}})));
    const Vector3d n(std::cos(theta) * std::cos(psi), std::cos(theta) * std::sin(psi), -std::sin(theta));
    const Matrix3d W = ((1 + 1 / kappa) * Matrix3d::Identity() - n * n.transpose() / kappa) / m;
    expect_close(s.W, W, rounding, "W");
    const double turning = w * w + o * o * std::cos(theta) * std::cos(theta);
    // tan θ multiplies the rounding of psi's acceleration
    expect_close(s.b, -l * turning * n - g * Vector3d::UnitZ(), 10 * rounding, "b");
    expect_close(s.u, Vector3d::Zero(), rounding, "u");
  }
}

TEST(Rod3d, MatchesPublishedSamples) {
  const auto s =
      space_of(build(gallery_entry("rod-3d"),
                     setup_of({{"gravity", 1}}, {{"theta", 1}, {"theta_dot", 0.4}, {"psi", 0.3}, {"psi_dot", 1.2}})));
  expect_close(s.b, Vector3d(-0.2995720857169604, -0.09266850548341711, -0.5116318849983417), rounding, "b");
  Matrix3d W;
  W << 3.200704020153863, -0.247251220733653, 1.3030275169718915,   //
      -0.247251220733653, 3.9235162346668506, 0.40307364523822453,  //
      1.3030275169718915, 0.40307364523822453, 1.8757797451792864;
  expect_close(s.W, W, rounding, "W");
  // Peiret's rod at 45°: H = diag(2.5, 4), h = (−1.5, 0), a = 2.5.
  const auto peiret =
      space_of(build(gallery_entry("rod-3d"), setup_of({}, {{"theta", 45 * degree}, {"psi", std::numbers::pi}})));
  W << 2.5, 0, -1.5, 0, 4, 0, -1.5, 0, 2.5;
  expect_close(peiret.W, W, rounding, "W at 45 degrees");
}

TEST(Rod3d, InItsVerticalPlaneIsTheRod) {
  auto setup = setup_of({{"slope", 0.2}}, {{"theta", 1.1}, {"theta_dot", 0.6}});
  setup.slip[""] = {0.3, 0};
  const auto space = space_of(build(gallery_entry("rod-3d"), setup));
  setup.slip[""] = {0.3};
  const auto plane = space_of(build(gallery_entry("rod"), setup));
  EXPECT_NEAR(space.W(0, 0), plane.W(0, 0), rounding);
  EXPECT_NEAR(space.W(0, 2), plane.W(0, 1), rounding);
  EXPECT_NEAR(space.W(2, 2), plane.W(1, 1), rounding);
  expect_close(Vector2d(space.b(0), space.b(2)), plane.b, rounding, "b");
  EXPECT_NEAR(space.u(0), 0.3, rounding);
}

// --- Peiret's arm --------------------------------------------------------------------------------------------------

// x = 0.34 with ẋ = −1 and φ̇ = 1: the state of Peiret et al. (45)-(49).
Posed arm(double density, double torque1, const std::string& elbow = "up") {
  auto setup =
      setup_of({{"density", density}}, {{"x", 0.34}, {"theta3", 101.75 * degree}, {"x_dot", -1}, {"phi_dot", 1}});
  setup.elbow = elbow;
  setup.forces["torque1"] = {Expression::constant(torque1)};
  return build(gallery_entry("articulated-arm"), setup);
}
double mu_jam(const ContactSpace& s) { return s.W(2, 2) / s.W.col(2).head<2>().norm(); }

TEST(ArticulatedArm, StandsInThePublishedPose) {
  const Posed posed = arm(2, 0);
  expect_close(posed.state.q.head<3>() / degree, Vector3d(2.504704816697695, 106.15974108082223, 101.75), rounding,
               "angles");
  const ContactSpace s = space_of(posed);
  expect_close(s.u, Vector3d(-0.34, -1, 0), rounding, "u_c");
  EXPECT_NEAR(mu_jam(s), 0.42078951342969323, rounding);
  EXPECT_NEAR(mu_jam(space_of(arm(2, 0, "down"))), 0.9249703899225108, rounding);
}

// δu_c/(λ_n dt) = W (−μ e_t, 1) at μ = 1/2, and δu_0/dt with the complete Coriolis terms.
TEST(ArticulatedArm, MatchesPublishedContactAccelerations) {
  struct Sample {
    double density, torque1;
    Vector3d b;
  };
  for (const auto& r : {Sample{1, 0, {0.3566154566183053, 0.21136205896987262, -9.780892724256177}},
                        {2, 0, {0.3566154566183053, 0.21136205896987262, -9.780892724256177}},
                        {1, -5, {0.3566154566183053, 1.4903810217379425, 3.208347404843335}},
                        {2, -5, {0.3566154566183053, 0.8508715403539077, -3.2862726597064205}},
                        {2, -10, {0.3566154566183053, 1.4903810217379425, 3.208347404843335}}}) {
    const ContactSpace s = space_of(arm(r.density, r.torque1));
    // M has the condition number 1e3.
    expect_close(s.b, r.b, 1e-12, "b");
    const Vector2d e = s.u.head<2>().normalized();
    const Vector3d slip = s.W * Vector3d(-e(0) / 2, -e(1) / 2, 1);
    expect_close(slip * r.density, Vector3d(0.1264974726290722, 8.31632819346997, -0.3117578278438244), 1e-12,
                 "W (-mu e, 1)");
  }
  const ContactSpace s = space_of(arm(1, -5));
  const Vector2d e = s.u.head<2>().normalized();
  EXPECT_NEAR(-s.b(2) / (s.W * Vector3d(-e(0) / 2, -e(1) / 2, 1))(2), 10.291152677810427, 1e-10);
}

// f = −c with gravity and torques off.
TEST(ArticulatedArm, MatchesPublishedCoriolisTerms) {
  Posed posed = arm(2, 0);
  auto setup = setup_of({});
  setup.parameters = posed.parameters;
  setup.parameters.set("gravity", 0);
  const auto weightless = gallery_entry("articulated-arm").make(setup, posed.state.q);
  expect_close(-weightless->dynamics(posed.state).f,
               Vector4d(-0.7044222647483, 0.18710359812579555, 0.0033891132348049893, -0.556663000212158), rounding,
               "c");
}

TEST(ArticulatedArm, HasTheCorrectedMassMatrix) {
  Draws draws(52);
  for (int i = 0; i < 30; ++i) {
    const double a = draws.uniform(0.2, 1), b = draws.uniform(0.2, 1), c = draws.uniform(0.1, 1),
                 rho = draws.uniform(0.5, 3);
    auto setup = setup_of(
        {{"length1", a}, {"length2", b}, {"length3", c}, {"density", rho}, {"height", 0.6}, {"gravity", 9.81}});
    const auto mechanism = gallery_entry("articulated-arm").make(setup, Vector4d::Zero());
    const State s = detail::drawn_state(*mechanism, draws);
    Matrix3d C;
    C << a * a * (a / 3 + b + c), a * b * (b / 2 + c), a * c * c / 2,  //
        a * b * (b / 2 + c), b * b * (b / 3 + c), b * c * c / 2,       //
        a * c * c / 2, b * c * c / 2, c * c * c / 3;
    Matrix3d M;
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) {
        M(j, k) = rho * C(j, k) * std::cos(s.q(j) - s.q(k));
      }
    }
    const auto full = mechanism->dynamics(s).M;
    expect_close(full.topLeftCorner<3, 3>(), M, rounding, "M");
    expect_close(full.topRightCorner<3, 1>(), Vector3d::Zero(), rounding, "phi is not coupled");
  }
  auto setup = setup_of(
      {{"length1", 0.5}, {"length2", 0.5}, {"length3", 0.1}, {"density", 2}, {"height", 0.6}, {"gravity", 9.81}});
  const auto mechanism = gallery_entry("articulated-arm").make(setup, Vector4d::Zero());
  const State rounded{Vector4d(2.5, 106.2, 101.8, 0) * degree, Vector4d::Zero(), 0};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(mechanism->dynamics(rounded).M);
  expect_close(eigen.eigenvalues(),
               Vector4d(0.0004780901389339577, 0.1268232291606277, 0.2939835639046623, 0.3900320140337717), rounding,
               "eigenvalues");
}

TEST(ArticulatedArm, HasThePublishedJammingFrictionOverTheWorkspace) {
  struct Sample {
    double x, theta3, mu;
  };
  for (const auto& r : {Sample{0.2, 30, 2.0109785166908707},
                        {0.3388, 60, 0.8488383269245585},
                        {0.4, 90, 4.790951460252504},
                        {0.6, 76.66, 0.4351878539998113},
                        {0.7852, 76.66, 0.4039117968522759},
                        {0.7852, 120, 0.9243293813288065},
                        {0.85, 60, 0.6265875155594768},
                        {0.5, 150, 2.111803605915545}}) {
    const auto posed =
        build(gallery_entry("articulated-arm"), setup_of({}, {{"x", r.x}, {"theta3", r.theta3 * degree}}));
    EXPECT_NEAR(mu_jam(space_of(posed)), r.mu, 1e-11 * r.mu);  // M has the condition number 1e3
  }
}

}  // namespace spatial_gallery_test
}  // namespace painleve
