// Laws that every mechanism of the gallery obeys at any parameters and any state, closed contacts or not.
#include "painleve/mechanism/mechanism.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <thread>

#include "painleve/base/error.hpp"
#include "painleve/mechanism/gallery/rod.hpp"
#include "painleve/mechanism/kinematic_mechanism.hpp"
#include "painleve/mechanism/mechanisms_for_tests.hpp"

namespace painleve {
namespace mechanism_test {

using detail::Drawn;
using detail::expect_close;
using detail::moved;
using detail::slope;
using detail::slope_of_number;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int states = 12;  // per mechanism; each with its own parameters
// Difference quotients are good to about 1e-12 of the values that enter (see slope()); springs, lever arms and sums
// over masses make those values up to 1e2, and two more digits are left for unlucky draws.
constexpr double quotient = 1e-9;
// Sums of some hundred products of numbers of order 1 to 100.
constexpr double rounding = 1e-12;

bool always_one_contact(const std::string& name) {
  return name == "rod" || name == "chalk" || name == "pendulum-on-slider" || name == "two-link" ||
         name == "impact-oscillator";
}

class EveryMechanism : public testing::TestWithParam<std::string> {
 protected:
  // Calls check(drawn, state, picture_at(q, t)) at drawn parameters and states.
  template <class Check>
  void at_drawn_states(std::uint64_t seed, const Check& check) const {
    const auto& entry = gallery_entry(GetParam());
    for (int i = 0; i < states; ++i) {
      SCOPED_TRACE(fmt::format("seed {} draw {}", seed, i));
      Draws draws(seed + 1000 * static_cast<std::uint64_t>(i));
      const Drawn drawn = detail::drawn_mechanism(entry, draws);
      const State state = detail::drawn_state(*drawn.mechanism, draws);
      check(drawn, state, draws);
      if (HasFatalFailure()) {
        return;
      }
    }
  }
  detail::Picture picture(const Drawn& d, const VectorXd& q, double t) const {
    return detail::picture(GetParam(), {d.setup, d.laid, q, t});
  }
  static VectorXd turned(const VectorXd& q, Index i, double h) {
    VectorXd r = q;
    r(i) += h;
    return r;
  }
};

INSTANTIATE_TEST_SUITE_P(Gallery, EveryMechanism, testing::ValuesIn(detail::gallery_names()),
                         [](const auto& tested) { return detail::case_name(tested.param); });

// M = Σ m ∂x/∂q ∂x/∂qᵀ over the point masses of an independent picture.
TEST_P(EveryMechanism, MassMatrixIsThatOfPointMasses) {
  at_drawn_states(1, [&](const Drawn& d, const State& s, Draws&) {
    const MatrixXd M = d.mechanism->dynamics(s).M;
    const auto masses = picture(d, s.q, s.t).masses;
    MatrixXd expected = MatrixXd::Zero(M.rows(), M.cols());
    for (std::size_t k = 0; k < masses.size(); ++k) {
      MatrixXd J(3, s.q.size());
      for (Index i = 0; i < s.q.size(); ++i) {
        J.col(i) = slope([&](double h) { return picture(d, turned(s.q, i, h), s.t).masses[k].position; });
      }
      expected += masses[k].mass * J.transpose() * J;
    }
    expect_close(M, expected, quotient, "M");
    EXPECT_EQ(M, M.transpose());
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(M).eigenvalues()(0), 0);
  });
}

// f − applied = −∂V/∂q − (Ṁ v − ½ ∂(vᵀ M v)/∂q): Lagrange's equations, with M differenced and V from the picture.
TEST_P(EveryMechanism, BiasAndPotentialForcesAreThoseOfLagrange) {
  at_drawn_states(2, [&](const Drawn& d, const State& s, Draws&) {
    const Dynamics dynamics = d.mechanism->dynamics(s);
    const auto M = [&](const VectorXd& q) { return d.mechanism->dynamics({q, s.v, s.t}).M; };
    VectorXd expected = -slope([&](double h) { return M(s.q + h * s.v); }) * s.v;
    for (Index i = 0; i < s.q.size(); ++i) {
      expected(i) += slope_of_number([&](double h) { return 0.5 * s.v.dot(M(turned(s.q, i, h)) * s.v); });
      expected(i) -= slope_of_number([&](double h) { return picture(d, turned(s.q, i, h), s.t).potential(); });
    }
    expect_close(dynamics.f - dynamics.applied, expected, quotient, "f - applied");
    const auto now = picture(d, s.q, s.t);
    EXPECT_NEAR(dynamics.potential, now.potential(), rounding * 100);
    EXPECT_NEAR(dynamics.drive, slope_of_number([&](double h) { return picture(d, s.q, s.t + h).potential(); }),
                quotient * 10);
  });
}

// Solved for one contact in the plane: what follows from M, f and J.
TEST_P(EveryMechanism, PlanarMotionFollowsFromTheDynamics) {
  at_drawn_states(12, [&](const Drawn& d, const State& s, Draws&) {
    const Dynamics dynamics = d.mechanism->dynamics(s);
    PlanarMotion motion;
    const bool offered = d.mechanism->planar_motion(s.q.data(), s.v.data(), s.t, motion);
    EXPECT_EQ(offered, d.mechanism->dimension() == 2 && always_one_contact(GetParam()));
    if (!offered) return;
    const Index n = s.q.size();
    const auto column = [n](const PlanarMotion::Column& x) {
      return VectorXd(Eigen::Map<const VectorXd>(x.data(), n));
    };
    const Eigen::LLT<MatrixXd> M(dynamics.M);
    const MatrixXd X = M.solve(dynamics.J.transpose());
    const MatrixXd W = dynamics.J * X;
    const VectorXd v_dot = M.solve(dynamics.f);
    const VectorXd b = dynamics.J * v_dot + dynamics.drift;
    const VectorXd body = dynamics.J * s.v;
    expect_close(column(motion.v_dot), v_dot, rounding, "v_dot");
    expect_close(column(motion.X_t), X.col(0), rounding, "X_t");
    expect_close(column(motion.X_n), X.col(1), rounding, "X_n");
    expect_close(Eigen::Vector4d(motion.W_tt, motion.W_tn, motion.W_tn, motion.W_nn), W.reshaped(), rounding, "W");
    expect_close(Eigen::Vector2d(motion.b_t, motion.b_n), b, rounding, "b");
    expect_close(Eigen::Vector2d(motion.body_t, motion.body_n), body, rounding, "J v");
    EXPECT_EQ(motion.u_t, dynamics.u(0));
    EXPECT_EQ(motion.u_n, dynamics.u(1));
    EXPECT_EQ(motion.gap, dynamics.gap(0));
    EXPECT_NEAR(motion.power, dynamics.applied.dot(s.v) + dynamics.drive, rounding * 100);
  });
}

// A mass matrix that is not positive definite leaves a motion that is no number.
TEST(PlanarMotion, IsNoNumberWithoutMass) {
  const KinematicMechanism<Rod> rod(Rod{1, 1, 0, {9.81, 0}}, {"x", "y", "theta"}, {"tip"}, {});
  const State s{Eigen::Vector3d(0, 1, 1), Eigen::Vector3d(0, 0, 1), 0};
  PlanarMotion motion;
  ASSERT_TRUE(rod.planar_motion(s.q.data(), s.v.data(), s.t, motion));
  EXPECT_FALSE(std::isfinite(motion.v_dot[2]) && std::isfinite(motion.power));
  const KinematicMechanism<Rod> light(Rod{-1, 1, 1, {9.81, 0}}, {"x", "y", "theta"}, {"tip"}, {});
  ASSERT_TRUE(light.planar_motion(s.q.data(), s.v.data(), s.t, motion));
  EXPECT_TRUE(std::isnan(motion.power));
}

TEST(KinematicMechanism, HasAsManyNamesAsContacts) {
  EXPECT_THROW(KinematicMechanism<Rod>(Rod{}, {"x", "y", "theta"}, {}, {}), InputError);
  EXPECT_THROW(KinematicMechanism<Rod>(Rod{}, {"x", "y", "theta"}, {"tip", "top"}, {}), InputError);
}

// All columns at once are the derivatives one by one.
TEST_P(EveryMechanism, ForceResponseIsTheDerivativeOfTheForces) {
  at_drawn_states(11, [&](const Drawn& d, const State& s, Draws& draws) {
    const double along_q = draws.uniform(-1, 1);
    const double along_v = draws.uniform(-1, 1);
    ForceResponse all, one_by_one;
    d.mechanism->force_response(s, along_q, along_v, all);
    d.mechanism->Mechanism::force_response(s, along_q, along_v, one_by_one);
    ASSERT_EQ(all.f.cols(), s.q.size());
    expect_close(all.f, one_by_one.f, rounding, "f");
    expect_close(all.applied, one_by_one.applied, rounding, "applied");
    expect_close(all.drive, one_by_one.drive, rounding, "drive");
    const VectorXd e = VectorXd::Unit(s.q.size(), 0);
    const Dynamics first = d.mechanism->derivative(s, {along_q * e, along_v * e, 0});
    expect_close(one_by_one.f.col(0), first.f, rounding, "first column");
  });
}

// Rows: axis · ∂(contact point)/∂q; the normal row also as the gradient of the gap. Moving surfaces enter u only.
TEST_P(EveryMechanism, ContactRowsFollowFromContactPoints) {
  at_drawn_states(3, [&](const Drawn& d, const State& s, Draws&) {
    const Dynamics dynamics = d.mechanism->dynamics(s);
    const auto contacts = picture(d, s.q, s.t).contacts;
    const int dimension = d.mechanism->dimension();
    ASSERT_EQ(contacts.size(), d.mechanism->contacts().size());
    MatrixXd J(dynamics.J.rows(), dynamics.J.cols());
    MatrixXd gap_gradient(dynamics.gap.size(), s.q.size());
    VectorXd u(dynamics.u.size());
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const auto first = static_cast<Index>(c) * dimension;
      for (Index i = 0; i < s.q.size(); ++i) {
        const auto at = [&](double h) { return picture(d, turned(s.q, i, h), s.t).contacts[c]; };
        const Eigen::Vector3d dx = slope([&](double h) { return at(h).point; });
        for (int k = 0; k < dimension; ++k) {
          J(first + k, i) = contacts[c].axes[static_cast<std::size_t>(k)].dot(dx);
        }
        gap_gradient(static_cast<Index>(c), i) = slope_of_number([&](double h) { return at(h).gap; });
      }
      u.segment(first, dimension) = J.middleRows(first, dimension) * s.v;
      u(first) -= contacts[c].surface_speed;
      EXPECT_NEAR(dynamics.gap(static_cast<Index>(c)), contacts[c].gap, rounding);
      expect_close(dynamics.J.row(first + dimension - 1), gap_gradient.row(static_cast<Index>(c)), quotient,
                   "gap gradient");
    }
    expect_close(dynamics.J, J, quotient, "J");
    expect_close(dynamics.u, u, quotient, "u");
  });
}

