#include "painleve/study/map.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "map_computer.hpp"
#include "map_output.hpp"
#include "map_text.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/quantity.hpp"
#include "painleve/base/replaced_file.hpp"
#include "painleve/study/search.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* program_name = "painleve " PAINLEVE_VERSION;

struct Options {
  std::string scene, shard = "1/1", method, t_end = "1", dt, policy = "principle";
  std::vector<std::string> over, of, set;
  MapPlaces places;
  double tolerance = 1e-12;
  int threads = 0;
  bool resume = false;
};

MapAxis axis(const SceneSource& source, const std::string& text, std::size_t axes) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(fmt::format("--over takes NAME=FROM:TO or NAME=FROM:TO:N, but was given {}", in_quotes(text)));
  MapAxis a;
  a.name = text.substr(0, equals);
  a.path = source.resolve(a.name);
  a.unit = source.unit(a.path);
  Range range;
  try {
    range = parse_range(text.substr(equals + 1), a.unit);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--over {}: {}", a.name, error.what()));
  }
  a.from = range.from;
  a.to = range.to;
  a.count = range.count > 0 ? range.count : range.from == range.to ? 1 : default_count(axes);
  return a;
}

double seconds(const char* option, const std::string& text) {
  try {
    return parse_quantity(text, "s");
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
}

SimulateOptions simulate_options(const Options& options) {
  SimulateOptions o;
  if (!options.method.empty()) o.method = simulation_method(options.method);
  o.simulation.t_end = seconds("--t-end", options.t_end);
  o.simulation.policy = policy(options.policy);
  if (!options.dt.empty()) o.stepping.dt = seconds("--dt", options.dt);
  return o;
}

MapProblem map_problem(const Options& options) {
  SceneSource source = SceneSource::open(options.scene);
  for (const auto& assignment : options.set) source.set(assignment);
  MapProblem problem{source, {}, {}, simulate_options(options), {}, program_name};
  if (!options.dt.empty()) problem.step.dt = seconds("--dt", options.dt);
  for (const auto& text : options.over) problem.axes.push_back(axis(source, text, options.over.size()));
  for (const auto& name : options.of) {
    if (std::count(options.of.begin(), options.of.end(), name) > 1)
      throw InputError(fmt::format("--of {} is given twice", name));
    problem.quantities.push_back(Quantity::parse(name));
  }
  return problem;
}

int whole_number(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

Shard parse_shard(const std::string& text) {
  const auto slash = text.find('/');
  const Shard shard{whole_number(text.substr(0, slash)),
                    slash == std::string::npos ? 0 : whole_number(text.substr(slash + 1))};
  if (shard.index < 1 || shard.count < shard.index)
    throw InputError(fmt::format("--shard takes I/N with 1 <= I <= N, as 2/8, but was given {}", in_quotes(text)));
  return shard;
}

// An option that would change nothing is a misunderstanding.
void check_use(const CLI::App& verb, const MapProblem& problem, const Options& options) {
  const auto& quantities = problem.quantities;
  const bool runs = std::any_of(quantities.begin(), quantities.end(),
                                [](const Quantity& q) { return q.cost() == QuantityCost::simulation; });
  const bool steps =
      std::any_of(quantities.begin(), quantities.end(), [](const Quantity& q) { return q.key().ends_with("_step"); });
  for (const char* name : {"--method", "--t-end", "--policy"}) {
    if (verb.count(name) > 0 && !runs)
      throw InputError(fmt::format("{} is for quantities of a run, as --of outcome", name));
  }
  if (verb.count("--dt") > 0 && !steps && !(runs && options.method == "step"))
    throw InputError("--dt is for runs by --method step and for quantities of a time step, as --of verdict_step");
  if (verb.count("--tolerance") > 0 && options.places.boundaries.empty())
    throw InputError("--tolerance is for --boundaries");
  if (!(options.tolerance >= 0 && options.tolerance < 1))
    throw InputError("--tolerance, the part of the range to which a boundary is located, must be from 0 to below 1");
  if (options.resume && options.places.output.empty())
    throw InputError("--resume needs -o FILE: what was computed is kept beside that file");
  for (const MapAxis& a : problem.axes) {
    for (const std::string& assignment : options.set) {
      const std::string key = assignment.substr(0, assignment.find('='));
      if (problem.source.resolve(key) == a.path)
        throw InputError(fmt::format("{} is an axis, so that --set {} would change nothing", a.name, assignment));
    }
  }
}

void check_times(const MapProblem& problem) {
  if (!(problem.simulation.simulation.t_end > 0)) throw InputError("--t-end must be greater than 0 s");
  if (!(problem.step.dt > 0 && problem.simulation.stepping.dt > 0)) throw InputError("--dt must be greater than 0 s");
}

void check_whole(const MapProblem& problem, const Options& options, const Shard& shard) {
  for (const auto& [name, path] :
       {std::pair{"--figure", options.places.figure}, {"--boundaries", options.places.boundaries}}) {
    if (shard.count > 1 && !path.empty())
      throw InputError(fmt::format("{} needs the whole map, but --shard computes a part of it", name));
  }
  if (shard.count > 1 && !options.places.output.ends_with(".h5"))
    throw InputError("--shard needs -o FILE.h5, which painleve merge reads");
  if (options.places.boundaries.empty()) return;
  if (problem.axes.size() > 2) throw InputError("--boundaries is for maps over one or two axes");
  if (std::none_of(problem.quantities.begin(), problem.quantities.end(), [](const Quantity& q) { return q.words(); }))
    throw InputError("--boundaries lie between words, but no quantity of --of is one, as verdict is");
}

// Better refused than ended by the system after hours.
void check_memory(const MapProblem& problem, const Shard& shard) {
  double cells = 1;
  for (const MapAxis& a : problem.axes) cells *= a.count;
  constexpr double bytes_per_value = 40;  // value, reason, the block that brought them, the file
  const double needed = cells / shard.count * bytes_per_value * static_cast<double>(problem.quantities.size());
  const double there = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed > there) {
    throw InputError(
        fmt::format("the {:.3g} cells need some {:.3g} GB of memory, but this machine has {:.3g} GB: give "
                    "fewer points, or compute the map in parts with --shard",
                    cells / shard.count, needed / 1e9, there / 1e9));
  }
}

// The file without the map.
MapFile described(const Options& options, const MapProblem& problem) {
  MapFile file;
  file.program = program_name;
  file.scene = options.scene;
  file.scene_text = problem.source.text();
  return file;
}

// --resume finds the map finished: it is read back.
std::optional<Map> finished(const Options& options, const MapProblem& problem, const Shard& shard) {
  const std::string& path = options.places.output;
  std::error_code ignored;
  if (!options.resume || fs::exists(options.places.checkpoint(), ignored) || !fs::exists(path, ignored)) return {};
  if (fs::path(path).extension() == ".csv") return {};  // which says nothing of where it comes from
  MapFile file = read_map(path);
  const auto blocks = map_blocks(problem, shard);
  const bool same_cells = blocks.empty()
                              ? file.map.first == file.map.last
                              : file.map.first == blocks.front().first && file.map.last == blocks.back().last;
  if (file.map.fingerprint != problem.fingerprint() || !same_cells) {
    throw InputError(
        fmt::format("{} is the finished map of another problem or build of the program, and there is no {} to resume: "
                    "without --resume it is replaced",
                    in_quotes(path), in_quotes(options.places.checkpoint())));
  }
  return std::move(file.map);
}

Map computed(const Options& options, const MapProblem& problem, const Shard& shard, bool quiet, MapComputer& computer,
             double& part) {
  MapOptions o;
  o.threads = options.threads;
  o.shard = shard;
  o.checkpoint = options.places.checkpoint();
  o.resume = options.resume;
  Progress progress("map", quiet);
  o.proceed = [&](double so_far) {
    part = so_far;
    return progress.update(so_far);
  };
  interrupts_stop();
  Map map;
  or_disk_is_full(options.places, [&] { map = computer.compute(problem, o); });
  return map;
}

// Of the columns of words; the others have none.
std::vector<Boundary> found_boundaries(const MapProblem& problem, const Map& map, const Options& options) {
  MapProblem words = problem;
  words.quantities.clear();
  Map part;
  part.axes = map.axes;
  part.reasons = map.reasons;
  part.first = map.first;
  part.last = map.last;
  for (std::size_t k = 0; k < map.columns.size(); ++k) {
    if (!map.columns[k].words) continue;
    words.quantities.push_back(problem.quantities[k]);
    part.columns.push_back(map.columns[k]);
  }
  part.fingerprint = words.fingerprint();
  return boundaries(words, part, options.tolerance, options.threads);
}

int report_interruption(const Options& options, double part, bool json) {
  const std::string checkpoint = options.places.checkpoint();
  std::fputs(fmt::format("painleve: interrupted with {:.0f} % done; {}\n", 100 * part,
                         checkpoint.empty() ? std::string("nothing is kept without -o FILE")
                                            : "the same command with --resume takes it up from there")
                 .c_str(),
             stderr);
  if (json) {
    nlohmann::ordered_json j{{"schema", 1}, {"command", "map"}, {"scene", options.scene}, {"complete", false}};
    j["part"] = part;
    if (!checkpoint.empty()) j["checkpoint"] = checkpoint;
    print_json(j);
  }
  return interrupted_code();
}

void report(const MapFile& file, const std::vector<std::string>& files, bool was_finished, bool json) {
  if (json) {
    nlohmann::ordered_json j = map_json(file, "map");
    j["was_finished"] = was_finished;
    j["files"] = files;
    print_json(j);
    return;
  }
  std::string text = map_text(file);
  if (was_finished) text += fmt::format("{} was finished before\n", files.front());
  const std::vector<std::string> written(files.begin() + (was_finished ? 1 : 0), files.end());
  if (!written.empty()) text += fmt::format("written to {}\n", fmt::join(written, " and "));
  print(text);
}

int run_map(const CLI::App& verb, const Options& options, const Common& common, MapComputer& computer) {
  const MapProblem problem = map_problem(options);
  const Shard shard = parse_shard(options.shard);
  check_use(verb, problem, options);
  check_times(problem);
  check_whole(problem, options, shard);
  check_memory(problem, shard);
  if (!computer.leads()) {
    computer.assist(problem);
    return done;
  }
  for (const std::string& output : {options.places.output, options.places.figure, options.places.boundaries})
    refuse_overwriting(output, {options.scene});
  check_places(options.places);
  MapFile file = described(options, problem);
  auto before = finished(options, problem, shard);
  const bool was_finished = before.has_value();
  double part = 0;
  file.map = was_finished ? std::move(*before) : computed(options, problem, shard, common.quiet, computer, part);
  if (!file.map.complete) return report_interruption(options, part, common.json);
  const bool with_boundaries = !options.places.boundaries.empty();
  if (with_boundaries) file.boundaries = found_boundaries(problem, file.map, options);
  const auto files = write_places(options.places, file, was_finished && !with_boundaries);
  std::error_code ignored;
  if (!options.places.output.empty()) fs::remove(options.places.checkpoint(), ignored);
  report(file, files, was_finished, common.json);
  return done;
}

std::string not_empty(const std::string& name) {
  return name.empty() ? std::string("the name is empty") : std::string();
}

void add_options(CLI::App& verb, Options& o) {
  verb.add_option("SCENE", o.scene, "scenario file, shipped scenario or gallery name")->required();
  verb.add_option("--over", o.over,
                  "NAME=FROM:TO[:N], repeatable: an axis with N points, both ends included; the last one runs fastest "
                  "(default N: 2001 for one axis, 201 each for two, 41 for three, 17 for more)")
      ->required()
      ->allow_extra_args(false);
  verb.add_option("--of", o.of, fmt::format("quantity, repeatable: {}", fmt::join(quantity_names(), ", ")))
      ->required()
      ->allow_extra_args(false);
  verb.add_option("-o,--output", o.places.output, "map.h5 or map.csv")->check(not_empty);
  verb.add_option("--figure", o.places.figure, "a picture: map.svg, map.png or map.pdf")->check(not_empty);
  verb.add_option("--boundaries", o.places.boundaries,
                  "curves.csv: the boundaries between words, located between cells; also in the figure and in map.h5")
      ->check(not_empty);
  verb.add_option("--tolerance", o.tolerance, "of boundaries, relative to the range of their axis (default 1e-12)");
  verb.add_flag("--resume", o.resume, "take up what an interrupted run left in FILE.checkpoint, if there is one");
  verb.add_option("--threads", o.threads, "default: one per core")->check(CLI::Range(1, 4096));
  verb.add_option("--shard", o.shard, "I/N: part I of N, for painleve merge");
  verb.add_option("--set", o.set, "KEY=VALUE, overrides a value of the scene; may be repeated")
      ->allow_extra_args(false);
  verb.add_option("--method", o.method, "of runs, for --of outcome: as in painleve simulate")
      ->check(CLI::IsMember(simulation_methods()));
  verb.add_option("--t-end", o.t_end, "of runs: time at which they end (default 1 s)");
  verb.add_option("--dt", o.dt,
                  "time step, of runs by --method step (default 1e-3 s) and of quantities of a step (default 0.01 s)");
  verb.add_option("--policy", o.policy, "of runs, at several continuations (default principle)")
      ->check(CLI::IsMember({"principle", "stiff-limit", "seeded", "all"}));
}

}  // namespace

