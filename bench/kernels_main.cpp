// painleve_kernels NAME PASSES: runs a kernel alone and prints units of work and allocations. A program of its own,
// without the libraries of the peers, so that it starts quickly under a counter of instructions.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdio>
#include <exception>
#include <string>

#include "kernels.hpp"
#include "painleve/base/error.hpp"

namespace painleve {
namespace {

long passes(const std::string& text) {
  long value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || value < 1)
    throw InputError(fmt::format("'{}' is no number of passes: 1 or more is allowed", text));
  return value;
}

void run(const std::string& name, const std::string& count) {
  const KernelWork work = run_kernel(name, passes(count));
  fmt::print("{} {}\n", work.units, work.allocations);
}

}  // namespace
}  // namespace painleve

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: painleve_kernels NAME PASSES, with a NAME of: {}\n",
               fmt::join(painleve::kernel_names(), ", "));
    return 2;
  }
  try {
    painleve::run(argv[1], argv[2]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "painleve_kernels: {}\n", error.what());
    return 2;
  }
}
