#include "painleve/complementarity/word_newton.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace painleve {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct Linearised {
  Eigen::VectorXd F;
  Eigen::MatrixXd J, forces;  // ∂F/∂z, ∂r/∂z
};

Eigen::VectorXd residual(const ContactProblem& p, const WordEquations& equations, const NewtonPoint& z) {
  const Eigen::VectorXd w = p.W * force_of(p, equations, z) + p.q;
  const auto m = static_cast<Eigen::Index>(equations.rows.size());
  Eigen::VectorXd F(m + 3 * z.c.size());
  F.head(m) = w(equations.rows);
  for (Eigen::Index k = 0; k < z.c.size(); ++k) {
    F.segment<3>(m + 3 * k) = w.segment<3>(p.tangent(equations.sought[static_cast<std::size_t>(k)]));
    F.segment<2>(m + 3 * k) -= z.c(k) * direction(z, static_cast<int>(k));
  }
  return F;
}

Linearised linearise(const ContactProblem& p, const WordEquations& equations, const NewtonPoint& z) {
  const auto m = static_cast<Eigen::Index>(equations.rows.size());
  const Eigen::Index n = z.c.size();
  std::vector<int> rows = equations.rows;
  rows.insert(rows.end(), equations.sought_rows.begin(), equations.sought_rows.end());
  const Eigen::Index unknowns = equations.E.cols() + 3 * n;
  Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(p.W.rows(), unknowns);  // ∂r/∂z
  forces.leftCols(equations.E.cols()) = equations.E;
  for (Eigen::Index k = 0; k < n; ++k) {
    const int i = equations.sought[static_cast<std::size_t>(k)];
    const Eigen::Vector2d e = direction(z, static_cast<int>(k));
    const double mu = equations.sign[static_cast<std::size_t>(k)] * p.mu(i);
    const Eigen::Index column = equations.E.cols() + 3 * k;
    forces.block<3, 1>(p.tangent(i), column) = force_direction(p, equations, static_cast<int>(k), e);
    forces.block<2, 1>(p.tangent(i), column + 1) = -mu * z.r_n(k) * Eigen::Vector2d(-e.y(), e.x());
  }
  Linearised l{residual(p, equations, z), p.W(rows, Eigen::all) * forces, forces};
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::Vector2d e = direction(z, static_cast<int>(k));
    const Eigen::Index column = equations.E.cols() + 3 * k;
    l.J.block<2, 1>(m + 3 * k, column + 1) -= z.c(k) * Eigen::Vector2d(-e.y(), e.x());
    l.J.block<2, 1>(m + 3 * k, column + 2) -= e;
  }
  return l;
}

NewtonPoint moved(const NewtonPoint& z, const Eigen::VectorXd& step, double part) {
  NewtonPoint next = z;
  next.x += part * step.head(z.x.size());
  for (Eigen::Index k = 0; k < z.c.size(); ++k) {
    next.r_n(k) += part * step(z.x.size() + 3 * k);
    next.angle(k) += part * step(z.x.size() + 3 * k + 1);
    next.c(k) += part * step(z.x.size() + 3 * k + 2);
  }
  return next;
}

}  // namespace

Eigen::Vector2d direction(const NewtonPoint& z, int k) { return {std::cos(z.angle(k)), std::sin(z.angle(k))}; }

Eigen::Vector3d force_direction(const ContactProblem& p, const WordEquations& equations, int k,
                                const Eigen::Vector2d& e) {
  const double mu = equations.sign[static_cast<std::size_t>(k)] * p.mu(equations.sought[static_cast<std::size_t>(k)]);
  return {-mu * e.x(), -mu * e.y(), 1};
}

Eigen::VectorXd force_of(const ContactProblem& p, const WordEquations& equations, const NewtonPoint& z) {
  Eigen::VectorXd r = equations.E * z.x;
  for (Eigen::Index k = 0; k < z.r_n.size(); ++k) {
    const int i = equations.sought[static_cast<std::size_t>(k)];
    const int at = static_cast<int>(k);
    r.segment<3>(p.tangent(i)) = z.r_n(k) * force_direction(p, equations, at, direction(z, at));
  }
  return r;
}

NewtonResult polish(const ContactProblem& p, const WordEquations& equations, NewtonPoint& z, int most_steps) {
  NewtonResult result;
  for (int k = 0; k < most_steps; ++k) {
    const Linearised l = linearise(p, equations, z);
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> qr(l.J);
    qr.setThreshold(1e-13);
    const Eigen::VectorXd pivots = qr.matrixQTZ().diagonal().cwiseAbs().head(qr.rank());
    result.rounding =
        pivots.size() > 0 ? std::clamp(16 * epsilon * pivots.maxCoeff() / pivots.minCoeff(), 1e-13, 1e-10) : 1e-10;
    result.undetermined = static_cast<int>(l.J.cols() - qr.rank());
    result.error = l.F.cwiseAbs().maxCoeff();
    const Eigen::VectorXd step = qr.solve(-l.F);
    if (!step.allFinite()) break;
    double part = 1;
    NewtonPoint next = moved(z, step, part);
    double error = residual(p, equations, next).cwiseAbs().maxCoeff();
    while (!(error < result.error) && part > 1e-3) {
      part /= 2;
      next = moved(z, step, part);
      error = residual(p, equations, next).cwiseAbs().maxCoeff();
    }
    if (!(error < result.error)) break;
    z = next;
    result.error = error;
    if (error < 4 * epsilon) break;
  }
  result.largest = force_of(p, equations, z).cwiseAbs().maxCoeff();
  return result;
}

Eigen::MatrixXd undetermined_forces(const ContactProblem& p, const WordEquations& equations, const NewtonPoint& z) {
  const Linearised l = linearise(p, equations, z);
  std::vector<Eigen::Index> kept;  // all unknowns but the angles
  for (Eigen::Index k = 0; k < l.J.cols(); ++k)
    if (k < z.x.size() || (k - z.x.size()) % 3 != 1) kept.push_back(k);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(l.J(Eigen::all, kept), Eigen::ComputeFullV);
  const double cut = 1e-10 * svd.singularValues()(0);
  const auto rank = (svd.singularValues().array() > cut).count();
  return l.forces(Eigen::all, kept) * svd.matrixV().rightCols(static_cast<Eigen::Index>(kept.size()) - rank);
}

Eigen::MatrixXd turning_forces(const ContactProblem& p, const WordEquations& equations, const NewtonPoint& z) {
  const Linearised l = linearise(p, equations, z);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(l.J, Eigen::ComputeFullV);
  const auto rank = (svd.singularValues().array() > 1e-10 * svd.singularValues()(0)).count();
  Eigen::MatrixXd all = l.forces * svd.matrixV().rightCols(l.J.cols() - rank);
  const Eigen::MatrixXd still = undetermined_forces(p, equations, z);
  if (still.cols() > 0) {
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(still);
    const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(still.rows(), still.cols());
    all -= (Q * (Q.transpose() * all)).eval();
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(all);
  qr.setThreshold(1e-8);
  return qr.householderQ() * Eigen::MatrixXd::Identity(all.rows(), qr.rank());
}

}  // namespace painleve
