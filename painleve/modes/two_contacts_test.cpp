// Two slipping contacts: the classes of Table 4 (Champneys & Várkonyi 2016), their modes and impacts without collision.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/linear_feasibility.hpp"
#include "painleve/modes/detail/drawn_contacts.hpp"
#include "painleve/modes/impact_without_collision.hpp"
#include "painleve/modes/mode_table.hpp"
#include "painleve/modes/stability.hpp"
#include "painleve/modes/two_contact_class.hpp"

namespace painleve {
namespace two_contacts_test {

const Eigen::Vector2d one = Eigen::Vector2d::Ones();

Eigen::MatrixXd drawn_P(Draws& draws, int n) {
  Eigen::MatrixXd P(n, n);
  for (double& x : P.reshaped()) {
    x = draws.normal();
  }
  return P;
}

std::set<std::string> necessary(const std::vector<ImpactWithoutCollision>& list) {
  std::set<std::string> names;
  for (const auto& i : list) {
    EXPECT_TRUE(i.necessary || !i.possible) << i.name;
    EXPECT_EQ(i.reason.empty(), i.possible) << i.name;
    if (i.necessary) {
      names.insert(i.name);
    }
  }
  return names;
}

TEST(TwoContactClass, OfFigure15) {
  Eigen::Matrix2d A;
  A << -0.055, 0.088, 0.055, -0.036;
  EXPECT_EQ(two_contact_class(A, {-1, -1}), "261");
  EXPECT_EQ(two_contact_class(A, {1, 1}), "264") << "the sign of b as printed";
  Eigen::Matrix2d B;
  B << 3.051, -1.677, 1.555, -0.375;
  EXPECT_EQ(two_contact_class(B, {-1, -0.727}), "142");
}

// All modes of the 24 classes times 6 sectors of −b. Of the classes 16 are the rows of Table 4, the others their duals.
const std::map<std::string, std::array<std::string, 6>> modes_of_class{
    {"11", {"SF", "FS SF SS", "FS", "FS", "FF", "SF"}},    {"12", {"SF", "SS", "FS", "FS", "FF", "SF"}},
    {"13", {"SF", "SS", "SS", "FS", "FF", "SF"}},          {"14", {"SF", "SS", "SS", "FF FS SS", "FF", "SF"}},
    {"15", {"SF SS", "", "", "FF FS", "FF SS", "SF SS"}},  {"16", {"SF SS", "", "", "FF FS", "FS SF", "SF SS"}},
    {"21", {"", "FS SS", "FS SS", "FS SF", "FF SF", ""}},  {"22", {"", "", "FS SS", "FS SF", "FF SF", ""}},
    {"23", {"", "", "SF SS", "FS SF", "FF SF", ""}},       {"24", {"", "", "SF SS", "FF FS SF SS", "FF SF", ""}},
    {"25", {"", "", "SF SS", "FF FS SF SS", "FS SS", ""}}, {"26", {"SS", "SS", "SF", "FF FS SF", "FS", "SS"}},
    {"31", {"SS", "FS", "FS", "FF", "FF SF SS", "SS"}},    {"32", {"", "FS SS", "FS SS", "FF SS", "FF SF", ""}},
    {"33", {"", "", "FS SS", "FF SS", "FF SF", ""}},       {"34", {"", "", "FF FS", "FF SS", "FF SF", ""}},
    {"35", {"", "", "FF FS", "FF FS SF SS", "FF SF", ""}}, {"36", {"", "", "FF FS", "FF FS SF SS", "FS SS", ""}},
    {"41", {"SS", "FS", "FS", "FF", "SF", "SS"}},          {"42", {"SS", "SS", "FS", "FF", "SF", "SS"}},
    {"43", {"", "", "FS SS", "FF SS", "SF SS", ""}},       {"44", {"", "", "FF FS", "FF SS", "SF SS", ""}},
    {"45", {"", "", "FF FS", "FS SF", "SF SS", ""}},       {"46", {"", "", "FF FS", "FS SF", "FS SS", ""}},
};

// Impacts without collision that the class allows; the dual of a class swaps the contacts.
const std::map<std::string, std::string> impacts_of_class{
    {"11", ""},   {"12", ""},   {"13", ""},      {"41", ""},      {"14", "II"},       {"31", "II"},
    {"15", "II"}, {"32", "II"}, {"16", "FI"},    {"21", "IF"},    {"22", "IF"},       {"45", "FI"},
    {"23", "IF"}, {"46", "FI"}, {"24", "IF II"}, {"36", "FI II"}, {"25", "FI IF II"}, {"26", "FI IF"},
    {"33", "II"}, {"44", "II"}, {"34", "II"},    {"35", "II"},    {"42", ""},         {"43", "II"},
};

TEST(TwoContactClass, DecidesModesAndImpactsAsTable4) {
  Draws draws(1);
  std::map<std::string, int> seen;
  for (int k = 0; k < 20000 && !HasFailure(); ++k) {
    const Eigen::Matrix2d P = drawn_P(draws, 2);
    const Eigen::Vector2d b(draws.normal(), draws.normal());
    const std::string name = two_contact_class(P, b);
    ASSERT_EQ(name.size(), 3U);
    ++seen[name];
    const ModeTable table = slip_mode_table(P, b, one, one);
    const auto sector = static_cast<std::size_t>(name[2] - '1');
    EXPECT_EQ(joined(names_of_consistent(table.modes)), modes_of_class.at(name.substr(0, 2)).at(sector)) << name << "\n"
                                                                                                         << P;
    EXPECT_EQ(joined(necessary(table.iwc)), impacts_of_class.at(name.substr(0, 2))) << name << "\n" << P;
    const std::size_t n = table.consistent_modes().size();
    EXPECT_EQ(table.verdict, n == 0 ? "inconsistent" : (n == 1 ? "unique" : "indeterminate")) << name;
    EXPECT_EQ(table.jam, P(0, 0) <= 0 || P(1, 1) <= 0) << name;
  }
  EXPECT_EQ(seen.size(), 144U);
}

TEST(TwoContactClass, SwappingTheContactsSwapsTheWords) {
  Draws draws(2);
  for (int k = 0; k < 2000; ++k) {
    const Eigen::Matrix2d P = drawn_P(draws, 2);
    const Eigen::Vector2d b(draws.normal(), draws.normal());
    const Eigen::Matrix2d swapped = P.reverse();
    std::set<std::string> turned;
    for (const auto& name : slip_mode_table(P, b, one, one).consistent_modes()) {
      turned.insert({name.rbegin(), name.rend()});
    }
    EXPECT_EQ(names_of_consistent(slip_mode_table(swapped, b.reverse(), one, one).modes), turned) << k;
  }
}

TEST(SlipModeTable, EqualsTheEnumerationOfSlippingContacts) {
  Draws draws(3);
  for (int k = 0; k < 2000; ++k) {
    const int n = draws.integer(1, 3);
    const Eigen::MatrixXd W = drawn_gram(draws, 2 * n, 2 * n, 0.02);
    Eigen::VectorXd b(2 * n);
    Eigen::VectorXd u = Eigen::VectorXd::Zero(2 * n);
    Eigen::VectorXd mu(n);
    Eigen::VectorXd b_n(n);
    Eigen::MatrixXd P(n, n);
    for (double& x : b) {
      x = draws.normal();
    }
    for (int j = 0; j < n; ++j) {
      u(2 * j) = draws.normal();
      mu(j) = draws.uniform(0, 3);
      b_n(j) = b(2 * j + 1);
      const double s = u(2 * j) > 0 ? 1 : -1;
      for (int i = 0; i < n; ++i) {
        P(i, j) = W(2 * i + 1, 2 * j + 1) - mu(j) * s * W(2 * i + 1, 2 * j);
      }
    }
    const ContactSpace space = closed_contacts(2, W, b, u, mu);
    std::map<std::string, Eigen::VectorXd> wanted;
    for (const auto& entry : enumerate_modes(space, {})) {
      std::string letters;
      for (const auto& c : entry.contacts) {
        letters += c.letter == Letter::F ? 'F' : 'S';
      }
      if (entry.consistent) {
        wanted[letters] = *entry.lambda;
      }
    }
    const ModeTable table = slip_mode_table(P, b_n, Eigen::VectorXd::Ones(n), Eigen::VectorXd::Ones(n));
    EXPECT_EQ(table.modes.size(), static_cast<std::size_t>(1) << static_cast<unsigned>(n));
    EXPECT_EQ(table.consistent_modes().size(), wanted.size()) << k;
    for (const auto& entry : table.modes) {
      ASSERT_EQ(wanted.count(entry.name) == 1, entry.consistent) << k << " " << entry.name;
      for (int j = 0; j < n && entry.consistent; ++j) {
        const double force = wanted[entry.name](2 * j + 1);
        EXPECT_NEAR((*entry.lambda)(j), force, 1e-7 * (1 + wanted[entry.name].norm()))
            << k;  // P may be nearly singular
      }
    }
    // The table of the space goes the same way, with the same springs.
    ModeOptions options;
    options.stiffness.assign(static_cast<std::size_t>(n), 1.0);
    options.damping.assign(static_cast<std::size_t>(n), 1.0);
    const ModeTable whole = mode_table(space, options);
    EXPECT_EQ(whole.verdict, table.verdict) << k;
    EXPECT_EQ(whole.resolution, table.resolution) << k;
    EXPECT_EQ(whole.continuations.size(), table.continuations.size()) << k;
  }
}

TEST(SlipModeTable, MeetsBoundariesWithTypedNumbers) {
  Eigen::Matrix2d P;
  P << 0.3, 0.1, 0.1, 0.7;
  // λ = (1, 0): the second contact carries nothing and does not lift.
  const ModeTable table = slip_mode_table(P, Eigen::Vector2d(-0.3, -0.1), one, one);
  EXPECT_EQ(joined(names_of_consistent(table.modes)), "SF");
  EXPECT_EQ(table.verdict, "unique");
  for (const auto& entry : table.modes) {
    EXPECT_EQ(entry.boundary, entry.name == "SF") << entry.name;
  }
  for (int i = 1; i <= 20; ++i) {  // the same in other decimals
    for (int j = 1; j <= 20; ++j) {
      P << i / 10.0, 0.1, j / 10.0, 5;
      const ModeTable other = slip_mode_table(P, Eigen::Vector2d(-i * 3 / 100.0, -j * 3 / 100.0), one, one);
      EXPECT_EQ(joined(names_of_consistent(other.modes)), "SF") << i << " " << j;
    }
  }
}

TEST(SlipModeTable, TellsStabilityForTheGivenSprings) {
  Eigen::Matrix2d B;
  B << 3.051, -1.677, 1.555, -0.375;
  const ModeTable table =
      slip_mode_table(B, Eigen::Vector2d(-1, -0.727), Eigen::Vector2d(1, 3), Eigen::Vector2d(1.2, 1.2));
  EXPECT_EQ(joined(names_of_consistent(table.modes)), "SS");
  const ModeEntry& SS = table.modes.back();
  EXPECT_EQ(SS.name, "SS");
  EXPECT_NEAR((*SS.lambda)(0), 0.5767786500502183, 1e-13);
  EXPECT_NEAR((*SS.lambda)(1), 0.45304213554157197, 1e-13);
  EXPECT_EQ(SS.stability.verdict, "unstable");
  EXPECT_NEAR(SS.growth->rate, 0.024679739962682835, 1e-13);
  EXPECT_TRUE(table.continuations.empty()) << "only a limit cycle is left";
  EXPECT_EQ(table.resolution, "none");
  Eigen::Matrix2d A;
  A << -0.055, 0.088, 0.055, -0.036;
  const ModeTable jam = slip_mode_table(A, -one, one, one);
  EXPECT_EQ(joined(names_of_consistent(jam.modes)), "SS");
  EXPECT_NEAR((*jam.modes.back().lambda)(0), 43.356643356643346, 1e-11);
  EXPECT_NEAR((*jam.modes.back().lambda)(1), 38.46153846153846, 1e-11);
  EXPECT_EQ(jam.continuations, (std::vector<std::string>{"FI", "IF"}));
}

TEST(ImpactWithoutCollisionWords, OneContactNeedsNegativeP) {
  for (const double p : {-2.0, -1e-9, 0.0, 1e-9, 3.0}) {
    const auto list = impacts_without_collision(Eigen::MatrixXd::Constant(1, 1, p), Eigen::VectorXd::Ones(1),
                                                Eigen::VectorXd::Ones(1));
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0].name, "I");
    EXPECT_EQ(list[0].necessary, p < 0) << p;
    EXPECT_EQ(list[0].possible, p < 0) << p;
  }
}

