// The contact forces of a flow with any number of contacts; of those that the motion leaves undetermined, a choice.
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "painleve/complementarity/linear_feasibility.hpp"
#include "painleve/simulation/rigid_flow.hpp"

namespace painleve {

// The direction of slip at this contact, in space along u_t where that is known; valid until the next call.
const double* RigidFlow::direction_of(int contact) const {
  const ContactMode& mode = modes_[static_cast<std::size_t>(contact)];
  if (dimension_ == 2 || keeps_directions_) return mode.direction.data();
  const double* u_t = d_.u.data() + static_cast<Eigen::Index>(dimension_) * contact;
  const double speed = std::sqrt(u_t[0] * u_t[0] + u_t[1] * u_t[1]);
  if (!(speed > problem_.tolerance.velocity)) return mode.direction.data();
  direction_ = {u_t[0] / speed, u_t[1] / speed};
  return direction_.data();
}

// The half solves of the rows that are held and of the force columns, which for a sticking contact are the same.
void RigidFlow::build_columns() const {
  const Eigen::Index size = degrees_;
  std::size_t k = 0;
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    const ContactMode& mode = modes_[static_cast<std::size_t>(i)];
    if (mode.letter == Letter::F) continue;
    const int t = dimension_ * i;
    const int n = t + dimension_ - 1;
    for (int row = t; row <= n; ++row) mass_.half_of_row(d_.J, row, h_.data() + row * size);
    if (mode.letter == Letter::T) {
      for (int row = t; row <= n; ++row, ++k)
        held_[k] = {h_.data() + row * size, h_.data() + row * size, d_.drift(row)};
      continue;
    }
    const double friction = problem_.laws[static_cast<std::size_t>(i)].mu * mode.force_sign;
    const double* const e = direction_of(i);
    const double* const h_n = h_.data() + n * size;
    double* const column = C_.data() + static_cast<Eigen::Index>(k) * size;
    std::memcpy(column, h_n, static_cast<std::size_t>(size) * sizeof(double));
    for (int j = 0; j < dimension_ - 1; ++j) detail::add(-(friction * e[j]), h_.data() + (t + j) * size, column, size);
    held_[k++] = {h_n, column, d_.drift(n)};
  }
}

void RigidFlow::solve_all() const {
  const Eigen::Index size = degrees_;
  double* const v_dot = v_dot_.data();
  for (Eigen::Index i = 0; i < size; ++i) v_dot[i] = d_.f.data()[i];
  mass_.half(v_dot);
  for (Eigen::Index r = 0; r < lambda_.size(); ++r) lambda_.data()[r] = 0;
  D_ = 1;
  family_ = false;
  if (unknowns_ > 0) {
    build_columns();
    for (int k = 0; k < unknowns_; ++k) {
      const Held& held = held_[static_cast<std::size_t>(k)];
      x_(k) = -detail::dot(held.row, v_dot, size) - held.drift;
      diagonal_(k) = detail::dot(held.row, held.row, size);
      for (int l = 0; l < unknowns_; ++l) {
        const double* const column = held_[static_cast<std::size_t>(l)].column;
        A_(k, l) = column == held.row ? diagonal_(k) : detail::dot(held.row, column, size);
      }
    }
    solve_forces();
    for (int k = 0; k < unknowns_; ++k) detail::add(x_(k), held_[static_cast<std::size_t>(k)].column, v_dot, size);
    spread_forces();
  }
  mass_.other_half(v_dot);
}

// From the unknowns to λ, stacked over all contacts.
void RigidFlow::spread_forces() const {
  int k = 0;
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    const ContactMode& mode = modes_[static_cast<std::size_t>(i)];
    const int t = dimension_ * i;
    if (mode.letter == Letter::T) {
      for (int j = 0; j < dimension_; ++j, ++k) lambda_(t + j) = x_(k);
    } else if (mode.letter == Letter::S) {
      const double friction = problem_.laws[static_cast<std::size_t>(i)].mu * mode.force_sign;
      const double* const e = direction_of(i);
      for (int j = 0; j < dimension_ - 1; ++j) lambda_(t + j) = -friction * x_(k) * e[j];
      lambda_(t + dimension_ - 1) = x_(k);
      ++k;
    }
  }
}

// x := A⁻¹ x, and D.
void RigidFlow::solve_forces() const {
  if (unknowns_ == 1) {
    D_ = A_(0, 0) / diagonal_(0);
    x_(0) /= A_(0, 0);
    return;
  }
  if (unknowns_ == 2) {
    const double det = A_(0, 0) * A_(1, 1) - A_(0, 1) * A_(1, 0);
    D_ = det / (diagonal_(0) * diagonal_(1));
    if (std::abs(D_) > rank_tolerance) {
      const double x0 = (A_(1, 1) * x_(0) - A_(0, 1) * x_(1)) / det;
      x_(1) = (A_(0, 0) * x_(1) - A_(1, 0) * x_(0)) / det;
      x_(0) = x0;
      return;
    }
  }
  lu_.compute(A_);
  const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
  D_ = lu_.determinant() / diagonal_.prod();
  if (pivots.minCoeff() > rank_tolerance * pivots.maxCoeff()) {
    side_ = x_;
    x_ = lu_.solve(side_);
    return;
  }
  family_ = true;
  D_ = 1;
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod(A_);
  x_ = cod.solve(x_);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A_, Eigen::ComputeFullV);
  const Eigen::VectorXd& sigma = svd.singularValues();
  const auto rank = (sigma.array() > rank_tolerance * sigma(0)).count();
  pick_from_family(svd.matrixV().rightCols(unknowns_ - rank));
}

