#include "painleve/complementarity/word_conditions.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "painleve/complementarity/held_forces.hpp"

namespace painleve {
namespace {

// A coefficient below this is rounding: the condition does not depend on the force that is left undetermined.
constexpr double no_effect = 1e-11;

class Conditions {
 public:
  Conditions(const ContactProblem& problem, const SpatialWord& word, const WordPoint& point, const ContactUnits& units)
      : p(problem), roles(word), at(point), unit(units), r(point.r) {}

  Judged run() {
    if (at.N.cols() > 0) choose_within_family();
    w = p.W * r + p.q;
    size = std::max(1.0, r.size() > 0 ? r.cwiseAbs().maxCoeff() : 0);
    Judged judged;
    for (int i = 0; i < p.count() && judged.reason.empty(); ++i) judged.reason = broken(i);
    if (judged.reason.empty()) judged.solution = solution();
    return judged;
  }

 private:
  RoleOf role(int i) const { return roles[static_cast<std::size_t>(i)]; }
  bool bilateral(int i) const { return p.bilateral[static_cast<std::size_t>(i)]; }
  double small() const { return at.rounding * size; }

  // Why contact i does not fit, or nothing.
  std::string broken(int i) const {
    const double w_n = w(p.normal(i));
    switch (role(i).role) {
      case Role::free:
        if (p.law[static_cast<std::size_t>(i)] == Law::separated || w_n >= -small()) return "";
        return fmt::format("{} would sink in: a_n = {:.6g} m/s^2", contact_name(p, i), w_n * unit.motion(i));
      case Role::unloaded:
        if (std::abs(w_n) <= small()) return "";
        return fmt::format("{} needs a force", contact_name(p, i));
      default:
        return broken_by_force(i);
    }
  }

  std::string broken_by_force(int i) const {
    const int sign = role(i).sign;
    const double r_n = r(p.normal(i));
    // A bilateral contact without force is listed once, with the sign +1, unless it seeks a direction: see `unloaded`.
    const bool zero_allowed = bilateral(i) && sign > 0 && role(i).role != Role::sought;
    if (zero_allowed ? r_n < -small() : !(sign * r_n > 0)) {
      const char* sense = sign > 0 ? "not push" : "not pull";
      return fmt::format("{} would {}: lambda_n = {:.6g} N", contact_name(p, i), bilateral(i) ? sense : "have to pull",
                         r_n * unit.force(i));
    }
    if (role(i).role == Role::stick) {
      const double held = r.segment<2>(p.tangent(i)).norm();
      const double limit = p.mu(i) * std::abs(r_n);
      if (held <= limit + small() * (1 + p.mu(i))) return "";
      return fmt::format("{} cannot stick: |lambda_t| = {:.6g} N exceeds mu lambda_n = {:.6g} N", contact_name(p, i),
                         held * unit.force(i), limit * unit.force(i));
    }
    if (role(i).role != Role::sought) return "";
    const double along = w.segment<2>(p.tangent(i)).dot(at.e.col(i));
    if (along > 0) return "";
    return fmt::format("{} would not accelerate in the direction of slip: a_t along it = {:.6g} m/s^2",
                       contact_name(p, i), along * unit.motion(i));
  }

  // Half-spaces and cones over y, of the contacts that feel it.
  ForceRegion region() const {
    ForceRegion region;
    const Eigen::MatrixXd moves = p.W * at.N;
    const Eigen::VectorXd w0 = p.W * at.r + p.q;
    std::vector<Eigen::RowVectorXd> rows;
    std::vector<double> offsets;
    const auto half_space = [&](const Eigen::RowVectorXd& row, double offset) {
      if (row.cwiseAbs().maxCoeff() <= no_effect) return;
      rows.push_back(row);
      offsets.push_back(offset);
    };
    for (int i = 0; i < p.count(); ++i) {
      const int t = p.tangent(i);
      const int n = p.normal(i);
      const Role kind = role(i).role;
      if (kind == Role::free) {
        if (p.law[static_cast<std::size_t>(i)] != Law::separated) half_space(moves.row(n), w0(n));
      } else if (kind == Role::stick) {
        if (at.N.middleRows(t, 3).cwiseAbs().maxCoeff() > no_effect)
          region.cones.push_back({at.r.segment<3>(t), at.N.middleRows(t, 3), p.mu(i), role(i).sign});
      } else if (kind != Role::unloaded) {
        half_space(role(i).sign * at.N.row(n), role(i).sign * at.r(n));
        if (kind == Role::sought)
          half_space(at.e.col(i).transpose() * moves.middleRows(t, 2), at.e.col(i).dot(w0.segment<2>(t)));
      }
    }
    region.G.resize(static_cast<Eigen::Index>(rows.size()), at.N.cols());
    region.h.resize(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t k = 0; k < rows.size(); ++k) {
      region.G.row(static_cast<Eigen::Index>(k)) = rows[k];
      region.h(static_cast<Eigen::Index>(k)) = offsets[k];
    }
    return region;
  }

  void choose_within_family() {
    const HeldForces held = held_forces(region());
    r = at.r + at.N * held.y;
    if (!held.possible || held.directions.cols() == 0) return;
    const Eigen::MatrixXd span = at.N * held.directions;
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(span);
    family.dimension = static_cast<int>(span.cols());
    family.directions = qr.householderQ() * Eigen::MatrixXd::Identity(span.rows(), span.cols());
    const Eigen::MatrixXd motion = p.W * family.directions;
    if (motion.cwiseAbs().maxCoeff() <= no_effect) return;
    Eigen::FullPivLU<Eigen::MatrixXd> lu(motion);
    lu.setThreshold(1e-10);
    family.motion_dimension = static_cast<int>(lu.rank());
  }

  ContactSolution solution() {
    ContactSolution s;
    for (int i = 0; i < p.count(); ++i) s.contacts.push_back(mode(i, s.boundary));
    s.mode = word(s.contacts);
    s.r = r;
    s.w = w;
    s.family = family;
    return s;
  }

  // Also sets to zero what the letter says is zero.
  ContactMode mode(int i, bool& boundary) {
    const int t = p.tangent(i);
    const int n = p.normal(i);
    const RoleOf kind = role(i);
    ContactMode m{Letter::F, Eigen::Vector2d::Zero(), kind.sign};
    if (kind.role == Role::free) {
      const bool stays = p.law[static_cast<std::size_t>(i)] != Law::separated && std::abs(w(n)) <= small();
      if (stays) w(n) = 0;
      boundary = boundary || stays;
      return m;
    }
    w(n) = 0;
    m.letter = kind.role == Role::stick ? Letter::T : Letter::S;
    if (m.letter == Letter::T) w.segment<2>(t).setZero();
    m.direction = at.e.col(i);
    if (kind.role == Role::smooth || kind.role == Role::unloaded) {
      const double slip = w.segment<2>(t).norm();
      m.letter = slip <= std::max(small(), 1e-14) ? Letter::T : Letter::S;
      m.direction = m.letter == Letter::S ? Eigen::Vector2d(w.segment<2>(t) / slip) : Eigen::Vector2d::Zero();
      if (m.letter == Letter::T) w.segment<2>(t).setZero();
    }
    return m;
  }

  const ContactProblem& p;
  const SpatialWord& roles;
  const WordPoint& at;
  const ContactUnits& unit;
  Eigen::VectorXd r, w;
  double size = 1;
  Family family;
};

}  // namespace

Judged judge(const ContactProblem& problem, const SpatialWord& word, const WordPoint& point, const ContactUnits& unit) {
  return Conditions(problem, word, point, unit).run();
}

}  // namespace painleve
