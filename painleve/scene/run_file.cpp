#include "painleve/scene/run_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <stdexcept>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/replaced_file.hpp"
#include "painleve/scene/run_file_table.hpp"

namespace painleve {

using namespace detail;

namespace {

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string cell(const Column& column, std::size_t row) {
  if (column.kind == Column::Kind::text) return cell(column.texts[row]);
  const double x = column.numbers[row];
  if (!std::isfinite(x)) return "";
  return column.kind == Column::Kind::integer ? fmt::format("{:.0f}", x) : fmt::format("{}", x == 0 ? 0.0 : x);
}

std::string header(const std::vector<Column>& columns) {
  std::string line;
  for (const Column& column : columns) line += cell(column.name) + ",";
  return line + "future\n";
}

// `last_of_a_time`: rows at the time of the next one are left out.
void add_rows(const std::vector<Column>& columns, const std::string& future, bool last_of_a_time, std::string& text) {
  const std::vector<double>& t = columns[0].numbers;
  for (std::size_t row = 0; row < t.size(); ++row) {
    if (last_of_a_time && row + 1 < t.size() && t[row] == t[row + 1]) continue;
    for (const Column& column : columns) text += cell(column, row) + ",";
    text += future + "\n";
  }
}

// The run and its futures, each with its name: "", "0", "0.1", …
void visit(const Run& run, const std::string& future, const std::function<void(const Run&, const std::string&)>& each) {
  each(run, future);
  for (std::size_t k = 0; k < run.futures.size(); ++k)
    visit(run.futures[k], fmt::format("{}{}{}", future, future.empty() ? "" : ".", k), each);
}

std::string ending(const std::string& path) { return std::filesystem::path(path).extension().string(); }

}  // namespace

std::string events_path(const std::string& path) {
  const auto dot = path.find_last_of('.');
  return path.substr(0, dot) + ".events" + path.substr(dot);
}

void write_csv(const Run& run, const std::string& path) {
  std::string samples = header(sample_columns(run)), events = header(event_columns(run));
  visit(run, "", [&](const Run& one, const std::string& future) {
    add_rows(sample_columns(one), future, true, samples);
    add_rows(event_columns(one), future, false, events);
  });
  replace_files({{path, samples}, {events_path(path), events}});
}

void check_run_path(const std::string& path) {
  if (const std::string end = ending(path); end != ".csv" && end != ".h5" && end != ".hdf5")
    throw InputError(fmt::format("{} must end in .csv, .h5 or .hdf5", in_quotes(path)));
  const auto folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    throw InputError(fmt::format("{} is in a folder that does not exist", in_quotes(path)));
  if (std::filesystem::is_directory(path, ignored)) throw InputError(fmt::format("{} is a folder", in_quotes(path)));
}

void write_run(const Run& run, const std::string& path) {
  check_run_path(path);
  if (ending(path) == ".csv")
    write_csv(run, path);
  else
    write_hdf5(run, path);
}

}  // namespace painleve
