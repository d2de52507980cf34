#include "painleve/study/search.hpp"

#include <fmt/format.h>

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

Json extreme_json(const SearchProblem& problem, const Extreme& e) {
  Json j{{"value", e.value},
         {"at", Json::object()},
         {"interior", e.interior},
         {"at_hole", e.at_hole},
         {"confirmed", e.confirmed}};
  for (std::size_t k = 0; k < problem.axes.size(); ++k) j["at"][problem.axes[k].name] = e.at[k];
  if (e.scene.kind != SceneKind::mechanism) return j;
  const auto& names = e.scene.posed.mechanism->coordinates();
  for (std::size_t i = 0; i < names.size(); ++i) j["q"][names[i]] = e.scene.posed.state.q(static_cast<Eigen::Index>(i));
  return j;
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
  j["evaluated"] = report.evaluated;
  j["undefined"] = report.undefined;
  if (report.undefined > 0) j["undefined_reason"] = report.undefined_reason;
  j["complete"] = report.complete;
  return j;
}

std::string report_text(const SearchProblem& problem, const SearchReport& report) {
  std::string text;
  const char* kind = problem.minimise ? "minimum" : "maximum";
  for (const auto& e : report.extremes) {
    text += fmt::format("local {} {} = {:.12g}", kind, problem.quantity.name(), e.value);
    for (std::size_t k = 0; k < problem.axes.size(); ++k) {
      const bool angle = problem.source.unit(problem.axes[k].path) == "rad";
      text += fmt::format("{} {} = {:.10g}{}", k == 0 ? "  at" : ",", problem.axes[k].name,
                          angle ? e.at[k] * 57.295779513082321 : e.at[k], angle ? " deg" : "");
    }
    if (e.at_hole) {
      text += "  (where it ceases to exist)";
    } else if (!e.interior) {
      text += "  (at the edge)";
    }
    if (!e.confirmed) text += "  (seen on the finer grid only: refine to be sure of its neighbours)";
    text += "\n";
  }
  if (report.extremes.empty()) text += fmt::format("no {} of {} in this box\n", kind, problem.quantity.name());
  text += fmt::format("{} states; an extreme whose basin is narrower than a cell (", report.evaluated);
  for (std::size_t k = 0; k < report.cell.size(); ++k)
    text += fmt::format("{}{:.3g} in {}", k == 0 ? "" : ", ", report.cell[k], problem.axes[k].name);
  text += ") can be missed\n";
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
  for (const auto& text : options.over) problem.axes.push_back(axis(source, text, options.over.size()));
  interrupts_stop();
  Progress progress("search", common.quiet);
  const SearchReport report = search(problem, [&](double part) { return progress.update(part); });
  if (!report.complete) throw std::runtime_error("interrupted before the search was complete");
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
  add_common(*verb, common);
  verb->footer(
      "Examples:\n"
      "  painleve search rod --minimise mu_jam --over theta=0:90deg\n"
      "  painleve search articulated-arm --minimise mu_jam --over x=0:1 --over theta3=0:180deg\n"
      "  painleve search two-link --set height=0.5 --minimise mu_jam --over theta1=1.5:3.1 --set elbow=back");
  verb->callback([&common, &action, options] { action = [&common, options] { return run(*options, common); }; });
}

}  // namespace painleve::cli
