"""The command behind scripts/bench."""
import argparse
import datetime
import json
import re
import signal
import sys
from pathlib import Path

from . import files, instructions, machine, markdown, peers, report, rows
from .compare import compare
from .measure import Budget, Program, Progress, PythonPeers, TimeLeft, measure

ROOT = Path(__file__).resolve().parents[2]
ROUNDS, LEAST_SECONDS, MOST_SECONDS = 7, 0.05, 15  # the last two of one measurement: in a round, and in all
QUICK_ROUNDS, QUICK_LEAST_SECONDS, QUICK_MOST_SECONDS = 3, 0.01, 1


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Measures Painlevé beside its peers: one run, one table.")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} short rounds instead of {ROUNDS}, without the slowest peers")
    parser.add_argument("--only", metavar="PATTERN", help="rows whose group, title, name or peer matches this regular expression")
    parser.add_argument("--rounds", type=int, metavar="N", help="number of rounds, 1 or more")
    parser.add_argument("--compare", metavar="FILE", type=Path, default=ROOT / "bench/last_run.json",
                        help="table.json of an earlier run (default: the committed bench/last_run.json)")
    parser.add_argument("--no-compare", dest="compare", action="store_const", const=None, help="with no earlier run")
    parser.add_argument("--output", metavar="DIR", type=Path, default=ROOT / "build/bench/table",
                        help="folder of the tables (default: build/bench/table)")
    parser.add_argument("--from", dest="earlier", metavar="FILE", type=Path, help="measure nothing: take this table.json")
    parser.add_argument("--readme", action="store_true", help="also write README.md, docs/speed.md and bench/last_run.json")
    parser.add_argument("--instructions", action="store_true",
                        help="count instructions of the kernels with valgrind instead, into docs/speed.md with --readme")
    parser.add_argument("--studio", action="store_true", help="then also measure the studio's page in chromium (scripts/web bench)")
    parser.add_argument("--build", metavar="DIR", type=Path, default=ROOT / "build/bench", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.rounds is not None and given.rounds < 1:
        parser.error(f"--rounds {given.rounds}: 1 or more is allowed")
    if given.only is not None:
        try:
            re.compile(given.only)
        except re.error as error:
            parser.error(f"--only '{given.only}' is no regular expression: {error}")
    return given


def wanted_rows(given, names, present):
    """Rows to fill. Peers that the quick run leaves out are not among them, nor sizes that a peer is not measured at."""
    found = [row for row in rows.all_rows(names) if not (given.quick and row.peer.slow)]
    found = [row for row in found if row.theirs in names or row.theirs.startswith(("numpy/", "scipy/"))
             or row.peer.package not in present]
    if given.only:
        found = [row for row in found if rows.matches(row, given.only)]
    if not found:
        raise SystemExit(f"bench: no row matches '{given.only}'; groups are {', '.join(dict.fromkeys(f.group for f in rows.FAMILIES))}")
    return found


def wanted_names(given, found):
    """Measurements that the rows need, and in a whole run those that only growth needs."""
    names = {name for row in found for name in (row.ours, row.theirs)}
    if not given.only:
        names |= {name for growth in rows.growths() for name in growth.ours}
    return names


def python_peers(program, names):
    list_ = []
    for module in peers.python_peers():
        wanted = sorted(name for name in names if name.startswith(module + "/"))
        if wanted:
            list_.append(PythonPeers(ROOT / f"bench/{module}_peer.py", program, wanted))
    return list_


def run(given):
    """Measures and returns the table."""
    program = Program(given.build / "bin/painleve_bench")
    about = json.loads(program.ask("--about"))
    present = about["peers"] + peers.python_peers()
    there = program.names()
    found = wanted_rows(given, there, present)
    names = wanted_names(given, found)
    in_program = sorted(set(there) & names)
    helpers = python_peers(program, names)
    rounds = given.rounds or (QUICK_ROUNDS if given.quick else ROUNDS)
    left = TimeLeft([*in_program, *(name for helper in helpers for name in helper.names)], rounds)
    where = {**machine.machine(), "load_start": machine.load()}
    print(f"bench: {len(left.names)} measurements in {rounds} rounds; Ctrl-C ends it with a table of what is there", file=sys.stderr)
    first = json.loads(program.ask("--answers"))
    least, most = (QUICK_LEAST_SECONDS, QUICK_MOST_SECONDS) if given.quick else (LEAST_SECONDS, MOST_SECONDS)
    samples, interrupted = measure(program, helpers, in_program, rounds, least, Progress(left), Budget(most))
    second = None if interrupted else json.loads(program.ask("--answers"))
    failures = [text for part in (program, *helpers) for text in part.failures]
    data = {
        "schema": 1,
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "complete": not (interrupted or given.quick or given.only),
        "interrupted": interrupted,
        "rounds": left.finished,
        "machine": {**where, "load_end": machine.load()},
        "build": {"commit": machine.commit(ROOT), **{key: about[key] for key in ("version", "compiler", "flags")}},
        "missing": peers.missing(present),
        **report.table(found, samples, first, second, present),
    }
    data["checks"].update({text: False for text in failures})
    return data


def told(data, said, folder):
    """What the terminal shows."""
    print(markdown.full_table(data))
    for line in said:
        print(line)
    if folder:
        print(f"{folder}/table.md, .csv, .json, short.md")
    broken = [sentence for sentence, holds in data["checks"].items() if not holds]
    unmet = [f"{row['title']} beside {row['peer']}: {text}" for row in data["rows"] for text in row.get("unmet", [])]
    for text in broken + unmet:
        print(f"NOT MET: {text}")
    return not broken and not unmet


def count_instructions(given):
    if not instructions.available():
        raise SystemExit("bench: valgrind is not installed: apt install valgrind")
    only = re.compile(given.only or "", re.IGNORECASE)
    chosen = lambda least: only.search(f"{least.kernel} {least.title}") is not None
    text = instructions.table(list(instructions.kernel_rows(given.build / "bin/painleve_kernels", chosen,
                                                            lambda line: print(line, file=sys.stderr))))
    print(text)
    files.replace(given.output / "instructions.md", text)
    if given.readme:
        files.fill(ROOT / "docs/speed.md", "instructions", text)


def main():
    given = arguments()
    for number in (signal.SIGINT, signal.SIGTERM):  # also where a shell started it with interrupts ignored
        signal.signal(number, signal.default_int_handler)
    if given.instructions:
        count_instructions(given)
        return 0
    data = json.loads(given.earlier.read_text()) if given.earlier else run(given)
    said = []
    if given.compare and given.compare.exists():
        said = compare(data, json.loads(given.compare.read_text()))
    elif given.compare:
        said = [f"nothing to compare with: there is no {given.compare}"]
    data["compared"] = said
    if not given.earlier:
        files.write(data, given.output)
    met = told(data, said, None if given.earlier else given.output)
    if given.readme:
        files.publish(data, ROOT)
    if data.get("interrupted"):
        return 130
    return 0 if met else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("bench: interrupted before anything was measured")
