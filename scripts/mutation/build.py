"""The mutated copy of the tree and its build.

Every kernel is compiled once, with all its chosen faults. A fault that does not compile is no fault: it is taken out,
and the copy is built again.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import kernels
import schemata
from points import Fault

COPIED = ("CMakeLists.txt", "CMakePresets.json", "cmake", "painleve", "tests", "fuzz", "scripts/mutation", "docs",
          "scenarios")
ROUNDS = 12


def digest(path: pathlib.Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def copy_tree(root: pathlib.Path, tree: pathlib.Path, faulted: set[str]) -> None:
    """Brings the copy up to date; files with faults are written by write_kernels."""
    for name in COPIED:
        source = root / name
        files = [source] if source.is_file() else [p for p in source.rglob("*") if p.is_file()]
        for file in files:
            relative = str(file.relative_to(root))
            if relative not in faulted and "__pycache__" not in relative:
                _write_if_new(tree / relative, file.read_bytes())


def write_kernels(root: pathlib.Path, tree: pathlib.Path, faults: list[Fault], paths: set[str]) -> None:
    for path in paths:
        source = (root / path).read_bytes()
        own = [fault for fault in faults if fault.path == path]
        _write_if_new(tree / path, schemata.mutated(source, own) if own else source)


def _write_if_new(path: pathlib.Path, text: bytes) -> None:
    if path.is_file() and path.read_bytes() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)


def build(root: pathlib.Path, work: pathlib.Path, faults: list[Fault],
          programs: list[str]) -> tuple[pathlib.Path, list[Fault]]:
    """Builds these programs of the copy; returns the build folder and the faults that compile."""
    tree = work / "tree"
    rejected_file = work / "rejected.json"
    rejected = set(json.loads(rejected_file.read_text())) if rejected_file.is_file() else set()
    paths = {fault.path for fault in faults}
    copy_tree(root, tree, paths)
    write_kernels(root, tree, [fault for fault in faults if fault.key not in rejected], paths)
    folder = tree / "build" / "clang"
    _configure(tree, folder)
    for _ in range(ROUNDS):
        faults = [fault for fault in faults if fault.key not in rejected]
        write_kernels(root, tree, faults, paths)
        complaints = _ninja(tree, folder, programs)
        if complaints is None:
            return folder, faults
        blamed = [fault for fault in faults if (fault.path, fault.line) in complaints or _spans(fault, complaints, root)]
        if not blamed:
            raise RuntimeError(f"the mutated copy does not build; see {work}/build.log")
        print(f"mutate: {len(blamed)} faults do not compile and are taken out", file=sys.stderr, flush=True)
        rejected |= {fault.key for fault in blamed}
        rejected_file.write_text(json.dumps(sorted(rejected)))
    raise RuntimeError(f"the mutated copy does not build after {ROUNDS} rounds; see {work}/build.log")


def _spans(fault: Fault, complaints: set[tuple[str, int]], root: pathlib.Path) -> bool:
    """Whether a complaint lies on a later line of a fault whose text has several."""
    source = (root / fault.path).read_bytes()
    first = source.count(b"\n", 0, fault.start) + 1
    last = source.count(b"\n", 0, fault.end) + 1
    return any((fault.path, line) in complaints for line in range(first, last + 1))


def _environment(tree: pathlib.Path) -> dict[str, str]:
    return dict(os.environ, CCACHE_BASEDIR=str(tree), CCACHE_NOHASHDIR="1", CCACHE_SLOPPINESS="time_macros")


def _configure(tree: pathlib.Path, folder: pathlib.Path) -> None:
    if (folder / "build.ninja").is_file():
        return
    # What a fault does to types and constants is no concern of the compiler. Little optimisation: much is compiled, once.
    command = ["cmake", "--preset", "clang", "-D", "PAINLEVE_BUILD_APPS=OFF", "-D", "PAINLEVE_WERROR=OFF",
               "-D", "CMAKE_CXX_FLAGS=-w -Wno-narrowing", "-D", "CMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"]
    if shutil.which("ccache"):
        command += ["-D", "CMAKE_CXX_COMPILER_LAUNCHER=ccache"]
    done = subprocess.run(command, cwd=tree, env=_environment(tree), capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError("cmake failed in the mutated copy:\n" + done.stderr)


def _ninja(tree: pathlib.Path, folder: pathlib.Path, programs: list[str]) -> set[tuple[str, int]] | None:
    """None when all is built, else the places of the kernels that the compiler's messages name."""
    targets = [kernels.target(name) for name in programs]
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", "1")
    command = ["nice", "-n", "19", "ninja", "-k", "0", "-j", jobs, *targets]
    log = tree.parent / "build.log"
    with log.open("w") as out:
        status = subprocess.run(command, cwd=folder, env=_environment(tree), stdout=out, stderr=subprocess.STDOUT)
    if status.returncode == 0:
        return None
    if status.returncode < 0 or status.returncode == 130:
        raise KeyboardInterrupt
    return _places(log.read_text())


PLACE = re.compile(r"(?:\.\./\.\./|/tree/)(painleve/[^\s:]+):(\d+)")


def _places(text: str) -> set[tuple[str, int]]:
    """Of each failed command: the places of its errors and those from which they were instantiated or inlined."""
    places = set()
    for failure in text.split("FAILED: ")[1:]:
        for line in failure.split("\n[")[0].split("\n")[2:]:
            if re.search(r"error:|required from|inlined from|in instantiation of", line):
                places |= {(path, int(number)) for path, number in PLACE.findall(line)}
    return places
