#include "kernels.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <functional>

#include "allocation_counter.hpp"
#include "bench_scenes.hpp"
#include "drawn_inputs.hpp"
#include "drawn_problems.hpp"
#include "painleve/base/error.hpp"
#include "painleve/complementarity/gauss_seidel.hpp"
#include "painleve/complementarity/lemke.hpp"
#include "painleve/complementarity/planar_solutions.hpp"
#include "painleve/complementarity/standard_form.hpp"
#include "painleve/impact/planar_impact.hpp"
#include "painleve/mechanism/gallery/rod.hpp"
#include "painleve/mechanism/reduction.hpp"

namespace painleve {
namespace {

// One pass over the inputs of a kernel; returns the units of work done.
using Pass = std::function<long()>;

template <class Input, class Ask>
Pass pass_over(const std::vector<Input>& inputs, const Ask& ask) {
  return [inputs, ask] {
    for (const Input& input : inputs) {
      auto answer = ask(input);
      benchmark::DoNotOptimize(answer);
    }
    return static_cast<long>(inputs.size());
  };
}

Pass rod_verdict() {
  return pass_over(drawn_rods(), [](const RodState& s) {
    const std::array<double, 3> forces{};
    return planar_modes(reduce_planar(Rod{}, s.q.data(), s.v.data(), 0, forces, s.mu));
  });
}

Pass lemke_pivots(int contacts) {
  std::vector<LinearComplementarity> problems;
  for (const auto& p : drawn_contact_problems(2, contacts)) problems.push_back(standard_form(p, 4).lcp);
  return [problems] {
    long pivots = 0;
    for (const auto& p : problems) pivots += lemke(p).pivots;
    return pivots;
  };
}

Pass block_updates(int dimension, int contacts) {
  return [problems = drawn_contact_problems(dimension, contacts)] {
    SweepOptions options;
    options.most_sweeps = 100;
    options.tolerance = 1e-10;
    options.finish = false;  // sweeps alone
    long updates = 0;
    for (const auto& p : problems) updates += static_cast<long>(gauss_seidel(p, options).sweeps) * p.count();
    return updates;
  };
}

struct Kernel {
  std::string name;
  std::function<Pass()> prepare;
};

std::vector<Kernel> kernels() {
  std::vector<Kernel> list;
  list.push_back({"contact_verdict",
                  [] { return pass_over(drawn_contacts(), [](const PlanarContact& c) { return planar_modes(c); }); }});
  list.push_back({"rod_verdict", rod_verdict});
  list.push_back({"step_solutions",
                  [] { return pass_over(drawn_steps(), [](const PlanarContact& c) { return planar_solutions(c); }); }});
  list.push_back({"planar_impact", [] {
                    return pass_over(drawn_planar_impacts(), [](const Striking<PlanarContact>& s) {
                      return planar_impact(s.contact, s.u_n, s.law);
                    });
                  }});
  list.push_back({"lemke_pivot_1", [] { return lemke_pivots(1); }});
  list.push_back({"lemke_pivot_8", [] { return lemke_pivots(8); }});
  list.push_back({"block_update_planar_8", [] { return block_updates(2, 8); }});
  list.push_back({"block_update_spatial_8", [] { return block_updates(3, 8); }});
  list.push_back({"event_step",
                  [] { return Pass([problem = falling_rod_problem()] { return falling_rod_run(problem).steps; }); }});
  list.push_back({"compliant_step", [] {
                    return Pass(
                        [problem = compliant_rod_problem(8)] { return compliant_rod_run(problem, 1e-4, 1e-10).steps; });
                  }});
  list.push_back(
      {"time_step", [] { return Pass([problem = sliding_rod_problem()] { return sliding_rod_run(problem).steps; }); }});
  return list;
}

}  // namespace

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto& kernel : kernels()) names.push_back(kernel.name);
  return names;
}

KernelWork run_kernel(const std::string& name, long passes) {
  for (const auto& kernel : kernels()) {
    if (kernel.name != name) continue;
    const Pass pass = kernel.prepare();
    KernelWork work;
    const long before = allocations();
    for (long i = 0; i < passes; ++i) work.units += pass();
    work.allocations = allocations() - before;
    return work;
  }
  throw InputError(fmt::format("there is no kernel '{}': known are {}", name, fmt::join(kernel_names(), ", ")));
}

}  // namespace painleve
