#include "painleve/simulation/fast_outcome.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "painleve/base/error.hpp"
#include "painleve/simulation/compliant_steps.hpp"
#include "painleve/simulation/compliant_transition.hpp"
#include "painleve/simulation/dormand_prince.hpp"

namespace painleve {
namespace {

using Eigen::VectorXd;

// Lengths in b τ², times in τ = 1/sqrt(k w), forces in b/w, with the largest b, k and w = W_nn: all numbers are then of
// size 1, and stiffness 1 and damping 1 keep their ratio  c sqrt(w/k).
struct Scaled {
  ContactSpace space;
  std::vector<CompliantContact> contacts;
  VectorXd gap;
};

std::vector<NormalSpring> springs(const std::vector<ContactLaw>& laws, const std::vector<bool>& bilateral) {
  const bool given =
      std::all_of(laws.begin(), laws.end(), [](const ContactLaw& law) { return law.stiffness && law.damping; });
  std::vector<NormalSpring> springs;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const bool linear = laws[i].compliance == Compliance::kelvin_voigt || laws[i].compliance == Compliance::preclik;
    springs.push_back({linear ? laws[i].compliance : Compliance::viscoelastic, given ? *laws[i].stiffness : 1,
                       given ? *laws[i].damping : 1, i < bilateral.size() && bilateral[i]});
  }
  return springs;
}

Friction fast_friction(const ContactSpace& space, const ContactLaw& law, int i, double rest) {
  Friction f;
  f.mu = space.mu(i);
  f.mu_static = law.mu_static.value_or(f.mu);
  const VectorXd u_t = space.u.segment(space.tangent(i), space.dimension - 1);
  if (u_t.norm() <= rest) return f;
  f.kind = FrictionKind::held;
  f.direction.setZero();
  f.direction.head(u_t.size()) = u_t.normalized();
  return f;
}

Scaled scaled(const ContactSpace& space, const std::vector<ContactLaw>& laws, const VectorXd& force, double rest) {
  Scaled s;
  s.space = space;
  std::vector<NormalSpring> all = springs(laws, space.bilateral);
  double w = 0;
  double k = 0;
  for (int i = 0; i < space.count(); ++i) {
    w = std::max(w, space.W(space.normal(i), space.normal(i)));
    k = std::max(k, all[static_cast<std::size_t>(i)].stiffness);
  }
  const double largest = space.b.cwiseAbs().maxCoeff();
  const double b = largest > 0 ? largest : 1;
  if (!(w > 0)) throw InputError("W has no positive normal entry: no force moves these contacts");
  s.space.W /= w;
  s.space.b /= b;
  s.gap.setZero(space.count());
  for (int i = 0; i < space.count(); ++i) {
    NormalSpring& spring = all[static_cast<std::size_t>(i)];
    spring.stiffness /= k;
    spring.damping *= std::sqrt(w / k);
    if (force.size() > 0) s.gap(i) = -force(i) * w / b / spring.stiffness;
    s.contacts.push_back({spring, fast_friction(space, laws[static_cast<std::size_t>(i)], i, rest)});
  }
  return s;
}

class FastRun {
 public:
  FastRun(const Scaled& scaled, double most_time);
  FastOutcome run();

 private:
  bool advance();
  bool settled();
  void handle(const Crossing& crossing);

