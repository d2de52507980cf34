// Mechanisms of the gallery as MJCF, for engines that read it: bodies, joints and contact points as sites. The contact
// geometry is not in it, since engines differ in how they find contacts: the case says which site touches which plane.
//
// Planar mechanisms lie in the plane y = 0, with z up.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "painleve/scene/scene.hpp"

namespace painleve {

// A contact point and the frame of its surface at this state, in the world.
struct MjcfContact {
  std::string site;
  std::vector<Eigen::Vector3d> tangents;
  Eigen::Vector3d normal;
};

// v of the file = T v of the mechanism, so that M = Tᵀ M_file T, J = J_file T, f = Tᵀ f_file.
struct Mjcf {
  std::string xml;
  Eigen::VectorXd qpos, qvel;
  Eigen::VectorXd qfrc_applied;  // applied forces, springs and dampers at this state
  Eigen::MatrixXd T;
  std::vector<MjcfContact> contacts;
};

// Empty when the mechanism cannot be written, with the reason.
struct MjcfResult {
  std::optional<Mjcf> mjcf;
  std::string reason;
};
MjcfResult to_mjcf(const Scene& scene);

}  // namespace painleve
