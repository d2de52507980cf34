// The verb converge, run as a user runs it.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <string>
#include <thread>

#include "child_program.hpp"

namespace converge_cli_test {

using namespace painleve_cli;

const Json& named(const Json& list, const std::string& name) {
  for (const auto& one : list) {
    if (one["name"] == name) return one;
  }
  throw std::runtime_error("nothing is called " + name);
}

TEST(CliConverge, PreclikByTimeSteps) {
  const Json j = json_of({"converge", "rod-no-solution", "--dt", "1e-2:1e-5:4", "--json"});
  EXPECT_EQ(j["command"], "converge");
  EXPECT_EQ(j["t_end"], 0.1);
  EXPECT_EQ(j["futures"].size(), 1U);
  ASSERT_EQ(j["series"].size(), 2U);
  for (const auto& series : j["series"]) {
    EXPECT_EQ(series["method"], "step");
    EXPECT_EQ(series["rows"].size(), 4U);
    EXPECT_EQ(series["rows"][0]["dt"], 0.01);
    EXPECT_EQ(series["future"], 0);
    const Json& Lambda = named(series["limits"], "Lambda_n.tip");
    EXPECT_NEAR(Lambda["limit"], 3 * std::sqrt(3.0) / 16, 1e-12);
    EXPECT_NEAR(Lambda["order"], 1, 1e-9);
    EXPECT_EQ(Lambda["monotone"], true);
    EXPECT_EQ(Lambda["orders"].size(), 2U);
    EXPECT_EQ(Lambda["orders"][0]["at"], 1e-4);
  }
  EXPECT_EQ(j["verdict"], "uniformly resolvable");
  EXPECT_EQ(j["agrees"], true);
  EXPECT_NE(j["expected"].get<std::string>().find("must agree up to the impact"), std::string::npos);
}

TEST(CliConverge, SpringsOfTwoKindsAndAFigure) {
  const Folder folder;
  const Json j = json_of({"converge", "rod-three-solutions", "--stiffness", "1e3:1e7:5", "--regularisation",
                          "viscoelastic,preclik:start=1.1static", "--figure", folder.file("limits.svg"), "--t-end",
                          "50ms", "--json"});
  EXPECT_EQ(j["verdict"], "depends on the regularisation");
  ASSERT_EQ(j["witnesses"].size(), 2U);
  EXPECT_EQ(j["witnesses"][0]["name"], "viscoelastic");
  EXPECT_EQ(j["witnesses"][1]["name"], "preclik:start=1.1static");
  EXPECT_EQ(j["series"][0]["future"], 0);
  EXPECT_EQ(j["series"][1]["future"], 2);
  EXPECT_NEAR(j["static_force"]["normal"][0], 7.5545, 5e-5);
  EXPECT_EQ(j["static_force"]["stable"], false);
  EXPECT_EQ(j["agrees"], false);
  EXPECT_EQ(j["files"][0], folder.file("limits.svg"));
  EXPECT_TRUE(content(folder.file("limits.svg")).starts_with("<svg"));
}

TEST(CliConverge, ReadsRangesBothWaysAndSpeaksToPeople) {
  const std::string up =
      expect_done({"converge", "rod-falling", "--stiffness", "1e3:1e7:5", "--regularisation", "preclik"}).out;
  const std::string down =
      expect_done({"converge", "rod-falling", "--stiffness", "1e7:1e3:5", "--regularisation", "preclik"}).out;
  EXPECT_EQ(up, down);
  expect_contains(
      up, {"one rigid motion", "preclik", "limit", "order", "undecided", "one series alone", "the methods agree"});
}

TEST(CliConverge, DriftingContactsHaveOutcomes) {
  const Json j = json_of({"converge", "table-a1-6b", "--stiffness", "1e7:1e9:3", "--t-end", "0.02", "--json"});
  EXPECT_TRUE(j["futures"].empty());
  EXPECT_NE(j["futures_reason"], "");
  EXPECT_EQ(j["uniform_outcome"], true);
  EXPECT_EQ(j["series"][0]["outcome"], "FF");
  EXPECT_EQ(j["verdict"], "uniformly resolvable");
}

TEST(CliConverge, RefusesWithOneLine) {
  expect_refused({"converge", "rod-falling"}, {"--stiffness", "--dt"});
  expect_refused({"converge", "rod-falling", "--stiffness", "1e3"}, {"--stiffness", "FROM:TO:N"});
  expect_refused({"converge", "rod-falling", "--stiffness", "0:1:3"}, {"--stiffness", "positive"});
  expect_refused({"converge", "rod-falling", "--stiffness", "1:10:2.5"}, {"--stiffness", "whole"});
  expect_refused({"converge", "rod-falling", "--dt", "1e-2 kg:1e-3:3"}, {"--dt"});
  expect_refused({"converge", "rod-falling", "--dt", "1e-2:1e-3:3", "--regularisation", "hertz"}, {"--stiffness"});
  expect_refused({"converge", "rod-falling", "--stiffness", "1e3:1e4:3", "--scheme", "moreau-jean"}, {"--dt"});
  expect_refused({"converge", "rod-falling", "--stiffness", "1e3:1e4:3", "--regularisation", "herz"}, {"hertz"});
  expect_refused({"converge", "rod-falling", "--dt", "1e-2:1e-3:3", "--scheme", "euler"}, {"moreau-jean"});
  expect_refused({"converge", "table-a1-6a", "--dt", "1e-2:1e-3:3"}, {"mechanism"});
  expect_refused({"converge", "rod-falling", "--dt", "1e-2:1e-3:3", "--figure", "limits.gif"}, {"limits.gif"});
  expect_refused({"converge", "biped-walking", "--dt", "1e-2:1e-3:3"}, {"lands_beyond"});
}

TEST(CliConverge, CtrlCKeepsTheRowsDone) {
  Child child({"converge", "rod-falling", "--dt", "1e-2:1e-8:4", "--t-end", "0.9", "--json"}, {});
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  ASSERT_EQ(kill(child.pid(), SIGINT), 0);
  const Outcome o = child.wait();
  EXPECT_EQ(o.code, 130) << "signal " << o.signal;
  EXPECT_EQ(o.err, "");
  const Json j = Json::parse(o.out);
  EXPECT_EQ(j["complete"], false);
  ASSERT_EQ(j["series"].size(), 1U);
  EXPECT_GE(j["series"][0]["rows"].size(), 1U);
  EXPECT_LT(j["series"][0]["rows"].size(), 4U);
}

}  // namespace converge_cli_test
