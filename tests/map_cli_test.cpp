// The verbs map and merge, run as a user runs them: alone, interrupted, killed, in shards, and under mpirun.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "child_program.hpp"

namespace map_cli_test {

using namespace painleve_cli;
using namespace std::chrono_literals;

Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// 1200 cells that are computed in a moment.
const Arguments quick = {"map",  "rod",     "--over", "theta=1:89deg:40", "--over", "mu=0:3:30",
                         "--of", "verdict", "--of",   "mu_jam",           "--of",   "p"};
// 900 simulations, which take a fifth of a second or more.
const Arguments slow = {"map",  "rod",     "--over", "theta=10:80deg:30", "--over",  "mu=0:2:30",
                        "--of", "outcome", "--of",   "verdict",           "--t-end", "0.05"};

std::string whole_map(const Folder& folder, const Arguments& problem) {
  expect_done(problem + Arguments{"-o", folder.file("whole.h5")});
  return content(folder.file("whole.h5"));
}

TEST(CliMap, ThreadsLeaveNoTrace) {
  const Folder folder;
  for (const std::string end : {".h5", ".csv"}) {
    for (const std::string threads : {"1", "8"})
      expect_done(slow + Arguments{"--threads", threads, "-o", folder.file(threads + end)});
    EXPECT_NE(content(folder.file("1" + end)), "");
    EXPECT_TRUE(content(folder.file("1" + end)) == content(folder.file("8" + end)));
    EXPECT_FALSE(fs::exists(folder.file("1" + end + ".checkpoint")));
  }
}

// The map says of a cell what analyze says of that state.
TEST(CliMap, CellsAreWhatAnalyzeSays) {
  const Json j = json_of({"map", "rod", "--over", "theta=10:80deg:8", "--over", "mu=0:3:7", "--of", "verdict", "--of",
                          "mu_jam", "--of", "tip.p", "--json"});
  EXPECT_EQ(j["command"], "map");
  EXPECT_EQ(j["complete"], true);
  EXPECT_EQ(j["cells"], 56);
  EXPECT_EQ(j["files"], Json::array());
  ASSERT_EQ(j["axes"].size(), 2U);
  EXPECT_EQ(j["axes"][0]["path"], "state.theta");
  EXPECT_EQ(j["axes"][0]["unit"], "rad");
  EXPECT_EQ(j["axes"][1]["to"], 3.0);
  const Json &verdict = j["quantities"][0], &mu_jam = j["quantities"][1], &p = j["quantities"][2];
  EXPECT_EQ(verdict["kind"], "word");
  EXPECT_EQ(p["unit"], "1/kg");
  std::map<std::string, int> words;
  double least = INFINITY;
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t k = 0; k < 7; ++k) {
      const std::string theta = j["axes"][0]["values"][i].dump(), mu = j["axes"][1]["values"][k].dump();
      const Json one = json_of({"analyze", "rod", "--set", "theta=" + theta, "--set", "mu=" + mu, "--json"});
      EXPECT_EQ(verdict["values"][i][k], one["verdict"]) << theta << " " << mu;
      EXPECT_EQ(mu_jam["values"][i][k], one["contacts"][0]["mu_jam"]) << theta << " " << mu;
      EXPECT_EQ(p["values"][i][k], one["contacts"][0]["p"]) << theta << " " << mu;
      ++words[one["verdict"]];
      least = std::min(least, one["contacts"][0]["p"].get<double>());
    }
  }
  EXPECT_GT(words.size(), 1U);
  for (const auto& [word, count] : words) EXPECT_EQ(verdict["words"][word], count);
  EXPECT_EQ(p["min"], least);
  EXPECT_EQ(p["undefined"], 0);
  EXPECT_EQ(p["min_at"]["mu"], 3.0);
}

