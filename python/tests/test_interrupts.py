"""Ctrl-C ends long calls within a fraction of a second, and other threads go on meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import painleve as pnl
import pytest

LONG = {
    "simulate": "pnl.simulate('brake-squeal', 1e4, samples=0)",
    "simulate by springs": "pnl.simulate('rod-no-solution', 1e4, method='compliant', stiffness=1e9, samples=0)",
    "simulate by steps": "pnl.simulate('rod-falling', 1e4, method='step', dt=1e-6, samples=0)",
    "map": "pnl.map('articulated-arm', {'x': '0:1:1200', 'theta3': '0:180deg:1200'}, 'mu_jam')",
    "map of runs": "pnl.map('rod-falling', {'mu': '0.1:1:4000'}, 'outcome', t_end=1, method='step', dt=1e-4)",
    "search": "pnl.search('articulated-arm', {'x': '0:1:4000', 'theta3': '0:180deg:4000'}, minimise='mu_jam')",
    "converge": "pnl.converge('rod-falling', '1e6:1e12:40', t_end=100)",
    "analyze_batch": "pnl.analyze_batch(np.tile(np.eye(12), (3000, 1, 1)), -np.ones(12), np.zeros(12), 0.5)",
}

PROGRAM = """
import numpy as np, sys, time, painleve as pnl
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", time.monotonic(), flush=True)
    sys.exit(0)
print("finished", flush=True)
"""


@pytest.mark.parametrize("what", LONG)
def test_ctrl_c(what: str) -> None:
    child = subprocess.Popen([sys.executable, "-c", PROGRAM.format(call=LONG[what])], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline().strip() == "ready"
    time.sleep(0.7)
    sent = time.monotonic()
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    words = out.split()
    assert words and words[0] == "interrupted", f"{what}: {out!r}"
    # Asked every 0.02 s and answered between two steps of the work; the rest is for busy machines, and far less than
    # the work would take.
    assert float(words[1]) - sent < float(os.environ.get("PAINLEVE_INTERRUPT_SECONDS", "5")), what


def test_after_an_interrupt_everything_works() -> None:
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        pnl.simulate("rod-falling", 1e4, method="step", dt=1e-6, samples=0)
    timer.join()
    assert pnl.analyze("rod-no-solution").verdict == "inconsistent"


@pytest.mark.parametrize("work", [
    lambda: pnl.simulate("rod-falling", 0.4, method="step", dt=5e-7, samples=0),
    lambda: pnl.map("articulated-arm", {"x": "0:1:400", "theta3": "0:180deg:400"}, "mu_jam", threads=1),
    lambda: [pnl.analyze("two-legged-body") for _ in range(2000)],
])
def test_other_threads_go_on(work: object) -> None:
    """A counting thread must get its turn while the work runs; with the lock held it would stand still."""
    counts: list[float] = []
    stop = threading.Event()

    def count() -> None:
        while not stop.is_set():
            counts.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    begin = time.monotonic()
    work()  # type: ignore[operator]
    end = time.monotonic()
    stop.set()
    thread.join()
    inside = [t for t in counts if begin < t < end]
    assert end - begin > 0.05, "too short to tell"
    longest = max(b - a for a, b in zip([begin, *inside], [*inside, end]))
    assert longest < max(0.1, 0.4 * (end - begin))


def test_many_threads_at_once() -> None:
    scene = pnl.scenario("rod-three-solutions")
    expected = pnl.analyze(scene).to_dict()
    answers: list[object] = []

    def ask() -> None:
        for k in range(20):
            answers.append(pnl.analyze(scene).to_dict() == expected)
            answers.append(pnl.analyze(scene.with_(mu=0.1 + k / 100)).verdict == "unique")

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 240 and all(answers)


def test_a_scene_may_change_meanwhile() -> None:
    """Answers belong to the values at some moment, old or new, never to a mixture; and nothing breaks."""
    scene = pnl.scenario("rod-three-solutions", mu=0.25)
    stop = threading.Event()

    def change() -> None:
        k = 0
        while not stop.is_set():
            k += 1
            scene.set("mu", 0.25 if k % 2 else 0.75)

    thread = threading.Thread(target=change)
    thread.start()
    seen = set()
    for _ in range(100):
        seen |= {float(scene.contact_space.mu[0]), pnl.analyze(scene).contacts[0].mu, scene["mu"]}
        assert scene.state.v.x == -1.0
    stop.set()
    thread.join()
    assert seen <= {0.25, 0.75}


def test_in_a_thread_that_is_not_the_main_one() -> None:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(pnl.simulate("rod-falling", 0.1).stopped))
    thread.start()
    thread.join()
    assert found == ["t_end"]
