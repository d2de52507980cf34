// Extremes known in closed form or to many digits, found from the grid alone: no test gives a starting point.
#include "painleve/study/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "painleve/base/error.hpp"

namespace painleve {
namespace search_test {

constexpr double pi = std::numbers::pi;

// Newton's method on differences leaves the place of a smooth extreme uncertain by about 1e-9 of the range, and its
// value, flat there, by rounding of the mechanism's own arithmetic.
constexpr double value_digits = 1e-12;
constexpr double place_digits = 1e-8;
// At the edge of the domain the last slide is a ten-thousandth of a cell, and the value there is off by its square.
constexpr double edge_value_digits = 1e-8;
constexpr double edge_place_cells = 0.05;

struct Setting {
  std::string scene;
  std::vector<std::string> set;
};

struct Over {
  std::string name;
  double from, to;
  int count;
};

SearchProblem problem(const Setting& setting, const std::vector<Over>& ranges, const std::string& quantity = "mu_jam",
                      bool minimise = true) {
  SceneSource source = SceneSource::open(setting.scene);
  for (const auto& assignment : setting.set) {
    source.set(assignment);
  }
  SearchProblem p{source, Quantity::parse(quantity), minimise, {}};
  for (const auto& range : ranges) {
    p.axes.push_back({source.resolve(range.name), range.name, range.from, range.to, range.count});
  }
  return p;
}

std::vector<Extreme> interior(const SearchReport& report) {
  std::vector<Extreme> found;
  std::copy_if(report.extremes.begin(), report.extremes.end(), std::back_inserter(found),
               [](const Extreme& e) { return e.interior; });
  return found;
}

std::string assignment(const std::string& key, double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%s=%.17g", key.c_str(), value);
  return text;
}

std::string refusal(const SearchProblem& p) {
  try {
    search(p);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_contains(const std::string& text, const std::vector<std::string>& parts) {
  for (const auto& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in '" << text << "'";
  }
}

// The interior minima by increasing value, with nothing else interior. `expected` is {value, place per axis…}.
void expect_minima(const SearchReport& report, const std::vector<std::vector<double>>& expected) {
  const auto found = interior(report);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found[i].value, expected[i][0], value_digits * expected[i][0]);
    for (std::size_t k = 0; k + 1 < expected[i].size(); ++k) {
      EXPECT_NEAR(found[i].at[k], expected[i][k + 1], place_digits) << "minimum " << i << ", axis " << k;
    }
    EXPECT_FALSE(found[i].at_hole);
  }
}

// ---- one axis, closed forms

TEST(Search, UniformRodIsMostProneToJamAtTwo) {
  const auto report = search(problem({"rod", {}}, {{"theta", 0, pi / 2, 201}}));
  expect_minima(report, {{4.0 / 3, std::atan(2.0)}});
  EXPECT_EQ(report.extremes.size(), 1U);  // mu_jam grows without bound towards both ends
  EXPECT_TRUE(report.extremes[0].confirmed);
  EXPECT_TRUE(report.complete);
}

TEST(Search, EveryMirrorImageOfTheRodIsFound) {
  const auto report = search(problem({"rod", {}}, {{"theta", -pi / 2, 3 * pi / 2, 401}}));
  std::vector<double> places;
  for (const auto& e : interior(report)) {
    EXPECT_NEAR(e.value, 4.0 / 3, value_digits);
    places.push_back(e.at[0]);
  }
  std::sort(places.begin(), places.end());
  const double a = std::atan(2.0);
  const std::vector<double> expected = {-a, a, pi - a, pi + a};
  ASSERT_EQ(places.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(places[i], expected[i], place_digits);
  }
}

// mu_P = (kappa + cos^2) / (sin cos), kappa = (gyration/half_length)^2; least 2 sqrt(kappa (kappa + 1)).
TEST(Search, RodOfAnyGyration) {
  for (const double kappa : {0.01, 0.1, 0.25, 1.0 / 3, 1.0, 5.0}) {
    SCOPED_TRACE(kappa);
    const auto report =
        search(problem({"rod", {assignment("gyration", std::sqrt(kappa))}}, {{"theta", 0, pi / 2, 401}}));
    expect_minima(report, {{2 * std::sqrt(kappa * (kappa + 1)), std::atan(std::sqrt((kappa + 1) / kappa))}});
  }
}

// rho^2/l^2 = 1/3 for a homogeneous box of any aspect ratio: the same as the rod.
TEST(Search, HomogeneousBlockIsARod) {
  for (const auto& [width, height] : std::vector<std::pair<double, double>>{{1, 1}, {1, 0.5}, {2, 0.1}}) {
    SCOPED_TRACE(height / width);
    const auto report = search(problem({"block", {assignment("width", width), assignment("height", height)}},
                                       {{"theta", 0, pi / 2, 401}}, "corner.mu_jam"));
    expect_minima(report, {{4.0 / 3, std::atan(2.0)}});
    EXPECT_GT(report.undefined, 1);  // where the second corner would lie below the floor
    expect_contains(report.undefined_reason, {"corner2"});
  }
}

// 2 sqrt(Q (Q - 1)) with Q = (1 + m1/m2)(1 + rho^2/r^2).
TEST(Search, PendulumOnSlider) {
  struct Case {
    double slider, pendulum, distance, gyration;
  };
  for (const Case& c : {Case{1, 1, 1, 1 / std::sqrt(3.0)}, Case{0.5, 2, 0.3, 0.1}, Case{0.2, 1, 1, 0.3}}) {
    SCOPED_TRACE(c.slider);
    const double Q = (1 + c.slider / c.pendulum) * (1 + std::pow(c.gyration / c.distance, 2));
    const auto report = search(problem({"pendulum-on-slider",
                                        {assignment("mass_slider", c.slider), assignment("mass_pendulum", c.pendulum),
                                         assignment("distance", c.distance), assignment("gyration", c.gyration)}},
                                       {{"theta", 0, pi / 2, 201}}));
    expect_minima(report, {{2 * std::sqrt(Q * (Q - 1))}});
  }
}

TEST(Search, ImpactOscillator) {
  for (const auto& [tip, body] : std::vector<std::pair<double, double>>{{1, 1}, {1, 4}, {0.1, 10}}) {
    SCOPED_TRACE(tip / body);
    const auto report =
        search(problem({"impact-oscillator", {assignment("mass_tip", tip), assignment("mass_body", body)}},
                       {{"beta", 0, pi / 2, 401}}));
    expect_minima(report, {{2 * std::sqrt(tip / body), std::atan(std::sqrt(tip / body))}});
  }
}

// Least mu_P of the two-link arm with equal uniform links, computed independently: [mu, theta1, theta2] per elbow.
TEST(Search, TwoLinkArmPerBranch) {
  struct Case {
    double height;
    const char* elbow;
    double mu, theta1, theta2;
  };
  const Case cases[] = {{1.5, "out", 0.6112415456889039, 0.891942729912012, 0.5113211296375569},
                        {1.5, "back", 1.303816370301743, 0.9517520438316239, -0.4033712337465738},
                        {1.0, "out", 0.9753051475300587, 1.3429088429837803, 0.6855359265079154},
                        {1.0, "back", 1.2332760627883548, 1.4282230423900752, -0.539609778838136},
                        {0.5, "out", 1.322302781652561, 1.9149643510129788, 0.5782624453316618},
                        {0.5, "back", 0.8480202113680726, 1.951486668421618, -0.5124181387637861},
                        {0.1, "out", 0.7845289146102632, 2.6813022547633576, 0.09032424779712178},
                        {0.1, "back", 0.34967896190278347, 2.6136973329254056, -0.2696314141538745}};
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.elbow) + " at height " + std::to_string(c.height));
    const auto found = interior(search(problem(
        {"two-link", {assignment("height", c.height), std::string("elbow=") + c.elbow}}, {{"theta1", 0.2, pi, 401}})));
    const auto match =
        std::find_if(found.begin(), found.end(), [&](const Extreme& e) { return std::abs(e.at[0] - c.theta1) < 1e-3; });
    ASSERT_NE(match, found.end());
    EXPECT_NEAR(match->value, c.mu, value_digits * 10);  // the reference minimiser stopped at 1e-12
    EXPECT_NEAR(match->at[0], c.theta1, 3e-7);           // and so knows the place to the square root of that
    EXPECT_NEAR(match->scene.posed.state.q(1), c.theta2, 3e-7);
  }
}

