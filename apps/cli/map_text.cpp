#include "map_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "terminal.hpp"

namespace painleve::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr long most_inline = 10000;    // cells whose values stand in the JSON object
constexpr std::size_t most_shown = 5;  // reasons that people are told

struct Counted {
  std::string text;
  long count = 0;
};

// One column in a few numbers.
struct Summary {
  std::vector<Counted> words;            // in the order of the names
  std::optional<std::size_t> low, high;  // rows of the smallest and the largest number
  long undefined = 0;
  std::vector<Counted> reasons;  // the most frequent first
};

std::vector<Counted> counted(const std::vector<std::string>& texts) {
  std::vector<Counted> list;
  for (const std::string& text : texts) list.push_back({text, 0});
  return list;
}

Summary summary(const Map& map, const MapColumn& column) {
  Summary s;
  s.words = counted(column.names);
  s.reasons = counted(map.reasons);
  for (std::size_t row = 0; row < column.values.size(); ++row) {
    const double x = column.values[row];
    if (std::isnan(x)) {
      ++s.undefined;
      if (column.reasons[row] >= 0) ++s.reasons[static_cast<std::size_t>(column.reasons[row])].count;
    } else if (column.words) {
      ++s.words[static_cast<std::size_t>(x)].count;
    } else {
      if (!s.low || x < column.values[*s.low]) s.low = row;
      if (!s.high || x > column.values[*s.high]) s.high = row;
    }
  }
  std::erase_if(s.reasons, [](const Counted& reason) { return reason.count == 0; });
  std::stable_sort(s.reasons.begin(), s.reasons.end(),
                   [](const Counted& a, const Counted& b) { return a.count > b.count; });
  return s;
}

// Where a row of the columns lies on the axes.
std::vector<double> place(const Map& map, std::size_t row) {
  long number = map.first + static_cast<long>(row);
  std::vector<double> at(map.axes.size());
  for (std::size_t k = map.axes.size(); k-- > 0;) {
    at[k] = map.axes[k].at(static_cast<int>(number % map.axes[k].count));
    number /= map.axes[k].count;
  }
  return at;
}

bool is_shard(const Map& map) { return map.first != 0 || map.last != map.cells(); }

std::string in_unit(double x, const std::string& unit) {
  if (unit == "rad") return fmt::format("{:.10g} deg", x * 180 / std::numbers::pi);
  return fmt::format("{:.10g}{}{}", x, unit.empty() || unit == "1" ? "" : " ", unit == "1" ? "" : unit);
}

std::string place_text(const Map& map, std::size_t row) {
  std::string text;
  const std::vector<double> at = place(map, row);
  for (std::size_t k = 0; k < at.size(); ++k)
    text += fmt::format("{}{} = {}", k == 0 ? "" : ", ", map.axes[k].name, in_unit(at[k], map.axes[k].unit));
  return text;
}

std::string axes_text(const MapFile& file) {
  const Map& map = file.map;
  std::string text = fmt::format("map of {}: ", styled(file.scene, Style::strong));
  for (std::size_t k = 0; k < map.axes.size(); ++k) text += fmt::format("{}{}", k == 0 ? "" : " × ", map.axes[k].count);
  text += map.axes.size() == 1 ? " cells" : fmt::format(" = {} cells", map.cells());
  if (is_shard(map))
    text += fmt::format(", of which the shard has {} from number {} on", map.last - map.first, map.first);
  text += "\n";
  for (const MapAxis& axis : map.axes)
    text += fmt::format("  {} from {} to {}\n", axis.name, in_unit(axis.from, axis.unit), in_unit(axis.to, axis.unit));
  return text;
}

std::string column_text(const Map& map, const MapColumn& column) {
  const Summary s = summary(map, column);
  const auto all = static_cast<double>(std::max<std::size_t>(column.values.size(), 1));
  std::string text = styled(column.quantity, Style::strong) + "\n";
  std::size_t width = 0;
  for (const Counted& word : s.words) width = std::max(width, word.text.size());
  for (const Counted& word : s.words) {
    text += fmt::format("  {:<{}}  {:>9}  {:6.2f} %\n", word.text, width, word.count,
                        100 * static_cast<double>(word.count) / all);
  }
  if (s.low) {
    for (const auto& [name, row] : {std::pair{"least", *s.low}, {"most ", *s.high}})
      text += fmt::format("  {} {}  at {}\n", name, in_unit(column.values[row], column.unit), place_text(map, row));
  }
  if (s.undefined == 0) return text;
  text += fmt::format("  no value in {} cells:\n", s.undefined);
  for (std::size_t k = 0; k < s.reasons.size() && k < most_shown; ++k)
    text += fmt::format("    {:>9}  {}\n", s.reasons[k].count, s.reasons[k].text);
  if (s.reasons.size() > most_shown) text += fmt::format("    and {} other reasons\n", s.reasons.size() - most_shown);
  return text;
}

