// The driver of event-driven simulation: from one phase to the next.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "painleve/simulation/chatter_rounds.hpp"
#include "painleve/simulation/crossroads.hpp"
#include "painleve/simulation/impulsive_slip.hpp"
#include "painleve/simulation/phase_run.hpp"
#include "painleve/simulation/run.hpp"

namespace painleve::detail {

// What all futures of a run share.
struct Budget {
  int futures = 1;
  bool interrupted = false;
};

// Where the motion is between two phases.
struct Place {
  State state;
  std::vector<ContactMode> modes;     // of the phase before, F where open
  std::vector<bool> closed, resting;  // per contact
  Eigen::VectorXd pressed;            // normal forces just before, per contact
  double look = 0;                    // [s] time scale for looking past the event; 0: look at the state itself
  SampleClock clock;
  bool at_jam = false;  // p is zero to the accuracy with which the approach was followed
  long draws = 0;
  int events_here = 0;  // since time last went on
};

// Whose ways are being followed one after the other.
struct Choice {
  const Crossroads& crossroads;
  const Place& place;
};

class EventDriver {
 public:
  EventDriver(const SimulationProblem& problem, const SimulationOptions& options, Budget& budget)
      : problem_(problem), options_(options), budget_(budget), dimension_(problem.mechanism->dimension()) {}

  Run from_start();

 private:
  Run empty_run(const State& state) const;
  Run future(Place place, const Way& way);
  void go_on(Place& place, Run& run);
  bool proceed(const Place& place, const Run& run) const;
  bool choose_and_follow(Place& place, Run& run);
  bool choose(const Crossroads& c, Place& place, Run& run);
  void follow(const Way& way, Place& place, Run& run);
  void phase(const Way& way, Place& place, Run& run);
  void end_of_phase(const PhaseEnd& end, Place& place, Run& run);
  bool land_together(ContactSpace space, Place& place, Run& run) const;
  void give_impulses(const Eigen::VectorXd& Lambda, const Eigen::VectorXd& mean_u, Place& place, Run& run) const;
  void strike(const std::vector<int>& without_collision, Place& place, Run& run);
  void begin_bouncing(const Way& way, Place& place, Run& run);
  void push_off(Way& way, Place& place, Run& run) const;
  void advance(double dt, const RigidFlow& flow, Place& place, Run& run) const;
  void coast_to_rest(int contact, Place& place, Run& run) const;
  Eigen::VectorXd remaining_impulses(const std::vector<int>& rows, const ChatterEnd& end, const ContactSpace& space,
                                     const Eigen::VectorXd& u) const;
  Eigen::VectorXd pass_bounces(const std::vector<int>& rows, const ChatterEnd& end, Place& place, Run& run);
  ChatterEnd lone_end(const ContactSpace& space, int contact, double time, const Eigen::Vector2d& u, double shift,
                      double middle) const;
  bool steady(const ContactSpace& space, int contact, const ChatterEnd& end, const State& start) const;
  std::optional<ChatterEnd> bounces_end(int contact, const PlanarContact& landing, double u_n, double rises,
                                        const ContactSpace& space, const State& start) const;
  bool finish_chatter(int contact, Place& place, Run& run);
  std::vector<int> low_contacts(const ContactSpace& space, const Place& place, double height) const;
  State calm_state(const ContactSpace& space, const std::vector<int>& low, State state) const;
  std::optional<ChatterEnd> rounds_end(const std::vector<int>& low, double lost, ContactSpace space,
                                       const ImpactOptions& impacts, const Place& place) const;
  bool finish_rounds(const ImpactOptions& impacts, Place& place, Run& run);
  void jam(const PhaseEnd& end, Place& place, Run& run);
  void stop_slip(const StoppingImpulse& stop, Place& place, Run& run) const;
  void leave_degenerate_slip(double time, Place& place, Run& run);
  bool is_back_at(const Choice& before, const Crossroads& c, const Place& place) const;
  void branch(const Crossroads& c, const Place& place, Run& run);
  Crossroads ways_from(const State& state, const Place& place) const;
  State ahead_of(const Place& place, double part);
  bool holds(const Way& way, const State& state);
  Crossroads look(const Place& place);
  std::optional<Way> only_way(const Place& place);
  ContactSpace start_space() const;
  ContactSpace struck_space(const Place& place) const;
  void note_mode_change(const std::vector<ContactMode>& next, const Place& place, Run& run) const;
  SimulationEvent event(EventKind kind, int contact, const Place& place, const Eigen::VectorXd& u) const;
  double energy(const State& state) const;
  void close_run(const Place& place, Run& run) const;

  const SimulationProblem& problem_;
  const SimulationOptions& options_;
  Budget& budget_;
  int dimension_;
  std::vector<Choice> open_choices_;  // that led to the run that is followed now
  std::shared_ptr<PhaseKit> kit_;
  mutable Dynamics dynamics_;  // scratch
};

}  // namespace painleve::detail
