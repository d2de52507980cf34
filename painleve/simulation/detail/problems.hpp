// For tests: mechanisms of the gallery as simulation problems.
#pragma once

#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "painleve/mechanism/gallery.hpp"
#include "painleve/simulation/run.hpp"

namespace painleve::detail {

inline constexpr double degree = std::numbers::pi / 180;

struct Values {
  std::map<std::string, double> parameters, state, forces;
  std::map<std::string, std::vector<double>> slip = {};
  std::map<std::string, bool> closed = {};
  std::map<std::string, std::vector<std::array<double, 2>>> lists = {};
};

inline SimulationProblem problem_of(const std::string& mechanism, const Values& values, const ContactLaw& law) {
  const GalleryEntry& entry = gallery_entry(mechanism);
  Setup setup;
  setup.lists = values.lists;
  for (const auto& [key, value] : values.parameters) setup.parameters.set(key, value);
  for (const auto& [key, value] : values.state) setup.given.set(key, value);
  for (const auto& [key, value] : values.slip) setup.slip[key] = value;
  for (const auto& [key, value] : values.forces) setup.forces[key] = {Expression::constant(value)};
  for (const auto& [key, value] : values.closed) setup.contacts[key].closed = value;
  for (const auto& contact : build(entry, setup).contacts) setup.contacts[contact.name].mu = law.mu;
  const Posed posed = build(entry, setup);
  SimulationProblem p;
  p.mechanism = posed.mechanism;
  p.start = posed.state;
  for (const auto& contact : posed.contacts) {
    p.laws.push_back(law);
    if (contact.stiffness && !law.stiffness) p.laws.back().stiffness = contact.stiffness;
    p.bilateral.push_back(contact.bilateral);
  }
  return p;
}

inline ContactLaw friction(double mu, double restitution = 0) {
  ContactLaw law;
  law.mu = mu;
  law.restitution = restitution;
  return law;
}

// Preclik & Rüde's rod: case N without torque, case M with 5/3.
inline SimulationProblem preclik_rod(double torque) {
  return problem_of("rod", {{{"gravity", 1}}, {{"theta", 120 * degree}}, {{"torque", torque}}, {{"", {-1}}}},
                    friction(1.5));
}

}  // namespace painleve::detail
