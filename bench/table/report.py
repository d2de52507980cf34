"""The table as data: rows with times, ratios, spread, work, errors, solved shares and hashes; growth; checks."""
import re

from . import rows as row_list
from .spread import noise, quartiles, ratio_quartiles

WORK = ("steps", "evaluations", "pivots", "sweeps", "iterations", "nodes", "bases", "solutions", "modes", "events", "cells")


def answer_name(name):
    """Of a measurement: hashes do not depend on clocks and threads of the measurement."""
    return re.sub(r"/real_time.*", "", name)


def side(name, samples, answers):
    """One half of a row: times, work, error, share solved."""
    low, middle, high = quartiles(samples.times[name])
    counters = samples.counters[name]
    known = answers.get(answer_name(name), {})
    work = {**known.get("work", {}), **{key: counters[key] for key in WORK if key in counters}}
    return {
        "name": name, "ns": middle, "ns_q1": low, "ns_q3": high, "repetitions": len(samples.times[name]),
        "work": work,
        "error": counters.get("error", counters.get("residual", known.get("residual"))),
        "solved": counters.get("solved", known.get("solved")),
        "theta": counters.get("theta"),
        "allocations": counters.get("allocations"),
    }


def verdict(low, middle, high):
    if low > 1:
        return f"{middle:.3g}x faster"
    if high < 1:
        return f"slower than peer: {middle:.2g}x"
    return "as fast, within the spread"


def ratio_per_solved(ratio, ours, theirs):
    """The ratio of the times per problem that is solved. None where no share is known, and where the peer solves none."""
    if None in (ours["solved"], theirs["solved"]) or not theirs["solved"]:
        return None
    return ratio * ours["solved"] / theirs["solved"]


def missing_row(row, samples, present):
    package = row.peer.package
    if row.theirs in samples.errors:
        why = f"the peer failed: {samples.errors[row.theirs]}"
    elif package not in present and package != "us":
        why = "peer not installed"
    else:
        why = "not measured"
    return {"id": row.id, "group": row.group, "title": row.title, "peer": row.peer.label, "missing": why}


def filled_row(row, samples, answers):
    ours, theirs = side(row.ours, samples, answers), side(row.theirs, samples, answers)
    low, middle, high = ratio_quartiles(samples.times[row.ours], samples.times[row.theirs])
    return {
        "id": row.id, "group": row.group, "title": row.title, "peer": row.peer.label, "short": row.short,
        "ours": ours, "theirs": theirs,
        "ratio": middle, "ratio_q1": low, "ratio_q3": high, "noise": noise(low, high),
        "ratio_per_solved": ratio_per_solved(middle, ours, theirs),
        "hash": answers.get(answer_name(row.ours), {}).get("hash"),
        "verdict": verdict(low, middle, high),
        "bound": row.bound,
        "unmet": unmet(row, ours, theirs, middle),
        "remarks": [] if row.family.must_agree else other_motion(row, ours, theirs),
    }


def unmet(row, ours, theirs, ratio):
    """What was to hold in this row and does not, as sentences."""
    found = []
    if row.bound is not None and ratio < row.bound:
        found.append(f"ratio {ratio:.3g} is below {row.bound:.3g}")
    per_solved = ratio_per_solved(ratio, ours, theirs)
    if None not in (row.family.least_per_solved, per_solved) and per_solved < row.family.least_per_solved:
        found.append(f"ratio {per_solved:.3g} per problem solved is below {row.family.least_per_solved:.3g}")
    if row.family.most_ns is not None and ours["ns"] > row.family.most_ns:
        found.append(f"our {ours['ns']:.3g} ns are above {row.family.most_ns:.3g} ns")
    if row.family.all_solved and ours["solved"] is not None and ours["solved"] < 1:
        found.append(f"only {100 * ours['solved']:.1f} % solved")
    if None not in (ours["solved"], theirs["solved"]) and ours["solved"] < theirs["solved"]:
        found.append(f"the peer solves more: {100 * theirs['solved']:.1f} % beside {100 * ours['solved']:.1f} %")
    if row.family.must_agree:
        found += other_motion(row, ours, theirs)
    if ours["work"].get("modes") is not None and theirs["work"].get("modes") is not None:
        if abs(ours["work"]["modes"] - theirs["work"]["modes"]) > 1e-12:
            found.append("the peer counts other modes")
    return found


def other_motion(row, ours, theirs):
    """A sentence where the peer's motion ends elsewhere."""
    if None in (ours["theta"], theirs["theta"]) or abs(ours["theta"] - theirs["theta"]) <= row.family.same_theta:
        return []
    return [f"another motion: the peer's ends at {theirs['theta']:.4g}, ours at {ours['theta']:.4g}"]


def growth_rows(samples):
    """How time grows with size, stiffness and threads, for families of which both ends were measured."""
    list_ = []
    for growth in row_list.growths():
        if not all(name in samples.times for name in growth.ours):
            continue
        ours = growth_of(growth.ours, samples)
        theirs = None
        if growth.theirs and all(name in samples.times for name in growth.theirs):
            theirs = growth_of(growth.theirs, samples)
        list_.append({"title": growth.title, "ours": ours, "theirs": theirs, "peer": growth.peer, "speedup": growth.speedup})
    return list_


def growth_of(names, samples):
    """Quartiles of the time of the second in that of the first."""
    low, middle, high = ratio_quartiles(samples.times[names[0]], samples.times[names[1]])
    return {"factor": middle, "q1": low, "q3": high}


NO_ALLOCATION = ("contact_to_verdict", "contact_at_rest", "rod_to_verdict", "painleve_step", "c_abi/")
FASTEST = (("contacts_to_verdicts/", 2, "verdicts of contacts: 500 million per second"),
           ("rod_to_map/", 10, "verdicts of the rod in a map: 100 million per second"))
CVODE_APART = 1e-12  # between the finest runs of CVODE and ours: both compute the same motion


def checks(samples, first, second):
    """Things that must hold of the run as a whole: sentence → whether. `first`, `second`: our answers, asked for twice."""
    found = {}
    for name, counters in sorted(samples.counters.items()):
        if name.startswith(NO_ALLOCATION) and "/cpp/" not in name and "allocations" in counters:
            found[f"{name} takes nothing from the heap"] = counters["allocations"] < 1e-6
        if "apart" in counters:
            found[f"{name}: CVODE's finest run and ours agree to {CVODE_APART:g}"] = counters["apart"] <= CVODE_APART
    for start, most, sentence in FASTEST:
        times = [quartiles(times)[1] for name, times in samples.times.items() if name.startswith(start)]
        if times:
            found[sentence] = min(times) <= most
    if second is not None:
        differing = sorted(name for name in first if first[name]["hash"] != second[name]["hash"])
        found["our answers are the same in two runs" + (": not " + ", ".join(differing) if differing else "")] = not differing
    maps = {value["hash"] for name, value in first.items() if name.startswith("study_map/")}
    if maps:
        found["maps are the same for one and two threads"] = len(maps) == 1
    return found


def table(rows, samples, first, second, present):
    """Everything but machine, build and comparison."""
    filled = []
    for row in rows:
        if row.ours not in samples.times:
            continue
        if row.theirs in samples.times:
            filled.append(filled_row(row, samples, first))
        else:
            filled.append(missing_row(row, samples, present))
    return {"rows": filled, "growth": growth_rows(samples), "checks": checks(samples, first, second)}
