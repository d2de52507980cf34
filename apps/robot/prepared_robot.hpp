// A robot file made ready for MuJoCo's compiler: MJCF without what is not needed, and what MuJoCo could not be told.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace painleve::robot_program {

// Mass and inertia about the centre of mass, along the axes of the link.
struct LinkInertia {
  double mass = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
};

struct PreparedRobot {
  std::string name, format;
  std::string mjcf;  // the text to be compiled
  // By body, put back once MuJoCo has compiled: it refuses moving bodies without mass or with a moment of inertia 0, so
  // those get a small one, and it finds principal axes to eight digits only.
  std::map<std::string, LinkInertia> true_inertia;
  // By body, the `fullinertia` of an MJCF file, for the same reason; not where MuJoCo was told to change it.
  std::map<std::string, Eigen::Matrix3d> full_inertia;
  std::vector<std::string> notes;
};

// Reads an MJCF or URDF file. Throws InputError with one sentence.
PreparedRobot prepare(const std::filesystem::path& path);

}  // namespace painleve::robot_program
