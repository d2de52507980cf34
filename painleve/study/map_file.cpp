#include "painleve/study/map_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <iterator>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/replaced_file.hpp"

namespace painleve {
namespace {

using Buffer = fmt::memory_buffer;

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void add(Buffer& text, const std::string& part) { text.append(part.data(), part.data() + part.size()); }

void add_number(Buffer& text, double x) {
  if (!std::isnan(x)) fmt::format_to(std::back_inserter(text), "{}", x == 0 ? 0.0 : x);
}

std::string number(double x) { return fmt::format("{}", x == 0 ? 0.0 : x); }

std::string heading(const std::string& name, const std::string& unit) {
  return cell(unit.empty() || unit == "1" ? name : fmt::format("{} [{}]", name, unit));
}

std::vector<std::string> cells(const std::vector<std::string>& texts) {
  std::vector<std::string> list;
  list.reserve(texts.size());
  for (const std::string& text : texts) list.push_back(cell(text));
  return list;
}

// The texts of a row's beginning, per axis and index: they are the same in many rows.
std::vector<std::vector<std::string>> axis_cells(const std::vector<MapAxis>& axes) {
  std::vector<std::vector<std::string>> list(axes.size());
  for (std::size_t k = 0; k < axes.size(); ++k) {
    for (int i = 0; i < axes[k].count; ++i) list[k].push_back(number(axes[k].at(i)) + ",");
  }
  return list;
}

// A column with its words made ready for rows.
struct CsvColumn {
  const MapColumn* column;
  std::vector<std::string> words;

  void add_cell(Buffer& text, std::size_t row) const {
    const double x = column->values[row];
    if (column->words && !std::isnan(x)) {
      add(text, words[static_cast<std::size_t>(x)]);
    } else {
      add_number(text, x);
    }
  }
};

void add_axes(Buffer& text, const std::vector<std::vector<std::string>>& axes, long number) {
  long stride = 1;
  for (const auto& axis : axes) stride *= static_cast<long>(axis.size());
  for (const auto& axis : axes) {
    stride /= static_cast<long>(axis.size());
    add(text, axis[static_cast<std::size_t>(number / stride)]);
    number %= stride;
  }
}

void add_rows(Buffer& text, const Map& map) {
  const auto axes = axis_cells(map.axes);
  const std::vector<std::string> reasons = cells(map.reasons);
  std::vector<CsvColumn> columns;
  for (const MapColumn& column : map.columns) columns.push_back({&column, cells(column.names)});
  for (long number = map.first; number < map.last; ++number) {
    const auto row = static_cast<std::size_t>(number - map.first);
    add_axes(text, axes, number);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      columns[k].add_cell(text, row);
      text.push_back(',');
      const std::int32_t reason = map.columns[k].reasons[row];
      if (reason >= 0) add(text, reasons[static_cast<std::size_t>(reason)]);
      text.push_back(k + 1 < columns.size() ? ',' : '\n');
    }
  }
}

std::string ending(const std::string& path) { return std::filesystem::path(path).extension().string(); }

}  // namespace

std::string map_csv(const Map& map) {
  Buffer text;
  for (const MapAxis& axis : map.axes) add(text, heading(axis.name, axis.unit) + ",");
  for (std::size_t k = 0; k < map.columns.size(); ++k) {
    const MapColumn& column = map.columns[k];
    add(text, heading(column.quantity, column.words ? "" : column.unit) + "," + cell(column.quantity + "_reason"));
    text.push_back(k + 1 < map.columns.size() ? ',' : '\n');
  }
  add_rows(text, map);
  return fmt::to_string(text);
}

std::string boundaries_csv(const std::vector<MapAxis>& axes, const std::vector<Boundary>& boundaries) {
  Buffer text;
  add(text, "quantity,word_1,word_2,chain");
  for (const MapAxis& axis : axes) add(text, "," + heading(axis.name, axis.unit));
  text.push_back('\n');
  for (const Boundary& boundary : boundaries) {
    const std::string sides =
        fmt::format("{},{},{}", cell(boundary.quantity), cell(boundary.below), cell(boundary.above));
    for (std::size_t chain = 0; chain < boundary.chains.size(); ++chain) {
      for (const auto& point : boundary.chains[chain]) {
        fmt::format_to(std::back_inserter(text), "{},{}", sides, chain);
        for (std::size_t k = 0; k < axes.size() && k < point.size(); ++k) add(text, "," + number(point[k]));
        text.push_back('\n');
      }
    }
  }
  return fmt::to_string(text);
}

void write_boundaries(const std::vector<MapAxis>& axes, const std::vector<Boundary>& boundaries,
                      const std::string& path) {
  replace_files({{path, boundaries_csv(axes, boundaries)}});
}

void check_map_path(const std::string& path) {
  if (const std::string end = ending(path); end != ".csv" && end != ".h5" && end != ".hdf5")
    throw InputError(fmt::format("{} must end in .csv, .h5 or .hdf5", in_quotes(path)));
  const auto folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    throw InputError(fmt::format("{} is in a folder that does not exist", in_quotes(path)));
  if (std::filesystem::is_directory(path, ignored)) throw InputError(fmt::format("{} is a folder", in_quotes(path)));
}

void write_map(const MapFile& file, const std::string& path) {
  check_map_path(path);
  replace_files({{path, ending(path) == ".csv" ? map_csv(file.map) : map_hdf5(file)}});
}

MapFile merge_map_files(std::vector<MapFile> shards, const std::vector<std::string>& names) {
  if (shards.empty()) throw InputError("there is nothing to merge");
  const std::uint64_t fingerprint = shards[0].map.fingerprint;
  std::vector<Map> maps;
  std::size_t lowest =
      0;  // what files say of the scene may be spelt differently: the order of the names is not to count
  for (std::size_t k = 0; k < shards.size(); ++k) {
    if (shards[k].program != shards[0].program) {
      throw InputError(fmt::format("{} was written by {}, {} by {}: shards of different versions do not make one map",
                                   in_quotes(names[0]), shards[0].program, in_quotes(names[k]), shards[k].program));
    }
    if (shards[k].map.fingerprint != fingerprint) {
      throw InputError(
          fmt::format("{} and {} are maps of different problems: scene, settings, ranges or quantities differ",
                      in_quotes(names[0]), in_quotes(names[k])));
    }
    maps.push_back(std::move(shards[k].map));
    if (maps[k].first < maps[lowest].first) lowest = k;
  }
  MapFile whole = std::move(shards[lowest]);
  whole.map = merge_maps(maps);
  return whole;
}

}  // namespace painleve
