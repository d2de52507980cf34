// Ctrl-C and SIGTERM in every verb that may take long: it ends by itself, soon, with the exit code that shells know,
// and what was computed is printed or written. A second one ends the program at once.
#include <gtest/gtest.h>

#include "faults_program.hpp"

namespace faults_signals {
namespace faults_signals_test {

using namespace painleve_cli;

// Whether the program has a handler of its own for the signal: the long work has begun, or ends.
bool catches(pid_t pid, int signal) {
  std::istringstream status(content("/proc/" + std::to_string(pid) + "/status"));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("SigCgt:"))
      return ((std::stoull(line.substr(8), nullptr, 16) >> static_cast<unsigned>(signal - 1)) & 1U) != 0;
  }
  return false;
}

struct Long {
  const char* verb;
  Arguments arguments;
  std::string told;  // what the JSON says of the end
  std::string file = {};
};

std::vector<Long> long_verbs() {
  const std::string stopped = R"("stopped": "interrupted")", incomplete = R"("complete": false)";
  return {
      {"map", {"map", "rod", "--over", "theta=10:80deg:600", "--over", "mu=0:2:600", "--of", "outcome"}, incomplete},
      {"simulate, events", {"simulate", "rod-falling", "--t-end", "1e9"}, stopped, "run.h5"},
      {"simulate, steps",
       {"simulate", "rod-falling", "--method", "step", "--dt", "1e-6", "--t-end", "1e5"},
       stopped,
       "run.csv"},
      {"simulate, springs",
       {"simulate", "rod-no-solution", "--method", "compliant", "--set", "stiffness=1e6", "--t-end", "1e6"},
       stopped,
       "run.h5"},
      {"converge", {"converge", "rod-no-solution", "--stiffness", "1e3:1e8:1000"}, incomplete},
      {"search",
       {"search", "articulated-arm", "--minimise", "mu_jam", "--over", "x=0:1:5001", "--over", "theta3=0:180deg:5001"},
       incomplete},
      {"check", {"check", "articulated-arm", "--mu", "0.5", "--samples", "5000000"}, incomplete},
      {"report", {"report", "rod", "--cells", "2000"}, incomplete, "page.html"},
      {"reproduce", {"reproduce"}, incomplete, "page.html"},
  };
}

TEST(FaultsSignals, EveryLongVerbEndsCleanly) {
  for (const Long& one : long_verbs()) {
    for (const int signal : {SIGINT, SIGTERM}) {
      SCOPED_TRACE(std::string(one.verb) + ", signal " + std::to_string(signal));
      const Folder folder;
      Arguments arguments = one.arguments + Arguments{"--json"};
      if (!one.file.empty()) arguments = arguments + Arguments{"-o", folder.file(one.file)};
      LimitedChild child(arguments);
      ASSERT_TRUE(becomes([&] { return catches(child.pid(), signal); }));
      kill(child.pid(), signal);
      const Outcome o = child.wait();
      EXPECT_EQ(o.code, 128 + signal) << "signal " << o.signal << " " << o.err;
      EXPECT_TRUE(Json::parse(o.out, nullptr, false).is_object());
      expect_contains(o.out, {one.told});
      if (!o.err.empty()) expect_one_message(o.err, {"interrupted"});
      EXPECT_TRUE(one.file.empty() || size_of(folder.file(one.file)) > 0);
      for (const std::string& name : names_in(folder.file("."))) EXPECT_FALSE(name.ends_with(".part")) << name;
    }
  }
}

// An adapter that never answers keeps the comparison busy: the first signal waits for it, the second does not.
TEST(FaultsSignals, TheSecondEndsTheProgramAtOnce) {
  const Folder folder;
  const std::string adapter = folder.write("adapter", "#!/bin/sh\nexec sleep 100\n");
  fs::permissions(adapter, fs::perms::owner_all);
  for (const auto& [first, second] : {std::pair{SIGINT, SIGINT}, {SIGTERM, SIGTERM}, {SIGTERM, SIGINT}}) {
    LimitedChild child({"compare", "rod-no-solution", "--engine-program", adapter, "-o", folder.file("page.html")});
    ASSERT_TRUE(becomes([&] { return catches(child.pid(), SIGTERM); }));
    kill(child.pid(), first);
    ASSERT_TRUE(becomes([&] { return !catches(child.pid(), second); }));
    kill(child.pid(), second);
    const Outcome o = child.wait();
    EXPECT_EQ(o.signal, second) << o.code << " " << o.err;
    EXPECT_FALSE(fs::exists(folder.file("page.html")));
  }
}

// What the interrupted map left is taken up, also after SIGTERM, and gives the same bytes.
TEST(FaultsSignals, AMapEndedByTheSystemIsResumed) {
  const Folder folder;
  const Arguments map = {"map",  "rod",     "--over", "theta=10:80deg:20", "--over",  "mu=0:2:20",
                         "--of", "outcome", "--of",   "verdict",           "--t-end", "0.05"};
  expect_done(map + Arguments{"-o", folder.file("whole.h5")});
  const std::string path = folder.file("map.h5");
  LimitedChild child(map + Arguments{"--threads", "1", "-o", path});
  ASSERT_TRUE(becomes([&] { return size_of(path + ".checkpoint") > 100; }));
  kill(child.pid(), SIGTERM);
  const Outcome o = child.wait();
  EXPECT_EQ(o.code, 143) << o.signal;
  expect_one_message(o.err, {"interrupted", "--resume"});
  EXPECT_FALSE(fs::exists(path));
  expect_done(map + Arguments{"--resume", "-o", path});
  EXPECT_TRUE(content(path) == content(folder.file("whole.h5")));
}

// Verbs that take a moment keep the system's answer to signals: they end.
TEST(FaultsSignals, WhatWaitsForInputEnds) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  LimitedChild child({"analyze", "/dev/fd/" + std::to_string(ends[0])});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  kill(child.pid(), SIGINT);
  const Outcome o = child.wait();
  EXPECT_EQ(o.signal, SIGINT) << o.code << o.err;
  for (const int end : ends) close(end);
}

}  // namespace faults_signals_test
}  // namespace faults_signals
