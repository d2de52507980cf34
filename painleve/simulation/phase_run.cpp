#include "painleve/simulation/phase_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "painleve/simulation/crossing.hpp"
#include "painleve/simulation/dormand_prince.hpp"

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

void watch_jam(const RigidFlow& flow, double sigma, const Eigen::VectorXd& y, Run& run) {
  flow.evaluate_at(sigma, y);
  const auto [ratio, contact] = flow.jam_ratio();
  if (contact >= 0 && (!run.nearest_jam || ratio > run.nearest_jam->ratio)) {
    run.nearest_jam = {flow.time(), contact, ratio};
  }
}

struct Walk {
  PhaseEnd end;
  Eigen::VectorXd y;
};

// From y on one clock: to an event, to t_end, or to the hand-over to the other clock.
Walk walk(const RigidFlow& flow, double t, const Eigen::VectorXd& y0, const SimulationOptions& options,
          SampleClock& clock, Run& run) {
  OdeTolerance tolerance;
  tolerance.relative = options.relative;
  DormandPrince853 integrator(flow, tolerance, flow.active());
  CrossingFinder finder(flow);
  const double sigma0 = flow.rescaled() ? 0 : t;
  integrator.start(sigma0, y0);
  finder.start(sigma0, y0);
  const double limit = flow.rescaled() ? std::numeric_limits<double>::max() : options.t_end;
  Walk w;
  Eigen::VectorXd scratch(flow.size());
  while (integrator.t() < limit) {
    if (integrator.step(limit) == StepStatus::collapsed) {
      w.end.collapsed = true;
      break;
    }
    ++w.end.steps;
    w.end.last_step = integrator.y()(0) - integrator.y_begin()(0);
    const auto crossing = finder.first(integrator);
    const double sigma = crossing ? crossing->t : integrator.t();
    const double reached = flow.rescaled() ? (crossing ? crossing->y : integrator.y())(0) : sigma;
    add_samples(integrator, sigma, reached, flow, clock, scratch, run);
    watch_jam(flow, sigma, crossing ? crossing->y : integrator.y(), run);
    if (flow.rescaled()) add_approach(integrator, sigma, flow, w.end.approach);
    if (crossing) {
      for (const int k : crossing->which) w.end.ends.push_back(flow.ending(k));
      w.y = crossing->y;
      if (!flow.rescaled()) w.y(0) = sigma;
      return w;
    }
    if (options.progress && w.end.steps % steps_between_reports == 0 &&
        !options.progress({reached, options.t_end, static_cast<long>(run.events.size()), 0})) {
      w.end.interrupted = true;
      break;
    }
  }
  w.y = integrator.y();
  if (!flow.rescaled()) w.y(0) = integrator.t();
  return w;
}

}  // namespace

bool PhaseEnd::has(Ending kind) const {
  return std::any_of(ends.begin(), ends.end(), [&](const RigidFlow::End& e) { return e.kind == kind; });
}

double SampleClock::time(long index) const {
  return index == samples ? t_end
                          : t_start + (t_end - t_start) * static_cast<double>(index) / static_cast<double>(samples);
}

Sample sample(const RigidFlow& flow, const State& state) { return sample_of(flow, state); }

PhaseEnd run_phase(const SimulationProblem& problem, const SimulationOptions& options,
                   const std::vector<ContactMode>& modes, const State& start, SampleClock& clock, Run& run) {
  bool rescaled = false;
  bool begins = true;
  State state = start;
  std::vector<JamPoint> approach;
  long steps = 0;
  while (true) {
    auto made = std::make_shared<RigidFlow>(problem, modes, rescaled, options.t_end);
    RigidFlow& flow = *made;
    const Eigen::VectorXd y0 = flow.start(state, run.energy.friction, run.energy.applied, run.impulse);
    if (std::exchange(begins, false) && std::abs(flow.regularity()) < RigidFlow::slow_below) {
      rescaled = true;
      continue;
    }
    Walk w = walk(flow, state.t, y0, options, clock, run);
    run.energy.friction = flow.friction(w.y);
    run.energy.applied = flow.applied(w.y);
    run.impulse = flow.impulse(w.y);
    state = flow.state(w.y);
    steps += w.end.steps;
    if (rescaled) approach.insert(approach.end(), w.end.approach.begin(), w.end.approach.end());
    const auto clock_only = [&](const RigidFlow::End& e) {
      return e.kind == Ending::regular || (!rescaled && e.kind == Ending::singular);
    };
    const bool hands_over = !w.end.ends.empty() && std::all_of(w.end.ends.begin(), w.end.ends.end(), clock_only);
    if (hands_over) {
      rescaled = !rescaled;
      approach.clear();
      continue;
    }
    w.end.state = state;
    w.end.steps = steps;
    w.end.approach = std::move(approach);
    std::erase_if(w.end.ends, [&](const RigidFlow::End& e) { return e.kind == Ending::t_end || clock_only(e); });
    w.end.flow = std::move(made);
    run.steps += steps;
    return std::move(w.end);
  }
}

}  // namespace painleve
