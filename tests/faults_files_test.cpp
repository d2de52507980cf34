// Files under faults: a disk that is full or refuses, a program killed while it writes, two that write the same file.
// What was there before stays whole, or the new one is there whole; never a half, and one sentence says why.
#include <gtest/gtest.h>

#include <random>

#include "faults_program.hpp"

namespace faults_files {
namespace faults_files_test {

using namespace painleve_cli;

const std::string older = "what an earlier run wrote\n";

// Of a map, what was computed is not thrown away.
bool is_checkpoint(const std::string& name) { return name.ends_with(".checkpoint"); }

// The file is as it was, and nothing half lies beside it.
void expect_untouched(const Folder& folder, const std::string& file) {
  EXPECT_EQ(content(folder.file(file)), older);
  for (const std::string& name : names_in(folder.file("."))) EXPECT_TRUE(name == file || is_checkpoint(name)) << name;
}

TEST(FaultsFiles, EveryWriterWritesWhereItMay) {
  for (const Writer& writer : writers()) {
    SCOPED_TRACE(writer.verb);
    const Folder folder;
    folder.write(writer.file, older);
    const Outcome o = run(writer.arguments + Arguments{folder.file(writer.file)});
    EXPECT_EQ(o.code, writer.code) << o.err;
    EXPECT_GT(size_of(folder.file(writer.file)), 200U);
    for (const std::string& name : names_in(folder.file("."))) EXPECT_FALSE(name.ends_with(".part")) << name;
  }
}

// A disk with room for a few bytes, at several sizes; the signal that the system sends is not what ends the program.
TEST(FaultsFiles, AFullDiskLeavesTheOlderFile) {
  for (const Writer& writer : writers()) {
    for (const rlim_t room : {0, 100, 1500}) {
      SCOPED_TRACE(std::string(writer.verb) + ", room for " + std::to_string(room));
      const Folder folder;
      folder.write(writer.file, older);
      const Outcome o = run_limited(writer.arguments + Arguments{folder.file(writer.file)}, {.file_size = room},
                                    {.out = "/dev/null"});
      // stderr is a file, too, and has as much room.
      EXPECT_EQ(o.code, 2) << "signal " << o.signal << " " << o.err;
      if (room > 1000) expect_one_message(o.err, {"cannot write", "File too large"});
      expect_untouched(folder, writer.file);
    }
  }
}

// With the disk full, the place that was computed for is not the only one: the answer on stdout, too.
TEST(FaultsFiles, AFullStdoutIsOneSentence) {
  const std::vector<Arguments> verbs = {
      {"solve", "rod-three-solutions", "--formulation", "step"},
      {"impact", "oscillator-hopping"},
      {"simulate", "rod-falling", "--t-end", "0.01"},
      {"map", "rod", "--over", "theta=1:89deg:5", "--of", "verdict"},
      {"converge", "rod-no-solution", "--stiffness", "1e4:1e5:2", "--t-end", "0.01"},
      {"check", "rod", "--contact", "tip", "--mu", "0.8", "--samples", "20"},
      {"compare", "rod-no-solution", "--engine-program", "/bin/false"},
      {"reproduce", "--list"},
      {"reproduce", "peiret-cone/fig-1"},
  };
  for (Arguments verb : verbs) {
    for (const bool json : {false, true}) {
      if (json) verb.emplace_back("--json");
      SCOPED_TRACE(joined(verb));
      const Outcome full = run(verb, {.out = "/dev/full"});
      EXPECT_EQ(full.code, 2) << full.signal;
      expect_one_message(full.err, {"cannot write the output", "No space left"});
      int ends[2];
      ASSERT_EQ(pipe(ends), 0);
      close(ends[0]);
      const Outcome left = run(verb, {.out_descriptor = ends[1]});  // as under | head -1
      close(ends[1]);
      EXPECT_EQ(left.signal, SIGPIPE) << left.code;
      EXPECT_EQ(left.err, "");
    }
  }
}

// The pack of cases is many files: none of them is replaced when one cannot be written.
TEST(FaultsFiles, APackOfCasesIsReplacedWholeOrNotAtAll) {
  const Folder folder;
  const std::string pack = folder.file("pack");
  expect_done({"cases", "export", pack});
  const std::string manifest = content(pack + "/manifest.json");
  std::ofstream(pack + "/README.md") << older;
  const Outcome o = run_limited({"cases", "export", pack}, {.file_size = 3000}, {.out = "/dev/null"});
  EXPECT_EQ(o.code, 2) << o.signal;
  expect_one_message(o.err, {"cannot write", "File too large"});
  EXPECT_EQ(content(pack + "/README.md"), older);
  EXPECT_EQ(content(pack + "/manifest.json"), manifest);
  for (const auto& entry : fs::recursive_directory_iterator(pack))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
  expect_done({"cases", "export", pack});
  EXPECT_NE(content(pack + "/README.md"), older);
}

// Before the work: nothing is computed for a place that takes nothing.
TEST(FaultsFiles, PlacesThatTakeNoFile) {
  const Folder folder;
  const std::string file = folder.write("file", older);
  for (const Writer& writer : writers()) {
    SCOPED_TRACE(writer.verb);
    const std::string end = fs::path(writer.file).extension().string();
    fs::create_directory(folder.file("folder" + end));
    const std::vector<std::string> places = {folder.file("folder" + end),
                                             folder.file("no/such/x" + end),
                                             file + "/x" + end,
                                             "/proc/x" + end,
                                             "/dev/null/x" + end,
                                             folder.file(std::string(300, 'x') + end),
                                             folder.file(std::string(9000, 'x') + end)};
    for (const std::string& place : places) {
      SCOPED_TRACE(place.substr(0, 100));
      const Outcome o = run(writer.arguments + Arguments{place});
      EXPECT_EQ(o.code, 2) << o.signal;
      EXPECT_EQ(o.out, "");
      expect_one_message(o.err);
    }
    fs::remove(folder.file("folder" + end));
    EXPECT_EQ(names_in(folder.file(".")), std::set<std::string>{"file"});
  }
  EXPECT_EQ(content(file), older);
}

TEST(FaultsFiles, ALinkIsReplacedAndNotWhatItLeadsTo) {
  for (const Writer& writer : writers()) {
    SCOPED_TRACE(writer.verb);
    const Folder folder;
    const std::string target = folder.write("target", older);
    fs::create_symlink("target", folder.file(writer.file));
    EXPECT_EQ(run(writer.arguments + Arguments{folder.file(writer.file)}).code, writer.code);
    EXPECT_EQ(content(target), older);
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder.file(writer.file))));
    fs::remove(folder.file(writer.file));
    fs::create_symlink("nowhere/at/all", folder.file(writer.file));
    EXPECT_EQ(run(writer.arguments + Arguments{folder.file(writer.file)}).code, writer.code);
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder.file(writer.file))));
  }
}

