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
namespace scene_runs_test {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
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
  const double half_swing = pi * std::sqrt(0.01 / 250);  // of the chalk on the hand's spring
  double interval = 0;
  std::vector<double> spacings;
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
    EXPECT_LT(d.period, half_swing);
    interval = d.period;
    spacings.push_back(d.spacing);
    // Every dot is a point: the tip is stopped by the impact and leaves at once.
    for (const SimulationEvent& e : events_of(run, EventKind::impact, 1.5)) {
      EXPECT_EQ(e.u_after(0), 0);
      EXPECT_GT(e.u_after(1), 0);
    }
  }
  // So spacing against speed is a straight line whose slope tends to the half swing; 1.8 and 1.3 % are left here.
  EXPECT_NEAR((spacings[1] - spacings[0]) / 0.2, half_swing, 0.02 * half_swing);
  EXPECT_NEAR((spacings[2] - spacings[1]) / 0.3, half_swing, 0.015 * half_swing);
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
    // b changes meanwhile, by some thousandths within the 7e-5 s of these bounces: in proportion to the time since
    // rest.
    for (std::size_t n = 2; n < 4; ++n) {
      const double earlier = landings[n - 1].u_before(1) / landings[n - 2].u_before(1);
      const double later = landings[n].u_before(1) / landings[n - 1].u_before(1);
      const double ratio = (landings[n].t - run.t) / (landings[n - 1].t - run.t);
      EXPECT_NEAR(later, e, 1e-2) << n;
      EXPECT_NEAR(earlier - (later - earlier) / (ratio - 1), e, 1.5e-3) << n;
    }
  }
}

TEST(ChalkDots, SeededRunsReportReverseChatter) {
  SimulateOptions o = until(0.02);
  o.simulation.policy = Policy::seeded;
  int chatters = 0;
  for (o.simulation.seed = 0; o.simulation.seed < 8; ++o.simulation.seed) {
    const auto run = simulate(scene_of("chalk-dots"), o);
    ASSERT_GE(run.events.size(), 2U);
    EXPECT_EQ(run.events[0].kind, EventKind::mode);
    EXPECT_NEAR(run.events[0].t, 5.2697648e-4, 1e-10) << "the slip stop";
    const bool drawn = run.events[0].mode.starts_with("reverse chatter");
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
  ASSERT_GT(landings.size(), 100U);
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
    ASSERT_GT(first.size(), 100U);
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
  for (const auto& s : spectrum) {
    if (s.imag() > 500 && s.real() > largest.real()) largest = s;
  }
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
  if (times.size() < 2) return {};
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
  ASSERT_GT(landings.size(), 20U);
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
        << "of " << run.contacts[static_cast<std::size_t>(i)];
  }
  EXPECT_GT(run.cycle->amplitude(0), -scene.space.gap(0)) << "more than the edge was pressed in";
}

// Rimless wheel. A step in stick, φ the lean of the leg from the floor's normal, s the slope, ρ the gyration:
//
//   stance   ω²(φ) = ω₀² + 2gl/(l² + ρ²) (cos(s − π/N) − cos(s + φ)),  −π/N < φ < π/N
//   impact   the angular momentum about the new foot stays: ω⁺ = η ω⁻,  η = (l² cos(2π/N) + ρ²)/(l² + ρ²)

struct Gait {
  double l, rho, legs, slope, g;

  explicit Gait(const Scene& scene)
      : l(scene.posed.parameters.at("leg_length")),
        rho(scene.posed.parameters.at("gyration")),
        legs(scene.posed.parameters.at("legs")),
        slope(scene.posed.parameters.at("slope")),
        g(scene.posed.parameters.at("gravity")) {}
  double inertia() const { return l * l + rho * rho; }
  double eta() const { return (l * l * std::cos(2 * pi / legs) + rho * rho) / inertia(); }
  double stride() const { return 2 * l * std::sin(pi / legs); }
  double gained() const { return 2 * g * std::sin(slope) * stride() / inertia(); }  // ω² per step
  double squared(double start, double lean) const {
    return start * start + 2 * g * l / inertia() * (std::cos(slope - pi / legs) - std::cos(slope + lean));
  }
  double duration(double start) const {  // by Simpson's rule
    constexpr int parts = 400;
    const double h = 2 * pi / legs / parts;
    double sum = 0;
    for (int k = 0; k <= parts; ++k) {
      const double weight = k == 0 || k == parts ? 1 : (k % 2 == 1 ? 4 : 2);
      sum += weight / std::sqrt(squared(start, -pi / legs + k * h));
    }
    return sum * h / 3;
  }
};

