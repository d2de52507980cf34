#include "painleve/scene/solving.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/quantity.hpp"
#include "solve_text.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

struct Options {
  std::string scene, formulation = "acceleration", dt = "0.01", form = "stewart-trinkle";
  bool with_drift = false;
  int facets = 0;
  std::vector<std::string> set;
};

SolveOptions solve_options(const Options& options) {
  static const std::map<std::string, FormulationKind> kinds = {{"acceleration", FormulationKind::acceleration},
                                                               {"impulse", FormulationKind::impulse},
                                                               {"step", FormulationKind::step}};
  SolveOptions o;
  o.formulation = kinds.at(options.formulation);
  try {
    o.step.dt = parse_quantity(options.dt, "s");
  } catch (const InputError& error) {
    throw InputError(fmt::format("--dt: {}", error.what()));
  }
  o.step.with_drift = options.with_drift;
  o.step.form = options.form == "anitescu-potra" ? StepForm::anitescu_potra : StepForm::stewart_trinkle;
  o.facets = options.facets;
  return o;
}

// An option that would change nothing is a misunderstanding.
void check_step_options(const CLI::App& verb, const Options& options) {
  if (options.formulation == "step") return;
  for (const char* name : {"--dt", "--with-drift", "--form"})
    if (verb.count(name) > 0)
      throw InputError(fmt::format("{} is for --formulation step, not {}", name, options.formulation));
}

int run(const Options& options, const Common& common) {
  SceneSource source = SceneSource::open(options.scene);
  for (const auto& assignment : options.set) source.set(assignment);
  const SolveReport report = solve(source.build(), solve_options(options));
  if (common.json)
    print_json(to_json(report));
  else
    print(solve_text(report));
  return done;
}

}  // namespace

void add_solve(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("solve", "all solutions of one complementarity problem, with certificates");
  auto options = std::make_shared<Options>();
  verb->add_option("SCENE", options->scene, "scenario file, shipped scenario or gallery name")->required();
  verb->add_option("--formulation", options->formulation, "acceleration (default), impulse or step")
      ->check(CLI::IsMember({"acceleration", "impulse", "step"}));
  verb->add_option("--dt", options->dt, "time step of the formulation step, for example 0.01 or 5ms (default 0.01 s)");
  verb->add_flag("--with-drift", options->with_drift, "adds dt times the drift to the free velocity of a step");
  verb->add_option("--form", options->form,
                   "of a step: stewart-trinkle (default: all contacts, with their gaps) or anitescu-potra (closed "
                   "contacts, velocities only)")
      ->check(CLI::IsMember({"stewart-trinkle", "anitescu-potra"}));
  verb->add_option("--facets", options->facets,
                   "in space: a friction polygon with that many corners instead of the round cone, for comparison")
      ->check(CLI::Range(3, 64));
  verb->add_option("--set", options->set, "KEY=VALUE, overrides a value of the scene; may be repeated")
      ->allow_extra_args(false);
  add_common(*verb, common);
  verb->footer(
      "Examples:\n"
      "  painleve solve rod-no-solution --formulation acceleration\n"
      "  painleve solve rod-three-solutions --formulation step --dt 0.01\n"
      "  painleve solve rod-three-solutions --formulation impulse --json\n"
      "  painleve solve rod-3d --formulation step --facets 8 --set mu=2");
  verb->callback([&common, &action, verb, options] {
    action = [&common, verb, options] {
      check_step_options(*verb, *options);
      return run(*options, common);
    };
  });
}

}  // namespace painleve::cli
