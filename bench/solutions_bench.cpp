// All solutions with certificates: the Painlevé step by the kernel, slipping contacts and contacts at rest by the tree
// of words. The peers are Siconos' lexicographic Lemke method on the same step, which returns one solution without
// certificate, and its enumeration of all bases on the same contacts.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "allocation_counter.hpp"
#include "drawn_inputs.hpp"
#include "painleve/complementarity/planar_solutions.hpp"
#include "painleve/complementarity/standard_form.hpp"
#include "siconos_lcp_peer.hpp"

namespace painleve {
namespace {

double per_iteration(const benchmark::State& state, long total) {
  return static_cast<double>(total) / static_cast<double>(state.iterations());
}

void painleve_step(benchmark::State& state) {
  const auto steps = drawn_steps();
  const long before = allocations();
  std::size_t i = 0;
  long solutions = 0;
  for (auto _ : state) {
    PlanarSolutions set = planar_solutions(steps[i]);
    solutions += set.count;
    benchmark::DoNotOptimize(set);
    if (++i == steps.size()) i = 0;
  }
  state.counters["allocations"] = per_iteration(state, allocations() - before);
  state.counters["solutions"] = per_iteration(state, solutions);
}
BENCHMARK(painleve_step);

void siconos_step(benchmark::State& state) {
  std::vector<LinearComplementarity> problems;
  for (const auto& c : drawn_steps()) problems.push_back(standard_form(problem_of(c), 2).lcp);
  SiconosLcpPeer peer(static_cast<int>(problems[0].q.size()));
  Eigen::VectorXd z(problems[0].q.size());
  std::size_t i = 0;
  for (auto _ : state) {
    peer.solve(problems[i].M.data(), problems[i].q.data(), z.data());
    benchmark::DoNotOptimize(z.data());
    if (++i == problems.size()) i = 0;
  }
  state.counters["solutions"] = 1;
}
BENCHMARK(siconos_step);

// Passes through all problems, so that every round does the same work.
template <class Problem>
void measure_ours(benchmark::State& state, const std::vector<Problem>& problems) {
  long nodes = 0, solutions = 0;
  for (auto _ : state) {
    for (const Problem& p : problems) {
      const auto set = all_solutions(p);
      nodes += set.work.nodes;
      solutions += static_cast<long>(set.solutions.size());
    }
  }
  const auto count = static_cast<double>(problems.size());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(problems.size()));
  state.counters["nodes"] = per_iteration(state, nodes) / count;
  state.counters["solutions"] = per_iteration(state, solutions) / count;
}

// Its count of solutions is left from the problem before where there is none, and is not shown.
void measure_siconos(benchmark::State& state, const std::vector<LinearComplementarity>& problems) {
  const auto size = static_cast<int>(problems[0].q.size());
  SiconosEnumerationPeer peer(size);
  for (auto _ : state) {
    for (const auto& p : problems) benchmark::DoNotOptimize(peer.enumerate(p.M.data(), p.q.data()));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(problems.size()));
  state.counters["bases"] = std::ldexp(1.0, size);
}

void all_slip_modes(benchmark::State& state) { measure_ours(state, drawn_slips(static_cast<int>(state.range(0)))); }
BENCHMARK(all_slip_modes)->Arg(4)->Arg(8)->Arg(12)->Arg(16)->Arg(20)->Unit(benchmark::kMillisecond);

void siconos_all_slip_modes(benchmark::State& state) {
  measure_siconos(state, drawn_slips(static_cast<int>(state.range(0))));
}
BENCHMARK(siconos_all_slip_modes)->Arg(4)->Arg(8)->Arg(12)->Arg(16)->Unit(benchmark::kMillisecond);

std::vector<ContactProblem> rests(const benchmark::State& state) {
  return drawn_rests(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
}

void all_modes_at_rest(benchmark::State& state) { measure_ours(state, rests(state)); }
BENCHMARK(all_modes_at_rest)
    ->Args({1, 5})
    ->Args({2, 7})
    ->Args({4, 11})
    ->Args({8, 19})
    ->Args({12, 27})
    ->Args({12, 3})
    ->Unit(benchmark::kMillisecond);

// 4 unknowns per contact, so 2^16 bases for 4 contacts.
void siconos_all_modes_at_rest(benchmark::State& state) {
  std::vector<LinearComplementarity> problems;
  for (const auto& p : rests(state)) problems.push_back(standard_form(p, 2).lcp);
  measure_siconos(state, problems);
}
BENCHMARK(siconos_all_modes_at_rest)->Args({1, 5})->Args({2, 7})->Args({4, 11})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace painleve