TEST_P(EveryMechanism, DriftIsTheRateOfTheContactRows) {
  at_drawn_states(4, [&](const Drawn& d, const State& s, Draws&) {
    const auto J = [&](double h) { return d.mechanism->dynamics({s.q + h * s.v, s.v, s.t + h}).J; };
    expect_close(d.mechanism->dynamics(s).drift, slope(J) * s.v, quotient, "drift");
  });
}

// d(T + V)/dt = applied·v + drive + λ·(J v), by exact derivatives and along a numerical solution.
TEST_P(EveryMechanism, PowerBalances) {
  at_drawn_states(5, [&](const Drawn& d, const State& s, Draws& draws) {
    const auto& mechanism = *d.mechanism;
    const Dynamics now = mechanism.dynamics(s);
    const VectorXd lambda = detail::drawn_vector(now.J.rows(), 3, draws);
    const VectorXd a = now.M.llt().solve(now.f + now.J.transpose() * lambda);
    const double power = now.applied.dot(s.v) + now.drive + lambda.dot(now.J * s.v);

    const Dynamics rate = mechanism.derivative(s, {s.v, a, 1});
    const double exact = s.v.dot(now.M * a) + 0.5 * s.v.dot(rate.M * s.v) + rate.potential;
    const double scale = std::max({1.0, std::abs(power), std::abs(s.v.dot(now.M * a)), std::abs(rate.potential)});
    EXPECT_NEAR(exact, power, rounding * scale);

    const auto energy = [&](double h) {
      const State at = detail::flow(mechanism, s, lambda, h);
      const Dynamics later = mechanism.dynamics(at);
      return 0.5 * at.v.dot(later.M * at.v) + later.potential;
    };
    // Stiff draws accelerate by up to 1e3, hence the shorter step and the wider bound.
    EXPECT_NEAR(slope_of_number(energy, 2e-4), power, 1e-7 * scale);
  });
}

