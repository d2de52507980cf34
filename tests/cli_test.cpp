// What people and scripts rely on when they run the program.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "child_program.hpp"

namespace cli_test {

using namespace painleve_cli;

// A rod at 45 degrees with mu = 2 that slips into the paradox: inconsistent, and it jams.
const std::string jammed = R"({"W":[[2.5,1.5],[1.5,2.5]],"b":[0,-1],"u":[1,0],"mu":[2]})";
const std::string sliding = R"({"W":[[2.5,1.5],[1.5,2.5]],"b":[0,-1],"u":[1,0],"mu":[0.5]})";

// ---- help, version, doctor, gallery

TEST(Cli, HelpOfEveryVerbHasExamples) {
  const std::string help = expect_done({"--help"}).out;
  expect_contains(help, {"Examples:", "painleve analyze rod",
                         "Exit codes: 0 done, 1 failed, 2 bad usage or input or a full disk, 3"});
  for (const std::string verb : {"gallery", "analyze", "solve", "impact", "simulate", "map", "converge", "search",
                                 "check", "compare", "cases", "report", "reproduce", "studio", "doctor"}) {
    expect_contains(help, {verb});
    expect_contains(expect_done({verb, "--help"}).out, {"Example", "painleve " + verb, "--json"});
  }
}

TEST(Cli, Version) { EXPECT_TRUE(expect_done({"--version"}).out.starts_with("painleve ")); }

TEST(Cli, DoctorFindsTheProgramWell) {
  const Json j = json_of({"doctor", "--json"});
  EXPECT_EQ(j["good"], true);
  EXPECT_GE(j["self_test"].size(), 4U);
  for (const auto& check : j["self_test"]) {
    EXPECT_EQ(check["good"], true) << check;
  }
  for (const auto& part : j["optional"]) {
    EXPECT_TRUE(part["install"].get<std::string>().starts_with("apt-get install ")) << part;
    // Where everything is tested, everything must be there: the engines, the reader of robots, the browser.
    const bool wanted = part["name"] != "Google Benchmark" && std::getenv("CI") != nullptr;
    EXPECT_TRUE(!wanted || part["found"].get<bool>()) << part;
  }
  EXPECT_LT(j["seconds"], 2);
  expect_contains(expect_done({"doctor"}).out, {"all good"});
}

TEST(Cli, GalleryTellsAboutEverythingItLists) {
  const Json j = json_of({"gallery", "--json"});
  const std::string text = expect_done({"gallery"}).out;
  ASSERT_GE(j["mechanisms"].size(), 10U);
  ASSERT_GE(j["scenarios"].size(), 10U);
  for (const char* list : {"mechanisms", "scenarios"}) {
    for (const auto& entry : j[list]) {
      const auto name = entry["name"].get<std::string>();
      expect_contains(text, {name});
      EXPECT_EQ(json_of({"gallery", name, "--json"})["name"], name);
      expect_contains(expect_done({"gallery", name}).out, {list == std::string("mechanisms") ? name : "mechanism"});
    }
  }
}

TEST(Cli, AShippedScenarioIsAFileThatCanBeSaved) {
  const Folder folder;
  const std::string path = folder.write("mine.toml", expect_done({"gallery", "rod-no-solution"}).out);
  Json shipped = json_of({"analyze", "rod-no-solution", "--json"});
  Json saved = json_of({"analyze", path, "--json"});
  EXPECT_EQ(saved["scene"], path);
  shipped.erase("scene");
  saved.erase("scene");
  EXPECT_EQ(shipped, saved);
}

// ---- analyze

TEST(CliAnalyze, EveryScenarioGivesOneGoodObject) {
  const auto gallery = json_of({"gallery", "--json"});
  ASSERT_GE(gallery["scenarios"].size(), 30U);
  for (const auto& entry : gallery["scenarios"]) {
    const auto name = entry["name"].get<std::string>();
    const Json j = json_of({"analyze", name, "--json"});
    EXPECT_EQ(j["schema"], 1);
    EXPECT_EQ(j["command"], "analyze");
    for (const char* key : {"mechanism",
                            "dimension",
                            "parameters",
                            "state",
                            "W",
                            "b",
                            "drift",
                            "u",
                            "contacts",
                            "modes",
                            "consistent_modes",
                            "iwc",
                            "continuations",
                            "resolution",
                            "verdict",
                            "jam",
                            "complete",
                            "force_family_dimension",
                            "motion_family_dimension",
                            "class",
                            "gspot"}) {
      EXPECT_TRUE(j.contains(key)) << name << " has no " << key;
    }
    expect_contains(expect_done({"analyze", name}).out, {"Verdict"});
  }
}

TEST(CliAnalyze, SetOverridesInOrderAndWithUnits) {
  const Arguments start = {"analyze", "rod", "--json", "--set", "theta=45deg"};
  const auto with = [&](const Arguments& more) {
    Arguments all = start;
    for (const auto& assignment : more) {
      all.insert(all.end(), {"--set", assignment});
    }
    return json_of(all);
  };
  EXPECT_NEAR(with({})["contacts"][0]["mu_jam"], 5.0 / 3, 1e-14);
  EXPECT_EQ(with({"mu=2"})["contacts"][0]["mu"], 2);
  EXPECT_EQ(with({"mu=2", "contact.tip.mu=3"})["contacts"][0]["mu"], 3);
  EXPECT_EQ(with({"contact.tip.mu=3", "mu=2"})["contacts"][0]["mu"], 2);  // the last word counts
  EXPECT_NEAR(with({"mass=500 g"})["parameters"]["mass"], 0.5, 1e-15);
  EXPECT_EQ(json_of({"analyze", "rod", "--json", "--set=mass=2"})["parameters"]["mass"], 2);
}

TEST(CliAnalyze, FailOn) {
  struct Case {
    const char *scene, *what;
    int code;
  };
  for (const Case& c :
       {Case{"rod-no-solution", "inconsistent", 3}, Case{"rod-no-solution", "jam", 3},
        Case{"rod-no-solution", "indeterminate", 0}, Case{"rod-three-solutions", "indeterminate", 3},
        Case{"rod-three-solutions", "inconsistent", 0}, Case{"rod-three-solutions", "inconsistent,indeterminate", 3},
        Case{"rod-falling", "inconsistent,indeterminate,jam", 0}}) {
    // The answer is the same, printed in full; only the exit code tells of the finding.
    const Outcome o = expect_done({"analyze", c.scene, "--fail-on", c.what}, {}, c.code);
    EXPECT_EQ(o.out, expect_done({"analyze", c.scene}).out) << c.scene << " " << c.what;
  }
  expect_done({"analyze", "rod-no-solution", "--fail-on", "indeterminate", "--fail-on", "inconsistent"}, {}, 3);
  expect_refused({"analyze", "rod", "--fail-on", "paradox"}, {"--fail-on", "inconsistent"});
}

TEST(CliAnalyze, HugeAndTinyNumbersGiveJsonOrOneSentence) {
  for (const std::string key : {"theta", "slip", "x", "theta_dot", "mass", "half_length", "gyration", "gravity",
                                "slope", "mu", "contact.stiffness", "contact.damping", "force_x", "torque", "t"}) {
    for (const std::string value : {"1e308", "-1e308", "1e155", "1e-155", "1e-308", "5e-324"}) {
      const Arguments arguments = {"analyze", "rod", "--json", "--set", key + "=" + value};
      SCOPED_TRACE(joined(arguments));
      const Outcome o = run(arguments);
      if (o.code == 0) {
        const Json j = Json::parse(o.out, nullptr, false);
        ASSERT_TRUE(j.is_object());
        expect_reasons(j);
      } else {
        EXPECT_EQ(o.code, 2) << "signal " << o.signal;
        EXPECT_EQ(o.out, "");
        expect_one_message(o.err);
      }
    }
  }
}

// ---- mistakes

TEST(CliMistakes, Usage) {
  expect_refused({}, {"--help"});
  expect_refused({"analyse", "rod"}, {"'analyse'", "did you mean 'analyze'?"});
  expect_refused(
      {"frobnicate"},
      {"'frobnicate'",
       "gallery, analyze, solve, impact, simulate, map, merge, converge, search, check, compare, cases, report, "
       "reproduce, studio, doctor"});
  expect_refused({"analyze", "rod", "--jsn"}, {"'--jsn'", "did you mean '--json'?"});
  expect_refused({"search", "rod", "--minimise", "mu_jam", "--ovr", "theta=0:1"},
                 {"'--ovr'", "did you mean '--over'?"});
  expect_refused({"gallery", "rod", "block"}, {"'block'"});
  expect_refused({"doctor", "x"}, {"'x'"});
  expect_refused({"analyze"}, {"needs a scene"});
  expect_refused({"analyze", ""}, {"needs a scene"});
  expect_refused({"analyze", "rod", "--set"}, {"--set"});
  expect_refused({"analyze", "rod", "--batch", "-"}, {"not both"});
  expect_refused({"analyze", "--batch", "-", "--set", "mu=1"}, {"--set"});
}

TEST(CliMistakes, NamesAreAnsweredWithTheNearest) {
  expect_refused({"gallery", "rodd"}, {"'rodd'", "did you mean 'rod'?"});
  expect_refused({"gallery", ""}, {"''"});
  expect_refused({"analyze", "rodd"}, {"'rodd'", "did you mean 'rod'?"});
  expect_refused({"analyze", "rod", "--set", "thetta=1"}, {"'thetta'", "did you mean 'theta'?"});
  expect_refused({"analyze", "rod", "--set", "contact.tipp.mu=1"}, {"did you mean 'contact.tip'?"});
  expect_refused({"analyze", "rod", "--set", "theta=60degg"}, {"state.theta", "did you mean 'deg'?"});
  expect_refused({"search", "rod", "--minimise", "mu_jm", "--over", "theta=0:1"}, {"did you mean 'mu_jam'?"});
  expect_refused({"search", "rod", "--minimise", "tipp.mu_jam", "--over", "theta=0:1"}, {"did you mean 'tip'?"});
  expect_refused({"analyze", std::string(100000, 'a')}, {"unknown scene 'aaa", "…"});
  expect_refused({"analyze", "rod", "--set", std::string(100000, 'k') + "=1"}, {"unknown key 'kkk", "…"});
  expect_refused({"analyze", "ro\n\x1b[31md"}, {"unknown scene 'ro??[31md'"});
}

TEST(CliMistakes, Values) {
  struct Case {
    const char *set, *part;
  };
  for (const Case& c : {Case{"theta", "key=value"},
                        Case{"=3", "key=value"},
                        Case{"theta=", "state.theta"},
                        Case{"theta=abc", "'abc' is not a number"},
                        Case{"theta=nan", "finite"},
                        Case{"theta=inf", "finite"},
                        Case{"theta=1e400", "double precision"},
                        Case{"theta=60 kg", "unit 'kg'"},
                        Case{"theta=[1]", "must be a number"},
                        Case{"theta=true", "must be a number"},
                        Case{"mass=0", "parameters.mass is 0, it must be > 0"},
                        Case{"mass=-1", "it must be > 0"},
                        Case{"mass=nan", "finite"},
                        Case{"mu=-1", "contact.mu is -1, it must be >= 0"},
                        Case{"restitution=1.1", "between 0 and 1"},
                        Case{"restitution=-0.1", "between 0 and 1"},
                        Case{"contact.stiffness=0", "> 0"},
                        Case{"contact.law=foo", "energetic"},
                        Case{"contact.tip=3", "[contact.tip]"},
                        Case{"slip=[1,2]", "2 numbers, expected 1"},
                        Case{"slip=[]", "empty"},
                        Case{"y=5", "contradicts the closed contact 'tip'"},
                        Case{"y_dot=5", "'tip'"},
                        Case{"theta_dot=1e200", "too large"},
                        Case{"gyration=1e-160", "W is not finite"}}) {
    expect_refused({"analyze", "rod", "--json", "--set", c.set}, {c.part});
  }
  expect_refused({"analyze", "articulated-arm", "--set", "x=5"}, {"cannot reach x = 5 m", "0 to 1 m"});
  expect_refused({"analyze", "two-link", "--set", "height=5"}, {"out of reach"});
  expect_refused({"analyze", "articulated-arm", "--set", "elbow=sideways"}, {"up, down"});
}

TEST(CliMistakes, SceneFiles) {
  const Folder folder;
  struct Case {
    std::string text;
    std::vector<std::string> parts;
  };
  const std::string space = "mechanism = 'contact-space'\n[parameters]\n";
  const Case cases[] = {
      {"", {"the key mechanism is missing"}},
      {"mechanism = 'rod", {"line 1"}},
      {"mechanism = 'rodd'", {"line 1, column 13", "did you mean 'rod'?"}},
      {"mechanism = 'rod'\n[state]\nthetta = 1", {"line 3, column 1", "did you mean 'state.theta'?"}},
      {"mechanism = 'rod'\nstate = 3", {"line 2", "[state]"}},
      {"schema = 2\nmechanism = 'rod'", {"schema must be 1"}},
      {std::string("\x00\x01\xff\xfe\x80 binary \x7f", 14), {"line 1"}},
      {"mechanism = 'rod'\nx = " + std::string(100000, '['), {"line 2", "depth"}},
      {"mechanism = 'rod'\nx = " + std::string(50000, '{'), {"line 2"}},
      {space, {"W"}},
      {space + "W=[[2,1],[1.1,2]]\nb=[0,-1]\nu=[1,0]\nmu=[1]", {"W is not symmetric: W[1][0] = 1.1 but W[0][1] = 1"}},
      {space + "W=[[1,2],[2,1]]\nb=[0,-1]\nu=[1,0]\nmu=[1]", {"not positive semidefinite"}},
      {space + "W=[[2,1],[1,2]]\nb=[0]\nu=[1,0]\nmu=[1]", {"b has 1 numbers, expected 2"}},
      {space + "W=[[2,1],[1,2]]\nb=[0,-1]\nu=[1,0]\nmu=[-1]", {"mu of contact c1 is -1, it must be >= 0"}},
      {space + "W=[[2,1],[1]]\nb=[0,-1]\nu=[1,0]\nmu=[1]", {"rows of different length"}},
      {space + "W=[[]]\nb=[]\nu=[]\nmu=[]", {"mu is empty"}},
      {space + "W=[[2,1],[1,2]]\nb=[0,nan]\nu=[1,0]\nmu=[1]", {"b[1] must be a finite number"}},
      {space + "W=[[2,1],[1,2]]\nb=[0,-1]\nu=[1,0]\nmu=[1]\ndimension=4", {"2 or 3"}},
  };
  for (const Case& c : cases) {
    expect_refused({"analyze", folder.write("scene.toml", c.text)}, c.parts);
  }
  fs::create_directory(folder.file("folder.toml"));
  expect_refused({"analyze", folder.file("folder.toml")}, {"is a folder"});
  expect_refused({"analyze", "/dev/zero"}, {"longer than the 4 MiB"});
  expect_refused({"analyze", folder.file("missing.toml")}, {"cannot read"});
  expect_refused({"analyze", "/dev/null"}, {"mechanism is missing"});
  if (geteuid() != 0) {
    const std::string secret = folder.write("secret.toml", "mechanism = 'rod'");
    fs::permissions(secret, fs::perms::none);
    expect_refused({"analyze", secret}, {"cannot read"});
  }
}

TEST(CliMistakes, Ranges) {
  struct Case {
    const char *over, *part;
  };
  for (const Case& c :
       {Case{"theta", "NAME=FROM:TO"}, Case{"theta=", "not a range"}, Case{"theta=1", "not a range"},
        Case{"theta=:1", "not a number"}, Case{"theta=1:0", "ends before it begins"}, Case{"theta=1:1", "must grow"},
        Case{"theta=0:1:1", "at least 2"}, Case{"theta=0:1:0", "whole number"},
        Case{"theta=0:1:99999999999", "whole number"}, Case{"theta=0:1:2147483647", "points"},
        Case{"theta=0:1:3:4", "not a range"}, Case{"theta=nan:1", "finite"}, Case{"theta=0:1kg", "unit 'kg'"},
        Case{"tehta=0:1", "did you mean 'theta'?"}, Case{"mass=-1:0", "it must be > 0"},
        Case{"contact.law=0:1", "contact.law"}, Case{"parameters.nonsense=0:1", "nonsense"},
        Case{"theta=-1e308:1e308:3", "too wide"}}) {
    expect_refused({"search", "rod", "--minimise", "mu_jam", "--over", c.over}, {c.part});
  }
  expect_refused({"search", "rod", "--minimise", "mu_jam"}, {"--over"});
  expect_refused({"search", "rod", "--over", "theta=0:1"}, {"--minimise", "--maximise"});
  expect_refused({"search", "rod", "--minimise", "p", "--maximise", "p", "--over", "theta=0:1"}, {"one of"});
  expect_refused({"search", "rod", "--minimise", "p", "--over", "theta=0:1", "--over", "theta=0:1"}, {"twice"});
}

// ---- batch

TEST(CliBatch, OneAnswerPerLineInOrder) {
  const std::string in = jammed + "\n\n" + sliding + "\r\n" + jammed;  // blank lines, other line ends, no last newline
  const auto answers = lines(expect_done({"analyze", "--batch", "-"}, {.in = in}).out);
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0]["verdict"], "inconsistent");
  EXPECT_EQ(answers[1]["verdict"], "unique");
  EXPECT_EQ(answers[2], answers[0]);
  const Folder folder;
  const std::string path = folder.write("spaces.jsonl", in);
  EXPECT_EQ(lines(expect_done({"analyze", "--batch", path}).out), answers);
}