// The gallery's own state (theta1 = 1.3) is out of reach at this height; the range is not.
TEST(Search, TheStateWithoutTheRangesNeedNotExist) {
  const Setting high{"two-link", {"height=1.5"}};
  EXPECT_THROW(problem(high, {}).source.build(), InputError);
  EXPECT_EQ(interior(search(problem(high, {{"theta1", 0.2, 1.0, 101}}))).size(), 1U);
}

// Stance angles reach pi/N to either side of the vertical; many legs cut the minimum off, and the edge takes its place.
TEST(Search, RimlessWheel) {
  struct Case {
    int legs;
    double kappa, value, theta;
    bool interior;
  };
  const double inside = 2 * std::sqrt(0.1 * 1.1);
  const double inside_at = std::atan(std::sqrt(11.0));
  const auto at_edge = [](int legs, double kappa) {
    const double a = pi / 2 - pi / legs;
    return (kappa + std::cos(a) * std::cos(a)) / (std::sin(a) * std::cos(a));
  };
  for (const Case& c : {Case{6, 0.1, inside, inside_at, true}, Case{8, 0.1, inside, inside_at, true},
                        Case{8, 0.25, at_edge(8, 0.25), pi / 2 - pi / 8, false},
                        Case{12, 0.1, at_edge(12, 0.1), pi / 2 - pi / 12, false}}) {
    SCOPED_TRACE(c.legs);
    const auto report =
        search(problem({"rimless-wheel", {assignment("legs", c.legs), assignment("gyration", std::sqrt(c.kappa))}},
                       {{"theta", pi / 2 - pi / c.legs, pi / 2, 101}}));
    ASSERT_FALSE(report.extremes.empty());
    const Extreme& e = report.extremes[0];
    EXPECT_EQ(e.interior, c.interior);
    EXPECT_FALSE(e.at_hole);
    EXPECT_NEAR(e.value, c.value, value_digits * c.value);
    EXPECT_NEAR(e.at[0], c.theta, c.interior ? place_digits : 0);  // an end of the range is met exactly
  }
  // Printed to 16 digits by an independent minimiser, which stopped 1e-8 short of the edge.
  EXPECT_NEAR(at_edge(12, 0.1), 0.6679491996936731, 1e-8);
}

