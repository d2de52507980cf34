// What physics engines make of one state: the same step given to each adapter program, its answer held against all
// solutions of that step and against the laws of contact.
//
// Before the case itself each engine gets a control: the same scene with so little friction that the answer is beyond
// dispute. Where that is wrong, the case says nothing about paradoxes, only about the engine's friction model.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "painleve/complementarity/solution_set.hpp"
#include "painleve/engines/adapter_process.hpp"
#include "painleve/engines/contact_residuals.hpp"
#include "painleve/engines/engine_case.hpp"

namespace painleve {

struct CompareOptions {
  double dt = 0.01;                     // [s]
  std::vector<std::string> engines;     // by name; with programs empty, too: all that are found
  std::vector<std::string> programs;    // paths of adapters that are not ours
  std::vector<std::string> settings;    // "worldstep" or "ode:worldstep"; empty: all
  double tolerance = 1e-3;              // an answer is a solution when distance() ≤ this
  std::optional<double> control_mu;     // friction of the control; otherwise chosen by control_case()
  double seconds = 20;                  // that an adapter may take for one answer
  std::function<bool(double)> proceed;  // called with the part done; false stops
};

// A step with all of its solutions.
struct SolvedCase {
  EngineCase given;
  ContactSolutions set;
  std::string about;  // of a control: in what it differs from the case
};

enum class AnswerStatus { answered, not_represented, failed };

struct EngineAnswer {
  AnswerStatus status = AnswerStatus::failed;
  std::string reason;               // unless answered
  Eigen::VectorXd u_after, Lambda;  // stacked, tangents first
  bool Lambda_from_engine = false;  // otherwise what explains u_after, nearest to a solution
  int solution = -1;                // index of the solution that was returned; −1: none of them
  int nearest = -1;                 // index of the nearest one
  double distance = 0;              // to that
  ContactResiduals residuals;
  double unexplained = 0;  // [m/s] of the bodies' velocity changes, what neither forces nor contacts explain
  // [J] kinetic energy after − before − work of forces and of moving surfaces along the mean velocity: what the
  // contacts took (< 0) or gave.
  double energy = 0;
  std::vector<std::string> warnings;
  std::optional<std::int64_t> iterations;
};

struct EngineRow {
  std::string engine;
  EngineSetting setting;
  EngineAnswer control, answer;

  // The control was answered with its one solution.
  bool control_right() const { return control.status == AnswerStatus::answered && control.solution >= 0; }
};

struct ComparedEngine {
  std::string name, program;
  std::optional<EngineDescription> description;
  std::string failure;   // when there is none
  bool missing = false;  // no adapter program
  bool asked = false;    // the user named it
};

struct CompareReport {
  Scene scene;
  CompareOptions options;
  SolvedCase problem, control;
  std::vector<ComparedEngine> engines;
  std::vector<EngineRow> rows;
  bool complete = true;  // false: stopped by `proceed`
};

// Throws InputError for scenes that engine_case() refuses, unknown engines and settings that no engine has.
CompareReport compare(const Scene& scene, const CompareOptions& options);

// Friction min(μ, 0.3, half of what jams a contact on its own), halved until the step has one motion; applied forces
// left out where with them no contact is pressed, since a contact without force tests nothing.
SolvedCase control_case(const EngineCase& given, const std::optional<double>& mu);

// How far (r, w) is from a solution (or from a family of them): the larger of both differences in the units of each
// contact, relative to the impulse of the solution or of the step's forces, whichever is larger.
double distance(const EngineCase& given, const ContactSolution& solution, const Eigen::VectorXd& r,
                const Eigen::VectorXd& w);

// All that follows from a reply; public since it is where a wrong judgement would come from.
EngineAnswer judged(const SolvedCase& problem, const EngineReply& reply, double tolerance);

// The object that `painleve compare --json` prints; keys as in docs/interface.md.
nlohmann::ordered_json to_json(const CompareReport& report);
const char* to_string(AnswerStatus status);

}  // namespace painleve
