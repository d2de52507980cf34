#include "painleve/figure/detail/legend.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace painleve::detail {
namespace {

constexpr double row_height = 12, sample_width = 20, box_width = 11, gap = 5, between_entries = 14, padding = 4;
constexpr TextStyle entry_style{8};

bool any_line(const std::vector<LegendEntry>& entries) {
  return std::any_of(entries.begin(), entries.end(), [](const LegendEntry& e) { return !e.box; });
}

double sample_room(const LegendEntry& entry) { return entry.box ? box_width : sample_width; }

double entry_width(const LegendEntry& entry, double room) { return room + gap + text_width(entry.label, entry_style); }

void draw_entry(Canvas& canvas, const LegendEntry& entry, const Point& upper_left, double room) {
  const double x = upper_left[0], middle = upper_left[1] + row_height / 2;
  if (entry.box) {
    const Pen outline = entry.pen.width > 0 ? entry.pen : Pen{Colour{110, 110, 110}, 0.4};
    canvas.rectangle({x + (room - box_width) / 2, middle - 4, box_width, 8}, entry.fill, outline);
  }
  if (entry.line) canvas.line({{x, middle}, {x + room, middle}}, entry.pen);
  draw_glyph(canvas, entry.glyph, {x + room / 2, middle}, entry.glyph_size, entry.pen);
  canvas.text({x + room + gap, middle + 0.35 * entry_style.size}, entry.label, entry_style);
}

struct Collector {
  std::vector<LegendEntry> entries;

  void operator()(const CurveLayer& layer) {
    if (layer.points.empty()) return;
    add({.label = layer.label,
         .pen = layer.pen,
         .line = layer.line,
         .glyph = layer.glyph,
         .glyph_size = std::min(layer.glyph_size, 7.0)});
  }
  void operator()(const RegionLayer& layer) {
    if (layer.corners.empty()) return;
    add({.label = layer.label, .pen = layer.pen, .fill = layer.fill, .box = true});
  }
  void operator()(const CategoryLayer& layer) {
    for (const auto& [name, colour] : layer.categories) add({.label = name, .fill = colour, .box = true});
  }
  void operator()(const RuleLayer& layer) { add({.label = layer.label, .pen = layer.pen, .line = true}); }
  void operator()(const FieldLayer&) {}
  void operator()(const ArrowLayer&) {}
  void operator()(const NoteLayer&) {}

  void add(LegendEntry entry) {
    const auto same = [&](const LegendEntry& e) {
      return e.label == entry.label && e.pen.colour == entry.pen.colour && e.fill == entry.fill;
    };
    if (entry.label.empty() || std::any_of(entries.begin(), entries.end(), same)) return;
    entries.push_back(std::move(entry));
  }
};

// The upper left corner of each entry, and after them all the height.
std::vector<Point> row_places(const std::vector<LegendEntry>& entries, double width) {
  std::vector<Point> places;
  double x = 0, y = 0;
  for (const LegendEntry& entry : entries) {
    const double w = entry_width(entry, sample_room(entry));
    if (x > 0 && x + w > width) {
      x = 0;
      y += row_height;
    }
    places.push_back({x, y});
    x += w + between_entries;
  }
  places.push_back({0, y + row_height});
  return places;
}

}  // namespace

std::vector<LegendEntry> legend_entries(const std::vector<Layer>& layers) {
  Collector collector;
  for (const Layer& layer : layers) std::visit(collector, layer);
  return collector.entries;
}

std::vector<LegendEntry> legend_entries(const std::vector<std::pair<std::string, Colour>>& names) {
  Collector collector;
  for (const auto& [name, colour] : names) collector.add({.label = name, .fill = colour, .box = true});
  return collector.entries;
}

LegendSize column_size(const std::vector<LegendEntry>& entries) {
  const double room = any_line(entries) ? sample_width : box_width;
  LegendSize size{0, row_height * static_cast<double>(entries.size())};
  for (const LegendEntry& entry : entries) size.width = std::max(size.width, entry_width(entry, room));
  return size;
}

