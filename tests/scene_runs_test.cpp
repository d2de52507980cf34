// Driven and walking scenes as they are shipped: what the runs show, against closed forms, linear theory and a second
// method.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "painleve/scene/analysis.hpp"
#include "painleve/scene/simulating.hpp"

namespace painleve {
namespace {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Values = std::vector<std::pair<std::string, double>>;

constexpr double pi = std::numbers::pi;

Scene scene_of(const std::string& name, const Values& values = {}) {
  SceneSource source = SceneSource::open(name);
  for (const auto& [key, value] : values) source.set(key, value);
  return source.build();
}

SimulateOptions until(double t_end, int samples = 0) {
  SimulateOptions o;
  o.simulation.t_end = t_end;
  o.simulation.samples = samples;
  return o;
}

int count(const Run& run, EventKind kind) {
  return static_cast<int>(
      std::count_if(run.events.begin(), run.events.end(), [&](const SimulationEvent& e) { return e.kind == kind; }));
}

std::vector<SimulationEvent> events_of(const Run& run, EventKind kind, double from = 0) {
  std::vector<SimulationEvent> found;
  std::copy_if(run.events.begin(), run.events.end(), std::back_inserter(found),
               [&](const SimulationEvent& e) { return e.kind == kind && e.t >= from; });
  return found;
}

const Sample& sample_at(const Run& run, double t) {
  return *std::min_element(run.samples.begin(), run.samples.end(),
                           [&](const Sample& a, const Sample& b) { return std::abs(a.t - t) < std::abs(b.t - t); });
}

double bisect(const std::function<double(double)>& f, double below, double above) {
  for (int k = 0; k < 40; ++k) {
    const double middle = (below + above) / 2;
    (f(middle) > 0 ? above : below) = middle;
  }
  return (below + above) / 2;
}

// Chalk: dots are landings, and between them the chalk is in the air.

struct Dots {
  int count = 0;
  double period = 0, spacing = 0;  // means [s], [m]
  double unevenness = 0;           // largest departure of a spacing from the mean, in parts of it
};

Dots dots(const Scene& scene, const Run& run, double from) {
  const double l = scene.posed.parameters.at("half_length");
  std::vector<double> x;
  const auto landings = events_of(run, EventKind::landing, from);
  for (const SimulationEvent& e : landings) {
    const VectorXd q = sample_at(run, e.t).q;
    x.push_back(q(0) + l * std::cos(q(2)));
  }
  Dots d;
  d.count = static_cast<int>(x.size());
  if (d.count < 2) return d;
  d.period = (landings.back().t - landings.front().t) / (d.count - 1);
  d.spacing = (x.back() - x.front()) / (d.count - 1);
  for (std::size_t k = 1; k < x.size(); ++k)
    d.unevenness = std::max(d.unevenness, std::abs(x[k] - x[k - 1] - d.spacing) / d.spacing);
  return d;
}

// The start and the hand at one speed, and other values.
Values hand(double speed, Values others = {}) {
  others.insert(others.end(), {{"hand_speed", speed}, {"slip", speed}});
  return others;
}

TEST(ChalkDots, AreEvenAndFartherApartForAFasterHand) {
  double interval = 0;
  for (const double speed : {0.3, 0.5, 0.8}) {
    SCOPED_TRACE(speed);
    const Scene scene = scene_of("chalk-dots", hand(speed));
    const auto run = simulate(scene, until(2));
    EXPECT_EQ(run.stopped, "t_end");
    EXPECT_LT(std::abs(run.energy.defect()), 1e-9);
    const Dots d = dots(scene, run, 1.5);
    EXPECT_GE(d.count, 27);
    EXPECT_LT(d.unevenness, 1e-4);
    EXPECT_NEAR(d.spacing / d.period, speed, 1e-5 * speed) << "on the average the tip keeps up with the hand";
    // Between impacts the chalk swings on the hand's spring; the push shortens the half swing, the less the faster.
    EXPECT_GT(d.period, std::max(interval, 0.015));
    EXPECT_LT(d.period, pi * std::sqrt(0.01 / 250));
    interval = d.period;
    // Every dot is a point: the tip is stopped by the impact and leaves at once.
    for (const SimulationEvent& e : events_of(run, EventKind::impact, 1.5)) {
      EXPECT_EQ(e.u_after(0), 0);
      EXPECT_GT(e.u_after(1), 0);
    }
  }
}

// Flights are linear in small turns of the chalk and impacts homogeneous: speeds, push and weight scale together.
TEST(ChalkDots, SpacingIsProportionalToTheSpeedWhenTheForceIs) {
  const Scene full = scene_of("chalk-dots", hand(0.4));
  const Scene halved = scene_of("chalk-dots", hand(0.2, {{"push", 0.2}, {"gravity", 9.81 / 2}}));
  const Dots d = dots(full, simulate(full, until(2)), 1.5);
  const Dots h = dots(halved, simulate(halved, until(2)), 1.5);
  // The turns, some degrees, enter at first order: 1.9e-4 here, and half of that from 0.2 to 0.1 m/s.
  EXPECT_NEAR(d.spacing / h.spacing, 2, 1e-3);
  EXPECT_NEAR(d.period / h.period, 1, 5e-4);
}

TEST(ChalkDots, ASlowHandDrawsALineUnlessBouncesGrowOutOfRest) {
  const Scene scene = scene_of("chalk-dots", hand(0.1));
  const auto line = simulate(scene, until(1));
  EXPECT_EQ(line.outcome, "S+");
  EXPECT_TRUE(events_of(line, EventKind::landing, 0.1).empty());
  int dotted = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    SimulateOptions o = until(1);
    o.simulation.policy = Policy::seeded;
    o.simulation.seed = seed;
    const auto run = simulate(scene, o);
    const bool dots_to_the_end = events_of(run, EventKind::landing, 0.9).size() > 5;
    EXPECT_TRUE(!dots_to_the_end || count(run, EventKind::reverse_chatter) > 0) << seed;
    dotted += dots_to_the_end ? 1 : 0;
  }
  EXPECT_GT(dotted, 0) << "line and dots are both possible at this speed";
  EXPECT_LT(dotted, 8);
}

// e of the bounce map (2016 paper, Sec. 3.3) when the impact ends in stick before its compression does.
double growth_of_bounces(const Scene& scene, const State& at) {
  std::vector<Surface> surfaces{{scene.laws[0].mu, false}};
  const ContactSpace c = contact_space(*scene.posed.mechanism, at, surfaces);
  const double A = c.W(0, 0), B = c.W(0, 1), C = c.W(1, 1), mu = scene.laws[0].mu, r = scene.laws[0].restitution;
  const double alpha = c.b(0) / -c.b(1), p = C - mu * B, k = mu * A - B;
  EXPECT_LT(2 * alpha * p / k, 1) << "slip stops in compression";
  return r * std::sqrt(1 + 4 * alpha * B / A * (1 - alpha * p / k));
}

TEST(ChalkDots, ReverseChatterBeginsWhereSlipStops) {
  const Scene scene = scene_of("chalk-dots");
  SimulateOptions o = until(0.02);
  o.simulation.policy = Policy::all;
  const auto run = simulate(scene, o);
  ASSERT_EQ(run.stopped, "branched");
  ASSERT_EQ(run.futures.size(), 3U);
  EXPECT_LT(std::abs(sample_at(run, run.t).u(0)), 1e-9) << "the slip has stopped";
  const double e = growth_of_bounces(scene, run.state);
  EXPECT_NEAR(e, 2.03989, 1e-5);
  EXPECT_EQ(count(run.futures[0], EventKind::reverse_chatter), 0);
  for (const std::size_t k : {1U, 2U}) {
    const auto& future = run.futures[k];
    ASSERT_EQ(count(future, EventKind::reverse_chatter), 1) << future.why;
    const auto landings = events_of(future, EventKind::landing);
    ASSERT_GT(landings.size(), 5U);
    // Until b has changed noticeably: the fifth bounce is over within 1e-4 s.
    for (std::size_t n = 1; n < 4; ++n)
      EXPECT_NEAR(landings[n].u_before(1) / landings[n - 1].u_before(1), e, 2e-2) << n;
  }
}

TEST(ChalkDots, SeededRunsReportReverseChatter) {
  SimulateOptions o = until(0.02);
  o.simulation.policy = Policy::seeded;
  int chatters = 0;
  for (o.simulation.seed = 0; o.simulation.seed < 8; ++o.simulation.seed) {
    const auto run = simulate(scene_of("chalk-dots"), o);
    ASSERT_FALSE(run.events.empty());
    EXPECT_EQ(run.events[0].kind, EventKind::mode);
    EXPECT_NEAR(run.events[0].t, 5.2697648e-4, 1e-10) << "the slip stop";
    const bool drawn = run.events[0].mode == "reverse chatter";
    EXPECT_EQ(run.events[1].kind == EventKind::reverse_chatter, drawn) << run.events[0].note;
    chatters += drawn ? 1 : 0;
  }
  EXPECT_GT(chatters, 1);
  EXPECT_LT(chatters, 8);
}

// Without loss the impact of a stiff spring is that of the energetic law; with springs nobody has to choose.
TEST(ChalkDots, SpringsHopByThemselvesAtTheSamePace) {
  const auto rigid = simulate(scene_of("chalk-dots", hand(0.2, {{"restitution", 1}})), until(3));
  const auto landings = events_of(rigid, EventKind::landing);
  const double period = landings.back().t - landings[landings.size() - 2].t;
  std::vector<double> periods;
  SimulateOptions o = until(3);
  o.method = SimulationMethod::compliant;
  for (const double stiffness : {1e6, 1e7}) {
    const auto run = simulate(scene_of("chalk-dots", hand(0.2, {{"stiffness", stiffness}, {"damping", 0}})), o);
    EXPECT_EQ(run.outcome, "limit_cycle");
    ASSERT_TRUE(run.cycle);
    periods.push_back(run.cycle->period);
    const auto first = events_of(run, EventKind::landing);
    for (std::size_t n = 1; n < 3; ++n) EXPECT_LT(first[n].u_before(1), first[n - 1].u_before(1)) << "bounces grow";
  }
  // The time in contact falls with 1/√k.
  const double limit = periods[1] - (periods[0] - periods[1]) / (std::sqrt(10.0) - 1);
  EXPECT_NEAR(limit, period, 1e-4 * period);
  EXPECT_GT(periods[1] - period, 1e-3 * period) << "the extrapolation matters";
}

TEST(ChalkDots, LandsWhileTheHandLiftsIt) {
  const Scene scene = scene_of("chalk-dots", hand(0.3, {{"restitution", 1}}));
  std::string stopped;
  ASSERT_NO_THROW(stopped = simulate(scene, until(1)).stopped) << "b_n > 0 at a landing: a bounce, and no chatter";
  EXPECT_EQ(stopped, "t_end");
}

// Brake pad: the spectrum of the whole pad on its springs, linearised about the sliding equilibrium by differences.

// After a tap a thousand times weaker than the shipped one: it takes the vibration 0.8 s to lift an edge.
Scene pad(double mu, const Values& values = {}) {
  SceneSource source = SceneSource::open("brake-squeal");
  source.set("force_y=-t*exp(-1e3*t)");
  source.set("contact.mu", mu);
  for (const auto& [key, value] : values) source.set(key, value);
  return source.build();
}

VectorXd pad_rates(const Scene& scene, const VectorXd& y) {
  const Dynamics d = scene.posed.mechanism->dynamics({y.head(3), y.tail(3), 0});
  VectorXd force = d.f;
  for (int i = 0; i < 2; ++i) {
    const ContactLaw& law = scene.laws[static_cast<std::size_t>(i)];
    const double lambda_n = -*law.stiffness * d.gap(i) - *law.damping * d.u(2 * i + 1);
    force += lambda_n * (d.J.row(2 * i + 1) + law.mu * d.J.row(2 * i)).transpose();  // both edges slip along −t
  }
  VectorXd rates(6);
  rates << y.tail(3), d.M.llt().solve(force);
  return rates;
}

// Growth rate and frequency of the vibration of the edges; the slow swing along the disc is left out.
std::complex<double> squeal(const Scene& scene) {
  VectorXd y(6);
  y << scene.posed.state.q, VectorXd::Zero(3);
  MatrixXd slope(6, 6);
  for (int k = 0; k < 6; ++k) {
    const VectorXd step = (k < 3 ? 1e-6 : 1e-3) * VectorXd::Unit(6, k);
    slope.col(k) = (pad_rates(scene, y + step) - pad_rates(scene, y - step)) / (2 * step(k));
  }
  std::complex<double> largest(-1e9, 0);
  const Eigen::VectorXcd spectrum = slope.eigenvalues();
  for (const auto& s : spectrum)
    if (s.imag() > 500 && s.real() > largest.real()) largest = s;
  return largest;
}

// The same from a run after a weak tap: peaks of the leading edge once the other mode has died out.
std::complex<double> squeal_of_run(const Scene& scene) {
  const double rest = scene.space.gap(0);
  const auto run = simulate(scene, until(0.8, 40000));
  EXPECT_TRUE(run.events.empty()) << "nothing lifts off";
  std::vector<double> times, heights;
  for (std::size_t k = 1; k + 1 < run.samples.size(); ++k) {
    const double before = run.samples[k - 1].gap(0) - rest, here = run.samples[k].gap(0) - rest;
    const double after = run.samples[k + 1].gap(0) - rest;
    if (run.samples[k].t < 0.5 || here <= before || here < after || here <= 0) continue;
    const double shift = (before - after) / (2 * (before - 2 * here + after));  // of the parabola's top
    times.push_back(run.samples[k].t + shift * (run.samples[k + 1].t - run.samples[k].t));
    heights.push_back(here - (before - after) * shift / 4);
  }
  const double span = times.back() - times.front();
  return {std::log(heights.back() / heights.front()) / span, 2 * pi * static_cast<double>(times.size() - 1) / span};
}

TEST(BrakeSqueal, OnsetAndFrequencyAreThoseOfTheLinearPad) {
  const double onset = bisect([](double mu) { return squeal(pad(mu)).real(); }, 0.1, 0.6);
  EXPECT_NEAR(onset, 0.396732, 1e-6);
  EXPECT_NEAR(squeal(pad(onset)).imag(), 1663.306, 1e-3);
  std::vector<double> growth;
  for (const double part : {0.995, 1.0, 1.005}) {
    SCOPED_TRACE(part);
    const Scene scene = pad(part * onset);
    const std::complex<double> linear = squeal(scene), run = squeal_of_run(scene);
    EXPECT_NEAR(run.real(), linear.real(), 0.02);
    EXPECT_NEAR(run.imag(), linear.imag(), 1e-5 * linear.imag());
    growth.push_back(run.real());
  }
  EXPECT_LT(growth[0], -5);
  EXPECT_GT(growth[2], 5);
  const double simulated = onset * (0.995 + 0.01 * growth[0] / (growth[0] - growth[2]));
  EXPECT_NEAR(simulated, onset, 1e-3 * onset);
}

// With a bushing that hardly holds the pad nothing is left but the fast normal dynamics of its two contacts.
TEST(BrakeSqueal, OnsetWithoutBushingIsTheSurfaceS1) {
  const Values bare = {{"bushing_y", 1}, {"bushing_theta", 1}, {"bushing_damping", 0}};
  const auto fast = [&](double mu) {
    const Analysis a = analyze(pad(mu, bare));
    const auto mode =
        std::find_if(a.modes.modes.begin(), a.modes.modes.end(), [](const ModeEntry& e) { return e.name == "S-S-"; });
    return std::complex<double>(mode->growth->rate, mode->growth->frequency);
  };
  const double onset = bisect([&](double mu) { return fast(mu).real(); }, 0.1, 0.6);
  EXPECT_NEAR(onset, 0.386100, 1e-6);
  // Routh-Hurwitz: F = 0 with P, k and ν of the pad, lengths in m and mass 1.
  const double rho2 = 0.45 * 0.45, w = 0.5, h = 0.3, k1 = 1.5e6, k2 = 1e6, nu = 10;
  const auto F = [&](double mu) {
    const double p11 = 1 - w * (-w + mu * h) / rho2, p12 = 1 - w * (w + mu * h) / rho2;
    const double p21 = 1 + w * (-w + mu * h) / rho2, p22 = 1 + w * (w + mu * h) / rho2;
    const double D = p11 * p22 - p12 * p21, T = nu * (p11 + p22), sum = nu * (k1 + k2);
    return T * nu * (k1 * k1 * p11 + k2 * k2 * p22) + D * sum * (nu * nu * T - sum);
  };
  EXPECT_NEAR(bisect([&](double mu) { return -F(mu); }, 0.1, 0.6), onset, 1e-4 * onset) << "the pad hardly turns";
  const std::complex<double> below = squeal_of_run(pad(0.995 * onset, bare));
  const std::complex<double> above = squeal_of_run(pad(1.005 * onset, bare));
  EXPECT_LT(below.real(), 0);
  EXPECT_GT(above.real(), 0);
  // Weight and preload turn the pad a little further: λ_n h against k w², 1e-4.
  EXPECT_NEAR(below.real(), fast(0.995 * onset).real(), 0.1);
  EXPECT_NEAR(above.real(), fast(1.005 * onset).real(), 0.1);
  EXPECT_NEAR(above.imag(), fast(1.005 * onset).imag(), 1e-4 * above.imag());
}

TEST(BrakeSqueal, GrowsToACycleInWhichTheLeadingEdgeHops) {
  const Scene scene = scene_of("brake-squeal");
  const auto run = simulate(scene, until(1.5, 30000));
  EXPECT_EQ(run.outcome, "limit_cycle");
  ASSERT_TRUE(run.cycle);
  EXPECT_NEAR(run.cycle->period, 4.1541e-3, 1e-6);
  const auto landings = events_of(run, EventKind::landing, 1.4);
  for (const SimulationEvent& e : landings) EXPECT_EQ(e.contact, 0);
  EXPECT_NEAR((landings.back().t - landings.front().t) / static_cast<double>(landings.size() - 1), run.cycle->period,
              1e-6);
  for (int i = 0; i < 2; ++i) {
    double low = 1, high = -1;
    for (const Sample& s : run.samples) {
      if (s.t < run.t - run.cycle->period) continue;
      low = std::min(low, s.gap(i));
      high = std::max(high, s.gap(i));
    }
    EXPECT_NEAR(run.cycle->amplitude(i), (high - low) / 2, 0.01 * (high - low))
        << "of " << run.contacts[std::size_t(i)];
  }
  EXPECT_GT(run.cycle->amplitude(0), -scene.space.gap(0)) << "more than the edge was pressed in";
}

}  // namespace
}  // namespace painleve