TEST(CliBatch, ABadLineIsAnsweredAndNothingElseIsLost) {
  const std::string deep(100000, '[');
  const std::string deep_closed = deep + std::string(100000, ']');
  std::string deep_objects;
  for (int i = 0; i < 100000; ++i) {
    deep_objects += "{\"a\":";
  }
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"garbage", "not a JSON object"},
      {"[]", "JSON object"},
      {"3", "JSON object"},
      {"{}", "W is missing"},
      {R"({"W":[[1]],"b":[0],"u":[0],"mu":[1]})", "W is 1 x 1, expected 2 x 2"},
      {R"({"W":[[2,1],[1.1,2]],"b":[0,-1],"u":[1,0],"mu":[1]})", "not symmetric"},
      {R"({"W":[[1,2],[2,1]],"b":[0,-1],"u":[1,0],"mu":[1]})", "semidefinite"},
      {R"({"W":[[2,1],[1,2]],"b":[0,-1],"u":[1,0],"mu":[-1]})", "mu of contact c1 is -1"},
      {R"({"W":[[2,1],[1,2]],"b":[0,-1],"u":[1,0],"mu":[1],"restitutoin":1})", "restitutoin"},
      {R"({"W":[[2,1],[1,2]],"b":[0,-1],"u":[1,0],"mu":[1],"stiffness":0})", "> 0"},
      {R"({"W":[[NaN,1],[1,2]],"b":[0,-1],"u":[1,0],"mu":[1]})", "finite"},
      {R"({"W":[[1e400,1],[1,2]],"b":[0,-1],"u":[1,0],"mu":[1]})", "finite"},
      {R"({"odd":1,"parameters":)" + sliding + "}", "'odd'"},
      {sliding + sliding, "not a JSON object"},
      {sliding + std::string(1, '\0'), "zero byte"},
      {"{\"\xff\xfe\":1}", "not a JSON object"},
      {deep, "not a JSON object"},
      {deep_closed, "JSON object"},
      {deep_objects + "1" + std::string(100000, '}'), "unknown key 'a'"},
      {R"({"W":)" + deep_closed + R"(,"b":[0],"u":[0],"mu":[1]})", "W"}};
  std::string in = jammed + "\n";
  for (const auto& [line, part] : bad) {
    in += line + "\n";
  }
  in += sliding + "\n";
  const Outcome o = run({"analyze", "--batch", "-"}, {.in = in});
  EXPECT_EQ(o.code, 2) << "signal " << o.signal;
  expect_one_message(o.err, {std::to_string(bad.size()) + " of " + std::to_string(bad.size() + 2) + " lines"});
  const auto answers = lines(o.out);
  ASSERT_EQ(answers.size(), bad.size() + 2);
  EXPECT_EQ(answers.front()["verdict"], "inconsistent");
  EXPECT_EQ(answers.back()["verdict"], "unique");
  for (std::size_t i = 0; i < bad.size(); ++i) {
    const Json& answer = answers[i + 1];
    EXPECT_EQ(answer["line"], i + 2);
    ASSERT_TRUE(answer.contains("error")) << bad[i].first.substr(0, 100);
    expect_contains(answer["error"], {bad[i].second});
  }
}

