#include "painleve/modes/two_contact_class.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace painleve {
namespace {

constexpr double pi = std::numbers::pi;

double angle(const Eigen::Vector2d& v) {
  const double a = std::atan2(v.y(), v.x());
  return a < 0 ? a + 2 * pi : a;
}

// Number of the sector that holds `a`, sectors being cut by the axes and by `cuts`.
int sector(double a, std::vector<double> cuts) {
  cuts.insert(cuts.end(), {pi / 2, pi, 3 * pi / 2});
  return 1 + static_cast<int>(std::count_if(cuts.begin(), cuts.end(), [&](double c) { return c <= a; }));
}

}  // namespace

std::string two_contact_class(const Eigen::Matrix2d& P, const Eigen::Vector2d& b) {
  const double g1 = angle(P.col(0));
  const double g2 = angle(P.col(1));
  const double opposite = g1 < pi ? g1 + pi : g1 - pi;
  return std::to_string(sector(g1, {})) + std::to_string(sector(g2, {g1, opposite})) +
         std::to_string(sector(angle(-b), {g1, g2}));
}

}  // namespace painleve