// ---- two axes

std::vector<std::vector<double>> mirrored(std::vector<std::vector<double>> minima) {
  for (auto& m : minima) {
    m[1] = -m[1];
    m[2] = m[2] > 0 ? pi - m[2] : -pi - m[2];
  }
  return minima;
}

constexpr double degree = pi / 180;

// Every interior local minimum of the three-link arm, {mu_jam, x, theta3}, computed independently. Both elbows are
// mirror images of each other.
const std::vector<std::vector<double>> arm_above = {
    {0.4039117802538442, 0.7852299435545154, 76.66206243349035 * degree},
    {0.42078682250995586, 0.3388166358646338, 101.74712322945325 * degree},
    {0.7655201248927936, -0.5393278976583049, 68.86812751126183 * degree}};
const std::vector<std::vector<double>> arm_below = {
    {0.32086342181768923, 0.655274783697102, -101.58853502394 * degree},
    {0.4156812163543785, 0.4562277582688463, -79.4733974147069 * degree}};

TEST(Search, ArmHasTwoWorstPosesInFrontOfIt) {
  const auto report = search(problem({"articulated-arm", {}}, {{"x", 0, 1, 101}, {"theta3", 0, pi, 101}}));
  expect_minima(report, {arm_above[0], arm_above[1]});
  for (const auto& e : interior(report)) {
    EXPECT_TRUE(e.confirmed);
  }
  EXPECT_GT(report.undefined, 0);
  expect_contains(report.undefined_reason, {"cannot reach"});
}

TEST(Search, ArmOnBothSidesWithBothElbows) {
  const std::vector<Over> above = {{"x", -1, 1, 201}, {"theta3", 0, pi, 101}};
  const std::vector<Over> below = {{"x", -1, 1, 201}, {"theta3", -pi, 0, 101}};
  expect_minima(search(problem({"articulated-arm", {"elbow=up"}}, above)), arm_above);
  expect_minima(search(problem({"articulated-arm", {"elbow=up"}}, below)), arm_below);
  expect_minima(search(problem({"articulated-arm", {"elbow=down"}}, above)), mirrored(arm_above));
  expect_minima(search(problem({"articulated-arm", {"elbow=down"}}, below)), mirrored(arm_below));
}

