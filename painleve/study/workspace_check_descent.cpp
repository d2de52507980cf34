// From a pose to a local minimum of mu_jam: Newton's method on differences, in the directions along which the surfaces
// are kept and joints at the end of their range stay; a compass search where it is not smooth. What is differenced is
// the square of mu_jam, which is smooth also where mu_jam falls to 0 like a distance, at singular poses.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "painleve/study/detail/workspace_parts.hpp"

namespace painleve::detail {
namespace {

using Value = PoseProbe::Value;

class PoseDescent {
 public:
  PoseDescent(const Workspace& problem, PoseProbe& probe) : problem_(problem), probe_(probe), fixed_(problem.fixed) {}

  Value run(Value start) {
    best_ = std::move(start);
    constexpr int most_faces = 20;
    for (int n = 0; n < most_faces; ++n) {
      minimise();
      if (singular() || !leave_limit()) break;
    }
    if (best_.mu_jam < nearly_singular && best_.normals.rows() == 0) approach_singular();
    return best_;
  }

 private:
  // Of angles [rad], and of slides in parts of their range; wider for second differences, for their rounding.
  static constexpr double difference = 1e-4, wide_difference = 2e-3;

  static constexpr double nearly_singular = 0.05;  // mu_jam from which on a singular pose is looked for

  bool singular() const { return best_.mu_jam < singular_mu_jam; }

  double scale(std::size_t k) const {
    const auto& joint = problem_.joints[k];
    return joint.unit == "rad" || !joint.known ? 1 : joint.to - joint.from;
  }

  std::vector<bool> held() const {
    std::vector<bool> held = fixed_;
    for (std::size_t k = 0; k < held.size(); ++k)
      held[k] = held[k] || at_limit(problem_.joints[k], best_.q(static_cast<Eigen::Index>(k)));
    return held;
  }

  // Columns: directions that move no held joint and leave no surface.
  Eigen::MatrixXd directions(const std::vector<bool>& held) const {
    std::vector<Eigen::Index> free;
    for (std::size_t k = 0; k < held.size(); ++k)
      if (!held[k]) free.push_back(static_cast<Eigen::Index>(k));
    const auto m = static_cast<Eigen::Index>(free.size());
    Eigen::MatrixXd N(best_.normals.rows(), m);
    Eigen::VectorXd s(m);
    for (Eigen::Index j = 0; j < m; ++j) {
      s(j) = scale(static_cast<std::size_t>(free[static_cast<std::size_t>(j)]));
      N.col(j) = s(j) * best_.normals.col(free[static_cast<std::size_t>(j)]);
    }
    Eigen::MatrixXd kernel = Eigen::MatrixXd::Identity(m, m);
    if (N.rows() > 0 && m > 0) {
      const Eigen::JacobiSVD<Eigen::MatrixXd> svd(N, Eigen::ComputeFullV);
      kernel = svd.matrixV().rightCols(m - svd.rank());
    }
    Eigen::MatrixXd T = Eigen::MatrixXd::Zero(best_.q.size(), kernel.cols());
    for (Eigen::Index j = 0; j < m; ++j) T.row(free[static_cast<std::size_t>(j)]) = s(j) * kernel.row(j);
    return T;
  }

  void minimise() {
    constexpr int most_steps = 60;
    for (int n = 0; n < most_steps && !singular(); ++n) {
      const std::vector<bool> held_now = held();
      const Eigen::MatrixXd T = directions(held_now);
      if (T.cols() == 0) return;
      const auto step = newton_step(T, held_now);
      if (!step || !take(T * *step, held_now)) {
        if (step && step->norm() < 1e-6) return;  // where values no longer tell
        compass();
        return;
      }
      if (step->norm() < 1e-9) return;
    }
  }

  // A step that goes down, also where the function is not convex; none where a value is missing.
  std::optional<Eigen::VectorXd> newton_step(const Eigen::MatrixXd& T, const std::vector<bool>& held_now) {
    const Eigen::Index m = T.cols();
    const auto f = [&](const Eigen::VectorXd& by) {
      const double mu_jam = probe_.at(best_.q + T * by, held_now).mu_jam;
      return mu_jam * mu_jam;
    };
    const auto unit = [&](Eigen::Index i, double by) -> Eigen::VectorXd { return by * Eigen::VectorXd::Unit(m, i); };
    constexpr double h = wide_difference;
    const double here = best_.mu_jam * best_.mu_jam;
    Eigen::VectorXd gradient(m);
    Eigen::MatrixXd H(m, m);
    for (Eigen::Index i = 0; i < m; ++i) {
      gradient(i) = (f(unit(i, difference)) - f(unit(i, -difference))) / (2 * difference);
      H(i, i) = (f(unit(i, h)) + f(unit(i, -h)) - 2 * here) / (h * h);
      for (Eigen::Index j = 0; j < i; ++j) {
        const double mixed = f(unit(i, h) + unit(j, h)) - f(unit(i, h) - unit(j, h)) - f(unit(j, h) - unit(i, h)) +
                             f(-unit(i, h) - unit(j, h));
        H(i, j) = H(j, i) = mixed / (4 * h * h);
      }
    }
    if (!gradient.allFinite() || !H.allFinite()) return std::nullopt;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(H);
    const double least = std::max(1e-9 * eigen.eigenvalues().cwiseAbs().maxCoeff(), 1e-12);
    const Eigen::VectorXd curvature = eigen.eigenvalues().cwiseAbs().cwiseMax(least);
    Eigen::VectorXd step =
        -(eigen.eigenvectors() * (eigen.eigenvectors().transpose() * gradient).cwiseQuotient(curvature));
    constexpr double longest = 0.3;
    if (step.norm() > longest) step *= longest / step.norm();
    return step;
  }