// Looks for real s > 0 with det(s² + P (s ν + k)) = 0 and a positive null vector, on a logarithmic grid.
bool both_by_scanning(const Eigen::Matrix2d& P, const Eigen::Vector2d& k, const Eigen::Vector2d& nu, bool& doubtful) {
  const auto matrix = [&](double s) -> Eigen::Matrix2d {
    return s * s * Eigen::Matrix2d::Identity() + P * (s * nu + k).asDiagonal().toDenseMatrix();
  };
  const auto det = [&](double s) { return matrix(s).determinant(); };
  bool found = false;
  constexpr int points = 4000;
  const auto grid = [](int i) { return std::pow(10, -4 + 8.0 * i / points); };
  for (int i = 0; i < points; ++i) {
    double from = grid(i);
    double to = grid(i + 1);
    if ((det(from) < 0) == (det(to) < 0)) {
      doubtful = doubtful || std::abs(det(from)) < 1e-5 * matrix(from).squaredNorm();  // two roots at once
      continue;
    }
    const bool rising = det(from) < 0;
    for (int j = 0; j < 80; ++j) {
      const double middle = (from + to) / 2;
      ((det(middle) < 0) == rising ? from : to) = middle;
    }
    const Eigen::Matrix2d singular = matrix(from);
    const Eigen::Vector2d v = singular.row(0).norm() > singular.row(1).norm()
                                  ? Eigen::Vector2d(-singular(0, 1), singular(0, 0))
                                  : Eigen::Vector2d(-singular(1, 1), singular(1, 0));
    doubtful = doubtful || std::abs(v(0) * v(1)) < 1e-6 * v.squaredNorm();
    found = found || v(0) * v(1) > 0;
  }
  return found;
}

