// Slip in space that begins out of rest or comes to rest: where the direction of u_t is not defined.
#include <algorithm>

#include "painleve/simulation/detail/event_driver.hpp"

namespace painleve::detail {

// Over dt with the acceleration and the forces of the flow's last evaluation, energies included.
void EventDriver::advance(double dt, const RigidFlow& flow, Place& place, Run& run) const {
  const Dynamics& d = flow.dynamics();
  const Eigen::VectorXd& a = flow.acceleration();
  const Eigen::VectorXd mean = place.state.v + dt / 2 * a;
  const Dynamics here = problem_.mechanism->dynamics(place.state);
  const Eigen::VectorXd surface = here.J * place.state.v - here.u;
  run.energy.friction -= dt * flow.lambda().dot(d.J * mean - surface);
  run.energy.applied += dt * (d.applied.dot(mean) + d.drive + flow.lambda().dot(surface));
  run.impulse += dt * flow.lambda();
  place.state.q += dt * mean;
  place.state.v += dt * a;
  place.state.t += dt;
}

// In space the last bit of slip, slower than RigidFlow::slow_slip, at constant acceleration.
void EventDriver::coast_to_rest(int contact, Place& place, Run& run) const {
  RigidFlow flow(problem_, place.modes, false, options_.t_end);
  flow.evaluate(place.state);
  const Dynamics& d = flow.dynamics();
  const Eigen::VectorXd a = d.J * flow.acceleration() + d.drift;
  const int t = dimension_ * contact;
  const Eigen::Vector2d u = d.u.segment<2>(t);
  const double braking = -u.dot(a.segment<2>(t)) / u.norm();
  const double left = options_.t_end - place.state.t;
  if (braking > 0) advance(std::min(u.norm() / braking, left), flow, place, run);
}

// In space slip begins out of rest along the direction in which friction lets it accelerate. Where it begins at the
// edge of the cone that acceleration grows from zero while the direction turns, and the direction of u/|u| is drawn to
// it at the rate a_t/|u_t|, without bound at the start. So the first bit is one step of the midpoint rule, with the
// direction of the mode half-way; it grows until the speed is well above RigidFlow::slow_slip.
void EventDriver::push_off(Way& way, Place& place, Run& run) const {
  std::vector<int> starting;
  for (std::size_t i = 0; i < way.modes.size(); ++i)
    if (way.modes[i].letter == Letter::S && place.resting[i]) starting.push_back(static_cast<int>(i));
  if (starting.empty()) return;
  // Until it slips it moves as before, or, where nothing held it before, already as it will.
  const bool held = std::all_of(starting.begin(), starting.end(),
                                [&](int i) { return place.modes[static_cast<std::size_t>(i)].letter == Letter::T; });
  RigidFlow before(problem_, held ? place.modes : way.modes, false, options_.t_end);
  before.keep_directions();
  before.evaluate(place.state);
  const double left = options_.t_end - place.state.t;
  for (const double step : {1e-8, 1e-7, 1e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3}) {
    const double dt = std::min(step, left);
    const State middle{place.state.q + dt / 2 * place.state.v, place.state.v + dt / 2 * before.acceleration(),
                       place.state.t + dt / 2};
    const Crossroads c = crossroads(problem_, middle, place.closed, place.resting);
    const auto same =
        std::find_if(c.ways.begin(), c.ways.end(), [&](const Way& w) { return w.name == way.name && !w.impact; });
    if (same == c.ways.end()) continue;
    RigidFlow flow(problem_, same->modes, false, options_.t_end);
    flow.keep_directions();
    flow.evaluate(middle);
    const Eigen::VectorXd u = dt * (flow.dynamics().J * flow.acceleration() + flow.dynamics().drift);
    const bool moves = std::all_of(starting.begin(), starting.end(), [&](int i) {
      return u.segment(dimension_ * i, 2).norm() > 3 * RigidFlow::slow_slip;
    });
    if (!moves && step < 1e-3 && dt < left) continue;
    way.modes = same->modes;
    advance(dt, flow, place, run);
    for (const int i : starting) place.resting[static_cast<std::size_t>(i)] = false;
    return;
  }
}

}  // namespace painleve::detail
