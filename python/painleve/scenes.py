"""Scenes: where they come from, and how their values are changed."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import InputError
from .results import Result, html_page

SceneLike = Union["Scene", str, "os.PathLike[str]"]
Value = Union[float, str, bool, Sequence[float], "NDArray[np.float64]"]


class ContactSpace(Result):
    """All that the analyses know of a mechanism at a state: a = W λ + b.

    ``W`` [1/kg], ``b`` and ``drift`` (J̇v, part of b) [m/s²], ``u`` [m/s], stacked per contact, tangents first; ``gap``
    [m] and ``mu`` per contact; ``dimension``, ``names``, ``bilateral``.
    """

    dimension: int
    names: list[str]
    W: NDArray[np.float64]
    b: NDArray[np.float64]
    drift: NDArray[np.float64]
    u: NDArray[np.float64]
    gap: NDArray[np.float64]
    mu: NDArray[np.float64]
    bilateral: list[bool]


class Gallery(Result):
    """The mechanisms and scenarios that ship with the library, or one of them."""

    mechanisms: list[Result]
    scenarios: list[Result]

    def _lines(self) -> list[str]:
        if "mechanisms" not in self:
            return super()._lines()
        lines = [f"{m['name']:<22} {m['summary']}" for m in self._data["mechanisms"]]
        return lines + [f"{s['name']:<22} {s['question']}" for s in self._data["scenarios"]]


class Scene:
    """A mechanism in a posture, raw contact data or drifting contacts, with the laws of its contacts.

    Made by `scenario`, `from_urdf`, `from_mjcf`, `from_mujoco` or `contact_space`; every function of this package takes
    one, or what `scenario` takes.

    >>> import painleve as pnl
    >>> scene = pnl.scenario("rod", theta="60deg", mu=1.5)
    >>> scene.mechanism, scene.state.q.theta
    ('rod', 1.0471975511965976)
    >>> scene.set("slip", 2.0).state.v.x
    2.0
    >>> scene.with_(mu=0.2)["mu"], scene["mu"]
    (0.2, 1.5)
    """

    def __init__(self, source: _core.SceneSource, name: str) -> None:
        self._source = source
        self.name = name

    @property
    def mechanism(self) -> str:
        """The name of the mechanism, ``"contact-space"`` or ``"drifting-contacts"``."""
        return self._source.mechanism()

    @property
    def text(self) -> str:
        """The scenario as it stands, as TOML: `scenario` makes the same scene of it."""
        return self._source.text()

    @property
    def state(self) -> Result:
        """Coordinates ``q`` [m, rad] and velocities ``v`` [m/s, rad/s] by name, and the time ``t`` [s], solved for."""
        return Result(self._source.state())

    @property
    def contact_space(self) -> ContactSpace:
        """W, b, u, mu and their kin at this state.

        >>> import painleve as pnl
        >>> pnl.scenario("rod", theta="90deg").contact_space.W.round(12)
        array([[4., 0.],
               [0., 1.]])
        """
        data = self._source.contact_space()
        return ContactSpace({k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in data.items()})

    def resolve(self, key: str) -> str:
        """The full path that a name stands for: ``"theta"`` is ``"state.theta"``."""
        return self._source.resolve(key)

    def unit(self, key: str) -> str:
        """The unit in which a number of this name is read; ``"1"`` for pure numbers."""
        return self._source.unit(self.resolve(key))

    def set(self, key: str, value: Value) -> Scene:
        """Changes one value of this scene, and returns it.

        ``key`` is a full path (``"parameters.mass"``, ``"contact.tip.mu"``) or a name where it is unambiguous
        (``"mu"``); ``value`` a number in SI units, a text with a unit (``"60deg"``), a truth value, a list, or an
        expression of t for forces (``"sin(3*t)"``).
        """
        self._source.set(f"{key}={_toml(value)}")
        return self

    def with_(self, overrides: Mapping[str, Value] | None = None, /, **values: Value) -> Scene:
        """A copy with other values; this scene stays as it is.

        >>> import painleve as pnl
        >>> rod = pnl.scenario("rod")
        >>> rod.with_({"contact.tip.mu": 2}, theta="60deg")["contact.tip.mu"]
        2.0
        """
        scene = Scene(self._source.copy(), self.name)
        for key, value in {**(overrides or {}), **values}.items():
            scene.set(key, value)
        return scene

    def copy(self) -> Scene:
        """A scene of its own with the same values."""
        return self.with_()

    def __getitem__(self, key: str) -> Any:
        """The number that a name or path stands for: a parameter, coordinate, velocity, or ``mu`` of a contact."""
        section, _, name = self.resolve(key).partition(".")
        if section == "state":
            return self._state_value(name)
        if section == "contact":
            return self._contact_value(name)
        parameters = analyzed(self)["parameters"]
        if section == "parameters" and name in parameters:
            return parameters[name]
        raise KeyError(f"{key!r} is not a number that a scene knows before it is analysed")

    def _state_value(self, name: str) -> float:
        state = self._source.state()
        if name == "t":
            return float(state["t"])
        kind, coordinate = ("v", name[: -len("_dot")]) if name.endswith("_dot") else ("q", name)
        if coordinate not in state[kind]:
            raise KeyError(f"{name!r} is no coordinate or velocity of {self.mechanism}")
        return float(state[kind][coordinate])

    def _contact_value(self, name: str) -> Any:
        contact, _, key = name.rpartition(".")
        for found in analyzed(self)["contacts"]:
            if contact in ("", found["name"]) and key in found:
                return found[key]
        raise KeyError(f"{name!r} is no value of a contact of {self.mechanism}")

    def __setitem__(self, key: str, value: Value) -> None:
        self.set(key, value)

    def __copy__(self) -> Scene:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Scene:
        return self.copy()

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return _unpickled, (self.text, self.name)

    @property
    def svg(self) -> str:
        """A drawing of the mechanism, or of the cone of its first contact, as the text of an SVG file."""
        return self._source.svg()

    def __repr__(self) -> str:
        lines = [line for line in self.text.splitlines() if line]
        more = [f"and {len(lines) - 12} lines more"] if len(lines) > 12 else []
        return "\n  ".join([f"painleve.Scene {self.name!r}", *lines[:12], *more])

    def _repr_html_(self) -> str:
        return html_page(self.svg, repr(self))


def analyzed(scene: Scene) -> dict[str, Any]:
    """The whole analysis as plain data, for single values of it."""
    return _core.analyze(scene._source.copy())


def _unpickled(text: str, name: str) -> Scene:
    return Scene(_core.SceneSource.parse(text, name, os.getcwd()), name)


def _toml(value: Any) -> str:
    """A value as a scenario file writes it; words go as they are, so that units and expressions stay."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, float, np.integer, np.floating)):
        return repr(float(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_toml_key(k)} = {_toml_item(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(_toml_item(x) for x in value) + "]"
    raise InputError(f"a value must be a number, a text, a truth value or a list, but is {type(value).__name__}")


def _toml_item(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else _toml(value)


def _toml_key(key: str) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else json.dumps(key, ensure_ascii=False)


def scenario(what: SceneLike, overrides: Mapping[str, Value] | None = None, /, **values: Value) -> Scene:
    """A scene from a shipped scenario, a mechanism of the gallery, a scenario file, or the text of one.

    ``values`` override single values, as `Scene.set` does; paths with dots go into the mapping ``overrides``. Numbers
    are in SI units and radians.

    >>> import painleve as pnl
    >>> pnl.scenario("rod-no-solution").state.q.theta           # of a shipped scenario [rad]
    2.0943951023931953
    >>> pnl.scenario('mechanism = "rod"\\n[state]\\ntheta = "30deg"').mechanism
    'rod'
    >>> pnl.scenario("rdo")
    Traceback (most recent call last):
    painleve.InputError: unknown scene 'rdo'; did you mean 'rod'?
    """
    if isinstance(what, Scene):
        return what.with_(overrides, **values)
    if isinstance(what, str) and ("\n" in what or "=" in what):
        scene = Scene(_core.SceneSource.parse(what, "scenario", os.getcwd()), "scenario")
    else:
        name = os.fspath(what)
        scene = Scene(_core.SceneSource.open(name), name)
    return scene.with_(overrides, **values) if overrides or values else scene


def gallery(name: str | None = None) -> Gallery:
    """All mechanisms and scenarios that ship with the library, or everything about one of them.

    Of a mechanism: coordinates and parameters with unit, default and range, contacts, forces, what is solved for. Of a
    scenario: its question and its text.

    >>> import painleve as pnl
    >>> [m.name for m in pnl.gallery().mechanisms][:3]
    ['rod', 'chalk', 'block']
    >>> rod = pnl.gallery("rod")
    >>> [(c.name, c.unit) for c in rod.coordinates]
    [('x', 'm'), ('y', 'm'), ('theta', 'rad')]
    """
    return Gallery(_core.gallery() if name is None else _core.gallery_entry(name))


def contact_space(
    W: ArrayLike, b: ArrayLike, u: ArrayLike, mu: ArrayLike, *, dimension: int = 2, gap: ArrayLike | None = None,
    drift: ArrayLike | None = None, bilateral: Sequence[bool] | None = None, name: str = "contact-space",
) -> Scene:
    """A scene from your own numbers: W [1/kg], b and drift [m/s²], u [m/s], gap [m].

    They are stacked per contact, tangents first; ``dimension`` is 2 or 3 and ``mu`` one number, or one per contact. Numbers are taken at face value: exactly 0 is rest, and a gap of exactly 0 is closed.

    >>> import painleve as pnl
    >>> pnl.analyze(pnl.contact_space([[2.5, 1.5], [1.5, 2.5]], b=[0, -1], u=[1, 0], mu=2)).verdict
    'inconsistent'
    """
    parameters: dict[str, Any] = {"dimension": dimension, "W": np.asarray(W, float), "b": np.asarray(b, float),
                                  "u": np.asarray(u, float), "mu": np.atleast_1d(np.asarray(mu, float))}
    for key, value in (("gap", gap), ("drift", drift)):
        if value is not None:
            parameters[key] = np.atleast_1d(np.asarray(value, float))
    if bilateral is not None:
        parameters["bilateral"] = [bool(x) for x in bilateral]
    lines = [f"{key} = {_toml(value)}" for key, value in parameters.items()]
    text = 'mechanism = "contact-space"\n[parameters]\n' + "\n".join(lines) + "\n"
    return Scene(_core.SceneSource.parse(text, name, os.getcwd()), name)


RobotContact = Union[str, Mapping[str, Any]]


def _contact_keys(contact: RobotContact) -> dict[str, Any]:
    """``"tool0@0,0,0.1"`` or a mapping with the keys of a scenario's ``[contact.NAME]``."""
    if not isinstance(contact, str):
        keys = dict(contact)
        if "normal" in keys:
            keys["plane"] = {**keys.get("plane", {}), "normal": keys.pop("normal")}
        return keys
    body, at, point = contact.partition("@")
    try:
        place = [float(x) for x in point.split(",")] if at else [0.0, 0.0, 0.0]
    except ValueError:
        place = []
    if not body or len(place) != 3:
        raise InputError(f"a contact is BODY or BODY@X,Y,Z with metres, as tool0@0,0,0.1, but was given {contact!r}")
    return {"body": body, "point": place}


def _section(name: str, values: Mapping[str, Any]) -> list[str]:
    return [f"[{name}]"] + [f"{_toml_key(k)} = {_toml_item(v)}" for k, v in values.items()]


def _robot(
    path: str | os.PathLike[str], contacts: Mapping[str, RobotContact] | RobotContact,
    joints: Mapping[str, Mapping[str, Any]] | None, overrides: Mapping[str, Value],
) -> Scene:
    file = os.path.abspath(os.fspath(path))
    alone = isinstance(contacts, str) or {"body", "site", "geom"} & set(contacts)
    named: Mapping[str, Any] = {"tip": contacts} if alone else contacts  # type: ignore[assignment]
    lines = [f"file = {json.dumps(file, ensure_ascii=False)}"]
    for name, contact in named.items():
        lines += _section(f"contact.{_toml_key(name)}", _contact_keys(contact))
    for name, joint in (joints or {}).items():
        lines += _section(f"joint.{_toml_key(name)}", joint)
    name = os.path.basename(file)
    scene = Scene(_core.SceneSource.parse("\n".join(lines) + "\n", name, os.path.dirname(file)), name)
    return scene.with_(overrides) if overrides else scene


def from_urdf(
    path: str | os.PathLike[str], contacts: Mapping[str, RobotContact] | RobotContact, *,
    joints: Mapping[str, Mapping[str, Any]] | None = None, overrides: Mapping[str, Value] | None = None,
    **values: Value,
) -> Scene:
    """A robot from a URDF file, with contacts of its links against fixed planes.

    ``contacts`` maps names to ``"LINK@X,Y,Z"`` (a point in the frame of the link [m]) or to the keys of a scenario's
    ``[contact.NAME]``: ``body``, ``point`` [m], ``normal`` or ``plane`` (``point`` [m], ``normal``), ``mu``, …; one
    contact alone is called ``tip``. ``joints`` maps names to ``armature`` [kg m², kg], ``lock``, ``position``
    [rad, m]. ``values`` are joint angles [rad] or positions [m], and whatever else `Scene.set` takes.

    >>> import painleve as pnl
    >>> pnl.from_urdf("no-such-robot.urdf", "tool0@0,0,0.1", mu=0.8)    # doctest: +ELLIPSIS
    Traceback (most recent call last):
    painleve.InputError: ...no-such-robot.urdf...
    """
    return _robot(path, contacts, joints, {**(overrides or {}), **values})


def from_mjcf(
    path: str | os.PathLike[str], contacts: Mapping[str, RobotContact] | RobotContact, *,
    joints: Mapping[str, Mapping[str, Any]] | None = None, overrides: Mapping[str, Value] | None = None,
    **values: Value,
) -> Scene:
    """A robot from an MJCF file, with contacts of its bodies, sites or geoms against fixed planes.

    The arguments are those of `from_urdf`, points in metres [m] and angles in radians [rad]; a contact may name a
    ``site`` or ``geom`` instead of a ``body``.

    >>> import painleve as pnl
    >>> pnl.from_mjcf("no-such-robot.xml", {"foot": {"site": "sole", "mu": 0.8}})    # doctest: +ELLIPSIS
    Traceback (most recent call last):
    painleve.InputError: ...no-such-robot.xml...
    """
    return _robot(path, contacts, joints, {**(overrides or {}), **values})
