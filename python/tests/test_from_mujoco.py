"""Contacts of MuJoCo as a scene: against the gallery's rod, and against differences along the motion."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import painleve as pnl
import pytest
from mujoco_standin import Standin

# The gallery's rod: uniform, of half-length 1 m and mass 1 kg, on a tiny ball at its lower end, in the plane y = 0.
ROD = """<mujoco><compiler angle="radian"/><option gravity="0 0 -9.81"/><worldbody>
  <geom name="floor" type="plane" size="9 9 1" friction="1.5"/>
  <body pos="0 0 0"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint type="hinge" axis="0 1 0"/>
    <inertial pos="0 0 0" mass="1" diaginertia="0.3333333333333333 0.3333333333333333 1e-9"/>
    <geom name="tip" type="sphere" pos="0 0 -1" size="1e-7" friction="1.5" mass="0"/></body>
</worldbody></mujoco>"""

# A ball that rolls and slides on a plate which turns and is carried along itself.
PLATE = """<mujoco><option gravity="0.3 0.2 -9.81"/><worldbody>
  <body pos="0 0 1"><freejoint/><geom name="plate" type="box" size="0.5 0.5 0.1" mass="2" friction="0.7"/></body>
  <body pos="0.2 0.1 1.15"><freejoint/><geom name="ball" type="sphere" size="0.05" mass="0.3" friction="0.7"/></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="module")
def mujoco(tmp_path_factory: Any) -> Standin:
    return Standin(tmp_path_factory.mktemp("standin"))


def rod(mujoco: Standin, folder: Path, theta: float, u_t: float, theta_dot: float) -> tuple[Any, Any]:
    """The rod at an angle with the floor, its tip sliding along +x; hinge angle 0 is upright."""
    model, data = mujoco.load(ROD, folder)
    lean = theta - np.pi / 2
    data.qpos[:] = 0, np.cos(lean) + 1e-7, lean
    # The tip is at x - sin(lean), z - cos(lean): its velocity is u_t along x and 0 along z.
    data.qvel[:] = u_t + np.cos(lean) * theta_dot, -np.sin(lean) * theta_dot, theta_dot
    return model, data


@pytest.mark.parametrize("theta, u_t, theta_dot", [(2.1, -1.0, 0.0), (1.0, 0.5, 0.8), (1.3, 0.7, -2.0)])
def test_rod_is_the_gallerys(mujoco: Standin, tmp_path: Path, theta: float, u_t: float, theta_dot: float) -> None:
    model, data = rod(mujoco, tmp_path, theta, u_t, theta_dot)
    before = data.qpos.copy(), data.qvel.copy()
    space = pnl.from_mujoco(model, data, mujoco=mujoco).contact_space
    assert np.array_equal(before[0], data.qpos) and np.array_equal(before[1], data.qvel)
    ours = pnl.scenario("rod", theta=theta, slip=u_t, theta_dot=theta_dot, mu=1.5).contact_space
    tangent = int(np.argmax(np.abs(space.u[:2])))  # the one in the plane of the rod, up to its sign
    pick = [tangent, 2]
    sign = np.array([np.sign(space.u[tangent] * ours.u[0]), 1])
    assert np.allclose(space.W[np.ix_(pick, pick)] * np.outer(sign, sign), ours.W, rtol=1e-6, atol=1e-6)
    assert np.allclose(space.b[pick] * sign, ours.b, rtol=1e-6, atol=1e-6)
    assert np.allclose(space.drift[pick] * sign, ours.drift, rtol=1e-6, atol=1e-6)
    assert np.allclose(space.u[pick] * sign, ours.u, atol=1e-6)
    assert space.mu[0] == 1.5 and space.dimension == 3 and space.gap[0] == 0


def test_verdict_is_the_rods(mujoco: Standin, tmp_path: Path) -> None:
    """Case N of Preclik & Rüde: mu 1.5 is beyond mu_jam, and no acceleration is left."""
    model, data = rod(mujoco, tmp_path, 2 * np.pi / 3, -1.0, 0.0)
    found = pnl.analyze(pnl.from_mujoco(model, data, mujoco=mujoco))
    assert found.jam and found.verdict == "inconsistent"
    assert found.contacts[0].mu_jam == pytest.approx(1.347150628109127, rel=1e-6)


