// The reader of map.h5. A file whose seal is broken is not opened; of one that is whole, every size is still compared
// with the others.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <new>
#include <sstream>
#include <stdexcept>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/scene/hdf5_file.hpp"
#include "painleve/study/map_file.hpp"
#include "painleve/study/map_file_hdf5.hpp"

namespace painleve {

using namespace detail;

namespace {

[[noreturn]] void damaged(const std::string& what) { throw std::runtime_error(what); }

Hdf5Handle open_attribute(hid_t where, const char* name) { return {H5Aopen(where, name, H5P_DEFAULT), &H5Aclose}; }

std::int64_t read_integer(hid_t where, const char* name) {
  const Hdf5Handle attribute = open_attribute(where, name);
  const Hdf5Handle space(H5Aget_space(attribute), &H5Sclose);
  std::int64_t x = 0;
  if (H5Sget_simple_extent_npoints(space) != 1) damaged(fmt::format("its {} is not a number", name));
  checked(H5Aread(attribute, H5T_NATIVE_INT64, &x));
  return x;
}

std::string without_padding(const char* bytes, std::size_t width) {
  std::string text(bytes, width);
  text.erase(std::find_if(text.rbegin(), text.rend(), [](char c) { return c != '\0'; }).base(), text.end());
  return text;
}

std::size_t text_width(hid_t type) {
  const std::size_t width = H5Tget_size(type);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 || width == 0) damaged("a text of it is none");
  return width;
}

std::string read_text(hid_t where, const char* name) {
  const Hdf5Handle attribute = open_attribute(where, name);
  const Hdf5Handle type(H5Aget_type(attribute), &H5Tclose);
  const Hdf5Handle space(H5Aget_space(attribute), &H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1) damaged(fmt::format("its {} is not a text", name));
  std::string bytes(text_width(type), '\0');
  checked(H5Aread(attribute, type, bytes.data()));
  return without_padding(bytes.data(), bytes.size());
}

Hdf5Handle open_set(hid_t where, const std::string& name) {
  return {H5Dopen2(where, name.c_str(), H5P_DEFAULT), &H5Dclose};
}

std::size_t size_of(hid_t set) {
  const Hdf5Handle space(H5Dget_space(set), &H5Sclose);
  const hssize_t size = H5Sget_simple_extent_npoints(space);
  if (size < 0) damaged("a list of it has no size");
  return static_cast<std::size_t>(size);
}

template <class Number>
std::vector<Number> read_numbers(hid_t set, hid_t type, std::size_t size) {
  if (size_of(set) != size) damaged("its lists are of different sizes");
  std::vector<Number> list(size);
  if (size > 0) checked(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, list.data()));
  return list;
}

std::vector<std::string> read_texts(hid_t where, const std::string& name) {
  const Hdf5Handle set = open_set(where, name);
  const Hdf5Handle type(H5Dget_type(set), &H5Tclose);
  const std::size_t size = size_of(set), width = text_width(type);
  std::string bytes(size * width, '\0');
  if (size > 0) checked(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < size; ++i) texts.push_back(without_padding(bytes.data() + i * width, width));
  return texts;
}

std::vector<std::string> without_the_empty_one(std::vector<std::string> texts) {
  if (texts.empty() || !texts.front().empty()) damaged("a list of words does not begin with the empty one");
  texts.erase(texts.begin());
  return texts;
}

std::vector<std::string> members(hid_t group) {
  H5G_info_t info;
  checked(H5Gget_info(group, &info));
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
    if (length < 0) damaged("a name in it cannot be read");
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size(), H5P_DEFAULT);
    name.pop_back();
    names.push_back(name);
  }
  return names;
}

// The members of a group in the order of the number that each carries.
std::vector<std::string> ordered_members(hid_t group, const char* number) {
  std::map<std::int64_t, std::string> order;
  const std::vector<std::string> names = members(group);
  for (const std::string& name : names) order[read_integer(open_set(group, name), number)] = name;
  if (order.size() != names.size()) damaged(fmt::format("two members have the same {}", number));
  std::vector<std::string> list;
  for (const auto& [index, name] : order) list.push_back(name);
  return list;
}

