#include "painleve/figure/impact_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "painleve/base/error.hpp"
#include "painleve/base/rounding.hpp"
#include "painleve/figure/detail/ticks.hpp"

namespace painleve {
namespace {

Point unit(Point a) {
  const double length = std::hypot(a[0], a[1]);
  return {a[0] / length, a[1] / length};
}

// From the approach (0, −1) towards +t, in [−π/2, π/2].
double lean(Point u) { return std::atan2(u[0], -u[1]); }

Point middle(const ImpactSector& s) {
  const double angle = (lean(s.from) + lean(s.to)) / 2;
  return {std::sin(angle), -std::cos(angle)};
}

PlanarContact moving(PlanarContact contact, double u_t) {
  contact.u_t = u_t;
  return contact;
}

// Slip along ±t during the impact, and what it would be the other way.
struct Response {
  double p, k, k_reverse;
};

Response response(const PlanarContact& c, const BounceLaw& law, double sign) {
  const double mu = law.mu.value_or(c.mu);
  return {sum_or_zero(c.W_nn, -sign * mu * c.W_tn), sum_or_zero(mu * c.W_tt, -sign * c.W_tn),
          sum_or_zero(mu * c.W_tt, sign * c.W_tn)};
}

// The rays on one side of u_t = 0 on which the slip ends together with a phase.
void add_edges(std::vector<Point>& rays, const PlanarContact& c, const BounceLaw& law, double sign) {
  const Response s = response(c, law, sign);
  if (!(s.p > 0 && s.k > 0)) return;  // the slip ends in compression, or not at all
  rays.push_back(unit({sign * s.k, -s.p}));
  if (law.restitution > 0) rays.push_back(unit({sign * (1 + law.restitution) * s.k, -s.p}));
}

// The number of the region that holds a velocity off the edges.
int region_of(const PlanarContact& c, const BounceLaw& law, Point u) {
  const double sign = u[0] > 0 ? 1 : -1;
  const Response s = response(c, law, sign);
  const int side = sign > 0 ? 0 : 1;
  const double reach = std::abs(u[0]) * s.p + u[1] * s.k;  // k v_s: normal velocity at which the slip ends
  if (s.k <= 0 || (s.p > 0 && reach >= -law.restitution * u[1] * s.k)) return 1 + side;
  const int reversal = s.k_reverse < 0 ? 4 : 0;
  return (reach >= 0 ? 3 : 5) + reversal + side;
}

Colour colour_of(Slide slide) {
  switch (slide) {
    case Slide::slip_plus:
      return series_colour(6);
    case Slide::slip_minus:
      return series_colour(5);
    default:
      return series_colour(3);
  }
}

std::string name_of(const ImpactPhase& phase) {
  const char* slide = phase.slide == Slide::slip_plus    ? "slip along +/t/"
                      : phase.slide == Slide::slip_minus ? "slip along −/t/"
                                                         : "stick";
  return std::string(slide) + (phase.restitution ? ", restitution" : ", compression");
}

Point place(const ImpactCorner& c) { return {c.u_t, c.u_n}; }

void add_path(Plot& plot, const ImpactPath& path, double size, std::set<std::string>& named) {
  for (std::size_t i = 1; i < path.corners.size(); ++i) {
    const Point a = place(path.corners[i - 1]), b = place(path.corners[i]);
    const ImpactPhase phase = path.corners[i].phase;
    const Pen pen{colour_of(phase.slide), 1.6, phase.restitution ? Dash::dashed : Dash::solid};
    const std::string name = name_of(phase);
    plot.layers.emplace_back(CurveLayer{{a, b}, pen, named.insert(name).second ? name : ""});
    const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
    constexpr double head = 0.03;  // of the picture
    if (length < 3 * head * size) continue;
    const auto along = [&](double part) { return Point{a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part}; };
    plot.layers.emplace_back(ArrowLayer{along(0.5), along(0.5 + head * size / length), {pen.colour, 1.6}, {}});
  }
}

void add_ends(Plot& plot, const std::vector<ImpactPath>& paths) {
  CurveLayer starts{{}, {ink, 1.2}, "before"}, ends{{}, {ink, 1.2}, "after"};
  starts.glyph = Glyph::ring;
  ends.glyph = Glyph::disc;
  starts.glyph_size = ends.glyph_size = 5;
  starts.line = ends.line = false;
  for (const ImpactPath& path : paths) {
    starts.points.push_back(place(path.corners.front()));
    if (path.outcome != ImpactOutcome::locked) ends.points.push_back(place(path.corners.back()));
  }
  plot.layers.emplace_back(starts);
  plot.layers.emplace_back(ends);
}

// What the picture shows: |u_t| ≤ side, low ≤ u_n ≤ high.
struct Frame {
  double side = 0, low = 0, high = 0;

