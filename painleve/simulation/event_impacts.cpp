// Impacts between the phases: collisions, impacts without collision, chatter to its end, bounces out of rest, jam.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "painleve/impact/bounce_map.hpp"
#include "painleve/simulation/beyond_jam.hpp"
#include "painleve/simulation/detail/event_driver.hpp"
#include "painleve/simulation/jam_approach.hpp"
#include "painleve/simulation/projection.hpp"

namespace painleve::detail {
namespace {

// [s] Chatter whose remaining bounces last no longer is summed to its end. In shorter flights the rounding of the gap,
// 1e-16 m, shifts landings by more than the change of b over the remaining time does.
constexpr double chatter_time = 5e-6;
// [m] Flights that rise no higher are lost in the rounding of the gap: the contact stays closed.
constexpr double lowest_flight = 1e-13;
// [m/s] Landing speed of the first bounce that is followed out of rest: some 1e-5 s after the infinitely many before
// it.
constexpr double slowest_bounce = 1e-5;
// At p = 0+ an impact without collision begins with p < 0: friction raised by this little.
constexpr double beyond_zero = 1e-8;

}  // namespace

// All contacts as they are struck: closed ones exactly, the others out of the way.
ContactSpace EventDriver::struck_space(const Place& place) const {
  ContactSpace space = contact_space(*problem_.mechanism, place.state, problem_.surfaces());
  for (int i = 0; i < space.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    space.gap(i) = place.closed[at] ? 0 : std::max(space.gap(i), 1.0);
    if (place.modes[at].letter != Letter::F) space.u(space.normal(i)) = 0;
    if (place.modes[at].letter == Letter::T) space.u.segment(space.tangent(i), dimension_ - 1).setZero();
  }
  return space;
}

void EventDriver::strike(const std::vector<int>& without_collision, Place& place, Run& run) {
  place.look = 0;
  ++place.events_here;
  const ContactSpace space = struck_space(place);
  const std::vector<int> approaching = approaching_contacts(space, problem_.tolerance);
  if (approaching.empty() && without_collision.empty()) {  // it grazes: closed, at rest along the normal
    for (int i = 0; i < space.count(); ++i)
      place.resting[static_cast<std::size_t>(i)] = touch(space, i, problem_.tolerance) == Touch::resting;
    return;
  }
  if (without_collision.empty() && approaching.size() == 1 && finish_chatter(approaching[0], place, run)) return;
  ImpactOptions options;
  options.several = options_.several;
  options.tolerance = problem_.tolerance;
  options.without_collision = without_collision;
  for (const ContactLaw& law : problem_.laws) options.laws.push_back({law.restitution, law.law, law.mu_impact});
  if (place.at_jam) {
    for (const int i : without_collision) {
      BounceLaw& law = options.laws[static_cast<std::size_t>(i)];
      law.mu = (1 + beyond_zero) * law.mu.value_or(space.mu(i));
    }
    place.at_jam = false;
  }
  const ImpactReport report = impact(space, options);
  if (!report.happened || report.Lambda.isZero(0)) {
    run.stopped = "inconsistent";
    run.stop_reason = report.happened ? "the impact without collision has no impulse" : report.reason;
    return;
  }
  const Dynamics d = problem_.mechanism->dynamics(place.state);
  const Eigen::VectorXd surface = d.J * place.state.v - d.u;  // velocity of the surfaces along the contact frames
  place.state.v += velocity_change(d, report.Lambda);
  run.energy.impact -= report.Lambda.dot(report.u_before + report.u_after) / 2;
  run.energy.applied += report.Lambda.dot(surface);
  run.impulse += report.Lambda;
  const bool iwc = !without_collision.empty();
  SimulationEvent e = event(iwc ? EventKind::iwc : EventKind::impact,
                            iwc ? without_collision.front() : approaching.front(), place, space.u);
  if ((iwc ? without_collision : approaching).size() > 1) e.contact = -1;
  e.u_after = report.u_after;
  e.Lambda = report.Lambda;
  ContactSpace after = space;
  after.u = report.u_after;
  for (int i = 0; i < space.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!place.closed[at]) continue;
    const double b_n = space.b(space.normal(i));
    double& u_n = after.u(space.normal(i));
    if (u_n > 0 && u_n * u_n < -2 * b_n * lowest_flight) u_n = 0;
    const Touch t = touch(after, i, problem_.tolerance);
    place.closed[at] = t != Touch::separating;
    place.resting[at] = t == Touch::resting;
    if (t == Touch::separating) place.modes[at] = {};
  }
  e.mode = word(place.modes);
  run.events.push_back(std::move(e));
}

