// Drifting contacts: Table A1, the double liftoff and the two-contact jam of Várkonyi (2018), as computed independently
// with another integrator, and limit cycles with frozen P.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "painleve/simulation/compliant.hpp"
#include "painleve/simulation/compliant_run.hpp"

namespace painleve {
namespace compliant_drifting_test {

struct ExpectedEvent {
  EventKind kind;
  int contact;
  double t;
};

struct Row {
  const char* name;
  double P[4], P_rate[4], b[2];
  double t_end;
  const char* outcome;
  std::size_t events;                   // openings and closings
  std::vector<ExpectedEvent> expected;  // the first of them
  double tolerance;                     // [s]
};

DriftingContacts contacts(const double (&P)[4], const double (&P_rate)[4], const double (&b)[2]) {
  DriftingContacts c;
  c.P = Eigen::Map<const Eigen::Matrix<double, 2, 2, Eigen::RowMajor>>(P);
  c.P_rate = Eigen::Map<const Eigen::Matrix<double, 2, 2, Eigen::RowMajor>>(P_rate);
  c.b = Eigen::Map<const Eigen::Vector2d>(b);
  c.b_rate = Eigen::VectorXd::Zero(2);
  c.b_force = Eigen::MatrixXd::Zero(2, 2);
  c.stiffness = c.damping = Eigen::VectorXd::Ones(2);
  return c;
}

Run run(const DriftingContacts& c, double t_end) {
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = 0;
  return simulate_compliant(c, options);
}

double first(const Run& r, EventKind kind, int contact) {
  for (const SimulationEvent& event : r.events) {
    if (event.kind == kind && event.contact == contact) return event.t;
  }
  return std::nan("");
}

constexpr EventKind kUp = EventKind::liftoff;
constexpr EventKind kIwc = EventKind::iwc;

// Tolerances: the slip of 6a-c is on a slow manifold whose rounding is 1e-15 s; the S rows grow by e^10 before they
// lift.
const std::vector<Row> kTableA1 = {
    {"6a",
     {0.9510565162951536, -0.5877852522924729, 0.30901699437494745, 0.8090169943749476},
     {0, 0, 0, 1},
     {0.5877852522924728, -0.8090169943749477},
     0.01,
     "FS",
     1,
     {{kUp, 0, -3.702411876630192e-08}},
     1e-14},
    {"6b",
     {0.9510565162951536, -0.9876883405951377, 0.30901699437494745, -0.15643446504023076},
     {0, 0, 0, 1},
     {0.9876883405951377, 0.15643446504023087},
     0.01,
     "FF",
     2,
     {{kUp, 0, -6.188072086010805e-07}, {kUp, 1, 0.0013486552364365245}},
     1e-14},
    {"6c",
     {0.9510565162951535, 0.9876883405951375, -0.3090169943749477, -0.15643446504023112},
     {0, 0, 0, -1},
     {-0.9876883405951377, 0.15643446504023098},
     0.01,
     "IWC:FI",
     1,
     {{kUp, 0, 6.16486755339136e-07}, {kIwc, 1, 0.004182516607055852}},
     1e-14},
    {"7ab",
     {0.6472954580137105, 0.8090169943749476, -0.7622391947642294, 0.587785252292473},
     {0, 0, -1, 0},
     {-1, 0},
     0.4,
     "inverse_chatter",
     38,
     {{kUp, 0, 0.11911370133514161}, {kUp, 1, 0.12069469110646522}},
     2e-12},
    {"7c",
     {0.9044253631343002, -0.9510565162951535, 0.4266318817427841, -0.3090169943749478},
     {0, -1, 0, 0},
     {0.9876883405951377, 0.15643446504023087},
     0.12,
     "FF",
     6,
     {{kUp, 0, 0.0437981576744073}, {kUp, 1, 0.045613906525093124}},
     2e-12},
    {"7d",
     {0.9044253631343001, 0.9510565162951535, -0.42663188174278416, -0.3090169943749477},
     {0, 0, -1, 0},
     {-0.9297764858882512, 0.36812455268467814},
     0.12,
     "IWC:FI",
     5,
     {{kUp, 0, 0.03197394204173973}, {kUp, 1, 0.032533273325831315}, {kIwc, 1, 0.03516440893524701}},
     2e-12},
    {"7ef",
     {-0.3090169943749476, 0.42663188174278405, -0.9510565162951535, 0.9044253631343003},
     {0, 0, -1, 0},
     {-0.5877852522924732, -0.8090169943749475},
     0.12,
     "limit_cycle",
     292,
     {{kUp, 0, 0.04736956939439264}, {kUp, 1, 0.04930091557863208}},
     2e-12},
};

TEST(TableA1, HasTheOutcomesAndTimesOfEveryRow) {
  for (const Row& row : kTableA1) {
    const auto r = run(contacts(row.P, row.P_rate, row.b), row.t_end);
    EXPECT_EQ(r.outcome, row.outcome) << row.name;
    const bool diverges = r.outcome.starts_with("IWC");
    EXPECT_EQ(r.events.size(), row.events + (diverges ? 1U : 0U)) << row.name;
    EXPECT_EQ(r.stopped, diverges ? "iwc" : "t_end") << row.name;
    for (const ExpectedEvent& e : row.expected) {
      EXPECT_NEAR(first(r, e.kind, e.contact), e.t, row.tolerance) << row.name;
    }
  }
}

// Fixed-step Runge-Kutta on the law (2.20) as it stands, in scaled time, without events.
double literal_end_gap(const DriftingContacts& c, double t_end) {
  using State = Eigen::Matrix<double, 4, 1>;
  const double eps = c.epsilon;
  const auto rates = [&](double t, const State& y) {
    Eigen::Vector2d lambda;
    for (int i = 0; i < 2; ++i) lambda(i) = y(i) > 0 ? 0 : std::max(0.0, -y(i) - y(2 + i));
    State f;
    f << y.tail<2>(), c.b + (c.P + t * c.P_rate) * lambda;
    return f;
  };
  State y;
  y << c.slip_matrix(c.t_start).inverse() * c.b, 0, 0;
  const int steps = 800000;
  const double h = (t_end - c.t_start) / eps / steps;
  for (int i = 0; i < steps; ++i) {
    const double t = c.t_start + eps * h * i;
    const State k1 = rates(t, y);
    const State k2 = rates(t + eps * h / 2, y + h / 2 * k1);
    const State k3 = rates(t + eps * h / 2, y + h / 2 * k2);
    const State k4 = rates(t + eps * h, y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return y(0) * eps * eps;
}

TEST(TableA1, FollowsTheLawAsItStands) {
  const Row& row = kTableA1[6];
  const DriftingContacts c = contacts(row.P, row.P_rate, row.b);
  SimulationOptions options;
  options.t_end = 0.06;  // after 15 changes
  options.samples = 1;
  const auto r = simulate_compliant(c, options);
  ASSERT_GT(r.events.size(), 10U);
  // The fixed steps of 9e-4 do not meet the landings, where the force jumps: each costs up to a step times the landing
  // speed of 0.5, in units of ε² = 1e-8 m. The swings have 2e-8 m.
  EXPECT_NEAR(r.samples.back().gap(0), literal_end_gap(c, 0.06), 1e-11);
}

TEST(DoubleLiftoff, LiftsOneContactAndStrikesTheOther) {
  // Times from a run with tolerance 1e-10 in which a relative 1e-9 stays open: at t = 0 all forces are alike.
  struct Case {
    double b1, lift_1, land_1, lift_2, iwc;
  };
  const double none = std::nan("");
  const Case cases[] = {{-0.04, 0.01433657069078121, 0.04583410642160323, 0.04588194028437437, 0.051020699158713406},
                        {-0.02, 0.014810351983028176, 0.05198222276989255, 0.05201818143963323, 0.05686566605734987},
                        {0.02, none, none, 0.014825317659557684, 0.02465969279684903},
                        {0.04, none, none, 0.014351201014042555, 0.024401775903522657}};
  for (const Case& x : cases) {
    DriftingContacts c = contacts({0, 0, 1, 1}, {-1, 1, 0, 0}, {x.b1, -1});
    c.b_force << 2, -2, 0, 0;
    c.t_start = -0.05;
    const auto r = run(c, 0.1);
    EXPECT_EQ(r.outcome, "IWC:IF") << x.b1;
    EXPECT_NEAR(first(r, EventKind::liftoff, 1), x.lift_2, 1e-8 * x.lift_2);
    EXPECT_NEAR(first(r, EventKind::iwc, 0), x.iwc, 1e-8 * x.iwc);
    if (std::isnan(x.lift_1)) {
      EXPECT_EQ(r.events.size(), 2U);
    } else {
      EXPECT_NEAR(first(r, EventKind::liftoff, 0), x.lift_1, 1e-8 * x.lift_1);
      EXPECT_NEAR(first(r, EventKind::landing, 0), x.land_1, 1e-8 * x.land_1);
    }
  }
}

DriftingContacts jamming(double angle, double a) {
  DriftingContacts c = contacts({0, 0, -1, 1}, {-1, -1, 0, 0},
                                {-std::cos(angle * std::numbers::pi), -std::sin(angle * std::numbers::pi)});
  c.b_force << a, a, 0, 0;
  c.t_start = -0.05;
  return c;
}

TEST(TwoContactJam, StrikesBothWithThePrintedCoefficient) {
  const std::pair<double, double> times[] = {{-0.4, 0.011880128028650865}, {-0.3, 0.011939572968217587},
                                             {-0.2, 0.011960814450808516}, {-0.1, 0.011973576708016584},
                                             {0.1, 0.011959524470968173},  {0.2, 0.011946768892573867},
                                             {0.3, 0.01192553853608141},   {0.4, 0.011866124799164757}};
  for (const auto& [angle, t] : times) {
    const auto r = run(jamming(angle, 0.5), 0.05);
    EXPECT_EQ(r.outcome, "IWC:II") << angle;
    EXPECT_NEAR(r.t, t, 1e-13) << angle;
  }
}

TEST(TwoContactJam, ChangesItsOutcomeAtTheCoefficientOne) {
  for (const double a : {0.25, 0.9}) {
    EXPECT_EQ(run(jamming(-0.2, a), 0.05).outcome, "IWC:II") << a;
    EXPECT_EQ(run(jamming(0.2, a), 0.05).outcome, "IWC:II") << a;
  }
  for (const double a : {1.1, 1.75}) {
    EXPECT_EQ(run(jamming(-0.2, a), 0.05).outcome, "FF") << a;
    EXPECT_EQ(run(jamming(0.2, a), 0.05).outcome, "FS") << a;
  }
}

// Frozen P and b in fast units.
Run frozen(const Eigen::Matrix2d& P, const Eigen::Vector2d& b, const std::vector<NormalSpring>& springs,
           const Eigen::Vector2d& gap, double t_end) {
  DriftingContacts c = contacts({1, 0, 0, 1}, {0, 0, 0, 0}, {0, 0});
  c.P = P;
  c.b = b;
  CompliantSetup setup;
  setup.model = std::make_shared<DriftingModel>(c);
  setup.slow = b;
  for (const NormalSpring& spring : springs) setup.contacts.push_back({spring, {}});
  setup.names = {"c1", "c2"};
  setup.gap = gap;
  setup.u = Eigen::Vector2d::Zero();
  setup.rules.divergence = Divergence::force;
  setup.resolve = setup.stop_at_divergence = true;
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = 0;
  return run_compliant(setup, options);
}

// λ grows as exp(t/ε) from what the drift has pushed away from the unstable point λ = 1.
TEST(DriftingContacts, DoNotRestWhileTheirForceGrows) {
  DriftingContacts c;
  c.P = Eigen::MatrixXd::Constant(1, 1, -1);
  c.P_rate = Eigen::MatrixXd::Constant(1, 1, -0.5);
  c.b = Eigen::VectorXd::Ones(1);
  c.b_rate = Eigen::VectorXd::Zero(1);
  c.b_force = Eigen::MatrixXd::Zero(1, 1);
  c.stiffness = c.damping = Eigen::VectorXd::Ones(1);
  c.epsilon = 1e-3;
  c.t_start = -0.01;
  const auto r = run(c, 0);
  EXPECT_EQ(r.outcome, "S");
  EXPECT_NE(r.outcome_reason.find("unstable"), std::string::npos) << r.outcome_reason;
  EXPECT_EQ(run(c, 0.005).outcome, "IWC:I");
}

TEST(LimitCycle, OfTwoContactsThatPartByTurns) {
  // Champneys & Várkonyi (2016) Fig. 15B with p22 = −0.375.
  const std::vector<NormalSpring> springs = {{Compliance::kelvin_voigt, 1, 1.2, false},
                                             {Compliance::kelvin_voigt, 3, 1.2, false}};
  const auto r =
      frozen((Eigen::Matrix2d() << 3.051, -1.677, 1.555, -0.375).finished(), {-1, -0.727}, springs, {-0.5, -0.1}, 600);
  EXPECT_EQ(r.outcome, "limit_cycle");
  ASSERT_TRUE(r.cycle);
  EXPECT_NEAR(r.cycle->period, 4.764397890743998, 2e-10);
  EXPECT_NEAR(r.cycle->amplitude(0), (0.8044258400081141 - 0.38096940197537776) / 2, 1e-6);
  EXPECT_NEAR(r.cycle->amplitude(1), (0.3595030138177803 + 0.08665648697817241) / 2, 1e-6);
}

TEST(LimitCycle, OfTheFrozenSystemOfRow7ef) {
  const std::vector<NormalSpring> springs(2, {Compliance::viscoelastic, 1, 1, false});
  struct Case {
    double t, period, low[2], high[2];
  };
  const Case cases[] = {
      {0.05, 9.676057156688676, {-2.671095244682175, -4.469670743289495}, {0.2236180361917239, -0.36116237764726905}},
      {0.08, 9.8342108575189, {-2.626424480295733, -4.5224171046205}, {0.45782645850316855, -0.28871796106365183}},
      {0.11, 9.992071305309768, {-2.5708273851920107, -4.545589341175271}, {0.66388019074399, -0.22557289187357676}}};
  for (const Case& x : cases) {
    Eigen::Matrix2d P;
    P << -0.3090169943749476, 0.42663188174278405, -0.9510565162951535 - x.t, 0.9044253631343003;
    const auto r = frozen(P, {-0.5877852522924732, -0.8090169943749475}, springs, {-1.5, -2.4}, 1000);
    EXPECT_EQ(r.outcome, "limit_cycle");
    ASSERT_TRUE(r.cycle);
    EXPECT_NEAR(r.cycle->period, x.period, 1e-9);
    for (int i = 0; i < 2; ++i) {
      // The reference took extremes over samples: 1e-3 of the amplitude.
      EXPECT_NEAR(r.cycle->amplitude(i), (x.high[i] - x.low[i]) / 2, 2e-3);
    }
  }
}

TEST(FrozenContacts, OfFig15AStrikeOneAndLiftTheOther) {
  const std::vector<NormalSpring> springs(2, {Compliance::kelvin_voigt, 1, 1, false});
  Eigen::Matrix2d P;
  P << -0.055, 0.088, 0.055, -0.036;
  int first_struck = 0;
  int second_struck = 0;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      const auto r = frozen(P, {-1, -1}, springs, {-20.0 * i, -20.0 * j}, 400);
      first_struck += r.outcome == "IWC:IF" ? 1 : 0;
      second_struck += r.outcome == "IWC:FI" ? 1 : 0;
    }
  }
  EXPECT_EQ(first_struck + second_struck, 25);
  EXPECT_GT(first_struck, 5);
  EXPECT_GT(second_struck, 5);
}

TEST(DriftingContacts, HaveNoEnergyAndNormalsOnly) {
  const Row& row = kTableA1[1];
  const auto r = run(contacts(row.P, row.P_rate, row.b), 0.01);
  EXPECT_EQ(r.dimension, 1);
  EXPECT_EQ(r.impulse.size(), 2);
  EXPECT_EQ(r.energy.initial, 0);
  EXPECT_EQ(r.energy.defect(), 0);
  EXPECT_EQ(r.contacts, (std::vector<std::string>{"c1", "c2"}));
}

}  // namespace compliant_drifting_test
}  // namespace painleve
