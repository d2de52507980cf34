// The C functions: checks, the translation between the structures of painleve.h and the problem in fixed storage, and
// the verdict. What can be thrown is not: nothing here allocates, and every index is checked first.
#include "painleve/c/painleve.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "painleve/c/detail/small_checks.hpp"
#include "painleve/c/detail/small_solutions.hpp"
#include "painleve/complementarity/planar_stick.hpp"
#include "painleve/contact/same_motion.hpp"

namespace painleve::small {
namespace {

// The contacts of a problem, by their place in the caller's structure, and what was added to their motion.
struct Taken {
  Problem problem;
  int contact[most_contacts] = {};
  double shift[most_contacts] = {};  // [m/s] of the normal: gap/dt
};

int32_t touch(const painleve_contacts& c, int i) {
  const double u_n = c.u[2 * i + 1];
  if (c.bilateral[i] == 0) {
    if (c.gap[i] > c.tolerance_gap) return PAINLEVE_OPEN;
    if (u_n < -c.tolerance_velocity) return PAINLEVE_APPROACHING;
    if (u_n > c.tolerance_velocity) return PAINLEVE_SEPARATING;
  }
  return std::abs(c.u[2 * i]) > c.tolerance_velocity ? PAINLEVE_SLIPPING : PAINLEVE_RESTING;
}

// The contacts that take part, all at rest, with the vector q of the formulation.
Taken take(const painleve_contacts& c, bool open_too, const double q[4]) {
  Taken t;
  Problem& p = t.problem;
  for (int i = 0; i < c.count; ++i)
    if (open_too || touch(c, i) != PAINLEVE_OPEN) t.contact[p.count++] = i;
  p.W.resize(2 * p.count, 2 * p.count);
  p.q.resize(2 * p.count);
  for (int i = 0; i < p.count; ++i) {
    const int from = t.contact[i];
    p.mu[i] = c.mu[from];
    p.bilateral[i] = c.bilateral[from] != 0;
    for (int a = 0; a < 2; ++a) {
      p.q(2 * i + a) = q[2 * from + a];
      for (int j = 0; j < p.count; ++j)
        for (int b = 0; b < 2; ++b) p.W(2 * i + a, 2 * j + b) = response(c, 2 * from + a, 2 * t.contact[j] + b);
    }
  }
  return t;
}

Taken acceleration_problem(const painleve_contacts& c) {
  Taken t = take(c, false, c.b);
  for (int i = 0; i < t.problem.count; ++i) {
    const int from = t.contact[i];
    const int32_t now = touch(c, from);
    if (now == PAINLEVE_SEPARATING) t.problem.law[i] = Law::separated;
    if (now != PAINLEVE_SLIPPING) continue;
    t.problem.law[i] = Law::sliding;
    t.problem.slip[i] = c.u[2 * from] > 0 ? 1 : -1;
  }
  return t;
}

Taken step_problem(const painleve_contacts& c, double dt) {
  double q[4] = {};
  for (int k = 0; k < 2 * c.count; ++k) q[k] = c.u[k] + dt * (c.b[k] - c.drift[k]);
  Taken t = take(c, true, q);
  for (int i = 0; i < c.count; ++i) {
    if (std::abs(c.gap[i]) <= c.tolerance_gap || c.bilateral[i] != 0) continue;
    t.shift[i] = c.gap[i] / dt;
    t.problem.q(2 * i + 1) += t.shift[i];
  }
  return t;
}

int32_t letter_code(const Letter& letter) {
  if (letter.kind == Kind::F) return PAINLEVE_F;
  if (letter.kind == Kind::T) return PAINLEVE_T;
  return letter.slip > 0 ? PAINLEVE_S_PLUS : PAINLEVE_S_MINUS;
}

painleve_solution translate(const Taken& t, const WordSolution& s) {
  painleve_solution to{};
  to.boundary = s.boundary ? 1 : 0;
  to.force_family_dimension = s.family_dimension();
  to.motion_family_dimension = s.motion_dimension;
  to.residual = residual(t.problem, s.r, s.w);
  for (int i = 0; i < t.problem.count; ++i) {
    const int at = t.contact[i];
    to.letter[at] = letter_code(s.letter[i]);
    for (int a = 0; a < 2; ++a) {
      to.force[2 * at + a] = s.r(2 * i + a);
      to.motion[2 * at + a] = s.w(2 * i + a) - (a == 1 ? t.shift[i] : 0);
    }
  }
  return to;
}

void translate(const Taken& t, const Solutions& found, painleve_solutions& to) {
  to.complete = 1;
  to.count = found.count;
  for (int k = 0; k < found.count; ++k) {
    const painleve_solution one = translate(t, found.solution[k]);
    to.force_family_dimension = std::max(to.force_family_dimension, one.force_family_dimension);
    to.motion_family_dimension = std::max(to.motion_family_dimension, one.motion_family_dimension);
    to.solution[k] = one;
  }
}

int32_t verdict_of(int motions, int32_t motion_family_dimension) {
  if (motions == 0) return PAINLEVE_INCONSISTENT;
  return motions == 1 && motion_family_dimension == 0 ? PAINLEVE_UNIQUE : PAINLEVE_INDETERMINATE;
}

// 0, 1, or 2 for more: distinct motions among solutions.
int count_motions(const Problem& p, const Solutions& found) {
  const WordSolution& a = found.solution[0];
  for (int k = 1; k < found.count; ++k) {
    const WordSolution& b = found.solution[k];
    if (!same_motion(2, p.W, p.q, ContactMotion<Vector>{a.w, a.r}, ContactMotion<Vector>{b.w, b.r})) return 2;
  }
  return std::min(found.count, 1);
}

PlanarContact planar_contact(const painleve_contacts& c, int i) {
  const int t = 2 * i;
  return {c.W[t][t], response(c, t, t + 1), c.W[t + 1][t + 1], c.b[t], c.b[t + 1], c.u[t], c.mu[i]};
}

void add_kernel_mode(const PlanarModes& m, unsigned bit, Letter letter, const PlanarForce& f, Solutions& found) {
  const bool finite = std::isfinite(f.lambda_n) && std::isfinite(f.lambda_t) && std::isfinite(f.a_t);
  if ((m.consistent & bit) == 0 || !finite) return;
  WordSolution& s = found.solution[found.count++];
  s = {};
  s.letter[0] = letter;
  s.consistent = true;
  s.boundary = bit == mode_F && m.boundary;
  s.r = Eigen::Vector2d(f.lambda_t, f.lambda_n);
  s.w = Eigen::Vector2d(f.a_t, f.a_n);
  s.directions.resize(2, 0);
}

// One unilateral contact whose force is determined: the closed form of planar_modes.hpp.
bool kernel_modes(const painleve_contacts& c, const Taken& t, Solutions& found) {
  if (t.problem.count != 1 || t.problem.bilateral[0] || t.problem.law[0] == Law::separated) return false;
  PlanarContact contact = planar_contact(c, t.contact[0]);
  if (t.problem.law[0] == Law::resting) contact.u_t = 0;
  const PlanarModes m = planar_modes(contact);
  if (m.degenerate) return false;
  found.count = 0;
  add_kernel_mode(m, mode_F, {Kind::F, 0, 1}, m.free, found);
  if ((m.consistent & mode_T) != 0) add_kernel_mode(m, mode_T, {Kind::T, 0, 1}, balanced_stick(contact, m), found);
  add_kernel_mode(m, mode_S_plus, {Kind::S, 1, 1}, m.slip_plus, found);
  add_kernel_mode(m, mode_S_minus, {Kind::S, -1, 1}, m.slip_minus, found);
  return true;
}

void report(const painleve_contacts& c, int i, painleve_contact_report& to) {
  const PlanarModes m = planar_modes(planar_contact(c, i));
  to.touch = touch(c, i);
  to.p_plus = m.p_plus;
  to.p_minus = m.p_minus;
  to.k_plus = m.k_plus;
  to.k_minus = m.k_minus;
  const double u_t = c.u[2 * i];
  if (std::abs(u_t) > c.tolerance_velocity) {
    to.known |= PAINLEVE_HAS_P;
    to.p = u_t > 0 ? m.p_plus : m.p_minus;
  }
  const Eigen::Matrix2d W = own_block(c, i);
  if (W(0, 0) > 0) {
    to.known |= PAINLEVE_HAS_MU_CRIT;
    to.mu_crit = std::abs(W(0, 1)) / W(0, 0);
  }
  if (jamming_friction(W, to.mu_jam)) to.known |= PAINLEVE_HAS_MU_JAM;
  const int other = 1 - i;
  const bool held = c.count == 2 && touch(c, other) != PAINLEVE_OPEN;
  if (jamming_friction(held ? held_block(c, i) : W, to.mu_jam_held)) to.known |= PAINLEVE_HAS_MU_JAM_HELD;
}

bool any_approaches(const painleve_contacts& c) {
  for (int i = 0; i < c.count; ++i)
    if (touch(c, i) == PAINLEVE_APPROACHING) return true;
  return false;
}

void analyze(const painleve_contacts& c, painleve_analysis& to) {
  for (int i = 0; i < c.count; ++i) {
    painleve_contact_report& one = to.contact[i];
    report(c, i, one);
    if (one.touch == PAINLEVE_SLIPPING && one.p <= 0) to.jam = 1;
  }
  to.modes.complete = 1;
  if (any_approaches(c)) {
    to.modes.verdict = PAINLEVE_IMPACT;
    return;
  }
  const Taken t = acceleration_problem(c);
  if (t.problem.count == 0) {
    to.modes.verdict = PAINLEVE_UNIQUE;  // free flight
    return;
  }
  Solutions found;
  if (!kernel_modes(c, t, found)) consistent_modes(t.problem, found);
  translate(t, found, to.modes);
  to.modes.verdict = verdict_of(count_motions(t.problem, found), to.modes.motion_family_dimension);
}

void solve(const Taken& t, painleve_solutions& to) {
  Solutions found;
  if (t.problem.count > 0) {
    all_solutions(t.problem, found);
  } else {
    found.solution[found.count++].directions.resize(0, 0);  // free flight: nothing to solve for
  }
  translate(t, found, to);
  to.verdict = verdict_of(count_motions(t.problem, found), to.motion_family_dimension);
}

painleve_contacts at_rest(const painleve_step_problem& p) {
  painleve_contacts c{};
  c.count = p.count;
  std::memcpy(c.bilateral, p.bilateral, sizeof c.bilateral);
  std::memcpy(c.W, p.W, sizeof c.W);
  std::memcpy(c.u, p.u_free, sizeof c.u);
  std::memcpy(c.mu, p.mu, sizeof c.mu);
  return c;
}

}  // namespace
}  // namespace painleve::small

