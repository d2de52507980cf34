// Closed forms and published numbers of the gallery's mechanisms. Reference values carry 16 digits.
#include "painleve/mechanism/gallery.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/mechanism/mechanisms_for_tests.hpp"

namespace painleve {
namespace gallery_test {

using detail::expect_close;
using detail::Named;
using detail::setup_of;
using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;

constexpr double degree = std::numbers::pi / 180;
// A dozen roundings of numbers of order 1 to 10, behind a well-conditioned M⁻¹.
constexpr double rounding = 1e-13;

ContactSpace space_of(const Posed& posed, double mu = 0.5) {
  std::vector<Surface> surfaces;
  for (const auto& contact : posed.contacts) {
    surfaces.push_back({mu, contact.bilateral});
  }
  return contact_space(*posed.mechanism, posed.state, surfaces);
}
ContactSpace space_of(const std::string& name, const Named& parameters, const Named& given) {
  return space_of(build(gallery_entry(name), setup_of(parameters, given)));
}
PlanarContact contact_of(const std::string& name, const Named& parameters, const Named& given) {
  return planar_contact(space_of(name, parameters, given), 0);
}
// The friction beyond which p = W_nn − μ |W_tn| is negative for slip in the worse direction.
double mu_jam(const PlanarContact& c) { return c.W_nn / std::abs(c.W_tn); }

// Smallest value of f on [a, b] by golden sections; f has one minimum there.
template <class F>
double smallest(const F& f, double a, double b) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  for (int i = 0; i < 80; ++i) {
    const double left = b - ratio * (b - a);
    const double right = a + ratio * (b - a);
    (f(left) < f(right) ? b : a) = f(left) < f(right) ? right : left;
  }
  return f((a + b) / 2);
}

// --- rod and its relatives -----------------------------------------------------------------------------------------

struct RodSample {
  double theta, omega, mu;
  double a, b, A, B, C, p_plus, p_minus, k_plus, k_minus, K;
};
constexpr RodSample rod_samples[] = {
    {0.5, 0.3, 0.4, -0.07898243057013354, -0.9568517015256217, 1.6895465411977906, 1.2622064772118449, 3.31045345880221,
     2.805570867917472, 3.8153360496869477, -0.5863878607327286, 1.938025093690961, 2.3674991498986655},
    {1.0, 0.8, 1.5, -0.34579347575560954, -0.4614585697229461, 3.124220254820713, 1.3639461402385225,
     1.8757797451792866, -0.1701394651784971, 3.92169895553707, 3.3223842419925473, 6.050276522469592,
     1.280319463337435},
    {1.2, 1.0, 1.8, -0.3623577544766736, -0.06796091403277371, 3.6060905733118678, 1.0131947708267264,
     1.3939094266881318, -0.4298411607999757, 3.2176600141762393, 5.477768261134636, 7.504157802788089,
     1.109234479467431}};

TEST(Rod, MatchesPublishedSamples) {
  for (const auto& r : rod_samples) {
    const auto c = contact_of("rod", {{"gravity", 1}}, {{"theta", r.theta}, {"theta_dot", r.omega}});
    EXPECT_NEAR(c.b_t, r.a, rounding);
    EXPECT_NEAR(c.b_n, r.b, rounding);
    EXPECT_NEAR(c.W_tt, r.A, rounding);
    EXPECT_NEAR(c.W_tn, r.B, rounding);
    EXPECT_NEAR(c.W_nn, r.C, rounding);
    EXPECT_NEAR(c.W_nn - r.mu * c.W_tn, r.p_plus, rounding);
    EXPECT_NEAR(c.W_nn + r.mu * c.W_tn, r.p_minus, rounding);
    EXPECT_NEAR(r.mu * c.W_tt - c.W_tn, r.k_plus, rounding);
    EXPECT_NEAR(r.mu * c.W_tt + c.W_tn, r.k_minus, rounding);
    EXPECT_NEAR(c.W_nn - c.W_tn * c.W_tn / c.W_tt, r.K, rounding);
    EXPECT_NEAR(c.W_tt * c.W_nn - c.W_tn * c.W_tn, 4, rounding);  // 1 + 1/κ
    EXPECT_NEAR(c.u_t, 1, rounding);
  }
}

// W_tt = (1 + sin²/κ)/m, W_tn = sin cos/(κ m), W_nn = (1 + cos²/κ)/m; μ_P = κ tan θ + (κ + 1)/tan θ. On a slope gravity
// turns.
TEST(Rod, MatchesItsClosedForm) {
  Draws draws(41);
  for (int i = 0; i < 100; ++i) {
    const double m = draws.uniform(0.5, 3), l = draws.uniform(0.3, 2), kappa = draws.uniform(0.05, 1);
    const double g = draws.uniform(0, 10), slope = draws.uniform(-0.5, 0.5);
    const double theta = draws.uniform(0.1, 1.5), w = draws.uniform(-2, 2);
    const auto c = contact_of(
        "rod", {{"mass", m}, {"half_length", l}, {"gyration", l * std::sqrt(kappa)}, {"gravity", g}, {"slope", slope}},
        {{"theta", theta}, {"theta_dot", w}});
    const double sn = std::sin(theta), cs = std::cos(theta), tn = std::tan(theta);
    const double scale = rounding / kappa;
    EXPECT_NEAR(m * c.W_tt, 1 + sn * sn / kappa, scale);
    EXPECT_NEAR(m * c.W_tn, sn * cs / kappa, scale);
    EXPECT_NEAR(m * c.W_nn, 1 + cs * cs / kappa, scale);
    EXPECT_NEAR(c.b_t, g * std::sin(slope) - l * w * w * cs, 10 * rounding);
    EXPECT_NEAR(c.b_n, -g * std::cos(slope) + l * w * w * sn, 10 * rounding);
    EXPECT_NEAR(mu_jam(c), kappa * tn + (kappa + 1) / tn, 1e-11);
  }
}

TEST(Rod, HasItsSmallestJammingFrictionAtThePublishedAngle) {
  for (const auto& [kappa, expected] :
       {std::pair{1.0 / 3, 4.0 / 3}, {0.01, 0.2009975124224178}, {0.1, 0.66332495807108}}) {
    const double gyration = std::sqrt(kappa);
    const auto mu = [&](double theta) {
      return mu_jam(contact_of("rod", {{"gyration", gyration}}, {{"theta", theta}}));
    };
    EXPECT_NEAR(smallest(mu, 0.2, 1.55), expected, 1e-12);
    EXPECT_NEAR(mu(std::atan(std::sqrt((kappa + 1) / kappa))), expected, 1e-12);
  }
}

// Preclik & Rüde: A = 7/4 − 9√3/8, b_n = −1 in case N and 3/2 in case M; theta = 120°, slip to the left.
TEST(Rod, MatchesPreclikAndRuede) {
  for (const auto& [torque, b_n] : {std::pair{0.0, -1.0}, {5.0 / 3, 1.5}}) {
    auto setup = setup_of({{"gravity", 1}}, {{"theta", 120 * degree}});
    setup.slip[""] = {-1};
    setup.forces["torque"] = {Expression::constant(torque)};
    const auto c = planar_contact(space_of(build(gallery_entry("rod"), setup)), 0);
    EXPECT_NEAR(c.W_nn + 1.5 * c.W_tn, 7.0 / 4 - 9 * std::sqrt(3.0) / 8, rounding);
    EXPECT_NEAR(c.b_n, b_n, rounding);
    EXPECT_NEAR(c.u_t, -1, rounding);
  }
}

TEST(Block, IsARodOfOneThirdForEveryAspectRatio) {
  for (const auto& [w, h] : {std::pair{1.0, 1.0}, {1.0, 0.5}, {2.0, 0.1}, {0.2, 3.0}}) {
    for (const double theta : {0.4, 1.0, 1.4}) {
      auto setup = setup_of({{"width", w}, {"height", h}, {"mass", 2}}, {{"theta", theta}, {"theta_dot", 0.7}});
      setup.contacts["corner"].closed = false;  // another corner may be lower at this angle
      setup.given.set("y", 10);
      const auto c = planar_contact(space_of(build(gallery_entry("block"), setup)), 0);
      const auto rod = contact_of("rod", {{"mass", 2}, {"half_length", std::hypot(w, h) / 2}, {"slope", 0.2}},
                                  {{"theta", theta}, {"theta_dot", 0.7}});
      expect_close(Vector3d(c.W_tt, c.W_tn, c.W_nn), Vector3d(rod.W_tt, rod.W_tn, rod.W_nn), rounding, "W");
      expect_close(Vector2d(c.b_t, c.b_n), Vector2d(rod.b_t, rod.b_n), rounding, "b");
    }
  }
}

TEST(Block, StandsOnItsWidthBetweenBothCorners) {
  const double flat = std::atan2(0.5, 1.0);
  const auto s = space_of("block", {}, {{"theta", flat}});
  expect_close(s.gap, Vector2d(0, 0), rounding, "gap");
  const auto posed = build(gallery_entry("block"), setup_of({}, {{"theta", flat}}));
  EXPECT_NEAR(posed.state.q(1), 0.25, rounding);  // half the height
  // The next corner clockwise lies to the left: turning clockwise presses it down.
  EXPECT_NEAR(posed.mechanism->dynamics(posed.state).J(3, 2), 0.5, rounding);
}

TEST(RimlessWheel, InSingleStanceIsARod) {
  for (const double theta : {75.0, 90.0, 105.0}) {
    const double k = 0.5;
    const auto wheel =
        contact_of("rimless-wheel", {{"gyration", k}, {"slope", 0.3}}, {{"theta", theta * degree}, {"theta_dot", 0.4}});
    const auto rod =
        contact_of("rod", {{"gyration", k}, {"slope", 0.3}}, {{"theta", theta * degree}, {"theta_dot", 0.4}});
    expect_close(Vector3d(wheel.W_tt, wheel.W_tn, wheel.W_nn), Vector3d(rod.W_tt, rod.W_tn, rod.W_nn), rounding, "W");
    expect_close(Vector3d(wheel.b_t, wheel.b_n, wheel.u_t), Vector3d(rod.b_t, rod.b_n, rod.u_t), rounding, "b, u");
  }
}

struct WheelSample {
  double legs, kappa, mu;
};
TEST(RimlessWheel, HasThePublishedSmallestJammingFrictions) {
  for (const auto& w : {WheelSample{6, 0.1, 0.6633249580710799},
                        {8, 0.1, 0.6633249580710799},
                        {8, 0.25, 1.1213203490434616},
                        {12, 0.1, 0.6679491996936731}}) {
    const double lean = std::numbers::pi / w.legs;
    const auto mu = [&](double theta) {
      return mu_jam(
          contact_of("rimless-wheel", {{"legs", w.legs}, {"gyration", std::sqrt(w.kappa)}}, {{"theta", theta}}));
    };
    // Where the smallest value lies at the exchange of legs, the published search ended 2e-8 rad inside.
    EXPECT_NEAR(smallest(mu, std::numbers::pi / 2 - lean, std::numbers::pi / 2 - 0.01), w.mu, 1e-8);
  }
}

TEST(RimlessWheel, SecondLegLandsDownslope) {
  const auto posed = build(gallery_entry("rimless-wheel"), setup_of({}, {{"theta", 112.5 * degree}}));
  const Dynamics d = posed.mechanism->dynamics(posed.state);
  EXPECT_NEAR(d.gap(1), 0, rounding);                          // both legs stand at the exchange
  EXPECT_NEAR(d.J(3, 2), -std::cos(67.5 * degree), rounding);  // leg2 lies ahead: turning clockwise lowers it
  EXPECT_EQ(posed.mechanism->contacts().size(), 8U);
}

// --- linkages ------------------------------------------------------------------------------------------------------

TEST(ImpactOscillator, MatchesItsClosedFormAndSample) {
  Draws draws(42);
  for (int i = 0; i < 50; ++i) {
    const double m1 = draws.uniform(0.2, 3), m2 = draws.uniform(0.2, 3), l = draws.uniform(0.3, 2),
                 beta = draws.uniform(0.1, 1.4);
    const Named parameters = {{"mass_tip", m1}, {"mass_body", m2}, {"length", l}};
    const auto posed = build(gallery_entry("impact-oscillator"), setup_of(parameters, {{"beta", beta}}));
    Matrix2d M;
    M << m1 + m2, m1 * l * std::sin(beta), m1 * l * std::sin(beta), m1 * l * l;
    expect_close(posed.mechanism->dynamics(posed.state).M, M, rounding, "M");
    const double tn = std::tan(beta);
    EXPECT_NEAR(mu_jam(planar_contact(space_of(posed), 0)), tn + m1 / m2 / tn, 1e-11);
  }
  const auto c = contact_of("impact-oscillator", {{"mass_body", 3}}, {{"beta", 0.6}});
  EXPECT_NEAR(c.W_tt, 0.7401747102812513, rounding);
  EXPECT_NEAR(c.W_tn, 0.379785572930289, rounding);
  EXPECT_NEAR(c.W_nn, 0.4448689672890617, rounding);
  EXPECT_NEAR(mu_jam(c), 1.1713687907010597, rounding);
}

struct TwoLinkSample {
  double height;
  const char* elbow;
  double mu, theta1, theta2;
};
constexpr TwoLinkSample two_link_samples[] = {
    {1.5, "out", 0.6112415456889039, 0.891942729912012, 0.5113211296375569},
    {1.5, "back", 1.303816370301743, 0.9517520438316239, -0.4033712337465738},
    {1.0, "out", 0.9753051475300587, 1.3429088429837803, 0.6855359265079154},
    {1.0, "back", 1.2332760627883548, 1.4282230423900752, -0.539609778838136},
    {0.5, "out", 1.322302781652561, 1.9149643510129788, 0.5782624453316618},
    {0.5, "back", 0.8480202113680726, 1.951486668421618, -0.5124181387637861},
    {0.01, "out", 0.25159101682158147, 2.998392326734651, 0.021710218605091633},
    {0.01, "back", 0.10813753664492062, 2.9749624111694875, -0.08778610755178744}};

TEST(TwoLink, MatchesPublishedJammingFrictionsOnBothBranches) {
  for (const auto& s : two_link_samples) {
    auto setup = setup_of({{"height", s.height}}, {{"theta1", s.theta1}});
    setup.elbow = s.elbow;
    const auto posed = build(gallery_entry("two-link"), setup);
    EXPECT_NEAR(posed.state.q(1), s.theta2, 1e-12 / std::abs(s.theta2));  // acos near 1 loses digits
    EXPECT_NEAR(mu_jam(planar_contact(space_of(posed), 0)), s.mu, 1e-10);
    const double d = std::cos(s.theta1 - posed.state.q(1)) / 2;
    Matrix2d M;
    M << 1.0 / 3 + 1, d, d, 1.0 / 3;
    expect_close(posed.mechanism->dynamics(posed.state).M, M, rounding, "M");
  }
}

TEST(PendulumOnSlider, HasTheCorrectedSmallestJammingFriction) {
  struct Sample {
    double m1, m2, r, rho, mu;
  };
  for (const auto& s : {Sample{1, 1, 1, 0.5773502691896258, 4.216370213557839},
                        {0.5, 2, 0.3, 0.1, 1.4698618394803282},
                        {1e-12, 1, 1, 0.5773502691896258, 1.3333333333366675},
                        {0.2, 1, 1, 0.3, 1.2694313687631955}}) {
    const auto mu = [&](double theta) {
      const Named parameters = {{"mass_slider", s.m1}, {"mass_pendulum", s.m2}, {"distance", s.r}, {"gyration", s.rho}};
      return mu_jam(contact_of("pendulum-on-slider", parameters, {{"theta", theta}}));
    };
    const double Q = (1 + s.m1 / s.m2) * (1 + s.rho * s.rho / (s.r * s.r));
    EXPECT_NEAR(s.mu, 2 * std::sqrt(Q * (Q - 1)), 1e-11);
    EXPECT_NEAR(smallest(mu, 0.05, 1.5), s.mu, 1e-11);
  }
}

TEST(CompassBiped, MatchesPublishedSamples) {
  struct Sample {
    double theta1, theta2, A, B, C, mu;
  };
  for (const auto& s :
       {Sample{0.2, 0.2, 4.332254612256119, -0.8275139774058801, 0.41774538774386877, 0.5048197361613537},
        {0.3, 0.1, 4.108763515512487, -1.2167355837803864, 0.6375543849114191, 0.5239876218056708},
        {0.4, -0.2, 3.77090439849287, -1.5324816550044784, 0.950351643854657, 0.6201390018282991}}) {
    auto setup = setup_of({}, {{"theta1", s.theta1}, {"theta2", s.theta2}, {"y", 0.5}});
    setup.contacts["stance"].closed = false;  // in the air, so that the swing foot may be the lower one
    const auto c = planar_contact(space_of(build(gallery_entry("compass-biped"), setup)), 0);
    EXPECT_NEAR(c.W_tt, s.A, rounding);
    EXPECT_NEAR(c.W_tn, s.B, rounding);
    EXPECT_NEAR(c.W_nn, s.C, rounding);
    EXPECT_NEAR(mu_jam(c), s.mu, rounding);
  }
}

// --- two contacts --------------------------------------------------------------------------------------------------

// All rod forces R of two masses on frictionless guide1 and rough guide2, for motion along +x: for each sign of the
// normal force at guide2, friction −μ |N2|, and both normal accelerations zero. N2 = −R sin φ holds up mass 2.
std::vector<double> klein_rod_forces(double mu2, double force2) {
  auto setup = setup_of({}, {{"phi", 1.2}});
  setup.forces["force2"] = {Expression::constant(force2)};
  const ContactSpace s = space_of(build(gallery_entry("painleve-klein"), setup));
  std::vector<double> found;
  for (const double sign : {1.0, -1.0}) {
    MatrixXd to_forces = MatrixXd::Zero(4, 2);  // (N1, N2) to (t1, n1, t2, n2)
    to_forces(1, 0) = 1;
    to_forces(3, 1) = 1;
    to_forces(2, 1) = -mu2 * sign;
    const MatrixXd response = s.W * to_forces;
    Matrix2d A;
    A << response.row(1), response.row(3);
    const Vector2d N = A.lu().solve(-Vector2d(s.b(1), s.b(3)));
    if (N(1) * sign > 0) {
      found.push_back(std::abs(N(1)) / std::sin(1.2));
    }
  }
  return found;
}

TEST(PainleveKlein, HasOneTwoOrNoSolutionAsPublished) {
  const auto one = klein_rod_forces(0.5, 1);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_NEAR(one[0], 0.8398173870613005, rounding);
  auto two = klein_rod_forces(1.5, 1);
  ASSERT_EQ(two.size(), 2U);
  std::sort(two.begin(), two.end());
  EXPECT_NEAR(two[0], 0.4710816766343778, rounding);
  EXPECT_NEAR(two[1], 1.4851269290517506, 10 * rounding);
  EXPECT_TRUE(klein_rod_forces(1.5, -1).empty());
}

TEST(PainleveKlein, GuidesAreBilateralUnlessTheyPushInwards) {
  const auto posed = build(gallery_entry("painleve-klein"), {});
  EXPECT_TRUE(posed.contacts[0].bilateral && posed.contacts[1].bilateral);
  EXPECT_EQ(posed.mechanism->dynamics(posed.state).J(1, 1), 1);
  EXPECT_EQ(posed.mechanism->dynamics(posed.state).J(3, 1), 1);
  for (const double phi : {1.2, -1.2}) {  // guide2 above guide1, or below it
    auto setup = setup_of({}, {{"phi", phi}});
    setup.contacts["guide1"].bilateral = false;
    setup.contacts["guide2"].bilateral = false;
    const auto one_sided = build(gallery_entry("painleve-klein"), setup);
    const double inwards = phi > 0 ? 1 : -1;
    EXPECT_EQ(one_sided.mechanism->dynamics(one_sided.state).J(1, 1), inwards);
    EXPECT_EQ(one_sided.mechanism->dynamics(one_sided.state).J(3, 1), -inwards);
    EXPECT_FALSE(one_sided.contacts[0].bilateral || one_sided.contacts[1].bilateral);
  }
}

// With friction upwards at both walls, at the edge of the cone, the box hangs: N = m g/(2 (μ cos β − sin β)).
TEST(WedgedBlock, HangsBetweenItsWallsWithThePublishedForce) {
  for (const auto& [mu, N] : {std::pair{0.1, -4.967084472}, {0.3, 5.243803152}}) {
    const ContactSpace s = space_of("wedged-block", {{"gravity", 1}}, {});
    expect_close(Vector2d(s.b(1), s.b(3)), Vector2d::Constant(std::sin(0.2)), rounding, "both contacts may open");
    const Vector4d lambda = N * Vector4d(-mu, 1, mu, 1);  // t points down at the left wall, up at the right one
    expect_close(s.W * lambda + s.b, Vector4d::Zero(), 1e-8, "acceleration");  // N is printed to ten digits
  }
}

TEST(TwoLeggedBody, HasThePublishedForcesInStickAndSlip) {
  struct Sample {
    double mu1, N1, yy2, xx1;
  };
  const ContactSpace s = space_of("two-legged-body", {{"gravity", 1}}, {});
  // Both stick: the tangential forces are not unique, the normal ones are.
  const VectorXd lambda = s.W.completeOrthogonalDecomposition().solve(-s.b);
  expect_close(s.W * lambda, -s.b, rounding, "both feet at rest");
  EXPECT_NEAR(lambda(1), 0.7968892470979341, rounding);
  EXPECT_NEAR(lambda(3), 0.1879185059142738, rounding);
  for (const auto& r : {Sample{0.05, 0.9750571812002059, 0.03900228724800824, 0.22240103672694062},
                        {0.099, 0.9846108308460388, 0.0007876886646768317, 0.07814092707486456},
                        {0.2, 1.0049058704206204, -0.08039246963364964, -0.22831417050131783}}) {
    // foot1 slips downslope, foot2 lifts.
    const double N1 = -s.b(1) / (s.W(1, 1) - r.mu1 * s.W(1, 0));
    EXPECT_NEAR(N1, r.N1, rounding);
    const VectorXd a = s.W * (N1 * Vector4d(-r.mu1, 1, 0, 0)) + s.b;
    EXPECT_NEAR(a(3), r.yy2, rounding);
    EXPECT_NEAR(a(0), r.xx1, rounding);
  }
}

// The ends of the range that the refusal names belong to it.
TEST(RimlessWheel, HasThreeToAThousandLegs) {
  const auto wheel = [](double legs) {
    return build(gallery_entry("rimless-wheel"), setup_of({{"legs", legs}}, {{"theta", 90 * degree}}));
  };
  for (const int legs : {3, 1000}) EXPECT_EQ(wheel(legs).contacts.size(), static_cast<std::size_t>(legs));
  for (const double legs : {2.0, 999.5, 1001.0}) EXPECT_THROW(wheel(legs), InputError) << legs;
}

// The plate of a body is the convex hull of its contact points and its centre of mass, counter-clockwise: every corner
// turns left, and the area is that of the triangle, with the centre of mass inside it or as a corner.
TEST(RigidBody, IsDrawnAsTheConvexHullOfItsPoints) {
  using Points = std::vector<std::array<double, 2>>;
  for (const auto& [points, corners, area] : {std::tuple{Points{{-1, -1}, {1, -1}, {0, 1}}, 3U, 2.0},
                                              {Points{{-1, -1}, {1, -1}, {0, 1}, {0.1, -0.5}, {-0.2, 0.1}}, 3U, 2.0},
                                              {Points{{1, 0.2}, {2, 3}, {1.1, 1.2}, {1.2, 1.1}}, 3U, 1.3},
                                              {Points{{-1, 0}, {1, 0}, {0, 1}, {0, -1}}, 4U, 2.0}}) {
    auto setup = setup_of({});
    setup.lists["points"] = points;
    setup.lists["normals"] = Points(points.size(), {0, 1});
    const auto posed = build(gallery_entry("rigid-body"), setup);
    const auto strokes = posed.mechanism->outline(posed.state).strokes;
    const auto body = std::find_if(strokes.begin(), strokes.end(), [](const Stroke& s) { return s.closed; });
    ASSERT_NE(body, strokes.end());
    const auto& p = body->points;
    ASSERT_EQ(p.size(), corners);
    double twice = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const auto& a = p[i];
      const auto& b = p[(i + 1) % p.size()];
      const auto& c = p[(i + 2) % p.size()];
      EXPECT_GT((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]), 0) << i;
      twice += a[0] * b[1] - a[1] * b[0];
    }
    EXPECT_NEAR(twice / 2, area, rounding);
  }
}

}  // namespace gallery_test
}  // namespace painleve
