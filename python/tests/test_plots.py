"""matplotlib pictures: axes come back with units and legends, and what is drawn is what was computed."""

from __future__ import annotations

import io
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import painleve as pnl
import pytest


def rendered(figure: Any) -> np.ndarray:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="rgba", dpi=40)
    pixels = np.frombuffer(buffer.getvalue(), np.uint8).reshape(-1, 4)
    return pixels


def test_every_picture_can_be_rendered() -> None:
    pictures = [
        pnl.plot.cone("rod-no-solution"), pnl.plot.cone("rod-3d", mu=2), pnl.plot.modes("rod-three-solutions", points=31),
        pnl.plot.modes("rod-three-solutions", slip=0, points=31), pnl.plot.solutions("rod-three-solutions"),
        pnl.plot.map(pnl.map("rod", {"theta": "1deg:89deg:21", "mu": "0:3:17"}, boundaries=True)),
        pnl.plot.map(pnl.map("rod", {"theta": "1deg:89deg:21", "mu": "0:3:17"}, "p")),
        pnl.plot.map(pnl.map("rod", {"theta": "1deg:89deg:21"}, "mu_jam")), pnl.plot.map(pnl.map("rod", {"mu": "0:3:21"})),
        pnl.plot.trajectory(pnl.simulate("chalk-dots", 0.1))[0],
    ]
    for ax in pictures:
        assert len(np.unique(rendered(ax.figure), axis=0)) > 5


def test_given_axes_are_used() -> None:
    figure, (left, right) = plt.subplots(1, 2)
    assert pnl.plot.cone("rod-no-solution", left) is left
    assert pnl.plot.solutions("rod-no-solution", right) is right
    axes = plt.subplots(2, 1)[1]
    assert pnl.plot.trajectory(pnl.simulate("rod-falling", 0.1), ["theta", "energy"], axes) is axes


def test_cone_edges_are_the_rays() -> None:
    k = pnl.cone("rod-no-solution")
    drawn = [line.get_xydata()[1] for line in pnl.plot.cone(k).get_lines()[:2]]
    assert np.array_equal(drawn, k.rays)


def test_solutions_lie_where_the_curves_meet() -> None:
    for scene in ("rod-three-solutions", "rod-no-solution"):
        ax = pnl.plot.solutions(scene)
        normal, friction, *marks = ax.get_lines()
        assert len(marks) == pnl.solve(scene, "step").count
        for mark in marks:
            place = mark.get_xydata()[0]
            for curve in (normal, friction):
                points = curve.get_xydata()
                spacing = np.abs(np.diff(points, axis=0)).max()
                assert np.hypot(*(points - place).T).min() <= 2 * spacing


def test_labels_have_units() -> None:
    ax = pnl.plot.map(pnl.map("rod", {"theta": "1deg:89deg:21", "mass": (1, 2, 4)}, "p"))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("theta [deg]", "mass [kg]")
    assert ax.get_xlim()[1] > 80
    axes = pnl.plot.trajectory(pnl.simulate("tumbling-body", 0.2))
    assert [a.get_ylabel() for a in axes] == ["gap [m]", "u_t [m/s]", "lambda_n [N]", "energy [J]"]
    assert "impact" in {t.get_text() for t in axes[0].get_legend().get_texts()}


def test_colours_are_told_apart() -> None:
    """Okabe and Ito's palette, in lightness, too: neighbours differ in luminance or hue by far more than a shade."""
    rgb = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in pnl.plot.COLOURS], float)
    distances = [np.linalg.norm(a - b) for i, a in enumerate(rgb) for b in rgb[:i]]
    assert min(distances) > 60 and len(set(pnl.plot.COLOURS)) == 8


@pytest.mark.parametrize("draw, sentence", [
    (lambda: pnl.plot.modes("rod-3d"), "planar contacts"),
    (lambda: pnl.plot.modes("rod", contact="heel"), "unknown contact 'heel'; there are tip"),
    (lambda: pnl.plot.solutions("two-legged-body"), "one planar contact"),
    (lambda: pnl.plot.map(pnl.map("rod", {"theta": (0.1, 1, 2), "mu": (0, 1, 2), "mass": (1, 2, 2)})), "one or two axes"),
])
def test_what_cannot_be_drawn(draw: Any, sentence: str) -> None:
    with pytest.raises(pnl.InputError, match=sentence):
        draw()
