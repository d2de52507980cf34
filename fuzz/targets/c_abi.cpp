// The C functions on any numbers: an error with its text and an untouched answer, or an answer that is complete and
// certified. That it is the one of the library is tested on drawn problems (differential/).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "answers.hpp"
#include "painleve/c/painleve.h"
#include "target_list.hpp"

namespace painleve::fuzz {
namespace {

constexpr int32_t last_error = PAINLEVE_LARGE_MU;

// Half of the matrices are symmetric, since others are refused.
void draw_matrix(Draw& draw, int size, double W[4][4]) {
  const bool symmetric = draw.below(8) != 0;
  double J[4][3];
  for (auto& row : J) {
    for (double& x : row) x = draw.number();
  }
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      W[i][j] = symmetric ? J[i][0] * J[j][0] + J[i][1] * J[j][1] + J[i][2] * J[j][2] : draw.number();
    }
  }
}

painleve_contacts drawn_contacts(Draw& draw) {
  painleve_contacts c{};
  const unsigned count = draw.below(16);
  c.count = count < 14 ? 1 + static_cast<int32_t>(count % 2) : static_cast<int32_t>(count) - 16;
  for (int32_t& flag : c.bilateral) flag = draw.below(8) == 0 ? 1 : 0;
  draw_matrix(draw, 4, c.W);
  for (double& x : c.b) x = draw.number();
  for (double& x : c.u) x = draw.below(2) == 0 ? 0 : draw.number();
  for (double& x : c.gap) x = draw.below(4) != 0 ? 0 : draw.number();
  for (double& x : c.mu) x = std::abs(draw.number());
  if (draw.below(4) == 0) c.tolerance_gap = draw.number();
  if (draw.below(4) == 0) c.tolerance_velocity = draw.number();
  return c;
}

bool any_open(const painleve_contacts& c) {
  for (int i = 0; i < c.count && i < 2; ++i) {
    if (c.gap[i] > c.tolerance_gap && c.bilateral[i] == 0) return true;
  }
  return false;
}

void check_error(int32_t error) {
  law(error > 0 && error <= last_error, "an error of no kind: " + std::to_string(error));
  const char* text = painleve_error_text(error);
  law(text != nullptr, "an error without a text");
  check_sentence(text);
}

// The same contacts for the library, of a structure that was accepted.
ContactSpace space_of(const painleve_contacts& c) {
  const int rows = 2 * c.count;
  ContactSpace s;
  s.W.resize(rows, rows);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) s.W(i, j) = (c.W[i][j] + c.W[j][i]) / 2;
  }
  s.b = Eigen::Map<const Eigen::VectorXd>(c.b, rows);
  s.u = Eigen::Map<const Eigen::VectorXd>(c.u, rows);
  s.drift = Eigen::Map<const Eigen::VectorXd>(c.drift, rows);
  s.gap = Eigen::Map<const Eigen::VectorXd>(c.gap, c.count);
  s.mu = Eigen::Map<const Eigen::VectorXd>(c.mu, c.count);
  for (int i = 0; i < c.count; ++i) {
    s.bilateral.push_back(c.bilateral[i] != 0);
    s.names.push_back("c" + std::to_string(i + 1));
  }
  return s;
}

Formulation formulation_of(const painleve_contacts& c, int32_t kind, double dt) {
  const ContactSpace space = space_of(c);
  const Tolerance tolerance{c.tolerance_gap, c.tolerance_velocity};
  if (kind == PAINLEVE_ACCELERATION) return acceleration_problem(space, tolerance);
  if (kind == PAINLEVE_IMPULSE) return impulse_problem(space, tolerance);
  StepOptions options;
  options.dt = dt;
  return step_problem(space, options, tolerance);
}

double allowed_residual(const Formulation& formulation, const painleve_solution& one) {
  Eigen::VectorXd r(formulation.problem.q.size());
  for (std::size_t k = 0; k < formulation.contacts.size(); ++k) {
    const auto to = static_cast<Eigen::Index>(2 * k);
    r.segment(to, 2) = Eigen::Map<const Eigen::Vector2d>(one.force + 2 * formulation.contacts[k]);
  }
  return fuzz::allowed_residual(formulation.problem, r, one.force_family_dimension > 0);
}