// Where the arm is stretched its domain ends along a curve. Axis-parallel steps halt anywhere on such an edge; the
// search must slide along it, and report one extreme and not one per grid column. The edge itself, as a function of
// theta3:
TEST(Search, CurvedEdgeOfTheDomainHasOneMinimum) {
  const auto stretched = [](double theta3) {  // behind the arm, both links in line
    const double Z = 0.6 - 0.1 * std::sin(theta3);
    const double inward = 1e-12;  // acos is blind at the edge itself
    return -std::sqrt(1 - Z * Z) + 0.1 * std::cos(theta3) + inward;
  };
  const Setting arm{"articulated-arm", {}};
  const auto value = [&](double theta3) {
    SceneSource source = SceneSource::open("articulated-arm");
    source.set("theta3", theta3);
    source.set("x", stretched(theta3));
    return *Quantity::parse("mu_jam").of(source.build());
  };
  double lowest = 1e300;
  double lowest_at = 0;
  for (int i = 0; i < 25000; ++i) {
    const double theta3 = (100 + 0.001 * i) * degree;
    if (value(theta3) < lowest) {
      lowest = value(theta3);
      lowest_at = theta3;
    }
  }
  const auto report = search(problem(arm, {{"x", -1, -0.6, 41}, {"theta3", 90 * degree, 150 * degree, 41}}));
  std::vector<Extreme> edge;
  std::copy_if(report.extremes.begin(), report.extremes.end(), std::back_inserter(edge), [](const Extreme& e) {
    return e.at_hole && e.at[1] > 91 * degree;  // not in the corner that the edge makes with the box
  });
  ASSERT_EQ(edge.size(), 1U);
  EXPECT_FALSE(edge[0].interior);
  EXPECT_NEAR(edge[0].value, lowest, 1e-5);  // mu_jam rises like the square root of the distance to this edge
  EXPECT_NEAR(edge[0].at[1], lowest_at, edge_place_cells * report.cell[1]);
}

// The least mu_P of the compass biped has both legs in line, [mu, theta1 = theta2], which is where the swing foot meets
// the floor: a slanted edge of the domain. The legs swung the other way are its mirror image.
TEST(Search, CompassBiped) {
  struct Case {
    double hip_mass, mu, theta;
  };
  for (const Case& c : {Case{2, 0.4991341984846204, 0.23147736}, Case{10, 0.2910485961286314, 0.14161212},
                        Case{0.5, 0.5532833351724865, 0.25268025}}) {
    SCOPED_TRACE(c.hip_mass);
    const auto report = search(problem({"compass-biped", {assignment("hip_mass", c.hip_mass)}},
                                       {{"theta1", -pi / 2, pi / 2, 61}, {"theta2", -pi / 2, pi / 2, 61}}));
    ASSERT_GE(report.extremes.size(), 2U);
    for (int i = 0; i < 2; ++i) {
      const Extreme& e = report.extremes[static_cast<std::size_t>(i)];
      EXPECT_TRUE(e.at_hole);
      EXPECT_NEAR(e.value, c.mu, edge_value_digits);
      EXPECT_NEAR(std::abs(e.at[0]), c.theta, edge_place_cells * report.cell[0]);
      EXPECT_NEAR(e.at[1], e.at[0], 1e-7);  // within the tolerance of a closed gap
    }
    EXPECT_NEAR(report.extremes[0].at[0], -report.extremes[1].at[0], edge_place_cells * report.cell[0]);
    EXPECT_TRUE(interior(report).empty());
  }
}

// ---- maximise, other quantities, undefined regions

// W_nn = 1 + cos^2/kappa of the rod is largest when it lies flat; p_minus of the rod at mu is W_nn - mu |W_tn|.
TEST(Search, Maximise) {
  const auto report = search(problem({"rod", {}}, {{"theta", -1, 1, 101}}, "W_nn", false));
  ASSERT_FALSE(report.extremes.empty());
  EXPECT_TRUE(report.extremes[0].interior);
  EXPECT_NEAR(report.extremes[0].value, 4, value_digits * 4);
  EXPECT_NEAR(report.extremes[0].at[0], 0, place_digits);
  EXPECT_EQ(interior(report).size(), 1U);
  EXPECT_EQ(report.extremes.size(), 1U);  // both ends are lower
}

TEST(Search, MaximiseIsMinimiseOfTheNegative) {
  const double mu = 1.5;
  const Setting rod{"rod", {assignment("mu", mu)}};
  // p_plus and p_minus differ by the sign of W_tn, which is odd in theta: the least of one mirrors the least of the
  // other.
  const auto plus = search(problem(rod, {{"theta", -1.5, 1.5, 201}}, "p_plus"));
  const auto minus = search(problem(rod, {{"theta", -1.5, 1.5, 201}}, "p_minus"));
  const auto highest = search(problem(rod, {{"theta", -1.5, 1.5, 201}}, "p_plus", false));
  // p = 1 + 3 cos^2 -+ 3 mu sin cos = 5/2 + 3/2 (cos 2 theta -+ mu sin 2 theta): between 5/2 -+ 3/2 sqrt(1 + mu^2).
  const double swing = 1.5 * std::sqrt(1 + mu * mu);
  ASSERT_EQ(interior(plus).size(), 1U);
  ASSERT_EQ(interior(minus).size(), 1U);
  ASSERT_EQ(interior(highest).size(), 1U);
  EXPECT_NEAR(plus.extremes[0].value, 2.5 - swing, value_digits * 4);
  EXPECT_NEAR(minus.extremes[0].value, 2.5 - swing, value_digits * 4);
  EXPECT_NEAR(plus.extremes[0].at[0], -minus.extremes[0].at[0], place_digits);
  EXPECT_NEAR(interior(highest)[0].value, 2.5 + swing, value_digits * 6);
}

