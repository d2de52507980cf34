"""Where and with what it was measured."""
import os
import platform
import subprocess
from pathlib import Path


def first_line(path, key=None):
    """The first line of a file, or what follows `key :` in it; None where there is none."""
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return None
    if key is None:
        return lines[0].strip() if lines else None
    return next((line.split(":", 1)[1].strip() for line in lines if line.split(":")[0].strip() == key), None)


def machine():
    memory = first_line("/proc/meminfo", "MemTotal")
    return {
        "processor": first_line("/proc/cpuinfo", "model name") or platform.processor() or "unknown",
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_gib": round(int(memory.split()[0]) / 2**20, 1) if memory else None,
        "governor": first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") or "not visible",
        "system": platform.platform(),
    }


def load():
    """Mean number of processes that wanted a core during the last minute."""
    return round(os.getloadavg()[0], 2)


def commit(folder):
    """The commit of a folder with a mark when files differ from it; None outside a repository."""
    def git(*words):
        return subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True, text=True).stdout.strip()

    try:
        return git("rev-parse", "--short=12", "HEAD") + ("+changes" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return None
