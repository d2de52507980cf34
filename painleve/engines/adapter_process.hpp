// Adapter programs as children with limited time and memory. An engine that crashes, hangs or prints nonsense gives a
// failure in words, never an exception: that, too, is an answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "painleve/base/child_process.hpp"
#include "painleve/engines/adapter_protocol.hpp"

namespace painleve {

template <class T>
struct AdapterAnswer {
  std::optional<T> value;
  std::string failure;  // when there is no value
  std::string said;     // first line of its stderr
};

AdapterAnswer<EngineDescription> ask_description(const std::string& program, const ChildLimits& limits);
AdapterAnswer<EngineReply> ask_step(const std::string& program, const EngineCase& given, const std::string& setting,
                                    const ChildLimits& limits);

// The engines that have an adapter here, and the package that an adapter is built from.
struct KnownEngine {
  std::string name, package;
  std::string program() const { return "painleve-engine-" + name; }
  std::string remedy() const;  // one sentence: what to install, and that the adapter is built from it
};
const std::vector<KnownEngine>& known_engines();
const KnownEngine& known_engine(const std::string& name);  // throws InputError with the nearest name

}  // namespace painleve
