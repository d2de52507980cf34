#include "painleve/study/boundary_chains.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace painleve {
namespace {

using Square = std::pair<int, int>;
using Link = std::pair<std::size_t, std::size_t>;

// The squares that a crossing borders on.
std::vector<Square> squares_of(const EdgeCrossing& c, const std::array<int, 2>& counts) {
  const int i = static_cast<int>(std::floor(c.at[0]));
  const int j = static_cast<int>(std::floor(c.at[1]));
  std::vector<Square> all;
  if (c.node)
    all = {{i - 1, j - 1}, {i - 1, j}, {i, j - 1}, {i, j}};
  else if (c.axis == 1)
    all = {{i - 1, j}, {i, j}};
  else
    all = {{i, j - 1}, {i, j}};
  std::erase_if(all, [&](const Square& s) {
    return s.first < 0 || s.second < 0 || s.first >= counts[0] - 1 || s.second >= counts[1] - 1;
  });
  return all;
}

bool same_edge(const EdgeCrossing& a, const EdgeCrossing& b) {
  if (a.node || b.node || a.axis != b.axis) return false;
  const std::size_t across = a.axis == 0 ? 1 : 0;
  return a.at[across] == b.at[across];  // a point of the grid; both border on one square
}

double distance(const EdgeCrossing& a, const EdgeCrossing& b) {
  return std::hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]);
}

// Pairs up the crossings of one square, the nearest first.
void link_square(const std::vector<EdgeCrossing>& crossings, std::vector<std::size_t> open, std::set<Link>& links) {
  while (open.size() >= 2) {
    double nearest = -1;
    std::pair<std::size_t, std::size_t> best;
    for (std::size_t a = 0; a < open.size(); ++a) {
      for (std::size_t b = a + 1; b < open.size(); ++b) {
        const double d = distance(crossings[open[a]], crossings[open[b]]);
        if (same_edge(crossings[open[a]], crossings[open[b]]) || (nearest >= 0 && d >= nearest)) continue;
        nearest = d;
        best = {a, b};
      }
    }
    if (nearest < 0) return;
    links.insert(std::minmax(open[best.first], open[best.second]));
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(best.second));
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(best.first));
  }
}

// Walks along links that were not walked before, until there are none.
std::vector<std::size_t> walk(std::size_t start, std::vector<std::set<std::size_t>>& neighbours) {
  std::vector<std::size_t> way = {start};
  while (!neighbours[way.back()].empty()) {
    const std::size_t from = way.back();
    const std::size_t to = *neighbours[from].begin();
    neighbours[from].erase(to);
    neighbours[to].erase(from);
    way.push_back(to);
  }
  return way;
}

}  // namespace

std::vector<std::vector<std::size_t>> chain(const std::vector<EdgeCrossing>& crossings,
                                            const std::array<int, 2>& counts) {
  std::map<Square, std::vector<std::size_t>> squares;
  for (std::size_t k = 0; k < crossings.size(); ++k)
    for (const Square& square : squares_of(crossings[k], counts)) squares[square].push_back(k);
  std::set<Link> links;
  for (const auto& [square, members] : squares) link_square(crossings, members, links);
  std::vector<std::set<std::size_t>> neighbours(crossings.size());
  for (const auto& [a, b] : links) {
    neighbours[a].insert(b);
    neighbours[b].insert(a);
  }
  std::vector<std::vector<std::size_t>> chains;
  for (std::size_t k = 0; k < crossings.size(); ++k)  // a crossing without neighbour is a chain, too
    if (neighbours[k].size() % 2 == 1) chains.push_back(walk(k, neighbours));
  std::vector<bool> reached(crossings.size());
  for (const auto& way : chains)
    for (const std::size_t k : way) reached[k] = true;
  for (std::size_t k = 0; k < crossings.size(); ++k) {
    if (reached[k] && neighbours[k].empty()) continue;
    chains.push_back(walk(k, neighbours));
    for (const std::size_t at : chains.back()) reached[at] = true;
  }
  return chains;
}

}  // namespace painleve
