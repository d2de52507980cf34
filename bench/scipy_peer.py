"""What a scientist writes with SciPy: solve_ivp with events, for the compliant rod (Radau and BDF with the Jacobian by hand),
for the falling rod (DOP853) and for planar impacts (DOP853 over the normal impulse). Equations by hand, the same inputs as
the C++ measurements, each at the coarsest tolerance that reaches the accuracy asked for.

usage: scipy_peer.py PROGRAM NAME...    as numpy_peer.py
"""
import math
import subprocess
import sys
import time

import numpy as np
from numpy_peer import serve
from scipy.integrate import solve_ivp

TOLERANCES = [10.0**-k for k in range(5, 14)]


class Rung:
    """The coarsest tolerance that reaches `target` together with all finer ones; the finest where none does."""

    def __init__(self, run, error, target):
        errors = [error(run(tolerance)) for tolerance in TOLERANCES]
        i = len(errors) - 1
        while i > 0 and errors[i] <= target and errors[i - 1] <= target:
            i -= 1
        self.tolerance, self.error = TOLERANCES[i], errors[i]


def until(phase, y, t, t_end, tolerance, method, largest=np.inf):
    """Integrates one phase to its next event or to t_end: (t, y, index of the event or None, steps, evaluations)."""
    events = [lambda t, y, g=g: g(y) for g in phase.events()]
    for event, direction in zip(events, phase.directions()):
        event.terminal, event.direction = True, direction
    extra = {"jac": lambda t, y: phase.jacobian(y)} if hasattr(phase, "jacobian") else {}
    run = solve_ivp(lambda t, y: phase.rates(y), (t, t_end), y, method=method, rtol=max(tolerance, 1e-13),
                    atol=phase.absolute(tolerance), events=events, max_step=largest, **extra)
    fired = [k for k, times in enumerate(run.t_events) if len(times)]
    return run.t[-1], run.y[:, -1], fired[0] if fired else None, len(run.t) - 1, run.nfev


class CompliantPhase:
    """The rod of cvode_peer.hpp in one regime of its contact: y = (gap, θ, u_t, u_n, ω)."""

    theta, slip, mu, gravity, k = 2 * math.pi / 3, -1.0, 1.5, 1.0, 1e8

    def __init__(self):
        self.closed, self.compresses, self.slips, self.direction = True, True, True, -1.0

    def forces(self, y):
        if not self.closed:
            return 0.0, 0.0
        n = -self.k * (y[0] + (y[3] if self.compresses else 0))
        return (-self.direction * self.mu * n if self.slips else -self.k * y[2]), n

    def rates(self, y):
        s, c, w = math.sin(y[1]), math.cos(y[1]), y[4]
        t, n = self.forces(y)
        turn = -3 * (s * t + c * n)
        return [y[3], w, t - s * turn - c * w * w, -self.gravity + n - c * turn + s * w * w, turn]

    def jacobian(self, y):
        s, c, w = math.sin(y[1]), math.cos(y[1]), y[4]
        t, n = self.forces(y)
        turn = -3 * (s * t + c * n)
        k = self.k if self.closed else 0.0
        dn = np.array([-k, 0, 0, -k if self.compresses else 0, 0])
        dt = -self.direction * self.mu * dn if self.slips else np.array([0, 0, -k, 0, 0])
        angle, spin = np.eye(5)[1], np.eye(5)[4]
        dturn = -3 * (s * dt + c * dn + angle * (c * t - s * n))
        return np.array([np.eye(5)[3], spin,
                         dt - s * dturn + angle * (s * w * w - c * turn) - spin * 2 * c * w,
                         dn - c * dturn + angle * (c * w * w + s * turn) + spin * 2 * s * w, dturn])

    def events(self):
        return (lambda y: y[0], lambda y: y[3],
                lambda y: self.k * abs(y[2]) - self.mu * self.forces(y)[1] if self.closed else 1.0)

    def directions(self):
        return (1 if self.closed else -1, 1 if self.compresses else -1, -1 if self.slips else 1)

    def absolute(self, tolerance):
        return [tolerance / self.k, tolerance, tolerance, tolerance, tolerance]

    def change(self, event, y):
        if event == 0:
            self.closed = not self.closed
        elif event == 1:
            self.compresses = not self.compresses
        else:
            self.slips = not self.slips
            self.direction = -1.0 if y[2] < 0 else 1.0


