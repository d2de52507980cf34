"""What is asked of one state: `analyze`, `solve`, `impact`, `cone`."""

from __future__ import annotations

from typing import Any, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import InputError
from .arguments import Number, one_of, quantity, whole
from .results import Result, number
from .scenes import SceneLike, Value, scenario


class Analysis(Result):
    """Everything about one state; the keys are those of ``painleve analyze --json``.

    Forces [N], accelerations [m/s²], W and p [1/kg], growth rates [1/s], angles [rad].
    """

    mechanism: str
    dimension: int
    W: NDArray[np.float64]
    b: NDArray[np.float64]
    drift: NDArray[np.float64]
    u: NDArray[np.float64]
    state: Result
    contacts: list[Result]
    modes: list[Result]
    consistent_modes: list[str]
    iwc: list[Result]
    continuations: list[str]
    resolution: str | None
    verdict: str | None
    jam: bool
    complete: bool
    force_family_dimension: int
    motion_family_dimension: int

    def _lines(self) -> list[str]:
        lines = [f"{self._data['scene']} ({self._data['mechanism']}): {self._data['verdict'] or 'not decided'}"]
        for contact in self._data.get("contacts", []):
            if "touch" in contact:  # drifting contacts have normals alone
                lines.append(f"contact {contact['name']}: {contact['touch']}, mu {number(contact['mu'])}, "
                             f"mu_jam {number(contact['mu_jam'])}, p {number(contact['p'])} 1/kg")
        for mode in self._data["modes"]:
            if mode["consistent"]:
                lines.append(f"mode {mode['name']}: lambda_n {mode.get('lambda_n')} N, {mode['stability']}")
        lines.append(f"goes on as: {', '.join(self._data['continuations']) or 'nothing'}")
        return lines


class Solutions(Result):
    """All solutions of a complementarity problem; the keys are those of ``painleve solve --json``.

    Forces [N] and accelerations [m/s²], or impulses [N s] and velocities [m/s]; ``residual`` is that of the contact laws,
    relative.
    """

    formulation: str
    dt: float | None
    count: int
    complete: bool
    verdict: str | None
    solutions: list[Result]
    lemke: Result

    def _lines(self) -> list[str]:
        dt = f", dt {number(self._data['dt'])} s" if self._data["dt"] is not None else ""
        complete = "complete" if self._data["complete"] else "perhaps not complete"
        lines = [f"{self._data['scene']}, {self._data['formulation']}{dt}: {self._data['count']} solutions, {complete}"]
        for s in self._data["solutions"]:
            key = "lambda" if "lambda_n" in s else "Lambda"
            lines.append(f"{s['mode']}: {key}_n {s[key + '_n']}, {key}_t {s[key + '_t']}, residual {s['residual']:.1e}")
        return lines


class Impact(Result):
    """The outcome of an impact; the keys are those of ``painleve impact --json``. Velocities [m/s], impulses [N s]."""

    law: str | None
    restitution: float | None
    without_collision: bool
    before: Result
    after: Result | None
    Lambda_n: NDArray[np.float64] | None
    Lambda_t: NDArray[np.float64] | None
    phases: list[str]
    region: str | None
    energy_before: float | None
    energy_after: float | None
    restitution_observed: float | None
    bounce: Result | None

    def _lines(self) -> list[str]:
        d = self._data
        if d["after"] is None:
            return [f"{d['scene']}: no impact, {d['after_reason']}"]
        kind = "impact without collision" if d["without_collision"] else "impact"
        return [f"{d['scene']}: {kind}", f"before {d['before']} m/s", f"after {d['after']} m/s",
                f"phases: {', '.join(d['phases'])}"]


class Cone(Result):
    """The generalized friction cone of a contact: the velocity changes that its forces can produce.

    ``W`` [1/kg], ``mu``, ``mu_crit``, ``mu_jam``, ``e_jam``, ``locking_angle`` [rad], ``Q`` [kg²]: δu lies in the cone
    where δuᵀQ δu ≤ 0 and the normal impulse is not negative. ``rays`` are the edges W (−mu e, 1) [1/kg] for the unit
    vectors ``slip_directions``.
    """

    contact: str
    dimension: int
    mu: float
    W: NDArray[np.float64]
    mu_crit: float | None
    mu_jam: float | None
    e_jam: NDArray[np.float64] | None
    locking_angle: float
    Q: NDArray[np.float64] | None
    slip_directions: NDArray[np.float64]
    rays: NDArray[np.float64]

    def _lines(self) -> list[str]:
        d = self._data
        return [f"contact {d['contact']}, mu {number(d['mu'])}", f"mu_crit {number(d['mu_crit'])}",
                f"mu_jam {number(d['mu_jam'])}", f"locking angle {number(d['locking_angle'])} rad"]


