#include "painleve/scene/run_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <thread>

#include "painleve/base/error.hpp"

namespace painleve {
namespace run_file_test {

namespace fs = std::filesystem;

class RunFile : public testing::Test {
 protected:
  RunFile() {
    std::string pattern = (fs::temp_directory_path() / "painleve_run_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder for the test");
    folder_ = pattern;
  }
  ~RunFile() override {
    std::error_code ignored;
    fs::permissions(folder_, fs::perms::owner_all, ignored);
    fs::remove_all(folder_, ignored);
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const auto& entry : fs::directory_iterator(folder_)) list.push_back(entry.path().filename().string());
    std::sort(list.begin(), list.end());
    return list;
  }

  fs::path folder_;
};

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// A run of a planar mechanism with one coordinate and one contact, an impact at t = 0.5 and two futures.
painleve::Run example() {
  painleve::Run run;
  run.coordinates = {"x"};
  run.contacts = {"tip"};
  const auto sample = [](double t, double v, const char* mode) {
    Sample s;
    s.t = t;
    s.q = Eigen::VectorXd::Constant(1, 0.1);
    s.v = Eigen::VectorXd::Constant(1, v);
    s.gap = Eigen::VectorXd::Constant(1, 0.25);
    s.u = Eigen::Vector2d(v, -1);
    s.lambda = Eigen::Vector2d(0, 1.0 / 3);
    s.mode = mode;
    s.energy = 2.5;
    s.solutions = 3;
    s.taken = 2;
    return s;
  };
  run.samples = {sample(0, 1, "F"), sample(0.5, 1, "F"), sample(0.5, -1, "S-"), sample(1, -1, "S-")};
  SimulationEvent impact;
  impact.t = 0.5;
  impact.kind = EventKind::impact;
  impact.contact = 0;
  impact.mode = "S-";
  impact.u_before = Eigen::Vector2d(1, -1);
  impact.u_after = Eigen::Vector2d(-1, 0);
  impact.Lambda = Eigen::Vector2d(0.5, 2);
  impact.note = "one, \"two\"";
  SimulationEvent later = impact;
  later.t = 0.75;
  later.kind = EventKind::mode;
  later.contact = -1;
  later.Lambda.resize(0);
  later.note.clear();
  run.events = {impact, later};
  run.impulse = Eigen::Vector2d(0.5, 2);
  run.stopped = "branched";
  run.outcome = "S-";
  run.energy.initial = 3;
  run.energy.final = 2.5;
  run.energy.impact = 0.5;
  painleve::Run future = run;
  future.why = "it lifts";
  future.futures = {future};
  run.futures = {future, future};
  return run;
}

TEST_F(RunFile, CsvHoldsSamplesAndEventsApart) {
  write_run(example(), file("run.csv"));
  EXPECT_EQ(names(), (std::vector<std::string>{"run.csv", "run.events.csv"}));
  std::istringstream samples(content(file("run.csv")));
  std::vector<std::string> lines;
  for (std::string line; std::getline(samples, line);) lines.push_back(line);
  // Three times, for the run, its two futures and the future of each.
  ASSERT_EQ(lines.size(), 1U + 3 * 5);
  EXPECT_EQ(lines[0], "t,x,x_dot,tip.gap,tip.u_t,tip.u_n,tip.lambda_t,tip.lambda_n,mode,energy,solutions,taken,future");
  EXPECT_EQ(lines[1], "0,0.1,1,0.25,1,-1,0,0.3333333333333333,F,2.5,3,2,");
  EXPECT_EQ(lines[2], "0.5,0.1,-1,0.25,-1,-1,0,0.3333333333333333,S-,2.5,3,2,") << "the row after the impact";
  EXPECT_EQ(lines[4].substr(lines[4].size() - 2), ",0");
  EXPECT_EQ(lines[7].substr(lines[7].size() - 4), ",0.0");
  EXPECT_EQ(lines[13].substr(lines[13].size() - 4), ",1.0");
  std::istringstream events(content(file("run.events.csv")));
  std::string header, first, second;
  std::getline(events, header);
  std::getline(events, first);
  std::getline(events, second);
  EXPECT_EQ(header,
            "t,kind,contact,mode,tip.u_t_before,tip.u_n_before,tip.u_t_after,tip.u_n_after,tip.Lambda_t,tip.Lambda_n,"
            "note,future");
  EXPECT_EQ(first, "0.5,impact,tip,S-,1,-1,-1,0,0.5,2,\"one, \"\"two\"\"\",");
  EXPECT_EQ(second, "0.75,mode,,S-,1,-1,-1,0,,,,");
}

TEST_F(RunFile, NumbersAreReadBackExactly) {
  painleve::Run run = example();
  run.futures.clear();
  run.samples.resize(1);
  const double odd = 0.1 + 0.2;
  run.samples[0].energy = odd;
  run.samples[0].q(0) = std::numeric_limits<double>::denorm_min();
  run.samples[0].v(0) = std::numeric_limits<double>::infinity();
  write_csv(run, file("odd.csv"));
  std::istringstream text(content(file("odd.csv")));
  std::string line, value;
  std::getline(text, line);
  std::getline(text, line);
  std::istringstream cells(line);
  std::vector<std::string> list;
  while (std::getline(cells, value, ',')) list.push_back(value);
  EXPECT_EQ(std::strtod(list[1].c_str(), nullptr), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(list[2], "") << "what is not finite is an empty cell";
  EXPECT_EQ(std::stod(list[9]), odd);
}

TEST_F(RunFile, SpatialAndNormalContactsHaveTheirColumns) {
  painleve::Run run;
  run.contacts = {"foot", "a,b"};
  run.dimension = 3;
  write_csv(run, file("space.csv"));
  EXPECT_EQ(content(file("space.csv")),
            "t,foot.gap,foot.u_t1,foot.u_t2,foot.u_n,foot.lambda_t1,foot.lambda_t2,foot.lambda_n,"
            "\"a,b.gap\",\"a,b.u_t1\",\"a,b.u_t2\",\"a,b.u_n\",\"a,b.lambda_t1\",\"a,b.lambda_t2\",\"a,b.lambda_n\","
            "mode,energy,solutions,taken,future\n");
  run.dimension = 1;
  run.contacts = {"c1"};
  write_csv(run, file("normal.csv"));
  EXPECT_EQ(content(file("normal.csv")), "t,c1.gap,c1.u_n,c1.lambda_n,mode,energy,solutions,taken,future\n");
}

std::vector<double> numbers(hid_t file, const std::string& name) {
  const hid_t set = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  EXPECT_GE(set, 0) << name;
  const hid_t space = H5Dget_space(set);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Sclose(space);
  H5Dclose(set);
  return values;
}

std::string text_attribute(hid_t file, const std::string& object, const char* name) {
  const hid_t a = H5Aopen_by_name(file, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(a, 0) << object << " " << name;
  const hid_t type = H5Aget_type(a);
  std::string text(H5Tget_size(type), '\0');
  H5Aread(a, type, text.data());
  H5Tclose(type);
  H5Aclose(a);
  return text.substr(0, text.find('\0'));
}

double number_attribute(hid_t file, const std::string& object, const char* name) {
  const hid_t a = H5Aopen_by_name(file, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT);
  double x = 0;
  EXPECT_GE(H5Aread(a, H5T_NATIVE_DOUBLE, &x), 0) << object << " " << name;
  H5Aclose(a);
  return x;
}

TEST_F(RunFile, Hdf5HoldsTheSameColumns) {
  write_run(example(), file("run.h5"));
  EXPECT_EQ(names(), std::vector<std::string>{"run.h5"});
  const hid_t h5 = H5Fopen(file("run.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(h5, 0);
  EXPECT_EQ(numbers(h5, "samples/t"), (std::vector<double>{0, 0.5, 0.5, 1})) << "both rows of the impact";
  EXPECT_EQ(numbers(h5, "samples/x_dot"), (std::vector<double>{1, 1, -1, -1}));
  EXPECT_EQ(numbers(h5, "samples/tip.lambda_n")[3], 1.0 / 3);
  EXPECT_EQ(numbers(h5, "samples/solutions"), (std::vector<double>{3, 3, 3, 3}));
  EXPECT_EQ(numbers(h5, "events/tip.Lambda_n")[0], 2);
  EXPECT_TRUE(std::isnan(numbers(h5, "events/tip.Lambda_n")[1]));
  EXPECT_EQ(numbers(h5, "impulse"), (std::vector<double>{0.5, 2}));
  EXPECT_EQ(text_attribute(h5, "samples/tip.lambda_n", "unit"), "N");
  EXPECT_EQ(text_attribute(h5, "/", "stopped"), "branched");
  EXPECT_EQ(number_attribute(h5, "energy", "impact"), 0.5);
  EXPECT_EQ(number_attribute(h5, "energy", "defect"), 0);
  EXPECT_EQ(number_attribute(h5, "/", "schema"), 1);
  EXPECT_EQ(text_attribute(h5, "futures/1/futures/0", "why"), "it lifts");
  EXPECT_EQ(numbers(h5, "futures/1/futures/0/samples/t").size(), 4U);
  const hid_t modes = H5Dopen2(h5, "samples/mode", H5P_DEFAULT);
  char words[4][2] = {};
  const hid_t type = H5Dget_type(modes);
  ASSERT_EQ(H5Tget_size(type), 2U);
  EXPECT_GE(H5Dread(modes, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, words), 0);
  EXPECT_EQ(std::string(words[0], 1), "F");
  EXPECT_EQ(std::string(words[3], 2), "S-");
  H5Tclose(type);
  H5Dclose(modes);
  EXPECT_EQ(H5Fget_obj_count(h5, H5F_OBJ_ALL), 1) << "no handle is left open";
  H5Fclose(h5);
}

TEST_F(RunFile, EmptyRunsAndOddNamesAreWritten) {
  painleve::Run run;
  run.coordinates = {"arm/joint"};
  run.contacts = {"tip"};
  write_run(run, file("empty.hdf5"));
  const hid_t h5 = H5Fopen(file("empty.hdf5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(h5, 0);
  EXPECT_TRUE(numbers(h5, "samples/t").empty());
  EXPECT_TRUE(numbers(h5, "samples/arm_joint").empty());
  H5Fclose(h5);
}

TEST_F(RunFile, SameRunSameBytes) {
  for (const std::string ending : {"csv", "h5"}) {
    write_run(example(), file("a." + ending));
    if (ending == "h5") std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // a time stamp would show
    write_run(example(), file("b." + ending));
    EXPECT_EQ(content(file("a." + ending)), content(file("b." + ending)));
    EXPECT_GT(content(file("a." + ending)).size(), 500U);
  }
}

TEST_F(RunFile, NamesThatSayNothingAreRefused) {
  for (const std::string name : {"run", "run.txt", ".csv", "run.csv.gz"})
    EXPECT_THROW(write_run(example(), file(name)), InputError) << name;
  EXPECT_THROW(check_run_path(file("nowhere/run.csv")), InputError);
  fs::create_directory(file("run.csv"));
  EXPECT_THROW(check_run_path(file("run.csv")), InputError);
}

// Runs `write` in a child, so that limits and rights bind it alone. 0: it threw the sentence it should, and left
// nothing.
int in_child(const std::function<void()>& prepare, const std::string& path, const std::string& part) {
  const pid_t child = fork();
  if (child == 0) {
    prepare();
    try {
      write_run(example(), path);
      _exit(3);
    } catch (const std::runtime_error& error) {
      const std::string message = error.what();
      const bool good = message.find(path) != std::string::npos && message.find(part) != std::string::npos;
      _exit(good ? 0 : 4);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// A limit on the size of files fails a write half-way, as a full disk does.
TEST_F(RunFile, AFileThatCannotBeFinishedLeavesNothing) {
  for (const std::string name : {"full.csv", "full.h5"}) {
    std::ofstream(file(name)) << "what was there before";
    const auto limit = [] {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit small{500, 500};
      setrlimit(RLIMIT_FSIZE, &small);
    };
    EXPECT_EQ(in_child(limit, file(name), "File too large"), 0) << name;
    EXPECT_EQ(content(file(name)), "what was there before");
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"full.csv", "full.h5"}));
}

TEST_F(RunFile, AFolderThatMayNotBeWrittenIsNamed) {
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  const auto as_nobody = [] {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(5);
  };
  if (geteuid() == 0) {
    ASSERT_EQ(chown(folder_.c_str(), 65534, 65534), 0);
  }
  for (const std::string name : {"run.csv", "run.h5"})
    EXPECT_EQ(in_child(as_nobody, file(name), "Permission denied"), 0) << name;
  EXPECT_TRUE(names().empty());
}

}  // namespace run_file_test
}  // namespace painleve
