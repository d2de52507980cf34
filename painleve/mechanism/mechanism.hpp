// A mechanism: immutable, thread-safe, the same for every state. It produces, at (q, v, t),
//
//   M(q) v̇ = f(q, v, t) + Jᵀ λ,   u = J v (relative to the surface),   u̇ = J v̇ + drift
//
// where f holds applied forces, the potential's forces and the inertial bias. Everything else is made from this.
#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "painleve/mechanism/outline.hpp"

namespace painleve {

struct State {
  Eigen::VectorXd q, v;
  double t = 0;
};

struct Dynamics {
  Eigen::MatrixXd M;        // mass matrix
  Eigen::VectorXd f;        // all generalized forces but the contacts', bias included
  Eigen::VectorXd applied;  // the part of f that comes neither from a potential nor from inertia
  Eigen::MatrixXd J;        // contact Jacobian, rows stacked per contact, tangents first
  Eigen::VectorXd drift;    // J̇ v
  Eigen::VectorXd u;        // contact velocity
  Eigen::VectorXd gap;      // one per contact [m]
  Eigen::VectorXd place;    // displacement of the contact points along the rows of J; 0 where an axis turns
  double potential = 0;     // [J]
  double drive = 0;         // ∂V/∂t [W]: the power of supports that move
};

// The motion with one contact in the plane, solved for what the contact does:
//
//   v̇ = v_dot + X_t λ_t + X_n λ_n,   u̇ = b + W λ
//
// v_dot = M⁻¹ f, the columns X = M⁻¹ Jᵀ, W and b as in the notation. Not finite where M is not positive definite.
struct PlanarMotion {
  static constexpr int most_degrees = 4;
  using Column = std::array<double, most_degrees>;  // as many entries as there are degrees of freedom

  Column v_dot{}, X_t{}, X_n{};
  double W_tt = 0, W_tn = 0, W_nn = 0;
  double b_t = 0, b_n = 0;
  double u_t = 0, u_n = 0;        // contact velocity
  double body_t = 0, body_n = 0;  // J v: that of the body's point alone, where the surface moves
  double gap = 0;                 // [m]
  double power = 0;               // of the applied forces and of supports that move [W]
};

// How f, its applied part and the drive change with q_j and v_j, one column (entry) per j.
struct ForceResponse {
  Eigen::MatrixXd f, applied;
  Eigen::VectorXd drive;
  State direction;  // these two: scratch
  Dynamics change;
};

class Mechanism {
 public:
  Mechanism() = default;
  Mechanism(const Mechanism&) = delete;
  Mechanism& operator=(const Mechanism&) = delete;
  virtual ~Mechanism() = default;

  virtual int dimension() const = 0;  // 2 or 3
  virtual const std::vector<std::string>& coordinates() const = 0;
  virtual const std::vector<std::string>& contacts() const = 0;

  Dynamics dynamics(const State& state) const {
    Dynamics d;
    dynamics(state, d);
    return d;
  }
  // Into storage that is already there: allocates nothing once its members have their sizes.
  virtual void dynamics(const State& state, Dynamics& d) const = 0;
  // Directional derivative of every member of dynamics() along (direction.q, direction.v, direction.t).
  virtual Dynamics derivative(const State& state, const State& direction) const = 0;
  // What it looks like; empty where nobody drew it.
  virtual Outline outline(const State&) const { return {}; }
  // How far the state is inside its domain: the least distance to a limit of a joint [rad, m], negative beyond it,
  // −∞ where the mechanism cannot be put together; +∞ without limits.
  virtual double room(const State&) const { return std::numeric_limits<double>::infinity(); }
  // One sentence on the limit that is nearest: which, where the state is, and what is allowed. Empty: there is none.
  virtual std::string limit(const State&) const { return {}; }
  // derivative() into storage that is already there, as dynamics(); mechanisms that can do it without the heap do.
  virtual void derivative_into(const State& state, const State& direction, Dynamics& d) const {
    d = derivative(state, direction);
  }
  // Column j: along `along_q` in q_j and `along_v` in v_j.
  virtual void force_response(const State& state, double along_q, double along_v, ForceResponse& response) const {
    const Eigen::Index degrees = state.q.size();
    response.f.resize(degrees, degrees);
    response.applied.resize(degrees, degrees);
    response.drive.resize(degrees);
    response.direction.q.setZero(degrees);
    response.direction.v.setZero(degrees);
    for (Eigen::Index j = 0; j < degrees; ++j) {
      response.direction.q(j) = along_q;
      response.direction.v(j) = along_v;
      derivative_into(state, response.direction, response.change);
      response.f.col(j) = response.change.f;
      response.applied.col(j) = response.change.applied;
      response.drive(j) = response.change.drive;
      response.direction.q(j) = 0;
      response.direction.v(j) = 0;
    }
  }
  // From the numbers of a state, as many as there are degrees of freedom; false, and nothing is done, where the
  // mechanism does not offer it: others than those with one contact in the plane.
  virtual bool planar_motion(const double* /*q*/, const double* /*v*/, double /*t*/, PlanarMotion&) const {
    return false;
  }
  // Whether applied forces are formulas of the time: a pulse of theirs may be shorter than the motion makes steps.
  virtual bool forces_of_time() const { return false; }
};

}  // namespace painleve
