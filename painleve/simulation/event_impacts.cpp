// Impacts between the phases: collisions, impacts without collision, chatter to its end, bounces out of rest, jam.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
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
// [m] Nor are bounces followed that rise no higher, however long they last, where b is small or little is lost: the
// rounding of many low flights adds up.
constexpr double lowest_bounce = 1e-11;
// [m] Flights that rise no higher are lost in the rounding of the gap: where chatter is not summed, beside another
// closed contact or in space, the contact stays closed.
constexpr double lowest_flight = 1e-13;
// [m/s] Landing speed of the first bounce that is followed out of rest: some 1e-5 s after the infinitely many before
// it.
constexpr double slowest_bounce = 1e-5;
// At p = 0+ an impact without collision begins with p < 0: friction raised by this little.
constexpr double beyond_zero = 1e-8;

bool rises_less(double height, double u_n, double b_n) { return u_n > 0 && u_n * u_n < -2 * b_n * height; }

// Contacts that would hardly rise stay closed, and closed ones beside them as they are: at rest along their normals,
// and along their tangents where they stick. The impulses are of the size of rounding, and may pull.
void hold_down(const ContactSpace& space, const std::vector<bool>& closed, const Tolerance& tolerance,
               ImpactReport& report) {
  std::vector<int> held;
  bool any_low = false;
  for (int i = 0; i < space.count(); ++i) {
    const int n = space.normal(i);
    const int t = space.tangent(i);
    const bool low = rises_less(lowest_flight, report.u_after(n), space.b(n));
    if (!closed[static_cast<std::size_t>(i)] || !(low || std::abs(report.u_after(n)) <= tolerance.velocity)) continue;
    any_low = any_low || low;
    held.push_back(n);
    if (report.u_after.segment(t, n - t).norm() > tolerance.velocity) continue;
    for (int k = t; k < n; ++k) held.push_back(k);
  }
  if (!any_low) return;
  const Eigen::MatrixXd W = space.W(held, held);
  const Eigen::VectorXd u = report.u_after(held);
  const Eigen::VectorXd impulses = W.completeOrthogonalDecomposition().solve(-u);
  Eigen::VectorXd Lambda = Eigen::VectorXd::Zero(space.u.size());
  Lambda(held) = impulses;
  report.Lambda += Lambda;
  report.u_after += space.W * Lambda;
  report.u_after(held).setZero();
}

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
  ImpactReport report = impact(space, options);
  if (!report.happened || report.Lambda.isZero(0)) {
    run.stopped = "inconsistent";
    run.stop_reason = report.happened ? "the impact without collision has no impulse" : report.reason;
    return;
  }
  hold_down(space, place.closed, problem_.tolerance, report);
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
    const Touch t = touch(after, i, problem_.tolerance);
    place.closed[at] = t != Touch::separating;
    place.resting[at] = t == Touch::resting;
    if (t == Touch::separating) place.modes[at] = {};
  }
  e.mode = word(place.modes);
  run.events.push_back(std::move(e));
}

// Bounces of one planar contact within a short time, in constant W and b, of which only their end is known: gap 0 as at
// the beginning, and the velocity u. Returns their impulse.
Eigen::VectorXd EventDriver::pass_bounces(int contact, double time, const Eigen::Vector2d& u, Place& place, Run& run) {
  const Dynamics d = problem_.mechanism->dynamics(place.state);
  const ContactSpace space = contact_space(*problem_.mechanism, place.state, problem_.surfaces());
  const int t = space.tangent(contact);
  const int n = space.normal(contact);
  Eigen::VectorXd Lambda = Eigen::VectorXd::Zero(space.u.size());
  Lambda.segment(t, 2) =
      space.W.block<2, 2>(t, t).llt().solve(u - space.u.segment<2>(t) - time * space.b.segment<2>(t));
  const double before = energy(place.state);
  const Eigen::VectorXd v = place.state.v;
  place.state.v += velocity_change(d, Lambda) + time * free_acceleration(d);
  Eigen::VectorXd level = Eigen::VectorXd::Zero(space.u.size());  // takes the normal part out of the mean velocity
  level(n) = -(space.u(n) + u.y()) / 2 / space.W(n, n);
  const Eigen::VectorXd mean = (v + place.state.v) / 2 + velocity_change(d, level);
  place.state.q += time * mean;
  place.state.t += time;
  const double put_in = time * (d.applied.dot(mean) + d.drive) + Lambda.dot(d.J * v - d.u);
  run.energy.applied += put_in;
  run.energy.impact += before + put_in - energy(place.state);
  run.impulse += Lambda;
  return Lambda;
}

