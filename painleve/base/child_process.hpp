// Runs another program with limited time, memory and output: for parsers and engines that are not ours, which may
// crash, hang or print without end.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace painleve {

struct ChildLimits {
  double seconds = 20;                          // of wall-clock time, and as many of the processor
  std::size_t memory = std::size_t{2} << 30U;   // of address space [bytes]
  std::size_t output = std::size_t{64} << 20U;  // of what it prints [bytes], each of stdout and stderr
};

struct ChildResult {
  int exit_code = -1;      // -1 when a signal ended it
  int signal = 0;          // that signal
  bool timed_out = false;  // it was killed after its time
  bool too_long = false;   // it was killed for printing too much
  std::string out, err;
};

// Starts `program` (a path) with arguments, writes `input` to its stdin and reads both outputs until it ends. No shell,
// no descriptors but these three. Throws InputError when it cannot be started. A signal that arrives in this process
// meanwhile (Ctrl-C) reaches the child, too, and ends it.
ChildResult run_child(const std::string& program, const std::vector<std::string>& arguments, const std::string& input,
                      const ChildLimits& limits = {});

// A program of ours by name ("painleve-robot"), as a path: beside the running program or beside the shared library this
// code is in, in ../libexec/painleve from there, or in the folder where `cmake --install` puts helpers.
// Empty when it is nowhere.
std::string find_helper(const std::string& name);

}  // namespace painleve
