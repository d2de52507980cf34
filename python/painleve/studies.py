"""Studies of many states: `search`, `converge`, and the `quantities` that they know."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Sequence

from . import _core
from ._core import InputError
from .arguments import Number, Range, axis_range, logarithmic, quantity, whole, words
from .results import Result, number
from .scenes import Scene, SceneLike, Value, scenario


def quantities() -> list[str]:
    """The names of all quantities that `map` and `search` take.

    >>> import painleve as pnl
    >>> {"verdict", "mu_jam", "p", "outcome"} <= set(pnl.quantities())
    True
    """
    return _core.quantity_names()


class Search(Result):
    """All local extremes; the keys are those of ``painleve search --json``: ``minima`` or ``maxima``, ``edge``, …"""

    quantity: str
    sense: str
    edge: list[Result]
    unbounded: list[Result]
    independent_of: list[str]
    guarantee: str
    complete: bool

    @property
    def extremes(self) -> list[Result]:
        """The interior extremes and those at an edge, the best first."""
        sign = 1 if self._data["sense"] == "minimise" else -1
        every: list[Result] = self["minima" if sign > 0 else "maxima"] + self["edge"]
        return sorted(every, key=lambda e: sign * float(e.value))

    def _lines(self) -> list[str]:
        lines = [f"{self._data['scene']}: {self._data['sense']} {self._data['quantity']}"]
        for e in self.extremes[:6]:
            place = ", ".join(f"{name} = {number(value)}" for name, value in e._data["at"].items())
            lines.append(f"{number(e.value)} at {place}{'' if e.interior else ' (edge)'}")
        lines += [f"unbounded towards {e['towards']}" for e in self._data["unbounded"]]
        return lines


class Convergence(Result):
    """How springs and time steps approach the rigid answers; the keys are those of ``painleve converge --json``."""

    verdict: str
    verdict_reason: str
    agrees: bool | None
    futures: list[Result]
    series: list[Result]
    complete: bool

    def _lines(self) -> list[str]:
        lines = [f"{self._data['scene']}: {self._data['verdict']}", str(self._data["verdict_reason"])]
        for s in self._data["series"]:
            future = "no rigid future" if s.get("future") is None else f"rigid future {s['future']}"
            lines.append(f"{s['name']}: {future}")
        return lines


def _place(axes: Sequence[_core.SearchAxis], at: Sequence[float]) -> dict[str, float]:
    return {a.name: x for a, x in zip(axes, at)}


def _family(axes: Sequence[_core.SearchAxis], e: Mapping[str, Any]) -> dict[str, Any]:
    if e["members"] == 1:
        return {"family": None, "family_reason": "no other place of the same value is joined to it"}
    return {"family": {"members": e["members"], "from": _place(axes, e["from"]), "to": _place(axes, e["to"])}}


def _extreme(axes: Sequence[_core.SearchAxis], e: Mapping[str, Any]) -> dict[str, Any]:
    data = {"value": e["value"], "at": _place(axes, e["at"])}
    data.update({key: e[key] for key in ("interior", "at_hole", "confirmed")})
    data.update(_family(axes, e))
    if "q" in e:
        data["q"] = e["q"]
    return data


def _search_dict(
    scene: Scene, axes: Sequence[_core.SearchAxis], raw: Mapping[str, Any], minimise: bool
) -> dict[str, Any]:
    data: dict[str, Any] = {"schema": 1, "command": "search", "scene": scene.name, "quantity": raw["quantity"],
                            "sense": "minimise" if minimise else "maximise"}
    data["over"] = [{"name": a.name, "path": a.path, "unit": scene._source.unit(a.path), "from": a.start, "to": a.stop,
                     "count": a.count, "cell": cell} for a, cell in zip(axes, raw["cell"])]
    kind = "minima" if minimise else "maxima"
    data[kind] = [_extreme(axes, e) for e in raw["extremes"] if e["interior"]]
    data["edge"] = [_extreme(axes, e) for e in raw["extremes"] if not e["interior"]]
    data["unbounded"] = [{"towards": _place(axes, e["at"]), "exponent": e["exponent"], "last_value": e["value"],
                          **_family(axes, e)} for e in raw["unbounded"]]
    data["independent_of"] = raw["independent_of"]
    cells = ", ".join(f"{cell:.3g} in {a.name}" for a, cell in zip(axes, raw["cell"]))
    data["guarantee"] = ("an extreme better than all grid points between one and two cells from it is found; one whose "
                         f"basin is narrower than a cell ({cells}) can be missed")
    data["evaluated"], data["undefined"] = raw["evaluated"], raw["undefined"]
    if raw["undefined"]:
        data["undefined_reason"] = raw["undefined_reason"]
    data["complete"] = raw["complete"]
    return data


def search(
    scene: SceneLike, over: Mapping[str, Range], *, minimise: str | None = None, maximise: str | None = None,
    threads: int = 0, overrides: Mapping[str, Value] | None = None, **values: Value,
) -> Search:
    """All local extremes of a quantity over a box of parameters and state variables.

    ``over`` maps names to ranges, as in `map`; ``minimise`` or ``maximise`` is one of `quantities` that are numbers. The
    result says what it guarantees. Angles [rad].

    >>> import painleve as pnl
    >>> least = pnl.search("rod", {"theta": "1deg:89deg"}, minimise="mu_jam")
    >>> round(least.minima[0].value, 12), round(least.minima[0].at.theta, 6)     # 4/3 at atan(2)
    (1.333333333333, 1.107149)
    """
    if (minimise is None) == (maximise is None):
        raise InputError("search takes one of minimise and maximise")
    if not over:
        raise InputError("over needs one or more axes")
    s = scenario(scene, overrides, **values).copy()
    axes = [_core.SearchAxis(s._source, name, *axis_range(name, value, s.unit(name), len(over)))
            for name, value in over.items()]
    raw = _core.search(s._source, minimise or maximise or "", maximise is None, axes, whole("threads", threads, 0))
    return Search(_search_dict(s, axes, raw, maximise is None))


def converge(
    scene: SceneLike, stiffness: Range | None = None, *, dt: Range | None = None, t_end: Number = 0.1,
    regularisation: str | Iterable[str] | None = None, scheme: str | Iterable[str] | None = None,
    step_theta: float | None = None, policy: str | None = None, tolerance: float = 1e-11,
    overrides: Mapping[str, Value] | None = None, **values: Value,
) -> Convergence:
    """How springs of growing stiffness [N/m] and shorter time steps [s] approach the rigid answers.

    ``stiffness`` and ``dt`` are ``"1e3:1e8:6"`` (equal ratios) or lists of values; ``t_end`` [s] is where every run ends.
    ``regularisation`` names springs to try, ``scheme`` ``"moreau-jean"`` and ``"stewart-trinkle"``, ``policy`` what to do
    where a step has several solutions (default ``"all"``).

    >>> import painleve as pnl
    >>> study = pnl.converge("rod-no-solution", "1e4:1e7:4", regularisation="viscoelastic", t_end=0.05)
    >>> len(study.futures), study.series[0].rows[-1].stiffness        # [N/m]
    (1, 10000000.0)
    """
    springs, steps = logarithmic("stiffness", stiffness, "N/m"), logarithmic("dt", dt, "s")
    for name, value in (("scheme", scheme), ("step_theta", step_theta), ("policy", policy)):
        if value is not None and not steps:
            raise InputError(f"{name} is for time steps: give dt as well")
    if regularisation is not None and not springs:
        raise InputError("regularisation is for springs: give stiffness as well")
    s = scenario(scene, overrides, **values).copy()
    options = {"stiffness": springs, "dt": steps, "regularisation": words(regularisation), "scheme": words(scheme),
               "theta": 0.5 if step_theta is None else float(step_theta), "t_end": quantity("t_end", t_end, "s"),
               "policy": policy or "all", "tolerance": float(tolerance)}
    study = _core.converge(s._source, options)
    return Convergence(study.json(), study.svg)