TEST(CliMap, CellsWithoutValueSayWhy) {
  const Json j = json_of({"map", "rod", "--over", "theta=0:90deg:3", "--of", "mu_jam", "--json"});
  const Json& mu_jam = j["quantities"][0];
  EXPECT_TRUE(mu_jam["values"][0].is_null());
  EXPECT_TRUE(mu_jam["values"][1].is_number());
  EXPECT_GE(mu_jam["undefined"], 1);
  long counted = 0;
  for (const auto& reason : mu_jam["reasons"]) counted += reason["count"].get<long>();
  EXPECT_EQ(mu_jam["undefined"], counted);
  expect_contains(expect_done({"map", "rod", "--over", "theta=0:90deg:3", "--of", "mu_jam"}).out,
                  {"no value in", mu_jam["reasons"][0]["reason"], "least"});
}

TEST(CliMap, CsvAgreesWithJson) {
  const Folder folder;
  const Json j = json_of({"map", "rod", "--over", "theta=10:80deg:5", "--over", "mu=0:3:4", "--of", "p", "-o",
                          folder.file("map.csv"), "--json"});
  EXPECT_EQ(j["files"], Json::array({folder.file("map.csv")}));
  std::istringstream rows(content(folder.file("map.csv")));
  std::string row;
  std::getline(rows, row);
  EXPECT_EQ(row, "theta [rad],mu,p [1/kg],p_reason");
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      ASSERT_TRUE(std::getline(rows, row));
      double theta = 0, mu = 0, p = 0;
      ASSERT_EQ(std::sscanf(row.c_str(), "%lf,%lf,%lf,", &theta, &mu, &p), 3) << row;
      EXPECT_EQ(theta, j["axes"][0]["values"][i]);
      EXPECT_EQ(mu, j["axes"][1]["values"][k]);
      EXPECT_EQ(p, j["quantities"][0]["values"][i][k]);
    }
  }
  EXPECT_FALSE(std::getline(rows, row));
}

TEST(CliMap, WordsForPeople) {
  const Folder folder;
  expect_contains(expect_done(quick + Arguments{"-o", folder.file("map.h5")}).out,
                  {"map of rod: 40 × 30 = 1200 cells", "theta from 1 deg to 89 deg", "unique", " %", "least ",
                   "deg, mu =", "written to " + folder.file("map.h5")});
  EXPECT_EQ(content(folder.file("map.h5")).substr(1, 3), "HDF");
}

// Sliding ceases to exist where friction passes mu_jam: the cone knows where that is without any map.
TEST(CliMap, BoundariesAreWhereTheyBelong) {
  const Folder folder;
  const std::string csv = folder.file("curve.csv");
  const Json j = json_of({"map", "rod", "--set", "theta=60deg", "--over", "mu=0:3:31", "--of", "verdict", "--of", "p",
                          "--boundaries", csv, "--json"});
  const Json jam = json_of({"analyze", "rod", "--set", "theta=60deg", "--json"})["contacts"][0]["mu_jam"];
  ASSERT_EQ(j["boundaries"].size(), 1U);
  EXPECT_NEAR(j["boundaries"][0]["chains"][0][0][0], jam.get<double>(), 4e-12);
  EXPECT_EQ(j["boundaries"][0]["quantity"], "verdict");
  EXPECT_TRUE(content(csv).starts_with("quantity,word_1,word_2,chain,mu\nverdict,"));
  expect_done({"map", "rod", "--over", "theta=20:80deg:13", "--over", "mu=0:3:13", "--of", "verdict", "--boundaries",
               csv, "-o", folder.file("map.h5"), "--figure", folder.file("map.svg")});
  std::istringstream rows(content(csv));
  std::string row;
  std::getline(rows, row);
  int points = 0;
  for (; std::getline(rows, row); ++points) {
    const auto mu_at = row.rfind(','), theta_at = row.rfind(',', mu_at - 1);
    const Json one =
        json_of({"analyze", "rod", "--set", "theta=" + row.substr(theta_at + 1, mu_at - theta_at - 1), "--json"});
    EXPECT_NEAR(std::stod(row.substr(mu_at + 1)), one["contacts"][0]["mu_jam"].get<double>(), 1e-10) << row;
  }
  EXPECT_GT(points, 10);
}

