"""Every call returns what the program prints, to the last digit."""

from __future__ import annotations

import json
from typing import Any, Callable

import numpy as np
import painleve as pnl
import pytest

Printed = Callable[..., dict[str, Any]]
SCENARIOS = [s.name for s in pnl.gallery().scenarios]
MECHANISMS = [m.name for m in pnl.gallery().mechanisms if "coordinates" in m]
DRIFTING = [s for s in SCENARIOS if pnl.scenario(s).mechanism == "drifting-contacts"]
BODIES = [s for s in SCENARIOS if s not in DRIFTING]


def test_there_are_scenes() -> None:
    assert len(SCENARIOS) >= 36 and len(MECHANISMS) >= 15 and len(DRIFTING) >= 6


@pytest.mark.parametrize("name", [None, "rod", "contact-space", "rod-no-solution"])
def test_gallery(printed: Printed, name: str | None) -> None:
    assert pnl.gallery(name).to_dict() == printed("gallery", *([name] if name else []))


def test_every_gallery_entry(printed: Printed) -> None:
    whole = {m["name"]: m for m in printed("gallery")["mechanisms"]}
    for mechanism in pnl.gallery().mechanisms:
        assert mechanism.to_dict() == whole[mechanism.name]


@pytest.mark.parametrize("scene", SCENARIOS + MECHANISMS)
def test_analyze(printed: Printed, scene: str) -> None:
    try:
        expected = printed("analyze", scene)
    except AssertionError as refused:  # a mechanism that cannot do without parameters
        with pytest.raises(pnl.InputError) as error:
            pnl.analyze(scene)
        assert str(error.value) in str(refused)
        return
    answer = pnl.analyze(scene)
    assert answer.to_dict() == expected
    assert json.loads(answer.json) == expected


@pytest.mark.parametrize("formulation", ["acceleration", "impulse", "step"])
@pytest.mark.parametrize("scene", BODIES)
def test_solve(printed: Printed, scene: str, formulation: str) -> None:
    assert pnl.solve(scene, formulation).to_dict() == printed("solve", scene, "--formulation", formulation)


def test_solve_options(printed: Printed) -> None:
    answer = pnl.solve("rod-3d", "step", dt="5ms", with_drift=True, form="anitescu-potra", facets=8, mu=2)
    assert answer.to_dict() == printed("solve", "rod-3d", "--formulation", "step", "--dt", "5ms", "--with-drift", "--form",
                                       "anitescu-potra", "--facets", "8", "--set", "mu=2")


@pytest.mark.parametrize("scene", BODIES)
def test_impact(printed: Printed, scene: str) -> None:
    assert pnl.impact(scene).to_dict() == printed("impact", scene)


def test_impact_options(printed: Printed) -> None:
    answer = pnl.impact("two-legged-body", law="poisson", restitution=0.4, several="compliant", approach={"foot1": "1 m/s"})
    assert answer.to_dict() == printed("impact", "two-legged-body", "--law", "poisson", "--restitution", "0.4", "--several",
                                       "compliant", "--approach", "foot1=1")


@pytest.mark.parametrize("scene", SCENARIOS)
def test_simulate(printed: Printed, scene: str) -> None:
    assert pnl.simulate(scene, "20ms", samples=50).to_dict() == printed("simulate", scene, "--t-end", "20ms", "--samples", "50")


@pytest.mark.parametrize("options, flags", [
    (dict(method="step", dt=0.01, scheme="stewart-trinkle"), ["--method", "step", "--dt", "0.01", "--scheme", "stewart-trinkle"]),
    (dict(method="step", dt="2ms", step_theta=0.75, position_correction=0.2),
     ["--method", "step", "--dt", "2ms", "--theta", "0.75", "--position-correction", "0.2"]),
    (dict(method="compliant", smoothing=1e-3, tolerance=1e-9), ["--method", "compliant", "--smoothing", "1e-3", "--tolerance", "1e-9"]),
    (dict(policy="all"), ["--policy", "all"]),
    (dict(policy="seeded", seed=7), ["--policy", "seeded", "--seed", "7"]),
    (dict(policy="stiff-limit", several="compliant"), ["--policy", "stiff-limit", "--several", "compliant"]),
])
def test_simulate_options(printed: Printed, options: dict[str, Any], flags: list[str]) -> None:
    answer = pnl.simulate("rod-three-solutions", 0.1, **options)
    assert answer.to_dict() == printed("simulate", "rod-three-solutions", "--t-end", "0.1", *flags)


