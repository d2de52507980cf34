#include "painleve/complementarity/planar_modes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/modes/detail/drawn_contacts.hpp"
#include "painleve/modes/mode_table.hpp"

namespace painleve {

void PrintTo(const PlanarContact& c, std::ostream* out) {
  *out << "W_tt " << c.W_tt << " W_tn " << c.W_tn << " W_nn " << c.W_nn << " b_t " << c.b_t << " b_n " << c.b_n
       << " u_t " << c.u_t << " mu " << c.mu;
}

namespace planar_modes_test {

using Real = long double;
using Names = std::set<std::string>;

struct Force {
  Real lambda_t, lambda_n, a_t, a_n;
};

// The law of contact written out again, in long double and without any of the formulas of the library.
struct Oracle {
  std::map<std::string, Force> modes;
  bool doubtful = false;  // an inequality holds or fails by less than 1e-9
};

class Consult {
 public:
  explicit Consult(const PlanarContact& contact) : c(contact) {
    try_mode("F", {0, 0}, [&](const Force& f) { return above(f.a_n); });
    const bool rest = c.u_t == 0;
    for (const int e : {1, -1}) {
      if (!rest && (c.u_t > 0) != (e > 0)) {
        continue;
      }
      // Normal force from a_n = 0 under λ_t = −μ e λ_n.
      const Real per_force = Real(c.W_nn) + Real(c.W_tn) * (-Real(c.mu) * e);
      above(per_force);
      const Real lambda_n = -Real(c.b_n) / per_force;
      try_mode(e > 0 ? "S+" : "S-", {-Real(c.mu) * e * lambda_n, lambda_n}, [&](const Force& f) {
        const bool pushes = above(f.lambda_n);  // both are asked: what is near zero makes the answer doubtful
        const bool along = !rest || above(e * f.a_t);
        return pushes && along;
      });
    }
    if (rest) {
      const Real det = Real(c.W_tt) * c.W_nn - Real(c.W_tn) * c.W_tn;
      const Real lambda_t = (-Real(c.b_t) * c.W_nn + Real(c.b_n) * c.W_tn) / det;
      const Real lambda_n = (-Real(c.b_n) * c.W_tt + Real(c.b_t) * c.W_tn) / det;
      try_mode("T", {lambda_t, lambda_n}, [&](const Force& f) {
        const bool pushes = above(f.lambda_n);
        const bool inside = above(Real(c.mu) * f.lambda_n - std::abs(f.lambda_t));
        return pushes && inside;
      });
    }
  }

  Oracle answer;

