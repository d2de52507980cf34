#include "painleve/impact/detail/impact_space.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/base/rounding.hpp"

namespace painleve::detail {
namespace {

void check_options(const ContactSpace& space, const ImpactOptions& o) {
  const auto n = static_cast<std::size_t>(space.count());
  if (o.laws.size() > n) throw InputError(fmt::format("laws has {} entries for {} contacts", o.laws.size(), n));
  for (const BounceLaw& law : o.laws) {
    if (!(law.restitution >= 0 && law.restitution <= 1))
      throw InputError(fmt::format("restitution must be between 0 and 1, not {}", law.restitution));
    if (law.mu && !(*law.mu >= 0 && std::isfinite(*law.mu)))
      throw InputError(fmt::format("mu of an impact must be >= 0, not {}", *law.mu));
  }
  for (const int i : o.without_collision) {
    if (i < 0 || i >= space.count())
      throw InputError(fmt::format("without_collision names contact {}, there are {}", i + 1, n));
    if (std::count(o.without_collision.begin(), o.without_collision.end(), i) > 1)
      throw InputError(fmt::format("without_collision names contact {} twice", i + 1));
  }
  if (o.stiffness.size() > 0 && (o.stiffness.size() != space.count() || !(o.stiffness.minCoeff() > 0)))
    throw InputError("stiffness needs one number > 0 per contact");
  constexpr double least_ratio = 1e-8;  // the softest spring sets the duration, the stiffest the step
  if (o.stiffness.size() > 0 && !(o.stiffness.minCoeff() >= least_ratio * o.stiffness.maxCoeff()))
    throw InputError(fmt::format("stiffnesses must be within a factor of {:g} of each other", 1 / least_ratio));
  if (o.most_impacts < 1) throw InputError(fmt::format("most_impacts must be >= 1, not {}", o.most_impacts));
  if (o.steps_per_period < 16 || o.steps_per_period > 10000000)
    throw InputError(fmt::format("steps_per_period must be between 16 and 1e7, not {}", o.steps_per_period));
}

// W of the motions that keep the bilateral normals at rest, and what that takes.
void hold_bilateral(ImpactSpace& s) {
  std::vector<int> normals;
  for (const int i : s.bilateral) normals.push_back(s.space.normal(i));
  s.reaction = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(normals.size()), s.space.u.size());
  if (normals.empty()) return;
  const Eigen::MatrixXd held = s.space.W(normals, normals);
  const Eigen::MatrixXd coupling = s.space.W(normals, Eigen::all);
  s.reaction = -held.completeOrthogonalDecomposition().solve(coupling);
  const double size = s.space.W.cwiseAbs().maxCoeff();
  // What is left by cancellation of larger numbers is zero.
  s.space.W = (s.space.W + coupling.transpose() * s.reaction).unaryExpr([size](double x) {
    return std::abs(x) <= 1e-14 * size ? 0.0 : x;
  });
}

}  // namespace

ImpactSpace impact_space(const ContactSpace& space, const ImpactOptions& options) {
  check_options(space, options);
  ImpactSpace s;
  s.space = space;
  s.laws = options.laws;
  s.laws.resize(static_cast<std::size_t>(space.count()));
  for (int i = 0; i < space.count(); ++i) {
    s.space.mu(i) = s.laws[static_cast<std::size_t>(i)].mu.value_or(space.mu(i));
    if (space.bilateral[static_cast<std::size_t>(i)]) {
      s.bilateral.push_back(i);
    } else if (touch(space, i, options.tolerance) != Touch::open) {
      s.unilateral.push_back(i);
    }
  }
  hold_bilateral(s);
  const double speed = space.u.size() > 0 ? space.u.cwiseAbs().maxCoeff() : 0;
  s.least_approach = std::max(options.tolerance.velocity, 1e-14 * speed);
  return s;
}

std::vector<int> approaching(const ImpactSpace& s, const Eigen::VectorXd& u) {
  std::vector<int> list;
  for (const int i : s.unilateral) {
    if (u(s.space.normal(i)) < -s.least_approach) list.push_back(i);
  }
  std::stable_sort(list.begin(), list.end(), [&](int i, int j) { return u(s.space.normal(i)) < u(s.space.normal(j)); });
  return list;
}

std::optional<double> slip_response(const ImpactSpace& s, int contact, const Tolerance& tolerance) {
  const int t = s.space.tangent(contact);
  const int n = s.space.normal(contact);
  const int tangents = s.space.dimension - 1;
  const Eigen::VectorXd u_t = s.space.u.segment(t, tangents);
  if (u_t.norm() <= tolerance.velocity) return std::nullopt;
  const double coupling = s.space.mu(contact) * s.space.W.col(n).segment(t, tangents).dot(u_t.normalized());
  return sum_or_zero(s.space.W(n, n), -coupling);
}

Eigen::VectorXd with_reactions(const ImpactSpace& s, const Eigen::VectorXd& Lambda) {
  Eigen::VectorXd all = Lambda;
  const Eigen::VectorXd reactions = s.reaction * Lambda;
  for (std::size_t k = 0; k < s.bilateral.size(); ++k)
    all(s.space.normal(s.bilateral[k])) += reactions(static_cast<Eigen::Index>(k));
  return all;
}

void finish(const ContactSpace& space, const Eigen::VectorXd& u_after, ImpactReport& report, double rounding) {
  report.u_after = u_after;
  report.energy_change = report.Lambda.dot(report.u_before + u_after) / 2;
  if (report.contacts.empty()) return;
  const int n = space.normal(report.contacts.front());
  if (!(report.u_before(n) < 0)) return;
  const bool still = std::abs(u_after(n)) <= rounding * report.u_before.lpNorm<Eigen::Infinity>();
  report.restitution_observed = still ? 0 : -u_after(n) / report.u_before(n);
}

}  // namespace painleve::detail
