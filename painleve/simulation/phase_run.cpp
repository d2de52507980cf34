#include "painleve/simulation/phase_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace painleve {
namespace {

constexpr long steps_between_reports = 64;

// A sample of this state, which becomes part of it.
Sample sample_of(const RigidFlow& flow, State state) {
  flow.evaluate(state);
  Sample s;
  s.t = state.t;
  s.q = std::move(state.q);
  s.v = std::move(state.v);
  s.gap = flow.dynamics().gap;
  s.u = flow.dynamics().u;
  s.lambda = flow.lambda();
  s.mode = word(flow.modes());
  s.energy = flow.energy();
  return s;
}

// σ within the last step at which the state has the time t.
double sigma_at(const OdeIntegrator& integrator, double t, Eigen::VectorXd& y) {
  double low = integrator.t_begin();
  double high = integrator.t();
  for (int k = 0; k < 60 && high - low > 4e-16 * std::abs(high); ++k) {
    const double middle = (low + high) / 2;
    integrator.interpolate(middle, y);
    (y(0) < t ? low : high) = middle;
  }
  return high;
}

// Evenly spaced samples of the last step, up to `sigma_end`. y is scratch.
void add_samples(const OdeIntegrator& integrator, double sigma_end, double t_reached, const RigidFlow& flow,
                 SampleClock& clock, Eigen::VectorXd& y, Run& run) {
  while (clock.due(t_reached)) {
    const double t = clock.time(clock.next);
    ++clock.next;
    const double sigma = flow.rescaled() ? sigma_at(integrator, t, y) : t;
    integrator.interpolate(std::clamp(sigma, integrator.t_begin(), sigma_end), y);
    State state = flow.state(y);
    state.t = t;
    run.samples.push_back(sample_of(flow, std::move(state)));
  }
}

// Points of the last step up to `sigma_end`, crowded towards its end, where the force of a jam grows.
void add_approach(const OdeIntegrator& integrator, double sigma_end, const RigidFlow& flow,
                  std::vector<JamPoint>& approach) {
  Eigen::VectorXd y(flow.size());
  const double begin = integrator.t_begin();
  double left = 1;  // part of the step behind the point
  for (int k = 0; k < 9; ++k) {
    left /= 2;
    integrator.interpolate(begin + (1 - left) * (sigma_end - begin), y);
    const State state = flow.state(y);
    flow.evaluate(state);
    approach.push_back({state.t, flow.regularity(), flow.lambda(), state});
  }
}

// How near to jamming this state is.
double watch_jam(const RigidFlow& flow, double sigma, const Eigen::VectorXd& y, Run& run) {
  flow.evaluate_at(sigma, y);
  const auto [ratio, contact] = flow.jam_ratio();
  if (contact >= 0 && (!run.nearest_jam || ratio > run.nearest_jam->ratio)) {
    run.nearest_jam = {flow.time(), contact, ratio};
  }
  return ratio;
}

// The same inside the last step up to sigma_end, at the part `peak` of the step, where the ratio turns: there it is so
// flat that this need not be known well.
void watch_peak(PhaseKit& kit, double peak, double sigma_end, Run& run) {
  const DormandPrince853& integrator = kit.integrator;
  const double sigma = integrator.t_begin() + peak * (integrator.t() - integrator.t_begin());
  if (!(sigma > integrator.t_begin() && sigma < sigma_end)) return;
  integrator.interpolate_active(sigma, kit.scratch);
  watch_jam(kit.flow, sigma, kit.scratch, run);
}

// The ratios where the last step evaluated its rates, behind that at its begin; nothing if they are not known.
class JamRatios {
 public:
  void begin(double ratio) { ratios_[0] = ratio; }
  void recall(const RigidFlow& flow, const DormandPrince853& integrator) {
    known_ = flow.recall_jam_ratios(integrator.t(), ratios_.size() - 1, ratios_.data() + 1);
  }
  // Where in the step they may be higher than at its ends, and than anywhere before.
  std::optional<double> peak(const DormandPrince853& integrator, const Run& run) const {
    constexpr double no_more = 1 + 1e-9;
    const double before = run.nearest_jam ? no_more * run.nearest_jam->ratio : 0;
    return known_ ? integrator.peak(ratios_.data(), before) : std::nullopt;
  }

