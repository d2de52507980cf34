// The painter's algorithm: faces and short stretches of lines are sorted by the depth of their middles and painted from
// the farthest to the nearest. Exact for convex bodies and for faces that do not pass through one another.
#include <algorithm>
#include <cmath>

#include "painleve/figure/detail/legend.hpp"
#include "painleve/figure/detail/panels.hpp"

namespace painleve {
namespace {

constexpr double label_room = 26;   // [pt] about the solid, for names at the ends of axes
constexpr double stretch_size = 5;  // [pt] of lines between faces
constexpr double head_size = 6;     // [pt] of arrows

// Space to paper: equally long units, the solid in the middle of its box.
struct Stage {
  View view;
  double scale = 1;
  Point offset{};

  Point at(const Point3& p) const {
    const Point q = view.project(p);
    return {offset[0] + scale * q[0], offset[1] - scale * q[1]};
  }
};

bool finite(const Point3& p) { return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]); }

Stage stage_for(const SpacePlot& plot, const Rectangle& box) {
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  const auto add = [&](const Point3& p) {
    if (!finite(p)) return;
    const Point q = plot.view.project(p);
    for (std::size_t i = 0; i < 2; ++i) {
      low[i] = std::min(low[i], q[i]);
      high[i] = std::max(high[i], q[i]);
    }
  };
  for (const Face& face : plot.solid.faces) std::for_each(face.corners.begin(), face.corners.end(), add);
  for (const SpaceLine& line : plot.solid.lines) std::for_each(line.points.begin(), line.points.end(), add);
  for (const SpaceNote& note : plot.solid.notes) add(note.at);
  Stage stage{plot.view};
  const Point middle{box.x + box.width / 2, box.y + box.height / 2};
  stage.offset = middle;
  if (low[0] > high[0]) return stage;
  const double width = std::max(1.0, box.width - 2 * label_room), height = std::max(1.0, box.height - 1.4 * label_room);
  const double wide = high[0] - low[0], tall = high[1] - low[1];
  stage.scale = std::min(wide > 0 ? width / wide : HUGE_VAL, tall > 0 ? height / tall : HUGE_VAL);
  if (!std::isfinite(stage.scale)) stage.scale = 1;
  stage.offset = {middle[0] - stage.scale * (low[0] + high[0]) / 2, middle[1] + stage.scale * (low[1] + high[1]) / 2};
  return stage;
}

// Newell's normal, in the frame of the eye: right, up, towards the eye.
Point3 normal_of(const Face& face, const View& view) {
  Point3 n{};
  for (std::size_t i = 0; i < face.corners.size(); ++i) {
    const Point3& p = face.corners[i];
    const Point3& q = face.corners[(i + 1) % face.corners.size()];
    const Point a = view.project(p), b = view.project(q);
    const double da = view.depth(p), db = view.depth(q);
    n[0] += (a[1] - b[1]) * (da + db);
    n[1] += (da - db) * (a[0] + b[0]);
    n[2] += (a[0] - b[0]) * (a[1] + b[1]);
  }
  return n;
}

// Light from above the left shoulder; both sides of a face are lit alike.
Colour shaded(const Face& face, const View& view) {
  const Point3 n = normal_of(face, view);
  const double length = std::hypot(n[0], n[1], n[2]);
  if (!(length > 0)) return face.fill;
  const double towards = n[2] < 0 ? -1 : 1;
  const double light = towards * (-0.4 * n[0] + 0.55 * n[1] + 0.73 * n[2]) / length;
  const double factor = 0.72 + 0.28 * std::clamp(light, 0.0, 1.0);
  const auto dimmed = [&](std::uint8_t c) { return static_cast<std::uint8_t>(std::lround(factor * c)); };
  return {dimmed(face.fill.red), dimmed(face.fill.green), dimmed(face.fill.blue), face.fill.opacity};
}

struct Piece {
  double depth = 0;
  const Face* face = nullptr;
  const SpaceLine* line = nullptr;
  std::vector<Point3> points;  // of the line
  bool arrow = false;          // at the last of them
};

Point3 between(const Point3& a, const Point3& b, double part) {
  return {a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])};
}

void add_faces(const SpacePlot& plot, std::vector<Piece>& pieces) {
  for (const Face& face : plot.solid.faces) {
    if (face.corners.empty() || !std::all_of(face.corners.begin(), face.corners.end(), finite)) continue;
    double depth = 0;
    for (const Point3& corner : face.corners) depth += plot.view.depth(corner);
    pieces.push_back({depth / static_cast<double>(face.corners.size()), &face, nullptr, {}, false});
  }
}

