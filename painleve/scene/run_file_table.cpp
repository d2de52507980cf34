#include "painleve/scene/run_file_table.hpp"

#include <limits>

namespace painleve::detail {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double component(const Eigen::VectorXd& v, Eigen::Index i) { return i < v.size() ? v(i) : missing; }

std::vector<std::string> axes(int dimension) {
  if (dimension == 1) return {"n"};
  if (dimension == 2) return {"t", "n"};
  return {"t1", "t2", "n"};
}

template <class Row, class Value>
Column number_column(const std::vector<Row>& rows, const std::string& name, const std::string& unit,
                     const Value& value) {
  Column c{name, unit, Column::Kind::number, {}, {}};
  c.numbers.reserve(rows.size());
  for (const Row& row : rows) c.numbers.push_back(value(row));
  return c;
}

template <class Row, class Value>
Column text_column(const std::vector<Row>& rows, const std::string& name, const Value& value) {
  Column c{name, "", Column::Kind::text, {}, {}};
  c.texts.reserve(rows.size());
  for (const Row& row : rows) c.texts.push_back(value(row));
  return c;
}

// A stacked vector of each row, as one column per contact and axis.
template <class Row>
void add_stacked(const Run& run, int contact, const std::vector<Row>& rows, const std::string& symbol,
                 const std::string& suffix, const std::string& unit, Eigen::VectorXd Row::*member,
                 std::vector<Column>& columns) {
  const auto names = axes(run.dimension);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Eigen::Index i = contact * run.dimension + static_cast<Eigen::Index>(k);
    const std::string name = run.contacts[static_cast<std::size_t>(contact)] + "." + symbol + "_" + names[k] + suffix;
    columns.push_back(number_column(rows, name, unit, [&](const Row& row) { return component(row.*member, i); }));
  }
}

}  // namespace

std::vector<Column> sample_columns(const Run& run) {
  const auto& rows = run.samples;
  std::vector<Column> columns;
  columns.push_back(number_column(rows, "t", "s", [](const Sample& s) { return s.t; }));
  const auto count = static_cast<Eigen::Index>(run.coordinates.size());
  for (Eigen::Index i = 0; i < count; ++i)
    columns.push_back(number_column(rows, run.coordinates[static_cast<std::size_t>(i)], "",
                                    [&](const Sample& s) { return component(s.q, i); }));
  for (Eigen::Index i = 0; i < count; ++i)
    columns.push_back(number_column(rows, run.coordinates[static_cast<std::size_t>(i)] + "_dot", "",
                                    [&](const Sample& s) { return component(s.v, i); }));
  for (int i = 0; i < static_cast<int>(run.contacts.size()); ++i) {
    columns.push_back(number_column(rows, run.contacts[static_cast<std::size_t>(i)] + ".gap", "m",
                                    [&](const Sample& s) { return component(s.gap, i); }));
    add_stacked(run, i, rows, "u", "", "m/s", &Sample::u, columns);
    add_stacked(run, i, rows, "lambda", "", "N", &Sample::lambda, columns);
  }
  columns.push_back(text_column(rows, "mode", [](const Sample& s) { return s.mode; }));
  columns.push_back(number_column(rows, "energy", "J", [](const Sample& s) { return s.energy; }));
  columns.push_back(number_column(rows, "solutions", "", [](const Sample& s) { return s.solutions; }));
  columns.back().kind = Column::Kind::integer;
  columns.push_back(number_column(rows, "taken", "", [](const Sample& s) { return s.taken; }));
  columns.back().kind = Column::Kind::integer;
  return columns;
}

std::vector<Column> event_columns(const Run& run) {
  const auto& rows = run.events;
  std::vector<Column> columns;
  columns.push_back(number_column(rows, "t", "s", [](const SimulationEvent& e) { return e.t; }));
  columns.push_back(text_column(rows, "kind", [](const SimulationEvent& e) { return to_string(e.kind); }));
  columns.push_back(text_column(rows, "contact", [&](const SimulationEvent& e) -> std::string {
    return e.contact < 0 ? "" : run.contacts[static_cast<std::size_t>(e.contact)];
  }));
  columns.push_back(text_column(rows, "mode", [](const SimulationEvent& e) { return e.mode; }));
  for (int i = 0; i < static_cast<int>(run.contacts.size()); ++i) {
    add_stacked(run, i, rows, "u", "_before", "m/s", &SimulationEvent::u_before, columns);
    add_stacked(run, i, rows, "u", "_after", "m/s", &SimulationEvent::u_after, columns);
    add_stacked(run, i, rows, "Lambda", "", "N s", &SimulationEvent::Lambda, columns);
  }
  columns.push_back(text_column(rows, "note", [](const SimulationEvent& e) { return e.note; }));
  return columns;
}

}  // namespace painleve::detail
