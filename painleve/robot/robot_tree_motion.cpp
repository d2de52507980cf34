// From coordinates and their rates to all joints, with the loops closed, in numbers and in Dual.
#include <type_traits>

#include "painleve/robot/loop_closure.hpp"

namespace painleve::detail {
namespace {

// [G_d | right sides] for the joints that the loops are solved for.
template <class S>
void gather(const RobotTree& tree, const LoopMatrix<S>& G, LoopMatrix<S>& A) {
  for (int i = 0; i < tree.loop_rows(); ++i)
    for (std::size_t k = 0; k < tree.dependent().size(); ++k)
      A.at(i, static_cast<int>(k)) = G.at(i, tree.dependent()[k]);
}

// Dependent joints with their rate of change along (x, v, t): one Newton step in S from the solution in numbers.
template <class S>
bool solve_loops(const RobotTree& tree, S* y, TreeState<S>& state) {
  std::array<double, most_joints> numbers;
  TreeState<double> placed;
  for (const int j : tree.coordinates()) numbers[static_cast<std::size_t>(j)] = value_of(y[j]);
  if (!close_loops(tree, numbers.data(), placed).closed) return false;
  for (const int j : tree.dependent()) y[j] = S(numbers[static_cast<std::size_t>(j)]);
  if constexpr (std::is_same_v<S, double>) {
    return true;
  } else {
    LoopVector<S> g;
    LoopMatrix<S> G;
    LoopMatrix<S> A;
    couple(tree, y);
    place(tree.links(), y, state);
    loop_residual(tree, state, g);
    loop_jacobian(tree, state, G);
    fold_couplings(tree, y, G);
    gather(tree, G, A);
    const int unknowns = static_cast<int>(tree.dependent().size());
    for (int i = 0; i < tree.loop_rows(); ++i) A.at(i, unknowns) = -g[static_cast<std::size_t>(i)];
    if (!(solve_rows(A, tree.loop_rows(), unknowns, 1) > 0)) return false;
    for (int k = 0; k < unknowns; ++k) y[tree.dependent()[static_cast<std::size_t>(k)]] += A.at(k, unknowns);
    return true;
  }
}

// T: a one for a coordinate, the loops' answer for a dependent joint, the driver's row for one that follows.
template <class S>
bool fill_transmission(const RobotTree& tree, const LoopMatrix<S>& G, JointMotion<S>& m) {
  const int n = static_cast<int>(tree.coordinates().size());
  for (int k = 0; k < n; ++k) {
    const int joint = tree.coordinates()[static_cast<std::size_t>(k)];
    for (int l = 0; l < n; ++l) m.t(joint, l) = S(l == k ? 1.0 : 0.0);
  }
  const int unknowns = static_cast<int>(tree.dependent().size());
  if (unknowns > 0) {
    LoopMatrix<S> A;
    gather(tree, G, A);
    for (int i = 0; i < tree.loop_rows(); ++i)
      for (int l = 0; l < n; ++l) A.at(i, unknowns + l) = -G.at(i, tree.coordinates()[static_cast<std::size_t>(l)]);
    if (!(solve_rows(A, tree.loop_rows(), unknowns, n) > 0)) return false;
    for (int k = 0; k < unknowns; ++k)
      for (int l = 0; l < n; ++l) m.t(tree.dependent()[static_cast<std::size_t>(k)], l) = A.at(k, unknowns + l);
  }
  for (const TreeCoupling& c : tree.couplings()) {
    const S slope = polynomial(c.polynomial, m.y[static_cast<std::size_t>(c.driver)] - S(c.driver_reference))[1];
    for (int l = 0; l < n; ++l) m.t(c.joint, l) = slope * m.t(c.driver, l);
  }
  return true;
}

// c of the dependent joints, from the acceleration that the loops have without it.
template <class S>
bool accelerate_loops(const RobotTree& tree, const LoopMatrix<S>& G, TreeState<S>& state, JointMotion<S>& m) {
  LoopVector<S> gamma;
  LoopMatrix<S> A;
  move(tree.links(), m.y_dot.data(), m.y_ddot.data(), state);
  loop_acceleration(tree, state, gamma);
  gather(tree, G, A);
  const int unknowns = static_cast<int>(tree.dependent().size());
  for (int i = 0; i < tree.loop_rows(); ++i) A.at(i, unknowns) = -gamma[static_cast<std::size_t>(i)];
  if (!(solve_rows(A, tree.loop_rows(), unknowns, 1) > 0)) return false;
  for (int k = 0; k < unknowns; ++k)
    m.y_ddot[static_cast<std::size_t>(tree.dependent()[static_cast<std::size_t>(k)])] = A.at(k, unknowns);
  couple_rates(tree, m);
  return true;
}

template <class S>
bool fill_rates(const RobotTree& tree, const S* v, JointMotion<S>& m, TreeState<S>& state) {
  LoopMatrix<S> G;
  if (!tree.loops().empty()) {
    loop_jacobian(tree, state, G);
    fold_couplings(tree, m.y.data(), G);
  }
  if (!fill_transmission(tree, G, m)) return false;
  for (std::size_t j = 0; j < tree.links().size(); ++j) {
    m.y_dot[j] = S(0.0);
    m.y_ddot[j] = S(0.0);
    for (std::size_t l = 0; l < tree.coordinates().size(); ++l)
      m.y_dot[j] += m.t(static_cast<int>(j), static_cast<int>(l)) * v[l];
  }
  couple_rates(tree, m);
  return tree.dependent().empty() || accelerate_loops(tree, G, state, m);
}

}  // namespace

template <class S>
bool RobotTree::evaluate(const S* x, const S* v, JointMotion<S>& m, TreeState<S>& state) const {
  for (std::size_t k = 0; k < coordinates_.size(); ++k) m.y[static_cast<std::size_t>(coordinates_[k])] = x[k];
  if (!loops_.empty() && !solve_loops(*this, m.y.data(), state)) return false;
  couple(*this, m.y.data());
  place(links_, m.y.data(), state);
  if (reduced()) {
    if (!fill_rates(*this, v, m, state)) return false;
  } else {
    std::copy(v, v + links_.size(), m.y_dot.begin());
    std::fill_n(m.y_ddot.begin(), links_.size(), S(0.0));
  }
  move(links_, m.y_dot.data(), m.y_ddot.data(), state);
  return true;
}

template bool RobotTree::evaluate(const double*, const double*, JointMotion<double>&, TreeState<double>&) const;
template bool RobotTree::evaluate(const Dual*, const Dual*, JointMotion<Dual>&, TreeState<Dual>&) const;

}  // namespace painleve::detail
