// What is known of a scene, one number or word by name: what maps colour and searches minimise. Names, values and
// reasons are those of `analyze`, `solve`, `impact` and `simulate`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "painleve/scene/scene.hpp"

namespace painleve {

class SceneFindings;
struct QuantityDefinition;

// A number, or a word, or neither with the reason.
struct QuantityValue {
  std::optional<double> number;
  std::optional<std::string> word;
  std::string reason;  // one sentence; empty where there is a value

  bool exists() const { return number.has_value() || word.has_value(); }
};

// What a quantity takes to compute, in growing order: contact data; the table of modes; rates, all solutions or
// bounces; a simulation.
enum class QuantityCost { contact, modes, analysis, simulation };

class Quantity {
 public:
  // "mu_jam", or "tip.mu_jam" for one contact; without a contact the first one is meant. Throws InputError with the
  // nearest name, and for a contact where the quantity is one of the whole scene.
  static Quantity parse(const std::string& name);

  const std::string& name() const { return name_; }
  const std::string& key() const { return key_; }  // the name without the contact
  bool words() const;                              // its values are words
  bool of_contact() const;                         // it is one of a contact, not of the whole scene
  const std::string& unit() const;                 // "1" for pure numbers, "" for words
  const std::string& meaning() const;              // a few words for a list
  QuantityCost cost() const;

  // The number; empty where it does not exist at this state. Throws InputError for words, for an unknown contact and
  // for what drifting contacts do not have.
  std::optional<double> of(const Scene& scene) const;
  // Number or word, with the reason where there is none; only what is asked for is computed, and what several
  // quantities need is computed once. Throws InputError for an unknown contact.
  QuantityValue value(SceneFindings& findings) const;
  // Throws InputError when the scene has no such contact.
  void check_contact(const Scene& scene) const;

 private:
  std::string name_, contact_, key_;
  const QuantityDefinition* definition_ = nullptr;
};

std::vector<std::string> quantity_names();  // all of them, sorted

}  // namespace painleve
