// What is simulated, and what every method returns: a run with its samples, events, energy ledger and futures.
//
// The motion is that of M v̇ = f + Jᵀλ with the laws of the contacts. The energy ledger holds, in J,
//
//   final = initial − friction − impact + applied + defect
//
// friction and impact: what friction and impacts (in the compliant method: normal dashpots) took; applied: what applied
// forces, moving surfaces and moving supports put in; defect: what the numbers lost or gained, 0 in exact arithmetic.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "painleve/base/tolerance.hpp"
#include "painleve/contact/contact_law.hpp"
#include "painleve/impact/impact.hpp"
#include "painleve/mechanism/mechanism.hpp"
#include "painleve/mechanism/reduction.hpp"

namespace painleve {

struct SimulationProblem {
  std::shared_ptr<const Mechanism> mechanism;
  State start;
  std::vector<ContactLaw> laws;  // per contact
  std::vector<bool> bilateral;   // per contact; those that are missing are not
  Tolerance tolerance;

  std::vector<Surface> surfaces() const;
};

// At a state with several continuations.
enum class Policy {
  principle,    // Painlevé's: a contact that would not press without friction does not press; then the stable modes
  stiff_limit,  // what the springs of the contacts do, much faster than the motion
  seeded,       // one of them, drawn
  all,          // every one of them, each as a future of its own
};

struct Progress {
  double t = 0, t_end = 0;
  long events = 0;
  int futures = 0;
};

struct SimulationOptions {
  double t_end = 1;  // [s] of the mechanism's time
  Policy policy = Policy::principle;
  std::uint64_t seed = 0;   // of Policy::seeded
  double relative = 1e-11;  // tolerance of the integrators per step
  int samples = 1000;       // evenly spaced samples beside those at events; 0: at events only
  long most_events = 100000;
  int most_futures = 64;
  SeveralImpacts several = SeveralImpacts::sequential;
  std::function<bool(const Progress&)> progress;  // called now and then; false ends the run cleanly
};

enum class EventKind { stick, slip, liftoff, landing, impact, iwc, jam, chatter, reverse_chatter, mode };

struct SimulationEvent {
  double t = 0;
  EventKind kind = EventKind::mode;
  int contact = -1;                           // −1: several, or none in particular
  std::string mode;                           // word over all contacts after the event, F where open
  Eigen::VectorXd u_before, u_after, Lambda;  // stacked over all contacts; Lambda of impulses only
  std::string note;
};

struct Sample {
  double t = 0;
  Eigen::VectorXd q, v;            // empty where there is no mechanism
  Eigen::VectorXd gap, u, lambda;  // per contact; stacked; stacked
  std::string mode;                // word over all contacts, F where no force acts
  double energy = 0;               // kinetic, potential and stored in springs
  int solutions = 1, taken = 0;    // time stepping: how many solutions the step had, and which was taken
};

struct EnergyLedger {
  double initial = 0, final = 0;
  double friction = 0, impact = 0;  // taken
  double applied = 0;               // put in
  double stored = 0;                // part of `final` that is in springs of the contacts
  double defect() const { return final - initial + friction + impact - applied; }
};

// How the normal force grew on the way to p = 0: λ_n ~ (t* − t)^exponent.
struct JamApproach {
  double t_star = 0;
  int contact = -1;
  double p = 0, b_n = 0;              // where the approach was left
  std::optional<double> exponent;     // measured on the last decades of p
  std::optional<double> predicted;    // α3/α1 − 1 (a node), −1/2 (a crossing in space)
  std::optional<double> force_limit;  // where the force stays finite
  bool lifts = false;                 // b_n rises through zero before p gets there: a near miss
  bool crosses = false;  // p = 0 is reached with b_n < 0 (in space only): an impact without collision follows
  std::string portrait;
  std::string springs;  // what springs of growing stiffness do there
};

// Where a closed contact came nearest to jamming, the others free.
struct NearestJam {
  double t = 0;
  int contact = -1;
  double ratio = 0;  // mu/mu_jam; from 1 on slip in the worst direction jams
};

struct LimitCycle {
  double period = 0;          // [s]
  Eigen::VectorXd amplitude;  // of the gaps, per contact [m]
};

struct Run {
  int dimension = 2;  // rows per contact of u, lambda, impulse; 1: normals alone (drifting contacts)
  std::vector<std::string> coordinates, contacts;
  // "t_end", "jam", "inconsistent", "iwc", "joint_limit", "budget", "interrupted", "branched", "merged",
  // "collapsed", "scuffed"
  std::string stopped;
  std::string stop_reason;  // one sentence; empty for t_end
  double t = 0;
  State state;
  std::vector<Sample> samples;
  std::vector<SimulationEvent> events;
  Eigen::VectorXd impulse;  // ∫λ dt and impacts, stacked over all contacts
  std::string outcome;      // the word at the end, "IWC:FI", "inverse_chatter", "limit_cycle"
  std::string outcome_reason;
  EnergyLedger energy;
  std::optional<JamApproach> jam;
  std::optional<NearestJam> nearest_jam;  // event-driven
  std::optional<LimitCycle> cycle;
  std::string why;           // of a future: the choice that led to it
  std::vector<Run> futures;  // of Policy::all, where the motion branched; each goes on from here
  long steps = 0;
};

// [s] Of a run with forces that are formulas of the time, a thousandth: pulses that last so long are not stepped over.
// Unbounded without such forces.
double longest_driven_step(const SimulationProblem& problem, double t_end);

const char* to_string(EventKind kind);
const char* to_string(Policy policy);
Policy policy(const std::string& name);  // throws InputError

}  // namespace painleve
