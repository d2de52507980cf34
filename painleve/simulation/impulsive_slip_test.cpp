// Slip that runs into p = 0 under load: the end of slip, or a jam, whichever the impulse reaches first.
#include "painleve/simulation/impulsive_slip.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/simulation/detail/event_runs.hpp"
#include "painleve/simulation/detail/problems.hpp"
#include "painleve/simulation/event_driven.hpp"
#include "painleve/simulation/projection.hpp"

namespace painleve {
namespace impulsive_slip_test {

using detail::friction;
using detail::problem_of;
using detail::until;

SimulationProblem unit_rod(double theta, double rate, double slip, double mu) {
  return problem_of("rod", {{{"gravity", 1}}, {{"theta", theta}, {"theta_dot", rate}}, {}, {{"", {slip}}}},
                    friction(mu));
}

// The uniform rod (m = l = g = 1) on its tip with p = 0, slipping along +t: rates per normal impulse, by hand. With
// t = tan θ, p = 1 + 3 cos² − 3 μ sin cos = 0 is t² − 3 μ t + 4 = 0.
struct RodAtParadox {
  double theta, k, spin;  // u_t' = −k, θ_dot' = spin
  explicit RodAtParadox(double mu) : theta(std::atan((3 * mu - std::sqrt(9 * mu * mu - 16)) / 2)) {
    const double s = std::sin(theta);
    const double c = std::cos(theta);
    k = mu * (1 + 3 * s * s) - 3 * s * c;
    spin = 3 * (mu * s - c);
  }
  double impulse_to_rest(double u_t) const { return u_t / k; }
  // b_n = θ_dot² sin θ − 1 comes to zero.
  double impulse_to_gspot(double rate) const { return (1 / std::sqrt(std::sin(theta)) - rate) / spin; }
};

const SimulationEvent* stop_of(const Run& run) {
  const auto found = std::find_if(run.events.begin(), run.events.end(), [](const SimulationEvent& e) {
    return e.note.find("the impulse there ends slip") != std::string::npos;
  });
  return found == run.events.end() ? nullptr : &*found;
}

// The state at this time, before what happens there.
const Sample& before(const Run& run, double t) {
  return *std::find_if(run.samples.begin(), run.samples.end(), [t](const Sample& s) { return s.t == t; });
}

// The force is 4 N from D = 1e-10 on at b_n = −0.19: it grows so slowly in D that slip ends before the G-spot.
TEST(ImpulsiveSlip, EndsAtTheParadoxWhereTheImpulseStopsIt) {
  const double mu = 4;
  const auto run = simulate_events(unit_rod(0.26444446563866003, 1, 3, mu), until(0.1));
  EXPECT_EQ(run.stopped, "t_end") << run.stop_reason;
  EXPECT_FALSE(run.jam);
  const SimulationEvent* stop = stop_of(run);
  ASSERT_TRUE(stop);
  EXPECT_NEAR(stop->t, 0.0639006566, 1e-9);
  const RodAtParadox rod(mu);
  const Sample& was = before(run, stop->t);
  EXPECT_NEAR(was.q(2), rod.theta, 1e-9);
  const double Lambda = rod.impulse_to_rest(stop->u_before(0));
  EXPECT_LT(Lambda, rod.impulse_to_gspot(was.v(2)));
  EXPECT_NEAR(stop->Lambda(1), Lambda, 1e-9);
  EXPECT_NEAR(stop->Lambda(0), -mu * Lambda, 4e-9);
  EXPECT_NEAR(stop->u_after.norm(), 0, 1e-13);
  EXPECT_LT(std::abs(run.energy.defect()), 1e-10 * run.energy.initial);
  ASSERT_EQ(run.events.size(), 3U);  // the rod slips back out of rest, and lifts off
  EXPECT_EQ(run.events[1].kind, EventKind::slip);
  EXPECT_EQ(run.events[1].t, stop->t);
  EXPECT_EQ(run.events[2].kind, EventKind::liftoff);
}

TEST(ImpulsiveSlip, IsTheSameFromALaterStart) {
  SimulationProblem p = unit_rod(0.26444446563866003, 1, 3, 4);
  const auto whole = simulate_events(p, until(0.1));
  ASSERT_TRUE(stop_of(whole));
  for (const double t : {0.03, 0.0635, 0.0639}) {
    p.start = simulate_events(unit_rod(0.26444446563866003, 1, 3, 4), until(t)).state;
    const auto later = simulate_events(p, until(0.1));
    ASSERT_TRUE(stop_of(later)) << t;
    EXPECT_NEAR(stop_of(later)->t, stop_of(whole)->t, 1e-10) << t;
    EXPECT_LT((later.state.q - whole.state.q).norm(), 1e-8) << t;
    EXPECT_LT((later.state.v - whole.state.v).norm(), 1e-7) << t;
  }
}

// Rods so near to p = 0 that they stand still until slip ends or b_n is zero: the closed form has both, whether the
// approach is followed to the end of slip or left before it.
TEST(ImpulsiveSlip, ComesBeforeTheGSpotOrAfterItAsTheClosedFormSays) {
  Draws draws(32);
  constexpr double below = 1e-7;
  int jams = 0, stops = 0, impulsive = 0;
  for (int i = 0; i < 80; ++i) {
    const double mu = draws.uniform(2.5, 5);
    const RodAtParadox rod(mu);
    const double rate = draws.uniform(0.3, 0.95) / std::sqrt(std::sin(rod.theta));
    const double slip = rod.k * rod.impulse_to_gspot(rate) * draws.uniform(0.2, 1.8);
    const double Lambda = rod.impulse_to_rest(slip);
    const double to_gspot = rod.impulse_to_gspot(rate);
    if (std::abs(Lambda / to_gspot - 1) < 1e-2) continue;
    const auto run = simulate_events(unit_rod(rod.theta - below, rate, slip, mu), until(1e-5));
    if (to_gspot < Lambda) {
      EXPECT_EQ(run.stopped, "jam") << i;
      const bool both = run.stop_reason.find("p = b_n = 0") != std::string::npos;
      EXPECT_FALSE(both && run.jam->b_n < -0.1) << run.stop_reason;
      EXPECT_FALSE(!both && run.jam->b_n > -1e-3) << run.stop_reason;
      ++jams;
      continue;
    }
    ASSERT_EQ(run.stopped, "t_end") << i << ": " << run.stop_reason;
    EXPECT_NEAR(run.energy.friction, mu * Lambda * slip / 2, 1e-4 * run.energy.friction) << i;
    EXPECT_NEAR(run.impulse(1), Lambda, 1e-3 * Lambda) << i;
    EXPECT_NEAR(run.state.v(2), rate + rod.spin * Lambda, 1e-3) << i;
    EXPECT_LT(std::abs(run.energy.defect()), 1e-10 * run.energy.initial) << i;
    ++stops;
    impulsive += stop_of(run) != nullptr;
  }
  EXPECT_GT(jams, 20);
  EXPECT_GT(stops, 20);
  EXPECT_GT(impulsive, 10);
}

// Both feet of a biped slip into det P = 0. The impulse is along the null vector of P, and adj(P) b, which forces
// λ_n = −adj(P) b/det P would need, keeps its sign until the slip of a foot ends.
TEST(ImpulsiveSlip, EndsAlongTheNullVectorOfTwoContacts) {
  const double mu[] = {0.3810, 1.9224};
  SimulationProblem p =
      problem_of("compass-biped",
                 {{{"hip_mass", 10}, {"leg_com", 0.4307}},
                  {{"theta1", 0.8387}, {"theta2", -0.8387}, {"theta1_dot", -0.9086}, {"theta2_dot", 0.9086}},
                  {},
                  {{"", {-4.281}}},
                  {{"swing", true}}},
                 friction(mu[0]));
  p.laws[1].mu = mu[1];
  const auto run = simulate_events(p, until(0.6));
  EXPECT_EQ(run.stopped, "t_end") << run.stop_reason;
  const SimulationEvent* stop = stop_of(run);
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->mode, "S-S-");
  for (const int i : {0, 1}) {
    EXPECT_NEAR(stop->Lambda(2 * i), mu[i] * stop->Lambda(2 * i + 1), 1e-8) << i;
    EXPECT_GT(stop->Lambda(2 * i + 1), 0) << i;
    EXPECT_NEAR(stop->u_after(2 * i + 1), 0, 1e-12) << i;
    EXPECT_LT(stop->u_after(2 * i), 1e-12) << i;
  }
  EXPECT_NEAR(stop->u_after(2 * stop->contact), 0, 1e-12);
  EXPECT_LT(std::abs(run.energy.defect()), 1e-10 * run.energy.initial);
  const Sample& was = before(run, stop->t);
  const Eigen::VectorXd change = velocity_change(p.mechanism->dynamics({was.q, was.v, was.t}), stop->Lambda);
  for (double part = 0; part <= 1; part += 0.125) {
    const ContactSpace s = contact_space(*p.mechanism, {was.q, was.v + part * change, was.t}, p.surfaces());
    const auto P = [&](int i, int j) { return s.W(2 * i + 1, 2 * j + 1) + mu[j] * s.W(2 * i + 1, 2 * j); };
    EXPECT_NEAR(P(0, 0) * P(1, 1) - P(0, 1) * P(1, 0), 0, 1e-9 * s.W(1, 1) * s.W(3, 3));
    EXPECT_LT(P(1, 1) * s.b(1) - P(0, 1) * s.b(3), 0) << part;
    EXPECT_LT(P(0, 0) * s.b(3) - P(1, 0) * s.b(1), 0) << part;
  }
}

}  // namespace impulsive_slip_test
}  // namespace painleve
