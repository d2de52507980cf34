#include "painleve/simulation/compliant.hpp"

#include <Eigen/LU>

#include "painleve/base/error.hpp"
#include "painleve/base/rounding.hpp"
#include "painleve/simulation/compliant_run.hpp"

namespace painleve {
namespace {

using Eigen::VectorXd;

std::vector<CompliantContact> compliant_contacts(const std::vector<ContactLaw>& laws,
                                                 const std::vector<bool>& bilateral,
                                                 const CompliantOptions& compliant) {
  std::vector<CompliantContact> contacts;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const bool both = i < bilateral.size() && bilateral[i];
    contacts.push_back({normal_spring(laws[i], both), friction(laws[i], compliant.smoothing)});
  }
  return contacts;
}

// A pose that was solved for leaves gaps and velocities of the size of rounding: they are 0.
VectorXd without_rounding(const VectorXd& x, const VectorXd& from) {
  const double size = 1 + from.cwiseAbs().maxCoeff();
  return x.unaryExpr([&](double value) { return or_zero(value, 4 * size); });
}

void check_count(std::size_t laws, int contacts) {
  if (static_cast<int>(laws) != contacts) throw InputError("there must be one contact law per contact");
}

}  // namespace

Run simulate_compliant(const SimulationProblem& problem, const SimulationOptions& options,
                       const CompliantOptions& compliant) {
  const Mechanism& mechanism = *problem.mechanism;
  check_count(problem.laws.size(), static_cast<int>(mechanism.contacts().size()));
  const Dynamics d = mechanism.dynamics(problem.start);
  CompliantSetup setup;
  setup.model = std::make_shared<MechanismModel>(problem.mechanism);
  setup.contacts = compliant_contacts(problem.laws, problem.bilateral, compliant);
  setup.names = mechanism.contacts();
  setup.coordinates = mechanism.coordinates();
  setup.t_start = problem.start.t;
  setup.longest = longest_driven_step(problem, options.t_end);
  setup.slow.resize(problem.start.q.size() + problem.start.v.size());
  setup.slow << problem.start.q, problem.start.v;
  setup.gap = without_rounding(d.gap, problem.start.q);
  setup.u = without_rounding(d.u, problem.start.v);
  setup.rules.rest = problem.tolerance.velocity;
  setup.has_state = true;
  return run_compliant(setup, options);
}

Run simulate_compliant(const ContactSpace& space, const std::vector<ContactLaw>& laws, const SimulationOptions& options,
                       const CompliantOptions& compliant) {
  check(space);
  check_count(laws.size(), space.count());
  CompliantSetup setup;
  setup.model = std::make_shared<FrozenModel>(space);
  setup.contacts = compliant_contacts(laws, space.bilateral, compliant);
  for (int i = 0; i < space.count(); ++i) {
    Friction& f = setup.contacts[static_cast<std::size_t>(i)].friction;
    if (!laws[static_cast<std::size_t>(i)].mu_static) f.mu_static = space.mu(i);
    f.mu = space.mu(i);
  }
  setup.names = space.names;
  setup.gap = space.gap.size() > 0 ? space.gap : VectorXd::Zero(space.count());
  setup.u = space.u;
  setup.resolve = true;
  return run_compliant(setup, options);
}

Run simulate_compliant(const DriftingContacts& contacts, const SimulationOptions& options) {
  check(contacts);
  const double epsilon = contacts.epsilon;
  CompliantSetup setup;
  setup.model = std::make_shared<DriftingModel>(contacts);
  setup.t_start = contacts.t_start;
  setup.slow = contacts.free_acceleration(contacts.t_start);
  const VectorXd force = -contacts.slip_matrix(contacts.t_start).partialPivLu().solve(setup.slow);
  setup.gap.resize(contacts.count());
  for (int i = 0; i < contacts.count(); ++i) {
    const NormalSpring spring{Compliance::viscoelastic, contacts.stiffness(i) / (epsilon * epsilon),
                              contacts.damping(i) / epsilon, false};
    setup.contacts.push_back({spring, {}});
    setup.gap(i) = -force(i) / spring.stiffness;
    setup.names.push_back("c" + std::to_string(i + 1));
  }
  setup.u = VectorXd::Zero(contacts.count());
  setup.rules.divergence = Divergence::force;
  setup.resolve = true;
  setup.stop_at_divergence = true;
  return run_compliant(setup, options);
}

}  // namespace painleve
