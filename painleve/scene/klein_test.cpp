// The Painlevé-Klein problem: two masses on parallel guides, joined by a massless rod at the angle φ.
//
//   ===========o m2=====      R the force of the rod, positive when it pulls; s = |sin φ|, c = cos φ; σ the sign of
//   slip.
//             /               Both masses on their guides: |N1| = |N2| = |R| s, one acceleration a, and from
//   =====m1 o/==========        m1 a = P1 + R c − μ1 |R| s σ,    m2 a = P2 − R c − μ2 |R| s σ
//                             follows  R E + |R| D = Q,  E = (m1 + m2) c,  D = (m1 μ2 − m2 μ1) s σ,  Q = m1 P2 − m2 P1:
//                               R > 0: R = Q/(E + D),        R < 0: R = Q/(E − D).
//
// Bilateral guides take both signs of R: one solution if |D| < |E|, otherwise two or none by the sign of Q. This is E29
// of docs/errata.md. A one-sided guide takes R < 0 only; which paradoxes are left depends on which guide is one-sided
// (Ivanov's cases, Champneys & Várkonyi 2016, Sec. 2.3).
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/impact/impact.hpp"
#include "painleve/mechanism/gallery.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/modes/mode_table.hpp"

namespace painleve {
namespace klein_test {

struct Klein {
  double m1 = 1, m2 = 1, mu1 = 0, mu2 = 0, phi = 1.2, P1 = 0, P2 = 1, slip = 1, gravity = 0;
  bool bilateral1 = true, bilateral2 = true;

