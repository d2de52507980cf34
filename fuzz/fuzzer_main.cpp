// libFuzzer's way in. One program holds all targets, so that the library is linked once; the environment variable
// PAINLEVE_FUZZ_TARGET says which one runs, since libFuzzer starts itself again for some of its work.
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "target.hpp"

namespace {

using painleve::fuzz::Target;

const Target* chosen = nullptr;

void list_targets() {
  for (const Target& one : painleve::fuzz::targets())
    std::printf("%s\t%zu\t%s\n", one.name.c_str(), one.most_bytes, one.about.c_str());
}

// Of all threads of this process: the time of a busy machine is not the input's.
double seconds_computed() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr double most_seconds = 20;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("PAINLEVE_FUZZ_TARGET");
  if (name == nullptr) {
    list_targets();
    std::exit(0);
  }
  try {
    chosen = &painleve::fuzz::target(name);
  } catch (const painleve::InputError& error) {
    std::fprintf(stderr, "painleve-fuzz: %s\n", error.what());
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const double began = seconds_computed();
    chosen->run({reinterpret_cast<const char*>(data), size});
    const double took = seconds_computed() - began;
    painleve::fuzz::law(took < most_seconds, "it computes for " + std::to_string(took) + " s");
  } catch (const painleve::fuzz::LawBroken& broken) {
    std::fprintf(stderr, "law broken: %s\n", broken.sentence.c_str());
    std::abort();
  }
  return 0;
}
