#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "painleve/base/error.hpp"

namespace painleve::cli {
namespace {

constexpr int stopping_signals[] = {SIGINT, SIGTERM};
volatile std::sig_atomic_t signal_seen = 0;

bool colour() {
  const char* refused = std::getenv("NO_COLOR");  // an empty one does not count, as its convention says
  const char* terminal = std::getenv("TERM");
  static const bool wanted = isatty(STDOUT_FILENO) == 1 && (refused == nullptr || *refused == '\0') &&
                             (terminal == nullptr || std::string_view(terminal) != "dumb");
  return wanted;
}

}  // namespace

std::string styled(const std::string& text, Style style) {
  if (!colour() || style == Style::plain) return text;
  const char* code = "";
  switch (style) {
    case Style::strong:
      code = "1";
      break;
    case Style::faint:
      code = "2";
      break;
    case Style::good:
      code = "1;36";
      break;  // cyan, magenta and yellow are told apart by colour-blind readers
    case Style::bad:
      code = "1;35";
      break;
    case Style::warn:
      code = "1;33";
      break;
    case Style::plain:
      break;
  }
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

void print(const std::string& text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw InputError(fmt::format("cannot write the output: {}", std::strerror(errno)));
}

// Names of files need not be UTF-8, JSON must be.
void print_json(const nlohmann::ordered_json& json, bool pretty) {
  print(json.dump(pretty ? 1 : -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

Progress::Progress(std::string what, bool quiet)
    : what_(std::move(what)),
      wanted_(!quiet && isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

bool Progress::update(double part) {
  if (interrupted()) return false;
  const auto now = std::chrono::steady_clock::now();
  const double spent = std::chrono::duration<double>(now - start_).count();
  if (!wanted_ || spent < 1 || now - last_ < std::chrono::milliseconds(200) || part <= 0) return true;
  last_ = now;
  shown_ = true;
  fmt::print(stderr, "\r\033[K{}: {:.0f} %, about {:.0f} s left", what_, 100 * part, spent * (1 - part) / part);
  std::fflush(stderr);
  return true;
}

void interrupts_stop() {
  for (const int signal : stopping_signals) {
    std::signal(signal, [](int seen) {
      signal_seen = seen;
      for (const int again : stopping_signals) std::signal(again, SIG_DFL);  // a second one ends the program at once
    });
  }
}

bool interrupted() { return signal_seen != 0; }

int interrupted_code() { return 128 + signal_seen; }

}  // namespace painleve::cli
