// The verb compare, run as a user runs it: with an adapter of the user's own that answers, crashes, hangs and babbles,
// and with those of our own that were built.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "child_program.hpp"

namespace compare_cli_test {

using namespace painleve_cli;

// Answers the stick of rod-no-solution exactly, or the control's slip; other settings misbehave.
constexpr const char* adapter_script = R"sh(#!/bin/sh
read -r request
answer() { echo '{"schema":1,"represents":true,"reason":"","velocities":null,"Lambda":['"$1"'],"warnings":['"$2"'],"iterations":3}'; }
case "$request" in
*'"describe"'*)
  echo '{"schema":1,"engine":"mine","version":"7","friction":"as it likes","settings":[
    {"name":"known","about":"right"},{"name":"lazy","about":"never pushes"},{"name":"crash","about":""},
    {"name":"hang","about":""},{"name":"garbage","about":""},{"name":"refuse","about":""}]}' ;;
*'"lazy"'*) answer 0,0 '"<b>tired</b>"' ;;
*'"crash"'*) kill -SEGV $$ ;;
*'"hang"'*) exec sleep 60 ;;
*'"garbage"'*) printf 'segmentation \377\376 <script>' ;;
*'"refuse"'*) echo '{"schema":1,"represents":false,"reason":"no friction here","velocities":null,"Lambda":null}' ;;
*'"mu":1.5'*) answer 0.44074759526419155,0.33288452641916444 '' ;;
*) answer 0.002205414402442429,0.007351381341474763 '' ;;
esac
)sh";

class CliCompare : public ::testing::Test {
 protected:
  CliCompare() {
    path_ = folder_.write("adapter", adapter_script);
    fs::permissions(path_, fs::perms::owner_all);
  }
  Arguments with(const Arguments& more) const {
    Arguments all = {"compare", "rod-no-solution", "--engine-program", path_, "--timeout", "1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Folder folder_;
  std::string path_;
};

const Json& row_of(const Json& report, const std::string& setting) {
  for (const auto& row : report["rows"]) {
    if (row["setting"] == setting) return row;
  }
  throw std::runtime_error("no row " + setting);
}

TEST_F(CliCompare, EveryKindOfAnswerHasItsRow) {
  const Json j = json_of(with({"--json"}));
  expect_reasons(j);
  EXPECT_EQ(j["command"], "compare");
  EXPECT_EQ(j["bodies"], 1);
  ASSERT_EQ(j["case"]["solutions"].size(), 1U);
  EXPECT_EQ(j["control"]["about"], "mu = 0.3");
  ASSERT_EQ(j["rows"].size(), 6U);

  const Json& known = row_of(j, "known");
  EXPECT_EQ(known["engine"], "mine");
  EXPECT_EQ(known["control_right"], true);
  EXPECT_EQ(known["answer"]["mode"], "T");
  EXPECT_LT(known["answer"]["residuals"]["law"], 1e-12);
  EXPECT_LT(known["answer"]["energy_change"], -0.2);
  EXPECT_EQ(known["answer"]["iterations"], 3);

  const Json& lazy = row_of(j, "lazy");
  EXPECT_EQ(lazy["control_right"], false);
  EXPECT_TRUE(lazy["answer"]["mode"].is_null());
  EXPECT_NEAR(lazy["answer"]["residuals"]["penetration"], 0.01, 1e-12);
  EXPECT_EQ(lazy["answer"]["warnings"][0], "<b>tired</b>");

  EXPECT_EQ(row_of(j, "crash")["answer"]["status"], "failed");
  EXPECT_NE(row_of(j, "crash")["answer"]["reason"].get<std::string>().find("crashed"), std::string::npos);
  EXPECT_NE(row_of(j, "hang")["answer"]["reason"].get<std::string>().find("within 1 s"), std::string::npos);
  EXPECT_NE(row_of(j, "garbage")["answer"]["reason"].get<std::string>().find("not a JSON object"), std::string::npos);
  EXPECT_EQ(row_of(j, "refuse")["answer"]["status"], "not_represented");
  EXPECT_EQ(row_of(j, "refuse")["answer"]["reason"], "no friction here");
}

TEST_F(CliCompare, TheTableSaysTheSame) {
  const Outcome o = run(with({"--setting", "known,lazy", "--setting", "mine:refuse"}));
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("#0 T"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("none of them"), std::string::npos);
  EXPECT_NE(o.out.find("control wrong: Lambda (n, t) (0, 0) instead of (0.007351, 0.002205)"), std::string::npos)
      << o.out;
  EXPECT_NE(o.out.find("no friction here"), std::string::npos);
  EXPECT_EQ(o.out.find("crash"), std::string::npos) << "settings that were not asked for";
}

TEST_F(CliCompare, ThePageIsWholeAndEscaped) {
  const std::string page = folder_.file("page.html");
  const Outcome o = run(with({"--setting", "known,lazy,garbage", "-o", page}));
  ASSERT_EQ(o.code, 0) << o.err;
  const std::string html = content(page);
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  EXPECT_NE(html.find("&lt;b&gt;tired"), std::string::npos);
  EXPECT_EQ(html.find("<b>tired"), std::string::npos);
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("http"), std::string::npos) << "a page of its own";
  EXPECT_NE(html.find("none of them"), std::string::npos);
}

TEST_F(CliCompare, MistakesAreOneLine) {
  expect_refused({"compare", "rod", "--engines", "bulet"}, {"bulet", "bullet"});
  expect_refused(with({"--setting", "knwon"}), {"knwon", "known"});
  expect_refused(with({"--dt", "0"}), {"dt"});
  expect_refused(with({"--dt", "1kg"}), {"--dt"});
  expect_refused(with({"--tolerance", "2"}), {"tolerance"});
  expect_refused(with({"-o", "page.txt"}), {"page.txt", ".html"});
  expect_refused({"compare", "klein-none"}, {"bilateral"});
  expect_refused({"compare", "table-a1-6a"}, {"drifting-contacts"});
}

TEST_F(CliCompare, AnAdapterThatIsNotThereIsARowOfItsOwn) {
  const Outcome o = run({"compare", "rod", "--engine-program", "/nowhere/adapter"});
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.out.find("/nowhere/adapter"), std::string::npos) << o.out;
}

