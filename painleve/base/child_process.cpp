#include "painleve/base/child_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX signals
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <utility>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/sanitized.hpp"

namespace painleve {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void cannot_start(const std::string& program, int error) {
  throw InputError("cannot start the program " + in_quotes(program) + ": " + std::strerror(error));
}

// One descriptor of ours, closed when it goes.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { shut(); }

  int number() const { return number_; }
  bool open() const { return number_ >= 0; }
  void shut() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }
  void never_block() const { fcntl(number_, F_SETFL, fcntl(number_, F_GETFL) | O_NONBLOCK); }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read_end, write_end;
};

// Above the four numbers that the child lays its own descriptors on, so that none of ours is overwritten there when
// this process was started without stdin or stdout.
Descriptor lifted(const Descriptor& low, const std::string& program) {
  const int high = fcntl(low.number(), F_DUPFD_CLOEXEC, 4);
  if (high < 0) cannot_start(program, errno);
  return Descriptor(high);
}

Pipe make_pipe(const std::string& program) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) cannot_start(program, errno);
  const Descriptor first(ends[0]);
  const Descriptor second(ends[1]);
  return {lifted(first, program), lifted(second, program)};
}

rlimit limited(std::size_t value) {
  const auto bound = static_cast<rlim_t>(value);
  return {bound, bound};
}

// All that the child needs, made before the fork: between fork and exec only async-signal-safe calls are allowed, since
// another thread may hold the allocator's lock at that moment.
struct Launch {
  const char* program;
  std::vector<char*> arguments;
  int in, out, err, status;
  rlimit memory, processor, core;
  pid_t parent;
  rlim_t descriptors;
};

void close_from(int first, rlim_t bound) {
  if (close_range(static_cast<unsigned>(first), ~0U, 0) == 0) return;
  for (int number = first; static_cast<rlim_t>(number) < bound; ++number) close(number);
}

void set_limits(const Launch& launch) {
// A sanitizer reserves terabytes of addresses for its shadow memory.
#if !PAINLEVE_SANITIZED
  setrlimit(RLIMIT_AS, &launch.memory);
#endif
  setrlimit(RLIMIT_CPU, &launch.processor);
  setrlimit(RLIMIT_CORE, &launch.core);
}

[[noreturn]] void become(const Launch& launch) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a child never outlives this process
  if (getppid() != launch.parent) _exit(127);
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGPIPE, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const bool laid = dup2(launch.in, 0) >= 0 && dup2(launch.out, 1) >= 0 && dup2(launch.err, 2) >= 0 &&
                    dup2(launch.status, 3) >= 0 && fcntl(3, F_SETFD, FD_CLOEXEC) == 0;
  close_from(4, launch.descriptors);
  set_limits(launch);
  if (laid) execv(launch.program, launch.arguments.data());
  const int error = errno;
  const ssize_t told = write(3, &error, sizeof error);
  _exit(told == sizeof error ? 126 : 127);
}

