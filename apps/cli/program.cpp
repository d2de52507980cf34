// Argument parsing and printing. No mechanics here.
#include "program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <system_error>

#include "commands.hpp"
#include "painleve/base/characters.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "terminal.hpp"

namespace painleve::cli {

void add_common(CLI::App& verb, Common& common) {
  verb.add_flag("--json", common.json, "print one JSON object on stdout and nothing else");
  verb.add_flag("-q,--quiet", common.quiet, "no progress on stderr");
}

std::string is_seed(const std::string& text) {
  if (text.starts_with("-")) return "it must not be negative";
  std::uint64_t seed = 0;
  const bool beyond =
      std::from_chars(text.data(), text.data() + text.size(), seed).ec == std::errc::result_out_of_range;
  return beyond ? fmt::format("{} is too large, a seed is at most {}", text, UINT64_MAX) : "";
}

namespace {

int complain(const std::string& message, int code) {
  std::fputs(fmt::format("painleve: {}\n", detail::one_line(message)).c_str(),
             stderr);  // a full stderr is no reason to abort
  return code;
}

// No memory is asked for: there may be none left.
int complain_of_memory() {
  std::fputs("painleve: not enough memory\n", stderr);
  return failed;
}

std::string system_sentence(const std::system_error& error) {
  if (error.code() != std::errc::resource_unavailable_try_again) return error.what();
  return fmt::format("the system gives no further thread: {}; --threads 1 needs none", error.code().message());
}

// Memory for the way out. Destructors may need some (those of JSON do), and cannot tell that there is none: the first
// request that fails sets this free.
std::atomic<char*> memory_for_the_way_out = nullptr;

void free_the_way_out() {
  char* const reserve = memory_for_the_way_out.exchange(nullptr);
  delete[] reserve;
  if (reserve == nullptr || std::uncaught_exceptions() == 0) throw std::bad_alloc();
}

void keep_memory_for_the_way_out() {
  constexpr std::size_t enough = std::size_t{1} << 20U;
  delete[] memory_for_the_way_out.exchange(new char[enough]);
  std::set_new_handler(free_the_way_out);
}

// What the system does by itself would end the program without a sentence, or in the wrong file: a limit on the size of
// files sends a signal, and a file that is opened gets the number of a stream that was closed.
void make_mistakes_visible() {
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The wrong way round, so that it still fails to be read or written.
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

// --help and --version; the parser's own printing does not notice a full disk.
int show(const CLI::App& app, const CLI::Error& request) {
  std::ostringstream text;
  app.exit(request, text, text);
  print(text.str());
  return done;
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* verb : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const auto* option : verb.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// The parser's sentence, or a better one for words that it does not know: those come first, for they explain the rest.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const auto verbs = app.get_subcommands();
  const CLI::App& at = verbs.empty() ? app : *verbs.front();
  const auto unknown = at.remaining();
  const std::string see = fmt::format(" (see painleve {}--help)", verbs.empty() ? "" : at.get_name() + " ");
  if (unknown.empty()) return error.what() + see;
  const std::string word = unknown.front().substr(0, unknown.front().find('='));
  if (word.starts_with("-"))
    return unknown_name(verbs.empty() ? "option" : "option of " + at.get_name(), word, option_names(at)) + see;
  if (verbs.empty()) return unknown_name("verb", word, verb_names(app)) + see;
  return fmt::format("{} has no use for {}", at.get_name(), in_quotes(unknown.front())) + see;
}

// The parser takes an empty text for the number 0.
void refuse_empty_numbers(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (!type.starts_with("FLOAT") && !type.starts_with("INT") && !type.starts_with("UINT")) continue;
    option->check([](const std::string& text) { return std::string(text.empty() ? "'' is not a number" : ""); });
  }
  for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) refuse_empty_numbers(*verb);
}

int run(int argc, char** argv, MapComputer& computer) {
  CLI::App app{
      "Give it a mechanism with frictional point contacts and a state; it says whether rigid-body mechanics has no\n"
      "continuation, one, or several, shows every one of them with proof, and says which survive in the stiff limit."};
  app.name("painleve");
  app.set_version_flag("--version", std::string("painleve ") + PAINLEVE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  painleve gallery\n"
      "  painleve analyze rod --set theta=60deg --set mu=1.5\n"
      "  painleve analyze rod-no-solution --json\n"
      "  painleve solve rod-three-solutions --formulation step --dt 0.01\n"
      "  painleve impact oscillator-hopping --law poisson\n"
      "  painleve simulate rod-three-solutions --policy all\n"
      "  painleve map rod --over theta=0:90deg:400 --over mu=0:3:300 --of verdict --figure map.svg\n"
      "  painleve converge rod-no-solution --stiffness 1e4:1e8:5\n"
      "  painleve search articulated-arm --minimise mu_jam --over x=0:1 --over theta3=0:180deg\n"
      "  painleve check examples/robots/six_joint_arm.urdf --contact tool0@0,0,0.1 --mu 0.8 --margin 1.25\n"
      "  painleve compare rod-no-solution --engines ode,bullet,mujoco\n"
      "  painleve cases export cases\n"
      "  painleve report rod-no-solution -o report.html\n"
      "  painleve reproduce preclik\n"
      "  painleve studio rod\n"
      "Exit codes: 0 done, 1 failed, 2 bad usage or input or a full disk, 3 a finding (only with --fail-on or "
      "--margin), 130 after Ctrl-C, 143 after SIGTERM.");
  Common common;
  Action action;
  add_gallery(app, common, action);
  add_analyze(app, common, action);
  add_solve(app, common, action);
  add_impact(app, common, action);
  add_simulate(app, common, action);
  add_map(app, common, action, computer);
  add_merge(app, common, action);
  add_converge(app, common, action);
  add_search(app, common, action);
  add_check(app, common, action);
  add_compare(app, common, action);
  add_cases(app, common, action);
  add_report(app, common, action);
  add_reproduce(app, common, action);
  add_studio(app, common, action);
  add_doctor(app, common, action);
  refuse_empty_numbers(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return show(app, help);
  } catch (const CLI::CallForVersion& version) {
    return show(app, version);
  } catch (const CLI::ParseError& error) {
    return complain(usage_message(app, error), bad_input);
  }
  return action();
}

}  // namespace

int program(int argc, char** argv, MapComputer& computer) {
  make_mistakes_visible();
  try {
    keep_memory_for_the_way_out();
    try {
      return run(argc, argv, computer);
    } catch (const InputError& error) {
      return complain(error.what(), bad_input);
    } catch (const std::system_error& error) {
      return complain(system_sentence(error), failed);
    } catch (const std::bad_alloc&) {
      return complain_of_memory();
    } catch (const std::exception& error) {
      return complain(error.what(), failed);
    }
  } catch (...) {  // no memory for the sentence
    return complain_of_memory();
  }
}

}  // namespace painleve::cli
