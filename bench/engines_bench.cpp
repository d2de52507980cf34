// The sliding rod of stepping_bench.cpp in the engines that want a language or a stream of their own: Box2D, which
// reckons in single precision, and Simbody, whose Debian library prints while it steps.
#include <benchmark/benchmark.h>

#include <memory>
#include <numbers>

#include "stepping_peers.hpp"

namespace painleve {
namespace {

using Make = std::unique_ptr<SteppingPeer> (*)(const SlidingRod&);

[[maybe_unused]] void slide(benchmark::State& state, Make make) {
  const SlidingRod rod;
  const auto peer = make(rod);
  double theta = 0;
  for (auto _ : state) {
    peer->reset();
    for (int i = 0; i < rod.steps; ++i) peer->step();
    theta = peer->theta();
  }
  state.counters["steps"] = rod.steps;
  state.counters["theta"] = theta * 180 / std::numbers::pi;
}

#ifdef PAINLEVE_BENCH_BOX2D
BENCHMARK_CAPTURE(slide, box2d, &box2d_rod)->Name("peer_sliding_rod/box2d")->Unit(benchmark::kMicrosecond);
#endif
#ifdef PAINLEVE_BENCH_SIMBODY
BENCHMARK_CAPTURE(slide, simbody, &simbody_rod)->Name("peer_sliding_rod/simbody")->Unit(benchmark::kMicrosecond);
#endif

}  // namespace
}  // namespace painleve
