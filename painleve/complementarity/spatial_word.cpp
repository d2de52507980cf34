#include "painleve/complementarity/spatial_word.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/rank_solver.hpp"
#include "painleve/complementarity/slip_directions.hpp"
#include "painleve/complementarity/slip_pair.hpp"
#include "painleve/complementarity/word_newton.hpp"

namespace painleve {
namespace {

constexpr double compatible = 1e-10;       // what is left of an equation that a singular matrix cannot meet
constexpr double cancelled = 1e-14;        // a difference below this part of its terms is zero
constexpr double family_rounding = 1e-11;  // of a force chosen within a family, see held_forces.cpp
constexpr int undetermined_starts = 40;
constexpr const char* no_balance =
    "the forces cannot balance: the equations of this mode are singular and have no solution";

Eigen::MatrixXd columns(const std::vector<Eigen::VectorXd>& list, Eigen::Index rows) {
  Eigen::MatrixXd M(rows, static_cast<Eigen::Index>(list.size()));
  for (std::size_t k = 0; k < list.size(); ++k) M.col(static_cast<Eigen::Index>(k)) = list[k];
  return M;
}

class Solver {
 public:
  Solver(const ContactProblem& problem, const SpatialWord& word)
      : p(problem), equations(word_equations(problem, word)) {
    if (equations.sought.empty()) {
      for (int i = 0; i < p.count(); ++i)
        if (word[static_cast<std::size_t>(i)].role == Role::unloaded) equations.rows.push_back(p.normal(i));
    }
  }

  WordPoints run(int starts) {
    const double size = 1 + p.mu.maxCoeff();
    const RankSolver solver(p.W(equations.rows, Eigen::all) * equations.E, size);
    if (equations.sought.empty()) return linear(solver);
    if (!eliminate(solver)) return std::move(result);
    const std::size_t n = equations.sought.size();
    if (motion_decides()) {
      // nothing is left to seek
    } else if (n == 1) {
      one_direction();
    } else if (n == 2) {
      two_directions();
    } else {
      many_directions(starts);
    }
    return std::move(result);
  }

 private:
  double balance_error(const RankSolver& solver) const {
    const Eigen::VectorXd q = p.q(equations.rows);
    return solver.L.cols() > 0 ? (solver.L.transpose() * q).cwiseAbs().maxCoeff() : 0;
  }

  WordPoints linear(const RankSolver& solver) {
    const Eigen::VectorXd x = solver.solve(-p.q(equations.rows));
    if (!x.allFinite() || balance_error(solver) > compatible * (1 + (x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0))) {
      result.reason = no_balance;
      return std::move(result);
    }
    result.list.push_back({equations.E * x, equations.E * solver.N, equations.e, solver.rounding()});
    return std::move(result);
  }

  bool eliminate(const RankSolver& solver) {
    const auto& U = equations.sought_rows;
    const Eigen::MatrixXd coupling = p.W(equations.rows, U);
    const Eigen::MatrixXd back = p.W(U, Eigen::all) * equations.E;
    if (balance_error(solver) > compatible) {
      result.reason = no_balance;
      return false;
    }
    const bool moved = solver.L.cols() > 0 && (solver.L.transpose() * coupling).cwiseAbs().maxCoeff() > compatible;
    const bool moves = solver.N.cols() > 0 && (back * solver.N).cwiseAbs().maxCoeff() > compatible;
    if (moved || moves) {
      result.complete = false;
      result.reason = "a force of the contacts that do not begin to slip has no effect on them (p = 0)";
      return false;
    }
    per_force = -solver.solve(coupling);
    at_rest = -solver.solve(p.q(equations.rows));
    W_eff = p.W(U, U) + back * per_force;
    q_eff = p.q(U) + back * at_rest;
    const double size = 1 + p.W(U, U).cwiseAbs().maxCoeff();
    W_eff = W_eff.unaryExpr([&](double a) { return std::abs(a) <= cancelled * size ? 0.0 : a; });
    const double load = p.q(U).cwiseAbs().maxCoeff() + (at_rest.size() > 0 ? at_rest.cwiseAbs().maxCoeff() : 0);
    if (at_rest.size() > 0)
      q_eff = q_eff.unaryExpr([&](double a) { return std::abs(a) <= cancelled * load ? 0.0 : a; });
    N = equations.E * solver.N;
    rounding = solver.rounding();
    return true;
  }

