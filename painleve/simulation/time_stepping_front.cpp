#include "painleve/simulation/time_stepping_front.hpp"

#include <cmath>

namespace painleve::detail {
namespace {

double energy(const Dynamics& d, const Eigen::VectorXd& v) { return v.dot(d.M.lazyProduct(v)) / 2 + d.potential; }

StepLetter starting_letter(const ContactSpace& s, int i, const Tolerance& tolerance) {
  switch (touch(s, i, tolerance)) {
    case Touch::slipping:
      if (s.dimension == 3) return StepLetter::slip;
      return s.u(s.tangent(i)) > 0 ? StepLetter::slip_plus : StepLetter::slip_minus;
    case Touch::resting:
      return StepLetter::stick;
    default:
      return StepLetter::free;
  }
}

}  // namespace

bool SampleGrid::due(double t) {
  constexpr double rounding = 1e-9;  // of an interval: step times and sample times are computed in different ways
  if (interval == 0 || t < start + (static_cast<double>(next) - rounding) * interval) return false;
  next = static_cast<long>(std::floor((t - start) / interval + rounding)) + 1;
  return true;
}

Front::Front(const SimulationProblem& problem, const TimeSteppingOptions& stepping, const SampleGrid& grid, Run& run,
             const State& start)
    : problem_(&problem),
      grid_(grid),
      run_(&run),
      state_(start),
      step_(problem, stepping),
      held_(problem.laws.size(), false),
      jammed_(problem.laws.size(), false) {
  const auto surfaces = problem.surfaces();
  const ContactSpace space = contact_space(*problem.mechanism, start, surfaces);
  for (int i = 0; i < space.count(); ++i) {
    modes_.push_back(starting_letter(space, i, problem.tolerance));
    held_[static_cast<std::size_t>(i)] = modes_.back() != StepLetter::free;
  }
  letters_ = modes_;
  Lambda_ = Eigen::VectorXd::Zero(space.u.size());
  record_start();
}

Front::Front(const Front& parent, Run& run) : Front(parent) {
  run_ = &run;
  events_before_ = 0;
  record_start();
}

void Front::record_start() {
  run_->dimension = problem_->mechanism->dimension();
  run_->coordinates = problem_->mechanism->coordinates();
  run_->contacts = problem_->mechanism->contacts();
  run_->impulse = Eigen::VectorXd::Zero(Lambda_.size());
  const Dynamics d = problem_->mechanism->dynamics(state_);
  run_->energy.initial = energy(d, state_.v);
  Sample s;
  s.t = state_.t;
  s.q = state_.q;
  s.v = state_.v;
  s.gap = d.gap;
  s.u = d.u;
  s.lambda = Eigen::VectorXd::Zero(Lambda_.size());
  s.mode = step_word(modes_);
  s.energy = run_->energy.initial;
  run_->samples.push_back(s);
}

const StepSolutions* Front::prepare(double dt) {
  dt_ = dt;
  stuck_.resize(modes_.size());
  for (std::size_t i = 0; i < stuck_.size(); ++i) stuck_[i] = modes_[i] == StepLetter::stick;
  step_.prepare(state_, dt, held_, stuck_);
  find_solutions(
      step_.contacts(), [this] { return history().Lambda; }, solutions_);
  return &solutions_;
}

StepHistory Front::history() const {
  StepHistory h;
  const auto& list = step_.taking_part();
  const int d = run_->dimension;
  h.known = !first_;
  h.Lambda.resize(static_cast<Eigen::Index>(list.size()) * d);
  h.letters.resize(list.size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    h.Lambda.segment(static_cast<Eigen::Index>(k) * d, d) = Lambda_.segment(list[k] * d, d);
    h.letters[k] = letters_[static_cast<std::size_t>(list[k])];
  }
  return h;
}

bool Front::take(int k, double t) {
  const StepSolution& taken = solutions_.list[static_cast<std::size_t>(k)];
  const auto& list = step_.taking_part();
  const int d = run_->dimension;
  proposed_.setZero(Lambda_.size());
  for (std::size_t c = 0; c < list.size(); ++c)
    proposed_.segment(list[c] * d, d) = taken.Lambda.segment(static_cast<Eigen::Index>(c) * d, d);
  step_.finish(proposed_, result_);
  if (!result_.q.allFinite() || !result_.v.allFinite()) return false;
  Lambda_.swap(proposed_);
  run_->impulse += Lambda_;
  run_->energy.friction += result_.friction;
  run_->energy.impact += result_.impact;
  run_->energy.applied += result_.applied;
  events_before_ = run_->events.size();
  note_changes(taken, t);
  state_.q = result_.q;
  state_.v = result_.v;
  state_.t = t;
  ++run_->steps;
  first_ = false;
  indeterminacy_.clear();
  for (int s = 0; solutions_.count > 1 && s < solutions_.count; ++s)
    indeterminacy_.push_back(step_word(solutions_.list[static_cast<std::size_t>(s)].letters));
  taken_dt_ = dt_;
  solutions_seen_ = solutions_.count;
  taken_ = k;
  const bool due = grid_.due(t);
  if (due || run_->events.size() > events_before_) sample();
  return true;
}

// p of the contact at place k of the problem, in the direction in which it slipped before the step.
double Front::slip_parameter(int k) const {
  const ContactProblem& p = step_.contacts();
  slip_ = step_.u_before().segment(step_.taking_part()[static_cast<std::size_t>(k)] * p.dimension, p.dimension - 1);
  slip_.normalize();
  return painleve_parameter(p, k, slip_);
}

// Compares what each contact did with what it did before.
void Front::note_changes(const StepSolution& taken, double t) {
  before_ = modes_;
  slip_parameters_.assign(before_.size(), 1);
  const std::vector<StepLetter>& before = before_;
  std::vector<double>& p = slip_parameters_;
  letters_.assign(before.size(), StepLetter::free);
  modes_.assign(before.size(), StepLetter::free);
  held_.assign(before.size(), false);
  const auto& list = step_.taking_part();
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto i = static_cast<std::size_t>(list[k]);
    letters_[i] = taken.letters[k];
    if (letters_[i] == StepLetter::free) continue;
    if (!step_.bounces(list[k])) {
      held_[i] = true;
      modes_[i] = letters_[i];
    }
    if (slips(before[i]) && !problem_->bilateral[i]) p[i] = slip_parameter(static_cast<int>(k));
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    const int contact = static_cast<int>(i);
    if (const auto kind = change(contact, before[i], letters_[i], p[i])) {
      const char* note =
          *kind == EventKind::iwc ? "it slid with p <= 0, and the impulse of one step ends the slip" : "";
      add_event(*kind, contact, t, note);
    }
    const bool jams = slips(modes_[i]) && modes_[i] == before[i] && p[i] <= 0;
    if (jams && !jammed_[i]) add_event(EventKind::jam, contact, t, "it slides with p <= 0");
    jammed_[i] = jams;
  }
}

