#include "painleve/figure/detail/plot_layers.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "painleve/figure/detail/contours.hpp"
#include "painleve/figure/detail/visible_lines.hpp"

namespace painleve::detail {
namespace {

constexpr int most_pixels = 2000;           // of a grid, each way
constexpr std::size_t most_points = 20000;  // of a curve
constexpr std::size_t most_glyphs = 4000;

Rectangle grown(const Rectangle& r, double by) { return {r.x - by, r.y - by, r.width + 2 * by, r.height + 2 * by}; }

bool within(const Rectangle& r, const Point& p) {
  return p[0] >= r.x && p[0] <= r.x + r.width && p[1] >= r.y && p[1] <= r.y + r.height;
}

Polyline on_paper(const std::vector<Point>& points, const PlotFrame& frame) {
  Polyline line;
  line.reserve(points.size());
  for (const Point& p : points) line.push_back(frame.at(p));
  return line;
}

// A rectangle of pixels in paper order, from cells in data order.
struct GridImage {
  ImageMark image;
  bool mirrored = false;  // columns run leftwards
  bool upright = true;    // rows run upwards
};

template <typename Grid>
GridImage grid_image(const Grid& grid, const PlotFrame& frame) {
  const Range x = cell_edges(grid.x_from, grid.x_to, grid.columns, frame.x.scale);
  const Range y = cell_edges(grid.y_from, grid.y_to, grid.rows, frame.y.scale);
  const Point a{frame.x.at(x.from), frame.y.at(y.from)}, b{frame.x.at(x.to), frame.y.at(y.to)};
  GridImage result;
  result.mirrored = b[0] < a[0];
  result.upright = b[1] < a[1];
  result.image.place = {std::min(a[0], b[0]), std::min(a[1], b[1]), std::abs(b[0] - a[0]), std::abs(b[1] - a[1])};
  result.image.columns = std::min(grid.columns, most_pixels);
  result.image.rows = std::min(grid.rows, most_pixels);
  return result;
}

// The cell whose centre is nearest to the middle of pixel `pixel` of `pixels`.
int nearest_cell(int pixel, int pixels, int cells) {
  return std::min(cells - 1, static_cast<int>((pixel + 0.5) * cells / pixels));
}

template <typename Grid, typename ColourOf>
void draw_grid(Canvas& canvas, const Grid& grid, const PlotFrame& frame, const ColourOf& colour_of) {
  if (grid.columns <= 0 || grid.rows <= 0) return;
  if (grid.values.size() != static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows)) {
    throw std::invalid_argument("a grid in a plot needs columns × rows values");
  }
  GridImage result = grid_image(grid, frame);
  ImageMark& image = result.image;
  if (!std::isfinite(image.place.x + image.place.y + image.place.width + image.place.height)) return;
  image.pixels.reserve(static_cast<std::size_t>(image.columns) * static_cast<std::size_t>(image.rows));
  for (int i = 0; i < image.rows; ++i) {
    const int row = nearest_cell(result.upright ? image.rows - 1 - i : i, image.rows, grid.rows);
    for (int k = 0; k < image.columns; ++k) {
      const int column = nearest_cell(result.mirrored ? image.columns - 1 - k : k, image.columns, grid.columns);
      const auto at =
          static_cast<std::size_t>(row) * static_cast<std::size_t>(grid.columns) + static_cast<std::size_t>(column);
      image.pixels.push_back(colour_of(grid.values[at]));
    }
  }
  canvas.image(std::move(image));
}

double to_level(const FieldLayer& field, double value) {
  if (field.scale == Scale::linear) return value;
  return value > 0 ? std::log10(value) : std::nan("");
}

// The value of a coordinate between the centres of the outermost cells.
double along(double from, double to, int count, Scale scale, double place) {
  const double part = count > 1 ? place / (count - 1) : 0;
  if (scale == Scale::linear) return from + part * (to - from);
  return from * std::pow(to / from, part);
}

void label_contour(Canvas& canvas, const Polyline& line, double level) {
  if (line.size() < 8) return;
  const TextStyle style{7, Anchor::middle};
  const Point at = line[line.size() / 2];
  const std::string text = number_label(level);
  const double half = text_width(text, style) / 2 + 1.5;
  canvas.rectangle({at[0] - half, at[1] - 4.2, 2 * half, 8.4}, paper.faded(0.8), Pen{nothing, 0});
  canvas.text({at[0], at[1] + 2.5}, text, style);
}

void draw_contours(Canvas& canvas, const FieldLayer& field, const PlotFrame& frame) {
  std::vector<double> values;
  values.reserve(field.values.size());
  for (const double value : field.values) values.push_back(to_level(field, value));
  for (const double level : field.levels) {
    Polyline longest;
    for (const auto& line : contour_lines({field.columns, field.rows, &values}, to_level(field, level))) {
      Polyline data;
      for (const Point& p : line) {
        data.push_back({along(field.x_from, field.x_to, field.columns, frame.x.scale, p[0]),
                        along(field.y_from, field.y_to, field.rows, frame.y.scale, p[1])});
      }
      for (const Polyline& piece : clipped(on_paper(data, frame), frame.area)) {
        if (piece.size() > longest.size()) longest = piece;
        Polyline shown = thinned(piece);
        canvas.line(shown, Pen{paper.faded(0.6), 1.8});  // seen on dark colours too
        canvas.line(std::move(shown), Pen{ink, 0.7});
      }
    }
    label_contour(canvas, longest, level);
  }
}

class LayerDrawer {
 public:
  LayerDrawer(Canvas& canvas, const PlotFrame& frame) : canvas_(canvas), frame_(frame), sheet_(grown(frame.area, 20)) {}

