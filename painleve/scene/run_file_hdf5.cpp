#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "painleve/base/names.hpp"
#include "painleve/base/replaced_file.hpp"
#include "painleve/scene/hdf5_file.hpp"
#include "painleve/scene/run_file.hpp"
#include "painleve/scene/run_file_table.hpp"

namespace painleve {

using namespace detail;

namespace {

// A slash would make groups of a name.
std::string link_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

void dataset(hid_t where, const std::string& name, const std::string& unit, hid_t type, const void* data,
             std::size_t count) {
  const hsize_t size = count, chunk = std::clamp<hsize_t>(size, 1, 4096);
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), &H5Sclose);
  const Hdf5Handle properties = without_times(H5P_DATASET_CREATE);
  checked(H5Pset_chunk(properties, 1, &chunk));
  const Hdf5Handle set(H5Dcreate2(where, link_name(name).c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                       &H5Dclose);
  if (count > 0) checked(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  if (!unit.empty()) put_attribute(set, "unit", unit);
}

void write_column(hid_t where, const Column& column) {
  if (column.kind == Column::Kind::number) {
    dataset(where, column.name, column.unit, H5T_NATIVE_DOUBLE, column.numbers.data(), column.numbers.size());
  } else if (column.kind == Column::Kind::integer) {
    const std::vector<int> whole(column.numbers.begin(), column.numbers.end());
    dataset(where, column.name, column.unit, H5T_NATIVE_INT, whole.data(), whole.size());
  } else {
    std::size_t width = 0;
    const std::string bytes = padded(column.texts, width);
    dataset(where, column.name, column.unit, text_type(width), bytes.data(), column.texts.size());
  }
}

void write_table(hid_t where, const std::string& name, const std::vector<Column>& columns) {
  const Hdf5Handle table = make_group(where, name);
  for (const Column& column : columns) write_column(table, column);
}

void write_summary(hid_t where, const Run& run) {
  put_attribute(where, "dimension", static_cast<long>(run.dimension));
  put_attribute(where, "steps", run.steps);
  put_attribute(where, "t", run.t);
  for (const auto& [name, text] : {std::pair{"stopped", run.stopped},
                                   {"stop_reason", run.stop_reason},
                                   {"outcome", run.outcome},
                                   {"outcome_reason", run.outcome_reason},
                                   {"why", run.why}})
    put_attribute(where, name, text);
  const Hdf5Handle energy = make_group(where, "energy");
  const EnergyLedger& e = run.energy;
  for (const auto& [name, value] : {std::pair{"initial", e.initial},
                                    {"final", e.final},
                                    {"friction", e.friction},
                                    {"impact", e.impact},
                                    {"applied", e.applied},
                                    {"stored", e.stored},
                                    {"defect", e.defect()}})
    put_attribute(energy, name, value);
  put_attribute(energy, "unit", "J");
}

void write_into(hid_t where, const Run& run) {
  write_summary(where, run);
  write_table(where, "samples", sample_columns(run));
  write_table(where, "events", event_columns(run));
  dataset(where, "impulse", "N s", H5T_NATIVE_DOUBLE, run.impulse.data(), static_cast<std::size_t>(run.impulse.size()));
  if (run.futures.empty()) return;
  const Hdf5Handle futures = make_group(where, "futures");
  for (std::size_t k = 0; k < run.futures.size(); ++k)
    write_into(make_group(futures, std::to_string(k)), run.futures[k]);
}

}  // namespace

void write_hdf5(const Run& run, const std::string& path) {
  std::string bytes;
  try {
    bytes = hdf5_image([&](hid_t file) {
      put_attribute(file, "schema", std::int64_t{1});
      write_into(file, run);
    });
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("cannot write {}: {}", in_quotes(path), error.what()));
  }
  replace_files({{path, bytes}});
}

}  // namespace painleve
