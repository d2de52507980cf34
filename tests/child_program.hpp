// Runs the program as a child, with files for its streams, and looks at what people and scripts rely on: exit codes,
// which stream carries what, one clear line per mistake, JSON that any parser takes.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace painleve_cli {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

constexpr unsigned patience = 120;  // [s] after which a child is ended; none takes a second without sanitizers

// A folder of its own for every test, gone afterwards.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "painleve_cli_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder for the test");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }

 private:
  fs::path path_;
};

inline std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

struct Streams {
  std::string in = {};                     // what stdin holds
  std::string out = {};                    // a path that stdout writes to instead of a file that is read back
  std::string err = {};                    // likewise
  std::optional<int> out_descriptor = {};  // wins over both
  std::vector<std::pair<std::string, std::string>> environment = {};
  std::string folder = ".";  // where the program runs
};

struct Outcome {
  int code = -1;   // exit code, or -1
  int signal = 0;  // that ended the program, or 0
  std::string out, err;
};

inline void open_as(int descriptor, const std::string& path, int flags) {
  const int opened = open(path.c_str(), flags, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(126);
}

// In the child: nothing but system calls between fork and exec.
[[noreturn]] inline void become_program(char* const* argv, const Streams& s, const std::string& in,
                                        const std::string& out, const std::string& err) {
  for (const auto& [key, value] : s.environment) {
    setenv(key.c_str(), value.c_str(), 1);
  }
  for (const int signal : {SIGPIPE, SIGINT}) {
    std::signal(signal, SIG_DFL);  // a parent that ignores them would hand that down
  }
  if (chdir(s.folder.c_str()) != 0) _exit(126);
  open_as(STDIN_FILENO, in, O_RDONLY);
  if (s.out_descriptor) {
    if (dup2(*s.out_descriptor, STDOUT_FILENO) < 0) _exit(126);
  } else {
    open_as(STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC);
  }
  open_as(STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC);
  alarm(patience);  // outlives exec: a program that hangs is ended by SIGALRM, which no test accepts
  execv(argv[0], argv);
  _exit(127);
}

class Child {
 public:
  Child(const Arguments& arguments, Streams streams) {
    const std::string in = folder_.write("in", streams.in);
    out_ = streams.out.empty() ? folder_.file("out") : streams.out;
    err_ = streams.err.empty() ? folder_.file("err") : streams.err;
    std::vector<std::string> words = {PAINLEVE_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (auto& word : words) {
      argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) become_program(argv.data(), streams, in, out_, err_);
  }
  pid_t pid() const { return pid_; }
  Outcome wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    Outcome o;
    o.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    o.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    o.out = fs::is_regular_file(out_) ? content(out_) : "";
    o.err = fs::is_regular_file(err_) ? content(err_) : "";
    return o;
  }

 private:
  Folder folder_;
  std::string out_, err_;
  pid_t pid_ = -1;
};

inline Outcome run(const Arguments& arguments, const Streams& streams = {}) { return Child(arguments, streams).wait(); }

inline std::string joined(const Arguments& arguments) {
  std::string text = "painleve";
  for (const auto& a : arguments) {
    text += " " + a.substr(0, 100);
  }
  return text;
}

inline void expect_contains(const std::string& text, const std::vector<std::string>& parts) {
  for (const auto& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in '" << text << "'";
  }
}

// One line, of a length that a person reads, that says who speaks.
inline void expect_one_message(const std::string& err, const std::vector<std::string>& parts = {}) {
  EXPECT_TRUE(err.starts_with("painleve: ")) << err;
  EXPECT_EQ(err.find('\n'), err.size() - 1) << err;
  EXPECT_LE(err.size(), 600U) << err;
  for (const char c : err.substr(0, err.size() - 1)) {
    EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) << "a control character in " << err;
  }
  expect_contains(err, parts);
}

inline void expect_refused(const Arguments& arguments, const std::vector<std::string>& parts,
                           const Streams& streams = {}) {
  SCOPED_TRACE(joined(arguments));
  const Outcome o = run(arguments, streams);
  EXPECT_EQ(o.code, 2) << "signal " << o.signal;
  EXPECT_EQ(o.out, "");
  expect_one_message(o.err, parts);
}

inline Outcome expect_done(const Arguments& arguments, const Streams& streams = {}, int code = 0) {
  SCOPED_TRACE(joined(arguments));
  Outcome o = run(arguments, streams);
  EXPECT_EQ(o.code, code) << "signal " << o.signal << ": " << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_NE(o.out, "");
  return o;
}

inline bool holds_null(const Json& j) {
  return j.is_null() || (j.is_array() && std::any_of(j.begin(), j.end(), holds_null));
}

// A number that does not exist is null, and KEY_reason says why.
inline void expect_reasons(const Json& j, const std::string& path = "") {
  if (j.is_array()) {
    for (const auto& one : j) {
      expect_reasons(one, path + "[]");
    }
  }
  if (!j.is_object()) return;
  for (const auto& [key, value] : j.items()) {
    if (holds_null(value)) {
      ASSERT_TRUE(j.contains(key + "_reason")) << path << "." << key;
      EXPECT_NE(j[key + "_reason"], "") << path << "." << key;
    }
    expect_reasons(value, path + "." + key);
  }
}

// The one object on stdout; the parser takes neither NaN nor infinity, nor anything after the object.
inline Json json_of(const Arguments& arguments, const Streams& streams = {}, int code = 0) {
  const Outcome o = expect_done(arguments, streams, code);
  Json j = Json::parse(o.out, nullptr, false);
  EXPECT_TRUE(j.is_object()) << joined(arguments);
  expect_reasons(j);
  return j;
}

inline std::vector<Json> lines(const std::string& out) {
  std::vector<Json> answers;
  std::istringstream stream(out);
  for (std::string line; std::getline(stream, line);) {
    answers.push_back(Json::parse(line, nullptr, false));
    EXPECT_TRUE(answers.back().is_object()) << line;
  }
  return answers;
}

}  // namespace painleve_cli
