// A clock that jumps, as it does when the time is set or the machine wakes up: waiting, progress, checkpoints and
// time-outs go by a clock that never does, and nothing else asks what time it is.
#include <gtest/gtest.h>

#include "faults_program.hpp"

namespace faults_clock {
namespace faults_clock_test {

using namespace painleve_cli;

TEST(FaultsClock, NobodyAsksForTheTimeOfDay) {
  int read = 0;
  for (const char* folder : {"painleve", "apps"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(PAINLEVE_SOURCE_DIR) / folder)) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(".hpp") && !name.ends_with(".cpp")) continue;
      ++read;
      const std::string text = content(entry.path().string());
      for (const char* word : {"system_clock", "gettimeofday", "CLOCK_REALTIME", "std::time(", "high_resolution_clock",
                               "wait_until(std::chrono::system"})
        EXPECT_EQ(text.find(word), std::string::npos) << entry.path() << " has " << word;
    }
  }
  EXPECT_GT(read, 300);
}

std::string fake_time() {
  for (const char* place :
       {"/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1", "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
        "/usr/lib/faketime/libfaketime.so.1"}) {
    if (fs::exists(place)) return place;
  }
  return "";
}

// The time of day leaps a day ahead and two back while a map is computed with a checkpoint.
TEST(FaultsClock, LeapsChangeNothing) {
  if (sanitized) GTEST_SKIP() << "sanitizers and a faked clock do not go together";
  const std::string library = fake_time();
  if (library.empty()) GTEST_SKIP() << "no libfaketime here: apt-get install libfaketime";
  const Folder folder;
  const Arguments map = {"map",  "rod",     "--over", "theta=10:80deg:20", "--over",  "mu=0:2:20",
                         "--of", "outcome", "--of",   "verdict",           "--t-end", "0.05"};
  expect_done(map + Arguments{"-o", folder.file("whole.h5")});
  const std::string clock = folder.write("clock", "+0"), path = folder.file("map.h5");
  Streams streams;
  streams.environment = {{"LD_PRELOAD", library},
                         {"FAKETIME_TIMESTAMP_FILE", clock},
                         {"FAKETIME_NO_CACHE", "1"},
                         {"DONT_FAKE_MONOTONIC", "1"}};
  LimitedChild child(map + Arguments{"--threads", "1", "-o", path}, {}, streams);
  int leaps = 0;
  for (const char* time : {"+1d", "-1d", "+1d", "-1d"}) {
    const std::uintmax_t before = size_of(path + ".checkpoint");
    becomes([&] { return size_of(path + ".checkpoint") > before || fs::exists(path); });
    leaps += fs::exists(path) ? 0 : 1;
    folder.write("clock", time);
  }
  const Outcome o = child.wait();
  EXPECT_EQ(o.code, 0) << o.signal << " " << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_GT(leaps, 0);
  EXPECT_TRUE(content(path) == content(folder.file("whole.h5")));
  EXPECT_FALSE(fs::exists(path + ".checkpoint"));
}

}  // namespace faults_clock_test
}  // namespace faults_clock
