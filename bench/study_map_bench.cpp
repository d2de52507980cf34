// A map as a user asks for one: the verdict of the rod over its angle and its friction, 1000 x 1000 cells, from the
// scenario to the words of all cells, on one thread and on two. `study_map/2` has two threads; the time is that of the
// clock on the wall, per cell.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "bench_scenes.hpp"
#include "painleve/study/map.hpp"

namespace painleve {
namespace {

void study_map(benchmark::State& state) {
  const MapProblem problem = rod_verdict_map();
  MapOptions options;
  options.threads = static_cast<int>(state.range(0));
  for (auto _ : state) {
    Map map = compute_map(problem, options);
    benchmark::DoNotOptimize(map.columns.data());
  }
  state.SetItemsProcessed(state.iterations() * problem.cells());
}
BENCHMARK(study_map)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace painleve
