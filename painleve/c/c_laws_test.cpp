// The C functions by laws: units, limits of what they take, and the numbers of each contact against the library's.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "painleve/c/detail/drawn_states.hpp"
#include "painleve/c/painleve.h"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/contact/held_contact.hpp"

namespace painleve {
namespace c_laws_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

painleve_analysis analysis(const painleve_contacts& c) {
  painleve_analysis a;
  EXPECT_EQ(painleve_analyze(&c, &a), PAINLEVE_OK);
  return a;
}

painleve_solutions solutions(const painleve_contacts& c, int32_t formulation) {
  painleve_solutions s;
  EXPECT_EQ(painleve_solve(&c, formulation, 0.25, &s), PAINLEVE_OK);
  return s;
}

ContactSpace drawn(Draws& draws, int k) {
  return k % 2 == 0 ? whole_number_state(draws, 1 + draws.integer(0, 1)) : drawn_state(draws, 2, draws.integer(2, 5));
}

// --- what a contact does ------------------------------------------------------------------------------------------

TEST(CLaws, TouchIsThatOfTheLibraryUpToItsTolerance) {
  Draws draws(41);
  for (int k = 0; k < 2000; ++k) {
    ContactSpace s = whole_number_state(draws, 2);
    for (int i = 0; i < 2; ++i) {
      s.gap(i) = draws.integer(-2, 2);
      s.u(2 * i) = draws.integer(-2, 2);
      s.u(2 * i + 1) = draws.integer(-2, 2);
    }
    const painleve_analysis a = analysis(to_c(s, 1, 1));
    for (int i = 0; i < 2; ++i) {
      const painleve_contact_report& report = a.contact[i];
      EXPECT_EQ(report.touch, static_cast<int32_t>(touch(s, i, {1, 1}))) << k;
      const bool slips = std::abs(s.u(2 * i)) > 1;
      EXPECT_EQ((report.known & PAINLEVE_HAS_P) != 0, slips) << k;
      const auto W = s.W.block<2, 2>(2 * i, 2 * i);
      EXPECT_EQ(report.p_plus, W(1, 1) - s.mu(i) * W(0, 1)) << k;
      EXPECT_EQ(report.p_minus, W(1, 1) + s.mu(i) * W(0, 1)) << k;
      EXPECT_EQ(report.k_plus, s.mu(i) * W(0, 0) - W(0, 1)) << k;
      EXPECT_EQ(report.k_minus, s.mu(i) * W(0, 0) + W(0, 1)) << k;
      EXPECT_EQ(report.p, !slips ? 0 : (s.u(2 * i) > 0 ? report.p_plus : report.p_minus)) << k;
      EXPECT_EQ((report.known & PAINLEVE_HAS_MU_CRIT) != 0, W(0, 0) > 0) << k;
      EXPECT_EQ(report.mu_crit, W(0, 0) > 0 ? std::abs(W(0, 1)) / W(0, 0) : 0) << k;
    }
    const auto jams = [&](int i) { return a.contact[i].touch == PAINLEVE_SLIPPING && a.contact[i].p <= 0; };
    EXPECT_EQ(a.jam != 0, jams(0) || jams(1)) << k;
  }
}

// W_nn/|W_tn| of the contact alone, and of what is left of it while the other one is held, if that is closed.
TEST(CLaws, JammingFrictionIsThatOfTheLibrary) {
  Draws draws(42);
  int differ = 0;
  for (int k = 0; k < 1000; ++k) {
    ContactSpace s = k % 2 == 0 ? whole_number_state(draws, 2) : drawn_state(draws, 2, draws.integer(2, 5));
    const auto expected = [](const Eigen::MatrixXd& W) { return W(0, 1) != 0 ? W(1, 1) / std::abs(W(0, 1)) : 0; };
    const painleve_analysis a = analysis(to_c(s, 0, 0));
    for (int i = 0; i < 2; ++i) {
      const Eigen::MatrixXd alone = s.W.block(2 * i, 2 * i, 2, 2);
      const bool closed = touch(s, 1 - i, {0, 0}) != Touch::open;
      const Eigen::MatrixXd held = closed ? hold(s, i, {1 - i}).W : alone;
      const painleve_contact_report& report = a.contact[i];
      EXPECT_EQ((report.known & PAINLEVE_HAS_MU_JAM) != 0, alone(0, 1) != 0) << k;
      EXPECT_EQ((report.known & PAINLEVE_HAS_MU_JAM_HELD) != 0, held(0, 1) != 0) << k << "\n" << s.W;
      EXPECT_NEAR(report.mu_jam, expected(alone), 1e-12 * expected(alone)) << k;
      EXPECT_NEAR(report.mu_jam_held, expected(held), 1e-8 * (1 + expected(held))) << k << "\n" << s.W;
      differ += std::abs(expected(held) - expected(alone)) > 1e-3 ? 1 : 0;
    }
  }
  EXPECT_GE(differ, 500);
}

// --- the certificate ----------------------------------------------------------------------------------------------

painleve_step_problem step_problem(const ContactSpace& s) {
  painleve_step_problem p{};
  p.count = s.count();
  for (int i = 0; i < 2 * p.count; ++i) {
    p.u_free[i] = s.u(i);
    for (int j = 0; j < 2 * p.count; ++j) {
      p.W[i][j] = s.W(i, j);
    }
  }
  for (int i = 0; i < p.count; ++i) {
    p.mu[i] = s.mu(i);
    p.bilateral[i] = s.bilateral[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  return p;
}

// Of any impulses, right or wrong, small or far beyond the load.
TEST(CLaws, ResidualIsThatOfTheLibrary) {
  Draws draws(43);
  for (int k = 0; k < 3000; ++k) {
    ContactSpace s = drawn(draws, k);
    s.gap.setZero();
    for (double& x : s.u) {
      x = k % 5 == 0 ? 0 : draws.normal();
    }
    const Formulation f = impulse_problem(s, {0, 0});
    Eigen::VectorXd r(s.u.size());
    const double size = std::pow(10, draws.integer(-9, 9));
    for (double& x : r) {
      x = draws.integer(0, 3) == 0 ? 0 : size * draws.normal();
    }
    const painleve_step_problem p = step_problem(s);
    double Lambda[4] = {};
    std::copy(r.begin(), r.end(), Lambda);
    const double expected = law_residual(f.problem, r, f.problem.W * r + f.problem.q);
    EXPECT_NEAR(painleve_residual(&p, Lambda), expected, 1e-13 + 1e-9 * expected) << k;
  }
}

TEST(CLaws, ResidualOfEachSolutionIsSmallAndTheLeastForceComesFirst) {
  Draws draws(44);
  for (int k = 0; k < 600; ++k) {
    const painleve_contacts c = to_c(drawn(draws, k), 0, 0);
    for (const int32_t formulation : {PAINLEVE_ACCELERATION, PAINLEVE_IMPULSE, PAINLEVE_STEP}) {
      const painleve_solutions s = solutions(c, formulation);
      double before = 0;
      for (int i = 0; i < s.count; ++i) {
        const double force = Eigen::Map<const Eigen::Vector4d>(s.solution[i].force).norm();
        EXPECT_GE(force, before * (1 - 1e-14)) << k;
        EXPECT_LE(s.solution[i].residual, 1e-9) << k;
        EXPECT_LE(s.solution[i].motion_family_dimension, s.motion_family_dimension) << k;
        EXPECT_LE(s.solution[i].force_family_dimension, s.force_family_dimension) << k;
        before = force;
      }
    }
  }
}

// The verdict counts motions, not solutions: forces that differ may move the bodies alike.
TEST(CLaws, TheVerdictCountsMotions) {
  Draws draws(49);
  int alike = 0;
  int pairs = 0;
  for (int k = 0; k < 3000; ++k) {
    const painleve_contacts c = to_c(drawn(draws, k), 0, 0);
    for (const int32_t formulation : {PAINLEVE_ACCELERATION, PAINLEVE_IMPULSE, PAINLEVE_STEP}) {
      const painleve_solutions s = solutions(c, formulation);
      if (s.verdict == PAINLEVE_IMPACT) {
        continue;
      }
      const auto motion = [&](int i) {
        return Eigen::Vector4d(Eigen::Map<const Eigen::Vector4d>(s.solution[i].motion));
      };
      bool several = s.motion_family_dimension > 0;
      for (int i = 1; i < s.count; ++i) {
        several = several || (motion(i) - motion(0)).norm() > 1e-7 * (1 + motion(0).norm());
      }
      const int32_t expected =
          s.count == 0 ? PAINLEVE_INCONSISTENT : (several ? PAINLEVE_INDETERMINATE : PAINLEVE_UNIQUE);
      EXPECT_EQ(s.verdict, expected) << k << " " << formulation;
      alike += s.count > 1 && !several ? 1 : 0;
      pairs += s.count == 2 && several && s.motion_family_dimension == 0 ? 1 : 0;
    }
  }
  EXPECT_GE(pairs, 20);
  EXPECT_GE(alike, 1);
}

// What a step leaves out of b changes nothing else.
// What the words say of a contact holds to the last bit: a normal that is closed does not move, one that is free has no
// force. A boundary is a unilateral contact with neither force nor lift.
TEST(CLaws, ClosedNormalsRestExactlyAndBoundariesAreMarked) {
  Draws draws(51);
  int boundaries = 0;
  int others = 0;
  for (int k = 0; k < 3000; ++k) {
    const ContactSpace s = drawn(draws, k);
    const painleve_solutions modes = analysis(to_c(s, 0, 0)).modes;
    for (int j = 0; j < modes.count; ++j) {
      const painleve_solution& mode = modes.solution[j];
      bool boundary = false;
      for (int i = 0; i < s.count(); ++i) {
        const double force = std::abs(mode.force[2 * i]) + std::abs(mode.force[2 * i + 1]);
        const double a_n = mode.motion[2 * i + 1];
        if (mode.letter[i] == PAINLEVE_ABSENT) continue;
        if (mode.letter[i] != PAINLEVE_F) {
          EXPECT_EQ(a_n, 0) << k;
          continue;
        }
        EXPECT_EQ(force, 0) << k;
        const bool leaves = s.u(2 * i + 1) > 0;  // lifts whatever its acceleration
        boundary = boundary || (!leaves && std::abs(a_n) < 1e-12);
      }
      EXPECT_EQ(mode.boundary != 0, boundary) << k << " word " << j;
      (boundary ? boundaries : others)++;
    }
  }
  EXPECT_GT(boundaries, 300);
  EXPECT_GT(others, 1000);
}

TEST(CLaws, DriftIsTakenFromTheLoadOfAStep) {
  Draws draws(45);
  for (int k = 0; k < 200; ++k) {
    painleve_contacts with = to_c(drawn(draws, k), 0, 0);
    painleve_contacts without = with;
    for (int i = 0; i < 2 * with.count; ++i) {
      with.drift[i] = draws.integer(-3, 3);
      without.b[i] = with.b[i] - with.drift[i];
    }
    const painleve_solutions a = solutions(with, PAINLEVE_STEP);
    const painleve_solutions b = solutions(without, PAINLEVE_STEP);
    ASSERT_EQ(a.count, b.count) << k;
    EXPECT_EQ(a.verdict, b.verdict) << k;
    for (int i = 0; i < a.count; ++i) {
      for (int j = 0; j < 4; ++j) {
        EXPECT_EQ(a.solution[i].force[j], b.solution[i].force[j]) << k;
        EXPECT_EQ(a.solution[i].motion[j], b.solution[i].motion[j]) << k;
      }
    }
  }
}

// --- units --------------------------------------------------------------------------------------------------------

std::string said(const painleve_solutions& s) {
  std::vector<std::string> words;
  for (int k = 0; k < s.count; ++k) {
    char word[PAINLEVE_WORD_SIZE];
    words.push_back(std::string(painleve_word(&s.solution[k], word)) + (s.solution[k].boundary != 0 ? "!" : "") +
                    std::to_string(s.solution[k].force_family_dimension) +
                    std::to_string(s.solution[k].motion_family_dimension));
  }
  std::sort(words.begin(), words.end());
  std::string all = painleve_verdict_text(s.verdict);
  for (const auto& word : words) {
    all += " " + word;
  }
  return all;
}

// Over the solutions that are no families, of which any point will do.
double total_force(const painleve_solutions& s, int row) {
  double sum = 0;
  for (int k = 0; k < s.count; ++k) {
    sum += s.solution[k].force_family_dimension == 0 ? s.solution[k].force[row] : 0;
  }
  return sum;
}

// Masses times 4^k.
TEST(CLaws, TheUnitOfMassChangesNoWord) {
  Draws draws(46);
  for (int k = 0; k < 300; ++k) {
    const ContactSpace s = drawn(draws, k);
    const painleve_contacts c = to_c(s, 0, 0);
    for (const int power : {40, -40}) {
      painleve_contacts heavy = c;
      for (int i = 0; i < 16; ++i) {
        heavy.W[i / 4][i % 4] = std::ldexp(c.W[i / 4][i % 4], -2 * power);
      }
      EXPECT_EQ(said(analysis(heavy).modes), said(analysis(c).modes)) << k;
      EXPECT_EQ(analysis(heavy).jam, analysis(c).jam) << k;
      for (int i = 0; i < c.count; ++i) {
        EXPECT_EQ(analysis(heavy).contact[i].known, analysis(c).contact[i].known) << k;
        EXPECT_EQ(analysis(heavy).contact[i].mu_jam, analysis(c).contact[i].mu_jam) << k;
        EXPECT_EQ(analysis(heavy).contact[i].mu_crit, analysis(c).contact[i].mu_crit) << k;
      }
      for (const int32_t formulation : {PAINLEVE_ACCELERATION, PAINLEVE_IMPULSE, PAINLEVE_STEP}) {
        const painleve_solutions a = solutions(heavy, formulation);
        const painleve_solutions b = solutions(c, formulation);
        EXPECT_EQ(said(a), said(b)) << k << " " << formulation;
        for (int i = 0; i < 4; ++i) {
          EXPECT_NEAR(std::ldexp(total_force(a, i), -2 * power), total_force(b, i),
                      1e-9 * (1 + std::abs(total_force(b, i))))
              << k << " " << formulation;
        }
      }
    }
  }
}

// Each contact has a unit of length of its own: a problem is solved in units of its contacts.
TEST(CLaws, TheUnitOfLengthOfAContactChangesNoSolution) {
  Draws draws(47);
  for (int k = 0; k < 300; ++k) {
    const ContactSpace s = drawn_state(draws, 2, draws.integer(3, 5));
    ContactSpace other = s;
    const double unit = std::ldexp(1, 20);
    for (int row = 2; row < 4; ++row) {
      other.W.row(row) *= unit;
      other.W.col(row) *= unit;
      other.b(row) *= unit;
      other.u(row) *= unit;
    }
    const painleve_contacts c = to_c(s, 0, 0);
    const painleve_contacts d = to_c(other, 0, 0);
    for (const int32_t formulation : {PAINLEVE_ACCELERATION, PAINLEVE_IMPULSE, PAINLEVE_STEP}) {
      EXPECT_EQ(said(solutions(d, formulation)), said(solutions(c, formulation))) << k << " " << formulation;
    }
  }
}

// --- what is refused ----------------------------------------------------------------------------------------------

painleve_contacts plain(int count) {
  painleve_contacts c{};
  c.count = count;
  for (int i = 0; i < 4; ++i) {
    c.W[i][i] = 2;
    c.b[i] = -1;
  }
  c.mu[0] = c.mu[1] = 0.5;
  return c;
}

int32_t code(const painleve_contacts& c) {
  painleve_analysis a;
  return painleve_analyze(&c, &a);
}

// Every number that is read, and none of those beyond the count.
TEST(CLaws, NumbersBeyondReachAreRefusedWhereverTheyStand) {
  painleve_contacts c = plain(2);
  const auto numbers = [&c](int count) {
    std::vector<double*> list;
    for (int i = 0; i < 2 * count; ++i) {
      list.insert(list.end(), {&c.b[i], &c.drift[i], &c.u[i]});
      for (int j = 0; j < 2 * count; ++j) {
        list.push_back(&c.W[i][j]);
      }
    }
    for (int i = 0; i < count; ++i) {
      list.insert(list.end(), {&c.gap[i], &c.mu[i]});
    }
    list.insert(list.end(), {&c.tolerance_gap, &c.tolerance_velocity});
    return list;
  };
  for (const int count : {1, 2}) {
    c = plain(count);
    EXPECT_EQ(code(c), PAINLEVE_OK);
    for (double* number : numbers(count)) {
      for (const double bad : {nan, infinity, -infinity, 1.01e100, -1.01e100}) {
        c = plain(count);
        *number = bad;
        EXPECT_EQ(code(c), PAINLEVE_NOT_FINITE) << count << " " << bad;
      }
    }
  }
  c = plain(2);
  c.b[3] = -1e100;
  EXPECT_EQ(code(c), PAINLEVE_OK);
  c = plain(1);
  for (const int i : {2, 3}) {
    c.b[i] = c.drift[i] = c.u[i] = c.W[i][i] = c.W[0][i] = c.W[i][0] = nan;
  }
  c.gap[1] = c.mu[1] = nan;
  EXPECT_EQ(code(c), PAINLEVE_OK);
  // A contact that is not there does not approach either.
  c = plain(1);
  c.u[3] = -1;
  EXPECT_EQ(analysis(c).modes.verdict, PAINLEVE_UNIQUE);
  EXPECT_EQ(solutions(c, PAINLEVE_ACCELERATION).verdict, PAINLEVE_UNIQUE);
}

TEST(CLaws, LimitsOfWhatIsTaken) {
  for (int i = 0; i < 2; ++i) {
    painleve_contacts c = plain(2);
    c.mu[i] = -1e-300;
    EXPECT_EQ(code(c), PAINLEVE_NEGATIVE_MU) << i;
    c.mu[i] = 0;
    EXPECT_EQ(code(c), PAINLEVE_OK) << i;
    c.mu[i] = 1e9;
    EXPECT_EQ(code(c), PAINLEVE_OK) << i;
    c.mu[i] = 1.001e9;
    EXPECT_EQ(code(c), PAINLEVE_LARGE_MU) << i;
  }
  for (double painleve_contacts::*tolerance :
       {&painleve_contacts::tolerance_gap, &painleve_contacts::tolerance_velocity}) {
    painleve_contacts c = plain(2);
    c.*tolerance = -1e-300;
    EXPECT_EQ(code(c), PAINLEVE_BAD_TOLERANCE);
    c.*tolerance = 1e-300;
    EXPECT_EQ(code(c), PAINLEVE_OK);
  }
  const painleve_contacts c = plain(2);
  painleve_solutions s;
  for (const double dt : {1e-12, 1e6}) {
    EXPECT_EQ(painleve_solve(&c, PAINLEVE_STEP, dt, &s), PAINLEVE_OK) << dt;
  }
  for (const double dt : {0.99e-12, 1.01e6, -1.0, nan}) {
    EXPECT_EQ(painleve_solve(&c, PAINLEVE_STEP, dt, &s), PAINLEVE_BAD_DT) << dt;
    EXPECT_EQ(painleve_solve(&c, PAINLEVE_IMPULSE, dt, &s), PAINLEVE_OK) << "which has no dt";
  }
  for (const int32_t formulation : {-1, 3}) {
    EXPECT_EQ(painleve_solve(&c, formulation, 0.1, &s), PAINLEVE_BAD_FORMULATION) << formulation;
  }
  for (const int32_t count : {-1, 0, 3}) {
    painleve_contacts other = c;
    other.count = count;
    EXPECT_EQ(code(other), PAINLEVE_BAD_COUNT) << count;
    EXPECT_EQ(painleve_solve(&other, PAINLEVE_IMPULSE, 0, &s), PAINLEVE_BAD_COUNT) << count;
  }
  EXPECT_EQ(painleve_solve(nullptr, PAINLEVE_IMPULSE, 0, &s), PAINLEVE_NULL_POINTER);
  EXPECT_EQ(painleve_solve(&c, PAINLEVE_IMPULSE, 0, nullptr), PAINLEVE_NULL_POINTER);
  EXPECT_EQ(painleve_analyze(&c, nullptr), PAINLEVE_NULL_POINTER);
}

// Eigenvalues and symmetry on either side of their bounds, for matrices of any size.
TEST(CLaws, MatricesAreJudgedByTheirEigenvaluesAndSymmetry) {
  Draws draws(48);
  for (int k = 0; k < 200; ++k) {
    const int count = 1 + k % 2;
    const int n = 2 * count;
    Eigen::MatrixXd A(n, n);
    for (double& x : A.reshaped()) {
      x = draws.normal();
    }
    const Eigen::MatrixXd Q = Eigen::HouseholderQR<Eigen::MatrixXd>(A).householderQ();
    const Eigen::MatrixXd rest = Q.rightCols(n - 1) * Q.rightCols(n - 1).transpose();
    const double size = std::pow(10, draws.integer(-30, 30));
    const double scale = rest.cwiseAbs().maxCoeff();
    for (const double least : {-0.9, -1.1}) {
      const Eigen::MatrixXd W = size * (rest + least * 1e-9 * scale * Q.col(0) * Q.col(0).transpose());
      painleve_contacts c = plain(count);
      for (int i = 0; i < n * n; ++i) {
        c.W[i / n][i % n] = (W(i / n, i % n) + W(i % n, i / n)) / 2;
      }
      EXPECT_EQ(code(c), least < -1 ? PAINLEVE_INDEFINITE : PAINLEVE_OK) << k << "\n" << W;
      if (least < -1) {
        continue;
      }
      for (int i = 0; i < n * n; ++i) {
        if (i / n == i % n) {
          continue;
        }
        painleve_contacts skew = c;
        skew.W[i / n][i % n] += 0.9e-9 * size * scale;
        EXPECT_NE(code(skew), PAINLEVE_NOT_SYMMETRIC) << k;
        skew.W[i / n][i % n] += 0.2e-9 * size * scale;
        EXPECT_EQ(code(skew), PAINLEVE_NOT_SYMMETRIC) << k;
      }
    }
  }
  for (const double size : {0.0, 1.01e-100, 0.99e-100}) {
    painleve_contacts c = plain(2);
    for (int i = 0; i < 4; ++i) {
      c.W[i][i] = size;
    }
    EXPECT_EQ(code(c), size > 0 && size < 1e-100 ? PAINLEVE_TOO_SMALL : PAINLEVE_OK) << size;
    painleve_contacts mixed = plain(1);
    mixed.W[1][1] = size;  // beside a number of usual size: forces would leave the range of numbers
    EXPECT_EQ(code(mixed), size > 0 && size < 1e-100 ? PAINLEVE_TOO_SMALL : PAINLEVE_OK) << size;
  }
}

// Between stick and slip along the edge of the friction cone no solution is lost: a contact at rest with p > 0 has one.
TEST(CLaws, NoSolutionIsLostBetweenStickAndSlip) {
  Draws draws(11);
  for (int k = 0; k < 4000; ++k) {
    painleve_contacts c = plain(1);
    const double W_tt = std::pow(10, draws.uniform(-3, 0.3));
    const double W_tn = (k % 2 == 0 ? 1 : -1) * (1 - std::pow(10, draws.uniform(-8, 0))) * std::sqrt(W_tt);
    c.mu[0] = draws.uniform(0.05, 0.9) / std::abs(W_tn);
    const double r_t = (k % 4 < 2 ? 1 : -1) * c.mu[0] * (1 + std::pow(10, draws.uniform(-16, -10)) * (k % 3 - 1));
    c.W[0][0] = W_tt;
    c.W[0][1] = c.W[1][0] = W_tn;
    c.W[1][1] = 1;
    c.b[0] = -(W_tt * r_t + W_tn);
    c.b[1] = -(W_tn * r_t + 1);
    c.u[0] = c.u[1] = 0;
    const painleve_solutions s = solutions(c, PAINLEVE_ACCELERATION);
    EXPECT_EQ(s.verdict, PAINLEVE_UNIQUE) << k;
    ASSERT_EQ(s.count, 1) << k;
    EXPECT_LT(s.solution[0].residual, 1e-10) << k;
    EXPECT_EQ(analysis(c).modes.verdict, PAINLEVE_UNIQUE) << k;
  }
}

// Nor between a contact that hardly lifts and the force that would be needed instead, which a small p makes large.
TEST(CLaws, NoSolutionIsLostBetweenLiftAndForce) {
  Draws draws(9);
  for (int k = 0; k < 2000; ++k) {
    painleve_contacts c = plain(1);
    const double p_plus = std::pow(10, draws.uniform(-6, 0));
    c.W[0][1] = c.W[1][0] = draws.uniform(0.5, 1.2);
    c.W[1][1] = 1;
    c.mu[0] = (1 - p_plus) / c.W[0][1];
    c.b[0] = 1;
    c.b[1] = (k % 2 == 0 ? 1 : -1) * std::pow(10, draws.uniform(-18, -9));
    c.u[0] = 1;
    c.u[1] = 0;
    EXPECT_GE(solutions(c, PAINLEVE_ACCELERATION).count, 1) << "b_n " << c.b[1] << ", p+ " << p_plus;
  }
}

}  // namespace c_laws_test
}  // namespace painleve
