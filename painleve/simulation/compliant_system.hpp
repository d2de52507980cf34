// The equations of a compliant simulation in one discrete state of its contacts.
//
//   y = (x, gap, u, s, ledger):   ẋ of the slow model,  gap' = u_n,  u' = b + W λ,  s' of elastic friction,
//   ledger = (∫λ dt, work of friction, of normal dashpots, of applied forces)
//
// λ follows from gap, u and s alone, but for sticking contacts: theirs keep a_t = 0, all together. Where that leaves
// friction undetermined it is shared in proportion to what each contact can hold; feet of one body have one tangent
// (compliant_ties.hpp). Inside one discrete state the right
// side is smooth; where the state ends, one of the event functions falls through zero.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "painleve/simulation/compliant_model.hpp"
#include "painleve/simulation/contact_force.hpp"
#include "painleve/simulation/crossing.hpp"
#include "painleve/simulation/exponential_collocation.hpp"
#include "painleve/simulation/ode.hpp"

namespace painleve {

struct CompliantContact {
  NormalSpring spring;
  Friction friction;
};

struct ContactPhase {
  NormalPhase normal = NormalPhase::open;
  bool slip = false;  // of a closed contact; else it sticks or creeps
  // Of Coulomb or elastic slip in space: a direction near the present one. Coulomb slip ends where u_t turns away from
  // it, and up to there, and in trial steps beyond, friction is smooth.
  Eigen::Vector2d reference = Eigen::Vector2d::Zero();
  double direction = 1;  // of slip in the plane, smoothed friction apart: ±1
  int leader = -1;       // the contact whose tangent this one shares; -1: it has its own
  double along = 1;      // ±1: u_t = along u_t of the leader
  double diverged = 0;   // [N] an impact without collision is one whose force grows beyond this; 0: do not look
  bool muted = false;    // changes at one instant came without end: let a step pass without looking
  bool closed() const { return normal != NormalPhase::open; }
};

struct CompliantLayout {
  int dimension = 2, count = 0, slow = 0;
  bool elastic = false;  // whether deflections s are among the unknowns
  bool ledger = true;

  int tangents() const { return dimension - 1; }
  int rows() const { return dimension * count; }
  int gap(int i) const { return slow + i; }
  int u(int i) const { return slow + count + dimension * i; }
  int u_n(int i) const { return u(i) + dimension - 1; }
  int s(int i) const { return slow + count + rows() + tangents() * i; }
  int fast() const { return count + rows() + (elastic ? tangents() * count : 0); }
  int impulse() const { return slow + fast(); }
  int friction() const { return impulse() + rows(); }
  int dashpot() const { return friction() + 1; }
  int applied() const { return friction() + 2; }
  int size() const { return impulse() + (ledger ? rows() + 3 : 0); }
};

// What impacts without collision are told by.
enum class Divergence {
  force,   // the force alone: slip never ends
  growth,  // p < 0, and p λ_n outweighs all other accelerations of the contact
};

class CompliantSystem : public PartlyLinearSystem {
 public:
  CompliantSystem(const SlowModel& model, std::vector<CompliantContact> contacts, bool ledger);

  const CompliantLayout& layout() const { return layout_; }
  const SlowModel& model() const { return model_; }
  const std::vector<CompliantContact>& contacts() const { return contacts_; }

  std::vector<ContactPhase> phases;
  // Time 0 of rates(), jacobian() and the event functions. Each phase counts from its own start: the fast motion of a
  // stiff contact is shorter than the resolution of a time in seconds.
  double origin = 0;

