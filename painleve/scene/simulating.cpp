#include "painleve/scene/simulating.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/simulation/contact_force.hpp"
#include "painleve/simulation/projection.hpp"
#include "painleve/simulation/rigid_balance.hpp"

namespace painleve {
namespace {

template <class Choice>
Choice by_name(const char* kind, const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw InputError(unknown_name(kind, name, names));
  return static_cast<Choice>(found - names.begin());
}

SimulationProblem problem_of(const Scene& scene) {
  return {scene.posed.mechanism, scene.posed.state, scene.laws, scene.space.bilateral, scene.tolerance};
}

double start_time(const Scene& scene) {
  if (scene.kind == SceneKind::drifting_contacts) return scene.drifting.t_start;
  return scene.kind == SceneKind::mechanism ? scene.posed.state.t : 0;
}

void check_times(const Scene& scene, const SimulationOptions& options) {
  const double start = start_time(scene);
  if (!std::isfinite(options.t_end) || options.t_end <= start)
    throw InputError(fmt::format("t_end must be later than the start at t = {} s, not {}", start, options.t_end));
  if (options.samples < 0 || options.samples > 100'000'000)
    throw InputError(fmt::format("samples must be between 0 and 1e8, not {}", options.samples));
  if (!(options.relative >= 1e-14 && options.relative <= 1e-2))
    throw InputError(fmt::format("the tolerance must be between 1e-14 and 1e-2, not {}", options.relative));
}

// An option that would change nothing is a misunderstanding.
void check_smoothing(const Scene& scene, double smoothing) {
  if (!(smoothing > 0)) return;
  if (scene.kind == SceneKind::drifting_contacts)
    throw InputError("drifting-contacts has no smoothing: its friction is in P and b");
  const bool any = std::any_of(scene.laws.begin(), scene.laws.end(), [&](const ContactLaw& law) {
    return friction(law, smoothing).kind == FrictionKind::smoothed;
  });
  if (!any)
    throw InputError(
        "smoothing is for contacts with neither tangential_stiffness nor tangential_damping nor the compliance "
        "preclik: their friction is smooth as it is");
}

// A contact that is closed as a compressed spring only; −1: none.
int compressed_contact(const Scene& scene) {
  if (scene.kind != SceneKind::mechanism) return -1;
  const ContactSpace& s = scene.space;
  for (int i = 0; i < s.count(); ++i)
    if (!s.bilateral[static_cast<std::size_t>(i)] && s.gap(i) < -scene.tolerance.gap) return i;
  return -1;
}

// For rigid contacts: springs that are compressed at the start, by a millimetre at most, are let out to the surface; a
// mechanism that they hold in balance starts in the balance of rigid contacts.
void let_out(const Scene& scene, SimulationMethod method, SimulationProblem& problem) {
  if (compressed_contact(scene) < 0) return;
  constexpr double deepest = 1e-3;  // [m]
  std::vector<ContactMode> modes(problem.laws.size());
  std::vector<int> pressed;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const double gap = scene.space.gap(static_cast<Eigen::Index>(i));
    if (gap < -deepest)
      throw InputError(fmt::format("gap of contact {} is {} m: contacts of the method {} are rigid; compliant takes it",
                                   scene.space.names[i], gap, to_string(method)));
    if (gap >= 0) continue;
    modes[i].letter = Letter::S;
    pressed.push_back(static_cast<int>(i));
  }
  if (auto q = rigid_balance(*problem.mechanism, problem.start, pressed, problem.laws)) problem.start.q = *q;
  problem.start = projected(*problem.mechanism, problem.start, modes);
}

}  // namespace

const std::vector<std::string>& simulation_methods() {
  static const std::vector<std::string> names = {"event", "step", "compliant"};
  return names;
}
const char* to_string(SimulationMethod method) {
  return simulation_methods()[static_cast<std::size_t>(method)].c_str();
}
SimulationMethod simulation_method(const std::string& name) {
  return by_name<SimulationMethod>("method", name, simulation_methods());
}

const std::vector<std::string>& step_schemes() {
  static const std::vector<std::string> names = {"moreau-jean", "stewart-trinkle"};
  return names;
}
const char* to_string(StepScheme scheme) { return step_schemes()[static_cast<std::size_t>(scheme)].c_str(); }
StepScheme step_scheme(const std::string& name) { return by_name<StepScheme>("scheme", name, step_schemes()); }

SimulationMethod chosen_method(const Scene& scene, const SimulateOptions& options) {
  const bool raw = scene.kind != SceneKind::mechanism;
  const bool springs = raw || compressed_contact(scene) >= 0;
  const SimulationMethod method =
      options.method.value_or(springs ? SimulationMethod::compliant : SimulationMethod::event);
  if (raw && method != SimulationMethod::compliant)
    throw InputError(fmt::format("method {} needs a mechanism; {} has the method compliant only", to_string(method),
                                 scene.mechanism));
  return method;
}

Run simulate(const Scene& scene, const SimulateOptions& options) {
  const SimulationMethod method = chosen_method(scene, options);
  const bool stones =
      std::any_of(scene.laws.begin(), scene.laws.end(), [](const auto& law) { return law.lands_beyond; });
  if (stones && method != SimulationMethod::event)
    throw InputError(fmt::format("lands_beyond is for the method event, not {}", to_string(method)));
  check_times(scene, options.simulation);
  if (method == SimulationMethod::compliant) check_smoothing(scene, options.compliant.smoothing);
  if (scene.kind == SceneKind::drifting_contacts) return simulate_compliant(scene.drifting, options.simulation);
  if (scene.kind == SceneKind::contact_space)
    return simulate_compliant(scene.space, scene.laws, options.simulation, options.compliant);
  SimulationProblem problem = problem_of(scene);
  if (method == SimulationMethod::compliant) return simulate_compliant(problem, options.simulation, options.compliant);
  let_out(scene, method, problem);
  if (method == SimulationMethod::event) return simulate_events(problem, options.simulation);
  return simulate_steps(problem, options.simulation, options.stepping);
}

}  // namespace painleve
