// Words that are not solutions say why, in numbers of the problem and not of the units in which it is solved.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <string>

#include "painleve/complementarity/solution_set.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace spatial_reasons_test {

// Responses far from one, so that the units of the search differ from those of the problem.
ContactProblem contact(const Eigen::Vector3d& b) {
  const Eigen::Matrix3d W = Eigen::Vector3d(100, 100, 400).asDiagonal();
  return acceleration_problem(one_contact(W, b, Eigen::Vector2d::Zero(), 0.5), {}).problem;
}

bool says(const ContactProblem& p, const std::string& reason) {
  const ContactSolutions set = all_solutions(p);
  return std::any_of(set.rejected.begin(), set.rejected.end(),
                     [&](const RejectedWord& r) { return r.reason == reason; });
}

TEST(SpatialReasons, NameTheForceThatHasTheWrongSign) {
  EXPECT_TRUE(says(contact({0, 0, 8}), "c1 would have to pull: lambda_n = -0.02 N"));
}

TEST(SpatialReasons, NameTheAccelerationIntoTheSurface) {
  EXPECT_TRUE(says(contact({0, 0, -8}), "c1 would sink in: a_n = -8 m/s^2"));
}

TEST(SpatialReasons, NameTheFrictionThatStickNeedsAndWhatThereIs) {
  EXPECT_TRUE(says(contact({3, 4, -8}), "c1 cannot stick: |lambda_t| = 0.05 N exceeds mu lambda_n = 0.01 N"));
}

}  // namespace spatial_reasons_test
}  // namespace painleve
