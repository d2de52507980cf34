#include "painleve/simulation/time_stepping_choice.hpp"

#include <algorithm>
#include <limits>

#include "painleve/complementarity/gauss_seidel.hpp"
#include "painleve/complementarity/linear_complementarity.hpp"
#include "painleve/complementarity/planar_solutions.hpp"
#include "painleve/complementarity/solution_set.hpp"
#include "painleve/complementarity/standard_form.hpp"
#include "painleve/modes/stability.hpp"

namespace painleve::detail {
namespace {

constexpr int most_planar = 4, most_spatial = 2;  // contacts whose solutions are all listed in every step

StepLetter letter_of(unsigned mode) {
  switch (mode) {
    case mode_T:
      return StepLetter::stick;
    case mode_S_plus:
      return StepLetter::slip_plus;
    case mode_S_minus:
      return StepLetter::slip_minus;
    default:
      return StepLetter::free;
  }
}

StepLetter letter_of(const ContactMode& mode) {
  if (mode.letter == Letter::F) return StepLetter::free;
  if (mode.letter == Letter::T) return StepLetter::stick;
  if (mode.direction.size() != 1) return StepLetter::slip;
  return mode.direction(0) > 0 ? StepLetter::slip_plus : StepLetter::slip_minus;
}

// [m/s] Slower velocities have lost their digits, or their products with tolerances and impulses have: the velocities
// of a body, known to the last digit, would contradict each other.
constexpr double least_velocity = std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon() /
                                  std::numeric_limits<double>::epsilon();

// Nothing moves or pushes, and nothing answers: bodies at rest in guides could hold any impulses against each other.
void stay_at_rest(const ContactProblem& p, StepSolutions& solutions) {
  StepSolution& rest = solutions.next();
  rest.Lambda.setZero(p.q.size());
  rest.w.setZero(p.q.size());
  rest.letters.clear();
  for (const bool bilateral : p.bilateral) rest.letters.push_back(bilateral ? StepLetter::stick : StepLetter::free);
}

// false: a family of impulses is possible, which this kernel does not list.
bool solve_one_planar(const ContactProblem& p, StepSolutions& solutions) {
  const PlanarSolutions set = planar_solutions({p.W(0, 0), p.W(0, 1), p.W(1, 1), p.q(0), p.q(1), 0, p.mu(0)});
  if (set.degenerate) return false;
  for (const PlanarSolution& s : set) {
    StepSolution& to = solutions.next();
    to.Lambda.resize(2);
    to.w.resize(2);
    to.Lambda << s.r_t, s.r_n;
    to.w << s.w_t, s.w_n;
    to.letters.assign(1, letter_of(s.mode));
  }
  std::sort(solutions.list.begin(), solutions.list.begin() + solutions.count,
            [](const StepSolution& a, const StepSolution& b) { return a.Lambda.norm() < b.Lambda.norm(); });
  return true;
}

void list_all(const ContactProblem& problem, StepSolutions& solutions) {
  const ContactSolutions set = all_solutions(problem);
  solutions.complete = set.complete;
  solutions.reason = set.incomplete_reason;
  constexpr double same = 1e-9;  // relative to the load: one motion
  const ScaledProblem units = scaled(problem);
  const double load = scale(units.problem).motion;
  for (const ContactSolution& s : set.solutions) {
    const auto same_motion = [&](const StepSolution& other) {
      return (s.w - other.w).cwiseProduct(units.factor).norm() <=
             same * std::max(load, s.w.cwiseProduct(units.factor).norm());
    };
    const auto end = solutions.list.begin() + solutions.count;
    if (std::any_of(solutions.list.begin(), end, same_motion)) continue;
    StepSolution& to = solutions.next();
    to.Lambda = s.r;
    to.w = s.w;
    to.letters.clear();
    for (const ContactMode& mode : s.contacts) to.letters.push_back(letter_of(mode));
  }
}

// Letters of a solution that carries none, by the laws of contact.
void read_letters(const ContactProblem& p, StepSolution& s) {
  constexpr double nothing = 1e-10;  // relative to the load: solvers of many contacts stop at about 1e-12
  const ProblemScale size = scale(p);
  s.letters.clear();
  for (int i = 0; i < p.count(); ++i) {
    const Eigen::VectorXd w_t = s.w.segment(p.tangent(i), p.dimension - 1);
    if (std::abs(s.Lambda(p.normal(i))) <= nothing * size.force)
      s.letters.push_back(StepLetter::free);
    else if (w_t.norm() <= nothing * size.motion)
      s.letters.push_back(StepLetter::stick);
    else if (p.dimension == 3)
      s.letters.push_back(StepLetter::slip);
    else
      s.letters.push_back(w_t(0) > 0 ? StepLetter::slip_plus : StepLetter::slip_minus);
  }
}

// One solution: the pivoting method in the plane; in space sweeps for the round cone, from the last step and, where
// that does not converge, from what pivoting finds with a polygon.
void find_one(const ContactProblem& problem, const Eigen::VectorXd& last, StepSolutions& solutions) {
  solutions.complete = false;
  solutions.reason = "more contacts than are enumerated";
  constexpr double accurate = 1e-9;  // law_residual of an answer that is taken
  constexpr int facets = 8;
  const auto take = [&](const Eigen::VectorXd& r, const Eigen::VectorXd& w) {
    StepSolution& to = solutions.next();
    to.Lambda = r;
    to.w = w;
    read_letters(problem, to);
  };
  SweepOptions sweeps;
  sweeps.start = last;
  if (problem.dimension == 3) {
    const SweepReport swept = gauss_seidel(problem, sweeps);
    if (swept.status == SweepStatus::converged) return take(swept.r, swept.w);
  }
  const PivotedSolution pivoted = solve_by_pivoting(problem, problem.dimension == 3 ? facets : 2);
  if (pivoted.report.status != LemkeStatus::solution) return;
  if (pivoted.residual <= accurate) return take(pivoted.r, pivoted.w);
  sweeps.start = pivoted.r;
  const SweepReport polished = gauss_seidel(problem, sweeps);
  if (polished.status == SweepStatus::converged) take(polished.r, polished.w);
}

// Whether each contact presses when friction is taken away; a bilateral one is held in any case.
std::vector<bool> press_without_friction(const ContactProblem& p) {
  std::vector<int> normals;
  for (int i = 0; i < p.count(); ++i) normals.push_back(p.normal(i));
  ContactProblem smooth = normals_alone({p.W(normals, normals), p.q(normals)});
  smooth.bilateral = p.bilateral;
  const ContactSolutions set = all_solutions(smooth);
  std::vector<bool> press(static_cast<std::size_t>(p.count()), true);
  if (set.solutions.empty()) return press;
  for (std::size_t i = 0; i < press.size(); ++i)
    press[i] = p.bilateral[i] || set.solutions[0].r(static_cast<Eigen::Index>(i)) > 0;
  return press;
}

bool presses_only(const StepSolution& s, const std::vector<bool>& allowed) {
  for (std::size_t i = 0; i < allowed.size(); ++i)
    if (s.letters[i] != StepLetter::free && !allowed[i]) return false;
  return true;
}

// Of the candidates, those that pass; all of them where none does.
template <class Test>
void keep(std::vector<int>& candidates, const Test& test) {
  std::vector<int> passed;
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(passed), test);
  if (!passed.empty()) candidates = std::move(passed);
}

int nearest(const StepSolutions& solutions, const std::vector<int>& candidates, const StepHistory& history) {
  if (!history.known) return candidates.front();  // the least impulse
  const auto distance = [&](int k) {
    return (solutions.list[static_cast<std::size_t>(k)].Lambda - history.Lambda).norm();
  };
  return *std::min_element(candidates.begin(), candidates.end(),
                           [&](int a, int b) { return distance(a) < distance(b); });
}

ContactSpace as_space(const ContactProblem& p) {
  ContactSpace s;
  s.dimension = p.dimension;
  s.W = p.W;
  s.b = p.q;
  s.drift = Eigen::VectorXd::Zero(p.q.size());
  s.u = Eigen::VectorXd::Zero(p.q.size());
  s.gap = Eigen::VectorXd::Zero(p.count());
  s.mu = p.mu;
  s.bilateral = p.bilateral;
  s.names = p.names;
  return s;
}

}  // namespace