  TransitionRules rules_;
  FrozenModel model_;
  CompliantSystem system_;
  CompliantEvents events_;
  CrossingFinder finder_;
  double most_time_;
  double t_ = 0;
  VectorXd y_;
  CompliantScales scales_;
  std::optional<DormandPrince853> integrator_;
  FastSpectrum spectrum_;
  FastHistory history_;
  int repeats_ = 0;
};

constexpr double kRelative = 1e-7;  // an outcome, no digits

FastRun::FastRun(const Scaled& s, double most_time)
    : model_(s.space),
      system_(model_, s.contacts, false),
      events_(system_, Divergence::force, kRelative),
      finder_(events_),
      most_time_(most_time) {
  const CompliantLayout& l = system_.layout();
  rules_.divergence = Divergence::force;
  y_.setZero(l.size());
  y_.segment(l.gap(0), l.count) = s.gap;
  begin_phases(system_, rules_, t_, y_);
  scales_ = compliant_scales(system_, t_, y_);
  OdeTolerance tolerance;
  tolerance.relative = kRelative;
  tolerance.absolute = tolerance.relative * scales_.y;
  integrator_.emplace(system_, tolerance);
  history_.contacts = l.count;
}

// At rest in a stable mode, or moving apart: nothing more can happen.
bool FastRun::settled() {
  const CompliantLayout& l = system_.layout();
  const CompliantSystem::Forces& forces = system_.forces(t_, y_);
  constexpr double rest = 1e-3;  // of the force, in units of the fast motion
  for (int i = 0; i < l.count; ++i) {
    const int n = l.dimension * i + l.tangents();
    const bool closed = system_.phases[static_cast<std::size_t>(i)].closed();
    if (!closed && !(forces.a(n) > 0 && y_(l.u_n(i)) > 0)) return false;
    if (closed && std::hypot(forces.a(n), y_(l.u_n(i))) > rest * std::abs(forces.lambda(n))) return false;
  }
  return spectrum_.unstable == 0;
}

void FastRun::handle(const Crossing& crossing) {
  const CompliantLayout& l = system_.layout();
  const VectorXd lambda = system_.forces(t_, y_).lambda;
  const double largest = lambda.maxCoeff();
  std::vector<char> open;
  for (const ContactPhase& phase : system_.phases) open.push_back(phase.closed() ? 0 : 1);
  for (const int event : crossing.which) {
    if (event % CompliantEvents::kinds != 3 || !history_.diverged.empty()) continue;
    for (int i = 0; i < l.count; ++i) {
      constexpr double of_the_largest = 1e-3;
      const bool struck = lambda(l.dimension * i + l.tangents()) > of_the_largest * largest;
      history_.diverged += struck ? "I" : system_.letter(i, y_);
    }
  }
  apply_events(system_, rules_, t_, crossing.which, y_);
  for (int i = 0; i < l.count; ++i) {
    const bool closed = system_.phases[static_cast<std::size_t>(i)].closed();
    if (closed == (open[static_cast<std::size_t>(i)] == 0)) continue;
    history_.changes.push_back(t_);
    if (closed) history_.landings.push_back({t_, i, std::max(0.0, -y_(l.u_n(i)))});
  }
}

bool FastRun::advance() {
  spectrum_ = fast_spectrum(system_, t_, y_, scales_.y);
  if (settled()) return false;
  integrator_->start(t_, y_);
  finder_.start(t_, y_);
  constexpr double longest = 1;  // in the unit of the fastest motion
  const double most = spectrum_.fastest > 0 ? longest / spectrum_.fastest : longest;
  constexpr int steps_between_looks = 4;
  for (int step = 0; step < 1000; ++step) {
    if (step % steps_between_looks == steps_between_looks - 1 && settled()) return false;
    if (integrator_->step(t_ + most) == StepStatus::collapsed) return false;
    const std::optional<Crossing> crossing = finder_.first(*integrator_);
    repeats_ = crossing && crossing->t == t_ ? repeats_ + 1 : 0;
    t_ = crossing ? crossing->t : integrator_->t();
    y_ = crossing ? crossing->y : integrator_->y();
    if (crossing) {
      handle(*crossing);
      constexpr int most_repeats = 40;
      return history_.diverged.empty() && repeats_ < most_repeats;
    }
    if (t_ >= most_time_) return false;
  }
  return true;
}

FastOutcome FastRun::run() {
  while (advance()) {
  }
  history_.t_end = t_;
  history_.word = system_.word(y_);
  if (history_.diverged.empty() && settled()) {
    return {history_.word, "the springs come to rest, or part for good, in this mode", {}};
  }
  history_.flight = !system_.any_closed();
  history_.unstable = spectrum_.unstable > 0;
  return classify(history_);
}

// A word over the closed contacts, with an F for every contact that took no part.
std::string over_all(const std::string& word, const std::vector<int>& closed, int count) {
  std::string all;
  std::size_t at = 0;
  std::size_t next = 0;
  for (int i = 0; i < count; ++i) {
    if (next == closed.size() || closed[next] != i) {
      all += 'F';
      continue;
    }
    ++next;
    all += word[at++];
    if (at < word.size() && (word[at] == '+' || word[at] == '-')) all += word[at++];
  }
  return all;
}

}  // namespace

FastOutcome fast_outcome(const ContactSpace& space, const std::vector<ContactLaw>& laws,
                         const FastOutcomeOptions& options, const Tolerance& tolerance) {
  if (static_cast<int>(laws.size()) != space.count()) throw InputError("there must be one contact law per contact");
  std::vector<int> closed;
  std::vector<ContactLaw> closed_laws;
  VectorXd force(options.force.size() > 0 ? space.count() : 0);
  for (int i = 0; i < space.count(); ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    const bool bilateral = k < space.bilateral.size() && space.bilateral[k];
    if (!bilateral && space.gap.size() > 0 && space.gap(i) > tolerance.gap) continue;
    if (force.size() > 0) force(static_cast<Eigen::Index>(closed.size())) = options.force(i);
    closed.push_back(i);
    closed_laws.push_back(laws[k]);
  }
  if (closed.empty()) return {std::string(static_cast<std::size_t>(space.count()), 'F'), "no contact is closed", {}};
  const Scaled s = scaled(subset(space, closed), closed_laws, force.head(force.size() > 0 ? closed_laws.size() : 0),
                          tolerance.velocity);
  FastOutcome outcome = FastRun(s, options.most_time).run();
  const std::string struck = "IWC:";
  if (outcome.outcome.starts_with(struck)) {
    outcome.outcome = struck + over_all(outcome.outcome.substr(struck.size()), closed, space.count());
  } else if (outcome.outcome != "limit_cycle" && outcome.outcome != "inverse_chatter") {
    outcome.outcome = over_all(outcome.outcome, closed, space.count());
  }
  return outcome;
}

}  // namespace painleve