TEST(CliMap, Figures) {
  const Folder folder;
  const std::map<std::string, std::string> beginnings = {{".svg", "<"}, {".png", "\x89PNG"}, {".pdf", "%PDF"}};
  for (const auto& [end, beginning] : beginnings) {
    const std::string path = folder.file("map" + end);
    const Json j = json_of(quick + Arguments{"--figure", path, "--json"});
    EXPECT_EQ(j["files"], Json::array({path}));
    EXPECT_TRUE(content(path).starts_with(beginning)) << end;
    EXPECT_GT(content(path).size(), 2000U);
  }
  expect_contains(content(folder.file("map.svg")), {"<svg"});
}

std::uintmax_t size_of(const std::string& path) {
  std::error_code missing;
  const std::uintmax_t size = fs::file_size(path, missing);
  return missing ? 0 : size;
}

// Waits until a file is larger than `size`, but not for ever.
void wait_for_growth(const std::string& path, std::uintmax_t size) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (size_of(path) <= size && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
}

// Ended by what no program can catch, ten times at random moments: nothing is lost but what was under way.
TEST(CliMap, KilledTenTimesAndResumed) {
  const Folder folder;
  const std::string whole = whole_map(folder, slow), path = folder.file("map.h5"), checkpoint = path + ".checkpoint";
  std::mt19937 draw(20261115);  // the same moments in every run
  std::uniform_int_distribution<int> moment(0, 20);
  int killed = 0;
  for (int k = 0; k < 10; ++k) {
    const std::uintmax_t before = size_of(checkpoint);
    Child child(slow + Arguments{"--threads", "1", "--resume", "-o", path}, {});
    if (k % 2 == 0) wait_for_growth(checkpoint, before + 200);
    std::this_thread::sleep_for(std::chrono::milliseconds(moment(draw)));
    kill(child.pid(), SIGKILL);
    killed += child.wait().signal == SIGKILL ? 1 : 0;
    EXPECT_GE(size_of(checkpoint) + 200, before);  // of what was there, no more than a torn record is cut off
  }
  EXPECT_EQ(killed, 10);
  EXPECT_FALSE(fs::exists(path));
  EXPECT_GT(size_of(checkpoint), 1000U);
  expect_done(slow + Arguments{"--resume", "-o", path});
  EXPECT_TRUE(content(path) == whole);
  EXPECT_FALSE(fs::exists(checkpoint));
}

TEST(CliMap, CtrlCSaysHowToGoOn) {
  const Folder folder;
  const Arguments slower = {"map",    "rod",       "--over",  "theta=10:80deg:200",
                            "--over", "mu=0:2:30", "--of",    "outcome",
                            "--of",   "verdict",   "--t-end", "0.05"};
  const std::string whole = whole_map(folder, slower), path = folder.file("map.h5");
  Child child(slower + Arguments{"--threads", "1", "-o", path, "--json"}, {});
  wait_for_growth(path + ".checkpoint", 1000);
  kill(child.pid(), SIGINT);
  const Outcome o = child.wait();
  EXPECT_EQ(o.code, 130) << o.signal;
  expect_one_message(o.err, {"interrupted", "--resume"});
  const Json j = Json::parse(o.out);
  EXPECT_EQ(j["complete"], false);
  EXPECT_EQ(j["checkpoint"], path + ".checkpoint");
  EXPECT_GT(j["part"], 0);
  EXPECT_LT(j["part"], 1);
  EXPECT_FALSE(fs::exists(path));
  expect_refused(slower + Arguments{"-o", path}, {"map.h5.checkpoint", "--resume"});
  expect_refused({"map", "rod", "--over", "theta=10:80deg:40", "--of", "verdict", "--resume", "-o", path},
                 {"map.h5.checkpoint", "another"});
  expect_done(slower + Arguments{"--resume", "-o", path});
  EXPECT_TRUE(content(path) == whole);

  Child without_file(slower + Arguments{"--threads", "1"}, {});
  std::this_thread::sleep_for(300ms);
  kill(without_file.pid(), SIGINT);
  const Outcome lost = without_file.wait();
  EXPECT_EQ(lost.code, 130);
  expect_one_message(lost.err, {"interrupted", "-o FILE"});
}

