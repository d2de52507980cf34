"""analyze_batch() against analyze(), item by item; its input and its threads."""

from __future__ import annotations


import numpy as np
import painleve as pnl
import pytest


def drawn(items: int, contacts: int, dimension: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Contact spaces of drawn bodies; a third at rest, a few that approach or separate, a few with singular W."""
    rng = np.random.default_rng(seed)
    n = contacts * dimension
    J = rng.normal(size=(items, n, n + 1))
    J[: items // 20, 1] = J[: items // 20, 0]
    W = J @ J.transpose(0, 2, 1)
    W = (W + W.transpose(0, 2, 1)) / 2
    b = rng.normal(size=(items, n))
    u = rng.normal(size=(items, n))
    u[:, dimension - 1 :: dimension] = 0
    u[: items // 3] = 0
    u[-items // 10 :, dimension - 1] = rng.normal(size=u[-items // 10 :, dimension - 1].shape)
    return W, b, u, rng.uniform(0, 3, size=(items, contacts))


@pytest.mark.parametrize("contacts, dimension, items", [(1, 2, 3000), (2, 2, 150), (3, 2, 40), (1, 3, 60), (2, 3, 12)])
def test_batch_is_analyze(contacts: int, dimension: int, items: int) -> None:
    W, b, u, mu = drawn(items, contacts, dimension, seed=contacts + dimension)
    batch = pnl.analyze_batch(W, b, u, mu, dimension=dimension)
    words = batch.consistent_modes
    checked = range(items) if items <= 150 else range(0, items, 5)
    for i in checked:
        single = pnl.analyze(pnl.contact_space(W[i], b[i], u[i], mu[i], dimension=dimension))
        assert batch.verdict[i] == (single.verdict or ""), i
        assert batch.jam[i] == single.jam and batch.complete[i] == single.complete, i
        consistent = [m for m in single.modes if m.consistent]
        assert words[i] == ("|".join(m.name for m in consistent) or "none")
        assert batch.count[i] == len(consistent)
        rows = np.flatnonzero(batch.item == i)
        for row, mode in zip(rows, consistent):
            assert batch.mode[row] == mode.name
            for name in ("lambda_n", "lambda_t", "a_n", "a_t"):
                ours, theirs = getattr(batch, name)[row], np.asarray(mode[name])
                assert np.array_equal(ours.reshape(theirs.shape), theirs), (i, name)
    assert len(set(batch.verdict)) >= 3  # the draw meets all kinds


def test_motions_that_are_nearly_one() -> None:
    """F and S- come together as b_n goes to 0: wherever the table's rule joins them, the batch must, too."""
    b = np.array([[-1.0, sign * 10.0**k] for k in np.linspace(-18, 0, 73) for sign in (1, -1)])
    for W, mu in (([[2.5, -1.5], [-1.5, 2.5]], 2.0), ([[2.5, -1.5], [-1.5, 2.5]], 5 / 3), ([[1.0, 0.0], [0.0, 1e-9]], 0.5)):
        batch = pnl.analyze_batch(W, b, [-1, 0], mu)
        for i, row in enumerate(b):
            single = pnl.analyze(pnl.contact_space(W, row, [-1, 0], mu))
            assert batch.verdict[i] == single.verdict, (mu, row)
            assert batch.consistent_modes[i] == ("|".join(single.consistent_modes) or "none")
    assert len(set(pnl.analyze_batch([[2.5, -1.5], [-1.5, 2.5]], b, [-1, 0], 2.0).verdict)) == 3


def test_items_are_whole_analyses() -> None:
    W, b, u, mu = drawn(20, 1, 2, seed=3)
    batch = pnl.analyze_batch(W, b, u, mu)
    assert batch[7].verdict == batch.verdict[7] and len(batch) == 20
    assert [a.verdict for a in batch] == list(batch.verdict)
    assert batch[-1].verdict == batch.verdict[-1]
    with pytest.raises(IndexError, match="item 20 of a batch of 20"):
        batch[20]


def test_same_for_any_number_of_threads() -> None:
    W, b, u, mu = drawn(20000, 1, 2, seed=5)
    one, many = (pnl.analyze_batch(W, b, u, mu, threads=k) for k in (1, 5))
    assert np.array_equal(one.verdict, many.verdict) and np.array_equal(one.mode, many.mode)
    assert np.array_equal(one.lambda_n, many.lambda_n) and np.array_equal(one.item, many.item)


def test_what_has_no_items_holds_for_all() -> None:
    W, b, u, mu = drawn(50, 2, 2, seed=9)
    spread = pnl.analyze_batch(np.tile(W[0], (50, 1, 1)), b, np.tile(u[20], (50, 1)), np.full((50, 2), 0.7))
    short = pnl.analyze_batch(W[0], b, u[20], 0.7)
    assert np.array_equal(spread.verdict, short.verdict) and np.array_equal(spread.lambda_t, short.lambda_t)
    assert pnl.analyze_batch(W[0], b[0], u[0], mu[0]).verdict.shape == (1,)
    assert len(pnl.analyze_batch(W[:0], b[:0], u[:0], mu[:0])) == 0


def test_bad_items_are_named() -> None:
    W, b, u, mu = drawn(10, 1, 2, seed=1)
    W[4] = [[1, 2], [2, 1]]
    with pytest.raises(pnl.InputError, match="item 4: W .*positive semidefinite"):
        pnl.analyze_batch(W, b, u, mu)
    mu[6] = -1
    kept = pnl.analyze_batch(W, b, u, mu, errors="keep")
    assert list(np.flatnonzero(kept.error != "")) == [4, 6] and kept.verdict[4] == ""
    assert "mu" in kept.error[6] and kept.verdict[3] != ""
    b[2, 0] = np.nan
    assert "finite" in pnl.analyze_batch(W, b, u, mu, errors="keep").error[2]


@pytest.mark.parametrize("change, sentence", [
    (dict(W=np.zeros((3, 3))), "expected square matrices with 2 rows per contact"),
    (dict(b=np.zeros(3)), r"b has the shape \(3,\), expected \(2\) or \(items, 2\)"),
    (dict(b=np.zeros((4, 2)), u=np.zeros((5, 2))), "they must agree, or be 1"),
    (dict(dimension=4), "dimension is 4, expected 2 or 3"),
    (dict(errors="ignore"), "errors must be one of raise, keep"),
    (dict(threads=-1), "threads must be a whole number"),
])
def test_shapes_are_checked(change: dict, sentence: str) -> None:
    arguments = dict(W=np.eye(2), b=[0, -1], u=[1, 0], mu=0.5)
    with pytest.raises(pnl.InputError, match=sentence):
        pnl.analyze_batch(**{**arguments, **change})


def test_many_items() -> None:
    rng = np.random.default_rng(0)
    items = 200_000
    b = np.column_stack([rng.normal(size=items), -rng.uniform(0.1, 1, size=items)])
    batch = pnl.analyze_batch([[2.5, 0.5], [0.5, 2.5]], b, [1, 0], 0.5)
    assert len(batch) == items
    assert set(batch.verdict) == {"unique"}
