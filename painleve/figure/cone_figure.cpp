#include "painleve/figure/cone_figure.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/figure/detail/cone_parts.hpp"
#include "painleve/figure/detail/ticks.hpp"

namespace painleve {
namespace {

using detail::ConeColours;
using detail::number_label;

Point3 point(const Eigen::VectorXd& v) { return {v(0), v(1), v(2)}; }

void require(const Scene& scene, int contact, int dimension) {
  if (scene.kind == SceneKind::drifting_contacts)
    throw InputError("a friction cone needs a contact space; drifting-contacts are known by P and b only");
  if (contact < 0 || contact >= scene.space.count())
    throw InputError(fmt::format("contact {} is not there: the scene has {} contacts, counted from 0", contact,
                                 scene.space.count()));
  if (dimension != 0 && scene.space.dimension != dimension)
    throw InputError(dimension == 3 ? "this picture is for contacts in space; a planar cone is a wedge"
                                    : "this picture is for planar contacts; a cone in space needs a view");
}

FrictionCone cone_of(const Scene& scene, int contact, const ConePlotOptions& options) {
  const int d = scene.space.dimension, row = scene.space.tangent(contact);
  const double mu = options.mu.value_or(scene.space.mu(contact));
  if (!(mu >= 0) || !std::isfinite(mu)) throw InputError(fmt::format("mu must be 0 or positive, not {}", mu));
  if (options.segments < 8) throw InputError(fmt::format("segments must be 8 or more, not {}", options.segments));
  return friction_cone(scene.space.W.block(row, row, d, d), mu);
}

std::string title_of(const Scene& scene, int contact, const FrictionCone& cone, const ConePlotOptions& options) {
  if (!options.title.empty()) return options.title;
  return fmt::format("{}, /μ/ = {}", scene.space.names[static_cast<std::size_t>(contact)], number_label(cone.mu));
}

bool equal_to(double mu, const std::optional<double>& critical) {
  return critical && std::abs(mu - *critical) <= 1e-12 * *critical;
}

// What the surface meets when μ is critical: the ray along the normal axis, or the one in the tangent plane.
std::vector<Eigen::VectorXd> critical_rays(const FrictionCone& cone) {
  std::vector<Eigen::VectorXd> rays;
  const Eigen::Index t = cone.W.rows() - 1;
  if (equal_to(cone.mu, cone.mu_crit)) {
    const Eigen::VectorXd W_tn = cone.W.block(0, t, t, 1);
    const double K = cone.W(t, t) - W_tn.dot(cone.W.topLeftCorner(t, t).llt().solve(W_tn));
    rays.emplace_back(K * Eigen::VectorXd::Unit(t + 1, t));
  }
  if (equal_to(cone.mu, cone.mu_jam)) rays.push_back(ray(cone, *cone.e_jam));
  return rays;
}

// Directions of the state, as long as `length`; empty where there is none.
struct StateArrows {
  std::optional<Eigen::VectorXd> slip, free;
};
StateArrows state_arrows(const Scene& scene, int contact, double length) {
  const int d = scene.space.dimension, row = scene.space.tangent(contact);
  StateArrows arrows;
  Eigen::VectorXd slip = scene.space.u.segment(row, d);
  slip(d - 1) = 0;
  const Eigen::VectorXd free = scene.space.b.segment(row, d);
  if (slip.norm() > scene.tolerance.velocity) arrows.slip = slip * (length / slip.norm());
  if (free.norm() > 0) arrows.free = free * (length / free.norm());
  return arrows;
}

void add_arrow(SpacePlot& plot, const Eigen::VectorXd& to, const Pen& pen, const std::string& label) {
  plot.solid.lines.push_back({{{0, 0, 0}, point(to)}, pen, true, true});
  plot.legend.emplace_back(label, pen.colour);
}

void add_state(SpacePlot& plot, const Scene& scene, int contact, double length) {
  const StateArrows arrows = state_arrows(scene, contact, length);
  if (arrows.slip) add_arrow(plot, *arrows.slip, {ConeColours::slip(), 2}, "direction of slip");
  if (arrows.free) add_arrow(plot, *arrows.free, {ConeColours::free(), 2}, "direction of /δu/_{0} = /b/ /dt/");
}

void add_jam(SpacePlot& plot, const FrictionCone& cone, const ConeShape& shape, double extent) {
  if (!shape.section.empty()) {
    plot.solid.faces.push_back({shape.section, ConeColours::section()});
    detail::add_outline(plot.solid, shape.section, {series_colour(7), 1.3});
    detail::add_sector(plot.solid, shape.locking_rim, 0.55 * extent);
    plot.legend.emplace_back("section with the tangent plane", ConeColours::section());
    plot.legend.emplace_back("slip directions that jam", ConeColours::sector());
  }
  if (!cone.e_jam) return;
  const Eigen::Vector3d e(0.65 * extent * (*cone.e_jam)(0), 0.65 * extent * (*cone.e_jam)(1), 0);
  add_arrow(plot, e, {ConeColours::jam(), 3.2}, "/e/_{jam}");  // thicker and shorter than a slip that covers it
}

void add_space_axes(Solid& solid, double extent) {
  add_axes(solid, {"/δu/_{t1} [1/kg]", "/δu/_{t2}", "/δu/_{n}"}, {1.2 * extent, 1.2 * extent, 1.2 * extent}, true);
}

SpacePlot spatial_plot(const Scene& scene, int contact, const ConePlotOptions& options) {
  const FrictionCone cone = cone_of(scene, contact, options);
  const ConeShape shape = cone_shape(cone, options.segments);
  const double extent = options.extent.value_or(shape.extent);
  SpacePlot plot;
  plot.title = title_of(scene, contact, cone, options);
  plot.view = options.view;
  detail::add_cone(plot.solid, shape.rim);
  plot.legend.emplace_back("generalized friction cone", ConeColours::above());
  if (detail::below_plane(shape.rim)) plot.legend.emplace_back("its part below the plane", ConeColours::below());
  for (const auto& r : critical_rays(cone))
    plot.solid.lines.push_back({{{0, 0, 0}, point(r)}, {ink, 2.4}, false, true});
  if (options.tangent_plane) detail::add_tangent_plane(plot.solid, 1.1 * extent);
  if (options.state) add_state(plot, scene, contact, 0.9 * extent);
  if (options.jam) add_jam(plot, cone, shape, extent);
  add_space_axes(plot.solid, extent);
  return plot;
}

// A convex region of the plane, in two colours above and below the tangent.
void add_two_sides(Plot& plot, const std::vector<Point3>& region) {
  for (const bool above : {true, false}) {
    std::vector<Point> corners;
    for (const Point3& p : detail::cut(region, above)) corners.push_back({p[0], p[2]});
    if (corners.size() < 3) continue;
    plot.layers.emplace_back(RegionLayer{corners, above ? ConeColours::above() : ConeColours::below(),
                                         above ? "generalized friction cone" : "its part below the tangent"});
  }
}

void add_wedge(Plot& plot, const FrictionCone& cone) {
  const Eigen::VectorXd plus = ray(cone, Eigen::VectorXd::Constant(1, 1.0));
  const Eigen::VectorXd minus = ray(cone, Eigen::VectorXd::Constant(1, -1.0));
  add_two_sides(plot, {{0, 0, 0}, {plus(0), 0, plus(1)}, {minus(0), 0, minus(1)}});
  TextStyle style;
  style.bold = true;
  for (const bool is_plus : {true, false}) {
    const Eigen::VectorXd& edge = is_plus ? plus : minus;
    const Point end{edge(0), edge(1)};
    plot.layers.emplace_back(CurveLayer{{{0, 0}, end}, {ink, 1.4}});
    style.anchor = is_plus ? Anchor::end : Anchor::start;  // friction against slip along +t pushes to the left
    plot.layers.emplace_back(NoteLayer{end, is_plus ? "S+" : "S−", style, is_plus ? -5.0 : 5.0, 4});
  }
}

void add_plane_arrow(Plot& plot, const Eigen::VectorXd& to, Colour colour, const std::string& label) {
  const Point tip{to(0), to(1)};
  plot.layers.emplace_back(CurveLayer{{{0, 0}, tip}, {colour, 2}, label});  // for the legend
  plot.layers.emplace_back(ArrowLayer{{0, 0}, tip, {colour, 2}, {}});
}

Plot wedge_plot(const Scene& scene, int contact, const ConePlotOptions& options) {
  const FrictionCone cone = cone_of(scene, contact, options);
  double extent = cone.W(1, 1);
  for (const auto& s : {1.0, -1.0})
    extent = std::max(extent, ray(cone, Eigen::VectorXd::Constant(1, s)).cwiseAbs().maxCoeff());
  extent = options.extent.value_or(extent);
  Plot plot;
  plot.title = title_of(scene, contact, cone, options);
  plot.x = {"/δu/_{t} per normal impulse", "1/kg", -1.25 * extent, 1.25 * extent, Scale::linear, {}, 1};
  plot.y = {"/δu/_{n}", "1/kg", -0.8 * extent, 1.25 * extent, Scale::linear, {}, 1};
  plot.equal_scales = true;
  plot.legend = LegendPlace::right;
  add_wedge(plot, cone);
  const Colour grey{110, 110, 110};
  if (options.tangent_plane) plot.layers.emplace_back(RuleLayer{false, 0, {grey, 1.2}, "tangent /u/_{n} = 0"});
  plot.layers.emplace_back(RuleLayer{true, 0, {grey, 0.6, Dash::dashed}, {}});
  for (const auto& r : critical_rays(cone)) plot.layers.emplace_back(CurveLayer{{{0, 0}, {r(0), r(1)}}, {ink, 2.6}});
  if (options.jam && cone.e_jam)
    add_plane_arrow(plot, Eigen::Vector2d(0.75 * extent * (*cone.e_jam)(0), 0), ConeColours::jam(), "/e/_{jam}");
  if (!options.state) return plot;
  const StateArrows arrows = state_arrows(scene, contact, 0.5 * extent);
  if (arrows.slip) add_plane_arrow(plot, *arrows.slip, ConeColours::slip(), "direction of slip");
  if (arrows.free) add_plane_arrow(plot, *arrows.free, ConeColours::free(), "direction of /δu/_{0} = /b/ /dt/");
  return plot;
}

// μ → ∞: the cone is the half-space λ_n ≥ 0, bounded by the plane W (λ_t, 0).
Plot line_limit_plot(const Scene& scene, int contact, const ConePlotOptions& options) {
  Plot plot = wedge_plot(scene, contact, options);
  const Eigen::MatrixXd W = cone_of(scene, contact, options).W;
  std::erase_if(plot.layers, [](const Layer& layer) { return !std::holds_alternative<RuleLayer>(layer); });
  const double far = 4 * *plot.x.to / W.cwiseAbs().maxCoeff();
  const Eigen::Vector2d along = far * W.col(0), inwards = 2 * far * W.col(1);
  const Eigen::Vector2d a = inwards - along, b = inwards + along;
  add_two_sides(plot, {{-along(0), 0, -along(1)}, {along(0), 0, along(1)}, {b(0), 0, b(1)}, {a(0), 0, a(1)}});
  plot.layers.emplace_back(CurveLayer{{{-along(0), -along(1)}, {along(0), along(1)}}, {ink, 1.4}});
  return plot;
}

SpacePlot plane_limit_plot(const Scene& scene, int contact, const ConePlotOptions& options) {
  const Eigen::MatrixXd W = cone_of(scene, contact, options).W;
  const double extent = options.extent.value_or(W(2, 2));
  const Eigen::MatrixXd span = W.leftCols(2) * (extent / W.leftCols(2).cwiseAbs().maxCoeff());
  SpacePlot plot;
  plot.view = options.view;
  std::vector<Point3> rim;
  for (int i = 0; i < options.segments; ++i) {
    const double angle = 2 * std::numbers::pi * i / options.segments;
    rim.push_back(point(span * Eigen::Vector2d(std::cos(angle), std::sin(angle))));
  }
  detail::add_cone(plot.solid, rim);
  detail::add_tangent_plane(plot.solid, 1.1 * extent);
  add_space_axes(plot.solid, extent);
  return plot;
}

struct NamedFriction {
  double mu;
  std::string title;
};

std::vector<NamedFriction> critical_frictions(const FrictionCone& cone) {
  if (!cone.mu_crit) throw InputError("no critical friction to draw: " + cone.mu_crit_reason);
  if (!cone.mu_jam) throw InputError("no jamming friction to draw: " + cone.mu_jam_reason);
  const double low = std::min(*cone.mu_crit, *cone.mu_jam), high = std::max(*cone.mu_crit, *cone.mu_jam);
  const auto name = [&](double mu) { return mu == *cone.mu_jam ? "/μ/_{jam}" : "/μ/_{crit}"; };
  return {{low / 2, fmt::format("/μ/ = {}, below {}", number_label(low / 2), name(low))},
          {low, fmt::format("/μ/ = {} = {}", name(low), number_label(low))},
          {(low + high) / 2, fmt::format("/μ/ = {}, between", number_label((low + high) / 2))},
          {high, fmt::format("/μ/ = {} = {}", name(high), number_label(high))},
          {1.3 * high, fmt::format("/μ/ = {}, above {}", number_label(1.3 * high), name(high))}};
}

}  // namespace

ConeShape cone_shape(const FrictionCone& cone, int segments) {
  ConeShape shape;
  for (int i = 0; i < segments; ++i) {
    const double angle = 2 * std::numbers::pi * i / segments;
    shape.rim.push_back(point(ray(cone, Eigen::Vector2d(std::cos(angle), std::sin(angle)))));
    for (const double x : shape.rim.back()) shape.extent = std::max(shape.extent, std::abs(x));
  }
  if (!(cone.locking_angle > 0)) return shape;
  const double middle = std::atan2((*cone.e_jam)(1), (*cone.e_jam)(0));
  shape.section.push_back({0, 0, 0});
  for (const double side : {-0.5, 0.5}) {
    const double angle = middle + side * cone.locking_angle;
    const Eigen::VectorXd corner = ray(cone, Eigen::Vector2d(std::cos(angle), std::sin(angle)));
    shape.section.push_back({corner(0), corner(1), 0});  // p(e) = 0 there
  }
  constexpr int parts = 24;
  for (int i = 0; i <= parts; ++i) {
    const double angle = middle + (static_cast<double>(i) / parts - 0.5) * cone.locking_angle;
    shape.locking_rim.push_back({std::cos(angle), std::sin(angle), 0});
  }
  return shape;
}

SpacePlot cone_plot(const Scene& scene, int contact, const ConePlotOptions& options) {
  require(scene, contact, 3);
  return spatial_plot(scene, contact, options);
}

Plot cone_plane_plot(const Scene& scene, int contact, const ConePlotOptions& options) {
  require(scene, contact, 2);
  return wedge_plot(scene, contact, options);
}

Figure cone_limits_figure(const Scene& scene, int contact, const ConePlotOptions& options) {
  require(scene, contact, 0);
  const bool planar = scene.space.dimension == 2;
  Figure figure;
  figure.columns = 3;
  figure.panel_width = 250;
  figure.panel_height = 230;
  figure.caption = fmt::format(
      "The generalized friction cone as the friction grows. At /μ/_{{crit}} its surface meets the normal axis, at "
      "/μ/_{{jam}} the tangent {} (thick rays); above /μ/_{{jam}} part of it lies below (vermilion). Orange: "
      "/e/_{{jam}}{}.",
      planar ? "line" : "plane",
      planar ? "" : "; purple: section with the tangent plane; yellow: slip directions that jam");
  ConePlotOptions o = options;
  o.state = false;
  for (const NamedFriction& friction : critical_frictions(cone_of(scene, contact, options))) {
    o.mu = friction.mu;
    o.title = friction.title;
    figure.panels.push_back(planar ? Panel(wedge_plot(scene, contact, o)) : Panel(spatial_plot(scene, contact, o)));
  }
  figure.panels.push_back(planar ? Panel(line_limit_plot(scene, contact, o))
                                 : Panel(plane_limit_plot(scene, contact, o)));
  const auto finish = [](auto& panel, const std::string& title) {
    detail::drop_legend(panel);
    if (!title.empty()) panel.title = title;
  };
  for (Panel& panel : figure.panels) {
    const std::string title = &panel == &figure.panels.back() ? "/μ/ → ∞" : "";
    std::visit([&](auto& p) { finish(p, title); }, panel);
  }
  return figure;
}

}  // namespace painleve