void add_map(CLI::App& app, Common& common, Action& action, MapComputer& computer) {
  auto* verb = app.add_subcommand("map", "quantities over a grid of parameters and state variables");
  auto options = std::make_shared<Options>();
  add_options(*verb, *options);
  add_common(*verb, common);
  verb->footer(
      "Examples:\n"
      "  painleve map rod --over theta=0:90deg:400 --over mu=0:3:300 --of verdict -o map.h5 --figure map.svg\n"
      "  painleve map rod --over theta=1:89deg --of mu_jam --of mu_crit -o map.csv\n"
      "  painleve map rod --over theta=0:90deg:400 --over mu=0:3:300 --of verdict --boundaries curves.csv\n"
      "  painleve map rod --over theta=0:90deg:4000 --over mu=0:3:3000 --of verdict -o part1.h5 --shard 1/4\n"
      "  mpirun -n 16 painleve map rod --over theta=0:90deg:4000 --over mu=0:3:3000 --of outcome -o map.h5 --resume\n"
      "The same problem gives the same bytes, however it is shared out. Ctrl-C keeps what was computed (exit code "
      "130).");
  verb->callback([&common, &action, &computer, verb, options] {
    action = [&common, &computer, verb, options] { return run_map(*verb, *options, common, computer); };
  });
}

}  // namespace painleve::cli
