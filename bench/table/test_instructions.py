import pytest

from table.instructions import per_unit, table, totals
from table.least_work import LEAST, Least, lemke

FILE = "version: 1\nevents: Ir Dr Dw D1mr D1mw Bcm Bim\nfn=(1) main\n1 2 3\ntotals: 1000 200 100 3 2 5 0\n"


def test_totals_are_read_by_the_names_of_their_events():
    assert totals(FILE) == {"Ir": 1000, "Dr": 200, "Dw": 100, "D1mr": 3, "D1mw": 2, "Bcm": 5, "Bim": 0}
    with pytest.raises(ValueError, match="callgrind"):
        totals("nothing")


def test_the_start_of_the_program_falls_out_of_the_difference():
    once = {"Ir": 1000 + 30 * 10, "units": 10, "allocations": 7}
    twice = {"Ir": 1000 + 30 * 20, "units": 20, "allocations": 7}
    assert per_unit(once, twice) == {"Ir": 30, "allocations": 0}
    with pytest.raises(ValueError, match="no more work"):
        per_unit(once, once)


def test_the_distance_is_the_count_in_the_least():
    least = LEAST[0]
    counts = {"Ir": 3 * least.instructions, "Dr": 1, "Dw": 1, "D1mr": 0, "D1mw": 0, "Bcm": 0, "Bim": 0, "allocations": 0}
    assert "**3x**" in table([(least, counts)])


def test_the_least_work_of_a_pivot_is_that_of_a_rank_one_update():
    assert lemke(4) == {"arithmetic": 28, "loads": 10, "stores": 10, "decisions": 4}


def test_the_least_work_counts_a_decision_twice():
    assert Least("k", "t", 1, arithmetic=10, loads=3, stores=2, decisions=4, why="w").instructions == 23


def test_every_kernel_says_why():
    assert len({least.kernel for least in LEAST}) == len(LEAST)
    assert all(least.why and least.instructions > 0 for least in LEAST)