TEST(ImpactWithoutCollisionWords, TwoContactsByScanning) {
  Draws draws(4);
  int possible = 0;
  int skipped = 0;
  for (int i = 0; i < 1500; ++i) {
    const Eigen::Matrix2d P = drawn_P(draws, 2);
    const Eigen::Vector2d k(std::exp(draws.normal()), std::exp(draws.normal()));
    const Eigen::Vector2d nu(std::exp(draws.normal()), std::exp(draws.normal()));
    for (const auto& word : impacts_without_collision(P, k, nu)) {
      bool doubtful = false;
      bool wanted = false;
      if (word.name == "II") {
        wanted = both_by_scanning(P, k, nu, doubtful);
      } else {
        const int hit = word.name == "IF" ? 0 : 1;
        wanted = P(hit, hit) < 0 && P(1 - hit, hit) > 0;
      }
      if (doubtful) {
        ++skipped;
        continue;
      }
      EXPECT_EQ(word.possible, wanted) << i << " " << word.name << "\n" << P;
      possible += word.name == "II" && wanted;
    }
  }
  EXPECT_GT(possible, 100);
  EXPECT_LT(skipped, 300);
}

TEST(LinearFeasibility, DeepestPointOfKnownRegions) {
  Eigen::MatrixXd triangle(3, 2);
  triangle << 1, 0, 0, 1, -1, -1;
  const Interior inside = deepest_point(triangle, Eigen::Vector3d(0, 0, 1), 10);
  const double radius = 1 / (2 + std::sqrt(2.0));  // of the inscribed circle
  EXPECT_NEAR(inside.depth, radius, 1e-14);
  EXPECT_LT((inside.y - Eigen::Vector2d(radius, radius)).norm(), 1e-14);
  EXPECT_NEAR(deepest_point(triangle, Eigen::Vector3d(0, 0, -1), 10).depth, -radius, 1e-14) << "infeasible by as much";
  EXPECT_EQ(deepest_point(Eigen::MatrixXd::Identity(2, 2), one, 7).depth, 7) << "capped by the box";
}

