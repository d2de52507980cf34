"""Pictures with matplotlib: every function draws into the axes given, or into new ones, and returns them.

Colours are those of Okabe and Ito, and cividis for numbers: they are told apart by all kinds of sight. matplotlib is
loaded by the first picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np

from ._core import InputError
from .batch import analyze_batch
from .maps import Map, MapAxis
from .motion import Simulation
from .scenes import SceneLike, Value, scenario
from .statics import Cone, cone as cone_of, solve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["COLOURS", "cone", "map", "modes", "solutions", "trajectory"]

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
_EVENTS = {"impact": "#D55E00", "iwc": "#D55E00", "jam": "#CC79A7", "slip": "#009E73", "stick": "#0072B2",
           "liftoff": "#56B4E9", "landing": "#E69F00"}

_DASHES = {"impact": "-", "iwc": "-", "jam": "-.", "landing": ":"}


def _axes(ax: Axes | None, **options: Any) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(subplot_kw=options or None, layout="constrained")[1]


def _label(name: str, unit: str) -> str:
    return name if unit in ("", "1") else f"{name} [{unit}]"


def _planar_contact(scene: SceneLike, contact: str) -> Mapping[str, Any]:
    """W, b, u, mu of one contact, which must be planar."""
    space = scenario(scene).contact_space
    if space.dimension != 2:
        raise InputError("this picture is for planar contacts; painleve.plot.cone draws spatial ones")
    if contact and contact not in space.names:
        raise InputError(f"unknown contact {contact!r}; there are {', '.join(space.names)}")
    i = space.names.index(contact) if contact else 0
    rows = slice(2 * i, 2 * i + 2)
    return {"name": space.names[i], "W": space.W[rows, rows], "b": space.b[rows], "u": space.u[rows], "mu": space.mu[i],
            "drift": space.drift[rows], "gap": space.gap[i]}


def cone(what: Cone | SceneLike, ax: Axes | None = None, *, contact: str = "", mu: float | None = None) -> Axes:
    """The generalized friction cone: velocity changes per unit of normal impulse [1/kg], a wedge or a surface.

    >>> import painleve as pnl
    >>> ax = pnl.plot.cone("rod-no-solution")
    >>> ax.get_xlabel()
    '$\\\\delta u_t$ per impulse [1/kg]'
    """
    k = what if isinstance(what, Cone) else cone_of(what, contact, mu=mu)
    if k.dimension == 3:
        return _spatial_cone(k, ax)
    ax = _axes(ax)
    (t1, n1), (t2, n2) = k.rays
    ax.fill([0, t1, t2], [0, n1, n2], color=COLOURS[0], alpha=0.3, label=f"cone, μ = {k.mu:.4g}")
    for (t, n), sign in zip(k.rays, "+-"):
        ax.plot([0, t], [0, n], color=COLOURS[0], linewidth=2)
        ax.annotate(f"slip along {sign}t", (t, n), textcoords="offset points", xytext=(4, 4))
    ax.axhline(0, color="black", linewidth=0.8, label="tangent plane")
    ax.axvline(0, color="grey", linewidth=0.8, linestyle="--", label="normal")
    title = f"{k.contact}: " + ("no coupling, no jam" if k.mu_jam is None else f"μ_jam = {k.mu_jam:.4g}")
    ax.set(xlabel=r"$\delta u_t$ per impulse [1/kg]", ylabel=r"$\delta u_n$ per impulse [1/kg]", title=title)
    ax.set_aspect("equal", adjustable="datalim")
    ax.legend()
    return ax


def _spatial_cone(k: Cone, ax: Any) -> Axes:
    ax = _axes(ax, projection="3d")
    rim = np.vstack([k.rays, k.rays[:1]])
    lengths = np.linspace(0, 1, 9)
    x, y, z = (np.outer(lengths, rim[:, i]) for i in range(3))
    ax.plot_surface(x, y, z, color=COLOURS[4], alpha=0.5, linewidth=0)
    ax.plot(*rim.T, color=COLOURS[0], linewidth=2, label=f"cone, μ = {k.mu:.4g}")
    reach = float(np.abs(rim[:, :2]).max())
    ax.plot_surface(*np.meshgrid([-reach, reach], [-reach, reach]), np.zeros((2, 2)), color="grey", alpha=0.15)
    if k.e_jam is not None:
        ax.quiver(0, 0, 0, *(reach * k.e_jam), 0, color=COLOURS[5], label="e_jam")
    title = f"{k.contact}: " + ("no coupling, no jam" if k.mu_jam is None else f"μ_jam = {k.mu_jam:.4g}")
    ax.set(xlabel=r"$\delta u_{t1}$ [1/kg]", ylabel=r"$\delta u_{t2}$ [1/kg]", zlabel=r"$\delta u_n$ [1/kg]",
           title=title)
    ax.legend()
    return ax


def modes(
    scene: SceneLike, ax: Axes | None = None, *, contact: str = "", half_width: float | None = None, points: int = 160,
    overrides: Mapping[str, Value] | None = None, **values: Value,
) -> Axes:
    """Which modes of one planar contact are consistent over the plane of its free accelerations (b_t, b_n) [m/s²].

    >>> import painleve as pnl
    >>> ax = pnl.plot.modes("rod-three-solutions", points=20)
    >>> ax.get_xlabel(), sorted(t.get_text() for t in ax.get_legend().get_texts())
    ('$b_t$ [m/s²]', ['F|S-', 'none', 'this state'])
    """
    c = _planar_contact(scenario(scene, overrides, **values), contact)
    half = half_width or 1.25 * max(float(np.abs(c["b"]).max()), 1e-9)
    line = np.linspace(-half, half, points)
    b = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    found = analyze_batch(c["W"], b, [c["u"][0], 0.0], [c["mu"]]).consistent_modes
    ax = _axes(ax)
    _draw_words(ax, line, line, found.reshape(points, points), sorted(set(found)))
    ax.plot(*c["b"], "k*", markersize=12, markeredgecolor="white", linestyle="", label="this state")
    slip = "at rest" if c["u"][0] == 0 else f"slip along {'+' if c['u'][0] > 0 else '-'}t"
    ax.set(xlabel="$b_t$ [m/s²]", ylabel="$b_n$ [m/s²]", title=f"{c['name']}: μ = {c['mu']:.4g}, {slip}")
    _legend_of_words(ax)
    return ax


def _masked(table: Any) -> Any:
    return np.ma.masked_invalid(table)  # type: ignore[no-untyped-call]


def _draw_words(ax: Axes, x: Any, y: Any, table: Any, names: Sequence[str]) -> None:
    """Words on a grid, rows along y, with a legend entry each; cells without a word stay white."""
    from matplotlib.colors import ListedColormap

    colours = [COLOURS[i % len(COLOURS)] for i in range(len(names))]
    numbers = {name: i for i, name in enumerate(names)}
    codes = np.array([[numbers.get(word, np.nan) for word in row] for row in table], float)
    ax.pcolormesh(x, y, _masked(codes), cmap=ListedColormap(colours), vmin=-0.5, vmax=len(names) - 0.5,
                  shading="nearest", alpha=0.65, rasterized=True)
    for name, colour in zip(names, colours):
        ax.plot([], [], "s", color=colour, alpha=0.65, label=name)


def _legend_of_words(ax: Axes) -> None:
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0)


def solutions(
    scene: SceneLike, ax: Axes | None = None, *, dt: float = 0.01, overrides: Mapping[str, Value] | None = None,
    **values: Value,
) -> Axes:
    """The solution space of a time step of one planar contact: where the normal and the friction law meet.

    Impulses Λ_n, Λ_t [N s] of a step ``dt`` [s]; each crossing of the two curves is a solution (Preclik & Rüde 2011).

    >>> import painleve as pnl
    >>> ax = pnl.plot.solutions("rod-three-solutions")
    >>> sorted(t.get_text() for t in ax.get_legend().get_texts())
    ['F', 'S-', 'T', 'friction law (Coulomb)', 'normal law (Signorini)']
    """
    s = scenario(scene, overrides, **values)
    found = solve(s, "step", dt=dt).solutions
    c = _planar_contact(s, "")
    if len(s.contact_space.names) != 1:
        raise InputError("this picture is for one planar contact")
    (W_tt, W_tn), (_, W_nn), mu = c["W"][0], c["W"][1], c["mu"]
    q_t, q_n = c["u"] + dt * (c["b"] - c["drift"]) + [0, c["gap"] / dt]
    impulses = np.array([[x.Lambda_n[0], x.Lambda_t[0][0]] for x in found]).reshape(-1, 2)
    reach = 1.3 * max(float(np.abs(impulses).max(initial=0)), abs(q_t) / W_tt, abs(q_n) / W_nn)
    along_n = np.linspace(0, reach, 2001)
    along_t = np.linspace(-reach, reach, 2001)
    ax = _axes(ax)
    ax.plot(np.maximum(0, -(q_n + W_tn * along_t) / W_nn), along_t, color=COLOURS[0], label="normal law (Signorini)")
    ax.plot(along_n, np.clip(-(q_t + W_tn * along_n) / W_tt, -mu * along_n, mu * along_n), color=COLOURS[1],
            label="friction law (Coulomb)")
    for (x, y), solution, marker in zip(impulses, found, "osD^"):
        ax.plot(x, y, marker, markersize=9, color=COLOURS[5], markeredgecolor="black", linestyle="",
                label=solution.mode)
    number = {0: "no solution", 1: "one solution"}.get(len(found), f"{len(found)} solutions")
    ax.set(xlabel=r"$\Lambda_n$ [N s]", ylabel=r"$\Lambda_t$ [N s]", xlim=(-0.03 * reach, reach),
           title=f"{s.name}, dt = {dt:g} s: {number}")
    ax.legend()
    return ax


def _shown(axis: MapAxis) -> tuple[Any, str]:
    """Values and label of an axis; angles in degrees."""
    if axis.unit == "rad":
        return np.degrees(axis.values), _label(axis.name, "deg")
    return axis.values, _label(axis.name, axis.unit)


def map(result: Map, quantity: str | None = None, ax: Axes | None = None) -> Axes:
    """A map over one or two axes: words or numbers in colour, or a curve; angles in degrees.

    >>> import painleve as pnl
    >>> result = pnl.map("rod", {"theta": "1deg:89deg:30", "mu": "0:3:20"}, of="verdict")
    >>> pnl.plot.map(result).get_xlabel()
    'theta [deg]'
    """
    q = result.quantity(quantity)
    if len(result.axes) > 2:
        raise InputError("this picture is for maps over one or two axes")
    ax = _axes(ax)
    x, x_label = _shown(result.axes[0])
    ax.set(xlabel=x_label, title=f"{result._data['scene']}: {q.name}")
    if len(result.axes) == 1 and q.kind == "number":
        ax.plot(x, q.values, color=COLOURS[0])
        ax.set_ylabel(_label(q.name, q.unit))
        return ax
    y, y_label = _shown(result.axes[1]) if len(result.axes) == 2 else (np.array([0.0, 1.0]), "")
    table = q.values.T if len(result.axes) == 2 else np.tile(q.values, (2, 1))
    ax.set_ylabel(y_label)
    if q.kind == "word":
        _draw_words(ax, x, y, table, q.names)
        _draw_boundaries(ax, result, q.name)
        _legend_of_words(ax)
    else:
        mesh = ax.pcolormesh(x, y, _masked(table), cmap="cividis", shading="nearest", rasterized=True)
        ax.figure.colorbar(mesh, ax=ax, label=_label(q.name, q.unit))
    if len(result.axes) == 1:
        ax.set_yticks([])
    return ax


def _draw_boundaries(ax: Axes, result: Map, quantity: str) -> None:
    scales = [180 / np.pi if a.unit == "rad" else 1.0 for a in result.axes]
    for boundary in result._data.get("boundaries", []):
        if boundary["quantity"] != quantity:
            continue
        for chain in boundary["chains"]:
            if len(result.axes) == 1:
                ax.axvline(chain[0][0] * scales[0], color="black", linewidth=0.8)
            else:
                ax.plot(*(np.array(chain) * scales).T, color="black", linewidth=0.8)


def trajectory(
    run: Simulation, columns: Sequence[str] | None = None, axes: Sequence[Axes] | None = None
) -> Sequence[Axes]:
    """Columns of a run over time [s], one above the other, with its events as lines.

    ``columns`` are names that `Trajectory` knows; without them the gaps [m], slip velocities [m/s], normal forces [N]
    and the energy [J]. Returns the axes, from top to bottom.

    >>> import painleve as pnl
    >>> axes = pnl.plot.trajectory(pnl.simulate("rod-falling", 0.3), ["theta", "tip.lambda_n", "energy"])
    >>> [ax.get_ylabel() for ax in axes], axes[-1].get_xlabel()
    (['theta', 'tip.lambda_n [N]', 'energy [J]'], 't [s]')
    """
    table = run.trajectory
    if not len(table):
        raise InputError("this run has no samples; its futures may have some")
    groups = [[c] for c in columns] if columns else _usual_columns(run)
    if axes is None:
        import matplotlib.pyplot as plt

        figure, grid = plt.subplots(len(groups), 1, sharex=True, squeeze=False, layout="constrained",
                                    figsize=(7, 1 + 1.6 * len(groups)))
        axes = list(grid[:, 0])
        figure.suptitle(f"{run._data.get('scene', '')} {run._data['method']}: {run._data['stopped']}")
    for ax, names in zip(axes, groups):
        for name, colour in zip(names, COLOURS):
            ax.plot(table.t, table[name], color=colour, linewidth=1.3, label=name)
        ax.set_ylabel(_column_label(names))
        if len(names) > 1:
            ax.legend(loc="upper right", fontsize="small")
        _draw_events(ax, run)
    if run._data["events"]:
        axes[0].legend(loc="upper left", bbox_to_anchor=(1.01, 1), fontsize="small")
    axes[-1].set_xlabel("t [s]")
    return axes


def _usual_columns(run: Simulation) -> list[list[str]]:
    table = run.trajectory
    groups = [[f"{c}.{key}" for c in table.contacts] for key in ("gap", "u_t", "lambda_n")]
    if table.u.shape[2] != 2:
        groups.pop(1)  # no tangents, or two of them
    return [*groups, ["energy"]]


_UNITS = {"gap": "m", "u_t": "m/s", "u_n": "m/s", "lambda_t": "N", "lambda_n": "N", "energy": "J", "t": "s"}


def _column_label(names: Sequence[str]) -> str:
    key = names[0].rpartition(".")[2]
    return _label(names[0] if len(names) == 1 else key, _UNITS.get(key, ""))


def _draw_events(ax: Axes, run: Simulation) -> None:
    told: set[str] = set()
    for event in run._data["events"]:
        kind = event["kind"]
        ax.axvline(event["t"], color=_EVENTS.get(kind, "#888888"), linewidth=0.9, linestyle=_DASHES.get(kind, "--"),
                   label=None if kind in told else kind)
        told.add(kind)
