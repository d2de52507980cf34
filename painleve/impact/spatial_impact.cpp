#include "painleve/impact/spatial_impact.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "painleve/impact/detail/impact_ledger.hpp"
#include "painleve/impact/detail/turning_slip.hpp"

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
// Local error of a step in parts of the tolerance of the whole, which is some ten steps long.
constexpr double per_step = 1e-2;
constexpr double finest = 1e-12;  // rounding takes over
constexpr int most_steps = 200000;
// Parts of a step between which the end of a phase is looked for.
constexpr int parts = 8;

// What slip along e does per normal impulse.
struct Response {
  double k, h, p;
};
Response response(const SpatialContact& c, const Eigen::Vector2d& e) {
  const Eigen::Vector2d rate = c.W_tn - c.mu * c.W_tt * e;
  return {-e.dot(rate), e.x() * rate.y() - e.y() * rate.x(), c.W_nn - c.mu * c.W_tn.dot(e)};
}

class Run {
 public:
  Run(const SpatialContact& c, double u_n, const BounceLaw& law, const SpatialImpactOptions& options)
      : c_(c), ledger_(law, u_n), leaving_(leaving_direction(c)), options_(options) {
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
      if (keeps_direction(e)) {
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
  void record() {
    if (options_.path) result_.path.push_back({result_.u_t, result_.u_n, ledger_.Lambda()});
  }

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
  void curved(Eigen::Vector2d e, double s) {
    detail::TurningSlip slip(c_, speed_, turning_, per_step * std::fmax(options_.tolerance, finest));
    enter(Slide::slip);
    while (result_.steps < most_steps) {
      slip.start(e, s, result_.u_n);
      ++result_.steps;
      const Ending ending = end_of_phase(slip);
      const double tau = ending.found ? ending.tau : slip.length();
      if (options_.path) record_between(slip, tau);
      const detail::TurningSlip::Point to = slip.at(tau);
      book(to);
      if (ending.found) {
        result_.u_n = ledger_.restitution() && !ending.fell ? result_.u_n : 0;
        ledger_.end_phase(ending.fell);
        return;
      }
      e = to.e;
      s = to.s;
      if (slip_ends(e, s)) return;
    }
    result_.outcome = ImpactOutcome::locked;
  }

  // Whether the direction turns so slowly that it may be taken to stand: to rounding, or, where the turning dies out
  // (dh/dφ < 0), to the tolerance.
  bool keeps_direction(const Eigen::Vector2d& e) const {
    const Response r = response(c_, e);
    const Eigen::Vector2d across(-e.y(), e.x());
    const bool dies_out = r.k < c_.mu * across.dot(c_.W_tt * across);
    return std::abs(r.h) <= (dies_out ? std::fmax(no_turning, 0.1 * options_.tolerance) : no_turning) * turning_;
  }

  // Straight from here on: the direction does not turn any more, or nothing of the slip is left.
  bool slip_ends(const Eigen::Vector2d& e, double s) {
    const Response r = response(c_, e);
    if (keeps_direction(e)) return true;
    if (s > no_slip * speed_ || r.k <= 0) return false;
    result_.u_t.setZero();  // the way to it, s/k, is below rounding
    return true;
  }

  // What is left of the phase at this moment of a step, where the ledger stands at its start.
  double left(const detail::TurningSlip& slip, double tau) const {
    const double u_n = slip.u_n(tau);
    if (!ledger_.restitution()) return ledger_.left(u_n);  // a matter of the velocity alone
    detail::ImpactLedger ahead = ledger_;
    ahead.add(slip.Lambda(tau), slip.work_n(tau));
    return ahead.left(u_n);
  }

  // The first moment of a step at which the phase ends; `fell`: u_n falls to zero in restitution.
  struct Ending {
    bool found = false, fell = false;
    double tau = 0;
  };
  Ending end_of_phase(const detail::TurningSlip& slip) const {
    double before = 0;
    for (int part = 1; part <= parts; ++part) {
      const double after = part == parts ? slip.length() : slip.length() * part / parts;
      const bool fell = ledger_.restitution() && slip.u_n(after) < 0;
      if (fell || left(slip, after) <= 0) return {true, fell, located(slip, before, after, fell)};
      before = after;
    }
    return {};
  }

  // Bisection with secants. An impact may be much shorter than a step, where the slip is fast: its end is found to the
  // same part of itself.
  double located(const detail::TurningSlip& slip, double before, double after, bool fell) const {
    const auto remaining = [&](double tau) { return fell ? slip.u_n(tau) : left(slip, tau); };
    for (int n = 0; n < 6 && before == 0 && remaining(after / 256) <= 0; ++n) after /= 256;
    double value_before = remaining(before);
    double value_after = remaining(after);
    for (int n = 0; n < 100 && after - before > 2 * epsilon * after; ++n) {
      double at = before + (after - before) * value_before / (value_before - value_after);
      if (n % 3 == 2 || !(at > before && at < after)) at = before + (after - before) / 2;
      const double value = remaining(at);
      (value > 0 ? before : after) = at;
      (value > 0 ? value_before : value_after) = value;
      if (value == 0) break;
    }
    return after;
  }

  void book(const detail::TurningSlip::Point& to) {
    ledger_.add(to.Lambda, to.work_n);
    result_.work_t += to.work_t;
    result_.Lambda_t += to.Lambda_t;
    result_.u_t = to.s * to.e;
    result_.u_n = to.u_n;
    record();
  }

  void record_between(const detail::TurningSlip& slip, double tau) {
    for (int part = 1; part < parts; ++part) {
      const detail::TurningSlip::Point point = slip.at(tau * part / parts);
      result_.path.push_back({point.s * point.e, point.u_n, ledger_.Lambda() + point.Lambda});
    }
  }

  Eigen::Vector2d stick_friction() const { return -c_.W_tt.completeOrthogonalDecomposition().solve(c_.W_tn); }
  double stick_response() const {
    const double K = c_.W_nn + c_.W_tn.dot(stick_friction());
    return K <= no_stick_response * c_.W_nn ? 0.0 : K;
  }

  SpatialContact c_;
  detail::ImpactLedger ledger_;
  LeavingDirection leaving_;
  SpatialImpactOptions options_;
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

SpatialImpact spatial_impact(const SpatialContact& contact, double u_n, const BounceLaw& law,
                             const SpatialImpactOptions& options) {
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
  return Run(c, u_n, law, options).run();
}

}  // namespace painleve
