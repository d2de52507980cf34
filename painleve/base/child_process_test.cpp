#include "painleve/base/child_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX signals
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/base/sanitized.hpp"

namespace painleve {
namespace child_process_test {

ChildResult shell(const std::string& script, const std::string& input = "", const ChildLimits& limits = {}) {
  return run_child("/bin/sh", {"-c", script}, input, limits);
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(ChildProcess, PassesArgumentsAndInputAndReturnsBothOutputsAndTheCode) {
  const ChildResult result =
      run_child("/bin/sh", {"-c", "cat; printf '%s|' \"$@\" >&2; exit 7", "name", "a b", "$HOME;*"}, "in put\n");
  EXPECT_EQ(result.out, "in put\n");
  EXPECT_EQ(result.err, "a b|$HOME;*|");
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.signal, 0);
  EXPECT_FALSE(result.timed_out);
  EXPECT_FALSE(result.too_long);
}

TEST(ChildProcess, CarriesMoreThanAPipeHoldsBothWaysAtOnce) {
  std::string input(3'000'000, 'x');
  for (std::size_t i = 0; i < input.size(); i += 97) input[i] = static_cast<char>(i % 251);
  const ChildResult result = run_child("/bin/cat", {}, input);
  EXPECT_EQ(result.out, input);
  EXPECT_EQ(result.exit_code, 0);
}

TEST(ChildProcess, AChildThatDoesNotReadItsInputDoesNotKillUs) {
  const std::string input(3'000'000, 'x');
  const ChildResult result = shell("exec <&-; echo done", input);
  EXPECT_EQ(result.out, "done\n");
  EXPECT_EQ(result.exit_code, 0);
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST(ChildProcess, ReportsTheSignal) {
  const ChildResult result = shell("kill -SEGV $$");
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_EQ(result.exit_code, -1);
  EXPECT_FALSE(result.timed_out);
}

TEST(ChildProcess, EndsAChildThatSleeps) {
  ChildLimits limits;
  limits.seconds = 0.2;
  ChildResult result;
  const double took = seconds_of([&] { result = shell("echo before; exec sleep 30", "", limits); });
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  EXPECT_EQ(result.out, "before\n");
  EXPECT_GE(took, 0.2);
  EXPECT_LT(took, 10);
}

TEST(ChildProcess, EndsAChildThatClosedItsOutputsAndSleeps) {
  ChildLimits limits;
  limits.seconds = 0.2;
  EXPECT_TRUE(shell("exec >&- 2>&- sleep 30", "", limits).timed_out);
}

TEST(ChildProcess, DoesNotWaitForAHelperOfTheChildThatKeepsThePipe) {
  ChildResult result;
  const double took = seconds_of([&] { result = shell("sleep 5 & echo $!"); });
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_LT(took, 4);
  kill(static_cast<pid_t>(std::stoi(result.out)), SIGKILL);
}

TEST(ChildProcess, LimitsWhatIsPrinted) {
  ChildLimits limits;
  limits.output = 1000;
  const ChildResult result = shell("while :; do echo 0123456789; done", "", limits);
  EXPECT_TRUE(result.too_long);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.out.size(), 1000U);
  const ChildResult exact = shell("printf %01000d 1", "", limits);
  EXPECT_FALSE(exact.too_long);
  EXPECT_EQ(exact.out.size(), 1000U);
}

#if !PAINLEVE_SANITIZED
TEST(ChildProcess, LimitsTheMemory) {
  ChildLimits limits;
  limits.memory = std::size_t{256} << 20U;
  EXPECT_EQ(shell("ulimit -v", "", limits).out, "262144\n");
}
#endif

TEST(ChildProcess, LimitsTheProcessor) {
  ChildLimits limits;
  limits.seconds = 3.5;
  EXPECT_EQ(shell("ulimit -t; ulimit -c", "", limits).out, "4\n0\n");
}

TEST(ChildProcess, HasNoDescriptorsButThree) {
  const int other = open("/dev/null", O_RDONLY);  // without O_CLOEXEC, on purpose
  ASSERT_GE(other, 0);
  const ChildResult result =
      shell("for f in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do [ ! -e /proc/$$/fd/$f ] || echo $f; done");
  close(other);
  EXPECT_EQ(result.out, "0\n1\n2\n");
}

TEST(ChildProcess, WorksWithoutAStdinOfItsOwn) {
  const int kept = dup(0);
  close(0);
  const ChildResult result = run_child("/bin/cat", {}, "text");
  dup2(kept, 0);
  close(kept);
  EXPECT_EQ(result.out, "text");
}

TEST(ChildProcess, LeavesNoZombieAndNoDescriptor) {
  const auto open_count = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  const auto before = open_count();
  for (int i = 0; i < 5; ++i) {
    shell("exit 1");
    EXPECT_THROW(run_child("/nowhere", {}, ""), InputError);
  }
  EXPECT_EQ(open_count(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(ChildProcess, SaysWhatCannotBeStarted) {
  try {
    run_child("/nowhere/program", {}, "");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "cannot start the program '/nowhere/program': No such file or directory");
  }
  EXPECT_THROW(run_child("/etc", {}, ""), InputError);
  EXPECT_THROW(run_child("/etc/passwd", {}, ""), InputError);
}

TEST(ChildProcess, RunsSeveralAtOnce) {
  std::array<ChildResult, 8> results;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back(
        [&results, i] { results[i] = run_child("/bin/cat", {}, std::string(200'000, 'a' + char(i))); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i].out, std::string(200'000, 'a' + char(i)));
}

TEST(FindHelper, FindsWhatLiesBesideThisProgramOnly) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string name = std::filesystem::path(self).filename().string();
  EXPECT_EQ(find_helper(name), self);
  EXPECT_EQ(find_helper("sh"), "");  // not from the PATH: a helper is ours
  EXPECT_EQ(find_helper("painleve-no-such-helper"), "");

  const std::filesystem::path beside = std::filesystem::path(self).parent_path() / "helper_that_is_no_program";
  std::ofstream(beside) << "text";
  chmod(beside.c_str(), 0644);
  EXPECT_EQ(find_helper(beside.filename().string()), "");
  chmod(beside.c_str(), 0755);
  EXPECT_EQ(find_helper(beside.filename().string()), beside.string());
  std::filesystem::remove(beside);
}

}  // namespace child_process_test
}  // namespace painleve
