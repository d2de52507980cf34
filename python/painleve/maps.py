"""`map`: quantities over a grid of parameters and state variables."""

from __future__ import annotations

import math
import os
from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import InputError
from .arguments import Number, Range, axis_range, given, one_of, quantity, whole
from .results import Result, number
from .scenes import SceneLike, Value, scenario

_MOST_INLINE = 10000  # cells whose values stand in the JSON object, as in the program's


class MapAxis(Result):
    """An axis: ``name``, ``path``, ``unit``, ``from_``, ``to``, ``count`` and its ``values`` (an array)."""

    name: str
    path: str
    unit: str
    to: float
    count: int
    values: NDArray[np.float64]

    def __init__(self, axis: _core.MapAxis, values: NDArray[np.float64], inline: bool) -> None:
        data = {"name": axis.name, "path": axis.path, "unit": axis.unit, "from": axis.start, "to": axis.stop,
                "count": axis.count}
        super().__init__({**data, "values": values.tolist()} if inline else data)
        self.values = values


class MapQuantity(Result):
    """One quantity over all cells: ``name``, ``kind`` (``"word"`` or ``"number"``), ``unit`` and ``values``.

    ``values`` has the shape of the grid: numbers in ``unit`` with NaN where there is none, or words with None.
    ``numbers`` are the values, or the indices of the words in ``names``, as a view without copying; ``reason`` says per
    cell why there is no value.
    """

    name: str
    kind: str
    unit: str
    undefined: int

    def __init__(self, core: _core.Map, index: int, axes: Sequence[MapAxis], inline: bool) -> None:
        name, unit, words, names = core.columns()[index]
        self.numbers: NDArray[np.float64] = core.values(index)
        self.names: list[str] = names
        self.axes = axes
        self._reason_of = core.reason_indices(index)
        self._reasons = core.reasons()
        self._words = words
        super().__init__({"name": name, "kind": "word" if words else "number", "unit": unit})
        self._data.update(self._summary())
        if inline:
            self._data["values"] = _finite(self.values)
            if not np.isfinite(self.numbers).all():
                reasons = self._data["reasons"]
                self._data["values_reason"] = reasons[0]["reason"] if reasons else "they are beyond all numbers"

    @property
    def values(self) -> NDArray[Any]:
        """Numbers, or words, in the shape of the grid."""
        if not self._words:
            return self.numbers
        words = np.array([*self.names, None], dtype=object)
        missing = np.isnan(self.numbers)
        table: NDArray[Any] = words[np.where(missing, len(self.names), self.numbers).astype(int)]
        return table

    @property
    def reason(self) -> NDArray[Any]:
        """Per cell, why there is no value; empty where there is one."""
        return np.array([*self._reasons, ""], dtype=object)[self._reason_of]

    def _summary(self) -> dict[str, Any]:
        missing = np.isnan(self.numbers)
        data: dict[str, Any] = {}
        if self._words:
            counts = np.bincount(self.numbers[~missing].astype(int), minlength=len(self.names))
            data["words"] = {word: int(count) for word, count in zip(self.names, counts)}
        else:
            self._put_extreme(data, "min", None if missing.all() else int(np.nanargmin(self.numbers)))
            self._put_extreme(data, "max", None if missing.all() else int(np.nanargmax(self.numbers)))
        data["undefined"] = int(missing.sum())
        told = self._reason_of[missing & (self._reason_of >= 0)]
        counts = np.bincount(told, minlength=len(self._reasons))
        order = sorted((i for i in range(len(self._reasons)) if counts[i]), key=lambda i: -int(counts[i]))
        data["reasons"] = [{"reason": self._reasons[i], "count": int(counts[i])} for i in order]
        return data

    def _put_extreme(self, data: dict[str, Any], key: str, cell: int | None) -> None:
        value = math.nan if cell is None else float(self.numbers.flat[cell])
        data[key] = value if math.isfinite(value) else None
        if data[key] is None:
            data[key + "_reason"] = "no cell has a value" if cell is None else "it is beyond all numbers"
        if cell is not None:
            place = np.unravel_index(cell, self.numbers.shape)
            data[key + "_at"] = {a.name: float(a.values[i]) for a, i in zip(self.axes, place)}


def _finite(values: NDArray[Any]) -> Any:
    """Nested lists, with None where a number is none."""
    if values.dtype == object:
        return values.tolist()
    table = values.astype(object)
    table[~np.isfinite(values)] = None
    return table.tolist()