def test_samples_are_those_of_the_file(program: str, printed: Printed, tmp_path: Any) -> None:
    path = tmp_path / "run.csv"
    printed("simulate", "rod-falling", "--t-end", "0.4", "--samples", "40", "-o", str(path))
    rows = np.genfromtxt(path, delimiter=",", names=True, dtype=None, encoding="utf-8", deletechars="")
    samples = pnl.simulate("rod-falling", 0.4, samples=40).trajectory
    for name in ("t", "x", "theta_dot", "tip.gap", "tip.u_t", "tip.lambda_n", "mode", "energy"):
        assert np.array_equal(samples[name], rows[name]), name
    own = tmp_path / "own.csv"
    pnl.simulate("rod-falling", 0.4, samples=40).write(own)
    assert own.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("scene, over, of, options, flags", [
    ("rod", {"theta": "0:90deg:9", "mu": "0:3:7"}, ["verdict", "mu_jam", "p"], dict(slip=-1), ["--set", "slip=-1"]),
    ("rod-no-solution", {"mu": "0:3:50"}, ["consistent_modes"], {}, []),
    ("articulated-arm", {"x": "0:2:5", "theta3": "0:180deg:5"}, ["mu_jam", "verdict"], {}, []),
    ("rod-three-solutions", {"mu": "1:2:4"}, ["outcome", "verdict_step"], dict(t_end=0.05, method="step", dt=0.01),
     ["--t-end", "0.05", "--method", "step", "--dt", "0.01"]),
])
def test_map(printed: Printed, scene: str, over: dict[str, str], of: list[str], options: dict[str, Any], flags: list[str]) -> None:
    arguments = [x for name, text in over.items() for x in ("--over", f"{name}={text}")]
    arguments += [x for name in of for x in ("--of", name)]
    assert pnl.map(scene, over, of, **options).to_dict() == printed("map", scene, *arguments, *flags)


def test_map_boundaries_and_files(printed: Printed, tmp_path: Any) -> None:
    theirs, ours = tmp_path / "map.h5", tmp_path / "own.h5"
    expected = printed("map", "rod", "--over", "theta=30deg:80deg:21", "--over", "mu=0:3:20", "--of", "verdict", "-o",
                       str(theirs), "--boundaries", str(tmp_path / "curves.csv"))
    answer = pnl.map("rod", {"theta": "30deg:80deg:21", "mu": "0:3:20"}, "verdict", boundaries=True)
    assert answer.to_dict() == expected and expected["boundaries"]
    answer.write(ours)
    assert ours.read_bytes() == theirs.read_bytes()


def test_large_maps_leave_values_out(printed: Printed) -> None:
    answer = pnl.map("rod", {"theta": "1deg:89deg:120", "mu": "0:3:100"})
    assert answer.to_dict() == printed("map", "rod", "--over", "theta=1deg:89deg:120", "--over", "mu=0:3:100", "--of", "verdict")
    assert answer["verdict"].shape == (120, 100)


@pytest.mark.parametrize("scene, over, flags, options", [
    ("rod", {"theta": "0:90deg"}, ["--minimise", "mu_jam"], dict(minimise="mu_jam")),
    ("articulated-arm", {"x": "0:1:21", "theta3": "0:180deg:21"}, ["--minimise", "mu_jam"], dict(minimise="mu_jam")),
    ("rod", {"theta": "10deg:170deg:40"}, ["--maximise", "mu_jam"], dict(maximise="mu_jam")),
])
def test_search(printed: Printed, scene: str, over: dict[str, str], flags: list[str], options: dict[str, Any]) -> None:
    arguments = [x for name, text in over.items() for x in ("--over", f"{name}={text}")]
    assert pnl.search(scene, over, **options).to_dict() == printed("search", scene, *arguments, *flags)


def test_converge(printed: Printed) -> None:
    answer = pnl.converge("rod-no-solution", "1e4:1e6:3", dt="1e-2:2.5e-3:3", t_end="50ms",
                          regularisation=["viscoelastic", "preclik"], scheme="stewart-trinkle")
    assert answer.to_dict() == printed("converge", "rod-no-solution", "--stiffness", "1e4:1e6:3", "--dt", "1e-2:2.5e-3:3",
                                       "--t-end", "50ms", "--regularisation", "viscoelastic,preclik", "--scheme", "stewart-trinkle")


def test_scenes_from_text_file_and_name_are_one(program: str, tmp_path: Any) -> None:
    text = pnl.gallery("rod-no-solution").toml
    file = tmp_path / "scene.toml"
    file.write_text(text, encoding="utf-8")
    answers = [pnl.analyze(x).to_dict() for x in ("rod-no-solution", text, file, str(file))]
    for answer in answers:
        answer.pop("scene")
    assert all(answer == answers[0] for answer in answers)


def test_contact_space_is_that_of_the_mechanism() -> None:
    rod = pnl.scenario("rod-three-solutions")
    space = rod.contact_space
    numbers = pnl.contact_space(space.W, space.b, space.u, space.mu, drift=space.drift)
    ours, theirs = pnl.analyze(numbers), pnl.analyze(rod)
    assert ours.consistent_modes == theirs.consistent_modes
    assert [m.to_dict()["lambda_n"] for m in ours.modes] == [m.to_dict()["lambda_n"] for m in theirs.modes]


def test_cone_has_the_numbers_of_analyze() -> None:
    for scene in ("rod-no-solution", "rod-3d", "articulated-arm"):
        contact = pnl.analyze(scene).contacts[0]
        cone = pnl.cone(scene)
        for key in ("mu", "mu_crit", "mu_jam", "locking_angle"):
            assert cone[key] == contact[key]
        assert np.array_equal(cone.Q, contact.Q) and np.array_equal(cone.e_jam, contact.e_jam)
        e = cone.slip_directions
        expected = (cone.W @ np.column_stack([-cone.mu * e, np.ones(len(e))]).T).T
        assert np.allclose(cone.rays, expected, rtol=1e-14, atol=0)
