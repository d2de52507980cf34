// From a parsed scenario file to a scene. Not part of the public interface.
#pragma once

#include <toml++/toml.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "painleve/robot/robot.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve::detail {

// A section of a scenario file, or none; an error when it is not a table.
const toml::table* section(const toml::table& root, const std::string& origin, const char* name);

// Every key of the table must be known; otherwise the error names the nearest one.
void check_keys(const toml::table& table, const std::string& origin, const std::string& path,
                const std::vector<std::string>& known);

// What [contact] and [contact.NAME] say: the law of each contact, and what concerns the posture. Of robots they also
// say where the contact is (robot_scene.cpp).
struct Laws {
  std::vector<ContactLaw> laws;
  std::map<std::string, ContactSetup> setups;
};
Laws read_contacts(const toml::table* contacts, const std::string& origin, const std::vector<std::string>& names,
                   bool robot = false);
// Throws InputError where a contact holds less at rest than in slip: once mu is what it will be.
void check_static_friction(const toml::table* contacts, const std::string& origin,
                           const std::vector<std::string>& names, const std::vector<ContactLaw>& laws);

Tolerance read_tolerance(const toml::table* tolerances, const std::string& origin, Tolerance tolerance);

// What a mechanism is made from.
struct SceneEntry {
  std::shared_ptr<const GalleryEntry> entry;
  std::shared_ptr<const SceneRobot> robot;  // none: the entry is one of the gallery
};

// A robot file, read once, and the entries made from it. An entry depends on contacts, on [joint] and on the dimension;
// a map over states asks for the same one millions of times, from several threads.
class RobotSource {
 public:
  // Reads the file; `named` is how the scenario calls it.
  RobotSource(const std::string& path, const std::string& named);

  const std::shared_ptr<const SceneRobot>& robot() const { return robot_; }
  const std::string& fingerprint() const { return fingerprint_; }  // of the model, 16 hexadecimal digits
  // Throws InputError with line and column where a body, a joint or a key is unknown.
  SceneEntry entry(const toml::table& root, const std::string& origin) const;

 private:
  struct Made {
    RobotSetup setup;
    SceneEntry entry;
  };
  const SceneEntry* known(const RobotSetup& setup) const;
  SceneEntry make(const RobotSetup& setup) const;

  std::shared_ptr<const SceneRobot> robot_;
  std::string fingerprint_;
  mutable std::mutex mutex_;
  mutable std::vector<Made> made_;  // the last used one first
};

// One scene each, from the whole file.
Scene build_mechanism(const toml::table& root, const std::string& origin, SceneEntry made);
Scene build_contact_space(const toml::table& root, const std::string& origin);
Scene build_drifting(const toml::table& root, const std::string& origin);

}  // namespace painleve::detail
