// Checkpoints of maps that are not what they were: cut short, damaged, of another map, or in use by another run. The
// map that comes out is the one that was asked for, to the last byte, or there is one sentence and no map.
#include <gtest/gtest.h>

#include <random>

#include "faults_program.hpp"

namespace faults_checkpoint {
namespace faults_checkpoint_test {

using namespace painleve_cli;

constexpr std::size_t header_size = 48;  // magic, format, build, fingerprint, hash

// 480 cells in a moment.
Arguments map(const std::string& scene = "rod", const std::string& theta = "theta=1:89deg:24") {
  return {"map", scene, "--over", theta, "--over", "mu=0:3:20", "--of", "verdict", "--of", "mu_jam"};
}

class FaultsCheckpoint : public testing::Test {
 protected:
  FaultsCheckpoint() {
    expect_done(map() + Arguments{"-o", path_});
    whole_ = content(path_);
    // A disk that took the blocks but not the map leaves the checkpoint of all of it.
    fs::remove(path_);
    fs::create_directory(path_ + ".part");
    EXPECT_EQ(run(map() + Arguments{"--threads", "1", "-o", path_}).code, 2);
    fs::remove(path_ + ".part");
    good_ = content(checkpoint_);
    EXPECT_GT(good_.size(), header_size + 500);
  }
  void write(const std::string& bytes) const { std::ofstream(checkpoint_, std::ios::binary) << bytes; }
  // Resumes from these bytes. A refusal leaves them as they are, and no map.
  void expect_whole_or_refused(const std::string& bytes, bool may_refuse) const {
    fs::remove(path_);
    write(bytes);
    const Outcome o = run(map() + Arguments{"--resume", "-o", path_});
    if (may_refuse && o.code == 2) {
      expect_one_message(o.err, {"map.h5.checkpoint"});
      EXPECT_FALSE(fs::exists(path_));
      EXPECT_TRUE(content(checkpoint_) == bytes);
      return;
    }
    EXPECT_EQ(o.code, 0) << o.signal << " " << o.err;
    EXPECT_TRUE(content(path_) == whole_);
    EXPECT_FALSE(fs::exists(checkpoint_));
  }

  Folder folder_;
  std::string path_ = folder_.file("map.h5"), checkpoint_ = path_ + ".checkpoint", whole_, good_;
};

TEST_F(FaultsCheckpoint, CutShortAnywhere) {
  std::mt19937 draw(1);
  std::uniform_int_distribution<std::size_t> length(0, good_.size());
  for (std::size_t size = 0; size <= header_size; size += 5) expect_whole_or_refused(good_.substr(0, size), false);
  for (int k = 0; k < 20; ++k) expect_whole_or_refused(good_.substr(0, length(draw)), false);
  expect_whole_or_refused(good_, false);
}

// Every byte of the header, and seeded ones of the rest; a header that is wrong is not overwritten.
TEST_F(FaultsCheckpoint, ABitFlippedAnywhere) {
  std::mt19937 draw(2);
  std::uniform_int_distribution<std::size_t> place(header_size, good_.size() - 1);
  std::uniform_int_distribution<int> bit(0, 7);
  const auto flipped = [&](std::size_t at) {
    std::string bytes = good_;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit(draw)));
    return bytes;
  };
  for (std::size_t at = 0; at < header_size; ++at) {
    expect_whole_or_refused(flipped(at), true);
    EXPECT_TRUE(fs::exists(checkpoint_)) << at;  // refused
  }
  for (int k = 0; k < 40; ++k) expect_whole_or_refused(flipped(place(draw)), false);
}

TEST_F(FaultsCheckpoint, BytesAddedDoubledOrMoved) {
  std::mt19937 draw(3);
  std::string noise(700, ' ');
  for (char& c : noise) c = static_cast<char>(draw());
  const std::string records = good_.substr(header_size), header = good_.substr(0, header_size);
  for (const std::string& bytes :
       {good_ + noise, good_ + good_, good_ + records, header + noise, header + noise + records,
        header + records + records, header + std::string(5000, '\0'), header + std::string(24, '\xff') + records})
    expect_whole_or_refused(bytes, false);
  for (const std::string& bytes : {noise, std::string(1000, '\0'), records + header, whole_, "\n" + good_})
    expect_whole_or_refused(bytes, true);
}

// Of another scene, setting, range, quantity, shard: refused, and not harmed.
TEST_F(FaultsCheckpoint, OfAnotherMap) {
  const std::string scene = folder_.write("mine.toml", "mechanism = \"rod\"\n[parameters]\nmass = 2\n");
  for (const Arguments& other :
       {map("rod-falling"), map(scene), map() + Arguments{"--set", "mass=2"}, map("rod", "theta=1:89deg:25"),
        map("rod", "theta=1:88deg:24"), map() + Arguments{"--of", "p"}, map() + Arguments{"--shard", "1/2"}}) {
    expect_refused(other + Arguments{"--resume", "-o", path_}, {"map.h5.checkpoint", "another map"});
    EXPECT_TRUE(content(checkpoint_) == good_);
    EXPECT_FALSE(fs::exists(path_));
  }
  expect_refused(map() + Arguments{"-o", path_}, {"map.h5.checkpoint", "--resume"});
  expect_whole_or_refused(good_, false);
}