TEST(CliMap, AFinishedMapIsNotComputedAgain) {
  const Folder folder;
  const std::string path = folder.file("map.h5");
  expect_done(quick + Arguments{"--resume", "-o", path});  // nothing to resume is no error
  const std::string bytes = content(path);
  expect_contains(expect_done(quick + Arguments{"--resume", "-o", path, "--figure", folder.file("map.svg")}).out,
                  {"map.h5 was finished before", "written to " + folder.file("map.svg"), "40 × 30"});
  EXPECT_EQ(json_of(quick + Arguments{"--resume", "-o", path, "--json"})["was_finished"], true);
  EXPECT_TRUE(content(path) == bytes);
  const Arguments other = quick + Arguments{"--set", "mass=2"};
  expect_refused(other + Arguments{"--resume", "-o", path}, {"map.h5", "another problem"});
  EXPECT_EQ(json_of(other + Arguments{"-o", path, "--json"})["was_finished"], false);
  EXPECT_TRUE(content(path) != bytes);
}

TEST(CliMap, ShardsMakeTheWhole) {
  const Folder folder;
  const std::string whole = whole_map(folder, quick);
  Arguments shards;
  for (const std::string k : {"2", "3", "1"}) {
    shards.push_back(folder.file("part" + k + ".h5"));
    expect_done(quick + Arguments{"--shard", k + "/3", "-o", shards.back()});
  }
  const Json j = json_of(Arguments{"merge"} + shards + Arguments{"-o", folder.file("map.h5"), "--json"});
  EXPECT_EQ(j["command"], "merge");
  EXPECT_EQ(j["cells"], 1200);
  EXPECT_TRUE(content(folder.file("map.h5")) == whole);
  expect_done(quick + Arguments{"-o", folder.file("whole.csv")});
  expect_contains(expect_done(Arguments{"merge"} + shards +
                              Arguments{"-o", folder.file("map.csv"), "--figure", folder.file("map.png")})
                      .out,
                  {"40 × 30", "map.csv and"});
  EXPECT_TRUE(content(folder.file("map.csv")) == content(folder.file("whole.csv")));

  const std::string to = folder.file("to.h5");
  expect_refused({"merge", shards[0], shards[1], "-o", to}, {"missing"});
  expect_refused({"merge", shards[0], shards[1], shards[2], shards[2], "-o", to}, {"twice"});
  expect_refused({"merge", shards[0], folder.file("none.h5"), "-o", to}, {"none.h5", "no file"});
  expect_refused({"merge", shards[0], folder.file("map.csv"), "-o", to}, {"map.csv", "not an HDF5 file"});
  expect_refused({"merge", shards[0], shards[1], shards[2]}, {"--output"});
  expect_done(quick + Arguments{"--set", "mass=2", "--shard", "1/3", "-o", folder.file("other.h5")});
  expect_refused({"merge", shards[0], shards[1], folder.file("other.h5"), "-o", to}, {"different problems"});
  std::string damaged = content(shards[0]);
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  expect_refused({"merge", folder.write("damaged.h5", damaged), shards[1], shards[2], "-o", to}, {"damaged"});
  expect_refused({"merge", folder.write("short.h5", damaged.substr(0, 3000)), "-o", to}, {"short.h5", "not a whole"});
  EXPECT_FALSE(fs::exists(to));
}

