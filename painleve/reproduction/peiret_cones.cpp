// What several items say of the generalized cone of the rod at 45°: the picture of nested cones, and its features.
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "painleve/reproduction/peiret_parts.hpp"
#include "painleve/reproduction/shipped_scene.hpp"

namespace painleve {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kSegments = 96;

Point3 point(const Eigen::Vector3d& v) { return {v(0), v(1), v(2)}; }

// What impulses of 1 N s on the edge of the Coulomb cone do: a flat rim.
void add_cone(Solid& solid, const FrictionCone& cone, Colour colour) {
  std::vector<Point3> rim;
  for (int i = 0; i <= kSegments; ++i) {
    const double angle = 2 * kPi * i / kSegments;
    rim.push_back(point(ray(cone, Eigen::Vector2d(std::cos(angle), std::sin(angle))) / std::hypot(1, cone.mu)));
  }
  for (std::size_t i = 0; i + 1 < rim.size(); ++i) {
    solid.faces.push_back({{{0, 0, 0}, rim[i], rim[i + 1]}, colour.faded(0.25)});
  }
  solid.lines.push_back({rim, {colour, 1.6}, false, true});
}

// What tangential impulses of 1 N s do, the limit μ → ∞.
std::vector<Point3> plane_rim(const Eigen::MatrixXd& W) {
  std::vector<Point3> rim;
  for (int i = 0; i <= kSegments; ++i) {
    const double angle = 2 * kPi * i / kSegments;
    rim.push_back(point(W.col(0) * std::cos(angle) + W.col(1) * std::sin(angle)));
  }
  return rim;
}

}  // namespace

FrictionCone rod_cone(double theta, double mu) {
  const Scene scene = shipped_scene("rod-45deg", {fmt::format("theta={:.17g}deg", theta)});
  return friction_cone(scene.space.W, mu);
}

SpacePlot nested_cones(const std::vector<double>& mus, const std::string& title) {
  SpacePlot plot;
  plot.title = title;
  plot.view = {-1.05, 0.22};
  const Eigen::MatrixXd W = rod_cone(45, 1).W;
  const Colour grey{110, 110, 110};
  const std::array<int, 4> colours = {5, 6, 3, 7};
  for (std::size_t i = 0; i < mus.size(); ++i) {
    const Colour colour = series_colour(colours[i % colours.size()]);
    add_cone(plot.solid, friction_cone(W, mus[i]), colour);
    plot.legend.emplace_back(fmt::format("μ = {}", in_digits(mus[i], 3)), colour);
  }
  plot.solid.lines.push_back({{{0, 0, 0}, point(line_limit(W))}, {ink, 2}, false, true});
  plot.legend.emplace_back("μ = 0: a line", ink);
  plot.solid.lines.push_back({plane_rim(W), {grey, 1.4, Dash::dashed}, false, true});
  plot.legend.emplace_back("μ → ∞: a plane", grey);
  plot.solid.faces.push_back(
      {{{-4, -4, 0}, {4, -4, 0}, {4, 4, 0}, {-4, 4, 0}}, Colour{150, 150, 150, 0.2}, {grey, 0.5}});
  plot.legend.emplace_back("tangent plane", Colour{215, 215, 215});
  add_axes(plot.solid, {"/δu/_{t1}", "/δu/_{t2}", "/δu/_{n}"}, {4.6, 4.6, 4.6}, false);
  return plot;
}

double lowest_ray(const FrictionCone& cone) {
  const auto rise = [&](double angle) { return ray(cone, Eigen::Vector2d(std::cos(angle), std::sin(angle)))(2); };
  int best = 0;
  for (int i = 1; i < 64; ++i) {
    if (rise(2 * kPi * i / 64) < rise(2 * kPi * best / 64)) best = i;
  }
  double low = 2 * kPi * (best - 1) / 64, high = 2 * kPi * (best + 1) / 64;
  for (int i = 0; i < 90; ++i) {  // golden sections
    const double inner = 0.6180339887498949 * (high - low);
    if (rise(high - inner) < rise(low + inner)) {
      high = low + inner;
    } else {
      low = high - inner;
    }
  }
  return rise((low + high) / 2);
}

}  // namespace painleve
