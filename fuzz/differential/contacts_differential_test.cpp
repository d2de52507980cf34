// Planar contact problems of one to three contacts, solved by enumeration, by pivoting, by sweeps, by the mode table,
// by the C functions, and by brute force in exact arithmetic. RapidCheck draws, shrinks what fails and prints the seed;
// RC_PARAMS repeats it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "drawn.hpp"
#include "painleve/c/painleve.h"
#include "painleve/complementarity/gauss_seidel.hpp"
#include "painleve/complementarity/solution_set.hpp"
#include "painleve/complementarity/standard_form.hpp"
#include "painleve/modes/mode_table.hpp"

namespace painleve::differential {
namespace {

constexpr Tolerance face_value{0, 0};
constexpr double close = 1e-7;  // of the units of each contact, as index_of()

ContactProblem problem_of(const DrawnContacts& d) { return acceleration_problem(space(d), face_value).problem; }

bool near(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return (a - b).norm() <= close * (1 + a.norm() + b.norm());
}

bool covered(const ContactProblem& problem, const ContactSolutions& set, const Vertex& vertex) {
  return index_of(problem, set, in_doubles(vertex.r), in_doubles(vertex.w)) >= 0;
}

// The laws once more, in numbers that are exact for whole data up to rounding of r.
void check_laws(const DrawnContacts& d, const ContactSolution& one) {
  const ContactSpace s = space(d);
  const Eigen::VectorXd w = s.W * one.r + s.b;
  const double slack = 1e-9 * (1 + w.norm() + one.r.norm() * s.W.norm());
  for (int i = 0; i < d.count(); ++i) {
    const double r_t = one.r(2 * i), r_n = one.r(2 * i + 1), w_t = w(2 * i), w_n = w(2 * i + 1), mu = s.mu(i);
    RC_ASSERT(r_n >= -slack);
    RC_ASSERT(w_n >= -slack);
    RC_ASSERT(std::min(r_n, w_n) <= slack);
    const int slide = d.slide[static_cast<std::size_t>(i)];
    if (slide != 0) {
      RC_ASSERT(std::abs(r_t + slide * mu * r_n) <= slack);
    } else {
      RC_ASSERT(std::abs(r_t) <= mu * r_n + slack);
      if (std::abs(w_t) > 2 * slack) RC_ASSERT(std::abs(r_t + std::copysign(mu * r_n, w_t)) <= slack * (1 + mu));
    }
  }
}

RC_GTEST_PROP(EnumerationAgainstBruteForce, HasEverySolutionAndNoOther, ()) {
  const DrawnContacts d = *contacts(3);
  const ContactProblem problem = problem_of(d);
  const ContactSolutions set = all_solutions(problem);
  const std::vector<Vertex> exact_ones = vertices(exact(d));
  RC_CLASSIFY(exact_ones.empty(), "no solution");
  RC_CLASSIFY(set.solutions.size() > 1, "several solutions");
  RC_CLASSIFY(set.force_family_dimension() > 0, "a family");
  RC_ASSERT(set.complete);
  RC_ASSERT(set.solutions.empty() == exact_ones.empty());
  for (const Vertex& vertex : exact_ones) {
    RC_LOG() << "the solution " << vertex.word << "\n";
    RC_ASSERT(covered(problem, set, vertex));
  }
  for (const ContactSolution& one : set.solutions) {
    RC_LOG() << "the listed solution " << one.mode << "\n";
    check_laws(d, one);
    const bool found = one.family.dimension > 0 ||
                       std::any_of(exact_ones.begin(), exact_ones.end(),
                                   [&](const Vertex& vertex) { return near(in_doubles(vertex.r), one.r); });
    RC_ASSERT(found);
  }
}

RC_GTEST_PROP(PivotingAgainstBruteForce, ReachesASolutionOrThereIsNoPromise, ()) {
  const DrawnContacts d = *contacts(3);
  const ContactProblem problem = problem_of(d);
  const ContactSolutions set = all_solutions(problem);
  const std::vector<Vertex> exact_ones = vertices(exact(d));
  const PivotedSolution pivoted = solve_by_pivoting(problem, 2);
  const bool solved = pivoted.report.status == LemkeStatus::solution;
  RC_CLASSIFY(solved, "solved");
  if (exact_ones.empty()) RC_ASSERT(!solved);
  if (solved) RC_ASSERT(index_of(problem, set, pivoted.r, pivoted.w) >= 0);
  if (pivoted.guaranteed) RC_ASSERT(solved);
  const SweepReport swept = gauss_seidel(problem);
  if (swept.status == SweepStatus::converged) RC_ASSERT(index_of(problem, set, swept.r, swept.w) >= 0);
}

int different_motions(const std::vector<Vertex>& all) {
  std::vector<Vector> motions;
  for (const Vertex& one : all) {
    if (std::find(motions.begin(), motions.end(), one.w) == motions.end()) motions.push_back(one.w);
  }
  return static_cast<int>(motions.size());
}

RC_GTEST_PROP(VerdictAgainstBruteForce, CountsTheMotions, ()) {
  const DrawnContacts d = *contacts(3);
  const std::vector<Vertex> exact_ones = vertices(exact(d));
  const ModeTable table = mode_table(space(d), {face_value, {}, {}, {}, {}});
  const int motions = different_motions(exact_ones);
  RC_LOG() << table.verdict << ", " << motions << " motions at the vertices\n";
  RC_ASSERT((table.verdict == "inconsistent") == (motions == 0));
  if (motions > 1) RC_ASSERT(table.verdict == "indeterminate");
  if (motions == 1) RC_ASSERT((table.verdict == "indeterminate") == (table.motion_family_dimension > 0));
}

painleve_contacts in_c(const ContactSpace& s) {
  painleve_contacts c{};
  c.count = s.count();
  for (int i = 0; i < 2 * c.count; ++i) {
    c.b[i] = s.b(i);
    c.u[i] = s.u(i);
    for (int j = 0; j < 2 * c.count; ++j) c.W[i][j] = s.W(i, j);
  }
  for (int i = 0; i < c.count; ++i) c.mu[i] = s.mu(i);
  return c;
}

RC_GTEST_PROP(CFunctionsAgainstLibrary, HaveTheSameSolutions, ()) {
  const DrawnContacts d = *contacts(2);
  const ContactSpace s = space(d);
  const painleve_contacts c = in_c(s);
  painleve_analysis ours;
  RC_ASSERT(painleve_analyze(&c, &ours) == PAINLEVE_OK);
  const ModeTable theirs = mode_table(s, {face_value, {}, {}, {}, {}});
  RC_ASSERT(std::string(painleve_verdict_text(ours.modes.verdict)) == theirs.verdict);
  RC_ASSERT(ours.jam == (theirs.jam ? 1 : 0));
  RC_ASSERT(ours.modes.motion_family_dimension == theirs.motion_family_dimension);
  RC_ASSERT(ours.modes.force_family_dimension == theirs.force_family_dimension);
  int k = 0;
  for (const ModeEntry& mode : theirs.modes) {
    if (!mode.consistent) continue;
    RC_ASSERT(k < ours.modes.count);
    char word[PAINLEVE_WORD_SIZE];
    RC_ASSERT(std::string(painleve_word(&ours.modes.solution[k], word)) == mode.name);
    for (int i = 0; i < 2 * d.count(); ++i) {
      const double size = 1 + mode.lambda->norm();
      RC_ASSERT(std::abs(ours.modes.solution[k].force[i] - (*mode.lambda)(i)) <= 1e-9 * size);
    }
    ++k;
  }
  RC_ASSERT(k == ours.modes.count);
  painleve_solutions solved;
  RC_ASSERT(painleve_solve(&c, PAINLEVE_ACCELERATION, 0, &solved) == PAINLEVE_OK);
  RC_ASSERT(static_cast<std::size_t>(solved.count) == all_solutions(problem_of(d)).solutions.size());
}

}  // namespace
}  // namespace painleve::differential
