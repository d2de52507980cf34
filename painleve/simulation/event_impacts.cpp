// Impacts between the phases: collisions, impacts without collision, chatter to its end, bounces out of rest, jam.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "painleve/impact/bounce_map.hpp"
#include "painleve/impact/compliant_impact.hpp"
#include "painleve/simulation/beyond_jam.hpp"
#include "painleve/simulation/chatter_rounds.hpp"
#include "painleve/simulation/detail/event_driver.hpp"
#include "painleve/simulation/impulsive_slip.hpp"
#include "painleve/simulation/jam_approach.hpp"
#include "painleve/simulation/projection.hpp"

namespace painleve::detail {
namespace {

// [s] Chatter whose remaining bounces last no longer is summed to its end. In shorter flights the rounding of the gap,
// 1e-16 m, shifts landings by more than the change of b over the remaining time does.
constexpr double chatter_time = 5e-6;
// [m] Nor are bounces followed that rise no higher, however long they last, where b is small or little is lost: the
// rounding of many low flights adds up. But those over which b changes are, as long as their gaps stand clear of it.
constexpr double lowest_bounce = 1e-11;
// [m] Nor bounces of several contacts, or in space, that rise no higher, where b does not change over all of them: the
// rounding of the gap shifts the landings, then, by more than the change of b with the height does.
constexpr double lowest_round = 1e-9;
constexpr double same_b = 1e-8;
constexpr double about_same_b = 1e-4;  // of bounces that are followed no longer
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

bool is_lone(const std::vector<ContactMode>& modes) {
  return std::count_if(modes.begin(), modes.end(), [](const auto& m) { return m.letter != Letter::F; }) == 1;
}

// What comes to zero at a jam. Where the force grows fast, b_n is still far from it when p is all but zero.
std::string jam_place(const std::vector<ContactMode>& modes, const JamApproach& approach, double b) {
  constexpr double small = 1e-2;
  if (!is_lone(modes)) return "det P = 0, adj(P) b = 0";
  if (std::abs(approach.b_n) <= small * b) return "p = b_n = 0";
  return fmt::format("p = 0 with b_n = {:.6g}, which the impulse there takes to 0", approach.b_n);
}

// Another contact lands within this time: its impact sets these going again.
bool lands_within(double time, const ContactSpace& space, const std::vector<int>& these) {
  for (int i = 0; i < space.count(); ++i) {
    const double way = time * (space.u(space.normal(i)) + time * space.b(space.normal(i)) / 2);
    if (std::find(these.begin(), these.end(), i) == these.end() && space.gap(i) + way <= 0) return true;
  }
  return false;
}

// [s] How long the flights last after an impact that hold_down() leaves out. What other contacts would have of them is
// lost with them: of nested bounces, all those of one foot between two landings of the other.
double lost_flights(const ContactSpace& struck, const ImpactOptions& impacts) {
  const ImpactReport report = impact(struck, impacts);
  if (!report.happened) return 0;
  double lost = 0;
  for (int i = 0; i < struck.count(); ++i) {
    const double u_n = report.u_after(struck.normal(i));
    const double b_n = struck.b(struck.normal(i));
    if (struck.gap(i) == 0 && rises_less(lowest_flight, u_n, b_n)) lost += 2 * u_n / -b_n;
  }
  return lost;
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

// Open contacts that are closed to the tolerance and approach land with those that have, if they would within a
// millionth of the time since the last event: which of several that land together comes first is otherwise left to
// rounding, and what is farther away, low bounces among them, lands by itself. One that lands by rules of its own waits
// for them. True where there are any.
bool EventDriver::land_together(ContactSpace space, Place& place, Run& run) const {
  constexpr double at_once = 1e-6;
  problem_.mechanism->dynamics(place.state, dynamics_);
  space.gap = dynamics_.gap;
  const auto before = std::find_if(run.events.rbegin(), run.events.rend(),
                                   [&](const SimulationEvent& e) { return e.t < place.state.t; });
  const double since = place.state.t - (before == run.events.rend() ? problem_.start.t : before->t);
  bool any = false;
  for (int i = 0; i < space.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool lands = !place.closed[at] && touch(space, i, problem_.tolerance) == Touch::approaching &&
                       space.gap(i) <= at_once * since * -space.u(space.normal(i));
    if (!lands || problem_.laws[at].lands_beyond) continue;
    place.closed[at] = true;
    place.resting[at] = false;
    run.events.push_back(event(EventKind::landing, i, place, space.u));
    any = true;
  }
  return any;
}

// The impulses of an impact, and their work along the mean velocities.
void EventDriver::give_impulses(const Eigen::VectorXd& Lambda, const Eigen::VectorXd& mean_u, Place& place,
                                Run& run) const {
  const Dynamics d = problem_.mechanism->dynamics(place.state);
  const Eigen::VectorXd surface = d.J * place.state.v - d.u;  // velocity of the surfaces along the contact frames
  place.state.v += velocity_change(d, Lambda);
  run.energy.impact -= Lambda.dot(mean_u);
  run.energy.applied += Lambda.dot(surface);
  run.impulse += Lambda;
}

void EventDriver::strike(const std::vector<int>& without_collision, Place& place, Run& run) {
  place.look = 0;
  ++place.events_here;
  ContactSpace space = struck_space(place);
  std::vector<int> approaching = approaching_contacts(space, problem_.tolerance);
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
  if (options.several == SeveralImpacts::compliant || !without_collision.empty())
    options.stiffness = spring_stiffness(problem_.laws);
  if (without_collision.empty()) {
    if (finish_rounds(options, place, run)) return;
    if (land_together(space, place, run)) {
      space = struck_space(place);
      approaching = approaching_contacts(space, problem_.tolerance);
    }
  }
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
  give_impulses(report.Lambda, (report.u_before + report.u_after) / 2, place, run);
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

// What brings the contacts from u to their velocities at the end of bounces: along the normals, and along the tangents
// where they come to rest. Slip that goes on is pushed by friction alone.
Eigen::VectorXd EventDriver::remaining_impulses(const std::vector<int>& rows, const ChatterEnd& end,
                                                const ContactSpace& space, const Eigen::VectorXd& u) const {
  std::vector<int> held;
  std::vector<double> missing;
  for (std::size_t first = 0; first < rows.size(); first += static_cast<std::size_t>(dimension_)) {
    const auto at = static_cast<Eigen::Index>(first);
    const bool slips = end.u.segment(at, dimension_ - 1).norm() > problem_.tolerance.velocity;
    for (int k = slips ? dimension_ - 1 : 0; k < dimension_; ++k) {
      held.push_back(rows[first] + k);
      missing.push_back(end.u(at + k) - u(held.back()));
    }
  }
  const Eigen::MatrixXd W = space.W(held, held);
  const auto size = static_cast<Eigen::Index>(missing.size());
  Eigen::VectorXd Lambda = Eigen::VectorXd::Zero(space.u.size());
  Lambda(held) =
      W.completeOrthogonalDecomposition().solve(Eigen::Map<const Eigen::VectorXd>(missing.data(), size)).eval();
  return Lambda;
}

// Bounces within a short time, in constant W and b, of which their end is known. The surfaces turn meanwhile, as the
// body does: impulses act along them where they are in the middle of the impulses, the way leads along them where they
// are in the middle of the time, and at the end the contacts have the velocities that they should have there. Otherwise
// a fast spin would give energy. Returns all impulses.
Eigen::VectorXd EventDriver::pass_bounces(const std::vector<int>& rows, const ChatterEnd& end, Place& place, Run& run) {
  const State start = place.state;
  const auto later = [&](double time) { return State{start.q + time * start.v, start.v, start.t + time}; };
  const State middle = later(end.middle);
  const Dynamics d = problem_.mechanism->dynamics(middle);
  const ContactSpace space = contact_space(*problem_.mechanism, middle, problem_.surfaces());
  const auto at_rows = [&](const Eigen::VectorXd& part) {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(space.u.size());
    all(rows) = part;
    return all;
  };
  Eigen::VectorXd Lambda = at_rows(end.Lambda);
  const Eigen::VectorXd change = velocity_change(d, Lambda) + end.time * free_acceleration(d);
  // From the mean velocity to the way that the contacts have gone.
  const Dynamics half = problem_.mechanism->dynamics(later(end.time / 2));
  const Eigen::VectorXd mean_u = half.u + half.J * change / 2;
  const Eigen::MatrixXd W = space.W(rows, rows);
  const Eigen::VectorXd level = W.completeOrthogonalDecomposition().solve(end.shift - end.time * mean_u(rows));
  const Eigen::VectorXd way = end.time * (start.v + change / 2) + velocity_change(half, at_rows(level));
  place.state = {start.q + way, start.v + change, start.t + end.time};
  const Eigen::VectorXd rest = remaining_impulses(rows, end, space, problem_.mechanism->dynamics(place.state).u);
  place.state.v += velocity_change(d, rest);
  Lambda += rest;
  const double put_in = d.applied.dot(way) + end.time * d.drive + Lambda.dot(d.J * start.v - d.u);
  run.energy.applied += put_in;
  run.energy.friction += end.friction;
  run.energy.impact += energy(start) + put_in - end.friction - energy(place.state);
  run.impulse += Lambda;
  return Lambda;
}

// Of one planar contact, from the state to the velocity u.
ChatterEnd EventDriver::lone_end(const ContactSpace& space, int contact, double time, const Eigen::Vector2d& u,
                                 double shift, double middle) const {
  const int t = space.tangent(contact);
  ChatterEnd end;
  end.time = time;
  end.u = u;
  end.Lambda = space.W.block<2, 2>(t, t).llt().solve(u - space.u.segment<2>(t) - time * space.b.segment<2>(t));
  end.shift = Eigen::Vector2d(shift, 0);
  end.middle = middle;
  return end;
}

// Whether b_n is the same at the end of the bounces of one contact.
bool EventDriver::steady(const ContactSpace& space, int contact, const ChatterEnd& end, const State& start) const {
  const int n = space.normal(contact);
  const Dynamics d = problem_.mechanism->dynamics(start);
  Eigen::VectorXd Lambda = Eigen::VectorXd::Zero(space.u.size());
  Lambda.segment<2>(space.tangent(contact)) = end.Lambda;
  const Eigen::VectorXd change = velocity_change(d, Lambda) + end.time * free_acceleration(d);
  const State later{start.q + end.time * (start.v + change / 2), start.v + change, start.t + end.time};
  const double b_n = contact_space(*problem_.mechanism, later, problem_.surfaces()).b(n);
  return std::abs(b_n - space.b(n)) <= about_same_b * std::abs(space.b(n));
}

// The bounces of one planar contact after a first impact, from the state `start` that this leaves; empty where they do
// not end, or not so soon that they are summed in closed form. b of `landing` is that of the state, its u_t and `u_n`
// are those before the impact, `rises` is u_n after it.
std::optional<ChatterEnd> EventDriver::bounces_end(int contact, const PlanarContact& landing, double u_n, double rises,
                                                   const ContactSpace& space, const State& start) const {
  if (landing.b_n >= 0) return std::nullopt;  // a flight that does not return
  const ContactLaw& law = problem_.laws[static_cast<std::size_t>(contact)];
  const auto low = [&](double height) { return rises_less(height, rises, landing.b_n); };
  if (2 * rises > -landing.b_n * chatter_time && !low(lowest_bounce)) return std::nullopt;
  const Chatter chatter = complete_chatter(landing, u_n, {law.restitution, law.law, law.mu_impact});
  if (!chatter.completes || start.t + chatter.t_end > options_.t_end) return std::nullopt;
  const bool due = chatter.t_end <= chatter_time || low(lowest_flight);
  if (!due && !low(lowest_bounce)) return std::nullopt;
  const double middle = chatter.t_end / (1 + chatter.e);
  ChatterEnd end = lone_end(space, contact, chatter.t_end, {chatter.u_t, 0}, chatter.shift, middle);
  end.factor = chatter.e;
  if (!due && !steady(space, contact, end, start)) return std::nullopt;
  if (lands_within(chatter.t_end, space, {contact})) return std::nullopt;
  return end;
}

// The rest of a chatter of one planar contact, the others open, when it is short enough: an impact, and the bounces
// after it under the load that it leaves. However short they are, the impact may be hard, and b depends on velocities.
bool EventDriver::finish_chatter(int contact, Place& place, Run& run) {
  const auto at = static_cast<std::size_t>(contact);
  const ContactLaw& law = problem_.laws[at];
  const auto closed = std::count(place.closed.begin(), place.closed.end(), true);
  if (dimension_ != 2 || law.restitution == 0 || closed != 1) return false;
  const ContactSpace before = contact_space(*problem_.mechanism, place.state, problem_.surfaces());
  const int t = before.tangent(contact);
  const int n = before.normal(contact);
  PlanarContact landing = planar_contact(before, contact);
  const PlanarImpact first = planar_impact(landing, before.u(n), {law.restitution, law.law, law.mu_impact});
  if (!first.happened()) return false;
  Eigen::VectorXd Lambda = Eigen::VectorXd::Zero(before.u.size());
  Lambda.segment<2>(t) = Eigen::Vector2d(first.Lambda_t, first.Lambda_n);
  State start = place.state;
  start.v += velocity_change(problem_.mechanism->dynamics(start), Lambda);
  const ContactSpace after = contact_space(*problem_.mechanism, start, problem_.surfaces());
  landing.b_t = after.b(t);
  landing.b_n = after.b(n);
  const auto end = bounces_end(contact, landing, before.u(n), first.u_n, after, start);
  if (!end) return false;
  give_impulses(Lambda, (before.u + after.u) / 2, place, run);
  Lambda += pass_bounces({t, n}, *end, place, run);
  SimulationEvent e = event(EventKind::chatter, contact, place, before.u);
  e.u_after = problem_.mechanism->dynamics(place.state).u;
  e.u_after.segment<2>(t) = end->u;
  e.Lambda = Lambda;
  e.note = fmt::format("infinitely many bounces end here, e = {:.9g}", *end->factor);
  place.resting[at] = std::abs(end->u(0)) <= problem_.tolerance.velocity;
  run.events.push_back(std::move(e));
  return true;
}

// The contacts that take part in chatter of several, or in space: closed ones that hardly rise or are struck, and open
// ones so low. None where one of them is faster, or lands by rules of its own.
std::vector<int> EventDriver::low_contacts(const ContactSpace& space, const Place& place, double height) const {
  double fall = 0;  // [m/s²] the heights are those of a fall at the greatest acceleration
  for (int i = 0; i < space.count(); ++i)
    if (place.closed[static_cast<std::size_t>(i)]) fall = std::max(fall, std::abs(space.b(space.normal(i))));
  std::vector<int> low;
  for (int i = 0; i < space.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double u_n = std::abs(space.u(space.normal(i)));
    const bool slow = u_n == 0 || rises_less(height, u_n, -fall);
    if (!slow && place.closed[at]) return {};
    if (!place.closed[at] && !(slow && space.gap(i) < height)) continue;
    const ContactLaw& law = problem_.laws[at];
    if (law.lands_beyond || law.mu_static.value_or(0) > law.mu) return {};
    low.push_back(i);
  }
  return low;
}

// The state without the velocities of the bounces themselves. In b they stand by their squares, which vanish sooner
// than they do; kept constant, these would move apart contacts of one body.
State EventDriver::calm_state(const ContactSpace& space, const std::vector<int>& low, State state) const {
  double speed = 0;
  for (const int i : low) speed = std::max(speed, std::abs(space.u(space.normal(i))));
  std::vector<int> slow;
  for (const int i : low) {
    slow.push_back(space.normal(i));
    if (space.u.segment(space.tangent(i), dimension_ - 1).norm() > 10 * speed) continue;
    for (int k = space.tangent(i); k < space.normal(i); ++k) slow.push_back(k);
  }
  const Eigen::MatrixXd W = space.W(slow, slow);
  const Eigen::VectorXd u = space.u(slow);
  const Eigen::VectorXd impulses = W.completeOrthogonalDecomposition().solve(-u);
  Eigen::VectorXd Lambda = Eigen::VectorXd::Zero(space.u.size());
  Lambda(slow) = impulses;
  state.v += velocity_change(problem_.mechanism->dynamics(state), Lambda);
  return state;
}

// How the contacts `low` end their chatter; empty where they do not, or not yet to be summed: where more would be lost
// by a change of b than the time `lost` without the sum.
std::optional<ChatterEnd> EventDriver::rounds_end(const std::vector<int>& low, double lost, ContactSpace space,
                                                  const ImpactOptions& impacts, const Place& place) const {
  State calm = calm_state(space, low, place.state);
  space.b = contact_space(*problem_.mechanism, calm, problem_.surfaces()).b;
  ImpactOptions of_low = impacts;
  of_low.laws.clear();
  for (const int i : low) of_low.laws.push_back(impacts.laws[static_cast<std::size_t>(i)]);
  if (impacts.stiffness.size() > 0) of_low.stiffness = impacts.stiffness(low).eval();
  auto end = chatter_end(subset(space, low), of_low);
  if (!end || place.state.t + end->time > options_.t_end || lands_within(end->time, space, low)) return std::nullopt;
  calm.q += end->time * calm.v;
  calm.t += end->time;
  const Eigen::VectorXd b = contact_space(*problem_.mechanism, calm, problem_.surfaces()).b;
  const double same = std::max(same_b, std::min(about_same_b, lost / end->time));
  return (b - space.b).norm() <= same * b.norm() ? std::move(end) : std::nullopt;
}

// The rest of a chatter of several contacts, or in space, once it is low enough.
bool EventDriver::finish_rounds(const ImpactOptions& impacts, Place& place, Run& run) {
  const ContactSpace struck = struck_space(place);
  ContactSpace space = struck;
  const Eigen::VectorXd gap = problem_.mechanism->dynamics(place.state).gap;
  for (int i = 0; i < space.count(); ++i)
    if (!place.closed[static_cast<std::size_t>(i)]) space.gap(i) = std::max(gap(i), 0.0);
  const std::vector<int> low = low_contacts(space, place, lowest_round);
  const bool alone = low.size() == 1;
  if (low.empty() || (alone && dimension_ == 2) || (!alone && options_.several == SeveralImpacts::compliant))
    return false;
  const bool lowest = low_contacts(space, place, lowest_bounce).size() == low.size();
  const double lost = lowest ? std::numeric_limits<double>::infinity() : lost_flights(struck, impacts);
  const auto end = rounds_end(low, lost, space, impacts, place);
  if (!end) return false;
  std::vector<int> rows;
  for (const int i : low)
    for (int k = space.tangent(i); k <= space.normal(i); ++k) rows.push_back(k);
  const Eigen::VectorXd Lambda = pass_bounces(rows, *end, place, run);
  const int contact = end->struck.size() == 1 ? low[static_cast<std::size_t>(end->struck[0])] : -1;
  SimulationEvent e = event(EventKind::chatter, contact, place, space.u);
  e.u_after = problem_.mechanism->dynamics(place.state).u;
  e.u_after(rows) = end->u;
  e.Lambda = Lambda;
  e.note = end->factor ? fmt::format("infinitely many bounces end here, each round {:.9g} times the last", *end->factor)
                       : "the last of many low bounces ends here";
  for (const int i : low) {
    const auto at = static_cast<std::size_t>(i);
    place.closed[at] = true;
    place.resting[at] = e.u_after.segment(space.tangent(i), dimension_ - 1).norm() <= problem_.tolerance.velocity;
  }
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
  const bool in_time = place.state.t + first->t <= options_.t_end;
  const int t = space.tangent(contact);
  const ContactSpace here = contact_space(*problem_.mechanism, place.state, problem_.surfaces());
  const double time = in_time ? first->t : 0;
  const double shift = in_time ? first->shift : 0;
  pass_bounces({t, t + 1}, lone_end(here, contact, time, lands, shift, time / (1 + bounces.e)), place, run);
  strike({}, place, run);
}

// Slip has run into p = 0. Its impulse may end it first (impulsive_slip.hpp). Where p = 0 is crossed with b_n < 0 the
// force is impulsive from there on; at the G-spot, where b_n goes to zero with p, springs decide: see beyond_jam.hpp.
void EventDriver::jam(const PhaseEnd& end, Place& place, Run& run) {
  if (const auto time = time_past_degenerate_slip(problem_, place.modes, end)) {
    leave_degenerate_slip(*time, place, run);
    return;
  }
  if (const auto stop = stopping_impulse(problem_, place.modes, end)) {
    stop_slip(*stop, place, run);
    return;
  }
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
    const auto at = static_cast<std::size_t>(contact);
    Way way;  // b_n > 0: slip that the stiff limit rejects has come to where only flight is left
    way.impact = !approach.lifts && place.modes[at].force_sign * approach.b_n < 0;
    way.struck = {contact};
    way.modes = place.modes;
    way.modes[at] = let_go(problem_, contact, place.modes[at]);
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
  const double b = contact_space(*problem_.mechanism, place.state, problem_.surfaces()).b.norm();
  run.stop_reason = fmt::format("slip runs into {}, where rigid mechanics has no continuation; {}",
                                jam_place(place.modes, approach, b), beyond.summary);
  for (const Way& way : beyond.ways) {
    if (budget_.futures >= options_.most_futures) break;
    ++budget_.futures;
    run.futures.push_back(future(place, way));
  }
}

// The growing force ends slip at this very time. Friction takes all that it takes: u_n is zero all the way.
void EventDriver::stop_slip(const StoppingImpulse& stop, Place& place, Run& run) const {
  const Dynamics d = problem_.mechanism->dynamics(place.state);
  const Eigen::VectorXd change = velocity_change(d, stop.Lambda);
  const Eigen::VectorXd u_after = d.u + d.J * change;
  run.energy.friction -= stop.Lambda.dot(d.u + u_after) / 2;
  run.energy.applied += stop.Lambda.dot(d.J * place.state.v - d.u);
  run.impulse += stop.Lambda;
  place.state.v += change;
  place.look = 0;
  for (std::size_t i = 0; i < place.modes.size(); ++i) {
    const bool still = std::abs(u_after(static_cast<Eigen::Index>(2 * i))) <= problem_.tolerance.velocity;
    place.resting[i] = place.modes[i].letter == Letter::T || (place.modes[i].letter == Letter::S && still);
  }
  SimulationEvent e = event(EventKind::mode, stop.contact, place, d.u);
  e.u_after = u_after;
  e.Lambda = stop.Lambda;
  e.note = fmt::format("{} runs into {} = 0 with b_n = {:.6g}; the impulse there ends slip", word(place.modes),
                       is_lone(place.modes) ? "p" : "det P", stop.b_n);
  run.events.push_back(std::move(e));
}

// Slip of several contacts with det P = 0 that is no jam. Beyond it the stiff limit rejects that slip (det P < 0);
// other modes have become consistent there.
void EventDriver::leave_degenerate_slip(double time, Place& place, Run& run) {
  for (std::size_t i = 0; i < place.modes.size(); ++i)
    if (place.modes[i].letter == Letter::S) place.resting[i] = false;
  place.look = time;
  Crossroads c = ways_from(ahead_of(place, 1), place);
  place.look = 0;
  const std::string slip = word(place.modes);
  std::erase_if(c.ways, [&](const Way& way) { return !way.impact && word(way.modes) == slip; });
  SimulationEvent e = event(EventKind::mode, -1, place, problem_.mechanism->dynamics(place.state).u);
  e.note =
      fmt::format("{} runs into det P = 0 with forces that do not grow; beyond it the stiff limit rejects it", slip);
  run.events.push_back(std::move(e));
  if (c.ways.empty()) {
    run.stopped = "inconsistent";
    run.stop_reason = fmt::format("beyond det P = 0 no mode is consistent but {}, which the stiff limit rejects", slip);
    return;
  }
  choose(c, place, run);
}

}  // namespace painleve::detail