using namespace painleve::small;

extern "C" {

int32_t painleve_analyze(const painleve_contacts* contacts, painleve_analysis* answer) {
  if (contacts == nullptr || answer == nullptr) return PAINLEVE_NULL_POINTER;
  const int32_t error = check(*contacts);
  if (error != PAINLEVE_OK) return error;
  *answer = {};
  analyze(*contacts, *answer);
  return PAINLEVE_OK;
}

int32_t painleve_solve(const painleve_contacts* contacts, int32_t formulation, double dt, painleve_solutions* answer) {
  if (contacts == nullptr || answer == nullptr) return PAINLEVE_NULL_POINTER;
  const int32_t error = check(*contacts);
  if (error != PAINLEVE_OK) return error;
  if (formulation < PAINLEVE_ACCELERATION || formulation > PAINLEVE_STEP) return PAINLEVE_BAD_FORMULATION;
  if (formulation == PAINLEVE_STEP && !(dt >= 1e-12 && dt <= 1e6)) return PAINLEVE_BAD_DT;
  *answer = {};
  if (formulation == PAINLEVE_ACCELERATION && any_approaches(*contacts)) {
    answer->verdict = PAINLEVE_IMPACT;
    return PAINLEVE_OK;
  }
  if (formulation == PAINLEVE_ACCELERATION) solve(acceleration_problem(*contacts), *answer);
  if (formulation == PAINLEVE_IMPULSE) solve(take(*contacts, false, contacts->u), *answer);
  if (formulation == PAINLEVE_STEP) solve(step_problem(*contacts, dt), *answer);
  return PAINLEVE_OK;
}

int32_t painleve_solve_step(const painleve_step_problem* problem, painleve_solutions* answer) {
  if (problem == nullptr || answer == nullptr) return PAINLEVE_NULL_POINTER;
  const painleve_contacts c = at_rest(*problem);
  return painleve_solve(&c, PAINLEVE_IMPULSE, 0, answer);
}

double painleve_residual(const painleve_step_problem* problem, const double Lambda[4]) {
  if (problem == nullptr || Lambda == nullptr) return -static_cast<double>(PAINLEVE_NULL_POINTER);
  const painleve_contacts c = at_rest(*problem);
  const int32_t error = check(c);
  if (error != PAINLEVE_OK) return -static_cast<double>(error);
  const Taken t = take(c, true, c.u);
  Vector r(2 * c.count);
  for (int k = 0; k < 2 * c.count; ++k) {
    if (!painleve::small::finite(Lambda[k])) return -static_cast<double>(PAINLEVE_NOT_FINITE);
    r(k) = Lambda[k];
  }
  return residual(t.problem, r, t.problem.W.lazyProduct(r) + t.problem.q);
}

char* painleve_word(const painleve_solution* solution, char word[PAINLEVE_WORD_SIZE]) {
  if (word == nullptr) return nullptr;
  word[0] = '\0';
  if (solution == nullptr) return word;
  char* end = word;
  for (const int32_t letter : solution->letter) {
    if (letter == PAINLEVE_F) *end++ = 'F';
    if (letter == PAINLEVE_T) *end++ = 'T';
    if (letter != PAINLEVE_S_PLUS && letter != PAINLEVE_S_MINUS) continue;
    *end++ = 'S';
    *end++ = letter == PAINLEVE_S_PLUS ? '+' : '-';
  }
  *end = '\0';
  return word;
}

}  // extern "C"
