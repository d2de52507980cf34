#include "dormand_prince_peer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace painleve {
namespace {

constexpr double gravity = 9.81;

enum Index { X, Y, THETA, VX, VY, OMEGA, FRICTION, IMPULSE_T, IMPULSE_N };
constexpr std::size_t count = IMPULSE_N + 1;
using Vector = std::array<double, count>;

struct Forces {
  double t, n;
};

double slip(const Vector& y) { return y[VX] - std::sin(y[THETA]) * y[OMEGA]; }

double energy(const Vector& y) {
  return (y[VX] * y[VX] + y[VY] * y[VY] + y[OMEGA] * y[OMEGA] / 3) / 2 + gravity * y[Y];
}

// Mass 1, half length 1, gyration² 1/3; the tip is (x + cos θ, y − sin θ). direction: of slip, ±1; 0: stick.
struct Phase {
  double mu, direction = 0;

  Forces forces(const Vector& y, double sin, double cos) const {
    const double W_tt = 1 + 3 * sin * sin, W_tn = 3 * sin * cos, W_nn = 1 + 3 * cos * cos;
    const double b_t = -cos * y[OMEGA] * y[OMEGA], b_n = -gravity + sin * y[OMEGA] * y[OMEGA];
    if (direction == 0) {
      const double det = W_tt * W_nn - W_tn * W_tn;
      return {(W_tn * b_n - W_nn * b_t) / det, (W_tn * b_t - W_tt * b_n) / det};
    }
    const double lambda_n = -b_n / (W_nn - mu * direction * W_tn);
    return {-mu * direction * lambda_n, lambda_n};
  }
  Forces forces(const Vector& y) const { return forces(y, std::sin(y[THETA]), std::cos(y[THETA])); }

  void rates(const Vector& y, Vector& f) const {
    const double sin = std::sin(y[THETA]), cos = std::cos(y[THETA]);
    const Forces lambda = forces(y, sin, cos);
    f = {y[VX],
         y[VY],
         y[OMEGA],
         lambda.t,
         lambda.n - gravity,
         -3 * (sin * lambda.t + cos * lambda.n),
         -lambda.t * (y[VX] - sin * y[OMEGA]),
         lambda.t,
         lambda.n};
  }

  // Positive while the phase holds: in stick the distance to the edge of the cone, in slip its speed. λ_n in both;
  // where it falls through 0 in slip, so does p.
  double margin(const Vector& y) const {
    const Forces lambda = forces(y);
    const double held = direction == 0 ? mu * lambda.n - std::abs(lambda.t) : direction * slip(y);
    return std::min(held, lambda.n);
  }