void expect_same_slope(const Dynamics& exact, const Mechanism& mechanism, const State& s, const State& direction) {
  const auto member = [&](auto pick) {
    return slope([&](double h) { return MatrixXd(pick(mechanism.dynamics(moved(s, direction, h)))); });
  };
  const auto number = [](double x) { return MatrixXd::Constant(1, 1, x); };
  expect_close(exact.M, member([](const Dynamics& d) { return d.M; }), quotient, "M");
  expect_close(exact.f, member([](const Dynamics& d) { return d.f; }), quotient, "f");
  expect_close(exact.applied, member([](const Dynamics& d) { return d.applied; }), quotient, "applied");
  expect_close(exact.J, member([](const Dynamics& d) { return d.J; }), quotient, "J");
  expect_close(exact.drift, member([](const Dynamics& d) { return d.drift; }), quotient, "drift");
  expect_close(exact.u, member([](const Dynamics& d) { return d.u; }), quotient, "u");
  expect_close(exact.gap, member([](const Dynamics& d) { return d.gap; }), quotient, "gap");
  expect_close(number(exact.potential), member([&](const Dynamics& d) { return number(d.potential); }), quotient,
               "potential");
  expect_close(number(exact.drive), member([&](const Dynamics& d) { return number(d.drive); }), quotient, "drive");
}