  double size() const { return std::max(2 * side, high - low); }
  // Where a ray that approaches leaves the picture.
  Point edge(Point ray) const {
    const double scale = std::min(side / std::max(std::abs(ray[0]), 1e-300), low / std::min(ray[1], -1e-300));
    return {ray[0] * scale, ray[1] * scale};
  }
};

Frame frame(const std::vector<ImpactPath>& paths) {
  Frame f;
  for (const ImpactPath& path : paths) {
    for (const ImpactCorner& c : path.corners) {
      f.side = std::max(f.side, 1.25 * std::abs(c.u_t));
      f.low = std::min(f.low, 1.3 * c.u_n);
      f.high = std::max(f.high, 1.3 * c.u_n);
    }
  }
  // Room for each half, so that a flat picture is not a line.
  const double least = 0.4 * std::max({f.side, -f.low, f.high});
  return {std::max(f.side, least), std::min(f.low, -least), std::max(f.high, least)};
}

void add_regions(Plot& plot, const PlanarContact& contact, const BounceLaw& law, const Frame& f) {
  TextStyle style;
  style.anchor = Anchor::middle;
  style.bold = true;
  style.size = 11;
  style.colour = Colour{110, 110, 110};
  const auto sectors = impact_sectors(contact, law);
  for (std::size_t i = 0; i < sectors.size(); ++i) {
    const ImpactSector& s = sectors[i];
    const Pen pen{Colour{110, 110, 110}, 0.8, Dash::dotted};
    if (i > 0) plot.layers.emplace_back(CurveLayer{{{0, 0}, f.edge(s.from)}, pen, i == 1 ? "edges of regions" : ""});
    const Point edge = f.edge(middle(s));
    plot.layers.emplace_back(NoteLayer{{0.93 * edge[0], 0.93 * edge[1]}, std::to_string(s.region), style, 0, -4});
  }
}

std::string usual_title(const PlanarContact& c, const BounceLaw& law) {
  return fmt::format("{} law, /r/ = {}, /μ/ = {}", to_string(law.law), detail::number_label(law.restitution),
                     detail::number_label(law.mu.value_or(c.mu)));
}

}  // namespace

std::vector<ImpactSector> impact_sectors(const PlanarContact& contact, const BounceLaw& law) {
  std::vector<Point> rays{{-1, 0}, {0, -1}, {1, 0}};
  add_edges(rays, contact, law, 1);
  add_edges(rays, contact, law, -1);
  std::sort(rays.begin(), rays.end(), [](Point a, Point b) { return lean(a) < lean(b); });
  std::vector<ImpactSector> sectors;
  for (std::size_t i = 1; i < rays.size(); ++i) {
    ImpactSector s{rays[i - 1], rays[i], 0};
    s.region = region_of(contact, law, middle(s));
    sectors.push_back(s);
  }
  return sectors;
}

std::vector<ImpactStart> typical_starts(const PlanarContact& contact, const BounceLaw& law) {
  std::vector<ImpactStart> starts;
  for (const ImpactSector& s : impact_sectors(contact, law)) {
    const Point u = middle(s);
    starts.push_back({u[0], u[1]});
  }
  const double coupling = law.mu.value_or(contact.mu) * contact.W_tn;
  if (contact.W_nn - coupling < 0) starts.push_back({1, 0});
  if (contact.W_nn + coupling < 0) starts.push_back({-1, 0});
  return starts;
}

Plot impact_path_plot(const PlanarContact& contact, const BounceLaw& law, const std::vector<ImpactStart>& starts,
                      const ImpactPathsOptions& options) {
  if (starts.empty()) throw InputError("a figure of impacts needs at least one velocity before the impact");
  std::vector<ImpactPath> paths;
  for (const ImpactStart& start : starts) {
    paths.push_back(impact_path(moving(contact, start.u_t), start.u_n, law));
    if (paths.back().outcome == ImpactOutcome::none) {
      throw InputError(
          fmt::format("no impact happens at u_t = {}, u_n = {}: the contact must approach, or slip with "
                      "p < 0",
                      start.u_t, start.u_n));
    }
  }
  Frame f = frame(paths);
  if (options.extent) f = {*options.extent, -*options.extent, *options.extent};
  Plot plot;
  plot.title = options.title.empty() ? usual_title(contact, law) : options.title;
  plot.x = {"/u/_{t}", "m/s", -f.side, f.side, Scale::linear, {}, 1};
  plot.y = {"/u/_{n}", "m/s", f.low, f.high, Scale::linear, {}, 1};
  plot.legend = LegendPlace::right;
  plot.layers.emplace_back(RuleLayer{true, 0, {Colour{110, 110, 110}, 0.6}, {}});
  plot.layers.emplace_back(RuleLayer{false, 0, {Colour{110, 110, 110}, 0.6}, {}});
  if (options.regions) add_regions(plot, contact, law, f);
  std::set<std::string> named;
  for (const ImpactPath& path : paths) add_path(plot, path, f.size(), named);
  add_ends(plot, paths);
  return plot;
}

Plot impact_path_plot(const Scene& scene, int contact, const ImpactPathsOptions& options) {
  if (scene.kind == SceneKind::drifting_contacts)
    throw InputError("impacts need a contact space; drifting-contacts are known by P and b only");
  if (contact < 0 || contact >= scene.space.count())
    throw InputError(fmt::format("contact {} is not there: the scene has {} contacts, counted from 0", contact,
                                 scene.space.count()));
  if (scene.space.dimension != 2)
    throw InputError("impacts are drawn in the plane of velocities of a planar contact, and this scene is spatial");
  const ContactLaw& law = scene.laws[static_cast<std::size_t>(contact)];
  const double small = scene.tolerance.velocity;
  PlanarContact c = planar_contact(scene.space, contact);
  if (std::abs(c.u_t) <= small) c.u_t = 0;
  const double u_n = scene.space.u(scene.space.normal(contact));
  return impact_path_plot(c, {law.restitution, law.law, law.mu_impact}, {{c.u_t, std::abs(u_n) <= small ? 0 : u_n}},
                          options);
}

}  // namespace painleve