def compliant_rod(method, tolerance, t_end=1e-4):
    phase = CompliantPhase()
    y, t, steps, evaluations = np.array([0, phase.theta, phase.slip, 0, 0]), 0.0, 0, 0
    for _ in range(100):
        t, y, event, more, calls = until(phase, y, t, t_end, tolerance, method)
        steps, evaluations = steps + more, evaluations + calls
        if event is None:
            break
        phase.change(event, y)
    impulse = (y[2] + math.sin(y[1]) * y[4] - phase.slip, y[3] + math.cos(y[1]) * y[4] + phase.gravity * t)
    return {"impulse": impulse, "steps": steps, "evaluations": evaluations}


class RodPhase:
    """The falling rod of dormand_prince_peer.hpp: y = (x, y, θ, v_x, v_y, ω, friction work); direction 0: stick."""

    gravity, mu = 9.81, 0.3

    def __init__(self):
        self.direction = 0

    def forces(self, y, direction=None):
        direction = self.direction if direction is None else direction
        s, c, w = math.sin(y[2]), math.cos(y[2]), y[5]
        tt, tn, nn = 1 + 3 * s * s, 3 * s * c, 1 + 3 * c * c
        b_t, b_n = -c * w * w, -self.gravity + s * w * w
        if direction == 0:
            det = tt * nn - tn * tn
            return (tn * b_n - nn * b_t) / det, (tn * b_t - tt * b_n) / det
        n = -b_n / (nn - self.mu * direction * tn)
        return -self.mu * direction * n, n

    def slip(self, y):
        return y[3] - math.sin(y[2]) * y[5]

    def rates(self, y):
        t, n = self.forces(y)
        return [y[3], y[4], y[5], t, n - self.gravity, -3 * (math.sin(y[2]) * t + math.cos(y[2]) * n), -t * self.slip(y)]

    def events(self):
        if self.direction == 0:
            return (lambda y: self.mu * self.forces(y)[1] - abs(self.forces(y)[0]), lambda y: self.forces(y)[1])
        return (lambda y: self.direction * self.slip(y), lambda y: self.forces(y)[1])

    def directions(self):
        return (-1, -1)

    def absolute(self, tolerance):
        return tolerance

    def change(self, event, y):
        """False: the tip lifts."""
        if event == 1:
            return False
        t, n = self.forces(y, 0)
        sticks = self.direction != 0 and abs(t) <= self.mu * n
        self.direction = 0 if sticks else (-1 if t > 0 else 1)
        return True

    def energy(self, y):
        return (y[3]**2 + y[4]**2 + y[5]**2 / 3) / 2 + self.gravity * y[1]


def falling_rod(tolerance):
    phase, theta = RodPhase(), math.radians(80)
    y = np.array([0, math.sin(theta), theta, 0, 0, 0, 0])
    start, t, steps, evaluations = phase.energy(y), 0.0, 0, 0
    for _ in range(100):
        t, y, event, more, calls = until(phase, y, t, 1.0, tolerance, "DOP853")
        steps, evaluations = steps + more, evaluations + calls
        if event is None or not phase.change(event, y):
            break
    return {"theta": y[2], "defect": abs(phase.energy(y) + y[6] - start) / start, "steps": steps, "evaluations": evaluations}


