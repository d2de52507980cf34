#include "painleve/modes/jam_manifolds.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace painleve {
namespace {

using Svd = Eigen::JacobiSVD<Eigen::MatrixXd>;

double orientation(const Svd& svd) { return svd.matrixU().determinant() * svd.matrixV().determinant() > 0 ? 1 : -1; }

// adj P = det(U) det(V) V diag(Π_{j≠i} σ_j) Uᵀ, which needs no inverse.
Eigen::MatrixXd adjugate(const Svd& svd) {
  const Eigen::VectorXd& sigma = svd.singularValues();
  Eigen::VectorXd others(sigma.size());
  for (Eigen::Index i = 0; i < sigma.size(); ++i)
    others(i) = sigma.head(i).prod() * sigma.tail(sigma.size() - 1 - i).prod();
  return orientation(svd) * svd.matrixV() * others.asDiagonal() * svd.matrixU().transpose();
}

Svd decompose(const Eigen::MatrixXd& A) { return Svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV); }

std::string explain(const JamManifolds& m, double second, double tolerance) {
  if (m.genot_brogliato) return {};
  if (m.painleve) return "b does not lie in the span of the columns of P";
  if (m.singular)
    return "the columns of P span a cone that is not a whole space: its null vector has both signs or zeros";
  if (second <= tolerance) return "P has lost more than one rank";
  return "P is regular";
}

}  // namespace

JamManifolds jam_manifolds(const Eigen::MatrixXd& P, const Eigen::VectorXd& b, const JamOptions& options) {
  const Eigen::Index n = P.rows();
  Eigen::VectorXd length = P.colwise().norm();
  for (double& x : length) x = n == 1 ? options.response : (x > 0 ? x : 1);
  const Svd svd = decompose(P * length.cwiseInverse().asDiagonal());
  JamManifolds m;
  m.det = P.determinant();
  m.lambda_hat = -adjugate(decompose(P)) * b;
  m.painleve_distance = orientation(svd) * svd.singularValues().prod();

  // P diag(1/length) v' = 0 for v' = length v.
  Eigen::VectorXd v = svd.matrixV().col(n - 1).cwiseQuotient(length);
  Eigen::Index largest = 0;
  v.cwiseAbs().maxCoeff(&largest);
  const double turn = v(largest) < 0 ? -1 : 1;
  m.null_vector = v / v(largest);
  const double size = n == 1 ? options.load : b.norm();
  const double along = svd.matrixU().col(n - 1).dot(b);
  m.genot_brogliato_distance = size > 0 ? -turn * orientation(svd) * along / size : 0;

  const double second = n > 1 ? svd.singularValues()(n - 2) : 1;
  m.singular = std::abs(m.painleve_distance) <= options.tolerance && second > options.tolerance;
  m.one_signed = m.null_vector.minCoeff() > options.tolerance;
  m.painleve = m.singular && m.one_signed;
  m.genot_brogliato = m.painleve && std::abs(m.genot_brogliato_distance) <= options.tolerance;
  m.reason = explain(m, second, options.tolerance);
  return m;
}

}  // namespace painleve
