#include "painleve/reproduction/preclik_rod.hpp"

#include <Eigen/Core>
#include <cmath>
#include <numbers>

#include "painleve/simulation/crossing.hpp"
#include "painleve/simulation/radau.hpp"

namespace painleve {
namespace {

constexpr double kFriction = 1.5;
constexpr int kMostChanges = 1000;  // of the branch; a run has a handful
const double kCos = std::cos(std::numbers::pi / 3), kSin = std::sin(std::numbers::pi / 3);

// The gap is a state of its own: from q_y and φ it would have no digits when the springs are stiff.
enum Index { gap, angle, v_x, v_y, omega, impulse_n, impulse_t, state_size };

// Which of the branches of (22) hold.
struct Branch {
  bool approaching = true;  // ġ_n < 0: the normal damper acts
  bool sliding = true;      // friction is μ λ_n
};

struct Force {
  double n, t;
};

class PressedRod final : public OdeSystem, public EventFunctions {
 public:
  explicit PressedRod(double alpha) : alpha_(alpha) {}
  Branch branch;

  int size() const override { return state_size; }
  static double normal_rate(const Eigen::VectorXd& y) { return y(v_y) - kCos * y(omega); }
  static double slip(const Eigen::VectorXd& y) { return y(v_x) + kSin * y(omega); }
  Force force(const Eigen::VectorXd& y) const {
    const double n = -alpha_ * y(gap) - (branch.approaching ? alpha_ * normal_rate(y) : 0);
    return {n, branch.sliding ? kFriction * n : -alpha_ * slip(y)};  // slip is to the left
  }
  void rates(double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const override {
    const Force f = force(y);
    rate(gap) = y(v_y) - std::cos(y(angle)) * y(omega);  // the exact gap
    rate(angle) = y(omega);
    rate(v_x) = f.t;
    rate(v_y) = f.n - 1;
    rate(omega) = 3 * (kSin * f.t - kCos * f.n);
    rate(impulse_n) = f.n;
    rate(impulse_t) = f.t;
  }

  int count() const override { return 3; }
  void values(double, const Eigen::VectorXd& y, Eigen::VectorXd& g) const override {
    const Force f = force(y);
    const double excess = alpha_ * std::abs(slip(y)) - kFriction * f.n;
    g(0) = -y(gap);
    g(1) = branch.approaching ? -normal_rate(y) : normal_rate(y);
    g(2) = branch.sliding ? excess : -excess;
  }

 private:
  double alpha_;
};

void keep_sample(FrozenRodRun& run, const PressedRod& rod, double t, const Eigen::VectorXd& y) {
  const Force f = rod.force(y);
  run.samples.push_back({t, y(gap), PressedRod::slip(y), f.n, f.t});
}

// Samples inside the last step, up to t_to.
void sample_step(FrozenRodRun& run, const PressedRod& rod, const OdeIntegrator& steps, double t_to, double spacing) {
  Eigen::VectorXd y(static_cast<int>(state_size));
  for (long i = std::lround(std::floor(steps.t_begin() / spacing)) + 1; spacing * static_cast<double>(i) < t_to; ++i) {
    const double t = spacing * static_cast<double>(i);
    steps.interpolate(t, y);
    keep_sample(run, rod, t, y);
  }
}

// At a crossing: the branch that holds from there on.
void change_branch(FrozenRodRun& run, PressedRod& rod, const Crossing& at) {
  for (const int which : at.which) {
    if (which == 0) run.broke = true;
    if (which == 1) rod.branch.approaching = !rod.branch.approaching;
    if (which == 2) rod.branch.sliding = !rod.branch.sliding;
    if (which == 2 && run.t_stick == 0) run.t_stick = at.t;
  }
}

}  // namespace

FrozenRodRun press_frozen_rod(double alpha, double t_end, int samples, double relative) {
  PressedRod rod(alpha);
  OdeTolerance tolerance;
  tolerance.relative = relative;
  tolerance.absolute = Eigen::VectorXd::Constant(state_size, relative * 1e-2);
  tolerance.absolute(gap) = relative * 1e-2 / alpha;
  tolerance.largest_step = t_end / 50;  // events are found on the steps
  Radau5 steps(rod, tolerance);
  CrossingFinder crossings(rod);
  Eigen::VectorXd y = Eigen::VectorXd::Zero(state_size);
  y(angle) = std::numbers::pi / 3;
  y(v_x) = -1;
  FrozenRodRun run;
  keep_sample(run, rod, 0, y);
  steps.start(0, y);
  crossings.start(0, y);
  int changes = 0;
  while (!run.broke && steps.t() < t_end && changes < kMostChanges && steps.step(t_end) == StepStatus::accepted) {
    const auto crossing = crossings.first(steps);
    run.t = crossing ? crossing->t : steps.t();
    y = crossing ? crossing->y : steps.y();
    if (samples > 0) sample_step(run, rod, steps, run.t, t_end / samples);
    if (!crossing) continue;
    keep_sample(run, rod, run.t, y);
    change_branch(run, rod, *crossing);
    ++changes;
    steps.start(run.t, y);
    crossings.start(run.t, y);
  }
  run.impulse_n = y(impulse_n);
  run.impulse_t = y(impulse_t);
  return run;
}

}  // namespace painleve
