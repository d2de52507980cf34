// The command line, in this process: arguments are the lines of the bytes, the program's own terminal is replaced by
// one that keeps what is printed and presses Ctrl-C before long. Verbs that listen, run other programs or take minutes
// by nature are left out.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/cli/program.hpp"
#include "fake_terminal.hpp"
#include "target_list.hpp"

namespace painleve::fuzz {
namespace {

std::vector<std::string> lines(std::string_view bytes) {
  std::vector<std::string> all{"painleve"};
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = bytes.substr(0, std::min(bytes.substr(0, end).find('\0'), end));
    all.emplace_back(line);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return all;
}

bool bounded_verb(const std::string& verb) {
  static constexpr std::array unbounded{"studio", "reproduce", "report", "compare", "cases", "doctor"};
  return std::none_of(unbounded.begin(), unbounded.end(), [&](const char* one) { return verb == one; });
}

// Nothing is read or written but in the scratch folder, and counts are of at most three digits.
bool harmless(const std::string& argument) {
  if (argument.find("..") != std::string::npos || argument.find('/') != std::string::npos) return false;
  int digits = 0;
  for (const char c : argument) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > 3) return false;
  }
  return argument != "-";  // stdin
}

// A map of a few cells; the rest is interrupted.
class BriefMaps : public cli::MapComputer {
 public:
  Map compute(const MapProblem& problem, const MapOptions& options) override {
    MapOptions brief = options;
    brief.threads = 1;
    return problem.cells() <= most_cells ? compute_map(problem, brief) : throw InputError("the map is too large here");
  }

 private:
  static constexpr long most_cells = 200;
};

struct Outcome {
  int code = 0;
  std::string out, err;
};

Outcome run_program(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (std::string& one : arguments) argv.push_back(one.data());
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* real = stderr;
  std::FILE* kept = open_memstream(&text, &size);
  begin_session();
  stderr = kept;
  BriefMaps maps;
  Outcome outcome;
  outcome.code = cli::program(static_cast<int>(argv.size()), argv.data(), maps);
  stderr = real;
  std::fclose(kept);
  outcome.err.assign(text, size);
  std::free(text);
  outcome.out = printed();
  return outcome;
}

void check_outcome(const Outcome& outcome, const std::vector<std::string>& arguments) {
  law(outcome.code == 0 || outcome.code == 2 || outcome.code == 3 || outcome.code == 130,
      "exit code " + std::to_string(outcome.code) + ": " + outcome.err);
  if (outcome.code == 2 && outcome.out.empty()) {
    law(outcome.err.starts_with("painleve: ") && outcome.err.ends_with("\n"), "bad input without a sentence");
    check_sentence(outcome.err.substr(0, outcome.err.size() - 1));
  }
  const auto asks_for_words = [](const std::string& one) {
    return one.starts_with("-h") || one.starts_with("--h") || one == "--version";
  };
  const bool words = std::any_of(arguments.begin(), arguments.end(), asks_for_words);
  if (outcome.code == 0 && !words && arguments.back() == "--json")
    law(nlohmann::json::accept(outcome.out), "--json prints what is no JSON");
}

}  // namespace

void read_command_line(std::string_view bytes) {
  const std::vector<std::string> arguments = lines(bytes);
  if (arguments.size() < 2 || !bounded_verb(arguments[1])) return;
  if (!std::all_of(arguments.begin(), arguments.end(), harmless)) return;
  const std::filesystem::path folder = scratch_folder() / "here";
  std::filesystem::create_directories(folder);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  const Outcome outcome = run_program(arguments);
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
  check_outcome(outcome, arguments);
}

}  // namespace painleve::fuzz
