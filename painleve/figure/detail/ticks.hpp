#pragma once

#include <string>
#include <vector>

#include "painleve/figure/plot.hpp"

namespace painleve::detail {

struct Tick {
  double at = 0;      // data units
  std::string label;  // empty: a small tick
};

struct AxisTicks {
  std::vector<Tick> ticks;
  int exponent = 0;  // the labels are to be taken times 10^exponent
};

/// Ticks of an axis that shows [from, to] (either way round), with about `count` labels: those of the axis itself where
/// it has some, else round numbers of what is shown. Logarithmic axes have small ticks at 2, 3, …, 9.
AxisTicks axis_ticks(const Axis& axis, double from, double to, int count);

/// A number to at most `digits` significant digits with a true minus sign; powers of ten for the very large and small.
std::string number_label(double value, int digits = 4);

/// "label [unit]", with the power of ten of the ticks.
std::string axis_title(const std::string& label, const std::string& unit, int exponent);

}  // namespace painleve::detail
