#include "painleve/reproduction/report.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/quantity.hpp"
#include "painleve/base/replaced_file.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

struct Options {
  std::string scene, output, t_end = "1", dt = "0.01";
  int cells = 81, threads = 0;
  bool no_limits = false;
  std::vector<std::string> set;
};

double seconds(const char* option, const std::string& text) {
  try {
    return parse_quantity(text, "s");
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
}

int run(const Options& options, const Common& common) {
  SceneSource source = SceneSource::open(options.scene);
  for (const auto& assignment : options.set) source.set(assignment);
  ReportOptions o;
  o.t_end = seconds("--t-end", options.t_end);
  o.dt = seconds("--dt", options.dt);
  o.cells = options.cells;
  o.threads = options.threads;
  o.converge = !options.no_limits;
  if (!options.output.ends_with(".html") && !options.output.ends_with(".htm") && !options.output.starts_with("/dev/"))
    throw InputError(fmt::format("the page {} must end in .html", in_quotes(options.output)));
  refuse_overwriting(options.output, {options.scene});
  check_writable(options.output);
  interrupts_stop();
  Progress progress("report", common.quiet);
  o.proceed = [&](double part) { return progress.update(part); };
  const Report page = report(source, o);
  replace_files({{options.output, page.html}});
  if (common.json) {
    print_json({{"schema", 1},
                {"command", "report"},
                {"scene", options.scene},
                {"complete", page.complete},
                {"files", {options.output}}});
  } else {
    print(fmt::format("{}written to {}\n", page.complete ? "" : "interrupted; ", options.output));
  }
  return page.complete ? done : interrupted_code();
}

}  // namespace

void add_report(CLI::App& app, Common& common, Action& action) {
  auto* verb =
      app.add_subcommand("report", "one self-contained HTML page about a scene: pictures and numbers of all verbs");
  auto options = std::make_shared<Options>();
  verb->add_option("SCENE", options->scene, "scenario file, shipped scenario or gallery name")->required();
  verb->add_option("-o,--output", options->output, "the page, for example report.html")->required();
  verb->add_option("--t-end", options->t_end, "time at which the simulations end (default 1 s)");
  verb->add_option("--dt", options->dt, "time step whose solutions are shown (default 0.01 s)");
  verb->add_option("--cells", options->cells, "cells per axis of the maps (default 81)");
  verb->add_option("--threads", options->threads, "of the maps (default: one per core)")->check(CLI::Range(0, 1024));
  verb->add_flag("--no-limits", options->no_limits, "leave out the study of stiff springs and small steps");
  verb->add_option("--set", options->set, "KEY=VALUE, overrides a value of the scene; may be repeated")
      ->allow_extra_args(false);
  add_common(*verb, common);
  verb->footer(
      "Examples:\n"
      "  painleve report rod-no-solution -o report.html\n"
      "  painleve report arm-jam -o arm.html --t-end 0.2 --no-limits\n"
      "Ctrl-C ends the page after the section at work; the exit code is then 130.");
  verb->callback([&common, &action, options] { action = [&common, options] { return run(*options, common); }; });
}

}  // namespace painleve::cli
