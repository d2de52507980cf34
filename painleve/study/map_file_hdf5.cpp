#include "painleve/study/map_file_hdf5.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "painleve/base/fingerprint.hpp"
#include "painleve/scene/hdf5_file.hpp"
#include "painleve/study/map_file.hpp"

namespace painleve {

using namespace detail;

namespace {

using Shape = std::vector<hsize_t>;

// The bits of what is not a number mean nothing: there is one for all.
std::vector<double> clean(std::vector<double> values) {
  for (double& x : values) {
    if (std::isnan(x)) x = std::numeric_limits<double>::quiet_NaN();
  }
  return values;
}

// The grid's shape, or a list for a shard.
Shape shape(const Map& map) {
  Shape counts;
  for (const MapAxis& axis : map.axes) counts.push_back(static_cast<hsize_t>(axis.count));
  const bool whole = map.first == 0 && map.last == map.cells() && counts.size() <= H5S_MAX_RANK;
  return whole ? counts : Shape{static_cast<hsize_t>(map.last - map.first)};
}

// Blocks of whole rows, of some 256 thousand cells.
Shape chunk(const Shape& shape) {
  hsize_t left = hsize_t{1} << 18U;
  Shape sides(shape.size());
  for (std::size_t k = shape.size(); k-- > 0;) {
    sides[k] = std::clamp<hsize_t>(shape[k], 1, left);
    left = std::max<hsize_t>(1, left / sides[k]);
  }
  return sides;
}

// Indices shrink to little; numbers hardly shrink at all and would take most of the time.
Hdf5Handle dataset(hid_t where, const std::string& name, hid_t type, const void* data, const Shape& sides,
                   bool compressed = false) {
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(sides.size()), sides.data(), nullptr), &H5Sclose);
  const Hdf5Handle properties = without_times(H5P_DATASET_CREATE);
  const bool empty = std::find(sides.begin(), sides.end(), 0U) != sides.end();
  if (compressed && !empty && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    checked(H5Pset_chunk(properties, static_cast<int>(sides.size()), chunk(sides).data()));
    checked(H5Pset_deflate(properties, 1));
  }
  Hdf5Handle set(H5Dcreate2(where, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), &H5Dclose);
  if (!empty) checked(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  return set;
}

void write_texts(hid_t where, const std::string& name, const std::vector<std::string>& texts) {
  std::size_t width = 0;
  const std::string bytes = padded(texts, width);
  dataset(where, name, text_type(width), bytes.data(), {texts.size()});
}

// 0 stands for none; in the smallest type that holds `largest`.
template <class Index>
Hdf5Handle write_indices_as(hid_t where, const std::string& name, hid_t type, const Shape& sides, std::size_t count,
                            const std::function<std::uint32_t(std::size_t)>& index) {
  std::vector<Index> list(count);
  for (std::size_t i = 0; i < count; ++i) list[i] = static_cast<Index>(index(i));
  return dataset(where, name, type, list.data(), sides, true);
}

Hdf5Handle write_indices(hid_t where, const std::string& name, const Shape& sides, std::size_t count,
                         std::size_t largest, const std::function<std::uint32_t(std::size_t)>& index) {
  if (largest <= 0xff) return write_indices_as<std::uint8_t>(where, name, H5T_STD_U8LE, sides, count, index);
  if (largest <= 0xffff) return write_indices_as<std::uint16_t>(where, name, H5T_STD_U16LE, sides, count, index);
  return write_indices_as<std::uint32_t>(where, name, H5T_STD_U32LE, sides, count, index);
}

std::vector<std::string> after_an_empty_one(const std::vector<std::string>& texts) {
  std::vector<std::string> list{""};
  list.insert(list.end(), texts.begin(), texts.end());
  return list;
}

// A slash would make groups of a name.
std::string link_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

void write_axes(hid_t file, const std::vector<MapAxis>& axes) {
  const Hdf5Handle group = make_group(file, "axes");
  for (std::size_t k = 0; k < axes.size(); ++k) {
    std::vector<double> values;
    for (int i = 0; i < axes[k].count; ++i) values.push_back(axes[k].at(i));
    const Hdf5Handle set = dataset(group, link_name(axes[k].name), H5T_IEEE_F64LE, values.data(), {values.size()});
    put_attribute(set, "axis", static_cast<std::int64_t>(k));
    put_attribute(set, "name", axes[k].name);
    put_attribute(set, "path", axes[k].path);
    put_attribute(set, "unit", axes[k].unit);
  }
}

Hdf5Handle write_values(hid_t where, const MapColumn& column, const Shape& sides) {
  const std::vector<double>& values = column.values;
  if (column.words) {
    return write_indices(
        where, link_name(column.quantity), sides, values.size(), column.names.size(),
        [&](std::size_t i) { return std::isnan(values[i]) ? 0U : static_cast<std::uint32_t>(values[i]) + 1; });
  }
  return dataset(where, link_name(column.quantity), H5T_IEEE_F64LE, clean(values).data(), sides);
}

void write_columns(hid_t file, const Map& map) {
  const Shape sides = shape(map);
  const Hdf5Handle quantities = make_group(file, "quantities"), words = make_group(file, "words"),
                   reason = make_group(file, "reason");
  for (std::size_t k = 0; k < map.columns.size(); ++k) {
    const MapColumn& column = map.columns[k];
    const Hdf5Handle set = write_values(quantities, column, sides);
    put_attribute(set, "column", static_cast<std::int64_t>(k));
    put_attribute(set, "name", column.quantity);
    put_attribute(set, "kind", column.words ? "word" : "number");
    put_attribute(set, "unit", column.unit);
    if (column.words) write_texts(words, link_name(column.quantity), after_an_empty_one(column.names));
    const std::vector<std::int32_t>& reasons = column.reasons;
    if (std::all_of(reasons.begin(), reasons.end(), [](std::int32_t r) { return r < 0; })) continue;
    write_indices(reason, link_name(column.quantity), sides, reasons.size(), map.reasons.size(),
                  [&](std::size_t i) { return static_cast<std::uint32_t>(reasons[i] + 1); });
  }
  write_texts(file, "reasons", after_an_empty_one(map.reasons));
}

void write_boundary(hid_t where, const std::string& name, const Boundary& boundary, std::size_t dimension) {
  std::vector<double> points;
  std::vector<std::int64_t> firsts;
  for (const auto& chain : boundary.chains) {
    firsts.push_back(static_cast<std::int64_t>(points.size() / dimension));
    for (const auto& point : chain) {
      for (std::size_t k = 0; k < dimension; ++k) points.push_back(point[k]);
    }
  }
  const Hdf5Handle group = make_group(where, name);
  put_attribute(group, "quantity", boundary.quantity);
  put_attribute(group, "word_1", boundary.below);
  put_attribute(group, "word_2", boundary.above);
  dataset(group, "points", H5T_IEEE_F64LE, points.data(), {points.size() / dimension, dimension});
  dataset(group, "chains", H5T_STD_I64LE, firsts.data(), {firsts.size()});
}

void write_attributes(hid_t file, const MapFile& content) {
  put_attribute(file, "format", std::string(map_format));
  put_attribute(file, "schema", map_schema);
  put_attribute(file, "program", content.program);
  put_attribute(file, "scene", content.scene);
  put_attribute(file, "first", std::int64_t{content.map.first});
  put_attribute(file, "last", std::int64_t{content.map.last});
  put_attribute(file, "fingerprint", std::bit_cast<std::int64_t>(content.map.fingerprint));
  write_texts(file, "scene_text", {content.scene_text});
}

}  // namespace

namespace detail {

std::string seal(const std::string& bytes) {
  const std::uint64_t hash = hash_bytes(bytes);
  std::string text(map_seal);
  text.append(reinterpret_cast<const char*>(&hash), sizeof hash);
  return text;
}

}  // namespace detail

std::string map_hdf5(const MapFile& file) {
  std::string bytes = hdf5_image([&](hid_t root) {
    write_attributes(root, file);
    write_axes(root, file.map.axes);
    write_columns(root, file.map);
    if (file.boundaries.empty()) return;
    const Hdf5Handle group = make_group(root, "boundaries");
    const std::size_t dimension = std::clamp<std::size_t>(file.map.axes.size(), 1, 2);
    for (std::size_t k = 0; k < file.boundaries.size(); ++k)
      write_boundary(group, std::to_string(k), file.boundaries[k], dimension);
  });
  bytes += seal(bytes);
  return bytes;
}

}  // namespace painleve
