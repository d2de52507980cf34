// For tests: mechanisms of the gallery with drawn parameters, forces and states, and derivatives by finite differences.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/mechanism/detail/point_mass_models.hpp"
#include "painleve/mechanism/gallery.hpp"
#include "painleve/mechanism/reduction.hpp"

namespace painleve::detail {

// Five-point difference quotient of f at 0. With h = 1e-3 and functions that vary over lengths of order 1 both the
// truncation h^4/30 and the rounding eps/h stay near 1e-12 of the values of f.
template <class F>
auto slope(const F& f, double h = 1e-3) {
  const auto near = (f(h) - f(-h)).eval();
  const auto far = (f(2 * h) - f(-2 * h)).eval();
  return ((8 * near - far) / (12 * h)).eval();
}
using Scalar1 = Eigen::Array<double, 1, 1>;
template <class F>
double slope_of_number(const F& f, double h = 1e-3) {
  return slope([&](double s) { return Scalar1(f(s)); }, h)(0);
}

// |a − b| against tolerance times the size of the numbers, at least 1.
inline void expect_close(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double tolerance,
                         const std::string& what) {
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.cols(), b.cols()) << what;
  if (a.size() == 0) {
    return;
  }
  const double scale = std::max(1.0, b.cwiseAbs().maxCoeff());
  const double deviation = (a - b).cwiseAbs().maxCoeff();
  EXPECT_TRUE(deviation <= tolerance * scale) << what << ": deviation " << deviation << "\n" << a << "\nversus\n" << b;
}

using Named = std::vector<std::pair<std::string, double>>;
inline Setup setup_of(const Named& parameters, const Named& given = {}) {
  Setup setup;
  for (const auto& [name, value] : parameters) {
    setup.parameters.set(name, value);
  }
  for (const auto& [name, value] : given) {
    setup.given.set(name, value);
  }
  return setup;
}

// The least that a mechanism needs to be built.
inline Setup least_setup(const std::string& name) {
  Setup setup;
  if (name == "rigid-body") {
    setup.lists = {{"points", {{-0.5, -1}, {0.5, -1}}}, {"normals", {{0, 1}, {0, 2}}}};
  }
  return setup;
}

struct Drawn {
  Setup setup;
  VectorXd laid;
  std::shared_ptr<const Mechanism> mechanism;
};

inline double drawn_parameter(const ParameterInfo& info, Draws& draws) {
  switch (info.bound) {
    case Bound::count:
      return draws.integer(3, 7);
    case Bound::any:
      return draws.uniform(0.3, 1.5) * (draws.uniform() < 0.5 ? -1 : 1);
    default:
      return draws.uniform(0.4, 2);
  }
}
inline VectorXd drawn_vector(Eigen::Index size, double range, Draws& draws) {
  VectorXd v(size);
  for (auto& x : v) {
    x = draws.uniform(-range, range);
  }
  return v;
}

// Parameters of order 1, so that no term hides behind another; forces that change with time.
inline Setup drawn_setup(const GalleryEntry& entry, Draws& draws) {
  Setup setup;
  for (const auto& info : entry.parameters) {
    setup.parameters.set(info.name, drawn_parameter(info, draws));
  }
  for (const auto& list : entry.lists) {
    for (int i = 0; i < 3; ++i) {
      setup.lists[list].push_back({draws.uniform(-1, 1), draws.uniform(-1, 1)});
    }
  }
  for (const auto& force : entry.forces) {
    for (int k = 0; k < force.components; ++k) {
      setup.forces[force.name].push_back(Expression::parse(
          fmt::format("{} + {}*sin({}*t)", draws.uniform(-2, 2), draws.uniform(-2, 2), draws.uniform(0.5, 2))));
    }
  }
  if (entry.name == "painleve-klein") {
    setup.contacts["guide1"].bilateral = draws.uniform() < 0.5;
    setup.contacts["guide2"].bilateral = draws.uniform() < 0.5;
  }
  return setup;
}

inline Drawn drawn_mechanism(const GalleryEntry& entry, Draws& draws) {
  Drawn d;
  d.setup = drawn_setup(entry, draws);
  d.laid = drawn_vector(static_cast<Eigen::Index>(entry.coordinates.size()), 1, draws);
  d.mechanism = entry.make(d.setup, d.laid);
  return d;
}

// Angles up to 1.2 rad keep away from the poles of the spatial rod, where psi has no meaning.
inline State drawn_state(const Mechanism& mechanism, Draws& draws) {
  const auto n = static_cast<Eigen::Index>(mechanism.coordinates().size());
  return {drawn_vector(n, 1.2, draws), drawn_vector(n, 1.5, draws), draws.uniform(-1, 1)};
}

inline State moved(const State& s, const State& direction, double step) {
  return {s.q + step * direction.q, s.v + step * direction.v, s.t + step * direction.t};
}

// One Runge-Kutta step of M v̇ = f + Jᵀ λ with constant λ; local error h^5.
inline State flow(const Mechanism& mechanism, const State& s, const VectorXd& lambda, double h) {
  const auto rate = [&](const State& at) {
    const Dynamics d = mechanism.dynamics(at);
    return State{at.v, d.M.llt().solve(d.f + d.J.transpose() * lambda), 1};
  };
  const State k1 = rate(s);
  const State k2 = rate(moved(s, k1, h / 2));
  const State k3 = rate(moved(s, k2, h / 2));
  const State k4 = rate(moved(s, k3, h));
  return {s.q + h / 6 * (k1.q + 2 * k2.q + 2 * k3.q + k4.q), s.v + h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v),
          s.t + h};
}

inline std::vector<std::string> gallery_names() {
  std::vector<std::string> names;
  for (const auto& entry : gallery()) {
    names.push_back(entry.name);
  }
  return names;
}
// Names of test cases must not hold '-'.
inline std::string case_name(const std::string& name) {
  std::string r = name;
  std::replace(r.begin(), r.end(), '-', '_');
  return r;
}

}  // namespace painleve::detail