  double s() const { return std::abs(std::sin(phi)); }
  double c() const { return std::cos(phi); }
  double E() const { return (m1 + m2) * c(); }
  double D(double sigma) const { return (m1 * mu2 - m2 * mu1) * s() * sigma; }
  double Q() const { return m1 * P2 - m2 * P1; }
  double acceleration(double R, double sigma) const { return (P1 + R * c() - mu1 * std::abs(R) * s() * sigma) / m1; }
};

ContactSpace space_of(const Klein& k) {
  Setup setup;
  setup.parameters.set("mass1", k.m1);
  setup.parameters.set("mass2", k.m2);
  setup.parameters.set("gravity", k.gravity);
  setup.given.set("phi", k.phi);
  setup.slip[""] = {k.slip};
  setup.forces["force1"] = {Expression::constant(k.P1)};
  setup.forces["force2"] = {Expression::constant(k.P2)};
  setup.contacts["guide1"].bilateral = k.bilateral1;
  setup.contacts["guide2"].bilateral = k.bilateral2;
  const Posed posed = build(gallery_entry("painleve-klein"), setup);
  const std::vector<Surface> surfaces{{k.mu1, k.bilateral1}, {k.mu2, k.bilateral2}};
  return contact_space(*posed.mechanism, posed.state, surfaces);
}

Klein drawn(Draws& draws) {
  Klein k;
  k.m1 = std::exp(draws.uniform(-1.5, 1.5));
  k.m2 = std::exp(draws.uniform(-1.5, 1.5));
  k.mu1 = draws.uniform(0, 4);
  k.mu2 = draws.uniform(0, 4);
  k.phi = draws.uniform(0.1, std::numbers::pi - 0.1) * (draws.uniform() < 0.8 ? 1 : -1);
  k.P1 = draws.normal();
  k.P2 = draws.normal();
  k.slip = draws.uniform() < 0.5 ? -1 : 1;
  return k;
}

// Draws on a threshold decide nothing, as rounding would.
bool on_threshold(const Klein& k) {
  const double D = std::abs(k.D(1));
  const double E = std::abs(k.E());
  return std::abs(E - D) < 1e-6 || std::abs(k.Q()) < 1e-6;
}

std::vector<const ModeEntry*> consistent(const std::vector<ModeEntry>& modes) {
  std::vector<const ModeEntry*> list;
  for (const auto& entry : modes) {
    if (entry.consistent) {
      list.push_back(&entry);
    }
  }
  return list;
}

// Rod forces of the solutions with both masses on their guides, ascending.
std::vector<double> rod_forces(const Klein& k, double sigma) {
  std::vector<double> list;
  const double pushed = k.Q() / (k.E() - k.D(sigma));
  const double pulled = k.Q() / (k.E() + k.D(sigma));
  if (pushed < 0) {
    list.push_back(pushed);
  }
  if (pulled > 0) {
    list.push_back(pulled);
  }
  return list;
}

// With bilateral guides n = +y at both, and mass 1 balances λ_n + R sin φ = 0; one-sided guides push when R < 0.
double rod_force(const Klein& k, const ModeEntry& entry) {
  return -(*entry.lambda)(1) / (k.bilateral1 ? std::sin(k.phi) : k.s());
}

TEST(PainleveKlein, BilateralGuidesHaveNoneOneOrTwoSolutions) {
  Draws draws(1895);
  std::map<std::size_t, int> seen;
  for (int i = 0; i < 4000 && !HasFailure(); ++i) {
    const Klein k = drawn(draws);
    if (on_threshold(k)) {
      continue;
    }
    const ContactSpace space = space_of(k);
    const std::vector<double> wanted = rod_forces(k, k.slip);
    const std::vector<ModeEntry> modes = enumerate_modes(space, {});
    const auto found = consistent(modes);
    ASSERT_EQ(found.size(), wanted.size()) << i;
    std::vector<double> R;
    for (const auto* entry : found) {
      R.push_back(rod_force(k, *entry));
      const double a = k.acceleration(R.back(), k.slip);
      EXPECT_NEAR((*entry->a)(0), a, 1e-8 * (1 + std::abs(a))) << i;
      EXPECT_NEAR((*entry->a)(2), a, 1e-8 * (1 + std::abs(a))) << i;
      EXPECT_LT(entry->residual, 1e-9) << i;
    }
    std::sort(R.begin(), R.end());
    for (std::size_t j = 0; j < R.size(); ++j) {
      EXPECT_NEAR(R[j], wanted[j], 1e-8 * (1 + std::abs(wanted[j]))) << i;
    }
    // The criterion, with masses as they are.
    const bool paradox = std::abs(k.m1 * k.mu2 - k.m2 * k.mu1) > (k.m1 + k.m2) * std::abs(k.c()) / k.s();
    EXPECT_EQ(found.size() != 1, paradox) << i;
    ++seen[found.size()];
    const ModeTable table = mode_table(space, {});
    EXPECT_EQ(table.verdict, found.empty() ? "inconsistent" : (found.size() == 1 ? "unique" : "indeterminate")) << i;
    EXPECT_EQ(table.consistent_modes().size(), found.size()) << i;
  }
  EXPECT_GT(seen[0], 500);
  EXPECT_GT(seen[1], 500);
  EXPECT_GT(seen[2], 500);
}

// Where the laws have no solution or two, an impact without collision ends all motion, whatever the forces; nowhere
// else.
TEST(PainleveKlein, BilateralGuidesJamWhereTheParadoxIs) {
  Draws draws(1910);
  int jams = 0;
  for (int i = 0; i < 400 && !HasFailure(); ++i) {
    const Klein k = drawn(draws);
    if (on_threshold(k)) {
      continue;
    }
    const ImpactReport report = impact(space_of(k), {});
    EXPECT_EQ(report.happened, std::abs(k.D(1)) > std::abs(k.E())) << i << " " << report.reason;
    if (!report.happened) {
      EXPECT_EQ(report.reason, "bilateral contacts cannot strike, and friction jams none of those that slip") << i;
      continue;
    }
    ++jams;
    EXPECT_TRUE(report.without_collision) << i;
    EXPECT_LT(report.u_after.norm(), 1e-9) << i;
    EXPECT_NEAR(report.energy_change, -(k.m1 + k.m2) / 2, 1e-9 * (k.m1 + k.m2)) << i;
  }
  EXPECT_GT(jams, 100);
}

TEST(PainleveKlein, ReferenceValues) {
  struct Sample {
    double mu2, P2;
    std::vector<double> R;
  };
  const Sample samples[] = {{0.5, 1, {0.8398173870613005}},
                            {1.5, 1, {-1.4851269290517506, 0.4710816766343778}},
                            {1.5, -1, {}},
                            {0, 1, {1 / (2 * std::cos(1.2))}}};
  for (const auto& sample : samples) {
    Klein k;
    k.mu2 = sample.mu2;
    k.P2 = sample.P2;
    const std::vector<ModeEntry> modes = enumerate_modes(space_of(k), {});
    std::vector<double> R;
    for (const auto* entry : consistent(modes)) {
      R.push_back(rod_force(k, *entry));
    }
    std::sort(R.begin(), R.end());
    ASSERT_EQ(R.size(), sample.R.size()) << sample.mu2;
    for (std::size_t j = 0; j < R.size(); ++j) {
      EXPECT_NEAR(R[j], sample.R[j], 1e-14) << sample.mu2;
    }
  }
  // Equal masses: the threshold of |μ2 − μ1| is 2 cot φ = 0.7775591387364099.
  for (const double factor : {1 - 1e-9, 1 + 1e-9}) {
    Klein k;
    k.mu2 = 0.7775591387364099 * factor;
    EXPECT_EQ(consistent(enumerate_modes(space_of(k), {})).size(), factor < 1 ? 1U : 2U);
  }
}

// --- at rest, bilateral -------------------------------------------------------------------------------------------

// Whether some rod force holds both masses: |P1 + R c| ≤ μ1 |R| s and |P2 − R c| ≤ μ2 |R| s. For R = ρx, x > 0, these
// are four half-lines in x.
bool can_stick(const Klein& k) {
  for (const double rho : {1.0, -1.0}) {
    double low = 0;
    double high = std::numeric_limits<double>::infinity();
    const auto require = [&](double slope, double offset) {  // slope x ≥ offset
      if (slope > 0) {
        low = std::max(low, offset / slope);
      } else if (slope < 0) {
        high = std::min(high, offset / slope);
      } else if (offset > 0) {
        high = -1;
      }
    };
    for (const double side : {1.0, -1.0}) {
      require(k.mu1 * k.s() - side * rho * k.c(), side * k.P1);
      require(k.mu2 * k.s() + side * rho * k.c(), side * k.P2);
    }
    if (low < high) {
      return true;
    }
  }
  return false;
}

TEST(PainleveKlein, BilateralGuidesAtRest) {
  Draws draws(1909);
  std::map<std::string, int> seen;
  for (int i = 0; i < 3000 && !HasFailure(); ++i) {
    Klein k = drawn(draws);
    k.slip = 0;
    if (on_threshold(k)) {
      continue;
    }
    std::map<std::string, int> wanted;
    for (const double sigma : {1.0, -1.0}) {
      for (const double R : rod_forces(k, sigma)) {
        if (sigma * k.acceleration(R, sigma) > 0) {
          ++wanted[sigma > 0 ? "S+S+" : "S-S-"];
        }
      }
    }
    if (can_stick(k)) {
      wanted["TT"] = 1;
    }
    std::map<std::string, int> found;
    for (const auto& entry : enumerate_modes(space_of(k), {})) {
      if (entry.consistent) {
        ++found[entry.name];
        EXPECT_EQ(entry.force_family_dimension, entry.name == "TT" ? 1 : 0) << i << " " << entry.name;
      }
    }
    EXPECT_EQ(found, wanted) << i;
    for (const auto& [name, count] : found) {
      seen[name] += count;
    }
  }
  EXPECT_GT(seen["TT"], 500);
  EXPECT_GT(seen["S+S+"], 300);
  EXPECT_GT(seen["S-S-"], 300);
}

// --- one-sided guides ---------------------------------------------------------------------------------------------

// Solutions by the words of the guides, from the closed forms without gravity. With one mass in the air the rod pulls
// it off its guide, R > 0, while a bilateral guide holds the other:
//   guide 1 holds: R = Q c/G1, G1 = m1 + m2 c² − m2 μ1 s c σ,     guide 2 holds: R = Q c/G2, G2 = m2 + m1 c² + m1 μ2 s
//   c σ.
std::map<std::string, int> closed_forms(const Klein& k) {
  const double s = k.s();
  const double c = k.c();
  const double G1 = k.m1 + k.m2 * c * c - k.m2 * k.mu1 * s * c * k.slip;
  const double G2 = k.m2 + k.m1 * c * c + k.m1 * k.mu2 * s * c * k.slip;
  std::map<std::string, int> words;
  if (k.Q() / (k.E() - k.D(k.slip)) < 0) {
    ++words["SS"];
  }
  if (!k.bilateral1 && !k.bilateral2 && k.Q() * c > 0) {
    ++words["FF"];
  }
  if (k.bilateral1 && k.Q() * c / G1 > 0) {
    ++words["SF"];
  }
  if (k.bilateral2 && k.Q() * c / G2 > 0) {
    ++words["FS"];
  }
  return words;
}

std::string without_signs(const ModeEntry& entry) {
  std::string letters;
  for (const auto& contact : entry.contacts) {
    letters += contact.letter == Letter::F ? 'F' : (contact.letter == Letter::S ? 'S' : 'T');
  }
  return letters;
}

std::map<std::string, int> found_words(const Klein& k) {
  std::map<std::string, int> words;
  for (const auto& entry : enumerate_modes(space_of(k), {})) {
    words[without_signs(entry)] += entry.consistent;
  }
  std::erase_if(words, [](const auto& word) { return word.second == 0; });
  return words;
}

// Both guides one-sided: the rod can only push the masses onto them. Of the two bilateral paradoxes, D E > E² and
// D E < −E², the first is left: two solutions (free and slipping) or none. The second has one solution.
TEST(PainleveKlein, OneSidedGuidesKeepOneOfTheTwoParadoxes) {
  Draws draws(2003);
  std::map<std::string, int> seen;
  int resolved = 0;
  for (int i = 0; i < 4000 && !HasFailure(); ++i) {
    Klein k = drawn(draws);
    k.bilateral1 = k.bilateral2 = false;
    if (on_threshold(k)) {
      continue;
    }
    const auto words = found_words(k);
    EXPECT_EQ(words, closed_forms(k)) << i;
    const double ratio = k.D(k.slip) / k.E();
    const bool paradox = ratio > 1;
    EXPECT_EQ(words.size() != 1, paradox) << i;
    EXPECT_EQ(words.size(), paradox ? (k.Q() * k.c() > 0 ? 2U : 0U) : 1U) << i;
    resolved += ratio < -1;
    std::string text;
    for (const auto& [word, count] : words) {
      text += word;
    }
    ++seen[text];
    EXPECT_EQ(mode_table(space_of(k), {}).consistent_modes().size(), words.size()) << i;
  }
  EXPECT_EQ(seen.size(), 4U) << "FF, SS, both, none";
  EXPECT_GT(seen["FFSS"], 300);
  EXPECT_GT(seen[""], 300);
  EXPECT_GT(resolved, 500);
}

// One guide bilateral, the other one-sided: slip on both guides jams as before, and slip on the bilateral guide alone
// has a paradox of its own, G < 0.
TEST(PainleveKlein, OneGuideBilateral) {
  Draws draws(2004);
  std::map<std::size_t, int> seen;
  int own = 0;
  for (int i = 0; i < 4000 && !HasFailure(); ++i) {
    Klein k = drawn(draws);
    k.bilateral1 = draws.uniform() < 0.5;
    k.bilateral2 = !k.bilateral1;
    if (on_threshold(k)) {
      continue;
    }
    const auto words = found_words(k);
    EXPECT_EQ(words, closed_forms(k)) << i;
    ++seen[words.size()];
    own += words.size() != 1 && k.D(k.slip) / k.E() < 1;
  }
  EXPECT_GT(seen[0], 300);
  EXPECT_GT(seen[1], 300);
  EXPECT_GT(seen[2], 300);
  EXPECT_GT(own, 100) << "paradoxes of the bilateral guide alone";
}

// The laws of motion as they stand, for (a1x, a1y, a2x, a2y, R, N1, N2), word by word; N2 pushes down. 0 < φ < π.
std::map<std::string, Eigen::Vector2d> by_newton(const Klein& k) {
  const double s = std::sin(k.phi);
  const double c = k.c();
  std::map<std::string, Eigen::Vector2d> words;
  for (const std::string word : {"FF", "FS", "SF", "SS"}) {
    Eigen::Matrix<double, 7, 7> A = Eigen::Matrix<double, 7, 7>::Zero();
    Eigen::Matrix<double, 7, 1> rhs = Eigen::Matrix<double, 7, 1>::Zero();
    A.row(0) << k.m1, 0, 0, 0, -c, k.mu1 * k.slip, 0;
    A.row(1) << 0, k.m1, 0, 0, -s, -1, 0;
    A.row(2) << 0, 0, k.m2, 0, c, 0, k.mu2 * k.slip;
    A.row(3) << 0, 0, 0, k.m2, s, 0, 1;
    A.row(4) << -c, -s, c, s, 0, 0, 0;  // the rod does not turn, and keeps its length
    rhs.head<4>() << k.P1, -k.m1 * k.gravity, k.P2, -k.m2 * k.gravity;
    A(5, word[0] == 'S' ? 1 : 5) = 1;
    A(6, word[1] == 'S' ? 3 : 6) = 1;
    const Eigen::Matrix<double, 7, 1> x = A.fullPivLu().solve(rhs);
    const bool first = word[0] == 'S' ? x(5) > 0 : x(1) > 0;
    const bool second = word[1] == 'S' ? x(6) > 0 : x(3) < 0;
    if (first && second) {
      words[word] = {x(5), x(6)};
    }
  }
  return words;
}

TEST(PainleveKlein, OneSidedGuidesWithGravity) {
  Draws draws(2005);
  std::map<std::string, int> seen;
  for (int i = 0; i < 3000 && !HasFailure(); ++i) {
    Klein k = drawn(draws);
    k.phi = std::abs(k.phi);
    k.bilateral1 = k.bilateral2 = false;
    k.gravity = draws.uniform(-2, 2);
    const auto wanted = by_newton(k);
    std::size_t count = 0;
    for (const auto& entry : enumerate_modes(space_of(k), {})) {
      const auto it = wanted.find(without_signs(entry));
      EXPECT_EQ(entry.consistent, it != wanted.end()) << i << " " << entry.name;
      if (!entry.consistent || it == wanted.end()) {
        continue;
      }
      ++count;
      ++seen[it->first];
      const Eigen::Vector2d N((*entry.lambda)(1), (*entry.lambda)(3));
      EXPECT_LT((N - it->second).norm(), 1e-8 * (1 + N.norm())) << i << " " << entry.name;
    }
    EXPECT_EQ(count, wanted.size()) << i;
  }
  for (const char* word : {"FF", "FS", "SF", "SS"}) {
    EXPECT_GT(seen[word], 100) << word;
  }
}

}  // namespace klein_test
}  // namespace painleve
