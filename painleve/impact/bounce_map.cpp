#include "painleve/impact/bounce_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"

namespace painleve {
namespace {

constexpr int most_bounces = 100000;
// The ratio repeats to rounding of the impact; α is compared with the speeds it is the ratio of.
constexpr double same_ratio = 8 * std::numeric_limits<double>::epsilon();
// Of the first landing speed: what comes later does not change a digit of any sum.
constexpr double no_speed = 1e-17;

double beta(const PlanarContact& c) { return c.b_t / -c.b_n; }

PlanarContact landing_at(PlanarContact c, double ratio) {
  c.u_t = ratio;
  return c;
}

// Slip in the direction of `sign`, as long as it lasts: u_t loses k per p of the normal velocity.
struct SlipLine {
  double p, k;
};
SlipLine slip_line(const PlanarContact& c, const BounceLaw& law, double sign) {
  const double mu = law.mu.value_or(c.mu);
  return {sum_or_zero(c.W_nn, -mu * sign * c.W_tn), sum_or_zero(mu * c.W_tt, -sign * c.W_tn)};
}

// The least |α| from which bounces slip in the direction of `sign` for ever; empty when there is none.
std::optional<double> endless_slip(const PlanarContact& c, const BounceLaw& law, double sign) {
  const SlipLine s = slip_line(c, law, sign);
  const double r = law.restitution;
  if (!(s.p > 0)) return std::nullopt;
  const double throughout = std::fmax((1 + r) * s.k / s.p, 0.0);     // the impact slips to its end
  const double loss = (1 + r) * s.k / s.p - 2 * sign * beta(c) * r;  // of u_t per landing speed and bounce
  if (r < 1) return std::fmax(throughout, loss / (1 - r));
  return loss <= 0 ? std::optional(throughout) : std::nullopt;
}

bool slips_on(const PlanarContact& c, const BounceLaw& law, double ratio) {
  if (ratio == 0) return false;
  const double sign = ratio > 0 ? 1 : -1;
  const auto least = endless_slip(c, law, sign);
  return least && std::abs(ratio) > *least;
}

// Δ² extrapolation of a slow iteration, taken only where its steps shrink — towards a fixed point that attracts — and
// where it is a better one.
template <class Map>
double accelerated(const Map& f, double x0, double x1, double x2) {
  const double bend = (x2 - x1) - (x1 - x0);
  if (!(std::abs(x2 - x1) < std::abs(x1 - x0))) return x2;
  const double guess = x2 - (x2 - x1) * (x2 - x1) / bend;
  if (!std::isfinite(guess)) return x2;
  return std::abs(f(guess) - guess) < 0.1 * std::abs(f(x2) - x2) ? guess : x2;
}

// Bounces in endless slip: V_j = r^j V, u_j = u_end − loss V_j/(r − 1) …, see complete_chatter().
void sum_slip(const PlanarContact& c, double u_n, const BounceLaw& law, Chatter& chatter) {
  const double sign = c.u_t > 0 ? 1 : -1;
  const SlipLine s = slip_line(c, law, sign);
  const double r = law.restitution;
  const double V = -u_n;
  const double impact = -sign * (1 + r) * s.k / s.p;   // change of u_t in an impact, per landing speed
  const double per_bounce = impact + 2 * beta(c) * r;  // and over the bounce
  const double u_end = c.u_t + per_bounce * V / (1 - r);
  const double time = 2 * r / -c.b_n;  // of a flight, per landing speed
  // Just after impact j the slip is u_end + rate V_j; the way in flight is (u_end + rate V_j) time V_j + b_t (time
  // V_j)²/2.
  const double rate = impact - per_bounce / (1 - r);
  chatter.t_end += time * V / (1 - r);
  chatter.shift += u_end * time * V / (1 - r) + (rate * time + c.b_t * time * time / 2) * V * V / (1 - r * r);
  chatter.u_t = u_end;
  chatter.e = r;
  chatter.completes = true;
}

// An impact after which there is no flight.
void end_at_once(const PlanarImpact& impact, Chatter& chatter) {
  chatter.completes = impact.happened();
  chatter.u_t = impact.u_t;
  if (!chatter.completes) chatter.reason = "no normal impulse stops the approach";
}

// Bounces that repeat with the factor e.
void sum_cycle(const Bounce& next, double e, Chatter& chatter) {
  chatter.e = e;
  if (e >= 1) {
    chatter.reason = fmt::format("the bounces do not get weaker: e = {:.6g}", e);
    return;
  }
  chatter.t_end += next.flight / (1 - e);
  chatter.shift += next.shift / (1 - e * e);
  chatter.u_t = 0;
  chatter.completes = true;
}

void require_return(const PlanarContact& c) {
  if (!(c.b_n < 0)) throw InputError(fmt::format("bounces need a flight that returns: b_n = {} must be < 0", c.b_n));
}

}  // namespace

Bounce bounce(const PlanarContact& c, double u_n, const BounceLaw& law) {
  require_return(c);
  Bounce b;
  b.impact = planar_impact(c, u_n, law);
  b.flight = 2 * b.impact.u_n / -c.b_n;
  b.shift = b.flight * (b.impact.u_t + c.b_t * b.flight / 2);
  b.u_t = b.impact.u_t + c.b_t * b.flight;
  b.u_n = -b.impact.u_n;
  return b;
}

std::optional<BounceCycle> bounce_cycle(const PlanarContact& c, const BounceLaw& law) {
  if (!(c.b_n < 0)) return std::nullopt;
  BounceCycle cycle;
  double x = 2 * beta(c);
  double before = x;
  double e = 0;
  bool stops = true;
  const auto f = [&](double ratio) {
    const PlanarImpact i = planar_impact(landing_at(c, ratio), -1, law);
    stops = i.happened();
    e = i.u_n;
    return i.u_n > 0 ? i.u_t / i.u_n + 2 * beta(c) : ratio;
  };
  for (; cycle.bounces < most_bounces; ++cycle.bounces) {
    if (slips_on(c, law, x)) {
      cycle.e = law.restitution;
      cycle.alpha_reason = "the landing ratio grows without bound: the bounces end in slip";
      return cycle;
    }
    const double next = f(x);
    if (!stops) return std::nullopt;
    cycle.e = e;
    if (e == 0) {
      cycle.alpha_reason = "the first impact is the last one: e = 0";
      return cycle;
    }
    if (std::abs(next - x) <= same_ratio * (std::abs(x) + 1)) {
      cycle.alpha = x;
      return cycle;
    }
    const bool slow = cycle.bounces % 8 == 7;
    const double jumped = slow ? accelerated(f, before, x, next) : next;
    before = slow ? jumped : x;
    x = jumped;
  }
  cycle.settled = false;
  cycle.alpha_reason = fmt::format("the landing ratio has not settled after {} bounces", most_bounces);
  return cycle;
}

Chatter complete_chatter(const PlanarContact& contact, double u_n, const BounceLaw& law) {
  require_return(contact);
  if (!(u_n < 0)) throw InputError(fmt::format("chatter begins with a landing: u_n = {} must be < 0", u_n));
  PlanarContact c = contact;
  const double first = -u_n;
  Chatter chatter;
  for (; chatter.bounces < most_bounces; ++chatter.bounces) {
    const double ratio = c.u_t / -u_n;
    if (law.restitution < 1 && slips_on(c, law, ratio)) {
      sum_slip(c, u_n, law, chatter);
      return chatter;
    }
    const Bounce next = bounce(c, u_n, law);
    if (next.impact.u_n <= 0) {
      end_at_once(next.impact, chatter);
      return chatter;
    }
    const bool settled = std::abs(next.u_t / -next.u_n - ratio) <= same_ratio * (std::abs(ratio) + 1);
    if (settled || -u_n < no_speed * first) {
      sum_cycle(next, next.impact.u_n / -u_n, chatter);
      return chatter;
    }
    chatter.t_end += next.flight;
    chatter.shift += next.shift;
    c.u_t = next.u_t;
    u_n = next.u_n;
  }
  chatter.reason = fmt::format("the landing ratio has not settled after {} bounces", most_bounces);
  return chatter;
}

ReverseChatter reverse_chatter(const PlanarContact& c, const BounceLaw& law) {
  ReverseChatter r;
  r.b_t = c.b_t;
  r.b_n = c.b_n;
  const auto cycle = bounce_cycle(c, law);
  if (!cycle) {
    r.reason = fmt::format("no flight returns: b_n = {:.6g} >= 0", c.b_n);
    return r;
  }
  r.e = cycle->e;
  if (!(cycle->e > 1 && cycle->alpha)) {
    r.reason = fmt::format("bounces do not grow: e = {:.6g} <= 1", cycle->e);
    return r;
  }
  r.possible = true;
  r.alpha = *cycle->alpha;
  r.after_ratio = planar_impact(landing_at(c, r.alpha), -1, law).u_t;
  r.to_ratio = endless_slip(c, law, 1);
  r.from_ratio = endless_slip(c, law, -1);
  if (r.from_ratio) r.from_ratio = -*r.from_ratio;
  return r;
}

std::optional<BounceLanding> landing(const ReverseChatter& r, const ReverseFuture& future, long n) {
  if (!r.possible) return std::nullopt;
  const double V = future.speed * std::exp((static_cast<double>(n) + future.phase) * std::log(r.e));
  // The flight that ends here began with u_t⁺ = after_ratio V/e; the ones before it are smaller by e.
  const double flight = 2 * V / -r.b_n;
  const double way = flight * (r.after_ratio / r.e * V + r.b_t * flight / 2);
  const BounceLanding l{flight * r.e / (r.e - 1), r.alpha * V, -V, way * r.e * r.e / (r.e * r.e - 1)};
  if (!(V > 0) || !std::isfinite(V) || !std::isfinite(l.t) || !std::isfinite(l.shift)) return std::nullopt;
  return l;
}

long last_landing(const ReverseChatter& r, const ReverseFuture& future, double t) {
  if (!r.possible || !(t > 0)) throw InputError("a landing of reverse chatter needs e > 1 and t > 0");
  const double V = t * -r.b_n * (r.e - 1) / (2 * r.e);
  auto n = static_cast<long>(std::floor(std::log(V / future.speed) / std::log(r.e) - future.phase));
  const auto after = [&](long m) {
    const auto l = landing(r, future, m);
    return !l || l->t > t;
  };
  while (after(n)) --n;  // the logarithm may be off by its rounding
  while (!after(n + 1)) ++n;
  return n;
}

std::optional<FlightState> state_at(const ReverseChatter& r, const ReverseFuture& future, double t) {
  const long n = last_landing(r, future, t);
  const auto start = landing(r, future, n);
  if (!start) return std::nullopt;
  const double flown = t - start->t;
  const double u_t = r.after_ratio * -start->u_n;
  const double u_n = r.e * -start->u_n;
  FlightState s;
  s.bounce = n;
  s.gap = std::fmax(flown * (u_n + r.b_n * flown / 2), 0.0);
  s.shift = start->shift + flown * (u_t + r.b_t * flown / 2);
  s.u_t = u_t + r.b_t * flown;
  s.u_n = u_n + r.b_n * flown;
  return s;
}

std::optional<double> least_mu_of_reverse_chatter(const PlanarContact& c, double r) {
  const double B = std::abs(c.W_tn);
  if (!(B > 0 && c.W_tt > 0)) return std::nullopt;
  const double K = sum_or_zero(c.W_nn, -B * B / c.W_tt);
  return (c.W_nn - r * r * K) / B;
}

std::optional<GrowthInterval> growth_interval(const PlanarContact& c, double r) {
  const auto least = least_mu_of_reverse_chatter(c, r);
  if (!least || !(c.mu > *least) || !(r > 0)) return std::nullopt;
  const double A = c.W_tt;
  const double B = std::abs(c.W_tn);
  const double p = sum_or_zero(c.W_nn, -c.mu * B);
  const double k = sum_or_zero(c.mu * A, -B);
  const double K = c.W_nn - B * B / A;
  const double G = (1 / (r * r) - 1) * A / (4 * B);
  GrowthInterval g;
  g.lo = 2 * G / (1 + std::sqrt(std::fmax(1 - 4 * G * p / k, 0.0)));
  if (p > 0) g.hi = k / (2 * p) * (1 + std::sqrt((r * r * K / p - 1) / (K / p - 1)));
  return g;
}

}  // namespace painleve
