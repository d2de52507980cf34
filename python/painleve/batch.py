"""Many contact spaces at once, from arrays and into arrays."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import InputError
from .arguments import one_of, whole
from .results import html_page
from .scenes import contact_space
from .statics import Analysis, analyze


class Batch:
    """The answers of `analyze_batch`: arrays with one entry per item, and a table with one row per solution.

    ==================  =======================================================================================
    ``verdict``         (items) words: unique, inconsistent, indeterminate, impact; empty where not decided
    ``count``           (items) number of consistent modes
    ``consistent_modes``  (items) their names, joined by ``|``; ``none``
    ``jam``             (items) whether a contact slips with p ≤ 0
    ``complete``        (items) whether no solution can be missing
    ``error``           (items) the reason why an item could not be analysed; empty
    ``item``            (solutions) the item that a solution belongs to
    ``mode``            (solutions) its name, one letter group per contact
    ``lambda_n``, ``lambda_t``  (solutions, contacts[, tangents]) forces [N]
    ``a_n``, ``a_t``    (solutions, contacts[, tangents]) accelerations [m/s²]
    ==================  =======================================================================================

    ``batch[i]`` is the whole `Analysis` of an item.
    """

    def __init__(self, raw: dict[str, Any], inputs: tuple[NDArray[np.float64], ...], dimension: int) -> None:
        self._inputs = inputs
        self.dimension = dimension
        words = np.array([*raw["words"], ""], dtype=str)
        self.verdict: NDArray[Any] = words[raw["verdict"]]
        self.jam: NDArray[np.bool_] = raw["jam"].astype(bool)
        self.complete: NDArray[np.bool_] = raw["complete"].astype(bool)
        self.first: NDArray[np.int64] = raw["first"]
        self.count: NDArray[np.int64] = np.diff(self.first)
        self.item: NDArray[np.int64] = np.repeat(np.arange(len(self.count)), self.count)
        self.mode: NDArray[Any] = words[raw["mode"]]
        self.lambda_t: NDArray[np.float64] = raw["lambda"][:, :, :-1]
        self.lambda_n: NDArray[np.float64] = raw["lambda"][:, :, -1]
        self.a_t: NDArray[np.float64] = raw["a"][:, :, :-1]
        self.a_n: NDArray[np.float64] = raw["a"][:, :, -1]
        self.error: NDArray[Any] = np.full(len(self.count), "", dtype=object)
        for item, reason in raw["errors"]:
            self.error[item] = reason

    @property
    def consistent_modes(self) -> NDArray[Any]:
        """The names of the consistent modes of each item, joined by ``|``."""
        names = [str(name) for name in self.mode]
        first = self.first
        return np.array(["|".join(names[first[i] : first[i + 1]]) or "none" for i in range(len(self))])

    def __len__(self) -> int:
        return len(self.count)

    def __getitem__(self, item: int) -> Analysis:
        if not -len(self) <= item < len(self):
            raise IndexError(f"item {item} of a batch of {len(self)}")
        W, b, u, mu = (x[item if len(x) == len(self) else 0] for x in self._inputs)
        return analyze(contact_space(W, b, u, mu, dimension=self.dimension))

    def __iter__(self) -> Iterator[Analysis]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        words, counts = np.unique(self.verdict, return_counts=True)
        lines = [f"  {word or 'not decided'}: {count}" for word, count in zip(words, counts)]
        return "\n".join([f"painleve.Batch of {len(self)} items, {len(self.mode)} solutions", *lines])

    def _repr_html_(self) -> str:
        return html_page("", repr(self))


def _shaped(name: str, value: ArrayLike, tail: tuple[int, ...]) -> NDArray[np.float64]:
    """The array with one leading axis of items; one item stands for all."""
    array = np.ascontiguousarray(value, dtype=np.float64)
    array = array.reshape((1,) + array.shape) if array.ndim == len(tail) else array
    if array.ndim != len(tail) + 1 or array.shape[1:] != tail:
        wanted = ", ".join(str(n) for n in tail)
        raise InputError(f"{name} has the shape {np.shape(value)}, expected ({wanted}) or (items, {wanted})")
    return array


def analyze_batch(
    W: ArrayLike, b: ArrayLike, u: ArrayLike, mu: ArrayLike, *, dimension: int = 2, threads: int = 0,
    errors: str = "raise",
) -> Batch:
    """The modes and the verdict of many contact spaces, on all cores.

    ``W`` (items, n, n) [1/kg], ``b`` (items, n) [m/s²], ``u`` (items, n) [m/s], ``mu`` (items, contacts), with
    n = dimension × contacts, stacked per contact, tangents first. What has no axis of items holds for all of them; a
    number for ``mu`` holds for all contacts. Numbers are taken at face value: exactly 0 is rest, and all contacts are
    closed. ``errors="keep"`` analyses what can be and leaves the sentence of the others in ``error``.

    >>> import numpy as np, painleve as pnl
    >>> mu = np.linspace(0, 3, 7)[:, None]
    >>> batch = pnl.analyze_batch([[2.5, 1.5], [1.5, 2.5]], b=[0, -1], u=[1, 0], mu=mu)
    >>> list(batch.verdict)
    ['unique', 'unique', 'unique', 'unique', 'inconsistent', 'inconsistent', 'inconsistent']
    >>> batch.lambda_n[:, 0].round(4)                            # [N], one row per solution
    array([0.4   , 0.5714, 1.    , 4.    ])
    """
    one_of("errors", errors, ("raise", "keep"))
    if dimension not in (2, 3):
        raise InputError(f"dimension is {dimension}, expected 2 or 3")
    n = np.shape(W)[-1] if np.ndim(W) >= 2 else 0
    if n == 0 or n % dimension:
        raise InputError(f"W has the shape {np.shape(W)}, expected square matrices with {dimension} rows per contact")
    contacts = n // dimension
    friction = np.full(contacts, float(mu)) if np.ndim(mu) == 0 else mu  # type: ignore[arg-type]
    inputs = (_shaped("W", W, (n, n)), _shaped("b", b, (n,)), _shaped("u", u, (n,)),
              _shaped("mu", friction, (contacts,)))
    lengths = {len(x) for x in inputs} - {1}
    if len(lengths) > 1:
        counts = ", ".join(str(len(x)) for x in inputs)
        raise InputError(f"W, b, u and mu have {counts} items; they must agree, or be 1")
    items = lengths.pop() if lengths else 1
    raw = _core.analyze_batch(dimension, items, contacts, *inputs, whole("threads", threads, 0))
    if errors == "raise" and raw["errors"]:
        item, reason = raw["errors"][0]
        raise InputError(f"item {item}: {reason}")
    return Batch(raw, inputs, dimension)
