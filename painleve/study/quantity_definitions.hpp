// The list behind Quantity. Not part of the public interface.
#pragma once

#include <string>
#include <vector>

#include "painleve/study/quantity.hpp"
#include "painleve/study/scene_findings.hpp"

namespace painleve {

struct QuantityDefinition {
  std::string name;
  std::string unit;  // "" for words
  QuantityCost cost;
  bool of_contact;  // of one contact, or of the scene
  std::string meaning;
  QuantityValue (*value)(SceneFindings&, int contact);

  bool words() const { return unit.empty(); }
};

const std::vector<QuantityDefinition>& quantity_definitions();  // sorted by name

// For what is not known of drifting contacts.
inline constexpr const char* known_by_P_and_b = "drifting contacts are known by P and b only";

}  // namespace painleve