TEST_F(FaultsCheckpoint, WhatIsNoFile) {
  const auto refused = [&] {
    expect_refused(map() + Arguments{"--resume", "-o", path_}, {"map.h5.checkpoint"});
    fs::remove(checkpoint_);
    EXPECT_FALSE(fs::exists(path_));
  };
  fs::remove(checkpoint_);
  fs::create_directory(checkpoint_);
  refused();
  fs::create_symlink(checkpoint_, checkpoint_);
  refused();
  fs::create_symlink("/nowhere/at/all", checkpoint_);
  refused();
  fs::create_symlink("/dev/zero", checkpoint_);
  refused();
  ASSERT_EQ(mkfifo(checkpoint_.c_str(), 0600), 0);
  refused();
}

// A full disk keeps the blocks that fitted; more room, and the map is finished from them.
TEST_F(FaultsCheckpoint, ADiskThatFillsUp) {
  for (rlim_t room = 0; room < good_.size(); room += 1 + good_.size() / 10) {
    fs::remove(checkpoint_);
    fs::remove(path_);
    const Outcome o =
        run_limited(map() + Arguments{"--threads", "1", "-o", path_}, {.file_size = room}, {.out = "/dev/null"});
    EXPECT_EQ(o.code, 2) << "room " << room << ", signal " << o.signal;
    if (room > 600) expect_one_message(o.err, {"map.h5.checkpoint", "File too large", "--resume"});
    EXPECT_FALSE(fs::exists(path_));
    EXPECT_LE(size_of(checkpoint_), room);
    expect_whole_or_refused(content(checkpoint_), false);
  }
}

// The second of two runs is refused while the first is at work, with and without --resume; and never both of them.
TEST_F(FaultsCheckpoint, TwoRunsAtOnce) {
  fs::remove(checkpoint_);
  const Arguments slow = {"map",     "rod",       "--over", "theta=10:80deg:20",
                          "--over",  "mu=0:2:20", "--of",   "outcome",
                          "--t-end", "0.05",      "-o",     path_};
  expect_done(slow);
  const std::string whole = content(path_);
  fs::remove(path_);
  LimitedChild first(slow + Arguments{"--threads", "1"});
  ASSERT_TRUE(becomes([&] { return size_of(checkpoint_) > header_size; }));
  kill(first.pid(), SIGSTOP);  // at work for as long as this takes
  expect_refused(slow, {"map.h5.checkpoint", "another run may be at work"});
  expect_refused(slow + Arguments{"--resume"}, {"map.h5.checkpoint", "in use by another process"});
  kill(first.pid(), SIGCONT);
  EXPECT_EQ(first.wait().code, 0);
  EXPECT_TRUE(content(path_) == whole);
  for (int round = 0; round < 4; ++round) {
    fs::remove(path_);
    LimitedChild a(slow + Arguments{"--resume"}), b(slow + Arguments{"--resume"});
    const int codes[] = {a.wait().code, b.wait().code};
    EXPECT_TRUE(codes[0] == 0 || codes[1] == 0);
    for (const int code : codes) EXPECT_TRUE(code == 0 || code == 2) << code;
    EXPECT_TRUE(content(path_) == whole);
    EXPECT_FALSE(fs::exists(checkpoint_));
  }
}

// Killed over and over while it writes its checkpoint, until it is done.
TEST_F(FaultsCheckpoint, KilledUntilItIsDone) {
  fs::remove(checkpoint_);
  const Arguments slow = {"map",     "rod",     "--over", "theta=10:80deg:20", "--over", "mu=0:2:20", "--of",
                          "outcome", "--t-end", "0.05",   "--resume",          "-o"};
  const std::string whole_path = folder_.file("whole.h5");
  expect_done(slow + Arguments{whole_path});
  std::mt19937 draw(4);
  std::uniform_int_distribution<int> moment(0, 2000);
  int killed = 0;
  for (int k = 0; k < 200 && !fs::exists(path_); ++k) {
    const std::uintmax_t before = size_of(checkpoint_);
    LimitedChild child(slow + Arguments{path_});
    becomes([&] { return size_of(checkpoint_) > before + 300 || fs::exists(path_); });
    std::this_thread::sleep_for(std::chrono::microseconds(moment(draw)));
    kill(child.pid(), SIGKILL);
    killed += child.wait().signal == SIGKILL ? 1 : 0;
  }
  EXPECT_GT(killed, 1);
  expect_done(slow + Arguments{path_});
  EXPECT_TRUE(content(path_) == content(whole_path));
}

}  // namespace faults_checkpoint_test
}  // namespace faults_checkpoint
