// Printing: colour only on a terminal and never under NO_COLOR, progress only on a terminal.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace painleve::cli {

enum class Style { plain, strong, faint, good, bad, warn };
std::string styled(const std::string& text, Style style);

// Writes to stdout; throws InputError when it cannot (a full disk).
void print(const std::string& text);
void print_json(const nlohmann::ordered_json& json, bool pretty = true);

// A progress line on stderr with the time left, once the work has taken longer than a second.
class Progress {
 public:
  Progress(std::string what, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  bool update(double part);  // false once interrupted()

 private:
  std::string what_;
  bool shown_ = false;
  bool wanted_;
  std::chrono::steady_clock::time_point start_, last_;
};

// True after Ctrl-C or SIGTERM, once interrupts_stop() was called: long work then ends with what it has. A second one
// ends the program at once.
void interrupts_stop();
bool interrupted();
// As shells report a program that the signal ended: 130 after Ctrl-C, 143 after SIGTERM.
int interrupted_code();

}  // namespace painleve::cli
