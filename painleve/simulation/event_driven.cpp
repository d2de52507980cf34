#include "painleve/simulation/event_driven.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "painleve/base/error.hpp"
#include "painleve/simulation/detail/event_driver.hpp"
#include "painleve/simulation/projection.hpp"

namespace painleve {
namespace detail {
namespace {

constexpr const char* stopped_by_user = "stopped by the user";
// Events at one time that lead nowhere: the motion does not go on from there.
constexpr int most_events_at_once = 200;
// Looking past an event, in parts of the integrator's last step: near enough that nothing else happens before it, far
// enough that the forces that went through zero stand clear of rounding.
constexpr double looks[] = {1e-6, 1e-5, 1e-4, 1e-3};

// [m] A foot that may swing through below the surface has not landed when it is deeper than this where it may land.
constexpr double deepest_landing = 1e-9;

// Events at this time that were waiting to know what the contacts do after them.
void name_mode_after(const std::vector<ContactMode>& modes, double t, Run& run) {
  for (auto e = run.events.rbegin(); e != run.events.rend() && e->t == t; ++e) {
    const bool waits = e->kind == EventKind::landing || e->kind == EventKind::impact || e->kind == EventKind::iwc ||
                       e->kind == EventKind::chatter;
    if (waits) e->mode = word(modes);
  }
}

// One way, and no mode at a boundary, where rounding decides. Of a family of forces some modes always are.
bool is_clear(const Crossroads& c) {
  bool family = false;
  bool boundary = false;
  for (const ModeEntry& entry : c.table.modes) {
    family = family || (entry.consistent && !entry.boundary && entry.force_family_dimension > 0);
    boundary = boundary || (entry.consistent && entry.boundary);
  }
  return c.ways.size() == 1 && (family || !boundary);
}

}  // namespace

double EventDriver::energy(const State& state) const {
  problem_.mechanism->dynamics(state, dynamics_);
  return state.v.dot(dynamics_.M.lazyProduct(state.v)) / 2 + dynamics_.potential;
}

Run EventDriver::empty_run(const State& state) const {
  Run run;
  run.dimension = dimension_;
  run.coordinates = problem_.mechanism->coordinates();
  run.contacts = problem_.mechanism->contacts();
  run.impulse = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(problem_.laws.size()) * dimension_);
  run.energy.initial = energy(state);
  return run;
}

// The contacts at the start as contact_space() has them, without W and b, which a start does not need. Throws
// InputError where M is singular.
ContactSpace EventDriver::start_space() const {
  problem_.mechanism->dynamics(problem_.start, dynamics_);
  free_acceleration(dynamics_);
  ContactSpace space;
  space.dimension = dimension_;
  space.u = dynamics_.u;
  space.gap = dynamics_.gap;
  space.names = problem_.mechanism->contacts();
  space.mu.resize(dynamics_.gap.size());
  Eigen::Index i = 0;
  for (const Surface& surface : problem_.surfaces()) {
    space.mu(i++) = surface.mu;
    space.bilateral.push_back(surface.bilateral);
  }
  return space;
}

Run EventDriver::from_start() {
  Place place;
  place.state = problem_.start;
  const std::size_t contacts = problem_.laws.size();
  ContactSpace space = start_space();
  place.modes.resize(contacts);
  place.closed.resize(contacts);
  place.resting.resize(contacts);
  place.pressed = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(contacts));
  std::vector<ContactMode> start_modes(contacts);  // S where closed: only the normals are put right
  for (int i = 0; i < space.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    // A spring that is compressed at the start becomes a rigid contact at its surface.
    if (space.gap(i) < 0 && problem_.laws[at].stiffness) space.gap(i) = 0;
    const Touch t = touch(space, i, problem_.tolerance);
    if (t == Touch::open && space.gap(i) < 0)
      throw InputError(fmt::format("contact {} penetrates by {:.6g} m: rigid contacts cannot start there",
                                   space.names[at], -space.gap(i)));
    place.closed[at] = t != Touch::open && t != Touch::separating;
    place.resting[at] = t == Touch::resting;
    if (t == Touch::slipping || t == Touch::resting) start_modes[at].letter = Letter::S;
  }
  place.clock = {place.state.t, options_.t_end, options_.samples, 0};
  place.state = projected(*problem_.mechanism, std::move(place.state), start_modes);
  Run run = empty_run(place.state);
  const bool approaching = !approaching_contacts(space, problem_.tolerance).empty();
  if (approaching) strike({}, place, run);
  go_on(place, run);
  return run;
}

void EventDriver::close_run(const Place& place, Run& run) const {
  run.t = place.state.t;
  run.state = place.state;
  run.energy.final = energy(place.state);
  if (run.outcome.empty()) run.outcome = word(place.modes);
}