def analyze(scene: SceneLike, overrides: Mapping[str, Value] | None = None, /, **values: Value) -> Analysis:
    """Everything about one state: contacts, modes with reasons, stability, impact without collision, verdict.

    ``verdict`` is ``"unique"``, ``"inconsistent"`` (no motion), ``"indeterminate"`` (several) or ``"impact"``;
    ``modes`` lists every admissible mode with its forces [N] and accelerations [m/s²], or the reason against it.

    >>> import painleve as pnl
    >>> found = pnl.analyze("rod-three-solutions")
    >>> found.verdict, found.consistent_modes
    ('indeterminate', ['F', 'S-'])
    >>> found.modes[1].lambda_n                                  # [N]
    array([7.55449973])
    """
    s = scenario(scene, overrides, **values).copy()
    return Analysis(_core.analyze(s._source), lambda: _core.analyze_svg(s._source))


def solve(
    scene: SceneLike, formulation: str = "acceleration", *, dt: Number | None = None, with_drift: bool = False,
    form: str | None = None, facets: int = 0, overrides: Mapping[str, Value] | None = None, **values: Value,
) -> Solutions:
    """All solutions of one complementarity problem, with certificates.

    ``formulation`` is ``"acceleration"`` (forces [N]), ``"impulse"`` or ``"step"`` (impulses [N s]); of a step, ``dt``
    [s] (default 0.01), ``with_drift`` (adds dt J̇v to the free velocity) and ``form`` (``"stewart-trinkle"`` or
    ``"anitescu-potra"``). In space ``facets`` ≥ 3 takes a polygon for the round cone.

    >>> import painleve as pnl
    >>> step = pnl.solve("rod-three-solutions", "step", dt=0.01)
    >>> [s.mode for s in step.solutions]
    ['F', 'S-', 'T']
    >>> step.solutions[1].Lambda_n, step.solutions[1].Lambda_t    # [N s]
    (array([0.075545]), array([[0.1133175]]))
    """
    one_of("formulation", formulation, ("acceleration", "impulse", "step"))
    if formulation != "step":
        for name, unused in (("dt", dt is None), ("with_drift", not with_drift), ("form", form is None)):
            if not unused:
                raise InputError(f"{name} is for the formulation step, not {formulation}")
    one_of("form", form or "stewart-trinkle", ("stewart-trinkle", "anitescu-potra"))
    s = scenario(scene, overrides, **values).copy()
    arguments = (formulation, quantity("dt", 0.01 if dt is None else dt, "s"), bool(with_drift),
                 form or "stewart-trinkle", whole("facets", facets, 0))
    return Solutions(_core.solve(s._source, *arguments), lambda: _core.solve_svg(s._source, *arguments))


def impact(
    scene: SceneLike, *, law: str | None = None, restitution: float | None = None, several: str = "sequential",
    approach: Number | Mapping[str, Number] | None = None, without_collision: str | Iterable[str] = (),
    overrides: Mapping[str, Value] | None = None, **values: Value,
) -> Impact:
    """What an impact, or an impact without collision, makes of the velocities at this state.

    ``law`` (``"energetic"``, ``"poisson"``, ``"newton"``) and ``restitution`` (0 to 1) override the scene's;
    ``approach`` [m/s] is the speed with which the first closed contact strikes, or a mapping of speeds by contact;
    ``without_collision`` names contacts on which an impact without collision is asked for; ``several`` is
    ``"sequential"``, ``"simultaneous"`` or ``"compliant"``. Velocities [m/s], impulses [N s], energies [J].

    >>> import painleve as pnl
    >>> hit = pnl.impact("rod", theta="90deg", slip=0.5, mu=0.2, approach=1, restitution=0.5)
    >>> hit.after.u_n, hit.phases
    (array([0.5]), ['slip+ compression', 'stick compression', 'stick restitution'])
    """
    s = scenario(scene, overrides, **values).copy()
    speeds: dict[str, float] = {}
    if isinstance(approach, Mapping):
        speeds = {name: quantity("approach", speed, "m/s") for name, speed in approach.items()}
    elif approach is not None:
        speeds = {"": quantity("approach", approach, "m/s")}
    names = [without_collision] if isinstance(without_collision, str) else list(without_collision)
    share = None if restitution is None else quantity("restitution", restitution, "1")
    arguments: tuple[Any, ...] = (law, share, several, speeds, names)
    return Impact(_core.impact(s._source, *arguments), lambda: _core.impact_svg(s._source, *arguments))


def cone(
    scene: SceneLike, contact: str = "", *, mu: float | None = None, segments: int = 96,
    overrides: Mapping[str, Value] | None = None, **values: Value,
) -> Cone:
    """The generalized friction cone of a contact (the first one, unless named), the other contacts free.

    ``mu`` other than the contact's may be given; ``segments`` is the number of rays of a spatial cone. From ``mu_jam``
    on, slip along ``e_jam`` is pressed into the surface by its own friction. Angles [rad], rays and W [1/kg].

    >>> import painleve as pnl
    >>> k = pnl.cone("rod", theta="120deg", mu=1.5)
    >>> round(k.mu_jam, 6), k.e_jam
    (1.347151, array([-1.]))
    """
    s = scenario(scene, overrides, **values).copy()
    data = _core.cone(s._source, contact, mu, whole("segments", segments, 8))
    plain = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in data.items()}
    return Cone(plain, lambda: _core.cone_svg(s._source, data["contact"], data["mu"]))