 private:
  bool above(Real x) {
    answer.doubtful = answer.doubtful || std::abs(x) < 1e-9L;
    return x > 0;
  }
  template <class Law>
  void try_mode(const char* name, std::pair<Real, Real> lambda, const Law& law) {
    const auto [t, n] = lambda;
    const Force f{t, n, c.W_tt * t + c.W_tn * n + c.b_t, c.W_tn * t + c.W_nn * n + c.b_n};
    if (law(f)) {
      answer.modes[name] = f;
    }
  }
  const PlanarContact c;
};

Names names_of(unsigned bits) {
  Names names;
  for (const auto& [bit, name] :
       std::map<unsigned, const char*>{{mode_F, "F"}, {mode_T, "T"}, {mode_S_plus, "S+"}, {mode_S_minus, "S-"}}) {
    if (bits & bit) {
      names.insert(name);
    }
  }
  return names;
}

Names names_of(const Oracle& oracle) {
  Names names;
  for (const auto& [name, force] : oracle.modes) {
    names.insert(name);
  }
  return names;
}

const PlanarForce& force_of(const PlanarModes& m, const std::string& name) {
  if (name == "F") {
    return m.free;
  }
  if (name == "T") {
    return m.stick;
  }
  return name == "S+" ? m.slip_plus : m.slip_minus;
}

// Divisors are at least 1e-9 of order-one numbers, so double precision keeps seven digits at worst.
void expect_close(const Force& wanted, double lambda_t, double lambda_n, double a_t, double a_n,
                  const PlanarContact& c) {
  const Real scale =
      1 + std::abs(wanted.lambda_t) + std::abs(wanted.lambda_n) + std::abs(wanted.a_t) + std::abs(wanted.a_n);
  const auto tolerance = static_cast<double>(1e-7L * scale);
  EXPECT_NEAR(lambda_t, static_cast<double>(wanted.lambda_t), tolerance) << testing::PrintToString(c);
  EXPECT_NEAR(lambda_n, static_cast<double>(wanted.lambda_n), tolerance) << testing::PrintToString(c);
  EXPECT_NEAR(a_t, static_cast<double>(wanted.a_t), tolerance) << testing::PrintToString(c);
  EXPECT_NEAR(a_n, static_cast<double>(wanted.a_n), tolerance) << testing::PrintToString(c);
}

void expect_same(const Oracle& oracle, const std::vector<ModeEntry>& entries, const PlanarContact& c) {
  EXPECT_EQ(names_of_consistent(entries), names_of(oracle)) << testing::PrintToString(c);
  for (const auto& entry : entries) {
    EXPECT_EQ(entry.consistent, entry.reason.empty()) << entry.name << ": " << testing::PrintToString(c);
    if (!entry.consistent || oracle.modes.count(entry.name) == 0) {
      continue;
    }
    expect_close(oracle.modes.at(entry.name), (*entry.lambda)(0), (*entry.lambda)(1), (*entry.a)(0), (*entry.a)(1), c);
    EXPECT_LT(entry.residual, 1e-12) << entry.name << ": " << testing::PrintToString(c);
  }
}

TEST(PlanarModes, ThreeRoutesAgreeWithTheLawWrittenOut) {
  Draws draws(1895);
  int doubtful = 0;
  for (int k = 0; k < 60000 && !HasFailure(); ++k) {
    const PlanarContact c = drawn_planar(draws, k % 3 - 1);
    const Oracle oracle = Consult(c).answer;
    if (oracle.doubtful) {
      ++doubtful;
      continue;
    }
    const PlanarModes m = planar_modes(c);
    EXPECT_EQ(names_of(m.consistent), names_of(oracle)) << testing::PrintToString(c);
    EXPECT_EQ(m.count(), static_cast<int>(oracle.modes.size()));
    EXPECT_FALSE(m.degenerate || m.boundary);
    for (const auto& [name, wanted] : oracle.modes) {
      const PlanarForce& f = force_of(m, name);
      expect_close(wanted, f.lambda_t, f.lambda_n, f.a_t, f.a_n, c);
    }
    const ContactSpace space = one_contact(c);
    expect_same(oracle, enumerate_modes(space, {}), c);
    const ModeTable table = mode_table(space, {});
    expect_same(oracle, table.modes, c);
    const std::size_t n = oracle.modes.size();
    EXPECT_EQ(table.verdict, n == 0 ? "inconsistent" : (n == 1 ? "unique" : "indeterminate"))
        << testing::PrintToString(c);
    const double p = c.W_nn - c.mu * c.W_tn * (c.u_t > 0 ? 1 : -1);
    EXPECT_EQ(table.jam, c.u_t != 0 && p <= 0) << testing::PrintToString(c);
  }
  EXPECT_LT(doubtful, 10);  // skipping is rare
}

// The cells of Tables 2 and 3 of Champneys & Várkonyi (2016).
struct Cell {
  Names modes, continuations;
};

Cell expected(int row, int column, const PlanarContact& c, const PlanarModes& m) {
  const double a_plus = -c.b_n * m.k_plus / m.p_plus;
  const double a_minus = c.b_n * m.k_minus / m.p_minus;
  const double a = c.b_t;
  if (row == 1) {
    const Cell cells[] = {{{"F"}, {"F"}},   {{"F"}, {"F"}},   {{"F", "S+"}, {"F", "I"}},
                          {{"S+"}, {"S+"}}, {{"S+"}, {"S+"}}, {{}, {"I"}}};
    return cells[column - 1];
  }
  if (row == 3) {
    const Cell cells[] = {{{"F"}, {"F"}}, {{"F", "S-"}, {"F", "I"}}, {{"F"}, {"F"}}, {{"S-"}, {"S-"}},
                          {{}, {"I"}},    {{"S-"}, {"S-"}}};
    return cells[column - 1];
  }
  switch (column) {
    case 2:
      return a < a_minus ? Cell{{"F", "T", "S-"}, {"F", "T"}} : Cell{{"F"}, {"F"}};
    case 3:
      return a > a_plus ? Cell{{"F", "T", "S+"}, {"F", "T"}} : Cell{{"F"}, {"F"}};
    case 4: {
      const std::string only = a > a_plus ? "S+" : (a < a_minus ? "S-" : "T");
      return {{only}, {only}};
    }
    case 5:
      return a > a_plus ? Cell{{"S+"}, {"S+"}} : Cell{{"T"}, {"T"}};
    case 6:
      return a < a_minus ? Cell{{"S-"}, {"S-"}} : Cell{{"T"}, {"T"}};
    default:
      return {{"F"}, {"F"}};
  }
}

int column_of(const PlanarContact& c, const PlanarModes& m) {
  return (c.b_n > 0 ? 1 : 4) + (m.p_minus < 0 ? 1 : (m.p_plus < 0 ? 2 : 0));
}

TEST(PlanarModes, AllCellsOfTables2And3) {
  // What the tables print: the alternatives of each cell.
  const std::map<std::string, std::set<std::string>> printed{{"I1", {"F -> F"}},
                                                             {"I2", {"F -> F"}},
                                                             {"I3", {"F S+ -> F I"}},
                                                             {"I4", {"S+ -> S+"}},
                                                             {"I5", {"S+ -> S+"}},
                                                             {"I6", {" -> I"}},
                                                             {"II1", {"F -> F"}},
                                                             {"II2", {"F -> F", "F S- T -> F T"}},
                                                             {"II3", {"F -> F", "F S+ T -> F T"}},
                                                             {"II4", {"T -> T", "S+ -> S+", "S- -> S-"}},
                                                             {"II5", {"S+ -> S+", "T -> T"}},
                                                             {"II6", {"S- -> S-", "T -> T"}},
                                                             {"III1", {"F -> F"}},
                                                             {"III2", {"F S- -> F I"}},
                                                             {"III3", {"F -> F"}},
                                                             {"III4", {"S- -> S-"}},
                                                             {"III5", {" -> I"}},
                                                             {"III6", {"S- -> S-"}}};
  std::map<std::string, std::set<std::string>> seen;
  Draws draws(23);
  for (int k = 0; k < 20000 && !HasFailure(); ++k) {
    const PlanarContact c = drawn_planar(draws, 1 - k % 3);
    if (Consult(c).answer.doubtful) {
      continue;
    }
    const PlanarModes m = planar_modes(c);
    const int row = 1 + k % 3;
    const int column = column_of(c, m);
    const Cell cell = expected(row, column, c, m);
    const ModeTable table = mode_table(one_contact(c), {});
    const Names continuations(table.continuations.begin(), table.continuations.end());
    EXPECT_EQ(names_of_consistent(table.modes), cell.modes) << testing::PrintToString(c);
    EXPECT_EQ(continuations, cell.continuations) << testing::PrintToString(c);
    EXPECT_EQ(table.continuations.size(), continuations.size());
    const char* counts[] = {"none", "one", "several"};
    EXPECT_EQ(table.resolution, counts[std::min<std::size_t>(continuations.size(), 2)]);
    seen[std::string(static_cast<std::size_t>(row), 'I') + std::to_string(column)].insert(joined(cell.modes) + " -> " +
                                                                                          joined(cell.continuations));
  }
  EXPECT_EQ(seen, printed);
}

TEST(PlanarModes, IdentitiesOfTheFourParameters) {
  Draws draws(11);
  int slips_under_stick = 0;
  for (int k = 0; k < 60000; ++k) {
    const PlanarContact c = drawn_planar(draws, 0);
    const PlanarModes m = planar_modes(c);
    const double D = c.W_tt * c.W_nn - c.W_tn * c.W_tn;
    const double terms = std::abs(m.k_minus * m.p_plus) + std::abs(m.k_plus * m.p_minus);
    EXPECT_NEAR(m.k_minus * m.p_plus + m.k_plus * m.p_minus, 2 * c.mu * D, 1e-14 * (terms + c.W_tt * c.W_nn))
        << testing::PrintToString(c);
    const int not_positive = (m.p_plus <= 0) + (m.p_minus <= 0) + (m.k_plus <= 0) + (m.k_minus <= 0);
    EXPECT_LE(not_positive, 1) << testing::PrintToString(c);
    const unsigned slip = m.consistent & (mode_S_plus | mode_S_minus);
    if ((m.consistent & mode_T) && slip) {
      ++slips_under_stick;
      const PlanarForce& f = slip & mode_S_plus ? m.slip_plus : m.slip_minus;
      EXPECT_LT(f.lambda_n, m.stick.lambda_n) << testing::PrintToString(c);
    }
  }
  EXPECT_GT(slips_under_stick, 500);
}

// Fig. 9: A = 1.1, B = 0.3, C = 0.1 at three frictions.
TEST(PlanarModes, Figure9) {
  const auto at = [](double mu, double a, double b, double u) { return PlanarContact{1.1, 0.3, 0.1, a, b, u, mu}; };
  const double numbers[3][5] = {
      {0.2, 0.04, 0.16, -0.08, 0.52}, {0.3, 0.01, 0.19, 0.03, 0.63}, {0.5, -0.05, 0.25, 0.25, 0.85}};
  for (const auto& row : numbers) {
    const PlanarModes m = planar_modes(at(row[0], 0, -1, 0));
    EXPECT_NEAR(m.p_plus, row[1], 1e-16);
    EXPECT_NEAR(m.p_minus, row[2], 1e-16);
    EXPECT_NEAR(m.k_plus, row[3], 2e-16);
    EXPECT_NEAR(m.k_minus, row[4], 2e-16);
    EXPECT_NEAR(m.determinant, 0.02, 1e-16);
  }
  struct Sample {
    double mu, a, b;
    Names slipping, resting;
  };
  const std::vector<Sample> samples{{0.2, 2, 1, {"F"}, {"F"}},
                                    {0.2, 2, -1, {"S+"}, {"S+"}},
                                    {0.2, -6, -1, {"S+"}, {"S-"}},
                                    {0.2, -20, -1, {"S+"}, {"S-"}},
                                    {0.2, -6, 1, {"F"}, {"F"}},
                                    {0.2, 20, -1, {"S+"}, {"S+"}},
                                    {0.2, -2.5, -1, {"S+"}, {"T"}},
                                    {0.3, 2, -1, {"S+"}, {"T"}},
                                    {0.3, -6, -1, {"S+"}, {"S-"}},
                                    {0.3, 8, 1, {"F"}, {"F"}},
                                    {0.3, 20, -1, {"S+"}, {"S+"}},
                                    {0.5, 2, 1, {"F", "S+"}, {"F"}},
                                    {0.5, 2, -1, {}, {"T"}},
                                    {0.5, -6, -1, {}, {"S-"}},
                                    {0.5, 20, -1, {}, {"T"}},
                                    {0.5, -6, 1, {"F", "S+"}, {"F"}},
                                    {0.5, 6, 1, {"F", "S+"}, {"F", "S+", "T"}},
                                    {0.5, 8, 1, {"F", "S+"}, {"F", "S+", "T"}}};
  for (const auto& s : samples) {
    EXPECT_EQ(names_of(planar_modes(at(s.mu, s.a, s.b, 1)).consistent), s.slipping) << s.mu << " " << s.a << " " << s.b;
    EXPECT_EQ(names_of(planar_modes(at(s.mu, s.a, s.b, 0)).consistent), s.resting) << s.mu << " " << s.a << " " << s.b;
  }
}

TEST(PlanarModes, MirroredContactsSwapTheSlips) {
  Draws draws(12);
  for (int k = 0; k < 5000; ++k) {
    const PlanarContact c = drawn_planar(draws, k % 3 - 1);
    const PlanarContact mirrored{c.W_tt, -c.W_tn, c.W_nn, -c.b_t, c.b_n, -c.u_t, c.mu};
    Names wanted;
    for (const auto& name : names_of(planar_modes(c).consistent)) {
      wanted.insert(name == "S+" ? "S-" : (name == "S-" ? "S+" : name));
    }
    EXPECT_EQ(names_of(planar_modes(mirrored).consistent), wanted) << testing::PrintToString(c);
  }
}

TEST(PlanarModes, ScaleWithForcesMassesAndSpeeds) {
  Draws draws(13);
  for (int k = 0; k < 3000; ++k) {
    const PlanarContact c = drawn_planar(draws, k % 3 - 1);
    const double b = std::exp2(draws.integer(-40, 40));  // powers of two: exact
    const double w = std::exp2(draws.integer(-40, 40));
    const double u = c.u_t == 0 ? 1 : std::exp2(draws.integer(-10, 10));
    const PlanarContact scaled{w * c.W_tt, w * c.W_tn, w * c.W_nn, b * c.b_t, b * c.b_n, u * c.u_t, c.mu};
    const PlanarModes m = planar_modes(c);
    const PlanarModes n = planar_modes(scaled);
    ASSERT_EQ(m.consistent, n.consistent) << testing::PrintToString(c);
    for (const auto& name : names_of(m.consistent)) {
      EXPECT_EQ(force_of(n, name).lambda_n, force_of(m, name).lambda_n * b / w) << testing::PrintToString(c);
      EXPECT_EQ(force_of(n, name).a_t, force_of(m, name).a_t * b) << testing::PrintToString(c);
    }
    EXPECT_EQ(names_of_consistent(enumerate_modes(one_contact(scaled), {})), names_of(m.consistent))
        << testing::PrintToString(c);
  }
}

// Quotients of determinants lose the balance of forces there; the mode that is listed has it to rounding.
TEST(PlanarModes, StickIsBalancedWhereTheResponseIsNearlySingular) {
  constexpr double c = 0.99999999999999967;
  const PlanarContact contact{1, -c, 1.0000000000006783, 2, -2.0000000000008704, 0, 1.9999999999989564};
  const PlanarModes m = planar_modes(contact);
  ASSERT_TRUE(m.consistent & mode_T);
  ASSERT_FALSE(m.degenerate);
  EXPECT_GT(std::abs(m.stick.lambda_t - c * m.stick.lambda_n + 2), 1e-5);
  const ModeTable table = mode_table(one_contact(contact), {});
  int found = 0;
  for (const ModeEntry& mode : table.modes) {
    if (mode.name != "T") continue;
    ++found;
    EXPECT_TRUE(mode.consistent);
    EXPECT_LT(mode.residual, 1e-14);
  }
  EXPECT_EQ(found, 1);
}

// At the edge of the friction cone as well, from which the small determinant would carry the force away.
TEST(PlanarModes, StickStaysInItsConeWhereTheResponseIsNearlySingular) {
  const PlanarContact contact{6, 5.99999999981117595, 6.0000000000000018, -2, -2, 0, 1};
  const PlanarModes m = planar_modes(contact);
  ASSERT_EQ(m.consistent, mode_T);
  EXPECT_GT(m.stick.lambda_t - m.stick.lambda_n, 1e-7);
  const ModeTable table = mode_table(one_contact(contact), {});
  for (const ModeEntry& mode : table.modes) {
    EXPECT_EQ(mode.consistent, mode.name == "T") << mode.name;
    EXPECT_LT(mode.consistent ? mode.residual : 0, 1e-14) << mode.name;
  }
}

}  // namespace planar_modes_test
}  // namespace painleve