std::optional<EventKind> Front::change(int contact, StepLetter before, StepLetter after, double p) const {
  const int n = contact * run_->dimension + run_->dimension - 1;
  if (before == StepLetter::free && after != StepLetter::free) {
    // An approach that free motion does not build up in two steps is an impact.
    const double gained = std::abs(step_.u_free()(n) - step_.u_before()(n));
    const bool hits = -step_.u_before()(n) > 2 * gained + problem_->tolerance.velocity;
    return hits ? EventKind::impact : EventKind::landing;
  }
  if (before == after) return std::nullopt;
  if (after == StepLetter::free) return EventKind::liftoff;
  if (p <= 0 && slips(before)) return EventKind::iwc;
  return after == StepLetter::stick ? EventKind::stick : EventKind::slip;
}

void Front::add_event(EventKind kind, int contact, double t, const std::string& note) {
  SimulationEvent e;
  e.t = t;
  e.kind = kind;
  e.contact = contact;
  e.mode = step_word(modes_);
  e.u_before = step_.u_before();
  e.u_after = result_.u;
  if (kind == EventKind::impact || kind == EventKind::iwc) e.Lambda = Lambda_;
  e.note = note;
  run_->events.push_back(e);
}

void Front::sample() {
  Dynamics& d = at_sample_;
  problem_->mechanism->dynamics(state_, d);
  Sample& s = run_->samples.emplace_back();
  s.t = state_.t;
  s.q = state_.q;
  s.v = state_.v;
  s.gap = d.gap;
  s.u = d.u;
  s.lambda = Lambda_ / taken_dt_;
  s.mode = step_word(letters_);
  s.energy = energy(d, state_.v);
  s.solutions = solutions_seen_;
  s.taken = taken_;
}

void Front::stop(const std::string& stopped, const std::string& reason) {
  run_->stopped = stopped;
  run_->stop_reason = reason;
  run_->t = state_.t;
  run_->state = state_;
  run_->outcome = step_word(modes_);
  run_->energy.final = energy(problem_->mechanism->dynamics(state_), state_.v);
  if (run_->samples.back().t < state_.t) sample();
}

}  // namespace painleve::detail
