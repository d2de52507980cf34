#include "painleve/study/scene_findings.hpp"

#include <fmt/format.h>

#include "painleve/complementarity/solution_set.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/modes/two_contact_class.hpp"

namespace painleve {
namespace {

std::vector<int> closed_contacts(const Scene& scene) {
  std::vector<int> closed;
  for (int i = 0; i < scene.space.count(); ++i)
    if (touch(scene.space, i, scene.tolerance) != Touch::open) closed.push_back(i);
  return closed;
}

}  // namespace

const ModeTable& SceneFindings::modes() {
  if (modes_) return *modes_;
  if (drifting()) {
    const DriftingContacts& c = scene_.drifting;
    modes_ = slip_mode_table(c.slip_matrix(scene_.t), c.free_acceleration(scene_.t), c.stiffness, c.damping);
  } else {
    modes_ = mode_table(scene_.space, mode_options(scene_.laws, scene_.tolerance));
  }
  return *modes_;
}

const ImpactRun& SceneFindings::impact() {
  if (!impact_) impact_ = painleve::impact(scene_, {});
  return *impact_;
}

const SolveReport& SceneFindings::step() {
  if (step_) return *step_;
  SolveOptions options;
  options.formulation = FormulationKind::step;
  if (options_.step != nullptr) options.step = *options_.step;
  step_ = solve(scene_, options);
  return *step_;
}

const Run& SceneFindings::run() {
  if (!run_) run_ = simulate(scene_, options_.simulation != nullptr ? *options_.simulation : SimulateOptions{});
  return *run_;
}

const SceneFindings::Found<GSpot>& SceneFindings::gspot() {
  if (gspot_) return *gspot_;
  gspot_.emplace();
  if (drifting()) {
    gspot_->reason = "defined for one slipping contact of a mechanism";
    return *gspot_;
  }
  if (scene_.kind != SceneKind::mechanism) {
    gspot_->reason = "the rates of W and b are not known: only a mechanism has them";
    return *gspot_;
  }
  const auto closed = closed_contacts(scene_);
  const bool one = closed.size() == 1 && touch(scene_.space, closed[0], scene_.tolerance) == Touch::slipping &&
                   !scene_.space.bilateral[static_cast<std::size_t>(closed[0])];
  if (one)
    gspot_->value =
        painleve::gspot(scene_.space, contact_rates(*scene_.posed.mechanism, scene_.posed.state), closed[0]);
  else
    gspot_->reason = "defined for one slipping unilateral contact";
  return *gspot_;
}

SceneFindings::Found<std::string> SceneFindings::two_contact_class() const {
  if (drifting() && scene_.drifting.count() == 2)
    return {
        painleve::two_contact_class(scene_.drifting.slip_matrix(scene_.t), scene_.drifting.free_acceleration(scene_.t)),
        ""};
  Found<std::string> undefined = {{}, "defined for two slipping planar unilateral contacts"};
  if (drifting() || scene_.space.dimension != 2) return undefined;
  const auto which = closed_contacts(scene_);
  if (which.size() != 2) return undefined;
  const ContactSpace closed = subset(scene_.space, which);
  std::vector<ContactMode> slip;
  for (int i = 0; i < 2; ++i) {
    if (touch(closed, i, scene_.tolerance) != Touch::slipping || closed.bilateral[static_cast<std::size_t>(i)])
      return undefined;
    slip.push_back({Letter::S, Eigen::VectorXd::Constant(1, closed.u(closed.tangent(i)) > 0 ? 1 : -1), 1});
  }
  const Eigen::Vector2d b(closed.b(closed.normal(0)), closed.b(closed.normal(1)));
  return {painleve::two_contact_class(fast_matrix(closed, slip), b), ""};
}

// Without the solvers that solve() compares.
SceneFindings::Found<double> SceneFindings::solutions() const {
  const auto approaching = approaching_contacts(scene_.space, scene_.tolerance);
  if (!approaching.empty())
    return {std::nullopt, fmt::format("{} approaches its surface: the impact comes first (formulation impulse)",
                                      scene_.space.names[static_cast<std::size_t>(approaching[0])])};
  const ContactSolutions set = all_solutions(acceleration_problem(scene_.space, scene_.tolerance).problem);
  if (!set.complete) return {std::nullopt, set.incomplete_reason};
  return {static_cast<double>(set.solutions.size()), ""};
}

}  // namespace painleve
