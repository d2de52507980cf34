#include "painleve/engines/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve {
namespace {

struct Wanted {
  std::string engine, setting;  // engine empty: any
};

Wanted wanted(const std::string& text) {
  const auto colon = text.find(':');
  return colon == std::string::npos ? Wanted{"", text} : Wanted{text.substr(0, colon), text.substr(colon + 1)};
}

bool chosen(const CompareOptions& options, const std::string& engine, const std::string& setting) {
  return options.settings.empty() ||
         std::any_of(options.settings.begin(), options.settings.end(), [&](const std::string& text) {
           const Wanted w = wanted(text);
           return (w.engine.empty() || w.engine == engine) && w.setting == setting;
         });
}

ComparedEngine ours(const KnownEngine& known, bool asked) {
  ComparedEngine e;
  e.name = known.name;
  e.asked = asked;
  e.program = find_helper(known.program());
  e.missing = e.program.empty();
  if (e.missing) e.failure = known.remedy();
  return e;
}

std::vector<ComparedEngine> engines_of(const CompareOptions& options) {
  std::vector<ComparedEngine> list;
  for (const auto& name : options.engines) {
    const bool twice = std::any_of(list.begin(), list.end(), [&](const ComparedEngine& e) { return e.name == name; });
    if (!twice) list.push_back(ours(known_engine(name), true));
  }
  for (const auto& path : options.programs) list.push_back({path, path, {}, "", false, true});
  if (!list.empty()) return list;
  for (const auto& known : known_engines()) list.push_back(ours(known, false));
  return list;
}

// A limit of time for one answer; memory and output as for any child.
ChildLimits limits_of(const CompareOptions& options) {
  if (!(options.seconds > 0 && options.seconds <= 3600))
    throw InputError(fmt::format("the time for an answer must be between 0 and 3600 s, not {}", options.seconds));
  ChildLimits limits;
  limits.seconds = options.seconds;
  return limits;
}

void describe(ComparedEngine& engine, const ChildLimits& limits) {
  if (engine.missing) return;
  auto answer = ask_description(engine.program, limits);
  engine.description = std::move(answer.value);
  engine.failure = answer.failure;
  if (engine.description) engine.name = engine.description->engine;
}

// A setting that no engine has is a mistake; one that only some have is a choice.
void check_settings(const CompareReport& report) {
  for (const auto& text : report.options.settings) {
    const Wanted w = wanted(text);
    std::vector<std::string> names;
    bool all_known = true;
    std::vector<std::string> engines;
    for (const auto& e : report.engines) engines.push_back(e.name);
    if (!w.engine.empty() && std::find(engines.begin(), engines.end(), w.engine) == engines.end())
      throw InputError(unknown_name("engine of a setting, or one that is not asked,", w.engine, engines));
    for (const auto& e : report.engines) {
      if (!w.engine.empty() && w.engine != e.name) continue;
      all_known = all_known && e.description.has_value();
      if (!e.description) continue;
      for (const auto& s : e.description->settings) names.push_back(s.name);
    }
    const bool found = std::find(names.begin(), names.end(), w.setting) != names.end();
    if (!found && (all_known || !names.empty())) throw InputError(unknown_name("setting", w.setting, names));
  }
}

EngineAnswer asked(const std::string& program, const SolvedCase& problem, const std::string& setting,
                   const CompareOptions& options) {
  auto reply = ask_step(program, problem.given, setting, limits_of(options));
  EngineAnswer answer;
  answer.reason = reply.failure;
  if (reply.value) answer = judged(problem, *reply.value, options.tolerance);
  if (!reply.said.empty() && reply.failure.find(reply.said) == std::string::npos)
    answer.warnings.push_back("it said " + reply.said);
  return answer;
}

struct Task {
  const ComparedEngine* engine;
  EngineSetting setting;
};

std::vector<Task> tasks_of(const CompareReport& report) {
  std::vector<Task> list;
  for (const auto& engine : report.engines) {
    if (!engine.description) continue;
    for (const auto& setting : engine.description->settings) {
      if (chosen(report.options, engine.name, setting.name)) list.push_back({&engine, setting});
    }
  }
  return list;
}

void check(const CompareOptions& options) {
  if (!(options.tolerance > 0 && options.tolerance < 1))
    throw InputError(fmt::format("the tolerance must be between 0 and 1, not {}", options.tolerance));
}

}  // namespace

CompareReport compare(const Scene& scene, const CompareOptions& options) {
  check(options);
  CompareReport report;
  report.scene = scene;
  report.options = options;
  report.problem.given = engine_case(scene, options.dt);
  report.problem.set = all_solutions(report.problem.given.formulation.problem);
  report.control = control_case(report.problem.given, options.control_mu);
  report.engines = engines_of(options);
  const ChildLimits limits = limits_of(options);
  for (auto& engine : report.engines) describe(engine, limits);
  check_settings(report);
  const std::vector<Task> tasks = tasks_of(report);
  const auto goes_on = [&](double done) {
    return !options.proceed || options.proceed(done / static_cast<double>(tasks.size()));
  };
  report.complete = tasks.empty() || goes_on(0);
  for (std::size_t k = 0; report.complete && k < tasks.size(); ++k) {
    const Task& task = tasks[k];
    EngineRow row{task.engine->name, task.setting, {}, {}};
    row.control = asked(task.engine->program, report.control, task.setting.name, options);
    if (!(report.complete = goes_on(static_cast<double>(k) + 0.5))) break;
    row.answer = asked(task.engine->program, report.problem, task.setting.name, options);
    if (!(report.complete = goes_on(static_cast<double>(k) + 1))) break;  // Ctrl-C reaches the adapter, too
    report.rows.push_back(std::move(row));
  }
  return report;
}

const char* to_string(AnswerStatus status) {
  switch (status) {
    case AnswerStatus::answered:
      return "answered";
    case AnswerStatus::not_represented:
      return "not_represented";
    case AnswerStatus::failed:
      break;
  }
  return "failed";
}

}  // namespace painleve
