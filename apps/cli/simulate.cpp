#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/quantity.hpp"
#include "painleve/base/replaced_file.hpp"
#include "painleve/scene/run_file.hpp"
#include "painleve/scene/simulating.hpp"
#include "simulate_text.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

struct Options {
  std::string scene, method, t_end = "1", dt = "1e-3", scheme = "moreau-jean", policy = "principle";
  std::string several = "sequential", smoothing = "0", output;
  double theta = 0.5, tolerance = 1e-11, position_correction = 0;
  std::uint64_t seed = 0;
  int samples = 1000;
  std::vector<std::string> set;
};

double quantity(const char* option, const std::string& text, const char* unit) {
  try {
    return parse_quantity(text, unit);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
}

SimulateOptions simulate_options(const Options& options) {
  SimulateOptions o;
  if (!options.method.empty()) o.method = simulation_method(options.method);
  o.simulation.t_end = quantity("--t-end", options.t_end, "s");
  o.simulation.policy = policy(options.policy);
  o.simulation.seed = options.seed;
  o.simulation.relative = options.tolerance;
  o.simulation.samples = options.samples;
  o.simulation.several = several_impacts(options.several);
  o.stepping.dt = quantity("--dt", options.dt, "s");
  o.stepping.scheme = step_scheme(options.scheme);
  o.stepping.theta = options.theta;
  o.stepping.position_correction = options.position_correction;
  o.compliant.smoothing = quantity("--smoothing", options.smoothing, "m/s");
  if (!(o.compliant.smoothing >= 0)) throw InputError("--smoothing must not be negative");
  return o;
}

// An option that would change nothing is a misunderstanding.
void check_use(const CLI::App& verb, const Options& options, SimulationMethod method) {
  struct Use {
    const char* option;
    std::vector<SimulationMethod> methods;
  };
  using enum SimulationMethod;
  static const std::vector<Use> uses = {{"--dt", {step}},
                                        {"--scheme", {step}},
                                        {"--theta", {step}},
                                        {"--position-correction", {step}},
                                        {"--seed", {event, step}},
                                        {"--several", {event}},
                                        {"--tolerance", {event, compliant}},
                                        {"--smoothing", {compliant}}};
  for (const Use& use : uses) {
    if (verb.count(use.option) == 0 || std::count(use.methods.begin(), use.methods.end(), method) > 0) continue;
    const char* other = use.methods.size() == 2 ? " or " : "";
    throw InputError(fmt::format("{} is for --method {}{}{}, not {}", use.option, to_string(use.methods.front()), other,
                                 use.methods.size() == 2 ? to_string(use.methods.back()) : "", to_string(method)));
  }
  if (verb.count("--seed") > 0 && options.policy != "seeded") throw InputError("--seed is for --policy seeded");
  if (options.scheme != "stewart-trinkle") return;
  for (const char* name : {"--theta", "--position-correction"})
    if (verb.count(name) > 0) throw InputError(fmt::format("{} is for --scheme moreau-jean", name));
}

painleve::Run simulate_with_progress(const Scene& scene, SimulateOptions& options, bool quiet) {
  Progress progress("simulate", quiet);
  std::optional<double> start;
  options.simulation.progress = [&](const painleve::Progress& p) {
    if (!start) start = p.t;
    return progress.update(p.t_end > *start ? (p.t - *start) / (p.t_end - *start) : 0);
  };
  return simulate(scene, options);
}

std::vector<std::string> output_files(const std::string& path) {
  if (path.empty()) return {};
  if (!path.ends_with(".csv")) return {path};
  return {path, events_path(path)};
}

bool was_interrupted(const painleve::Run& result) {
  return result.stopped == "interrupted" || std::any_of(result.futures.begin(), result.futures.end(), was_interrupted);
}

// Before the work, so that it is not lost.
void check_places(const Options& options) {
  if (options.output.empty()) return;
  check_run_path(options.output);
  for (const std::string& path : output_files(options.output)) {
    refuse_overwriting(path, {options.scene});
    check_writable(path);
  }
}

int run(const CLI::App& verb, const Options& options, const Common& common) {
  SceneSource source = SceneSource::open(options.scene);
  for (const auto& assignment : options.set) source.set(assignment);
  SimulateOptions o = simulate_options(options);
  check_places(options);
  const Scene scene = source.build();
  check_use(verb, options, chosen_method(scene, o));
  interrupts_stop();
  const painleve::Run result = simulate_with_progress(scene, o, common.quiet);
  if (!options.output.empty()) write_run(result, options.output);
  const auto files = output_files(options.output);
  if (common.json) {
    nlohmann::ordered_json j = to_json(scene, o, result);
    j["files"] = files;
    print_json(j);
  } else {
    std::string text = simulate_text(scene, o, result);
    if (!files.empty()) text += fmt::format("written to {}\n", fmt::join(files, " and "));
    print(text);
  }
  return was_interrupted(result) ? interrupted_code() : done;
}

void add_options(CLI::App& verb, Options& o) {
  verb.add_option("SCENE", o.scene, "scenario file, shipped scenario or gallery name")->required();
  verb.add_option("--method", o.method,
                  "event (rigid contacts, located events; default), step (fixed time steps) or compliant "
                  "(springs; default where they are compressed at the start, as those of brake-pad; the only one for "
                  "contact-space and drifting-contacts)")
      ->check(CLI::IsMember(simulation_methods()));
  verb.add_option("--t-end", o.t_end, "time at which the run ends, for example 1 or 500ms (default 1 s)");
  verb.add_option("--policy", o.policy,
                  "at several continuations: principle (default), stiff-limit, seeded or all (every one of them); "
                  "with springs there is always one")
      ->check(CLI::IsMember({"principle", "stiff-limit", "seeded", "all"}));
  verb.add_option("--seed", o.seed, "of the policy seeded, a whole number >= 0 (default 0)")->check(is_seed);
  verb.add_option("--samples", o.samples, "evenly spaced samples beside those at events (default 1000)");
  verb.add_option("--tolerance", o.tolerance, "relative tolerance of the integrators of event and compliant (1e-11)");
  verb.add_option("--several", o.several, "impacts at several contacts at once, method event (default sequential)")
      ->check(CLI::IsMember(several_impacts()));
  verb.add_option("--dt", o.dt, "time step of the method step, for example 1e-3 or 1ms (default 1e-3 s)");
  verb.add_option("--scheme", o.scheme, "of the method step: moreau-jean (default) or stewart-trinkle")
      ->check(CLI::IsMember(step_schemes()));
  verb.add_option("--theta", o.theta,
                  "of moreau-jean, between 0.5 (default, second order in flight, first with contacts) and 1");
  verb.add_option("--position-correction", o.position_correction,
                  "of moreau-jean: part of a penetration that is removed per step, 0 (default) to 1");
  verb.add_option("--smoothing", o.smoothing, "of compliant: slip speed below which friction is smoothed (default 0)");
  verb.add_option("-o,--output", o.output, "run.csv (events in run.events.csv) or run.h5")
      ->check([](const std::string& name) { return name.empty() ? std::string("the name is empty") : std::string(); });
  verb.add_option("--set", o.set, "KEY=VALUE, overrides a value of the scene; may be repeated")
      ->allow_extra_args(false);
}

}  // namespace

void add_simulate(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("simulate", "the motion through impacts, jams and indeterminacies, with its energy");
  auto options = std::make_shared<Options>();
  add_options(*verb, *options);
  add_common(*verb, common);
  verb->footer(
      "Examples:\n"
      "  painleve simulate rod-falling --t-end 1.2\n"
      "  painleve simulate rod-three-solutions --policy all --t-end 0.2\n"
      "  painleve simulate rod-no-solution --method step --dt 0.01 -o run.csv\n"
      "  painleve simulate rod-no-solution --method compliant --set stiffness=1e6 -o run.h5\n"
      "  painleve simulate table-a1-6a --t-end 0.02 --json\n"
      "Ctrl-C ends a run cleanly: what was computed is written and printed, and the exit code is 130.");
  verb->callback([&common, &action, verb, options] {
    action = [&common, verb, options] { return run(*verb, *options, common); };
  });
}

}  // namespace painleve::cli
