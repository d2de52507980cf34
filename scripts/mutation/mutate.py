"""Mutation testing of the mathematical kernels: puts seeded faults into them and asks whether the tests notice.

See docs/trust.md for the last result and kernels.py for what counts as a kernel.
"""

import argparse
import contextlib
import fcntl
import pathlib
import signal
import sys

import build
import campaign
import choice
import kernels
import report

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/mutate", description=__doc__.split("\n\n")[0],
        epilog="Results are kept in WORK/results.json; an interrupted run goes on where it was. Build jobs: "
               "CMAKE_BUILD_PARALLEL_LEVEL (default 1).")
    parser.add_argument("--count", type=int, default=640, help="how many faults (default %(default)s)")
    parser.add_argument("--seed", type=int, default=20161116, help="of the choice (default %(default)s)")
    parser.add_argument("--only", metavar="FILE", help="judge only the chosen faults whose path contains FILE")
    parser.add_argument("--module", action="append", choices=kernels.MODULES, metavar="MODULE",
                        help="judge only the chosen faults of this module; may be repeated")
    parser.add_argument("--own", action="store_true",
                        help="ask only the tests of a fault's own module; those that survive are left for --survivors")
    parser.add_argument("--number", type=int, help="judge only the chosen fault of this number")
    parser.add_argument("--list", action="store_true", help="list the chosen faults and what is known of them; build nothing")
    parser.add_argument("--narrow", action="store_true",
                        help="leave for later what lies in headers that many files include: few faults, long compilation")
    parser.add_argument("--survivors", action="store_true", help="judge again those that survived: after new tests")
    parser.add_argument("--report", action="store_true", help="only write the results so far into docs/trust.md")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "mutation",
                        help="folder of the mutated copy (default build/mutation)")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    work = options.work.resolve()
    every = choice.all_faults(ROOT, work)
    faults = choice.chosen(every, options.seed, options.count)
    print(f"mutate: seed {options.seed}: {len(faults)} of {len(every)} possible faults", file=sys.stderr)
    kept = campaign.Campaign(work / "results.json")
    sources = {path: build.digest(ROOT / path) for path in {fault.path for fault in faults}}
    if options.list:
        report.print_list(faults, kept, sources)
        return 0
    if not options.report:
        with alone(work):
            judge_all(options, work, faults, kept, sources)
    return report.conclude(ROOT, work, options.seed, len(every), faults, kept, sources, options.report)


@contextlib.contextmanager
def alone(work: pathlib.Path):
    """Two runs in one folder would write the same copy."""
    with (work / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RuntimeError(f"another run works in {work}") from None
        yield


def judge_all(options, work: pathlib.Path, faults, kept: campaign.Campaign, sources: dict[str, str]) -> None:
    if options.narrow:
        wide = kernels.wide_headers(ROOT)
        faults = [fault for fault in faults if fault.path not in wide]
    modules = options.module or list(kernels.MODULES)
    programs = kernels.programs(modules, options.own)
    folder, faults = build.build(ROOT, work, [fault for fault in faults if fault.module in modules], programs)
    tests = campaign.trace(folder, options.count, programs)
    waiting = [fault for fault in faults if is_wanted(fault, options, kept, sources)]
    clock = campaign.Clock(len(waiting))
    for fault in waiting:
        result = campaign.judge(folder, fault, tests)
        kept.record(fault, sources[fault.path], result)
        clock.step(f"{result['how']:8} {fault.number} {fault.describe()}")


def is_wanted(fault, options, kept: campaign.Campaign, sources: dict[str, str]) -> bool:
    if options.number is not None:
        return fault.number == options.number
    if options.only is not None and options.only not in fault.path:
        return False
    if not kept.has(fault, sources[fault.path]):
        return True
    return options.survivors and not kept.killed(fault)


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("mutate: interrupted; what was judged is kept, the next run goes on from there", file=sys.stderr)
        sys.exit(130)
    except RuntimeError as problem:
        print(f"mutate: {problem}", file=sys.stderr)
        sys.exit(1)