Hdf5Handle open_group(hid_t where, const std::string& name) {
  return {H5Gopen2(where, name.c_str(), H5P_DEFAULT), &H5Gclose};
}

bool has(hid_t where, const std::string& name) { return H5Lexists(where, name.c_str(), H5P_DEFAULT) > 0; }

std::vector<MapAxis> read_axes(hid_t file) {
  const Hdf5Handle group = open_group(file, "axes");
  std::vector<MapAxis> axes;
  for (const std::string& name : ordered_members(group, "axis")) {
    const Hdf5Handle set = open_set(group, name);
    const std::size_t size = size_of(set);
    if (size == 0 || size > static_cast<std::size_t>(std::numeric_limits<int>::max())) damaged("an axis has no points");
    const auto values = read_numbers<double>(set, H5T_NATIVE_DOUBLE, size);
    MapAxis axis;
    axis.name = read_text(set, "name");
    axis.path = read_text(set, "path");
    axis.unit = read_text(set, "unit");
    axis.from = values.front();
    axis.to = values.back();
    axis.count = static_cast<int>(size);
    axes.push_back(axis);
  }
  if (axes.empty()) damaged("it has no axes");
  return axes;
}

// 0 becomes `none`, k the value k − 1.
template <class Value>
std::vector<Value> read_indices(hid_t set, std::size_t size, std::size_t largest, Value none) {
  const auto indices = read_numbers<std::uint32_t>(set, H5T_NATIVE_UINT32, size);
  std::vector<Value> values(size);
  for (std::size_t i = 0; i < size; ++i) {
    if (indices[i] > largest) damaged("an index of it points nowhere");
    values[i] = indices[i] == 0 ? none : static_cast<Value>(indices[i] - 1);
  }
  return values;
}

MapColumn read_column(hid_t file, const std::string& name, std::size_t size, std::size_t reasons) {
  const Hdf5Handle quantities = open_group(file, "quantities"), reason = open_group(file, "reason");
  const Hdf5Handle set = open_set(quantities, name);
  MapColumn column;
  column.quantity = read_text(set, "name");
  column.unit = read_text(set, "unit");
  column.words = read_text(set, "kind") == "word";
  if (column.words) {
    column.names = without_the_empty_one(read_texts(open_group(file, "words"), name));
    column.values = read_indices(set, size, column.names.size(), std::numeric_limits<double>::quiet_NaN());
  } else {
    column.values = read_numbers<double>(set, H5T_NATIVE_DOUBLE, size);
  }
  column.reasons = has(reason, name) ? read_indices(open_set(reason, name), size, reasons, std::int32_t{-1})
                                     : std::vector<std::int32_t>(size, -1);
  return column;
}

Boundary read_boundary(hid_t group, std::size_t dimension) {
  Boundary boundary{read_text(group, "quantity"), read_text(group, "word_1"), read_text(group, "word_2"), {}};
  const Hdf5Handle set = open_set(group, "points"), chains = open_set(group, "chains");
  const std::size_t count = size_of(set) / dimension;
  const auto points = read_numbers<double>(set, H5T_NATIVE_DOUBLE, count * dimension);
  auto firsts = read_numbers<std::int64_t>(chains, H5T_NATIVE_INT64, size_of(chains));
  firsts.push_back(static_cast<std::int64_t>(count));
  for (std::size_t k = 0; k + 1 < firsts.size(); ++k) {
    if (firsts[k] < 0 || firsts[k] > firsts[k + 1]) damaged("the chains of a boundary overlap");
    auto& chain = boundary.chains.emplace_back();
    for (auto i = static_cast<std::size_t>(firsts[k]); i < static_cast<std::size_t>(firsts[k + 1]); ++i) {
      chain.push_back({points[i * dimension], dimension > 1 ? points[i * dimension + 1] : 0.0});
    }
  }
  return boundary;
}

