"""The least work of each kernel, counted by hand: what a program for this one question would have to do on a machine with
one instruction per operation on double precision numbers, two numbers per instruction where the data lie in a row.

Counted: arithmetic (a division or root is one), a load per number read, a store per number written, two for a decision
(compare, and act on it). Not counted: addresses, loops, calls, and the tests that tell a rounded zero from a small number,
which are the price of trustworthy verdicts and named beside it. sin and cos are taken to be 45
instructions each. The numbers are estimates, not measurements.
"""
from dataclasses import dataclass

SIN_COS = 90


@dataclass(frozen=True)
class Least:
    kernel: str  # of painleve_kernels
    title: str
    passes: int  # over its inputs, so that a counted run takes a second or so
    arithmetic: float
    loads: float
    stores: float
    decisions: float
    why: str  # where the numbers come from

    @property
    def instructions(self):
        return self.arithmetic + self.loads + self.stores + 2 * self.decisions


def lemke(n):
    """A pivot of a tableau of n rows: one update of rank one and the test for the leaving row."""
    entries = n * (n + 1)
    return {"arithmetic": entries + 2 * n, "loads": entries / 2, "stores": entries / 2, "decisions": n}


LEAST = (
    Least("contact_verdict", "contact to verdict", 20, 24, 7, 20, 9.5,
          "p, k, D: 9. At rest s: 6, two slips: 8, stick: 9 (32, 13 decisions); slipping: one s, one slip (16, 6); half of each. "
          "Seven numbers in, 5 + 16 + 3 out. Tests of rounded zeros: nine, 4 each, not counted"),
    Least("rod_verdict", "rod to verdict", 20, SIN_COS + 14 + 16, 5, 16, 6,
          "sin and cos: 90; W: 8, b: 4, u_t: 2 by hand; then a slipping contact. The library derives W and b from the drawing of "
          "the rod"),
    Least("step_solutions", "Painlevé step, all solutions", 20, 32 + 2 * 45, 7, 2 * 6, 13,
          "a contact at rest: 32; certificate of a solution, w = W r + b and the laws: 45; about two solutions of six numbers"),
    Least("planar_impact", "impact, closed form", 40, 31, 9, 18, 8,
          "p, k, K: 10; end of slip: 3; impulse, velocities and works of two straight lines: 18"),
    Least("lemke_pivot_1", "Lemke pivot, 1 planar contact", 10, **lemke(4),
          why="rank-one update of 4 x 5 numbers, two at a time, and the ratio test. Measured with scaling, refinement and residual "
          "of the problem, spread over its few pivots"),
    Least("lemke_pivot_8", "Lemke pivot, 8 planar contacts", 2, **lemke(32),
          why="rank-one update of 32 x 33 numbers, two at a time, and the ratio test. Measured as above"),
    Least("block_update_planar_8", "Gauss-Seidel block, 8 planar contacts", 2, 32 + 32, 24, 4, 13,
          "two rows of W times r: 64 operations, two at a time; the contact's own problem at rest: 32. Measured with the "
          "certificate of each sweep, which is as much again"),
    Least("block_update_spatial_8", "Gauss-Seidel block, 8 spatial contacts", 1, 72 + 150, 48, 6, 20,
          "three rows of W times r: 144 operations, two at a time; stick: 40, cone: 10, slip direction: 100. Measured with the "
          "certificate of each sweep"),
    Least("event_step", "event-driven step of the rod (order 8)", 4, 12 * (SIN_COS + 36) + 9 * 80, 9 * 60, 9 * 12, 10,
          "12 evaluations: sin and cos, W, b, force, rates; some 80 coefficients for 9 numbers, two at a time. A step of "
          "Dormand & Prince 5(4) would be 6 evaluations and a third of the coefficients, but there are three times as many"),
    Least("compliant_step", "compliant step of the rod (order 5, implicit)", 2, 2250 + 416 + 150 + 60, 300, 60, 20,
          "three Newton iterations of 3 evaluations, a real and a complex solve of 5 unknowns (750 each), one factorisation "
          "(416), Jacobian (150), error (60): a step of Radau IIA. Ours, exponential collocation, does "
          "more in a step and takes 12 of them where CVODE takes 187"),
    Least("time_step", "time step of the rod, all solutions", 4, SIN_COS + 14 + 6 + 32 + 45 + 30, 13, 20, 15,
          "W by hand, free velocity, step with all solutions, one certificate, new state and energy"),
)
