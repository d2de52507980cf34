"""Instructions and memory traffic of the kernels, counted by callgrind: the program runs a kernel N and 2 N times, and the
difference is N times without start and inputs. Counts do not depend on what else the machine does."""
import shutil
import subprocess
import tempfile
from pathlib import Path

from .least_work import LEAST
from .markdown import cells


def totals(text):
    """Event → count, of a file that callgrind wrote."""
    lines = dict(line.split(":", 1) for line in text.splitlines() if line.startswith(("events:", "totals:", "summary:")))
    if "events" not in lines or not ("totals" in lines or "summary" in lines):
        raise ValueError("no events and totals in what callgrind wrote")
    counts = [int(x) for x in lines.get("totals", lines.get("summary")).split()]
    return dict(zip(lines["events"].split(), counts))


def counted(program, kernel, passes):
    """Events of one run, with units of work and allocations."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        run = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--cache-sim=yes", "--branch-sim=yes",
                              program, kernel, str(passes)], check=True, capture_output=True, text=True)
        units, allocations = (int(x) for x in run.stdout.split())
        return {**totals(out.read_text()), "units": units, "allocations": allocations}


def per_unit(once, twice):
    """Counts per unit of work, of N and 2 N passes."""
    units = twice["units"] - once["units"]
    if units <= 0:
        raise ValueError("twice the passes did no more work")
    return {event: (twice[event] - once[event]) / units for event in twice if event != "units"}


def kernel_rows(program, only=lambda least: True, told=lambda text: None):
    for least in LEAST:
        if not only(least):
            continue
        told(f"counting {least.title}")
        counts = per_unit(counted(program, least.kernel, least.passes), counted(program, least.kernel, 2 * least.passes))
        yield least, counts


def missed(counts):
    return counts.get("Bcm", 0) + counts.get("Bim", 0)


def table(rows):
    lines = [cells("kernel", "instructions", "reads", "writes", "misses of L1", "branches missed", "allocations", "least", "distance"),
             cells("---", "---:", "---:", "---:", "---:", "---:", "---:", "---:", "---:")]
    reasons = []
    for least, counts in rows:
        lines.append(cells(least.title, f"{counts['Ir']:.0f}", f"{counts['Dr']:.0f}", f"{counts['Dw']:.0f}",
                           f"{counts['D1mr'] + counts['D1mw']:.2g}", f"{missed(counts):.2g}", f"{counts['allocations']:.3g}",
                           f"{least.instructions:.0f}", f"**{counts['Ir'] / least.instructions:.2g}x**"))
        reasons.append(f"* {least.title}: {least.why}.")
    return "\n".join(lines + ["", "Least work:", ""] + reasons) + "\n"


def available():
    return shutil.which("valgrind") is not None