  // What follows where the margin is spent; false: the tip lifts.
  bool go_on(const Vector& y) {
    const Forces before = forces(y);
    if (before.n <= 0) return false;
    const Forces stick = Phase{mu, 0}.forces(y);
    if (direction != 0 && std::abs(stick.t) <= mu * stick.n)
      direction = 0;
    else
      direction = stick.t > 0 ? -1 : 1;
    return forces(y).n > 0;
  }
};

// Dormand & Prince (1980), with the dense output of order 4 of Hairer, Nørsett & Wanner (1993), II.6.
constexpr double a[6][6] = {{1.0 / 5},
                            {3.0 / 40, 9.0 / 40},
                            {44.0 / 45, -56.0 / 15, 32.0 / 9},
                            {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                            {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                            {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
constexpr double e[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
constexpr double d[7] = {-12715105075.0 / 11282082432,  0,
                         87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                         701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                         69997945.0 / 29380423};

class Integrator {
 public:
  Integrator(const Phase& phase, double tolerance, const Vector& y) : phase_(phase), tolerance_(tolerance), y_(y) {
    restart(y);
  }

  const Vector& begin() const { return y_; }
  const Vector& end() const { return new_; }
  double size() const { return h_; }

  void restart(const Vector& y) {
    y_ = y;
    phase_.rates(y_, k_[0]);
  }

  void accept() {
    y_ = new_;
    k_[0] = k_[6];
  }

  // One step of at most `limit` from begin() to end().
  void step(double limit) {
    for (;;) {
      h_ = std::min(proposed_, limit);
      stages();
      const double error = estimate();
      const double factor = std::clamp(0.9 * std::pow(error, -0.2), 0.2, 5.0);
      if (error <= 1) {
        if (h_ == proposed_ || factor < 1) proposed_ = h_ * factor;
        return;
      }
      proposed_ = h_ * factor;
    }
  }

  void prepare_dense() {
    for (std::size_t i = 0; i < count; ++i) {
      const double difference = new_[i] - y_[i];
      const double bend = h_ * k_[0][i] - difference;
      double sum = 0;
      for (std::size_t j = 0; j < 7; ++j) sum += d[j] * k_[j][i];
      dense_[i] = {difference, bend, difference - h_ * k_[6][i] - bend, h_ * sum};
    }
  }

  // At the part x of the step, 0 ≤ x ≤ 1.
  Vector interpolate(double x) const {
    Vector y;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& c = dense_[i];
      y[i] = y_[i] + x * (c[0] + (1 - x) * (c[1] + x * (c[2] + (1 - x) * c[3])));
    }
    return y;
  }

 private:
  void stages() {
    for (std::size_t s = 0; s < 6; ++s) {
      for (std::size_t i = 0; i < count; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j <= s; ++j) sum += a[s][j] * k_[j][i];
        new_[i] = y_[i] + h_ * sum;
      }
      phase_.rates(new_, k_[s + 1]);
    }
  }

  double estimate() const {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      double error = 0;
      for (std::size_t j = 0; j < 7; ++j) error += e[j] * k_[j][i];
      const double scale = tolerance_ * (1 + std::max(std::abs(y_[i]), std::abs(new_[i])));
      sum += (h_ * error / scale) * (h_ * error / scale);
    }
    return std::sqrt(sum / static_cast<double>(count));
  }

  const Phase& phase_;
  double tolerance_, h_ = 0, proposed_ = 1e-3;
  Vector y_, new_{};
  std::array<Vector, 7> k_{};
  std::array<std::array<double, 4>, count> dense_{};
};

// The part of the step at which the margin falls through zero, to rounding, on the far side. Illinois: an end that
// stays for a second time counts half.
double spent_at(const Phase& phase, const Integrator& integrator) {
  double low = 0, high = 1;
  double g_low = phase.margin(integrator.begin()), g_high = phase.margin(integrator.end());
  int stayed = 0;  // which end: −1 low, +1 high
  while (high - low > 1e-15) {
    const double secant = low + (high - low) * g_low / (g_low - g_high);
    const double x = secant > low && secant < high ? secant : (low + high) / 2;
    if (x <= low || x >= high) break;
    const double g = phase.margin(integrator.interpolate(x));
    if (g > 0) {
      low = x;
      g_low = g;
      if (stayed > 0) g_high /= 2;
      stayed = 1;
    } else {
      high = x;
      g_high = g;
      if (g == 0) break;
      if (stayed < 0) g_low /= 2;
      stayed = -1;
    }
  }
  return high;
}

}  // namespace

HandWrittenRun hand_written_rod(double theta, double mu, double t_end, double tolerance) {
  Vector y{0, std::sin(theta), theta};
  Phase phase{mu};
  HandWrittenRun run;
  run.energy = energy(y);
  const Forces stick = phase.forces(y);
  bool holds = std::abs(stick.t) <= mu * stick.n || phase.go_on(y);
  Integrator integrator(phase, tolerance, y);
  while (holds && run.t < t_end) {
    integrator.step(t_end - run.t);
    ++run.steps;
    if (phase.margin(integrator.end()) > 0) {
      run.t = integrator.size() < t_end - run.t ? run.t + integrator.size() : t_end;
      integrator.accept();
      continue;
    }
    integrator.prepare_dense();
    const double x = spent_at(phase, integrator);
    run.t += x * integrator.size();
    const Vector there = integrator.interpolate(x);
    ++run.events;
    holds = phase.go_on(there);
    integrator.restart(there);
  }
  const Vector& last = integrator.begin();
  run.theta = last[THETA];
  run.impulse_n = last[IMPULSE_N];
  run.defect = energy(last) - run.energy + last[FRICTION];
  return run;
}

}  // namespace painleve
