#include "painleve/scene/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "analyze_text.hpp"
#include "commands.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/scene/contact_space_json.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

struct Options {
  std::string scene, batch;
  std::vector<std::string> set, fail_on;
};

bool found(const ModeTable& table, const std::vector<std::string>& fail_on) {
  return std::any_of(fail_on.begin(), fail_on.end(),
                     [&](const std::string& what) { return what == "jam" ? table.jam : table.verdict == what; });
}

// One line of a batch; a bad one is answered by an error line, so that nothing else is lost.
bool analyze_line(const std::string& line, long number, const Options& options, bool& finding_seen) {
  nlohmann::ordered_json answer;
  bool good = true;
  try {
    if (line.find('\0') != std::string::npos) throw InputError("this line holds a zero byte");
    const auto object = nlohmann::json::parse(line);
    const Analysis analysis = analyze(scene_from_json(object));
    finding_seen = finding_seen || found(analysis.modes, options.fail_on);
    answer = to_json(analysis);
  } catch (const nlohmann::json::exception&) {
    answer = {{"line", number}, {"error", "this line is not a JSON object with finite numbers"}};
    good = false;
  } catch (const InputError& error) {
    answer = {{"line", number}, {"error", error.what()}};
    good = false;
  }
  print_json(answer, false);
  return good;
}

int run_batch(const Options& options) {
  std::ifstream file;
  if (options.batch != "-") {
    file.open(options.batch);
    if (!file) throw InputError(fmt::format("cannot read {}", in_quotes(options.batch)));
  }
  std::istream& in = options.batch == "-" ? std::cin : file;
  long number = 0;
  long asked = 0;
  long bad = 0;
  bool finding_seen = false;
  std::string line;
  while (std::getline(in, line)) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    ++asked;
    bad += analyze_line(line, number, options, finding_seen) ? 0 : 1;
  }
  if (in.bad()) throw InputError(fmt::format("cannot read {}", in_quotes(options.batch)));
  if (asked == 0)
    throw InputError(fmt::format("{} is empty: one JSON object per line is expected", in_quotes(options.batch)));
  if (bad > 0) throw InputError(fmt::format("{} of {} lines could not be analyzed; their answers say why", bad, asked));
  return finding_seen ? finding : done;
}

int run_scene(const Options& options, const Common& common) {
  if (options.scene.empty())
    throw InputError("analyze needs a scene: a scenario file, or a name that painleve gallery lists");
  SceneSource source = SceneSource::open(options.scene);
  for (const auto& assignment : options.set) source.set(assignment);
  const Analysis analysis = analyze(source.build());
  for (const auto& law : analysis.scene.laws) {
    if (!common.quiet && law.mu_static && *law.mu_static != law.mu)
      fmt::print(stderr, "painleve: note: analyze takes mu for stick as well; mu_static is not used\n");
  }
  if (common.json) {
    print_json(to_json(analysis));
  } else {
    print(analysis_text(analysis));
  }
  return found(analysis.modes, options.fail_on) ? finding : done;
}

}  // namespace

void add_analyze(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("analyze", "everything about one state: contacts, modes with reasons, verdict");
  auto options = std::make_shared<Options>();
  verb->add_option("SCENE", options->scene, "scenario file, shipped scenario or gallery name");
  verb->add_option("--set", options->set, "KEY=VALUE, overrides a value of the scene; may be repeated")
      ->allow_extra_args(false);
  verb->add_option("--fail-on", options->fail_on, "exit with 3 on: inconsistent, indeterminate, jam (comma-separated)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"inconsistent", "indeterminate", "jam"}));
  verb->add_option("--batch", options->batch, "FILE or -: JSON Lines of contact spaces, one JSON line of answer each");
  add_common(*verb, common);
  verb->footer(
      "Examples:\n"
      "  painleve analyze rod-no-solution\n"
      "  painleve analyze rod --set theta=60deg --set mu=1.5 --set slip=-1\n"
      "  painleve analyze my-scene.toml --json --fail-on inconsistent,jam\n"
      "  echo '{\"W\":[[2.5,1.5],[1.5,2.5]],\"b\":[0,-1],\"u\":[1,0],\"mu\":[2]}' | painleve analyze --batch -");
  verb->callback([&common, &action, options] {
    action = [&common, options] {
      if (!options->batch.empty() && !options->scene.empty()) throw InputError("give a scene or --batch, not both");
      if (!options->batch.empty() && !options->set.empty())
        throw InputError("--set changes a scene; it has no meaning with --batch");
      return options->batch.empty() ? run_scene(*options, common) : run_batch(*options);
    };
  });
}

}  // namespace painleve::cli
