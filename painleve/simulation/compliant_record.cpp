// What a compliant run records: samples, events, turns of the gaps, and the ledger at its end.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "painleve/simulation/compliant_driver.hpp"

namespace painleve {

using Eigen::VectorXd;

namespace {

constexpr double kSameTime = 16 * std::numeric_limits<double>::epsilon();  // of t

}  // namespace

std::vector<std::string> CompliantDriver::letters() const {
  std::vector<std::string> letters;
  for (int i = 0; i < system_.layout().count; ++i) letters.push_back(system_.letter(i, y_));
  return letters;
}

double CompliantDriver::energy() const {
  const CompliantLayout& l = system_.layout();
  return setup_.model->energy(t_, y_.head(l.slow), y_.segment(l.u(0), l.rows())) + system_.stored_energy(y_);
}

// Of the contacts. Tied ones that stick move as their body does, and not as their leader.
VectorXd CompliantDriver::velocities(double t, const VectorXd& y) const {
  const CompliantLayout& l = system_.layout();
  VectorXd u = y.segment(l.u(0), l.rows());
  const VectorXd& of_body = system_.forces(t - system_.origin, y).response.u;
  for (int i = 0; i < l.count && of_body.size() > 0; ++i) {
    if (system_.phases[static_cast<std::size_t>(i)].leader >= 0) u(l.dimension * i) = of_body(l.dimension * i);
  }
  return u;
}

void CompliantDriver::record(EventKind kind, int contact, const std::string& note) {
  const VectorXd u = velocities(t_, y_);
  run_.events.push_back({t_, kind, contact, system_.word(y_), u, u, {}, note});
}

// Whether the contact, which has just landed, rose by no more than what the errors of all steps so far may add up to
// since it lifted off in this instant. A swing that just touches the surface does: whether it opens there is decided by
// these errors.
bool CompliantDriver::grazes(int contact) const {
  const CompliantLayout& l = system_.layout();
  for (std::size_t k = run_.events.size(); k-- > instant_.events;) {
    const SimulationEvent& event = run_.events[k];
    if (event.contact != contact || event.kind == EventKind::iwc) continue;
    if (event.kind != EventKind::liftoff) return false;
    const double rise = 0.25 * std::abs(y_(l.u_n(contact))) * (t_ - event.t);  // of a parabola
    return rise <= static_cast<double>(run_.steps) * tolerance_.absolute(l.gap(contact));
  }
  return false;
}

// Of changes with no time in between the last one counts, and where rounding or errors of a step had to decide, a
// contact that is back where it was has not changed.
void CompliantDriver::record_change(int contact, const std::string& is) {
  Told& told = instant_.told[static_cast<std::size_t>(contact)];
  if (told.letter == is) return;
  const bool back = told.first == is && (told.flickers || grazes(contact));
  const double at_once = kSameTime * std::abs(t_);
  const auto first = run_.events.begin() + static_cast<std::ptrdiff_t>(instant_.events);
  const auto kept = std::remove_if(first, run_.events.end(), [&](const SimulationEvent& event) {
    return event.contact == contact && event.kind != EventKind::iwc && (back || t_ - event.t <= at_once);
  });
  if (kept != run_.events.end()) told.letter = back ? told.first : told.previous;
  run_.events.erase(kept, run_.events.end());
  told.previous = std::exchange(told.letter, is);
  if (told.previous == is) return;
  const EventKind kind = is == "F"              ? EventKind::liftoff
                         : told.previous == "F" ? EventKind::landing
                         : is == "T"            ? EventKind::stick
                                                : EventKind::slip;
  record(kind, contact, "");
}

void CompliantDriver::record_changes() {
  const CompliantLayout& l = system_.layout();
  const std::vector<std::string> after = letters();
  for (int i = 0; i < l.count; ++i) record_change(i, after[static_cast<std::size_t>(i)]);
  history_.changes.resize(instant_.changes);
  history_.landings.resize(instant_.landings);
  for (std::size_t k = instant_.events; k < run_.events.size(); ++k) {
    const SimulationEvent& event = run_.events[k];
    if (event.kind == EventKind::iwc) continue;
    history_.changes.push_back(event.t);
    if (event.kind != EventKind::landing) continue;
    const double u_n = event.u_before(l.dimension * event.contact + l.tangents());
    history_.landings.push_back({event.t, event.contact, std::max(0.0, -u_n)});
  }
}

// Where u_n changes its sign the gap turns; between the ends of a step it is taken as the cubic through both.
void CompliantDriver::record_turns(double from, double stop) {
  const CompliantLayout& l = system_.layout();
  if (!(stop > from)) return;
  integrator_->interpolate_active(from, turn_);
  integrator_->interpolate_active(stop, point_);
  begin_u_n_.resize(l.count);
  for (int i = 0; i < l.count; ++i) begin_u_n_(i) = turn_(l.u_n(i));
  for (int i = 0; i < l.count; ++i) {
    const double u_n = begin_u_n_(i);
    double low = from;
    double high = stop;
    if (!(u_n * point_(l.u_n(i)) < 0)) continue;
    VectorXd& at = turn_;
    for (int k = 0; k < 50 && high - low > 1e-15 * std::abs(high); ++k) {
      const double middle = 0.5 * (low + high);
      integrator_->interpolate_active(middle, at);
      (at(l.u_n(i)) * u_n > 0 ? low : high) = middle;
    }
    history_.turns.push_back({system_.origin + high, i, at(l.gap(i))});
  }
}

void CompliantDriver::record_samples() {
  if (options_.samples <= 0) return;
  const double span = options_.t_end - setup_.t_start;
  while (next_sample_ <= options_.samples) {
    const double t = next_sample_ == options_.samples
                         ? options_.t_end
                         : setup_.t_start + span * static_cast<double>(next_sample_) / options_.samples;
    if (t > t_) return;
    ++next_sample_;
    integrator_->interpolate(std::clamp(t - system_.origin, integrator_->t_begin(), local_), point_);
    record_sample(t, point_);
  }
}

void CompliantDriver::record_sample(double t, const VectorXd& y) {
  const CompliantLayout& l = system_.layout();
  Sample sample;
  sample.t = t;
  if (setup_.has_state) {
    sample.q = y.head(l.slow / 2);
    sample.v = y.segment(l.slow / 2, l.slow / 2);
  }
  sample.gap = y.segment(l.gap(0), l.count);
  sample.u = velocities(t, y);
  sample.lambda = system_.forces(t - system_.origin, y).lambda;
  sample.mode = system_.word(y);
  if (setup_.model->has_energy()) {
    sample.energy = setup_.model->energy(t, y.head(l.slow), y.segment(l.u(0), l.rows())) + system_.stored_energy(y);
  }
  run_.samples.push_back(std::move(sample));
}

void CompliantDriver::close_ledger() {
  const CompliantLayout& l = system_.layout();
  run_.energy.final = energy();
  run_.energy.stored = system_.stored_energy(y_);
  run_.energy.friction = y_(l.friction()) + released_.tangential;
  run_.energy.impact = y_(l.dashpot()) + released_.normal;
  run_.energy.applied = y_(l.applied());
}

// What the outcome has to know of the state at the end.
void CompliantDriver::look_at_end() {
  const CompliantLayout& l = system_.layout();
  history_.t_end = t_;
  history_.word = system_.word(y_);
  look_at_spectrum();
  history_.unstable = spectrum_.unstable > 0;
  history_.flight = !system_.any_closed();
  const VectorXd a = system_.forces(local_, y_).a;
  bool open_part = true;
  bool closed_rest = true;
  for (int i = 0; i < l.count; ++i) {
    const bool parts = a(l.dimension * i + l.tangents()) > 0 && y_(l.u_n(i)) > 0;
    if (!system_.phases[static_cast<std::size_t>(i)].closed()) {
      open_part = open_part && parts;
    } else {
      closed_rest = closed_rest && rests(system_, i, local_, y_);
    }
  }
  history_.parting = history_.flight && open_part;
  history_.resting = !history_.flight && closed_rest && !history_.unstable;
  history_.settled = history_.resting && open_part;
}

void CompliantDriver::finish() {
  const CompliantLayout& l = system_.layout();
  run_.t = t_;
  run_.state.t = t_;
  if (setup_.has_state) {
    run_.state.q = y_.head(l.slow / 2);
    run_.state.v = y_.segment(l.slow / 2, l.slow / 2);
  }
  run_.impulse = y_.segment(l.impulse(), l.rows());
  if (setup_.model->has_energy()) close_ledger();
  look_at_end();
  const FastOutcome outcome = setup_.resolve ? classify(history_) : classify_motion(history_);
  run_.outcome = outcome.outcome;
  run_.outcome_reason = outcome.reason;
  run_.cycle = outcome.cycle;
}

}  // namespace painleve
