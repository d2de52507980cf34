#include "painleve/reproduction/champneys_varkonyi_parts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "painleve/figure/mechanism_drawing.hpp"
#include "painleve/reproduction/items_of_papers.hpp"
#include "painleve/study/search.hpp"

namespace painleve {

std::vector<PublishedItem> champneys_varkonyi_items() {
  namespace cv = champneys_varkonyi;
  std::vector<PublishedItem> all;
  for (const auto& part :
       {cv::chalk_items(), cv::mechanism_items(), cv::several_contact_items(), cv::mode_items(), cv::impact_items(),
        cv::chatter_items(), cv::stability_items(), cv::jam_items(), cv::two_contact_items(),
        cv::two_contact_motion_items(), cv::tumbling_items(), cv::space_items()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

namespace champneys_varkonyi {

PublishedItem item(const std::string& name, const std::string& title, std::function<Reproduction()> compute,
                   std::vector<std::string> scenarios) {
  return {"champneys-varkonyi", name, title, std::move(scenarios), std::move(compute)};
}

PlanarContact contact(const Friction& f, double a, double b, double u, double mu) {
  return {f.A, f.B, f.C, a, b, u, mu};
}

ContactSpace space_of(const PlanarContact& c) {
  Eigen::Matrix2d W;
  W << c.W_tt, c.W_tn, c.W_tn, c.W_nn;
  return raw_contact_space(2, W, Eigen::Vector2d(c.b_t, c.b_n), Eigen::Vector2d(c.u_t, 0),
                           Eigen::VectorXd::Constant(1, c.mu));
}

SceneSource source_of(const std::string& scene, Settings settings) {
  SceneSource source = SceneSource::open(scene);
  for (const auto& setting : settings) source.set(setting.first, setting.second);
  return source;
}

Scene scene_of(const std::string& scene, Settings settings) { return source_of(scene, settings).build(); }

PlanarContact first_contact(const Scene& scene) { return planar_contact(scene.space, 0); }

Least least_along(const SceneSource& source, const std::string& quantity, const std::string& path, double from,
                  double to, int count) {
  const SearchProblem problem{source, Quantity::parse(quantity), true, {{source.resolve(path), path, from, to, count}}};
  const SearchReport report = search(problem);
  return {report.extremes.front().value, report.extremes.front().at.front()};
}

double zero_between(const std::function<double(double)>& f, double low, double high) {
  return change_between([&](double x) { return f(x) > 0; }, low, high);
}

double change_between(const std::function<bool(double)>& holds, double low, double high) {
  const bool at_low = holds(low);
  for (int i = 0; i < 200; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (holds(middle) == at_low ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

Comparison compare_value(const std::string& what, const std::string& printed, double value, double computed,
                         double tolerance, const std::string& erratum, const std::string& note) {
  Comparison c =
      compare_statement(what, printed, in_digits(computed, 10), std::abs(computed - value) <= tolerance, erratum, note);
  c.difference = computed - value;
  return c;
}

void add(Reproduction& result, const Misprint& m) {
  result.comparisons.push_back(compare_statement(m.what, m.printed, m.corrected, !m.printed_fails, m.id, m.proof));
  result.features.push_back(feature(fmt::format("{}: {}", m.id, m.corrected),
                                    "the printed statement must fail, the corrected one hold",
                                    m.printed_fails && m.corrected_holds, m.proof));
}

void add_label(Reproduction& result, const std::string& id, const std::string& where, const std::string& printed,
               const std::string& read) {
  result.comparisons.push_back(compare_statement(where, printed, "read " + read, false, id, "label, cross-reference"));
}

Panel drawing(const Scene& scene, const std::string& title) {
  MechanismDrawing options;
  options.title = title;
  return mechanism_panel(scene, options);
}

std::vector<double> evenly(double from, double to, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(from + (to - from) * i / (count - 1));
  return values;
}

std::vector<Point> curve(const std::function<double(double)>& f, double from, double to, int count) {
  std::vector<Point> points;
  for (const double x : evenly(from, to, count)) points.push_back({x, f(x)});
  return points;
}

}  // namespace champneys_varkonyi
}  // namespace painleve