std::string step_word(const std::vector<StepLetter>& letters) {
  static constexpr const char* names[] = {"F", "T", "S+", "S-", "S"};
  std::string word;
  for (const StepLetter letter : letters) word += names[static_cast<std::size_t>(letter)];
  return word;
}

StepSolution& StepSolutions::next() {
  if (static_cast<std::size_t>(count) == list.size()) list.emplace_back();
  return list[static_cast<std::size_t>(count++)];
}

void find_solutions(const ContactProblem& problem, const std::function<Eigen::VectorXd()>& last,
                    StepSolutions& solutions) {
  solutions.count = 0;
  solutions.complete = true;
  solutions.reason.clear();
  const bool loaded = problem.count() > 0 && !(problem.q.cwiseAbs().maxCoeff() < least_velocity);
  if (!loaded) return stay_at_rest(problem, solutions);
  const bool one_planar = problem.count() == 1 && problem.dimension == 2 && !problem.bilateral[0];
  if (one_planar && solve_one_planar(problem, solutions)) return;
  if (problem.count() <= (problem.dimension == 2 ? most_planar : most_spatial))
    list_all(problem, solutions);
  else
    find_one(problem, last(), solutions);
}

int choose(Policy policy, const ContactProblem& problem, const StepSolutions& solutions, const StepHistory& history,
           Draws& draws) {
  if (solutions.count == 1) return 0;
  if (policy == Policy::seeded) return draws.integer(0, solutions.count - 1);
  const auto solution = [&](int k) -> const StepSolution& { return solutions.list[static_cast<std::size_t>(k)]; };
  std::vector<int> candidates;
  for (int k = 0; k < solutions.count; ++k) candidates.push_back(k);
  if (policy == Policy::principle) {
    const auto press = press_without_friction(problem);
    keep(candidates, [&](int k) { return presses_only(solution(k), press); });
  }
  if (candidates.size() > 1) keep(candidates, [&](int k) { return stable(problem, solution(k)); });
  if (history.known) keep(candidates, [&](int k) { return solution(k).letters == history.letters; });
  return nearest(solutions, candidates, history);
}

