"""Trajectories: views that keep their run alive; futures; columns."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import painleve as pnl
import pytest


def test_arrays_are_views_of_one_memory() -> None:
    samples = pnl.simulate("rod-falling", 0.2).trajectory
    for name in ("t", "q", "v", "gap", "u", "force", "energy"):
        array = getattr(samples, name)
        assert not array.flags.owndata and not array.flags.writeable, name
        assert array.base is samples._table, name
        assert np.shares_memory(array, getattr(samples._table, name)), name
    assert np.shares_memory(samples["theta"], samples.q)
    assert np.shares_memory(samples.lambda_n, samples.force)
    with pytest.raises(ValueError, match="read-only"):
        samples.q[0, 0] = 1


def test_a_column_keeps_its_run_alive() -> None:
    samples = pnl.simulate("rod-falling", 0.2).trajectory
    table = weakref.ref(samples)
    column, expected = samples["theta"], samples["theta"].copy()
    del samples
    gc.collect()
    assert table() is None  # the wrapper is gone, the numbers are not
    for _ in range(20):
        pnl.simulate("rod-falling", 0.05)  # would write over memory that was given back
    assert np.array_equal(column, expected)


def test_futures_outlive_their_parent() -> None:
    future = pnl.simulate("rod-three-solutions", 0.1, policy="all").futures[2]
    gc.collect()
    assert future.why == "impact without collision I"
    assert future.trajectory.t[-1] == future.t == 0.1
    assert future.events[0].kind == "iwc" and future.impulse_n[0] > 0


def test_shapes_and_names() -> None:
    run = pnl.simulate("two-legged-body", 0.05, samples=10)
    samples = run.trajectory
    rows = len(samples)
    assert rows == run.samples >= 10
    assert samples.q.shape == (rows, 3) and samples.gap.shape == (rows, 2) and samples.u.shape == (rows, 2, 2)
    assert samples["foot2.u_t"].shape == (rows,) and samples.u_t.shape == (rows, 2, 1)
    assert np.array_equal(samples["foot2.lambda_n"], samples.force[:, 1, 1])
    assert samples.mode.dtype.kind == "U"
    spatial = pnl.simulate("rod-3d", 0.02, samples=5).trajectory
    assert spatial["tip.u_t"].shape == (len(spatial), 2)
    with pytest.raises(KeyError, match="tip.gap"):
        spatial["tip.gaps"]


def test_velocities_are_the_rates_of_coordinates() -> None:
    samples = pnl.simulate("rod-falling", 0.4, samples=2000).trajectory
    rate = np.gradient(samples["theta"], samples.t)
    assert np.abs(rate - samples["theta_dot"])[5:-5].max() < 1e-4


def test_drifting_contacts_have_normals_alone() -> None:
    samples = pnl.simulate("table-a1-6a", 0.005).trajectory
    assert samples.u.shape[2] == 1 and samples.u_t.shape[2] == 0 and samples.q.shape[1] == 0
    assert samples["c2.lambda_n"].shape == (len(samples),)


def test_times_never_fall_and_events_lie_within() -> None:
    run = pnl.simulate("tumbling-body", 0.3)
    times = run.trajectory.t
    assert (np.diff(times) >= 0).all() and times[0] == 0 and times[-1] == run.t
    assert {"impact", "landing"} <= {event.kind for event in run.events}
    assert all(0 <= event.t <= run.t for event in run.events)
