// Question: for which angle and angular velocity does a sliding rod have no continuation, one, or two?
// Run:      build/release/bin/rod_regions > rod-regions.svg
// Answer:   the four regions meet at the G-spots, where p = b_n = 0; with mu = 1.7 these lie at theta = 44.07°
// and 76.40°.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/mechanism/gallery/rod.hpp"
#include "painleve/mechanism/reduction.hpp"

namespace {

using namespace painleve;

constexpr double mu = 1.7;
constexpr double theta_end = std::numbers::pi / 2;  // [rad]
constexpr double omega_end = 6;                     // [rad/s]
constexpr double left = 78, top = 24, width = 560, height = 360;
constexpr int columns = 280, rows = 240;

// The consistent modes of the rod sliding along +t at 1 m/s.
unsigned modes_at(double theta, double omega) {
  static const Rod rod;
  const std::array<double, 3> q = {0, rod.half_length * std::sin(theta), theta};
  // y_dot keeps the tip on the floor, x_dot makes it slide at 1 m/s
  const std::array<double, 3> v = {1 + rod.half_length * std::sin(theta) * omega,
                                   rod.half_length * std::cos(theta) * omega, omega};
  const std::array<double, 3> forces{};
  return planar_modes(reduce_planar(rod, q.data(), v.data(), 0, forces, mu)).consistent;
}

const std::map<unsigned, const char*> colours = {
    {mode_S_plus, "#cfe8f5"}, {mode_F, "#eeeeee"}, {0, "#e8743b"}, {mode_F | mode_S_plus, "#f6d55c"}};

double x_of(double theta) { return left + width * theta / theta_end; }
double y_of(double omega) { return top + height * (1 - omega / omega_end); }

// The angular velocity between a and b at which the modes change.
double boundary(double theta, double a, double b) {
  const unsigned below = modes_at(theta, a);
  for (int k = 0; k < 50; ++k) {
    const double middle = (a + b) / 2;
    (modes_at(theta, middle) == below ? a : b) = middle;
  }
  return (a + b) / 2;
}

// One column of the picture: runs of equal modes, their ends located exactly.
std::string column(int i) {
  const double theta = theta_end * (i + 0.5) / columns;
  const double step = omega_end / rows;
  std::string svg;
  double start = 0;
  for (int j = 0; j < rows; ++j) {
    const unsigned here = modes_at(theta, step * (j + 0.5));
    const bool last = j + 1 == rows;
    if (!last && modes_at(theta, step * (j + 1.5)) == here) continue;
    const double end = last ? omega_end : boundary(theta, step * (j + 0.5), step * (j + 1.5));
    svg += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                       left + width * i / columns, y_of(end), width / columns + 0.3, y_of(start) - y_of(end),
                       colours.at(here));
    start = end;
  }
  return svg;
}

std::string text(double x, double y, const std::string& words, const char* anchor = "middle") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, words);
}

std::string axes() {
  std::string svg = fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"black\"/>\n",
                                left, top, width, height);
  for (int degrees = 0; degrees <= 90; degrees += 15) {
    const double x = x_of(degrees * std::numbers::pi / 180);
    svg += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"black\"/>\n", x,
                       top + height, top + height + 5);
    svg += text(x, top + height + 20, fmt::format("{}°", degrees));
  }
  for (int omega = 0; omega <= 6; ++omega) {
    svg += fmt::format("<line x1=\"{1}\" y1=\"{0:.1f}\" x2=\"{2}\" y2=\"{0:.1f}\" stroke=\"black\"/>\n", y_of(omega),
                       left - 5, left);
    svg += text(left - 10, y_of(omega) + 4, fmt::format("{}", omega), "end");
  }
  svg += text(left + width / 2, top + height + 42, "angle of the rod with the floor, theta");
  svg += fmt::format(
      "<text transform=\"translate({},{}) rotate(-90)\" text-anchor=\"middle\">angular velocity theta_dot "
      "[rad/s]</text>\n",
      left - 44, top + height / 2);
  return svg;
}

std::string labels() {
  std::string svg = text(x_of(0.30), y_of(2.2), "slips on:") + text(x_of(0.30), y_of(1.9), "one continuation");
  svg += text(x_of(0.56), y_of(5.5), "lifts off:") + text(x_of(0.56), y_of(5.2), "one continuation");
  svg += text(x_of(1.05), y_of(1.7), "no continuation:") + text(x_of(1.05), y_of(1.4), "the paradox");
  svg += text(x_of(1.05), y_of(5.0), "lifts off or slips:") + text(x_of(1.05), y_of(4.7), "two continuations");
  return svg;
}

// p = 0 for mu = κ tan θ + (κ + 1)/tan θ with κ = 1/3, and b_n = 0 for omega² = g/(l sin θ).
std::string gspots() {
  std::string svg;
  for (const double sign : {-1.0, 1.0}) {
    const double theta = std::atan((mu + sign * std::sqrt(mu * mu - 16.0 / 9)) * 1.5);
    const double omega = std::sqrt(9.81 / std::sin(theta));
    svg += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"5\" fill=\"black\"/>\n", x_of(theta), y_of(omega));
    svg += text(x_of(theta) + (sign < 0 ? -10 : 10), y_of(omega) - 10, "G-spot", sign < 0 ? "end" : "start");
  }
  return svg;
}

}  // namespace

int main() {
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 680 440\" font-family=\"sans-serif\" "
      "font-size=\"14\">\n";
  svg += "<rect width=\"680\" height=\"440\" fill=\"white\"/>\n";
  svg += text(left + width / 2, 16,
              fmt::format("A uniform rod of half length 1 m slides on its tip at 1 m/s, mu = {}", mu));
  svg += "<g shape-rendering=\"crispEdges\">\n";
  for (int i = 0; i < columns; ++i) svg += column(i);
  svg += "</g>\n";
  svg += axes() + labels() + gspots() + "</svg>\n";
  fmt::print("{}", svg);
}
