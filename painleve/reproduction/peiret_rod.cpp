// Peiret et al., Figs. 2 and 3: the generalized friction cone of a thin rod, and its locking angle.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/figure/cone_figure.hpp"
#include "painleve/reproduction/peiret_parts.hpp"
#include "painleve/reproduction/shipped_scene.hpp"
#include "painleve/study/search.hpp"

namespace painleve {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
using Eigen::Vector2d;
using Eigen::Vector3d;

// The friction at which a property of the cone begins to hold, by bisection.
template <class Holds>
double onset(double low, double high, const Holds& holds) {
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

Figure figure_2(double mu_crit, double mu_jam) {
  const Scene scene = shipped_scene("rod-45deg");
  ConePlotOptions one;
  one.state = false;
  one.view = {-1.05, 0.25};
  Figure figure;
  figure.title = "Fig. 2: the generalized friction cone of a rod at 45°";
  figure.caption =
      "Changes of the contact velocity. (a) By impulses of 1 N s on the edge of the cones for μ = 0.3, 1 and 2, with "
      "both "
      "limits; (b) μ_{crit}: the surface passes through the normal; (c) μ_{jam}: it touches the tangent plane.";
  figure.columns = 3;
  figure.panel_width = 290;
  figure.panel_height = 290;
  figure.panels.emplace_back(nested_cones({0.3, 1, 2}, "different friction"));
  one.mu = mu_crit;
  one.title = fmt::format("μ = μ_{{crit}} = {:.3g}", mu_crit);
  figure.panels.emplace_back(cone_plot(scene, 0, one));
  one.mu = mu_jam;
  one.title = fmt::format("μ = μ_{{jam}} = {:.3g}", mu_jam);
  figure.panels.emplace_back(cone_plot(scene, 0, one));
  return figure;
}

std::vector<Feature> cone_features(const Eigen::MatrixXd& W, double mu_crit, double mu_jam) {
  const auto holds_normal = [&](double mu) { return contains(friction_cone(W, mu), Vector3d(0, 0, 1)); };
  const auto dips = [&](double mu) { return lowest_ray(friction_cone(W, mu)) < 0; };
  const FrictionCone wide = friction_cone(W, 1e7);
  const Vector3d far = ray(wide, Vector2d(0.6, 0.8)).normalized();
  return {
      feature_near("the surface passes through the normal at μ_{crit} = 3/5", "bisection on membership in the cone",
                   onset(0.01, 2, holds_normal), mu_crit, 1e-9),
      feature_near("the cone touches the tangent plane at μ_{jam} = 5/3", "bisection on the lowest ray",
                   onset(0.01, 3, dips), mu_jam, 1e-7),
      feature_near("for μ = 0 it is the line (−3, 0, 5)", "closed form W = (4 I − 3 n nᵀ)/m",
                   ray(friction_cone(W, 0), Vector2d(1, 0)).normalized().dot(Vector3d(-3, 0, 5).normalized()), 1,
                   1e-12),
      feature_near("for μ → ∞ its rays lie in the plane with the normal (3, 0, 5)", "a ray at μ = 1e7",
                   far.dot(Vector3d(3, 0, 5).normalized()), 0, 1e-6),
      feature_near("the lowest ray belongs to slip along e_{jam}", "all directions against p along e_{jam} at μ = 2",
                   lowest_ray(friction_cone(W, 2)), W(2, 2) - 2 * W.topRightCorner(2, 1).norm(), 1e-9)};
}

}  // namespace

Reproduction peiret_figure_2() {
  const FrictionCone cone = rod_cone(45, 2);
  const double mu_jam = cone.mu_jam.value(), mu_crit = cone.mu_crit.value();
  const Scene heavy = shipped_scene("rod-45deg", {"mass=3", "half_length=0.7"});
  const FrictionCone other = friction_cone(heavy.space, 0);
  Reproduction r;
  r.comparisons = {
      compare_printed("μ_{jam} at θ = 45° (caption of Fig. 4)", "1.67", mu_jam),
      compare_statement("the shape depends on μ and θ alone", "fully determined by μ and the orientation",
                        fmt::format("three times the mass, 0.7 of the length: μ_{{jam}} = {}, μ_{{crit}} = {}",
                                    in_digits(other.mu_jam.value()), in_digits(other.mu_crit.value())),
                        std::abs(*other.mu_jam - mu_jam) < 1e-9 && std::abs(*other.mu_crit - mu_crit) < 1e-9),
      compare_statement(
          "δu_{t} = 0 is inside the cone for μ ≥ μ_{crit}", "if and only if Q_{n} ≤ 0",
          fmt::format("Q_{{n}} = {} at μ = 0.59, {} at μ = 0.61", in_digits(rod_cone(45, 0.59).Q.value()(2, 2), 2),
                      in_digits(rod_cone(45, 0.61).Q.value()(2, 2), 2)),
          rod_cone(45, 0.59).Q.value()(2, 2) > 0 && rod_cone(45, 0.61).Q.value()(2, 2) < 0)};
  r.features = cone_features(cone.W, mu_crit, mu_jam);
  r.figures = {figure_2(mu_crit, mu_jam)};
  r.remark =
      "The frictions of the left part are not stated; 0.3, 1 and 2 are our choice, one below μ_{crit}, one between and "
      "one "
      "above μ_{jam}. The rod is thin; a cylinder on its rim (footnote 1 of the paper) has other numbers.";
  return r;
}

namespace {

const std::vector<int> kLockingAngles = {0, 30, 60, 90, 120};  // [deg], curves of Fig. 3

// The friction at which the rod has this locking angle, from its cone.
double friction_for(double theta, double alpha) {
  return rod_cone(theta, 1).mu_jam.value() / std::cos(alpha * kDegree / 2);
}

Plot locking_curves() {
  Plot plot;
  plot.title = "friction for a locking angle α";
  plot.x = {"angle of the rod /θ/", "deg", 0, 90};
  plot.y = {"friction /μ/", "", 0, 5};
  plot.x.ticks = {{0, "0"}, {15, "15"}, {30, "30"}, {45, "45"}, {60, "60"}, {75, "75"}, {90, "90"}};
  const std::vector<Dash> dashes = {Dash::solid, Dash::dashed, Dash::dash_dot, Dash::dotted, Dash::solid};
  for (std::size_t k = 0; k < kLockingAngles.size(); ++k) {
    CurveLayer curve{
        {}, {series_colour(static_cast<int>(k)), 1.4, dashes[k]}, fmt::format("α = {}°", kLockingAngles[k])};
    for (int i = 4; i <= 176; ++i) {
      const double theta = 0.5 * i;
      curve.points.push_back({theta, friction_for(theta, kLockingAngles[k])});
    }
    plot.layers.emplace_back(curve);
  }
  plot.layers.emplace_back(RuleLayer{false, 4.0 / 3});
  plot.layers.emplace_back(NoteLayer{{4, 4.0 / 3}, "4/3", {8}, 0, -9});
  plot.layers.emplace_back(CurveLayer{{{45, 2}}, {ink, 1}, "right: 45°, μ = 2", Glyph::disc, 5, false});
  return plot;
}

RegionLayer sector(const FrictionCone& cone, double radius) {
  RegionLayer region{{{0, 0}}, series_colour(6).faded(0.35), "slip directions that jam: α = 67.1°"};
  for (const Point3& e : cone_shape(cone, 96).locking_rim) region.corners.push_back({radius * e[0], radius * e[1]});
  return region;
}

// From above: the rim, the part of the cone below the tangent plane, the section with it, the slip directions that jam.
Plot top_view(const FrictionCone& cone) {
  const ConeShape shape = cone_shape(cone, 360);
  Plot plot;
  plot.title = "from above, θ = 45°, μ = 2";
  plot.x = {"/δu/_{t1} per unit of normal impulse", "1/kg"};
  plot.y = {"/δu/_{t2}", "1/kg"};
  plot.equal_scales = true;
  plot.legend = LegendPlace::below;
  RegionLayer below{{}, series_colour(5).faded(0.35), "part with /δu/_{n} < 0"};
  CurveLayer rim{{}, {ink, 1.2}, "edge of the cone at Λ_{n} = 1 N s"};
  for (const Point3& p : shape.rim) rim.points.push_back({p[0], p[1]});
  rim.points.push_back(rim.points.front());
  below.corners = {{0, 0}};
  std::vector<Point> dipping;
  for (const Point3& p : cone_shape(cone, 3600).rim) {
    if (p[2] <= 0) dipping.push_back({p[0], p[1]});
  }
  std::sort(dipping.begin(), dipping.end(),
            [](const Point& a, const Point& b) { return std::atan2(a[1], a[0]) < std::atan2(b[1], b[0]); });
  below.corners.insert(below.corners.end(), dipping.begin(), dipping.end());
  plot.layers.emplace_back(below);
  plot.layers.emplace_back(sector(cone, 4));
  plot.layers.emplace_back(rim);
  CurveLayer section{{}, {series_colour(5), 1.6, Dash::dashed}, "section with the tangent plane, 117.8°"};
  section.points = {
      {shape.section.at(1)[0], shape.section.at(1)[1]}, {0, 0}, {shape.section.at(2)[0], shape.section.at(2)[1]}};
  plot.layers.emplace_back(section);
  plot.layers.emplace_back(ArrowLayer{{0, 0}, {-3, 0}, {series_colour(6), 1.6}, ""});
  plot.layers.emplace_back(NoteLayer{{-3, 0}, "/e/_{jam}", {9}, -4, 6});
  return plot;
}

// The angle of the section, measured on the drawn corners.
double drawn_aperture(const FrictionCone& cone) {
  const auto section = cone_shape(cone, 96).section;
  return std::atan2(std::abs(section.at(1)[1]), section.at(1)[0]) +
         std::atan2(std::abs(section.at(2)[1]), section.at(2)[0]);
}

Extreme least_jamming_friction() {
  const SceneSource source = shipped_source("rod-45deg");
  const SearchReport report =
      search({source, Quantity::parse("mu_jam"), true, {{source.resolve("theta"), "theta", 0.1, 1.5, 61}}});
  return report.extremes.at(0);
}

// Half the sector of slip directions with a negative Painlevé parameter, by bisection on p.
double half_sector(const FrictionCone& cone) {
  return onset(0, std::numbers::pi / 2, [&](double beta) {
    return painleve_parameter(cone.W, cone.mu, Vector2d(-std::cos(beta), std::sin(beta))) >= 0;
  });
}

}  // namespace

Reproduction peiret_figure_3() {
  const FrictionCone cone = rod_cone(45, 2);
  const Extreme least = least_jamming_friction();
  const double alpha = cone.locking_angle / kDegree, aperture = tangent_plane_aperture(cone) / kDegree;
  Reproduction r;
  r.comparisons = {
      compare_printed("locking angle α at θ = 45°, μ = 2 [deg]", "67.1", alpha),
      compare_printed("least friction with a locking angle", "4/3", least.value, "", "minimum over θ by search"),
      compare_statement("the section with the plane is not the locking angle", "not equal",
                        fmt::format("{}° against {}°", in_digits(aperture), in_digits(alpha)),
                        std::abs(aperture - alpha) > 1)};
  r.features = {feature_near("all curves have their minimum at tan θ = 2", "search against closed form",
                             std::tan(least.at.at(0)), 2, 1e-6),
                feature_near("the lowest curve crosses μ = 2 at tan θ = 3 − √5", "root of tan² − 6 tan + 4 = 0",
                             friction_for(std::atan(3 - std::sqrt(5.0)) / kDegree, 0), 2, 1e-12),
                feature_near("and again at tan θ = 3 + √5", "the other root",
                             friction_for(std::atan(3 + std::sqrt(5.0)) / kDegree, 0), 2, 1e-12),
                feature_near("the curves rise as 4/(3θ) towards θ = 0", "θ μ at θ = 0.01°",
                             0.01 * kDegree * friction_for(0.01, 0), 4.0 / 3, 1e-6),
                feature_near("and as 1/(3(90° − θ)) towards 90°", "(90° − θ) μ at θ = 89.99°",
                             0.01 * kDegree * friction_for(89.99, 0), 1.0 / 3, 1e-6),
                feature_near("on the curve of 60° the rod at 30° locks over 60°", "bisection on the sign of p",
                             2 * half_sector(rod_cone(30, friction_for(30, 60))) / kDegree, 60, 1e-6),
                feature_near("the drawn section has the aperture of the quadratic form",
                             "corners of the drawing against Q_{t}", drawn_aperture(cone) / kDegree, aperture, 1e-6)};
  r.figures = {
      {"Fig. 3: the locking angle of a rod",
       "(a) Friction over the angle of the rod for several locking angles; the rule is the least friction, 4/3. "
       "(b) The cone from above: slip within the orange sector presses the tip down; the velocity changes that it "
       "causes lie in the part of the cone below the tangent plane.",
       {locking_curves(), top_view(cone)},
       2,
       380,
       340}};
  r.remark = "The locking angles of the left part are not stated; 0° to 120° in steps of 30° are our choice.";
  return r;
}

}  // namespace painleve
