#include "painleve/simulation/projection.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <limits>

#include "painleve/simulation/detail/half_solves.hpp"

namespace painleve {
namespace {

void find_held_rows(const std::vector<ContactMode>& modes, int dimension, bool with_tangents, std::vector<int>& rows) {
  rows.clear();
  for (int i = 0; i < static_cast<int>(modes.size()); ++i) {
    const Letter letter = modes[static_cast<std::size_t>(i)].letter;
    if (letter == Letter::F) continue;
    const int n = dimension * i + dimension - 1;
    for (int row = with_tangents && letter == Letter::T ? dimension * i : n; row <= n; ++row) rows.push_back(row);
  }
}

// Kept for the next call of a thread.
struct ProjectionScratch {
  std::vector<int> rows;
  Eigen::VectorXd violation;
  Dynamics d;
  detail::HalfSolves mass;
  detail::HalfSolves::Rows h;
  Eigen::VectorXd x;
};

// x := hᵀ (h hᵀ)⁻¹ violation.
void solve_rows(const detail::HalfSolves::Rows& h, const Eigen::VectorXd& violation, Eigen::VectorXd& x) {
  constexpr double least_det = 1e-9;  // of two rows of unit length
  if (h.rows() == 1) {
    x = (violation(0) / h.row(0).squaredNorm()) * h.row(0).transpose();
    return;
  }
  if (h.rows() == 2) {
    const double W_00 = h.row(0).squaredNorm(), W_11 = h.row(1).squaredNorm(), W_01 = h.row(0).dot(h.row(1));
    const double det = W_00 * W_11 - W_01 * W_01;
    if (det > least_det * W_00 * W_11) {
      x = ((W_11 * violation(0) - W_01 * violation(1)) / det) * h.row(0).transpose() +
          ((W_00 * violation(1) - W_01 * violation(0)) / det) * h.row(1).transpose();
      return;
    }
  }
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> W(h * h.transpose());  // redundant rows agree
  x = h.transpose() * W.solve(violation);
}

// Takes the smallest change x in the metric of M with J_rows x = violation from `from`: the rows, violation and
// dynamics of the scratch.
void correct(ProjectionScratch& scratch, Eigen::VectorXd& from) {
  const Dynamics& d = scratch.d;
  const std::vector<int>& rows = scratch.rows;
  const Eigen::Index degrees = d.J.cols();
  scratch.mass.factorise(d.M);
  scratch.h.resize(static_cast<Eigen::Index>(rows.size()), degrees);
  for (std::size_t k = 0; k < rows.size(); ++k)
    scratch.mass.half_of_row(d.J, rows[k], scratch.h.data() + static_cast<Eigen::Index>(k) * degrees);
  solve_rows(scratch.h, scratch.violation, scratch.x);
  scratch.mass.other_half(scratch.x.data());
  from -= scratch.x;
}

}  // namespace

State projected(const Mechanism& mechanism, State state, const std::vector<ContactMode>& modes) {
  const int dimension = mechanism.dimension();
  thread_local ProjectionScratch scratch;
  const Dynamics& d = scratch.d;
  std::vector<int>& rows = scratch.rows;
  Eigen::VectorXd& violated = scratch.violation;
  find_held_rows(modes, dimension, false, rows);
  if (rows.empty()) return state;
  double before = std::numeric_limits<double>::infinity();
  mechanism.dynamics(state, scratch.d);
  constexpr int iterations = 3;  // from 1e-6 the violation falls to rounding in two
  for (int k = 0; k < iterations; ++k) {
    violated.resize(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) violated(static_cast<Eigen::Index>(i)) = d.gap(rows[i] / dimension);
    const double violation = violated.cwiseAbs().maxCoeff();
    if (violation == 0 || violation > before / 2) break;  // rounding is all that is left
    before = violation;
    correct(scratch, state.q);
    mechanism.dynamics(state, scratch.d);
  }
  find_held_rows(modes, dimension, true, rows);
  violated.resize(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) violated(static_cast<Eigen::Index>(i)) = d.u(rows[i]);
  if (violated.cwiseAbs().maxCoeff() > 0) correct(scratch, state.v);
  return state;
}

Eigen::VectorXd velocity_change(const Dynamics& dynamics, const Eigen::VectorXd& Lambda) {
  return dynamics.M.llt().solve(dynamics.J.transpose() * Lambda);
}

}  // namespace painleve
