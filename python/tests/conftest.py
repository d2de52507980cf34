"""What several tests share: the program whose numbers must be the same, and a matplotlib without a screen."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Callable

import matplotlib
import pytest

matplotlib.use("agg")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program() -> str:
    """The command line program. Without it the most important tests would not run, so its absence is a failure."""
    path = os.environ.get("PAINLEVE_PROGRAM", str(ROOT / "build/release/bin/painleve"))
    if not os.access(path, os.X_OK):
        pytest.fail(f"the program {path} is not there; build it, or name it in PAINLEVE_PROGRAM")
    return path


@pytest.fixture(scope="session")
def printed(program: str) -> Callable[..., dict[str, Any]]:
    """The object that a verb of the program prints; what it wrote to disk does not count."""

    def run(*arguments: str) -> dict[str, Any]:
        done = subprocess.run([program, *arguments, "--json", "--quiet"], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        for key in ("files", "was_finished"):
            answer.pop(key, None)
        return answer

    return run


@pytest.fixture(autouse=True)
def closed_figures() -> Any:
    yield
    import matplotlib.pyplot as plt

    plt.close("all")
