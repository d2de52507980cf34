// One function per mechanism, and the pieces that their entries share. Not part of the public interface.
#pragma once

#include <cmath>
#include <numbers>

#include "painleve/mechanism/gallery.hpp"
#include "painleve/mechanism/kinematic_mechanism.hpp"

namespace painleve::detail {

GalleryEntry articulated_arm();
GalleryEntry block();
GalleryEntry brake_pad();
GalleryEntry chalk();
GalleryEntry compass_biped();
GalleryEntry impact_oscillator();
GalleryEntry painleve_klein();
GalleryEntry pendulum_on_slider();
GalleryEntry rigid_body();
GalleryEntry rimless_wheel();
GalleryEntry rod();
GalleryEntry rod_3d();
GalleryEntry two_legged_body();
GalleryEntry two_link();
GalleryEntry wedged_block();

inline constexpr double degree = std::numbers::pi / 180;

inline ParameterInfo gravity_parameter(double fallback = 9.81) {
  return {"gravity", "m/s^2", fallback, Bound::any, "acceleration of gravity, along -n"};
}
inline ParameterInfo slope_parameter(double fallback = 0) {
  return {"slope", "rad", fallback, Bound::any, "turns gravity: +t points downslope"};
}
inline std::vector<ForceInfo> plane_forces(const std::string& sense) {
  return {{"force_x", "N", "at the centre of mass, along +x"},
          {"force_y", "N", "at the centre of mass, along +y"},
          {"torque", "N m", "along theta: " + sense}};
}
// Mass, half length, gyration, gravity and slope: the parameters of the rod and of what is like it.
std::vector<ParameterInfo> rod_parameters();

inline std::function<std::vector<ContactInfo>(const Setup&)> fixed_contacts(std::vector<ContactInfo> contacts) {
  return [contacts](const Setup&) { return contacts; };
}

// Applied forces in the order of the entry, zero when not given.
std::vector<Expression> force_list(const GalleryEntry& entry, const Setup& setup);

// Makes the mechanism of `entry` from a description.
template <class Description>
std::shared_ptr<const Mechanism> make_mechanism(const GalleryEntry& entry, const Setup& setup,
                                                Description description) {
  std::vector<std::string> contacts;
  for (const auto& contact : entry.contacts(setup)) contacts.push_back(contact.name);
  return std::make_shared<KinematicMechanism<Description>>(std::move(description), entry.coordinate_names(),
                                                           std::move(contacts), force_list(entry, setup));
}

}  // namespace painleve::detail
