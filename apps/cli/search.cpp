#include "painleve/study/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/quantity.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string scene, minimise, maximise;
  std::vector<std::string> over, set;
  int threads = 0;
};

SearchAxis axis(const SceneSource& source, const std::string& text, std::size_t axes) {
  const auto equals = text.find('=');
  if (equals == std::string::npos)
    throw InputError(fmt::format("--over takes NAME=FROM:TO or NAME=FROM:TO:N, but was given {}", in_quotes(text)));
  SearchAxis a;
  a.name = text.substr(0, equals);
  a.path = source.resolve(a.name);
  Range range;
  try {
    range = parse_range(text.substr(equals + 1), source.unit(a.path));
  } catch (const InputError& error) {
    throw InputError(fmt::format("--over {}: {}", a.name, error.what()));
  }
  a.from = range.from;
  a.to = range.to;
  a.count = range.count == 0 ? default_count(axes) : range.count;
  return a;
}

Json place_json(const SearchProblem& problem, const std::vector<double>& at) {
  Json j = Json::object();
  for (std::size_t k = 0; k < problem.axes.size(); ++k) j[problem.axes[k].name] = at[k];
  return j;
}

// What it has in common with other places, where it is not a single point.
void put_family(Json& j, const SearchProblem& problem, const Extreme& e) {
  if (e.members == 1) {
    j["family"] = nullptr;
    j["family_reason"] = "no other place of the same value is joined to it";
  } else {
    j["family"] = {{"members", e.members}, {"from", place_json(problem, e.from)}, {"to", place_json(problem, e.to)}};
  }
}

Json extreme_json(const SearchProblem& problem, const Extreme& e) {
  Json j{{"value", e.value},
         {"at", place_json(problem, e.at)},
         {"interior", e.interior},
         {"at_hole", e.at_hole},
         {"confirmed", e.confirmed}};
  put_family(j, problem, e);
  if (e.scene.kind != SceneKind::mechanism) return j;
  const auto& names = e.scene.posed.mechanism->coordinates();
  for (std::size_t i = 0; i < names.size(); ++i) j["q"][names[i]] = e.scene.posed.state.q(static_cast<Eigen::Index>(i));
  return j;
}

// What can be missed, and how small it would have to be.
std::string guarantee(const SearchProblem& problem, const SearchReport& report) {
  std::string cells;
  for (std::size_t k = 0; k < report.cell.size(); ++k)
    cells += fmt::format("{}{:.3g} in {}", k == 0 ? "" : ", ", report.cell[k], problem.axes[k].name);
  return fmt::format(
      "an extreme better than all grid points between one and two cells from it is found; one whose basin "
      "is narrower than a cell ({}) can be missed",
      cells);
}

Json report_json(const SearchProblem& problem, const SearchReport& report, const std::string& scene) {
  Json j{{"schema", 1},
         {"command", "search"},
         {"scene", scene},
         {"quantity", problem.quantity.name()},
         {"sense", problem.minimise ? "minimise" : "maximise"}};
  j["over"] = Json::array();
  for (std::size_t k = 0; k < problem.axes.size(); ++k) {
    const auto& a = problem.axes[k];
    j["over"].push_back({{"name", a.name},
                         {"path", a.path},
                         {"unit", problem.source.unit(a.path)},
                         {"from", a.from},
                         {"to", a.to},
                         {"count", a.count},
                         {"cell", report.cell[k]}});
  }
  const char* kind = problem.minimise ? "minima" : "maxima";
  j[kind] = Json::array();
  j["edge"] = Json::array();
  for (const auto& e : report.extremes) j[e.interior ? kind : "edge"].push_back(extreme_json(problem, e));
  j["unbounded"] = Json::array();
  for (const auto& e : report.unbounded) {
    Json one{{"towards", place_json(problem, e.at)}, {"exponent", *e.exponent}, {"last_value", e.value}};
    put_family(one, problem, e);
    j["unbounded"].push_back(std::move(one));
  }
  j["independent_of"] = report.independent;
  j["guarantee"] = guarantee(problem, report);
  j["evaluated"] = report.evaluated;
  j["undefined"] = report.undefined;
  if (report.undefined > 0) j["undefined_reason"] = report.undefined_reason;
  j["complete"] = report.complete;
  return j;
}

std::string number_text(const SearchProblem& problem, std::size_t axis, double value) {
  const bool angle = problem.source.unit(problem.axes[axis].path) == "rad";
  return fmt::format("{:.10g}{}", angle ? value * 57.295779513082321 : value, angle ? " deg" : "");
}

bool is_independent(const SearchReport& report, const std::string& axis) {
  return std::find(report.independent.begin(), report.independent.end(), axis) != report.independent.end();
}

