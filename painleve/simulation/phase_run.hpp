// One smooth phase from its start to the event that ends it, with samples on the way.
#pragma once

#include <memory>
#include <vector>

#include "painleve/simulation/crossing.hpp"
#include "painleve/simulation/dormand_prince.hpp"
#include "painleve/simulation/rigid_flow.hpp"
#include "painleve/simulation/run.hpp"

namespace painleve {

// A point of an approach to p = 0.
struct JamPoint {
  double t = 0, D = 0;     // time, RigidFlow::regularity()
  Eigen::VectorXd lambda;  // stacked over all contacts
  State state;
};

struct PhaseEnd {
  std::vector<RigidFlow::End> ends;  // empty: t_end, or one of the two below
  bool collapsed = false, interrupted = false;
  State state;
  double last_step = 0;  // [s] of the integrator: the time scale of the motion there
  long steps = 0;
  std::vector<JamPoint> approach;         // of a phase on the slow clock
  std::shared_ptr<const RigidFlow> flow;  // of the phase, evaluated at or near its end

  bool has(Ending kind) const;
};

// Where the evenly spaced samples are.
struct SampleClock {
  double t_start = 0, t_end = 0;
  int samples = 0;
  long next = 0;  // index of the sample to come, 0 … samples

  double time(long index) const;
  bool due(double t) const { return samples > 0 && next <= samples && time(next) <= t; }
};

// What follows a phase, in storage that the next phase takes over.
struct PhaseKit {
  PhaseKit(const SimulationProblem& problem, const SimulationOptions& options);

  RigidFlow flow;
  DormandPrince853 integrator;
  CrossingFinder finder;
  Eigen::VectorXd y, scratch;
  double longest;  // [s] step
};

// Adds to run.samples, run.impulse and the ledger's friction and applied. The kit is made where there is none, or where
// the end of a phase still has its flow.
PhaseEnd run_phase(const SimulationProblem& problem, const SimulationOptions& options,
                   const std::vector<ContactMode>& modes, const State& start, SampleClock& clock,
                   std::shared_ptr<PhaseKit>& kit, Run& run);

// A sample of this state, with the forces of the mode that holds there.
Sample sample(const RigidFlow& flow, const State& state);

}  // namespace painleve