TEST(Search, BestComesFirstAndInteriorBeforeEdges) {
  for (const bool minimise : {true, false}) {
    // p_plus has the period pi: several extremes inside; it falls to one end of the range and rises to the other.
    const auto report = search(problem({"rod", {"mu=1.5"}}, {{"theta", -4, 2.2, 201}}, "p_plus", minimise));
    ASSERT_GE(interior(report).size(), 2U);
    ASSERT_GT(report.extremes.size(), interior(report).size());
    for (std::size_t i = 1; i < report.extremes.size(); ++i) {
      const Extreme& a = report.extremes[i - 1];
      const Extreme& b = report.extremes[i];
      EXPECT_TRUE(a.interior || !b.interior);
      if (a.interior == b.interior) {
        EXPECT_TRUE(minimise ? a.value <= b.value : a.value >= b.value);
      }
    }
  }
}

TEST(Search, WhereTheQuantityDoesNotExistIsCounted) {
  // No coupling when the rod stands or lies: 0 and pi/2 of three points.
  const auto report = search(problem({"rod", {}}, {{"theta", 0, pi / 2, 3}}));
  EXPECT_EQ(report.undefined, 2);
  expect_contains(report.undefined_reason, {"mu_jam"});
  EXPECT_NEAR(report.cell[0], pi / 4, 1e-15);
  EXPECT_GT(report.evaluated, 3);
}

TEST(Search, AQuantityThatNeverExistsHasNoExtremes) {
  // p is for the direction of slip, and here nothing slips.
  const auto report = search(problem({"rod", {"slip=0"}}, {{"theta", 0.1, 1, 11}}, "p"));
  EXPECT_TRUE(report.extremes.empty());
  EXPECT_EQ(report.undefined, 11);
  EXPECT_TRUE(report.complete);
}

TEST(Search, TheSceneOfAnExtremeIsTheOneThere) {
  const auto report = search(problem({"rod", {}}, {{"theta", 0, pi / 2, 101}}));
  const Extreme& e = report.extremes.at(0);
  EXPECT_EQ(e.scene.posed.state.q(2), e.at[0]);
  EXPECT_EQ(*Quantity::parse("mu_jam").of(e.scene), e.value);
}

// An odd number of points on either side of the truth, few or many: the answer does not depend on the grid.
TEST(Search, AnswerDoesNotDependOnTheGrid) {
  for (const int count : {7, 11, 51, 333, 2001}) {
    SCOPED_TRACE(count);
    expect_minima(search(problem({"rod", {}}, {{"theta", 0.1, 1.5, count}})), {{4.0 / 3, std::atan(2.0)}});
  }
}

TEST(Search, TwoRunsAgreeToTheLastBit) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  const auto p = problem({"articulated-arm", {}}, {{"x", -1, 1, 61}, {"theta3", 0, pi, 61}});
  const auto first = search(p);
  const auto second = search(p);
  ASSERT_FALSE(first.extremes.empty());
  ASSERT_EQ(first.extremes.size(), second.extremes.size());
  EXPECT_EQ(first.evaluated, second.evaluated);
  for (std::size_t i = 0; i < first.extremes.size(); ++i) {
    const Extreme& a = first.extremes[i];
    const Extreme& b = second.extremes[i];
    EXPECT_EQ(bits(a.value), bits(b.value));
    ASSERT_EQ(a.at.size(), b.at.size());
    for (std::size_t k = 0; k < a.at.size(); ++k) {
      EXPECT_EQ(bits(a.at[k]), bits(b.at[k]));
    }
  }
}