  int size() const override { return layout_.size(); }
  void rates(double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const override;
  void jacobian(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& rate, const Eigen::VectorXd& scale,
                Eigen::MatrixXd& J) const override;

  // Slip in space turns the more slowly the faster it is.
  bool jacobian_lasts() const override;

  // PartlyLinearSystem: the fast unknowns are gaps and contact velocities, the work that of friction and dashpots.
  Block fast() const override { return {layout_.slow, layout_.fast()}; }
  Block work() const override { return {layout_.ledger ? layout_.friction() : 0, layout_.ledger ? 2 : 0}; }
  int active() const override { return layout_.impulse(); }
  void linearise(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& scale, Eigen::VectorXd& rate,
                 Eigen::MatrixXd& L) const override;
  void work_rates(const Eigen::VectorXd& y, double* rate) const override;
  // Whether forces are linear in gaps and velocities in this discrete state, and friction stores nothing.
  bool piecewise_linear() const;

  // At (origin + t, y); valid until the next call of any method.
  struct Forces {
    ContactResponse response;
    Eigen::VectorXd lambda, a;  // stacked
  };
  const Forces& forces(double t, const Eigen::VectorXd& y) const;
  const Forces& current() const { return forces_; }
  // λ without the friction of sticking contacts, which takes the slow model.
  const Eigen::VectorXd& spring_forces(const Eigen::VectorXd& y) const;
  // The contact and all that are tied to it; empty for a contact that follows another.
  std::vector<int> group(int i) const;
  template <class Visit>
  void for_group(int i, const Visit& visit) const {
    if (phases[static_cast<std::size_t>(i)].leader >= 0) return;
    visit(i);
    for (int j = 0; j < layout_.count; ++j) {
      if (phases[static_cast<std::size_t>(j)].leader == i) visit(j);
    }
  }
  // What contact i can hold at rest, for the λ_n of `current`.
  double stick_limit(int i) const;

  // ∂(gap', u', s')/∂(gap, u, s) with the directions of slip in space held; `scale` as in jacobian(). Valid until the
  // next call.
  const Eigen::MatrixXd& fast_jacobian(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& scale) const;

  // The friction that would act without slip: k_t s + c_t u_t of an elastic contact.
  Eigen::Vector2d trial(int i, const Eigen::VectorXd& y) const;
  Eigen::Vector2d tangential_velocity(int i, const Eigen::VectorXd& y) const;
  // What slip points along: the velocity, or the trial force of elastic friction.
  Eigen::Vector2d slip_vector(int i, const Eigen::VectorXd& y) const;
  Eigen::Vector2d slip_direction(int i, const Eigen::VectorXd& y) const;
  // Whether slip in space has turned by more than 60° since its reference was set.
  bool has_turned(int i, const Eigen::VectorXd& y) const;
  // How fast an elastic contact slips beyond its deflection, w of contact_force.hpp; for `forces` at this y.
  double plastic_rate(int i, const Eigen::VectorXd& y) const;
  bool slips_by_coulomb(int i) const;

  double stored_energy(const Eigen::VectorXd& y) const;
  double tangential_energy(int i, const Eigen::VectorXd& y) const;
  std::string letter(int i, const Eigen::VectorXd& y) const;
  std::string word(const Eigen::VectorXd& y) const;
  bool any_closed() const;

 private:
  Eigen::Vector2d friction_force(int i, const Eigen::VectorXd& y, double limit) const;
  double planar_friction(int i, const Eigen::VectorXd& y, double limit) const;
  void evaluate(double t, const Eigen::VectorXd& y) const;
  void stick_forces() const;
  void find_sticking() const;
  void hold_directions(const Eigen::VectorXd& y) const;
  void release_directions() const { held_directions_.swap(held_next_); }
  void share_friction(int leader) const;
  Eigen::Vector2d deflection_rate(int i, const Eigen::VectorXd& y) const;
  double limit_growth(int i, const Eigen::VectorXd& y) const;
  void finish_rates(const Eigen::VectorXd& y, Eigen::VectorXd& rate) const;
  void contact_rates(int i, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const;
  void planar_contact_rates(int i, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const;
  void add_force_column(int i, const Eigen::Vector2d& by_force, double* column) const;
  void linearise_contact(int i, const Eigen::VectorXd& y, Eigen::MatrixXd& L) const;
  void linearise_by_units(const Eigen::VectorXd& y, const Eigen::VectorXd& scale, Eigen::MatrixXd& L) const;
  void differences(const Eigen::VectorXd& y, const Eigen::VectorXd& rate, const Eigen::VectorXd& scale, int first,
                   Eigen::MatrixXd& J) const;

  const SlowModel& model_;
  std::vector<CompliantContact> contacts_;
  CompliantLayout layout_;
  bool coulomb_ = false;  // whether any contact has exact friction, and so may stick
  mutable Forces forces_;
  struct Evaluated {  // where forces_.response is that of the slow model, with no contacts tied
    double t = std::numeric_limits<double>::quiet_NaN();
    Eigen::VectorXd x;
  };
  mutable Evaluated evaluated_;
  mutable std::vector<Eigen::Vector2d> held_directions_;  // empty: none is held
  mutable std::vector<Eigen::Vector2d> held_next_;
  mutable Eigen::VectorXd point_, changed_, sizes_, fast_rate_;
  mutable Eigen::MatrixXd fast_columns_, fast_block_;
  // Of stick_forces(): rows of the contacts that stick, who leads them, what each can hold; and their equations.
  struct Sticking {
    std::vector<int> rows, leaders;
    std::vector<double> limits;
    Eigen::MatrixXd W;
    Eigen::VectorXd x;
    Eigen::LLT<Eigen::MatrixXd> llt;
  };
  mutable Sticking sticking_;
};

// Four per contact: landing or parting; damper; stick or slip; impact without collision. Behind them, where the model
// has any, the nearest limit of a joint.
class CompliantEvents : public EventFunctions {
 public:
  static constexpr int kinds = 4;
  static constexpr int slip = 2;
  // `accuracy`: of the motion, in parts of its accelerations.
  CompliantEvents(const CompliantSystem& system, Divergence divergence, double accuracy, bool limited = false)
      : system_(system), divergence_(divergence), accuracy_(std::max(accuracy, kRounding)), limited_(limited) {}
  int count() const override { return joint_limit() + (limited_ ? 1 : 0); }
  int joint_limit() const { return kinds * system_.layout().count; }
  void values(double t, const Eigen::VectorXd& y, Eigen::VectorXd& g) const override;

 private:
  double lost_speed(int i, const CompliantSystem::Forces& forces) const;
  double stick_reserve(int i, const Eigen::VectorXd& lambda) const;
  double slip_event(int i, const Eigen::VectorXd& y, const Eigen::VectorXd& lambda) const;
  struct Pushes {
    double own = 0;                    // p λ_n
    double joint = 0, joint_size = 0;  // of the other forces that have outgrown their beginnings: sum, and of sizes
    double other = 0;                  // sizes of all else
  };
  bool outgrown(int i, const Eigen::VectorXd& lambda) const;
  Pushes pushes(int i, const Eigen::VectorXd& y, const CompliantSystem::Forces& forces) const;
  double divergence_event(int i, const Eigen::VectorXd& y, const CompliantSystem::Forces& forces) const;
  bool needs_response(const Eigen::VectorXd& lambda) const;

  static constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();

  const CompliantSystem& system_;
  Divergence divergence_;
  double accuracy_;
  bool limited_;
};

}  // namespace painleve
