// PNG and PDF through Cairo. Letters are not hinted, so that a text is equally wide at every size and on every device.
#include <cairo-pdf.h>
#include <cairo.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <numbers>
#include <stdexcept>

#include "painleve/base/error.hpp"
#include "painleve/base/memory.hpp"
#include "painleve/figure/canvas.hpp"
#include "painleve/figure/detail/drawn.hpp"
#include "painleve/figure/detail/markup.hpp"

namespace painleve {
namespace {

using detail::visible;

struct Release {
  void operator()(cairo_t* p) const { cairo_destroy(p); }
  void operator()(cairo_surface_t* p) const { cairo_surface_destroy(p); }
  void operator()(cairo_font_options_t* p) const { cairo_font_options_destroy(p); }
};
using Surface = std::unique_ptr<cairo_surface_t, Release>;
using Context = std::unique_ptr<cairo_t, Release>;

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  throw std::runtime_error(std::string("the picture cannot be drawn: ") + cairo_status_to_string(status));
}

// Called from C: no exception may leave it.
cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  try {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  } catch (const std::bad_alloc&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
  return CAIRO_STATUS_SUCCESS;
}

Context context_on(const Surface& surface) {
  constexpr std::size_t for_fonts = std::size_t{16} << 20U;  // reading the system's fonts was seen to take 9 MB
  need_memory(for_fonts);
  Context cr(cairo_create(surface.get()));
  check(cairo_status(cr.get()));
  const std::unique_ptr<cairo_font_options_t, Release> options(cairo_font_options_create());
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cr.get(), options.get());
  cairo_set_line_join(cr.get(), CAIRO_LINE_JOIN_ROUND);
  return cr;
}

void choose_font(cairo_t* cr, const detail::TextRun& run, const TextStyle& style) {
  cairo_select_font_face(cr, "DejaVu Sans", run.slanted ? CAIRO_FONT_SLANT_ITALIC : CAIRO_FONT_SLANT_NORMAL,
                         style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr, run.scale * style.size);
}

double advance(cairo_t* cr, const std::string& text) {
  cairo_text_extents_t extents;
  cairo_text_extents(cr, text.c_str(), &extents);
  return extents.x_advance;
}

double width_of(cairo_t* cr, const std::vector<detail::TextRun>& runs, const TextStyle& style) {
  double width = 0;
  for (const detail::TextRun& run : runs) {
    choose_font(cr, run, style);
    width += advance(cr, run.text);
  }
  return width;
}

// The pixels as Cairo has them: 32 bits, colours times opacity.
Surface image_surface(const ImageMark& image) {
  if (image.pixels.size() != static_cast<std::size_t>(image.columns) * static_cast<std::size_t>(image.rows)) {
    throw std::invalid_argument("an image needs columns × rows pixels");
  }
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, image.columns, image.rows));
  check(cairo_surface_status(surface.get()));
  unsigned char* const bytes = cairo_image_surface_get_data(surface.get());
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  const auto columns = static_cast<std::size_t>(image.columns);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    const Colour& c = image.pixels[i];
    const auto part = [&](double value) { return static_cast<std::uint32_t>(std::lround(value * c.opacity)); };
    const std::uint32_t pixel = part(255) << 24U | part(c.red) << 16U | part(c.green) << 8U | part(c.blue);
    std::memcpy(bytes + (i / columns) * stride + 4 * (i % columns), &pixel, sizeof pixel);
  }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

std::string png_bytes(const Surface& surface) {
  std::string bytes;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  return bytes;
}

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (unsigned shift = 32; shift > 0; shift -= 8) bytes += static_cast<char>(value >> (shift - 8) & 255U);
  return bytes;
}

// The check sum of PNG's chunks (CRC-32, reflected polynomial 0xEDB88320).
std::uint32_t check_sum(const std::string& bytes) {
  std::uint32_t sum = 0xFFFFFFFFU;
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1U) != 0 ? sum >> 1U ^ 0xEDB88320U : sum >> 1U;
  }
  return ~sum;
}

// Says how large the picture is to be printed: a pHYs chunk, dots per metre, after the signature (8 bytes) and the
// header chunk (25 bytes). Cairo writes none.
std::string with_resolution(std::string png, double dots_per_inch) {
  const std::string dots = big_endian(static_cast<std::uint32_t>(std::lround(dots_per_inch / 0.0254)));
  const std::string chunk = "pHYs" + dots + dots + '\x01';
  return png.insert(33, big_endian(9) + chunk + big_endian(check_sum(chunk)));
}

class Painter {
 public:
  explicit Painter(cairo_t* cr) : cr_(cr) {}

  void paint(const Canvas& canvas) {
    set(paper);
    cairo_paint(cr_);
    for (const DrawingMark& mark : canvas.marks()) {
      std::visit([this](const auto& m) { draw(m); }, mark);
    }
    for (; open_ > 0; --open_) cairo_restore(cr_);
    check(cairo_status(cr_));
  }