TEST(Search, AnyNumberOfThreadsGivesTheSame) {
  auto p = problem({"articulated-arm", {}}, {{"x", -1, 1, 41}, {"theta3", 0, pi, 41}});
  p.threads = 1;
  const auto alone = search(p);
  ASSERT_FALSE(alone.extremes.empty());
  for (const int threads : {2, 3, 8}) {
    p.threads = threads;
    const auto shared = search(p);
    EXPECT_EQ(shared.evaluated, alone.evaluated);
    EXPECT_EQ(shared.undefined, alone.undefined);
    EXPECT_EQ(shared.undefined_reason, alone.undefined_reason);
    ASSERT_EQ(shared.extremes.size(), alone.extremes.size());
    for (std::size_t i = 0; i < alone.extremes.size(); ++i) {
      EXPECT_EQ(shared.extremes[i].value, alone.extremes[i].value);
      EXPECT_EQ(shared.extremes[i].at, alone.extremes[i].at);
      EXPECT_EQ(shared.extremes[i].confirmed, alone.extremes[i].confirmed);
    }
  }
}

// ---- what is no single point

// mu_jam of the rod does not depend on its mass: one minimum, for every mass.
TEST(Search, AxesThatMakeNoDifferenceAreNamed) {
  for (const bool first : {true, false}) {
    std::vector<Over> over = {{"theta", 0.1, 1.5, 51}, {"mass", 1, 3, 12}};
    if (first) std::swap(over[0], over[1]);
    const auto report = search(problem({"rod", {}}, over));
    EXPECT_EQ(report.independent, std::vector<std::string>{"mass"});
    ASSERT_EQ(interior(report).size(), 1U);
    const Extreme& e = report.extremes.front();
    EXPECT_NEAR(e.value, 4.0 / 3, value_digits);
    EXPECT_NEAR(e.at[first ? 1 : 0], std::atan(2.0), place_digits);
    EXPECT_EQ(e.at[first ? 0 : 1], 2) << "the middle of its range";
  }
  const auto constant = search(problem({"rod", {"theta=45deg"}}, {{"mass", 1, 3, 12}}));
  EXPECT_EQ(constant.independent, std::vector<std::string>{"mass"});
  ASSERT_EQ(constant.extremes.size(), 1U);
  EXPECT_NEAR(constant.extremes.front().value, 5.0 / 3, value_digits);
}

// The locking angle is 0 wherever mu <= mu_jam: one plateau, not its corners.
TEST(Search, APlateauIsOneExtreme) {
  const auto report = search(problem({"rod", {}}, {{"theta", 0.2, 1.4, 41}, {"mu", 0, 3, 41}}, "locking_angle"));
  ASSERT_EQ(report.extremes.size(), 1U);
  const Extreme& e = report.extremes.front();
  EXPECT_EQ(e.value, 0);
  EXPECT_TRUE(e.interior);
  int below = 0;  // (4 - 3 sin^2)/(3 sin cos) of the uniform rod
  for (int i = 0; i <= 40; ++i) {
    for (int j = 0; j <= 40; ++j) {
      const double s = std::sin(0.2 + 0.03 * i), c = std::cos(0.2 + 0.03 * i);
      below += 0.075 * j <= (4 - 3 * s * s) / (3 * s * c) ? 1 : 0;
    }
  }
  EXPECT_EQ(e.members, below);
  EXPECT_EQ(e.from, (std::vector<double>{0.2, 0}));
  EXPECT_NEAR(e.to[0], 1.4, 1e-15);
  EXPECT_NEAR(e.to[1], 3, 1e-15);
}

// mu_jam = W_nn/|W_tn|, and W_tn vanishes where the rod lies or stands.
TEST(Search, APoleIsNoMaximum) {
  const auto inside = search(problem({"rod", {}}, {{"theta", -1.2, 1.3, 101}}, "mu_jam", false));
  ASSERT_EQ(inside.unbounded.size(), 1U);
  EXPECT_NEAR(inside.unbounded[0].at[0], 0, 1e-6 * inside.cell[0]);
  EXPECT_NEAR(*inside.unbounded[0].exponent, -1, 1e-3);
  EXPECT_TRUE(interior(inside).empty());
  EXPECT_EQ(inside.extremes.size(), 2U) << "the two ends";
  const auto ends = search(problem({"rod", {}}, {{"theta", 0, pi / 2, 101}}, "mu_jam", false));
  ASSERT_EQ(ends.unbounded.size(), 2U);
  EXPECT_EQ(ends.unbounded[0].at[0], 0);
  EXPECT_EQ(ends.unbounded[1].at[0], pi / 2);
  EXPECT_TRUE(ends.extremes.empty());
  // Steep, but bounded: p_plus for a large mu, and the minimum of mu_jam itself.
  EXPECT_TRUE(search(problem({"rod", {"mu=1e6"}}, {{"theta", -1.2, 1.3, 101}}, "p_plus")).unbounded.empty());
  EXPECT_TRUE(search(problem({"rod", {}}, {{"theta", -1.2, 1.3, 101}})).unbounded.empty());
}