// Phases report by themselves while they are long; a motion of short ones reports between them.
bool EventDriver::proceed(const Place& place, const Run& run) const {
  return !options_.progress ||
         options_.progress({place.state.t, options_.t_end, static_cast<long>(run.events.size()), budget_.futures});
}

void EventDriver::go_on(Place& place, Run& run) {
  while (run.stopped.empty()) {
    if (place.state.t >= options_.t_end) {
      run.stopped = "t_end";
    } else if (static_cast<long>(run.events.size()) >= options_.most_events) {
      run.stopped = "budget";
      run.stop_reason = fmt::format("{} events are the most that were allowed", options_.most_events);
    } else if (place.events_here > most_events_at_once) {
      run.stopped = "budget";
      run.stop_reason = fmt::format("{} events at t = {:.17g} lead nowhere", place.events_here, place.state.t);
    } else if (!run.events.empty() && !proceed(place, run)) {
      run.stopped = "interrupted";
      run.stop_reason = stopped_by_user;
    } else if (!choose_and_follow(place, run)) {
      break;
    }
  }
  close_run(place, run);
}

// The ways from a state with the closed contacts of the place.
Crossroads EventDriver::ways_from(const State& state, const Place& place) const {
  if (auto way = plain_way(problem_, state, place.closed, place.resting)) {
    Crossroads c;
    c.ways.push_back(std::move(*way));
    return c;
  }
  return crossroads(problem_, state, place.closed, place.resting);
}

// Where the old phase would be at this part of a step past its end.
State EventDriver::ahead_of(const Place& place, double part) {
  if (!kit_ || kit_.use_count() > 1) kit_ = std::make_shared<PhaseKit>(problem_, options_);
  kit_->flow.set_modes(place.modes, false);
  kit_->flow.evaluate(place.state);
  const double dt = part * place.look;
  return {place.state.q + dt * place.state.v, place.state.v + dt * kit_->flow.acceleration(), place.state.t + dt};
}

// Whether the forces of the way are within their cones at this state by the functions that end a phase: a mode table
// leaves them a tolerance, and a phase that begins beyond its end leads nowhere.
bool EventDriver::holds(const Way& way, const State& state) {
  if (way.impact || way.phase) return true;
  RigidFlow& flow = kit_->flow;
  flow.set_modes(way.modes, false);
  flow.start(state, 0, 0, Eigen::VectorXd::Zero(flow.lambda().size()), kit_->y);
  Eigen::VectorXd g(flow.count());
  flow.values(state.t, kit_->y, g);
  for (int k = 0; k < flow.count(); ++k) {
    const Ending kind = flow.ending(k).kind;
    if ((kind == Ending::liftoff || kind == Ending::cone_edge) && !(g(k) > 0)) return false;
  }
  return true;
}

// The closed contacts at the place; past an event a little way along the old phase, which tells on which side of its
// boundary the motion goes on.
Crossroads EventDriver::look(const Place& place) {
  if (place.look == 0) return ways_from(place.state, place);
  Crossroads c;
  std::optional<Crossroads> clear;  // the nearest one, though its way does not hold
  const auto found = [&](double part) {
    const State ahead = ahead_of(place, part);
    c = ways_from(ahead, place);
    if (!is_clear(c)) return false;
    if (!clear) clear = c;
    return holds(c.ways[0], ahead);
  };
  if (std::any_of(std::begin(looks), std::end(looks), found) || !clear) return c;
  // Forces that are not determined, of feet that begin to slip together, may leave their cones so slowly that a mode
  // table still takes them for inside: farther, up to the longest step under applied forces of time.
  const double farthest = std::isfinite(kit_->longest) ? std::max(kit_->longest, place.look) : place.look;
  for (double part = 1e-2; part * place.look <= farthest; part *= 10)
    if (found(part)) return c;
  return *clear;
}

// The only way on, where that is seen at once: what look() finds, without what else it finds.
std::optional<Way> EventDriver::only_way(const Place& place) {
  if (place.look == 0) return plain_way(problem_, place.state, place.closed, place.resting);
  return plain_way(problem_, ahead_of(place, looks[0]), place.closed, place.resting);
}

bool EventDriver::choose_and_follow(Place& place, Run& run) {
  if (const auto way = only_way(place)) {
    follow(*way, place, run);
    return true;
  }
  const Crossroads c = look(place);
  if (c.ways.empty()) {
    if (std::none_of(place.closed.begin(), place.closed.end(), [](bool x) { return x; })) {
      Way flight;
      flight.modes.resize(place.closed.size());
      follow(flight, place, run);
      return true;
    }
    run.stopped = "inconsistent";
    run.stop_reason = c.table.verdict.empty()
                          ? c.table.verdict_reason
                          : "no mode of the closed contacts is consistent, and no impact without collision is possible";
    return false;
  }
  return choose(c, place, run);
}

