// The shipped scenes by name, and requests for them, for the tests of the studio.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api.hpp"
#include "painleve/base/error.hpp"

namespace painleve::studio {

inline std::vector<std::string> scene_names(const std::string& kind = "") {
  std::vector<std::string> names;
  const Json said = hello({});
  for (const Json& scene : said["scenes"])
    if (kind.empty() || scene["kind"] == kind) names.push_back(scene["name"].get<std::string>());
  return names;
}

inline Json named(const std::string& name, Json set = Json::object()) {
  return {{"scene", {{"name", name}, {"set", std::move(set)}}}};
}

// The sentence with which something is refused.
template <class Call>
std::string complaint(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

template <class Call>
void expect_complaint(const Call& call, const std::string& part) {
  const std::string said = complaint(call);
  EXPECT_NE(said.find(part), std::string::npos) << said;
  EXPECT_EQ(said.find('\n'), std::string::npos) << said;
}

// The sentence with which a job is refused before it is queued.
inline std::string refusal(const Json& request) {
  return complaint([&] { check_job(request); });
}

// Whether two replies say the same, numbers up to `rounding` of their size, or of 1.
inline void expect_same(const Json& a, const Json& b, double rounding, const std::string& path = "") {
  if (a.is_number() && b.is_number()) {
    const auto x = a.get<double>(), y = b.get<double>();
    EXPECT_NEAR(x, y, rounding * std::max({1.0, std::abs(x), std::abs(y)})) << path;
    return;
  }
  ASSERT_EQ(a.type(), b.type()) << path;
  if (!a.is_structured()) {
    EXPECT_EQ(a, b) << path;
    return;
  }
  ASSERT_EQ(a.size(), b.size()) << path;
  for (auto i = a.items().begin(), k = b.items().begin(); i != a.items().end(); ++i, ++k) {
    EXPECT_EQ(i.key(), k.key()) << path;
    expect_same(i.value(), k.value(), rounding, path + "/" + i.key());
  }
}

}  // namespace painleve::studio