def test_two_moving_bodies_by_differences(mujoco: Standin, tmp_path: Path) -> None:
    model, data = mujoco.load(PLATE, tmp_path)
    rng = np.random.default_rng(4)
    data.qvel[:] = rng.normal(size=12)
    space = pnl.from_mujoco(model, data, mujoco=mujoco).contact_space
    d = copy.copy(data)
    mujoco.mj_forward(model, d)
    contact = d.contact[0]
    bodies = [int(model.geom_bodyid[g]) for g in (contact.geom1, contact.geom2)]
    axes = contact.frame.reshape(3, 3)[[1, 2, 0]].copy()
    held = [(d.xmat[b].reshape(3, 3).T @ (contact.pos - d.xpos[b])) for b in bodies]
    frame = axes @ d.xmat[bodies[0]].reshape(3, 3)  # in the plate, which carries it along

    def relative_velocity(t: float) -> np.ndarray:
        """Of the ball's point in the frame of the plate, after a time t at constant generalized velocities."""
        moved = copy.copy(data)
        mujoco.mj_integratePos(model, moved.qpos, moved.qvel, t)
        mujoco.mj_forward(model, moved)
        point = moved.xpos[bodies[1]] + moved.xmat[bodies[1]].reshape(3, 3) @ held[1]
        velocities = []
        for body in bodies:
            jacobian = np.zeros((3, model.nv))
            mujoco.mj_jac(model, moved, jacobian, None, point.copy(), body)
            velocities.append(jacobian @ moved.qvel)
        return frame @ moved.xmat[bodies[0]].reshape(3, 3).T @ (velocities[1] - velocities[0])

    h = 1e-5
    assert np.allclose(relative_velocity(0), space.u, atol=1e-12)
    # The free joint's angular velocity is in the frame of the body and constant, as the differences have it.
    rate = (relative_velocity(h) - relative_velocity(-h)) / (2 * h)
    assert np.allclose(rate, space.drift, atol=1e-6 * np.abs(space.drift).max() + 1e-6)
    assert np.abs(space.drift).max() > 0.1
    assert np.array_equal(space.W, space.W.T) and (np.linalg.eigvalsh(space.W) > 0).all()


def test_rest_and_gaps(mujoco: Standin, tmp_path: Path) -> None:
    model, data = rod(mujoco, tmp_path, 1.2, 1e-8, 0.0)
    assert not pnl.from_mujoco(model, data, mujoco=mujoco).contact_space.u.any()
    assert pnl.from_mujoco(model, data, mujoco=mujoco, velocity_tolerance=1e-12).contact_space.u.any()
    data.qpos[1] -= 1e-3
    assert pnl.from_mujoco(model, data, mujoco=mujoco).contact_space.gap[0] == 0


@pytest.mark.parametrize("change, move, sentence", [
    (("", ""), [0, 2, 0], "MuJoCo detects no contact at this state"),
    (('friction="1.5" mass="0"', 'friction="1.5" mass="0" margin="0.5"'), [0, 1.1, 0], None),
    (('axis="0 1 0"/>', 'axis="0 1 0" limited="true" range="-0.1 0.1"/>'), [0, 0.9, 0.2], "joint limits are active"),
    (("</worldbody>", '</worldbody><equality><joint joint1="h"/></equality>'), [0, 1, 0], "equality constraints are active"),
])
def test_what_is_refused(mujoco: Standin, tmp_path: Path, change: tuple[str, str], move: list[float], sentence: str | None) -> None:
    text = ROD.replace('type="hinge"', 'type="hinge" name="h"')
    model, data = mujoco.load(text.replace(*change) if change[0] else text, tmp_path)
    data.qpos[:] = move
    if sentence is None:  # a contact within its margin is open, with its gap
        space = pnl.from_mujoco(model, data, mujoco=mujoco).contact_space
        assert space.gap[0] == pytest.approx(0.1, abs=1e-6)
        return
    with pytest.raises(pnl.InputError, match=sentence):
        pnl.from_mujoco(model, data, mujoco=mujoco)
