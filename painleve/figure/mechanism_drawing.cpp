#include "painleve/figure/mechanism_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/figure/detail/outline_layers.hpp"

namespace painleve {
namespace {

using detail::flat;
using detail::plus;

constexpr Colour velocity_ink{0, 114, 178};
constexpr Colour force_ink{213, 94, 0};
constexpr Colour cone_ink{230, 159, 0};
constexpr Colour quiet{110, 110, 110};

// In parts of the mechanism's size.
constexpr double longest_velocity = 0.3;
constexpr double longest_force = 0.4;
constexpr double cone_length = 0.34;
constexpr double gravity_length = 0.16;
constexpr double hatch_length = 0.04;

struct Vector {
  Place from{}, to{};
  std::string label;
};

// What is drawn at one contact.
struct ContactView {
  ContactPlace place;
  double mu = 0;
  bool closed = false, bilateral = false;
  Eigen::VectorXd u, lambda;  // in the contact frame; lambda may be empty
};

struct Drawing {
  Outline outline;
  std::vector<ContactView> contacts;
  double size = 0;
};

void require(const Scene& scene, const MechanismDrawing& options) {
  if (scene.kind != SceneKind::mechanism) {
    throw InputError(
        fmt::format("{} is of the kind {}, which has no bodies to draw: a drawing needs a mechanism of the gallery",
                    scene.name, scene.mechanism));
  }
  const auto rows = scene.space.u.size();
  if (options.lambda.size() != 0 && options.lambda.size() != rows) {
    throw InputError(fmt::format("lambda holds {} numbers, {} needs {}: {} per contact", options.lambda.size(),
                                 scene.name, rows, scene.space.dimension));
  }
  if (!options.lambda.allFinite()) throw InputError("lambda holds a number that is not finite");
}

Drawing drawing_of(const Scene& scene, const MechanismDrawing& options) {
  Drawing drawing;
  drawing.outline = scene.posed.mechanism->outline(scene.posed.state);
  if (drawing.outline.contacts.size() != static_cast<std::size_t>(scene.space.count())) {
    throw InputError(fmt::format("the mechanism {} has no outline to draw", scene.mechanism));
  }
  drawing.size = detail::size_of(drawing.outline);
  const int d = scene.space.dimension;
  for (int i = 0; i < scene.space.count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    ContactView view{drawing.outline.contacts[k],
                     scene.laws[k].mu,
                     false,
                     scene.posed.contacts[k].bilateral,
                     scene.space.u.segment(d * i, d),
                     {}};
    view.closed = scene.space.gap(i) <= scene.tolerance.gap || view.bilateral;
    if (options.lambda.size() != 0) view.lambda = options.lambda.segment(d * i, d);
    drawing.contacts.push_back(std::move(view));
  }
  return drawing;
}

// Components in the contact frame as a vector of the world.
Place in_world(const ContactPlace& contact, const Eigen::VectorXd& components) {
  Place sum{};
  for (std::size_t k = 0; k < contact.tangents.size(); ++k) {
    sum = plus(sum, components(static_cast<Eigen::Index>(k)), contact.tangents[k]);
  }
  return plus(sum, components(components.size() - 1), contact.normal);
}

// Arrows at the contacts, the longest `reach` long; those that are not longer than `least` are left out.
template <class Components>
std::vector<Vector> arrows(const Drawing& drawing, double reach, double least, const char* symbol, const char* unit,
                           const Components& components) {
  double largest = 0;
  for (const ContactView& contact : drawing.contacts) {
    const Eigen::VectorXd c = components(contact);
    if (c.size() != 0) largest = std::max(largest, c.norm());
  }
  std::vector<Vector> found;
  for (const ContactView& contact : drawing.contacts) {
    const Eigen::VectorXd c = components(contact);
    if (c.size() == 0 || !(c.norm() > least)) continue;
    const Place to = plus(contact.place.at, reach / largest, in_world(contact.place, c));
    found.push_back({contact.place.at, to, fmt::format("{} = {:.3g} {}", symbol, c.norm(), unit)});
  }
  return found;
}

// Of the closed contacts; of all where none is closed.
std::vector<Vector> velocity_arrows(const Drawing& drawing, double tolerance) {
  const bool flying = std::none_of(drawing.contacts.begin(), drawing.contacts.end(),
                                   [](const ContactView& contact) { return contact.closed; });
  return arrows(drawing, longest_velocity * drawing.size, tolerance, "/u/", "m/s",
                [&](const ContactView& contact) { return contact.closed || flying ? contact.u : Eigen::VectorXd{}; });
}
std::vector<Vector> force_arrows(const Drawing& drawing) {
  return arrows(drawing, longest_force * drawing.size, 0, "λ", "N",
                [](const ContactView& contact) { return contact.lambda; });
}

// The height of a cone whose sides are as long as the drawing wants them.
double cone_height(const Drawing& drawing, double mu) { return cone_length * drawing.size / std::hypot(1, mu); }

// One side of the cone for bilateral contacts, too.
std::vector<double> cone_sides(const ContactView& contact) {
  return contact.bilateral ? std::vector<double>{1, -1} : std::vector<double>{1};
}

// --- in the plane --------------------------------------------------------------------------------------------------

void add_cones(Plot& plot, const Drawing& drawing) {
  for (const ContactView& contact : drawing.contacts) {
    if (!contact.closed) continue;
    const Point at = flat(contact.place.at);
    for (const double side : cone_sides(contact)) {
      const double height = side * cone_height(drawing, contact.mu);
      const Place top = plus(contact.place.at, height, contact.place.normal);
      const Point left = flat(plus(top, -contact.mu * height, contact.place.tangents[0]));
      const Point right = flat(plus(top, contact.mu * height, contact.place.tangents[0]));
      plot.layers.emplace_back(RegionLayer{{at, left, right}, cone_ink.faded(0.16)});
      plot.layers.emplace_back(CurveLayer{{left, at, right}, {cone_ink, 1, Dash::dashed}});
    }
  }
}

// The label stands below the head of a level arrow, where the surface is, and beside that of another.
void add_arrow(Plot& plot, const Vector& v, Colour colour, double width) {
  plot.layers.emplace_back(ArrowLayer{flat(v.from), flat(v.to), {colour, width}});
  const double x = v.to[0] - v.from[0];
  const double y = v.to[1] - v.from[1];
  const bool level = std::abs(x) > 2 * std::abs(y);
  NoteLayer note{flat(v.to), v.label, {8, Anchor::middle, colour}};
  if (level) {
    note.style.anchor = x > 0 ? Anchor::end : Anchor::start;
    note.right = x > 0 ? 8 : -8;
    note.up = -26;  // under the names of the contacts
  } else {
    note.style.anchor = x >= 0 ? Anchor::start : Anchor::end;
    note.right = x >= 0 ? 4 : -4;
    note.up = y > 0 ? 2 : -6;
  }
  plot.layers.emplace_back(std::move(note));
}

// Below the surface where the contact is closed, else away from the middle of all contacts.
NoteLayer name_of(const ContactView& contact, const Place& middle) {
  constexpr double distance = 13;  // [pt]
  Place away = plus(Place{}, -1, contact.place.normal);
  const double x = contact.place.at[0] - middle[0];
  const double y = contact.place.at[1] - middle[1];
  if (!contact.closed && std::hypot(x, y) > 0) away = {x / std::hypot(x, y), y / std::hypot(x, y), 0};
  NoteLayer note{flat(contact.place.at), contact.place.name, {8, Anchor::middle, ink}};
  note.right = distance * away[0];
  note.up = distance * away[1] - 3;
  if (std::abs(away[0]) > 0.5) note.style.anchor = away[0] > 0 ? Anchor::start : Anchor::end;
  return note;
}

// Contacts at one place share a line: "stance, swing".
void add_names(Plot& plot, const Drawing& drawing) {
  Place middle{};
  for (const ContactView& contact : drawing.contacts) {
    middle = plus(middle, 1.0 / static_cast<double>(drawing.contacts.size()), contact.place.at);
  }
  std::vector<NoteLayer> notes;
  for (const ContactView& contact : drawing.contacts) {
    const NoteLayer note = name_of(contact, middle);
    const auto found = std::find_if(notes.begin(), notes.end(), [&](const NoteLayer& other) {
      return std::hypot(other.at[0] - note.at[0], other.at[1] - note.at[1]) < 0.02 * drawing.size;
    });
    if (found == notes.end()) {
      notes.push_back(note);
    } else {
      found->text += ", " + note.text;
    }
  }
  plot.layers.insert(plot.layers.end(), notes.begin(), notes.end());
}

void add_contacts(Plot& plot, const Drawing& drawing) {
  for (const ContactView& contact : drawing.contacts) {
    const Glyph glyph = contact.closed ? Glyph::disc : Glyph::ring;
    plot.layers.emplace_back(CurveLayer{{flat(contact.place.at)}, {ink, 1}, {}, glyph, 4.5, false});
  }
}

// Beside the upper left corner of the mechanism: gravity, so that a slope is seen; below the surface: how that moves.
void add_surroundings(Plot& plot, const Drawing& drawing) {
  const Place& g = drawing.outline.gravity;
  const double strength = std::hypot(g[0], g[1]);
  double left = drawing.contacts[0].place.at[0];
  double top = drawing.contacts[0].place.at[1];
  for (const Stroke& stroke : drawing.outline.strokes) {
    for (const Place& p : stroke.points) {
      left = std::min(left, p[0]);
      top = std::max(top, p[1]);
    }
  }
  if (strength > 0) {
    const Place from{left - 0.15 * drawing.size, top, 0};
    const Place to = plus(from, gravity_length * drawing.size / strength, g);
    add_arrow(plot, {from, to, "/g/"}, quiet, 1.1);
  }
  for (const ContactView& contact : drawing.contacts) {
    const Place& w = contact.place.surface_velocity;
    const double speed = std::hypot(w[0], w[1]);
    if (speed == 0) continue;
    const Place from = plus(contact.place.at, -1.6 * hatch_length * drawing.size, contact.place.normal);
    const Place start = plus(from, 0.15 * drawing.size / speed, w);
    const Point head = flat(plus(start, 0.2 * drawing.size / speed, w));
    const bool rightwards = w[0] > 0;
    plot.layers.emplace_back(ArrowLayer{flat(start), head, {quiet, 1.1}});
    plot.layers.emplace_back(NoteLayer{head,
                                       fmt::format("belt {:.3g} m/s", speed),
                                       {8, rightwards ? Anchor::start : Anchor::end, quiet},
                                       rightwards ? 3.0 : -3.0,
                                       -3});
    break;  // one arrow for the belt
  }
}

Panel planar_panel(const Scene& scene, const Drawing& drawing, const MechanismDrawing& options) {
  Plot plot;
  plot.title = options.title.empty() ? scene.name : options.title;
  plot.x = {.label = "/x/", .unit = "m"};
  plot.y = {.label = "/y/", .unit = "m"};
  plot.equal_scales = true;
  plot.legend = LegendPlace::none;
  detail::add_surfaces(plot.layers, detail::joined_surfaces({drawing.outline}), hatch_length * drawing.size);
  if (options.cones) add_cones(plot, drawing);
  detail::add_bodies(plot.layers, drawing.outline, 1);
  add_surroundings(plot, drawing);
  if (options.velocities) {
    for (const Vector& v : velocity_arrows(drawing, scene.tolerance.velocity)) add_arrow(plot, v, velocity_ink, 1.8);
  }
  for (const Vector& v : force_arrows(drawing)) add_arrow(plot, v, force_ink, 1.8);
  add_contacts(plot, drawing);
  if (options.names) add_names(plot, drawing);
  detail::add_room(plot.layers, 0.06, 0.14);
  return plot;
}

// --- in space ------------------------------------------------------------------------------------------------------

void add_cones(Solid& solid, const Drawing& drawing) {
  constexpr int sides = 24;
  for (const ContactView& contact : drawing.contacts) {
    if (!contact.closed) continue;
    for (const double side : cone_sides(contact)) {
      const double height = side * cone_height(drawing, contact.mu);
      const Place top = plus(contact.place.at, height, contact.place.normal);
      const auto rim = [&](int k) {
        const double angle = 2 * std::numbers::pi * k / sides;
        return plus(plus(top, contact.mu * height * std::cos(angle), contact.place.tangents[0]),
                    contact.mu * height * std::sin(angle), contact.place.tangents[1]);
      };
      SpaceLine edge{{}, {cone_ink, 1}};
      for (int k = 0; k < sides; ++k) {
        solid.faces.push_back({{contact.place.at, rim(k), rim(k + 1)}, cone_ink.faded(0.14)});
        edge.points.push_back(rim(k));
      }
      edge.points.push_back(rim(0));
      solid.lines.push_back(std::move(edge));
    }
  }
}

void add_arrow(Solid& solid, const Vector& v, Colour colour) {
  solid.lines.push_back({{v.from, v.to}, {colour, 1.8}, true, true});
  solid.notes.push_back({v.to, v.label, {8, Anchor::start, colour}, 4, 2});
}

Panel spatial_panel(const Scene& scene, const Drawing& drawing, const MechanismDrawing& options) {
  SpacePlot plot;
  plot.title = options.title.empty() ? scene.name : options.title;
  plot.view = options.view;
  const std::vector<Stroke> tables = detail::joined_surfaces({drawing.outline});
  detail::add_surfaces(plot.solid, tables);
  if (options.cones) add_cones(plot.solid, drawing);
  detail::add_bodies(plot.solid, drawing.outline, plot.view, 1);
  if (!tables.empty()) detail::add_scale(plot.solid, tables.front(), drawing.size);
  if (options.velocities) {
    for (const Vector& v : velocity_arrows(drawing, scene.tolerance.velocity)) add_arrow(plot.solid, v, velocity_ink);
  }
  for (const Vector& v : force_arrows(drawing)) add_arrow(plot.solid, v, force_ink);
  if (options.names) {
    for (const ContactView& contact : drawing.contacts) {
      plot.solid.notes.push_back({contact.place.at, contact.place.name, {8, Anchor::middle, ink}, 0, -13});
    }
  }
  return plot;
}

}  // namespace

Panel mechanism_panel(const Scene& scene, const MechanismDrawing& options) {
  require(scene, options);
  const Drawing drawing = drawing_of(scene, options);
  return scene.space.dimension == 2 ? planar_panel(scene, drawing, options) : spatial_panel(scene, drawing, options);
}

}  // namespace painleve
