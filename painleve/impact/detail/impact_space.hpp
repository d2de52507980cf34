// A contact space as an impact sees it: friction of impacts, bilateral contacts that keep their normal velocity.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "painleve/contact/contact_space.hpp"
#include "painleve/impact/impact.hpp"

namespace painleve::detail {

constexpr std::size_t most_phases = 60;  // that a report lists

struct ImpactSpace {
  ContactSpace space;           // with the friction of impacts, and with W of the motions that bilateral contacts allow
  std::vector<BounceLaw> laws;  // one per contact
  std::vector<int> unilateral;  // closed ones
  std::vector<int> bilateral;
  Eigen::MatrixXd reaction;   // impulses of the bilateral normals per impulse elsewhere
  double least_approach = 0;  // [m/s] a slower approach is none
};

// Throws InputError when the options do not fit the space.
ImpactSpace impact_space(const ContactSpace& space, const ImpactOptions& options);

// The contacts that approach at these velocities, fastest first.
std::vector<int> approaching(const ImpactSpace& s, const Eigen::VectorXd& u);

// p in the present slip direction of a contact that slips; empty at rest.
std::optional<double> slip_response(const ImpactSpace& s, int contact, const Tolerance& tolerance);

// Adds the impulses of the bilateral normals.
Eigen::VectorXd with_reactions(const ImpactSpace& s, const Eigen::VectorXd& Lambda);

// Velocities, energy and observed restitution of a report with u_before, Lambda and contacts. A velocity that is
// `rounding` of the largest one before, or less, is no restitution.
void finish(const ContactSpace& space, const Eigen::VectorXd& u_after, ImpactReport& report, double rounding = 1e-14);

}  // namespace painleve::detail
