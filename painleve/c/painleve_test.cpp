// The C functions against the library, which solves the same problems with allocation and for any number of contacts.
#include "painleve/c/painleve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "painleve/c/detail/drawn_states.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/solution_set.hpp"
#include "painleve/modes/mode_table.hpp"

namespace painleve {
namespace painleve_test {

constexpr Tolerance face_value{0, 0};

// One answer, without regard to which route gave it.
struct Answer {
  std::string word;
  Eigen::VectorXd r, w;
  int family = 0, motion_family = 0;
};

std::string word_of(const painleve_solution& s) {
  char word[PAINLEVE_WORD_SIZE];
  return painleve_word(&s, word);
}

// Stacked over the contacts that take part.
Answer answer_of(const painleve_solution& s, const std::vector<int>& contacts) {
  Answer a{word_of(s), Eigen::VectorXd(2 * contacts.size()), Eigen::VectorXd(2 * contacts.size()),
           s.force_family_dimension, s.motion_family_dimension};
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (int k = 0; k < 2; ++k) {
      a.r(2 * static_cast<Eigen::Index>(i) + k) = s.force[2 * contacts[i] + k];
      a.w(2 * static_cast<Eigen::Index>(i) + k) = s.motion[2 * contacts[i] + k];
    }
  }
  return a;
}

std::string text(const std::vector<Answer>& list) {
  std::ostringstream out;
  for (const Answer& a : list) {
    out << a.word << " family " << a.family << "/" << a.motion_family << " r " << a.r.transpose() << " w "
        << a.w.transpose() << "\n";
  }
  return out.str();
}

// Equal words, dimensions, motions and forces; of a family only that it is one, since any of its points will do.
bool same(const Answer& a, const Answer& b) {
  if (a.word != b.word || a.family != b.family || a.motion_family != b.motion_family) {
    return false;
  }
  const double size = 1 + a.r.norm() + a.w.norm();
  const bool motion = a.motion_family > 0 || (a.w - b.w).norm() <= 1e-7 * size;
  return motion && (a.family > 0 || (a.r - b.r).norm() <= 1e-7 * size);
}

bool same(const std::vector<Answer>& a, const std::vector<Answer>& b) {
  return a.size() == b.size() && std::is_permutation(a.begin(), a.end(), b.begin(),
                                                     [](const Answer& x, const Answer& y) { return same(x, y); });
}

std::vector<Answer> answers(const painleve_solutions& set, const std::vector<int>& contacts) {
  std::vector<Answer> list;
  for (int k = 0; k < set.count; ++k) {
    list.push_back(answer_of(set.solution[k], contacts));
  }
  return list;
}

std::vector<Answer> answers(const ContactSolutions& set, const Formulation& f) {
  std::vector<Answer> list;
  for (const ContactSolution& s : set.solutions) {
    list.push_back({s.mode, s.r, s.w - f.shift, s.family.dimension, s.family.motion_dimension});
  }
  return list;
}

std::vector<Answer> answers(const ModeTable& table) {
  std::vector<Answer> list;
  for (const ModeEntry& e : table.modes) {
    if (e.consistent) {
      list.push_back({e.name, *e.lambda, *e.a, e.force_family_dimension, e.motion_family_dimension});
    }
  }
  return list;
}

std::string describe(const ContactSpace& s) {
  std::ostringstream out;
  out << "W\n"
      << s.W << "\nb " << s.b.transpose() << "\nu " << s.u.transpose() << "\nmu " << s.mu.transpose() << "\ngap "
      << s.gap.transpose() << "\n";
  return out.str();
}

void expect_same_modes(const ContactSpace& s) {
  const painleve_contacts c = to_c(s, 0, 0);
  painleve_analysis ours;
  ASSERT_EQ(painleve_analyze(&c, &ours), PAINLEVE_OK);
  const ModeTable theirs = mode_table(s, {face_value, {}, {}, {}, {}});
  EXPECT_EQ(painleve_verdict_text(ours.modes.verdict), theirs.verdict) << describe(s);
  EXPECT_EQ(ours.jam != 0, theirs.jam) << describe(s);
  const auto a = answers(ours.modes, theirs.closed);
  const auto b = answers(theirs);
  EXPECT_TRUE(same(a, b)) << describe(s) << "C:\n" << text(a) << "library:\n" << text(b);
}

Formulation formulate(const ContactSpace& s, int32_t formulation, double dt) {
  if (formulation == PAINLEVE_ACCELERATION) return acceleration_problem(s, face_value);
  if (formulation == PAINLEVE_IMPULSE) return impulse_problem(s, face_value);
  return step_problem(s, {dt, false, StepForm::stewart_trinkle}, face_value);
}

void expect_same_solutions(const ContactSpace& s, int32_t formulation, double dt) {
  const painleve_contacts c = to_c(s, 0, 0);
  painleve_solutions ours;
  ASSERT_EQ(painleve_solve(&c, formulation, dt, &ours), PAINLEVE_OK);
  if (formulation == PAINLEVE_ACCELERATION && !approaching_contacts(s, face_value).empty()) {
    EXPECT_EQ(ours.verdict, PAINLEVE_IMPACT);
    return;
  }
  const Formulation f = formulate(s, formulation, dt);
  const auto a = answers(ours, f.contacts);
  const auto b = answers(all_solutions(f.problem), f);
  EXPECT_TRUE(same(a, b)) << "formulation " << formulation << "\n"
                          << describe(s) << "C:\n"
                          << text(a) << "library:\n"
                          << text(b);
  for (std::size_t k = 0; k < a.size(); ++k) {
    Eigen::VectorXd w = a[k].w + f.shift;
    EXPECT_LE(law_residual(f.problem, a[k].r, w), 1e-9) << describe(s) << text(a);
    EXPECT_LE(ours.solution[k].residual, 1e-9);
  }
}

void compare(const ContactSpace& s) {
  expect_same_modes(s);
  for (const int32_t formulation : {PAINLEVE_ACCELERATION, PAINLEVE_IMPULSE, PAINLEVE_STEP}) {
    expect_same_solutions(s, formulation, 0.25);
  }
}

TEST(CAbi, DrawnStatesHaveTheSolutionsOfTheLibrary) {
  Draws draws(1);
  for (int k = 0; k < 1500 && !::testing::Test::HasFailure(); ++k) {
    SCOPED_TRACE(k);
    compare(drawn_state(draws, 1, 3));
    compare(drawn_state(draws, 2, 5));
  }
}

TEST(CAbi, RedundantContactsHaveTheFamiliesOfTheLibrary) {
  Draws draws(2);
  for (int k = 0; k < 500 && !::testing::Test::HasFailure(); ++k) {
    SCOPED_TRACE(k);
    compare(drawn_state(draws, 2, 3));
    compare(drawn_state(draws, 2, 2));
  }
}

TEST(CAbi, BoundariesAreThoseOfTheLibrary) {
  Draws draws(3);
  for (int k = 0; k < 1500 && !::testing::Test::HasFailure(); ++k) {
    SCOPED_TRACE(k);
    compare(whole_number_state(draws, 1 + k % 2));
  }
}

// Preclik & Rüde's rod, case M at dt = 0.01: it may open, slide or stick.
painleve_contacts rod_with_three_futures() {
  painleve_contacts c{};
  c.count = 1;
  const double sin = std::sqrt(3.0) / 2;
  const double cos = -0.5;
  c.W[0][0] = 1 + 3 * sin * sin;
  c.W[0][1] = c.W[1][0] = 3 * sin * cos;
  c.W[1][1] = 1 + 3 * cos * cos;
  const double alpha = 5;  // torque 5/3 on the inertia 1/3
  c.b[0] = -sin * alpha;
  c.b[1] = -1 - cos * alpha;
  c.u[0] = -1;
  c.mu[0] = 1.5;
  return c;
}

TEST(CAbi, PublishedStepHasItsThreeSolutions) {
  const painleve_contacts c = rod_with_three_futures();
  painleve_solutions s;
  ASSERT_EQ(painleve_solve(&c, PAINLEVE_STEP, 0.01, &s), PAINLEVE_OK);
  ASSERT_EQ(s.count, 3);
  EXPECT_EQ(s.verdict, PAINLEVE_INDETERMINATE);
  EXPECT_EQ(word_of(s.solution[0]) + word_of(s.solution[1]) + word_of(s.solution[2]), "FS-T");
  EXPECT_NEAR(s.solution[1].force[1], 0.0755, 5e-5);
  EXPECT_NEAR(s.solution[1].force[0], 0.1133, 5e-5);
  EXPECT_NEAR(s.solution[2].force[1], 0.3266, 5e-5);
  EXPECT_NEAR(s.solution[2].force[0], 0.4516, 5e-5);
}

TEST(CAbi, StepOfASolverIsTheStepOfTheState) {
  const painleve_contacts c = rod_with_three_futures();
  painleve_step_problem p{};
  p.count = 1;
  p.mu[0] = c.mu[0];
  for (int i = 0; i < 2; ++i) {
    p.u_free[i] = c.u[i] + 0.01 * c.b[i];
    for (int j = 0; j < 2; ++j) p.W[i][j] = c.W[i][j];
  }
  painleve_solutions a;
  painleve_solutions b;
  ASSERT_EQ(painleve_solve(&c, PAINLEVE_STEP, 0.01, &a), PAINLEVE_OK);
  ASSERT_EQ(painleve_solve_step(&p, &b), PAINLEVE_OK);
  ASSERT_EQ(a.count, b.count);
  for (int k = 0; k < a.count; ++k) {
    EXPECT_EQ(a.solution[k].force[0], b.solution[k].force[0]);
    EXPECT_LE(painleve_residual(&p, a.solution[k].force), 1e-12);
    double wrong[4] = {a.solution[k].force[0], a.solution[k].force[1] + 1e-3};
    EXPECT_GT(painleve_residual(&p, wrong), 1e-5);
  }
  const double nan[4] = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(painleve_residual(&p, nan), -PAINLEVE_NOT_FINITE);
}

TEST(CAbi, NumbersOfAContactAreThoseOfTheCone) {
  painleve_contacts c = rod_with_three_futures();
  painleve_analysis a;
  ASSERT_EQ(painleve_analyze(&c, &a), PAINLEVE_OK);
  EXPECT_EQ(a.contact[0].known, PAINLEVE_HAS_P | PAINLEVE_HAS_MU_CRIT | PAINLEVE_HAS_MU_JAM | PAINLEVE_HAS_MU_JAM_HELD);
  EXPECT_NEAR(a.contact[0].mu_jam, c.W[1][1] / std::abs(c.W[0][1]), 1e-15);
  EXPECT_NEAR(a.contact[0].mu_crit, std::abs(c.W[0][1]) / c.W[0][0], 1e-15);
  EXPECT_NEAR(a.contact[0].p, c.W[1][1] + 1.5 * c.W[0][1], 1e-15);
  EXPECT_NE(a.jam, 0);
  c.W[0][1] = c.W[1][0] = 0;
  ASSERT_EQ(painleve_analyze(&c, &a), PAINLEVE_OK);
  EXPECT_EQ(a.contact[0].known, PAINLEVE_HAS_P | PAINLEVE_HAS_MU_CRIT);
  EXPECT_EQ(a.contact[0].mu_jam, 0);
  // A rod that stands upright: cos(90°) is 6e-17 in the computer. A coupling that is small but real counts.
  for (const double coupling : {6e-17, 1e-15, 1e-12}) {
    c.W[0][0] = 4;
    c.W[1][1] = 1;
    c.W[0][1] = c.W[1][0] = 3 * coupling;
    ASSERT_EQ(painleve_analyze(&c, &a), PAINLEVE_OK);
    EXPECT_EQ((a.contact[0].known & PAINLEVE_HAS_MU_JAM) != 0, coupling > 1e-14) << coupling;
  }
}

TEST(CAbi, RefusesWhatItCannotUse) {
  painleve_analysis a;
  const auto code = [&a](void (*spoil)(painleve_contacts&)) {
    painleve_contacts c = rod_with_three_futures();
    spoil(c);
    return painleve_analyze(&c, &a);
  };
  EXPECT_EQ(painleve_analyze(nullptr, &a), PAINLEVE_NULL_POINTER);
  EXPECT_EQ(code([](painleve_contacts& c) { c.count = 3; }), PAINLEVE_BAD_COUNT);
  EXPECT_EQ(code([](painleve_contacts& c) { c.count = 0; }), PAINLEVE_BAD_COUNT);
  EXPECT_EQ(code([](painleve_contacts& c) { c.b[1] = std::numeric_limits<double>::quiet_NaN(); }), PAINLEVE_NOT_FINITE);
  EXPECT_EQ(code([](painleve_contacts& c) { c.W[0][0] = std::numeric_limits<double>::infinity(); }),
            PAINLEVE_NOT_FINITE);
  EXPECT_EQ(code([](painleve_contacts& c) { c.mu[0] = -0.1; }), PAINLEVE_NEGATIVE_MU);
  EXPECT_EQ(code([](painleve_contacts& c) { c.W[0][1] += 1e-3; }), PAINLEVE_NOT_SYMMETRIC);
  EXPECT_EQ(code([](painleve_contacts& c) { c.W[0][0] = -1; }), PAINLEVE_INDEFINITE);
  EXPECT_EQ(code([](painleve_contacts& c) { c.W[0][1] = c.W[1][0] = 3; }), PAINLEVE_INDEFINITE);
  EXPECT_EQ(code([](painleve_contacts& c) { c.tolerance_gap = -1; }), PAINLEVE_BAD_TOLERANCE);
  painleve_contacts c = rod_with_three_futures();
  painleve_solutions s;
  EXPECT_EQ(painleve_solve(&c, PAINLEVE_STEP, 0, &s), PAINLEVE_BAD_DT);
  EXPECT_EQ(painleve_solve(&c, 7, 0.01, &s), PAINLEVE_BAD_FORMULATION);
  for (int32_t error = 0; error <= PAINLEVE_BAD_FORMULATION; ++error) {
    EXPECT_STRNE(painleve_error_text(error), painleve_error_text(-1)) << error;
  }
}

}  // namespace painleve_test
// Near a singular W: forces by quotients of determinants would not balance, and those of one of two triangles of W
// not in the other one.
TEST(CAbi, SticksInBalanceWhereTheResponseIsNearlySingular) {
  painleve_contacts c{};
  c.count = 1;
  c.W[0][0] = 1;
  c.W[0][1] = c.W[1][0] = -0.99999999999999967;
  c.W[1][1] = 1.0000000000006783;
  c.b[0] = 2;
  c.b[1] = -2.0000000000008704;
  c.mu[0] = 1.9999999999989564;
  painleve_analysis answer;
  ASSERT_EQ(painleve_analyze(&c, &answer), PAINLEVE_OK);
  ASSERT_EQ(answer.modes.count, 1);
  EXPECT_EQ(answer.modes.solution[0].letter[0], PAINLEVE_T);
  EXPECT_LT(answer.modes.solution[0].residual, 1e-14);
  c.W[0][0] = c.W[0][1] = c.W[1][1] = 6;
  c.W[1][0] = 5.9999999996223519;
  c.b[0] = c.b[1] = -2;
  c.mu[0] = 1;
  ASSERT_EQ(painleve_analyze(&c, &answer), PAINLEVE_OK);
  ASSERT_EQ(answer.modes.count, 1);
  EXPECT_EQ(answer.modes.solution[0].letter[0], PAINLEVE_T);
  EXPECT_LT(answer.modes.solution[0].residual, 1e-14);
  c.W[1][1] = 6.0000000000000018;  // at the edge of the friction cone, which a force by elimination leaves by 1e-6
  ASSERT_EQ(painleve_analyze(&c, &answer), PAINLEVE_OK);
  ASSERT_EQ(answer.modes.count, 1);
  EXPECT_EQ(answer.modes.solution[0].letter[0], PAINLEVE_T);
  EXPECT_LT(answer.modes.solution[0].residual, 1e-14);
}

TEST(CAbi, RefusesFrictionBeyondRoundingAndTakesNullForAWord) {
  painleve_contacts c{};
  c.count = 1;
  c.W[0][0] = c.W[1][1] = 2;
  c.b[1] = -1;
  c.mu[0] = 1e12;
  painleve_analysis answer;
  EXPECT_EQ(painleve_analyze(&c, &answer), PAINLEVE_LARGE_MU);
  EXPECT_STREQ(painleve_error_text(PAINLEVE_LARGE_MU), "mu is too large, it must be <= 1e9");
  c.mu[0] = 1e9;
  EXPECT_EQ(painleve_analyze(&c, &answer), PAINLEVE_OK);
  char word[PAINLEVE_WORD_SIZE] = "x";
  EXPECT_STREQ(painleve_word(nullptr, word), "");
  EXPECT_EQ(painleve_word(nullptr, nullptr), nullptr);
}

}  // namespace painleve
