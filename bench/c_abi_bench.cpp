// The C functions, with their checks and certificates, beside the C++ functions that answer the same question with
// allocation: one contact and two, modes of a state and solutions of a step. Each iteration takes the next of 1024
// drawn states, so that no branch is learnt by heart.
#include <benchmark/benchmark.h>

#include <vector>

#include "allocation_counter.hpp"
#include "painleve/c/painleve.h"
#include "painleve/complementarity/solution_set.hpp"
#include "painleve/contact/drawn_contacts.hpp"
#include "painleve/modes/mode_table.hpp"

namespace painleve {
namespace {

constexpr std::size_t drawn = 1024;

std::vector<ContactSpace> drawn_spaces(int count) {
  Draws draws(1895);
  std::vector<ContactSpace> list;
  for (std::size_t k = 0; k < drawn; ++k) {
    const Eigen::Index n = 2 * count;
    Eigen::VectorXd b(n);
    Eigen::VectorXd u = Eigen::VectorXd::Zero(n);
    Eigen::VectorXd mu(count);
    for (Eigen::Index i = 0; i < n; ++i) b(i) = draws.normal();
    for (int i = 0; i < count; ++i) {
      u(2 * i) = k % 2 == 0 ? 0 : draws.uniform(-1, 1);
      mu(i) = draws.uniform(0, 2);
    }
    list.push_back(closed_contacts(2, drawn_gram(draws, static_cast<int>(n), 3, 0.1), b, u, mu));
  }
  return list;
}

painleve_contacts to_c(const ContactSpace& s) {
  painleve_contacts c{};
  c.count = s.count();
  for (int i = 0; i < 2 * c.count; ++i) {
    c.b[i] = s.b(i);
    c.u[i] = s.u(i);
    for (int j = 0; j < 2 * c.count; ++j) c.W[i][j] = s.W(i, j);
  }
  for (int i = 0; i < c.count; ++i) c.mu[i] = s.mu(i);
  return c;
}

// Runs `ask` over the drawn states and tells what was taken from the heap.
template <class State, class Ask>
void measure(benchmark::State& state, const std::vector<State>& list, const Ask& ask) {
  const long before = allocations();
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(ask(list[i]));
    i = (i + 1) % list.size();
  }
  state.counters["allocations"] =
      benchmark::Counter(static_cast<double>(allocations() - before), benchmark::Counter::kAvgIterations);
}

std::vector<painleve_contacts> drawn_c(int count) {
  std::vector<painleve_contacts> list;
  for (const ContactSpace& s : drawn_spaces(count)) list.push_back(to_c(s));
  return list;
}

void c_analyze(benchmark::State& state) {
  static painleve_analysis answer;
  measure(state, drawn_c(static_cast<int>(state.range(0))),
          [](const painleve_contacts& c) { return painleve_analyze(&c, &answer); });
}

void c_step(benchmark::State& state) {
  static painleve_solutions answer;
  measure(state, drawn_c(static_cast<int>(state.range(0))),
          [](const painleve_contacts& c) { return painleve_solve(&c, PAINLEVE_STEP, 0.01, &answer); });
}

void cpp_analyze(benchmark::State& state) {
  measure(state, drawn_spaces(static_cast<int>(state.range(0))), [](const ContactSpace& s) {
    return mode_table(s, {{0, 0}, {}, {}, {}, {}}).modes.size();
  });
}

void cpp_step(benchmark::State& state) {
  measure(state, drawn_spaces(static_cast<int>(state.range(0))), [](const ContactSpace& s) {
    return all_solutions(step_problem(s, {0.01, false, StepForm::stewart_trinkle}, {0, 0}).problem).solutions.size();
  });
}

BENCHMARK(c_analyze)->Name("c_abi/analyze/c")->Arg(1)->Arg(2);
BENCHMARK(cpp_analyze)->Name("c_abi/analyze/cpp")->Arg(1)->Arg(2);
BENCHMARK(c_step)->Name("c_abi/step/c")->Arg(1)->Arg(2);
BENCHMARK(cpp_step)->Name("c_abi/step/cpp")->Arg(1)->Arg(2);

}  // namespace
}  // namespace painleve
