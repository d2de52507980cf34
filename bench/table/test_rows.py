import re

import pytest

from table import peers
from table.rows import FAMILIES, all_rows, growths, matches

NAMES = ["pivoting/2/64", "pivoting/2/8", "pivoting/3/1", "siconos_pivoting/2/8", "planar_impacts", "study_map/2/real_time"]


def test_a_family_has_a_row_per_member_and_peer_in_the_order_of_its_numbers():
    rows = [row for row in all_rows(NAMES) if row.family.group == "Lemke"]
    assert [(row.ours, row.theirs) for row in rows] == [
        ("pivoting/2/8", "siconos_pivoting/2/8"), ("pivoting/2/8", "dart_pivoting/2/8"),
        ("pivoting/2/64", "siconos_pivoting/2/64"), ("pivoting/2/64", "dart_pivoting/2/64"),
        ("pivoting/3/1", "siconos_pivoting/3/1"), ("pivoting/3/1", "dart_pivoting/3/1")]
    assert rows[0].title == "plane, 8 contacts, one solution"
    assert rows[-1].title == "space, 4 facets, 1 contact, one solution"


def test_a_bound_holds_from_its_size_on():
    bounds = {row.ours: row.bound for row in all_rows(NAMES) if row.theirs.startswith("siconos_pivoting")}
    assert bounds == {"pivoting/2/8": 2, "pivoting/2/64": 2, "pivoting/3/1": None}


def test_peers_are_not_ours():
    assert not [row for row in all_rows(NAMES) if row.ours.startswith("siconos")]


def test_ids_are_unique():
    names = NAMES + ["contact_to_verdict", "contact_at_rest", "compliant_rod/8", "compliant_rod/12", "sliding_rod", "sweeping/3/64"]
    ids = [row.id for row in all_rows(names)]
    assert len(ids) == len(set(ids)) > 20


def test_every_peer_has_a_package():
    packages = {peer.package for family in FAMILIES for peer in family.peers}
    assert packages <= {*peers.PACKAGES, "us"}


def test_every_pattern_compiles_and_titles_know_their_names():
    for family in FAMILIES:
        groups = set(re.compile(family.pattern).groupindex)
        for text in (family.title, *(peer.name for peer in family.peers)):
            assert set(re.findall(r"{(\w+)}", text)) <= groups, text


def test_growth_is_within_one_family():
    for growth in growths():
        assert len({name.split("/")[0] for name in growth.ours}) == 1


@pytest.mark.parametrize("pattern, expected", [("lemke", True), ("DART", True), ("pivoting/2", True), ("impact", False)])
def test_only_looks_at_group_title_names_and_peer(pattern, expected):
    row = [row for row in all_rows(["pivoting/2/8"]) if row.peer.package == "dart"][0]
    assert matches(row, pattern) is expected


def test_missing_peers_come_with_their_apt_line():
    lines = peers.missing([name for name in peers.PACKAGES if name != "simbody"])
    assert lines == ["simbody is not installed: apt install libsimbody-dev"]