std::vector<char*> argument_pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// SIGPIPE kept from this thread while it writes to a child that may have closed its stdin; one that came is taken away
// unless it was waiting before.
class NoBrokenPipeSignal {
 public:
  NoBrokenPipeSignal() {
    sigemptyset(&only_);
    sigaddset(&only_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    waiting_before_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &only_, &before_);
  }
  ~NoBrokenPipeSignal() {
    const timespec at_once{};
    if (!waiting_before_) sigtimedwait(&only_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoBrokenPipeSignal(const NoBrokenPipeSignal&) = delete;
  NoBrokenPipeSignal& operator=(const NoBrokenPipeSignal&) = delete;

 private:
  sigset_t only_{}, before_{};
  bool waiting_before_ = false;
};

// A running child with our ends of its pipes.
class Child {
 public:
  Child(const std::string& program, const std::vector<std::string>& arguments, const ChildLimits& limits);
  ~Child() {
    if (pid_ > 0) end();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  ChildResult run(const std::string& input, const ChildLimits& limits);

 private:
  void start(Launch& launch, const std::string& program);
  void wait_for_exec(const Descriptor& status, const std::string& program);
  void exchange(const std::string& input, const ChildLimits& limits, int milliseconds);
  void feed(const std::string& input);
  void collect(Descriptor& end, std::string& text, std::size_t limit);
  bool has_ended(int options);
  void end();

  pid_t pid_ = -1;
  Descriptor in_, out_, err_;
  std::size_t fed_ = 0;
  ChildResult result_;
};

Child::Child(const std::string& program, const std::vector<std::string>& arguments, const ChildLimits& limits) {
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  Pipe in = make_pipe(program), out = make_pipe(program), err = make_pipe(program), status = make_pipe(program);
  rlimit open_files{};
  getrlimit(RLIMIT_NOFILE, &open_files);
  const auto seconds = static_cast<rlim_t>(std::ceil(std::clamp(limits.seconds, 1.0, 1e9)));
  Launch launch{program.c_str(),
                argument_pointers(words),
                in.read_end.number(),
                out.write_end.number(),
                err.write_end.number(),
                status.write_end.number(),
                limited(limits.memory),
                rlimit{seconds, seconds + 1},
                limited(0),
                getpid(),
                open_files.rlim_cur};
  start(launch, program);
  status.write_end.shut();
  wait_for_exec(status.read_end, program);
  in_ = std::move(in.write_end);
  out_ = std::move(out.read_end);
  err_ = std::move(err.read_end);
  for (const Descriptor* end : {&in_, &out_, &err_}) end->never_block();
}

// Signals stay blocked over the fork, so that no handler of ours runs in the child.
void Child::start(Launch& launch, const std::string& program) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_ = fork();
  if (pid_ == 0) become(launch);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid_ < 0) cannot_start(program, error);
}

// The status pipe closes by itself when exec succeeds, and carries the error when it does not.
void Child::wait_for_exec(const Descriptor& status, const std::string& program) {
  int error = 0;
  ssize_t count = 0;
  do {
    count = read(status.number(), &error, sizeof error);
  } while (count < 0 && errno == EINTR);
  if (count != sizeof error) return;
  has_ended(0);
  cannot_start(program, error);
}

bool Child::has_ended(int options) {
  int status = 0;
  pid_t ended = 0;
  do {
    ended = waitpid(pid_, &status, options);
  } while (ended < 0 && errno == EINTR);
  if (ended == 0) return false;
  pid_ = -1;
  if (ended < 0) return true;  // the host program takes the status of all children away
  if (WIFEXITED(status)) result_.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
  return true;
}

void Child::end() {
  kill(pid_, SIGKILL);
  has_ended(0);
}

void Child::feed(const std::string& input) {
  const NoBrokenPipeSignal quiet;
  while (in_.open() && fed_ < input.size()) {
    const ssize_t count = write(in_.number(), input.data() + fed_, input.size() - fed_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) in_.shut();  // it does not want to read more
    fed_ += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  in_.shut();
}

void Child::collect(Descriptor& end, std::string& text, std::size_t limit) {
  std::array<char, 65536> buffer{};
  while (end.open() && !result_.too_long) {
    const ssize_t count = read(end.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return end.shut();
    const std::size_t room = limit - text.size();
    text.append(buffer.data(), std::min(room, static_cast<std::size_t>(count)));
    result_.too_long = static_cast<std::size_t>(count) > room;
  }
}

void Child::exchange(const std::string& input, const ChildLimits& limits, int milliseconds) {
  std::array<pollfd, 3> waited{{{in_.number(), POLLOUT, 0}, {out_.number(), POLLIN, 0}, {err_.number(), POLLIN, 0}}};
  poll(waited.data(), waited.size(), milliseconds);
  feed(input);
  collect(out_, result_.out, limits.output);
  collect(err_, result_.err, limits.output);
}

ChildResult Child::run(const std::string& input, const ChildLimits& limits) {
  const Clock::time_point deadline =
      Clock::now() +
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::clamp(limits.seconds, 0.0, 1e9)));
  while (!has_ended(WNOHANG)) {
    // Short while only its end is waited for; else pipes wake the poll, and a helper of the child that keeps a pipe
    // open does not keep us.
    exchange(input, limits, out_.open() || err_.open() ? 20 : 1);
    result_.timed_out = Clock::now() >= deadline;
    if (!result_.timed_out && !result_.too_long) continue;
    if (!has_ended(WNOHANG)) end();
    return std::move(result_);
  }
  exchange(input, limits, 0);  // what it printed last
  if (result_.signal == SIGXCPU) result_.timed_out = true;
  return std::move(result_);
}

bool is_program(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// The folder of the running program, and that of the file (a shared library, perhaps) that holds this code.
std::vector<std::filesystem::path> own_folders() {
  std::vector<std::filesystem::path> folders;
  std::error_code error;
  const std::filesystem::path running = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(running.parent_path());
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&find_helper), &info) != 0 && info.dli_fname != nullptr) {
    const std::filesystem::path library = std::filesystem::canonical(info.dli_fname, error);
    if (!error) folders.push_back(library.parent_path());
  }
  return folders;
}

std::vector<std::filesystem::path> helper_folders() {
  std::vector<std::filesystem::path> folders;
  for (const std::filesystem::path& own : own_folders()) {
    // ../bin and ../../bin: from lib or lib/x86_64-linux-gnu, and from a module's folder of a build tree.
    for (const char* relative : {".", "../libexec/painleve", "../bin", "../../bin", "../../libexec/painleve"}) {
      folders.push_back((own / relative).lexically_normal());
    }
  }
#ifdef PAINLEVE_HELPER_DIR
  folders.emplace_back(PAINLEVE_HELPER_DIR);
#endif
  return folders;
}

}  // namespace

ChildResult run_child(const std::string& program, const std::vector<std::string>& arguments, const std::string& input,
                      const ChildLimits& limits) {
  Child child(program, arguments, limits);
  return child.run(input, limits);
}

std::string find_helper(const std::string& name) {
  for (const std::filesystem::path& folder : helper_folders()) {
    if (is_program(folder / name)) return (folder / name).string();
  }
  return {};
}

}  // namespace painleve
