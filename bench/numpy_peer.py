"""The same diagnosis in NumPy: modes, forces and accelerations of planar contacts from (W, b, u, mu), one at a time and many
in one call; of the rod from its state; and by trying all bases of the linear complementarity problem.

usage: numpy_peer.py PROGRAM NAME...    PROGRAM: painleve_bench, which prints the inputs; NAMEs: measurements (default: all)

For each line on stdin it measures everything once and answers with a line of JSON per measurement and an empty one. A
measurement is the best of a few passes: NumPy's own noise is not held against it.
"""
import itertools
import json
import subprocess
import sys
import time

import numpy as np

MANY = 1 << 16  # states in one call of a map: columns of half a megabyte


def modes(W_tt, W_tn, W_nn, b_t, b_n, u_t, mu):
    p_plus, p_minus = W_nn - mu * W_tn, W_nn + mu * W_tn
    k_plus, k_minus = mu * W_tt - W_tn, mu * W_tt + W_tn
    s_plus, s_minus = b_t * p_plus + b_n * k_plus, b_t * p_minus - b_n * k_minus
    rest = u_t == 0
    lambda_plus, lambda_minus = -b_n / p_plus, -b_n / p_minus
    a_plus, a_minus = s_plus / p_plus, s_minus / p_minus
    D = W_tt * W_nn - W_tn * W_tn
    stick_n, stick_t = (W_tn * b_t - W_tt * b_n) / D, (W_tn * b_n - W_nn * b_t) / D
    free = b_n >= 0
    slip_plus = (rest | (u_t > 0)) & (lambda_plus > 0) & (~rest | (a_plus > 0))
    slip_minus = (rest | (u_t < 0)) & (lambda_minus > 0) & (~rest | (a_minus < 0))
    stick = rest & (stick_n > 0) & (np.abs(stick_t) <= mu * stick_n)
    return free, slip_plus, slip_minus, stick, lambda_plus, lambda_minus, a_plus, a_minus, stick_n, stick_t


def verdict(W_tt, W_tn, W_nn, b_t, b_n, u_t, mu):
    """Number of consistent modes from signs alone, without forces: all that a map asks."""
    coupling, grip = mu * W_tn, mu * W_tt
    p_plus, p_minus = W_nn - coupling, W_nn + coupling
    s_plus = b_t * p_plus + b_n * (grip - W_tn)
    s_minus = b_t * p_minus - b_n * (grip + W_tn)
    rest = u_t == 0
    free = b_n >= 0
    slip_plus = (u_t >= 0) & (b_n * p_plus < 0) & (~rest | (s_plus * p_plus > 0))
    slip_minus = (u_t <= 0) & (b_n * p_minus < 0) & (~rest | (s_minus * p_minus < 0))
    stick = rest & (W_tn * b_t > W_tt * b_n) & (s_plus <= 0) & (s_minus >= 0)
    return free.astype(np.uint8) + slip_plus + slip_minus + stick


def rod_contact(theta, v_x, v_y, omega, mu):
    """The rod of the gallery with mass 1, half length 1, gyration² 1/3, gravity 9.81."""
    s, c = np.sin(theta), np.cos(theta)
    return (1 + 3 * s * s, 3 * s * c, 1 + 3 * c * c, -c * omega * omega, s * omega * omega - 9.81, v_x - s * omega, mu)


def count(answer):
    return float(sum(np.sum(m) for m in answer[:4]))


# Bases of the LCP of a contact at rest: unknowns (λ+, λ−, λ_n, γ), which of them are positive.
BASES = np.array(list(itertools.product((False, True), repeat=4)))


def standard_form(W_tt, W_tn, W_nn, b_t, b_n, _u_t, mu):
    M = np.array([[W_tt, -W_tt, W_tn, 1], [-W_tt, W_tt, -W_tn, 1], [W_tn, -W_tn, W_nn, 0], [-1, -1, mu, 0]])
    return M, np.array([b_t, -b_t, b_n, 0])


def lcp_solutions(M, q):
    """z of all complementary bases that solve, by one call of the batched linear solver: columns of M where z is positive, of
    −1 where w is."""
    systems = np.where(BASES[:, None, :], M, -np.eye(4))
    singular = np.abs(np.linalg.det(systems)) < 1e-12
    systems[singular] = np.eye(4)
    x = np.linalg.solve(systems, np.broadcast_to(-q, (16, 4))[..., None])[..., 0]
    return np.where(BASES, x, 0.0)[~singular & np.all(x >= -1e-12, axis=1)]


def best(work, passes=3):
    """Nanoseconds of the fastest pass."""
    least = np.inf
    for _ in range(passes):
        start = time.process_time_ns()
        work()
        least = min(least, time.process_time_ns() - start)
    return least


class Inputs:
    def __init__(self, program):
        def read(name):
            text = subprocess.run([program, "--inputs", name], check=True, capture_output=True, text=True).stdout
            return np.array([[float(x) for x in line.split()] for line in text.splitlines()])

        self.contacts, self.resting, self.rods = read("contacts"), read("resting"), read("rods")


def columns(table, length=None):
    repeated = table if length is None else np.resize(table, (length, table.shape[1]))
    return [np.ascontiguousarray(column) for column in repeated.T]


def scalars(table):
    return [tuple(np.float64(x) for x in row) for row in table]


def measurements(inputs):
    """Name → function that returns nanoseconds per item and counters."""
    contacts, rods = scalars(inputs.contacts), scalars(inputs.rods[:256])
    problems = [standard_form(*row) for row in inputs.resting[:128]]
    all_contacts, many = columns(inputs.contacts), columns(inputs.contacts, MANY)
    many_rods = columns(inputs.rods, MANY)
    mean_modes = count(modes(*all_contacts)) / len(contacts)
    rod_modes = count(modes(*rod_contact(*columns(inputs.rods)))) / len(inputs.rods)
    return {
        "numpy/contact_one": lambda: (best(lambda: [modes(*row) for row in contacts]) / len(contacts), {"modes": mean_modes}),
        "numpy/contact_many": lambda: (best(lambda: modes(*all_contacts), 20) / len(contacts), {"modes": mean_modes}),
        "numpy/lcp_bases": lambda: (best(lambda: [lcp_solutions(*p) for p in problems]) / len(problems), {}),
        "numpy/rod_one": lambda: (best(lambda: [modes(*rod_contact(*row)) for row in rods]) / len(rods), {"modes": rod_modes}),
        "numpy/map_contact": lambda: (best(lambda: verdict(*many), 5) / MANY, {}),
        "numpy/map_rod": lambda: (best(lambda: verdict(*rod_contact(*many_rods)), 5) / MANY, {}),
    }


def serve(known, names):
    """A line of JSON per measurement for each line on stdin."""
    for _ in sys.stdin:
        for name, measure in known.items():
            if names and name not in names:
                continue
            ns, counters = measure()
            print(json.dumps({"name": name, "ns": ns, "counters": counters}), flush=True)
        print(flush=True)


if __name__ == "__main__":
    np.seterr(all="ignore")
    serve(measurements(Inputs(sys.argv[1])), sys.argv[2:])
