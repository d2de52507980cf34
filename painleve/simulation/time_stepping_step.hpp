// One step without its contact forces, and the contact problem that they solve; see time_stepping.hpp.
#pragma once

#include <Eigen/LU>

#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/simulation/detail/half_solves.hpp"
#include "painleve/simulation/time_stepping.hpp"

namespace painleve::detail {

// Scratch of a run: nothing in it outlives a step but storage.
class TimeStep {
 public:
  TimeStep(const SimulationProblem& problem, const TimeSteppingOptions& stepping);

  // The free motion from `start` over dt and the contact problem. `held`: contacts that carried force in the last step
  // and did not bounce off; `stuck`: those of them that did not slip.
  void prepare(const State& start, double dt, const std::vector<bool>& held, const std::vector<bool>& stuck);

  // false: the free motion left double precision, or the mass matrix is singular there.
  bool sound() const { return sound_; }

  const ContactProblem& contacts() const { return contacts_; }
  const std::vector<int>& taking_part() const { return taking_part_; }

  // Stacked over all contacts, before the step and without contact forces.
  const Eigen::VectorXd& u_before() const { return at_contact_.u; }
  const Eigen::VectorXd& u_free() const { return u_free_; }
  // Of a contact: whether w_n holds a restitution term.
  bool bounces(int contact) const { return bounces_[static_cast<std::size_t>(contact)]; }

  struct Result {
    Eigen::VectorXd q, v, u;                       // at the end; u stacked over all contacts
    double friction = 0, impact = 0, applied = 0;  // of the energy ledger
  };
  // The step with the impulse Λ, stacked over all contacts.
  void finish(const Eigen::VectorXd& Lambda, Result& result) const;

 private:
  void linearise(const State& start);
  bool factorise();
  void move_freely(const State& start);
  bool takes_part(int contact) const;
  void set_contacts();
  double normal_shift(int contact);

  const SimulationProblem& problem_;
  StepScheme scheme_;
  double theta_, correction_, ahead_;  // ahead_ is s
  int dimension_, count_;

  double dt_ = 0;
  bool sound_ = true;
  State start_, at_;
  Dynamics smooth_, at_contact_;  // at the θ point of the forces; at the predicted position
  Dynamics at_start_;             // where the gaps at the start are needed
  ForceResponse forces_;          // change of the forces at the θ point with v⁺ − v
  Eigen::VectorXd gap_;           // at the start; only where the scheme needs it
  Eigen::MatrixXd A_, symmetric_;
  HalfSolves response_;
  Eigen::PartialPivLU<Eigen::MatrixXd> free_motion_;  // of A, where it is not symmetric
  Eigen::VectorXd v_free_, u_free_, offset_, impulse_;
  mutable Eigen::VectorXd jump_, mean_, applied_;  // of finish()
  HalfSolves::Rows half_, velocity_response_;      // L⁻¹Jᵀ and A⁻¹Jᵀ over all contacts, transposed
  std::vector<int> taking_part_, last_taking_part_;
  std::vector<bool> held_, stuck_, bounces_;
  ContactProblem contacts_;
};

}  // namespace painleve::detail
