// Marching squares. Each crossing of a grid edge has one number, by which the stretches of neighbouring squares are
// joined into lines.
#include "painleve/figure/detail/contours.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

namespace painleve::detail {
namespace {

// An edge of the grid: from (column, row) to the right, or upwards.
struct Edge {
  int column = 0, row = 0;
  bool upwards = false;
  friend bool operator==(const Edge&, const Edge&) = default;
  friend bool operator<(const Edge& a, const Edge& b) {
    return std::tie(a.row, a.column, a.upwards) < std::tie(b.row, b.column, b.upwards);
  }
};

struct Stretch {
  Edge from, to;
  bool used = false;
};

class Contour {
 public:
  Contour(const NumberGrid& grid, double level) : grid_(grid), level_(level) {}

  std::vector<std::vector<Point>> lines() {
    for (int row = 0; row + 1 < grid_.rows; ++row) {
      for (int column = 0; column + 1 < grid_.columns; ++column) cross(column, row);
    }
    std::vector<std::vector<Point>> lines;
    // Open lines first, from one of their ends; what is left is closed.
    for (const auto& [edge, at] : at_edge_) {
      if (at.size() == 1 && !stretches_[at.front()].used) lines.push_back(walk(edge));
    }
    for (const auto& [edge, at] : at_edge_) {
      if (!stretches_[at.front()].used) lines.push_back(walk(edge));
    }
    return lines;
  }

 private:
  bool above(int column, int row) const { return grid_.at(column, row) >= level_; }

  void cross(int column, int row) {
    const std::array<std::pair<int, int>, 4> corners{
        {{column, row}, {column + 1, row}, {column + 1, row + 1}, {column, row + 1}}};
    double sum = 0;
    for (const auto& [c, r] : corners) sum += grid_.at(c, r);
    if (!std::isfinite(sum)) return;
    const std::array<Edge, 4> edges{
        {{column, row, false}, {column + 1, row, true}, {column, row + 1, false}, {column, row, true}}};
    std::vector<Edge> crossed;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& a = corners[i];
      const auto& b = corners[(i + 1) % 4];
      if (above(a.first, a.second) != above(b.first, b.second)) crossed.push_back(edges[i]);
    }
    if (crossed.size() == 2) add(crossed[0], crossed[1]);
    if (crossed.size() != 4) return;
    // A saddle: the mean of the corners says which of them hang together.
    const bool joined = (sum / 4 >= level_) == above(column, row);
    add(crossed[0], crossed[joined ? 1 : 3]);
    add(crossed[2], crossed[joined ? 3 : 1]);
  }

  void add(const Edge& from, const Edge& to) {
    at_edge_[from].push_back(stretches_.size());
    at_edge_[to].push_back(stretches_.size());
    stretches_.push_back({from, to});
  }

  std::vector<Point> walk(Edge edge) {
    std::vector<Point> line{place(edge)};
    for (bool on = true; on;) {
      on = false;
      for (const std::size_t i : at_edge_[edge]) {
        if (stretches_[i].used) continue;
        stretches_[i].used = true;
        edge = stretches_[i].from == edge ? stretches_[i].to : stretches_[i].from;
        line.push_back(place(edge));
        on = true;
        break;
      }
    }
    return line;
  }

  Point place(const Edge& edge) const {
    const double a = grid_.at(edge.column, edge.row);
    const double b = grid_.at(edge.column + (edge.upwards ? 0 : 1), edge.row + (edge.upwards ? 1 : 0));
    const double part = (level_ - a) / (b - a);
    return {edge.column + (edge.upwards ? 0 : part), edge.row + (edge.upwards ? part : 0)};
  }

  NumberGrid grid_;
  double level_;
  std::vector<Stretch> stretches_;
  std::map<Edge, std::vector<std::size_t>> at_edge_;
};

}  // namespace

std::vector<std::vector<Point>> contour_lines(const NumberGrid& grid, double level) {
  return Contour(grid, level).lines();
}

}  // namespace painleve::detail
