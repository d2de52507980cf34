#include "painleve/modes/slip_words.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "painleve/modes/linear_feasibility.hpp"

namespace painleve {
namespace {

// Numbers typed by people meet boundaries exactly: what only rounding keeps from zero is zero.
constexpr double zero = 1e-12;

struct SlipForces {
  bool balance = true;
  Eigen::VectorXd lambda;  // of all contacts
  int family_dimension = 0;
};

// λ_S = −P_SS⁻¹ b_S, or where P_SS is singular and b_S in its range, the point deepest among those with λ_S ≥ 0, a_F ≥
// 0.
SlipForces slip_forces(const Eigen::MatrixXd& P, const Eigen::VectorXd& b, const std::vector<int>& slips) {
  SlipForces forces;
  forces.lambda = Eigen::VectorXd::Zero(P.rows());
  if (slips.empty()) return forces;
  const Eigen::MatrixXd P_SS = P(slips, slips);
  const Eigen::VectorXd b_S = b(slips);
  const bool none = P_SS.isZero(0);
  Eigen::FullPivLU<Eigen::MatrixXd> lu(P_SS);
  lu.setThreshold(zero);
  Eigen::VectorXd x = none ? Eigen::VectorXd::Zero(b_S.size()).eval() : lu.solve(-b_S).eval();
  forces.balance = (P_SS * x + b_S).norm() <= 1e-10 * b.norm() + 1e-13 * P_SS.norm() * x.norm();
  if (forces.balance && (none || !lu.isInvertible())) {
    const Eigen::MatrixXd N = none ? Eigen::MatrixXd::Identity(b_S.size(), b_S.size()).eval() : lu.kernel().eval();
    Eigen::MatrixXd A(P.rows(), N.cols());  // per contact: λ where it slips, a where it lifts
    Eigen::VectorXd c(P.rows());
    const Eigen::MatrixXd lift = P(Eigen::all, slips);
    A = lift * N;
    c = lift * x + b;
    for (std::size_t k = 0; k < slips.size(); ++k) {
      A.row(slips[k]) = N.row(static_cast<Eigen::Index>(k));
      c(slips[k]) = x(static_cast<Eigen::Index>(k));
    }
    const double response = P.cwiseAbs().maxCoeff();
    const double natural = b.norm() > 0 && response > 0 ? b.norm() / response : 1;
    const Interior inside = relative_interior(A, c, 10 * std::max(x.norm(), natural));
    x += N * inside.y;
    forces.family_dimension = static_cast<int>(inside.directions.cols());
  }
  for (std::size_t k = 0; k < slips.size(); ++k) forces.lambda(slips[k]) = x(static_cast<Eigen::Index>(k));
  return forces;
}

void judge_slip(const Eigen::MatrixXd& P, const Eigen::VectorXd& b, ModeEntry& entry) {
  const Eigen::VectorXd& lambda = *entry.lambda;
  const Eigen::VectorXd& a = *entry.a;
  const double b_size = b.cwiseAbs().maxCoeff();
  const double no_force =
      zero * std::max(lambda.cwiseAbs().maxCoeff(), b_size / std::max(P.cwiseAbs().maxCoeff(), 1e-300));
  const double no_acceleration = zero * std::max(b_size, P.cwiseAbs().maxCoeff() * lambda.cwiseAbs().maxCoeff());
  for (Eigen::Index i = 0; i < lambda.size(); ++i) {
    const bool slip = entry.contacts[static_cast<std::size_t>(i)].letter == Letter::S;
    if (slip && lambda(i) <= no_force) {
      entry.reason = fmt::format("c{} would have to pull: lambda_n = {:.6g} N", i + 1,
                                 std::abs(lambda(i)) <= no_force ? 0 : lambda(i));
      return;
    }
    if (!slip && a(i) < -no_acceleration) {
      entry.reason = fmt::format("c{} would sink in: a_n = {:.6g} m/s^2", i + 1, a(i));
      return;
    }
    entry.boundary = entry.boundary || (!slip && std::abs(a(i)) <= no_acceleration);
  }
  entry.consistent = true;
}

}  // namespace

ModeEntry slip_word(const Eigen::MatrixXd& P, const Eigen::VectorXd& b, const std::vector<int>& slips) {
  const Eigen::Index n = P.rows();
  ModeEntry entry;
  entry.name = std::string(static_cast<std::size_t>(n), 'F');
  entry.contacts.assign(static_cast<std::size_t>(n), {Letter::F, Eigen::VectorXd::Zero(1), 1});
  for (const int i : slips) {
    entry.name[static_cast<std::size_t>(i)] = 'S';
    entry.contacts[static_cast<std::size_t>(i)] = {Letter::S, Eigen::VectorXd::Ones(1), 1};
  }
  const SlipForces forces = slip_forces(P, b, slips);
  if (!forces.balance) {
    entry.reason = "the forces cannot balance: the slip matrix of this word is singular";
    return entry;
  }
  Eigen::VectorXd a = P * forces.lambda + b;
  const double residual = a(slips).norm() / std::max(b.norm(), 1e-300);
  for (const int i : slips) a(i) = 0;
  entry.lambda = forces.lambda;
  entry.a = a;
  judge_slip(P, b, entry);
  entry.residual = entry.consistent ? residual : 0;
  entry.force_family_dimension = entry.consistent ? forces.family_dimension : 0;
  return entry;
}

}  // namespace painleve
