// Contacts with one tangential motion: feet of one rigid body on one plane.
//
// On rigid ground they have u_ti = ±u_tj at all times. On springs the two differ by what the body turns times what one
// foot is pressed in deeper than the other, and friction that heeds such a difference jumps from foot to foot. Tied
// contacts therefore slip, in one direction, and stick together, when their leader does. While they slip each has the
// friction and the velocity of its own. While they stick they have one tangent, that of their leader:
//
//   J_ti := ±J_tj,   u_ti := ±u_tj = 0   in W, b and all rates
//
// Friction does its work on the velocity it is computed from, so that energy keeps its balance; in stick its lever is
// off by the difference of the gaps, which is of the size of the deformation that the springs stand for. In the plane
// and for exact Coulomb friction only.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "painleve/simulation/compliant_system.hpp"

namespace painleve {

// Gives tied contacts that stick the tangent of their leader.
void share_tangents(const std::vector<ContactPhase>& phases, const CompliantLayout& layout, ContactResponse& response);

// Ties closed contacts that have one tangent where the springs are undone, and keeps those tied already. Contacts that
// have opened, or whose leader has, get their own slip velocity back; of these the closed ones are returned. `closing`
// have just closed: they follow.
std::vector<int> update_ties(CompliantSystem& system, double t, const std::vector<int>& closing, Eigen::VectorXd& y);

// Tied contacts slip or stick as their leader does.
void follow_leaders(CompliantSystem& system);

// Tied contacts that slip have the velocity of their body, and so has their leader: between stick and slip the lever of
// friction changes, and where rounding has to decide, the leader has slipped for an instant before it is put to rest.
// Those that stick have the velocity of their leader.
void set_tied_velocities(const CompliantSystem& system, double t, Eigen::VectorXd& y);

}  // namespace painleve
