#include <algorithm>
#include <array>
#include <cmath>

#include "painleve/figure/canvas.hpp"

namespace painleve {
namespace {

std::uint8_t between(std::uint8_t from, std::uint8_t to, double part) {
  return static_cast<std::uint8_t>(std::lround(from + part * (to - from)));
}

Colour mixed(const Colour& from, const Colour& to, double part) {
  return {between(from.red, to.red, part), between(from.green, to.green, part), between(from.blue, to.blue, part)};
}

}  // namespace

Colour series_colour(int index) {
  static constexpr std::array<Colour, 8> okabe_ito{Colour{0, 0, 0},     Colour{230, 159, 0},  Colour{86, 180, 233},
                                                   Colour{0, 158, 115}, Colour{240, 228, 66}, Colour{0, 114, 178},
                                                   Colour{213, 94, 0},  Colour{204, 121, 167}};
  return okabe_ito[static_cast<std::size_t>(((index % 8) + 8) % 8)];
}

Colour ramp_colour(double part) {
  // Lightness rises evenly from stop to stop; blue to yellow alone, which all kinds of sight tell apart.
  static constexpr std::array<Colour, 9> stops{Colour{0, 32, 77},     Colour{0, 52, 110},    Colour{54, 71, 108},
                                               Colour{84, 91, 109},   Colour{112, 112, 115}, Colour{142, 134, 119},
                                               Colour{174, 158, 112}, Colour{211, 186, 96},  Colour{255, 220, 66}};
  if (std::isnan(part)) return nothing;
  const double place = std::clamp(part, 0.0, 1.0) * (stops.size() - 1);
  const auto stop = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  return mixed(stops[stop], stops[stop + 1], place - static_cast<double>(stop));
}

Colour signed_colour(double part) {
  if (std::isnan(part)) return nothing;
  const double strength = std::min(std::abs(part), 1.0);
  return mixed(paper, part < 0 ? Colour{0, 90, 160} : Colour{200, 80, 0}, strength);
}

}  // namespace painleve
