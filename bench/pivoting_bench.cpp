// Lemke's method against those of Siconos and DART on the standard forms of drawn frictional problems, in the
// plane and in space with four facets, with 1 to 64 contacts.
//
// Timed is the way from the problem (M, q), ready in the peer's own type, to z. Ours scales the problem, refines z and
// computes its residual on that way, a peer returns z as it is. One iteration is a pass through all problems of a size:
// `pivoting/2/8` is that of 8 contacts in the plane. The counter `solved` is the share of the problems of which the
// method found a solution, by the residual of z and nothing else.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "dart_peer.hpp"
#include "drawn_problems.hpp"
#include "painleve/complementarity/lemke.hpp"
#include "painleve/complementarity/standard_form.hpp"
#include "siconos_lcp_peer.hpp"

namespace painleve {
namespace {

constexpr double solves = 1e-9;  // complementarity_residual()
constexpr int facets = 4;

std::vector<LinearComplementarity> drawn_problems(const benchmark::State& state) {
  std::vector<LinearComplementarity> list;
  for (const auto& p : drawn_contact_problems(static_cast<int>(state.range(0)), static_cast<int>(state.range(1))))
    list.push_back(standard_form(p, facets).lcp);
  return list;
}

// Times `solve`, a function from the number of a problem to z.
template <class Solve>
void measure(benchmark::State& state, const std::vector<LinearComplementarity>& problems, const Solve& solve) {
  std::size_t solved = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const Eigen::VectorXd z = solve(i);
    const bool found = z.allFinite() && complementarity_residual(problems[i], z) <= solves;
    solved += found ? 1U : 0U;
  }
  for (auto _ : state) {
    for (std::size_t i = 0; i < problems.size(); ++i) {
      Eigen::VectorXd z = solve(i);
      benchmark::DoNotOptimize(z.data());
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(problems.size()));
  state.counters["solved"] = static_cast<double>(solved) / static_cast<double>(problems.size());
}

void pivoting(benchmark::State& state) {
  const auto problems = drawn_problems(state);
  measure(state, problems, [&](std::size_t i) { return lemke(problems[i]).z; });
}

void siconos_pivoting(benchmark::State& state) {
  const auto problems = drawn_problems(state);
  SiconosLcpPeer peer(static_cast<int>(problems[0].q.size()));
  measure(state, problems, [&](std::size_t i) {
    const LinearComplementarity& p = problems[i];
    Eigen::VectorXd z(p.q.size());
    peer.solve(p.M.data(), p.q.data(), z.data());
    return z;
  });
}

void sizes(benchmark::internal::Benchmark* bench) { bench->ArgsProduct({{2, 3}, {1, 2, 4, 8, 16, 32, 64}}); }
BENCHMARK(pivoting)->Apply(sizes);
BENCHMARK(siconos_pivoting)->Apply(sizes);

#ifdef PAINLEVE_BENCH_DART
void few(benchmark::internal::Benchmark* bench) { bench->ArgsProduct({{2, 3}, {1, 2, 4, 8, 16}}); }

void dart_pivoting(benchmark::State& state) {
  const auto problems = drawn_problems(state);
  measure(state, problems, [&](std::size_t i) { return dart_lemke(problems[i]); });
}
BENCHMARK(dart_pivoting)->Apply(few);
#endif

}  // namespace
}  // namespace painleve
