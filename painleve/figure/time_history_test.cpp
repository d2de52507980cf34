#include "painleve/figure/time_history.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/figure/detail/event_marks.hpp"
#include "painleve/figure/detail/plot_frame.hpp"
#include "painleve/scene/simulating.hpp"

namespace painleve {
namespace time_history_test {

using History = painleve::Run;  // gtest has a Run of its own

// Two planar contacts over one second, with numbers that tell every row from every other.
History two_contacts(int count = 11) {
  History run;
  run.contacts = {"left", "right"};
  for (int i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) / (count - 1);
    Sample sample;
    sample.t = t;
    sample.gap = Eigen::Vector2d(0.1 * t, 0.2 * t);
    sample.u = Eigen::Vector4d(1 + t, 2 + t, 3 + t, 4 + t);
    sample.lambda = Eigen::Vector4d(-10 - t, 20 + t, 30 + t, 40 + t);
    sample.energy = 5 - t;
    run.samples.push_back(sample);
  }
  run.energy = {.initial = 5, .final = 4, .friction = 0.75, .impact = 0.5, .applied = 0.25};
  return run;
}

SimulationEvent event_at(double t, EventKind kind, int contact = 0) {
  SimulationEvent event;
  event.t = t;
  event.kind = kind;
  event.contact = contact;
  return event;
}

const Plot& panel(const Figure& figure, const std::string& label) {
  for (const Panel& one : figure.panels) {
    const auto& plot = std::get<Plot>(one);
    if (plot.y.label == label) {
      return plot;
    }
  }
  throw std::runtime_error("no panel " + label);
}
bool has_panel(const Figure& figure, const std::string& label) {
  return std::any_of(figure.panels.begin(), figure.panels.end(),
                     [&](const Panel& one) { return std::get<Plot>(one).y.label == label; });
}

// The numbers of the curves of a panel, without those that only stand for an entry of the legend.
std::vector<std::vector<Point>> curves(const Plot& plot) {
  std::vector<std::vector<Point>> found;
  for (const Layer& layer : plot.layers) {
    const auto* curve = std::get_if<CurveLayer>(&layer);
    if (curve != nullptr && curve->points.size() > 1) {
      found.push_back(curve->points);
    }
  }
  return found;
}

std::vector<std::string> notes(const Plot& plot) {
  std::vector<std::string> found;
  for (const Layer& layer : plot.layers) {
    if (const auto* note = std::get_if<NoteLayer>(&layer)) {
      found.push_back(note->text);
    }
  }
  return found;
}

TEST(TimeHistory, ShowsEveryRowInItsPanel) {
  const History run = two_contacts();
  const Figure figure = time_history(run);
  struct Row {
    const char* label;
    const char* unit;
    std::vector<double> at_the_end;  // per contact, at t = 1
  };
  for (const Row& row : {Row{"gap", "m", {0.1, 0.2}}, Row{"/u/_{n}", "m/s", {3, 5}}, Row{"/u/_{t}", "m/s", {2, 4}},
                         Row{"λ_{n}", "N", {21, 41}}, Row{"λ_{t}", "N", {-11, 31}}, Row{"energy", "J", {4}}}) {
    const Plot& plot = panel(figure, row.label);
    EXPECT_EQ(plot.y.unit, row.unit) << row.label;
    const auto drawn = curves(plot);
    ASSERT_EQ(drawn.size(), row.at_the_end.size()) << row.label;
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      EXPECT_EQ(drawn[k].size(), run.samples.size());
      EXPECT_EQ(drawn[k].back()[0], 1);
      EXPECT_DOUBLE_EQ(drawn[k].back()[1], row.at_the_end[k]) << row.label;
    }
    EXPECT_EQ(plot.x.from, 0);
    EXPECT_EQ(plot.x.to, 1);
  }
  EXPECT_EQ(std::get<Plot>(figure.panels.back()).x.unit, "s");
}

TEST(TimeHistory, DrawsTheEdgesOfTheCones) {
  const History run = two_contacts();
  TimeHistory options;
  options.laws.resize(2);
  options.laws[0].mu = 0.5;
  options.laws[1].mu = 2;
  const auto drawn = curves(panel(time_history(run, options), "λ_{t}"));
  ASSERT_EQ(drawn.size(), 6U);
  const double ends[] = {-11, 31, 0.5 * 21, -0.5 * 21, 2 * 41, -2 * 41};
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_DOUBLE_EQ(drawn[k].back()[1], ends[k]);
  }
}