// "x = 0.785, theta3 = 76.7 deg"; "x = 0 to 1" where it is a family.
std::string place_text(const SearchProblem& problem, const SearchReport& report, const Extreme& e) {
  std::string text;
  for (std::size_t k = 0; k < problem.axes.size(); ++k) {
    const std::string& name = problem.axes[k].name;
    text += fmt::format("{}{} = ", text.empty() ? "" : ", ", name);
    if (is_independent(report, name))
      text += "any";
    else if (e.members > 1)
      text += number_text(problem, k, e.from[k]) + " to " + number_text(problem, k, e.to[k]);
    else
      text += number_text(problem, k, e.at[k]);
  }
  return text;
}

std::string extreme_text(const SearchProblem& problem, const SearchReport& report, const Extreme& e) {
  std::string text = fmt::format("local {} {} = {:.12g}  at {}", problem.minimise ? "minimum" : "maximum",
                                 problem.quantity.name(), e.value, place_text(problem, report, e));
  if (e.members > 1) text += fmt::format("  (a family: {} places joined by a path of this value)", e.members);
  if (e.at_hole)
    text += "  (where it ceases to exist)";
  else if (!e.interior)
    text += "  (at the edge)";
  if (!e.confirmed) text += "  (seen on the finer grid only: refine to be sure of its neighbours)";
  return text + "\n";
}

std::string report_text(const SearchProblem& problem, const SearchReport& report) {
  std::string text;
  const std::string& quantity = problem.quantity.name();
  for (const auto& e : report.extremes) text += extreme_text(problem, report, e);
  for (const auto& e : report.unbounded)
    text += fmt::format("unbounded: {} {} without bound towards {}, like distance^{:.3g}\n", quantity,
                        problem.minimise ? "falls" : "grows", place_text(problem, report, e), *e.exponent);
  if (report.extremes.empty() && report.unbounded.empty())
    text += fmt::format("no {} of {} in this box\n", problem.minimise ? "minimum" : "maximum", quantity);
  if (!report.independent.empty())
    text += fmt::format("{} does not depend on {}\n", quantity, fmt::join(report.independent, ", "));
  text += fmt::format("{} states; {}\n", report.evaluated, guarantee(problem, report));
  if (report.undefined > 0) {
    text +=
        fmt::format("{} grid points have no value, the first because {}\n", report.undefined, report.undefined_reason);
  }
  return text;
}

int run(const Options& options, const Common& common) {
  if (options.minimise.empty() == options.maximise.empty())
    throw InputError("search takes one of --minimise QUANTITY and --maximise QUANTITY");
  SceneSource source = SceneSource::open(options.scene);
  for (const auto& assignment : options.set) source.set(assignment);
  const bool minimise = options.maximise.empty();
  SearchProblem problem{source, Quantity::parse(minimise ? options.minimise : options.maximise), minimise, {}};
  problem.threads = options.threads;
  for (const auto& text : options.over) problem.axes.push_back(axis(source, text, options.over.size()));
  interrupts_stop();
  Progress progress("search", common.quiet);
  const SearchReport report = search(problem, [&](double part) { return progress.update(part); });
  if (!report.complete) {
    std::fputs("painleve: interrupted before the search was complete\n", stderr);
    if (common.json) print_json({{"schema", 1}, {"command", "search"}, {"scene", options.scene}, {"complete", false}});
    return interrupted_code();
  }
  if (common.json) {
    print_json(report_json(problem, report, options.scene));
  } else {
    print(report_text(problem, report));
  }
  return done;
}

}  // namespace

void add_search(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("search", "all local extremes of a quantity over parameters and state variables");
  auto options = std::make_shared<Options>();
  verb->add_option("SCENE", options->scene, "scenario file, shipped scenario or gallery name")->required();
  verb->add_option("--minimise,--minimize", options->minimise,
                   "quantity: " + fmt::format("{}", fmt::join(quantity_names(), ", ")));
  verb->add_option("--maximise,--maximize", options->maximise, "likewise");
  verb->add_option("--over", options->over, "NAME=FROM:TO[:N], repeatable: a range with N grid points, ends included")
      ->required()
      ->allow_extra_args(false);
  verb->add_option("--set", options->set, "KEY=VALUE, overrides a value of the scene; may be repeated")
      ->allow_extra_args(false);
  verb->add_option("--threads", options->threads, "that share the grid; the answer is the same (default: one per core)")
      ->check(CLI::Range(0, 1024));
  add_common(*verb, common);
  verb->footer(
      "Examples:\n"
      "  painleve search rod --minimise mu_jam --over theta=0:90deg\n"
      "  painleve search articulated-arm --minimise mu_jam --over x=0:1 --over theta3=0:180deg\n"
      "  painleve search two-link --set height=0.5 --minimise mu_jam --over theta1=1.5:3.1 --set elbow=back");
  verb->callback([&common, &action, options] { action = [&common, options] { return run(*options, common); }; });
}

}  // namespace painleve::cli