  bool take(const Eigen::VectorXd& step, const std::vector<bool>& held_now) {
    double part = 1;
    for (int n = 0; n < 14; ++n, part /= 2) {
      Value there = probe_.at(best_.q + part * step, held_now);
      if (!(there.mu_jam < best_.mu_jam)) continue;
      best_ = std::move(there);
      return true;
    }
    return false;
  }

  void compass() {
    constexpr int most_moves = 2000;
    double reach = 0.05;
    for (int n = 0; n < most_moves && reach > 1e-8 && !singular(); ++n) {
      const std::vector<bool> held_now = held();
      const Eigen::MatrixXd T = directions(held_now);
      bool moved = false;
      for (Eigen::Index i = 0; i < 2 * T.cols() && !moved; ++i) {
        const double side = i % 2 == 0 ? reach : -reach;
        Value there = probe_.at(best_.q + side * T.col(i / 2), held_now);
        moved = there.mu_jam < best_.mu_jam;
        if (moved) best_ = std::move(there);
      }
      if (!moved) reach /= 2;
    }
  }

  std::vector<Eigen::Index> free_joints() const {
    const std::vector<bool> held_now = held();
    std::vector<Eigen::Index> free;
    for (std::size_t k = 0; k < held_now.size(); ++k)
      if (!held_now[k]) free.push_back(static_cast<Eigen::Index>(k));
    return free;
  }

  // The normal row of J over the free joints, and how it changes with them.
  std::pair<Eigen::VectorXd, Eigen::MatrixXd> normal_row(const Eigen::VectorXd& q,
                                                         const std::vector<Eigen::Index>& free) {
    constexpr double h = 1e-5;
    const Eigen::VectorXd row = probe_.as_it_is(q).normal;
    if (row.size() == 0) return {};
    Eigen::MatrixXd H(row.size(), static_cast<Eigen::Index>(free.size()));
    for (std::size_t j = 0; j < free.size(); ++j) {
      const Eigen::VectorXd by = h * Eigen::VectorXd::Unit(q.size(), free[j]);
      const Eigen::VectorXd up = probe_.as_it_is(q + by).normal, down = probe_.as_it_is(q - by).normal;
      if (up.size() == 0 || down.size() == 0) return {};
      H.col(static_cast<Eigen::Index>(j)) = (up - down) / (2 * h);
    }
    return {row, H};
  }

  // Valleys towards poses where the normal row of J vanishes, and mu_jam with it like the distance, are long and
  // curved. Such a pose is found by Newton's method on that row; what is reported is a point close beside it.
  void approach_singular() {
    const auto free = free_joints();
    Eigen::VectorXd q = best_.q;
    for (int n = 0; n < 30; ++n) {
      const auto row_and_change = normal_row(q, free);
      const Eigen::VectorXd& row = row_and_change.first;
      if (row.size() == 0) return;
      if (row.norm() < 1e-10) break;
      auto change = row_and_change.second.completeOrthogonalDecomposition();
      change.setThreshold(1e-6);
      Eigen::VectorXd step = -change.solve(row);
      if (step.norm() > 0.3) step *= 0.3 / step.norm();
      for (std::size_t j = 0; j < free.size(); ++j) q(free[j]) += step(static_cast<Eigen::Index>(j));
    }
    const Value there = probe_.as_it_is(q);
    const double away = (best_.q - q).norm();
    if (!there.exists || !(there.normal.norm() < 1e-9) || !(away > 0)) return;
    constexpr double beside = 1e-5;
    Value near = probe_.at(q + std::min(1.0, beside / away) * (best_.q - q), fixed_);
    if (near.mu_jam < singular_mu_jam) best_ = std::move(near);
  }

  // Back into the range of a joint at its end, where that goes down.
  bool leave_limit() {
    for (std::size_t k = 0; k < fixed_.size(); ++k) {
      const auto& joint = problem_.joints[k];
      const auto at = static_cast<Eigen::Index>(k);
      if (fixed_[k] || !at_limit(joint, best_.q(at))) continue;
      Eigen::VectorXd q = best_.q;
      std::vector<bool> held_now = held();
      q(at) += (q(at) - joint.from < joint.to - q(at) ? 1 : -1) * difference * scale(k);
      Value there = probe_.at(q, held_now);
      if (!(there.mu_jam < best_.mu_jam * (1 - 1e-13))) continue;
      best_ = std::move(there);
      return true;
    }
    return false;
  }

  const Workspace& problem_;
  PoseProbe& probe_;
  const std::vector<bool>& fixed_;
  Value best_;
};

}  // namespace

bool at_limit(const WorkspaceJoint& joint, double at) {
  if (!joint.known || !joint.bounded) return false;
  return std::min(std::abs(at - joint.from), std::abs(at - joint.to)) <= 1e-9 * (joint.to - joint.from);
}

PoseProbe::Value descend_pose(const Workspace& problem, PoseProbe& probe, const PoseProbe::Value& start) {
  return PoseDescent(problem, probe).run(start);
}

}  // namespace painleve::detail