// p depends on the direction of slip alone, and is least along e_jam: a valley across the plane of velocities. It is
// W_nn - mu |W_tn| = 5/2 - 2 * 3/2 there.
TEST(Search, AValleyIsOneFamily) {
  const auto report = search(
      problem({"rod-3d", {"theta=45deg", "psi=30deg", "mu=2"}}, {{"x_dot", 0.5, 3, 31}, {"y_dot", 0.2, 2, 31}}, "p"));
  ASSERT_EQ(report.extremes.size(), 1U);
  const Extreme& e = report.extremes.front();
  EXPECT_GT(e.members, 3);
  EXPECT_TRUE(e.interior);
  EXPECT_NEAR(e.value, -0.5, 1e-9);
  EXPECT_NEAR(e.at[1] / e.at[0], std::tan(pi / 6), 1e-4);
  EXPECT_GT(e.to[0] - e.from[0], 1.5);
  EXPECT_NEAR((e.to[1] - e.from[1]) / (e.to[0] - e.from[0]), std::tan(pi / 6), 1e-4);
  EXPECT_TRUE(report.independent.empty());
}

// Poles along a curve in the plane of the pose are told as families of places.
TEST(Search, PolesOfTheArmAreFamilies) {
  const auto report =
      search(problem({"articulated-arm", {}}, {{"x", 0, 1, 41}, {"theta3", 0, pi, 41}}, "mu_jam", false));
  ASSERT_FALSE(report.unbounded.empty());
  EXPECT_LE(report.unbounded.size(), 8U);
  int members = 0;
  for (const Extreme& e : report.unbounded) {
    members += e.members;
    EXPECT_NEAR(*e.exponent, -1, 0.1);
  }
  EXPECT_GT(members, static_cast<int>(report.unbounded.size()));
  for (const Extreme& e : report.extremes) EXPECT_LT(e.value, 1e3);
}

TEST(Search, StopsWhenToldTo) {
  const auto p = problem({"rod", {}}, {{"theta", 0, pi / 2, 2001}});
  int asked = 0;
  const auto early = search(p, [&](double) { return ++asked < 3; });
  EXPECT_FALSE(early.complete);
  EXPECT_TRUE(early.extremes.empty());
  EXPECT_LT(early.evaluated, 2001);
  // Also while extremes are refined: the part done is then 1.
  const auto late = search(p, [](double part) { return part < 1; });
  EXPECT_FALSE(late.complete);
  double last = -1;
  const auto all = search(p, [&](double part) {
    EXPECT_GE(part, last);
    EXPECT_LE(part, 1);
    last = part;
    return true;
  });
  EXPECT_TRUE(all.complete);
}

// ---- errors

TEST(SearchErrors, Ranges) {
  const Setting rod{"rod", {}};
  expect_contains(refusal(problem(rod, {})), {"--over"});
  expect_contains(refusal(problem(rod, {{"theta", 0, 1, 1}})), {"theta", "at least 2 points"});
  expect_contains(refusal(problem(rod, {{"theta", 1, 1, 11}})), {"theta", "grow"});
  expect_contains(refusal(problem(rod, {{"theta", 1, 0, 11}})), {"theta", "grow"});
  expect_contains(refusal(problem(rod, {{"theta", 0, std::nan(""), 11}})), {"theta"});
  expect_contains(refusal(problem(rod, {{"theta", -1e308, 1e308, 11}})), {"theta", "too wide"});
  expect_contains(refusal(problem(rod, {{"theta", 0, 1, 11}, {"state.theta", 0, 1, 11}})), {"state.theta", "twice"});
  expect_contains(refusal(problem(rod, {{"theta", 0, 1, 100001}, {"mass", 1, 2, 100001}})), {"1e+10 points"});
}

TEST(SearchErrors, RangesInWhichNothingCanBeBuilt) {
  const Setting rod{"rod", {}};
  expect_contains(refusal(problem(rod, {{"mass", -2, -1, 11}})), {"parameters.mass is -2", "> 0"});
  expect_contains(refusal(problem(rod, {{"parameters.nonsense", 0, 1, 11}})), {"unknown key", "nonsense"});
  expect_contains(refusal(problem(rod, {{"contact.tipp.mu", 0, 1, 11}})), {"contact.tipp", "contact.tip"});
  expect_contains(refusal(problem(rod, {{"contact.tip.closed", 0, 1, 11}})), {"true or false"});
  expect_contains(refusal(problem({"articulated-arm", {}}, {{"x", 5, 6, 11}})), {"cannot reach x = 5 m"});
}

