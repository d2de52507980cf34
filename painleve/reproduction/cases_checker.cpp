// The checker of the pack, in Python without anything to install: it knows the laws of contact and nothing of us.
#include "painleve/reproduction/detail/case_json.hpp"

namespace painleve {

const char* const case_checker = R"py(#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verifies the pack from its numbers alone, or says which solution an engine returned. Standard library only.

    python3 check.py                                    every file and every solution; exit 1 when one is wrong
    python3 check.py CASE FORMULATION [DT] FORCE ...    which solution is this force? exit 1 when none
"""
import hashlib
import itertools
import json
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def load(name):
    return json.loads((HERE / "cases" / (name + ".json")).read_text(encoding="utf-8"))


def motion_of(problem, force):
    """w = W force + q."""
    return [sum(a * f for a, f in zip(row, force)) + q for row, q in zip(problem["W"], problem["q"])]


def contact_violation(problem, i, r, w):
    """How far contact i is from r = proj(r - w), both in units in which responses are of order one."""
    d = problem["dimension"]
    r_t, r_n, w_t, w_n = r[d * i:d * i + d - 1], r[d * i + d - 1], w[d * i:d * i + d - 1], w[d * i + d - 1]
    if problem["law"][i] == "separated":
        return math.hypot(*r_t, r_n)
    normal = abs(w_n) if problem["bilateral"][i] else abs(r_n - max(0.0, r_n - w_n))
    limit = problem["mu"][i] * abs(r_n)
    if problem["law"][i] == "sliding":
        wanted = [-limit * e for e in problem["slip"][i]]
    else:
        wanted = [a - b for a, b in zip(r_t, w_t)]
        length = math.hypot(*wanted)
        if length > limit:
            wanted = [x * limit / length for x in wanted]
    return max(normal, math.hypot(*(a - b for a, b in zip(r_t, wanted)))) if r_t else normal


def residual(problem, force):
    """Largest violation of the contact laws, relative to the force or the load: rounding for a solution."""
    if not force:
        return 0.0
    d, n = problem["dimension"], len(problem["mu"])
    largest = max(abs(x) for row in problem["W"] for x in row)
    factor = []
    for i in range(n):
        own = max(abs(problem["W"][k][k]) for k in range(d * i, d * i + d))
        own = own if own > 1e-14 * largest else largest
        factor += [1 / math.sqrt(own) if own > 0 else 1.0] * d
    w = [f * x for f, x in zip(factor, motion_of(problem, force))]
    r = [x / f for f, x in zip(factor, force)]
    load = max(abs(f * x) for f, x in zip(factor, problem["q"]))
    size = max(abs(x) for x in r)
    size = min(max(size, load), 1e6 * load) if load > 0 else max(size, 1e-300)
    return max(contact_violation(problem, i, r, w) for i in range(n)) / size


def find_problem(case, formulation, dt=None):
    for problem in case["problems"]:
        if problem["formulation"] == formulation and problem["dt"] == dt:
            return problem
    raise SystemExit("%s has no problem %s with dt %s" % (case["name"], formulation, dt))


def which(case, problem, force, tolerance=1e-6):
    """The index of the solution that this force is, or None."""
    size = max([abs(x) for s in problem["solutions"] for x in s["force"]] + [1e-300])
    for k, s in enumerate(problem["solutions"]):
        apart = [a - b for a, b in zip(force, s["force"])]
        if s["family"]:
            for e in s["family"]["directions"]:
                along = sum(a * b for a, b in zip(apart, e))
                apart = [a - along * b for a, b in zip(apart, e)]
        if max(abs(a) for a in apart) <= tolerance * size and residual(problem, force) <= 10 * tolerance:
            return k
    return None


def eliminate(A, rhs):
    """The solution of A x = rhs by Gauss with full pivoting, None where A is singular to 1e-9."""
    n = len(rhs)
    rows = [list(map(float, row)) + [r] for row, r in zip(A, rhs)]
    order, first = list(range(n)), None
    for k in range(n):
        size, i, j = max((abs(rows[i][j]), i, j) for i in range(k, n) for j in range(k, n))
        first = first or size
        if size <= 1e-9 * first or size == 0:
            return None
        rows[k], rows[i] = rows[i], rows[k]
        order[k], order[j] = order[j], order[k]
        for row in rows:
            row[k], row[j] = row[j], row[k]
        for row in rows[k + 1:]:
            f = row[k] / rows[k][k]
            for j in range(k, n + 1):
                row[j] -= f * rows[k][j]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[order[k]] = (rows[k][n] - sum(rows[k][j] * x[order[j]] for j in range(k + 1, n))) / rows[k][k]
    return x


def letters(problem, i):
    """What contact i of a planar problem may do: (letter, direction of slip, sign of the force)."""
    free = [] if problem["bilateral"][i] else [("F", 0, 1)]
    if problem["law"][i] == "separated":
        return free
    signs = (1, -1) if problem["bilateral"][i] else (1,)
    if problem["dimension"] == 1:
        return free + [("S", 0, 1)]
    if problem["law"][i] == "sliding":
        return free + [("S", problem["slip"][i][0], sign) for sign in signs]
    return free + [(c, e, sign) for sign in signs for c, e in (("T", 0), ("S", 1), ("S", -1))]


def word_force(problem, word):
    """The force of one word: slip has one unknown per contact, stick two. None where it is not determined."""
    d, size = problem["dimension"], len(problem["q"])
    columns, rows = [], []
    for i, (letter, e, sign) in enumerate(word):
        n = d * i + d - 1
        if letter == "F":
            continue
        column = [0.0] * size
        column[n] = 1.0
        if letter == "S" and d == 2:
            column[n - 1] = -problem["mu"][i] * sign * e
        columns.append(column)
        rows.append(n)
        if letter == "T":
            columns.append([1.0 if k == n - 1 else 0.0 for k in range(size)])
            rows.append(n - 1)
    A = [[sum(a * c for a, c in zip(problem["W"][row], column)) for column in columns] for row in rows]
    x = eliminate(A, [-problem["q"][row] for row in rows])
    return None if x is None else [sum(c[k] * y for c, y in zip(columns, x)) for k in range(size)]


def count_errors(case, problem):
    """Tries every word of a planar problem of one or two contacts: none of its solutions may be missing from the list."""
    if problem["dimension"] == 3 or len(problem["mu"]) > 2:
        return
    name = "%s %s %s" % (case["name"], problem["formulation"], problem["dt"])
    for word in itertools.product(*(letters(problem, i) for i in range(len(problem["mu"])))):
        force = word_force(problem, word)
        if force is None or residual(problem, force) > case["tolerance"]["residual"]:
            continue
        if which(case, problem, force) is None:
            yield "%s: %s is a solution that is not listed: %s" % (name, "".join(w[0] for w in word), force)


def problem_errors(case, problem):
    name = "%s %s %s" % (case["name"], problem["formulation"], problem["dt"])
    if problem["count"] != len(problem["solutions"]):
        yield name + ": count is not the number of solutions"
    size = max([abs(x) for x in problem["q"]] + [1e-300])
    for k, s in enumerate(problem["solutions"]):
        w = [m + shift for m, shift in zip(s["motion"], problem["shift"])]
        scale = max([size] + [abs(a * f) for row in problem["W"] for a, f in zip(row, s["force"])])
        balance = max([abs(a - b) for a, b in zip(w, motion_of(problem, s["force"]))] + [0.0])
        if balance > case["tolerance"]["residual"] * scale:
            yield "%s, solution %d: motion is not W force + q (%g)" % (name, k, balance)
        if residual(problem, s["force"]) > case["tolerance"]["residual"]:
            yield "%s, solution %d breaks the contact law by %g" % (name, k, residual(problem, s["force"]))
    if problem["complete"] and problem["verdict"] == "none" and problem["solutions"]:
        yield name + ": the verdict none contradicts the solutions"
    if problem["verdict"] in ("one", "several") and not problem["solutions"]:
        yield name + ": the verdict needs solutions"


def q_errors(case):
    """The q of each formulation follows from the contact space."""
    space = case["contact_space"]
    if space is None:
        return
    d = case["dimension"]
    for p in case["problems"]:
        rows = [d * i + k for i in p["contacts"] for k in range(d)]
        if p["formulation"] == "acceleration":
            wanted = space["b"]
        elif p["formulation"] == "impulse":
            wanted = space["u"]
        else:
            wanted = [u + p["dt"] * (b - c) for u, b, c in zip(space["u"], space["b"], space["drift"])]
        for k, row in enumerate(rows):
            if abs(wanted[row] + p["shift"][k] - p["q"][k]) > 1e-12 * max(1.0, abs(p["q"][k])):
                yield "%s %s: q does not follow from the contact space" % (case["name"], p["formulation"])
            if any(p["W"][k][j] != space["W"][row][other] for j, other in enumerate(rows)):
                yield "%s %s: W does not follow from the contact space" % (case["name"], p["formulation"])


def file_errors(manifest):
    lines = ""
    for file in manifest["files"]:
        path = HERE / file["path"]
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "missing"
        if digest != file["sha256"]:
            yield "%s was changed or is missing" % file["path"]
        lines += file["sha256"] + "  " + file["path"] + "\n"
    if hashlib.sha256(lines.encode()).hexdigest() != manifest["hash"]:
        yield "manifest.json was changed"


def check_all():
    manifest = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))
    errors = list(file_errors(manifest))
    problems = solutions = 0
    for path in sorted((HERE / "cases").glob("*.json")):
        case = load(path.stem)
        errors += list(q_errors(case))
        for problem in case["problems"]:
            errors += list(problem_errors(case, problem)) + list(count_errors(case, problem))
            problems += 1
            solutions += len(problem["solutions"])
    for error in errors:
        print(error, file=sys.stderr)
    print("version %s: %d cases, %d problems, %d solutions, %d errors"
          % (manifest["version"], manifest["cases"], problems, solutions, len(errors)))
    return 1 if errors else 0


def classify(arguments):
    name, formulation, rest = arguments[0], arguments[1], [float(x) for x in arguments[2:]]
    case = load(name)
    problem = find_problem(case, formulation, rest.pop(0) if formulation == "step" else None)
    if len(rest) != len(problem["q"]):
        raise SystemExit("%s has %d components of force, %d were given" % (name, len(problem["q"]), len(rest)))
    k = which(case, problem, rest, 1e-3)
    if k is None:
        print("none of the %d solutions; residual %.3g" % (problem["count"], residual(problem, rest)))
        return 1
    print("solution %d of %d: %s; residual %.3g"
          % (k, problem["count"], problem["solutions"][k]["mode"], residual(problem, rest)))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(check_all() if len(sys.argv) == 1 else classify(sys.argv[1:]))
    except (OSError, ValueError, KeyError, IndexError, StopIteration) as error:
        sys.exit(f"check.py: cannot make sense of this: {type(error).__name__}: {error}")
)py";

}  // namespace painleve
