#include "painleve/figure/convergence_figure.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace painleve {
namespace convergence_figure_test {

ConvergeProblem both_methods() {
  ConvergeProblem p;
  p.scene = SceneSource::open("rod-no-solution").build();
  p.simulation.t_end = 0.05;
  p.simulation.policy = Policy::all;
  p.stiffness = logarithmic_range(1e3, 1e7, 5);
  p.dt = logarithmic_range(1e-2, 1e-5, 4);
  p.regularisations = {Regularisation::parse("preclik"), Regularisation::parse("viscoelastic")};
  return p;
}

std::vector<CurveLayer> curves(const Panel& panel) {
  std::vector<CurveLayer> list;
  for (const Layer& layer : std::get<Plot>(panel).layers) {
    if (const auto* curve = std::get_if<CurveLayer>(&layer)) list.push_back(*curve);
  }
  return list;
}

TEST(ConvergenceFigure, HasErrorsAndValuesForEachMethod) {
  const ConvergeProblem p = both_methods();
  const ConvergeReport report = converge(p);
  const Figure figure = convergence_figure(p, report);
  ASSERT_EQ(figure.panels.size(), 4U);
  EXPECT_NE(figure.caption.find(report.verdict), std::string::npos);
  const auto errors = curves(figure.panels[0]);
  ASSERT_EQ(errors.size(), 4U) << "two series and two slopes";
  EXPECT_EQ(errors[0].label, "preclik");
  ASSERT_EQ(errors[0].points.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(errors[0].points[k][0], p.stiffness[k]);
    EXPECT_EQ(errors[0].points[k][1], distance_to_limit(report, report.series[0], report.series[0].rows[k]));
  }
  EXPECT_LT(errors[0].points[4][1], errors[0].points[3][1] / 5);
  // A line of order p falls by 10^p per decade.
  for (const auto& [curve, order] : {std::pair{errors[2], 0.5}, {errors[3], 1.0}}) {
    const double decades = std::log10(curve.points[1][0] / curve.points[0][0]);
    EXPECT_NEAR(std::log10(curve.points[0][1] / curve.points[1][1]), order * decades, 1e-12);
  }
  // Time steps fall the other way.
  const auto steps = curves(figure.panels[2]);
  EXPECT_GT(steps[0].points[0][0], steps[0].points[3][0]);
  EXPECT_NEAR(steps[0].points[2][1] / steps[0].points[3][1], 10, 0.1);
  EXPECT_LT(steps.back().points[1][1], steps.back().points[0][1]);
}

TEST(ConvergenceFigure, DistancesAreToTheRigidFutureWhereThereIsOne) {
  const ConvergeProblem p = both_methods();
  const ConvergeReport report = converge(p);
  const ConvergeSeries& preclik = report.series[0];
  ASSERT_EQ(preclik.future, 0);
  double largest = 0;
  for (std::size_t q = 0; q < report.quantities.size(); ++q) {
    if (!report.quantities[q].compared || report.scales[q] == 0) continue;
    const auto at = static_cast<Eigen::Index>(q);
    largest = std::max(
        largest, std::abs(preclik.rows[0].ending.values(at) - report.futures[0].ending.values(at)) / report.scales[q]);
  }
  EXPECT_EQ(distance_to_limit(report, preclik, preclik.rows[0]), largest);
  EXPECT_GT(largest, 1e-4);
}

TEST(ConvergenceFigure, RigidFuturesAreLinesAcross) {
  ConvergeProblem p = both_methods();
  p.scene = SceneSource::open("rod-three-solutions").build();
  p.dt.clear();
  const ConvergeReport report = converge(p);
  const Figure figure = convergence_figure(p, report);
  ASSERT_EQ(figure.panels.size(), 2U);
  int rules = 0;
  for (const Layer& layer : std::get<Plot>(figure.panels[1]).layers) {
    if (const auto* rule = std::get_if<RuleLayer>(&layer)) {
      EXPECT_FALSE(rule->vertical);
      EXPECT_NE(rule->label.find("rigid future " + std::to_string(rules)), std::string::npos);
      ++rules;
    }
  }
  EXPECT_EQ(rules, 3);
}

}  // namespace convergence_figure_test
}  // namespace painleve