TEST(CliMap, AFullDiskLosesNothing) {
  const Folder folder;
  const std::string whole = whole_map(folder, quick), path = folder.file("map.h5");
  fs::create_symlink("/dev/full", path + ".part");
  expect_refused(quick + Arguments{"-o", path}, {"map.h5", "No space left", "--resume"});
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::exists(path + ".checkpoint"));
  expect_done(quick + Arguments{"--resume", "-o", path});
  EXPECT_TRUE(content(path) == whole);
  EXPECT_FALSE(fs::exists(path + ".checkpoint"));
  EXPECT_EQ(run(quick, {.out = "/dev/full"}).code, 2);
}

TEST(CliMap, Ranges) {
  const auto map = [](const std::string& range) { return Arguments{"map", "rod", "--over", range, "--of", "verdict"}; };
  expect_refused(map("theta"), {"--over", "NAME=FROM:TO"});
  expect_refused(map("=1:2"), {"--over"});
  expect_refused(map("theta=1"), {"theta", "not a range"});
  expect_refused(map("theta="), {"theta"});
  expect_refused(map("theta=1:1:5"), {"theta", "empty"});
  expect_refused(map("theta=2:1:5"), {"theta", "ends before it begins"});
  expect_refused(map("theta=0:1:0"), {"theta", "count"});
  expect_refused(map("theta=0:1:-3"), {"theta", "count"});
  expect_refused(map("theta=0:1:1"), {"theta", "count 1"});
  expect_refused(map("theta=0:1:1.5"), {"theta", "count"});
  expect_refused(map("theta=0:nan:5"), {"theta", "nan"});
  expect_refused(map("theta=-inf:1:5"), {"theta", "inf"});
  expect_refused(map("theta=0:5kg:5"), {"theta", "kg"});
  expect_refused(map("theta=-1e308:1e308:5"), {"theta", "wide"});
  expect_refused(map("tetha=0:1:5"), {"tetha", "theta"});
  expect_refused(map("theta=0:1:5") + Arguments{"--over", "state.theta=0:1:5"}, {"twice"});
  expect_refused(map("theta=0:1:1000000000") + Arguments{"--over", "mu=0:1:1000000000"}, {"1e+18", "memory", "GB"});
  EXPECT_EQ(json_of(map("theta=1:1:1") + Arguments{"--json"})["cells"], 1);
  EXPECT_EQ(json_of(map("theta=0.5:1") + Arguments{"--json"})["cells"], 2001);
}

TEST(CliMap, Mistakes) {
  const Arguments range = {"--over", "theta=0:1:5"}, map = Arguments{"map", "rod"} + range;
  expect_refused({"map"}, {"SCENE"});
  expect_refused({"map", "rod", "--of", "verdict"}, {"--over"});
  expect_refused(map, {"--of"});
  expect_refused(Arguments{"map", "rdo", "--of", "verdict"} + range, {"rod"});
  expect_refused(map + Arguments{"--of", "verdikt"}, {"verdikt", "verdict"});
  expect_refused(map + Arguments{"--of", "heel.p"}, {"heel"});
  expect_refused(map + Arguments{"--of", "p", "--of", "p"}, {"--of p", "twice"});
  const Arguments good = map + Arguments{"--of", "verdict"};
  for (const std::string shard : {"0/3", "4/3", "1", "a/b", "1/0", "1/3/5", "-1/3", ""})
    expect_refused(good + Arguments{"--shard=" + shard}, {"--shard"});
  for (const std::string threads : {"0", "-1", "many"})
    expect_refused(good + Arguments{"--threads", threads}, {"--threads"});
  expect_refused(good + Arguments{"--t-end", "2"}, {"--t-end", "outcome"});
  expect_refused(good + Arguments{"--dt", "2"}, {"--dt"});
  expect_refused(map + Arguments{"--of", "outcome", "--t-end", "5kg"}, {"--t-end", "kg"});
  expect_refused(good + Arguments{"--tolerance", "1e-9"}, {"--tolerance", "--boundaries"});
  expect_refused(good + Arguments{"--boundaries", "c.csv", "--tolerance", "nan"}, {"--tolerance"});
  expect_refused(map + Arguments{"--of", "p", "--boundaries", "c.csv"}, {"--boundaries", "words"});
  expect_refused(good + Arguments{"--over", "mu=0:1:2", "--over", "mass=1:2:2", "--boundaries", "c.csv"}, {"two axes"});
  expect_refused(good + Arguments{"--resume"}, {"--resume", "-o"});
  for (const std::string option : {"--figure", "--boundaries"})
    expect_refused(good + Arguments{option, "map.csv", "--shard", "1/2"}, {option, "--shard"});
}

