// One planar contact: from (W, b, u, mu) to the verdict with all forces, and from the rod and its state to the verdict.
//
// Each iteration takes the next of the drawn contacts, so that no branch is learnt by heart. The peer answers one
// question less: Siconos gets the same contact as a ready LCP and enumerates its solutions.
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "allocation_counter.hpp"
#include "drawn_inputs.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/mechanism/gallery/rod.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "siconos_peer.hpp"

namespace painleve {
namespace {

// Times `ask` on one input after the other and tells what was taken from the heap.
template <class Input, class Ask>
void measure(benchmark::State& state, const std::vector<Input>& inputs, const Ask& ask) {
  const long before = allocations();
  std::size_t i = 0;
  for (auto _ : state) {
    auto answer = ask(inputs[i]);
    benchmark::DoNotOptimize(answer);
    if (++i == inputs.size()) i = 0;  // a remainder would cost as much as the kernel
  }
  state.counters["allocations"] =
      benchmark::Counter(static_cast<double>(allocations() - before), benchmark::Counter::kAvgIterations);
}

void contact_to_verdict(benchmark::State& state) {
  measure(state, drawn_contacts(), [](const PlanarContact& c) { return planar_modes(c); });
}
BENCHMARK(contact_to_verdict);

void rod_to_verdict(benchmark::State& state) {
  const Rod rod;
  const std::array<double, 3> forces{};
  measure(state, drawn_rods(),
          [&](const RodState& s) { return planar_modes(reduce_planar(rod, s.q.data(), s.v.data(), 0, forces, s.mu)); });
}
BENCHMARK(rod_to_verdict);

// Siconos gets the states at rest only: the contact that slips is a scalar problem to it.
void siconos_enumeration(benchmark::State& state) {
  SiconosPeer peer;
  measure(state, drawn_resting_contacts(), [&](const PlanarContact& c) { return peer.enumerate(c); });
}
BENCHMARK(siconos_enumeration);

void contact_at_rest(benchmark::State& state) {
  measure(state, drawn_resting_contacts(), [](const PlanarContact& c) { return planar_modes(c); });
}
BENCHMARK(contact_at_rest);

}  // namespace
}  // namespace painleve
