"""Which test reaches which fault, and which faults the tests see.

A fault is first shown to those tests of its own module that pass by it, the quick ones before the slow ones, then to
those of the modules that use it. The first that fails, crashes or does not end kills it.
"""

import dataclasses
import json
import os
import pathlib
import sys
import tempfile
import time

import kernels
import limited
from points import Fault

# Drawn inputs are the same in every run, and a found failure needs no smaller example.
FIXED_DRAWS = {"RC_PARAMS": "seed=20161116 noshrink=1"}
QUICK = 0.05  # [s] tests up to this are run together, first


@dataclasses.dataclass
class Test:
    program: str  # name of the module
    name: str
    seconds: float
    reached: set[int]


def listed_tests(program: pathlib.Path) -> list[str]:
    ended = limited.run([str(program), "--gtest_list_tests"], {}, 60)
    names, suite = [], ""
    for line in ended.output.splitlines():
        text = line.split("#")[0].rstrip()
        if text.startswith("  "):
            names.append(suite + text.strip())
        elif text.endswith("."):
            suite = text
    return [name for name in names if "DISABLED_" not in name]


def trace(build: pathlib.Path, count: int, programs: list[str]) -> list[Test]:
    """Runs every test once, alone and without a fault; those that fail in the mutated copy are left out."""
    tests = []
    for name in programs:
        program = kernels.program(build, name)
        left_out = []
        for test in listed_tests(program):
            with tempfile.NamedTemporaryFile() as file:
                file.write(bytes(count + 1))
                file.flush()
                ended = limited.run([str(program), f"--gtest_filter={test}"],
                                    dict(FIXED_DRAWS, MUTANT_REACHED=file.name), 300)
                reached = {i for i, byte in enumerate(pathlib.Path(file.name).read_bytes()) if byte}
            if ended.how == "passed":
                tests.append(Test(name, test, ended.seconds, reached))
            else:
                left_out.append(test)
        own = [test for test in tests if test.program == name]
        print(f"mutate: {name}: {len(own)} tests, {sum(t.seconds for t in own):.1f} s of processor time"
              + (f"; left out, since they fail without a fault: {', '.join(left_out)}" if left_out else ""),
              file=sys.stderr, flush=True)
    return tests


class Campaign:
    """The results so far, kept in a file that is written after each fault."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self.results: dict[str, dict] = json.loads(path.read_text()) if path.is_file() else {}

    def has(self, fault: Fault, source: str) -> bool:
        result = self.results.get(fault.key)
        return result is not None and result["source"] == source

    def killed(self, fault: Fault) -> bool:
        return self.results[fault.key]["how"] != "survived"

    def record(self, fault: Fault, source: str, result: dict) -> None:
        self.results[fault.key] = dict(result, source=source, fault=fault.describe())
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps(self.results, indent=1, sort_keys=True))
        os.replace(part, self.path)


def judge(build: pathlib.Path, fault: Fault, tests: list[Test]) -> dict:
    """Shows one fault to the tests that reach it."""
    asked = 0
    for name in (fault.module, *kernels.ASKED_NEXT[fault.module]):
        own = [test for test in tests if test.program == name and fault.number in test.reached]
        quick = [test for test in own if test.seconds <= QUICK]
        slow = sorted((test for test in own if test.seconds > QUICK), key=lambda test: test.seconds)
        for group in (quick, *([test] for test in slow)):
            if not group:
                continue
            asked += len(group)
            ended = _show(build, fault, name, group)
            if ended.how != "passed":
                return {"how": ended.how, "program": name, "test": _culprit(ended.output), "asked": asked}
    return {"how": "survived", "asked": asked}


def _show(build: pathlib.Path, fault: Fault, name: str, group: list[Test]) -> limited.Ended:
    usual = sum(test.seconds for test in group)
    command = [str(kernels.program(build, name)), "--gtest_fail_fast", "--gtest_brief=1",
               "--gtest_filter=" + ":".join(test.name for test in group)]
    return limited.run(command, dict(FIXED_DRAWS, MUTANT=str(fault.number)), 6 * usual + 4)


def _culprit(output: str) -> str:
    for line in output.splitlines():
        if line.startswith("[  FAILED  ]"):
            return line[12:].split("(")[0].split(",")[0].strip()
    return ""


class Clock:
    """Says how much time is left."""

    def __init__(self, total: int):
        self.total = total
        self.done = 0
        self.begin = time.monotonic()

    def step(self, text: str) -> None:
        self.done += 1
        left = (time.monotonic() - self.begin) / self.done * (self.total - self.done)
        print(f"[{self.done}/{self.total}, {left / 60:.0f} min left] {text}", file=sys.stderr, flush=True)
