#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "compare_page.hpp"
#include "compare_text.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/quantity.hpp"
#include "painleve/base/replaced_file.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

struct Options {
  std::string scene, output, dt = "0.01", timeout = "20";
  std::vector<std::string> engines, programs, settings, set;
  double tolerance = 1e-3;
  std::optional<double> control_mu;
};

double seconds(const char* option, const std::string& text) {
  try {
    return parse_quantity(text, "s");
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
}

CompareOptions compare_options(const Options& options) {
  CompareOptions o;
  o.dt = seconds("--dt", options.dt);
  o.seconds = seconds("--timeout", options.timeout);
  o.engines = options.engines;
  o.programs = options.programs;
  o.settings = options.settings;
  o.tolerance = options.tolerance;
  o.control_mu = options.control_mu;
  return o;
}

void check_output(const Options& options) {
  if (options.output.empty()) return;
  if (!options.output.ends_with(".html") && !options.output.ends_with(".htm") && !options.output.starts_with("/dev/"))
    throw InputError(fmt::format("the page {} must end in .html", in_quotes(options.output)));
  refuse_overwriting(options.output, {options.scene});
  check_writable(options.output);
}

bool never_answered(const CompareReport& report, const ComparedEngine& engine) {
  return std::none_of(report.rows.begin(), report.rows.end(), [&](const EngineRow& row) {
    return row.engine == engine.name && row.answer.status != AnswerStatus::failed;
  });
}

// An engine that was asked for and is not there or only fails, or none at all: the comparison did not take place.
bool something_missing(const CompareReport& report) {
  return report.rows.empty() || std::any_of(report.engines.begin(), report.engines.end(), [&](const ComparedEngine& e) {
           return e.asked && (e.missing || never_answered(report, e));
         });
}

int run(const Options& options, const Common& common) {
  SceneSource source = SceneSource::open(options.scene);
  for (const auto& assignment : options.set) source.set(assignment);
  CompareOptions o = compare_options(options);
  check_output(options);
  interrupts_stop();
  Progress progress("compare", common.quiet);
  o.proceed = [&](double part) { return progress.update(part); };
  const CompareReport report = compare(source.build(), o);
  if (!options.output.empty()) replace_files({{options.output, compare_page(report)}});
  if (common.json) {
    print_json(to_json(report));
  } else {
    print(compare_text(report) + (options.output.empty() ? "" : fmt::format("\nwritten to {}\n", options.output)));
  }
  if (!report.complete) return interrupted_code();
  return something_missing(report) ? failed : done;
}

void add_options(CLI::App& verb, Options& options) {
  verb.add_option("SCENE", options.scene, "scenario file, shipped scenario or gallery name")->required();
  verb.add_option("--engines", options.engines,
                  "mujoco, siconos, ode, bullet, bullet32, dart, box2d, simbody (default: all that are found)")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option("--engine-program", options.programs,
                  "path of an adapter of your own (docs/engines.md says what it reads and writes); may be repeated")
      ->allow_extra_args(false);
  verb.add_option("--dt", options.dt, "the time step, for example 0.01 or 5ms (default 0.01 s)");
  verb.add_option("--setting", options.settings,
                  "only this setting, worldstep or ode:worldstep; may be repeated (default: all of each engine)")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_option("--tolerance", options.tolerance,
                  "an answer is one of the solutions when it is this near, relative to its impulse (default 1e-3)");
  verb.add_option("--control-mu", options.control_mu,
                  "friction of the control (default: 0.3 or less, so that its answer is beyond dispute)");
  verb.add_option("--timeout", options.timeout, "for one answer of one engine (default 20 s)");
  verb.add_option("-o,--output", options.output, "a page with the tables, for example engines.html");
  verb.add_option("--set", options.set, "KEY=VALUE, overrides a value of the scene; may be repeated")
      ->allow_extra_args(false);
}

}  // namespace

void add_compare(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("compare", "what physics engines return on the same state and step");
  auto options = std::make_shared<Options>();
  add_options(*verb, *options);
  add_common(*verb, common);
  verb->footer(
      "Examples:\n"
      "  painleve compare rod-no-solution\n"
      "  painleve compare rod-three-solutions --engines ode,siconos --dt 0.01 -o engines.html\n"
      "  painleve compare rod-no-solution --setting ode:worldstep --json\n"
      "  painleve compare wedge --engine-program ./my-adapter\n"
      "Exit code 1 when an engine that was asked for is not installed.");
  verb->callback([&common, &action, options] { action = [&common, options] { return run(*options, common); }; });
}

}  // namespace painleve::cli
