#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "painleve/base/names.hpp"
#include "painleve/scene/run_file.hpp"
#include "painleve/scene/run_file_table.hpp"

namespace painleve {

using namespace detail;

namespace {

// The library has one state for the whole program and is not safe for threads.
std::mutex& library() {
  static std::mutex mutex;
  return mutex;
}

hid_t checked(hid_t id) {
  if (id < 0) throw std::runtime_error("the HDF5 library refused a call");
  return id;
}

// An identifier with the function that closes it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*release)(hid_t)) : id_(checked(id)), release_(release) {}
  ~Handle() { release_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor)

 private:
  hid_t id_;
  herr_t (*release_)(hid_t);
};

// Time stamps would make equal runs differ.
Handle without_times(hid_t kind) {
  Handle properties(H5Pcreate(kind), &H5Pclose);
  checked(H5Pset_obj_track_times(properties, false));
  return {H5Pcopy(properties), &H5Pclose};
}

Handle text_type(std::size_t length) {
  const hid_t type = checked(H5Tcopy(H5T_C_S1));
  checked(H5Tset_size(type, std::max<std::size_t>(length, 1)));
  checked(H5Tset_cset(type, H5T_CSET_UTF8));
  checked(H5Tset_strpad(type, H5T_STR_NULLPAD));
  return {type, &H5Tclose};
}

void attribute(hid_t where, const char* name, hid_t type, const void* value) {
  const Handle space(H5Screate(H5S_SCALAR), &H5Sclose);
  const Handle a(H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT), &H5Aclose);
  checked(H5Awrite(a, type, value));
}
void attribute(hid_t where, const char* name, const std::string& text) {
  std::string padded = text;
  padded.resize(std::max<std::size_t>(text.size(), 1), '\0');
  attribute(where, name, text_type(text.size()), padded.data());
}
void attribute(hid_t where, const char* name, double x) { attribute(where, name, H5T_NATIVE_DOUBLE, &x); }
void attribute(hid_t where, const char* name, long x) { attribute(where, name, H5T_NATIVE_LONG, &x); }

Handle group(hid_t where, const std::string& name) {
  const Handle properties = without_times(H5P_GROUP_CREATE);
  return {H5Gcreate2(where, name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), &H5Gclose};
}

// A slash would make groups of a name.
std::string link_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

void dataset(hid_t where, const std::string& name, const std::string& unit, hid_t type, const void* data,
             std::size_t count) {
  const hsize_t size = count, chunk = std::clamp<hsize_t>(size, 1, 4096);
  const Handle space(H5Screate_simple(1, &size, nullptr), &H5Sclose);
  const Handle properties = without_times(H5P_DATASET_CREATE);
  checked(H5Pset_chunk(properties, 1, &chunk));
  const Handle set(H5Dcreate2(where, link_name(name).c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                   &H5Dclose);
  if (count > 0) checked(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  if (!unit.empty()) attribute(set, "unit", unit);
}

void write_column(hid_t where, const Column& column) {
  if (column.kind == Column::Kind::number) {
    dataset(where, column.name, column.unit, H5T_NATIVE_DOUBLE, column.numbers.data(), column.numbers.size());
  } else if (column.kind == Column::Kind::integer) {
    const std::vector<int> whole(column.numbers.begin(), column.numbers.end());
    dataset(where, column.name, column.unit, H5T_NATIVE_INT, whole.data(), whole.size());
  } else {
    std::size_t width = 1;
    for (const std::string& text : column.texts) width = std::max(width, text.size());
    std::string padded;
    for (std::string text : column.texts) {
      text.resize(width, '\0');
      padded += text;
    }
    dataset(where, column.name, column.unit, text_type(width), padded.data(), column.texts.size());
  }
}

void write_table(hid_t where, const std::string& name, const std::vector<Column>& columns) {
  const Handle table = group(where, name);
  for (const Column& column : columns) write_column(table, column);
}

void write_summary(hid_t where, const Run& run) {
  attribute(where, "dimension", static_cast<long>(run.dimension));
  attribute(where, "steps", run.steps);
  attribute(where, "t", run.t);
  for (const auto& [name, text] : {std::pair{"stopped", run.stopped},
                                   {"stop_reason", run.stop_reason},
                                   {"outcome", run.outcome},
                                   {"outcome_reason", run.outcome_reason},
                                   {"why", run.why}})
    attribute(where, name, text);
  const Handle energy = group(where, "energy");
  const EnergyLedger& e = run.energy;
  for (const auto& [name, value] : {std::pair{"initial", e.initial},
                                    {"final", e.final},
                                    {"friction", e.friction},
                                    {"impact", e.impact},
                                    {"applied", e.applied},
                                    {"stored", e.stored},
                                    {"defect", e.defect()}})
    attribute(energy, name, value);
  attribute(energy, "unit", "J");
}

void write_into(hid_t where, const Run& run) {
  write_summary(where, run);
  write_table(where, "samples", sample_columns(run));
  write_table(where, "events", event_columns(run));
  dataset(where, "impulse", "N s", H5T_NATIVE_DOUBLE, run.impulse.data(), static_cast<std::size_t>(run.impulse.size()));
  if (run.futures.empty()) return;
  const Handle futures = group(where, "futures");
  for (std::size_t k = 0; k < run.futures.size(); ++k) write_into(group(futures, std::to_string(k)), run.futures[k]);
}

// The whole file in memory, so that the disk is met in one place only, where errors have a reason.
std::string file_image(const Run& run) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
  constexpr std::size_t increment = std::size_t{1} << 20U;
  checked(H5Pset_fapl_core(access, increment, false));
  const Handle properties = without_times(H5P_FILE_CREATE);
  const Handle file(H5Fcreate("run.h5", H5F_ACC_TRUNC, properties, access), &H5Fclose);
  attribute(file, "schema", 1L);
  write_into(file, run);
  checked(H5Fflush(file, H5F_SCOPE_GLOBAL));
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size < 0) throw std::runtime_error("the HDF5 library gave no file image");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(file, bytes.data(), bytes.size()) != size)
    throw std::runtime_error("the HDF5 library gave no file image");
  return bytes;
}

// Errors come back as return values; the library is not to print them.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace

void write_hdf5(const Run& run, const std::string& path) {
  std::string bytes;
  try {
    const std::lock_guard<std::mutex> one_at_a_time(library());
    const Quiet quiet;
    bytes = file_image(run);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("cannot write {}: {}", in_quotes(path), error.what()));
  }
  replace_files({{path, bytes}});
}

}  // namespace painleve
