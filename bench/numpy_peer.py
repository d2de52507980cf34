"""The same computation in NumPy: modes, forces and accelerations of one planar contact, from (W, b, u, mu).

Reads contacts as printed by `painleve_bench --contacts` and prints nanoseconds per contact, one at a time and in one
vectorised call, with the number of consistent modes as a check sum.
"""
import sys
import time

import numpy as np


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


def nanoseconds(work, calls):
    best = np.inf
    for _ in range(5):
        start = time.perf_counter_ns()
        work()
        best = min(best, (time.perf_counter_ns() - start) / calls)
    return best


def main():
    contacts = np.loadtxt(sys.stdin)
    columns = [np.ascontiguousarray(c) for c in contacts.T]
    rows = [tuple(np.float64(x) for x in row) for row in contacts]
    one = nanoseconds(lambda: [modes(*row) for row in rows], len(rows))
    many = nanoseconds(lambda: [modes(*columns) for _ in range(50)], 50 * len(rows))
    consistent = int(sum(np.sum(m) for m in modes(*columns)[:4]))
    print(f"{one:.3f} {many:.3f} {consistent}")


if __name__ == "__main__":
    main()
