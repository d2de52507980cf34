#include "painleve/cone/friction_cone.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "painleve/base/rounding.hpp"

namespace painleve {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// W is formed from rounded sines and cosines: a coupling below this part of √(|W_tt| W_nn) is none. A rod at 90° has
// W_tn = 1e-16 in the computer and 0 in mechanics.
constexpr double no_coupling = 16 * epsilon;
// Reciprocal condition number below which a block of W has no inverse in double precision.
constexpr double singular = 1e-14;

struct Blocks {
  Eigen::MatrixXd tt;
  Eigen::VectorXd tn;
  double nn;
};
Blocks blocks(const Eigen::MatrixXd& W) {
  const Eigen::Index t = W.rows() - 1;
  return {W.topLeftCorner(t, t), W.topRightCorner(t, 1), W(t, t)};
}

bool regular(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A, Eigen::EigenvaluesOnly);
  return eigen.eigenvalues()(0) > singular * eigen.eigenvalues()(A.rows() - 1);
}

Eigen::VectorXd force(double mu, const Eigen::VectorXd& e) {
  Eigen::VectorXd f(e.size() + 1);
  f << -mu * e, 1;
  return f;
}

}  // namespace

FrictionCone friction_cone(const Eigen::MatrixXd& W, double mu) {
  const Blocks w = blocks(W);
  FrictionCone cone;
  cone.W = W;
  cone.mu = mu;
  const double coupling = w.tn.norm();
  if (coupling <= no_coupling * std::sqrt(w.tt.norm() * std::abs(w.nn))) {
    cone.mu_jam_reason = "no coupling between tangent and normal: this contact cannot jam";
  } else {
    cone.mu_jam = w.nn / coupling;
    cone.e_jam = w.tn / coupling;
    if (mu > *cone.mu_jam) cone.locking_angle = 2 * std::acos(*cone.mu_jam / mu);
  }
  if (regular(w.tt))
    cone.mu_crit = w.tt.llt().solve(w.tn).norm();
  else
    cone.mu_crit_reason = "W_tt is singular: the contact cannot move in some tangential direction";
  if (regular(W)) {
    const Eigen::MatrixXd inverse = W.llt().solve(Eigen::MatrixXd::Identity(W.rows(), W.cols()));
    Eigen::VectorXd diagonal = Eigen::VectorXd::Ones(W.rows());
    diagonal(W.rows() - 1) = -mu * mu;
    cone.Q = inverse * diagonal.asDiagonal() * inverse;
  } else {
    cone.Q_reason = "W is singular: the contact cannot move in some direction";
  }
  return cone;
}

FrictionCone friction_cone(const ContactSpace& space, int contact) {
  const int d = space.dimension;
  const int i = space.tangent(contact);
  return friction_cone(space.W.block(i, i, d, d), space.mu(contact));
}

InverseBlocks inverse_blocks(const Eigen::MatrixXd& W) {
  const Blocks w = blocks(W);
  InverseBlocks r;
  r.M_t = (w.tt - w.tn * w.tn.transpose() / w.nn).inverse();
  r.m_n = 1 / (w.nn - w.tn.dot(w.tt.llt().solve(w.tn)));
  r.m_tn = -r.M_t * w.tn / w.nn;
  return r;
}

Eigen::VectorXd line_limit(const Eigen::MatrixXd& W) { return W.col(W.cols() - 1); }

Eigen::VectorXd plane_limit(const Eigen::MatrixXd& W) {
  return W.llt().solve(Eigen::VectorXd::Unit(W.rows(), W.rows() - 1));
}

double painleve_parameter(const Eigen::MatrixXd& W, double mu, const Eigen::VectorXd& e) {
  const Blocks w = blocks(W);
  return or_zero(w.nn - mu * w.tn.dot(e), w.nn + std::abs(mu) * w.tn.cwiseAbs().dot(e.cwiseAbs()));
}

bool contains(const FrictionCone& cone, const Eigen::VectorXd& delta_u) {
  const Eigen::VectorXd lambda = cone.W.llt().solve(delta_u);
  const Eigen::Index t = lambda.size() - 1;
  // Rounding of the solve: the condition of W times that of δu, which is given rounded.
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(cone.W, Eigen::EigenvaluesOnly);
  const double condition = eigen.eigenvalues()(t) / std::max(eigen.eigenvalues()(0), 1e-300);
  const double slack = 8 * epsilon * condition * (1 + cone.mu) * lambda.norm();
  return lambda.head(t).norm() <= cone.mu * lambda(t) + slack;
}

double tangent_plane_aperture(const FrictionCone& cone) {
  if (cone.W.rows() != 3 || cone.locking_angle <= 0) return 0;
  // The section is spanned by δu_t = M_t⁻¹ y with y at ± half the locking angle from W_tn.
  const Blocks w = blocks(cone.W);
  const Eigen::Matrix2d S = w.tt - w.tn * w.tn.transpose() / w.nn;
  const Eigen::Rotation2Dd turn(cone.locking_angle / 2);
  const Eigen::Vector2d h = *cone.e_jam;
  const Eigen::Vector2d a = (S * (turn * h)).normalized();
  const Eigen::Vector2d b = (S * (turn.inverse() * h)).normalized();
  return 2 * std::atan2((a - b).norm(), (a + b).norm());
}

Eigen::VectorXd ray(const FrictionCone& cone, const Eigen::VectorXd& e) { return cone.W * force(cone.mu, e); }

std::vector<Eigen::VectorXd> rays(const FrictionCone& cone, int count) {
  std::vector<Eigen::VectorXd> list;
  if (cone.W.rows() == 2) {
    for (const double s : {1.0, -1.0}) list.push_back(ray(cone, Eigen::VectorXd::Constant(1, s)).normalized());
    return list;
  }
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * k / count;
    list.push_back(ray(cone, Eigen::Vector2d(std::cos(angle), std::sin(angle))).normalized());
  }
  return list;
}

ConeMesh mesh(const FrictionCone& cone, int segments, double length) {
  ConeMesh m;
  m.vertices.emplace_back(Eigen::Vector3d::Zero());
  for (const auto& r : rays(cone, segments)) {
    const Eigen::Vector3d vertex = cone.W.rows() == 2 ? Eigen::Vector3d(r(0), 0, r(1)) : Eigen::Vector3d(r);
    m.vertices.emplace_back(length * vertex);
  }
  const auto n = static_cast<int>(m.vertices.size()) - 1;
  for (int k = 0; k < n; ++k) m.triangles.emplace_back(0, 1 + k, 1 + (k + 1) % n);
  return m;
}

}  // namespace painleve