TEST(CliBatch, NothingToAnswer) {
  expect_refused({"analyze", "--batch", "-"}, {"empty"}, {.in = ""});
  expect_refused({"analyze", "--batch", "-"}, {"empty"}, {.in = "\n  \n\t\r\n"});
  expect_refused({"analyze", "--batch", "/nonexistent"}, {"cannot read"});
  expect_refused({"analyze", "--batch", fs::temp_directory_path().string()}, {"cannot read"});
}

TEST(CliBatch, FailOn) {
  const std::string in = sliding + "\n" + jammed + "\n" + sliding + "\n";
  EXPECT_EQ(lines(expect_done({"analyze", "--batch", "-", "--fail-on", "jam"}, {.in = in}, 3).out).size(), 3U);
  expect_done({"analyze", "--batch", "-", "--fail-on", "indeterminate"}, {.in = in}, 0);
  // A line that was not understood outweighs a finding.
  EXPECT_EQ(run({"analyze", "--batch", "-", "--fail-on", "jam"}, {.in = in + "x\n"}).code, 2);
}

TEST(CliBatch, TheSameAnswerAsFromAFile) {
  const Folder folder;
  const std::string scene =
      "mechanism = 'contact-space'\n[parameters]\nW = [[2.5,1.5],[1.5,2.5]]\nb = [0,-1]\nu = [1,0]\nmu = [2]\n";
  Json file = json_of({"analyze", folder.write("space.toml", scene), "--json"});
  Json line = lines(expect_done({"analyze", "--batch", "-"}, {.in = jammed + "\n"}).out).at(0);
  file.erase("scene");
  line.erase("scene");
  EXPECT_EQ(file, line);
}

