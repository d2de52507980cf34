// What an adapter program is asked and what it answers, as JSON: one object on its stdin, one on its stdout. The fields
// are described in docs/engines.md; adapters of our own are in apps/engines.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "painleve/engines/engine_case.hpp"

namespace painleve {

struct EngineSetting {
  std::string name, about;
};

struct EngineDescription {
  std::string engine, version, friction;
  std::vector<EngineSetting> settings;  // at least one; the first is the engine's default
};

struct EngineReply {
  bool represents = true;
  std::string reason;                         // why the engine's model cannot represent the case
  std::optional<Eigen::VectorXd> velocities;  // after the step: six numbers per body, as body_velocity()
  std::optional<Eigen::VectorXd> Lambda;      // contact impulses, stacked, tangents first
  std::vector<std::string> warnings;
  std::optional<std::int64_t> iterations;
};

std::string describe_request();
std::string step_request(const EngineCase& given, const std::string& setting);

// Throw InputError with what is missing or wrong: sizes that do not fit the case, numbers that are not finite.
EngineDescription read_description(const std::string& text);
EngineReply read_reply(const std::string& text, const EngineCase& given);

// Text from a program that is not ours, for messages: short, on one line, and ASCII, since it may hold anything.
std::string foreign_text(const std::string& text);

}  // namespace painleve
