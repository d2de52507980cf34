// Sec. 6.1 to 6.3, Table 4 and Fig. 14: two slipping contacts, z̈ = b + P λ, by the directions of the columns p1, p2 of
// P and of −b.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "painleve/base/draws.hpp"
#include "painleve/modes/mode_table.hpp"
#include "painleve/modes/stability.hpp"
#include "painleve/modes/two_contact_class.hpp"
#include "painleve/modes/two_contact_facts.hpp"
#include "painleve/reproduction/champneys_varkonyi_parts.hpp"

namespace painleve::champneys_varkonyi {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

struct Row {
  const char *name, *dual, *FF, *SS, *SF, *FS, *IF, *FI, *II;
};

const std::vector<Row>& printed_rows() {
  static const std::vector<Row> rows{
      {"11", "self", "5", "2", "126", "234", "", "", ""},   {"12", "self", "5", "2", "16", "34", "", "", ""},
      {"13", "41", "5", "23", "16", "4", "", "", ""},       {"14", "31", "45", "234", "16", "4", "", "", "(x)"},
      {"15", "32", "45", "156", "16", "4", "", "", "(x)"},  {"16", "21", "4", "16", "156", "45", "", "x", ""},
      {"22", "45", "5", "3", "45", "34", "x", "", ""},      {"23", "46", "5", "3", "345", "4", "x", "", ""},
      {"24", "36", "45", "34", "345", "4", "x", "", "(x)"}, {"25", "self", "4", "345", "34", "45", "x", "x", "(x)"},
      {"26", "self", "4", "126", "34", "45", "x", "x", ""}, {"33", "44", "45", "34", "5", "3", "", "", "(x)"},
      {"34", "self", "345", "4", "5", "3", "", "", "(x)"},  {"35", "self", "345", "4", "45", "34", "", "", "(x)"},
      {"42", "self", "4", "126", "5", "3", "", "", ""},     {"43", "self", "4", "345", "5", "3", "", "", "(x)"}};
  return rows;
}

std::map<std::string, TwoContactFacts> facts() {
  std::map<std::string, TwoContactFacts> all;
  for (const TwoContactFacts& f : two_contact_facts()) all[f.name] = f;
  return all;
}

std::string row_text(const std::string& dual, const std::string& FF, const std::string& SS, const std::string& SF,
                     const std::string& FS, const std::string& IF, const std::string& FI, const std::string& II) {
  const auto or_dash = [](const std::string& cell) { return cell.empty() ? std::string("–") : cell; };
  return fmt::format("dual {}; FF {}; SS {}; SF {}; FS {}; IF {}; FI {}; II {}", dual, or_dash(FF), or_dash(SS),
                     or_dash(SF), or_dash(FS), or_dash(IF), or_dash(FI), or_dash(II));
}

void compare_rows(Reproduction& result, const std::map<std::string, TwoContactFacts>& table) {
  for (const Row& r : printed_rows()) {
    const TwoContactFacts& f = table.at(r.name);
    const std::string dual = f.dual == f.name ? "self" : f.dual;
    const std::string printed = row_text(r.dual, r.FF, r.SS, r.SF, r.FS, r.IF, r.FI, r.II);
    const std::string computed = row_text(dual, f.sectors("FF"), f.sectors("SS"), f.sectors("SF"), f.sectors("FS"),
                                          f.IF ? "x" : "", f.FI ? "x" : "", f.II ? "(x)" : "");
    result.comparisons.push_back(
        compare_statement(fmt::format("row {}", r.name), printed, computed, printed == computed));
  }
}

Matrix2d drawn_matrix(Draws& draws) {
  Matrix2d P;
  P << draws.normal(), draws.normal(), draws.normal(), draws.normal();
  return P;
}

std::string plain(std::string word) {  // "S+F" without the signs
  std::erase(word, '+');
  return word;
}

// Drawn contacts, solved mode by mode, against the table of the classes.
void compare_drawn(Reproduction& result, const std::map<std::string, TwoContactFacts>& table) {
  Draws draws(64);
  const Vector2d one(1, 1);
  long wrong = 0;
  std::set<std::string> seen;
  constexpr int count = 6000;
  for (int i = 0; i < count; ++i) {
    const Matrix2d P = drawn_matrix(draws);
    const Vector2d b(draws.normal(), draws.normal());
    const std::string name = two_contact_class(P, b);
    std::set<std::string> found;
    for (const std::string& word : slip_mode_table(P, b, one, one).consistent_modes()) found.insert(plain(word));
    const auto& modes = table.at(name.substr(0, 2)).modes[static_cast<std::size_t>(name[2] - '1')];
    wrong += found == std::set<std::string>(modes.begin(), modes.end()) ? 0 : 1;
    seen.insert(name);
  }
  result.features.push_back(feature("the class decides the modes",
                                    "6000 drawn P and b, solved mode by mode, against the table", wrong == 0,
                                    fmt::format("{} differ", wrong)));
  result.features.push_back(feature("there are 4 × 6 × 6 classes", "classes of the drawn contacts", seen.size() == 144,
                                    fmt::format("{} met", seen.size())));
}

std::string classes_with(const std::map<std::string, TwoContactFacts>& table, const std::string& stability) {
  std::vector<std::string> names;
  for (const auto& row : table) {
    if (row.second.SS_stability == stability) names.push_back(row.first);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

Reproduction table_4() {
  Reproduction result;
  const auto table = facts();
  compare_rows(result, table);
  compare_drawn(result, table);
  result.comparisons.push_back(compare_statement("classes in which the stability of S+S+ is not determined",
                                                 "13, 14, 23, 31, 41, 46", classes_with(table, "depends"),
                                                 classes_with(table, "depends") == "13, 14, 23, 31, 41, 46"));
  result.features.push_back(feature("S+S+ is stable for all springs in 12 and 42 only", "signs of the minors of P",
                                    classes_with(table, "stable") == "12, 42", classes_with(table, "stable")));
  bool slip_signs = true;
  for (const auto& row : table) {
    const bool first = row.first[0] == '1' || row.first[0] == '4';  // p11 > 0
    slip_signs = slip_signs && (row.second.SF_stability == "stable") == first;
  }
  result.comparisons.push_back(compare_statement("S+F is stable", "if p11 > 0",
                                                 slip_signs ? "if and only if p11 > 0" : "otherwise", slip_signs));
  result.remark =
      "The shading of the cells is lost in the text layer; the six undecided classes are those that the text names. "
      "Duals are printed as "
      "“self” where a class is its own.";
  return result;
}

// ---- Sec. 6

std::string list(const std::set<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::set<std::string> subclasses(const std::map<std::string, TwoContactFacts>& table, std::size_t modes) {
  std::set<std::string> names;
  for (const auto& row : table) {
    for (std::size_t i = 0; i < 6; ++i) {
      if (row.second.modes[i].size() == modes) names.insert(row.first + std::to_string(i + 1));
    }
  }
  return names;
}

bool meets(const Matrix2d& P, int sign_x, int sign_y) {  // whether the cone of the columns meets an open quadrant
  for (const double share : evenly(0.0005, 0.9995, 1000)) {
    const Vector2d x = (1 - share) * P.col(0).normalized() + share * P.col(1).normalized();
    if (sign_x * x.x() > 0 && sign_y * x.y() > 0) return true;
  }
  return false;
}

void add_double_impact(Reproduction& result) {
  std::set<std::string> printed, third, fourth;
  for (const Row& r : printed_rows()) {
    if (*r.II != 0) printed.insert(r.name);
  }
  Draws draws(25);
  for (int i = 0; i < 1500; ++i) {
    const Matrix2d P = drawn_matrix(draws);
    const std::string name = two_contact_class(P, {1, 1}).substr(0, 2);
    if (std::none_of(printed_rows().begin(), printed_rows().end(), [&](const Row& r) { return r.name == name; }))
      continue;
    if (meets(P, -1, -1)) third.insert(name);
    if (meets(P, 1, -1)) fourth.insert(name);
  }
  add(result, {"E25", "necessary condition for a double impact", "cone(p1, p2) meets the fourth quadrant",
               "cone(p1, p2) meets the third quadrant", fourth != printed, third == printed,
               fmt::format("third quadrant: {}, the (x) of Table 4; fourth: {}", list(third), list(fourth))});
}

// Classes with the printed bounds of s2, without the direction opposite to p1.
void add_bounds(Reproduction& result) {
  const auto angle = [](const Vector2d& x) {
    return std::atan2(x.y(), x.x()) + (x.y() < 0 ? 2 * std::numbers::pi : 0);
  };
  Draws draws(23);
  std::map<std::string, std::set<std::vector<std::string>>> with, without;
  for (int i = 0; i < 6000; ++i) {
    const Matrix2d P = drawn_matrix(draws);
    const Vector2d b(draws.normal(), draws.normal());
    const auto modes = slip_mode_table(P, b, Vector2d(1, 1), Vector2d(1, 1)).consistent_modes();
    const std::string name = two_contact_class(P, b);
    std::vector<double> bounds{0.5 * std::numbers::pi, std::numbers::pi, 1.5 * std::numbers::pi, angle(P.col(0))};
    const auto s2 = 1 + std::count_if(bounds.begin(), bounds.end(), [&](double x) { return x < angle(P.col(1)); });
    with[name].insert(modes);
    without[fmt::format("{}{}{}", name[0], s2, name[2])].insert(modes);
  }
  const auto undecided = [](const auto& table) {
    return std::count_if(table.begin(), table.end(), [](const auto& row) { return row.second.size() > 1; });
  };
  add(result, {"E23", "bounds of the second index", "0, γ1, γ1 π/2, π, 3π/2, 2π", "0, γ1, γ̂1, π/2, π, 3π/2, 2π",
               undecided(without) > 10, undecided(with) == 0,
               fmt::format("labels that leave the modes open: {} without γ̂1, {} with it", undecided(without),
                           undecided(with))});
}

Reproduction section_6() {
  Reproduction result;
  const auto table = facts();
  std::set<std::string> several;
  for (std::size_t n = 2; n <= 4; ++n) {
    for (const std::string& name : subclasses(table, n)) {
      if (name.starts_with("15")) several.insert(name);
    }
  }
  const std::set<std::string> none = subclasses(table, 0), triple = subclasses(table, 3),
                              quadruple = subclasses(table, 4);
  add(result, {"E22", "indeterminate subclasses of 15", "151, 154, 156", "151, 154, 155, 156",
               several != std::set<std::string>{"151", "154", "156"},
               several == std::set<std::string>{"151", "154", "155", "156"}, "found: " + list(several)});
  result.comparisons.push_back(
      compare_statement("152 and 153", "inconsistent", "no mode", none.contains("152") && none.contains("153")));
  result.comparisons.push_back(compare_statement("112: S+S+, S+F, FS+", "triple indeterminacy",
                                                 "triple: " + list(triple), triple.contains("112")));
  result.comparisons.push_back(compare_statement("254 and 354", "quadruple indeterminacy",
                                                 "quadruple: " + list(quadruple),
                                                 quadruple.contains("254") && quadruple.contains("354")));
  std::set<std::string> only;
  for (std::size_t i = 0; i < 6; ++i) {
    if (table.at("26").modes[i] == std::vector<std::string>{"SS"}) only.insert(fmt::format("26{}", i + 1));
  }
  add(result, {"E24", "subclasses of 26 with S+S+ alone, and unstable", "261 and 262", "261, 262 and 266",
               only != std::set<std::string>{"261", "262"},
               only == std::set<std::string>{"261", "262", "266"} && table.at("26").SS_stability == "unstable" &&
                   dual_class("262") == "266",
               fmt::format("found: {}; 266 is the dual of 262; S+S+ {}", list(only), table.at("26").SS_stability)});
  add_double_impact(result);
  add_bounds(result);
  Matrix2d P;
  P << 3.051, -1.677, 1.555, -0.375;
  const Stability all = stability_for_all(P);
  result.comparisons.push_back(
      compare_statement("stability of S+S+ in class 14", "depends on the compliant model",
                        fmt::format("{}, with {} pairs of springs as witnesses", all.verdict, all.witnesses.size()),
                        all.verdict == "depends" && all.witnesses.size() == 2));
  add_label(result, "E35", "Secs. 6.1, 6.2: axis of the angle in the example; section of the compliance",
            "[0 1]; Sec. 3.2", "[1 0]; Sec. 4");
  return result;
}

// ---- Fig. 14

struct Vectors {
  double gamma1, gamma2;  // angles of p1 and p2
  Matrix2d P() const {
    Matrix2d m;
    m << std::cos(gamma1), std::cos(gamma2), std::sin(gamma1), std::sin(gamma2);
    return m;
  }
};

// The middle of the sector number s between sorted angles that begin at 0.
double middle_of(std::vector<double> cuts, int s) {
  cuts.push_back(2 * std::numbers::pi);
  std::sort(cuts.begin(), cuts.end());
  const auto i = static_cast<std::size_t>(s);
  return (cuts[i - 1] + cuts[i]) / 2;
}

Vectors vectors_of(const std::string& name) {
  constexpr double quarter = std::numbers::pi / 2;
  Vectors v{};
  v.gamma1 = quarter * (name[0] - '1') + 0.42 * quarter;
  const double opposite = std::fmod(v.gamma1 + 2 * quarter, 4 * quarter);
  v.gamma2 = middle_of({0, quarter, 2 * quarter, 3 * quarter, v.gamma1, opposite}, name[1] - '0');
  return v;
}

double beta_of(const Vectors& v, int s3) {
  constexpr double quarter = std::numbers::pi / 2;
  return middle_of({0, quarter, 2 * quarter, 3 * quarter, v.gamma1, v.gamma2}, s3);
}

Plot class_plot(const std::string& name) {
  const Vectors v = vectors_of(name);
  Plot plot;
  plot.title = name;
  plot.equal_scales = true;
  plot.frame = false;
  plot.legend = LegendPlace::none;
  plot.x.from = plot.y.from = -1.35;
  plot.x.to = plot.y.to = 1.35;
  const Colour grey{150, 150, 150};
  plot.layers.emplace_back(CurveLayer{{{-1.15, 0}, {1.15, 0}}, {grey, 0.7}});
  plot.layers.emplace_back(CurveLayer{{{0, -1.15}, {0, 1.15}}, {grey, 0.7}});
  const auto arrow = [&](double angle, double length, const Pen& pen, const std::string& text) {
    const Point to{length * std::cos(angle), length * std::sin(angle)};
    plot.layers.emplace_back(ArrowLayer{{0, 0}, to, pen});
    TextStyle style;
    style.size = 8;
    style.anchor = Anchor::middle;
    style.colour = pen.colour;
    plot.layers.emplace_back(NoteLayer{{1.2 * to[0], 1.2 * to[1]}, text, style, 0, -3});
  };
  for (int s3 = 1; s3 <= 6; ++s3) arrow(beta_of(v, s3), 0.72, {grey, 0.9, Dash::dashed}, std::to_string(s3));
  arrow(v.gamma1, 1, {series_colour(5), 1.7}, "/p/_{1}");
  arrow(v.gamma2, 1, {series_colour(6), 1.7}, "/p/_{2}");
  return plot;
}

Reproduction figure_14() {
  Reproduction result;
  Figure figure{"Directions of /p/_{1}, /p/_{2} (solid) and −/b/ (dashed, numbered by /s/_{3}) in each class",
                "",
                {},
                4,
                150,
                150};
  figure.letters = false;
  std::set<std::string> with_duals;
  bool classes = true, sectors = true;
  for (const Row& r : printed_rows()) {
    figure.panels.emplace_back(class_plot(r.name));
    const Vectors v = vectors_of(r.name);
    for (int s3 = 1; s3 <= 6; ++s3) {
      const double beta = beta_of(v, s3);
      const std::string found = two_contact_class(v.P(), -Vector2d(std::cos(beta), std::sin(beta)));
      classes = classes && found.substr(0, 2) == r.name;
      sectors = sectors && found[2] == '0' + s3;
    }
    with_duals.insert({r.name, dual_class(r.name)});
  }
  result.figures.push_back(std::move(figure));
  result.features.push_back(
      feature("the drawn p1, p2 belong to the class of their panel", "classification of the drawn vectors", classes));
  result.features.push_back(
      feature("each dashed arrow lies in the sector with its number", "classification of the drawn vectors", sectors));
  result.features.push_back(feature("the 16 panels and their duals are all 24 classes",
                                    "duals by exchange of the contacts", with_duals.size() == 24,
                                    fmt::format("{}", with_duals.size())));
  const std::string fourteen = two_contact_class(vectors_of("14").P(), {-1, -1}).substr(0, 2);
  const Vectors v = vectors_of("14");
  result.comparisons.push_back(
      compare_statement("example 14: p2", "in the third quadrant, at a smaller angle than −p1", "the same",
                        fourteen == "14" && v.gamma2 > std::numbers::pi && v.gamma2 < v.gamma1 + std::numbers::pi));
  result.remark = "Angles inside the sectors are ours. The dashed arrows show −b, whose sectors s3 counts.";
  return result;
}

}  // namespace

std::vector<PublishedItem> two_contact_items() {
  return {item("sec-6", "Two slipping contacts: indeterminacy, stability, impact", section_6),
          item("table-4", "Classes of two slipping contacts", table_4),
          item("fig-14", "Vectors of the classes", figure_14)};
}

}  // namespace painleve::champneys_varkonyi