TEST(TimeHistory, ShowsTheContactsAskedFor) {
  TimeHistory options;
  options.contacts = {1};
  const auto drawn = curves(panel(time_history(two_contacts(), options), "λ_{n}"));
  ASSERT_EQ(drawn.size(), 1U);
  EXPECT_DOUBLE_EQ(drawn[0].back()[1], 41);
}

TEST(TimeHistory, TellsTheLedger) {
  const std::string caption = time_history(two_contacts()).caption;
  for (const char* part : {"5 J at the start", "4 J at the end", "friction took 0.75 J", "impacts 0.5 J", "gave 0.25 J",
                           "defect 0.0e+00 J"}) {
    EXPECT_NE(caption.find(part), std::string::npos) << part << " in " << caption;
  }
}

TEST(TimeHistory, LeavesOutWhatStaysZero) {
  History run = two_contacts();
  for (Sample& sample : run.samples) {
    sample.gap.setConstant(1e-16);  // rounding must not be drawn as motion
    sample.u(1) = sample.u(3) = 1e-13;
  }
  const Figure closed = time_history(run);
  EXPECT_FALSE(has_panel(closed, "gap"));
  EXPECT_FALSE(has_panel(closed, "/u/_{n}"));
  EXPECT_TRUE(has_panel(closed, "λ_{n}"));
  EXPECT_NE(closed.caption.find("stay closed"), std::string::npos);
  EXPECT_FALSE(has_panel(closed, "events"));
  for (Sample& sample : run.samples) {
    sample.lambda.setZero();
  }
  const Figure free = time_history(run);
  EXPECT_FALSE(has_panel(free, "λ_{n}"));
  EXPECT_FALSE(has_panel(free, "λ_{t}"));
}

TEST(TimeHistory, TakesLogarithmsOfForcesOverManyDecades) {
  History run = two_contacts(101);
  EXPECT_FALSE(wants_logarithmic_force(run, {0, 1}));
  for (Sample& sample : run.samples) {
    sample.lambda(1) = std::pow(10, 5 * sample.t);  // 1 to 1e5 N
    sample.lambda(0) = -0.5 * sample.lambda(1);
    sample.lambda(3) = 0;
  }
  EXPECT_TRUE(wants_logarithmic_force(run, {0, 1}));
  EXPECT_FALSE(wants_logarithmic_force(run, {1}));
  const Figure figure = time_history(run);
  const Plot& normal = panel(figure, "λ_{n}");
  EXPECT_EQ(normal.y.scale, Scale::logarithmic);
  EXPECT_TRUE(std::isnan(curves(normal)[1][50][1]));  // no place for 0
  const Plot& tangential = panel(figure, "|λ_{t}|");
  EXPECT_EQ(tangential.y.scale, Scale::logarithmic);
  EXPECT_DOUBLE_EQ(curves(tangential)[0].back()[1], 5e4);
  EXPECT_EQ(panel(figure, "/u/_{t}").y.scale, Scale::linear);
}

TEST(TimeHistory, FewSmallForcesAtATouchDownDoNotDecide) {
  History run = two_contacts(101);
  for (int i = 0; i < 5; ++i) {
    run.samples[static_cast<std::size_t>(i)].lambda(1) = 1e-6;
  }
  EXPECT_FALSE(wants_logarithmic_force(run, {0}));
}

TEST(TimeHistory, ShowsShortRunsInMillisecondsAndSmallGapsInMillimetres) {
  History run = two_contacts();
  for (Sample& sample : run.samples) {
    sample.t *= 0.05;
    sample.gap *= 0.01;
  }
  const Figure figure = time_history(run);
  EXPECT_EQ(std::get<Plot>(figure.panels.back()).x.unit, "ms");
  EXPECT_EQ(std::get<Plot>(figure.panels.back()).x.factor, 1e3);
  EXPECT_EQ(panel(figure, "gap").y.unit, "mm");
  EXPECT_EQ(panel(figure, "gap").y.factor, 1e3);
}