TEST_P(EveryMechanism, DerivativeIsTheSlopeOfEveryMember) {
  at_drawn_states(6, [&](const Drawn& d, const State& s, Draws& draws) {
    const VectorXd zero = VectorXd::Zero(s.q.size());
    const VectorXd dq = detail::drawn_vector(s.q.size(), 1, draws);
    const VectorXd dv = detail::drawn_vector(s.q.size(), 1, draws);
    for (const State& direction : {State{dq, zero, 0}, State{zero, dv, 0}, State{zero, zero, 1}, State{dq, dv, -0.7}}) {
      expect_same_slope(d.mechanism->derivative(s, direction), *d.mechanism, s, direction);
    }
  });
}

// W, b and their rates along the motion, with and without contact forces.
TEST_P(EveryMechanism, ContactRatesAreSlopesAlongTheMotion) {
  at_drawn_states(7, [&](const Drawn& d, const State& s, Draws& draws) {
    const auto& mechanism = *d.mechanism;
    const std::vector<Surface> surfaces(mechanism.contacts().size());
    const ContactRates rates = contact_rates(mechanism, s);
    const VectorXd none = VectorXd::Zero(rates.b.size());
    const VectorXd lambda = detail::drawn_vector(rates.b.size(), 1, draws);
    const auto space = [&](const VectorXd& force, double h) {
      return contact_space(mechanism, detail::flow(mechanism, s, force, h), surfaces);
    };
    // 1e-7: b takes an inverse of M and accelerations of up to 1e3 into the difference quotient.
    constexpr double step = 2e-4;
    const double tolerance = 1e-7;
    expect_close(rates.W, slope([&](double h) { return space(none, h).W; }, step), tolerance, "W");
    expect_close(rates.W, slope([&](double h) { return space(lambda, h).W; }, step), tolerance,
                 "W with contact forces");
    expect_close(rates.b, slope([&](double h) { return space(none, h).b; }, step), tolerance, "b");
    expect_close(rates.b + rates.b_force * lambda, slope([&](double h) { return space(lambda, h).b; }, step), tolerance,
                 "b with contact forces");
  });
}

// a = W λ + b is the rate of u when the contact forces act.
TEST_P(EveryMechanism, ContactSpaceGivesTheRateOfContactVelocity) {
  at_drawn_states(8, [&](const Drawn& d, const State& s, Draws& draws) {
    const auto& mechanism = *d.mechanism;
    std::vector<Surface> surfaces(mechanism.contacts().size());
    surfaces.back() = {0.7, true};
    const ContactSpace space = contact_space(mechanism, s, surfaces);
    const VectorXd lambda = detail::drawn_vector(space.b.size(), 1, draws);
    const auto u = [&](double h) { return mechanism.dynamics(detail::flow(mechanism, s, lambda, h)).u; };
    expect_close(space.W * lambda + space.b, slope(u, 2e-4), 1e-7, "contact acceleration");
    const Dynamics now = mechanism.dynamics(s);
    EXPECT_EQ(space.u, now.u);
    EXPECT_EQ(space.gap, now.gap);
    EXPECT_EQ(space.drift, now.drift);
    EXPECT_EQ(space.names, mechanism.contacts());
    EXPECT_EQ(space.mu(space.count() - 1), 0.7);
    EXPECT_TRUE(space.bilateral.back());
    EXPECT_NO_THROW(check(space));
  });
}

bool identical(const Dynamics& a, const Dynamics& b) {
  return a.M == b.M && a.f == b.f && a.applied == b.applied && a.J == b.J && a.drift == b.drift && a.u == b.u &&
         a.gap == b.gap && a.potential == b.potential && a.drive == b.drive;
}

TEST_P(EveryMechanism, ManyThreadsGetIdenticalBits) {
  Draws draws(9);
  const Drawn d = detail::drawn_mechanism(gallery_entry(GetParam()), draws);
  std::vector<State> at;
  std::vector<Dynamics> alone, alone_rate;
  for (int i = 0; i < 50; ++i) {
    at.push_back(detail::drawn_state(*d.mechanism, draws));
    alone.push_back(d.mechanism->dynamics(at.back()));
    alone_rate.push_back(d.mechanism->derivative(at.back(), at.front()));
  }
  std::vector<int> differences(8, 0);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < differences.size(); ++k) {
    threads.emplace_back([&, k] {
      for (std::size_t j = 0; j < 4 * at.size(); ++j) {
        const std::size_t i = (j + 7 * k) % at.size();
        const bool same = identical(d.mechanism->dynamics(at[i]), alone[i]) &&
                          identical(d.mechanism->derivative(at[i], at.front()), alone_rate[i]);
        differences[k] += same ? 0 : 1;
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(differences, std::vector<int>(8, 0));
  EXPECT_FALSE(identical(alone[0], alone[1]));
}

}  // namespace mechanism_test
}  // namespace painleve
