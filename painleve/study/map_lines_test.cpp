// Lines against cells: what a line decides is what the scene at that cell says, and it decides nearly all.
#include "painleve/study/map_lines.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/study/detail/map_problems.hpp"
#include "painleve/study/line_direction.hpp"
#include "painleve/study/map_blocks.hpp"

namespace painleve {
namespace map_lines_test {

using namespace detail;

const std::vector<std::string> both = {"verdict", "consistent_modes"};

struct Share {
  long decided = 0, cells = 0;
};

// Every line of the map, cell by cell.
Share compare(const MapProblem& p) {
  const MapLines lines(p);
  Share share{0, p.cells()};
  if (!lines.axis()) return share;
  const MapGrid grid(p.axes);
  CellValues values(p), cell_values(p);
  std::vector<VerdictByte> bytes(static_cast<std::size_t>(lines.count()));
  std::vector<double> x;
  for (long cell = 0; cell < p.cells(); ++cell) {
    if (cell / lines.stride() % lines.count() != 0) continue;
    grid.point(cell, x);
    lines.decide(values, cell, x, bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] == undecided) continue;
      ++share.decided;
      grid.point(cell + static_cast<long>(i) * lines.stride(), x);
      cell_values.move_to(x);
      for (std::size_t q = 0; q < p.quantities.size(); ++q) {
        const int number = p.quantities[q].key() == "verdict" ? verdict_number(bytes[i]) : modes_number(bytes[i]);
        EXPECT_EQ(number, cell_values.kernel(q)) << p.quantities[q].key() << " at " << testing::PrintToString(x);
        if (number != cell_values.kernel(q)) return share;
      }
    }
  }
  return share;
}

double part(const Share& share) { return static_cast<double>(share.decided) / static_cast<double>(share.cells); }

TEST(MapLines, RodOverEveryAxisThatDrives) {
  const Over theta{"theta", -3.2, 3.2, 41};
  for (const Over& drive : {Over{"theta_dot", -6, 6, 61}, Over{"slip", -1, 1.1, 60}, Over{"torque", -40, 40, 61},
                            Over{"force_x", -30, 30, 61}, Over{"force_y", -30, 30, 61}}) {
    for (const char* mu : {"mu=0", "mu=0.7", "mu=2"}) {
      SCOPED_TRACE(drive.name + " " + mu);
      EXPECT_GT(part(compare(map_problem("rod", {mu}, {theta, drive}, both))), 0.999);
      EXPECT_GT(part(compare(map_problem("rod", {mu}, {drive, theta}, both))), 0.999);  // slow axis
      if (drive.name != "slip") {
        EXPECT_GT(part(compare(map_problem("rod", {mu, "slip=0"}, {theta, drive}, both))), 0.95);
      }
    }
  }
}

TEST(MapLines, FrictionAndTwoDrives) {
  EXPECT_GT(part(compare(map_problem("rod", {}, {{"theta", 0.1, 3, 31}, {"mu", 0, 3, 61}}, both))), 0.999);
  EXPECT_GT(part(compare(map_problem("rod", {}, {{"mu", 0, 3, 61}, {"theta_dot", -5, 5, 61}}, both))), 0.999);
  EXPECT_GT(part(compare(map_problem("rod", {"mu=2"}, {{"slip", 0.5, 1, 30}, {"theta_dot", -5, 5, 61}}, both))), 0.999);
  EXPECT_GT(
      part(compare(map_problem("rod", {}, {{"theta_dot", -5, 5, 61}, {"theta", 0.1, 3, 5}, {"mu", 0, 3, 4}}, both))),
      0.999);
}

// A friction that is refused is for the scene to refuse.
TEST(MapLines, NegativeFriction) {
  const Share friction = compare(map_problem("rod", {}, {{"theta", 0.3, 1, 3}, {"mu", -1, 1, 41}}, both));
  EXPECT_EQ(friction.decided, 3 * 21);
  const Share drive = compare(map_problem("rod", {}, {{"mu", -1, 1, 5}, {"theta_dot", -1, 1, 40}}, both));
  EXPECT_EQ(drive.decided, 3 * 40);
}

// Every mechanism over every velocity, slip and friction: right wherever something is decided.
TEST(MapLines, EveryMechanism) {
  int with_lines = 0;
  for (const auto& entry : gallery()) {
    if (!entry.lists.empty()) continue;  // needs lists, which its scenarios give
    for (const auto& coordinate : entry.coordinates) {
      const std::string axis = "state." + coordinate.name + "_dot";
      SCOPED_TRACE(entry.name + " " + axis);
      const Share share =
          compare(map_problem(entry.name, {}, {{"contact.mu", 0, 2, 3}, {axis, -2, 2.5, 17}}, {"verdict"}));
      with_lines += share.decided > 0 ? 1 : 0;
    }
  }
  EXPECT_GE(with_lines, 14);
}

TEST(MapLines, EveryScenarioOverFriction) {
  for (const auto& scenario : scenarios()) {
    SCOPED_TRACE(scenario.name);
    const SceneSource source = SceneSource::open(scenario.name);
    if (source.kind() == SceneKind::drifting_contacts) continue;
    compare(map_problem(scenario.name, {}, {{"contact.mu", 0, 3, 33}}, both));
  }
}

// Flight and impact do not depend on the numbers of a line; where a contact begins to approach on it, cells decide.
TEST(MapLines, FlightImpactAndLanding) {
  const std::vector<std::string> open = {"contact.tip.closed=false", "theta=60deg"};
  auto set = open;
  set.emplace_back("y=1");
  EXPECT_EQ(part(compare(map_problem("rod", set, {{"y_dot", -1, 1, 41}}, {"verdict"}))), 1);
  set.back() = "y=0.8660254037844386";
  EXPECT_EQ(part(compare(map_problem("rod", set, {{"y_dot", -2, -1, 41}}, {"verdict"}))), 1);
  EXPECT_EQ(compare(map_problem("rod", set, {{"y_dot", -2, -1, 41}}, both)).decided, 0);  // there are reasons
  EXPECT_EQ(compare(map_problem("rod", set, {{"y_dot", -1, 1, 41}}, {"verdict"})).decided, 0);
}

