// One solution by sweeps over the contacts, on the drawn frictional problems of drawn_problems.hpp with 1 to 64
// contacts, with the round cone in space: ours, Siconos' NSGS, and the projected Gauss-Seidel methods of Bullet and
// DART, whose friction in space is a pyramid (boxed_lcp_peers.hpp). All may sweep 1000 times and are asked for 1e-10,
// each in its own measure. `solved` is the share with a law_residual() of at most 1e-9, whatever a method says of
// itself. Timed is the way from the problem, in the order and the type that the method wants, to the force; ours
// certifies it on that way, and leaves the sweeps as soon as Newton's method on their modes finds the solution
// (SweepOptions::finish): `sweeping_alone` is ours without that.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "boxed_lcp_peers.hpp"
#include "drawn_problems.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/gauss_seidel.hpp"
#include "siconos_friction_peer.hpp"

namespace painleve {
namespace {

constexpr double solves = 1e-9;
constexpr double asked = 1e-10;
constexpr int most_sweeps = 1000;

// Times `solve`, a function from the number of a problem to the force, in any order; `usual` brings it to ours.
template <class Solve, class Usual>
void measure(benchmark::State& state, const std::vector<ContactProblem>& problems, const Solve& solve,
             const Usual& usual) {
  std::size_t solved = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const Eigen::VectorXd r = usual(solve(i));
    const bool found = r.allFinite() && law_residual(problems[i], r, problems[i].W * r + problems[i].q) <= solves;
    solved += found ? 1U : 0U;
  }
  for (auto _ : state) {
    for (std::size_t i = 0; i < problems.size(); ++i) {
      Eigen::VectorXd r = solve(i);
      benchmark::DoNotOptimize(r.data());
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(problems.size()));
  state.counters["solved"] = static_cast<double>(solved) / static_cast<double>(problems.size());
}

std::vector<ContactProblem> drawn(const benchmark::State& state) {
  return drawn_contact_problems(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
}

void measure_ours(benchmark::State& state, bool finish) {
  const auto problems = drawn(state);
  SweepOptions options;
  options.most_sweeps = most_sweeps;
  options.tolerance = asked;
  options.finish = finish;
  measure(
      state, problems, [&](std::size_t i) { return gauss_seidel(problems[i], options).r; },
      [](const Eigen::VectorXd& r) { return r; });
}

void sweeping(benchmark::State& state) { measure_ours(state, true); }
void sweeping_alone(benchmark::State& state) { measure_ours(state, false); }

// Rows of all contacts with the normal of each first, as Siconos wants them.
std::vector<int> normals_first(const ContactProblem& p) {
  std::vector<int> rows;
  for (int i = 0; i < p.count(); ++i) {
    rows.push_back(p.normal(i));
    for (int k = p.tangent(i); k < p.normal(i); ++k) rows.push_back(k);
  }
  return rows;
}

void siconos_sweeping(benchmark::State& state) {
  const auto problems = drawn(state);
  const std::vector<int> rows = normals_first(problems[0]);
  std::vector<Eigen::MatrixXd> W;
  std::vector<Eigen::VectorXd> q;
  for (const auto& p : problems) {
    W.emplace_back(p.W(rows, rows));
    q.emplace_back(p.q(rows));
  }
  SiconosFrictionPeer peer(problems[0].dimension, problems[0].count(), most_sweeps, asked);
  const auto solve = [&](std::size_t i) {
    Eigen::VectorXd r(q[i].size());
    peer.solve(W[i].data(), q[i].data(), problems[i].mu.data(), r.data());
    return r;
  };
  measure(state, problems, solve, [&](const Eigen::VectorXd& theirs) {
    Eigen::VectorXd r(theirs.size());
    r(rows) = theirs;
    return r;
  });
}

void sizes(benchmark::internal::Benchmark* bench) { bench->ArgsProduct({{2, 3}, {1, 2, 4, 8, 16, 32, 64}}); }
BENCHMARK(sweeping)->Apply(sizes);
BENCHMARK(sweeping_alone)->Apply(sizes);
BENCHMARK(siconos_sweeping)->Apply(sizes);

#if defined(PAINLEVE_BENCH_BULLET) || defined(PAINLEVE_BENCH_DART)
// Times the methods that `peer` makes of the problems.
template <class Peer>
void measure_boxed(benchmark::State& state, const Peer& peer) {
  const auto problems = drawn(state);
  std::vector<std::unique_ptr<BoxedPeer>> peers;
  for (const auto& p : problems) peers.push_back(peer(BoxedProblem(p)));
  measure(
      state, problems, [&](std::size_t i) { return peers[i]->solve(); }, [](const Eigen::VectorXd& r) { return r; });
}
#endif

#ifdef PAINLEVE_BENCH_BULLET
void bullet_sweeping(benchmark::State& state) {
  measure_boxed(state, [](const BoxedProblem& p) { return bullet_sweeps(p, most_sweeps, asked); });
}
void bullet_dantzig_boxed(benchmark::State& state) {
  measure_boxed(state, [](const BoxedProblem& p) { return bullet_dantzig(p); });
}
BENCHMARK(bullet_sweeping)->Apply(sizes);
BENCHMARK(bullet_dantzig_boxed)->Name("bullet_dantzig")->Apply(sizes);
#endif

#ifdef PAINLEVE_BENCH_DART
void dart_sweeping(benchmark::State& state) {
  measure_boxed(state, [](const BoxedProblem& p) { return dart_sweeps(p, most_sweeps, asked); });
}
void dart_dantzig_boxed(benchmark::State& state) {
  measure_boxed(state, [](const BoxedProblem& p) { return dart_dantzig(p); });
}
BENCHMARK(dart_sweeping)->Apply(sizes);
BENCHMARK(dart_dantzig_boxed)->Name("dart_dantzig")->Apply(sizes);
#endif

}  // namespace
}  // namespace painleve
