// What was published, computed again. An item is one table, figure, theorem or set of equations of a paper; its result
// holds the printed numbers beside ours, the features of its figures as tests, and the figures.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "painleve/figure/plot.hpp"

namespace painleve {

// A printed statement beside what is computed.
struct Comparison {
  std::string what;                  // "μ_jam at θ = 45°"
  std::string printed;               // as the paper has it, digits as printed; empty: the paper prints no number
  std::string computed;              // to at least as many digits
  std::optional<double> difference;  // where both are numbers
  bool match = false;                // to the printed digits
  std::string erratum;               // where they differ and why is known: its name in docs/errata.md, "E-P7"
  std::string note;
};

// A property of a figure, tested by another route than the one that drew it.
struct Feature {
  std::string statement;  // "the curve has its minimum 4/3 at tan θ = 2"
  std::string route;      // "closed form against the minimum of the drawn curve"
  bool holds = false;
  std::string measured;  // "differs by 3e-13"
};

struct Reproduction {
  std::vector<Comparison> comparisons;
  std::vector<Feature> features;  // at least three per figure
  std::vector<Figure> figures;
  std::string remark;  // what cannot be compared and why, own choices where the paper is silent
};

struct PublishedItem {
  std::string paper;  // "peiret-cone", "peiret", "preclik", "champneys-varkonyi", "varkonyi"
  std::string name;   // "fig-4", "table-1", "eq-45-49", "theorem-3.1"
  std::string title;
  std::vector<std::string> scenarios;  // shipped scenarios that it uses
  std::function<Reproduction()> compute;
};

struct Paper {
  std::string name, citation;
};

const std::vector<Paper>& papers();
const std::vector<PublishedItem>& published_items();  // in the order of the papers

// A printed number, digits as printed, against ours: it matches when ours rounds to it (half a unit in the last printed
// place, and a little for printed halves). "−0.31", "1.2e-5", "1.72π" (rounded before the factor π) and exact fractions
// "4/3", "3π/2" are read; throws InputError for anything else. The erratum is dropped where the numbers match.
Comparison compare_printed(const std::string& what, const std::string& printed, double computed,
                           const std::string& erratum = "", const std::string& note = "");
// A printed statement that is either so or not.
Comparison compare_statement(const std::string& what, const std::string& printed, const std::string& computed,
                             bool match, const std::string& erratum = "", const std::string& note = "");
// |measured − expected| ≤ tolerance, with both numbers in words.
Feature feature_near(const std::string& statement, const std::string& route, double measured, double expected,
                     double tolerance);
Feature feature(const std::string& statement, const std::string& route, bool holds, const std::string& measured = "");

// A number for a page that has to be the same bytes on all machines: so many significant digits, and 0 for what is only
// rounding (below 1e-12).
std::string in_digits(double value, int significant = 6);
// "less than 1e-7": the size of an error without its digits, which depend on the machine.
std::string error_size(double error);

// True when nothing is unexplained: every comparison matches or names an erratum, and every feature holds.
bool explained(const Reproduction& result);

}  // namespace painleve