// Given velocities that contradict the closed contact, but at one cell.
TEST(MapLines, ContradictedVelocities) {
  const auto share = compare(map_problem("rod", {"y_dot=0"}, {{"theta_dot", -1, 1, 41}}, {"verdict"}));
  EXPECT_EQ(share.decided, 0);
}

// Grid points that lie on b_n = 0 to the last bit, at the tolerance of rest, and in a narrow range.
TEST(MapLines, OnBoundaries) {
  const double lift = std::sqrt(9.81 / std::sin(1.0));
  for (const double width : {1.0, 1e-6, 1e-9, 1e-12}) {
    SCOPED_TRACE(width);
    const auto near =
        map_problem("rod", {"theta=1", "mu=3"}, {{"theta_dot", lift * (1 - width), lift * (1 + width), 101}}, both);
    compare(near);
  }
  const auto slips = map_problem("rod", {"theta=1", "mu=3"}, {{"slip", -2e-9, 2e-9, 401}}, both);
  EXPECT_GT(compare(slips).decided, 300);
  compare(map_problem("rod", {"theta=1", "mu=3", "slip=0"}, {{"theta_dot", -lift, lift, 101}}, both));
}

TEST(MapLines, NoLinesWhereNoneCanBe) {
  const auto axis = [](const MapProblem& p) { return MapLines(p).axis(); };
  EXPECT_EQ(axis(map_problem("rod", {}, {{"theta", 0.1, 1, 41}, {"mass", 1, 2, 41}}, both)), std::nullopt);
  EXPECT_EQ(axis(map_problem("rod", {}, {{"theta_dot", 0.1, 1, 41}}, {"verdict", "mu_jam"})), std::nullopt);
  EXPECT_EQ(axis(map_problem("rod", {}, {{"theta_dot", 0.1, 1, 4}}, both)), std::nullopt);  // too short
  EXPECT_EQ(axis(map_problem("brake-pad", {}, {{"slip", 0.1, 1, 41}}, both)), std::nullopt);
  EXPECT_EQ(axis(map_problem("rod", {}, {{"theta_dot", 0, 1, 41}, {"theta", 0.1, 1, 41}}, both)), 0U);
}

// The direction of v against two scenes.
TEST(LineDirection, AgainstTwoScenes) {
  int known = 0;
  for (const char* given : {"", "x_dot=0.3", "y_dot=0.2", "slip=-0.4"}) {
    for (const char* path : {"state.theta_dot", "state.slip", "state.x_dot"}) {
      SceneSource source = SceneSource::open("rod");
      if (*given != 0) source.set(given);
      const auto at = [&](double x) {
        source.set(path, x);
        return source.build();
      };
      try {
        const Scene a = at(0.25), b = at(1.5);
        const auto direction = line_direction(a, path);
        if (!direction) continue;
        ++known;
        EXPECT_LT((a.posed.state.v + 1.25 * *direction - b.posed.state.v).norm(), 1e-14) << given << ' ' << path;
      } catch (const InputError&) {  // contradicts itself
      }
    }
  }
  EXPECT_GE(known, 6);
}

// Threads share the models out among themselves: each is given to one of them, all cells of a line have the same one,
// and so have lines that differ in friction alone.
TEST(MapLines, EveryModelIsClaimedOnce) {
  const MapProblem p =
      map_problem("rod", {}, {{"mu", 0, 3, 4}, {"theta_dot", -5, 5, 16}, {"theta", 0.1, 1.5, 5}}, both);
  const MapLines lines(p);
  ASSERT_EQ(lines.axis(), std::size_t{1});
  long claimed = 0;
  for (long cell = 0; cell < p.cells(); ++cell) {
    const bool first = lines.claim(cell);
    EXPECT_EQ(first, cell < 5) << cell;
    claimed += first ? 1 : 0;
  }
  EXPECT_EQ(claimed, 5);
}

// The whole way: the same map in blocks of lines, and cell by cell because a further quantity asks for it.
TEST(MapLines, MapsAreTheSame) {
  for (const auto& axes : std::vector<std::vector<Over>>{{{"theta", 0, 1.6, 50}, {"theta_dot", -5, 5, 333}},
                                                         {{"theta_dot", -5, 5, 333}, {"theta", 0, 1.6, 50}},
                                                         {{"mu", -0.1, 3, 100}, {"theta", 0, 1.6, 50}}}) {
    for (const int index : {1, 2, 3}) {
      MapOptions options;
      options.threads = 2;
      options.shard = {index, 3};
      const Map fast = compute_map(map_problem("rod", {"mu=2"}, axes, both), options);
      const Map slow = compute_map(map_problem("rod", {"mu=2"}, axes, {"verdict", "consistent_modes", "p"}), options);
      EXPECT_EQ(fast.reasons, slow.reasons);
      for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_EQ(fast.columns[c].names, slow.columns[c].names);
        EXPECT_EQ(fast.columns[c].reasons, slow.columns[c].reasons);
        for (std::size_t i = 0; i < fast.columns[c].values.size(); ++i)
          ASSERT_TRUE(fast.columns[c].values[i] == slow.columns[c].values[i] ||
                      (std::isnan(fast.columns[c].values[i]) && std::isnan(slow.columns[c].values[i])));
      }
    }
  }
}

}  // namespace map_lines_test
}  // namespace painleve
