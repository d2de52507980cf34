"""`simulate`: the motion through impacts, jams and indeterminacies."""

from __future__ import annotations

import os
from typing import Any, Mapping

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import InputError
from .arguments import Number, given, one_of, quantity, whole
from .results import Result, number
from .scenes import Scene, SceneLike, Value, scenario

# Which options have a meaning for which methods; one that would change nothing is a misunderstanding.
_USES = {"dt": ("step",), "scheme": ("step",), "step_theta": ("step",), "position_correction": ("step",),
         "seed": ("event", "step"), "several": ("event",), "tolerance": ("event", "compliant"),
         "smoothing": ("compliant",)}


class Trajectory:
    """The samples of a run, one row each, as read-only views of the run's own memory: nothing is copied.

    ================  =================================================================================
    ``t``             (rows) times [s], never falling
    ``q``, ``v``      (rows, coordinates) coordinates [m, rad] and velocities [m/s, rad/s]
    ``gap``           (rows, contacts) [m]
    ``u``             (rows, contacts, dimension) contact velocities [m/s], tangents first
    ``force``         (rows, contacts, dimension) contact forces λ [N], tangents first
    ``u_t``, ``u_n``, ``lambda_t``, ``lambda_n``  their parts
    ``mode``          (rows) words over all contacts, F where no force acts
    ``energy``        (rows) kinetic, potential and stored in springs [J]
    ``solutions``, ``taken``  (rows) time stepping: how many solutions a step had, and which was taken
    ================  =================================================================================

    ``trajectory["theta"]``, ``["theta_dot"]`` and ``["tip.lambda_n"]`` are single columns by name.
    """

    def __init__(self, table: _core.Trajectory, coordinates: list[str], contacts: list[str]) -> None:
        self._table = table
        self.coordinates = coordinates
        self.contacts = contacts
        self.t, self.energy = table.t, table.energy
        self.q, self.v, self.gap = table.q, table.v, table.gap
        self.u, self.force = table.u, table.force
        self.solutions, self.taken = table.solutions, table.taken

    @property
    def u_t(self) -> NDArray[np.float64]:
        """(rows, contacts, tangents) tangential velocities [m/s]."""
        return self.u[:, :, :-1]

    @property
    def u_n(self) -> NDArray[np.float64]:
        """(rows, contacts) normal velocities [m/s]."""
        return self.u[:, :, -1]

    @property
    def lambda_t(self) -> NDArray[np.float64]:
        """(rows, contacts, tangents) friction forces [N]."""
        return self.force[:, :, :-1]

    @property
    def lambda_n(self) -> NDArray[np.float64]:
        """(rows, contacts) normal forces [N]."""
        return self.force[:, :, -1]

    @property
    def mode(self) -> NDArray[Any]:
        """(rows) words over all contacts."""
        return np.array(self._table.words, dtype=str)[self._table.mode]

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name in ("t", "energy", "mode", "solutions", "taken"):
            column: NDArray[Any] = getattr(self, name)
            return column
        if name in self.coordinates:
            return self.q[:, self.coordinates.index(name)]
        if name.endswith("_dot") and name[:-4] in self.coordinates:
            return self.v[:, self.coordinates.index(name[:-4])]
        contact, _, key = name.rpartition(".")
        if contact in self.contacts and key in ("gap", "u_t", "u_n", "lambda_t", "lambda_n"):
            part: NDArray[Any] = getattr(self, key)[:, self.contacts.index(contact)]
            return part[:, 0] if part.ndim == 2 and part.shape[1] == 1 else part
        raise KeyError(f"{name!r}; there are t, {', '.join(self.coordinates)} and their _dot, "
                       f"{', '.join(c + '.gap' for c in self.contacts)} and their u_t, u_n, lambda_t, lambda_n, "
                       "mode, energy, solutions, taken")

    def __repr__(self) -> str:
        span = f" from t = {self.t[0]:.6g} to {self.t[-1]:.6g} s" if len(self) else ""
        return f"painleve.Trajectory of {len(self)} samples{span}\n  {', '.join(self.coordinates + self.contacts)}"


