// Outlines and plots, member by member as the page's types name them.
#include "drawing_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

namespace painleve::studio {
namespace {

const char* name_of(Part part) {
  switch (part) {
    case Part::body:
      return "body";
    case Part::linkage:
      return "linkage";
    case Part::spring:
      return "spring";
    case Part::surface:
      return "surface";
    case Part::mark:
      return "mark";
  }
  return "body";
}

const char* name_of(Glyph glyph) {
  constexpr const char* names[] = {"none", "disc", "ring", "square", "diamond", "triangle", "cross", "plus"};
  return names[static_cast<int>(glyph)];
}

const char* name_of(Dash dash) {
  constexpr const char* names[] = {"solid", "dashed", "dotted", "dash_dot"};
  return names[static_cast<int>(dash)];
}

const char* name_of(Anchor anchor) {
  constexpr const char* names[] = {"start", "middle", "end"};
  return names[static_cast<int>(anchor)];
}

std::string hexadecimal(const Colour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

Json point_json(const Point& p) { return std::isfinite(p[0]) && std::isfinite(p[1]) ? Json(p) : Json(nullptr); }

Json points_json(const std::vector<Point>& points) {
  Json list = Json::array();
  for (const Point& p : points) list.push_back(point_json(p));
  return list;
}

Json pen_json(const Pen& pen) {
  return {{"colour", hexadecimal(pen.colour)},
          {"opacity", pen.colour.opacity},
          {"width", pen.width},
          {"dash", name_of(pen.dash)}};
}

Json axis_json(const Axis& axis) {
  Json ticks = Json::array();
  for (const auto& [at, text] : axis.ticks) ticks.push_back(Json::array({at, text}));
  return {{"label", axis.label},
          {"unit", axis.unit},
          {"from", axis.from ? Json(*axis.from) : Json(nullptr)},
          {"to", axis.to ? Json(*axis.to) : Json(nullptr)},
          {"scale", axis.scale == Scale::logarithmic ? "logarithmic" : "linear"},
          {"ticks", std::move(ticks)},
          {"factor", axis.factor}};
}

Json layer_json(const CurveLayer& curve) {
  return {{"kind", "curve"},      {"points", points_json(curve.points)}, {"pen", pen_json(curve.pen)},
          {"label", curve.label}, {"glyph", name_of(curve.glyph)},       {"glyph_size", curve.glyph_size},
          {"line", curve.line}};
}

Json layer_json(const RegionLayer& region) {
  return {{"kind", "region"},
          {"corners", points_json(region.corners)},
          {"fill", hexadecimal(region.fill)},
          {"fill_opacity", region.fill.opacity},
          {"label", region.label},
          {"pen", pen_json(region.pen)}};
}

Json layer_json(const ArrowLayer& arrow) {
  return {{"kind", "arrow"},
          {"from", point_json(arrow.from)},
          {"to", point_json(arrow.to)},
          {"pen", pen_json(arrow.pen)},
          {"label", arrow.label}};
}

Json layer_json(const NoteLayer& note) {
  return {{"kind", "note"},
          {"at", point_json(note.at)},
          {"text", note.text},
          {"size", note.style.size},
          {"anchor", name_of(note.style.anchor)},
          {"colour", hexadecimal(note.style.colour)},
          {"right", note.right},
          {"up", note.up},
          {"bold", note.style.bold}};
}

Json layer_json(const RuleLayer& rule) {
  return {{"kind", "rule"},
          {"vertical", rule.vertical},
          {"at", rule.at},
          {"pen", pen_json(rule.pen)},
          {"label", rule.label}};
}

// Grids have a form of their own on the page: maps.
template <class Layer>
constexpr bool is_grid = std::is_same_v<Layer, CategoryLayer> || std::is_same_v<Layer, FieldLayer>;

}  // namespace

Json to_json(const Outline& outline, int dimension) {
  Json j = {{"dimension", dimension},
            {"strokes", Json::array()},
            {"balls", Json::array()},
            {"contacts", Json::array()},
            {"gravity", outline.gravity}};
  for (const Stroke& stroke : outline.strokes) {
    j["strokes"].push_back({{"part", name_of(stroke.part)},
                            {"points", stroke.points},
                            {"closed", stroke.closed},
                            {"width", stroke.width}});
  }
  for (const Ball& ball : outline.balls)
    j["balls"].push_back({{"part", name_of(ball.part)}, {"centre", ball.centre}, {"radius", ball.radius}});
  for (const ContactPlace& contact : outline.contacts) {
    j["contacts"].push_back({{"name", contact.name},
                             {"at", contact.at},
                             {"tangents", contact.tangents},
                             {"normal", contact.normal},
                             {"surface_velocity", contact.surface_velocity}});
  }
  return j;
}

Json drawing(const Scene& scene, const State& state) {
  if (scene.kind != SceneKind::mechanism) return nullptr;
  const Outline outline = scene.posed.mechanism->outline(state);
  if (outline.strokes.empty() && outline.balls.empty()) return nullptr;
  return to_json(outline, scene.posed.mechanism->dimension());
}

Json to_json(const Plot& plot) {
  Json layers = Json::array();
  for (const Layer& layer : plot.layers) {
    std::visit(
        [&](const auto& one) {
          if constexpr (!is_grid<std::decay_t<decltype(one)>>) layers.push_back(layer_json(one));
        },
        layer);
  }
  return {{"title", plot.title},
          {"x", axis_json(plot.x)},
          {"y", axis_json(plot.y)},
          {"layers", std::move(layers)},
          {"equal_scales", plot.equal_scales},
          {"frame", plot.frame}};
}

}  // namespace painleve::studio