TEST(SearchErrors, Quantities) {
  const Setting rod{"rod", {}};
  expect_contains(refusal(problem(rod, {{"theta", 0, 1, 11}}, "tipp.mu_jam")), {"tipp", "did you mean 'tip'"});
  // The check does not need a state that exists without the ranges.
  expect_contains(refusal(problem({"two-link", {"height=1.5"}}, {{"theta1", 0.2, 1, 11}}, "tipp.mu_jam")), {"tipp"});
  expect_contains(refusal(problem({"table-a1-6a", {}}, {{"epsilon", 0.1, 1, 11}})), {"drifting-contacts"});
}

TEST(SearchErrors, DefaultCountsAreOdd) {
  for (std::size_t axes = 1; axes < 8; ++axes) {
    EXPECT_EQ(default_count(axes) % 2, 1);
    EXPECT_GE(default_count(axes), 3);
  }
}

// ---- quantities by name

std::optional<double> quantity(const std::string& name, const Setting& setting) {
  return Quantity::parse(name).of(problem(setting, {}).source.build());
}

TEST(QuantityNames, AreAllParsed) {
  const Setting rod{"rod", {}};
  EXPECT_GE(quantity_names().size(), 12U);
  for (const auto& name : quantity_names()) {
    SCOPED_TRACE(name);
    EXPECT_EQ(Quantity::parse(name).name(), name);
    if (!Quantity::parse(name).of_contact()) continue;
    EXPECT_EQ(Quantity::parse("tip." + name).name(), "tip." + name);
    EXPECT_EQ(quantity(name, rod), quantity("tip." + name, rod));
  }
}

TEST(QuantityNames, MistakesNameTheNearest) {
  const auto message = [](const std::string& name) -> std::string {
    try {
      Quantity::parse(name);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  expect_contains(message("mu_jm"), {"unknown quantity 'mu_jm'", "did you mean 'mu_jam'"});
  expect_contains(message("tip.mu_jm"), {"unknown quantity 'mu_jm'"});
  expect_contains(message("mu_jam.tip"), {"CONTACT.QUANTITY", "tip.mu_jam"});
  expect_contains(message("mu_jam.t\x01p"), {"'t?p.mu_jam'"});
  expect_contains(message(""), {"unknown quantity ''"});
  expect_contains(message("."), {"unknown quantity ''"});
}

// A rod at 45 degrees with kappa = 1/3: W_nn = W_tt = 5/2, |W_tn| = 3/2 (all per kg).
TEST(QuantityNames, ValuesOfTheRodAt45Degrees) {
  const Setting rod{"rod", {"theta=45deg", "mu=2"}};
  EXPECT_NEAR(*quantity("W_nn", rod), 2.5, 1e-14);
  EXPECT_NEAR(*quantity("mu_jam", rod), 5.0 / 3, 1e-14);
  EXPECT_NEAR(*quantity("mu_crit", rod), 3.0 / 5, 1e-14);
  EXPECT_NEAR(*quantity("mu_jam_held", rod), 5.0 / 3, 1e-14);  // there is no other contact to hold
  EXPECT_NEAR(*quantity("b_n", rod), -9.81, 1e-13);
  EXPECT_NEAR(*quantity("gap", rod), 0, 1e-15);
  EXPECT_GT(*quantity("locking_angle", rod), 0);
  const double low = std::min(*quantity("p_plus", rod), *quantity("p_minus", rod));
  const double high = std::max(*quantity("p_plus", rod), *quantity("p_minus", rod));
  EXPECT_NEAR(low, 2.5 - 2 * 1.5, 1e-14);
  EXPECT_NEAR(high, 2.5 + 2 * 1.5, 1e-14);
  EXPECT_EQ(*quantity("p", {"rod", {"theta=45deg", "mu=2", "slip=1"}}), *quantity("p_plus", rod));
  EXPECT_EQ(*quantity("p", {"rod", {"theta=45deg", "mu=2", "slip=-1"}}), *quantity("p_minus", rod));
  EXPECT_FALSE(quantity("p", {"rod", {"theta=45deg", "mu=2", "slip=0"}}));
}

TEST(QuantityNames, SpatialContactsHaveNoPlanarNumbers) {
  const Setting rod{"rod-3d", {}};
  for (const char* name : {"p_plus", "p_minus", "k_plus", "k_minus"}) {
    EXPECT_FALSE(quantity(name, rod)) << name;
  }
  EXPECT_TRUE(quantity("mu_jam", rod));
}

}  // namespace search_test
}  // namespace painleve
