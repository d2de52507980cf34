#include "painleve/simulation/compliant_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "painleve/simulation/compliant_divergence.hpp"
#include "painleve/simulation/compliant_driver.hpp"
#include "painleve/simulation/dormand_prince.hpp"
#include "painleve/simulation/radau.hpp"

namespace painleve {

using Eigen::VectorXd;

namespace {

// Steps of an explicit method that a run may cost before the stiff one is taken, in units of the fastest motion.
constexpr double kExplicitSpan = 2e3;
constexpr double kLinearSpan = 30;             // the same where the fast motion is linear
constexpr double kExplicitSpanResolved = 3e4;  // where steps are cheap, and the fast motion is what counts
constexpr double kIdleSwing = 1e-3;            // in parts of what could part a contact
constexpr double kIdleTolerance = 1e-6;        // of gaps and their rates then
constexpr double kExplicitStep = 1;            // fastest motion times longest step
constexpr double kLinearGrowth = 4;            // logarithm of the growth within a step of linear motion
constexpr double kExplicitSwing = 2;           // how much longer explicit steps may be than those of implicit methods
constexpr double kLinearSwing = 5;             // the same for steps of linear motion
constexpr double kStandsOut = 32;  // of the speed with which slip in space begins, over the errors of a step
// In units of the fastest motion:
constexpr double kInstant = 1e-3;  // events this close may belong together
constexpr double kAtOnce = 1e-6;   // what one event did and the next undoes so soon is decided by rounding
constexpr double kPasses = 1;      // an instant in which rounding decides ends at the latest after so long
constexpr int kStepsPerSpectrum = 8;
constexpr int kStepsPerProgress = 64;

// What velocities can grow to in this time by loads, and by what springs hold at the start [m/s].
double reachable_speed(const CompliantSystem& system, const VectorXd& y, double time) {
  const CompliantLayout& l = system.layout();
  const ContactResponse& r = system.forces(0, y).response;
  VectorXd held = VectorXd::Zero(l.rows());
  for (int i = 0; i < l.count; ++i) {
    const NormalSpring& spring = system.contacts()[static_cast<std::size_t>(i)].spring;
    const double force = normal_force(spring, NormalPhase::pressing, y(l.gap(i)), y(l.u_n(i))).value;
    held.segment(l.dimension * i, l.dimension).setConstant(spring.bilateral ? std::abs(force) : std::max(force, 0.0));
  }
  const double acceleration = (r.b.cwiseAbs() + r.W.cwiseAbs() * held).maxCoeff();
  return std::max(y.segment(l.u(0), l.rows()).cwiseAbs().maxCoeff(), acceleration * time);
}

}  // namespace

void CompliantDriver::begin() {
  const CompliantLayout& l = system_.layout();
  t_ = system_.origin = setup_.t_start;
  y_.setZero(l.size());
  y_.head(l.slow) = setup_.slow;
  for (int i = 0; i < l.count; ++i) y_(l.gap(i)) = setup_.gap(i);
  y_.segment(l.u(0), l.rows()) = setup_.u;
  // A contact space has no metres: where all its velocities are small, rest is so much less.
  const bool frozen = l.slow == 0;
  if (frozen) rules_.rest *= std::min(reachable_speed(system_, y_, options_.t_end - t_), 1.0);
  begin_phases(system_, rules_, local_, y_);
  scales_ = compliant_scales(system_, local_, y_);
  tolerance_.relative = options_.relative;
  tolerance_.absolute = options_.relative * scales_.y;
  rules_.accuracy = tolerance_.absolute.segment(l.u(0), l.rows()).maxCoeff();
  run_.dimension = l.dimension;
  run_.contacts = setup_.names;
  run_.coordinates = setup_.coordinates;
  if (setup_.model->has_energy()) run_.energy.initial = energy();
  history_.t_start = t_;
  history_.contacts = l.count;
  record_sample(t_, y_);
  next_sample_ = 1;
}

void CompliantDriver::look_at_spectrum() {
  steps_since_spectrum_ = 0;
  spectrum_ = fast_spectrum(system_, local_, y_, scales_.y);
  if (spectrum_.fastest > 0) pace_ = spectrum_.fastest;
}

void CompliantDriver::begin_phase() {
  system_.origin = t_;
  since_ -= local_;
  local_ = 0;
  look_at_spectrum();
  choose_integrator();
  integrator_->start(0, y_);
  finder_.start(0, y_);
}

// How fast friction turns slip in space into the direction of its load: without bound where slip is slow; and slip
// turns the deflection of elastic friction. The spectrum is made with directions held and does not see that.
double CompliantDriver::turning_rate() const {
  const CompliantLayout& l = system_.layout();
  if (l.tangents() < 2) return 0;
  const CompliantSystem::Forces& forces = system_.forces(local_, y_);
  double rate = 0;
  for (int i = 0; i < l.count; ++i) {
    const CompliantContact& contact = system_.contacts()[static_cast<std::size_t>(i)];
    const Friction& f = contact.friction;
    const int t = l.dimension * i;
    const double limit = f.mu * std::abs(forces.lambda(t + l.tangents()));
    const double response = std::max(forces.response.W(t, t), forces.response.W(t + 1, t + 1));
    const double speed = system_.tangential_velocity(i, y_).norm();
    // Of a bilateral contact λ_n passes through zero, where an implicit method comes to nothing.
    const bool elastic = f.kind == FrictionKind::elastic && !contact.spring.bilateral &&
                         system_.phases[static_cast<std::size_t>(i)].slip;
    if (system_.slips_by_coulomb(i)) rate = std::max(rate, limit * response / speed);
    if (elastic && f.damping == 0 && limit > 0) rate = std::max(rate, speed * f.stiffness / limit);
  }
  return std::isfinite(rate) ? rate : 0;
}

// A part of the time in which slip in space that grows changes by its own size. An implicit method must not be led
// beyond: the Jacobian of slower slip is so stiff across it that no direction seems to turn.
double CompliantDriver::time_of_young_slip() const {
  constexpr double part = 0.2;
  const CompliantLayout& l = system_.layout();
  double time = std::numeric_limits<double>::infinity();
  if (l.tangents() < 2) return time;
  const CompliantSystem::Forces& forces = system_.forces(local_, y_);
  for (int i = 0; i < l.count; ++i) {
    if (!system_.slips_by_coulomb(i)) continue;
    const Eigen::Vector2d u_t = system_.tangential_velocity(i, y_);
    const Eigen::Vector2d a_t = forces.a.segment<2>(l.dimension * i);
    if (u_t.dot(a_t) > 0) time = std::min(time, part * u_t.norm() / a_t.norm());
  }
  return time;
}

// Where steps have to be short anyway, an explicit one does as well.
void CompliantDriver::choose_integrator() {
  const double time = options_.t_end - setup_.t_start;
  const double span = spectrum_.fastest * time;
  const double pace = std::max(spectrum_.fastest, turning_rate());
  resolve_ = setup_.resolve && pace * time <= kExplicitSpanResolved;
  swing_ = swing(system_, spectrum_.frequency, local_, y_);
  const double most = longest_step(spectrum_, resolve_, swing_);
  if (!resolve_ && span > kLinearSpan && !idle_swing() && system_.piecewise_linear()) {
    if (!linear_) linear_ = std::make_unique<ExponentialCollocation>(system_, tolerance_);
    integrator_ = linear_.get();
  } else if (resolve_ || pace * time <= kExplicitSpan || most * pace <= kExplicitStep) {
    if (!explicit_) explicit_ = std::make_unique<DormandPrince853>(system_, tolerance_);
    integrator_ = explicit_.get();
  } else if (idle_swing()) {
    if (!idle_) idle_ = std::make_unique<Radau5>(system_, idle_tolerance());
    integrator_ = idle_.get();
  } else {
    if (!stiff_) stiff_ = std::make_unique<Radau5>(system_, stiff_tolerance());
    integrator_ = stiff_.get();
  }
}

// A spring without its damper swings for ever. Once that is of no consequence to any force it need not be followed.
bool CompliantDriver::idle_swing() const {
  const bool undamped = std::any_of(system_.phases.begin(), system_.phases.end(),
                                    [](const ContactPhase& phase) { return phase.normal == NormalPhase::relaxing; });
  return undamped && spectrum_.unstable == 0 && swing_ < kIdleSwing;
}

// What is followed, exactly or as closely as the tolerance asks, has to be seen by the search for events, and no more.
double CompliantDriver::longest_step_now() const {
  const double seen = longest_step(spectrum_, resolve_, swing_);
  if (integrator_ == explicit_.get() && !resolve_) return kExplicitSwing * seen;
  if (integrator_ == stiff_.get() || integrator_ == idle_.get()) return std::min(seen, time_of_young_slip());
  if (integrator_ != linear_.get()) return seen;
  FastSpectrum swinging = spectrum_;
  swinging.unstable = 0;
  const double seen_swinging = kLinearSwing * longest_step(swinging, false, swing_);
  return spectrum_.unstable > 0 ? std::min(seen_swinging, kLinearGrowth / spectrum_.unstable) : seen_swinging;
}

// Where slip in space turns while it is slow, the errors of the implicit method are those of a lower order.
OdeTolerance CompliantDriver::stiff_tolerance() const {
  constexpr double stricter = 0.01;
  constexpr double least = 1e-13;
  OdeTolerance tolerance = tolerance_;
  if (system_.layout().tangents() < 2 || tolerance.relative <= least) return tolerance;
  tolerance.relative = std::max(stricter * tolerance_.relative, least);
  tolerance.absolute *= tolerance.relative / tolerance_.relative;
  return tolerance;
}

OdeTolerance CompliantDriver::idle_tolerance() const {
  const CompliantLayout& l = system_.layout();
  OdeTolerance tolerance = tolerance_;
  for (int i = 0; i < l.count; ++i) {
    tolerance.absolute(l.gap(i)) = kIdleTolerance * scales_.y(l.gap(i));
    tolerance.absolute(l.u_n(i)) = kIdleTolerance * std::sqrt(scales_.acceleration * scales_.y(l.gap(i)));
  }
  return tolerance;
}

void CompliantDriver::look_again() {
  look_at_spectrum();
  const OdeIntegrator* before = integrator_;
  choose_integrator();
  if (integrator_ != before) integrator_->start(local_, y_);
}

bool CompliantDriver::stop(const std::string& how, const std::string& why) {
  run_.stopped = how;
  run_.stop_reason = why;
  return false;
}

bool CompliantDriver::advance() {
  if (++steps_since_spectrum_ >= kStepsPerSpectrum) look_again();
  if (!resolve_) swing_ = swing(system_, spectrum_.frequency, local_, y_);
  double most = std::min(longest_step_now(), setup_.longest);
  if (any_muted() && spectrum_.fastest > 0) most = std::min(most, kAtOnce * std::exp2(repeats_) / spectrum_.fastest);
  const double end = options_.t_end - system_.origin;
  if (integrator_->step(std::min(end, local_ + most)) == StepStatus::collapsed) {
    const std::vector<int> ending = slow_slip();
    if (ending.empty()) return stop("collapsed", fmt::format("the step at t = {} s shrank to nothing", t_));
    if (!handle({local_, ending, y_})) return false;
    begin_phase();
    return true;
  }
  ++run_.steps;
  std::optional<Crossing> crossing;
  do {
    const double from = local_;
    crossing = finder_.first(*integrator_);
    local_ = crossing ? crossing->t : integrator_->t();
    record_turns(from, local_);
    t_ = local_ >= end ? options_.t_end : system_.origin + local_;
    record_samples();
    y_ = crossing ? crossing->y : integrator_->y();
    before_ = system_.phases;
    if (crossing && !handle(*crossing)) return false;
  } while (crossing && goes_on(*crossing));
  if (options_.progress && run_.steps % kStepsPerProgress == 0 &&
      !options_.progress({t_, options_.t_end, static_cast<long>(run_.events.size()), 1})) {
    return stop("interrupted", "stopped from outside");
  }
  if (t_ >= options_.t_end) return stop("t_end", "");
  const bool anew = follow_turns();
  if (crossing || unmute() || anew) begin_phase();
  return true;
}

// Where an event has changed nothing but what is looked for, as an impact without collision does, the step goes on.
bool CompliantDriver::goes_on(const Crossing& crossing) {
  const auto same = [](const ContactPhase& a, const ContactPhase& b) {
    return a.normal == b.normal && a.slip == b.slip && a.direction == b.direction && a.reference == b.reference &&
           a.leader == b.leader && a.along == b.along && a.muted == b.muted;
  };
  const bool changed = y_ != crossing.y || !std::equal(before_.begin(), before_.end(), system_.phases.begin(), same);
  if (changed || !(local_ < integrator_->t())) return false;
  finder_.start(local_, y_);
  return true;
}

// Slip in space turns the faster the slower it is, and where it comes to rest no step is short enough. The ends of slip
// that is as good as at rest.
std::vector<int> CompliantDriver::slow_slip() const {
  std::vector<int> ending;
  for (int i = 0; i < system_.layout().count; ++i) {
    const ContactPhase& phase = system_.phases[static_cast<std::size_t>(i)];
    const bool coulomb = system_.contacts()[static_cast<std::size_t>(i)].friction.kind == FrictionKind::coulomb;
    const bool slips = coulomb && phase.closed() && phase.slip && system_.layout().dimension == 3;
    if (slips && !turns_in_space(system_, rules_, i, y_))
      ending.push_back(CompliantEvents::kinds * i + CompliantEvents::slip);
  }
  return ending;
}

// Slip in space that turns takes its reference along.
bool CompliantDriver::follow_turns() {
  bool any = false;
  for (int i = 0; i < system_.layout().count; ++i) {
    if (!system_.has_turned(i, y_)) continue;
    system_.phases[static_cast<std::size_t>(i)].reference = system_.slip_vector(i, y_).normalized();
    any = true;
  }
  return any;
}

bool CompliantDriver::any_muted() const {
  return std::any_of(system_.phases.begin(), system_.phases.end(),
                     [](const ContactPhase& phase) { return phase.muted; });
}

// What the step without looking has led to belongs to the same instant, unless that has lasted too long: where rounding
// still decides, the contacts change once more, and the next such step is longer.
bool CompliantDriver::unmute() {
  if (!any_muted()) return false;
  for (int i = 0; i < system_.layout().count; ++i) {
    ContactPhase& phase = system_.phases[static_cast<std::size_t>(i)];
    if (!phase.muted) continue;
    phase.muted = false;
    const auto events = instant_.touched.begin() + CompliantEvents::kinds * i;
    events[1] = events[2] = 0;
  }
  if (within(local_ - since_, kPasses)) since_ = local_;
  return true;
}

bool CompliantDriver::within(double time, double units) const { return pace_ > 0 ? time * pace_ <= units : time <= 0; }

void CompliantDriver::begin_instant() {
  repeats_ = 0;
  rules_.start = setup_.rules.start;
  instant_ = {{}, {}, run_.events.size(), history_.changes.size(), history_.landings.size()};
  for (const std::string& letter : letters()) instant_.told.push_back({letter, letter, letter, false});
  instant_.touched.assign(CompliantEvents::kinds * instant_.told.size(), 0);
}

// Stick and slip, or the two states of a damper, can follow each other at once where rounding decides between them:
// the contact then keeps what it has for a short step, and for longer ones if that does not help.
// Slip in space that turns changes nothing of the kind, however fast it turns: the slower it is, the faster. Where it
// has just begun the errors of a step may turn it round; it begins anew, with twice the speed until that stands out.
std::vector<int> CompliantDriver::without_flicker(const std::vector<int>& which, double later) {
  std::vector<int> kept;
  for (const int event : which) {
    const int i = event / CompliantEvents::kinds;
    const std::size_t contact = static_cast<std::size_t>(i);
    const int kind = event % CompliantEvents::kinds;
    const bool in_space = kind == 2 && system_.layout().dimension == 3 &&
                          system_.contacts()[contact].friction.kind == FrictionKind::coulomb;
    char& touched = instant_.touched[static_cast<std::size_t>(event)];
    const bool again = (kind == 1 || kind == 2) && touched && (in_space || within(later, kAtOnce));
    if (again && !in_space) {
      system_.phases[contact].muted = true;
      instant_.told[contact].flickers = true;
      continue;
    }
    kept.push_back(event);
    if (in_space && turns_in_space(system_, rules_, i, y_)) continue;
    if (again) rules_.start = std::min(2 * rules_.start, kStandsOut * std::max(setup_.rules.start, rules_.accuracy));
    touched = 1;
  }
  return kept;
}

bool CompliantDriver::end_at_limit() {
  const std::string sentence = setup_.model->limit(t_, y_.head(system_.layout().slow));
  record(EventKind::mode, -1, sentence);
  if (options_.samples > 0) record_sample(t_, y_);
  return stop("joint_limit", sentence);
}

bool CompliantDriver::handle(const Crossing& crossing) {
  if (crossing.which.back() == events_.joint_limit()) return end_at_limit();
  const double later = crossing.t - since_;
  if (instant_.told.empty() || !within(later, kInstant)) {
    begin_instant();
  } else if (++repeats_ > 40 * (system_.layout().count + 1)) {
    return stop("collapsed", fmt::format("the contacts change without end at t = {} s", t_));
  }
  since_ = local_;
  std::vector<int> which = without_flicker(crossing.which, later);
  const bool diverged = note_divergence(which);
  const Released released = apply_events(system_, rules_, local_, which, y_);
  released_.normal += released.normal;
  released_.tangential += released.tangential;
  record_changes();
  if (options_.samples > 0) record_sample(t_, y_);
  if (diverged && setup_.stop_at_divergence) {
    return stop("iwc", fmt::format("the contact force diverges at t = {} s", t_));
  }
  if (static_cast<long>(run_.events.size()) >= options_.most_events) {
    return stop("budget", fmt::format("{} events at t = {} s", run_.events.size(), t_));
  }
  return true;
}

// I at every contact whose force is of the size of the one that diverges.
std::string CompliantDriver::struck_by_force(int contact) {
  const CompliantLayout& l = system_.layout();
  const VectorXd& lambda = system_.spring_forces(y_);
  constexpr double of_the_largest = 1e-3;
  const double largest = lambda(l.dimension * contact + l.tangents());
  std::string word;
  for (int i = 0; i < l.count; ++i) {
    const bool struck = lambda(l.dimension * i + l.tangents()) > of_the_largest * largest;
    word += struck ? "I" : system_.letter(i, y_);
  }
  return word;
}

// Takes out of `which` the forces that have outgrown all else without an impact without collision being possible: they
// are looked at again when they have grown as much once more.
bool CompliantDriver::note_divergence(std::vector<int>& which) {
  const CompliantLayout& l = system_.layout();
  const bool by_force = rules_.divergence == Divergence::force;
  bool diverged = false;
  std::vector<int> kept;
  for (const int event : which) {
    const int contact = event / CompliantEvents::kinds;
    if (event % CompliantEvents::kinds == 3) {
      const std::string word = by_force ? struck_by_force(contact) : impact_word(system_, local_, y_, contact);
      if (word.empty()) {
        const double force = system_.spring_forces(y_)(l.dimension * contact + l.tangents());
        ContactPhase& phase = system_.phases[static_cast<std::size_t>(contact)];
        phase.diverged = kOutgrows * std::max(force, phase.diverged);
        continue;
      }
      if (history_.diverged.empty()) history_.diverged = word;
      if (!diverged) record(EventKind::iwc, contact, word);
      diverged = true;
    }
    kept.push_back(event);
  }
  which = kept;
  return diverged;
}

Run CompliantDriver::run() {
  begin();
  if (t_ < options_.t_end) {
    begin_phase();
    while (advance()) {
    }
  } else {
    stop("t_end", "");
  }
  finish();
  return std::move(run_);
}

Run run_compliant(const CompliantSetup& setup, const SimulationOptions& options) {
  return CompliantDriver(setup, options).run();
}

}  // namespace painleve