 private:
  void set(const Colour& c) { cairo_set_source_rgba(cr_, c.red / 255.0, c.green / 255.0, c.blue / 255.0, c.opacity); }

  void fill_and_stroke(const Colour& fill, const Pen& pen) {
    if (visible(fill)) {
      set(fill);
      cairo_fill_preserve(cr_);
    }
    if (visible(pen)) {
      set(pen.colour);
      cairo_set_line_width(cr_, pen.width);
      const std::vector<double> dashes = detail::dash_lengths(pen);
      cairo_set_dash(cr_, dashes.data(), static_cast<int>(dashes.size()), 0);
      cairo_stroke_preserve(cr_);
    }
    cairo_new_path(cr_);
  }

  void draw(const PathMark& mark) {
    for (const Point& p : mark.points) {
      if (detail::drawable(p)) cairo_line_to(cr_, p[0], p[1]);
    }
    if (mark.closed) cairo_close_path(cr_);
    fill_and_stroke(mark.fill, mark.pen);
  }

  void draw(const DiscMark& mark) {
    if (!detail::drawable(mark.centre)) return;
    cairo_new_path(cr_);
    cairo_arc(cr_, mark.centre[0], mark.centre[1], mark.radius, 0, 2 * std::numbers::pi);
    cairo_close_path(cr_);
    fill_and_stroke(mark.fill, mark.pen);
  }

  void draw(const TextMark& mark) {
    if (!detail::drawable(mark.at)) return;
    const TextStyle& style = mark.style;
    const std::vector<detail::TextRun> runs = detail::text_runs(mark.text);
    const double share = style.anchor == Anchor::start ? 0 : style.anchor == Anchor::middle ? 0.5 : 1;
    double x = share == 0 ? 0 : -share * width_of(cr_, runs, style);
    cairo_save(cr_);
    cairo_translate(cr_, mark.at[0], mark.at[1]);
    cairo_rotate(cr_, -style.turn * std::numbers::pi / 180);
    set(style.colour);
    for (const detail::TextRun& run : runs) {
      choose_font(cr_, run, style);
      cairo_move_to(cr_, x, -run.rise * style.size);
      cairo_show_text(cr_, run.text.c_str());
      x += advance(cr_, run.text);
    }
    cairo_new_path(cr_);
    cairo_restore(cr_);
  }

  void draw(const ImageMark& mark) {
    if (mark.columns <= 0 || mark.rows <= 0) return;
    const Surface image = image_surface(mark);
    cairo_save(cr_);
    cairo_rectangle(cr_, mark.place.x, mark.place.y, mark.place.width, mark.place.height);
    cairo_clip(cr_);
    cairo_translate(cr_, mark.place.x, mark.place.y);
    cairo_scale(cr_, mark.place.width / mark.columns, mark.place.height / mark.rows);
    cairo_set_source_surface(cr_, image.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr_), CAIRO_FILTER_NEAREST);
    cairo_paint(cr_);
    cairo_restore(cr_);
  }

  void draw(const BeginClip& mark) {
    cairo_save(cr_);
    cairo_rectangle(cr_, mark.place.x, mark.place.y, mark.place.width, mark.place.height);
    cairo_clip(cr_);
    ++open_;
  }

  void draw(const EndClip&) {
    if (open_ == 0) return;
    cairo_restore(cr_);
    --open_;
  }

  cairo_t* cr_;
  int open_ = 0;
};

}  // namespace

std::string detail::image_png(const ImageMark& image) { return png_bytes(image_surface(image)); }

double text_width(const std::string& text, const TextStyle& style) {
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1));
  const Context cr = context_on(surface);
  return width_of(cr.get(), detail::text_runs(text), style);
}

std::string to_png(const Canvas& canvas, double dots_per_inch) {
  const double scale = dots_per_inch / 72;
  const double columns = std::ceil(canvas.width() * scale), rows = std::ceil(canvas.height() * scale);
  if (!(columns >= 1 && rows >= 1 && columns <= 32767 && rows <= 32767)) {
    throw InputError("a PNG picture must have 1 to 32767 dots each way");
  }
  const Surface surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(columns), static_cast<int>(rows)));
  check(cairo_surface_status(surface.get()));
  const Context cr = context_on(surface);
  cairo_scale(cr.get(), scale, scale);
  Painter(cr.get()).paint(canvas);
  cairo_surface_flush(surface.get());
  return with_resolution(png_bytes(surface), dots_per_inch);
}

std::string to_pdf(const Canvas& canvas, const std::string& title) {
  std::string bytes;
  const Surface surface(cairo_pdf_surface_create_for_stream(append, &bytes, canvas.width(), canvas.height()));
  check(cairo_surface_status(surface.get()));
  // A fixed date: the same drawing always has the same bytes.
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
  if (!title.empty()) {
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, detail::plain_text(title).c_str());
  }
  {
    const Context cr = context_on(surface);
    Painter(cr.get()).paint(canvas);
    cairo_show_page(cr.get());
  }
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return bytes;
}

}  // namespace painleve
