#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "painleve/figure/canvas.hpp"

/// What the two writers, SVG and Cairo, share.
namespace painleve::detail {

/// Whether a line or a fill leaves a trace.
inline bool visible(const Colour& colour) { return colour.opacity > 0; }
inline bool visible(const Pen& pen) { return visible(pen.colour) && pen.width > 0; }

/// Whether a place is on a sheet of any sensible size. Cairo's fixed-point numbers end at 2²³.
inline bool drawable(const Point& p) { return std::abs(p[0]) < 1e6 && std::abs(p[1]) < 1e6; }

/// Lengths of the strokes and gaps of a dashed line, in points; empty for a solid one.
std::vector<double> dash_lengths(const Pen& pen);

/// The picture of an image mark as PNG, one dot per pixel.
std::string image_png(const ImageMark& image);

}  // namespace painleve::detail
