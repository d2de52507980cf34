// The verbs of the command line. Each adds itself to the parser and stores what to run; the result is the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace painleve::cli {

class MapComputer;

using Action = std::function<int()>;

// Exit codes of the contract.
enum Exit { done = 0, failed = 1, bad_input = 2, finding = 3 };

struct Common {
  bool json = false;
  bool quiet = false;
};

void add_analyze(CLI::App& app, Common& common, Action& action);
void add_cases(CLI::App& app, Common& common, Action& action);
void add_check(CLI::App& app, Common& common, Action& action);
void add_compare(CLI::App& app, Common& common, Action& action);
void add_converge(CLI::App& app, Common& common, Action& action);
void add_doctor(CLI::App& app, Common& common, Action& action);
void add_gallery(CLI::App& app, Common& common, Action& action);
void add_impact(CLI::App& app, Common& common, Action& action);
void add_map(CLI::App& app, Common& common, Action& action, MapComputer& computer);
void add_merge(CLI::App& app, Common& common, Action& action);
void add_report(CLI::App& app, Common& common, Action& action);
void add_reproduce(CLI::App& app, Common& common, Action& action);
void add_search(CLI::App& app, Common& common, Action& action);
void add_simulate(CLI::App& app, Common& common, Action& action);
void add_solve(CLI::App& app, Common& common, Action& action);
void add_studio(CLI::App& app, Common& common, Action& action);

// --json and --quiet, on every verb.
void add_common(CLI::App& verb, Common& common);

// For CLI::Option::check: what is wrong with the text of a seed, which would be brought into range without a word.
std::string is_seed(const std::string& text);

}  // namespace painleve::cli
