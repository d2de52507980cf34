// One planar contact: from (W, b, u, mu) to the verdict with all forces, and from the rod and its state to the verdict.
//
// Each iteration takes the next of 1024 drawn contacts, slipping and resting in equal parts, so that no branch is
// learnt by heart. The peer answers one question less: Siconos gets the same contact as a ready LCP and enumerates its
// solutions.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <string_view>
#include <vector>

#include "allocation_counter.hpp"
#include "painleve/base/draws.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/mechanism/gallery/rod.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "siconos_peer.hpp"

namespace painleve {
namespace {

constexpr std::size_t count = 1024;

}  // namespace

std::vector<PlanarContact> drawn_contacts() {
  Draws draws(1895);
  std::vector<PlanarContact> list;
  for (std::size_t i = 0; i < count; ++i) {
    const double a = draws.uniform(0.5, 3), c = draws.uniform(0.5, 3);
    const double coupling = draws.uniform(-0.95, 0.95) * std::sqrt(a * c);
    const double slip = i % 2 == 0 ? 0 : draws.uniform(-1, 1);
    list.push_back({a, coupling, c, draws.normal(), draws.normal(), slip, draws.uniform(0, 2)});
  }
  return list;
}

namespace {

struct RodState {
  std::array<double, 3> q, v;
  double mu;
};
std::vector<RodState> drawn_rods() {
  Draws draws(1905);
  std::vector<RodState> list;
  for (std::size_t i = 0; i < count; ++i)
    list.push_back(
        {{0, 0, draws.uniform(0.1, 3)}, {draws.normal(), draws.normal(), draws.normal()}, draws.uniform(0, 2)});
  return list;
}

void report_allocations(benchmark::State& state, long before) {
  state.counters["allocations"] = static_cast<double>(allocations() - before);
}

void contact_to_verdict(benchmark::State& state) {
  const auto contacts = drawn_contacts();
  const long before = allocations();
  std::size_t i = 0;
  for (auto _ : state) {
    PlanarModes modes = planar_modes(contacts[i++ % count]);
    benchmark::DoNotOptimize(modes);
  }
  report_allocations(state, before);
}
BENCHMARK(contact_to_verdict);

void rod_to_verdict(benchmark::State& state) {
  const auto rods = drawn_rods();
  const Rod rod;
  const std::array<double, 3> forces{};
  const long before = allocations();
  std::size_t i = 0;
  for (auto _ : state) {
    const RodState& s = rods[i++ % count];
    PlanarModes modes = planar_modes(reduce_planar(rod, s.q.data(), s.v.data(), 0, forces, s.mu));
    benchmark::DoNotOptimize(modes);
  }
  report_allocations(state, before);
}
BENCHMARK(rod_to_verdict);

void siconos_enumeration(benchmark::State& state) {
  const auto contacts = drawn_contacts();
  SiconosPeer peer;
  std::size_t i = 0;
  for (auto _ : state) {
    // Siconos gets the states at rest only: the contact that slips is a scalar problem to it.
    int solutions = peer.enumerate(contacts[2 * (i++ % (count / 2))]);
    benchmark::DoNotOptimize(solutions);
  }
}
BENCHMARK(siconos_enumeration);

void contact_at_rest(benchmark::State& state) {
  const auto contacts = drawn_contacts();
  std::size_t i = 0;
  for (auto _ : state) {
    PlanarModes modes = planar_modes(contacts[2 * (i++ % (count / 2))]);
    benchmark::DoNotOptimize(modes);
  }
}
BENCHMARK(contact_at_rest);

}  // namespace
}  // namespace painleve

// With --contacts it prints the drawn contacts, for a peer in another language to work on.
int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--contacts") {
    for (const auto& c : painleve::drawn_contacts())
      std::printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", c.W_tt, c.W_tn, c.W_nn, c.b_t, c.b_n, c.u_t, c.mu);
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
