"""Which files are kernels, and which test programs watch them.

The kernels are the sources of the mathematical modules and the headers that these sources include from their own
module, as the CMake files name them; of the simulation those parts that decide digits step by step. What draws is left
out: a picture is judged by other tests than a number.
"""

import dataclasses
import pathlib
import re

MODULES = ("contact", "cone", "complementarity", "modes", "impact", "mechanism", "c", "simulation")

# Of the simulation: the integrators, the search for events and the time step.
SIMULATION = ("dormand_prince.", "radau.", "exponential_collocation.", "phi_functions.", "crossing.",
              "time_stepping_step.", "detail/half_solves.", "detail/line_search.")

DRAWING_FILES = ("outline.hpp", "outline_pieces.")
DRAWING_FUNCTIONS = re.compile(r"^(outline\w*|draw_stick|draw_\w*outline|add_\w+)$")

# Programs whose tests are asked when a module's own tests let a fault pass: those of the modules that use it.
ASKED_NEXT = {
    "contact": ("cone", "mechanism", "complementarity", "modes", "impact", "simulation"),
    "cone": ("modes", "impact"),
    "complementarity": ("modes", "impact", "simulation"),
    "modes": ("impact", "c", "simulation"),
    "impact": ("simulation",),
    "mechanism": ("simulation",),
    "c": (),
    "simulation": (),
}


@dataclasses.dataclass(frozen=True)
class Kernel:
    """One file to be mutated."""

    path: str  # relative to the root of the tree
    module: str


def program(build: pathlib.Path, name: str) -> pathlib.Path:
    """The test program of a module."""
    return build / "painleve" / name / f"painleve_{name}_tests"


def programs(modules: list[str], own: bool) -> list[str]:
    """Those that judge the faults of some modules, in the order of the modules."""
    wanted = set(modules) if own else set(modules).union(*(ASKED_NEXT[module] for module in modules))
    return [module for module in MODULES if module in wanted]


def target(name: str) -> str:
    return f"painleve_{name}_tests"


def kernels(root: pathlib.Path) -> list[Kernel]:
    """All kernels, in the order of the modules and of the names."""
    found = []
    for module in MODULES:
        found += [Kernel(path, module) for path in sorted(_files(root, module))
                  if _is_mathematics(path, module) and _stands_alone(root / path)]
    return found


def _stands_alone(path: pathlib.Path) -> bool:
    """Not a fragment that its includer prepares with macros and includes once per instruction set."""
    return path.suffix == ".cpp" or "#pragma once" in path.read_text()


def _files(root: pathlib.Path, module: str) -> set[str]:
    folder = f"painleve/{module}/"
    text = (root / folder / "CMakeLists.txt").read_text()
    sources = re.search(r"SOURCES\s+(.*?)\s+[A-Z_]{4,}\s", text, re.DOTALL)
    pending = [folder + name for name in sources.group(1).split()]
    files = set()
    while pending:
        path = pending.pop()
        if path in files or not (root / path).is_file():
            continue
        files.add(path)
        included = re.findall(r'#include "(painleve/[^"]+)"', (root / path).read_text())
        pending += [name for name in included if name.startswith(folder)]
    return files


def wide_headers(root: pathlib.Path) -> set[str]:
    """Kernels that more than ten other files include, directly or not."""
    included = {str(path.relative_to(root)): re.findall(r'#include "(painleve/[^"]+)"', path.read_text())
                for path in (root / "painleve").rglob("*.[ch]pp")}
    counts: dict[str, int] = {}
    for path in included:
        pending, seen = [path], set()
        while pending:
            for name in included.get(pending.pop(), []):
                if name not in seen:
                    seen.add(name)
                    pending.append(name)
        for name in seen:
            counts[name] = counts.get(name, 0) + 1
    return {name for name, count in counts.items() if count > 10}


def _is_mathematics(path: str, module: str) -> bool:
    name = path.split("/", 2)[2]
    if any(part in name for part in DRAWING_FILES) or name.endswith(".h"):
        return False
    return module != "simulation" or name.startswith(SIMULATION)
