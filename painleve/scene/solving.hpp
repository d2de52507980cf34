// The complementarity problem of a state in one of its three formulations: all solutions with certificates, and which
// of them the usual solvers reach.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/complementarity/gauss_seidel.hpp"
#include "painleve/complementarity/solution_set.hpp"
#include "painleve/complementarity/standard_form.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve {

enum class FormulationKind { acceleration, impulse, step };

struct SolveOptions {
  FormulationKind formulation = FormulationKind::acceleration;
  StepOptions step;  // for `step`
  // 0: the round friction cone, exact. In space, n ≥ 3: a polygon with n corners instead, for comparison.
  int facets = 0;
  EnumerationOptions enumeration;
};

struct SolveReport {
  Scene scene;
  SolveOptions options;
  Formulation formulation;
  ContactSolutions set;
  std::string verdict;  // "none", "one" or "several" motions; empty when not decided, with the reason
  std::string verdict_reason;
  // What solvers that return one solution make of the same problem, and which of the list that is (−1: none of it).
  int pivoting_facets = 2;
  PivotedSolution pivoting;
  SweepReport projected, block;
  int pivoting_index = -1, projected_index = -1, block_index = -1;
};

// Throws InputError for drifting contacts, which have no contact space, and for a bad dt or number of facets.
SolveReport solve(Scene scene, const SolveOptions& options);

// The object that `painleve solve --json` prints; keys as in docs/interface.md.
nlohmann::ordered_json to_json(const SolveReport& report);

const char* to_string(FormulationKind kind);

}  // namespace painleve
