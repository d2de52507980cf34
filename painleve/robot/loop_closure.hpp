// Joints that follow from others: by couplings, and by loops that close.
//
// The rows of a loop may be redundant (a planar loop has a row that is always zero), so that each solution takes the
// rows with the largest pivots; the others then hold by themselves, which close() checks.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "painleve/robot/robot_tree.hpp"

namespace painleve::detail {

inline constexpr int most_loop_rows = 48;
// A pivot below this part of its row is what rounding left of zero: the dependent joints do not follow there.
inline constexpr double singular_loop = 1e-9;

// A matrix on the stack, row by row.
template <class S>
struct LoopMatrix {
  std::array<S, static_cast<std::size_t>(most_loop_rows) * (most_joints + 1)> entry;
  S& at(int i, int j) { return entry[static_cast<std::size_t>(i) * (most_joints + 1) + static_cast<std::size_t>(j)]; }
  const S& at(int i, int j) const {
    return entry[static_cast<std::size_t>(i) * (most_joints + 1) + static_cast<std::size_t>(j)];
  }
};
template <class S>
using LoopVector = std::array<S, most_loop_rows>;

// Σ p_k s^k and its first two derivatives.
template <class S>
std::array<S, 3> polynomial(const std::array<double, 5>& p, const S& s) {
  S f(0.0);
  S df(0.0);
  S ddf(0.0);
  for (std::size_t k = p.size(); k-- > 0;) {
    ddf = ddf * s + S(2.0) * df;
    df = df * s + f;
    f = f * s + S(p[k]);
  }
  return {f, df, ddf};
}

// Positions of the joints that follow others.
template <class S>
void couple(const RobotTree& tree, S* y) {
  for (const TreeCoupling& c : tree.couplings())
    y[c.joint] = S(c.joint_reference) + polynomial(c.polynomial, y[c.driver] - S(c.driver_reference))[0];
}

// Their rates, from those of their drivers.
template <class S>
void couple_rates(const RobotTree& tree, JointMotion<S>& m) {
  for (const TreeCoupling& c : tree.couplings()) {
    const auto joint = static_cast<std::size_t>(c.joint);
    const auto driver = static_cast<std::size_t>(c.driver);
    const auto f = polynomial(c.polynomial, m.y[driver] - S(c.driver_reference));
    m.y_dot[joint] = f[1] * m.y_dot[driver];
    m.y_ddot[joint] = f[1] * m.y_ddot[driver] + f[2] * m.y_dot[driver] * m.y_dot[driver];
  }
}

template <class S>
LinkState<S> state_of(const TreePlace& place, const TreeState<S>& state) {
  return place.link < 0 ? world_state<S>() : state[static_cast<std::size_t>(place.link)];
}

// How far the loops are from being closed; of a weld also by the sine of the angle between the axes, about its axis.
template <class S>
void loop_residual(const RobotTree& tree, const TreeState<S>& state, LoopVector<S>& g) {
  std::size_t row = 0;
  const auto put = [&](const Vec3<S>& value) {
    g[row++] = value.x;
    g[row++] = value.y;
    g[row++] = value.z;
  };
  for (const TreeLoop& loop : tree.loops()) {
    const LinkState<S> one = state_of(loop.one, state);
    const LinkState<S> two = state_of(loop.two, state);
    put(two.o + two.R * loop.two.position - one.o - one.R * loop.one.position);
    if (!loop.weld) continue;
    const Mat3<S> a = one.R * loop.one.rotation;
    const Mat3<S> b = two.R * loop.two.rotation;
    Vec3<S> turn = zero<S>();
    for (std::size_t k = 0; k < 3; ++k) turn = turn + cross(a.column[k], b.column[k]) * S(0.5);
    put(turn);
  }
}

// G = ∂g/∂y over all joints, exact where the loops are closed.
template <class S>
void loop_jacobian(const RobotTree& tree, const TreeState<S>& state, LoopMatrix<S>& G) {
  const int joints = static_cast<int>(tree.links().size());
  for (int i = 0; i < tree.loop_rows(); ++i)
    for (int j = 0; j < joints; ++j) G.at(i, j) = S(0.0);
  int row = 0;
  for (const TreeLoop& loop : tree.loops()) {
    for (const auto& [place, sign] : {std::pair(&loop.one, -1.0), std::pair(&loop.two, 1.0)}) {
      const LinkState<S> carrier = state_of(*place, state);
      const Vec3<S> point = carrier.o + carrier.R * place->position;
      for (int j = place->link; j >= 0; j = tree.links()[static_cast<std::size_t>(j)].parent) {
        const TreeLink& link = tree.links()[static_cast<std::size_t>(j)];
        const LinkState<S>& at = state[static_cast<std::size_t>(j)];
        const Vec3<S> step = column(link, at, point);
        G.at(row, j) += S(sign) * step.x;
        G.at(row + 1, j) += S(sign) * step.y;
        G.at(row + 2, j) += S(sign) * step.z;
        if (!loop.weld || link.kind != JointKind::hinge) continue;
        G.at(row + 3, j) += S(sign) * at.z.x;
        G.at(row + 4, j) += S(sign) * at.z.y;
        G.at(row + 5, j) += S(sign) * at.z.z;
      }
    }
    row += loop.rows();
  }
}

// The second rate of g for the present motion of the links.
template <class S>
void loop_acceleration(const RobotTree& tree, const TreeState<S>& state, LoopVector<S>& gamma) {
  std::size_t row = 0;
  const auto put = [&](const Vec3<S>& value) {
    gamma[row++] = value.x;
    gamma[row++] = value.y;
    gamma[row++] = value.z;
  };
  for (const TreeLoop& loop : tree.loops()) {
    const LinkState<S> one = state_of(loop.one, state);
    const LinkState<S> two = state_of(loop.two, state);
    put(acceleration(two, two.R * loop.two.position) - acceleration(one, one.R * loop.one.position));
    if (loop.weld) put(two.omega_dot - one.omega_dot);
  }
}

// Columns of joints that follow others are those of their drivers.
template <class S>
void fold_couplings(const RobotTree& tree, const S* y, LoopMatrix<S>& G) {
  const auto& couplings = tree.couplings();
  for (std::size_t k = couplings.size(); k-- > 0;) {
    const TreeCoupling& c = couplings[k];
    const S slope = polynomial(c.polynomial, y[c.driver] - S(c.driver_reference))[1];
    for (int i = 0; i < tree.loop_rows(); ++i) G.at(i, c.driver) += slope * G.at(i, c.joint);
  }
}

// Solves A X = B for A of `unknowns` columns and full column rank, the rows being consistent; the columns of B stand
// behind those of A. X takes the place of B in the first rows. Returns the smallest pivot, in parts of its row.
template <class S>
double solve_rows(LoopMatrix<S>& A, int rows, int unknowns, int right_sides) {
  LoopVector<double> size{};
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < unknowns; ++j)
      size[static_cast<std::size_t>(i)] = std::max(size[static_cast<std::size_t>(i)], std::abs(value_of(A.at(i, j))));
  }
  double smallest = rows >= unknowns ? 1 : 0;
  for (int k = 0; k < std::min(unknowns, rows); ++k) {
    int best = k;
    for (int i = k + 1; i < rows; ++i)
      if (std::abs(value_of(A.at(i, k))) > std::abs(value_of(A.at(best, k)))) best = i;
    const double pivot = std::abs(value_of(A.at(best, k)));
    smallest = std::min(smallest, pivot > 0 ? pivot / size[static_cast<std::size_t>(best)] : 0);
    if (!(smallest > singular_loop)) return 0;
    if (best != k) {
      for (int j = 0; j < unknowns + right_sides; ++j) std::swap(A.at(best, j), A.at(k, j));
      std::swap(size[static_cast<std::size_t>(best)], size[static_cast<std::size_t>(k)]);
    }
    for (int i = 0; i < rows; ++i) {
      if (i == k) continue;
      const S part = A.at(i, k) / A.at(k, k);
      for (int j = k + 1; j < unknowns + right_sides; ++j) A.at(i, j) -= part * A.at(k, j);
    }
  }
  for (int k = 0; k < std::min(unknowns, rows); ++k)
    for (int j = unknowns; j < unknowns + right_sides; ++j) A.at(k, j) = A.at(k, j) / A.at(k, k);
  return smallest;
}

// What close() found.
struct LoopState {
  bool closed = false;
  double pivot = 0;     // smallest one there, in parts of its row
  double reached = 1;   // part of the way from home that was possible
  double residual = 0;  // largest row left
  int row = -1;         // the row that has it
};

// Dependent joints of `y` for its coordinates, followed from home along a straight line in the coordinates, so that the
// loop stays in the branch in which it is at home. Couplings are applied.
LoopState close_loops(const RobotTree& tree, double* y, TreeState<double>& state);

// Closes the loops by the least change of all joints that follow no other. False: `y` is where that ended.
LoopState close_home(const RobotTree& tree, double* y);

// Which of the joints that follow no other are solved for: as many as the loops fix, the last ones of the file where
// these will do.
std::vector<int> dependent_joints(const RobotTree& tree, const double* y);

}  // namespace painleve::detail
