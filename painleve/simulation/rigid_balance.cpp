#include "painleve/simulation/rigid_balance.hpp"

#include <Eigen/QR>
#include <cmath>
#include <utility>

namespace painleve {
namespace {

// Of the largest force: what the equations of a balance may leave.
constexpr double balanced = 1e-9;

class Balance {
 public:
  Balance(const Mechanism& mechanism, State state, const std::vector<int>& pressed, const std::vector<ContactLaw>& laws)
      : mechanism_(mechanism), pressed_(pressed), laws_(laws), state_(std::move(state)) {
    state_.v.setZero();
    const Dynamics d = mechanism_.dynamics(state_);
    lambda_ = columns(d).completeOrthogonalDecomposition().solve(-d.f);
  }

  bool holds() const {
    const Dynamics d = mechanism_.dynamics(state_);
    return unbalance(state_.q).cwiseAbs().maxCoeff() <= balanced * (1 + d.f.cwiseAbs().maxCoeff());
  }
  bool presses() const { return lambda_.minCoeff() > 0; }
  const Eigen::VectorXd& q() const { return state_.q; }

  // Newton's method for q and λ_n together; true where it comes to rest.
  bool close_gaps() {
    constexpr int iterations = 50;
    constexpr double at_rest = 1e-14;  // [m, rad]
    const Eigen::Index degrees = state_.q.size();
    const Eigen::Index forces = lambda_.size();
    for (int k = 0; k < iterations; ++k) {
      const Dynamics d = mechanism_.dynamics(state_);
      Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(degrees + forces, degrees + forces);
      Eigen::VectorXd left(degrees + forces);
      slope.topLeftCorner(degrees, degrees) = stiffness();
      slope.topRightCorner(degrees, forces) = columns(d);
      left.head(degrees) = unbalance(state_.q);
      for (Eigen::Index i = 0; i < forces; ++i) {
        const int contact = pressed_[static_cast<std::size_t>(i)];
        slope.block(degrees + i, 0, 1, degrees) = d.J.row(normal(contact));
        left(degrees + i) = d.gap(contact);
      }
      const Eigen::VectorXd change = slope.completeOrthogonalDecomposition().solve(-left);
      if (!change.allFinite()) return false;
      state_.q += change.head(degrees);
      lambda_ += change.tail(forces);
      if (change.head(degrees).cwiseAbs().maxCoeff() <= at_rest) return true;
    }
    return false;
  }

 private:
  int normal(int contact) const { return mechanism_.dimension() * (contact + 1) - 1; }

  // Generalized force per normal force of each contact, with its friction.
  Eigen::MatrixXd columns(const Dynamics& d) const {
    const int width = mechanism_.dimension() - 1;
    Eigen::MatrixXd C(d.f.size(), static_cast<Eigen::Index>(pressed_.size()));
    Eigen::Index k = 0;
    for (const int contact : pressed_) {
      const int t = normal(contact) - width;
      const Eigen::VectorXd u_t = d.u.segment(t, width);
      C.col(k) = d.J.row(normal(contact)).transpose();
      const double mu = laws_[static_cast<std::size_t>(contact)].mu;
      if (u_t.norm() > 0) C.col(k) -= mu * d.J.middleRows(t, width).transpose() * u_t.normalized();
      ++k;
    }
    return C;
  }

  Eigen::VectorXd unbalance(const Eigen::VectorXd& q) const {
    const Dynamics d = mechanism_.dynamics({q, state_.v, state_.t});
    return d.f + columns(d) * lambda_;
  }

  // ∂ unbalance/∂q
  Eigen::MatrixXd stiffness() const {
    constexpr double step = 1e-6;  // [m, rad] only the rate of convergence depends on it
    const Eigen::Index degrees = state_.q.size();
    Eigen::MatrixXd slope(degrees, degrees);
    for (Eigen::Index i = 0; i < degrees; ++i) {
      const Eigen::VectorXd way = step * Eigen::VectorXd::Unit(degrees, i);
      slope.col(i) = (unbalance(state_.q + way) - unbalance(state_.q - way)) / (2 * step);
    }
    return slope;
  }

  const Mechanism& mechanism_;
  const std::vector<int>& pressed_;
  const std::vector<ContactLaw>& laws_;
  State state_;
  Eigen::VectorXd lambda_;
};

}  // namespace

std::optional<Eigen::VectorXd> rigid_balance(const Mechanism& mechanism, const State& springs,
                                             const std::vector<int>& pressed, const std::vector<ContactLaw>& laws) {
  Balance balance(mechanism, springs, pressed, laws);
  if (!balance.holds() || !balance.close_gaps() || !balance.holds() || !balance.presses()) return std::nullopt;
  return balance.q();
}

}  // namespace painleve