// A stream that is closed is no free number for the file that is opened next.
TEST(FaultsFiles, ClosedStreamsAreNotWrittenInto) {
  const Folder folder;
  const Arguments map = {"map", "rod", "--over", "theta=1:89deg:5", "--of", "verdict", "-o"};
  const auto closed = [&](const std::string& name, const std::string& streams) {
    return LimitedChild(
               Arguments{"-c", "exec \"$@\" " + streams, "sh", PAINLEVE_PROGRAM} + map + Arguments{folder.file(name)},
               {}, {}, "/bin/sh")
        .wait();
  };
  EXPECT_EQ(closed("whole.h5", "").code, 0);
  const Outcome silent = closed("map.h5", ">&-");
  EXPECT_EQ(silent.code, 2) << silent.signal;
  expect_one_message(silent.err, {"cannot write the output"});
  EXPECT_EQ(closed("mute.h5", ">&- 2>&- <&-").code, 2);
  EXPECT_TRUE(content(folder.file("map.h5")) == content(folder.file("whole.h5")));
  EXPECT_TRUE(content(folder.file("mute.h5")) == content(folder.file("whole.h5")));
}

// 40,000 rows, so that the writing takes a while; killed at seeded moments of it.
TEST(FaultsFiles, KilledWhileItWritesTheFileIsOldOrNew) {
  const Folder folder;
  const std::string path = folder.file("map.csv");
  const Arguments map = {"map", "rod", "--over", "theta=1:89deg:200", "--over", "mu=0:3:200", "--of", "verdict", "--of",
                         "p",   "-o",  path};
  expect_done(map);
  const std::string newer = content(path);
  std::mt19937 draw(20261116);
  std::uniform_int_distribution<int> moment(0, 3000);
  int killed = 0, halves = 0;
  for (int k = 0; k < 20; ++k) {
    for (const char* rest : {".part", ".checkpoint"}) fs::remove(path + rest);
    folder.write("map.csv", older);
    LimitedChild child(map);
    becomes([&] { return size_of(path + ".part") > 0 || content(path) != older; });
    std::this_thread::sleep_for(std::chrono::microseconds(moment(draw)));
    kill(child.pid(), SIGKILL);
    killed += child.wait().signal == SIGKILL ? 1 : 0;
    halves += size_of(path + ".part") > 0 ? 1 : 0;
    const std::string found = content(path);
    EXPECT_TRUE(found == older || found == newer) << found.size() << " bytes";
  }
  EXPECT_GT(killed, 0);
  RecordProperty("killed", killed);
  RecordProperty("left_a_part", halves);
  // What such an end leaves behind is in nobody's way.
  folder.write("map.csv.part", "half of a ma");
  fs::remove(path + ".checkpoint");
  expect_done(map);
  EXPECT_TRUE(content(path) == newer);
  EXPECT_FALSE(fs::exists(path + ".part"));
}

// One after the other, and all end well: in the end one of their files is there, whole.
TEST(FaultsFiles, SeveralRunsWriteTheSameFile) {
  const Folder folder;
  const std::string path = folder.file("map.svg");
  const auto map = [&](int cells) {
    return Arguments{"map",      "rod",       "--over", "theta=1:89deg:" + std::to_string(cells),
                     "--over",   "mu=0:3:60", "--of",   "verdict",
                     "--figure", path};
  };
  std::set<std::string> whole;
  for (const int cells : {60, 61, 62, 63}) {
    expect_done(map(cells));
    whole.insert(content(path));
  }
  ASSERT_EQ(whole.size(), 4U);
  for (int round = 0; round < 8; ++round) {
    std::vector<std::unique_ptr<LimitedChild>> runs;
    for (const int cells : {60, 61, 62, 63}) runs.push_back(std::make_unique<LimitedChild>(map(cells)));
    for (const auto& one : runs) {
      const Outcome o = one->wait();
      EXPECT_EQ(o.code, 0) << o.err;
      EXPECT_EQ(o.err, "");
    }
    EXPECT_TRUE(whole.contains(content(path))) << "round " << round;
    EXPECT_EQ(names_in(folder.file(".")), std::set<std::string>{"map.svg"});
  }
}

}  // namespace faults_files_test
}  // namespace faults_files