TEST(TimeHistory, FlagsEventsInEveryPanel) {
  History run = two_contacts();
  run.events = {event_at(0.3, EventKind::slip), event_at(0.6, EventKind::iwc)};
  const Figure figure = time_history(run);
  EXPECT_EQ(notes(panel(figure, "events")), (std::vector<std::string>{"slip", "impact w/o collision"}));
  for (const Panel& one : figure.panels) {
    std::vector<double> flags;
    for (const Layer& layer : std::get<Plot>(one).layers) {
      if (const auto* rule = std::get_if<RuleLayer>(&layer)) {
        flags.push_back(rule->at);
      }
    }
    EXPECT_EQ(flags, (std::vector<double>{0.3, 0.6}));
  }
}

TEST(TimeHistory, HasNormalsAloneOfDriftingContacts) {
  History run = two_contacts();
  run.dimension = 1;
  for (Sample& sample : run.samples) {
    sample.u = sample.u.head(2).eval();
    sample.lambda = sample.lambda.head(2).eval();
  }
  const Figure figure = time_history(run);
  EXPECT_FALSE(has_panel(figure, "/u/_{t}"));
  EXPECT_FALSE(has_panel(figure, "λ_{t}"));
  EXPECT_DOUBLE_EQ(curves(panel(figure, "/u/_{n}"))[1].back()[1], 3);
}

TEST(TimeHistory, HasBothTangentsInSpace) {
  History run = two_contacts();
  run.dimension = 3;
  run.contacts = {"tip"};
  for (Sample& sample : run.samples) {
    sample.gap = sample.gap.head(1).eval();
    sample.u = sample.u.head(3).eval();
    sample.lambda = sample.lambda.head(3).eval();
  }
  const Figure figure = time_history(run);
  EXPECT_DOUBLE_EQ(curves(panel(figure, "/u/_{t1}"))[0].back()[1], 2);
  EXPECT_DOUBLE_EQ(curves(panel(figure, "/u/_{t2}"))[0].back()[1], 3);
  EXPECT_DOUBLE_EQ(curves(panel(figure, "λ_{n}"))[0].back()[1], 31);
}

TEST(TimeHistory, DrawsRealRuns) {
  for (const char* name : {"rod-falling", "chalk-dots", "two-contact-jam"}) {
    const Scene scene = SceneSource::open(name).build();
    SimulateOptions options;
    options.simulation.t_end = 0.1;
    options.simulation.samples = 100;
    const Figure figure = time_history(simulate(scene, options));
    const std::string svg = to_svg(draw(figure));
    EXPECT_EQ(svg.find("nan"), std::string::npos) << name;
    EXPECT_EQ(svg.find("energy") != std::string::npos, scene.kind == SceneKind::mechanism) << name;
  }
}

// Labels of very different width, a logarithmic axis and the strip of events: all frames begin at one place.
TEST(TimeHistory, PutsItsPanelsExactlyAboveEachOther) {
  History run = two_contacts(101);
  run.events = {event_at(0.3, EventKind::slip)};
  for (Sample& sample : run.samples) {
    sample.lambda(1) = std::pow(10, 5 * sample.t);
    sample.energy *= -1000;
    sample.u *= 1e-6;
  }
  const Figure figure = time_history(run);
  ASSERT_EQ(figure.panels.size(), 7U);
  std::vector<double> left;
  for (const Panel& one : figure.panels) {
    const auto& plot = std::get<Plot>(one);
    const auto frame = detail::plot_frame(plot, {0, 0, figure.panel_width, figure.panel_height});
    left.push_back(frame.area.x);
    const auto labelled = std::count_if(plot.y.ticks.begin(), plot.y.ticks.end(), [](const auto& tick) {
      return tick.second.find_first_of("0123456789") != std::string::npos;
    });
    EXPECT_TRUE(labelled >= 2 || plot.y.label == "events") << plot.y.label;
    for (const auto& points : curves(plot)) {
      for (const Point& p : points) {
        EXPECT_TRUE(std::isnan(p[1]) || (p[1] >= plot.y.from && p[1] <= plot.y.to)) << plot.y.label << " " << p[1];
      }
    }
  }
  const auto [least, most] = std::minmax_element(left.begin(), left.end());
  EXPECT_LT(*most - *least, 0.81);  // [pt] a hair space, half of it either way
}

