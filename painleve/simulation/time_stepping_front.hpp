// One motion under way: its state, what the last step did, and the run that it writes.
#pragma once

#include "painleve/simulation/time_stepping_choice.hpp"
#include "painleve/simulation/time_stepping_step.hpp"

namespace painleve::detail {

// Evenly spaced times of samples.
struct SampleGrid {
  double start = 0, interval = 0;  // interval 0: none
  long next = 1;
  // True once per interval that t has passed.
  bool due(double t);
};

class Front {
 public:
  Front(const SimulationProblem& problem, const TimeSteppingOptions& stepping, const SampleGrid& grid, Run& run,
        const State& start);
  // A future of `parent`, at its state.
  Front(const Front& parent, Run& run);

  const State& state() const { return state_; }
  Run& run() const { return *run_; }
  const TimeStep& step() const { return step_; }

  // The step's problem and its solutions; nullptr: the numbers cannot be followed any further.
  const StepSolutions* prepare(double dt);
  StepHistory history() const;
  // Takes solution k; t is the time at the end of the step. false: the motion left double precision, and stays where it
  // was.
  bool take(int k, double t);
  // The words of the several solutions of the last step; empty where it had one.
  const std::vector<std::string>& indeterminacy() const { return indeterminacy_; }
  void stop(const std::string& stopped, const std::string& reason);

 private:
  void record_start();
  void note_changes(const StepSolution& taken, double t);
  std::optional<EventKind> change(int contact, StepLetter before, StepLetter after, double p) const;
  void add_event(EventKind kind, int contact, double t, const std::string& note);
  void sample();
  double slip_parameter(int k) const;

  const SimulationProblem* problem_;
  SampleGrid grid_;
  Run* run_;
  State state_;
  TimeStep step_;
  TimeStep::Result result_;
  StepSolutions solutions_;
  double dt_ = 0, taken_dt_ = 0;  // of the step at hand, of the last one taken
  int solutions_seen_ = 1, taken_ = 0;
  Eigen::VectorXd Lambda_;           // of the last step, stacked over all contacts
  Eigen::VectorXd proposed_;         // of the step under way
  std::vector<StepLetter> letters_;  // of the last step: where impulses acted
  std::vector<StepLetter> modes_;    // as events tell them: a contact that bounced off is free
  std::vector<bool> held_, jammed_;
  // Storage of a step.
  std::vector<bool> stuck_;
  std::vector<StepLetter> before_;
  std::vector<double> slip_parameters_;
  mutable Eigen::VectorXd slip_;
  Dynamics at_sample_;
  bool first_ = true;
  std::size_t events_before_ = 0;
  std::vector<std::string> indeterminacy_;
};

}  // namespace painleve::detail
