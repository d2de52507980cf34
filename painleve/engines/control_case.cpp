// The control: the scene with so little friction that its step has one solution, far from any paradox.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>

#include "painleve/base/error.hpp"
#include "painleve/engines/comparison.hpp"

namespace painleve {
namespace {

constexpr double usual_friction = 0.3;
constexpr double safety = 0.5;  // of the friction that makes p = W_nn − μ |W_tn| vanish
constexpr int halvings = 8;

Eigen::VectorXd regular_friction(const ContactProblem& p) {
  Eigen::VectorXd mu = p.mu;
  for (int i = 0; i < p.count(); ++i) {
    const double W_nn = p.W(p.normal(i), p.normal(i));
    const double W_tn = p.W.block(p.tangent(i), p.normal(i), p.dimension - 1, 1).norm();
    mu(i) = std::min(mu(i), usual_friction);
    if (W_tn > 0) mu(i) = std::min(mu(i), safety * W_nn / W_tn);
  }
  return mu;
}

EngineCase with_friction(EngineCase given, const Eigen::VectorXd& mu) {
  given.formulation.problem.mu = mu;
  for (std::size_t i = 0; i < given.contacts.size(); ++i) given.contacts[i].mu = mu(static_cast<Eigen::Index>(i));
  return given;
}

EngineCase without_applied_forces(EngineCase given) {
  for (auto& body : given.bodies) {
    body.force.setZero();
    body.torque.setZero();
  }
  const BodyContactSpace own = contact_space_of(given);
  given.formulation.problem.q = own.u_free + given.formulation.shift;
  given.b = (own.u_free - own.u) / given.dt;
  return given;
}

bool pushed(const EngineCase& given) {
  return std::any_of(given.bodies.begin(), given.bodies.end(),
                     [](const EngineBody& b) { return !b.force.isZero(0) || !b.torque.isZero(0); });
}

bool one_motion(const ContactSolutions& set) {
  return set.complete && set.solutions.size() == 1 && set.motion_family_dimension() == 0;
}

bool pressed(const SolvedCase& solved) {
  const ContactProblem& p = solved.given.formulation.problem;
  const Eigen::VectorXd& r = solved.set.solutions[0].r;
  for (int i = 0; i < p.count(); ++i) {
    if (r(p.normal(i)) > 0) return true;
  }
  return false;
}

SolvedCase solved(EngineCase given) {
  ContactSolutions set = all_solutions(given.formulation.problem);
  return {std::move(given), std::move(set), ""};
}

SolvedCase lowered(const EngineCase& given, const std::optional<double>& fixed) {
  const ContactProblem& p = given.formulation.problem;
  if (fixed) return solved(with_friction(given, Eigen::VectorXd::Constant(p.count(), *fixed)));
  Eigen::VectorXd mu = regular_friction(p);
  SolvedCase best = solved(with_friction(given, mu));
  for (int k = 0; k < halvings && !one_motion(best.set); ++k) {
    mu /= 2;
    best = solved(with_friction(given, mu));
  }
  return best;
}

std::string list_of(const Eigen::VectorXd& mu) {
  if (mu.size() > 0 && (mu.array() == mu(0)).all()) return fmt::format("{:.4g}", mu(0));
  std::string text;
  for (const double x : mu) text += fmt::format("{}{:.4g}", text.empty() ? "" : ", ", x);
  return text;
}

}  // namespace

SolvedCase control_case(const EngineCase& given, const std::optional<double>& mu) {
  if (mu && !(*mu >= 0 && *mu <= 1e6))
    throw InputError(fmt::format("the friction of the control must be between 0 and 1e6, not {}", *mu));
  SolvedCase control = lowered(given, mu);
  bool relaxed = false;
  if (one_motion(control.set) && !pressed(control) && pushed(given)) {
    SolvedCase without = lowered(without_applied_forces(given), mu);
    relaxed = one_motion(without.set) && pressed(without);
    if (relaxed) control = std::move(without);
  }
  if (!one_motion(control.set))
    throw InputError("no control was found: the step has no single motion with little friction; give its friction");
  control.about = fmt::format("mu = {}{}", list_of(control.given.formulation.problem.mu),
                              relaxed ? ", without the applied forces" : "");
  return control;
}

}  // namespace painleve
