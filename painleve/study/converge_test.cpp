#include "painleve/study/converge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/study/detail/converge_parts.hpp"

namespace painleve {
namespace converge_test {

constexpr double kRoot3 = std::numbers::sqrt3;

ConvergeProblem problem(const std::string& scene, double t_end, const std::vector<std::string>& regularisations = {}) {
  ConvergeProblem p;
  p.scene = SceneSource::open(scene).build();
  p.simulation.t_end = t_end;
  p.simulation.policy = Policy::all;
  for (const auto& name : regularisations) p.regularisations.push_back(Regularisation::parse(name));
  return p;
}

ConvergeReport springs(const std::string& scene, double t_end, double from, double to, int n,
                       const std::vector<std::string>& regularisations = {}) {
  ConvergeProblem p = problem(scene, t_end, regularisations);
  p.stiffness = logarithmic_range(from, to, n);
  return converge(p);
}

ConvergeReport steps(const std::string& scene, double t_end, double from, double to, int n) {
  ConvergeProblem p = problem(scene, t_end);
  p.dt = logarithmic_range(from, to, n);
  return converge(p);
}

const QuantityLimit& limit(const ConvergeReport& report, std::size_t series, const std::string& name) {
  for (std::size_t q = 0; q < report.quantities.size(); ++q) {
    if (report.quantities[q].name == name) return report.series.at(series).limits.at(q).value();
  }
  throw std::runtime_error("no quantity " + name);
}

const ConvergeSeries& series(const ConvergeReport& report, const std::string& name) {
  for (const ConvergeSeries& s : report.series) {
    if (s.name == name) return s;
  }
  throw std::runtime_error("no series " + name);
}

TEST(LogarithmicRange, HasDecadesAndBothEnds) {
  EXPECT_EQ(logarithmic_range(1e3, 1e8, 6), (std::vector<double>{1e3, 1e4, 1e5, 1e6, 1e7, 1e8}));
  EXPECT_EQ(logarithmic_range(1e-2, 1e-5, 4), (std::vector<double>{1e-2, 1e-3, 1e-4, 1e-5}));
  for (const auto& [a, b, n] :
       {std::tuple{0.0, 1.0, 3}, {1.0, 1.0, 3}, {-1.0, 1.0, 3}, {1.0, 2.0, 1}, {1.0, 2.0, 2000}})
    EXPECT_THROW(logarithmic_range(a, b, n), InputError);
}

// Preclik's law on the rod without a solution: the slip ends in a time ln(α)/(|A| α), in which everything else moves
// on, so that the error at a fixed time is ln(α)/α. Rigid mechanics answers by an impact without collision.
TEST(Converge, PreclikTendsToTheInelasticImpact) {
  const auto r = springs("rod-no-solution", 0.1, 1e3, 1e8, 6, {"preclik"});
  ASSERT_EQ(r.futures.size(), 1U);
  const ConvergeSeries& s = r.series.front();
  EXPECT_TRUE(s.decided) << s.undecided_reason;
  EXPECT_EQ(s.future, 0) << s.future_reason;
  EXPECT_FALSE(s.restitution);
  for (const char* name : {"impulse_n.tip", "impulse_t.tip", "q.theta", "v.theta", "energy"}) {
    const QuantityLimit& l = limit(r, 0, name);
    EXPECT_NEAR(l.estimate.limit, *l.rigid, 1e-9) << name;
    EXPECT_LE(std::abs(l.estimate.limit - *l.rigid), l.estimate.error) << name;
    EXPECT_NEAR(*l.estimate.order, 1, 1e-12) << name;
    EXPECT_TRUE(l.estimate.logarithm) << name;
    EXPECT_GT(*l.rigid_orders.back(), 0.85) << name;
    EXPECT_LT(*l.rigid_orders.back(), 0.95) << name << ": the logarithm still shows";
  }
  EXPECT_EQ(r.agrees, true);
}

// The first step takes the whole impulse, Λ2 + dt (13/16, 3√3/16), exactly.
TEST(Converge, TimeStepsTendToTheImpulseOfTheRigidSolution) {
  const auto r = steps("rod-no-solution", 0.1, 1e-2, 1e-5, 4);
  ASSERT_EQ(r.series.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(r.series[k].future, 0) << r.series[k].name;
    EXPECT_NEAR(limit(r, k, "Lambda_n.tip").estimate.limit, 3 * kRoot3 / 16, 1e-14);
    EXPECT_NEAR(limit(r, k, "Lambda_t.tip").estimate.limit, 7.0 / 16, 1e-14);
    EXPECT_NEAR(*limit(r, k, "Lambda_n.tip").rigid, 3 * kRoot3 / 16, 1e-12);
    for (const auto& order : limit(r, k, "Lambda_t.tip").orders) EXPECT_NEAR(*order, 1, 1e-9);
    const Eigen::VectorXd& coarse = r.series[k].rows.front().ending.values;
    EXPECT_NEAR(coarse(coarse.size() - 1), 3 * kRoot3 / 16 + 0.01 * 13 / 16, 1e-14);
    EXPECT_NEAR(coarse(coarse.size() - 2), 7.0 / 16 + 0.01 * 3 * kRoot3 / 16, 1e-14);
    for (const char* name : {"impulse_n.tip", "q.theta", "v.theta"}) {
      EXPECT_NEAR(limit(r, k, name).estimate.limit, *limit(r, k, name).rigid, 1e-9) << name;
      EXPECT_NEAR(*limit(r, k, name).rigid_orders.back(), 1, 0.01) << name;
    }
  }
  EXPECT_EQ(r.verdict, "uniformly resolvable");
  EXPECT_EQ(r.agrees, true);
  EXPECT_NE(r.expected.find("up to the impact"), std::string::npos) << r.expected;
}

// Springs with a damping ratio rebound from an impact without collision. The restitution by another route: the frozen
// fast dynamics alone at one very large stiffness, where u_n⁺ = r |v_s| √(1 + K/|p|), v_s = p U/k, says r.
TEST(Converge, SpringsReboundAsTheirFastDynamicsHasIt) {
  const auto r = springs("rod-no-solution", 0.1, 1e4, 1e9, 6, {"viscoelastic", "viscoelastic:damping=0.1"});
  const Scene rod = SceneSource::open("rod-no-solution").build();
  Scene frozen;
  frozen.kind = SceneKind::contact_space;
  frozen.mechanism = "contact-space";
  frozen.space = raw_contact_space(2, rod.space.W, rod.space.b, rod.space.u, rod.space.mu);
  frozen.laws = rod.laws;
  const double W_tt = rod.space.W(0, 0), W_tn = std::abs(rod.space.W(0, 1)), W_nn = rod.space.W(1, 1), mu = 1.5;
  const double p = W_nn - mu * W_tn, k = mu * W_tt - W_tn, K = W_nn - W_tn * W_tn / W_tt;
  for (std::size_t n = 0; n < 2; ++n) {
    SimulateOptions o;
    o.simulation.t_end = 1e-4;
    const RegularisedScene stiff = regularised(frozen, *r.series[n].regularisation, 1e14);
    const auto events = simulate(stiff.scene, o).events;
    ASSERT_EQ(events.back().kind, EventKind::liftoff);
    const double u_n = events.back().u_after(1);
    const double restitution = u_n / (std::abs(p / k) * std::sqrt(1 + K / std::abs(p)));
    ASSERT_TRUE(r.series[n].restitution) << r.series[n].future_reason;
    EXPECT_EQ(r.series[n].future, 0);
    EXPECT_NEAR(*r.series[n].restitution, restitution, r.series[n].restitution_error);
    EXPECT_LT(r.series[n].restitution_error, 2e-3);
    EXPECT_NEAR(*limit(r, n, "impulse_n.tip").estimate.order, 0.5, 1e-12);
    EXPECT_TRUE(limit(r, n, "impulse_n.tip").estimate.logarithm);
  }
  EXPECT_EQ(r.verdict, "uniformly resolvable up to restitution") << r.verdict_reason;
  EXPECT_TRUE(r.uniform_outcome);
  EXPECT_EQ(r.agrees, false);
  ASSERT_TRUE(r.witness);
}

// The estimate from moderate springs against springs that are a hundred thousand times stiffer.
TEST(Converge, LimitsHoldFarBeyondTheRange) {
  for (const char* name : {"viscoelastic", "hertz", "hunt-crossley"}) {
    const auto near = springs("rod-no-solution", 0.1, 1e6, 1e11, 6, {name});
    const auto far = springs("rod-no-solution", 0.1, 1e10, 1e16, 7, {name});
    for (const char* q : {"impulse_n.tip", "v.theta"}) {
      const LimitEstimate &a = limit(near, 0, q).estimate, &b = limit(far, 0, q).estimate;
      EXPECT_LT(std::abs(a.limit - b.limit), 3 * near.series[0].error) << name << " " << q;
      EXPECT_LT(b.error, 1e-6) << name << " " << q;
    }
  }
}

// Case M: below the force 7.5545 of the unstable slip the rod leaves, above it the tip jams.
TEST(Converge, ThreeSolutionsAreDecidedByTheForceAtTheStart) {
  const auto r = springs("rod-three-solutions", 0.1, 1e3, 1e8, 6);
  ASSERT_EQ(r.futures.size(), 3U);
  EXPECT_EQ(r.verdict, "depends on the regularisation");
  ASSERT_TRUE(r.witness);
  EXPECT_EQ(series(r, "viscoelastic").future, 0);
  EXPECT_EQ(series(r, "hertz").future, 0);
  EXPECT_EQ(series(r, "viscoelastic:start=0.9static").future, 0);
  EXPECT_EQ(series(r, "viscoelastic:start=1.1static").future, 2);
  EXPECT_EQ(r.series[static_cast<std::size_t>(r.witness->second)].name, "viscoelastic:start=1.1static");
  ASSERT_TRUE(r.start_force);
  EXPECT_NEAR(r.start_force->normal.front(), 7.5545, 5e-5);
  EXPECT_EQ(r.agrees, false);
  EXPECT_NE(r.expected.find("need not agree"), std::string::npos);
}

TEST(Converge, EveryRigidFutureIsTheLimitOfASolutionOfTheTimeSteps) {
  const auto r = steps("rod-three-solutions", 0.1, 1e-2, 1e-5, 4);
  ASSERT_EQ(r.series.size(), 6U);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(r.series[k].future, static_cast<int>(k % 3)) << r.series[k].name;
  EXPECT_EQ(r.verdict, "depends on the regularisation");
}

TEST(Converge, ARegularSlipIsUniformlyResolvable) {
  ConvergeProblem p = problem("rod-falling", 0.1);
  p.stiffness = logarithmic_range(1e3, 1e8, 6);
  p.dt = logarithmic_range(1e-2, 1e-5, 4);
  const auto r = converge(p);
  EXPECT_EQ(r.verdict, "uniformly resolvable") << r.verdict_reason;
  EXPECT_EQ(r.agrees, true) << r.agrees_reason;
  EXPECT_NE(r.expected.find("must agree:"), std::string::npos) << r.expected;
  for (const ConvergeSeries& s : r.series) EXPECT_EQ(s.future, 0) << s.name << ": " << s.future_reason;
  for (std::size_t k = 0; k < r.series.size(); ++k) {
    if (r.series[k].method != SimulationMethod::step) continue;
    EXPECT_NEAR(*limit(r, k, "v.theta").rigid_orders.back(), 1, 0.02) << r.series[k].name;
  }
}

// Várkonyi (2018), Table A1.
TEST(Converge, DriftingContactsKeepTheirOutcome) {
  const std::pair<const char*, const char*> rows[] = {{"table-a1-6a", "FS"},     {"table-a1-6b", "FF"},
                                                      {"table-a1-6c", "IWC:FI"}, {"table-a1-7c", "FF"},
                                                      {"table-a1-7d", "IWC:FI"}, {"table-a1-7ef", "limit_cycle"}};
  for (const auto& [name, outcome] : rows) {
    const auto r = springs(name, 0.15, 1e8, 1e9, 3, {"viscoelastic"});
    EXPECT_TRUE(r.futures.empty());
    EXPECT_TRUE(r.uniform_outcome) << name;
    EXPECT_EQ(r.verdict, "undecided") << name << ": one series shows nothing of the others";
    for (const ConvergeRow& row : r.series.front().rows) EXPECT_EQ(row.ending.outcome, outcome) << name;
  }
  const auto r = springs("table-a1-7d", 0.15, 1e8, 1e9, 3);
  EXPECT_EQ(r.verdict, "depends on the regularisation") << "strong dampers keep both contacts slipping";
  ASSERT_TRUE(r.witness);
  EXPECT_EQ(r.witness->quantity, -1);
}

TEST(Converge, TooFewRowsDecideNothing) {
  const auto r = springs("rod-no-solution", 0.1, 1e3, 1e4, 2, {"viscoelastic"});
  EXPECT_EQ(r.verdict, "undecided");
  EXPECT_FALSE(r.agrees);
  EXPECT_FALSE(r.series.front().decided);
  EXPECT_NE(r.verdict_reason.find("three are needed"), std::string::npos) << r.verdict_reason;
}

TEST(Converge, StopsWithTheRowsDoneSoFar) {
  ConvergeProblem p = problem("rod-falling", 0.1, {"viscoelastic", "hertz"});
  p.stiffness = logarithmic_range(1e3, 1e6, 4);
  const auto stopped = converge(p, [](double part) { return part < 0.6; });
  EXPECT_FALSE(stopped.complete);
  ASSERT_EQ(stopped.series.size(), 2U);
  EXPECT_EQ(stopped.series[0].rows.size(), 4U);
  EXPECT_LT(stopped.series[1].rows.size(), 4U);
  const auto at_once = converge(p, [](double) { return false; });
  EXPECT_FALSE(at_once.complete);
  EXPECT_EQ(at_once.verdict, "undecided");
  EXPECT_NO_THROW(to_json(p, at_once));
}

// A run that branched on its way: each end has the impulses, events and energy of the whole way to it.
TEST(Converge, EndsOfABranchedRunHaveAllThatLedToThem) {
  const Scene rod = SceneSource::open("rod").build();
  const auto part = [&](double impulse, double t, const std::string& why) {
    painleve::Run run;
    run.contacts = {"tip"};
    run.state = rod.posed.state;
    run.impulse = Eigen::Vector2d(impulse, 2 * impulse);
    run.t = t;
    run.why = why;
    run.stopped = "t_end";
    run.steps = 10;
    SimulationEvent e;
    e.t = t;
    e.kind = EventKind::slip;
    e.contact = 0;
    run.events = {e};
    return run;
  };
  painleve::Run run = part(1, 0.1, "");
  run.stopped = "branched";
  run.futures = {part(10, 1, "solution 0 of 2 (F) in the step from t = 0.1 s"), part(100, 1, "solution 1 of 2 (T)")};
  run.futures[0].events[0].kind = EventKind::impact;
  run.futures[0].events[0].Lambda = Eigen::Vector2d(7, 8);
  painleve::Run merged = part(1000, 0.5, "solution 2");
  merged.stopped = "merged";
  run.futures.push_back(merged);
  const auto ends = detail::leaves(run, rod);
  ASSERT_EQ(ends.size(), 2U) << "what merges into another is not counted twice";
  EXPECT_EQ(ends[0].why, "solution 0 of 2 (F)");
  EXPECT_TRUE(ends[0].strikes);
  EXPECT_FALSE(ends[1].strikes);
  EXPECT_EQ(ends[0].ending.values(0), 11);
  EXPECT_EQ(ends[1].ending.values(1), 202);
  EXPECT_EQ(ends[0].ending.events.size(), 2U);
  EXPECT_EQ(ends[0].ending.steps, 20);
  const Eigen::Index last = ends[0].ending.values.size() - 1;
  EXPECT_EQ(ends[0].ending.values(last), 8) << "Lambda_n of the first impact";
  EXPECT_TRUE(std::isnan(ends[1].ending.values(last)));
}

TEST(Converge, RefusesWhatCannotBeStudied) {
  ConvergeProblem p = problem("rod-falling", 0.1);
  EXPECT_THROW(converge(p), InputError);
  p.dt = {1e-12};
  EXPECT_THROW(converge(p), InputError) << "1e11 steps";
  p.dt = {0};
  EXPECT_THROW(converge(p), InputError);
  p.dt.clear();
  p.stiffness = {1e20};
  EXPECT_THROW(converge(p), InputError);
  p = problem("table-a1-6a", 0.1);
  p.dt = {1e-3, 1e-4};
  EXPECT_THROW(converge(p), InputError);
}

TEST(Converge, TheOrderOfTheValuesDoesNotMatter) {
  ConvergeProblem p = problem("rod-no-solution", 0.05, {"preclik"});
  p.stiffness = logarithmic_range(1e3, 1e6, 4);
  const auto up = to_json(p, converge(p))["series"].dump();
  p.stiffness = logarithmic_range(1e6, 1e3, 4);
  EXPECT_EQ(to_json(p, converge(p))["series"].dump(), up);
}

}  // namespace converge_test
}  // namespace painleve