// Before anything is computed: the slow map would take longer than these refusals.
TEST(CliMap, PlacesThatCannotBeWritten) {
  const Folder folder;
  const std::string file = folder.write("file", "");
  for (const std::string& place : {std::string("/nowhere"), file, std::string("/proc")}) {
    for (const auto& [option, name] :
         {std::pair{"-o", "/map.h5"}, {"--figure", "/map.svg"}, {"--boundaries", "/c.csv"}})
      expect_refused(quick + Arguments{option, place + name}, {place + name});
  }
  expect_refused(quick + Arguments{"-o", "/dev/full"}, {"/dev/full", ".h5"});
  expect_refused(quick + Arguments{"-o", folder.file("map.txt")}, {"map.txt", ".csv"});
  expect_refused(quick + Arguments{"--figure", folder.file("map.bmp")}, {"map.bmp", ".svg"});
  expect_refused(quick + Arguments{"--boundaries", folder.file("c.h5")}, {"c.h5", ".csv"});
  expect_refused(quick + Arguments{"-o", folder.file("a.csv"), "--boundaries", folder.file("a.csv")}, {"a.csv"});
  fs::create_directory(folder.file("folder.h5"));
  expect_refused(quick + Arguments{"-o", folder.file("folder.h5")}, {"folder.h5", "is a folder"});
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(file).parent_path()), {}), 2);  // no trial is left behind
}

// ---- under mpirun ---------------------------------------------------------------------------------------------------

// Another program, with arguments and environment of its own.
class Job {
 public:
  explicit Job(std::vector<std::string> words,
               const std::vector<std::pair<std::string, std::string>>& environment = {}) {
    Streams streams;
    streams.environment = environment;
    streams.environment.insert(streams.environment.end(), {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                                           {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                                                           {"OMPI_MCA_rmaps_base_oversubscribe", "1"}});
    const std::string in = folder_.write("in", "");
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) become_program(argv.data(), streams, in, folder_.file("out"), folder_.file("err"));
  }
  pid_t pid() const { return pid_; }
  Outcome wait() const {
    int status = 0;
    waitpid(pid_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
            content(folder_.file("out")), content(folder_.file("err"))};
  }

 private:
  Folder folder_;
  pid_t pid_ = -1;
};

// Told of two processes by its environment, but alone in its folder.
TEST(CliMap, WithoutTheMpiProgramOneSentence) {
  const Folder folder;
  const std::string lone = folder.file("painleve");
  fs::copy_file(PAINLEVE_PROGRAM, lone);
  const Arguments call = Arguments{lone} + quick;
  for (const auto& [size, rank] :
       {std::pair{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}}) {
    const Outcome first = Job(call, {{size, "2"}, {rank, "0"}}).wait(),
                  second = Job(call, {{size, "2"}, {rank, "1"}}).wait();
    EXPECT_EQ(first.code, 2);
    EXPECT_EQ(second.code, 2);
    expect_one_message(first.err, {"painleve-mpi", "--shard"});
    EXPECT_EQ(second.err + second.out, "");
    EXPECT_EQ(Job(call, {{size, "1"}, {rank, "0"}}).wait().code, 0);
  }
  EXPECT_EQ(Job({lone, "analyze", "rod"}, {{"PMI_SIZE", "2"}}).wait().code, 0);  // the other verbs know no ranks
}

