// A scene: a mechanism in a posture, raw contact data, or drifting contacts, with the laws of its contacts. All that
// the verbs work on. SceneSource reads and edits the scenario file behind it.
//
// A mechanism is one of the gallery, or a robot: `file = "robot.urdf"` in place of `mechanism`, relative to the folder
// of the scenario file. A robot file given as the scene stands for a scenario that only names it; its contacts then
// come by set(). Robots have contacts in the order of their names.
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
#include "painleve/robot/robot_model.hpp"

namespace painleve {

enum class SceneKind { mechanism, contact_space, drifting_contacts };

// The robot of a scene, as it was read.
struct SceneRobot {
  std::string file;  // as the scenario names it
  RobotModel model;
  std::vector<std::string> notes;  // of its reader, but for what the scenario settles
};

struct Scene {
  std::string name;       // as the user called it
  std::string mechanism;  // gallery name, name of the robot, "contact-space" or "drifting-contacts"
  SceneKind kind = SceneKind::mechanism;
  std::vector<ContactLaw> laws;  // per contact
  Tolerance tolerance;

  Posed posed;                // kind mechanism
  ContactSpace space;         // kinds mechanism and contact_space
  DriftingContacts drifting;  // kind drifting_contacts
  double t = 0;

  // Kind mechanism: what `posed` was made from, and for robots what they were read from.
  std::shared_ptr<const GalleryEntry> entry;
  Setup setup;  // parameters complete
  std::shared_ptr<const SceneRobot> robot;
};

class SceneSource {
 public:
  // A file, a shipped scenario or a gallery name; throws InputError with line and column, or with the nearest name.
  static SceneSource open(const std::string& scene);
  // Without a folder a text that names a robot file is refused: it may come from anywhere.
  static SceneSource parse(const std::string& text, const std::string& origin);
  static SceneSource parse(const std::string& text, const std::string& origin, const std::string& folder);

  // "parameters.mass=2", "state.theta=60deg", "contact.tip.mu=2"; a bare name where it is unambiguous. A value for all
  // contacts, "contact.mu=2", takes the place of values given for single ones.
  void set(const std::string& assignment);
  void set(const std::string& key, double value);
  // The full path that a name stands for, "theta" -> "state.theta"; throws when unknown or ambiguous.
  std::string resolve(const std::string& key) const;
  // The unit in which a number at this path is read.
  std::string unit(const std::string& path) const;

  const std::string& mechanism() const;
  SceneKind kind() const;
  std::shared_ptr<const SceneRobot> robot() const;  // none: no robot
  // What build() makes the mechanism from; none for numbers instead of bodies. Throws InputError as build() does.
  std::shared_ptr<const GalleryEntry> entry() const;
  // The scenario as it stands, edits included, keys sorted and numbers with all digits: equal texts build equal scenes.
  // Of a robot it ends in a comment with a fingerprint of what was read, so that another robot has another text.
  std::string text() const;
  Scene build() const;

 private:
  struct Document;
  explicit SceneSource(std::shared_ptr<Document> document);
  static SceneSource read(const std::string& text, const std::string& origin, const std::string* folder);
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

// A contact space from numbers, checked: `drift` and `gap` default to zero, `bilateral` to false, names to c1, c2, …;
// W becomes symmetric to the last digit.
ContactSpace raw_contact_space(int dimension, Eigen::MatrixXd W, Eigen::VectorXd b, Eigen::VectorXd u,
                               Eigen::VectorXd mu);

// What a tolerance calls closed or at rest is exactly so from here on, so that the numbers mean the same when they are
// given back as a contact space, where they are taken at face value.
void clear_rounding(ContactSpace& space, const Tolerance& tolerance);

}  // namespace painleve
