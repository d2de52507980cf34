#include "painleve/figure/mode_regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/figure/detail/ticks.hpp"

namespace painleve {
namespace {

double cross(Point a, Point b) { return a[0] * b[1] - a[1] * b[0]; }

Point unit(Point a) {
  const double length = std::hypot(a[0], a[1]);
  return {a[0] / length, a[1] / length};
}

// From +t counterclockwise, in [0, 2π).
double turn(Point a) {
  const double angle = std::atan2(a[1], a[0]);
  return angle < 0 ? angle + 2 * std::numbers::pi : angle;
}

// Whether d lies inside the cone of two rays less than half a turn apart; a cone of no width has no inside.
bool inside(Point first, Point second, Point d) {
  const double opening = cross(first, second);
  return opening * cross(first, d) > 0 && opening * cross(d, second) > 0;
}

constexpr Point along{1, 0}, against{-1, 0};

// The rays on which modes change. p and k as in planar_modes.hpp; a difference that is only rounding is 0, so that a
// sector of no width has none.
struct Edges {
  double p_plus, p_minus;
  Point plus, minus;  // −W (∓μ, 1): the free accelerations that the edges of the friction cone balance
};

Edges edges(double W_tt, double W_tn, double W_nn, double mu) {
  const double p_plus = sum_or_zero(W_nn, -mu * W_tn);
  const double p_minus = sum_or_zero(W_nn, mu * W_tn);
  return {p_plus, p_minus, unit({sum_or_zero(mu * W_tt, -W_tn), -p_plus}),
          unit({-sum_or_zero(mu * W_tt, W_tn), -p_minus})};
}

unsigned modes_at(const Edges& e, double u_t, Point b) {
  unsigned modes = b[1] > 0 ? static_cast<unsigned>(mode_F) : 0U;
  if (u_t > 0 && b[1] * e.p_plus < 0) modes |= mode_S_plus;
  if (u_t < 0 && b[1] * e.p_minus < 0) modes |= mode_S_minus;
  if (u_t != 0) return modes;
  if (inside(e.plus, e.minus, b)) modes |= mode_T;
  if (inside(e.plus, along, b)) modes |= mode_S_plus;
  if (inside(e.minus, against, b)) modes |= mode_S_minus;
  return modes;
}

std::vector<Point> rays_of_change(const Edges& e, double u_t) {
  std::vector<Point> rays{along, against};
  if (u_t == 0) {
    rays.push_back(e.plus);
    rays.push_back(e.minus);
  }
  std::sort(rays.begin(), rays.end(), [](Point a, Point b) { return turn(a) < turn(b); });
  rays.erase(std::unique(rays.begin(), rays.end()), rays.end());
  return rays;
}

Point middle(const ModeSector& s) {
  const double opening = turn(s.to) - turn(s.from);
  const double half = turn(s.from) + (opening <= 0 ? opening + 2 * std::numbers::pi : opening) / 2;
  return {std::cos(half), std::sin(half)};
}

double opening(const ModeSector& s) {
  const double angle = turn(s.to) - turn(s.from);
  return angle <= 0 ? angle + 2 * std::numbers::pi : angle;
}

// Where a ray leaves the square.
Point at_edge(Point ray, double half_width) {
  const double scale = half_width / std::max(std::abs(ray[0]), std::abs(ray[1]));
  return {ray[0] * scale, ray[1] * scale};
}

// One mode: a light colour of its own. None: vermilion. Several: purple, the darker the more.
Colour fill_of(unsigned modes) {
  switch (modes) {
    case 0:
      return series_colour(6).faded(0.75);
    case mode_F:
      return series_colour(2).faded(0.4);
    case mode_T:
      return series_colour(3).faded(0.4);
    case mode_S_plus:
      return series_colour(1).faded(0.45);
    case mode_S_minus:
      return series_colour(4).faded(0.45);
    default:
      return series_colour(7).faded(__builtin_popcount(modes) == 2 ? 0.45 : 0.8);
  }
}

void require_planar(const Scene& scene, int contact) {
  if (scene.kind == SceneKind::drifting_contacts)
    throw InputError("mode regions need a contact space; drifting-contacts are known by P and b only");
  if (contact < 0 || contact >= scene.space.count())
    throw InputError(fmt::format("contact {} is not there: the scene has {} contacts, counted from 0", contact,
                                 scene.space.count()));
  if (scene.space.dimension != 2) throw InputError("mode regions are for planar contacts, and this scene is spatial");
  if (scene.space.bilateral[static_cast<std::size_t>(contact)])
    throw InputError("mode regions are for contacts that can lift, and this one is bilateral");
}

void add_sector(Plot& plot, const ModeSector& sector, double half_width) {
  const std::string names = mode_names(sector.modes);
  plot.layers.emplace_back(RegionLayer{sector_polygon(sector, half_width), fill_of(sector.modes), names, {ink, 0.8}});
}

// The name inside the sector, where it is wide enough to hold one.
void add_name(Plot& plot, const ModeSector& sector, double half_width) {
  constexpr double narrow = 0.3;  // [rad]
  if (opening(sector) < narrow) return;
  const Point edge = at_edge(middle(sector), half_width);
  constexpr double outwards = 0.62;
  TextStyle style;
  style.anchor = Anchor::middle;
  plot.layers.emplace_back(NoteLayer{{edge[0] * outwards, edge[1] * outwards}, mode_names(sector.modes), style, 0, -3});
}

std::string usual_title(double mu, double u_t) {
  const char* slip = u_t > 0 ? "slip along +/t/" : u_t < 0 ? "slip along −/t/" : "at rest";
  return fmt::format("/μ/ = {}, {}", detail::number_label(mu), slip);
}

}  // namespace

std::string mode_names(unsigned modes) {
  std::string names;
  const auto add = [&](unsigned bit, const char* name) {
    if ((modes & bit) == 0) return;
    if (!names.empty()) names += ", ";
    names += name;
  };
  add(mode_F, "F");
  add(mode_T, "T");
  add(mode_S_plus, "S+");
  add(mode_S_minus, "S−");
  return names.empty() ? "none" : names;
}

std::vector<ModeSector> mode_sectors(double W_tt, double W_tn, double W_nn, double mu, double u_t) {
  if (!(W_tt > 0) || !(W_tt * W_nn - W_tn * W_tn > 0) || !(mu >= 0) || !std::isfinite(mu) || std::isnan(u_t)) {
    throw InputError(
        fmt::format("mode regions need W_tt > 0, W_tt W_nn > W_tn² and μ ≥ 0, not W_tt = {}, W_tn = {}, W_nn = "
                    "{}, μ = {}",
                    W_tt, W_tn, W_nn, mu));
  }
  const Edges e = edges(W_tt, W_tn, W_nn, mu);
  const std::vector<Point> rays = rays_of_change(e, u_t);
  std::vector<ModeSector> sectors;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    ModeSector s{rays[i], rays[(i + 1) % rays.size()], 0};
    s.modes = modes_at(e, u_t, middle(s));
    sectors.push_back(s);
  }
  return sectors;
}

