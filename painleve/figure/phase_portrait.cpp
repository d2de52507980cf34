#include "painleve/figure/phase_portrait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "painleve/base/error.hpp"
#include "painleve/base/rounding.hpp"
#include "painleve/figure/detail/spread_lines.hpp"
#include "painleve/figure/detail/ticks.hpp"

namespace painleve {
namespace {

using detail::number_label;

constexpr double infinity = std::numeric_limits<double>::infinity();

void require(const FastPortrait& portrait) {
  if (portrait.pieces.empty() || portrait.pieces[0].from != 0)
    throw InputError("a portrait of the fast dynamics needs a first piece that begins at the force 0");
  if (!(portrait.stiffness > 0) || !(portrait.damping >= 0))
    throw InputError(fmt::format("stiffness must be positive and damping not negative, not {} and {}",
                                 portrait.stiffness, portrait.damping));
}

double end_of(const FastPortrait& portrait, std::size_t piece) {
  return piece + 1 < portrait.pieces.size() ? portrait.pieces[piece + 1].from : infinity;
}

// Lengths in units of the window.
double distance(const Window& w, Point a, Point b) {
  return std::hypot((a[0] - b[0]) / (w.y_to - w.y_from), (a[1] - b[1]) / (w.v_to - w.v_from));
}

bool holds(const Window& w, Point p) {
  // A little beyond, so that lines end outside of what is drawn.
  const double y = 0.02 * (w.y_to - w.y_from), v = 0.02 * (w.v_to - w.v_from);
  return p[0] >= w.y_from - y && p[0] <= w.y_to + y && p[1] >= w.v_from - v && p[1] <= w.v_to + v;
}

// The direction of the flow with unit length in units of the window; empty at rest.
std::optional<Point> direction(const FastPortrait& portrait, const Window& w, Point at, double sign) {
  const Point f = portrait.field(at);
  const double size = std::hypot(f[0] / (w.y_to - w.y_from), f[1] / (w.v_to - w.v_from));
  if (size == 0) return {};
  return Point{sign * f[0] / size, sign * f[1] / size};
}

Point moved(Point at, Point by, double length) { return {at[0] + by[0] * length, at[1] + by[1] * length}; }

// One step of the classical Runge-Kutta scheme along the trajectory, its length as parameter.
std::optional<Point> step(const FastPortrait& portrait, const Window& w, Point at, double sign, double h) {
  const auto k1 = direction(portrait, w, at, sign);
  if (!k1) return {};
  const auto k2 = direction(portrait, w, moved(at, *k1, h / 2), sign);
  if (!k2) return {};
  const auto k3 = direction(portrait, w, moved(at, *k2, h / 2), sign);
  if (!k3) return {};
  const auto k4 = direction(portrait, w, moved(at, *k3, h), sign);
  if (!k4) return {};
  Point next = at;
  for (std::size_t i = 0; i < 2; ++i) next[i] += h / 6 * ((*k1)[i] + 2 * (*k2)[i] + 2 * (*k3)[i] + (*k4)[i]);
  return next;
}

constexpr double step_length = 1.0 / 400;  // of the window
constexpr int finer = 4;                   // steps of the scheme per point

// Slopes v/y of the invariant lines through an equilibrium.
std::array<double, 2> slopes(const FastPortrait& portrait, double P) {
  const double half = -P * portrait.damping / 2;
  const double root = std::sqrt(half * half - P * portrait.stiffness);
  return {half + root, half - root};
}

void add_guides(Plot& plot, const FastPortrait& portrait, const Window& w) {
  const Colour grey{110, 110, 110};
  plot.layers.emplace_back(RuleLayer{false, 0, {grey, 0.5}, {}});
  plot.layers.emplace_back(RuleLayer{true, 0, {grey, 0.5}, {}});
  // Force f on the line −k y − ν v = f, from one edge of the window to the other.
  const auto line_of = [&](double f) {
    const auto y = [&](double v) { return -(f + portrait.damping * v) / portrait.stiffness; };
    return std::vector<Point>{{y(w.v_from), w.v_from}, {y(w.v_to), w.v_to}};
  };
  plot.layers.emplace_back(CurveLayer{line_of(0), {ink, 1.2, Dash::dotted}, "contact force begins"});
  for (std::size_t i = 1; i < portrait.pieces.size(); ++i) {
    plot.layers.emplace_back(
        CurveLayer{line_of(portrait.pieces[i].from),
                   {series_colour(3), 1.2, Dash::dashed},
                   fmt::format("from {} to {}", portrait.pieces[i - 1].name, portrait.pieces[i].name)});
  }
}

void add_arrow(Plot& plot, std::vector<Point> line, bool forward, const Window& w, const Pen& pen) {
  if (!forward) std::reverse(line.begin(), line.end());
  if (const auto arrow = detail::arrow_on(line, {w.y_to - w.y_from, w.v_to - w.v_from}, pen))
    plot.layers.emplace_back(*arrow);
}

void add_trajectories(Plot& plot, const FastPortrait& portrait, const Window& w,
                      const std::vector<Separatrix>& manifolds) {
  detail::SpreadLines spread({w.y_from, w.v_from}, {w.y_to, w.v_to});
  for (const Separatrix& s : manifolds) spread.add(s.points);
  const Pen pen{Colour{90, 90, 90}, 0.8};
  for (const Point& seed : spread.seeds()) {
    if (!spread.is_free(seed)) continue;
    auto line = spread.free_part(trajectory(portrait, seed, false));
    std::reverse(line.begin(), line.end());
    const auto ahead = spread.free_part(trajectory(portrait, seed, true));
    if (!ahead.empty()) line.insert(line.end(), ahead.begin() + 1, ahead.end());
    spread.add(line);
    constexpr std::size_t shortest = 24;
    if (line.size() < shortest) continue;
    add_arrow(plot, line, true, w, pen);
    plot.layers.emplace_back(CurveLayer{std::move(line), pen});
  }
}

void add_separatrices(Plot& plot, const Window& w, const std::vector<Separatrix>& manifolds) {
  bool named_stable = false, named_unstable = false;
  for (const Separatrix& s : manifolds) {
    bool& named = s.unstable ? named_unstable : named_stable;
    const Pen pen{s.unstable ? series_colour(6) : series_colour(5), 1.8};
    const char* name = s.unstable ? "unstable manifold" : "stable manifold (separatrix)";
    plot.layers.emplace_back(CurveLayer{s.points, pen, named ? "" : name});
    add_arrow(plot, s.points, s.unstable, w, pen);
    named = true;
  }
}

void add_equilibria(Plot& plot, const FastPortrait& portrait) {
  for (const Equilibrium& e : equilibria(portrait)) {
    CurveLayer mark{{e.at}, {ink, 1.4}, e.saddle ? "saddle" : "stable equilibrium"};
    mark.glyph = e.saddle ? Glyph::ring : Glyph::disc;
    mark.glyph_size = 7;
    mark.line = false;
    plot.layers.emplace_back(mark);
  }
}

// With the friction of a contact at rest: v' over f, from its corner values.
ForcePiece piece_at_rest(const PlanarContact& c, double from, double to) {
  const double f = std::isfinite(to) ? (from + to) / 2 : 2 * from + 1;
  const double wanted = -(c.b_t + c.W_tn * f) / c.W_tt;
  if (wanted < -c.mu * f) return {from, c.b_n, sum_or_zero(c.W_nn, -c.mu * c.W_tn), "slip +"};
  if (wanted > c.mu * f) return {from, c.b_n, sum_or_zero(c.W_nn, c.mu * c.W_tn), "slip −"};
  return {from, c.b_n - c.W_tn * c.b_t / c.W_tt, sum_or_zero(c.W_nn, -c.W_tn * c.W_tn / c.W_tt), "stick"};
}

}  // namespace

double FastPortrait::force(Point state) const { return std::max(0.0, -stiffness * state[0] - damping * state[1]); }

Point FastPortrait::field(Point state) const {
  const double f = force(state);
  std::size_t i = pieces.size() - 1;
  while (i > 0 && f < pieces[i].from) --i;
  return {state[1], pieces[i].b + pieces[i].P * f};
}

FastPortrait slip_portrait(double b_n, double p, double stiffness, double damping) {
  FastPortrait portrait;
  portrait.pieces = {{0, b_n, p, "slip"}};
  portrait.stiffness = stiffness;
  portrait.damping = damping;
  portrait.title = fmt::format("/p/ = {}, /b/_{{n}} = {}", number_label(p), number_label(b_n));
  return portrait;
}

FastPortrait fast_portrait(const PlanarContact& c, double stiffness, double damping) {
  const double p = sum_or_zero(c.W_nn, c.u_t > 0 ? -c.mu * c.W_tn : c.mu * c.W_tn);
  if (c.u_t != 0) return slip_portrait(c.b_n, p, stiffness, damping);
  if (!(c.W_tt > 0)) throw InputError(fmt::format("a contact at rest needs W_tt > 0, not {}", c.W_tt));
  FastPortrait portrait;
  portrait.stiffness = stiffness;
  portrait.damping = damping;
  std::vector<double> from{0};
  for (const double corner : {c.b_t / (c.mu * c.W_tt - c.W_tn), -c.b_t / (c.mu * c.W_tt + c.W_tn)}) {
    if (corner > 0 && std::isfinite(corner)) from.push_back(corner);
  }
  std::sort(from.begin(), from.end());
  for (std::size_t i = 0; i < from.size(); ++i)
    portrait.pieces.push_back(piece_at_rest(c, from[i], i + 1 < from.size() ? from[i + 1] : infinity));
  portrait.title = fmt::format("at rest, /b/_{{t}} = {}, /b/_{{n}} = {}", number_label(c.b_t), number_label(c.b_n));
  return portrait;
}

std::vector<Equilibrium> equilibria(const FastPortrait& portrait) {
  require(portrait);
  std::vector<Equilibrium> list;
  for (std::size_t i = 0; i < portrait.pieces.size(); ++i) {
    const ForcePiece& piece = portrait.pieces[i];
    const double f = -piece.b / piece.P;
    if (piece.P != 0 && f > 0 && f >= piece.from && f < end_of(portrait, i))
      list.push_back({{-f / portrait.stiffness, 0}, piece.P < 0, static_cast<int>(i)});
  }
  return list;
}

Window window(const FastPortrait& portrait) {
  require(portrait);
  // What matters are the depths of equilibria and corners, and the speeds at which springs of their pieces swing there.
  double y = 0, v = 0;
  const auto reach = [&](double force, double P) {
    const double depth = force / portrait.stiffness;
    y = std::max(y, depth);
    v = std::max(v,
                 depth * std::max(std::sqrt(std::abs(P) * portrait.stiffness), 0.2 * std::abs(P) * portrait.damping));
  };
  for (const Equilibrium& e : equilibria(portrait))
    reach(-portrait.stiffness * e.at[0], portrait.pieces[static_cast<std::size_t>(e.piece)].P);
  for (std::size_t i = 1; i < portrait.pieces.size(); ++i) reach(portrait.pieces[i].from, portrait.pieces[i - 1].P);
  const ForcePiece& first = portrait.pieces[0];
  if (y == 0) reach(first.b != 0 && first.P != 0 ? std::abs(first.b / first.P) : 1, first.P != 0 ? first.P : 1);
  Window w{portrait.y_from.value_or(-2.2 * y), portrait.y_to.value_or(1.6 * y), portrait.v_from.value_or(-2 * v),
           portrait.v_to.value_or(2 * v)};
  if (!(w.y_from < w.y_to && w.v_from < w.v_to))
    throw InputError(fmt::format("the window of a portrait must grow, not y from {} to {}, v from {} to {}", w.y_from,
                                 w.y_to, w.v_from, w.v_to));
  return w;
}

std::vector<Point> trajectory(const FastPortrait& portrait, Point start, bool forward, double most) {
  const Window w = window(portrait);
  std::vector<Point> line{start};
  const auto points = static_cast<std::size_t>(most / step_length);
  while (line.size() <= points && holds(w, line.back())) {
    Point at = line.back();
    for (int i = 0; i < finer; ++i) {
      const auto next = step(portrait, w, at, forward ? 1 : -1, step_length / finer);
      if (!next) return line;
      at = *next;
    }
    // Into an equilibrium: the scheme begins to step over it.
    if (distance(w, at, line.back()) < 0.5 * step_length) return line;
    line.push_back(at);
  }
  return line;
}

std::vector<Separatrix> separatrices(const FastPortrait& portrait) {
  const Window w = window(portrait);
  std::vector<Separatrix> list;
  for (const Equilibrium& e : equilibria(portrait)) {
    if (!e.saddle) continue;
    const auto s = slopes(portrait, portrait.pieces[static_cast<std::size_t>(e.piece)].P);
    for (const bool unstable : {true, false}) {
      const double slope = unstable ? s[0] : s[1];
      const double unit = step_length / distance(w, {0, 0}, {1, slope});
      for (const double side : {1.0, -1.0}) {
        // The line is invariant, so that a start on it, however far, is exact.
        const Point start{e.at[0] + side * unit, e.at[1] + side * unit * slope};
        Separatrix branch{trajectory(portrait, start, unstable), unstable};
        branch.points.insert(branch.points.begin(), e.at);
        list.push_back(std::move(branch));
      }
    }
  }
  return list;
}

Plot fast_portrait_plot(const FastPortrait& portrait) {
  const Window w = window(portrait);
  Plot plot;
  plot.title = portrait.title;
  plot.x = {"gap", "m", w.y_from, w.y_to, Scale::linear, {}, 1};
  plot.y = {"normal velocity /u/_{n}", "m/s", w.v_from, w.v_to, Scale::linear, {}, 1};
  plot.legend = LegendPlace::below;
  const auto manifolds = separatrices(portrait);
  add_guides(plot, portrait, w);
  add_trajectories(plot, portrait, w, manifolds);
  add_separatrices(plot, w, manifolds);
  add_equilibria(plot, portrait);
  return plot;
}

}  // namespace painleve