class Simulation(Result):
    """How a run went; the keys are those of ``painleve simulate --json``, and `trajectory` holds its samples.

    Times [s], coordinates [m, rad], impulses [N s], energies [J]. ``futures`` are the branches of an indeterminacy,
    each a `Simulation` of its own.
    """

    method: str
    stopped: str
    stop_reason: str
    t: float
    q: Result
    v: Result
    events: list[Result]
    impulse_n: NDArray[np.float64]
    impulse_t: NDArray[np.float64]
    outcome: str
    energy: Result

    def __init__(self, run: _core.Run, data: dict[str, Any]) -> None:
        super().__init__(data, run.svg)
        self._run = run
        self._trajectory: Trajectory | None = None
        branches = run.futures()
        self._wrapped["futures"] = [Simulation(r, d) for r, d in zip(branches, data["futures"])]

    @property
    def trajectory(self) -> Trajectory:
        """The samples as arrays; see `Trajectory`."""
        if self._trajectory is None:
            self._trajectory = Trajectory(self._run.trajectory(), self._run.coordinates(), self._run.contacts())
        return self._trajectory

    @property
    def futures(self) -> list[Simulation]:
        """The branches, where the motion can go on in several ways and all are followed."""
        branches: list[Simulation] = self._wrapped["futures"]
        return branches

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes ``run.csv`` (events go to ``run.events.csv``) or ``run.h5``, futures included."""
        self._run.write(os.fspath(path))

    def _lines(self) -> list[str]:
        d = self._data
        reason = f" ({d['stop_reason']})" if d.get("stop_reason") else ""
        head = f"{d['scene']}, {d['method']}" if "scene" in d else d.get("why", "")
        lines = [f"{head}: stopped at t = {d['t']:.6g} s by {d['stopped']}{reason}"]
        lines += [f"t = {e['t']:.6g} s: {e['kind']} {e['contact'] or ''} {e['mode']}".rstrip() for e in d["events"][:6]]
        if len(d["events"]) > 6:
            lines.append(f"and {len(d['events']) - 6} events more")
        lines.append(f"energy {number(d['energy']['initial'])} → {number(d['energy']['final'])} J, "
                     f"defect {d['energy']['defect']:.1e} J")
        return lines + [f"future: {f['why']}" for f in d["futures"]]


def _check_use(scene: Scene, options: Mapping[str, Any]) -> None:
    method = options.get("method") or _core.chosen_method(scene._source)
    for name, methods in _USES.items():
        if name in options and method not in methods:
            raise InputError(f"{name} is for the method {' or '.join(methods)}, not {method}")
    if "seed" in options and options.get("policy") != "seeded":
        raise InputError("seed is for the policy seeded")
    if options.get("scheme") == "stewart-trinkle":
        for name in ("step_theta", "position_correction"):
            if name in options:
                raise InputError(f"{name} is for the scheme moreau-jean")


def simulate(
    scene: SceneLike, t_end: Number = 1.0, *, method: str | None = None, policy: str | None = None,
    seed: int | None = None, samples: int = 1000, tolerance: float | None = None, several: str | None = None, dt: Number | None = None,
    scheme: str | None = None, step_theta: float | None = None, position_correction: float | None = None,
    smoothing: Number | None = None, overrides: Mapping[str, Value] | None = None, **values: Value,
) -> Simulation:
    """The motion of a scene until ``t_end`` [s], with its events and energy.

    ``method``: ``"event"`` (rigid contacts, located events; default), ``"step"`` (fixed steps ``dt`` [s], default
    1e-3; ``scheme`` ``"moreau-jean"`` with ``step_theta``, 0.5 to 1, and ``position_correction``, 0 to 1, or
    ``"stewart-trinkle"``) or ``"compliant"`` (springs; ``smoothing`` [m/s]). ``policy`` at several continuations: ``"principle"`` (default),
    ``"stiff-limit"``, ``"seeded"`` (with ``seed``) or ``"all"`` (see ``futures``). ``samples`` are evenly spaced beside
    those at events; ``tolerance`` is the relative one of the integrators (1e-11); ``several`` as in `impact`.

    >>> import painleve as pnl
    >>> run = pnl.simulate("rod-falling", 0.5, samples=100)
    >>> run.stopped, round(run.trajectory["theta"][-1], 6)        # [rad]
    ('t_end', 1.211144)
    >>> both = pnl.simulate("rod-three-solutions", 0.1, policy="all")
    >>> [future.why.split(",")[0] for future in both.futures]
    ['mode F', 'mode S-', 'impact without collision I']
    """
    options = given(dict(method=method, policy=policy, seed=seed, tolerance=tolerance, several=several, scheme=scheme,
                         step_theta=step_theta, position_correction=position_correction))
    s = scenario(scene, overrides, **values)
    one_of("method", method or "event", ("event", "step", "compliant"))
    options["t_end"] = quantity("t_end", t_end, "s")
    options["samples"] = whole("samples", samples, 0)
    if dt is not None:
        options["dt"] = quantity("dt", dt, "s")
    if smoothing is not None:
        options["smoothing"] = quantity("smoothing", smoothing, "m/s")
        if options["smoothing"] < 0:
            raise InputError("smoothing must not be negative")
    _check_use(s, options)
    run = _core.simulate(s._source.copy(), options)
    return Simulation(run, run.json())