// One of the ways, or every one; false where the run itself ends here.
bool EventDriver::choose(const Crossroads& c, Place& place, Run& run) {
  if (c.ways.size() > 1 && options_.policy == Policy::all) {
    branch(c, place, run);
    return false;
  }
  const auto taken = take(problem_, c, options_, place.pressed, place.draws);
  if (c.ways.size() > 1) {
    ++place.draws;
    SimulationEvent e = event(EventKind::mode, -1, place, c.space.u);
    e.mode = c.ways[static_cast<std::size_t>(taken->way)].name;
    std::string names;
    for (const Way& way : c.ways) names += (names.empty() ? "" : ", ") + way.name;
    e.note = fmt::format("{} of {}: {}", e.mode, names, taken->reason);
    run.events.push_back(std::move(e));
  }
  follow(c.ways[static_cast<std::size_t>(taken->way)], place, run);
  return true;
}

void EventDriver::follow(const Way& way, Place& place, Run& run) {
  if (way.phase)
    begin_bouncing(way, place, run);
  else if (way.impact)
    strike(way.struck, place, run);
  else
    phase(way, place, run);
}

Run EventDriver::future(Place place, const Way& way) {
  Run run = empty_run(place.state);
  run.why = way.why;
  follow(way, place, run);
  go_on(place, run);
  return run;
}

// Whether this run comes from one of the same ways out of the same state: the way that it took led back at once.
bool EventDriver::is_back_at(const Choice& before, const Crossroads& c, const Place& place) const {
  const State &was = before.place.state, &is = place.state;
  const double distance = (was.q - is.q).norm() + (was.v - is.v).norm();
  const double rounding = 1e-12 * (1 + is.q.norm() + is.v.norm());
  const auto named_alike = [](const Way& x, const Way& y) { return x.name == y.name; };
  return was.t == is.t && distance <= rounding && before.place.closed == place.closed &&
         std::equal(c.ways.begin(), c.ways.end(), before.crossroads.ways.begin(), before.crossroads.ways.end(),
                    named_alike);
}

// Every way as a run of its own; runs that end alike are one.
void EventDriver::branch(const Crossroads& c, const Place& place, Run& run) {
  if (std::any_of(open_choices_.begin(), open_choices_.end(),
                  [&](const Choice& before) { return is_back_at(before, c, place); })) {
    run.stopped = "merged";
    run.stop_reason = fmt::format("back at the same choice at t = {:.9g}, from which this way came", place.state.t);
    return;
  }
  open_choices_.push_back({c, place});
  run.stopped = "branched";
  run.stop_reason = fmt::format("{} continuations at t = {:.9g}", c.ways.size(), place.state.t);
  for (const Way& way : c.ways) {
    if (budget_.futures >= options_.most_futures) {
      run.stop_reason +=
          fmt::format("; not all followed: {} futures are the most that were allowed", options_.most_futures);
      break;
    }
    ++budget_.futures;
    Run next = future(place, way);
    const auto twin = std::find_if(run.futures.begin(), run.futures.end(), [&](const Run& other) {
      return other.stopped == next.stopped && other.t == next.t && other.futures.empty() && next.futures.empty() &&
             (other.state.q - next.state.q).norm() + (other.state.v - next.state.v).norm() <= 1e-7;
    });
    if (twin == run.futures.end())
      run.futures.push_back(std::move(next));
    else
      twin->why += "; or " + next.why + ", which ends in the same state";
  }
  open_choices_.pop_back();
}

SimulationEvent EventDriver::event(EventKind kind, int contact, const Place& place, const Eigen::VectorXd& u) const {
  SimulationEvent e;
  e.t = place.state.t;
  e.kind = kind;
  e.contact = contact;
  e.mode = word(place.modes);
  e.u_before = u;
  e.u_after = u;
  return e;
}

void EventDriver::note_mode_change(const std::vector<ContactMode>& next, const Place& place, Run& run) const {
  problem_.mechanism->dynamics(place.state, dynamics_);
  for (std::size_t i = 0; i < next.size(); ++i) {
    const ContactMode& was = place.modes[i];
    const ContactMode& is = next[i];
    std::optional<EventKind> kind;
    if (was.letter != Letter::F && is.letter == Letter::F) kind = EventKind::liftoff;
    if (was.letter == Letter::S && is.letter == Letter::T) kind = EventKind::stick;
    if (was.letter == Letter::T && is.letter == Letter::S) kind = EventKind::slip;
    const bool turned = was.letter == Letter::S && is.letter == Letter::S && was.direction.dot(is.direction) < 0;
    if (turned) kind = EventKind::slip;
    if (!kind) continue;
    SimulationEvent e = event(*kind, static_cast<int>(i), place, dynamics_.u);
    e.mode = word(next);
    if (turned) e.note = "slip reverses";
    run.events.push_back(std::move(e));
  }
}