// `flight`: no contact may take part, then there is one motion and no solution to list.
void check_set(const painleve_solutions& set, bool flight, const Formulation& formulation) {
  law(set.count >= 0 && set.count <= PAINLEVE_MOST_SOLUTIONS, "a number of solutions that cannot be");
  law(set.complete == 1 || set.verdict == PAINLEVE_IMPACT, "a list that is not complete");
  law(set.verdict >= PAINLEVE_UNIQUE && set.verdict <= PAINLEVE_IMPACT, "a verdict that is none");
  if (set.verdict == PAINLEVE_INCONSISTENT) law(set.count == 0, "no motion, but a solution");
  if (set.verdict == PAINLEVE_UNIQUE) law(set.count > 0 || flight, "one motion, but no solution");
  if (set.verdict == PAINLEVE_INDETERMINATE)
    law(set.count > 1 || set.motion_family_dimension > 0, "several motions, but one solution");
  for (int k = 0; k < set.count; ++k) {
    const painleve_solution& one = set.solution[k];
    char word[PAINLEVE_WORD_SIZE];
    law(std::strlen(painleve_word(&one, word)) < PAINLEVE_WORD_SIZE, "a word without end");
    for (int i = 0; i < 4; ++i) law(std::isfinite(one.force[i]) && std::isfinite(one.motion[i]), "a force without end");
    const double allowed = allowed_residual(formulation, one);
    law(one.residual <= allowed, std::string("the solution ") + word + " does not satisfy the laws of contact: " +
                                     std::to_string(one.residual / allowed) + " of what is allowed");
  }
}

// Calls with an answer of a known pattern, which an error must leave as it is.
template <class Answer, class Call>
std::optional<Answer> asked(Call call) {
  Answer answer, before;
  std::memset(static_cast<void*>(&answer), 0x5A, sizeof answer);
  std::memset(static_cast<void*>(&before), 0x5A, sizeof before);
  const int32_t error = call(&answer);
  if (error == PAINLEVE_OK) return answer;
  check_error(error);
  law(std::memcmp(&answer, &before, sizeof answer) == 0, "an error changed the answer");
  return std::nullopt;
}

}  // namespace

void call_c_functions(std::string_view bytes) {
  Draw draw(bytes);
  const double dt = draw.below(2) == 0 ? 0.01 : draw.number();
  const auto formulation = static_cast<int32_t>(draw.below(5)) - 1;
  const painleve_contacts c = drawn_contacts(draw);
  const bool flight = any_open(c);
  if (const auto answer = asked<painleve_analysis>([&](auto* a) { return painleve_analyze(&c, a); }))
    check_set(answer->modes, flight, formulation_of(c, PAINLEVE_ACCELERATION, dt));
  if (const auto answer = asked<painleve_solutions>([&](auto* a) { return painleve_solve(&c, formulation, dt, a); }))
    check_set(*answer, flight, formulation_of(c, formulation, dt));
  painleve_step_problem p{};
  p.count = c.count;
  std::memcpy(p.bilateral, c.bilateral, sizeof p.bilateral);
  std::memcpy(p.W, c.W, sizeof p.W);
  std::memcpy(p.u_free, c.b, sizeof p.u_free);
  std::memcpy(p.mu, c.mu, sizeof p.mu);
  const auto answer = asked<painleve_solutions>([&](auto* a) { return painleve_solve_step(&p, a); });
  if (!answer) return;
  painleve_contacts step = c;
  std::memcpy(step.u, p.u_free, sizeof step.u);
  std::memset(step.gap, 0, sizeof step.gap);
  step.tolerance_gap = step.tolerance_velocity = 0;
  const Formulation problem = formulation_of(step, PAINLEVE_IMPULSE, dt);
  check_set(*answer, false, problem);
  for (int k = 0; k < answer->count; ++k) {
    const painleve_solution& one = answer->solution[k];
    const double largest = Eigen::Map<const Eigen::Vector4d>(one.force).cwiseAbs().maxCoeff();
    if (largest > 1e100) continue;  // a force may be larger than what is taken as an input
    const double residual = painleve_residual(&p, one.force);
    law(residual >= 0 && residual <= 2 * allowed_residual(problem, one), "the certifier rejects a listed solution");
  }
}

}  // namespace painleve::fuzz
