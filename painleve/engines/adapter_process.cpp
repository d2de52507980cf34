#include "painleve/engines/adapter_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve {
namespace {

std::string first_line(const std::string& text) {
  const auto start = text.find_first_not_of(" \t\r\n");
  if (start == std::string::npos) return "";
  return foreign_text(text.substr(start, std::min(text.find('\n', start), text.size()) - start));
}

std::string failure_of(const ChildResult& child, const ChildLimits& limits) {
  if (child.timed_out) return fmt::format("it did not answer within {:g} s and was ended", limits.seconds);
  if (child.too_long) return "it printed without end and was ended";
  if (child.signal != 0) return fmt::format("it crashed: {} (signal {})", sigdescr_np(child.signal), child.signal);
  if (child.exit_code == 0) return "";
  const std::string said = first_line(child.err);
  return fmt::format("it ended with exit code {}{}", child.exit_code, said.empty() ? "" : ": " + said);
}

template <class T, class Read>
AdapterAnswer<T> ask(const std::string& program, const std::string& request, const ChildLimits& limits,
                     const Read& read) {
  AdapterAnswer<T> answer;
  try {
    const ChildResult child = run_child(program, {}, request, limits);
    answer.said = first_line(child.err);
    answer.failure = failure_of(child, limits);
    if (answer.failure.empty()) answer.value = read(child.out);
  } catch (const InputError& error) {
    answer.failure = error.what();
  }
  return answer;
}

}  // namespace

AdapterAnswer<EngineDescription> ask_description(const std::string& program, const ChildLimits& limits) {
  return ask<EngineDescription>(program, describe_request(), limits, read_description);
}

AdapterAnswer<EngineReply> ask_step(const std::string& program, const EngineCase& given, const std::string& setting,
                                    const ChildLimits& limits) {
  return ask<EngineReply>(program, step_request(given, setting), limits,
                          [&](const std::string& text) { return read_reply(text, given); });
}

std::string KnownEngine::remedy() const {
  return fmt::format("{} is not there: sudo apt install {}, then configure and build again", program(), package);
}

const std::vector<KnownEngine>& known_engines() {
  static const std::vector<KnownEngine> list = {
      {"mujoco", "libmujoco-dev"}, {"siconos", "libsiconos-numerics-dev"}, {"ode", "libode-dev"},
      {"bullet", "libbullet-dev"}, {"bullet32", "libbullet-dev"},          {"dart", "libdart-all-dev"},
      {"box2d", "libbox2d-dev"},   {"simbody", "libsimbody-dev"},
  };
  return list;
}

const KnownEngine& known_engine(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& engine : known_engines()) {
    if (engine.name == name) return engine;
    names.push_back(engine.name);
  }
  throw InputError(unknown_name("engine", name, names));
}

}  // namespace painleve
