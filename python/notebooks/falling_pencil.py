# ---
# jupyter:
#   jupytext:
#     formats: py:percent
# ---

# %% [markdown]
# # Which way does the point of a falling pencil slip?
#
# A pencil stands on its point and is let go. Its foot holds at first; how it slips depends on friction alone. As long as
# the foot holds, a uniform rod that has fallen by the angle φ needs
#
# N = m g (3 cos φ − 1)²/4 and F = (3/4) m g sin φ (3 cos φ − 2),
#
# so that F/N grows to 0.3706, falls through zero at φ = 48.2° and then grows without bound the other way. A foot with less
# friction than 0.3706 slips backwards before that; one with more slips forwards after it. We ask the simulator, which
# knows nothing of these formulas.

# %%
import numpy as np
from numpy.typing import NDArray

import painleve as pnl

start = 0.1  # [deg] off the vertical
pencil = pnl.scenario("rod", {"state.theta": f"{90 - start}deg", "state.slip": 0.0})
pencil

# %% [markdown]
# ## The closed form


# %%
def needed_friction(phi: NDArray[np.float64]) -> NDArray[np.float64]:
    """F/N of a foot that holds, for a rod let go at the angle `start`."""
    released = np.cos(np.radians(start))
    cos, sin = np.cos(phi), np.sin(phi)
    # Energy: the rate of the fall squared is (3 g / 2 l) (released - cos), with half-length l.
    normal = 1 - 0.75 * sin**2 - 1.5 * cos * (released - cos)
    tangential = 0.75 * sin * cos - 1.5 * sin * (released - cos)
    return np.asarray(tangential / normal)


phi = np.radians(np.linspace(start, 60, 200_001))
critical = float(needed_friction(phi).max())
print(f"a foot holds until it slips forwards from mu = {critical:.5f} on")
assert abs(critical - 0.3706) < 1e-3

# %% [markdown]
# ## The simulator, on both sides of it


# %%
def first_slip(mu: float) -> tuple[str, float]:
    """The mode after the first event, and the angle [deg] by which the pencil has fallen then."""
    run = pnl.simulate(pencil.with_(mu=mu), 4.0, samples=4000)
    event = run.events[0]
    theta = np.interp(event.t, run.trajectory.t, run.trajectory["theta"])
    return event.mode, 90 - float(np.degrees(theta))


below, above = first_slip(critical - 1e-3), first_slip(critical + 1e-3)
print("just below:", below, "just above:", above)
assert below[0] == "S+" and above[0] == "S-"

# %% [markdown]
# Below, the foot slips where the closed form says that it must; above, it holds beyond 48.2°, where friction has turned
# round.

# %%
for mu in (0.1, 0.2, 0.3, 0.36):
    mode, angle = first_slip(mu)
    expected = float(np.degrees(phi[np.argmax(needed_friction(phi) > mu)]))
    print(f"mu = {mu}: slips at {angle:.4f} deg, by the formula {expected:.4f} deg")
    assert mode == "S+" and abs(angle - expected) < 2e-3
assert 48.2 < above[1] < 53

# %% [markdown]
# ## And the paradox?
#
# No pencil that is only let go meets one: its least mu_jam is 4/3, at tan θ = 2, and there it must slip towards the side
# on which it leans.

# %%
least = pnl.search("rod", {"theta": "1deg:89deg"}, minimise="mu_jam").minima[0]
print(f"mu_jam is least, {least.value:.12g}, at {np.degrees(least.at.theta):.4f} deg")
assert abs(least.value - 4 / 3) < 1e-12 and abs(np.tan(least.at.theta) - 2) < 1e-5
for mu in (0.5, 1.0, 1.3):
    assert pnl.simulate(pencil.with_(mu=mu), 2.9).jam is None

# %%
axes = pnl.plot.trajectory(pnl.simulate(pencil.with_(mu=0.3), 2.9), ["theta", "tip.u_t", "tip.lambda_n", "energy"])
