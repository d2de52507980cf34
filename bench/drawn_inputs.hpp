// What the kernels are asked: drawn once, by seed, and the same for us, for every peer, for the hashes of our answers
// and for the counts of instructions. Problems of 1 to 64 contacts are in drawn_problems.hpp.
#pragma once

#include <array>
#include <vector>

#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/complementarity/linear_complementarity.hpp"
#include "painleve/contact/single_contact.hpp"
#include "painleve/modes/chatter_reach.hpp"

namespace painleve {

// 1024 planar contacts, resting and slipping by turns, so that no branch is learnt by heart.
std::vector<PlanarContact> drawn_contacts();
// Those at rest of them.
std::vector<PlanarContact> drawn_resting_contacts();

struct RodState {
  std::array<double, 3> q, v;
  double mu;
};
std::vector<RodState> drawn_rods();  // 1024

// 1024 steps of 10 ms of the classical rod near the state that has three solutions; torques and angles drawn.
std::vector<PlanarContact> drawn_steps();
ContactProblem problem_of(const PlanarContact& contact);  // at rest

// 8, or 2 of more contacts, for all bases of those take a second.
std::vector<LinearComplementarity> drawn_slips(int contacts);
std::vector<ContactProblem> drawn_rests(int contacts, int freedoms);  // in the plane

template <class Contact>
struct Striking {
  Contact contact;
  double u_n;
  BounceLaw law;
};
std::vector<Striking<PlanarContact>> drawn_planar_impacts();    // 256, energetic
std::vector<Striking<SpatialContact>> drawn_spatial_impacts();  // 256, energetic
// 64 of the same kind in which the slip never comes near its end: what an integration in u_t can follow.
std::vector<Striking<SpatialContact>> drawn_slipping_impacts();

}  // namespace painleve
