// Every instruction set of this machine against the rule for one contact, byte for byte: on drawn contacts, on
// contacts that lie on boundaries or next to them, and on the numbers where arithmetic ends.
#include "painleve/modes/planar_verdicts.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/modes/mode_table.hpp"

namespace painleve {
namespace planar_verdicts_test {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<InstructionSet> sets() {
  std::vector<InstructionSet> list;
  for (const auto set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512})
    if (available(set)) list.push_back(set);
  return list;
}

// A structure of arrays that owns its numbers.
struct Arrays {
  std::array<std::vector<double>, 7> columns;

  void add(const PlanarContact& c) {
    const std::array<double, 7> row = {c.W_tt, c.W_tn, c.W_nn, c.b_t, c.b_n, c.u_t, c.mu};
    for (std::size_t k = 0; k < row.size(); ++k) columns[k].push_back(row[k]);
  }
  std::size_t size() const { return columns[0].size(); }
  PlanarContacts view(std::size_t first = 0, double b_error = -1) const {
    std::array<const double*, 7> at;
    for (std::size_t k = 0; k < at.size(); ++k) at[k] = columns[k].data() + first;
    return {at[0], at[1], at[2], at[3], at[4], at[5], at[6], b_error};
  }
};

// The rule, from its parts; the norms are taken by Eigen, as for any contact space.
VerdictByte by_rule(const PlanarContact& c) {
  Eigen::MatrixXd W(2, 2);
  W << c.W_tt, c.W_tn, c.W_tn, c.W_nn;
  return planar_verdict(planar_modes(c), Eigen::Vector2d(c.b_t, c.b_n).norm(), W.norm());
}

void expect_rule(const Arrays& arrays) {
  std::vector<VerdictByte> bytes(arrays.size());
  for (const InstructionSet set : sets()) {
    SCOPED_TRACE(static_cast<int>(set));
    planar_verdicts(arrays.view(), bytes, set);
    long wrong = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const PlanarContact c = arrays.view()[i];
      if (bytes[i] == by_rule(c) || ++wrong > 3) continue;
      ADD_FAILURE() << int{bytes[i]} << " instead of " << int{by_rule(c)} << " at W " << c.W_tt << ' ' << c.W_tn << ' '
                    << c.W_nn << " b " << c.b_t << ' ' << c.b_n << " u " << c.u_t << " mu " << c.mu;
    }
    EXPECT_EQ(wrong, 0);
  }
}

double size_of(Draws& draws) { return std::pow(10, draws.uniform(-1, 1)); }

PlanarContact drawn(Draws& draws) {
  const double a = size_of(draws), c = size_of(draws);
  const double slip = draws.integer(0, 2) - 1.0;
  return {a, draws.uniform(-1, 1) * std::sqrt(a * c), c, draws.normal(), draws.normal(), slip, draws.uniform(0, 4)};
}

double neighbour(Draws& draws, double x) {
  const int steps = draws.integer(0, 12) - 6;
  for (int k = 0; k < std::abs(steps); ++k) x = std::nextafter(x, steps > 0 ? infinity : -infinity);
  return x;
}

// One of the numbers that decide is brought to zero, or to within a few roundings of it.
PlanarContact on_boundary(Draws& draws) {
  PlanarContact c = drawn(draws);
  const double sign = draws.integer(0, 1) * 2.0 - 1;
  switch (draws.integer(0, 6)) {
    case 0:
      c.b_n = neighbour(draws, 0) * draws.integer(0, 1);
      break;
    case 1:
      c.mu = neighbour(draws, std::abs(c.W_nn / c.W_tn));
      break;  // p
    case 2:
      c.mu = neighbour(draws, std::abs(c.W_tn / c.W_tt));
      break;  // k
    case 3:
      c.W_tn = neighbour(draws, sign * std::sqrt(c.W_tt * c.W_nn));
      break;  // D
    case 4:
      c.b_t = neighbour(draws, c.W_tt * c.b_n / c.W_tn);
      break;  // stick
    case 5:
      c.b_t = neighbour(draws, -c.b_n * (c.mu * c.W_tt - c.W_tn) / (c.W_nn - c.mu * c.W_tn));
      break;  // s+
    default:
      c.b_t = neighbour(draws, c.b_n * (c.mu * c.W_tt + c.W_tn) / (c.W_nn + c.mu * c.W_tn));
      break;  // s-
  }
  if (draws.integer(0, 3) == 0) c.b_n *= std::pow(10, draws.uniform(-18, 0));  // motions that are nearly one
  return c;
}

