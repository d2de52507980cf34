"""Bad input is an InputError, a ValueError, with the sentence that the program prints."""

from __future__ import annotations

import pickle
import subprocess
from typing import Any, Callable

import numpy as np
import painleve as pnl
import pytest


@pytest.mark.parametrize("arguments, call", [
    (["analyze", "rdo"], lambda: pnl.analyze("rdo")),
    (["analyze", "rod", "--set", "mas=2"], lambda: pnl.analyze("rod", mas=2)),
    (["analyze", "rod", "--set", "mass=-2.0"], lambda: pnl.analyze("rod", mass=-2)),
    (["analyze", "rod", "--set", "theta=5 kg"], lambda: pnl.analyze("rod", theta="5 kg")),
    (["analyze", "no/such.toml"], lambda: pnl.analyze("no/such.toml")),
    (["solve", "table-a1-6a"], lambda: pnl.solve("table-a1-6a")),
    (["impact", "rod", "--restitution", "2"], lambda: pnl.impact("rod", restitution=2)),
    (["impact", "rod", "--approach", "heel=1"], lambda: pnl.impact("rod", approach={"heel": 1})),
    (["simulate", "rod", "--t-end", "-1"], lambda: pnl.simulate("rod", -1)),
    (["simulate", "klein-none", "--method", "compliant", "--tolerance", "2"],
     lambda: pnl.simulate("klein-none", method="compliant", tolerance=2)),
    (["map", "rod", "--over", "theta=0:1:3", "--of", "mu_jma"], lambda: pnl.map("rod", {"theta": "0:1:3"}, "mu_jma")),
    (["search", "rod", "--over", "theta=0:1", "--minimise", "verdict"],
     lambda: pnl.search("rod", {"theta": (0, 1)}, minimise="verdict")),
    (["gallery", "rodd"], lambda: pnl.gallery("rodd")),
])
def test_same_sentence(program: str, arguments: list[str], call: Callable[[], Any]) -> None:
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    with pytest.raises(pnl.InputError) as error:
        call()
    assert done.stderr.strip() == f"painleve: {error.value}"
    assert isinstance(error.value, ValueError) and type(error.value).__module__ == "painleve"


@pytest.mark.parametrize("call, sentence", [
    (lambda: pnl.solve("rod", "steps"), "formulation must be one of acceleration, impulse, step, but is 'steps'"),
    (lambda: pnl.solve("rod", dt=0.1), "dt is for the formulation step, not acceleration"),
    (lambda: pnl.solve("rod", "step", dt="5 kg"), "dt: .*kg"),
    (lambda: pnl.simulate("rod", dt=1e-3), "dt is for the method step, not event"),
    (lambda: pnl.simulate("table-a1-6a", several="compliant"), "several is for the method event, not compliant"),
    (lambda: pnl.simulate("rod", seed=3), "seed is for the policy seeded"),
    (lambda: pnl.simulate("rod", method="step", scheme="stewart-trinkle", step_theta=0.5), "scheme moreau-jean"),
    (lambda: pnl.simulate("rod", method="euler"), "method must be one of event, step, compliant"),
    (lambda: pnl.simulate("rod", samples=-1), "samples must be a whole number of at least 0"),
    (lambda: pnl.map("rod", {"theta": "1:0:5"}), "over theta: "),
    (lambda: pnl.map("rod", {"theta": (0, 1, 2, 3)}), r"a range is \(FROM, TO\)"),
    (lambda: pnl.map("rod", {}), "over needs one or more axes"),
    (lambda: pnl.map("rod", {"theta": (0, 1)}, ["p", "p"]), "each once"),
    (lambda: pnl.map("rod", {"theta": (0, 1)}, t_end=2), "t_end is for quantities of a run"),
    (lambda: pnl.map("rod", {"theta": (0, 1)}, dt=2), "dt is for runs by the method step"),
    (lambda: pnl.search("rod", {"theta": (0, 1)}), "one of minimise and maximise"),
    (lambda: pnl.converge("rod", "1e3:1e8"), "stiffness takes FROM:TO:N"),
    (lambda: pnl.converge("rod", "1e3:1e8:6", scheme="moreau-jean"), "scheme is for time steps"),
    (lambda: pnl.cone("rod", "heel"), "unknown contact 'heel'"),
    (lambda: pnl.cone("table-a1-6a"), "drifting contacts have no cone"),
    (lambda: pnl.cone("rod", mu=-1), "mu must be a finite number >= 0"),
    (lambda: pnl.cone("rod", segments=4), "segments must be a whole number of at least 8"),
    (lambda: pnl.scenario("table-a1-6a").contact_space, "drifting contacts have no contact space"),
    (lambda: pnl.scenario("rod").set("mu", object()), "a value must be a number, a text, a truth value or a list"),
    (lambda: pnl.scenario("mechanism = 3"), "scenario, line 1, column 13"),
    (lambda: pnl.from_urdf("x.urdf", "tool0@1,2"), "a contact is BODY or BODY@X,Y,Z"),
    (lambda: pnl.from_mujoco(None, None), "needs the package mujoco"),
])
def test_sentences_of_this_package(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(pnl.InputError, match=sentence) as error:
        call()
    assert "\n" not in str(error.value)


def test_a_paradox_is_no_error() -> None:
    found = pnl.analyze("rod-no-solution")
    assert found.verdict == "inconsistent" and found.consistent_modes == []
    assert pnl.solve("rod-no-solution").count == 0


def test_values_of_all_kinds() -> None:
    scene = pnl.scenario("rod-3d", {"contact.tip.bilateral": True}, slip=np.array([0.5, -0.25]), mu=np.float64(0.3))
    assert list(scene.contact_space.u.round(12)) == [0.5, -0.25, 0] and scene["mu"] == 0.3
    assert scene.contact_space.bilateral == [True]
    scene["theta"] = "45deg"
    assert scene["theta"] == pytest.approx(np.pi / 4)
    assert pnl.scenario("rod", torque="sin(3*t)").text.count("sin(3*t)") == 1
    with pytest.raises(KeyError):
        scene["forces.torque"]


def test_a_scene_is_changed_by_set_alone() -> None:
    scene = pnl.scenario("rod", mu=1)
    before = scene.text
    found = pnl.analyze(scene, mu=2)
    assert scene.text == before and found.contacts[0].mu == 2
    assert scene.with_(mu=3).text != before and scene.copy().text == before
    assert scene.set("mu", 2) is scene and scene.text != before


def test_results_keep_the_scene_of_their_time() -> None:
    scene = pnl.scenario("rod-no-solution")
    found = pnl.analyze(scene)
    before = found.svg
    scene.set("mu", 0.1)
    assert found.svg == before


def test_pickles() -> None:
    scene = pickle.loads(pickle.dumps(pnl.scenario("rod", theta="50deg", mu=1.1)))
    assert scene.mechanism == "rod" and scene["mu"] == 1.1
