// All solutions with certificates: the Painlevé step by the kernel, slipping contacts and contacts at rest by the tree
// of words. The peers are Siconos' lexicographic Lemke method on the same step, which returns one solution without
// certificate, and its enumeration of all bases on the same contacts.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "allocation_counter.hpp"
#include "painleve/base/draws.hpp"
#include "painleve/complementarity/linear_complementarity.hpp"
#include "painleve/complementarity/planar_solutions.hpp"
#include "painleve/complementarity/standard_form.hpp"
#include "siconos_lcp_peer.hpp"

namespace painleve {
namespace {

constexpr std::size_t count = 1024;

// One step of 10 ms of the classical rod near the state that has three solutions; torques and angles drawn.
std::vector<PlanarContact> drawn_steps() {
  Draws draws(1895);
  std::vector<PlanarContact> list;
  for (std::size_t i = 0; i < count; ++i) {
    const double phi = draws.uniform(0.9, 1.2);
    const double s = std::sin(phi), c = std::cos(phi);
    const double torque = draws.uniform(-2, 0.5);
    const double dt = 0.01;
    list.push_back(
        {1 + 3 * s * s, -3 * s * c, 1 + 3 * c * c, -1 + dt * 3 * s * torque, -dt * (1 + 3 * c * torque), 0, 1.5});
  }
  return list;
}

void painleve_step(benchmark::State& state) {
  const auto steps = drawn_steps();
  const long before = allocations();
  std::size_t i = 0;
  long solutions = 0;
  for (auto _ : state) {
    PlanarSolutions set = planar_solutions(steps[i++ % count]);
    solutions += set.count;
    benchmark::DoNotOptimize(set);
  }
  state.counters["allocations"] = static_cast<double>(allocations() - before);
  state.counters["solutions"] = static_cast<double>(solutions) / static_cast<double>(state.iterations());
}
BENCHMARK(painleve_step);

ContactProblem problem_of(const PlanarContact& c) {
  ContactProblem p;
  p.W.resize(2, 2);
  p.W << c.W_tt, c.W_tn, c.W_tn, c.W_nn;
  p.q = Eigen::Vector2d(c.b_t, c.b_n);
  p.mu = Eigen::VectorXd::Constant(1, c.mu);
  p.bilateral = {false};
  p.law = {Law::resting};
  p.slip = Eigen::MatrixXd::Zero(1, 1);
  return p;
}

void siconos_step(benchmark::State& state) {
  std::vector<LinearComplementarity> problems;
  for (const auto& c : drawn_steps()) problems.push_back(standard_form(problem_of(c), 2).lcp);
  SiconosLcpPeer peer(static_cast<int>(problems[0].q.size()));
  Eigen::VectorXd z(problems[0].q.size());
  std::size_t i = 0;
  for (auto _ : state) {
    const auto& p = problems[i++ % count];
    peer.solve(p.M.data(), p.q.data(), z.data());
    benchmark::DoNotOptimize(z.data());
  }
}
BENCHMARK(siconos_step);

std::vector<LinearComplementarity> drawn_slips(Eigen::Index n) {
  Draws draws(16);
  std::vector<LinearComplementarity> problems(8);
  for (auto& p : problems) {
    p.M.resize(n, n);
    p.q.resize(n);
    for (double& x : p.M.reshaped()) x = draws.normal();
    p.M.diagonal().array() += 1;
    for (double& x : p.q) x = draws.normal();
  }
  return problems;
}

void all_slip_modes(benchmark::State& state) {
  const auto problems = drawn_slips(static_cast<Eigen::Index>(state.range(0)));
  std::size_t i = 0;
  long nodes = 0;
  for (auto _ : state) nodes += all_solutions(problems[i++ % problems.size()]).work.nodes;
  state.counters["nodes"] = static_cast<double>(nodes) / static_cast<double>(state.iterations());
}
BENCHMARK(all_slip_modes)->Arg(12)->Arg(16)->Arg(20)->Unit(benchmark::kMillisecond);

void siconos_all_slip_modes(benchmark::State& state) {
  const auto problems = drawn_slips(static_cast<Eigen::Index>(state.range(0)));
  SiconosEnumerationPeer peer(static_cast<int>(state.range(0)));
  std::size_t i = 0;
  for (auto _ : state) {
    const LinearComplementarity& p = problems[i++ % problems.size()];
    benchmark::DoNotOptimize(peer.enumerate(p.M.data(), p.q.data()));
  }
}
BENCHMARK(siconos_all_slip_modes)->Arg(12)->Arg(16)->Unit(benchmark::kMillisecond);

std::vector<ContactProblem> drawn_rests(int n, int freedoms) {
  Draws draws(12);
  std::vector<ContactProblem> problems(4);
  for (auto& p : problems) {
    Eigen::MatrixXd J(2 * n, freedoms);
    for (double& x : J.reshaped()) x = draws.normal();
    Eigen::VectorXd v(freedoms);
    for (double& x : v) x = draws.normal();
    p.W = J * J.transpose();
    p.q = J * v;
    p.mu.resize(n);
    for (double& x : p.mu) x = draws.uniform(0.1, 1.5);
    p.bilateral.assign(static_cast<std::size_t>(n), false);
    p.law.assign(static_cast<std::size_t>(n), Law::resting);
    p.slip = Eigen::MatrixXd::Zero(1, n);
  }
  return problems;
}

void all_modes_at_rest(benchmark::State& state) {
  const auto problems = drawn_rests(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  std::size_t i = 0;
  for (auto _ : state) {
    ContactSolutions set = all_solutions(problems[i++ % problems.size()]);
    benchmark::DoNotOptimize(set.solutions.data());
  }
}
BENCHMARK(all_modes_at_rest)
    ->Args({4, 11})
    ->Args({8, 19})
    ->Args({12, 27})
    ->Args({12, 3})
    ->Unit(benchmark::kMillisecond);

// 4 unknowns per contact, so 2^16 bases for 4 contacts.
void siconos_all_modes_at_rest(benchmark::State& state) {
  std::vector<LinearComplementarity> problems;
  for (const auto& p : drawn_rests(static_cast<int>(state.range(0)), static_cast<int>(state.range(1))))
    problems.push_back(standard_form(p, 2).lcp);
  SiconosEnumerationPeer peer(static_cast<int>(problems[0].q.size()));
  std::size_t i = 0;
  for (auto _ : state) {
    const LinearComplementarity& p = problems[i++ % problems.size()];
    benchmark::DoNotOptimize(peer.enumerate(p.M.data(), p.q.data()));
  }
}
BENCHMARK(siconos_all_modes_at_rest)->Args({4, 11})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace painleve
