// The gallery: every mechanism by name, with its coordinates, parameters, contacts, forces, and what is solved for.
//
// build() fills in defaults, makes the immutable Mechanism, and completes the state: coordinates and velocities that
// the entry lists as solved for and that were not given follow from closed contacts (gap 0, normal velocity 0) and from
// slip.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "painleve/base/expression.hpp"
#include "painleve/mechanism/mechanism.hpp"

namespace painleve {

// Named numbers; at() of a missing name is a programming error.
class Numbers {
 public:
  bool has(const std::string& name) const { return values_.contains(name); }
  double at(const std::string& name) const { return values_.at(name); }
  double get(const std::string& name, double fallback) const { return has(name) ? at(name) : fallback; }
  void set(const std::string& name, double value) { values_[name] = value; }
  const std::map<std::string, double>& all() const { return values_; }

 private:
  std::map<std::string, double> values_;
};

enum class Bound { any, positive, nonnegative, count };  // count: a whole number of at least 3

struct ParameterInfo {
  std::string name, unit;
  double fallback = 0;
  Bound bound = Bound::any;
  std::string meaning;
  // A default that depends on the parameters before it, with the words that say so.
  std::function<double(const Numbers&)> derived = nullptr;
  std::string derived_text = {};
};

struct CoordinateInfo {
  std::string name, unit;
  double fallback = 0;
  std::string meaning;
};

struct ForceInfo {
  std::string name, unit, meaning;
  int components = 1;
};

struct ContactInfo {
  std::string name;
  bool closed = true;                              // unless the user says otherwise
  bool bilateral = false;                          // likewise
  std::optional<double> stiffness = std::nullopt;  // [N/m] of a contact that is compliant by nature
};

// What the user said of one contact.
struct ContactSetup {
  double mu = 0.5;
  std::optional<bool> closed, bilateral;
  std::optional<double> stiffness;
};

using Points = std::vector<std::array<double, 2>>;

struct Setup {
  Numbers parameters;
  std::map<std::string, Points> lists;  // parameters that are lists of points in the plane
  Numbers given;                        // coordinates, velocities and their stand-ins, as named in the entry
  std::map<std::string, std::vector<double>> slip;  // per contact; "" for the first one
  std::string elbow;                                // branch of the inverse kinematics; empty: the default
  std::map<std::string, std::vector<Expression>> forces;
  std::map<std::string, ContactSetup> contacts;
  double t = 0;
};

// A mechanism in a posture, with all that was decided on the way.
struct Posed {
  std::shared_ptr<const Mechanism> mechanism;
  State state;
  Numbers parameters;                 // defaults filled in
  std::vector<ContactInfo> contacts;  // with the user's choices
};

struct GalleryEntry {
  std::string name, summary, source;
  int dimension = 2;
  std::vector<CoordinateInfo> coordinates;
  std::vector<ParameterInfo> parameters;
  std::vector<std::string> lists;  // names of list parameters
  std::vector<ForceInfo> forces;
  std::vector<std::string> solved;             // coordinates and velocities, "y", "y_dot"
  std::vector<double> default_slip;            // of the first contact; empty: none is asked for unless one is given
  std::vector<std::string> elbows;             // allowed branches, the default first
  std::vector<CoordinateInfo> stand_ins = {};  // further state keys that stand for coordinates or velocities
  // Contacts with their defaults; may depend on the parameters.
  std::function<std::vector<ContactInfo>(const Setup&)> contacts;
  // The mechanism for these parameters; `q` is the posture given, for surfaces that are laid through it.
  std::function<std::shared_ptr<const Mechanism>(const Setup&, const Eigen::VectorXd& q)> make;
  // Fills in solved-for coordinates as a start for the solver (branches, equilibria) and translates stand-ins;
  // optional.
  std::function<void(Setup&, Eigen::VectorXd& q)> guess = nullptr;
  // Takes the place of the posture solver altogether; optional.
  std::function<State(const Setup&, const Mechanism&, const State& start)> pose = nullptr;

  std::vector<std::string> coordinate_names() const;
};

const std::vector<GalleryEntry>& gallery();
const GalleryEntry& gallery_entry(const std::string& name);  // throws InputError with the nearest name

// Throws InputError for a number out of bounds, an unreachable pose, a state that contradicts a closed contact, or one
// beyond a limit of a joint.
Posed build(const GalleryEntry& entry, Setup setup);

}  // namespace painleve