// ---- search

// The three-link arm's worst poses (Peiret et al., Sec. 6), known to 16 digits from another program.
TEST(CliSearch, FindsTheArmsTwoWorstPosesUnaided) {
  const Json j = json_of(
      {"search", "articulated-arm", "--minimise", "mu_jam", "--over", "x=0:1", "--over", "theta3=0:180deg", "--json"});
  ASSERT_EQ(j["minima"].size(), 2U);  // and nothing else inside
  // 1e-8: Newton's method on differences; the values are flat there.
  EXPECT_NEAR(j["minima"][0]["value"], 0.4039117802538442, 1e-12);
  EXPECT_NEAR(j["minima"][0]["at"]["x"], 0.7852299435545154, 1e-8);
  EXPECT_NEAR(j["minima"][1]["value"], 0.42078682250995586, 1e-12);
  EXPECT_NEAR(j["minima"][1]["at"]["x"], 0.3388166358646338, 1e-8);
  for (const auto& minimum : j["minima"]) {
    EXPECT_EQ(minimum["interior"], true);
    EXPECT_EQ(minimum["confirmed"], true);
    EXPECT_TRUE(minimum["q"].contains("theta1"));
  }
  for (const auto& edge : j["edge"]) {
    EXPECT_EQ(edge["interior"], false);
  }
  EXPECT_EQ(j["complete"], true);
  EXPECT_GT(j["undefined"], 0);
  expect_contains(j["undefined_reason"], {"cannot reach"});
}

