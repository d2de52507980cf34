"""Results as objects, dictionaries and notebook output."""

from __future__ import annotations

import base64
import copy
import json
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import painleve as pnl
import pytest

RESULTS = {
    "scene": lambda: pnl.scenario("rod-three-solutions"),
    "spatial scene": lambda: pnl.scenario("rod-3d"),
    "numbers": lambda: pnl.contact_space(np.eye(2), [0, -1], [1, 0], 0.5),
    "analyze": lambda: pnl.analyze("rod-three-solutions"),
    "analyze two contacts": lambda: pnl.analyze("two-legged-body"),
    "analyze in space": lambda: pnl.analyze("rod-3d"),
    "solve": lambda: pnl.solve("rod-three-solutions"),
    "solve step": lambda: pnl.solve("rod-three-solutions", "step"),
    "solve impulse": lambda: pnl.solve("rod-three-solutions", "impulse"),
    "impact": lambda: pnl.impact("rod-no-solution", restitution=0.8),
    "cone": lambda: pnl.cone("rod-no-solution"),
    "spatial cone": lambda: pnl.cone("rod-3d", mu=2),
    "simulate": lambda: pnl.simulate("rod-falling", 0.3),
    "simulate drifting": lambda: pnl.simulate("table-a1-6a", 0.005),
    "map": lambda: pnl.map("rod", {"theta": "0:90deg:9", "mu": "0:3:7"}),
    "converge": lambda: pnl.converge("rod-no-solution", "1e4:1e6:3", regularisation="viscoelastic", t_end=0.05),
}
WITHOUT_PICTURE = {
    "search": lambda: pnl.search("rod", {"theta": "10deg:80deg"}, minimise="mu_jam"),
    "drifting": lambda: pnl.analyze("table-a1-6a"),
    "no impact": lambda: pnl.impact("rod-falling"),
    "gallery": lambda: pnl.gallery(),
    "mechanism": lambda: pnl.gallery("rod"),
}


@pytest.mark.parametrize("what", RESULTS)
def test_html_has_a_picture(what: str) -> None:
    result = RESULTS[what]()
    page = result._repr_html_()
    image = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
    assert image is not None
    picture = base64.b64decode(image.group(1)).decode()
    assert ElementTree.fromstring(picture).tag.endswith("svg") and picture == result.svg
    ElementTree.fromstring(page)  # well-formed, so that it cannot break the page around it


@pytest.mark.parametrize("what", {**RESULTS, **WITHOUT_PICTURE})
def test_repr_is_a_few_lines(what: str) -> None:
    result = {**RESULTS, **WITHOUT_PICTURE}[what]()
    text = repr(result)
    assert text.startswith("painleve.") and 2 <= len(text.splitlines()) <= (80 if what == "gallery" else 14)
    assert "<pre>" in result._repr_html_()
    if what in WITHOUT_PICTURE:
        assert result.svg == "" and "<img" not in result._repr_html_()


def test_like_a_dictionary() -> None:
    found = pnl.analyze("rod-three-solutions")
    assert list(found) == found.keys() == list(found.to_dict()) and len(found) == len(found.keys())
    assert dict(found)["verdict"] == found.verdict and found.get("nothing") is None
    assert found == pnl.analyze("rod-three-solutions") and found != pnl.analyze("rod-no-solution")
    assert found.class_ is None and "two slipping" in found.class_reason
    assert "class_" in dir(found) and copy.deepcopy(found).verdict == found.verdict
    with pytest.raises(AttributeError, match="Analysis has no 'verdicts'; it has schema, "):
        found.verdicts
    with pytest.raises(KeyError):
        found["verdicts"]


def test_arrays_and_none() -> None:
    found = pnl.analyze("rod-three-solutions")
    contact = found.contacts[0]
    assert contact.stiffness is None and contact.stiffness_reason == "not given"
    for array in (found.W, found.b, contact.u_t, contact.Q, found.modes[0].lambda_n):
        assert isinstance(array, np.ndarray) and not array.flags.writeable
    assert found.modes[0].lambda_t.shape == (1, 1)
    assert pnl.analyze("rod-no-solution").consistent_modes == []
    assert pnl.converge("rod-no-solution", "1e4:1e5:2", t_end=0.01).dt.shape == (0,)


def test_to_dict_is_a_copy() -> None:
    found = pnl.analyze("rod")
    found.to_dict()["W"][0][0] = 99
    assert found.to_dict()["W"][0][0] != 99 and json.loads(found.json)["W"] == found.W.tolist()


def test_text_is_escaped() -> None:
    page = pnl.contact_space(np.eye(2), [0, -1], [1, 0], 0.5, name="<b>&</b>")._repr_html_()
    assert "<b>" not in page and "&lt;b&gt;&amp;" in page


def test_all_names_exist() -> None:
    for name in pnl.__all__:
        assert hasattr(pnl, name)
    assert "map" not in pnl.__all__ and callable(pnl.map)
    assert re.fullmatch(r"\d+\.\d+\.\d+", pnl.__version__)


def test_map_arrays() -> None:
    m = pnl.map("articulated-arm", {"x": (0, 2, 7), "theta3": "0:180deg:5"}, ["mu_jam", "verdict"])
    assert m["mu_jam"].shape == (7, 5) and m.axes[0].values.shape == (7,)
    assert not m.quantity("mu_jam").numbers.flags.owndata
    missing = np.isnan(m["mu_jam"])
    assert missing.any() and (m.quantity("mu_jam").reason[missing] != "").all()
    assert (m.quantity("mu_jam").reason[~missing] == "").all()
    for i, j in np.ndindex(7, 5):
        if not missing[i, j]:
            one = pnl.analyze("articulated-arm", x=m.axes[0].values[i], theta3=m.axes[1].values[j])
            assert one.contacts[0].mu_jam == m["mu_jam"][i, j] and one.verdict == m["verdict"][i, j]
