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

// Whether a certificate must be good: the first numbers of the diagonal differ by little.
bool well_scaled(const painleve_contacts& c) {
  Eigen::Matrix4d W = Eigen::Matrix4d::Zero();
  for (int i = 0; i < 2 * std::clamp(c.count, 0, 2); ++i) {
    for (int j = 0; j < 2 * std::clamp(c.count, 0, 2); ++j) W(i, j) = c.W[i][j];
  }
  return W.allFinite() && fuzz::well_scaled(Eigen::MatrixXd(W));
}

struct Expected {
  bool flight = false;  // no contact may take part: then there is one motion and no solution to list
  bool scaled = true;
};

void check_set(const painleve_solutions& set, const Expected& expected) {
  law(set.count >= 0 && set.count <= PAINLEVE_MOST_SOLUTIONS, "a number of solutions that cannot be");
  law(set.complete == 1 || set.verdict == PAINLEVE_IMPACT, "a list that is not complete");
  law(set.verdict >= PAINLEVE_UNIQUE && set.verdict <= PAINLEVE_IMPACT, "a verdict that is none");
  if (set.verdict == PAINLEVE_INCONSISTENT) law(set.count == 0, "no motion, but a solution");
  if (set.verdict == PAINLEVE_UNIQUE) law(set.count > 0 || expected.flight, "one motion, but no solution");
  if (set.verdict == PAINLEVE_INDETERMINATE)
    law(set.count > 1 || set.motion_family_dimension > 0, "several motions, but one solution");
  for (int k = 0; k < set.count; ++k) {
    const painleve_solution& one = set.solution[k];
    char word[PAINLEVE_WORD_SIZE];
    law(std::strlen(painleve_word(&one, word)) < PAINLEVE_WORD_SIZE, "a word without end");
    for (int i = 0; i < 4; ++i) law(std::isfinite(one.force[i]) && std::isfinite(one.motion[i]), "a force without end");
    law(!expected.scaled || one.residual <= 1e-6,
        std::string("the solution ") + word + " does not satisfy the laws of contact");
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
  const bool scaled = well_scaled(c);
  const Expected state{any_open(c), scaled};
  if (const auto answer = asked<painleve_analysis>([&](auto* a) { return painleve_analyze(&c, a); }))
    check_set(answer->modes, state);
  if (const auto answer = asked<painleve_solutions>([&](auto* a) { return painleve_solve(&c, formulation, dt, a); }))
    check_set(*answer, state);
  painleve_step_problem p{};
  p.count = c.count;
  std::memcpy(p.bilateral, c.bilateral, sizeof p.bilateral);
  std::memcpy(p.W, c.W, sizeof p.W);
  std::memcpy(p.u_free, c.b, sizeof p.u_free);
  std::memcpy(p.mu, c.mu, sizeof p.mu);
  const auto answer = asked<painleve_solutions>([&](auto* a) { return painleve_solve_step(&p, a); });
  if (!answer) return;
  check_set(*answer, {false, scaled});
  for (int k = 0; k < answer->count; ++k) {
    const double* force = answer->solution[k].force;
    const double largest = std::max({std::abs(force[0]), std::abs(force[1]), std::abs(force[2]), std::abs(force[3])});
    if (largest > 1e100) continue;  // a force may be larger than what is taken as an input
    const double residual = painleve_residual(&p, force);
    law(residual >= 0 && (!scaled || residual <= 1e-6), "the certifier rejects a listed solution");
  }
}

}  // namespace painleve::fuzz
