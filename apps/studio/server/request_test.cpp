#include "request.hpp"

#include <gtest/gtest.h>

#include "painleve/base/error.hpp"
#include "studio_scenes_for_tests.hpp"

namespace painleve::studio {
namespace request_test {

void expect_refused(const std::string& body, const std::string& part) {
  const std::string said = complaint([&] { parse_request(body); });
  EXPECT_NE(said.find(part), std::string::npos) << body.substr(0, 60) << ": " << said;
  EXPECT_EQ(said.find('\n'), std::string::npos);
}

TEST(Request, IsAnObjectOfJson) {
  EXPECT_EQ(parse_request(R"({"a": [1, -2.5e3, "µ", true, null]})")["a"][1], -2500.0);
  std::string many = "{\"scene\":{\"set\":{\"k\":0";
  for (int i = 0; i < 3000; ++i) many += ",\"k" + std::to_string(i) + "\":0";
  expect_refused(many + "}}}", "2000 keys");
  expect_refused("", "not JSON");
  expect_refused("{", "not JSON");
  expect_refused("{}x", "not JSON");
  expect_refused("{\"a\": NaN}", "not JSON");
  expect_refused("{\"a\": \"\xff\"}", "not JSON");
  expect_refused("[1]", "must be a JSON object");
  expect_refused("3", "must be a JSON object");
}

TEST(Request, HasFiniteNumbersOnly) {
  expect_refused(R"({"a": 1e999})", "too large");
  expect_refused(R"({"a": [-1e400]})", "too large");
  EXPECT_EQ(parse_request(R"({"a": 1e-999})")["a"], 0.0);
  EXPECT_EQ(parse_request(R"({"a": 1e308})")["a"], 1e308);
}

TEST(Request, IsNestedToALimit) {
  const auto nested = [](int depth) {  // the object counts as one level
    const auto lists = static_cast<std::size_t>(depth - 1);
    return R"({"a": )" + std::string(lists, '[') + std::string(lists, ']') + "}";
  };
  EXPECT_NO_THROW(parse_request(nested(16)));
  expect_refused(nested(17), "deeper than the 16 levels");
  EXPECT_NO_THROW(parse_request(nested(3), 3));
  EXPECT_THROW(parse_request(nested(4), 3), InputError);
  expect_refused("{\"a\": " + std::string(1'000'000, '['), "deeper");
}

TEST(Request, TakesTheLastOfTwoMembersOfOneName) { EXPECT_EQ(parse_request(R"({"a": 1, "a": 2})")["a"], 2); }

TEST(Request, MembersAreCheckedByTypeAndBounds) {
  const Json r = parse_request(R"({"x": 2.5, "n": 3, "on": true, "name": "rod", "to": [1, 2], "none": null})");
  EXPECT_EQ(number(r, "x", 0, 5), 2.5);
  EXPECT_EQ(number(r, "gone", 7, 0, 5), 7);  // the fallback is the program's own and not checked
  EXPECT_EQ(number(r, "none", 7, 0, 5), 7);
  EXPECT_EQ(whole(r, "n", 1, 0, 5), 3);
  EXPECT_TRUE(flag(r, "on", false));
  EXPECT_FALSE(flag(r, "gone", false));
  EXPECT_EQ(word(r, "name"), "rod");
  EXPECT_EQ(word(r, "gone", "other"), "other");
  EXPECT_EQ(numbers(r, "to", 2), (std::vector<double>{1, 2}));

  EXPECT_NE(complaint([&] { number(r, "x", 0, 2); }).find("'x' is 2.5, it must lie between 0 and 2"),
            std::string::npos);
  EXPECT_NE(complaint([&] { number(r, "gone", 0, 2); }).find("needs 'gone'"), std::string::npos);
  EXPECT_NE(complaint([&] { number(r, "name", 0, 2); }).find("'name' must be a number"), std::string::npos);
  EXPECT_NE(complaint([&] { number(r, "on", 0, 2); }).find("'on' must be a number"), std::string::npos);
  EXPECT_NE(complaint([&] { whole(r, "x", 1, 0, 5); }).find("whole number"), std::string::npos);
  EXPECT_NE(complaint([&] { flag(r, "n", false); }).find("true or false"), std::string::npos);
  EXPECT_NE(complaint([&] { word(r, "n"); }).find("'n' must be a text"), std::string::npos);
  EXPECT_NE(complaint([&] { numbers(r, "to", 3); }).find("list of 3 numbers"), std::string::npos);
  EXPECT_NE(complaint([&] { numbers(r, "name", 3); }).find("list of 3 numbers"), std::string::npos);
}

TEST(Request, RefusesMembersThatNobodyReads) {
  const Json r = parse_request(R"({"scene": {}, "formulaton": "step"})");
  EXPECT_NO_THROW(refuse_others(r, {"scene", "formulaton"}));
  const std::string said = complaint([&] { refuse_others(r, {"scene", "formulation"}); });
  EXPECT_NE(said.find("did you mean 'formulation'"), std::string::npos) << said;
}

}  // namespace request_test
}  // namespace painleve::studio