// A sticking contact without friction has no force along its surface: of the forces x_ + null_space y those, if there
// are any. Returns what is left of the null space.
Eigen::MatrixXd RigidFlow::without_friction(const Eigen::MatrixXd& null_space) const {
  std::vector<Eigen::Index> along;
  Eigen::Index k = 0;
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    const Letter letter = modes_[static_cast<std::size_t>(i)].letter;
    if (letter == Letter::F) continue;
    const Eigen::Index n = letter == Letter::T ? k + dimension_ - 1 : k;
    for (; k < n; ++k)
      if (stick_mu(i) <= least_mu) along.push_back(k);
    k = n + 1;
  }
  if (along.empty()) return null_space;
  const Eigen::MatrixXd B = null_space(along, Eigen::all);
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(B, Eigen::ComputeFullU | Eigen::ComputeFullV);
  svd.setThreshold(rank_tolerance);
  const Eigen::VectorXd wanted = x_(along);
  const Eigen::VectorXd y = svd.solve(-wanted);
  const double size = std::max(1.0, x_.cwiseAbs().maxCoeff());
  if ((B * y + wanted).cwiseAbs().maxCoeff() > rank_tolerance * size) return null_space;
  x_ += null_space * y;
  x_(along).setZero();
  Eigen::MatrixXd left = null_space * svd.matrixV().rightCols(null_space.cols() - svd.rank());
  left(along, Eigen::all).setZero();
  return left;
}

// Rows g with g x ≥ 0: the normal forces, and in the plane the edges of the friction cones of sticking contacts, which
// are none without friction.
void RigidFlow::cone_rows(Eigen::MatrixXd& G) const {
  G = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(3) * unknowns_, unknowns_);
  Eigen::Index row = 0;
  int k = 0;
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    const ContactMode& mode = modes_[static_cast<std::size_t>(i)];
    if (mode.letter == Letter::F) continue;
    const int n = mode.letter == Letter::T ? k + dimension_ - 1 : k;
    if (!problem_.bilateral[static_cast<std::size_t>(i)]) G(row++, n) = 1;
    if (mode.letter == Letter::T && dimension_ == 2 && stick_mu(i) > least_mu) {
      const double sign = problem_.bilateral[static_cast<std::size_t>(i)] ? mode.force_sign : 1;
      for (const double side : {-1.0, 1.0}) {
        G(row, n) = stick_mu(i) * sign;
        G(row++, k) = side;
      }
    }
    k = n + 1;
  }
  G.conservativeResize(row, unknowns_);
}

// The forces are not determined (a table on four legs) but the motion is: take the smallest, or where these violate a
// law some that do not, deep inside the friction cones; so the phase lasts as long as there are any. Round cones are
// cut out of half spaces, one more per contact and round, where the last choice leaves them.
void RigidFlow::pick_from_family(const Eigen::MatrixXd& all) const {
  const Eigen::MatrixXd null_space = without_friction(all);
  if (null_space.cols() == 0) return;
  Eigen::MatrixXd G;
  cone_rows(G);
  const Eigen::VectorXd smallest = x_;
  const double size = std::max(1.0, x_.cwiseAbs().maxCoeff());
  for (int round = 0; round < 40; ++round) {
    double least = G.rows() == 0 ? 0 : (G * x_).minCoeff();
    if (dimension_ == 3) least = std::min(least, cut_cones(G));
    if (least >= (round == 0 ? 0 : -1e-12 * size)) return;
    Interior deepest;
    for (const double box : {1.0, 10.0, 100.0, 1000.0}) {
      deepest = deepest_point(G * null_space, G * smallest / size, box);
      if (deepest.depth > 0) break;
    }
    if (deepest.depth <= 0) {
      x_ = smallest;  // there are none
      return;
    }
    x_ = smallest + size * null_space * deepest.y;
  }
}

// Adds to G, for each sticking contact in space, the half space that touches its cone where x_ points; the least
// margin.
double RigidFlow::cut_cones(Eigen::MatrixXd& G) const {
  double least = 0;
  int k = 0;
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    const ContactMode& mode = modes_[static_cast<std::size_t>(i)];
    if (mode.letter == Letter::F) continue;
    const int n = mode.letter == Letter::T ? k + dimension_ - 1 : k;
    const double along = mode.letter == Letter::T ? x_.segment(k, 2).norm() : 0;
    if (along > 0 && !problem_.bilateral[static_cast<std::size_t>(i)]) {
      G.conservativeResize(G.rows() + 1, unknowns_);
      G.bottomRows(1).setZero();
      G(G.rows() - 1, n) = stick_mu(i);
      G.block(G.rows() - 1, k, 1, 2) = -x_.segment(k, 2).transpose() / along;
      least = std::min(least, stick_mu(i) * x_(n) - along);
    }
    k = n + 1;
  }
  return least;
}

}  // namespace painleve