class Map(Result):
    """A map; the keys are those of ``painleve map --json``. ``result["verdict"]`` is the array of that quantity."""

    complete: bool
    cells: int

    def __init__(self, core: _core.Map, scene: str, axes: Sequence[_core.MapAxis]) -> None:
        self._core_map = core
        cells = math.prod(a.count for a in axes)
        inline = cells <= _MOST_INLINE
        self.axes = [MapAxis(a, core.axis_values(i), inline) for i, a in enumerate(axes)]
        self.quantities = [MapQuantity(core, i, self.axes, inline) for i in range(len(core.columns()))]
        data: dict[str, Any] = {"schema": 1, "command": "map", "scene": scene, "complete": True}
        data["axes"] = [a._data for a in self.axes]
        data["cells"] = cells
        data["quantities"] = [q._data for q in self.quantities]
        boundaries = core.boundaries()
        if boundaries:
            cut = slice(0, len(axes))
            data["boundaries"] = [{"quantity": q, "word_1": below, "word_2": above,
                                   "chains": [[point[cut] for point in chain] for chain in chains]}
                                  for q, below, above, chains in boundaries]
        super().__init__(data, core.svg)

    def quantity(self, name: str | None = None) -> MapQuantity:
        """One of the quantities by name; the first one without a name."""
        for q in self.quantities:
            if name is None or q.name == name:
                return q
        raise KeyError(f"{name!r}; the map has {', '.join(q.name for q in self.quantities)}")

    def __getitem__(self, key: str) -> Any:
        if key in ("axes", "quantities"):
            return getattr(self, key)
        return super().__getitem__(key) if key in self._data else self.quantity(key).values

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes ``map.h5`` or ``map.csv``; the program reads ``map.h5`` back."""
        self._core_map.write(os.fspath(path))

    def _lines(self) -> list[str]:
        lines = [f"{self._data['scene']}: " + " × ".join(str(a.count) for a in self.axes) + " cells"]
        for a in self.axes:
            lines.append(f"{a.name} from {number(a['from'])} to {number(a.to)} {_unit(a.unit)}".rstrip())
        for q in self.quantities:
            if q.kind == "word":
                lines.append(f"{q.name}: " + ", ".join(f"{word} {count}" for word, count in q._data["words"].items()))
            else:
                least, most = number(q._data["min"]), number(q._data["max"])
                lines.append(f"{q.name}: {least} to {most} {_unit(q.unit)}".rstrip())
        return lines


def _unit(unit: str) -> str:
    return "" if unit == "1" else unit


def _check_use(of: Sequence[str], options: Mapping[str, Any]) -> None:
    runs = any(_core.quantity_cost(name) == 3 for name in of)
    steps = any(name.endswith("_step") for name in of)
    for name in ("method", "t_end", "policy"):
        if name in options and not runs:
            raise InputError(f"{name} is for quantities of a run, as outcome")
    if "dt" in options and not steps and not (runs and options.get("method") == "step"):
        raise InputError("dt is for runs by the method step and for quantities of a time step, as verdict_step")
    for name in ("dt", "t_end"):
        if name in options and not options[name] > 0:
            raise InputError(f"{name} must be greater than 0 s")


def map(  # the name of the program's verb, and of what the field calls it
    scene: SceneLike, over: Mapping[str, Range], of: str | Sequence[str] = "verdict", *, threads: int = 0,
    boundaries: bool | float = False, method: str | None = None, t_end: Number | None = None, dt: Number | None = None,
    policy: str | None = None, overrides: Mapping[str, Value] | None = None, **values: Value,
) -> Map:
    """Quantities over a grid of parameters and state variables, on all cores.

    ``over`` maps one or more names to ranges, both ends included: ``"0:90deg:400"``, ``(0, 1.57, 400)`` or
    ``(0, 1.57)``; the last one runs fastest. ``of`` names one or several of `quantities`, ``"tip.mu_jam"`` for one contact.
    ``boundaries`` locates the changes between words (True, or a tolerance relative to the range). For quantities of a
    run (``"outcome"``): ``method``, ``t_end`` [s], ``dt`` [s], ``policy``. Angles [rad].

    >>> import painleve as pnl
    >>> m = pnl.map("rod", {"theta": "0:90deg:5", "mu": (0, 3, 4)}, of=["verdict", "mu_jam"], slip=-1)
    >>> m["verdict"].shape, m.quantity("verdict").words.to_dict()
    ((5, 4), {'unique': 20})
    >>> m["mu_jam"][1, 0].round(6), m.axes[0].values[1].round(6)
    (3.357023, 0.392699)
    """
    s = scenario(scene, overrides, **values).copy()
    names = [of] if isinstance(of, str) else list(of)
    if not names or len(set(names)) < len(names):
        raise InputError("of needs one or more quantities, each once")
    if not over:
        raise InputError("over needs one or more axes")
    one_of("method", method or "event", ("event", "step", "compliant"))
    options = given(dict(method=method, policy=policy))
    options.update(given(dict(t_end=None if t_end is None else quantity("t_end", t_end, "s"),
                              dt=None if dt is None else quantity("dt", dt, "s"))))
    _check_use(names, options)
    axes = [_core.MapAxis(s._source, name, *axis_range(name, value, s.unit(name), len(over)))
            for name, value in over.items()]
    tolerance = None if boundaries is False else 1e-12 if boundaries is True else float(boundaries)
    core = _core.compute_map(s._source, s.name, axes, names, options, whole("threads", threads, 0), tolerance)
    return Map(core, s.name, axes)