// The rest of a chatter of one planar contact, the others open, when it is short enough to be summed in closed form.
bool EventDriver::finish_chatter(int contact, Place& place, Run& run) {
  const auto at = static_cast<std::size_t>(contact);
  const ContactLaw& law = problem_.laws[at];
  const auto closed = std::count(place.closed.begin(), place.closed.end(), true);
  if (dimension_ != 2 || law.restitution == 0 || closed != 1) return false;
  const ContactSpace space = contact_space(*problem_.mechanism, place.state, problem_.surfaces());
  const double b_n = space.b(space.normal(contact));
  const double u_n = space.u(space.normal(contact));
  if (b_n >= 0) return false;  // a flight that does not return
  const Chatter chatter =
      complete_chatter(planar_contact(space, contact), u_n, {law.restitution, law.law, law.mu_impact});
  const bool due = chatter.t_end <= chatter_time || rises_less(lowest_bounce, -chatter.e * u_n, b_n);
  if (!chatter.completes || !due || place.state.t + chatter.t_end > options_.t_end) return false;
  for (int i = 0; i < space.count(); ++i) {  // another contact lands before: its impact sets this one going again
    const double way = chatter.t_end * (space.u(space.normal(i)) + chatter.t_end * space.b(space.normal(i)) / 2);
    if (i != contact && space.gap(i) + way <= 0) return false;
  }
  const Eigen::Vector2d after(chatter.u_t, 0);
  const Eigen::VectorXd Lambda = pass_bounces(contact, chatter.t_end, after, place, run);
  SimulationEvent e = event(EventKind::chatter, contact, place, space.u);
  e.u_after.segment<2>(space.tangent(contact)) = after;
  e.Lambda = Lambda;
  e.note = fmt::format("infinitely many bounces end here, e = {:.9g}", chatter.e);
  place.resting[at] = std::abs(chatter.u_t) <= problem_.tolerance.velocity;
  run.events.push_back(std::move(e));
  return true;
}

// Out of rest into the bounce of the family that lands slowly; the phase tells them apart. Infinitely many are before
// it, and take their time, unless the end of the run comes first.
void EventDriver::begin_bouncing(const Way& way, Place& place, Run& run) {
  const int contact = way.struck.front();
  const ContactLaw& law = problem_.laws[static_cast<std::size_t>(contact)];
  const ContactSpace space = struck_space(place);
  const ReverseChatter bounces =
      reverse_chatter(planar_contact(space, contact), {law.restitution, law.law, law.mu_impact});
  const auto first = landing(bounces, {slowest_bounce, *way.phase}, 0);
  place.modes[static_cast<std::size_t>(contact)] = {};
  place.resting[static_cast<std::size_t>(contact)] = false;
  SimulationEvent e = event(EventKind::reverse_chatter, contact, place, space.u);
  const Eigen::Vector2d lands(first->u_t, first->u_n);
  e.u_after.segment<2>(space.tangent(contact)) = lands;
  e.note = way.why;
  run.events.push_back(std::move(e));
  const double time = place.state.t + first->t <= options_.t_end ? first->t : 0;
  pass_bounces(contact, time, lands, place, run);
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
