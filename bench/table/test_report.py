import copy
import csv
import io
import json

import pytest

from table import files, markdown, report
from table.compare import compare
from table.rows import all_rows
from table.samples_of_a_run import ANSWERS, BUILD, MACHINE, samples


def table(run=None, second=ANSWERS, first=ANSWERS):
    run = run or samples()
    data = report.table(all_rows(run.times), run, first, second, ["siconos"])
    return {"date": "2026-01-01", "complete": True, "rounds": 4, "machine": MACHINE, "build": BUILD, "missing": [], **data}


def row_of(data, peer="Siconos"):
    return next(row for row in data["rows"] if peer in row["peer"])


def test_a_row_has_times_ratio_work_error_share_and_hash():
    row = row_of(table())
    assert row["ours"]["ns"] == 11.5 and row["theirs"]["ns"] == 32
    assert row["ratio"] == pytest.approx(32 / 11.5, rel=0.05)
    assert row["ratio_q1"] < row["ratio"] < row["ratio_q3"]
    assert row["ours"]["work"] == {"pivots": 20.5}
    assert (row["ours"]["error"], row["theirs"]["error"]) == (2e-16, None)
    assert (row["ours"]["solved"], row["theirs"]["solved"]) == (1, 0.75)
    assert row["hash"] == "00000000000000ab"
    assert not row["unmet"]


def test_where_we_lose_the_row_says_so():
    slower = samples(ours=(30, 31, 32, 33), theirs=(20, 21, 22, 23))
    row = row_of(table(slower))
    assert row["verdict"].startswith("slower than peer: 0.6")
    assert any("below 2" in text for text in row["unmet"])
    assert "slower than peer: 0.6" in markdown.full_table(table(slower))
    assert "slower than peer" in markdown.short_table(table(slower))


@pytest.mark.parametrize("quartiles, word", [((1.1, 1.2, 1.3), "1.2x faster"), ((0.9, 1.2, 1.3), "as fast, within the spread"),
                                             ((0.5, 0.6, 0.7), "slower than peer: 0.6x"), ((0.5, 0.6, 1.1), "as fast, within the spread")])
def test_a_win_or_a_loss_needs_both_quartiles(quartiles, word):
    assert report.verdict(*quartiles) == word


def test_what_is_within_the_spread_is_no_win():
    assert row_of(table(samples(ours=(1, 2, 3, 4), theirs=(1, 2, 3, 4))))["verdict"] == "as fast, within the spread"


def test_a_peer_that_solves_more_is_told():
    run = samples()
    run.counters["pivoting/2/8"] = {"solved": 0.5}
    assert any("the peer solves more" in text for text in row_of(table(run))["unmet"])


def test_a_peer_that_solves_less_is_compared_per_problem_solved():
    slower = samples(ours=(30, 31, 32, 33), theirs=(20, 21, 22, 23))  # 0.75 of them solved
    row = row_of(table(slower))
    assert row["ratio_per_solved"] == pytest.approx(row["ratio"] / 0.75)
    text = f"{row['ratio_per_solved']:.3g}"
    assert f"{text}x per problem solved" in markdown.full_table(table(slower))
    assert f"slower than peer, {text}x per problem solved" in markdown.short_table(table(slower))
    assert f"ratio {text} per problem solved is below 1" in row["unmet"]
    assert not any("per problem solved" in text for text in row_of(table())["unmet"])


def test_a_peer_that_solves_nothing_is_said():
    run = samples()
    run.counters["siconos_pivoting/2/8"] = {"solved": 0}
    assert row_of(table(run))["ratio_per_solved"] is None
    assert "the peer solves none" in markdown.full_table(table(run))


def test_a_peer_that_is_not_there_has_a_row_that_says_so():
    assert row_of(table(), "DART")["missing"] == "peer not installed"


def test_a_peer_that_counts_other_modes_is_told():
    run = samples()
    run.add("contact_to_verdict", 10, {"modes": 1.5})
    run.add("numpy/contact_one", 10000, {"modes": 1.25})
    data = report.table(all_rows(run.times), run, {}, {}, ["siconos", "numpy"])
    assert "the peer counts other modes" in next(row for row in data["rows"] if "NumPy" in row["peer"])["unmet"]


@pytest.mark.parametrize("name, ours, theirs, told", [
    ("falling_rod", 0.283, 0.2831, True), ("falling_rod", 0.283, 0.283 + 1e-9, False),  # [rad], to 1e-7
    ("sliding_rod", 42.0, 42.4, False), ("sliding_rod", 42.0, 43.0, True)])  # [degree], to half a degree
