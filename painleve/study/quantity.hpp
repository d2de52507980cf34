// A number of a scene, by name: what maps colour and searches minimise.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "painleve/scene/scene.hpp"

namespace painleve {

class Quantity {
 public:
  // "mu_jam", or "tip.mu_jam" for one contact; without a contact the first one is meant. Throws InputError with the
  // nearest name.
  static Quantity parse(const std::string& name);

  const std::string& name() const { return name_; }
  // Empty where the quantity does not exist at this state.
  std::optional<double> of(const Scene& scene) const;

 private:
  std::string name_, contact_, key_;
};

std::vector<std::string> quantity_names();

}  // namespace painleve