TEST(WheelWalking, StepsInStickFollowTheClosedForm) {
  const Scene scene = scene_of("wheel-walking");
  const Gait gait(scene);
  const auto run = simulate(scene, until(4));
  ASSERT_FALSE(run.events.empty());
  ASSERT_EQ(run.events[0].kind, EventKind::iwc) << "the skid jams and ends at once";
  EXPECT_LT(run.events[0].u_after.head(2).norm(), 1e-12);
  EXPECT_EQ(count(run, EventKind::slip), 0);
  EXPECT_LT(std::abs(run.energy.defect()), 1e-8);
  const auto landings = events_of(run, EventKind::landing);
  ASSERT_GE(landings.size(), 17U);
  const double steady = std::sqrt(gait.gained() / (1 - gait.eta() * gait.eta()));
  for (std::size_t k = 0; k < landings.size(); ++k) {
    const int leg = static_cast<int>((k + 1) % 8);
    EXPECT_EQ(landings[k].contact, leg);
    const double omega = -landings[k].u_before(2 * leg + 1) / gait.stride();
    if (k + 1 == landings.size()) {
      EXPECT_NEAR(omega, steady, 1e-7 * steady);
      break;
    }
    const int next = (leg + 1) % 8;
    const double then = -landings[k + 1].u_before(2 * next + 1) / gait.stride();
    EXPECT_NEAR(then * then, gait.eta() * gait.eta() * omega * omega + gait.gained(), 1e-9 * steady * steady) << k;
    EXPECT_NEAR(landings[k + 1].t - landings[k].t, gait.duration(gait.eta() * omega), 1e-9) << k;
  }
  EXPECT_NEAR(steady, 5.43346, 1e-5);
}

TEST(WheelWalking, TimeStepsWalkTheSameSteps) {
  const Scene scene = scene_of("wheel-walking");
  const auto landings = events_of(simulate(scene, until(1)), EventKind::landing);
  SimulateOptions o = until(1);
  o.method = SimulationMethod::step;
  std::vector<double> late;
  for (const double dt : {1e-3, 1e-4}) {
    o.stepping.dt = dt;
    const auto impacts = events_of(simulate(scene, o), EventKind::impact);
    ASSERT_EQ(impacts.size(), landings.size());
    late.push_back(0);
    for (std::size_t k = 0; k < impacts.size(); ++k)
      late.back() = std::max(late.back(), std::abs(impacts[k].t - landings[k].t));
  }
  EXPECT_LT(late[0], 1e-2);
  EXPECT_LT(late[1], 1e-3) << "it falls with dt";
}

// At touch-down the new foot has u_t = 0, since the wheel turns about a foot on the same floor: it skids exactly when
// k+ < 0, that is mu < mu_crit, by u_t = (−k+/p+) V. There p+ > 0: such a skid never begins in a jam.
TEST(WheelWalking, SkiddingGaitStaysAwayFromTheJam) {
  const double mu = 0.36;
  const Scene scene = scene_of("wheel-walking", {{"contact.mu", mu}, {"slip", 0}});
  const Gait gait(scene);
  const auto run = simulate(scene, until(6, 6000));
  const double kappa = gait.rho * gait.rho / (gait.l * gait.l);
  const double sine = std::cos(pi / gait.legs), cosine = std::sin(pi / gait.legs);  // of the leg that lands
  const double A = 1 + sine * sine / kappa, B = sine * cosine / kappa, C = 1 + cosine * cosine / kappa;
  EXPECT_LT(mu, B / A);
  const auto impacts = events_of(run, EventKind::impact);
  ASSERT_GE(impacts.size(), 25U);
  for (const SimulationEvent& e : impacts) {
    EXPECT_NEAR(e.u_before(2 * e.contact), 0, 1e-9);
    EXPECT_NEAR(e.u_after(2 * e.contact), (B - mu * A) / (C - mu * B) * -e.u_before(2 * e.contact + 1), 1e-9);
  }
  const SimulationEvent& last = impacts.back();
  const SimulationEvent& before = impacts[impacts.size() - 2];
  const double V = -last.u_before(2 * last.contact + 1);
  EXPECT_NEAR(V, -before.u_before(2 * before.contact + 1), 1e-8) << "the gait repeats after each step";
  const double sticking = gait.stride() * std::sqrt(gait.gained() / (1 - gait.eta() * gait.eta()));
  EXPECT_LT(V, 0.995 * sticking) << "friction takes its part";
  double least = 1;  // of p/W_nn while a foot skids
  for (const Sample& s : run.samples) {
    const std::vector<Surface> surfaces(scene.laws.size(), Surface{mu, false});
    for (int i = 0; i < 8; ++i) {
      if (std::abs(s.u(2 * i)) < 1e-6 || s.lambda(2 * i + 1) <= 0) continue;
      const ContactSpace c = contact_space(*scene.posed.mechanism, {s.q, s.v, s.t}, surfaces);
      const double along = s.u(2 * i) > 0 ? 1 : -1;
      least = std::min(least, 1 - mu * along * c.W(2 * i, 2 * i + 1) / c.W(2 * i + 1, 2 * i + 1));
    }
  }
  EXPECT_LE(least, 1 - mu * B / C + 1e-9) << "at touch-down";
  EXPECT_GT(least, 1 - mu / (2 * std::sqrt(kappa * (kappa + 1)))) << "mu_jam is nowhere smaller";
}