bool stable(const ContactProblem& problem, const StepSolution& solution) {
  std::vector<ContactMode> modes;
  int pressing = 0;
  for (int i = 0; i < problem.count(); ++i) {
    const StepLetter letter = solution.letters[static_cast<std::size_t>(i)];
    ContactMode mode;
    if (letter == StepLetter::stick) mode.letter = Letter::T;
    if (slips(letter)) {
      mode.letter = Letter::S;
      mode.direction = solution.w.segment(problem.tangent(i), problem.dimension - 1).normalized();
    }
    mode.force_sign = solution.Lambda(problem.normal(i)) < 0 ? -1 : 1;
    pressing += letter == StepLetter::free ? 0 : 1;
    modes.push_back(mode);
  }
  if (pressing == 0) return true;
  const ContactSpace space = as_space(problem);
  const Eigen::MatrixXd gaps = gap_space(space, modes);
  if (gaps.cols() == 0) return true;  // what sticks already stops the contacts: no spring can stir
  const Eigen::VectorXd unit = Eigen::VectorXd::Ones(pressing);
  const Growth g = growth(fast_matrix(space, modes), gaps, unit, unit);
  return g.rate <= g.rounding;
}

double painleve_parameter(const ContactProblem& p, int k, const Eigen::VectorXd& direction) {
  const auto W_tn = p.W.col(p.normal(k)).segment(p.tangent(k), p.dimension - 1);
  return p.W(p.normal(k), p.normal(k)) - p.mu(k) * W_tn.dot(direction);
}

}  // namespace painleve::detail
