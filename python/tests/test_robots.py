"""Robots from MJCF and URDF files: against each other, and against the gallery's mechanisms that they describe."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Callable

import numpy as np
import painleve as pnl
import pytest

ROBOTS = Path(__file__).resolve().parents[2] / "examples/robots"
FLOOR = {"point": [0, 0, 0], "normal": [0, 0, 1]}
TIPS = {
    "rod": ({"site": "tip"}, {"body": "tip"}),
    "two_link": ({"site": "tip"}, {"body": "tip"}),
    # The gallery's tangents: along -y first, then along +x, the radius of the tip. They turn with phi, so that the two
    # have the same drift only while phi stands still.
    "articulated_arm": ({"site": "tip", "tangent": [0, -1, 0]}, {"body": "tip", "tangent": [0, -1, 0]}),
}


def _rod(q: Any) -> dict[str, float]:
    return {"x": q["x"], "z": q["y"], "theta": q["theta"]}


def _two_link(q: Any) -> dict[str, float]:
    return {"shoulder": q["theta1"], "elbow": q["theta2"] - q["theta1"]}


def _arm(q: Any) -> dict[str, float]:
    return {"phi": q["phi"], "shoulder": q["theta1"], "elbow": q["theta2"] - q["theta1"], "wrist": q["theta3"] - q["theta2"]}


CASES: list[tuple[str, str, Callable[[Any], dict[str, float]], dict[str, Any]]] = [
    ("rod", "rod", _rod, dict(theta="120deg", slip=-1.0, theta_dot=0.7)),
    ("rod", "rod", _rod, dict(theta="50deg", slip=0.4, theta_dot=-1.5)),
    ("two_link", "two-link", _two_link, dict(theta1=1.1, slip=0.3)),
    ("articulated_arm", "articulated-arm", _arm, dict(x=0.7, theta3="80deg", x_dot=0.3)),
    ("articulated_arm", "articulated-arm", _arm, dict(x=0.5, theta3="110deg", x_dot=-0.2)),
]


def robot(name: str, ending: str, mechanism: pnl.Scene, joints: Callable[[Any], dict[str, float]], mu: float) -> pnl.Scene:
    """The robot in the posture and motion of a mechanism of the gallery."""
    state = mechanism.state
    posture = joints(state.q)
    posture.update({key + "_dot": value for key, value in joints(state.v).items()})
    contact = {**TIPS[name][ending == "urdf"], "plane": FLOOR, "mu": mu}
    read = pnl.from_urdf if ending == "urdf" else pnl.from_mjcf
    return read(ROBOTS / f"{name}.{ending}", {"tip": contact}, overrides={f"state.{k}": v for k, v in posture.items()})


@pytest.mark.parametrize("name, gallery, joints, values", CASES)
def test_robots_are_the_gallerys(name: str, gallery: str, joints: Any, values: dict[str, Any]) -> None:
    mechanism = pnl.scenario(gallery, mu=1.2, **values)
    expected = mechanism.contact_space
    spaces = [robot(name, ending, mechanism, joints, 1.2).contact_space for ending in ("xml", "urdf")]
    for space in spaces:
        assert space.dimension == expected.dimension
        for key in ("W", "b", "drift", "u"):
            scale = max(1.0, float(np.abs(expected[key]).max()))
            assert np.abs(space[key] - expected[key]).max() < 1e-9 * scale, (key, space[key], expected[key])
        assert abs(space.gap[0]) < 1e-9 and space.mu[0] == 1.2
    for key in ("W", "b", "drift", "u"):
        assert np.abs(spaces[0][key] - spaces[1][key]).max() < 1e-9


def test_analyses_work_on_robots() -> None:
    mechanism = pnl.scenario("rod", theta="120deg", slip=-1, mu=1.5)
    scene = robot("rod", "urdf", mechanism, _rod, 1.5)
    assert pnl.analyze(scene).verdict == pnl.analyze(mechanism).verdict == "inconsistent"
    assert pnl.cone(scene).mu_jam == pytest.approx(1.347150628109127, rel=1e-9)
    ours, theirs = (pnl.solve(s, "step", dt=0.01).solutions for s in (scene, mechanism))
    assert [s.mode for s in ours] == [s.mode for s in theirs]
    assert np.allclose(ours[0].Lambda_n, theirs[0].Lambda_n, rtol=1e-9)
    runs = [pnl.simulate(s, 0.2) for s in (scene, mechanism)]
    assert [e.kind for e in runs[0].events] == [e.kind for e in runs[1].events]
    assert runs[0].trajectory["theta"][-1] == pytest.approx(runs[1].trajectory["theta"][-1], abs=1e-8)
    assert "<img" in scene._repr_html_() and "rod" in repr(scene)


def test_maps_and_searches_work_on_robots() -> None:
    """The least friction at which a uniform rod can jam is 4/3, at tan θ = 2."""
    scene = pnl.from_mjcf(ROBOTS / "rod.xml", {"tip": {"site": "tip"}})
    least = pnl.search(scene, {"theta": "10deg:80deg:30"}, minimise="mu_jam").minima[0]
    assert least.value == pytest.approx(4 / 3, rel=1e-9)
    assert np.tan(least.at.theta) == pytest.approx(2, rel=1e-4)
    m = pnl.map(scene, {"theta": "10deg:80deg:8"}, "mu_jam")
    theta = m.axes[0].values
    assert np.allclose(m["mu_jam"], (1 + 3 * np.cos(theta) ** 2) / (3 * np.sin(theta) * np.cos(theta)), rtol=1e-9)


def test_short_contacts_and_joints() -> None:
    """A rotor's inertia changes W; a point may be given in one text."""
    arm = ROBOTS / "articulated_arm.urdf"
    plain = pnl.from_urdf(arm, "link3@0.1,0,0", mu=0.8)
    space = plain.contact_space
    assert space.names == ["tip"] and space.mu[0] == 0.8
    geared = pnl.from_urdf(arm, "link3@0.1,0,0", joints={"elbow": {"armature": 0.2}}, mu=0.8).contact_space
    assert np.abs(geared.W - space.W).max() > 1e-6
    assert np.trace(geared.W) < np.trace(space.W)


def test_two_contacts_of_a_foot() -> None:
    foot = pnl.from_mjcf(ROBOTS / "legged_foot.xml", {"heel": {"site": "heel", "mu": 0.4}, "toe": {"site": "toe", "mu": 0.7}})
    space = foot.contact_space
    assert space.names == ["heel", "toe"] and list(space.mu) == [0.4, 0.7]
    assert pnl.analyze(foot).verdict in ("unique", "indeterminate", "inconsistent")


@pytest.mark.parametrize("call, sentence", [
    (lambda: pnl.from_urdf(ROBOTS / "rod.urdf", {"tip": {"body": "tipp"}}), "unknown body 'tipp'; did you mean 'tip'"),
    (lambda: pnl.from_urdf(ROBOTS / "none.urdf", "tip"), "none.urdf"),
    (lambda: pnl.from_mjcf(ROBOTS / "rod.xml", {"tip": {"mu": 0.5}}), "needs one of body, site and geom"),
])
def test_sentences(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(pnl.InputError, match=sentence) as error:
        call().contact_space
    assert "\n" not in str(error.value)


def test_the_reader_is_installed_with_the_package() -> None:
    reader = Path(pnl.__file__).parent / "painleve-robot"
    assert reader.is_file() and os.access(reader, os.X_OK)