// Both feet of a step lie on one floor: whatever the springs do, they move along it together.
TEST(WheelWalking, SpringsKeepContactVelocitiesWithTheBody) {
  const Scene scene = scene_of("wheel-walking");
  SimulateOptions o = until(0.4, 400);
  o.method = SimulationMethod::compliant;
  const auto run = simulate(scene, o);
  for (const Sample& s : run.samples)
    ASSERT_LT((scene.posed.mechanism->dynamics({s.q, s.v, s.t}).u - s.u).cwiseAbs().maxCoeff(), 1e-8) << s.t;
  EXPECT_LT(std::abs(run.energy.defect()), 1e-6);
}

// Two-legged body: one cycle of a small push, in closed form. Feet at (foot_i, −h) seen from the centre of mass:
//
//   S+F   foot 1 slips until foot 2 is back, with u_n2 = −v;        impact at foot 2, which sticks, throws foot 1 up
//   FT    foot 2 holds until foot 1 is back;                        impact at foot 1, which sticks, throws foot 2 up
struct Cycle {
  double growth;      // of the speed at which foot 2 leaves
  double t2, t1;      // landings of foot 2 and foot 1, per speed
  bool slips, holds;  // whether the cycle is as assumed
};

Cycle cycle(double mu) {
  const double h = 1, rho2 = 0.5, slope = pi / 18;
  const Vector2d foot(0.1, 0.5), weight(std::sin(slope), -std::cos(slope));
  const auto W = [&](int i, int j) {
    Matrix2d w;
    w << 1 + h * h / rho2, h * foot(j) / rho2, h * foot(i) / rho2, 1 + foot(i) * foot(j) / rho2;
    return w;
  };
  const Vector2d slip(-mu, 1);
  const double lambda = -weight(1) / (W(0, 0) * slip)(1);
  const Vector2d a2 = weight + W(1, 0) * slip * lambda;
  const double flight2 = 2 / -a2(1);
  const Vector2d landing2(a2(0) * flight2, -1);
  const Vector2d Lambda2 = -W(1, 1).inverse() * landing2;
  const double v1 = (W(0, 1) * Lambda2)(1);
  const Vector2d hold = -W(1, 1).inverse() * weight;
  const double flight1 = 2 * v1 / -(weight + W(0, 1) * hold)(1);
  const Vector2d Lambda1 = -W(0, 0).inverse() * Vector2d(0, -v1);
  const bool slips = a2(0) > 0 && a2(1) < 0;
  const bool holds = std::abs(Lambda2(0)) <= 2.5 * Lambda2(1) && std::abs(Lambda1(0)) <= mu * Lambda1(1) && v1 > 0;
  return {(W(1, 0) * Lambda1)(1), flight2, flight2 + flight1, slips, holds};
}

// The compass gait: every step like the one before, down the slope; 0.27 rad, 1.09 rad/s and 0.38 rad/s are known for
// it from the literature on passive walking (slope 3 degrees, hip twice as heavy as a leg).
TEST(BipedWalking, StepsRepeatAndComeNearTheJam) {
  const auto run = simulate(scene_of("biped-walking"), until(8));
  EXPECT_EQ(run.stopped, "t_end");
  const auto landings = events_of(run, EventKind::landing);
  ASSERT_EQ(landings.size(), 10U);
  for (std::size_t k = 0; k < landings.size(); ++k) {
    EXPECT_NEAR(landings[k].t, 0.7324148419 * static_cast<double>(k + 1), 1e-7);
    EXPECT_EQ(landings[k].contact, k % 2 == 0 ? 1 : 0);
  }
  EXPECT_EQ(count(run, EventKind::slip), 0);
  EXPECT_LT(std::abs(run.energy.defect()), 1e-9 * run.energy.initial);
  ASSERT_TRUE(run.nearest_jam);
  EXPECT_GT(run.nearest_jam->ratio, 1.3);
  EXPECT_LT(run.nearest_jam->ratio, 1.34);
}

