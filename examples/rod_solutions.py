# Question: in a time step of 0.01 s, which impulses can the rod of Preclik & Rüde receive?
# Run:      python3 examples/rod_solutions.py        (twin: build/release/bin/rod_solutions)
# Answer:   rod-no-solution: accelerations have no solution, the step has one, T (0.3329, 0.4407);
#           rod-three-solutions: F, S- (0.0755, 0.1133) and T (0.3266, 0.4516).
import painleve as pnl

for name in ("rod-no-solution", "rod-three-solutions"):
    scene = pnl.scenario(name)
    print(f"{name}: {pnl.analyze(scene).verdict}")
    for s in pnl.solve(scene, formulation="step", dt=0.01).solutions:
        print(f"  {s.mode} Lambda_n {s.Lambda_n[0]:.10f} Lambda_t {s.Lambda_t[0][0]:.10f}")
