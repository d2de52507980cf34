// For tests: scenes out of a text or by name, and the sentence that refuses them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <string>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve::detail {

using Sets = std::vector<std::string>;

inline constexpr double kPi = std::numbers::pi;

inline Scene build(const std::string& text, const Sets& sets = {}) {
  SceneSource source = SceneSource::parse(text, "scene.toml");
  for (const auto& set : sets) {
    source.set(set);
  }
  return source.build();
}

inline Scene open(const std::string& name, const Sets& sets = {}) {
  SceneSource source = SceneSource::open(name);
  for (const auto& set : sets) {
    source.set(set);
  }
  return source.build();
}

template <class Action>
std::string message(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

inline std::string build_error(const std::string& text, const Sets& sets = {}) {
  return message([&] { build(text, sets); });
}

inline std::string open_error(const std::string& name, const Sets& sets = {}) {
  return message([&] { open(name, sets); });
}

inline void expect_contains(const std::string& text, const std::vector<std::string>& parts) {
  for (const auto& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is missing in: " << text;
  }
}

inline double coordinate(const Scene& scene, const std::string& name, const Eigen::VectorXd& values) {
  const auto& names = scene.posed.mechanism->coordinates();
  const auto at = std::find(names.begin(), names.end(), name);
  return values(at - names.begin());
}

inline double q(const Scene& scene, const std::string& name) { return coordinate(scene, name, scene.posed.state.q); }
inline double v(const Scene& scene, const std::string& name) { return coordinate(scene, name, scene.posed.state.v); }

}  // namespace painleve::detail
