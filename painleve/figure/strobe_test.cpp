#include "painleve/figure/strobe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/figure/detail/outline_layers.hpp"
#include "painleve/scene/simulating.hpp"

namespace painleve {
namespace strobe_test {

struct Simulated {
  Scene scene;
  Run run;
};

Simulated simulated(const std::string& name, double t_end, int samples = 200) {
  Simulated s{SceneSource::open(name).build(), {}};
  SimulateOptions options;
  options.simulation.t_end = t_end;
  options.simulation.samples = samples;
  s.run = simulate(s.scene, options);
  return s;
}

template <class Kind>
std::vector<Kind> layers_of(const Plot& plot) {
  std::vector<Kind> found;
  for (const Layer& layer : plot.layers) {
    if (const auto* one = std::get_if<Kind>(&layer)) {
      found.push_back(*one);
    }
  }
  return found;
}

// The curve with this entry in the legend.
CurveLayer curve_of(const Plot& plot, const std::string& label) {
  for (const CurveLayer& curve : layers_of<CurveLayer>(plot)) {
    if (curve.label == label) {
      return curve;
    }
  }
  ADD_FAILURE() << "no curve " << label;
  return {};
}

Run run_with(const std::vector<double>& times, const std::vector<double>& events) {
  Run run;
  for (const double t : times) {
    Sample sample;
    sample.t = t;
    run.samples.push_back(sample);
  }
  for (const double t : events) {
    SimulationEvent event;
    event.t = t;
    run.events.push_back(event);
  }
  return run;
}

TEST(StrobeSamples, AreEvenlySpacedAndAtEvents) {
  const auto run = run_with({0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}, {0.21, 0.7});
  EXPECT_EQ(strobe_samples(run, 3), (std::vector<std::size_t>{0, 2, 5, 7, 10}));
  EXPECT_EQ(strobe_samples(run, 2), (std::vector<std::size_t>{0, 2, 7, 10}));
}

TEST(StrobeSamples, LeaveOutEventsThatAreTooMany) {
  const auto run = run_with({0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}, {0.1, 0.2, 0.3, 0.7});
  EXPECT_EQ(strobe_samples(run, 3), (std::vector<std::size_t>{0, 5, 10}));
}

TEST(StrobeSamples, OfOneSampleAreThatOne) {
  EXPECT_EQ(strobe_samples(run_with({0.5}, {}), 4), (std::vector<std::size_t>{0}));
}

// The rod's shots are the regions with five corners, in the order of time.
TEST(StrobeFigure, ShowsTheRodWhereItWasAndDarkens) {
  const Simulated s = simulated("rod-falling", 1);
  const Figure figure = strobe_figure(s.scene, s.run, 6);
  ASSERT_EQ(figure.panels.size(), 1U);  // the tip never leaves the floor
  const auto& plot = std::get<Plot>(figure.panels[0]);
  std::vector<RegionLayer> rods;
  for (const RegionLayer& region : layers_of<RegionLayer>(plot)) {
    if (region.corners.size() == 5) {
      rods.push_back(region);
    }
  }
  const auto shots = strobe_samples(s.run, 6);
  ASSERT_EQ(rods.size(), shots.size());
  EXPECT_EQ(shots.size(), 8U);  // two slips
  for (std::size_t k = 0; k < rods.size(); ++k) {
    const Eigen::VectorXd& q = s.run.samples[shots[k]].q;
    EXPECT_NEAR(rods[k].corners[0][0], q(0) + std::cos(q(2)), 1e-12);
    EXPECT_NEAR(rods[k].corners[0][1], q(1) - std::sin(q(2)), 1e-12);
    if (k > 0) {
      EXPECT_GT(rods[k].fill.opacity, rods[k - 1].fill.opacity);
    }
  }
  EXPECT_EQ(rods.back().fill.opacity, 1);
  EXPECT_TRUE(plot.equal_scales);
}

TEST(StrobeFigure, FollowsTheTipAndMarksItsSlips) {
  const Simulated s = simulated("rod-falling", 1);
  const auto plot = std::get<Plot>(strobe_figure(s.scene, s.run, 6).panels[0]);
  const CurveLayer path = curve_of(plot, "tip");
  ASSERT_EQ(path.points.size(), s.run.samples.size());
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    const Eigen::VectorXd& q = s.run.samples[i].q;
    EXPECT_NEAR(path.points[i][0], q(0) + std::cos(q(2)), 1e-12);
  }
  EXPECT_EQ(curve_of(plot, "slip").points.size(), 2U);
}

// A dot of the chalk is where an impact was: on the board, where the tip was then.
TEST(StrobeFigure, ShowsTheDotsOfTheChalk) {
  const Simulated s = simulated("chalk-dots", 0.2, 400);
  const Figure figure = strobe_figure(s.scene, s.run, 5);
  ASSERT_EQ(figure.panels.size(), 2U);
  const auto& plot = std::get<Plot>(figure.panels[1]);
  const auto impacts = static_cast<std::size_t>(
      std::count_if(s.run.events.begin(), s.run.events.end(),
                    [](const SimulationEvent& event) { return event.kind == EventKind::impact; }));
  ASSERT_GT(impacts, 5U);
  const CurveLayer dots = curve_of(plot, "impact");
  ASSERT_EQ(dots.points.size(), impacts);
  for (const Point& dot : dots.points) {
    EXPECT_NEAR(dot[1], 0, 1e-9);  // [m]
  }
  const auto tip = [&](const Sample& sample) { return sample.q(0) + 0.04 * std::cos(sample.q(2)); };
  std::size_t k = 0;
  for (const SimulationEvent& event : s.run.events) {
    if (event.kind != EventKind::impact) {
      continue;
    }
    const auto at = std::min_element(s.run.samples.begin(), s.run.samples.end(), [&](const Sample& a, const Sample& b) {
      return std::abs(a.t - event.t) < std::abs(b.t - event.t);
    });
    EXPECT_NEAR(dots.points[k++][0], tip(*at) - tip(s.run.samples.front()), 1e-9);
  }
  // The hops are seen: the path rises above the board by as much as the gap does.
  double highest = 0;
  double gap = 0;
  for (const Point& p : curve_of(plot, "tip").points) {
    highest = std::max(highest, p[1]);
  }
  for (const Sample& sample : s.run.samples) {
    gap = std::max(gap, sample.gap(0));
  }
  EXPECT_EQ(highest, gap);
}

// Thick only where a contact carries force or touches: the swinging foot of the walker passes below the floor.
TEST(StrobeFigure, DoesNotCallAFootThatPassesBelowTheFloorATouch) {
  const Simulated s = simulated("biped-walking", 0.6);
  const Figure figure = strobe_figure(s.scene, s.run, 4);
  ASSERT_EQ(figure.panels.size(), 1U);
  std::vector<CurveLayer> touches;
  for (const CurveLayer& curve : layers_of<CurveLayer>(std::get<Plot>(figure.panels[0]))) {
    if (curve.pen.width == 3) {
      touches.push_back(curve);
    }
  }
  ASSERT_EQ(touches.size(), 2U);
  std::size_t below = 0;
  for (std::size_t i = 0; i < s.run.samples.size(); ++i) {
    const bool passing = s.run.samples[i].gap(1) < -1e-6;
    below += passing ? 1 : 0;
    EXPECT_FALSE(passing && std::isfinite(touches[1].points[i][0]));
    EXPECT_TRUE(std::isfinite(touches[0].points[i][0]));  // the stance foot stands
  }
  EXPECT_GT(below, 0U);
}

TEST(StrobeFigure, WorksInSpace) {
  const Simulated s = simulated("rod-3d-crossing", 0.5, 50);
  const Figure figure = strobe_figure(s.scene, s.run, 5);
  const auto& plot = std::get<SpacePlot>(figure.panels.at(0));
  EXPECT_FALSE(plot.solid.faces.empty());
  EXPECT_EQ(plot.legend.at(0).first, "path of tip");
  EXPECT_EQ(to_svg(draw(figure)).find("nan"), std::string::npos);
}

TEST(StrobeFigure, RefusesWhatItCannotDraw) {
  const Simulated s = simulated("rod-falling", 0.1, 5);
  EXPECT_THROW(strobe_figure(s.scene, s.run, 1), InputError);
  EXPECT_THROW(strobe_figure(s.scene, s.run, 201), InputError);
  EXPECT_THROW(strobe_figure(s.scene, run_with({}, {}), 5), InputError);
  EXPECT_THROW(strobe_figure(s.scene, run_with({0, 1}, {}), 5), InputError);  // no coordinates
  const Scene drifting = SceneSource::open("two-contact-jam").build();
  EXPECT_THROW(strobe_figure(drifting, s.run, 5), InputError);
}

}  // namespace strobe_test
}  // namespace painleve
