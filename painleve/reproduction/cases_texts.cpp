// The constant files of the pack: what an author of an engine reads first, and the schema.
#include "painleve/reproduction/detail/case_json.hpp"

namespace painleve {

const char* const case_readme = R"md(# Ground truth for rigid contact with Coulomb friction

Cases in which the equations of rigid contact have no solution, one, or several, from the literature on the Painlevé
paradox, with **all** solutions. Keep this folder beside your engine; it needs nothing but itself.

    python3 check.py                 # verifies every number of the pack, with the standard library alone, and tries
                                     # every word of one or two planar contacts for solutions that are not listed
    python3 check.py rod-no-solution step 0.01 0.4407 0.3329
                                     # which solution is the impulse (t, n) that your engine returned?

Licence: Apache-2.0 (SPDX-License-Identifier: Apache-2.0). `manifest.json` has the version and a SHA-256 per file; its
`hash` is the SHA-256 of the lines "SHA256  PATH" in its order.

## What is in a case

`cases/NAME.json`, described by `schema.json`. Contacts are stacked, tangents first: (t, n) in the plane, (t1, t2, n) in
space; n points away from the surface; SI units and radians. `contact_space` has W = J M⁻¹ Jᵀ, b (the contact
acceleration without contact forces), drift (J̇v, a part of b), u, and per contact gap, mu, and the friction at which it
jams. `problems` lists the formulations; each is complete in itself:

    motion + shift = w = W force + q
    0 <= force_n, 0 <= w_n, one of them zero          (bilateral: w_n = 0, force_n free)
    law resting:    |force_t| <= mu |force_n|; where w_t is not 0, force_t = -mu |force_n| w_t/|w_t|
    law sliding:    force_t = -mu |force_n| slip
    law separated:  force = 0, whatever w

| formulation | force | motion | q |
|---|---|---|---|
| acceleration | λ [N] | a [m/s²] | b |
| impulse | Λ [N s] | u after [m/s] | u |
| step | Λ [N s] | u after [m/s] | u + dt (b − drift) + shift, shift = gap/dt on the normals of contacts with a gap, also a negative one |
| slip (dimension 1: normals alone) | λ_n [N] | a_n [m/s²] | b; W is the slip matrix P, which need not be symmetric |

`complete: true` means that no solution is missing. A solution with a `family` is one point of a continuum
(`directions` span it); any point of it that obeys the laws is as good. `verdict` of a problem counts motions: none, one,
several. `verdict` of a case is that of the acceleration problem: unique, inconsistent, indeterminate, impact.

## What to expect of a solver

1. Where `count` is 0 no answer is right. Say so, or say what you changed (compliance, friction, impact).
2. Where there is one solution, return it: forces within `tolerance.force` of their size for a direct solver.
3. Where there are several, return one of them, and the same one on every run.
4. An answer that obeys the laws has a residual (`residual()` in check.py) of rounding size; `tolerance.residual` is the
   bound to which the solutions of this pack are checked.

## MJCF

Where the mechanism is made of bodies, `mjcf` names a file with masses, joints and the contact points as sites, `qpos`
and `qvel` (also the keyframe `state`), `qfrc_applied` (applied forces; springs and dampers by their force at this
state), and for each contact the site and the frame of the plane it touches. Planar cases lie in y = 0 with z up. There
is no contact geometry: put your own at the sites. `velocity_map` T takes the velocities of the case to those of the
file: M = Tᵀ M_file T, J = J_file T. Inertias of 1e-13 kg m² stand for none.
)md";

