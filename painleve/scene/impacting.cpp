#include "painleve/scene/impacting.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/impact/compliant_impact.hpp"

namespace painleve {
namespace {

int contact_of(const Scene& scene, const std::string& name, const char* what) {
  const auto& names = scene.space.names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw InputError(unknown_name(what, name, names));
  return static_cast<int>(found - names.begin());
}

bool strikes(const Scene& scene, int i) {
  return !scene.space.bilateral[static_cast<std::size_t>(i)] && touch(scene.space, i, scene.tolerance) != Touch::open;
}

// The first contact that is closed and one-sided; −1 when there is none.
int first_closed(const Scene& scene) {
  for (int i = 0; i < scene.space.count(); ++i) {
    if (strikes(scene, i)) return i;
  }
  return -1;
}

// Whether some motion of the bodies has the velocities u: those in the range of W.
bool is_a_motion(const ContactSpace& space) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(space.W);
  const double cut = 1e-12 * eigen.eigenvalues().cwiseAbs().maxCoeff();
  const auto still = (eigen.eigenvalues().array() <= cut).count();
  return (eigen.eigenvectors().leftCols(still).transpose() * space.u).norm() <= 1e-9 * space.u.norm();
}

void set_speeds(Scene& scene, const ImpactRunOptions& options) {
  for (const auto& [name, speed] : options.approach) {
    const int i = name.empty() ? first_closed(scene) : contact_of(scene, name, "contact to approach");
    if (i < 0) throw InputError("an approach needs a closed one-sided contact, and this state has none");
    if (name.empty() && options.approach.contains(scene.space.names[static_cast<std::size_t>(i)]))
      throw InputError(fmt::format("contact '{}', the first one, is given two approaches",
                                   scene.space.names[static_cast<std::size_t>(i)]));
    if (!strikes(scene, i))
      throw InputError(fmt::format("contact '{}' cannot strike: it is not closed, or it is bilateral", name));
    if (!(speed > 0 && speed <= 1e6))
      throw InputError(fmt::format("an approach must be a speed between 0 and 1e6 m/s, not {}", speed));
    scene.space.u(scene.space.normal(i)) = -speed;
  }
}

// Open contacts move as the bodies do. Of all motions with these velocities of the closed ones c, the nearest to the
// velocities before is the one that impulses at the closed contacts give: Δu = W_·c (W_cc)⁺ Δu_c has the least
// energy ½ Δuᵀ W⁺ Δu.
void let_open_contacts_follow(ContactSpace& space, const Eigen::VectorXd& u_before, const Tolerance& tolerance) {
  std::vector<int> held, open;  // rows
  for (int i = 0; i < space.count(); ++i) {
    auto& rows = touch(space, i, tolerance) == Touch::open ? open : held;
    for (int k = 0; k < space.dimension; ++k) rows.push_back(space.tangent(i) + k);
  }
  if (held.empty() || open.empty()) return;
  const Eigen::VectorXd change = (space.u - u_before)(held);
  const Eigen::VectorXd impulse = space.W(held, held).completeOrthogonalDecomposition().solve(change);
  space.u(open) += space.W(open, held) * impulse;
}

// Names of the closed contacts for which no approach is given.
std::string held_contacts(const Scene& scene, const ImpactRunOptions& options) {
  std::string names;
  for (int i = 0; i < scene.space.count(); ++i) {
    const std::string& name = scene.space.names[static_cast<std::size_t>(i)];
    const bool given = options.approach.contains(name) || (i == first_closed(scene) && options.approach.contains(""));
    if (!given && touch(scene.space, i, scene.tolerance) != Touch::open) names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

void set_approach(Scene& scene, const ImpactRunOptions& options) {
  if (options.approach.empty()) return;
  const Eigen::VectorXd u_before = scene.space.u;
  set_speeds(scene, options);
  let_open_contacts_follow(scene.space, u_before, scene.tolerance);
  if (is_a_motion(scene.space)) return;
  const std::string held = held_contacts(scene, options);
  if (held.empty())
    throw InputError(
        "no motion of the bodies has these approaches with the tangential velocities of the state: give velocities in "
        "the state");
  throw InputError(fmt::format(
      "no motion of the bodies has this approach with the velocities of the other closed contacts ({}): give "
      "approaches for more contacts, or velocities in the state",
      held));
}

ImpactOptions impact_options(const Scene& scene, const ImpactRunOptions& options) {
  if (options.restitution && !(*options.restitution >= 0 && *options.restitution <= 1))
    throw InputError(fmt::format("restitution must be between 0 and 1, not {}", *options.restitution));
  ImpactOptions o;
  for (const ContactLaw& law : scene.laws)
    o.laws.push_back({options.restitution.value_or(law.restitution), options.law.value_or(law.law), law.mu_impact});
  o.several = options.several;
  o.tolerance = scene.tolerance;
  for (const std::string& name : options.without_collision)
    o.without_collision.push_back(contact_of(scene, name, "contact of an impact without collision"));
  o.stiffness = spring_stiffness(scene.laws);
  return o;
}

// ½ uᵀ W⁺ u: directions in which nothing moves carry no energy.
double kinetic_energy(const ContactSpace& space) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(space.W);
  const double cut = 1e-12 * eigen.eigenvalues().cwiseAbs().maxCoeff();
  double energy = 0;
  for (Eigen::Index i = 0; i < space.u.size(); ++i) {
    const double part = eigen.eigenvectors().col(i).dot(space.u);
    if (eigen.eigenvalues()(i) > cut) energy += part * part / (2 * eigen.eigenvalues()(i));
  }
  return energy;
}

void set_bounce(ImpactRun& run) {
  const ContactSpace& space = run.scene.space;
  int closed = 0;
  bool bilateral = false;
  for (int i = 0; i < space.count(); ++i) {
    closed += strikes(run.scene, i) ? 1 : 0;
    bilateral |= space.bilateral[static_cast<std::size_t>(i)];
  }
  if (space.dimension == 3) {
    run.bounce_reason = "the bounce map is that of one planar contact";
  } else if (run.contact < 0) {
    run.bounce_reason = "no one-sided contact is closed";
  } else if (closed > 1 || bilateral) {
    run.bounce_reason = "the bounce map is that of one planar contact alone";
  } else if (!(space.b(space.normal(run.contact)) < 0)) {
    run.bounce_reason = "no flight returns: b_n >= 0";
  } else {
    run.bounce =
        bounce_cycle(planar_contact(space, run.contact), run.impact.laws[static_cast<std::size_t>(run.contact)]);
    if (!run.bounce) run.bounce_reason = "no normal impulse stops a landing";
  }
}

}  // namespace

RestitutionLaw law_used(const ImpactRun& run, int contact) {
  return run.report.law.value_or(run.impact.laws[static_cast<std::size_t>(contact)].law);
}

ImpactRun impact(Scene scene, const ImpactRunOptions& options) {
  if (scene.kind == SceneKind::drifting_contacts)
    throw InputError("impact needs a contact space; drifting-contacts are known by P and b only (analyze takes them)");
  ImpactRun run;
  run.options = options;
  set_approach(scene, options);
  run.scene = std::move(scene);
  run.impact = impact_options(run.scene, options);
  run.report = impact(run.scene.space, run.impact);
  run.contact = run.report.contacts.empty() ? first_closed(run.scene) : run.report.contacts.front();
  if (is_a_motion(run.scene.space))
    run.energy_before = kinetic_energy(run.scene.space);
  else
    run.energy_reason = "no motion of the bodies has these contact velocities: u is outside the range of W";
  // Not from u after: a velocity that is zero to rounding along a direction that hardly moves would count.
  if (run.report.happened && run.energy_before) run.energy_after = *run.energy_before + run.report.energy_change;
  set_bounce(run);
  return run;
}

}  // namespace painleve