  void operator()(const CurveLayer& layer) {
    const Polyline line = on_paper(layer.points, frame_);
    if (layer.line) {
      for (Polyline& piece : thinned(clipped(line, sheet_), most_points)) canvas_.line(std::move(piece), layer.pen);
    }
    if (layer.line && layer.glyph == Glyph::none) draw_lone_points(line, layer.pen);
    if (layer.glyph == Glyph::none) return;
    std::vector<Point> places;
    std::copy_if(line.begin(), line.end(), std::back_inserter(places),
                 [&](const Point& p) { return within(grown(frame_.area, layer.glyph_size), p); });
    for (double cell = resolution; places.size() > most_glyphs; cell *= 1.5) places = apart(places, cell);
    for (const Point& p : places) draw_glyph(canvas_, layer.glyph, p, layer.glyph_size, layer.pen);
  }

  void operator()(const RegionLayer& layer) {
    Polyline corners = clipped_polygon(on_paper(layer.corners, frame_), sheet_);
    if (corners.size() > most_points) corners = thinned(corners);
    if (!corners.empty()) canvas_.polygon(std::move(corners), layer.fill, layer.pen);
  }

  void operator()(const CategoryLayer& layer) {
    const auto count = static_cast<int>(layer.categories.size());
    draw_grid(canvas_, layer, frame_, [&](int value) {
      if (value >= count) throw std::invalid_argument("a cell of a plot has a category without a name");
      return value < 0 ? nothing : layer.categories[static_cast<std::size_t>(value)].second;
    });
  }

  void operator()(const FieldLayer& layer) {
    const Range range = field_range(layer);
    draw_grid(canvas_, layer, frame_, [&](double value) { return field_colour(layer, range, value); });
    if (layer.columns > 1 && layer.rows > 1) draw_contours(canvas_, layer, frame_);
  }

  void operator()(const ArrowLayer& layer) {
    const auto pieces = clipped({frame_.at(layer.from), frame_.at(layer.to)}, sheet_);
    if (!pieces.empty()) canvas_.arrow(pieces.front().front(), pieces.front().back(), layer.pen);
  }

  void operator()(const RuleLayer& layer) {
    const double at = layer.vertical ? frame_.x.at(layer.at) : frame_.y.at(layer.at);
    const Rectangle& a = frame_.area;
    const Polyline line =
        layer.vertical ? Polyline{{at, a.y}, {at, a.y + a.height}} : Polyline{{a.x, at}, {a.x + a.width, at}};
    for (Polyline& piece : clipped(line, a)) canvas_.line(std::move(piece), layer.pen);
  }

  void operator()(const NoteLayer&) {}

 private:
  // A point between two gaps has no line; it gets a dot.
  void draw_lone_points(const Polyline& line, const Pen& pen) {
    const auto here = [&](std::size_t i) {
      return i < line.size() && std::isfinite(line[i][0]) && std::isfinite(line[i][1]);
    };
    std::vector<Point> lone;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (here(i) && !here(i + 1) && (i == 0 || !here(i - 1)) && within(frame_.area, line[i])) lone.push_back(line[i]);
    }
    for (const Point& p : apart(lone, resolution)) canvas_.disc(p, pen.width, pen.colour, Pen{nothing, 0});
  }

