"""Measures in rounds. A round measures everything once: the C++ program in an order that it shuffles itself, the peers in
Python before or after it, by lot. So whatever else the machine does meanwhile meets all alike, and a run that is
interrupted after some rounds has spread already."""
import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

UNITS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
NO_COUNTERS = {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations",
               "real_time", "cpu_time", "items_per_second"}


def nanoseconds(block):
    """Per item where items were counted, else per iteration; by the clock on the wall where that was asked for."""
    if block.get("items_per_second"):
        return 1e9 / block["items_per_second"]
    key = "real_time" if "/real_time" in block["name"] else "cpu_time"
    return block[key] * UNITS[block["time_unit"]]


def blocks(lines):
    """Measurements in the JSON that Google Benchmark writes, each as soon as it is complete."""
    gathered = None
    for line in lines:
        if line.rstrip() == "    {":
            gathered = []
        if gathered is not None:
            gathered.append(line)
        if line.startswith("    }") and gathered is not None:
            block = json.loads("".join(gathered).rstrip().rstrip(","))
            gathered = None
            if block.get("run_type", "iteration") == "iteration":
                yield block


class Samples:
    """Times and counters by the name of the measurement."""

    def __init__(self):
        self.times = {}
        self.counters = {}
        self.errors = {}

    def add(self, name, ns, counters):
        self.times.setdefault(name, []).append(ns)
        self.counters[name] = counters

    def add_block(self, block):
        name = block.get("run_name", block["name"])
        if block.get("error_occurred"):
            self.errors[name] = block.get("error_message", "failed")
            return name
        counters = {key: value for key, value in block.items()
                    if isinstance(value, (int, float)) and not isinstance(value, bool) and key not in NO_COUNTERS}
        self.add(name, nanoseconds(block), counters)
        return name


class TimeLeft:
    """From how long each measurement took when it was last made; what was never made is taken to be like the others."""

    def __init__(self, names, rounds, clock=time.monotonic):
        self.names, self.rounds, self.clock = list(names), rounds, clock
        self.took = {}
        self.done = set()
        self.finished = 0
        self.last = clock()

    def made(self, name):
        now = self.clock()
        self.took[name] = now - self.last
        self.last = now
        self.done.add(name)
        return self.took[name]

    def end_round(self):
        self.finished += 1
        self.done.clear()

    def seconds(self):
        if not self.took:
            return None
        if self.finished >= self.rounds:
            return 0
        typical = sum(self.took.values()) / len(self.took)
        one = {name: self.took.get(name, typical) for name in self.names}
        later = max(self.rounds - self.finished - 1, 0)
        return sum(t for name, t in one.items() if name not in self.done) + later * sum(one.values())

    def text(self):
        left = self.seconds()
        if left is None:
            return "time left unknown"
        return f"{left / 60:.0f} min {left % 60:02.0f} s left" if left >= 60 else f"{left:.0f} s left"


class Progress:
    """One line on stderr that is overwritten; where that is no terminal, a line per round."""

    def __init__(self, left, stream=sys.stderr):
        self.left, self.stream = left, stream
        self.terminal = stream.isatty()

    def made(self, name):
        """Seconds that it took."""
        seconds = self.left.made(name)
        if self.terminal:
            self.write(f"\r\033[Kround {self.left.finished + 1} of {self.left.rounds}, "
                       f"{len(self.left.done)} of {len(self.left.names)} measured, {self.left.text()}: {name}")
        return seconds

    def end_round(self):
        self.left.end_round()
        text = f"round {self.left.finished} of {self.left.rounds} done, {self.left.text()}"
        self.write(f"\r\033[K{text}" if self.terminal else f"{text}\n")

    def end(self):
        if self.terminal:
            self.write("\n")

    def write(self, text):
        self.stream.write(text)
        self.stream.flush()


# Small matrices in several threads are slower, and the C++ peers have one.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
# Ctrl-C is for this process alone, which then ends the others in order.
OWN_SESSION = {"start_new_session": True, "env": {**os.environ, **ONE_THREAD}}


class Program:
    """painleve_bench."""

    def __init__(self, path):
        self.path = Path(path)
        self.failures = []  # sentences

    def ask(self, *words):
        return subprocess.run([self.path, *words], check=True, stdout=subprocess.PIPE, text=True,
                              env={**os.environ, **ONE_THREAD}).stdout

    def names(self):
        return self.ask("--benchmark_list_tests=true").split()

    def round(self, names, least_seconds):
        """Yields the measurements of one round."""
        wanted = "|".join(re.escape(name) for name in names)
        # Peers print on stdout, so the measurements come through a pipe of their own.
        come, go = os.pipe()
        command = [self.path, f"--benchmark_filter=^({wanted})$", f"--benchmark_min_time={least_seconds}",
                   "--benchmark_enable_random_interleaving=true", f"--benchmark_out=/dev/fd/{go}", "--benchmark_out_format=json"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=[go], **OWN_SESSION)
        os.close(go)
        try:
            last = "the start"
            with os.fdopen(come) as lines:
                for block in blocks(lines):
                    last = block["name"]
                    yield block
            if process.wait() != 0:
                self.failures.append(f"painleve_bench ended with status {process.returncode} after {last}")
        finally:
            process.terminate()
            process.wait()


class PythonPeers:
    """numpy_peer.py or scipy_peer.py: lives through the run, measures everything once per line that it gets, answers with a
    line of JSON per measurement and an empty one."""

    def __init__(self, script, program, names):
        self.names, self.script = names, Path(script).name
        self.failures = []
        self.process = subprocess.Popen([sys.executable, script, program.path, *names], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, **OWN_SESSION)

    def round(self):
        if self.failures:
            return
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it ended: the next line shows it
        for line in self.process.stdout:
            if not line.strip():
                return
            yield json.loads(line)
        self.failures.append(f"{self.script} ended with status {self.process.wait()}")

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass


class Budget:
    """A measurement that takes long is left out of later rounds once it has had its seconds, and two repetitions."""

    LEAST = 2

    def __init__(self, seconds):
        self.seconds = seconds
        self.spent, self.made = {}, {}

    def add(self, name, seconds):
        self.spent[name] = self.spent.get(name, 0) + seconds
        self.made[name] = self.made.get(name, 0) + 1

    def allows(self, name):
        made = self.made.get(name, 0)
        return made < self.LEAST or self.spent[name] * (made + 1) / made <= self.seconds


def measure(program, peers, names, rounds, least_seconds, progress, budget):
    """Samples of `rounds` rounds, or of what was measured until Ctrl-C; and whether that came."""
    samples = Samples()
    order = random.Random(1895)
    interrupted = False
    try:
        for _ in range(rounds):
            parts = [("program", program), *(("python", peer) for peer in peers)]
            order.shuffle(parts)
            for kind, part in parts:
                if kind == "program":
                    for block in part.round([name for name in names if budget.allows(name)], least_seconds):
                        name = samples.add_block(block)
                        budget.add(name, progress.made(name))
                else:
                    for found in part.round():
                        samples.add(found["name"], found["ns"], found["counters"])
                        progress.made(found["name"])
            progress.end_round()
    except KeyboardInterrupt:
        interrupted = True
    for peer in peers:
        peer.end()
    progress.end()
    return samples, interrupted
