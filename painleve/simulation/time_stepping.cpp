#include "painleve/simulation/time_stepping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <list>

#include "painleve/base/error.hpp"
#include "painleve/simulation/time_stepping_front.hpp"

namespace painleve {

using namespace detail;

namespace {

constexpr double beyond_limit = 1e-9;  // [rad, m] a joint that rests at its limit does not end the run by rounding

void check_sizes(const SimulationProblem& problem) {
  if (problem.mechanism == nullptr) throw InputError("time stepping needs a mechanism");
  const std::size_t contacts = problem.mechanism->contacts().size();
  if (problem.laws.size() != contacts || problem.bilateral.size() != contacts)
    throw InputError(fmt::format("laws and bilateral need one entry per contact, that is {}", contacts));
}

void check_options(const SimulationProblem& problem, const SimulationOptions& options,
                   const TimeSteppingOptions& stepping) {
  if (!(stepping.dt >= 1e-12 && stepping.dt <= 1e6))
    throw InputError(fmt::format("dt must be between 1e-12 and 1e6 s, not {}", stepping.dt));
  if (!(stepping.theta >= 0.5 && stepping.theta <= 1))
    throw InputError(fmt::format("theta must be between 0.5 and 1, not {}", stepping.theta));
  if (!(stepping.position_correction >= 0 && stepping.position_correction <= 1))
    throw InputError(fmt::format("position_correction must be between 0 and 1, not {}", stepping.position_correction));
  if (!std::isfinite(options.t_end) || options.t_end <= problem.start.t)
    throw InputError(
        fmt::format("t_end must be later than the start at t = {} s, not {}", problem.start.t, options.t_end));
  if ((options.t_end - problem.start.t) / stepping.dt > 1e12)
    throw InputError(
        fmt::format("dt = {} s is too small for t_end = {} s: more than 1e12 steps", stepping.dt, options.t_end));
  if (options.samples < 0 || options.most_futures < 1)
    throw InputError("samples must not be negative, and most_futures must be at least 1");
}

void check_laws(const SimulationProblem& problem, const TimeSteppingOptions& stepping) {
  for (std::size_t i = 0; i < problem.laws.size(); ++i) {
    const ContactLaw& law = problem.laws[i];
    if (law.restitution == 0) continue;
    const std::string& name = problem.mechanism->contacts()[i];
    if (stepping.scheme == StepScheme::stewart_trinkle) {
      throw InputError(
          fmt::format("contact {} has restitution {}, but Stewart-Trinkle steps are inelastic: "
                      "take the scheme moreau-jean",
                      name, law.restitution));
    }
    if (law.law == RestitutionLaw::poisson)
      throw InputError(fmt::format("contact {} has the law poisson, but time stepping has newton only", name));
  }
}

// What of the laws this method reads otherwise than the others do.
std::string remarks(const SimulationProblem& problem) {
  std::string text;
  const auto add = [&](const char* sentence) { text += text.empty() ? sentence : std::string("; ") + sentence; };
  const auto any = [&](auto test) { return std::any_of(problem.laws.begin(), problem.laws.end(), test); };
  if (any([](const ContactLaw& l) { return l.restitution > 0 && l.law == RestitutionLaw::energetic; }))
    add("restitution is Newton's, the only law of time stepping");
  if (any([](const ContactLaw& l) { return l.mu_static.value_or(l.mu) != l.mu || l.mu_impact.value_or(l.mu) != l.mu; }))
    add("mu_static and mu_impact are not used by time stepping");
  return text;
}

// All motions of a run, step by step side by side.
class Advance {
 public:
  Advance(const SimulationProblem& problem, const SimulationOptions& options, const TimeSteppingOptions& stepping,
          Run& run)
      : problem_(problem), options_(options), stepping_(stepping), draws_(options.seed) {
    const double span = options.t_end - problem.start.t;
    steps_ = std::max(1L, static_cast<long>(std::ceil(span / stepping.dt - 1e-9)));
    SampleGrid grid{problem.start.t, options.samples > 0 ? span / options.samples : 0};
    fronts_.emplace_back(problem, stepping, grid, run, problem.start);
  }

  void run() {
    for (long k = 1; k <= steps_ && !fronts_.empty(); ++k) {
      const double t = k == steps_ ? options_.t_end : problem_.start.t + static_cast<double>(k) * stepping_.dt;
      if (!step_all(t, k)) return stop_all("interrupted", "the run was interrupted");
      if (fronts_.size() > 1) merge();
    }
    stop_all("t_end", "");
  }

 private:
  bool step_all(double t, long k) {
    for (auto front = fronts_.begin(); front != fronts_.end();) {
      const auto here = front++;
      if (!step(*here, t)) {
        fronts_.erase(here);
        ++ended_;
      }
    }
    constexpr long now_and_then = 64;
    if (!options_.progress || k % now_and_then != 0) return true;
    Progress progress{t, options_.t_end, 0, static_cast<int>(fronts_.size())};
    for (const Front& front : fronts_) progress.events += static_cast<long>(front.run().events.size());
    return options_.progress(progress);
  }

