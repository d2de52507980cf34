// The verb simulate, run as a user runs it.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "child_program.hpp"

namespace simulate_cli_test {

using namespace painleve_cli;

TEST(CliSimulate, PreclikByTimeSteps) {
  const Json none =
      json_of({"simulate", "rod-no-solution", "--method", "step", "--dt", "10ms", "--t-end", "0.01", "--json"});
  EXPECT_EQ(none["method"], "step");
  EXPECT_EQ(none["stopped"], "t_end");
  EXPECT_EQ(none["t"], 0.01);
  EXPECT_EQ(none["steps"], 1);
  EXPECT_NEAR(none["impulse_n"][0], 0.3329, 5e-5);
  EXPECT_NEAR(none["impulse_t"][0][0], 0.4407, 5e-5);
  EXPECT_EQ(none["events"][0]["kind"], "iwc");
  EXPECT_EQ(none["outcome"], "T");
  EXPECT_EQ(none["files"], Json::array());

  const Json all = json_of({"simulate", "rod-three-solutions", "--method", "step", "--dt", "0.01", "--t-end", "0.01",
                            "--policy", "all", "--json"});
  EXPECT_EQ(all["stopped"], "branched");
  ASSERT_EQ(all["futures"].size(), 3U);
  const double printed[3][2] = {{0, 0}, {0.0755, 0.1133}, {0.3266, 0.4516}};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(all["futures"][k]["impulse_n"][0], printed[k][0], 5e-5);
    EXPECT_NEAR(all["futures"][k]["impulse_t"][0][0], printed[k][1], 5e-5);
    EXPECT_NE(all["futures"][k]["why"], "");
  }
}

TEST(CliSimulate, MechanismsAreSimulatedEventByEvent) {
  const Json j = json_of({"simulate", "rod-falling", "--t-end", "1", "--json"});
  EXPECT_EQ(j["method"], "event");
  EXPECT_EQ(j["stopped"], "t_end");
  EXPECT_LT(std::abs(j["energy"]["defect"].get<double>()), 1e-6);
  // Time steps tell the same story: it sticks, slips one way and then the other.
  const Json steps = json_of({"simulate", "rod-falling", "--method", "step", "--dt", "1e-4", "--t-end", "1", "--json"});
  ASSERT_GE(j["events"].size(), 2U);
  EXPECT_EQ(j["events"][0]["kind"], "slip");
  EXPECT_EQ(steps["events"][0]["kind"], "slip");
  EXPECT_NEAR(j["events"][0]["t"], steps["events"][0]["t"], 1e-3);
  EXPECT_NEAR(j["q"]["theta"], steps["q"]["theta"], 1e-3);
}

TEST(CliSimulate, RawContactsHaveSpringsOnly) {
  const Json j = json_of({"simulate", "table-a1-6a", "--t-end", "0.02", "--json"});
  EXPECT_EQ(j["method"], "compliant");
  EXPECT_EQ(j["outcome"], "FS");
  for (const std::string method : {"event", "step"})
    expect_refused({"simulate", "table-a1-6a", "--method", method}, {method, "drifting-contacts", "compliant"});
}

TEST(CliSimulate, EveryMechanismScenarioIsSteppedThrough) {
  const Json gallery = json_of({"gallery", "--json"});
  int stepped = 0;
  for (const auto& scene : gallery["scenarios"]) {
    const std::string name = scene["name"];
    SCOPED_TRACE(name);
    const Outcome o = run({"simulate", name, "--method", "step", "--t-end", "0.05", "--policy", "all", "--json"});
    if (o.code == 2) {
      expect_one_message(o.err, {name == "biped-walking" ? "lands_beyond" : "needs a mechanism"});
      continue;
    }
    ASSERT_EQ(o.code, 0) << o.err;
    ++stepped;
    const Json j = Json::parse(o.out);
    expect_reasons(j);
    EXPECT_TRUE(j["stopped"] == "t_end" || j["stopped"] == "branched") << j["stopped"];
    EXPECT_EQ(j["stopped"] == "branched", !j["futures"].empty());
  }
  EXPECT_GT(stepped, 15);
}