// The ticks say what they stand for: shown = factor × data, and the unit carries the power of ten.
TEST(TimeHistory, LabelsItsTicksWithTheirNumbers) {
  History run = two_contacts();
  for (Sample& sample : run.samples) {
    sample.energy = 2.5e-7 * sample.t;
    sample.gap = Eigen::Vector2d(0.003 * sample.t, 0);
    sample.u(0) = sample.u(2) = -4e6 * sample.t;
  }
  const Figure figure = time_history(run);
  const auto labels = [&](const std::string& name) {
    std::string text;
    for (const auto& [at, label] : panel(figure, name).y.ticks) {
      const std::string hair = "\u200a";
      std::string bare = label;
      while (bare.starts_with(hair)) {
        bare.erase(0, hair.size());
      }
      text += fmt::format("{:.6g}:{};", at, bare);
    }
    return text + panel(figure, name).y.unit;
  };
  EXPECT_EQ(labels("gap"), "0:0;0.002:2;0.004:4;mm");
  EXPECT_EQ(labels("energy"), "0:0;2e-07:2;4e-07:4;10^{−7} J");
  EXPECT_EQ(labels("/u/_{t}"), "-4e+06:−4;-2e+06:−2;0:0;10^{6} m/s");
}

TEST(TimeHistory, RefusesWhatDoesNotFit) {
  EXPECT_THROW(time_history(History{}), InputError);
  TimeHistory options;
  options.laws.resize(1);
  EXPECT_THROW(time_history(two_contacts(), options), InputError);
  options = {};
  options.contacts = {2};
  EXPECT_THROW(time_history(two_contacts(), options), InputError);
}

// --- groups of events ----------------------------------------------------------------------------------------------

TEST(EventGroups, NameWhatHappenedTogether) {
  const auto groups = detail::event_groups(
      {event_at(0.1, EventKind::landing), event_at(0.1, EventKind::impact), event_at(0.5, EventKind::jam)}, 0.01, 12);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].label, "landing, impact");
  EXPECT_EQ(groups[1].label, "jam");
  EXPECT_TRUE(detail::event_groups({}, 0.01, 12).empty());
}

// Chatter: landings ever closer to t = 1. Its first jumps are told one by one, the crowd at the end is counted.
TEST(EventGroups, CountACrowd) {
  std::vector<SimulationEvent> events;
  for (int i = 0; i < 40; ++i) {
    events.push_back(event_at(1 - std::pow(0.7, i), EventKind::impact));
  }
  const auto groups = detail::event_groups(events, 0.01, 12);
  EXPECT_LE(groups.size(), 12U);
  EXPECT_EQ(groups.front().label, "impact");
  EXPECT_EQ(groups.back().label, fmt::format("impact ×{}", groups.back().count));
  EXPECT_GT(groups.back().count, 25);
}

TEST(EventGroups, AreShortWhereTheKindsAreMany) {
  std::vector<SimulationEvent> events;
  for (const EventKind kind : {EventKind::slip, EventKind::stick, EventKind::reverse_chatter, EventKind::slip}) {
    events.push_back(event_at(0.5, kind));
  }
  EXPECT_EQ(detail::event_groups(events, 0.01, 12).at(0).label, "slip ×2, 2 more");
}

// Whatever the times: every event is in one group, in order, and pauses inside are shorter than those between.
TEST(EventGroups, PartAtTheLongestPauses) {
  Draws draws(91);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> times;
    const int count = draws.integer(1, 60);
    for (int i = 0; i < count; ++i) {
      times.push_back(draws.uniform() < 0.5 ? draws.uniform() : 0.5 + 0.01 * draws.uniform());
    }
    std::sort(times.begin(), times.end());
    std::vector<SimulationEvent> events;
    for (const double t : times) {
      events.push_back(event_at(t, EventKind::impact));
    }
    const auto groups = detail::event_groups(events, 0.02, 8);
    ASSERT_GE(groups.size(), 1U);
    EXPECT_LE(groups.size(), 8U);
    double inside = 0;
    double between = 1;
    std::size_t next = 0;
    for (const auto& group : groups) {
      EXPECT_EQ(group.from, times[next]);
      for (int i = 1; i < group.count; ++i) {
        inside =
            std::max(inside, times[next + static_cast<std::size_t>(i)] - times[next + static_cast<std::size_t>(i) - 1]);
      }
      next += static_cast<std::size_t>(group.count);
      EXPECT_EQ(group.to, times[next - 1]);
      if (next < times.size()) {
        between = std::min(between, times[next] - times[next - 1]);
      }
    }
    EXPECT_EQ(next, times.size());
    EXPECT_LT(inside, between);
    EXPECT_GT(between, 0.02);
  }
}

}  // namespace time_history_test
}  // namespace painleve
