// What one contact does in a mode: F free, T stick, S slip. A word names one mode per contact: "S+F".
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace painleve {

enum class Letter { F, T, S };

struct ContactMode {
  Letter letter = Letter::F;
  Eigen::VectorXd direction;  // of slip, of size dimension − 1; meaningful for S
  int force_sign = 1;         // −1: a bilateral contact that pulls
};

// "F", "T", "S+" or "S-" in the plane, "S" in space.
std::string letter_name(const ContactMode& mode);
std::string word(const std::vector<ContactMode>& modes);

}  // namespace painleve