// The rest of a chatter of one planar contact, the others open, when it is short enough to be summed in closed form.
bool EventDriver::finish_chatter(int contact, Place& place, Run& run) {
  const auto at = static_cast<std::size_t>(contact);
  const ContactLaw& law = problem_.laws[at];
  const auto closed = std::count(place.closed.begin(), place.closed.end(), true);
  if (dimension_ != 2 || law.restitution == 0 || closed != 1) return false;
  const Dynamics d = problem_.mechanism->dynamics(place.state);
  const ContactSpace space = contact_space(*problem_.mechanism, place.state, problem_.surfaces());
  if (space.b(space.normal(contact)) >= 0) return false;  // a flight that does not return
  const Chatter chatter = complete_chatter(planar_contact(space, contact), space.u(space.normal(contact)),
                                           {law.restitution, law.law, law.mu_impact});
  if (!chatter.completes || chatter.t_end > chatter_time || place.state.t + chatter.t_end > options_.t_end)
    return false;
  const int t = space.tangent(contact);
  const Eigen::Vector2d after(chatter.u_t, 0);
  Eigen::VectorXd Lambda = Eigen::VectorXd::Zero(space.u.size());
  Lambda.segment(t, 2) =
      space.W.block<2, 2>(t, t).llt().solve(after - space.u.segment<2>(t) - chatter.t_end * space.b.segment<2>(t));
  const double before = energy(place.state);
  const Eigen::VectorXd v = place.state.v;
  place.state.v += velocity_change(d, Lambda) + chatter.t_end * free_acceleration(d);
  const Eigen::VectorXd mean = (v + place.state.v) / 2;
  place.state.q += chatter.t_end * mean;
  place.state.t += chatter.t_end;
  const double put_in = chatter.t_end * (d.applied.dot(mean) + d.drive) + Lambda.dot(d.J * v - d.u);
  run.energy.applied += put_in;
  run.energy.impact += before + put_in - energy(place.state);
  run.impulse += Lambda;
  SimulationEvent e = event(EventKind::chatter, contact, place, space.u);
  e.u_after.segment<2>(t) = after;
  e.Lambda = Lambda;
  e.note = fmt::format("infinitely many bounces end here, e = {:.9g}", chatter.e);
  place.resting[at] = std::abs(chatter.u_t) <= problem_.tolerance.velocity;
  run.events.push_back(std::move(e));
  return true;
}

// Out of rest into the bounce of the family that lands slowly; the phase tells them apart.
void EventDriver::begin_bouncing(const Way& way, Place& place, Run& run) {
  const int contact = way.struck.front();
  const ContactLaw& law = problem_.laws[static_cast<std::size_t>(contact)];
  const ContactSpace space = struck_space(place);
  const ReverseChatter bounces =
      reverse_chatter(planar_contact(space, contact), {law.restitution, law.law, law.mu_impact});
  const auto first = landing(bounces, {slowest_bounce, *way.phase}, 0);
  const int t = space.tangent(contact);
  const Dynamics d = problem_.mechanism->dynamics(place.state);
  Eigen::VectorXd Lambda = Eigen::VectorXd::Zero(space.u.size());
  Lambda.segment(t, 2) = space.W.block<2, 2>(t, t).llt().solve(Eigen::Vector2d(first->u_t, first->u_n));
  const double before = energy(place.state);
  place.state.v += velocity_change(d, Lambda);
  run.energy.impact -= energy(place.state) - before;
  place.modes[static_cast<std::size_t>(contact)] = {};
  place.resting[static_cast<std::size_t>(contact)] = false;
  SimulationEvent e = event(EventKind::reverse_chatter, contact, place, space.u);
  e.u_after.segment(t, 2) << first->u_t, first->u_n;
  e.note = way.why;
  run.events.push_back(std::move(e));
  strike({}, place, run);
}

// Slip has run into p = 0. Where p = 0 is crossed with b_n < 0 the force is impulsive from there on; at the G-spot,
// where b_n goes to zero with p, springs decide: see beyond_jam.hpp.
void EventDriver::jam(const PhaseEnd& end, Place& place, Run& run) {
  const JamApproach approach = jam_approach(problem_, place.modes, end);
  const int contact = approach.contact;
  place.at_jam = true;
  if (!approach.lifts) {
    run.jam = approach;
    SimulationEvent e = event(EventKind::jam, contact, place, problem_.mechanism->dynamics(place.state).u);
    e.note = approach.portrait;
    run.events.push_back(std::move(e));
  }
  if (approach.crosses || approach.lifts) {
    Way way;  // b_n > 0: slip that the stiff limit rejects has come to where only flight is left
    way.impact = !approach.lifts && approach.b_n < 0;
    way.struck = {contact};
    way.modes = place.modes;
    way.modes[static_cast<std::size_t>(contact)] = {};
    follow(way, place, run);
    return;
  }
  const BeyondJam beyond = beyond_jam(problem_, place.modes, end, contact);
  run.jam->springs = beyond.summary;
  if (options_.policy == Policy::stiff_limit && beyond.ways.size() == 1) {
    follow(beyond.ways[0], place, run);
    return;
  }
  run.stopped = "jam";
  run.stop_reason = "slip runs into p = b_n = 0, where rigid mechanics has no continuation; " + beyond.summary;
  for (const Way& way : beyond.ways) {
    if (budget_.futures >= options_.most_futures) break;
    ++budget_.futures;
    run.futures.push_back(future(place, way));
  }
}

}  // namespace painleve::detail
