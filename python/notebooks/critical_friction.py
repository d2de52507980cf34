# ---
# jupyter:
#   jupytext:
#     formats: py:percent
# ---

# %% [markdown]
# # How much friction can a pushing arm bear?
#
# An arm of three links pushes its tip over a table. Somewhere in its workspace friction that is large enough presses the
# tip into the table all by itself: the arm jams. We look for the least such friction, mu_jam, over all postures
# (Peiret, Kövecses & Font-Llagunes 2019), and for the margin that a given friction leaves.

# %%
import numpy as np

import painleve as pnl

arm = pnl.scenario("articulated-arm")
arm

# %% [markdown]
# ## The worst postures

# %%
box = {"x": "0:1", "theta3": "0:180deg"}
search = pnl.search(arm, box, minimise="mu_jam")
for minimum in search.minima:
    print(f"mu_jam = {minimum.value:.6f} at x = {minimum.at.x:.6f} m, theta3 = {np.degrees(minimum.at.theta3):.4f} deg")
assert np.allclose([m.value for m in search.minima], [0.4039, 0.4208], atol=5e-5)
assert search.complete and all(m.confirmed for m in search.minima)

# %% [markdown]
# ## The same from a map
#
# A search could have missed something; a map cannot be better than it anywhere.

# %%
grid = pnl.map(arm, {"x": "0:1:101", "theta3": "0:180deg:101"}, "mu_jam")
values = grid["mu_jam"]
best = search.minima[0]
assert np.nanmin(values) >= best.value
assert np.nanmin(values) < 1.002 * best.value
pnl.plot.map(grid)

# %% [markdown]
# The share of the workspace in which a rubber tip with mu = 0.8 jams, of the postures that the arm can take:

# %%
reachable = np.isfinite(values)
share = float((values[reachable] <= 0.8).mean())
print(f"{100 * share:.1f} % of the reachable postures")
assert 0.27 < share < 0.30

# %% [markdown]
# ## What happens there
#
# Just below the critical friction slip along the worst direction has one motion; just above, p is negative. All at once, by
# a batch:

# %%
worst = arm.with_(x=best.at.x, theta3=best.at.theta3)
space = worst.contact_space
mu = np.linspace(0.3, 0.5, 201)[:, None]
slip = np.zeros(space.dimension)
slip[: space.dimension - 1] = pnl.cone(worst).e_jam
b = np.zeros(space.dimension)
b[-1] = -1.0  # [m/s²] pressed on
batch = pnl.analyze_batch(space.W, b, slip, mu, dimension=space.dimension)
jams = mu[batch.jam][0, 0]
print(f"jams from mu = {jams:.3f} on; mu_jam = {best.value:.6f}")
assert 0 <= jams - best.value < 1.1e-3
assert set(batch.verdict[~batch.jam]) == {"unique"} and set(batch.verdict[batch.jam]) == {"inconsistent"}

# %% [markdown]
# ## The cone at that posture
#
# At mu_jam its edge dips below the tangent plane.

# %%
for friction, dips in ((best.value * 0.999, False), (best.value * 1.001, True)):
    cone = pnl.cone(worst, mu=friction)
    assert bool((cone.rays[:, -1] < 0).any()) == dips
    assert (cone.locking_angle > 0) == dips or space.dimension == 2
pnl.plot.cone(pnl.cone(worst, mu=0.8))
