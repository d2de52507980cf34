// painleve_bench: the measurements, and what else a table of them needs to know. With Google Benchmark's options it
// measures; the words below print and end.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answers.hpp"
#include "printed_inputs.hpp"

namespace painleve {
namespace {

constexpr const char* usage = R"(usage: painleve_bench [--benchmark_...]
       painleve_bench --inputs NAME            one input per line, for peers in other languages
       painleve_bench --answers [PART]         hashes, work and residuals of our answers, as JSON
       painleve_bench --about                  build and peers, as JSON
)";

nlohmann::json about() {
  nlohmann::json peers = nlohmann::json::array();
  for (const std::string peer : {PAINLEVE_BENCH_PEERS}) peers.push_back(peer);
  return {{"version", PAINLEVE_BENCH_VERSION},
          {"compiler", PAINLEVE_BENCH_COMPILER},
          {"flags", PAINLEVE_BENCH_FLAGS},
          {"peers", peers}};
}

// What is to be printed; empty: measure.
std::string asked(const std::vector<std::string>& words) {
  if (words.empty()) return "";
  const std::string& what = words[0];
  if (what == "--help" || what == "-h") return usage;
  if (what == "--about") return about().dump(1) + "\n";
  if (what == "--answers") return answers(words.size() > 1 ? words[1] : "").dump(1) + "\n";
  if (what == "--inputs" && words.size() == 2) return printed_inputs(words[1]);
  return "";
}

int measure(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace painleve

int main(int argc, char** argv) {
  try {
    const std::string text = painleve::asked({argv + 1, argv + argc});
    if (text.empty()) return painleve::measure(argc, argv);
    std::fputs(text.c_str(), stdout);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "painleve_bench: {}\n", error.what());
    return 2;
  }
}
