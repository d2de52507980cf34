// The fast way to a cell against the slow one: a scenario that is edited, built and analysed afresh for every point.
#include "painleve/study/cell_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/scene/analysis.hpp"

namespace painleve {
namespace cell_values_test {

std::vector<Quantity> quantities(QuantityCost most) {
  std::vector<Quantity> all;
  for (const auto& name : quantity_names())
    if (Quantity::parse(name).cost() <= most) all.push_back(Quantity::parse(name));
  return all;
}

MapProblem problem(const SceneSource& source, const std::vector<std::string>& paths,
                   QuantityCost most = QuantityCost::analysis) {
  MapProblem p{source, {}, quantities(most), {}, {}, ""};
  for (const auto& path : paths) p.axes.push_back({source.resolve(path), path, "", 0, 1, 2});
  return p;
}

std::vector<QuantityValue> slowly(const MapProblem& p, const std::vector<double>& x) {
  std::vector<QuantityValue> values(p.quantities.size());
  SceneSource source = p.source;
  Scene scene;
  try {
    for (std::size_t k = 0; k < x.size(); ++k) source.set(p.axes[k].path, x[k]);
    scene = source.build();
  } catch (const InputError& error) {
    for (auto& value : values) value.reason = error.what();
    return values;
  }
  const Analysis analysis = analyze(scene);
  for (std::size_t q = 0; q < values.size(); ++q) {
    SceneFindings findings(scene);
    values[q] = p.quantities[q].value(findings);
    if (p.quantities[q].name() == "verdict") {
      EXPECT_EQ(values[q].word.value_or(""), analysis.modes.verdict);
    }
  }
  return values;
}

void expect_same(CellValues& fast, const MapProblem& p, const std::vector<double>& x) {
  fast.move_to(x);
  const auto expected = slowly(p, x);
  for (std::size_t q = 0; q < expected.size(); ++q) {
    SCOPED_TRACE(p.quantities[q].name());
    const QuantityValue value = fast.value(q);
    EXPECT_EQ(value.number, expected[q].number);
    EXPECT_EQ(value.word, expected[q].word);
    EXPECT_EQ(value.reason, expected[q].reason);
    if (fast.kernel(q) >= 0) {
      EXPECT_EQ(kernel_word(fast.kernel(q)), expected[q].word);
    }
  }
}

// Some axis besides friction: the last coordinate, the slip where there is one, or the time.
std::string other_axis(const SceneSource& source) {
  const std::string& mechanism = source.mechanism();
  if (mechanism == "drifting-contacts") return "parameters.epsilon";
  if (mechanism == "contact-space") return "contact.restitution";
  return "state." + gallery_entry(mechanism).coordinates.back().name;
}

void compare_scene(const SceneSource& source, int draws_of_scene) {
  const MapProblem p = problem(source, {other_axis(source), "contact.mu"});
  CellValues fast(p);
  Draws draws(7);
  for (int k = 0; k < draws_of_scene; ++k) {
    const double x = draws.uniform(-2, 2);
    for (const double mu : {0.0, draws.uniform(0, 1), draws.uniform(0, 4), -0.5, draws.uniform(0, 1)}) {
      SCOPED_TRACE(testing::Message() << p.axes[0].path << " = " << x << ", mu = " << mu);
      expect_same(fast, p, {x, mu});
    }
  }
}

TEST(CellValues, EveryScenario) {
  for (const auto& scenario : scenarios()) {
    SCOPED_TRACE(scenario.name);
    compare_scene(SceneSource::open(scenario.name), 6);
  }
}

TEST(CellValues, EveryMechanism) {
  for (const auto& entry : gallery()) {
    if (!entry.lists.empty()) continue;  // needs lists, which its scenarios give
    SCOPED_TRACE(entry.name);
    compare_scene(SceneSource::open(entry.name), 6);
  }
}

// Rest, slip both ways, flight, approach and lift-off of the one planar contact that the kernel knows, many times.
TEST(CellValues, KernelOfTheRod) {
  const SceneSource source = SceneSource::open("rod");
  MapProblem p = problem(source, {"theta", "slip", "theta_dot", "mu"}, QuantityCost::contact);
  p.quantities = {Quantity::parse("verdict"), Quantity::parse("consistent_modes")};
  CellValues fast(p);
  Draws draws(11);
  int kernel = 0;
  for (int k = 0; k < 3000; ++k) {
    const double slip = draws.integer(0, 2) - 1.0;
    const std::vector<double> x = {draws.uniform(-3.2, 3.2), slip, draws.uniform(-5, 5), draws.uniform(0, 3)};
    expect_same(fast, p, x);
    kernel += fast.kernel(0) >= 0 && fast.kernel(1) >= 0 ? 1 : 0;
  }
  EXPECT_GT(kernel, 1000);
}

// Where only numbers of the state change the scenario is not read again: postures and velocities one after the other,
// among them such that contradict a closed contact or a limit.
TEST(CellValues, StatesOneAfterTheOther) {
  for (const auto& entry : gallery()) {
    if (!entry.lists.empty()) continue;
    SCOPED_TRACE(entry.name);
    const SceneSource source = SceneSource::open(entry.name);
    std::vector<std::string> paths = {"contact.mu"};
    for (const auto& coordinate : entry.coordinates)
      for (const char* rate : {"", "_dot"}) paths.push_back("state." + coordinate.name + rate);
    for (std::size_t a = 1; a < paths.size(); ++a) {
      const MapProblem p = problem(source, {paths[a], paths[0], paths[1]}, QuantityCost::modes);
      CellValues fast(p);
      Draws draws(static_cast<std::uint64_t>(a));
      for (int k = 0; k < 4; ++k) {
        const std::vector<double> x = {draws.uniform(-1, 1), draws.uniform(-0.2, 1), k % 2 == 0 ? 0.3 : 0.4};
        SCOPED_TRACE(testing::Message() << paths[a] << " at " << testing::PrintToString(x));
        expect_same(fast, p, x);
      }
    }
  }
}

// At the borders of regions the two ways must decide alike: mu = mu_jam and mu = mu_crit to the last bits, b_n = 0 and
// next to it, rest and slips at the tolerance.
TEST(CellValues, KernelAtTheBorders) {
  const SceneSource source = SceneSource::open("rod");
  MapProblem p = problem(source, {"theta", "slip", "theta_dot", "mu"}, QuantityCost::contact);
  p.quantities = {Quantity::parse("verdict"), Quantity::parse("consistent_modes")};
  CellValues fast(p);
  for (const double theta : {0.3, 0.9, std::atan(2.0), 1.3, 1.8}) {
    const double t = std::tan(theta);
    const double mu_jam = std::abs(t / 3 + 4.0 / (3 * t));
    const double lift = std::sqrt(9.81 / std::abs(std::sin(theta)));
    for (const double slip : {0.0, 1e-9, 1.1e-9, -1.1e-9, 1.0, -1.0}) {
      for (const double off : {-1e-9, -1e-10, -1e-12, -1e-15, 0.0, 1e-15, 1e-12, 1e-10, 1e-9}) {
        for (const double mu : {mu_jam * (1 + off), 0.0, 3.0}) {
          expect_same(fast, p, {theta, slip, 0, mu});
          expect_same(fast, p, {theta, slip, lift * (1 + off), mu});
        }
      }
    }
  }
}

// Approaching and open contacts, by a rod that is placed freely.
TEST(CellValues, KernelOffTheFloor) {
  SceneSource source = SceneSource::open("rod");
  source.set("contact.tip.closed=false");
  source.set("theta=30deg");
  MapProblem p = problem(source, {"y", "y_dot", "mu"}, QuantityCost::contact);
  p.quantities = {Quantity::parse("verdict"), Quantity::parse("consistent_modes")};
  CellValues fast(p);
  for (const double y : {0.4, 0.49999999999999994, 0.5, 0.5000000001, 0.6}) {
    for (const double y_dot : {-1.0, -1e-10, 0.0, 1e-10, 1.0})
      for (const double mu : {0.0, 0.7, 2.5}) expect_same(fast, p, {y, y_dot, mu});
  }
}

// W singular at rest, p = b_n = 0: the kernel leaves these to the general way.
TEST(CellValues, DegenerateContacts) {
  for (const char* text :
       {"W = [[1, 1], [1, 1]]\nb = [0.3, -1]\nu = [0, 0]", "W = [[1, 1], [1, 1]]\nb = [0, 0]\nu = [1, 0]",
        "W = [[2, 1], [1, 1]]\nb = [0, 0]\nu = [1, 0]", "W = [[2, 1], [1, 1]]\nb = [0, 0]\nu = [0, 0]",
        "W = [[2, 1], [1, 1]]\nb = [-3, 1e-300]\nu = [1, 0]"}) {
    const SceneSource source =
        SceneSource::parse("mechanism = \"contact-space\"\n[parameters]\nmu = [0.5]\n" + std::string(text), "numbers");
    const MapProblem p = problem(source, {"contact.mu"});
    CellValues fast(p);
    for (const double mu : {0.0, 0.5, 1.0, 2.0, -1.0}) expect_same(fast, p, {mu});
  }
}

// A contact space whose tolerance calls a small slip rest, and a small approach none.
TEST(CellValues, TolerancesOfAContactSpace) {
  for (const char* u : {"[1e-4, 0]", "[-1e-4, -1e-4]", "[2e-3, 1e-4]", "[0, -2e-3]", "[0, 2e-3]"}) {
    const SceneSource source = SceneSource::parse(
        "mechanism = \"contact-space\"\n[tolerance]\nvelocity = 1e-3\n[parameters]\nW = [[4, 1.5], [1.5, 1]]\n"
        "b = [-2, -1]\nmu = [0.5]\nu = " +
            std::string(u),
        "numbers");
    const MapProblem p = problem(source, {"contact.mu"});
    CellValues fast(p);
    for (const double mu : {0.0, 0.3, 0.7, 1.5}) {
      SCOPED_TRACE(testing::Message() << u << ", mu = " << mu);
      expect_same(fast, p, {mu});
    }
  }
}

// contact.mu is for all contacts and takes the place of what was said of one; the last word counts.
TEST(CellValues, FrictionOfSeveralContacts) {
  SceneSource source = SceneSource::open("two-legged-body");
  const std::string name = source.build().space.names[1];
  source.set("contact." + name + ".mu=0.2");
  const std::string one = "contact." + name + ".mu";
  for (const auto& paths : {std::vector<std::string>{"contact.mu"}, {one}, {"contact.mu", one}, {one, "contact.mu"}}) {
    SCOPED_TRACE(paths.front());
    const MapProblem p = problem(source, paths, QuantityCost::modes);
    CellValues fast(p);
    Draws draws(3);
    for (int k = 0; k < 5; ++k) {
      std::vector<double> x;
      for (std::size_t a = 0; a < paths.size(); ++a) x.push_back(draws.uniform(0, 2));
      expect_same(fast, p, x);
    }
  }
}

// The brake pad slides into an equilibrium that depends on friction: there friction is an axis like any other.
TEST(CellValues, FrictionThatMovesTheMechanism) {
  const SceneSource pad = SceneSource::open("brake-pad");
  const MapProblem p = problem(pad, {"contact.mu"});
  EXPECT_FALSE(CellValues(p).friction()[0]);
  const MapProblem rod = problem(SceneSource::open("rod"), {"theta", "contact.mu", "contact.restitution"});
  EXPECT_EQ(CellValues(rod).friction(), (std::vector<bool>{false, true, false}));
}

// Friction above static friction is refused in the words of the scene, whichever of the two an axis sets.
TEST(CellValues, StaticFrictionBoundsFriction) {
  SceneSource source = SceneSource::open("rod");
  const MapProblem both = problem(source, {"contact.mu", "contact.mu_static"});
  source.set("contact.mu_static=0.6");
  const MapProblem p = problem(source, {"theta", "contact.mu"});
  CellValues fast(p), fast_both(both);
  for (const double mu : {0.9, 0.5, 0.7, 0.6}) {
    expect_same(fast, p, {1.0, mu});
    for (const double mu_static : {0.6, 0.9}) expect_same(fast_both, both, {mu, mu_static});
    EXPECT_EQ(fast.value(0).reason.find("must be >= mu") != std::string::npos, mu > 0.6);
  }
}

TEST(CellValues, AFailureDoesNotStick) {
  const SceneSource source = SceneSource::open("articulated-arm");
  MapProblem p = problem(source, {"x", "mu"}, QuantityCost::contact);
  CellValues fast(p);
  for (const double x : {0.3, 5.0, 0.3})
    for (const double mu : {0.5, -1.0, std::numeric_limits<double>::infinity(), 0.7}) expect_same(fast, p, {x, mu});
}

}  // namespace cell_values_test
}  // namespace painleve