TEST(CliSearch, TextAndJsonSayTheSame) {
  const Arguments arguments = {"search", "rod", "--minimise", "mu_jam", "--over", "theta=0:90deg"};
  expect_contains(expect_done(arguments).out, {"local minimum mu_jam = 1.33333333333", "theta = 63.4349488", "states"});
  Arguments json = arguments;
  json.emplace_back("--json");
  const Json j = json_of(json);
  EXPECT_EQ(j["quantity"], "mu_jam");
  EXPECT_EQ(j["sense"], "minimise");
  EXPECT_NEAR(j["minima"][0]["value"], 4.0 / 3, 1e-12);
  EXPECT_EQ(expect_done(json).out, expect_done(json).out);  // byte for byte
}

TEST(CliSearch, MaximiseAndAmericanSpelling) {
  const Json j = json_of({"search", "rod", "--maximize", "W_nn", "--over", "theta=-1:1:101", "--json"});
  EXPECT_EQ(j["sense"], "maximise");
  ASSERT_EQ(j["maxima"].size(), 1U);
  EXPECT_NEAR(j["maxima"][0]["value"], 4, 1e-11);
}

// ---- streams, signals, terminals

TEST(CliStreams, AFullDiskIsRefusedWithOneSentence) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  for (const Arguments& arguments :
       {Arguments{"gallery"}, Arguments{"gallery", "rod"}, Arguments{"gallery", "--json"}, Arguments{"analyze", "rod"},
        Arguments{"analyze", "rod", "--json"}, Arguments{"analyze", "--batch", "-"}, Arguments{"doctor"},
        Arguments{"--help"}, Arguments{"--version"}, Arguments{"analyze", "--help"},
        Arguments{"search", "rod", "--minimise", "mu_jam", "--over", "theta=0:90deg:11"}}) {
    SCOPED_TRACE(joined(arguments));
    const Outcome o = run(arguments, {.in = sliding + "\n", .out = "/dev/full"});
    EXPECT_EQ(o.code, 2) << "signal " << o.signal;
    expect_one_message(o.err, {"cannot write the output"});
  }
  EXPECT_EQ(run({"analyze", "rodd"}, {.err = "/dev/full"}).code, 2);  // the sentence is lost, the code is not
}