TEST(CliSimulate, FilesHoldTheRun) {
  const Folder folder;
  const std::string csv = folder.file("run.csv"), h5 = folder.file("run.h5");
  const Arguments call = {"simulate", "rod-no-solution", "--method", "step", "--dt", "0.01", "--t-end", "0.1", "-o",
                          csv,        "--samples",       "10"};
  expect_contains(expect_done(call).out, {"reached the end", "iwc", "energy [J]", "written to " + csv});
  const std::string samples = content(csv), events = content(folder.file("run.events.csv"));
  EXPECT_EQ(std::count(samples.begin(), samples.end(), '\n'), 12);
  EXPECT_EQ(std::count(events.begin(), events.end(), '\n'), 2);
  EXPECT_TRUE(
      samples.starts_with("t,x,y,theta,x_dot,y_dot,theta_dot,tip.gap,tip.u_t,tip.u_n,tip.lambda_t,tip.lambda_n,mode"));
  Arguments again = call;
  again[9] = h5;
  again.emplace_back("--json");
  const Json j = json_of(again);
  EXPECT_EQ(j["files"], Json::array({h5}));
  EXPECT_EQ(j["samples"], 11);
  EXPECT_EQ(content(h5).substr(1, 3), "HDF");
}

TEST(CliSimulate, SeedsChooseAndRepeat) {
  const auto impulse = [](const std::string& seed) -> double {
    return json_of({"simulate", "rod-three-solutions", "--method", "step", "--dt", "0.01", "--t-end", "0.01",
                    "--policy", "seeded", "--seed", seed, "--json"})["impulse_n"][0];
  };
  bool differ = false;
  for (const std::string seed : {"1", "2", "3", "4", "5", "6"}) {
    EXPECT_EQ(impulse(seed), impulse(seed));
    differ = differ || impulse(seed) != impulse("0");
  }
  EXPECT_TRUE(differ);
}

TEST(CliSimulate, WordsForPeople) {
  expect_contains(
      expect_done(
          {"simulate", "rod-three-solutions", "--method", "step", "--policy", "all", "--t-end", "0.1", "--dt", "0.01"})
          .out,
      {"has several continuations at t = 0 s", "future 0: solution 0 of 3 (F of F, S-, T)", "future 2", "moreau-jean"});
  const std::string bounces = expect_done({"simulate", "rod", "--method", "step", "--t-end", "3", "--set",
                                           "contact.tip.closed=false", "--set", "theta=90deg", "--set", "y=2", "--set",
                                           "x_dot=0", "--set", "y_dot=0", "--set", "contact.tip.restitution=0.9"})
                                  .out;
  expect_contains(bounces, {"Newton's"});
  const std::string many = expect_done({"simulate", "rod", "--method", "step", "--t-end", "8", "--set",
                                        "contact.tip.closed=false", "--set", "theta=90deg", "--set", "y=1.5", "--set",
                                        "x_dot=0", "--set", "y_dot=0", "--set", "contact.tip.restitution=0.9"})
                               .out;
  expect_contains(many, {"events are left out here"});
}

