# ---
# jupyter:
#   jupytext:
#     formats: py:percent
# ---

# %% [markdown]
# # No solution, three solutions, and what stiff springs choose
#
# Preclik and Rüde (2011) put a rod at 120° on its tip, sliding, with friction 1.5. In one load case (N) Newton and Coulomb
# leave it no acceleration at all; in another (M) there are two. A time step asks for impulses instead of forces, and counts
# differently. Which of its answers do contacts give that are springs, however stiff?

# %%
import numpy as np

import painleve as pnl

none, several = pnl.scenario("rod-no-solution"), pnl.scenario("rod-three-solutions")
pnl.analyze(none)

# %% [markdown]
# ## Forces: none, and two

# %%
for scene, verdict, modes in ((none, "inconsistent", []), (several, "indeterminate", ["F", "S-"])):
    found = pnl.analyze(scene)
    print(scene.name, found.verdict, found.consistent_modes)
    assert (found.verdict, found.consistent_modes) == (verdict, modes)
    assert found.jam and found.contacts[0].p < 0

# %% [markdown]
# Both are beyond mu_jam = 1.3472, where pressing the tip into the floor draws it further in. The reason for every mode that
# is not there is in the table:

# %%
for mode in pnl.analyze(none).modes:
    print(mode.name, "|", mode.reason)
    assert not mode.consistent and mode.reason

# %% [markdown]
# ## Impulses of a time step: one, and three

# %%
printed = {"rod-no-solution": [(0.3329, 0.4407)], "rod-three-solutions": [(0, 0), (0.0755, 0.1133), (0.3266, 0.4516)]}
for scene in (none, several):
    step = pnl.solve(scene, "step", dt=0.01)
    impulses = [(s.Lambda_n[0], s.Lambda_t[0, 0]) for s in step.solutions]
    print(scene.name, [s.mode for s in step.solutions], np.round(impulses, 4).tolist())
    assert step.complete and np.abs(np.array(impulses) - printed[scene.name]).max() < 5e-5
    assert max(s.residual for s in step.solutions) < 1e-14
    pnl.plot.solutions(scene, dt=0.01)

# %% [markdown]
# Lemke's method, which many engines use, finds one of the three and does not tell:

# %%
lemke = pnl.solve(several, "step", dt=0.01).lemke
print(lemke.status, lemke.index)
assert lemke.status == "solution" and lemke.index in (0, 1, 2)

# %% [markdown]
# ## Springs of growing stiffness
#
# In case N nothing else is left than an impact without collision: the tip is stopped at once, although nothing approached.
# Springs do the same in the limit; how much they give back afterwards is theirs to choose.

# %%
study = pnl.converge(none, "1e5:1e8:4", regularisation=["viscoelastic:damping=10", "viscoelastic"], t_end=0.05)
print(study.verdict, [s.future for s in study.series])
assert len(study.futures) == 1 and study.futures[0].strikes
assert all(s.future == 0 for s in study.series)

# %% [markdown]
# In case M the springs follow the rigid motion F when they start without load, and the impact without collision when they
# start with a little more than the force of the unstable mode S-. That mode itself is never a limit.

# %%
settings = ["viscoelastic", "viscoelastic:start=0.9static", "viscoelastic:start=1.1static"]
study = pnl.converge(several, "1e4:1e8:5", regularisation=settings)
for series in study.series:
    print(f"{series.name:30} -> {study.futures[series.future].why}")
assert [study.futures[s.future].why for s in study.series] == ["mode F", "mode F", "impact without collision I"]
assert study.verdict == "depends on the regularisation"
assert {f.why for f in study.futures} > {"mode F", "impact without collision I"}