  // Contacts that stick may leave the others so little freedom that the motions with w_n = 0,  w = w₀ + D s,  fix the
  // directions of slip: w₀ alone, or both ways along one line through 0. What is left is linear.
  bool motion_decides() {
    const RankSolver range(W_eff, 1);
    if (range.L.cols() == 0) return false;
    const Eigen::MatrixXd B = orthogonal_complement(range.L);
    const Eigen::VectorXd beyond = range.L * (range.L.transpose() * q_eff);  // of q, what no force reaches
    std::vector<Eigen::Index> n;
    for (Eigen::Index k = 2; k < q_eff.size(); k += 3) n.push_back(k);
    const RankSolver normals(B(n, Eigen::all), 1);
    const Eigen::VectorXd z = normals.solve(-beyond(n));
    if (z.size() > 0 && (B(n, Eigen::all) * z + beyond(n)).cwiseAbs().maxCoeff() > compatible) {
      result.reason = held_back();
      return true;
    }
    Eigen::VectorXd w = beyond;
    if (z.size() > 0) w += B * z;
    const bool through_zero = w.cwiseAbs().maxCoeff() <= compatible;
    const Eigen::Index freedom = normals.N.cols();
    if (freedom > 1 || (freedom == 1 && !through_zero)) return false;
    if (freedom == 1) {
      w = B * normals.N.col(0);
      try_motion(-w);
    }
    if (freedom == 1 || !through_zero) try_motion(w);
    if (result.list.empty() && result.reason.empty()) result.reason = held_back();
    return true;
  }

  std::string held_back() const {
    return fmt::format("{} cannot begin to slip: the contacts that stick hold it",
                       contact_name(p, equations.sought[0]));
  }

  // The sought contacts slip in the directions of the motion w: the word is linear.
  void try_motion(const Eigen::VectorXd& w) {
    WordEquations known = equations;
    for (std::size_t k = 0; k < equations.sought.size(); ++k) {
      const int i = equations.sought[k];
      const Eigen::Vector2d w_t = w.segment<2>(3 * static_cast<Eigen::Index>(k));
      if (w_t.norm() <= compatible) return;
      known.e.col(i) = w_t.normalized();
      known.rows.push_back(p.normal(i));
      known.E.conservativeResize(p.W.rows(), known.E.cols() + 1);
      known.E.rightCols(1).setZero();
      known.E.rightCols(1).middleRows<3>(p.tangent(i)) =
          force_direction(p, equations, static_cast<int>(k), known.e.col(i));
    }
    const RankSolver solver(p.W(known.rows, Eigen::all) * known.E, 1 + p.mu.maxCoeff());
    const Eigen::VectorXd x = solver.solve(-p.q(known.rows));
    const double error = solver.L.cols() > 0 ? (solver.L.transpose() * p.q(known.rows)).cwiseAbs().maxCoeff() : 0;
    if (!x.allFinite() || error > compatible * (1 + x.cwiseAbs().maxCoeff())) return;
    result.list.push_back({known.E * x, known.E * solver.N, known.e, solver.rounding()});
  }

  // Polishes a candidate with all equations at once and keeps it if they hold.
  bool keep(NewtonPoint z, bool starts_close) {
    const NewtonPoint from = z;
    const NewtonResult newton = polish(p, equations, z, starts_close ? 6 : 60);
    if (newton.error > 1e-11 * (1 + newton.largest)) return false;
    const double moved = (z.angle - from.angle).cwiseAbs().maxCoeff();
    if (starts_close && moved > 1e-4) return false;
    WordPoint point{force_of(p, equations, z), N, equations.e, std::max(rounding, newton.rounding)};
    for (std::size_t k = 0; k < equations.sought.size(); ++k)
      point.e.col(equations.sought[k]) = direction(z, static_cast<int>(k));
    if (newton.undetermined > N.cols()) point.N = undetermined_forces(p, equations, z);
    result.list.push_back(std::move(point));
    return true;
  }

