"""All faults of the kernels, and a seeded choice of them in proportion to the number that each module offers."""

import dataclasses
import hashlib
import json
import pathlib
import sys

import build
import kernels
from points import Fault, Parser


def all_faults(root: pathlib.Path, work: pathlib.Path) -> list[Fault]:
    """Every fault, from the cache where neither the file nor this tool has changed."""
    work.mkdir(parents=True, exist_ok=True)
    cache_file = work / "points.json"
    cache = json.loads(cache_file.read_text()) if cache_file.is_file() else {}
    folder = pathlib.Path(__file__).parent
    tool = build.digest(folder / "points.py")
    parser = None
    faults = []
    for kernel in kernels.kernels(root):
        stamp = build.digest(root / kernel.path) + tool
        entry = cache.get(kernel.path)
        if entry is None or entry["stamp"] != stamp:
            parser = parser or Parser(root, work)
            print(f"mutate: reading {kernel.path}", file=sys.stderr, flush=True)
            entry = {"stamp": stamp, "faults": [dataclasses.asdict(fault) for fault in parser.faults(kernel)]}
            cache[kernel.path] = entry
            cache_file.write_text(json.dumps(cache))
        faults += [Fault(**fault) for fault in entry["faults"]]
    return faults


def shares(offered: dict[str, int], count: int) -> dict[str, int]:
    """Whole numbers in proportion to what is offered that add up to count; the largest remainders are rounded up."""
    total = sum(offered.values())
    exact = {name: count * number / total for name, number in offered.items()}
    result = {name: int(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: (result[name] - exact[name], name))
    for name in by_remainder[:count - sum(result.values())]:
        result[name] += 1
    return result


def chosen(faults: list[Fault], seed: int, count: int) -> list[Fault]:
    """The choice, numbered from 1 in the order of the files.

    Each fault has a lot that depends on the seed and on itself alone, and of each module the lowest lots are taken: a
    change of one function leaves the choice in all others as it was, and what is known of them stays known.
    """
    offered = {module: [f for f in faults if f.module == module] for module in kernels.MODULES}
    share = shares({module: len(own) for module, own in offered.items()}, min(count, len(faults)))
    choice = []
    for module, own in offered.items():
        picked = {fault.key for fault in sorted(own, key=lambda f: _lot(seed, f))[:share[module]]}
        choice += [fault for fault in own if fault.key in picked]
    for number, fault in enumerate(choice, start=1):
        fault.number = number
    return choice


def _lot(seed: int, fault: Fault) -> str:
    return hashlib.sha256(f"{seed}|{fault.key}".encode()).hexdigest()
