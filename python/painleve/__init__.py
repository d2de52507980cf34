"""Painlevé: rigid bodies with Coulomb friction, and every way in which their motion can go on.

Give it a mechanism with frictional point contacts and a state; it says whether rigid-body mechanics has no
continuation, one, or several, returns every one of them with proof, and says which survive in the stiff limit.

>>> import painleve as pnl
>>> scene = pnl.scenario("rod-no-solution")
>>> pnl.analyze(scene).verdict
'inconsistent'
>>> pnl.analyze(scene.with_(mu=0.3)).verdict
'unique'

All numbers are in SI units and radians; texts such as ``"60deg"`` or ``"5 mm"`` are read with their unit. Components
are stacked per contact, tangents first and the normal last. Results are objects with the keys of ``painleve VERB
--json`` as attributes; ``None`` stands for a quantity that does not exist, and ``KEY_reason`` says why. Bad input
raises `InputError`, a ``ValueError``, with one sentence.

Long calls release Python's lock, use all cores where that helps, and end on Ctrl-C. All functions may be called from
several threads at once.
"""

from __future__ import annotations

from . import plot
from ._core import InputError, version as __version__
from .batch import Batch, analyze_batch
from .maps import Map, MapAxis, MapQuantity, map as map
from .motion import Simulation, Trajectory, simulate
from .mujoco_contacts import from_mujoco
from .results import Result
from .scenes import ContactSpace, Gallery, Scene, contact_space, from_mjcf, from_urdf, gallery, scenario
from .statics import Analysis, Cone, Impact, Solutions, analyze, cone, impact, solve
from .studies import Convergence, Search, converge, quantities, search

# Without `map`: a star import must not take Python's own away. It is painleve.map all the same.
__all__ = [
    "Analysis", "Batch", "Cone", "ContactSpace", "Convergence", "Gallery", "Impact", "InputError", "Map", "MapAxis",
    "MapQuantity", "Result", "Scene", "Search", "Simulation", "Solutions", "Trajectory", "__version__", "analyze",
    "analyze_batch", "cone", "contact_space", "converge", "from_mjcf", "from_mujoco", "from_urdf", "gallery", "impact",
    "plot", "quantities", "scenario", "search", "simulate", "solve",
]
