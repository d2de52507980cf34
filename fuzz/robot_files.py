"""painleve-robot from outside: the robot files of examples/robots, mutated, must give a robot or one sentence.

The parsers behind it are not ours. What is ours is that the program that calls it sees an exit code 0 with a JSON
object, or 2 with one line, within its limits of time and memory; a crash of MuJoCo's parser is counted, since the
library reports it in a sentence of its own, and is a finding only where our own code is at fault (signal 6 by an
exception that nobody caught).
"""
import argparse
import hashlib
import json
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 20  # of the program's own time: the machine may be busy elsewhere
CLOCK = 180  # [s] after which it will never end
MEMORY = 2 << 30
NUMBERS = ["0", "-1", "1e308", "-1e308", "1e-308", "nan", "inf", "", "1 2", "0 0 0", "1e999", "2147483648", "x", "&#0;"]
NAMES = ["", "world", "home", "a" * 300, "../x", "a/b", "\u00e9", "0"]


def seeds():
    files = sorted(p for p in (ROOT / "examples/robots").iterdir() if p.suffix in (".xml", ".urdf"))
    files += sorted((ROOT / "fuzz/corpus/robot_file").iterdir())
    return [p.read_bytes() for p in files]


def swap_attribute(text, draw):
    places = list(re.finditer(rb'"[^"]*"', text))
    if not places:
        return text
    place = draw.choice(places)
    value = draw.choice(NUMBERS + NAMES).encode()
    return text[: place.start()] + b'"' + value + b'"' + text[place.end():]


def swap_elements(text, draw):
    places = list(re.finditer(rb"<[^>]*>", text))
    if len(places) < 2:
        return text
    a, b = sorted(draw.sample(places, 2), key=lambda m: m.start())
    kind = draw.randrange(3)
    if kind == 0:
        return text[: a.start()] + text[a.end():]
    if kind == 1:
        return text[: b.end()] + a.group() + text[b.end():]
    return text[: a.start()] + b.group() + text[a.end(): b.start()] + a.group() + text[b.end():]


def swap_bytes(text, draw):
    data = bytearray(text)
    for _ in range(draw.randrange(1, 4)):
        if not data:
            break
        at = draw.randrange(len(data))
        kind = draw.randrange(3)
        if kind == 0:
            data[at] = draw.randrange(256)
        elif kind == 1:
            del data[at: at + draw.randrange(1, 40)]
        else:
            data[at:at] = data[at: at + draw.randrange(1, 200)]
    return bytes(data)


def mutated(texts, draw):
    text = draw.choice(texts)
    for _ in range(draw.randrange(1, 5)):
        text = draw.choice([swap_attribute, swap_attribute, swap_elements, swap_bytes])(text, draw)
    return text


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))


def one_line(text):
    return text.endswith("\n") and text.count("\n") == 1 and len(text) > 1 and all(c >= " " for c in text[:-1])


def complaint(run):
    """What is wrong with this end of the program, or nothing."""
    out, err = run.stdout.decode("utf-8", "replace"), run.stderr.decode("utf-8", "replace")
    if run.returncode == 0:
        try:
            return None if isinstance(json.loads(out), dict) else "it prints no JSON object"
        except ValueError:
            return "it prints no JSON"
    if run.returncode == 2:
        return None if one_line(err) else f"not one sentence: {err[:200]!r}"
    if run.returncode == -6 and "terminate called" in err:
        return None if "bad_alloc" in err else f"an exception left: {err[:200]!r}"
    if run.returncode == -signal.SIGXCPU:
        return f"it computes for {SECONDS} s"
    if run.returncode < 0:
        return None  # a parser that is not ours fell; the caller says so
    return f"exit code {run.returncode}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--findings", default="build/fuzz/findings")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    texts = seeds()
    end = time.monotonic() + options.seconds
    runs = accepted = fell = findings = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "robot.xml"
        while time.monotonic() < end:
            text = mutated(texts, draw)
            path.write_bytes(text)
            runs += 1
            try:
                run = subprocess.run([options.program, str(path)], capture_output=True, timeout=CLOCK,
                                     preexec_fn=limit, cwd=folder, check=False)
                wrong = complaint(run)
                accepted += run.returncode == 0
                fell += run.returncode < 0
            except subprocess.TimeoutExpired:
                wrong = f"no end within {CLOCK} s"
            if wrong:
                findings += 1
                pathlib.Path(options.findings).mkdir(parents=True, exist_ok=True)
                kept = pathlib.Path(options.findings) / f"robot_program-{hashlib.sha1(text).hexdigest()[:12]}.xml"
                kept.write_bytes(text)
                print(f"  {wrong}\n  again: {options.program} {kept}")
    print(f"robot_program  {runs:10d} executions, {accepted} accepted, {fell} ended by a signal, seed {options.seed}   "
          + ("clean" if findings == 0 else "FINDING"))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