 private:
  std::array<double, 13> ratios_{};
  bool known_ = false;
};

OdeTolerance tolerance_of(const SimulationOptions& options) {
  OdeTolerance tolerance;
  tolerance.relative = options.relative;
  return tolerance;
}

// From kit.y at the time t on one clock, to an event, to t_end, or to the hand-over to the other clock, in kit.y.
PhaseEnd walk(PhaseKit& kit, double t, const SimulationOptions& options, SampleClock& clock, Run& run) {
  const RigidFlow& flow = kit.flow;
  DormandPrince853& integrator = kit.integrator;
  const double sigma0 = flow.rescaled() ? 0 : t;
  integrator.forget_step();
  integrator.start(sigma0, kit.y);
  kit.finder.start(sigma0, kit.y);
  const double limit = flow.rescaled() ? std::numeric_limits<double>::max() : options.t_end;
  PhaseEnd end;
  JamRatios ratios;
  ratios.begin(watch_jam(flow, sigma0, kit.y, run));
  while (integrator.t() < limit) {
    const double next = flow.rescaled() ? limit : std::min(limit, integrator.t() + kit.longest);
    if (integrator.step(next) == StepStatus::collapsed) {
      end.collapsed = true;
      break;
    }
    ++end.steps;
    end.last_step = integrator.y()(0) - integrator.y_begin()(0);
    ratios.recall(flow, integrator);
    const auto crossing = kit.finder.first(integrator);
    const double sigma = crossing ? crossing->t : integrator.t();
    const double reached = flow.rescaled() ? (crossing ? crossing->y : integrator.y())(0) : sigma;
    add_samples(integrator, sigma, reached, flow, clock, kit.scratch, run);
    const double ratio = watch_jam(flow, sigma, crossing ? crossing->y : integrator.y(), run);
    if (const auto peak = ratios.peak(integrator, run)) watch_peak(kit, *peak, sigma, run);
    ratios.begin(ratio);
    if (flow.rescaled()) add_approach(integrator, sigma, flow, end.approach);
    if (crossing) {
      for (const int k : crossing->which) end.ends.push_back(flow.ending(k));
      kit.y = crossing->y;
      if (!flow.rescaled()) kit.y(0) = sigma;
      return end;
    }
    if (options.progress && end.steps % steps_between_reports == 0 &&
        !options.progress({reached, options.t_end, static_cast<long>(run.events.size()), 0})) {
      end.interrupted = true;
      break;
    }
  }
  kit.y = integrator.y();
  if (!flow.rescaled()) kit.y(0) = integrator.t();
  return end;
}

}  // namespace

PhaseKit::PhaseKit(const SimulationProblem& problem, const SimulationOptions& options)
    : flow(problem, std::vector<ContactMode>(problem.laws.size()), false, options.t_end),
      integrator(flow, tolerance_of(options), flow.active()),
      finder(flow),
      y(flow.size()),
      scratch(flow.size()),
      longest(longest_driven_step(problem, options.t_end)) {}

bool PhaseEnd::has(Ending kind) const {
  return std::any_of(ends.begin(), ends.end(), [&](const RigidFlow::End& e) { return e.kind == kind; });
}

double SampleClock::time(long index) const {
  return index == samples ? t_end
                          : t_start + (t_end - t_start) * static_cast<double>(index) / static_cast<double>(samples);
}

Sample sample(const RigidFlow& flow, const State& state) { return sample_of(flow, state); }

PhaseEnd run_phase(const SimulationProblem& problem, const SimulationOptions& options,
                   const std::vector<ContactMode>& modes, const State& start, SampleClock& clock,
                   std::shared_ptr<PhaseKit>& kit, Run& run) {
  if (!kit || kit.use_count() > 1) kit = std::make_shared<PhaseKit>(problem, options);
  RigidFlow& flow = kit->flow;
  bool rescaled = false;
  bool begins = true;
  State state = start;
  std::vector<JamPoint> approach;
  long steps = 0;
  while (true) {
    flow.set_modes(modes, rescaled);
    flow.start(state, run.energy.friction, run.energy.applied, run.impulse, kit->y);
    if (std::exchange(begins, false) && std::abs(flow.regularity()) < RigidFlow::slow_below) {
      rescaled = true;
      continue;
    }
    PhaseEnd end = walk(*kit, state.t, options, clock, run);
    const Eigen::VectorXd& y = kit->y;
    run.energy.friction = flow.friction(y);
    run.energy.applied = flow.applied(y);
    run.impulse = flow.impulse(y);
    flow.put_state(y, state);
    steps += end.steps;
    if (rescaled) approach.insert(approach.end(), end.approach.begin(), end.approach.end());
    const auto clock_only = [&](const RigidFlow::End& e) {
      return e.kind == Ending::regular || (!rescaled && e.kind == Ending::singular);
    };
    const bool hands_over = !end.ends.empty() && std::all_of(end.ends.begin(), end.ends.end(), clock_only);
    if (hands_over) {
      rescaled = !rescaled;
      approach.clear();
      continue;
    }
    end.state = std::move(state);
    end.steps = steps;
    end.approach = std::move(approach);
    std::erase_if(end.ends, [&](const RigidFlow::End& e) { return e.kind == Ending::t_end || clock_only(e); });
    end.flow = std::shared_ptr<const RigidFlow>(kit, &flow);
    run.steps += steps;
    return end;
  }
}

}  // namespace painleve
