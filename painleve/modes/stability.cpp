#include "painleve/modes/stability.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/base/rounding.hpp"

namespace painleve {
namespace {

// Directions that respond less than this part of the largest response do not move at all.
constexpr double redundant = 1e-10;

// Stick and slip at once: the contact force per normal forces of the contacts that carry one.
Eigen::MatrixXd force_per_normal(const ContactSpace& s, const std::vector<ContactMode>& modes,
                                 const std::vector<int>& active) {
  const int d = s.dimension;
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

Witness witness(const Eigen::MatrixXd& P, const Eigen::VectorXd& k, const Eigen::VectorXd& nu) {
  return {k, nu, growth(P, k, nu).rate};
}

// Two contacts: with D = det P > 0, stability for all stiffness and damping needs T = ν1 p11 + ν2 p22 > 0 and F > 0 for
// all, and F = ν1 ν2 (k1 p11 − k2 p22)² + w² p12 p21 + ν1 ν2 w D T.
Stability two_contacts(const Eigen::MatrixXd& P) {
  const double p11 = P(0, 0);
  const double p22 = P(1, 1);
  const double D = P.determinant();
  if (D <= 0 || (p11 <= 0 && p22 <= 0)) return {"unstable", true, {}};
  if (p11 >= 0 && p22 >= 0 && P(0, 1) * P(1, 0) >= 0) return {"stable", true, {}};
  // Strong damping at the contact with the larger diagonal stabilises; then either T < 0, or weak damping with
  // k1 p11 = k2 p22 lets the coupling p12 p21 < 0 win.
  Eigen::Vector2d k(1, 1);
  Eigen::Vector2d nu(1, 1);
  Witness stable, unstable;
  const int strong = p11 > p22 ? 0 : 1;
  constexpr int most_doublings = 40;
  for (int i = 0; i < most_doublings; i += 2) {
    const double scale = std::ldexp(1, i);
    nu = Eigen::Vector2d::Ones() * std::sqrt(scale);
    nu(strong) = scale;
    stable = witness(P, k, nu);
    if (stable.rate < 0) break;
  }
  for (int i = 0; i < most_doublings; i += 2) {
    const double scale = std::ldexp(1, i);
    nu = Eigen::Vector2d::Ones() / scale;
    if (std::min(p11, p22) < 0) nu(1 - strong) = scale;
    k = p11 > 0 && p22 > 0 ? Eigen::Vector2d(p22, p11) : Eigen::Vector2d(1, 1);
    if (std::min(p11, p22) == 0) k(1 - strong) = scale;
    unstable = witness(P, k, nu);
    if (unstable.rate > 0) break;
  }
  return {"depends", stable.rate < 0 && unstable.rate > 0, {stable, unstable}};
}

// With P symmetric and positive, ½ żᵀP⁻¹ż + ½ zᵀK z can only fall.
bool has_energy(const Eigen::MatrixXd& P, const Eigen::MatrixXd& gaps) {
  if ((P - P.transpose()).cwiseAbs().maxCoeff() > redundant * P.cwiseAbs().maxCoeff()) return false;
  const Eigen::MatrixXd confined = gaps.transpose() * P * gaps;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(confined, Eigen::EigenvaluesOnly);
  return eigen.eigenvalues()(0) > redundant * P.cwiseAbs().maxCoeff();
}

// Three and more, or redundant ones: det P < 0 gives a positive real eigenvalue whatever the springs; otherwise look
// for two witnesses.
Stability many_contacts(const Eigen::MatrixXd& P, const Eigen::MatrixXd& gaps, int samples) {
  if (has_energy(P, gaps)) return {"stable", true, {}};
  if (gaps.cols() == P.rows() && P.determinant() <= 0) return {"unstable", true, {}};
  Draws draws(1895);
  bool seen[2] = {false, false};
  Witness kept[2];
  for (int i = 0; i < samples && !(seen[0] && seen[1]); ++i) {
    Eigen::VectorXd k(P.rows());
    Eigen::VectorXd nu(P.rows());
    for (Eigen::Index j = 0; j < P.rows(); ++j) {
      k(j) = std::pow(10, draws.uniform(-2, 2));
      nu(j) = std::pow(10, draws.uniform(-2, 2));
    }
    const Witness w{k, nu, growth(P, gaps, k, nu).rate};
    const int side = w.rate < 0 ? 0 : 1;
    if (!seen[side]) kept[side] = w;
    seen[side] = true;
  }
  if (seen[0] && seen[1]) return {"depends", true, {kept[0], kept[1]}};
  return {seen[0] ? "stable" : "unstable", false, {}};
}

}  // namespace

Eigen::MatrixXd fast_matrix(const ContactSpace& s, const std::vector<ContactMode>& modes) {
  std::vector<int> active;
  std::vector<int> normals;
  for (int i = 0; i < s.count(); ++i) {
    if (modes[static_cast<std::size_t>(i)].letter == Letter::F) continue;
    active.push_back(i);
    normals.push_back(s.normal(i));
  }
  const Eigen::MatrixXd rows = s.W(normals, Eigen::all);
  const Eigen::MatrixXd map = force_per_normal(s, modes, active);
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
    if (discriminant < 0) return {half, std::sqrt(-discriminant)};
    const double root = std::sqrt(discriminant);
    // The larger root; when half < 0 < P it comes from the product of the roots, P k, to avoid cancellation.
    return {half >= 0 || P(0, 0) <= 0 ? half + root : P(0, 0) * stiffness(0) / (half - root), 0};
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
  const Eigen::VectorXcd e = A.eigenvalues();
  Growth g{-std::numeric_limits<double>::infinity(), 0};
  for (const auto& x : e)
    if (x.real() > g.rate) g = {x.real(), std::abs(x.imag())};
  return g;
}

Stability stability_for(const Eigen::MatrixXd& P, const Eigen::VectorXd& stiffness, const Eigen::VectorXd& damping) {
  return {growth(P, stiffness, damping).rate < 0 ? "stable" : "unstable", true, {}};
}

Stability stability_for_all(const Eigen::MatrixXd& P) {
  constexpr int samples = 400;
  return stability_for_all(P, Eigen::MatrixXd::Identity(P.rows(), P.rows()), samples);
}

Stability stability_for_all(const Eigen::MatrixXd& P, const Eigen::MatrixXd& gaps, int samples) {
  if (gaps.cols() == 0) return {"stable", true, {}};
  if (P.rows() == 1) return {P(0, 0) > 0 ? "stable" : "unstable", true, {}};
  return P.rows() == 2 && gaps.cols() == 2 ? two_contacts(P) : many_contacts(P, gaps, samples);
}

}  // namespace painleve
