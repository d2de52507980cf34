#include "painleve/study/converge.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "converge_text.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/quantity.hpp"
#include "painleve/base/replaced_file.hpp"
#include "painleve/figure/convergence_figure.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

struct Options {
  std::string scene, stiffness, dt, t_end = "0.1", policy = "all", figure;
  double theta = 0.5, tolerance = 1e-11;
  std::vector<std::string> regularisations, schemes, set;
};

// "1e3:1e8:6", or falling; unlike elsewhere the values are at equal ratios.
std::vector<double> range(const char* option, const std::string& text, const char* unit) {
  if (text.empty()) return {};
  const auto first = text.find(':');
  const auto second = first == std::string::npos ? first : text.find(':', first + 1);
  if (second == std::string::npos)
    throw InputError(fmt::format("{} takes FROM:TO:N, as 1e3:1e8:6, but was given {}", option, in_quotes(text)));
  try {
    const double a = parse_quantity(text.substr(0, first), unit);
    const double b = parse_quantity(text.substr(first + 1, second - first - 1), unit);
    const double n = parse_number(text.substr(second + 1));
    if (n != static_cast<int>(n)) throw InputError("the number of values must be whole");
    return logarithmic_range(a, b, static_cast<int>(n));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
}

// "viscoelastic,hertz:damping=10", and the option may be repeated.
std::vector<std::string> words(const std::vector<std::string>& lists) {
  std::vector<std::string> all;
  for (const std::string& list : lists) {
    std::size_t from = 0;
    while (from <= list.size()) {
      const std::size_t to = std::min(list.find(',', from), list.size());
      if (to > from) all.push_back(list.substr(from, to - from));
      from = to + 1;
    }
  }
  return all;
}

double seconds(const char* option, const std::string& text) {
  try {
    return parse_quantity(text, "s");
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
}

void check_use(const CLI::App& verb, const ConvergeProblem& problem) {
  for (const char* option : {"--scheme", "--theta", "--policy"}) {
    if (verb.count(option) > 0 && problem.dt.empty())
      throw InputError(fmt::format("{} is for time steps: give --dt FROM:TO:N as well", option));
  }
  if (verb.count("--regularisation") > 0 && problem.stiffness.empty())
    throw InputError("--regularisation is for springs: give --stiffness FROM:TO:N as well");
}

ConvergeProblem problem_of(const CLI::App& verb, const Options& options) {
  ConvergeProblem problem;
  problem.stiffness = range("--stiffness", options.stiffness, "N/m");
  problem.dt = range("--dt", options.dt, "s");
  for (const std::string& text : words(options.regularisations))
    problem.regularisations.push_back(Regularisation::parse(text));
  for (const std::string& text : words(options.schemes)) problem.schemes.push_back(step_scheme(text));
  problem.theta = options.theta;
  problem.simulation.t_end = seconds("--t-end", options.t_end);
  problem.simulation.policy = policy(options.policy);
  problem.simulation.relative = options.tolerance;
  check_use(verb, problem);
  SceneSource source = SceneSource::open(options.scene);
  for (const auto& assignment : options.set) source.set(assignment);
  problem.scene = source.build();
  return problem;
}

int run(const CLI::App& verb, const Options& options, const Common& common) {
  const ConvergeProblem problem = problem_of(verb, options);
  if (!options.figure.empty()) {  // a wrong ending or place is told before the work
    encoded(Canvas(1, 1), options.figure);
    refuse_overwriting(options.figure, {options.scene});
    check_writable(options.figure);
  }
  interrupts_stop();
  Progress progress("converge", common.quiet);
  const ConvergeReport report = converge(problem, [&](double part) { return progress.update(part); });
  if (!options.figure.empty()) save(draw(convergence_figure(problem, report)), options.figure, problem.scene.name);
  if (common.json) {
    nlohmann::ordered_json j = to_json(problem, report);
    j["files"] = options.figure.empty() ? std::vector<std::string>{} : std::vector<std::string>{options.figure};
    print_json(j);
  } else {
    std::string text = converge_text(problem, report);
    if (!options.figure.empty()) text += fmt::format("written to {}\n", options.figure);
    print(text);
  }
  return report.complete ? done : interrupted_code();
}

void add_options(CLI::App& verb, Options& o) {
  verb.add_option("SCENE", o.scene, "scenario file, shipped scenario or gallery name")->required();
  verb.add_option("--stiffness", o.stiffness, "FROM:TO:N, at equal ratios: springs of the first contact [N/m]");
  verb.add_option("--dt", o.dt, "FROM:TO:N, at equal ratios: time steps [s]");
  verb.add_option("--t-end", o.t_end, "time at which every run ends, for example 0.1 or 100ms (default 0.1 s)");
  verb.add_option("--regularisation,--regularization", o.regularisations,
                  "springs to try, in a list with commas or repeated: LAW[:damping=FACTOR][:friction=scene|exact|"
                  "springs|smoothed][:start=[FACTOR]static] with LAW viscoelastic, kelvin-voigt, preclik, "
                  "hunt-crossley or hertz (default: a standard set of them)")
      ->allow_extra_args(false);
  verb.add_option(
          "--scheme", o.schemes,
          "of the time steps: moreau-jean, stewart-trinkle (default: both, or the first where contacts rebound)")
      ->allow_extra_args(false);
  verb.add_option("--theta", o.theta, "of moreau-jean, between 0.5 (default) and 1");
  verb.add_option("--policy", o.policy, "of the time steps where a step has several solutions (default all)")
      ->check(CLI::IsMember({"principle", "stiff-limit", "all"}));
  verb.add_option("--tolerance", o.tolerance, "relative tolerance of the integrators (1e-11)");
  verb.add_option("--figure", o.figure, "picture.svg, .png or .pdf: errors and impulses against 1/k or dt")
      ->check([](const std::string& name) { return name.empty() ? std::string("the name is empty") : std::string(); });
  verb.add_option("--set", o.set, "KEY=VALUE, overrides a value of the scene; may be repeated")
      ->allow_extra_args(false);
}

}  // namespace

void add_converge(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("converge",
                                  "how springs of growing stiffness and shorter time steps approach the rigid answers");
  auto options = std::make_shared<Options>();
  add_options(*verb, *options);
  add_common(*verb, common);
  verb->footer(
      "Examples:\n"
      "  painleve converge rod-no-solution --stiffness 1e3:1e8:6\n"
      "  painleve converge rod-no-solution --dt 1e-2:1e-5:4\n"
      "  painleve converge rod-three-solutions --stiffness 1e3:1e8:6 --figure limits.svg\n"
      "  painleve converge rod-falling --stiffness 1e4:1e9:6 --regularisation viscoelastic,hertz --dt 1e-2:1e-5:4\n"
      "  painleve converge table-a1-6a --stiffness 1e7:1e10:4 --t-end 0.02\n"
      "Ctrl-C ends the study cleanly: the rows done so far are printed, and the exit code is 130.");
  verb->callback([&common, &action, verb, options] {
    action = [&common, verb, options] { return run(*verb, *options, common); };
  });
}

}  // namespace painleve::cli
