// Names and defaults of the gallery: a part of the interface that files of users depend on.
#include <gtest/gtest.h>

#include "painleve/mechanism/mechanisms_for_tests.hpp"

namespace painleve {
namespace gallery_listing_test {

using detail::Named;

constexpr double degree = std::numbers::pi / 180;

struct Listing {
  std::string name;
  Named coordinates, parameters;
  std::vector<std::string> contacts, forces, solved;
};

const Named rod_parameters = {
    {"mass", 1}, {"half_length", 1}, {"gyration", 1 / std::sqrt(3.0)}, {"gravity", 9.81}, {"slope", 0}};
const std::vector<std::string> plane_forces = {"force_x", "force_y", "torque"};
const std::vector<std::string> rod_solved = {"y", "y_dot", "x_dot"};

// '*' after a contact: open.
const std::vector<Listing>& listings() {
  static const std::vector<Listing> all = {
      {"rod", {{"x", 0}, {"y", 0}, {"theta", 60 * degree}}, rod_parameters, {"tip"}, plane_forces, rod_solved},
      {"chalk",
       {{"x", 0}, {"y", 0}, {"theta", 60 * degree}},
       {{"mass", 1},
        {"half_length", 1},
        {"gyration", 1 / std::sqrt(3.0)},
        {"gravity", 9.81},
        {"slope", 0},
        {"grip", 0.5},
        {"hand_speed", 0.3},
        {"hand_stiffness", 200},
        {"hand_damping", 2},
        {"push", 5},
        {"wrist_stiffness", 2},
        {"wrist_damping", 0.02},
        {"rest_angle", 60 * degree}},
       {"tip"},
       plane_forces,
       rod_solved},
      {"block",
       {{"x", 0}, {"y", 0}, {"theta", 50 * degree}},
       {{"mass", 1}, {"width", 1}, {"height", 0.5}, {"gravity", 9.81}, {"slope", 0.2}},
       {"corner", "corner2*"},
       plane_forces,
       rod_solved},
      {"impact-oscillator",
       {{"y", 0}, {"beta", 0.6}},
       {{"mass_tip", 1},
        {"mass_body", 1},
        {"length", 1},
        {"stiffness_y", 0},
        {"damping_y", 0},
        {"rest_y", 1},
        {"stiffness_beta", 0},
        {"damping_beta", 0},
        {"rest_beta", 0.6},
        {"belt_speed", 0},
        {"gravity", 9.81}},
       {"tip"},
       {"force_y", "torque"},
       {"y", "y_dot", "beta_dot"}},
      {"two-link",
       {{"theta1", 1.3}, {"theta2", 0}},
       {{"mass1", 1}, {"mass2", 1}, {"length1", 1}, {"length2", 1}, {"height", 1}, {"gravity", 9.81}},
       {"tip"},
       {"torque1", "torque2"},
       {"theta2", "theta1_dot", "theta2_dot"}},
      {"pendulum-on-slider",
       {{"x", 0}, {"y", 0}, {"theta", 0.5}},
       {{"mass_slider", 1}, {"mass_pendulum", 1}, {"distance", 1}, {"gyration", 1 / std::sqrt(3.0)}, {"gravity", 9.81}},
       {"slider"},
       {"force_x", "torque"},
       rod_solved},
      {"painleve-klein",
       {{"x1", 0}, {"y1", 0}, {"phi", 1.2}},
       {{"mass1", 1}, {"mass2", 1}, {"length", 1}, {"gravity", 0}},
       {"guide1", "guide2"},
       {"force1", "force2"},
       {"y1", "y1_dot", "phi_dot", "x1_dot"}},
      {"wedged-block",
       {{"x", 0}, {"y", 0}, {"theta", 0}},
       {{"mass", 1}, {"width", 1}, {"height", 0.5}, {"tilt", 0.2}, {"gravity", 9.81}},
       {"left", "right"},
       plane_forces,
       {"y"}},
      {"two-legged-body",
       {{"x", 0}, {"y", 0}, {"theta", 0}},
       {{"mass", 1},
        {"height", 1},
        {"foot1", 0.1},
        {"foot2", 0.5},
        {"gyration", std::sqrt(0.5)},
        {"gravity", 9.81},
        {"slope", 10 * degree}},
       {"foot1", "foot2"},
       plane_forces,
       {"y", "y_dot"}},
      {"rigid-body",
       {{"x", 0}, {"y", 0}, {"theta", 0}},
       {{"mass", 1}, {"gyration", 1}, {"gravity", 9.81}, {"slope", 0}},
       {"c1", "c2"},
       plane_forces,
       {}},
      {"brake-pad",
       {{"x", 0}, {"y", 0.3}, {"theta", 0}},
       {{"mass", 1},
        {"gyration", 0.3},
        {"half_width", 0.5},
        {"height", 0.3},
        {"bushing_x", 1e4},
        {"bushing_y", 1e4},
        {"bushing_theta", 1e4},
        {"bushing_damping", 1},
        {"preload", 100},
        {"belt_speed", 1},
        {"gravity", 9.81}},
       {"leading", "trailing"},
       {"force_x", "force_y"},
       {"x", "y", "theta"}},
      {"rimless-wheel",
       {{"x", 0}, {"y", 0}, {"theta", 80 * degree}},
       {{"mass", 1}, {"legs", 8}, {"leg_length", 1}, {"gyration", 0.5}, {"gravity", 9.81}, {"slope", 0.1}},
       {"leg1", "leg2*", "leg3*", "leg4*", "leg5*", "leg6*", "leg7*", "leg8*"},
       plane_forces,
       rod_solved},
      {"compass-biped",
       {{"x", 0}, {"y", 0}, {"theta1", 0}, {"theta2", 0}},
       {{"hip_mass", 2},
        {"leg_mass", 1},
        {"leg_length", 1},
        {"leg_com", 0.5},
        {"leg_inertia", 0},
        {"gravity", 9.81},
        {"slope", 0.05}},
       {"stance", "swing*"},
       {"hip_torque"},
       rod_solved},
      {"articulated-arm",
       {{"theta1", 0}, {"theta2", 0}, {"theta3", 101.75 * degree}, {"phi", 0}},
       {{"length1", 0.5}, {"length2", 0.5}, {"length3", 0.1}, {"density", 2}, {"height", 0.6}, {"gravity", 9.81}},
       {"tip"},
       {"torque1", "torque2", "torque3", "torque_phi"},
       {"theta1", "theta2", "theta1_dot", "theta2_dot", "phi_dot"}},
      {"rod-3d",
       {{"x", 0}, {"y", 0}, {"z", 0}, {"theta", 60 * degree}, {"psi", 0}},
       rod_parameters,
       {"tip"},
       {"force", "torque_theta", "torque_psi"},
       {"z", "z_dot", "x_dot", "y_dot"}}};
  return all;
}

TEST(Gallery, ListsEveryMechanismWithItsNamesAndDefaults) {
  ASSERT_EQ(gallery().size(), listings().size());
  for (const auto& expected : listings()) {
    SCOPED_TRACE(expected.name);
    const auto& entry = gallery_entry(expected.name);
    Named coordinates;
    for (const auto& c : entry.coordinates) {
      coordinates.emplace_back(c.name, c.fallback);
    }
    EXPECT_EQ(coordinates, expected.coordinates);
    const Posed posed = build(entry, detail::least_setup(expected.name));
    ASSERT_EQ(entry.parameters.size(), expected.parameters.size());
    for (std::size_t i = 0; i < expected.parameters.size(); ++i) {
      EXPECT_EQ(entry.parameters[i].name, expected.parameters[i].first);
      EXPECT_DOUBLE_EQ(posed.parameters.at(expected.parameters[i].first), expected.parameters[i].second);
    }
    std::vector<std::string> contacts, forces;
    for (const auto& c : posed.contacts) {
      contacts.push_back(c.name + (c.closed ? "" : "*"));
    }
    for (const auto& f : entry.forces) {
      forces.push_back(f.name);
    }
    EXPECT_EQ(contacts, expected.contacts);
    EXPECT_EQ(forces, expected.forces);
    EXPECT_EQ(entry.solved, expected.solved);
    EXPECT_EQ(posed.mechanism->dimension(), entry.dimension);
    EXPECT_EQ(posed.mechanism->coordinates(), entry.coordinate_names());
    EXPECT_EQ(posed.mechanism->contacts().size(), posed.contacts.size());
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_FALSE(entry.source.empty());
  }
}

}  // namespace gallery_listing_test
}  // namespace painleve
