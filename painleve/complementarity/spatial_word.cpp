#include "painleve/complementarity/spatial_word.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/detail/circle_polynomial.hpp"
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
  Solver(const ContactProblem& problem, const SpatialWord& roles)
      : p(problem), word(roles), equations(word_equations(problem, roles)) {
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
    if (motion_decides(W_eff)) {
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
    result.list.push_back({equations.E * x, equations.E * solver.N, equations.e, solver.rounding(), {}});
    return std::move(result);
  }

  bool eliminate(const RankSolver& solver) {
    const auto& U = equations.sought_rows;
    const Eigen::MatrixXd coupling = p.W(equations.rows, U);
    const Eigen::MatrixXd back = p.W(U, Eigen::all) * equations.E;
    const bool moved = solver.L.cols() > 0 && (solver.L.transpose() * coupling).cwiseAbs().maxCoeff() > compatible;
    const bool moves = solver.N.cols() > 0 && (back * solver.N).cwiseAbs().maxCoeff() > compatible;
    if (!moved && balance_error(solver) > compatible) {
      result.reason = no_balance;
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
    if (!moved && !moves) return true;
    if (solver.N.cols() == 1 && solver.L.cols() == 1 && equations.sought.size() == 1) {
      const Eigen::Vector3d a = back * solver.N;
      const Eigen::Vector3d d = (solver.L.transpose() * coupling).transpose();
      return border(solver.N, a, d, (solver.L.transpose() * p.q(equations.rows)).value());
    }
    result.complete = false;
    result.reason = "a force of the contacts that do not begin to slip has no effect on them (p = 0)";
    return false;
  }

  // One force y n of the others more, and one equation d·r_U + δ = 0: see the head of the header. True where what is
  // left is a contact by itself.
  bool border(const Eigen::VectorXd& n, const Eigen::Vector3d& a, const Eigen::Vector3d& d, double delta) {
    const auto small = [](double x) { return std::abs(x) <= compatible ? 0.0 : x; };
    const Eigen::Vector4d given(small(d.x()), small(d.y()), small(d.z()), small(delta));
    const Eigen::Vector4d own(W_eff(2, 0), W_eff(2, 1), W_eff(2, 2), q_eff(2));
    if (std::abs(a.z()) > compatible) {
      N.resize(p.W.rows(), 0);
      per_force -= n * W_eff.row(2) / a.z();
      at_rest -= n * (q_eff(2) / a.z());
      W_eff.topRows<2>() -= (a.head<2>() / a.z() * own.head<3>().transpose()).eval();
      q_eff.head<2>() -= a.head<2>() * (q_eff(2) / a.z());
      W_eff.row(2) = given.head<3>().transpose();
      q_eff(2) = given(3);
      return true;
    }
    const Eigen::Vector4d row = given.norm() > own.norm() ? given : own;
    const bool alike = (given - row * (row.dot(given) / row.squaredNorm())).norm() <= compatible &&
                       (own - row * (row.dot(own) / row.squaredNorm())).norm() <= compatible;
    W_eff.row(2) = row.head<3>().transpose();
    q_eff(2) = row(3);
    if (row.norm() <= compatible) {
      Eigen::Matrix<double, 3, 4> responses;
      responses << W_eff, a;
      if (!motion_decides(responses))
        incomplete("{} can begin to slip in all directions with forces of many sizes", equations.sought[0]);
    } else if (alike && a.head<2>().norm() <= compatible) {
      return true;
    } else if (alike) {
      arcs(n, a.head<2>());
    } else {
      common_directions(given, own);
    }
    if (result.list.empty() && result.reason.empty()) result.reason = cannot_slip();
    return false;
  }

  // Two rows (d, δ) with d·r + δ = 0 for r along (−μ e, 1): both hold in at most two directions.
  void common_directions(const Eigen::Vector4d& one, const Eigen::Vector4d& other) {
    const double mu = equations.sign[0] * p.mu(equations.sought[0]);
    const auto response = [&](const Eigen::Vector4d& row, double factor) {
      return CirclePolynomial::linear(factor * row(2), -factor * mu * row.head<2>());
    };
    CirclePolynomial g = response(one, other(3));
    const CirclePolynomial h = response(other, one(3));
    g = {g.c0 - h.c0, g.c1 - h.c1, g.s1 - h.s1, 0, 0};
    if (g.terms() <= compatible) g = response(one.norm() > other.norm() ? one : other, 1);
    for (const auto& root : circle_zeros(g)) try_direction(root.e);
  }

  // The directions e of the one contact U with its force from w_n = 0 and y from w_t along e. Where a does not turn
  // w_t, y is free.
  void arcs(const Eigen::VectorXd& n, const Eigen::Vector2d& a) {
    const double mu = equations.sign[0] * p.mu(equations.sought[0]);
    const Eigen::Matrix3d W = W_eff;
    const Eigen::Vector2d W_nt = W.bottomLeftCorner<1, 2>().transpose();
    const double q_n = q_eff(2);
    const CirclePolynomial response = CirclePolynomial::linear(W(2, 2), -mu * W_nt);
    const CirclePolynomial turn = CirclePolynomial::across(a, Eigen::Matrix2d::Zero());
    // w_t without y, times the response.
    const CirclePolynomial aside =
        CirclePolynomial::across(W(2, 2) * q_eff.head<2>() - q_n * W.topRightCorner<2, 1>(),
                                 mu * (q_n * W.topLeftCorner<2, 2>() - q_eff.head<2>() * W_nt.transpose()));
    for (const auto& g : {response, turn})
      if (g.terms() > compatible)
        for (const auto& root : circle_zeros(g)) try_direction(root.e);
    if (std::abs(q_n) <= compatible) return;
    keep_curves({[=](double phi) { return response(phi) * turn(phi); }, [=](double phi) { return -q_n * turn(phi); },
                 [=](double phi) { return -aside(phi); }, n});
  }

  // Forces of a continuum of directions φ of the one sought contact: its r_n, and y along n, over a common denominator.
  struct Curve {
    std::function<double(double)> denominator, r_n, y;
    Eigen::VectorXd n;
  };

  Eigen::VectorXd force_on(const Curve& curve, double phi) const {  // times the denominator
    const Eigen::Vector3d r_U =
        curve.r_n(phi) * force_direction(p, equations, 0, Eigen::Vector2d(std::cos(phi), std::sin(phi)));
    Eigen::VectorXd x = at_rest * curve.denominator(phi) + per_force * r_U;
    if (curve.n.size() > 0) x += curve.n * curve.y(phi);
    Eigen::VectorXd r = equations.E * x;
    r.segment<3>(p.tangent(equations.sought[0])) += r_U;
    return r;
  }

  // The conditions of the word on a curve cut it into arcs; on each of them they hold everywhere or nowhere, and its
  // middle stands for it.
  void keep_curves(const Curve& curve) {
    const std::vector<CircleSeries> conditions = conditions_on(curve);
    std::vector<double> ends;
    for (const auto& g : conditions)
      for (const double end : g.zeros()) ends.push_back(end);
    for (const double phi : middles_of_arcs(ends, 0)) {
      // Ends that are one to rounding leave an arc on which signs mean nothing.
      const auto vanishes = [&](const CircleSeries& g) { return !g.always_zero() && g.vanishes(phi); };
      if (conditions.front().always_zero() || std::any_of(conditions.begin(), conditions.end(), vanishes)) continue;
      const Eigen::VectorXd r = force_on(curve, phi) / curve.denominator(phi);
      const Eigen::VectorXd w = p.W * r + p.q;
      const int i = equations.sought[0];
      NewtonPoint z = start({{std::cos(phi), std::sin(phi)}}, Eigen::VectorXd::Constant(1, r(p.normal(i))),
                            Eigen::VectorXd::Zero(1));
      if (curve.n.size() > 0) z.x += curve.n * (curve.y(phi) / curve.denominator(phi));
      z.c(0) = w.segment<2>(p.tangent(i)).dot(direction(z, 0));
      keep_curve(z);
    }
  }

  std::vector<CircleSeries> conditions_on(const Curve& curve) const {
    std::vector<CircleSeries> list{{curve.denominator, 2, 1}};
    const auto motion = [&](double phi) {
      return Eigen::VectorXd(p.W * force_on(curve, phi) + curve.denominator(phi) * p.q);
    };
    for (int i = 0; i < p.count(); ++i) {
      const Role kind = word[static_cast<std::size_t>(i)].role;
      const int t = p.tangent(i);
      const int n = p.normal(i);
      if (kind == Role::free) {
        list.emplace_back([&](double phi) { return motion(phi)(n); }, 2, 1);
        continue;
      }
      if (kind == Role::unloaded) continue;
      list.emplace_back([&](double phi) { return force_on(curve, phi)(n); }, 2, 1);
      if (kind == Role::stick) {
        const auto depth = [&](double phi) {
          const Eigen::Vector3d r = force_on(curve, phi).segment<3>(t);
          return std::pow(p.mu(i) * r.z(), 2) - r.head<2>().squaredNorm();
        };
        list.emplace_back(depth, 4, 1);
      } else if (kind == Role::sought) {
        const auto slip = [&](double phi) {
          return motion(phi).segment<2>(t).dot(Eigen::Vector2d(std::cos(phi), std::sin(phi)));
        };
        list.emplace_back(slip, 3, 1);
      }
    }
    return list;
  }

  // Contacts that stick may leave the others so little freedom that the motions with w_n = 0,  w = w₀ + D s,  fix the
  // directions of slip: w₀ alone, or both ways along one line through 0. What is left is linear. `responses`: to all
  // forces that are left.
  bool motion_decides(const Eigen::MatrixXd& responses) {
    const RankSolver range(responses, 1);
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
    result.list.push_back({known.E * x, known.E * solver.N, known.e, solver.rounding(), {}});
  }

  // The one sought contact slips along e, if it can: the word is linear.
  void try_direction(const Eigen::Vector2d& e) {
    const int i = equations.sought[0];
    const Eigen::Index m = equations.E.cols();
    Eigen::MatrixXd E(p.W.rows(), m + 1);
    E.leftCols(m) = equations.E;
    E.col(m).setZero();
    E.col(m).segment<3>(p.tangent(i)) = force_direction(p, equations, 0, e);
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(m + 2, p.W.rows());
    for (Eigen::Index k = 0; k < m; ++k) rows(k, equations.rows[static_cast<std::size_t>(k)]) = 1;
    rows(m, p.normal(i)) = 1;
    rows.row(m + 1).segment<2>(p.tangent(i)) << -e.y(), e.x();
    const RankSolver solver(rows * p.W * E, 1 + p.mu.maxCoeff());
    const Eigen::VectorXd x = solver.solve(-rows * p.q);
    const double error = (rows * (p.W * (E * x) + p.q)).cwiseAbs().maxCoeff();
    if (!x.allFinite() || error > 1e-12 * (1 + x.cwiseAbs().maxCoeff())) return;
    WordPoint point{E * x, E * solver.N, equations.e, solver.rounding(), {}};
    point.e.col(i) = e;
    result.list.push_back(std::move(point));
  }

  // Polishes a candidate with all equations at once and keeps it if they hold.
  bool keep(NewtonPoint z, bool starts_close) {
    const NewtonPoint from = z;
    const NewtonResult newton = polish(p, equations, z, starts_close ? 6 : 60);
    if (newton.error > 1e-11 * (1 + newton.largest)) return false;
    const double moved = (z.angle - from.angle).cwiseAbs().maxCoeff();
    if (starts_close && moved > 1e-4) return false;
    WordPoint point{force_of(p, equations, z), N, equations.e, std::max(rounding, newton.rounding), {}};
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
    const auto turns = [](const auto& d) { return d.turns; };
    if (std::any_of(found.consistent.begin(), found.consistent.end(), turns)) {
      q_eff(2) == 0 ? rigid_curves() : loaded_curves();
    } else if (!found.complete) {
      incomplete("{} can begin to slip in all directions with forces of all sizes", i);
    }
    for (const auto& d : found.consistent) {
      if (d.turns) continue;
      const NewtonPoint z = start({d.e}, Eigen::VectorXd::Constant(1, d.lambda_n), Eigen::VectorXd::Constant(1, d.c));
      if (d.family_dimension > 0) {
        keep_segment(z, d.e);
      } else if (!keep(z, true)) {
        incomplete("a direction in which {} begins to slip could not be computed", i);
      }
    }
    if (result.list.empty() && result.reason.empty()) result.reason = cannot_slip();
  }

  // No force moves the contact along its normal: r_n from w_t along e.
  void rigid_curves() {
    const double mu = equations.sign[0] * p.mu(equations.sought[0]);
    const CirclePolynomial load = CirclePolynomial::across(q_eff.head<2>(), Eigen::Matrix2d::Zero());
    const CirclePolynomial turn =
        CirclePolynomial::across(W_eff.topRightCorner<2, 1>(), -mu * W_eff.topLeftCorner<2, 2>());
    keep_curves({turn, [=](double phi) { return -load(phi); }, {}, {}});
  }

  // w_t is along e in all directions: r_n from w_n = 0.
  void loaded_curves() {
    const double mu = equations.sign[0] * p.mu(equations.sought[0]);
    const double q_n = q_eff(2);
    keep_curves({CirclePolynomial::linear(W_eff(2, 2), -mu * W_eff.bottomLeftCorner<1, 2>().transpose()),
                 [=](double) { return -q_n; },
                 {},
                 {}});
  }

  // One point of a curve of solutions along which the directions turn.
  void keep_curve(NewtonPoint z) {
    const NewtonResult newton = polish(p, equations, z, 6);
    if (newton.error > 1e-11 * (1 + newton.largest)) {
      incomplete("a direction in which {} begins to slip could not be computed", equations.sought[0]);
      return;
    }
    WordPoint point{force_of(p, equations, z),
                    undetermined_forces(p, equations, z),
                    equations.e,
                    std::max(rounding, newton.rounding),
                    {}};
    for (std::size_t k = 0; k < equations.sought.size(); ++k)
      point.e.col(equations.sought[k]) = direction(z, static_cast<int>(k));
    point.turning = turning_forces(p, equations, z);
    result.list.push_back(std::move(point));
  }

  // p = q_n = 0 and w_t along e for a segment of forces.
  void keep_segment(const NewtonPoint& z, const Eigen::Vector2d& e) {
    const Eigen::Vector3d ray = force_direction(p, equations, 0, e);
    WordPoint point{force_of(p, equations, z), N, equations.e, 1e-11, {}};
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
      if (d.turns) {
        keep_curve(start({d.e[0], d.e[1]}, r_n, Eigen::Vector2d(d.c[0], d.c[1])));
        if (p.count() > 2 && result.complete)
          incomplete("{} and another contact begin to slip in a curve of directions, which others may cut", i);
        continue;
      }
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
  const SpatialWord& word;
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
