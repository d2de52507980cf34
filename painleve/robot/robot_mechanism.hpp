// A kinematic tree with contacts as a Mechanism.
//
//   M = Tᵀ (Σ m J_cᵀJ_c + J_ωᵀ I J_ω + armature) T      J_c, J_ω: of the centres of mass and of the angular velocities
//   f = Tᵀ (−Σ J_cᵀ m (a_c − g) + J_ωᵀ (I α + ω × I ω) − armature c + springs + damping + applied)
//
// where a_c and α are the accelerations for v̇ = 0, the part c of joints that follow others included.
//
// Where a loop cannot be closed (beyond a dead point, out of reach) dynamics() is not a number, so that an integrator
// steps back; room() is then −∞, and limit() says which loop it is.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "painleve/base/expression.hpp"
#include "painleve/mechanism/mechanism.hpp"
#include "painleve/robot/robot_tree.hpp"

namespace painleve {

// A point of a link against a plane that stands still.
struct RobotContactPlane {
  std::string name;
  int link = -1;
  Eigen::Vector3d at = Eigen::Vector3d::Zero();        // the point, in the frame of the link
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();    // of the plane, in the world
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  // columns t1, t2, n in the world; in the plane t2 is not used
};

struct RobotDrawing {
  Eigen::Matrix<double, 2, 3> plane =
      Eigen::Matrix<double, 2, 3>::Zero();  // rows: axes of the picture; in space unused
  std::vector<Eigen::Vector3d> feet;        // where the chains of links stand in the world, one per link; NaN: nowhere
  double size = 1;                          // [m] of the robot
};

class RobotMechanism final : public Mechanism {
 public:
  // `forces` along the coordinates.
  RobotMechanism(std::shared_ptr<const detail::RobotTree> tree, int dimension, std::vector<RobotContactPlane> contacts,
                 const Eigen::Vector3d& gravity, std::vector<Expression> forces, RobotDrawing drawing);

  int dimension() const override { return dimension_; }
  const std::vector<std::string>& coordinates() const override { return coordinates_; }
  const std::vector<std::string>& contacts() const override { return contact_names_; }

  using Mechanism::dynamics;
  void dynamics(const State& state, Dynamics& d) const override;
  Dynamics derivative(const State& state, const State& direction) const override;
  double room(const State& state) const override;
  std::string limit(const State& state) const override;
  bool forces_of_time() const override {
    return !std::all_of(forces_.begin(), forces_.end(), [](const Expression& force) { return force.constant(); });
  }
  Outline outline(const State& state) const override;

  const detail::RobotTree& tree() const { return *tree_; }
  const std::vector<RobotContactPlane>& planes() const { return contacts_; }

 private:
  template <class S>
  struct Sum;
  template <class S, class Part>
  void evaluate(const S* q, const S* v, const S* forces, const Part& part, Dynamics& d) const;
  template <class S>
  void add_link(int index, const detail::TreeState<S>& state, Sum<S>& sum) const;
  template <class S>
  void add_joints(const detail::JointMotion<S>& motion, const S* forces, Sum<S>& sum) const;
  template <class S, class Part>
  void write_dynamics(const Sum<S>& sum, const detail::JointMotion<S>& motion, const Part& part, Dynamics& d) const;
  template <class S, class Part>
  void write_contact(std::size_t index, const detail::TreeState<S>& state, const detail::JointMotion<S>& motion,
                     const Part& part, Dynamics& d) const;
  void resize(Dynamics& d) const;

  std::shared_ptr<const detail::RobotTree> tree_;
  int dimension_;
  std::vector<RobotContactPlane> contacts_;
  std::vector<std::string> coordinates_, contact_names_;
  Eigen::Vector3d gravity_;
  std::vector<Expression> forces_;
  RobotDrawing drawing_;
  bool limited_ = false;
};

}  // namespace painleve