  NewtonPoint start(const std::vector<Eigen::Vector2d>& e, const Eigen::VectorXd& r_n, const Eigen::VectorXd& c) const {
    NewtonPoint z{{}, r_n, Eigen::VectorXd(r_n.size()), c};
    Eigen::VectorXd r_U(3 * r_n.size());
    for (Eigen::Index k = 0; k < r_n.size(); ++k) {
      const Eigen::Vector2d& direction_k = e[static_cast<std::size_t>(k)];
      z.angle(k) = std::atan2(direction_k.y(), direction_k.x());
      r_U.segment<3>(3 * k) = r_n(k) * force_direction(p, equations, static_cast<int>(k), direction_k);
    }
    z.x = at_rest + per_force * r_U;
    return z;
  }

  std::string cannot_slip() const {
    return fmt::format(
        "{} cannot begin to slip: no direction has a force of the right sign and an acceleration along the slip",
        contact_name(p, equations.sought[0]));
  }

  void one_direction() {
    const int i = equations.sought[0];
    const int sign = equations.sign[0];
    const SlipDirections found = slip_directions(Eigen::Matrix3d(W_eff), Eigen::Vector3d(q_eff), p.mu(i), sign);
    if (!found.complete) incomplete("{} can begin to slip in a continuum of directions", i);
    for (const auto& d : found.consistent) {
      const NewtonPoint z = start({d.e}, Eigen::VectorXd::Constant(1, d.lambda_n), Eigen::VectorXd::Constant(1, d.c));
      if (d.family_dimension > 0) {
        keep_segment(z, d.e);
      } else if (!keep(z, true)) {
        incomplete("a direction in which {} begins to slip could not be computed", i);
      }
    }
    if (result.list.empty() && result.reason.empty()) result.reason = cannot_slip();
  }

  // p = q_n = 0 and w_t along e for a segment of forces.
  void keep_segment(const NewtonPoint& z, const Eigen::Vector2d& e) {
    const Eigen::Vector3d ray = force_direction(p, equations, 0, e);
    WordPoint point{force_of(p, equations, z), N, equations.e, 1e-11};
    Eigen::VectorXd along = equations.E * (per_force * ray);
    along.segment<3>(p.tangent(equations.sought[0])) += ray;
    point.N.conservativeResize(p.W.rows(), N.cols() + 1);
    point.N.rightCols(1) = along;
    point.e.col(equations.sought[0]) = e;
    result.list.push_back(std::move(point));
  }

  void two_directions() {
    const int i = equations.sought[0];
    const int k = equations.sought[1];
    const SlipPairs found = slip_pairs({W_eff, q_eff, {p.mu(i), p.mu(k)}, {equations.sign[0], equations.sign[1]}});
    result.nodes += found.boxes;
    if (!found.complete) {
      result.complete = false;
      result.reason = fmt::format("{} and {}: {}", contact_name(p, i), contact_name(p, k), found.reason);
    }
    if (found.undetermined) search(undetermined_starts);
    for (const auto& d : found.list) {
      const Eigen::Vector2d r_n(d.r_n[0], d.r_n[1]);
      if (!keep(start({d.e[0], d.e[1]}, r_n, Eigen::Vector2d(d.c[0], d.c[1])), true) && result.complete)
        incomplete("a pair of directions in which {} and another contact begin to slip could not be computed", i);
    }
    if (result.list.empty() && result.reason.empty()) {
      result.reason = fmt::format(
          "{} and {} cannot both begin to slip: no pair of directions has forces of the right sign and accelerations "
          "along the slip",
          contact_name(p, i), contact_name(p, k));
    }
  }

  void incomplete(const char* text, int i) {
    result.complete = false;
    result.reason = fmt::format(fmt::runtime(text), contact_name(p, i));
  }

  void many_directions(int starts) {
    incomplete("three or more contacts begin to slip ({} first): searched, not proved", equations.sought[0]);
    search(starts);
  }

