#include "painleve/impact/spatial_impact.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "painleve/impact/detail/dormand_prince.hpp"
#include "painleve/impact/detail/impact_ledger.hpp"

namespace painleve {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// A response that is only the rounding of its terms is none.
constexpr double no_response = 64 * epsilon;
constexpr double no_stick_response = 1e-12;  // of a difference that the inverse of W_tt takes part in
// A slower turning does not show in an integration to 1e-12; a body with one freedom slips along a line, to rounding.
constexpr double no_turning = 1e-13;
// Of the speed before: the integration does not know u_n better.
constexpr double no_speed = 1e-11;
// Of the speed before: the slip has ended.
constexpr double no_slip = 1e-15;
// Local error of a step, in units of the speed and impulse; some hundred steps stay below 1e-12.
constexpr double allowed_error = 1e-14;
constexpr int most_steps = 200000;

// What slip along e does per normal impulse.
struct Response {
  double k, h, p;
};
Response response(const SpatialContact& c, const Eigen::Vector2d& e) {
  const Eigen::Vector2d rate = c.W_tn - c.mu * c.W_tt * e;
  return {-e.dot(rate), e.x() * rate.y() - e.y() * rate.x(), c.W_nn - c.mu * c.W_tn.dot(e)};
}

// σ = ln s, φ, u_n, Λ, work of the normal impulse, work of friction, Λ_t.
constexpr int size = 8;
using State = detail::RungeKuttaState<size>;
enum Index : Eigen::Index { sigma, phi, normal, impulse, work_n, work_t, tangential };

Eigen::Vector2d direction(double angle) { return {std::cos(angle), std::sin(angle)}; }

class Run {
 public:
  Run(const SpatialContact& c, double u_n, const BounceLaw& law)
      : c_(c), ledger_(law, u_n), leaving_(leaving_direction(c)) {
    result_.u_t = c.u_t;
    result_.u_n = u_n;
    speed_ = c.u_t.norm() + std::abs(u_n);
    turning_ = c.mu * c.W_tt.norm() + c.W_tn.norm();
    record();
  }

  SpatialImpact run() {
    result_.outcome = result_.u_n < 0 ? ImpactOutcome::collision : ImpactOutcome::without_collision;
    while (!ledger_.ended() && result_.outcome != ImpactOutcome::locked) {
      const double s = result_.u_t.norm();
      if (s == 0) {
        from_rest();
        continue;
      }
      const Eigen::Vector2d e = result_.u_t / s;
      if (std::abs(response(c_, e).h) <= no_turning * turning_) {
        straight(e, s, Slide::slip);
      } else {
        curved(e, s);
      }
    }
    result_.Lambda_n = ledger_.Lambda();
    result_.Lambda_compression = ledger_.Lambda_compression();
    result_.work_compression = ledger_.work_compression();
    result_.work_n = ledger_.work();
    return result_;
  }

 private:
  void record() { result_.path.push_back({result_.u_t, result_.u_n, ledger_.Lambda()}); }

  void enter(Slide slide) {
    const ImpactPhase phase{slide, ledger_.restitution()};
    if (result_.phases.empty() || !(result_.phases.back() == phase)) result_.phases.push_back(phase);
  }

  void from_rest() {
    if (leaving_.stick && stick_response() == 0 && std::abs(result_.u_n) <= no_speed * speed_) {
      result_.u_n = 0;  // held by the sticking contact: nothing that is stored can be given back
      ledger_.stop();
      record();
      return;
    }
    straight(leaving_.e, 0, leaving_.stick ? Slide::stick : Slide::slip);
  }

  // Along a line that does not turn, to the end of the phase or of the slip.
  void straight(const Eigen::Vector2d& e, double s, Slide slide) {
    const bool stick = slide == Slide::stick;
    const Response r = stick ? Response{0, 0, stick_response()} : response(c_, e);
    const double end = ledger_.to_end(result_.u_n, r.p);
    const double stop = r.k > 0 && s > 0 ? s / r.k : std::numeric_limits<double>::infinity();
    const double length = std::fmin(end, stop);
    if (!std::isfinite(length)) {
      result_.outcome = ImpactOutcome::locked;
      return;
    }
    if (length > 0) enter(slide);
    const double s_after = stop <= end ? 0 : s - r.k * length;
    const bool at_zero = end <= stop && !ledger_.restitution();
    const double u_n = at_zero ? 0 : result_.u_n + r.p * length;
    const bool fell = ledger_.restitution() && r.p < 0 && length == -result_.u_n / r.p;
    ledger_.add(length, length * (result_.u_n + u_n) / 2);
    result_.work_t -= stick ? 0 : c_.mu * length * (s + s_after) / 2;
    result_.Lambda_t += length * (stick ? stick_friction() : Eigen::Vector2d(-c_.mu * e));
    result_.u_t = s_after * e;
    result_.u_n = fell ? 0 : u_n;
    record();
    if (end <= stop) ledger_.end_phase(fell);
  }

  // With a turning direction, to the end of the phase, of the slip, or of the turning.
  void curved(const Eigen::Vector2d& e, double s) {
    State y = State::Zero();
    y(sigma) = std::log(s);
    y(phi) = std::atan2(e.y(), e.x());
    y(normal) = result_.u_n;
    const auto rate = [this](const State& at) { return rate_of(at); };
    double h = 0.05 / turning_;
    enter(Slide::slip);
    while (result_.steps < most_steps) {
      const auto step = detail::dormand_prince<size>(rate, y, h);
      const double error = error_of(step.error);
      ++result_.steps;
      const double factor = detail::step_factor(error);
      if (!(error <= 1)) {
        h *= factor;
        continue;
      }
      const bool fell = ledger_.restitution() && step.y(normal) < 0;
      if (left(y, step.y) <= 0 || fell) {
        book(y, located(rate, y, h, fell));
        result_.u_n = ledger_.restitution() && !fell ? result_.u_n : 0;
        ledger_.end_phase(fell);
        return;
      }
      book(y, step.y);
      y = step.y;
      h *= factor;
      if (slip_ends(y)) return;
    }
    result_.outcome = ImpactOutcome::locked;
  }