TEST(LinearFeasibility, RelativeInteriorOfFlatRegions) {
  // x + y = 1 by two inequalities, x, y ≥ 0: a segment.
  Eigen::MatrixXd A(4, 2);
  A << 1, 1, -1, -1, 1, 0, 0, 1;
  const Interior segment = relative_interior(A, Eigen::Vector4d(-1, 1, 0, 0), 10);
  EXPECT_LT((segment.y - Eigen::Vector2d(0.5, 0.5)).norm(), 1e-12);
  ASSERT_EQ(segment.directions.cols(), 1);
  EXPECT_LT(std::abs(segment.directions.col(0).normalized().dot(one)), 1e-12);
  // x ≥ 0, y ≥ 0, x + y ≤ 0: the origin.
  Eigen::MatrixXd B(3, 2);
  B << 1, 0, 0, 1, -1, -1;
  const Interior point = relative_interior(B, Eigen::Vector3d::Zero(), 10);
  EXPECT_LT(point.y.norm(), 1e-12);
  EXPECT_EQ(point.directions.cols(), 0);
  EXPECT_LT(relative_interior(B, Eigen::Vector3d(0, 0, -1), 10).depth, 0);
}

TEST(LinearFeasibility, NoDrawnPointLiesDeeper) {
  Draws draws(5);
  for (int i = 0; i < 300; ++i) {
    const int k = draws.integer(1, 6);
    const int m = draws.integer(1, 12);
    Eigen::MatrixXd A(m, k);
    Eigen::VectorXd c(m);
    for (double& x : A.reshaped()) {
      x = draws.normal();
    }
    for (double& x : c) {
      x = draws.normal();
    }
    const Eigen::VectorXd lengths = A.rowwise().norm();
    const auto depth = [&](const Eigen::VectorXd& y) {
      return std::min(5.0, ((A * y + c).array() / lengths.array()).minCoeff());
    };
    const Interior best = deepest_point(A, c, 5);
    EXPECT_NEAR(depth(best.y), best.depth, 1e-11) << i;
    EXPECT_LE(best.y.cwiseAbs().maxCoeff(), 5 + 1e-12) << i;
    for (int j = 0; j < 200; ++j) {
      Eigen::VectorXd y = best.y;
      const double reach = std::pow(10, draws.uniform(-4, 1));
      for (double& x : y) {
        x = std::clamp(x + reach * draws.normal(), -5.0, 5.0);
      }
      EXPECT_LE(depth(y), best.depth + 1e-11) << i;
    }
  }
}

}  // namespace two_contacts_test
}  // namespace painleve