def test_another_motion_is_told(name, ours, theirs, told):
    run = samples()
    peer = {"falling_rod": "hand_written_falling_rod", "sliding_rod": "peer_sliding_rod/ode"}[name]
    run.add(name, 10, {"theta": ours})
    run.add(peer, 20, {"theta": theirs})
    data = report.table(all_rows(run.times), run, {}, {}, ["ode"])
    row = next(row for row in data["rows"] if row.get("theirs", {}).get("name") == peer)
    assert any("another motion" in text for text in row["unmet"] + row["remarks"]) is told
    assert not (name == "sliding_rod" and row["unmet"])  # an engine's own way to step is no fault of ours


def test_answers_that_differ_between_two_runs_fail():
    other = copy.deepcopy(ANSWERS)
    other["pivoting/2/8"]["hash"] = "00000000000000ac"
    assert all(table()["checks"].values())
    checks = table(second=other)["checks"]
    assert checks == {"our answers are the same in two runs: not pivoting/2/8": False}


def test_maps_that_depend_on_threads_fail():
    answers = {"study_map/1": {"hash": "1"}, "study_map/2": {"hash": "2"}}
    assert table(first=answers, second=answers)["checks"]["maps are the same for one and two threads"] is False


def test_allocations_of_kernels_fail():
    run = samples()
    run.add("painleve_step", 10, {"allocations": 1})
    assert table(run)["checks"]["painleve_step takes nothing from the heap"] is False


def test_growth_of_threads_is_a_speedup():
    run = samples()
    run.add("study_map/1/real_time", 10, {})
    run.add("study_map/2/real_time", 5, {})
    assert "| map of the rod: 1 to 2 threads | **2x** |" in markdown.full_table(table(run))


def test_csv_and_json_hold_the_same_numbers():
    data = table()
    row = row_of(data)
    line = list(csv.DictReader(io.StringIO(files.csv_text(data))))[0]
    assert float(line["ratio"]) == row["ratio"] and line["ours"] == "pivoting/2/8" and line["theirs_solved"] == "0.75"
    assert json.loads(files.json_text(data))["rows"][0]["ratio"] == row["ratio"]


def test_every_row_of_the_short_table_is_a_ratio():
    lines = [line for line in markdown.short_table(table()).splitlines() if line.startswith("|")][2:]
    assert lines and all("x**" in line for line in lines)


@pytest.mark.parametrize("ns, text", [(9.87, "9.87 ns"), (1234, "1.23 µs"), (5e6, "5 ms"), (2.5e9, "2.5 s")])
def test_times_have_units(ns, text):
    assert markdown.time_text(ns) == text


def test_pages_are_changed_between_their_markers_alone():
    page = "a\n<!-- bench:begin -->\nold\n<!-- bench:end -->\nb\n"
    assert markdown.between(page, "bench", "new\n") == "a\n<!-- bench:begin -->\nnew\n<!-- bench:end -->\nb\n"
    with pytest.raises(ValueError, match="bench:begin"):
        markdown.between("nothing", "bench", "new\n")


def test_a_run_that_is_not_complete_is_not_published(tmp_path):
    data = {**table(), "complete": False}
    with pytest.raises(SystemExit, match="not complete"):
        files.publish(data, tmp_path)


def test_publishing_fills_both_pages_and_keeps_the_run(tmp_path):
    (tmp_path / "docs").mkdir()
    for page in ("README.md", "docs/speed.md"):
        (tmp_path / page).write_text("<!-- bench:begin -->\n<!-- bench:end -->\n")
    files.publish(table(), tmp_path)
    assert "Siconos Lemke" in (tmp_path / "README.md").read_text()
    assert "### Lemke" in (tmp_path / "docs/speed.md").read_text()
    assert json.loads((tmp_path / "bench/last_run.json").read_text())["rows"]


def test_an_equal_run_has_nothing_to_say():
    assert compare(table(), table()) == []


def test_ratios_and_answers_that_changed_are_told():
    before, now = table(), table(samples(ours=(20, 21, 22, 23)))
    row_of(now)["hash"] = "00000000000000ac"
    said = compare(now, before)
    assert len(said) == 2
    assert said[0].startswith("WORSE: plane, 8 contacts, one solution beside Siconos Lemke")
    assert said[1].startswith("ANSWERS CHANGED: plane, 8 contacts")
    assert "ANSWERS CHANGED" in markdown.full_table(now) and "since the last run" in markdown.full_table(now)


def test_rows_that_went_and_other_machines_are_told():
    before, now = table(), table()
    now["rows"] = []
    now["machine"] = {**MACHINE, "processor": "Difference Engine"}
    said = compare(now, before)
    assert said[0].startswith("the last run was on another machine (Abacus)")
    assert said[1].startswith("no longer measured: plane, 8 contacts")
