#include "painleve/reproduction/champneys_varkonyi_cells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "painleve/complementarity/planar_modes.hpp"

namespace painleve::champneys_varkonyi {
namespace {

std::vector<std::string> split(const std::string& text, const std::string& at) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (auto to = text.find(at); to != std::string::npos; to = text.find(at, from)) {
    parts.push_back(text.substr(from, to - from));
    from = to + at.size();
  }
  parts.push_back(text.substr(from));
  return parts;
}

}  // namespace

std::size_t row_of(const PlanarContact& c) {
  const PlanarModes m = planar_modes(c);
  const std::size_t sign = m.p_minus < 0 ? 1 : m.p_plus < 0 ? 2 : 0;
  return (c.b_n > 0 ? 0 : 3) + sign;
}

std::size_t column_of(const PlanarContact& c) { return c.u_t > 0 ? 0 : c.u_t == 0 ? 1 : 2; }

Choice mode_set(unsigned consistent) {
  Choice modes;
  if ((consistent & mode_F) != 0) modes.insert("F");
  if ((consistent & mode_T) != 0) modes.insert("T");
  if ((consistent & mode_S_plus) != 0) modes.insert("S+");
  if ((consistent & mode_S_minus) != 0) modes.insert("S-");
  return modes;
}

Choice consistent_set(const std::vector<ModeEntry>& modes) {
  Choice names;
  for (const ModeEntry& m : modes) {
    if (m.consistent) names.insert(m.name);
  }
  return names;
}

Choice closed_modes(const PlanarContact& c) {
  const double p_plus = c.W_nn - c.mu * c.W_tn, p_minus = c.W_nn + c.mu * c.W_tn;
  const double k_plus = c.mu * c.W_tt - c.W_tn, k_minus = c.mu * c.W_tt + c.W_tn;
  const bool lifts = c.b_n > 0;
  if (c.u_t != 0) {
    Choice modes;
    if (lifts) modes.insert("F");
    if (c.b_n * (c.u_t > 0 ? p_plus : p_minus) < 0) modes.insert(c.u_t > 0 ? "S+" : "S-");
    return modes;
  }
  const double a_plus = -c.b_n * k_plus / p_plus, a_minus = c.b_n * k_minus / p_minus;
  if (lifts && p_minus < 0) return c.b_t < a_minus ? Choice{"F", "T", "S-"} : Choice{"F"};
  if (lifts && p_plus < 0) return c.b_t > a_plus ? Choice{"F", "T", "S+"} : Choice{"F"};
  if (lifts) return {"F"};
  if (p_plus > 0 && c.b_t > a_plus) return {"S+"};
  if (p_minus > 0 && c.b_t < a_minus) return {"S-"};
  return {"T"};
}

std::set<Choice> read_cell(const std::string& printed) {
  std::set<Choice> cell;
  for (std::string choice : split(printed, " or ")) {
    std::erase_if(choice, [](char c) { return c == '(' || c == ')'; });
    const auto modes = split(choice, " and ");
    cell.insert(choice == "none" ? Choice{} : Choice(modes.begin(), modes.end()));
  }
  return cell;
}

std::string cell_text(const std::set<Choice>& cell) {
  std::vector<std::string> choices;
  for (const Choice& c : cell) {
    const std::string joined = c.empty() ? "none" : fmt::format("{}", fmt::join(c, " and "));
    choices.push_back(c.size() > 1 && cell.size() > 1 ? "(" + joined + ")" : joined);
  }
  return fmt::format("{}", fmt::join(choices, " or "));
}

void compare_cells(Reproduction& result, const Cells& printed, const FoundCells& found) {
  const std::array<const char*, 3> columns{"I", "II", "III"};
  const std::array<const char*, 6> rows{"i", "ii", "iii", "iv", "v", "vi"};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      result.comparisons.push_back(compare_statement(fmt::format("cell {}({})", columns[c], rows[r]), printed[r][c],
                                                     cell_text(found[r][c]), read_cell(printed[r][c]) == found[r][c]));
    }
  }
}

}  // namespace painleve::champneys_varkonyi