class ImpactPhase:
    """A planar impact: y = (u_t, u_n, work of the normal impulse) over the normal impulse."""

    def __init__(self, contact):
        self.W_tt, self.W_tn, self.W_nn, u_t, self.mu, _, self.restitution = contact[:7]
        self.direction = math.copysign(1, u_t) if u_t != 0 else self.from_rest()
        self.compresses, self.goal = True, 0.0

    def from_rest(self):
        return 0 if abs(self.W_tn) <= self.mu * self.W_tt else math.copysign(1, self.W_tn)

    def rates(self, y):
        if self.direction == 0:
            return [0, self.W_nn - self.W_tn**2 / self.W_tt, y[1]]
        friction = -self.direction * self.mu
        return [self.W_tn + friction * self.W_tt, self.W_nn + friction * self.W_tn, y[1]]

    def events(self):
        to_do = (lambda y: -y[1]) if self.compresses else (lambda y: self.goal - y[2])
        return (to_do, lambda y: self.direction * y[0]) if self.direction else (to_do,)

    def directions(self):
        return (-1, -1)

    def absolute(self, tolerance):
        return tolerance

    def change(self, event, y):
        """False: the impact is over."""
        if event == 1:
            y[0] = 0
            self.direction = self.from_rest()
            return True
        if not self.compresses:
            return False
        self.compresses, self.goal = False, y[2] * (1 - self.restitution**2)
        return True


def planar_impact(contact, tolerance):
    phase = ImpactPhase(contact)
    y, at, steps, evaluations = np.array([contact[3], contact[5], 0.0]), 0.0, 0, 0
    for _ in range(20):
        at, y, event, more, calls = until(phase, y, at, 1e6, tolerance, "DOP853")
        steps, evaluations = steps + more, evaluations + calls
        if event is None or not phase.change(event, y):
            break
    return {"after": y[:2], "steps": steps, "evaluations": evaluations}


def impacts(contacts, tolerance):
    runs = [planar_impact(contact, tolerance) for contact in contacts]
    error = max(np.max(np.abs(run["after"] - contact[7:9])) for run, contact in zip(runs, contacts))
    mean = {key: sum(run[key] for run in runs) / len(runs) for key in ("steps", "evaluations")}
    return {"error": error, **mean}


def read(program, name):
    text = subprocess.run([program, "--inputs", name], check=True, capture_output=True, text=True).stdout
    return [[float(x) for x in line.split()] for line in text.splitlines()]


class Timed:
    """Finds its tolerance when it is first asked, then times one run."""

    def __init__(self, run, error, target, items=1):
        self.run, self.error, self.target, self.items, self.rung = run, error, target, items, None

    def __call__(self):
        if self.rung is None:
            self.rung = Rung(self.run, self.error, self.target)
        start = time.process_time_ns()
        result = self.run(self.rung.tolerance)
        ns = (time.process_time_ns() - start) / self.items
        counters = {key: float(result[key]) for key in ("steps", "evaluations", "theta") if key in result}
        return ns, {**counters, "error": self.rung.error, "tolerance": self.rung.tolerance}


def measurements(program):
    impulse = np.array(read(program, "compliant")[0])
    contacts = read(program, "impacts")[:16]
    apart = lambda run: float(np.max(np.abs(np.array(run["impulse"]) - impulse)))
    return {
        "scipy/compliant_rod_radau": Timed(lambda tolerance: compliant_rod("Radau", tolerance), apart, 1e-8),
        "scipy/compliant_rod_bdf": Timed(lambda tolerance: compliant_rod("BDF", tolerance), apart, 1e-8),
        "scipy/falling_rod": Timed(falling_rod, lambda run: run["defect"], 1e-9),
        "scipy/planar_impacts": Timed(lambda tolerance: impacts(contacts, tolerance), lambda run: run["error"], 1e-9,
                                      len(contacts)),
    }


if __name__ == "__main__":
    np.seterr(all="ignore")
    serve(measurements(sys.argv[1]), sys.argv[2:])
