#include "painleve/figure/plot.hpp"

#include <algorithm>
#include <cmath>

#include "painleve/figure/detail/panels.hpp"
#include "painleve/figure/detail/plot_frame.hpp"
#include "painleve/figure/detail/plot_layers.hpp"

namespace painleve {
namespace {

using detail::PlotFrame;
using detail::Tick;

constexpr Pen frame_pen{ink, 0.8}, tick_pen{ink, 0.7}, light_pen{Colour{228, 228, 228}, 0.5};

void draw_light_lines(Canvas& canvas, const PlotFrame& frame) {
  const Rectangle& a = frame.area;
  for (const Tick& tick : frame.x_ticks.ticks) {
    const double x = frame.x.at(tick.at);
    if (!tick.label.empty()) canvas.line({{x, a.y}, {x, a.y + a.height}}, light_pen);
  }
  for (const Tick& tick : frame.y_ticks.ticks) {
    const double y = frame.y.at(tick.at);
    if (!tick.label.empty()) canvas.line({{a.x, y}, {a.x + a.width, y}}, light_pen);
  }
}

double length_of(const Tick& tick) { return tick.label.empty() ? detail::small_tick_length : detail::tick_length; }

void draw_x_axis(Canvas& canvas, const Plot& plot, const PlotFrame& frame) {
  const double bottom = frame.area.y + frame.area.height;
  double baseline = bottom + detail::tick_length + 1.5 + 0.76 * detail::tick_size;
  for (const Tick& tick : frame.x_ticks.ticks) {
    const double x = frame.x.at(tick.at);
    canvas.line({{x, bottom}, {x, bottom + length_of(tick)}}, tick_pen);
    if (!tick.label.empty()) canvas.text({x, baseline}, tick.label, {detail::tick_size, Anchor::middle});
  }
  if (frame.x_ticks.ticks.empty()) baseline = bottom;
  const std::string title = detail::axis_title(plot.x.label, plot.x.unit, frame.x_ticks.exponent);
  if (!title.empty()) {
    canvas.text({frame.area.x + frame.area.width / 2, baseline + 13.5}, title, {detail::text_size, Anchor::middle});
  }
}

void draw_y_axis(Canvas& canvas, const Plot& plot, const PlotFrame& frame) {
  const double left = frame.area.x;
  for (const Tick& tick : frame.y_ticks.ticks) {
    const double y = frame.y.at(tick.at);
    canvas.line({{left - length_of(tick), y}, {left, y}}, tick_pen);
    if (tick.label.empty()) continue;
    canvas.text({left - detail::tick_length - 2, y + 0.36 * detail::tick_size}, tick.label,
                {detail::tick_size, Anchor::end});
  }
  const std::string title = detail::axis_title(plot.y.label, plot.y.unit, frame.y_ticks.exponent);
  if (title.empty()) return;
  canvas.text({frame.y_label_at, frame.area.y + frame.area.height / 2}, title,
              {detail::text_size, Anchor::middle, ink, 90});
}

ImageMark bar_image(const FieldLayer& field, const detail::Range& range, const Rectangle& place) {
  constexpr int steps = 256;
  ImageMark image{place, 1, steps, {}};
  for (int i = 0; i < steps; ++i) {
    const double part = 1 - (i + 0.5) / steps;
    const double value = field.scale == Scale::linear ? range.from + part * (range.to - range.from)
                                                      : range.from * std::pow(range.to / range.from, part);
    image.pixels.push_back(detail::field_colour(field, range, value));
  }
  return image;
}

void draw_colour_bar(Canvas& canvas, const FieldLayer& field, const PlotFrame& frame) {
  const detail::Range range = detail::field_range(field);
  const Rectangle& area = frame.area;
  const Rectangle place{area.x + area.width + detail::bar_gap, area.y, detail::bar_width, area.height};
  canvas.image(bar_image(field, range, place));
  canvas.rectangle(place, nothing, Pen{ink, 0.6});
  const detail::AxisMap map{field.scale, range.from, range.to, place.y + place.height, place.y};
  const double right = place.x + place.width;
  double widest = 0;
  for (const Tick& tick : frame.bar_ticks.ticks) {
    const double y = map.at(tick.at);
    canvas.line({{right, y}, {right + length_of(tick) - 1, y}}, tick_pen);
    if (tick.label.empty()) continue;
    canvas.text({right + detail::tick_length + 1.5, y + 0.36 * detail::tick_size}, tick.label, {detail::tick_size});
    widest = std::max(widest, text_width(tick.label, {detail::tick_size}));
  }
  const std::string title = detail::axis_title(field.label, "", frame.bar_ticks.exponent);
  if (title.empty()) return;
  canvas.text({right + detail::tick_length + widest + 13, place.y + place.height / 2}, title,
              {detail::text_size, Anchor::middle, ink, 90});
}

void draw_legend(Canvas& canvas, const PlotFrame& frame) {
  switch (frame.legend) {
    case LegendPlace::none:
      break;
    case LegendPlace::inside:
      detail::draw_framed(canvas, frame.entries, frame.legend_place);
      break;
    case LegendPlace::right:
      detail::draw_column(canvas, frame.entries, {frame.legend_place.x, frame.area.y});
      break;
    case LegendPlace::below:
      detail::draw_rows(canvas, frame.entries, frame.legend_place);
      break;
  }
}

}  // namespace

void detail::draw_panel(Canvas& canvas, const Plot& plot, const Rectangle& box, const std::string& letter) {
  const PlotFrame frame = plot_frame(plot, below_title(canvas, box, letter, plot.title));
  if (plot.frame && !has_grid(plot)) draw_light_lines(canvas, frame);
  draw_layers(canvas, plot, frame);
  if (plot.frame) {
    canvas.rectangle(frame.area, nothing, frame_pen);
    draw_x_axis(canvas, plot, frame);
    draw_y_axis(canvas, plot, frame);
    if (const FieldLayer* field = first_field(plot)) draw_colour_bar(canvas, *field, frame);
  }
  draw_legend(canvas, frame);
}

Canvas draw(const Plot& plot, double width, double height) {
  Canvas canvas(width, height);
  detail::draw_panel(canvas, plot, {3, 3, width - 6, height - 6}, "");
  return canvas;
}

}  // namespace painleve