// Dashes start anew on each stretch, so dashed lines are cut into longer ones.
void add_stretches(const SpaceLine& line, const Stage& stage, std::vector<Piece>& pieces) {
  const double wanted = line.pen.dash == Dash::solid ? stretch_size : 4 * stretch_size;
  for (std::size_t i = 1; i < line.points.size(); ++i) {
    const Point3& a = line.points[i - 1];
    const Point3& b = line.points[i];
    if (!finite(a) || !finite(b)) continue;
    const Point p = stage.at(a), q = stage.at(b);
    const int count = std::clamp(static_cast<int>(std::hypot(q[0] - p[0], q[1] - p[1]) / wanted), 1, 400);
    for (int k = 0; k < count; ++k) {
      const double first = static_cast<double>(k) / count, last = static_cast<double>(k + 1) / count;
      const bool tip = line.arrow && i + 1 == line.points.size() && k + 1 == count;
      pieces.push_back({stage.view.depth(between(a, b, (first + last) / 2)),
                        nullptr,
                        &line,
                        {between(a, b, first), between(a, b, last)},
                        tip});
    }
  }
}

void paint_face(Canvas& canvas, const Face& face, const Stage& stage) {
  std::vector<Point> corners;
  for (const Point3& corner : face.corners) corners.push_back(stage.at(corner));
  const Colour fill = shaded(face, stage.view);
  // A hair of its own colour hides the seam to the next face.
  const bool seam = face.pen.width <= 0 && fill.opacity >= 1;
  canvas.polygon(std::move(corners), fill, seam ? Pen{fill, 0.4} : face.pen);
}

void paint_line(Canvas& canvas, const std::vector<Point3>& places, const Pen& pen, bool arrow, const Stage& stage) {
  std::vector<Point> points;
  for (const Point3& p : places) {
    if (finite(p)) points.push_back(stage.at(p));
  }
  if (points.size() < 2) return;
  if (!arrow) {
    canvas.line(std::move(points), pen);
    return;
  }
  // The last stretch may be shorter than a head: the head is drawn on its direction, and the line ends below it.
  const Point tip = points.back(), before = points[points.size() - 2];
  const double length = std::hypot(tip[0] - before[0], tip[1] - before[1]);
  if (!(length > 0)) return;
  const double back = head_size / length;
  points.back() = {tip[0] - 0.7 * back * (tip[0] - before[0]), tip[1] - 0.7 * back * (tip[1] - before[1])};
  canvas.line(std::move(points), pen);
  canvas.arrow({tip[0] - back * (tip[0] - before[0]), tip[1] - back * (tip[1] - before[1])}, tip, pen, head_size);
}

// Stretches that follow one another with no face between become one, so that no seams show.
std::vector<Piece> joined(const std::vector<Piece>& pieces) {
  std::vector<Piece> kept;
  for (const Piece& piece : pieces) {
    const bool follows = !kept.empty() && piece.line != nullptr && kept.back().line == piece.line;
    if (follows && kept.back().points.back() == piece.points.front()) {
      kept.back().points.push_back(piece.points.back());
      kept.back().arrow = piece.arrow;
    } else if (follows && kept.back().points.front() == piece.points.back()) {
      kept.back().points.insert(kept.back().points.begin(), piece.points.front());
    } else {
      kept.push_back(piece);
    }
  }
  return kept;
}

void paint_notes(Canvas& canvas, const SpacePlot& plot, const Stage& stage) {
  for (const SpaceNote& note : plot.solid.notes) {
    if (!finite(note.at)) continue;
    const Point at = stage.at(note.at);
    canvas.text({at[0] + note.right, at[1] - note.up}, note.text, note.style);
  }
}

}  // namespace

void detail::draw_panel(Canvas& canvas, const SpacePlot& plot, const Rectangle& box, const std::string& letter) {
  Rectangle room = below_title(canvas, box, letter, plot.title);
  const std::vector<LegendEntry> entries = legend_entries(plot.legend);
  const double legend_height = rows_size(entries, room.width - 16).height;
  room.height -= legend_height;
  const Stage stage = stage_for(plot, room);
  std::vector<Piece> pieces;
  add_faces(plot, pieces);
  for (const SpaceLine& line : plot.solid.lines) {
    if (!line.on_top) add_stretches(line, stage, pieces);
  }
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.depth < b.depth; });
  for (const Piece& piece : joined(pieces)) {
    if (piece.face != nullptr) {
      paint_face(canvas, *piece.face, stage);
    } else {
      paint_line(canvas, piece.points, piece.line->pen, piece.arrow, stage);
    }
  }
  for (const SpaceLine& line : plot.solid.lines) {
    if (line.on_top) paint_line(canvas, line.points, line.pen, line.arrow, stage);
  }
  paint_notes(canvas, plot, stage);
  draw_rows(canvas, entries, {room.x + 8, room.y + room.height, room.width - 16, legend_height});
}

}  // namespace painleve
