#include "painleve/simulation/projection.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "painleve/simulation/detail/half_solves.hpp"

namespace painleve {
namespace {

std::vector<int> held_rows(const std::vector<ContactMode>& modes, int dimension, bool with_tangents) {
  std::vector<int> rows;
  for (int i = 0; i < static_cast<int>(modes.size()); ++i) {
    const Letter letter = modes[static_cast<std::size_t>(i)].letter;
    if (letter == Letter::F) continue;
    const int n = dimension * i + dimension - 1;
    for (int row = with_tangents && letter == Letter::T ? dimension * i : n; row <= n; ++row) rows.push_back(row);
  }
  return rows;
}

// The smallest change x in the metric of M with J_rows x = −violation.
Eigen::VectorXd correction(const Dynamics& d, const std::vector<int>& rows, const Eigen::VectorXd& violation) {
  const Eigen::Index degrees = d.J.cols();
  detail::HalfSolves mass;
  mass.factorise(d.M);
  detail::HalfSolves::Rows h(static_cast<Eigen::Index>(rows.size()), degrees);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    h.row(row) = d.J.row(rows[k]);
    mass.half(h.data() + row * degrees);
  }
  Eigen::VectorXd x;
  if (rows.size() == 1) {
    x = -(violation(0) / h.row(0).squaredNorm()) * h.row(0).transpose();
  } else {
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> W(h * h.transpose());  // redundant rows agree
    x = -(h.transpose() * W.solve(violation));
  }
  mass.other_half(x.data());
  return x;
}

}  // namespace

State projected(const Mechanism& mechanism, State state, const std::vector<ContactMode>& modes) {
  const int dimension = mechanism.dimension();
  const std::vector<int> normals = held_rows(modes, dimension, false);
  if (normals.empty()) return state;
  Dynamics d;
  constexpr int iterations = 3;  // from 1e-6 the violation falls to rounding in two
  for (int k = 0; k < iterations; ++k) {
    mechanism.dynamics(state, d);
    Eigen::VectorXd gaps(static_cast<Eigen::Index>(normals.size()));
    for (std::size_t i = 0; i < normals.size(); ++i) gaps(static_cast<Eigen::Index>(i)) = d.gap(normals[i] / dimension);
    if (gaps.cwiseAbs().maxCoeff() == 0) break;
    state.q += correction(d, normals, gaps);
  }
  mechanism.dynamics(state, d);
  const std::vector<int> rows = held_rows(modes, dimension, true);
  Eigen::VectorXd u(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) u(static_cast<Eigen::Index>(i)) = d.u(rows[i]);
  if (u.cwiseAbs().maxCoeff() > 0) state.v += correction(d, rows, u);
  return state;
}

Eigen::VectorXd velocity_change(const Dynamics& dynamics, const Eigen::VectorXd& Lambda) {
  return dynamics.M.llt().solve(dynamics.J.transpose() * Lambda);
}

}  // namespace painleve
