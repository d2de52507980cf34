#pragma once

#include "painleve/figure/plot.hpp"

namespace painleve::detail {

/// A panel in its box; `letter` stands before the title, "(a)".
void draw_panel(Canvas& canvas, const Plot& plot, const Rectangle& box, const std::string& letter);
void draw_panel(Canvas& canvas, const SpacePlot& plot, const Rectangle& box, const std::string& letter);

/// Writes letter and title, and takes their height off the box.
Rectangle below_title(Canvas& canvas, const Rectangle& box, const std::string& letter, const std::string& title);

/// Lines of text no wider than `width`, broken at blanks.
std::vector<std::string> wrapped(const std::string& text, double width, const TextStyle& style);

}  // namespace painleve::detail
