// libFuzzer's way in. One program holds all targets, so that the library is linked once; the environment variable
// PAINLEVE_FUZZ_TARGET says which one runs, since libFuzzer starts itself again for some of its work.
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
    chosen->run({reinterpret_cast<const char*>(data), size});
  } catch (const painleve::fuzz::LawBroken& broken) {
    std::fprintf(stderr, "law broken: %s\n", broken.sentence.c_str());
    std::abort();
  }
  return 0;
}
