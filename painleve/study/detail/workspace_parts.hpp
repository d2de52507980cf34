// The steps of a workspace check; see workspace_check.hpp.
#pragma once

#include <limits>
#include <memory>

#include "painleve/base/draws.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/study/workspace_check.hpp"

namespace painleve::detail {

// The problem, and what follows from it.
struct Workspace : WorkspaceProblem {
  explicit Workspace(const WorkspaceProblem& problem);

  std::vector<bool> still;               // per contact: closed, and its surface does not follow the pose
  std::vector<bool> fixed;               // joints that take no part: held by their range, or without effect
  std::vector<std::string> independent;  // the latter
};

// mu_jam at any pose; one per thread.
class PoseProbe {
 public:
  explicit PoseProbe(const Workspace& problem);

  struct Value {
    double mu_jam = std::numeric_limits<double>::infinity();  // infinite: no coupling, or no such pose
    bool exists = false;                                      // the pose can be taken
    Eigen::VectorXd q;                                        // the pose, on the surfaces
    Eigen::VectorXd e_jam;
    double locking_angle = 0;
    Eigen::VectorXd normal;   // row of J along the normal of the contact
    Eigen::MatrixXd normals;  // rows of the closed contacts whose surfaces stand still
  };
  // The pose that `start` leads to; joints in `held` stay as they are, and joints with a range stay inside it.
  Value at(const Eigen::VectorXd& start, const std::vector<bool>& held);
  // Likewise without moving onto surfaces: what is there.
  Value as_it_is(const Eigen::VectorXd& q);
  Eigen::VectorXd gaps(const Eigen::VectorXd& q) const;  // 0 for open contacts; surfaces are laid for this pose
  std::shared_ptr<const Mechanism> mechanism(const Eigen::VectorXd& q) const;
  const std::string& reason() const { return reason_; }  // of the last pose that does not exist

 private:
  bool touches(const Mechanism& mechanism, const State& state) const;
  bool inside(Eigen::VectorXd& q, std::vector<bool>& held) const;
  State posed(const Mechanism& mechanism, const Eigen::VectorXd& q, const std::vector<bool>& held);
  Value measured(const Mechanism& mechanism, const State& state) const;

  const Workspace& problem_;
  Setup setup_;
  std::vector<Surface> surfaces_;
  std::string reason_;
};

// A pose of the sequence; fixed joints, and those without a range, are at home.
Eigen::VectorXd drawn_pose(const Workspace& problem, long index);
Eigen::VectorXd home_pose(const Workspace& problem);

// From a pose to a local minimum.
PoseProbe::Value descend_pose(const Workspace& problem, PoseProbe& probe, const PoseProbe::Value& start);
// Whether a joint is at the end of its range.
bool at_limit(const WorkspaceJoint& joint, double at);
// Below it W_nn vanishes: a pose in which the contact cannot move along its normal.
inline constexpr double singular_mu_jam = 1e-4;

// The largest difference of two poses in parts of the ranges; hinges that turn all around are compared modulo a turn.
double pose_distance(const Workspace& problem, const Eigen::VectorXd& a, const Eigen::VectorXd& b);

}  // namespace painleve::detail
