// Question: in a time step of 0.01 s, which impulses can the rod of Preclik & Rüde receive?
// Run:      build/release/bin/rod_solutions        (twin: python3 examples/rod_solutions.py)
// Answer:   rod-no-solution: accelerations have no solution, the step has one, T (0.3329, 0.4407);
//           rod-three-solutions: F, S- (0.0755, 0.1133) and T (0.3266, 0.4516).
#include <fmt/format.h>

#include "painleve/scene/analysis.hpp"
#include "painleve/scene/solving.hpp"

int main() {
  using namespace painleve;
  for (const char* name : {"rod-no-solution", "rod-three-solutions"}) {
    const Scene scene = SceneSource::open(name).build();
    fmt::print("{}: {}\n", name, analyze(scene).modes.verdict);
    SolveOptions options;
    options.formulation = FormulationKind::step;
    options.step.dt = 0.01;
    for (const ContactSolution& s : solve(scene, options).set.solutions)
      fmt::print("  {} Lambda_n {:.10f} Lambda_t {:.10f}\n", s.mode, s.r(1), s.r(0));
  }
}
