#include "painleve/contact/held_contact.hpp"

#include <Eigen/Eigenvalues>
#include <limits>

namespace painleve {
namespace {

// W is formed by products of rounded numbers; an eigenvalue below this part of the largest one is zero.
constexpr double rank_tolerance = 1e-12;
// The part of b outside the range of W is compared with b itself.
constexpr double range_tolerance = 1e-9;

}  // namespace

HeldContact hold(const ContactSpace& space, int contact, const std::vector<int>& held) {
  const int d = space.dimension;
  const int i = space.tangent(contact);
  const ContactSpace others = subset(space, held);
  HeldContact r;
  r.W = space.W.block(i, i, d, d);
  r.b = space.b.segment(i, d);
  r.held_rows = static_cast<int>(others.W.rows());
  if (held.empty()) return r;

  Eigen::MatrixXd coupling(d, r.held_rows);
  for (std::size_t k = 0; k < held.size(); ++k)
    coupling.middleCols(d * static_cast<Eigen::Index>(k), d) = space.W.block(i, space.tangent(held[k]), d, d);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(others.W);
  const double largest = std::max(eigen.eigenvalues().cwiseAbs().maxCoeff(), 1e-300);
  const double cut = rank_tolerance * largest;
  Eigen::VectorXd unreached = others.b;
  // What is left by cancellation of larger numbers is zero; a small eigenvalue is known to eps of the largest one.
  double rounding = 1e-13 * r.W.cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < r.held_rows; ++k) {
    const double e = eigen.eigenvalues()(k);
    if (e <= cut) continue;
    ++r.rank;
    const Eigen::VectorXd x = eigen.eigenvectors().col(k);
    const Eigen::VectorXd c = coupling * x;
    r.W -= c * c.transpose() / e;
    rounding += 16 * std::numeric_limits<double>::epsilon() * (largest / e) * (c.squaredNorm() / e);
    r.b -= c * (x.dot(others.b) / e);
    unreached -= x * x.dot(others.b);
  }
  r.W = r.W.unaryExpr([&](double x) { return std::abs(x) <= rounding ? 0.0 : x; });
  r.compatible = unreached.norm() <= range_tolerance * (others.b.norm() + 1e-300);
  return r;
}

int rank(const ContactSpace& space) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(space.W, Eigen::EigenvaluesOnly);
  const double cut = rank_tolerance * eigen.eigenvalues().cwiseAbs().maxCoeff();
  return static_cast<int>((eigen.eigenvalues().array() > cut).count());
}

}  // namespace painleve
