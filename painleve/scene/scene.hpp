// A scene: a mechanism in a posture, raw contact data, or drifting contacts, with the laws of its contacts. All that
// the verbs work on. SceneSource reads and edits the scenario file behind it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "painleve/contact/contact_law.hpp"
#include "painleve/contact/contact_space.hpp"
#include "painleve/contact/drifting_contacts.hpp"
#include "painleve/mechanism/gallery.hpp"

namespace painleve {

enum class SceneKind { mechanism, contact_space, drifting_contacts };

struct Scene {
  std::string name;       // as the user called it
  std::string mechanism;  // gallery name, "contact-space" or "drifting-contacts"
  SceneKind kind = SceneKind::mechanism;
  std::vector<ContactLaw> laws;  // per contact
  Tolerance tolerance;

  Posed posed;                // kind mechanism
  ContactSpace space;         // kinds mechanism and contact_space
  DriftingContacts drifting;  // kind drifting_contacts
  double t = 0;
};

class SceneSource {
 public:
  // A file, a shipped scenario or a gallery name; throws InputError with line and column, or with the nearest name.
  static SceneSource open(const std::string& scene);
  static SceneSource parse(const std::string& text, const std::string& origin);

  // "parameters.mass=2", "state.theta=60deg", "contact.tip.mu=2"; a bare name where it is unambiguous. A value for all
  // contacts, "contact.mu=2", takes the place of values given for single ones.
  void set(const std::string& assignment);
  void set(const std::string& key, double value);
  // The full path that a name stands for, "theta" -> "state.theta"; throws when unknown or ambiguous.
  std::string resolve(const std::string& key) const;
  // The unit in which a number at this path is read.
  std::string unit(const std::string& path) const;

  const std::string& mechanism() const;
  // The scenario as it stands, edits included, keys sorted and numbers with all digits: equal texts build equal scenes.
  std::string text() const;
  Scene build() const;

 private:
  struct Document;
  explicit SceneSource(std::shared_ptr<Document> document);
  void own_document();
  std::shared_ptr<Document> document_;
};

// Throws InputError when a unilateral contact without stiffness has a negative gap.
void refuse_penetration(const Scene& scene);

// The shipped scenarios by name, with their text and the question that their first comment line asks.
struct Scenario {
  std::string name, text;
  std::string title() const;
};
const std::vector<Scenario>& scenarios();

// A contact space from numbers, checked: `drift` and `gap` default to zero, `bilateral` to false, names to c1, c2, …
ContactSpace raw_contact_space(int dimension, Eigen::MatrixXd W, Eigen::VectorXd b, Eigen::VectorXd u,
                               Eigen::VectorXd mu);

}  // namespace painleve
