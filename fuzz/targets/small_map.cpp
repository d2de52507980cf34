#include "small_map.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include "target.hpp"

namespace painleve::fuzz {
namespace {

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

bool same_values(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same(a[i], b[i])) return false;
  }
  return true;
}

bool same_column(const MapColumn& a, const MapColumn& b) {
  return a.quantity == b.quantity && a.unit == b.unit && a.words == b.words && a.names == b.names &&
         a.reasons == b.reasons && same_values(a.values, b.values);
}

bool same_axis(const MapAxis& a, const MapAxis& b) {
  return a.path == b.path && a.name == b.name && a.unit == b.unit && a.from == b.from && a.to == b.to &&
         a.count == b.count;
}

}  // namespace

const MapProblem& small_problem() {
  static const MapProblem problem = [] {
    MapProblem p{SceneSource::open("rod"), {}, {Quantity::parse("verdict"), Quantity::parse("p")}, {}, {}, "fuzz"};
    p.axes = {{"state.theta", "theta", "rad", 0.2, 1.2, 3}, {"contact.mu", "mu", "1", 0.5, 2, 4}};
    return p;
  }();
  return problem;
}

const Map& small_map() {
  static const Map map =
      compute_map(small_problem(), {.threads = 1, .shard = {}, .checkpoint = {}, .resume = false, .proceed = {}});
  return map;
}

MapFile small_map_file() { return {small_map(), "fuzz", "rod", small_problem().source.text(), {}}; }

bool same_map(const Map& a, const Map& b) {
  if (a.axes.size() != b.axes.size() || a.columns.size() != b.columns.size()) return false;
  for (std::size_t i = 0; i < a.axes.size(); ++i) {
    if (!same_axis(a.axes[i], b.axes[i])) return false;
  }
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    if (!same_column(a.columns[i], b.columns[i])) return false;
  }
  return a.reasons == b.reasons && a.first == b.first && a.last == b.last && a.fingerprint == b.fingerprint;
}

std::string damaged(std::string bytes, std::string_view damage) {
  constexpr unsigned cut = 255;
  Draw draw(damage);
  while (!draw.empty() && !bytes.empty()) {
    const unsigned high = draw.byte();
    const std::size_t at = (256 * high + draw.byte()) % bytes.size();
    const unsigned byte = draw.byte();
    if (byte == cut) {
      bytes.resize(at);
    } else {
      bytes[at] = static_cast<char>(byte);
    }
  }
  return bytes;
}

}  // namespace painleve::fuzz