std::vector<Point> sector_polygon(const ModeSector& sector, double half_width) {
  std::vector<Point> corners{{0, 0}, at_edge(sector.from, half_width)};
  const double from = turn(sector.from), wide = opening(sector);
  // Twice around, so that no corner is missed by a sector that passes +t.
  for (int i = 0; i < 8; ++i) {
    const double angle = (0.25 + 0.5 * i) * std::numbers::pi;
    const Point corner{i % 4 == 0 || i % 4 == 3 ? half_width : -half_width, i % 4 < 2 ? half_width : -half_width};
    if (angle > from && angle < from + wide) corners.push_back(corner);
  }
  corners.push_back(at_edge(sector.to, half_width));
  return corners;
}

Plot mode_regions_plot(double W_tt, double W_tn, double W_nn, double mu, double u_t,
                       const ModeRegionsOptions& options) {
  if (!(options.half_width > 0))
    throw InputError(fmt::format("the half width of mode regions must be positive, not {}", options.half_width));
  const double half = options.half_width;
  Plot plot;
  plot.title = options.title.empty() ? usual_title(mu, u_t) : options.title;
  plot.x = {"/b/_{t}", "m/s²", -half, half, Scale::linear, {}, 1};
  plot.y = {"/b/_{n}", "m/s²", -half, half, Scale::linear, {}, 1};
  plot.equal_scales = true;
  plot.legend = LegendPlace::right;
  const auto sectors = mode_sectors(W_tt, W_tn, W_nn, mu, u_t);
  for (const ModeSector& s : sectors) add_sector(plot, s, half);
  for (const ModeSector& s : sectors) add_name(plot, s, half);
  if (options.here) {
    CurveLayer mark{{*options.here}, {ink, 1}, "present state"};
    mark.glyph = Glyph::disc;
    mark.glyph_size = 6;
    mark.line = false;
    plot.layers.emplace_back(mark);
  }
  return plot;
}

Plot mode_regions_plot(const Scene& scene, int contact, const ModeRegionsOptions& options) {
  require_planar(scene, contact);
  const PlanarContact c = planar_contact(scene.space, contact);
  const bool rest = std::abs(c.u_t) <= scene.tolerance.velocity;
  ModeRegionsOptions o = options;
  if (!o.here) o.here = Point{c.b_t, c.b_n};
  o.half_width = std::max(o.half_width, 1.3 * std::max(std::abs((*o.here)[0]), std::abs((*o.here)[1])));
  return mode_regions_plot(c.W_tt, c.W_tn, c.W_nn, c.mu, rest ? 0 : c.u_t, o);
}

Figure mode_regions_figure(double W_tt, double W_tn, double W_nn, const std::vector<double>& mus) {
  if (mus.empty()) throw InputError("a figure of mode regions needs at least one friction");
  Figure figure;
  figure.columns = static_cast<int>(mus.size());
  figure.panel_width = 260;
  figure.panel_height = 220;
  figure.caption = fmt::format(
      "Modes that a contact with /W/_{{tt}} = {:.4g}, /W/_{{tn}} = {:.4g}, /W/_{{nn}} = {:.4g} allows, over the "
      "acceleration that it would have without contact force. Above: in slip along +/t/; below: at rest.",
      W_tt, W_tn, W_nn);
  for (const double u_t : {1.0, 0.0}) {
    for (const double mu : mus) figure.panels.emplace_back(mode_regions_plot(W_tt, W_tn, W_nn, mu, u_t));
  }
  return figure;
}

}  // namespace painleve