LegendSize rows_size(const std::vector<LegendEntry>& entries, double width) {
  if (entries.empty()) return {};
  return {width, row_places(entries, width).back()[1]};
}

void draw_column(Canvas& canvas, const std::vector<LegendEntry>& entries, Point upper_left) {
  const double room = any_line(entries) ? sample_width : box_width;
  for (const LegendEntry& entry : entries) {
    draw_entry(canvas, entry, upper_left, room);
    upper_left[1] += row_height;
  }
}

void draw_rows(Canvas& canvas, const std::vector<LegendEntry>& entries, const Rectangle& place) {
  const std::vector<Point> places = row_places(entries, place.width);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    draw_entry(canvas, entries[i], {place.x + places[i][0], place.y + places[i][1]}, sample_room(entries[i]));
  }
}

LegendSize framed_size(const std::vector<LegendEntry>& entries) {
  const LegendSize size = column_size(entries);
  return {size.width + 2 * padding, size.height + padding};
}

void draw_framed(Canvas& canvas, const std::vector<LegendEntry>& entries, const Rectangle& place) {
  canvas.rectangle(place, paper.faded(0.85), Pen{Colour{190, 190, 190}, 0.5});
  draw_column(canvas, entries, {place.x + padding, place.y + padding / 2});
}

FreePlace emptiest_place(const Rectangle& area, const LegendSize& size, const std::vector<Point>& points) {
  constexpr double inset = 5, clearance = 3;
  const double wide = area.width - 2 * inset - size.width, high = area.height - 2 * inset - size.height;
  // Parts of the free width and height.
  static constexpr std::array<Point, 16> places{{{1, 0},
                                                 {0, 0},
                                                 {1, 1},
                                                 {0, 1},
                                                 {0.5, 0},
                                                 {0.5, 1},
                                                 {0.25, 0},
                                                 {0.75, 0},
                                                 {0.25, 1},
                                                 {0.75, 1},
                                                 {0, 0.5},
                                                 {1, 0.5},
                                                 {0, 0.25},
                                                 {1, 0.25},
                                                 {0, 0.75},
                                                 {1, 0.75}}};
  FreePlace best;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Rectangle place{area.x + inset + places[i][0] * wide, area.y + inset + places[i][1] * high, size.width,
                          size.height};
    const auto under = std::count_if(points.begin(), points.end(), [&](const Point& p) {
      return std::abs(p[0] - place.x - place.width / 2) < place.width / 2 + clearance &&
             std::abs(p[1] - place.y - place.height / 2) < place.height / 2 + clearance;
    });
    if (i == 0 || under < best.covered) best = {place, static_cast<int>(under)};
  }
  return best;
}

void draw_glyph(Canvas& canvas, Glyph glyph, const Point& at, double size, const Pen& pen) {
  const double x = at[0], y = at[1], r = size / 2;
  const Pen outline{pen.colour, std::clamp(pen.width, 0.6, 1.2)}, none{nothing, 0};
  switch (glyph) {
    case Glyph::none:
      break;
    case Glyph::disc:
      canvas.disc(at, r, pen.colour, none);
      break;
    case Glyph::ring:
      canvas.disc(at, r, paper, outline);
      break;
    case Glyph::square:
      canvas.rectangle({x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r}, pen.colour, none);
      break;
    case Glyph::diamond:
      canvas.polygon({{x, y - 1.25 * r}, {x + 1.25 * r, y}, {x, y + 1.25 * r}, {x - 1.25 * r, y}}, pen.colour, none);
      break;
    case Glyph::triangle:
      canvas.polygon({{x, y - 1.2 * r}, {x + 1.1 * r, y + 0.8 * r}, {x - 1.1 * r, y + 0.8 * r}}, pen.colour, none);
      break;
    case Glyph::cross:
      canvas.line({{x - r, y - r}, {x + r, y + r}}, outline);
      canvas.line({{x - r, y + r}, {x + r, y - r}}, outline);
      break;
    case Glyph::plus:
      canvas.line({{x - r, y}, {x + r, y}}, outline);
      canvas.line({{x, y - r}, {x, y + r}}, outline);
      break;
  }
}

}  // namespace painleve::detail
