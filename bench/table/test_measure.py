import io
import json

import pytest

from table.measure import Budget, Program, Progress, PythonPeers, Samples, TimeLeft, blocks, measure, nanoseconds

# As Google Benchmark writes it: blocks of four spaces.
HEAD = '{\n  "context": {\n    "num_cpus": 2,\n    "caches": [\n      {\n        "type": "Data"\n      }\n    ]\n  },\n  "benchmarks": [\n'


def block(name, **more):
    fields = {"name": name, "run_name": name, "run_type": "iteration", "real_time": 2.0, "cpu_time": 1.0, "time_unit": "us", **more}
    inner = ",\n".join(f'      "{key}": {json.dumps(value)}' for key, value in fields.items())
    return "    {\n" + inner + "\n    }"


def lines(text):
    return io.StringIO(text)


def test_blocks_come_out_of_the_stream_one_by_one():
    text = HEAD + block("a") + ",\n" + block("b") + "\n  ]\n}\n"
    assert [b["name"] for b in blocks(lines(text))] == ["a", "b"]


def test_a_torn_end_is_left_out():
    text = HEAD + block("a") + ",\n" + block("b")[:40]
    assert [b["name"] for b in blocks(lines(text))] == ["a"]


def test_aggregates_are_no_measurements():
    assert not list(blocks(lines(HEAD + block("a", run_type="aggregate") + "\n")))


@pytest.mark.parametrize("name, more, expected", [
    ("a", {}, 1e3), ("a", {"time_unit": "ms"}, 1e6), ("a/real_time", {}, 2e3), ("a", {"items_per_second": 2e9}, 0.5),
])
def test_times_are_nanoseconds_per_item_by_the_right_clock(name, more, expected):
    assert nanoseconds(json.loads(block(name, **more))) == expected


def test_counters_are_kept_and_the_clockwork_is_not():
    run = Samples()
    run.add_block(json.loads(block("a", solved=0.5, iterations=7, label="x")))
    assert run.counters["a"] == {"solved": 0.5}


def test_a_measurement_that_failed_is_no_time():
    run = Samples()
    assert run.add_block(json.loads(block("a", error_occurred=True, error_message="no"))) == "a"
    assert "a" not in run.times and run.errors == {"a": "no"}


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_time_left_is_that_of_the_rest_of_this_round_and_of_the_later_ones():
    clock = Clock()
    left = TimeLeft(["a", "b", "c"], 2, clock)
    assert left.seconds() is None
    clock.now = 1
    left.made("a")
    assert left.seconds() == pytest.approx(2 + 3)  # the others are taken to be like it
    clock.now = 4
    left.made("b")
    clock.now = 6
    left.made("c")
    left.end_round()
    assert left.seconds() == pytest.approx(1 + 3 + 2)
    assert left.text() == "6 s left"
    left.end_round()
    assert left.seconds() == 0


def test_what_takes_long_is_left_out_of_later_rounds_but_not_of_the_first_two():
    budget = Budget(10)
    budget.add("long", 100)
    assert budget.allows("long")
    budget.add("long", 100)
    assert not budget.allows("long") and budget.allows("never made")
    for expected in (True, True, True, True, False):  # 2 s each: five of them fit
        budget.add("short", 2)
        assert budget.allows("short") is expected


class FakeProgram:
    """Two measurements per round; Ctrl-C after some."""

    def __init__(self, interrupt_after):
        self.left = interrupt_after

    def round(self, names, least_seconds):
        for name in names:
            if self.left == 0:
                raise KeyboardInterrupt
            self.left -= 1
            yield json.loads(block(name))


@pytest.mark.parametrize("after, times, interrupted", [(3, {"a": 2, "b": 1}, True), (99, {"a": 2, "b": 2}, False)])
def test_an_interrupted_run_keeps_what_was_measured(after, times, interrupted):
    names = ["a", "b"]
    samples, ended = measure(FakeProgram(after), [], names, 2, 0.01, Progress(TimeLeft(names, 2), io.StringIO()), Budget(99))
    assert {name: len(list_) for name, list_ in samples.times.items()} == times
    assert ended is interrupted


def test_the_filter_matches_whole_names_and_what_peers_print_does_no_harm(tmp_path):
    script = tmp_path / "program"
    script.write_text("""#!/usr/bin/python3
import json, sys
print("a peer prints")
out = next(word for word in sys.argv if word.startswith("--benchmark_out=")).split("=")[1]
with open(out, "w") as file:
    block = {"name": "seen", "cpu_time": 1, "time_unit": "ns", "filter": sys.argv[1]}
    file.write("    {\\n" + json.dumps(block)[1:-1] + "\\n    }\\n")
""")
    script.chmod(0o755)
    found = list(Program(script).round(["a/1", "b"], 0.01))
    assert [b["filter"] for b in found] == ["--benchmark_filter=^(a/1|b)$"]


def test_a_program_that_ends_badly_is_told_with_its_last_measurement(tmp_path):
    script = tmp_path / "program"
    script.write_text("#!/bin/sh\nexit 3\n")
    script.chmod(0o755)
    program = Program(script)
    assert not list(program.round(["a"], 0.01))
    assert program.failures == ["painleve_bench ended with status 3 after the start"]


PEER = """import json, sys
for k, line in enumerate(sys.stdin):
    if k == 1:
        sys.exit(4)
    print(json.dumps({"name": sys.argv[2], "ns": 5, "counters": {}}), flush=True)
    print(flush=True)
"""


def test_a_python_peer_answers_per_round_and_its_end_is_told(tmp_path):
    script = tmp_path / "peer.py"
    script.write_text(PEER)
    peer = PythonPeers(script, Program("none"), ["numpy/a"])
    assert [found["name"] for found in peer.round()] == ["numpy/a"]
    assert not list(peer.round()) and not list(peer.round())
    assert peer.failures == ["peer.py ended with status 4"]
    peer.end()
