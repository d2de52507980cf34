// One contact of a problem, with the forces at all others held: w = W r + b.
//
// Its solutions are what block sweeps are made of. There can be several; the nearest to the present force is taken. A
// contact with W regular has one at most when
//
//   μ² λmax(W_tt) (W⁻¹)_nn < 1,
//
// because two solutions that differ by x obey xᵀW x ≤ μ |x_n| |W_t x| (the normal parts do no positive work on each
// other, and friction at most μ (r_n − r_n′)(|w_t′| − |w_t|)), while |W_t x|² ≤ λmax(W_tt) xᵀW x and
// x_n² ≤ (W⁻¹)_nn xᵀW x. There the first solution that is found is the one.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "painleve/complementarity/contact_problem.hpp"

namespace painleve {

// What a contact whose W is singular cannot do.
struct NullSpace {
  int nulls = 0;                                     // dimension of the forces without effect
  Eigen::Matrix3d null = Eigen::Matrix3d::Zero();    // they are spanned by the first `nulls` columns
  Eigen::Matrix3d pseudo = Eigen::Matrix3d::Zero();  // W pseudo (W x) = W x
  Eigen::Matrix3d leak = Eigen::Matrix3d::Zero();    // rows k < nulls: loads that no force balances, in `load` · b
  Eigen::Vector3d load = Eigen::Vector3d::Ones();    // 1/√W_ii
};

// What never changes of one contact, written in space: a planar contact has a second tangent without load or coupling.
struct ContactBlock {
  Eigen::Matrix3d W;
  Eigen::Matrix3d
      inverse;  // of a spatial W: set where friction at rest needs it, the pseudo-inverse where it is singular
  double mu = 0;
  bool planar = true, bilateral = false;
  bool unique = false;  // no load has two solutions
  Law law = Law::resting;
  Eigen::Vector2d e = Eigen::Vector2d::Zero();
  double condition = 1;  // of W with unit diagonal, at least
  std::optional<NullSpace> singular;

  double W_nn() const { return W(2, 2); }
  Eigen::Vector2d W_tn() const { return W.topRightCorner<2, 1>(); }
  double tangential() const;  // λmax(W_tt)
};

ContactBlock contact_block(const ContactProblem& problem, int i);

// The solution nearest to the present force; none when the contact has no solution.
std::optional<Eigen::Vector3d> nearest_solution(const ContactBlock& contact, const Eigen::Vector3d& b,
                                                const Eigen::Vector3d& present);

// One step of the projected sweep from force r with motion w. Where W does not respond, a force that the motion forbids
// is taken away, and one that it asks for is not added without end.
Eigen::Vector3d projected_step(const ContactBlock& contact, Eigen::Vector3d r, const Eigen::Vector3d& w);

// Distance of a force from the natural map r = proj(r − ρ w). A cheap look at what law_residual() will say.
double distance_from_law(const ContactBlock& contact, const Eigen::Vector3d& r, const Eigen::Vector3d& w, double rho);

// Component k of a contact is row `row_in_space(k, dimension)` of its vectors in space.
inline int row_in_space(int k, int dimension) { return k == dimension - 1 ? 2 : k; }

}  // namespace painleve
