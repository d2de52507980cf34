// What stands for rigid contacts while they are not yet rigid: a law for the springs, how strong their dampers are, how
// far they are compressed at the start, what friction does at rest. And how all of it follows the stiffness K:
//
//   stiffness            K at the first contact, the others in the proportion that the scene gives them
//   damping              √K for viscoelastic and kelvin-voigt (damping ratio fixed), K for preclik (its authors' rule,
//                        k = γ_n = γ_t), constant for hunt-crossley and hertz (a time per length: the rebound from a
//                        given speed is fixed)
//   tangential_stiffness K;  tangential_damping √K, for preclik K
//   smoothing            1/√K
//   compression          such that the spring's force at the start is the same for every K
//   drifting contacts    ε = 1/√K, with the scaled k and ν of the scene
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "painleve/scene/scene.hpp"
#include "painleve/simulation/compliant.hpp"

namespace painleve {

enum class FrictionModel { scene, exact, springs, smoothed };
const std::vector<std::string>& friction_models();  // the names, in the order of the enumeration

struct Regularisation {
  Compliance compliance = Compliance::viscoelastic;
  double damping_factor = 1;  // > 0, of the scene's damping or the law's default
  FrictionModel friction = FrictionModel::scene;
  // Of the force with which the closed contacts would rest or slip on; unset: the springs as the scene has them.
  std::optional<double> static_factor;

  // "hertz", "viscoelastic:damping=10", "preclik:start=1.1static", "viscoelastic:friction=springs"
  std::string name() const;
  static Regularisation parse(const std::string& text);  // throws InputError
};

// Five laws, dampers ten times weaker and stronger, springs along the surface, smoothed friction, and springs that are
// compressed at the start: by the static force where that is stable, by a little less and more where it is not.
std::vector<Regularisation> standard_regularisations(const Scene& scene);

// Normal forces, per contact, with which the closed contacts rest or slip on: those of a stable mode, or else of an
// unstable one. Empty when no mode has forces.
struct StaticForce {
  std::vector<double> normal;
  std::string mode;
  bool stable = true;
};
std::optional<StaticForce> static_force(const Scene& scene);

// The scene with these springs. Throws InputError for what the law or the scene does not have.
struct RegularisedScene {
  Scene scene;
  CompliantOptions options;
};
RegularisedScene regularised(const Scene& scene, const Regularisation& regularisation, double stiffness);

}  // namespace painleve