// A gait that is disturbed comes back: the fixed point of the step map is stable.
TEST(BipedWalking, ForgetsADisturbance) {
  const auto run = simulate(scene_of("biped-walking", {{"theta1_dot", 1.1}}), until(12));
  EXPECT_EQ(run.stopped, "t_end");
  const auto landings = events_of(run, EventKind::landing);
  ASSERT_GE(landings.size(), 14U);
  EXPECT_GT(std::abs(landings[1].t - landings[0].t - 0.7324148419), 1e-4);
  EXPECT_NEAR(landings[13].t - landings[12].t, 0.7324148419, 1e-4);
}

TEST(TumblingBody, EachCycleOfImpactsGrowsAsInClosedForm) {
  const double push = 1e-5;
  const Values small = {{"theta_dot", push / 0.4}, {"x_dot", -push / 0.4}};
  const std::vector<std::pair<double, double>> reference = {{0.101, 43.899587032770086},
                                                            {0.105, 8.082952755195752},
                                                            {0.11, 3.6058734704985684},
                                                            {0.115, 2.113513708932863},
                                                            {0.12, 1.3673338281500154},
                                                            {0.1235, 0},
                                                            {0.1245, 0}};
  for (const auto& [mu, growth] : reference) {
    SCOPED_TRACE(mu);
    const Cycle c = cycle(mu);
    ASSERT_TRUE(c.slips && c.holds);
    if (growth > 0) {
      EXPECT_NEAR(c.growth, growth, 1e-12 * growth);
    }
    Values values = small;
    values.emplace_back("foot1.mu", mu);
    const Scene scene = scene_of("tumbling-body", values);
    // What is left out grows with the square of the push, and with the time that it takes to come down again.
    const double left_out = 1e-6 + 2e-11 * c.t2 * c.t2;
    const auto run = simulate(scene, until(1.01 * push * c.t1));
    const auto impacts = events_of(run, EventKind::impact);
    ASSERT_EQ(impacts.size(), 2U);
    EXPECT_EQ(impacts[0].contact, 1);
    EXPECT_EQ(impacts[1].contact, 0);
    EXPECT_NEAR(impacts[0].t, push * c.t2, left_out * impacts[0].t);
    EXPECT_NEAR(impacts[1].t, push * c.t1, left_out * impacts[1].t);
    EXPECT_NEAR(impacts[1].u_after(3) / -impacts[0].u_before(3), c.growth, left_out * c.growth);
  }
  const double still = bisect([](double mu) { return 1 - cycle(mu).growth; }, 0.12, 0.13);
  EXPECT_GT(still, 0.1239);
  EXPECT_LT(still, 0.1240) << "above it pushes die out";
}

TEST(TumblingBody, CyclesGrowOneAfterTheOther) {
  const Scene scene = scene_of("tumbling-body", {{"foot1.mu", 0.115}});
  const auto landings = events_of(simulate(scene, until(0.04)), EventKind::landing);
  ASSERT_GE(landings.size(), 7U);
  for (std::size_t k = 2; k < 7; k += 2)
    EXPECT_NEAR(landings[k].u_before(3) / landings[k - 2].u_before(3), 2.113513708932863, 5e-5) << k;
}

TEST(TumblingBody, StandsUntilItIsPushedAndThenTurnsOver) {
  const Scene standing = scene_of("tumbling-body", {{"theta_dot", 0}, {"x_dot", 0}});
  EXPECT_EQ(analyze(standing).modes.verdict, "unique");
  const auto stays = simulate(standing, until(10));
  EXPECT_EQ(stays.outcome, "TT");
  EXPECT_LT(stays.state.v.norm(), 1e-12);
  const auto run = simulate(scene_of("tumbling-body"), until(15, 300));
  const auto over =
      std::find_if(run.samples.begin(), run.samples.end(), [](const Sample& s) { return std::abs(s.q(2)) > pi / 2; });
  ASSERT_NE(over, run.samples.end());
  EXPECT_LT(std::abs(run.energy.defect()), 1e-9);
}

}  // namespace scene_runs_test
}  // namespace painleve