  // Straight from here on: the direction does not turn any more, or nothing of the slip is left.
  bool slip_ends(const State& y) {
    const Response r = response(c_, direction(y(phi)));
    if (std::abs(r.h) <= no_turning * turning_) return true;
    const double s = std::exp(y(sigma));
    if (s > no_slip * speed_ || r.k <= 0) return false;
    result_.u_t.setZero();  // the way to it, s/k, is below rounding
    return true;
  }

  State rate_of(const State& y) const {
    const Eigen::Vector2d e = direction(y(phi));
    const double s = std::exp(y(sigma));
    const Response r = response(c_, e);
    State f;
    f << -r.k, r.h, s * r.p, s, s * y(normal), -c_.mu * s * s, -c_.mu * s * e;
    return f;
  }

  double error_of(const State& error) const {
    const double impulses = speed_ / turning_;
    State allowed;
    allowed << 1, 1, speed_, impulses, speed_ * impulses, speed_ * impulses, impulses, impulses;
    return error.cwiseQuotient(allowed).cwiseAbs().maxCoeff() / allowed_error;
  }

  // What is left of the phase at `to`, a step after `from`, where the ledger stands.
  double left(const State& from, const State& to) const {
    detail::ImpactLedger ahead = ledger_;
    ahead.add(to(impulse) - from(impulse), to(work_n) - from(work_n));
    return ahead.left(to(normal));
  }

  // The state within a step at which the phase ends: bisection with secants on the size of the step.
  template <class Rate>
  State located(const Rate& rate, const State& y, double h, bool fell) const {
    const auto remaining = [&](const State& at) { return fell ? at(normal) : left(y, at); };
    double before = 0;
    double after = h;
    double value_before = remaining(y);
    double value_after = remaining(detail::dormand_prince<size>(rate, y, h).y);
    for (int n = 0; n < 100 && after - before > 2 * epsilon * h; ++n) {
      double at = before + (after - before) * value_before / (value_before - value_after);
      if (n % 3 == 2 || !(at > before && at < after)) at = before + (after - before) / 2;
      const double value = remaining(detail::dormand_prince<size>(rate, y, at).y);
      (value > 0 ? before : after) = at;
      (value > 0 ? value_before : value_after) = value;
      if (value == 0) break;
    }
    return detail::dormand_prince<size>(rate, y, after).y;
  }

  void book(const State& from, const State& to) {
    ledger_.add(to(impulse) - from(impulse), to(work_n) - from(work_n));
    result_.work_t += to(work_t) - from(work_t);
    result_.Lambda_t += to.tail<2>() - from.tail<2>();
    result_.u_t = std::exp(to(sigma)) * direction(to(phi));
    result_.u_n = to(normal);
    record();
  }

  Eigen::Vector2d stick_friction() const { return -c_.W_tt.completeOrthogonalDecomposition().solve(c_.W_tn); }
  double stick_response() const {
    const double K = c_.W_nn + c_.W_tn.dot(stick_friction());
    return K <= no_stick_response * c_.W_nn ? 0.0 : K;
  }

  SpatialContact c_;
  detail::ImpactLedger ledger_;
  LeavingDirection leaving_;
  SpatialImpact result_;
  double speed_ = 0;
  double turning_ = 0;
};

}  // namespace

LeavingDirection leaving_direction(const SpatialContact& c) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen(c.W_tt);
  const Eigen::Vector2d a = eigen.eigenvalues().cwiseMax(0.0);
  const Eigen::Vector2d g = eigen.eigenvectors().transpose() * c.W_tn;
  // |(μ W_tt + c)⁻¹ W_tn|; W is semidefinite, so that W_tn has no part along which W_tt does not respond.
  const auto pull = [&](double rate) {
    double square = 0;
    for (Eigen::Index i = 0; i < 2; ++i) {
      const double along = std::abs(g(i)) <= no_response * c.W_tn.norm() ? 0 : g(i);
      const double x = along == 0 ? 0 : along / (c.mu * a(i) + rate);
      square += x * x;
    }
    return std::sqrt(square);
  };
  LeavingDirection result;
  if (pull(0) <= 1 + 4 * epsilon) return result;
  result.stick = false;
  double below = 0;
  double above = c.W_tn.norm();
  for (int n = 0; n < 2000; ++n) {
    const double middle = below + (above - below) / 2;
    if (middle == below || middle == above) break;
    (pull(middle) > 1 ? below : above) = middle;
  }
  const Eigen::Vector2d e =
      eigen.eigenvectors() * g.cwiseQuotient((c.mu * a).array().matrix() + Eigen::Vector2d::Constant(above));
  result.e = e.normalized();
  return result;
}

SpatialImpact spatial_impact(const SpatialContact& contact, double u_n, const BounceLaw& law) {
  SpatialContact c = contact;
  c.mu = law.mu.value_or(c.mu);
  const double s = c.u_t.norm();
  const bool jams = s > 0 && response(c, c.u_t / s).p < -no_response * c.W_nn;
  if (u_n > 0 || (u_n == 0 && !jams)) {
    SpatialImpact nothing;
    nothing.u_t = c.u_t;
    nothing.u_n = u_n;
    return nothing;
  }
  return Run(c, u_n, law).run();
}

}  // namespace painleve