TEST(CliMap, TheProgramDoesNotLoadMpi) {
  const Outcome o = Job({PAINLEVE_PROGRAM}, {{"LD_TRACE_LOADED_OBJECTS", "1"}}).wait();
  expect_contains(o.out, {"libc.so"});
  EXPECT_EQ(o.out.find("libmpi"), std::string::npos);
}

#ifdef PAINLEVE_MPIRUN

std::vector<std::string> under_mpirun(int ranks, const Arguments& arguments) {
  return Arguments{PAINLEVE_MPIRUN, "-q", "-n", std::to_string(ranks), PAINLEVE_PROGRAM} + arguments;
}

// The processes that a process started, in the order in which they were.
std::vector<pid_t> children(pid_t parent) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string status = content(entry.path().string() + "/stat");
    const auto after_name = status.rfind(')');
    int of = 0;
    char state = ' ';
    if (after_name == std::string::npos || std::sscanf(status.c_str() + after_name + 1, " %c %d", &state, &of) != 2)
      continue;
    if (of == parent) found.push_back(std::stoi(name));
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(CliMapMpi, RanksLeaveNoTrace) {
  const Folder folder;
  const std::string path = folder.file("map.h5");
  for (const Arguments& problem : {quick, slow}) {
    const std::string whole = whole_map(folder, problem);
    const Outcome o = Job(under_mpirun(4, problem + Arguments{"-o", path, "--json"})).wait();
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.err, "");
    EXPECT_EQ(Json::parse(o.out)["files"], Json::array({path}));  // one object, from one rank
    EXPECT_TRUE(content(path) == whole);
    EXPECT_FALSE(fs::exists(path + ".checkpoint"));
  }
}

TEST(CliMapMpi, AKilledRankEndsTheJobAndNothingIsLost) {
  const Folder folder;
  const std::string whole = whole_map(folder, slow);
  for (const std::size_t victim : {0U, 2U}) {
    const std::string path = folder.file("map" + std::to_string(victim) + ".h5");
    const Job job(under_mpirun(3, slow + Arguments{"-o", path, "--resume"}));
    wait_for_growth(path + ".checkpoint", 1000);
    const std::vector<pid_t> ranks = children(job.pid());
    ASSERT_GE(ranks.size(), 3U);
    ASSERT_EQ(kill(ranks[ranks.size() - 3 + victim], SIGKILL), 0);
    EXPECT_NE(job.wait().code, 0);
    EXPECT_FALSE(fs::exists(path));
    EXPECT_TRUE(fs::exists(path + ".checkpoint"));
    if (victim == 0) {
      expect_done(slow + Arguments{"-o", path, "--resume"});
    } else {
      EXPECT_EQ(Job(under_mpirun(2, slow + Arguments{"-o", path, "--resume"})).wait().code, 0);
    }
    EXPECT_TRUE(content(path) == whole);
    EXPECT_FALSE(fs::exists(path + ".checkpoint"));
  }
}

TEST(CliMapMpi, MistakesAreSaidOnce) {
  const Folder folder;
  const auto refused = [](const Arguments& arguments, const std::vector<std::string>& parts) {
    SCOPED_TRACE(joined(arguments));
    const Outcome o = Job(under_mpirun(3, arguments)).wait();
    EXPECT_EQ(o.code, 2);
    EXPECT_EQ(o.out, "");
    expect_one_message(o.err, parts);
  };
  refused({"map", "rod", "--over", "tetha=0:1:5", "--of", "verdict"}, {"theta"});
  refused({"map", "rod", "--over", "theta=1:1:5", "--of", "verdict"}, {"empty"});
  refused({"map", "rod", "--of"}, {"--of"});
  refused(quick + Arguments{"-o", "/nowhere/map.h5"}, {"/nowhere/map.h5"});  // only the first rank looks
  fs::create_symlink("/dev/full", folder.file("map.h5.part"));
  refused(quick + Arguments{"-o", folder.file("map.h5")}, {"No space left", "--resume"});
}

#endif

}  // namespace map_cli_test
