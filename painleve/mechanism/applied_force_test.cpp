// Applied forces and dampers act where the gallery says.
#include <gtest/gtest.h>

#include "painleve/mechanism/mechanisms_for_tests.hpp"

namespace painleve {
namespace applied_force_test {

using detail::expect_close;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double rounding = 1e-14;  // a handful of roundings of numbers of order 1

// Every named force alone, at 1 N or 1 N m, against the direction in which it does work.
TEST(Forces, ActAlongTheirCoordinates) {
  for (const auto& entry : gallery()) {
    SCOPED_TRACE(entry.name);
    Draws draws(61);
    auto drawn = detail::drawn_mechanism(entry, draws);
    const State s = detail::drawn_state(*drawn.mechanism, draws);
    drawn.setup.forces.clear();
    const VectorXd none = entry.make(drawn.setup, drawn.laid)->dynamics(s).applied;
    int coordinate = 0;
    for (const auto& info : entry.forces) {
      for (int k = 0; k < info.components; ++k, ++coordinate) {
        auto setup = drawn.setup;
        setup.forces[info.name] = std::vector<Expression>(static_cast<std::size_t>(info.components));
        setup.forces[info.name][static_cast<std::size_t>(k)] = Expression::constant(1);
        const VectorXd applied = entry.make(setup, drawn.laid)->dynamics(s).applied - none;
        VectorXd expected = VectorXd::Unit(s.q.size(), coordinate);
        if (info.name == "force2") {  // on mass 2 at x1 + L cos φ
          expected = Vector3d(1, 0, -setup.parameters.at("length") * std::sin(s.q(2)));
        } else if (info.name == "hip_torque") {
          expected = Eigen::Vector4d(0, 0, -1, 1);
        } else if (entry.name == "pendulum-on-slider" && info.name == "torque") {
          expected = Vector3d(0, 0, 1);
        }
        expect_close(applied, expected, rounding, info.name);
      }
    }
  }
}

// Dampers take power −c v² per damper; the chalk's is measured against its carriage.
TEST(Forces, OfDampersTakePower) {
  for (const char* name : {"impact-oscillator", "brake-pad", "chalk"}) {
    SCOPED_TRACE(name);
    const auto& entry = gallery_entry(name);
    Draws draws(62);
    auto drawn = detail::drawn_mechanism(entry, draws);
    drawn.setup.forces.clear();
    const auto& p = drawn.setup.parameters;
    const auto mechanism = entry.make(drawn.setup, drawn.laid);
    const State s = detail::drawn_state(*mechanism, draws);
    const VectorXd applied = mechanism->dynamics(s).applied;
    VectorXd expected = VectorXd::Zero(s.v.size());
    if (entry.name == "impact-oscillator") {
      expected = -Vector2d(p.at("damping_y") * s.v(0), p.at("damping_beta") * s.v(1));
    } else if (entry.name == "brake-pad") {
      expected = -p.at("bushing_damping") * s.v;
    } else {
      const double g = p.at("grip"), sn = std::sin(s.q(2)), cs = std::cos(s.q(2)), c = p.at("hand_damping");
      const Vector2d grip(s.v(0) + g * sn * s.v(2) - p.at("hand_speed"), s.v(1) + g * cs * s.v(2));
      expected =
          Vector3d(-c * grip(0), -c * grip(1), -c * g * (sn * grip(0) + cs * grip(1)) - p.at("wrist_damping") * s.v(2));
    }
    expect_close(applied, expected, rounding, "applied");
  }
}

}  // namespace applied_force_test
}  // namespace painleve
