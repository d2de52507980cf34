#include "trajectory.hpp"

#include <algorithm>
#include <limits>

namespace painleve::python {
namespace {

void append(std::vector<double>& table, const Eigen::VectorXd& row, int width) {
  for (int i = 0; i < width; ++i) table.push_back(i < row.size() ? row(i) : std::numeric_limits<double>::quiet_NaN());
}

int width(const std::vector<Sample>& samples, Eigen::VectorXd Sample::*member) {
  Eigen::Index most = 0;
  for (const Sample& s : samples) most = std::max(most, (s.*member).size());
  return static_cast<int>(most);
}

std::int32_t number_of(std::vector<std::string>& words, const std::string& word) {
  const auto at = std::find(words.begin(), words.end(), word);
  const auto number = static_cast<std::int32_t>(at - words.begin());
  if (at == words.end()) words.push_back(word);
  return number;
}

}  // namespace

Trajectory trajectory(const Run& run) {
  Trajectory table;
  table.rows = static_cast<long>(run.samples.size());
  table.coordinates = width(run.samples, &Sample::q);
  table.contacts = static_cast<int>(run.contacts.size());
  table.dimension = run.dimension;
  for (const Sample& s : run.samples) {
    table.t.push_back(s.t);
    table.energy.push_back(s.energy);
    append(table.q, s.q, table.coordinates);
    append(table.v, s.v, table.coordinates);
    append(table.gap, s.gap, table.contacts);
    append(table.u, s.u, table.contacts * table.dimension);
    append(table.lambda, s.lambda, table.contacts * table.dimension);
    table.mode.push_back(number_of(table.words, s.mode));
    table.solutions.push_back(s.solutions);
    table.taken.push_back(s.taken);
  }
  return table;
}

}  // namespace painleve::python