TEST(CliStreams, AReaderThatLeavesEndsTheProgramQuietly) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  const Outcome o = run({"gallery", "--json"}, {.out_descriptor = ends[1]});
  close(ends[1]);
  EXPECT_EQ(o.signal, SIGPIPE);
  EXPECT_EQ(o.err, "");
}

TEST(CliStreams, NothingIsWrittenWhereItRuns) {
  const Folder folder;
  for (const Arguments& arguments :
       {Arguments{"gallery"}, Arguments{"analyze", "rod"}, Arguments{"doctor"},
        Arguments{"search", "rod", "--minimise", "mu_jam", "--over", "theta=0:90deg:11"}}) {
    EXPECT_EQ(run(arguments, {.folder = folder.file(".")}).code, 0) << joined(arguments);
    EXPECT_TRUE(fs::is_empty(folder.file("."))) << joined(arguments);
  }
}

TEST(CliStreams, InterruptEndsALongSearchWithOneSentence) {
  // Four million states: minutes of work.
  Child child({"search", "articulated-arm", "--minimise", "mu_jam", "--over", "x=0:1:2001", "--over",
               "theta3=0:180deg:2001", "--json"},
              {});
  std::this_thread::sleep_for(std::chrono::seconds(1));  // to be past the start of the program
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(kill(child.pid(), SIGINT), 0);
  const Outcome o = child.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(o.code, 130) << "signal " << o.signal;
  EXPECT_EQ(Json::parse(o.out)["complete"], false);
  expect_one_message(o.err, {"interrupted"});
}