TEST(CliSimulate, Mistakes) {
  expect_refused({"simulate"}, {"SCENE"});
  expect_refused({"simulate", "rodd"}, {"rod"});
  expect_refused({"simulate", "rod", "--method", "rigid"}, {"--method"});
  for (const std::string t_end : {"0", "-1", "nan", "inf", "abc", "5kg"})
    expect_refused({"simulate", "rod", "--method", "step", "--t-end", t_end}, {"end"});
  for (const std::string dt : {"0", "-1", "nan", "inf", "abc", "5kg"})
    expect_refused({"simulate", "rod", "--method", "step", "--dt", dt}, {"dt"});
  expect_refused({"simulate", "rod", "--method", "step", "--theta", "0.4"}, {"theta"});
  expect_refused({"simulate", "rod", "--method", "step", "--policy", "first"}, {"--policy"});
  expect_refused({"simulate", "rod", "--method", "step", "--position-correction", "2"}, {"position_correction"});
  for (const std::string seed : {"-1", "18446744073709551616", "99999999999999999999999"})
    expect_refused({"simulate", "rod", "--policy", "seeded", "--seed", seed}, {"--seed"});
  EXPECT_EQ(
      expect_done({"simulate", "rod", "--policy", "seeded", "--seed", "18446744073709551615", "--t-end", "1e-3"}).err,
      "");
  expect_refused({"simulate", "rod", "--samples", "-5", "--method", "step"}, {"samples"});
  expect_refused({"simulate", "rod", "--method", "step", "--set", "restitution=0.5", "--scheme", "stewart-trinkle"},
                 {"inelastic"});
  expect_refused({"simulate", "rod", "--method", "step", "-o", "run.txt"}, {".csv"});
  expect_refused({"simulate", "rod", "--method", "step", "-o", "/nowhere/run.csv"}, {"/nowhere/run.csv", "folder"});
}

// An option that would change nothing is a misunderstanding.
TEST(CliSimulate, OptionsFitTheMethod) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"--method", "event", "--dt", "1e-3"}, "--dt"},
      {{"--method", "event", "--theta", "1"}, "--theta"},
      {{"--method", "event", "--scheme", "moreau-jean"}, "--scheme"},
      {{"--method", "event", "--smoothing", "1e-3"}, "--smoothing"},
      {{"--method", "step", "--tolerance", "1e-9"}, "--tolerance"},
      {{"--method", "step", "--several", "sequential"}, "--several"},
      {{"--method", "compliant", "--seed", "1"}, "--seed"},
      {{"--method", "step", "--seed", "1"}, "--seed"},
      {{"--method", "step", "--scheme", "stewart-trinkle", "--theta", "1"}, "--theta"}};
  for (const auto& [options, name] : wrong) {
    std::vector<std::string> call = {"simulate", "rod"};
    call.insert(call.end(), options.begin(), options.end());
    expect_refused(call, {name});
  }
}

// A full disk at the end of a long run: one sentence, exit code 2, as for every place that cannot be written.
TEST(CliSimulate, AFileThatCannotBeWrittenIsRefused) {
  const Folder folder;
  fs::create_directory(folder.file("run.h5.part"));  // where the unfinished file would go
  const Outcome o =
      run({"simulate", "rod", "--method", "step", "--t-end", "0.01", "-o", folder.file("run.h5"), "--json"});
  EXPECT_EQ(o.code, 2);
  EXPECT_EQ(o.out, "");
  expect_one_message(o.err, {"run.h5", "cannot write"});
}

TEST(CliSimulate, CtrlCKeepsWhatWasComputed) {
  const Folder folder;
  Child child({"simulate", "rod-falling", "--method", "step", "--dt", "1e-8", "--t-end", "10", "-o",
               folder.file("run.csv"), "--json"},
              {});
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  ASSERT_EQ(kill(child.pid(), SIGINT), 0);
  const Outcome o = child.wait();
  EXPECT_EQ(o.code, 130) << "signal " << o.signal;
  EXPECT_EQ(o.err, "");
  const Json j = Json::parse(o.out);
  EXPECT_EQ(j["stopped"], "interrupted");
  EXPECT_GT(j["t"], 0);
  EXPECT_LT(j["t"], 10);
  EXPECT_GT(j["steps"], 64);
  EXPECT_TRUE(content(folder.file("run.csv")).starts_with("t,x"));
}

// A biped that stands on its stance leg goes on; it does not stop at a word on the boundary of that motion.
TEST(CliSimulate, TheBipedWalksOn) {
  EXPECT_EQ(json_of({"simulate", "compass-biped", "--t-end", "0.1", "--json"})["stopped"], "t_end");
}

}  // namespace simulate_cli_test
