// The program under faults that a test can make without being root: limits on memory, files and descriptors, killers
// that come at any moment, and verbs that stand for all others.
#pragma once

#include <sys/resource.h>
#include <sys/stat.h>

#include <functional>
#include <set>

#include "child_program.hpp"
#include "painleve/base/sanitized.hpp"

namespace painleve_cli {

constexpr bool sanitized = PAINLEVE_SANITIZED != 0;  // takes terabytes of addresses, and time

inline Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Limits {
  std::optional<rlim_t> file_size = {}, memory = {}, descriptors = {}, processes = {};  // memory: of addresses [bytes]
};

inline void limit(int what, const std::optional<rlim_t>& value) {
  const rlimit bound{value.value_or(RLIM_INFINITY), value.value_or(RLIM_INFINITY)};
  if (value && setrlimit(what, &bound) != 0) _exit(125);
}

// A child under limits, or any other program.
class LimitedChild {
 public:
  explicit LimitedChild(const Arguments& arguments, const Limits& limits = {}, Streams streams = {},
                        const std::string& program = PAINLEVE_PROGRAM) {
    const std::string in = folder_.write("in", streams.in);
    out_ = streams.out.empty() ? folder_.file("out") : streams.out;
    std::vector<std::string> words = Arguments{program} + arguments;
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string err = folder_.write("err", "");
    if (streams.out.empty()) folder_.write("out", "");
    pid_ = fork();
    if (pid_ != 0) return;
    std::signal(SIGTERM, SIG_DFL);
    std::signal(SIGXFSZ, SIG_DFL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, limits.file_size);
    limit(RLIMIT_NOFILE, limits.descriptors);
    limit(RLIMIT_NPROC, limits.processes);
    limit(RLIMIT_AS, limits.memory);
    become_program(argv.data(), streams, in, out_, err);
  }
  LimitedChild(const LimitedChild&) = delete;
  LimitedChild& operator=(const LimitedChild&) = delete;
  ~LimitedChild() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  pid_t pid() const { return pid_; }
  std::string printed() const { return content(out_); }
  Outcome wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
            fs::is_regular_file(out_) ? content(out_) : "", content(folder_.file("err"))};
  }

 private:
  Folder folder_;
  std::string out_;
  pid_t pid_ = -1;
};

inline Outcome run_limited(const Arguments& arguments, const Limits& limits, const Streams& streams = {}) {
  return LimitedChild(arguments, limits, streams).wait();
}

// What lies in a folder, by name.
inline std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

inline std::uintmax_t size_of(const std::string& path) {
  std::error_code missing;
  const std::uintmax_t size = fs::file_size(path, missing);
  return missing ? 0 : size;
}

// Waits until something is so, but not for ever; whether it became so.
inline bool becomes(const std::function<bool()>& so) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

// A verb that writes a file, as short as it can be made.
struct Writer {
  const char* verb;
  std::string file;     // its name
  Arguments arguments;  // before the path
  int code = 0;         // when it is written
};

inline std::vector<Writer> writers() {
  const Arguments map = {"map", "rod", "--over", "theta=1:89deg:40", "--over", "mu=0:3:30", "--of", "verdict"};
  const Arguments simulate = {"simulate", "rod-falling", "--t-end", "0.1", "-o"};
  return {
      {"map to HDF5", "map.h5", map + Arguments{"-o"}},
      {"map to CSV", "map.csv", map + Arguments{"-o"}},
      {"map, boundaries", "curves.csv", map + Arguments{"--boundaries"}},
      {"map, SVG", "map.svg", map + Arguments{"--figure"}},
      {"map, PNG", "map.png", map + Arguments{"--figure"}},
      {"map, PDF", "map.pdf", map + Arguments{"--figure"}},
      {"simulate to HDF5", "run.h5", simulate},
      {"simulate to CSV", "run.csv", simulate},
      {"converge", "c.svg", {"converge", "rod-no-solution", "--stiffness", "1e4:1e5:2", "--t-end", "0.01", "--figure"}},
      {"report", "r.html", {"report", "rod", "--cells", "3", "--t-end", "0.001", "--no-limits", "--quiet", "-o"}},
      {"reproduce", "page.html", {"reproduce", "peiret-cone/fig-1", "-o"}},
      {"check", "check.svg", {"check", "rod", "--contact", "tip", "--mu", "0.8", "--samples", "200", "--figure"}},
      {"compare", "compare.html", {"compare", "rod-no-solution", "--engine-program", "/bin/false", "-o"}, 1},
  };
}

}  // namespace painleve_cli
