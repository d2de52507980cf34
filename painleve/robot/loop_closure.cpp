#include "painleve/robot/loop_closure.hpp"

#include <Eigen/QR>

namespace painleve::detail {
namespace {

constexpr double longest_way = 0.5;  // [rad, m] of a coordinate between two solutions
constexpr double shortest_part = 1e-7;
constexpr double closed_loop = 1e-9;  // [m, rad]

using Joints = std::array<double, most_joints>;

bool follows(const RobotTree& tree, int joint) {
  return std::any_of(tree.couplings().begin(), tree.couplings().end(),
                     [joint](const TreeCoupling& c) { return c.joint == joint; });
}

std::vector<int> roots(const RobotTree& tree) {
  std::vector<int> list;
  for (int j = 0; j < static_cast<int>(tree.links().size()); ++j)
    if (!follows(tree, j)) list.push_back(j);
  return list;
}

void look(const RobotTree& tree, double* y, TreeState<double>& state, LoopVector<double>& g, LoopMatrix<double>& G) {
  couple(tree, y);
  place(tree.links(), y, state);
  loop_residual(tree, state, g);
  loop_jacobian(tree, state, G);
  fold_couplings(tree, y, G);
}

// [G_d | right side], ready for solve_rows.
void gather(const RobotTree& tree, const LoopMatrix<double>& G, LoopMatrix<double>& A) {
  for (int i = 0; i < tree.loop_rows(); ++i)
    for (int k = 0; k < static_cast<int>(tree.dependent().size()); ++k)
      A.at(i, k) = G.at(i, tree.dependent()[static_cast<std::size_t>(k)]);
}

// A Newton step of the dependent joints; its largest component, or a negative number where they do not follow.
double newton_step(const RobotTree& tree, double* y, TreeState<double>& state, double& pivot) {
  LoopVector<double> g;
  LoopMatrix<double> G;
  LoopMatrix<double> A;
  look(tree, y, state, g, G);
  gather(tree, G, A);
  const int unknowns = static_cast<int>(tree.dependent().size());
  for (int i = 0; i < tree.loop_rows(); ++i) A.at(i, unknowns) = -g[static_cast<std::size_t>(i)];
  pivot = solve_rows(A, tree.loop_rows(), unknowns, 1);
  if (!(pivot > 0)) return -1;
  double largest = 0;
  for (int k = 0; k < unknowns; ++k) {
    y[tree.dependent()[static_cast<std::size_t>(k)]] += A.at(k, unknowns);
    largest = std::max(largest, std::abs(A.at(k, unknowns)));
  }
  return largest;
}

// Newton's method from a start that is known to be near: each step has to be much shorter than the one before.
bool converge(const RobotTree& tree, double* y, TreeState<double>& state, double allowed, double& pivot) {
  double before = allowed;
  for (int k = 0; k < 12; ++k) {
    const double step = newton_step(tree, y, state, pivot);
    if (!(step >= 0) || !std::isfinite(step)) return false;
    if (step <= 1e-15 || (k > 1 && step <= 1e-12 && step >= 0.1 * before)) return true;
    if (step > 1e-12 && step > (k == 0 ? 1 : 0.5) * before) return false;
    before = step;
  }
  return before <= 1e-12;
}

// Moves the coordinates by `step` and the dependent joints along with them, to first order; the largest change.
double predict(const RobotTree& tree, const Joints& step, double* y, TreeState<double>& state) {
  LoopVector<double> g;
  LoopMatrix<double> G;
  LoopMatrix<double> A;
  look(tree, y, state, g, G);
  gather(tree, G, A);
  const int unknowns = static_cast<int>(tree.dependent().size());
  for (int i = 0; i < tree.loop_rows(); ++i) {
    A.at(i, unknowns) = 0;
    for (const int j : tree.coordinates()) A.at(i, unknowns) -= G.at(i, j) * step[static_cast<std::size_t>(j)];
  }
  if (!(solve_rows(A, tree.loop_rows(), unknowns, 1) > 0)) return -1;
  double largest = 0;
  for (const int j : tree.coordinates()) {
    y[j] += step[static_cast<std::size_t>(j)];
    largest = std::max(largest, std::abs(step[static_cast<std::size_t>(j)]));
  }
  for (int k = 0; k < unknowns; ++k) {
    y[tree.dependent()[static_cast<std::size_t>(k)]] += A.at(k, unknowns);
    largest = std::max(largest, std::abs(A.at(k, unknowns)));
  }
  return largest;
}

void measure(const RobotTree& tree, double* y, TreeState<double>& state, LoopState& result) {
  LoopVector<double> g;
  couple(tree, y);
  place(tree.links(), y, state);
  loop_residual(tree, state, g);
  for (int i = 0; i < tree.loop_rows(); ++i) {
    const double size = std::abs(g[static_cast<std::size_t>(i)]);
    if (result.row < 0 || !(size <= result.residual)) {
      result.residual = size;
      result.row = i;
    }
  }
}

// One stretch of the way from home: `to` is its end, as a part of the whole.
bool advance(const RobotTree& tree, const Joints& target, double to, Joints& at, TreeState<double>& state,
             double& pivot) {
  Joints step;
  Joints tried = at;
  for (const int j : tree.coordinates()) {
    const auto k = static_cast<std::size_t>(j);
    const double next = to < 1 ? tree.home()[k] + to * (target[k] - tree.home()[k]) : target[k];
    step[k] = next - at[k];
  }
  const double change = predict(tree, step, tried.data(), state);
  // The branch is kept where the correction is small beside the way.
  if (!(change >= 0) || !converge(tree, tried.data(), state, 0.25 * change + 1e-12, pivot)) return false;
  at = tried;
  return true;
}

Eigen::MatrixXd columns_of(const LoopMatrix<double>& G, int rows, const std::vector<int>& joints) {
  Eigen::MatrixXd J(rows, static_cast<Eigen::Index>(joints.size()));
  for (int i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < joints.size(); ++k) J(i, static_cast<Eigen::Index>(k)) = G.at(i, joints[k]);
  return J;
}

// The least change of the joints `free` that would close the loops if they were linear, at most `longest_way` of each.
Eigen::VectorXd closing_step(const RobotTree& tree, const std::vector<int>& free, double* y, TreeState<double>& state) {
  LoopVector<double> g;
  LoopMatrix<double> G;
  look(tree, y, state, g, G);
  const Eigen::VectorXd rest = Eigen::Map<Eigen::VectorXd>(g.data(), tree.loop_rows());
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
  cod.setThreshold(1e-10);
  Eigen::VectorXd step = cod.compute(columns_of(G, tree.loop_rows(), free)).solve(-rest);
  const double largest = step.size() > 0 ? step.cwiseAbs().maxCoeff() : 0;
  if (largest > longest_way) step *= longest_way / largest;
  return step;
}

}  // namespace

LoopState close_loops(const RobotTree& tree, double* y, TreeState<double>& state) {
  const auto count = static_cast<std::ptrdiff_t>(tree.links().size());
  Joints target;
  Joints at;
  std::copy(y, y + count, target.begin());
  std::copy(tree.home().begin(), tree.home().end(), at.begin());
  double way = 0;
  for (const int j : tree.coordinates())
    way = std::max(way, std::abs(target[static_cast<std::size_t>(j)] - at[static_cast<std::size_t>(j)]));
  LoopState result;
  result.reached = 0;
  if (!std::isfinite(way)) return result;
  const double longest = way > longest_way ? longest_way / way : 1;
  for (double part = longest; result.reached < 1 && part >= shortest_part;) {
    const double to = result.reached + part < 1 ? result.reached + part : 1;
    if (advance(tree, target, to, at, state, result.pivot)) {
      result.reached = to;
      part = std::min(2 * part, longest);
    } else {
      part /= 2;
    }
  }
  std::copy(at.begin(), at.begin() + count, y);
  for (const int j : tree.coordinates())
    if (result.reached == 1) y[j] = target[static_cast<std::size_t>(j)];
  measure(tree, y, state, result);
  result.closed = result.reached == 1 && result.residual <= closed_loop;
  return result;
}

LoopState close_home(const RobotTree& tree, double* y) {
  const std::vector<int> free = roots(tree);
  TreeState<double> state;
  LoopState result;
  measure(tree, y, state, result);
  constexpr int iterations = 200;
  for (int n = 0; n < iterations && result.residual > 1e-15; ++n) {
    const Eigen::VectorXd step = closing_step(tree, free, y, state);
    const std::vector<double> from(y, y + tree.links().size());
    LoopState next;
    next.residual = result.residual;
    for (double part = 1; part > 1e-4 && !(next.residual < result.residual); part /= 2) {
      for (std::size_t k = 0; k < free.size(); ++k)
        y[free[k]] = from[static_cast<std::size_t>(free[k])] + part * step(static_cast<Eigen::Index>(k));
      next = {};
      measure(tree, y, state, next);
    }
    if (!(next.residual < result.residual)) {
      std::copy(from.begin(), from.end(), y);
      break;
    }
    result = next;
  }
  result.closed = result.residual <= closed_loop;
  return result;
}

std::vector<int> dependent_joints(const RobotTree& tree, const double* y) {
  const std::vector<int> free = roots(tree);
  Joints at{};
  std::copy(y, y + tree.links().size(), at.begin());
  TreeState<double> state;
  LoopVector<double> g;
  LoopMatrix<double> G;
  look(tree, at.data(), state, g, G);
  const Eigen::MatrixXd J = columns_of(G, tree.loop_rows(), free);
  const double largest = J.size() > 0 ? J.cwiseAbs().maxCoeff() : 0;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(singular_loop);
  const Eigen::Index rank = largest > 0 ? qr.compute(J).rank() : 0;
  // Gram-Schmidt over the columns from the last joint to the first, with a demand that falls until enough are found.
  std::vector<int> chosen;
  Eigen::MatrixXd basis(J.rows(), rank);
  for (double demand = 0.3; demand > singular_loop && static_cast<Eigen::Index>(chosen.size()) < rank; demand /= 10) {
    chosen.clear();
    for (std::size_t k = free.size(); k-- > 0 && static_cast<Eigen::Index>(chosen.size()) < rank;) {
      Eigen::VectorXd rest = J.col(static_cast<Eigen::Index>(k));
      const auto taken = static_cast<Eigen::Index>(chosen.size());
      for (int pass = 0; pass < 2; ++pass)
        rest -= basis.leftCols(taken) * (basis.leftCols(taken).transpose() * rest).eval();
      if (rest.norm() <= demand * std::max(largest * 1e-3, J.col(static_cast<Eigen::Index>(k)).norm())) continue;
      basis.col(taken) = rest.normalized();
      chosen.push_back(free[k]);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace painleve::detail