  // Newton's method from drawn directions, the forces that give w_n = 0 there.
  void search(int starts) {
    const auto n = static_cast<Eigen::Index>(equations.sought.size());
    Draws draws(static_cast<std::uint64_t>(n));
    for (int k = 0; k < starts; ++k) {
      ++result.nodes;
      std::vector<Eigen::Vector2d> e;
      Eigen::MatrixXd P(n, n);
      Eigen::VectorXd q_n(n);
      for (Eigen::Index j = 0; j < n; ++j) {
        const double angle = draws.uniform(-std::numbers::pi, std::numbers::pi);
        e.emplace_back(std::cos(angle), std::sin(angle));
        const Eigen::VectorXd c =
            W_eff.middleCols(3 * j, 3) * force_direction(p, equations, static_cast<int>(j), e.back());
        for (Eigen::Index i = 0; i < n; ++i) P(i, j) = c(3 * i + 2);
        q_n(j) = q_eff(3 * j + 2);
      }
      const Eigen::VectorXd r_n = P.fullPivLu().solve(-q_n);
      if (r_n.allFinite()) keep(start(e, r_n, Eigen::VectorXd::Ones(n)), false);
    }
  }

  const ContactProblem& p;
  WordEquations equations;
  Eigen::MatrixXd per_force, W_eff, N;
  Eigen::VectorXd at_rest, q_eff;
  double rounding = 0;
  WordPoints result;
};

}  // namespace

WordEquations word_equations(const ContactProblem& p, const SpatialWord& word) {
  WordEquations equations;
  equations.e = Eigen::MatrixXd::Zero(2, p.count());
  std::vector<Eigen::VectorXd> list;
  for (int i = 0; i < p.count(); ++i) {
    const RoleOf role = word[static_cast<std::size_t>(i)];
    const int t = p.tangent(i);
    if (role.role == Role::stick) {
      for (int k = 0; k < 3; ++k) {
        equations.rows.push_back(t + k);
        list.emplace_back(Eigen::VectorXd::Unit(p.W.rows(), t + k));
      }
    } else if (role.role == Role::given || role.role == Role::smooth) {
      equations.rows.push_back(p.normal(i));
      list.emplace_back(Eigen::VectorXd::Unit(p.W.rows(), p.normal(i)));
      if (role.role == Role::smooth) continue;
      equations.e.col(i) = p.slip.col(i);
      list.back().segment<2>(t) = -role.sign * p.mu(i) * p.slip.col(i);
    } else if (role.role == Role::sought) {
      equations.sought.push_back(i);
      equations.sign.push_back(role.sign);
      for (int k = 0; k < 3; ++k) equations.sought_rows.push_back(t + k);
    }
  }
  equations.E = columns(list, p.W.rows());
  return equations;
}

std::vector<RoleOf> admissible_roles(const ContactProblem& p, int i) {
  const auto at = static_cast<std::size_t>(i);
  if (p.law[at] == Law::separated) return {{Role::free, 1}};
  std::vector<RoleOf> list;
  if (!p.bilateral[at]) list.push_back({Role::free, 1});
  const bool smooth = p.mu(i) == 0;
  for (const int sign : {1, -1}) {
    if (sign < 0 && !p.bilateral[at]) break;
    if (p.law[at] == Law::sliding) {
      list.push_back({Role::given, sign});
    } else if (smooth) {
      list.push_back({Role::smooth, sign});
    } else {
      list.push_back({Role::stick, sign});
      list.push_back({Role::sought, sign});
    }
  }
  if (p.bilateral[at] && p.law[at] == Law::resting && !smooth) list.push_back({Role::unloaded, 1});
  return list;
}

int count_sought(const SpatialWord& word) {
  return static_cast<int>(
      std::count_if(word.begin(), word.end(), [](const RoleOf& r) { return r.role == Role::sought; }));
}

WordPoints solve_equations(const ContactProblem& problem, const SpatialWord& word, int starts) {
  WordPoints points = Solver(problem, word).run(starts);
  for (auto& point : points.list)
    if (point.N.cols() > 0) point.rounding = std::max(point.rounding, family_rounding);
  return points;
}

}  // namespace painleve