// The adapters of our own that this build has; those must work.
#ifndef PAINLEVE_BUILT_ENGINES
#define PAINLEVE_BUILT_ENGINES ""
#endif
bool built(const std::string& engine) {
  return ("," + std::string(PAINLEVE_BUILT_ENGINES) + ",").find("," + engine + ",") != std::string::npos;
}

TEST(CliCompareEngines, EveryEngineThatWasBuiltAnswersTheControl) {
  std::istringstream names(PAINLEVE_BUILT_ENGINES);
  for (std::string name; std::getline(names, name, ',');) {
    SCOPED_TRACE(name);
    const Json j = json_of({"compare", "rod-no-solution", "--engines", name, "--json"});
    ASSERT_EQ(j["engines"].size(), 1U);
    EXPECT_EQ(j["engines"][0]["name"], name);
    EXPECT_EQ(j["engines"][0]["found"], true);
    bool right = false;
    for (const auto& row : j["rows"]) {
      EXPECT_NE(row["answer"]["status"], "failed") << row.dump();
      right = right || row["control_right"] == true;
    }
    // MuJoCo's convex friction lets what slips rise from its surface: it has no setting that is right.
    EXPECT_EQ(right, name != "mujoco");
  }
}

TEST(CliCompareEngines, AMissingOneIsSaidWithItsPackage) {
  for (const std::string name : {"mujoco", "siconos", "ode", "bullet", "bullet32", "dart", "box2d", "simbody"}) {
    if (built(name)) continue;
    const Outcome o = run({"compare", "rod", "--engines", name});
    if (o.code == 0) continue;  // it is on the PATH
    EXPECT_EQ(o.code, 1) << o.err;
    EXPECT_NE(o.out.find("apt install lib"), std::string::npos) << o.out;
  }
}

// What our own adapters return on the rod of Preclik & Rüde, where they were built.
struct Expected {
  const char* engine;
  const char* setting;
  const char* none;   // case N: mode, or "" for none of the solutions
  const char* three;  // case M
  bool control;
};

TEST(CliCompareEngines, TheRodOfPreclikAndRuede) {
  const Expected list[] = {{"siconos", "nsgs", "T", "F", true},     {"siconos", "lemke", "T", "T", true},
                           {"ode", "quickstep-20", "T", "F", true}, {"ode", "worldstep", "", "F", false},
                           {"bullet", "impulse-10", "", "F", true}, {"mujoco", "default", "", "", false}};
  int checked = 0;
  for (const Expected& e : list) {
    if (!built(e.engine)) continue;
    ++checked;
    const std::string setting = std::string(e.engine) + ":" + e.setting;
    for (const auto& [scene, mode] : {std::pair{"rod-no-solution", e.none}, {"rod-three-solutions", e.three}}) {
      SCOPED_TRACE(setting + " " + scene);
      const Json j = json_of({"compare", scene, "--engines", e.engine, "--setting", setting, "--json"});
      ASSERT_EQ(j["rows"].size(), 1U);
      const Json& row = j["rows"][0];
      EXPECT_EQ(row["control_right"], e.control);
      EXPECT_EQ(row["answer"]["mode"], *mode == '\0' ? Json(nullptr) : Json(mode));
    }
  }
  if (checked == 0) GTEST_SKIP() << "no engine was built";
}

// The friction bound of dWorldStep comes from the problem without friction: Λ_t = μ Λ_n⁰ with Λ_n⁰ = dt g/W_nn.
TEST(CliCompareEngines, WorldStepBoundsFrictionByTheFrictionlessForce) {
  if (!built("ode")) GTEST_SKIP() << "ODE was not built";
  const Json j = json_of({"compare", "rod-no-solution", "--engines", "ode", "--setting", "worldstep", "--json"});
  const Json& answer = j["rows"][0]["answer"];
  const double W_nn = j["case"]["W"][1][1];
  const double W_nt = j["case"]["W"][1][0];
  const double Lambda_t = 1.5 * 0.01 / W_nn;
  EXPECT_NEAR(answer["Lambda_t"][0][0], Lambda_t, 1e-8);
  EXPECT_NEAR(answer["Lambda_n"][0], (0.01 - W_nt * Lambda_t) / W_nn, 1e-8);
  EXPECT_NEAR(answer["Lambda_n"][0], 0.0121, 5e-5);
  EXPECT_NEAR(answer["Lambda_t"][0][0], 0.0086, 5e-5);
}

}  // namespace compare_cli_test
