// Checkpoints: whatever ends a process, what is resumed is the map that was meant, to the last bit.
#include "painleve/study/map_checkpoint.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/fingerprint.hpp"
#include "painleve/study/detail/map_problems.hpp"

namespace painleve {
namespace map_checkpoint_test {

using namespace detail;

namespace fs = std::filesystem;

MapProblem rod_map(int n = 40) {
  const SceneSource source = SceneSource::open("rod");
  MapProblem p{source, {}, {}, {}, {}, "test"};
  p.axes = {{"state.theta", "theta", "rad", 0, 1.5, n}, {"contact.mu", "mu", "1", -0.2, 3, n}};
  for (const char* name : {"verdict", "growth_rate", "mu_jam"}) p.quantities.push_back(Quantity::parse(name));
  return p;
}

// A folder of its own, gone at the end.
class MapCheckpoints : public testing::Test {
 protected:
  MapCheckpoints() {
    std::string name = (fs::temp_directory_path() / "painleve_checkpoint_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    file_ = folder_ / "map.ck";
  }
  ~MapCheckpoints() override {
    std::error_code ignored;
    fs::permissions(folder_, fs::perms::owner_all, ignored);
    fs::remove_all(folder_, ignored);
  }

  MapOptions options(bool resume) const {
    MapOptions o;
    o.threads = 2;
    o.checkpoint = file_;
    o.resume = resume;
    return o;
  }
  // Leaves a checkpoint of about this part.
  void interrupt(const MapProblem& p, double part, bool resume = false) const {
    MapOptions o = options(resume);
    o.proceed = [part](double done) { return done < part; };
    EXPECT_FALSE(compute_map(p, o).complete);
  }
  std::string content() const {
    std::ifstream in(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& bytes) const {
    std::ofstream out(file_, std::ios::binary | std::ios::trunc);
    out << bytes;
  }
  // How many cells a resumed run finds done.
  double resumed_part(const MapProblem& p) const {
    double first = -1;
    MapOptions o = options(true);
    o.proceed = [&first](double part) {
      if (first < 0) first = part;
      return false;
    };
    compute_map(p, o);
    return first;
  }

  fs::path folder_, file_;
};

void expect_same(const Map& a, const Map& b) {
  EXPECT_TRUE(a.complete);
  EXPECT_EQ(a.reasons, b.reasons);
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    EXPECT_EQ(a.columns[c].names, b.columns[c].names);
    EXPECT_EQ(a.columns[c].reasons, b.columns[c].reasons);
    const auto bits = [](double x, double y) {
      return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    };
    EXPECT_TRUE(std::equal(a.columns[c].values.begin(), a.columns[c].values.end(), b.columns[c].values.begin(),
                           b.columns[c].values.end(), bits));
  }
}

TEST_F(MapCheckpoints, InterruptedAndResumedIsTheSame) {
  const auto p = rod_map();
  const Map whole = compute_map(p, {});
  interrupt(p, 0.3);
  const double first = resumed_part(p);
  EXPECT_GT(first, 0.2);
  EXPECT_LT(first, 0.8);
  interrupt(p, 0.7, true);
  EXPECT_GT(resumed_part(p), 0.6);
  expect_same(compute_map(p, options(true)), whole);
  // Once more from a complete one: nothing is computed.
  EXPECT_EQ(resumed_part(p), 1);
  expect_same(compute_map(p, options(true)), whole);
}

TEST_F(MapCheckpoints, OfAShard) {
  const auto p = rod_map();
  MapOptions o = options(false);
  o.shard = {2, 3};
  const Map shard = compute_map(p, o);
  o.resume = true;
  expect_same(compute_map(p, o), shard);
  const std::string before = content();
  for (const Shard& other : {Shard{1, 3}, Shard{2, 4}, Shard{1, 1}}) {
    o.shard = other;
    EXPECT_NE(refusal([&] { compute_map(p, o); }).find("belongs to another map"), std::string::npos);
  }
  EXPECT_EQ(content(), before);
}

TEST_F(MapCheckpoints, ResumeWithoutAFileBegins) {
  const auto p = rod_map(10);
  expect_same(compute_map(p, options(true)), compute_map(p, {}));
  EXPECT_TRUE(fs::exists(file_));
}

// Cut anywhere, by any number of bytes: the whole records are kept, the torn one is computed again.
TEST_F(MapCheckpoints, TornAnywhere) {
  const auto p = rod_map(20);
  const Map whole = compute_map(p, options(false));
  const std::string good = content();
  Draws draws(1);
  for (int k = 0; k < 60; ++k) {
    const auto size = static_cast<std::size_t>(draws.integer(0, static_cast<int>(good.size()) - 1));
    SCOPED_TRACE(size);
    write(good.substr(0, size));
    expect_same(compute_map(p, options(true)), whole);
    EXPECT_EQ(content().size(), good.size());
  }
}

TEST_F(MapCheckpoints, AFlippedBitIsNeverTrusted) {
  const auto p = rod_map(20);
  const Map whole = compute_map(p, options(false));
  const std::string good = content();
  Draws draws(2);
  for (int k = 0; k < 60; ++k) {
    const auto at = static_cast<std::size_t>(draws.integer(48, static_cast<int>(good.size()) - 1));
    SCOPED_TRACE(at);
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << draws.integer(0, 7)));
    write(bad);
    EXPECT_LT(resumed_part(p), 1);
    write(bad);
    expect_same(compute_map(p, options(true)), whole);
  }
}

TEST_F(MapCheckpoints, KilledAndResumedIsTheSame) {
  const auto p = rod_map(150);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    MapOptions o = options(false);
    o.threads = 1;
    compute_map(p, o);
    _exit(0);
  }
  std::error_code ignored;
  for (int k = 0; k < 5000; ++k) {
    const auto size = fs::file_size(file_, ignored);
    if (!ignored && size > 100000) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_GT(resumed_part(p), 0);
  EXPECT_LT(resumed_part(p), 1);
  expect_same(compute_map(p, options(true)), compute_map(p, {}));
}

// ---- refusals

TEST_F(MapCheckpoints, ExistingWithoutResume) {
  const auto p = rod_map(10);
  compute_map(p, options(false));
  const std::string before = content();
  EXPECT_EQ(refusal([&] { compute_map(p, options(false)); }),
            "the checkpoint '" + file_.string() +
                "' exists: another run may be at work on it; if not, go on from it with --resume, or delete it");
  EXPECT_EQ(content(), before);
}

TEST_F(MapCheckpoints, OfAnotherMap) {
  compute_map(rod_map(10), options(false));
  const std::string before = content();
  auto p = rod_map(10);
  const std::string another = "the checkpoint '" + file_.string() +
                              "' belongs to another map: another scene, range, quantity, shard or version";
  p.source.set("parameters.mass=2");
  EXPECT_EQ(refusal([&] { compute_map(p, options(true)); }), another);
  p = rod_map(10);
  p.program = "test 2";
  EXPECT_EQ(refusal([&] { compute_map(p, options(true)); }), another);
  EXPECT_EQ(refusal([&] { compute_map(rod_map(11), options(true)); }), another);
  EXPECT_EQ(content(), before);
}

// A whole header, hash and all, in which another build names itself.
TEST_F(MapCheckpoints, OfAnotherBuild) {
  const auto p = rod_map(10);
  compute_map(p, options(false));
  std::string other = content();
  other[24] = static_cast<char>(other[24] ^ 1);
  const std::uint64_t hash = hash_bytes(std::string_view(other).substr(0, 40));
  std::memcpy(other.data() + 40, &hash, sizeof hash);
  write(other);
  EXPECT_EQ(refusal([&] { compute_map(p, options(true)); }),
            "the checkpoint '" + file_.string() +
                "' is of another build of the program, whose digits may differ: finish it with that one, or delete it");
  EXPECT_EQ(content(), other);
}

TEST_F(MapCheckpoints, WhatIsNoCheckpoint) {
  const auto p = rod_map(10);
  write("theta,mu,verdict\n0,0,unique\n0,1,unique\n0,2,unique\n");
  EXPECT_EQ(refusal([&] { compute_map(p, options(true)); }), "'" + file_.string() + "' is not the checkpoint of a map");
  EXPECT_TRUE(content().starts_with("theta"));
  write("x");
  EXPECT_EQ(refusal([&] { compute_map(p, options(true)); }), "'" + file_.string() + "' is not the checkpoint of a map");
  fs::remove(file_);
  compute_map(p, options(false));
  std::string bad = content();
  bad[36] = static_cast<char>(bad[36] ^ 1);
  write(bad);
  EXPECT_EQ(refusal([&] { compute_map(p, options(true)); }),
            "the checkpoint '" + file_.string() + "' is damaged: delete it");
}

TEST_F(MapCheckpoints, PlacesThatCannotBeWritten) {
  const auto p = rod_map(10);
  MapOptions o = options(false);
  o.checkpoint = folder_ / "no" / "such" / "map.ck";
  EXPECT_EQ(refusal([&] { compute_map(p, o); }),
            "cannot write the checkpoint '" + o.checkpoint.string() + "': No such file or directory");
  o.checkpoint = folder_;
  o.resume = true;
  EXPECT_EQ(refusal([&] { compute_map(p, o); }),
            "cannot write the checkpoint '" + folder_.string() + "': Is a directory");
  o.checkpoint = "/dev/null";
  EXPECT_EQ(refusal([&] { compute_map(p, o); }), "the checkpoint '/dev/null' is not a file that can be written");
  if (geteuid() == 0) return;  // may write anywhere
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(refusal([&] { compute_map(p, options(false)); }),
            "cannot write the checkpoint '" + file_.string() + "': Permission denied");
}

TEST_F(MapCheckpoints, InUse) {
  const auto p = rod_map(20);
  const MapCheckpoint other(file_, p.fingerprint(), false);
  EXPECT_EQ(refusal([&] { compute_map(p, options(true)); }),
            "the checkpoint '" + file_.string() + "' is in use by another process");
}

// A disk that is full, by a limit on the size of files.
TEST_F(MapCheckpoints, AFullDiskLeavesWhatWasWritten) {
  const auto p = rod_map();
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto ignored_before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit tight = before;
  tight.rlim_cur = 12000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
  std::string message;
  try {
    compute_map(p, options(false));
  } catch (const InputError&) {
    message = "an InputError";
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignored_before);
  EXPECT_EQ(message,
            "cannot write the checkpoint '" + file_.string() + "': File too large; the cells that it holds are good");
  const auto size = fs::file_size(file_);
  EXPECT_LE(size, 12000U);
  const double part = resumed_part(p);
  EXPECT_EQ(fs::file_size(file_), size);  // whole records only: nothing had to be cut
  EXPECT_GT(part, 0);
  EXPECT_LT(part, 1);
  expect_same(compute_map(p, options(true)), compute_map(p, {}));
}

}  // namespace map_checkpoint_test
}  // namespace painleve