std::string side(const std::string& word) { return word.empty() ? "no value" : word; }

Json axes_json(const Map& map) {
  Json list = Json::array();
  for (const MapAxis& axis : map.axes) {
    Json values = Json::array();
    for (int i = 0; i < axis.count && map.last - map.first <= most_inline; ++i) values.push_back(axis.at(i));
    Json j{{"name", axis.name}, {"path", axis.path}, {"unit", axis.unit},
           {"from", axis.from}, {"to", axis.to},     {"count", axis.count}};
    if (!values.empty()) j["values"] = std::move(values);
    list.push_back(std::move(j));
  }
  return list;
}

// JSON has no infinity: it becomes null, as what does not exist does.
Json value_json(const MapColumn& column, std::size_t row) {
  const double x = column.values[row];
  if (!std::isfinite(x)) return nullptr;
  return column.words ? Json(column.names[static_cast<std::size_t>(x)]) : Json(x);
}

// Nested as the axes are: values[i][j] for the i-th value of the first axis and the j-th of the second.
Json nested_values(const Map& map, const MapColumn& column, std::size_t axis, std::size_t& row) {
  if (axis == map.axes.size()) return value_json(column, row++);
  Json list = Json::array();
  for (int i = 0; i < map.axes[axis].count; ++i) list.push_back(nested_values(map, column, axis + 1, row));
  return list;
}

Json values_json(const Map& map, const MapColumn& column) {
  std::size_t row = 0;
  if (!is_shard(map)) return nested_values(map, column, 0, row);
  Json list = Json::array();
  for (; row < column.values.size(); ++row) list.push_back(value_json(column, row));
  return list;
}

void put_extreme(Json& j, const std::string& key, const Map& map, const MapColumn& column,
                 const std::optional<std::size_t>& row) {
  j[key] = row ? value_json(column, *row) : Json();
  if (j[key].is_null()) j[key + "_reason"] = row ? "it is beyond all numbers" : "no cell has a value";
  if (!row) return;
  const std::vector<double> at = place(map, *row);
  for (std::size_t k = 0; k < at.size(); ++k) j[key + "_at"][map.axes[k].name] = at[k];
}

Json column_json(const Map& map, const MapColumn& column) {
  const Summary s = summary(map, column);
  Json j{{"name", column.quantity}, {"kind", column.words ? "word" : "number"}, {"unit", column.unit}};
  if (column.words) {
    j["words"] = Json::object();
    for (const Counted& word : s.words) j["words"][word.text] = word.count;
  } else {
    put_extreme(j, "min", map, column, s.low);
    put_extreme(j, "max", map, column, s.high);
  }
  j["undefined"] = s.undefined;
  j["reasons"] = Json::array();
  for (const Counted& reason : s.reasons) j["reasons"].push_back({{"reason", reason.text}, {"count", reason.count}});
  if (map.last - map.first > most_inline) return j;
  j["values"] = values_json(map, column);
  if (std::any_of(column.values.begin(), column.values.end(), [](double x) { return !std::isfinite(x); }))
    j["values_reason"] = s.reasons.empty() ? "they are beyond all numbers" : s.reasons.front().text;
  return j;
}

Json boundary_json(const Map& map, const Boundary& boundary) {
  Json j{{"quantity", boundary.quantity}, {"word_1", boundary.below}, {"word_2", boundary.above}};
  j["chains"] = Json::array();
  for (const auto& chain : boundary.chains) {
    Json points = Json::array();
    for (const auto& point : chain)
      points.push_back(map.axes.size() == 1 ? Json::array({point[0]}) : Json::array({point[0], point[1]}));
    j["chains"].push_back(std::move(points));
  }
  return j;
}

}  // namespace

std::string map_text(const MapFile& file) {
  std::string text = axes_text(file);
  for (const MapColumn& column : file.map.columns) text += column_text(file.map, column);
  for (const Boundary& boundary : file.boundaries) {
    std::size_t points = 0;
    for (const auto& chain : boundary.chains) points += chain.size();
    text += fmt::format("boundary of {} between {} and {}: {} point{}\n", boundary.quantity, side(boundary.below),
                        side(boundary.above), points, points == 1 ? "" : "s");
  }
  return text;
}

nlohmann::ordered_json map_json(const MapFile& file, const std::string& command) {
  const Map& map = file.map;
  Json j{{"schema", 1}, {"command", command}, {"scene", file.scene}, {"complete", true}};
  j["axes"] = axes_json(map);
  j["cells"] = map.cells();
  if (is_shard(map)) {
    j["first"] = map.first;
    j["last"] = map.last;
  }
  j["quantities"] = Json::array();
  for (const MapColumn& column : map.columns) j["quantities"].push_back(column_json(map, column));
  if (!file.boundaries.empty()) {
    j["boundaries"] = Json::array();
    for (const Boundary& boundary : file.boundaries) j["boundaries"].push_back(boundary_json(map, boundary));
  }
  return j;
}

}  // namespace painleve::cli