std::vector<Boundary> read_boundaries(hid_t file, std::size_t dimension) {
  std::vector<Boundary> list;
  if (!has(file, "boundaries")) return list;
  const Hdf5Handle group = open_group(file, "boundaries");
  const std::size_t count = members(group).size();
  for (std::size_t k = 0; k < count; ++k)
    list.push_back(read_boundary(open_group(group, std::to_string(k)), dimension));
  return list;
}

Map read_grid(hid_t file) {
  Map map;
  map.axes = read_axes(file);
  map.fingerprint = std::bit_cast<std::uint64_t>(read_integer(file, "fingerprint"));
  map.first = read_integer(file, "first");
  map.last = read_integer(file, "last");
  double cells = 1;
  for (const MapAxis& axis : map.axes) cells *= axis.count;
  if (map.first < 0 || map.last < map.first || static_cast<double>(map.last) > cells)
    damaged("its cells are not in its grid");
  map.reasons = without_the_empty_one(read_texts(file, "reasons"));
  const auto size = static_cast<std::size_t>(map.last - map.first);
  for (const std::string& name : ordered_members(open_group(file, "quantities"), "column"))
    map.columns.push_back(read_column(file, name, size, map.reasons.size()));
  return map;
}

MapFile read_content(hid_t file) {
  if (const std::int64_t schema = read_integer(file, "schema"); schema != map_schema)
    damaged(fmt::format("its layout is {}, and this program knows {} only", schema, map_schema));
  MapFile content;
  content.program = read_text(file, "program");
  content.scene = read_text(file, "scene");
  const auto text = read_texts(file, "scene_text");
  if (text.size() != 1) damaged("it has no text of its scene");
  content.scene_text = text.front();
  content.map = read_grid(file);
  content.boundaries = read_boundaries(file, std::min<std::size_t>(content.map.axes.size(), 2));
  return content;
}

// The bytes that the HDF5 library wrote.
std::string unsealed(const std::string& path) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  std::string bytes = text.str();
  if (!stream.good() && !stream.eof()) throw InputError(fmt::format("cannot read {}", in_quotes(path)));
  if (!bytes.starts_with(signature)) throw InputError(fmt::format("{} is not an HDF5 file", in_quotes(path)));
  const std::size_t size = bytes.size() - seal_size;
  if (bytes.size() < seal_size || bytes.substr(size, map_seal.size()) != map_seal)
    throw InputError(fmt::format("{} is not a map, or not a whole one", in_quotes(path)));
  const std::string last = bytes.substr(size);
  bytes.resize(size);
  if (last != seal(bytes)) damaged("its checksum does not fit its content");
  return bytes;
}

MapFile read_file(const std::string& path) {
  std::string bytes = unsealed(path);
  const Hdf5Session session;
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
  constexpr std::size_t increment = std::size_t{1} << 20U;
  checked(H5Pset_fapl_core(access, increment, false));
  checked(H5Pset_file_image(access, bytes.data(), bytes.size()));
  const std::string name =
      path + "/image";  // the library refuses names of files that exist; below a file there is none
  const Hdf5Handle file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access), &H5Fclose);
  if (read_text(file, "format") != map_format) damaged("its format is not that of a map");
  return read_content(file);
}

}  // namespace

MapFile read_map(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw InputError(fmt::format("there is no file {}", in_quotes(path)));
  if (!std::filesystem::is_regular_file(path, ignored)) throw InputError(fmt::format("{} is no file", in_quotes(path)));
  try {
    return read_file(path);
  } catch (const InputError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw InputError(fmt::format("{} is damaged, or too large for this machine's memory", in_quotes(path)));
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{} is damaged: {}", in_quotes(path), error.what()));
  }
}

}  // namespace painleve