  // false: this motion ends here.
  bool step(Front& front, double t) {
    const StepSolutions* found = front.prepare(t - front.state().t);
    if (found == nullptr) return collapse(front);
    const StepSolutions& solutions = *found;
    if (solutions.count == 0) {
      const std::string when = fmt::format("the step to t = {:.6g} s", t);
      if (solutions.complete)
        front.stop("inconsistent", when + " has no solution");
      else
        front.stop("budget", fmt::format("no solution of {} was found: {}", when, solutions.reason));
      return false;
    }
    if (solutions.count > 1 && options_.policy == Policy::all && begins(front, solutions)) {
      if (room_for(solutions.count)) return branch(front, solutions, t);
      budget_spent_ = true;
    }
    // While an indeterminacy lasts a future keeps its word, stable or not; without room for more it is the principle's.
    const int kept = options_.policy == Policy::all && solutions.count > 1 ? same_word(front, solutions) : -1;
    const Policy policy = options_.policy == Policy::all ? Policy::principle : options_.policy;
    const bool decided = kept >= 0 || solutions.count == 1;
    const int taken =
        decided ? std::max(kept, 0) : choose(policy, front.step().contacts(), solutions, front.history(), draws_);
    return take(front, taken, t);
  }

  static bool collapse(Front& front) {
    front.stop("collapsed",
               fmt::format("after t = {:.6g} s a number leaves double precision, or a coordinate moves no mass",
                           front.state().t));
    return false;
  }

  bool end_at_limit(Front& front) const {
    SimulationEvent e;
    e.t = front.state().t;
    e.u_before = e.u_after = problem_.mechanism->dynamics(front.state()).u;
    e.note = problem_.mechanism->limit(front.state());
    front.stop("joint_limit", e.note);
    e.mode = front.run().outcome;
    front.run().events.push_back(e);
    return false;
  }

  bool take(Front& front, int k, double t) {
    if (!front.take(k, t)) return collapse(front);
    if (problem_.mechanism->room(front.state()) < -beyond_limit) return end_at_limit(front);
    if (static_cast<long>(front.run().events.size()) < options_.most_events) return true;
    front.stop("budget", fmt::format("{} events, the most that were allowed", options_.most_events));
    return false;
  }

  // An indeterminacy goes on while the words of the step's solutions stay the same.
  static bool begins(const Front& front, const StepSolutions& solutions) {
    const auto& last = front.indeterminacy();
    if (static_cast<int>(last.size()) != solutions.count) return true;
    for (std::size_t k = 0; k < last.size(); ++k)
      if (std::find(last.begin(), last.end(), step_word(solutions.list[k].letters)) == last.end()) return true;
    return same_word(front, solutions) < 0;
  }

  static int same_word(const Front& front, const StepSolutions& solutions) {
    const StepHistory last = front.history();
    if (!last.known || front.indeterminacy().empty()) return -1;
    for (int k = 0; k < solutions.count; ++k)
      if (solutions.list[static_cast<std::size_t>(k)].letters == last.letters) return k;
    return -1;
  }

  bool room_for(int count) const {
    return static_cast<int>(fronts_.size()) + ended_ - 1 + count <= options_.most_futures;
  }

  // The futures take their solutions of this step; what follows is theirs.
  bool branch(Front& front, const StepSolutions& solutions, double t) {
    Run& run = front.run();
    std::string words;
    for (int k = 0; k < solutions.count; ++k)
      words += (k == 0 ? "" : ", ") + step_word(solutions.list[static_cast<std::size_t>(k)].letters);
    run.futures.resize(static_cast<std::size_t>(solutions.count));
    for (int k = 0; k < solutions.count; ++k) {
      Run& future = run.futures[static_cast<std::size_t>(k)];
      future.why = fmt::format("solution {} of {} ({} of {}) in the step from t = {:.6g} s", k, solutions.count,
                               step_word(solutions.list[static_cast<std::size_t>(k)].letters), words, front.state().t);
      fronts_.emplace_front(front, future);
      if (!take(fronts_.front(), k, t)) {
        fronts_.pop_front();
        ++ended_;
      }
    }
    front.stop("branched",
               fmt::format("the step from t = {:.6g} s has {} solutions", front.state().t, solutions.count));
    --ended_;  // a motion that branched is no future of its own
    return false;
  }

  // Futures that arrive at the same state go on as one.
  void merge() {
    for (auto a = fronts_.begin(); a != fronts_.end(); ++a) {
      for (auto b = std::next(a); b != fronts_.end();) {
        const bool same = (a->state().q - b->state().q).lpNorm<Eigen::Infinity>() <= problem_.tolerance.gap &&
                          (a->state().v - b->state().v).lpNorm<Eigen::Infinity>() <= problem_.tolerance.velocity;
        const auto here = b++;
        if (!same) continue;
        here->stop("merged", fmt::format("from here on it is the motion of the future that began as {}", a->run().why));
        fronts_.erase(here);
        ++ended_;
      }
    }
  }

  void stop_all(const std::string& stopped, const std::string& reason) {
    for (Front& front : fronts_) {
      front.stop(stopped, reason);
      if (!budget_spent_) continue;
      front.run().outcome_reason =
          fmt::format("later indeterminacies were followed by the principle: {} futures are the most allowed",
                      options_.most_futures);
    }
    fronts_.clear();
  }

  const SimulationProblem& problem_;
  const SimulationOptions& options_;
  const TimeSteppingOptions& stepping_;
  Draws draws_;
  long steps_ = 0;
  std::list<Front> fronts_;
  int ended_ = 0;  // futures that are complete
  bool budget_spent_ = false;
};

void add_remarks(Run& run, const std::string& text) {
  if (!text.empty()) run.outcome_reason += (run.outcome_reason.empty() ? "" : "; ") + text;
  for (Run& future : run.futures) add_remarks(future, text);
}

}  // namespace

Run simulate_steps(const SimulationProblem& problem, const SimulationOptions& options,
                   const TimeSteppingOptions& stepping) {
  check_sizes(problem);
  check_options(problem, options, stepping);
  check_laws(problem, stepping);
  Run run;
  Advance(problem, options, stepping, run).run();
  add_remarks(run, remarks(problem));
  return run;
}

}  // namespace painleve