  Canvas& canvas_;
  const PlotFrame& frame_;
  Rectangle sheet_;
};

// Beyond the tip of the arrow, on its line.
void draw_arrow_label(Canvas& canvas, const ArrowLayer& layer, const PlotFrame& frame) {
  const Point from = frame.at(layer.from), to = frame.at(layer.to);
  if (layer.label.empty() || !within(frame.area, to)) return;
  const double length = std::hypot(to[0] - from[0], to[1] - from[1]);
  if (!(length > 0)) return;
  const Point e{(to[0] - from[0]) / length, (to[1] - from[1]) / length};
  TextStyle style{text_size, Anchor::middle, layer.pen.colour};
  if (e[0] > 0.4) style.anchor = Anchor::start;
  if (e[0] < -0.4) style.anchor = Anchor::end;
  canvas.text({to[0] + 4 * e[0], to[1] + 6 * e[1] + 0.35 * style.size}, layer.label, style);
}

void draw_words(Canvas& canvas, const Plot& plot, const PlotFrame& frame) {
  for (const Layer& layer : plot.layers) {
    if (const auto* arrow = std::get_if<ArrowLayer>(&layer)) draw_arrow_label(canvas, *arrow, frame);
    const auto* note = std::get_if<NoteLayer>(&layer);
    if (note == nullptr) continue;
    const Point at = frame.at(note->at);
    if (within(frame.area, at)) canvas.text({at[0] + note->right, at[1] - note->up}, note->text, note->style);
  }
}

// Points every few points of length.
void sample(const Polyline& line, std::vector<Point>& points) {
  constexpr double spacing = 3;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Point& a = line[i - 1];
    const Point& b = line[i];
    const int steps = 1 + static_cast<int>(std::hypot(b[0] - a[0], b[1] - a[1]) / spacing);
    for (int k = 0; k <= steps; ++k) {
      const double part = static_cast<double>(k) / steps;
      points.push_back({a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])});
    }
  }
}

std::vector<Point> outline(const Layer& layer) {
  if (const auto* curve = std::get_if<CurveLayer>(&layer)) return curve->points;
  if (const auto* region = std::get_if<RegionLayer>(&layer)) return region->corners;
  if (const auto* arrow = std::get_if<ArrowLayer>(&layer)) return {arrow->from, arrow->to};
  return {};
}

}  // namespace

Colour field_colour(const FieldLayer& field, const Range& range, double value) {
  const double v = to_level(field, value), low = to_level(field, range.from), high = to_level(field, range.to);
  if (std::isnan(v)) return nothing;
  if (field.is_signed && field.scale == Scale::linear)
    return signed_colour(v / std::max(std::abs(low), std::abs(high)));
  return ramp_colour((v - low) / (high - low));
}

void draw_layers(Canvas& canvas, const Plot& plot, const PlotFrame& frame) {
  canvas.begin_clip(plot.frame ? frame.area : grown(frame.area, 5));
  LayerDrawer drawer(canvas, frame);
  for (const Layer& layer : plot.layers) std::visit(drawer, layer);
  canvas.end_clip();
  draw_words(canvas, plot, frame);
}

std::vector<Point> covered_points(const Plot& plot, const PlotFrame& frame) {
  std::vector<Point> points;
  for (const Layer& layer : plot.layers) {
    const Polyline line = on_paper(outline(layer), frame);
    for (const Polyline& piece : thinned(clipped(line, frame.area), most_points)) sample(piece, points);
    std::copy_if(line.begin(), line.end(), std::back_inserter(points),
                 [&](const Point& p) { return within(frame.area, p); });
    const auto* note = std::get_if<NoteLayer>(&layer);
    if (note == nullptr) continue;
    const Point at = frame.at(note->at);
    const double width = text_width(note->text, note->style);
    const double left = note->style.anchor == Anchor::start    ? 0
                        : note->style.anchor == Anchor::middle ? width / 2
                                                               : width;
    const double x = at[0] + note->right - left, y = at[1] - note->up;
    // Thrice in height: words weigh more than lines.
    for (int i = 0; i < 3; ++i) sample({{x, y - 3 * i}, {x + width, y - 3 * i}}, points);
  }
  return points;
}

}  // namespace painleve::detail