TEST(CliStreams, NamesThatAreNotUtf8StillGiveJson) {
  const Folder folder;
  const std::string path = folder.write("\xff.toml", "mechanism = 'rod'\n");
  if (!fs::exists(path)) GTEST_SKIP() << "this file system takes UTF-8 names only";
  json_of({"analyze", path, "--json"});
  json_of({"search", path, "--minimise", "mu_jam", "--over", "theta=0:1:11", "--json"});
}

// What the program writes to a terminal.
std::string on_terminal(const Arguments& arguments,
                        const std::vector<std::pair<std::string, std::string>>& environment) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) return "";
  const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
  if (slave < 0) return "";
  Streams streams;
  streams.out_descriptor = slave;
  streams.environment = environment;
  Child child(arguments, streams);
  close(slave);
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(master, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  child.wait();
  close(master);
  return text;
}

TEST(CliStreams, ColourOnTerminalsOnly) {
  const char escape = '\x1b';
  const Arguments analyze = {"analyze", "rod-no-solution"};
  const std::string coloured = on_terminal(analyze, {{"TERM", "xterm"}, {"NO_COLOR", ""}});
  if (coloured.empty()) GTEST_SKIP() << "no pseudo-terminals here";
  EXPECT_NE(coloured.find(escape), std::string::npos);
  EXPECT_EQ(on_terminal(analyze, {{"TERM", "xterm"}, {"NO_COLOR", "1"}}).find(escape), std::string::npos);
  EXPECT_EQ(on_terminal(analyze, {{"TERM", "dumb"}, {"NO_COLOR", ""}}).find(escape), std::string::npos);
  EXPECT_EQ(on_terminal({"analyze", "rod-no-solution", "--json"}, {{"TERM", "xterm"}, {"NO_COLOR", ""}}).find(escape),
            std::string::npos);
  EXPECT_EQ(expect_done(analyze).out.find(escape), std::string::npos);
}

}  // namespace cli_test
