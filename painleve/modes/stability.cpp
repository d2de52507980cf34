#include "painleve/modes/stability.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "painleve/base/rounding.hpp"

namespace painleve {
namespace {

// Directions that respond less than this part of the largest response do not move at all.
constexpr double redundant = 1e-10;

// Diagonal similarity by powers of two that makes rows and columns equally long (Parlett & Reinsch 1969): springs that
// differ by many powers of ten otherwise cost the small eigenvalues their digits.
void balance(Eigen::MatrixXd& A) {
  constexpr int most_sweeps = 60;
  bool moved = true;
  for (int sweep = 0; moved && sweep < most_sweeps; ++sweep) {
    moved = false;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double row = A.row(i).cwiseAbs().sum() - std::abs(A(i, i));
      const double column = A.col(i).cwiseAbs().sum() - std::abs(A(i, i));
      if (row == 0 || column == 0) continue;
      const int power = static_cast<int>(std::lround(std::log2(row / column) / 2));
      if (power == 0) continue;
      A.row(i) *= std::ldexp(1, -power);
      A.col(i) *= std::ldexp(1, power);
      moved = true;
    }
  }
}

std::vector<int> loaded(const std::vector<ContactMode>& modes) {
  std::vector<int> list;
  for (std::size_t i = 0; i < modes.size(); ++i)
    if (modes[i].letter != Letter::F) list.push_back(static_cast<int>(i));
  return list;
}

}  // namespace

Eigen::MatrixXd force_per_normal(const ContactSpace& s, const std::vector<ContactMode>& modes) {
  const int d = s.dimension;
  const std::vector<int> active = loaded(modes);
  const auto n = static_cast<Eigen::Index>(active.size());
  Eigen::MatrixXd map = Eigen::MatrixXd::Zero(s.W.rows(), n);
  std::vector<int> stuck;  // tangential rows of sticking contacts
  for (Eigen::Index j = 0; j < n; ++j) {
    const int i = active[static_cast<std::size_t>(j)];
    const auto& mode = modes[static_cast<std::size_t>(i)];
    map(s.normal(i), j) = 1;
    if (mode.letter == Letter::S) {
      map.block(s.tangent(i), j, d - 1, 1) = -s.mu(i) * mode.force_sign * mode.direction;
    } else {
      for (int k = 0; k < d - 1; ++k) stuck.push_back(s.tangent(i) + k);
    }
  }
  if (stuck.empty()) return map;
  const Eigen::MatrixXd moved = s.W(stuck, Eigen::all) * map;  // a_t of the sticking contacts, to be cancelled
  const Eigen::MatrixXd W_tt = s.W(stuck, stuck);
  const Eigen::MatrixXd held = W_tt.completeOrthogonalDecomposition().solve(-moved);
  for (std::size_t k = 0; k < stuck.size(); ++k) map.row(stuck[k]) += held.row(static_cast<Eigen::Index>(k));
  return map;
}

Eigen::MatrixXd fast_matrix(const ContactSpace& s, const std::vector<ContactMode>& modes) {
  std::vector<int> normals;
  for (const int i : loaded(modes)) normals.push_back(s.normal(i));
  const Eigen::MatrixXd rows = s.W(normals, Eigen::all);
  const Eigen::MatrixXd map = force_per_normal(s, modes);
  // Like p itself, an entry that is only rounding is 0.
  return (rows * map).binaryExpr(rows.cwiseAbs() * map.cwiseAbs(), &or_zero);
}

Eigen::MatrixXd gap_space(const ContactSpace& s, const std::vector<ContactMode>& modes) {
  std::vector<int> normals;
  std::vector<int> stuck;
  for (int i = 0; i < s.count(); ++i) {
    const Letter letter = modes[static_cast<std::size_t>(i)].letter;
    if (letter != Letter::F) normals.push_back(s.normal(i));
    for (int k = 0; letter == Letter::T && k < s.dimension - 1; ++k) stuck.push_back(s.tangent(i) + k);
  }
  Eigen::MatrixXd S = s.W(normals, normals);
  const double scale = S.cwiseAbs().maxCoeff();
  if (!stuck.empty()) {
    const Eigen::MatrixXd W_tt = s.W(stuck, stuck);
    S -= s.W(normals, stuck) * W_tt.completeOrthogonalDecomposition().solve(s.W(stuck, normals).eval());
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen((S + S.transpose()) / 2);
  const auto moving = (eigen.eigenvalues().array() > redundant * scale).count();
  return eigen.eigenvectors().rightCols(moving);
}

Growth growth(const Eigen::MatrixXd& P, const Eigen::VectorXd& stiffness, const Eigen::VectorXd& damping) {
  if (P.rows() == 1) {  // s² + P ν s + P k = 0, without the rounding of an eigenvalue solver
    const double half = -P(0, 0) * damping(0) / 2;
    const double discriminant = half * half - P(0, 0) * stiffness(0);
    if (discriminant < 0) return {half, std::sqrt(-discriminant), 0};
    const double root = std::sqrt(discriminant);
    // The larger root; when half < 0 < P it comes from the product of the roots, P k, to avoid cancellation.
    return {half >= 0 || P(0, 0) <= 0 ? half + root : P(0, 0) * stiffness(0) / (half - root), 0, 0};
  }
  return growth(P, Eigen::MatrixXd::Identity(P.rows(), P.rows()), stiffness, damping);
}

Growth growth(const Eigen::MatrixXd& P, const Eigen::MatrixXd& gaps, const Eigen::VectorXd& stiffness,
              const Eigen::VectorXd& damping) {
  const Eigen::Index n = gaps.cols();
  const Eigen::MatrixXd response = -gaps.transpose() * P;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = response * stiffness.asDiagonal() * gaps;
  A.bottomRightCorner(n, n) = response * damping.asDiagonal() * gaps;
  balance(A);
  const Eigen::VectorXcd e = A.eigenvalues();
  Growth g{-std::numeric_limits<double>::infinity(), 0, 0};
  for (const auto& x : e)
    if (x.real() > g.rate) g = {x.real(), std::abs(x.imag()), 0};
  // Backward error of the QR iteration; the factor covers moderately ill-conditioned eigenvalues.
  g.rounding = 64 * std::numeric_limits<double>::epsilon() * A.norm();
  return g;
}

Stability stability_for(const Eigen::MatrixXd& P, const Eigen::VectorXd& stiffness, const Eigen::VectorXd& damping) {
  const Growth g = growth(P, stiffness, damping);
  return {g.rate < 0 ? "stable" : "unstable", std::abs(g.rate) > g.rounding, {}, "by its eigenvalues"};
}

Stability stability_for(const Eigen::MatrixXd& P, const Eigen::MatrixXd& gaps, const Eigen::VectorXd& stiffness,
                        const Eigen::VectorXd& damping) {
  if (gaps.cols() == 0) return {"stable", true, {}, "the contacts that stick hold every gap"};
  const Growth g = growth(P, gaps, stiffness, damping);
  return {g.rate < 0 ? "stable" : "unstable", std::abs(g.rate) > g.rounding, {}, "by its eigenvalues"};
}

}  // namespace painleve
