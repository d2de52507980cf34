// One compliant run (compliant_run.hpp): its state, its steps from event to event, and what it records on the way.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "painleve/simulation/compliant_run.hpp"
#include "painleve/simulation/compliant_steps.hpp"
#include "painleve/simulation/fast_outcome_history.hpp"

namespace painleve {

class CompliantDriver {
 public:
  CompliantDriver(const CompliantSetup& setup, const SimulationOptions& options)
      : setup_(setup),
        options_(options),
        rules_(setup.rules),
        system_(*setup.model, setup.contacts, true),
        events_(system_, setup.rules.divergence, options.relative,
                std::isfinite(setup.model->room(setup.t_start, setup.slow))),
        finder_(events_) {}

  Run run();

 private:
  void begin();
  void begin_phase();
  void look_at_spectrum();
  double turning_rate() const;
  double time_of_young_slip() const;
  void choose_integrator();
  bool idle_swing() const;
  double longest_step_now() const;
  OdeTolerance stiff_tolerance() const;
  OdeTolerance idle_tolerance() const;
  void look_again();
  bool advance();  // one step, or up to an event; false: the run has stopped
  bool stop(const std::string& how, const std::string& why);
  bool handle(const Crossing& crossing);
  bool end_at_limit();
  bool goes_on(const Crossing& crossing);
  std::vector<int> slow_slip() const;
  bool follow_turns();
  bool any_muted() const;
  bool unmute();
  void begin_instant();
  bool within(double time, double units) const;
  std::vector<int> without_flicker(const std::vector<int>& which, double later);
  bool grazes(int contact) const;
  void record_changes();
  void record_change(int contact, const std::string& is);
  void record(EventKind kind, int contact, const std::string& note);
  Eigen::VectorXd velocities(double t, const Eigen::VectorXd& y) const;
  void record_turns(double from, double stop);
  void record_samples();
  void record_sample(double t, const Eigen::VectorXd& y);
  std::string struck_by_force(int contact);
  bool note_divergence(std::vector<int>& which);
  std::vector<std::string> letters() const;
  double energy() const;
  void close_ledger();
  void look_at_end();
  void finish();

  const CompliantSetup& setup_;
  const SimulationOptions& options_;
  TransitionRules rules_;
  CompliantSystem system_;
  CompliantEvents events_;
  CrossingFinder finder_;
  std::unique_ptr<OdeIntegrator> explicit_, stiff_, idle_, linear_;
  OdeIntegrator* integrator_ = nullptr;
  OdeTolerance tolerance_;
  CompliantScales scales_;
  FastSpectrum spectrum_;
  double pace_ = 0;  // the fastest motion [1/s] when a contact was last closed: in flight there is none
  double swing_ = 0;
  bool resolve_ = false;  // as asked for, if it can be paid
  int steps_since_spectrum_ = 0;
  double t_ = 0;      // of the mechanism
  double local_ = 0;  // since the phase began
  double since_ = 0;  // of the last event; before 0 where the phase began without one, as slip that turns does
  Eigen::VectorXd y_, point_, turn_, begin_u_n_;
  int next_sample_ = 0;
  int repeats_ = 0;        // events at this instant after the first
  struct Told {            // of one contact
    std::string letter;    // after its last recorded change
    std::string previous;  // before that change
    std::string first;     // before the first change of this instant
    bool flickers = false;
  };
  struct Instant {
    std::vector<Told> told;
    std::vector<char> touched;                          // per event of CompliantEvents
    std::size_t events = 0, changes = 0, landings = 0;  // before its first change
  };
  Instant instant_;
  std::vector<ContactPhase> before_;  // the last event
  Released released_;
  FastHistory history_;
  Run run_;
};

}  // namespace painleve