TEST(PlanarVerdicts, DrawnContacts) {
  Draws draws(1);
  Arrays arrays;
  for (int k = 0; k < 300'001; ++k) arrays.add(drawn(draws));
  expect_rule(arrays);
}

TEST(PlanarVerdicts, AtBoundaries) {
  Draws draws(2);
  Arrays arrays;
  for (int k = 0; k < 300'003; ++k) arrays.add(on_boundary(draws));
  expect_rule(arrays);
}

// Each of the seven numbers from a list of awkward ones: 11 to the power of 6, times rest and slip.
TEST(PlanarVerdicts, WhereArithmeticEnds) {
  const std::array<double, 11> awkward = {0,       -0.0,  1,      -1,       5e-324,      1e-150,
                                          -1e-150, 1e150, -1e150, infinity, std::nan("")};
  Arrays arrays;
  Draws draws(3);
  for (int k = 0; k < 400'000; ++k) {
    std::array<double, 7> x;
    for (double& number : x)
      number = draws.integer(0, 2) == 0 ? draws.normal() : awkward[static_cast<std::size_t>(draws.integer(0, 10))];
    arrays.add({x[0], x[1], x[2], x[3], x[4], x[5], x[6]});
  }
  expect_rule(arrays);
}

// One number after the other from 1e-330, which is 0, to 1e308 while the others are ordinary.
TEST(PlanarVerdicts, EveryScale) {
  Arrays arrays;
  Draws draws(4);
  for (int k = 0; k < 200'000; ++k) {
    const PlanarContact c = drawn(draws);
    std::array<double, 7> x = {c.W_tt, c.W_tn, c.W_nn, c.b_t, c.b_n, c.u_t, c.mu};
    x[static_cast<std::size_t>(draws.integer(0, 6))] *= std::pow(10, draws.uniform(-330, 308));
    if (k % 2 == 0) x[static_cast<std::size_t>(draws.integer(0, 6))] *= std::pow(10, draws.uniform(-330, 308));
    arrays.add({x[0], x[1], x[2], x[3], x[4], x[5], x[6]});
  }
  expect_rule(arrays);
}

// Ends that do not fill a vector, at every place.
TEST(PlanarVerdicts, EveryLengthAndPlace) {
  Draws draws(5);
  Arrays arrays;
  for (int k = 0; k < 64; ++k) arrays.add(drawn(draws));
  for (const InstructionSet set : sets()) {
    for (std::size_t first = 0; first < 9; ++first) {
      for (std::size_t count = 0; first + count <= 27; ++count) {
        std::vector<VerdictByte> bytes(count + 1, 0xaa);
        planar_verdicts(arrays.view(first), std::span(bytes).first(count), set);
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(bytes[i], by_rule(arrays.view(first)[i]));
        ASSERT_EQ(bytes[count], 0xaa) << "written past the end";
      }
    }
  }
}

// The signs decide nearly everything: they are not a detour to the rule. And they never decide against it.
TEST(PlanarVerdicts, SignsDecideNearlyAll) {
  Draws draws(6);
  Arrays arrays;
  for (int k = 0; k < 100'000; ++k) arrays.add(drawn(draws));
  std::vector<VerdictByte> bytes(arrays.size());
  for (const InstructionSet set : sets()) {
    decide_by_signs(arrays.view(), bytes, set);
    EXPECT_LT(std::count(bytes.begin(), bytes.end(), undecided), 10);
  }
}

// With an error of b, what is decided is true for every b within it; what is farther off is decided.
TEST(PlanarVerdicts, AnErrorOfB) {
  constexpr double error = 1e-3;
  Draws draws(7);
  Arrays arrays;
  for (int k = 0; k < 50'000; ++k) arrays.add(k % 2 == 0 ? drawn(draws) : on_boundary(draws));
  std::vector<VerdictByte> bytes(arrays.size());
  for (const InstructionSet set : sets()) {
    decide_by_signs(arrays.view(0, error), bytes, set);
    EXPECT_LT(std::count(bytes.begin(), bytes.end(), undecided), 30'000);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] == undecided) continue;
      PlanarContact c = arrays.view()[i];
      const double b_t = c.b_t, b_n = c.b_n;
      for (const double t : {-1.0, 0.0, 1.0, draws.uniform(-1, 1)}) {
        for (const double n : {-1.0, 0.0, 1.0, draws.uniform(-1, 1)}) {
          c.b_t = b_t + 0.999 * error * t;
          c.b_n = b_n + 0.999 * error * n;
          ASSERT_EQ(bytes[i], by_rule(c)) << b_t << ' ' << b_n << ' ' << t << ' ' << n;
        }
      }
    }
  }
}

TEST(PlanarVerdicts, BytesSayWhatTheyHold) {
  const VerdictByte byte = verdict_byte(mode_F | mode_S_minus, Motions::several);
  EXPECT_EQ(consistent_modes(byte), unsigned{mode_F | mode_S_minus});
  EXPECT_EQ(motions(byte), Motions::several);
  // The rod at 60 degrees: none beyond mu_jam under load, two when it is lifted, one below.
  const double W_tt = 3.25, W_tn = 3 * std::sqrt(3) / 4, W_nn = 1.75;
  EXPECT_EQ(planar_verdict({W_tt, W_tn, W_nn, 0, -9.81, 1, 2}), verdict_byte(0, Motions::none));
  EXPECT_EQ(planar_verdict({W_tt, W_tn, W_nn, 0, 9.81, 1, 2}), verdict_byte(mode_F | mode_S_plus, Motions::several));
  EXPECT_EQ(planar_verdict({W_tt, W_tn, W_nn, 0, -9.81, 1, 1}), verdict_byte(mode_S_plus, Motions::one));
  EXPECT_EQ(planar_verdict({W_tt, W_tn, W_nn, 0, -9.81, 0, 1}), verdict_byte(mode_T, Motions::one));
  EXPECT_EQ(planar_verdict({0, 0, 0, 0, -9.81, 0, 1}), undecided);
}

}  // namespace planar_verdicts_test
}  // namespace painleve
