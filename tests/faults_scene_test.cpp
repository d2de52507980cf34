// Scenes that mean harm, or that went wrong on their way: the program reads what can be read, to the last digit, and
// refuses the rest in one sentence, soon.
#include <gtest/gtest.h>

#include <cmath>

#include "faults_program.hpp"

namespace faults_scene {
namespace faults_scene_test {

using namespace painleve_cli;

std::string rod_with(const std::string& theta) { return "mechanism = 'rod'\n[state]\ntheta = " + theta + "\n"; }

// What the program understood of a length, from a file and from --set. Angles have bounds.
void expect_x(const std::string& written, double meant) {
  SCOPED_TRACE(written);
  const Folder folder;
  const Json file =
      json_of({"analyze", folder.write("scene.toml", "mechanism = 'rod'\n[state]\nx = " + written), "--json"});
  EXPECT_EQ(file["state"]["q"]["x"], meant);
  const Json set = json_of({"analyze", "rod", "--set", "x=" + written, "--json"});
  EXPECT_EQ(set["state"]["q"]["x"], meant);
}

TEST(FaultsScene, NumbersAreTheNearestDouble) {
  expect_x("0.1", 0.1);
  expect_x("0x10", 16);
  expect_x("1_000", 1000);
  expect_x("5e-324", 5e-324);
  expect_x("2.2250738585072011e-308", 2.2250738585072011e-308);
  expect_x("0." + std::string(100, '1'), 1.0 / 9);
  // Whole numbers beyond those that a double tells apart.
  expect_x("9007199254740992", 9007199254740992.0);
  expect_x("9007199254740993", 9007199254740992.0);
  expect_x("10000000000000001", 1e16);
  expect_x("9223372036854775807", 9223372036854775808.0);
  expect_x("-9223372036854775808", -9223372036854775808.0);
}

TEST(FaultsScene, WholeNumbersInListsAreNumbers) {
  const Folder folder;
  const std::string scene = folder.write("scene.toml",
                                         "mechanism = 'contact-space'\n[parameters]\nW = [[2, 1], [1, 2]]\nb = "
                                         "[10000000000000000, -1]\nu = [1, 0]\nmu = [1]\n");
  EXPECT_EQ(json_of({"analyze", scene, "--json"})["b"], Json::array({1e16, -1.0}));
}

TEST(FaultsScene, NothingThatIsNoNumberIsOne) {
  const Folder folder;
  for (const std::string word : {"nan",
                                 "+nan",
                                 "-nan",
                                 "inf",
                                 "+inf",
                                 "-inf",
                                 "1e309",
                                 "-1e309",
                                 "'NaN'",
                                 "'inf'",
                                 "'1e400'",
                                 "'infinity'",
                                 "'nan(7)'",
                                 "1__0",
                                 "--1",
                                 "0b2",
                                 "01",
                                 "1e",
                                 "'1e'",
                                 "'１'",
                                 "''",
                                 "[]",
                                 "{}",
                                 "18446744073709551616",
                                 "1979-05-27T07:32:00Z"}) {
    const std::string bare = word.front() == '\'' ? word.substr(1, word.size() - 2) : word;
    expect_refused({"analyze", folder.write("scene.toml", rod_with(word)), "--json"}, {"scene.toml, line 3"});
    if (word != "01" && word != "18446744073709551616")  // numbers, but not in TOML
      expect_refused({"analyze", "rod", "--json", "--set", "theta=" + bare}, {});
  }
}

// Minus zero, and numbers at both ends: an answer in JSON, or one sentence.
TEST(FaultsScene, NumbersAtTheEnds) {
  for (const std::string key :
       {"theta", "theta_dot", "slip", "mass", "half_length", "mu", "gravity", "contact.stiffness"}) {
    for (const std::string value : {"-0.0", "1e308", "-1e308", "4.9e-324", "1e-300"}) {
      for (const Arguments& verb : {Arguments{"solve", "rod", "--formulation", "step"}, Arguments{"impact", "rod"},
                                    Arguments{"simulate", "rod", "--t-end", "0.001", "--method", "step"}}) {
        const Arguments call = verb + Arguments{"--json", "--set", key + "=" + value};
        SCOPED_TRACE(joined(call));
        const Outcome o = run(call);
        EXPECT_TRUE(o.code == 0 || o.code == 2) << o.code << ", signal " << o.signal << " " << o.err;
        if (o.code == 0)
          EXPECT_TRUE(Json::parse(o.out, nullptr, false).is_object());
        else
          expect_one_message(o.err);
      }
    }
  }
}

struct Bytes {
  const char* what;
  std::string bytes;
  std::vector<std::string> said;  // empty: it is read as the rod
};

std::vector<Bytes> scene_files() {
  const std::string rod = "mechanism = 'rod'\n";
  std::string tables = rod, keys = rod;
  for (int k = 0; k < 20000; ++k) tables += "[x" + std::to_string(k) + "]\n";
  keys += "x" + std::string(".x", 2);
  for (int k = 0; k < 50000; ++k) keys += ".x";
  return {
      {"line ends of another system", "mechanism = 'rod'\r\n[contact]\r\nmu = 0.5\r\n", {}},
      {"a mark of byte order", "\xef\xbb\xbf" + rod, {}},
      {"no end of line", "mechanism = 'rod'", {}},
      {"a long comment", rod + "#" + std::string(4000000, 'x'), {}},
      {"100 MB", rod + "#" + std::string(100000000, 'x'), {"longer than the 4 MiB"}},
      {"a zero byte", rod + std::string("[state]\ntheta = 1\0\n", 19), {"line 3"}},
      {"bytes that are no UTF-8", rod + "[contact]\nmu = '\xff\xfe\x80'\n", {"line 3"}},
      {"UTF-16",
       std::string("\xff\xfe"
                   "m\0e\0",
                   6),
       {"line 1"}},
      {"a key twice", rod + "[contact]\nmu = 1\nmu = 2\n", {"line 4", "mu"}},
      {"a table twice", rod + "[contact]\nmu = 1\n[contact]\nmu = 2\n", {"line 4", "contact"}},
      {"nested lists", rod + "x = " + std::string(100000, '[') + std::string(100000, ']'), {"line 2", "depth"}},
      {"nested tables", rod + "x = " + std::string(100000, '{'), {"line 2"}},
      {"many tables", tables, {"'x0'"}},
      {"a deep key", keys + " = 1\n", {"line 2"}},
      {"a text without end", rod + "x = \"\"\"" + std::string(1000000, 'x'), {"line 2"}},
      {"many contacts",
       "mechanism = 'contact-space'\n[parameters]\nW = [[1]]\nb = [1]\nu = [1]\nmu = [" +
           [] {
             std::string list = "1";
             while (list.size() < 3000000) list += ",1";
             return list;
           }() +
           "]\n",
       {"W is 1 x 1", "expected"}},
      {"a dimension",
       "mechanism = 'contact-space'\n[parameters]\ndimension = 1000000000\nW = [[1]]\nb = [1]\nu = [1]\nmu = [1]\n",
       {"dimension is 1000000000", "2 or 3"}},
      {"a file that names itself", "file = 'scene.toml'\n", {"scene.toml"}},
      {"a robot that is a device", "file = '/dev/zero'\n", {"/dev/zero"}},
  };
}

TEST(FaultsScene, FilesOfAllKinds) {
  const Folder folder;
  for (const Bytes& one : scene_files()) {
    SCOPED_TRACE(one.what);
    const std::string path = folder.write("scene.toml", one.bytes);
    if (one.said.empty()) {
      EXPECT_EQ(json_of({"analyze", path, "--json"})["mechanism"], "rod");
    } else {
      expect_refused({"analyze", path}, one.said);
    }
  }
}

TEST(FaultsScene, WhatIsNoFile) {
  const Folder folder;
  fs::create_symlink(folder.file("loop.toml"), folder.file("loop.toml"));
  fs::create_symlink("nowhere", folder.file("dangling.toml"));
  fs::create_directory(folder.file("folder.toml"));
  for (const char* name : {"loop.toml", "dangling.toml", "folder.toml", "missing.toml"})
    expect_refused({"analyze", folder.file(name)}, {name});
  expect_refused({"analyze", folder.file(std::string(300, 'x') + ".toml")}, {"xxx"});
  expect_refused({"analyze", "/dev/zero"}, {"/dev/zero", "4 MiB"});
  expect_refused({"analyze", "/proc/self/mem"}, {"/proc/self/mem"});
  // A pipe is read to its end, as from <(…).
  ASSERT_EQ(mkfifo(folder.file("pipe.toml").c_str(), 0600), 0);
  LimitedChild child({"analyze", folder.file("pipe.toml"), "--json"});
  std::ofstream(folder.file("pipe.toml")) << rod_with("1.0");
  const Outcome o = child.wait();
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(Json::parse(o.out, nullptr, false)["state"]["q"]["theta"], 1.0);
}

// More than any machine holds, or would end in a life: refused before anything is computed.
TEST(FaultsScene, WorkWithoutEnd) {
  const Arguments verdict = {"--of", "verdict"};
  const std::string many = "1000000000";
  expect_refused(Arguments{"map", "rod", "--over", "theta=0:1:" + many, "--over", "mu=0:1:1000"} + verdict,
                 {"memory", "GB"});
  expect_refused({"search", "rod", "--minimise", "mu_jam", "--over", "theta=0:1:" + many}, {"grid", "1e+09"});
  expect_refused({"simulate", "rod", "--samples", many}, {"samples", many});
  expect_refused({"simulate", "rod", "--samples", "1" + many + many}, {"--samples"});
  expect_refused({"simulate", "rod", "--method", "step", "--dt", "1e-300"}, {"dt", "1e-300"});
  expect_refused({"simulate", "rod", "--method", "step", "--dt", "1e-9", "--t-end", "1e9"}, {"steps"});
  expect_refused({"simulate", "rod", "--t-end", "1e309"}, {"--t-end", "double precision"});
  expect_refused({"converge", "rod-no-solution", "--dt", "1e-2:1e-5:" + many}, {"--dt", many});
  expect_refused({"converge", "rod-no-solution", "--stiffness", "1e3:1e300:5"}, {"stiffness"});
  expect_refused({"report", "rod", "-o", "/dev/null", "--cells", many}, {"cells", many});
}

// A place that takes no file is refused before work that would outlast every test.
TEST(FaultsScene, PlacesAreLookedAtBeforeLongWork) {
  const Folder folder;
  const std::string name = std::string(300, 'x');
  expect_refused({"simulate", "rod-falling", "--t-end", "1e9", "-o", folder.file(name + ".h5")},
                 {"File name too long"});
  expect_refused({"simulate", "rod-falling", "--t-end", "1e9", "-o", folder.file(name + ".csv")},
                 {"File name too long"});
  expect_refused({"converge", "rod-no-solution", "--stiffness", "1e3:1e8:1000", "--t-end", "1000", "--figure",
                  folder.file(name + ".svg")},
                 {"File name too long"});
  for (const std::string option : {"--figure", "--boundaries", "-o"}) {
    expect_refused({"map", "rod", "--over", "theta=10:80deg:600", "--over", "mu=0:2:600", "--of", "outcome", option,
                    folder.file(name + (option == "--figure" ? ".svg" : ".csv"))},
                   {"File name too long"});
  }
  expect_refused(
      {"check", "articulated-arm", "--mu", "0.5", "--samples", "5000000", "--figure", folder.file(name + ".svg")},
      {"File name too long"});
  EXPECT_TRUE(fs::is_empty(folder.file(".")));
}

}  // namespace faults_scene_test
}  // namespace faults_scene
