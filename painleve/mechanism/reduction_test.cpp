// The kernel for planar contacts against the general reduction; rates at the G-spot; singular mass matrices.
#include "painleve/mechanism/reduction.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>

#include "painleve/base/error.hpp"
#include "painleve/mechanism/gallery/rod.hpp"
#include "painleve/mechanism/kinematic_mechanism.hpp"
#include "painleve/mechanism/mechanisms_for_tests.hpp"

namespace {
std::atomic<long> allocations{0};
}  // namespace

// Every allocation of this test program is counted. Not inlined: gcc 12 would see malloc meet delete and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) {
    return memory;
  }
  throw std::bad_alloc();
}
// What sorts asks for memory in this way; all forms must take it from where delete gives it back.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size > 0 ? size : 1);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace painleve {
namespace reduction_test {

using detail::expect_close;
using detail::setup_of;

TEST(ReducePlanar, EqualsTheGeneralReductionOfTheRod) {
  Draws draws(21);
  const auto& entry = gallery_entry("rod");
  for (int i = 0; i < 500; ++i) {
    const auto drawn = detail::drawn_mechanism(entry, draws);
    const State s = detail::drawn_state(*drawn.mechanism, draws);
    const auto& p = drawn.setup.parameters;
    const Rod rod{p.at("mass"), p.at("half_length"), p.at("gyration"), {p.at("gravity"), p.at("slope")}};
    std::vector<double> forces;
    for (const char* name : {"force_x", "force_y", "torque"}) {
      forces.push_back(drawn.setup.forces.at(name)[0].at(s.t).value);
    }
    const double mu = draws.uniform(0, 2);
    const PlanarContact fast = reduce_planar<Rod>(rod, s.q.data(), s.v.data(), s.t, forces, mu);
    const std::vector<Surface> surface = {{mu, false}};
    const PlanarContact slow = planar_contact(contact_space(*drawn.mechanism, s, surface), 0);
    // b sums terms that may cancel: the scale is that of its largest terms.
    const double scale =
        std::max(slow.W_tt, slow.W_nn) * (std::abs(forces[0]) + std::abs(forces[1]) + std::abs(forces[2])) +
        p.at("half_length") * s.v.squaredNorm() + std::abs(p.at("gravity"));
    EXPECT_NEAR(fast.W_tt, slow.W_tt, 1e-14 * slow.W_tt);
    EXPECT_NEAR(fast.W_tn, slow.W_tn, 1e-14 * slow.W_tt);
    EXPECT_NEAR(fast.W_nn, slow.W_nn, 1e-14 * slow.W_nn);
    EXPECT_NEAR(fast.b_t, slow.b_t, 1e-14 * scale);
    EXPECT_NEAR(fast.b_n, slow.b_n, 1e-14 * scale);
    EXPECT_EQ(fast.u_t, slow.u_t);
    EXPECT_EQ(fast.mu, mu);
  }
}

// A description with a full mass matrix, so that the factorisation in the kernel has something to eliminate.
struct Chain {
  static constexpr int degrees = 4;
  static constexpr int dimension = 2;
  template <class S>
  void describe(Sketch<S, 4>& sketch, std::span<const S> forces) const {
    Jet<S, 4> x = 0.0;
    Jet<S, 4> y = 1.0;
    for (const auto& angle : sketch.q) {
      const auto [sin, cos] = sincos(angle);
      x += 0.5 * cos;
      y -= 0.7 * sin;
      sketch.inertia(1.3, x, y);
      sketch.inertia(0.2, angle);
      sketch.potential(9.81 * y);
      sketch.work(forces[0], angle);
    }
    sketch.contact(x - 0.4 * sketch.t, y);
  }
};

TEST(ReducePlanar, EliminatesAFullMassMatrix) {
  const KinematicMechanism<Chain> mechanism({}, {"a", "b", "c", "d"}, {"tip"}, {Expression::constant(0.8)});
  Draws draws(22);
  for (int i = 0; i < 100; ++i) {
    const State s = detail::drawn_state(mechanism, draws);
    const std::vector<double> forces = {0.8};
    const PlanarContact fast = reduce_planar<Chain>({}, s.q.data(), s.v.data(), s.t, forces, 0.5);
    const std::vector<Surface> surface(1);
    const PlanarContact slow = planar_contact(contact_space(mechanism, s, surface), 0);
    const Dynamics d = mechanism.dynamics(s);
    const Eigen::MatrixXd W = d.J * d.M.inverse() * d.J.transpose();
    // The condition number of M is up to 1e3 here.
    expect_close(Eigen::Vector3d(fast.W_tt, fast.W_tn, fast.W_nn), Eigen::Vector3d(W(0, 0), W(0, 1), W(1, 1)), 1e-12,
                 "W");
    expect_close(Eigen::Vector3d(fast.b_t, fast.b_n, fast.u_t), Eigen::Vector3d(slow.b_t, slow.b_n, slow.u_t), 1e-12,
                 "b, u");
  }
}

TEST(ReducePlanar, AllocatesNothing) {
  const Rod rod;
  const double q[] = {0, 0.8, 1};
  const double v[] = {1, 0.2, 0.3};
  const double forces[] = {0.1, 0.2, 0.3};
  const long before = allocations;
  const PlanarContact c = reduce_planar<Rod>(rod, q, v, 0, forces, 1.5);
  const long after = allocations;
  EXPECT_EQ(after, before);
  EXPECT_GT(c.W_nn, 0);
  // The counter does count.
  const std::vector<int> memory(100, c.W_nn > 0 ? 1 : 0);
  EXPECT_GT(allocations.load(), after);
  EXPECT_EQ(memory.size(), 100U);
}

// --- the G-spot, p = b = 0 -----------------------------------------------------------------------------------------

struct GSpot {
  double mu, theta, omega, a1, a2, a3;
};
// Uniform rod, m = l = g = 1, slip to the right. At the opposite omega all three change sign.
constexpr GSpot g_spots[] = {
    {1.4, 0.9701554159882793, 1.1009814076865825, -1.409944147304178, 0.7542582574484781, -3.214177764979469},
    {1.4, 1.220890396789439, 1.0317478543347982, 1.321281938602096, 0.37650738120050703, -5.654622926808249},
    {1.5, 0.8838626263729983, 1.137249373443944, -2.3444996446884425, 0.9327652281482739, -2.7731225358093043},
    {1.5, 1.274936303969466, 1.0224586789478451, 2.1078525655657314, 0.3116514362124466, -6.708916620831034},
    {1.539600717839002, 0.8570719478501309, 1.1501633168956031, -2.6561884024868383, 0.9960706509325643,
     -2.6561884024868365},
    {1.539600717839002, 1.289761425292083, 1.0202122326913485, 2.356079228699597, 0.29450990358744955,
     -7.068237686098792},
    {1.6, 0.8207609834100305, 1.1690791789684354, -3.1019175894840414, 1.0891872060665666, -2.5096624695644487},
    {1.6, 1.3086346587284285, 1.0175346456879535, 2.6998245047473333, 0.2730427243193555, -7.58399080404951},
    {1.7, 0.7691759822048104, 1.1990516009659273, -3.793629484439317, 1.238599081170693, -2.321533680486913},
    {1.7, 1.333344411848892, 1.0143320746953692, 3.2092030588817035, 0.2454863152580849, -8.382296639828086},
    {2.0, 0.6523581397843682, 1.2834633641412065, -5.739822657700608, 1.6800753553184804, -1.9609575271466324},
    {2.0, 1.3820857960113346, 1.008996492020787, 4.512369490434608, 0.19270118271126413, -10.566348442559331},
    {3.0, 0.4384358609767149, 1.5347900853450172, -12.373873257584654, 3.2733730032112245, -1.4392375105205009},
    {3.0, 1.4541110202148242, 1.003417443743986, 8.089810060602874, 0.11761836663662485, -17.12056705429875}};

// With dt = p ds, λ_n = −b/p and λ_t = −μ λ_n:  p' = a1 p,  b' = a2 p + a3 b.
Eigen::Vector3d alphas(const ContactRates& r, double mu) {
  return {r.W(1, 1) - mu * r.W(0, 1), r.b(1), -(r.b_force(1, 1) - mu * r.b_force(1, 0))};
}

Setup rod_setup(double theta, double omega) {
  return setup_of({{"gravity", 1}}, {{"theta", theta}, {"theta_dot", omega}});
}

TEST(ContactRates, GiveTheGSpotsOfTheRod) {
  for (const auto& g : g_spots) {
    for (const double sign : {1.0, -1.0}) {
      SCOPED_TRACE(fmt::format("mu {} theta {} sign {}", g.mu, g.theta, sign));
      const Posed posed = build(gallery_entry("rod"), rod_setup(g.theta, sign * g.omega));
      const std::vector<Surface> surface = {{g.mu, false}};
      const PlanarContact c = planar_contact(contact_space(*posed.mechanism, posed.state, surface), 0);
      // Both vanish there; theta and omega carry 16 digits.
      EXPECT_NEAR(c.W_nn - g.mu * c.W_tn, 0, 1e-13);
      EXPECT_NEAR(c.b_n, 0, 1e-14);
      expect_close(alphas(contact_rates(*posed.mechanism, posed.state), g.mu), sign * Eigen::Vector3d(g.a1, g.a2, g.a3),
                   1e-13, "alpha1, alpha2, alpha3");
    }
  }
}

// a1 = −(ω/κ)(sin 2θ + μ cos 2θ), a2 = 3Rω sin θ/κ + ω³ cos θ + Ṡ_y − Ṙ cos θ/κ, a3 = −(2ω/κ) sin θ (μ sin θ − cos θ).
TEST(ContactRates, IncludeForcesThatChangeWithTime) {
  Draws draws(23);
  for (int i = 0; i < 100; ++i) {
    const double theta = draws.uniform(0.1, 1.5);
    const double w = draws.uniform(-2, 2);
    const double kappa = draws.uniform(0.05, 1);
    const double mu = draws.uniform(0, 3);
    auto setup = rod_setup(theta, w);
    setup.t = draws.uniform(0, 2);
    setup.parameters.set("gyration", std::sqrt(kappa));
    const auto force = [&](const char* name) {
      const auto e = Expression::parse(
          fmt::format("{}*sin({}*t) + {}", draws.uniform(-1, 1), draws.uniform(1, 3), draws.uniform(-1, 1)));
      setup.forces[name] = {e};
      return e.at(setup.t);
    };
    const TimeValue S_x = force("force_x");
    const TimeValue S_y = force("force_y");
    const TimeValue R = force("torque");
    const Posed posed = build(gallery_entry("rod"), setup);
    const double s = std::sin(theta);
    const double c = std::cos(theta);
    const Eigen::Vector3d expected(-(w / kappa) * (std::sin(2 * theta) + mu * std::cos(2 * theta)),
                                   3 * R.value * w * s / kappa + w * w * w * c + S_y.rate - R.rate * c / kappa,
                                   -(2 * w / kappa) * s * (mu * s - c));
    // 1e-12: sums of up to ten terms of size up to 1/κ² = 400.
    expect_close(alphas(contact_rates(*posed.mechanism, posed.state), mu), expected, 1e-12, "alphas");
    const std::vector<Surface> surface(1);
    const PlanarContact contact = planar_contact(contact_space(*posed.mechanism, posed.state, surface), 0);
    EXPECT_NEAR(contact.b_t, S_x.value - R.value * s / kappa - w * w * c, 1e-12);
    EXPECT_NEAR(contact.b_n, S_y.value - 1 - R.value * c / kappa + w * w * s, 1e-12);
  }
}

// --- singular mass matrices ----------------------------------------------------------------------------------------

TEST(ContactSpaceOfAMechanism, RejectsACoordinateThatMovesNoMass) {
  const auto setup = setup_of({{"hip_mass", 0}, {"leg_com", 0}}, {{"theta2", 0.3}});
  const Posed posed = build(gallery_entry("compass-biped"), setup);
  const std::vector<Surface> surfaces(posed.contacts.size());
  EXPECT_THROW(contact_space(*posed.mechanism, posed.state, surfaces), InputError);
  EXPECT_THROW(contact_rates(*posed.mechanism, posed.state), InputError);
  EXPECT_THROW(free_acceleration(posed.mechanism->dynamics(posed.state)), InputError);
}

// Upright, psi turns almost nothing (cos 90° = 6e-17): light, but in the right proportion to the motion of the tip.
TEST(ContactSpaceOfAMechanism, IsRightForTheUprightRodInSpace) {
  const auto setup = setup_of({}, {{"theta", std::numbers::pi / 2}, {"psi", 0.3}});
  const Posed posed = build(gallery_entry("rod-3d"), setup);
  const std::vector<Surface> surface(1);
  const ContactSpace space = contact_space(*posed.mechanism, posed.state, surface);
  const Eigen::Vector3d expected(4, 4, 1);  // (1 + 1/κ) across the rod, 1 along it
  EXPECT_LT((space.W - Eigen::MatrixXd(expected.asDiagonal())).norm(), 1e-14);
}

TEST(ContactSpaceOfAMechanism, AcceptsThePointMassPendulumOnItsSlider) {
  const auto setup = setup_of({{"gyration", 0}, {"mass_slider", 1e-6}});  // light, but a mass
  const Posed posed = build(gallery_entry("pendulum-on-slider"), setup);
  const std::vector<Surface> surface(1);
  const auto space = contact_space(*posed.mechanism, posed.state, surface);
  // Across the pendulum the slider moves alone, along it both move: W = (1 − a aᵀ)/m1 + a aᵀ/(m1 + m2), a along the
  // pendulum.
  const Eigen::Vector2d a(std::sin(0.5), std::cos(0.5));
  const Eigen::Matrix2d along = a * a.transpose();
  // M has the condition number 1e6.
  expect_close(space.W * 1e-6, Eigen::Matrix2d::Identity() - along + along * 1e-6 / (1 + 1e-6), 1e-9, "W");
}

TEST(FreeAcceleration, OfAFallingRodIsGravity) {
  const Posed posed = build(gallery_entry("rod"), {});
  expect_close(free_acceleration(posed.mechanism->dynamics(posed.state)), Eigen::Vector3d(0, -9.81, 0), 1e-15,
               "acceleration");
}

Dynamics of_mass(double M11, double M12, double M22) {
  Dynamics d;
  d.M = Eigen::Matrix2d{{M11, M12}, {M12, M22}};
  d.f = Eigen::Vector2d(1, 2);
  return d;
}

// What rounding left of a zero may be positive, and a matrix that is no mass at all need not have small pivots: each is
// reason enough. Small units are none.
TEST(FreeAcceleration, RejectsEveryMassMatrixThatIsNone) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  EXPECT_THROW(free_acceleration(of_mass(1, 1, 1 + epsilon)), InputError) << "twice the same, but for rounding";
  EXPECT_THROW(free_acceleration(of_mass(1, 2, 1)), InputError) << "indefinite";
  EXPECT_THROW(free_acceleration(of_mass(1, 0, std::nan(""))), InputError);
  EXPECT_THROW(free_acceleration(of_mass(1, 0, std::numeric_limits<double>::infinity())), InputError);
  EXPECT_EQ(free_acceleration(of_mass(0x1p-80, 0, 1)), Eigen::Vector2d(0x1p80, 2));
}

}  // namespace reduction_test
}  // namespace painleve