void EventDriver::phase(const Way& way, Place& place, Run& run) {
  name_mode_after(way.modes, place.state.t, run);
  note_mode_change(way.modes, place, run);
  const double t = place.state.t;
  if (dimension_ == 3) {
    Way taken = way;
    push_off(taken, place, run);
    place.modes = std::move(taken.modes);
  } else {
    place.modes = way.modes;
  }
  for (std::size_t i = 0; i < place.modes.size(); ++i) place.closed[i] = place.modes[i].letter != Letter::F;
  place.state = projected(*problem_.mechanism, std::move(place.state), place.modes);
  const PhaseEnd end = run_phase(problem_, options_, place.modes, place.state, place.clock, kit_, run);
  if (end.state.t > t) place.events_here = 0;
  ++place.events_here;
  end_of_phase(end, place, run);
}

void EventDriver::end_of_phase(const PhaseEnd& end, Place& place, Run& run) {
  place.state = end.state;
  const RigidFlow& flow = *end.flow;
  flow.evaluate(place.state);
  const bool known = !run.samples.empty() && end.ends.empty() && run.samples.back().t == place.state.t;
  if (!known) run.samples.push_back(sample(flow, place.state));
  for (int i = 0; i < static_cast<int>(place.closed.size()); ++i)
    place.pressed(i) = flow.lambda()(dimension_ * i + dimension_ - 1);
  if (end.interrupted) {
    run.stopped = "interrupted";
    run.stop_reason = stopped_by_user;
    return;
  }
  if (end.collapsed) {
    run.stopped = "collapsed";
    State ahead = place.state;
    ahead.t += 1e-9 * std::max(1.0, std::abs(ahead.t));
    run.stop_reason = problem_.mechanism->dynamics(ahead).f.allFinite()
                          ? "the motion becomes singular: no step is small enough"
                          : "an applied force is not a finite number from here on";
    return;
  }
  if (end.has(Ending::joint_limit)) {
    run.stopped = "joint_limit";
    run.stop_reason = problem_.mechanism->limit(place.state);
    run.events.push_back(event(EventKind::mode, -1, place, flow.dynamics().u));
    run.events.back().note = run.stop_reason;
    return;
  }
  if (end.has(Ending::singular)) {
    jam(end, place, run);
    return;
  }
  place.look = 0;
  bool lands = false;
  for (const RigidFlow::End& e : end.ends) {
    const auto i = static_cast<std::size_t>(e.contact);
    if (e.kind == Ending::landing && problem_.laws[i].lands_beyond &&
        flow.dynamics().gap(e.contact) < -deepest_landing) {
      run.stopped = "scuffed";
      run.stop_reason = fmt::format("{} is {:.6g} m below the surface where it may land again (lands_beyond)",
                                    run.contacts[i], -flow.dynamics().gap(e.contact));
      return;
    }
    if (e.kind == Ending::landing) {
      place.closed[i] = true;
      place.resting[i] = false;
      lands = true;
      run.events.push_back(event(EventKind::landing, e.contact, place, flow.dynamics().u));
    } else if (e.kind == Ending::slip_stop) {
      place.resting[i] = true;
      if (dimension_ == 3) coast_to_rest(e.contact, place, run);
    } else {
      place.look = end.last_step;
    }
  }
  for (std::size_t i = 0; i < place.modes.size(); ++i) {
    if (place.modes[i].letter == Letter::T) place.resting[i] = true;
    if (place.modes[i].letter == Letter::S && place.resting[i] &&
        std::none_of(end.ends.begin(), end.ends.end(), [&](const RigidFlow::End& e) {
          return e.kind == Ending::slip_stop && e.contact == static_cast<int>(i);
        }))
      place.resting[i] = false;
  }
  if (lands) strike({}, place, run);
}

}  // namespace detail

Run simulate_events(const SimulationProblem& problem, const SimulationOptions& options) {
  if (!(options.t_end > problem.start.t))
    throw InputError(
        fmt::format("t_end is {:.6g} s, it must be after the start at {:.6g} s", options.t_end, problem.start.t));
  if (problem.bilateral.size() < problem.laws.size()) {
    SimulationProblem whole = problem;
    whole.bilateral.resize(problem.laws.size());
    return simulate_events(whole, options);
  }
  detail::Budget budget;
  return detail::EventDriver(problem, options, budget).from_start();
}

}  // namespace painleve