const char* const case_schema = R"json({
 "$schema": "http://json-schema.org/draft-07/schema#",
 "title": "One case of contact with Coulomb friction and all of its solutions",
 "type": "object",
 "required": ["schema", "name", "question", "mechanism", "dimension", "verdict", "jam", "complete", "consistent_modes",
  "force_family_dimension", "motion_family_dimension", "tolerance", "state", "contact_space", "problems", "mjcf"],
 "additionalProperties": false,
 "definitions": {
  "numbers": {"type": "array", "items": {"type": "number"}},
  "matrix": {"type": "array", "items": {"$ref": "#/definitions/numbers"}},
  "count": {"type": "integer", "minimum": 0},
  "family": {
   "type": ["object", "null"],
   "required": ["dimension", "motion_dimension", "directions"],
   "additionalProperties": false,
   "properties": {
    "dimension": {"type": "integer", "minimum": 1},
    "motion_dimension": {"$ref": "#/definitions/count"},
    "directions": {"$ref": "#/definitions/matrix"}
   }
  },
  "solution": {
   "type": "object",
   "required": ["mode", "boundary", "force", "motion", "residual", "family"],
   "additionalProperties": false,
   "properties": {
    "mode": {"type": "string", "pattern": "^(F|T|S[+-]?)*$"},
    "boundary": {"type": "boolean"},
    "force": {"$ref": "#/definitions/numbers"},
    "motion": {"$ref": "#/definitions/numbers"},
    "residual": {"type": "number", "minimum": 0},
    "family": {"$ref": "#/definitions/family"}
   }
  },
  "problem": {
   "type": "object",
   "required": ["formulation", "dt", "verdict", "contacts", "dimension", "W", "q", "shift", "mu", "bilateral", "law",
    "slip", "complete", "count", "force_family_dimension", "motion_family_dimension", "solutions"],
   "additionalProperties": false,
   "properties": {
    "formulation": {"enum": ["acceleration", "impulse", "step", "slip"]},
    "dt": {"type": ["number", "null"]},
    "verdict": {"enum": ["none", "one", "several", null]},
    "contacts": {"type": "array", "items": {"$ref": "#/definitions/count"}},
    "dimension": {"enum": [1, 2, 3]},
    "W": {"$ref": "#/definitions/matrix"},
    "q": {"$ref": "#/definitions/numbers"},
    "shift": {"$ref": "#/definitions/numbers"},
    "mu": {"$ref": "#/definitions/numbers"},
    "bilateral": {"type": "array", "items": {"type": "boolean"}},
    "law": {"type": "array", "items": {"enum": ["resting", "sliding", "separated"]}},
    "slip": {"type": "array", "items": {"type": ["array", "null"], "items": {"type": "number"}}},
    "complete": {"type": "boolean"},
    "count": {"$ref": "#/definitions/count"},
    "force_family_dimension": {"$ref": "#/definitions/count"},
    "motion_family_dimension": {"$ref": "#/definitions/count"},
    "solutions": {"type": "array", "items": {"$ref": "#/definitions/solution"}}
   }
  },
  "contact": {
   "type": "object",
   "required": ["name", "touch", "bilateral", "gap", "mu", "p", "mu_crit", "mu_jam", "mu_jam_held"],
   "properties": {
    "name": {"type": "string"},
    "touch": {"enum": ["open", "approaching", "separating", "slipping", "resting"]},
    "bilateral": {"type": "boolean"},
    "gap": {"type": "number"},
    "mu": {"type": "number", "minimum": 0},
    "p": {"type": ["number", "null"]},
    "mu_crit": {"type": ["number", "null"]},
    "mu_jam": {"type": ["number", "null"]},
    "mu_jam_held": {"type": ["number", "null"]}
   }
  }
 },
 "properties": {
  "schema": {"const": 1},
  "name": {"type": "string"},
  "question": {"type": "string"},
  "mechanism": {"type": "string"},
  "dimension": {"enum": [1, 2, 3]},
  "verdict": {"enum": ["unique", "inconsistent", "indeterminate", "impact", null]},
  "jam": {"type": "boolean"},
  "complete": {"type": "boolean"},
  "consistent_modes": {"type": "array", "items": {"type": "string"}},
  "force_family_dimension": {"$ref": "#/definitions/count"},
  "motion_family_dimension": {"$ref": "#/definitions/count"},
  "tolerance": {
   "type": "object",
   "required": ["residual", "force"],
   "properties": {"residual": {"type": "number"}, "force": {"type": "number"}}
  },
  "state": {
   "type": ["object", "null"],
   "required": ["parameters", "q", "v"],
   "properties": {"parameters": {"type": "object"}, "q": {"type": "object"}, "v": {"type": "object"}}
  },
  "contact_space": {
   "type": ["object", "null"],
   "required": ["W", "b", "drift", "u", "contacts"],
   "additionalProperties": false,
   "properties": {
    "W": {"$ref": "#/definitions/matrix"},
    "b": {"$ref": "#/definitions/numbers"},
    "drift": {"$ref": "#/definitions/numbers"},
    "u": {"$ref": "#/definitions/numbers"},
    "contacts": {"type": "array", "items": {"$ref": "#/definitions/contact"}}
   }
  },
  "problems": {"type": "array", "items": {"$ref": "#/definitions/problem"}},
  "mjcf": {
   "type": ["object", "null"],
   "required": ["file", "qpos", "qvel", "qfrc_applied", "velocity_map", "contacts"],
   "additionalProperties": false,
   "properties": {
    "file": {"type": "string"},
    "qpos": {"$ref": "#/definitions/numbers"},
    "qvel": {"$ref": "#/definitions/numbers"},
    "qfrc_applied": {"$ref": "#/definitions/numbers"},
    "velocity_map": {"$ref": "#/definitions/matrix"},
    "contacts": {
     "type": "array",
     "items": {
      "type": "object",
      "required": ["site", "tangents", "normal", "surface_velocity"],
      "additionalProperties": false,
      "properties": {
       "site": {"type": "string"},
       "tangents": {"$ref": "#/definitions/matrix"},
       "normal": {"$ref": "#/definitions/numbers"},
       "surface_velocity": {"$ref": "#/definitions/numbers"}
      }
     }
    }
   }
  },
  "mjcf_reason": {"type": "string"}
 }
}
)json";

}  // namespace painleve
