#include "painleve/study/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/study/quantity_definitions.hpp"

namespace painleve {
namespace {

std::vector<std::string> contact_names(const Scene& scene) {
  if (scene.kind != SceneKind::drifting_contacts) return scene.space.names;
  std::vector<std::string> names;
  for (int i = 1; i <= scene.drifting.count(); ++i) names.push_back(fmt::format("c{}", i));
  return names;
}

int contact_index(const Scene& scene, const std::string& contact) {
  if (contact.empty()) return 0;
  const auto names = contact_names(scene);
  const auto found = std::find(names.begin(), names.end(), contact);
  if (found == names.end()) throw InputError(unknown_name("contact", contact, names));
  return static_cast<int>(found - names.begin());
}

const QuantityDefinition* definition_of(const std::string& key) {
  const auto& all = quantity_definitions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const QuantityDefinition& d) { return d.name == key; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::string> quantity_names() {
  std::vector<std::string> names;
  for (const auto& definition : quantity_definitions()) names.push_back(definition.name);
  return names;
}

Quantity Quantity::parse(const std::string& name) {
  Quantity q;
  q.name_ = name;
  const auto dot = name.find('.');
  q.contact_ = dot == std::string::npos ? "" : name.substr(0, dot);
  q.key_ = dot == std::string::npos ? name : name.substr(dot + 1);
  q.definition_ = definition_of(q.key_);
  if (q.definition_ == nullptr && definition_of(q.contact_) != nullptr)
    throw InputError(
        fmt::format("a quantity of one contact is written CONTACT.QUANTITY: {}", in_quotes(q.key_ + "." + q.contact_)));
  if (q.definition_ == nullptr) throw InputError(unknown_name("quantity", q.key_, quantity_names()));
  if (!q.contact_.empty() && !q.definition_->of_contact)
    throw InputError(fmt::format("{} is of the whole scene, not of contact {}: write {} alone", q.key_,
                                 in_quotes(q.contact_), q.key_));
  return q;
}

bool Quantity::words() const { return definition_->words(); }
bool Quantity::of_contact() const { return definition_->of_contact; }
const std::string& Quantity::unit() const { return definition_->unit; }
const std::string& Quantity::meaning() const { return definition_->meaning; }
QuantityCost Quantity::cost() const { return definition_->cost; }

std::optional<double> Quantity::of(const Scene& scene) const {
  if (words()) throw InputError(fmt::format("{} is a word, where a number is needed", name_));
  SceneFindings findings(scene);
  const QuantityValue found = value(findings);
  if (found.reason == known_by_P_and_b)
    throw InputError("drifting-contacts has no contact space to take " + name_ + " from");
  return found.number;
}

void Quantity::check_contact(const Scene& scene) const { contact_index(scene, contact_); }

QuantityValue Quantity::value(SceneFindings& findings) const {
  const int contact = definition_->of_contact ? contact_index(findings.scene(), contact_) : 0;
  QuantityValue found = definition_->value(findings, contact);
  if (found.number && !std::isfinite(*found.number)) return {{}, {}, "a number here is beyond double precision"};
  return found;
}

}  // namespace painleve
