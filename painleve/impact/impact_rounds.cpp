#include "painleve/impact/detail/impact_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace painleve::detail {
namespace {

constexpr std::size_t longest_round = 12;  // impacts
constexpr double same = 1e-10;             // of impulses, from round to round
constexpr double nothing = 1e-9;           // of a velocity that dies out, beside what it was
constexpr double not_at_all = 1;           // s: no further than now

// Down to which s in [0, 1] the straight line from `end` (s = 0) to `now` (s = 1) is not negative.
double not_negative_down_to(double now, double end) {
  if (end >= 0) return now >= 0 ? 0 : not_at_all;
  return now > 0 ? end / (end - now) : not_at_all;
}

}  // namespace

void ImpactRounds::add(int contact, const Eigen::VectorXd& u_before, const Eigen::VectorXd& Lambda) {
  impacts_.push_back({contact, u_before, Lambda});
}

bool ImpactRounds::repeats(std::size_t round) const {
  const std::size_t n = impacts_.size();
  for (std::size_t k = 1; k <= 2 * round; ++k) {
    if (impacts_[n - k].contact != impacts_[n - k - round].contact) return false;
  }
  return true;
}

Eigen::VectorXd ImpactRounds::step(std::size_t round, std::size_t ago) const {
  const std::size_t n = impacts_.size() - 1;
  return impacts_[n - ago * round].Lambda - impacts_[n - (ago + 1) * round].Lambda;
}

// The slip of a contact that has the velocities u at some place of the last round, and tends to u_end. What is nothing
// beside the velocity `scale` dies out.
double ImpactRounds::slips_down_to(int contact, const Eigen::VectorXd& u, const Eigen::VectorXd& u_end,
                                   double scale) const {
  if (s_.space.mu(contact) == 0) return 0;
  const int width = s_.space.dimension - 1;
  const Eigen::VectorXd now = u.segment(s_.space.tangent(contact), width);
  const Eigen::VectorXd end = u_end.segment(s_.space.tangent(contact), width);
  if (end.norm() <= nothing * scale) return 0;
  if (now.norm() == 0) return not_at_all;
  const Eigen::VectorXd e = now.normalized();
  const double along = e.dot(end);
  const bool straight = (end - along * e).norm() <= nothing * end.norm();
  return straight ? not_negative_down_to(now.norm(), along) : not_at_all;
}

// The contact whose turn it is before all others that are closed and take no part.
double ImpactRounds::leads_down_to(std::size_t round, const Impact& next, const Eigen::VectorXd& u_end) const {
  const int own = s_.space.normal(next.contact);
  constexpr double stopped = 1e-6;  // of the approach: what rounding leaves of it where f is near 1
  if (std::abs(u_end(own)) > stopped * std::abs(next.u(own))) return not_at_all;
  // An end of the series at rest is known up to rounding of all that leads there.
  const double room = std::max(s_.least_approach,
                               rounding_of_end * (next.u.lpNorm<Eigen::Infinity>() + u_end.lpNorm<Eigen::Infinity>()));
  double s = 0;
  for (const int other : s_.unilateral) {
    const bool takes_part = std::any_of(impacts_.end() - static_cast<std::ptrdiff_t>(round), impacts_.end(),
                                        [&](const Impact& impact) { return impact.contact == other; });
    if (takes_part) continue;
    const int n = s_.space.normal(other);
    s = std::max(s, not_negative_down_to(next.u(n) - next.u(own), u_end(n) + room));
  }
  return s;
}

double ImpactRounds::holds_down_to(std::size_t round, const Eigen::VectorXd& u, const Eigen::VectorXd& u_end) const {
  double s = 0;
  for (std::size_t k = impacts_.size() - round; k < impacts_.size(); ++k) {
    const Impact& impact = impacts_[k];
    const Eigen::VectorXd& after = k + 1 < impacts_.size() ? impacts_[k + 1].u : u;
    const int t = s_.space.tangent(impact.contact);
    const double scale = (impact.u - u_end).segment(t, s_.space.dimension).norm();
    s = std::max({s, slips_down_to(impact.contact, impact.u, u_end, scale),
                  slips_down_to(impact.contact, after, u_end, scale), leads_down_to(round, impact, u_end)});
  }
  return s;
}

std::optional<RoundsAhead> ImpactRounds::ahead(const Eigen::VectorXd& u) const {
  for (std::size_t round = 1; round <= longest_round && 4 * round < impacts_.size(); ++round) {
    if (!repeats(round)) continue;
    const Eigen::VectorXd last = step(round, 0);
    const Eigen::VectorXd before = step(round, 1);
    const double factor = last.dot(before) / before.squaredNorm();
    const bool alike = (last - factor * before).norm() <= same * last.norm() &&
                       (before - factor * step(round, 2)).norm() <= same * before.norm();
    if (!alike || !(factor > 0 && factor < 1)) continue;
    const Eigen::VectorXd rest = last * (factor / (1 - factor));
    const double s = holds_down_to(round, u, u + s_.space.W * rest);
    if (s == 0) return RoundsAhead{rest, std::numeric_limits<double>::infinity()};
    constexpr double most_rounds = 1e5;
    constexpr double margin = 2;  // rounds that are followed again before anything changes
    const double rounds = std::min(std::floor(std::log(s) / std::log(factor)) - margin, most_rounds);
    if (rounds >= 1)
      return RoundsAhead{rest * -std::expm1(rounds * std::log(factor)), rounds * static_cast<double>(round)};
  }
  return std::nullopt;
}

}  // namespace painleve::detail
