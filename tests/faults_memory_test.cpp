// Little memory, few descriptors: at every limit a verb ends well, or with exit code 1 and one sentence. Files are
// whole, and what a map computed is kept.
#include <gtest/gtest.h>

#include "faults_program.hpp"

namespace faults_memory {
namespace faults_memory_test {

using namespace painleve_cli;

constexpr rlim_t page = 4096, kilobyte = 1024, megabyte = 1024 * kilobyte;

// The least room for addresses in which the program starts at all: below it the system's loader gives up.
rlim_t least_memory() {
  rlim_t fails = 4 * megabyte, works = 4096 * megabyte;
  while (works - fails > page) {
    const rlim_t middle = (works + fails) / 2 / page * page;
    (run_limited({"--version"}, {.memory = middle}).code == 0 ? works : fails) = middle;
  }
  return works;
}

class FaultsMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (sanitized) GTEST_SKIP() << "sanitizers take terabytes of addresses";
    static const rlim_t least = least_memory();
    least_ = least;
  }
  // Through all limits from none to spare until the verb ends well; the number of ends that were not.
  int through(const Arguments& arguments, const std::string& file, rlim_t step, rlim_t most = 60 * megabyte) const {
    SCOPED_TRACE(joined(arguments));
    int refused = 0;
    for (rlim_t spare = 64 * kilobyte; spare < most; spare += step) {
      SCOPED_TRACE("with " + std::to_string(spare / kilobyte) + " kB");
      const Folder folder;
      const Arguments call =
          file.empty() ? arguments : arguments + Arguments{file.ends_with("g") ? "--figure" : "-o", folder.file(file)};
      const Outcome o = run_limited(call, {.memory = least_ + spare});
      const std::set<std::string> left = names_in(folder.file("."));
      if (o.code == 0) {
        EXPECT_EQ(o.err, "");
        EXPECT_EQ(left.size(), file.empty() ? 0U : file.ends_with(".csv") && arguments[0] == "simulate" ? 2U : 1U);
        return refused;
      }
      ++refused;
      EXPECT_EQ(o.code, 1) << "signal " << o.signal;
      EXPECT_EQ(o.out, "");
      const bool kept = left.contains(file + ".checkpoint");
      if (kept && o.err.find("thread") == std::string::npos)
        expect_one_message(o.err, {"not enough memory", "kept in", "--resume"});
      else
        expect_one_message(o.err);
      EXPECT_EQ(left.size(), kept ? 1U : 0U);
    }
    ADD_FAILURE() << "never enough";
    return refused;
  }

  rlim_t least_ = 0;
};

TEST_F(FaultsMemory, EveryVerbEndsWellOrWithOneSentence) {
  const rlim_t fine = 300 * kilobyte, coarse = 1700 * kilobyte;
  EXPECT_GT(through({"analyze", "rod-no-solution", "--json"}, "", fine), 0);
  EXPECT_GT(through({"solve", "rod-three-solutions", "--formulation", "step", "--json"}, "", fine), 0);
  EXPECT_GT(through({"impact", "oscillator-hopping", "--json"}, "", fine), 0);
  EXPECT_GT(through({"converge", "rod-no-solution", "--stiffness", "1e4:1e5:2", "--t-end", "0.01", "--json"}, "", fine),
            0);
  const Arguments simulate = {"simulate", "rod-falling", "--t-end", "0.1", "--samples", "5000"};
  EXPECT_GT(through(simulate, "run.h5", coarse), 1);
  EXPECT_GT(through(simulate, "run.csv", coarse), 1);
  EXPECT_GT(through({"report", "rod", "--cells", "3", "--t-end", "0.001", "--no-limits", "--threads", "1"}, "page.html",
                    coarse),
            1);
}

TEST_F(FaultsMemory, OfAMapWhatWasComputedIsKept) {
  const Arguments map = {"map",     "rod",  "--over", "theta=1:89deg:150", "--over", "mu=0:3:150", "--of",
                         "verdict", "--of", "p"};
  EXPECT_GT(through(map + Arguments{"--threads", "1"}, "map.h5", 1900 * kilobyte), 3);
  EXPECT_GT(through(map + Arguments{"--threads", "1"}, "map.png", 3700 * kilobyte), 1);
  // And taken up where there is more.
  const Folder folder;
  const std::string path = folder.file("map.h5"), whole = folder.file("whole.h5");
  expect_done(map + Arguments{"-o", whole});
  int kept = 0;
  for (rlim_t spare = megabyte; spare < 60 * megabyte && !fs::exists(path); spare += 3 * megabyte) {
    kept += fs::exists(path + ".checkpoint") ? 1 : 0;
    run_limited(map + Arguments{"--threads", "1", "--resume", "-o", path}, {.memory = least_ + spare});
  }
  EXPECT_GT(kept, 0);
  EXPECT_TRUE(content(path) == content(whole));
}

TEST_F(FaultsMemory, MoreThreadsThanThereIsRoomFor) {
  const Arguments map = {"map",       "rod", "--over", "theta=1:89deg:300", "--over", "mu=0:3:300", "--of", "verdict",
                         "--threads", "64",  "--json"};
  const Outcome whole = run(map);
  const Outcome o = run_limited(map, {.memory = least_ + 10 * megabyte});
  if (o.code == 0) {
    EXPECT_TRUE(o.out == whole.out);  // fewer threads did the work
  } else {
    EXPECT_EQ(o.code, 1) << o.signal;
    expect_one_message(o.err, {"thread", "--threads 1"});
  }
}

// Numbers for the streams (twice, for the test opens them) and a few more.
TEST(FaultsDescriptors, FewAreEnoughOrThereIsOneSentence) {
  int refused = 0, done = 0;
  for (const rlim_t many : {7, 8, 9, 10, 12}) {
    for (const Writer& writer : writers()) {
      SCOPED_TRACE(std::string(writer.verb) + " with " + std::to_string(many));
      const Folder folder;
      const std::string older = folder.write(writer.file, "older");
      const Outcome o = run_limited(writer.arguments + Arguments{older}, {.descriptors = many});
      if (o.code == 126 || o.code == 127) continue;  // not started: the loader had none for a library
      if (o.code == writer.code && o.err.empty()) {
        ++done;
        continue;
      }
      ++refused;
      EXPECT_TRUE(o.code == 1 || o.code == 2) << o.code << ", signal " << o.signal << " " << o.err;
      expect_one_message(o.err);
      EXPECT_EQ(content(older), "older");
    }
  }
  EXPECT_GT(done, 0);
  EXPECT_GT(refused, 0);
}

}  // namespace faults_memory_test
}  // namespace faults_memory
