// What lies behind the contacts of a compliant simulation: the slow part of the state x, and how contacts answer
// forces,
//
//   u̇ = b(t, x) + W(t, x) λ,    ẋ = rates(t, x, λ).
//
// Gaps and contact velocities are integrated beside x and not computed from it: with a stiffness of 1e12 N/m a gap has
// the size of the rounding of q.
//
//   MechanismModel     x = (q, v):   q̇ = v,  v̇ = M⁻¹(f + Jᵀλ)
//   FrozenModel        x is empty:   W and b stay as they are
//   DriftingModel      x = b:        ḃ = b_rate + b_force λ,  W = P + t P_rate; normals only
#pragma once

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "painleve/contact/contact_space.hpp"
#include "painleve/contact/drifting_contacts.hpp"
#include "painleve/mechanism/mechanism.hpp"

namespace painleve {

// At one (t, x). Not a number where the model is outside its domain.
struct ContactResponse {
  Eigen::MatrixXd W;
  Eigen::VectorXd b;
  Eigen::VectorXd u;            // contact velocities, where x has velocities; else empty
  Eigen::VectorXd surface;      // velocity of the surfaces, stacked; the contacts see u = J v − surface
  Eigen::VectorXd free_rates;   // ẋ without contact forces
  Eigen::MatrixXd force_rates;  // ∂ẋ/∂λ
  double power = 0;             // of applied forces and moving supports [W], without that of the surfaces
  Eigen::VectorXd gap_drift;    // part of gap' that is not u_n, where u is not the rate of the gaps; else empty
  Eigen::VectorXd thrust;       // power per u, where the model has no velocities of its own; else empty

  // Storage of an evaluation, so that the next one into the same response takes nothing from the heap.
  struct Scratch {
    State state;
    Dynamics dynamics;
    Eigen::MatrixXd root;  // C, upper triangular, with M = Cᵀ C; on the diagonal its inverses
  };
  Scratch scratch;
};

class SlowModel {
 public:
  SlowModel() = default;
  SlowModel(const SlowModel&) = delete;
  SlowModel& operator=(const SlowModel&) = delete;
  virtual ~SlowModel() = default;

  virtual int dimension() const = 0;  // rows per contact; 1: normals only
  virtual int count() const = 0;      // contacts
  virtual int size() const = 0;       // of x
  virtual void evaluate(double t, const Eigen::Ref<const Eigen::VectorXd>& x, ContactResponse& response) const = 0;
  // W where the springs of the contacts `closed`, with these gaps, are undone: that of rigid ground.
  virtual Eigen::MatrixXd undeformed_W(double t, const Eigen::Ref<const Eigen::VectorXd>& x,
                                       const Eigen::Ref<const Eigen::VectorXd>& gap,
                                       const std::vector<int>& closed) const;
  virtual bool has_energy() const { return true; }
  // As Mechanism::room and Mechanism::limit.
  virtual double room(double, const Eigen::Ref<const Eigen::VectorXd>&) const {
    return std::numeric_limits<double>::infinity();
  }
  virtual std::string limit(double, const Eigen::Ref<const Eigen::VectorXd>&) const { return {}; }
  // Kinetic and potential energy [J].
  virtual double energy(double t, const Eigen::Ref<const Eigen::VectorXd>& x,
                        const Eigen::Ref<const Eigen::VectorXd>& u) const = 0;
};

class MechanismModel : public SlowModel {
 public:
  explicit MechanismModel(std::shared_ptr<const Mechanism> mechanism);
  int dimension() const override { return mechanism_->dimension(); }
  int count() const override { return static_cast<int>(mechanism_->contacts().size()); }
  int size() const override { return 2 * degrees_; }
  void evaluate(double t, const Eigen::Ref<const Eigen::VectorXd>& x, ContactResponse& response) const override;
  Eigen::MatrixXd undeformed_W(double t, const Eigen::Ref<const Eigen::VectorXd>& x,
                               const Eigen::Ref<const Eigen::VectorXd>& gap,
                               const std::vector<int>& closed) const override;
  double energy(double t, const Eigen::Ref<const Eigen::VectorXd>& x,
                const Eigen::Ref<const Eigen::VectorXd>& u) const override;
  double room(double t, const Eigen::Ref<const Eigen::VectorXd>& x) const override {
    return mechanism_->room(state(t, x));
  }
  std::string limit(double t, const Eigen::Ref<const Eigen::VectorXd>& x) const override {
    return mechanism_->limit(state(t, x));
  }

 private:
  State state(double t, const Eigen::Ref<const Eigen::VectorXd>& x) const;
  void respond(ContactResponse& response) const;

  std::shared_ptr<const Mechanism> mechanism_;
  int degrees_;
};

// The energy is ½ uᵀ W⁺ u, and b does the work uᵀ W⁺ b on it. What of u and b lies outside the range of W no force on
// the body changes: the surfaces move that way, from t = 0 on, and do work.
class FrozenModel : public SlowModel {
 public:
  explicit FrozenModel(const ContactSpace& space);
  int dimension() const override { return dimension_; }
  int count() const override { return count_; }
  int size() const override { return 0; }
  void evaluate(double t, const Eigen::Ref<const Eigen::VectorXd>& x, ContactResponse& response) const override;
  double energy(double t, const Eigen::Ref<const Eigen::VectorXd>& x,
                const Eigen::Ref<const Eigen::VectorXd>& u) const override;

 private:
  int dimension_, count_;
  Eigen::MatrixXd W_, mass_;  // mass_ = W⁺
  Eigen::VectorXd b_, thrust_;
  Eigen::VectorXd surface_, surface_rate_;  // velocity and acceleration of the surfaces
};

// P is no Delassus matrix: friction has been put into it, and there is no energy to speak of.
class DriftingModel : public SlowModel {
 public:
  explicit DriftingModel(const DriftingContacts& contacts) : contacts_(contacts) {}
  int dimension() const override { return 1; }
  int count() const override { return contacts_.count(); }
  int size() const override { return contacts_.count(); }
  void evaluate(double t, const Eigen::Ref<const Eigen::VectorXd>& x, ContactResponse& response) const override;
  bool has_energy() const override { return false; }
  double energy(double, const Eigen::Ref<const Eigen::VectorXd>&,
                const Eigen::Ref<const Eigen::VectorXd>&) const override {
    return 0;
  }

 private:
  DriftingContacts contacts_;
};

}  // namespace painleve
