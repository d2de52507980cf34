#include "painleve/figure/canvas.hpp"

#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/base/replaced_file.hpp"
#include "painleve/figure/detail/drawn.hpp"

namespace painleve {
namespace detail {
std::vector<double> dash_lengths(const Pen& pen) {
  const double w = std::max(pen.width, 0.6);
  switch (pen.dash) {
    case Dash::dashed:
      return {4.5 * w, 2.5 * w};
    case Dash::dotted:
      return {1.1 * w, 2 * w};
    case Dash::dash_dot:
      return {5.5 * w, 2 * w, 1.1 * w, 2 * w};
    case Dash::solid:
      break;
  }
  return {};
}

}  // namespace detail

void Canvas::rectangle(const Rectangle& r, Colour fill, const Pen& pen) {
  polygon({{r.x, r.y}, {r.x + r.width, r.y}, {r.x + r.width, r.y + r.height}, {r.x, r.y + r.height}}, fill, pen);
}

void Canvas::arrow(Point from, Point to, const Pen& pen, double head) {
  const double dx = to[0] - from[0], dy = to[1] - from[1];
  const double length = std::hypot(dx, dy);
  if (!(length > 0)) return;
  // A head longer than the arrow would point the wrong way from its tail.
  const double h = std::min(head, length), half = 0.38 * h;
  const double ex = dx / length, ey = dy / length;
  const Point neck{to[0] - h * ex, to[1] - h * ey};
  // The shaft ends inside the head, so that its blunt end does not show at the tip.
  line({from, {to[0] - 0.7 * h * ex, to[1] - 0.7 * h * ey}}, pen);
  polygon({to, {neck[0] - half * ey, neck[1] + half * ex}, {neck[0] + half * ey, neck[1] - half * ex}}, pen.colour,
          Pen{nothing, 0});
}

std::string encoded(const Canvas& canvas, const std::filesystem::path& name, const std::string& title) {
  const std::string end = name.extension().string();
  if (end == ".svg") return to_svg(canvas, title);
  if (end == ".png") return to_png(canvas);
  if (end == ".pdf") return to_pdf(canvas, title);
  throw InputError("the picture " + name.string() + " must end in .svg, .png or .pdf");
}

void save(const Canvas& canvas, const std::filesystem::path& file, const std::string& title) {
  replace_files({{file.string(), encoded(canvas, file, title)}});
}

}  // namespace painleve
