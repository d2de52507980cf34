#include "painleve/simulation/jam_approach.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "painleve/modes/gspot.hpp"
#include "painleve/modes/stability.hpp"

namespace painleve {
namespace {

// Time left to t* below which the difference of two times near t* has lost too many digits, relative to |t*|.
constexpr double resolved = 1e-11;

// At the G-spot b_n → 0 with p, as fast as p^(α3/α1) at least; where p = 0 is crossed it stays of the size of b.
constexpr double crossing = 1e-2;

// The slipping contact whose normal force grew most over the approach.
int growing_contact(const std::vector<ContactMode>& modes, int dimension, const PhaseEnd& end) {
  int best = -1;
  double most = -1;
  for (int i = 0; i < static_cast<int>(modes.size()); ++i) {
    if (modes[static_cast<std::size_t>(i)].letter != Letter::S) continue;
    const int n = dimension * i + dimension - 1;
    const double growth = end.approach.empty() ? 0 : std::abs(end.approach.back().lambda(n));
    if (growth > most) {
      most = growth;
      best = i;
    }
  }
  return best;
}

// A bilateral contact that pulls is one that presses, seen from the other side of its surface.
void turn_over(int n, ContactSpace& space, ContactRates& rates) {
  for (Eigen::MatrixXd* A : {&space.W, &rates.W, &rates.b_force}) {
    A->row(n) *= -1;
    A->col(n) *= -1;
  }
  for (Eigen::VectorXd* x : {&space.b, &space.drift, &space.u, &rates.b}) (*x)(n) *= -1;
}

// Slope of log |λ_n| over log (t* − t), by least squares on the two decades of t* − t nearest to t* that are resolved.
std::optional<double> measured_exponent(const PhaseEnd& end, int n, int side, double t_star) {
  const double least = resolved * std::abs(t_star);
  double nearest = 0;
  for (const JamPoint& point : end.approach)
    if (t_star - point.t > least) nearest = t_star - point.t;  // the last one is the nearest
  double count = 0, x1 = 0, x2 = 0, y1 = 0, xy = 0;
  for (const JamPoint& point : end.approach) {
    const double left = t_star - point.t;
    const double force = side * point.lambda(n);
    if (left < nearest || left > 100 * nearest || !(force > 0)) continue;
    const double x = std::log(left);
    const double y = std::log(force);
    count += 1;
    x1 += x;
    x2 += x * x;
    y1 += y;
    xy += x * y;
  }
  const double spread = count * x2 - x1 * x1;
  if (count < 4 || !(spread > 0)) return std::nullopt;
  return (count * xy - x1 * y1) / spread;
}

// Whether slip at (p > 0, b_n < 0) close to the G-spot runs into it, by its linear flow: b_n = c e^{α3 s} + α2 p/(α1 −
// α3), p ~ e^{α1 s}. Otherwise b_n rises through zero on the way.
bool attracted(const std::array<double, 3>& alpha, double p, double b_n) {
  const auto [a1, a2, a3] = alpha;
  if (a1 >= 0 || a3 >= 0) return false;
  return a1 < a3 ? a2 * p < (a1 - a3) * b_n : a2 < 0;
}

}  // namespace

JamApproach jam_approach(const SimulationProblem& problem, const std::vector<ContactMode>& modes, const PhaseEnd& end) {
  JamApproach jam;
  ContactSpace space = contact_space(*problem.mechanism, end.state, problem.surfaces());
  jam.contact = growing_contact(modes, space.dimension, end);
  jam.t_star = end.state.t;
  const int side = modes[static_cast<std::size_t>(jam.contact)].force_sign;
  const int n = space.normal(jam.contact);
  jam.b_n = space.b(n);
  const auto& points = end.approach;
  jam.p = points.empty() ? 0 : points.back().D * space.W(n, n);
  if (points.size() > 1) {
    // In the plane p falls linearly in time near p = 0; what is left of it says how far t* still is.
    const JamPoint& a = points[points.size() - 2];
    const JamPoint& b = points.back();
    if (space.dimension == 2 && b.t > a.t && a.D > b.D) jam.t_star = b.t + b.D * (b.t - a.t) / (a.D - b.D);
  }
  jam.exponent = measured_exponent(end, n, side, jam.t_star);
  const auto slipping = std::count_if(modes.begin(), modes.end(), [](const auto& m) { return m.letter != Letter::F; });
  if (slipping == 1) {
    ContactRates rates = contact_rates(*problem.mechanism, end.state);
    if (side < 0) turn_over(n, space, rates);
    const GSpot local = gspot(space, rates, jam.contact);
    jam.lifts = space.dimension == 2 && !attracted(local.alpha, jam.p, side * jam.b_n);
    jam.crosses = space.dimension == 3 && std::abs(jam.b_n) > crossing * (space.b.norm() + space.W(n, n) * jam.p);
    jam.portrait = jam.crosses ? (jam.b_n < 0 ? "p = 0 is crossed with b_n < 0" : "p = 0 is crossed with b_n > 0")
                               : local.portrait;
    jam.predicted = jam.crosses ? std::optional<double>(-0.5) : local.exponent;
    if (!jam.crosses && local.lambda_limit) jam.force_limit = side * *local.lambda_limit;
  }
  return jam;
}

ContactMode let_go(const SimulationProblem& problem, int contact, ContactMode slip) {
  if (!problem.bilateral[static_cast<std::size_t>(contact)]) return {};
  slip.force_sign = -slip.force_sign;
  return slip;
}

std::optional<double> time_past_degenerate_slip(const SimulationProblem& problem, const std::vector<ContactMode>& modes,
                                                const PhaseEnd& end) {
  const auto& points = end.approach;
  if (points.size() < 2) return std::nullopt;
  const JamPoint& a = points[points.size() - 2];
  const JamPoint& b = points.back();
  if (!(b.t > a.t && a.D > b.D)) return std::nullopt;
  const ContactSpace space = contact_space(*problem.mechanism, end.state, problem.surfaces());
  std::vector<int> closed;
  std::vector<ContactMode> their_modes;
  for (int i = 0; i < space.count(); ++i) {
    if (modes[static_cast<std::size_t>(i)].letter == Letter::F) continue;
    closed.push_back(i);
    their_modes.push_back(modes[static_cast<std::size_t>(i)]);
  }
  const Eigen::MatrixXd P = fast_matrix(subset(space, closed), their_modes);
  // Redundant contacts, three legs of a body, have such null vectors always.
  if (P.rows() < 2 || gap_space(subset(space, closed), their_modes).cols() < P.rows()) return std::nullopt;
  Eigen::VectorXd v = Eigen::JacobiSVD<Eigen::MatrixXd>(P, Eigen::ComputeFullV).matrixV().col(P.cols() - 1);
  if (v.sum() < 0) v = -v;
  constexpr double zero = 1e-6;  // of a unit vector
  if (v.minCoeff() >= -zero) return std::nullopt;
  constexpr double regular = 1e-4;  // D, on the other side
  return (b.D + regular) * (b.t - a.t) / (a.D - b.D);
}

}  // namespace painleve
