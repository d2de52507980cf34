// Selectors and notions of the literature on mode tables of drawn contacts and of the examples that the review gives.
#include "painleve/modes/selectors.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "painleve/base/draws.hpp"
#include "painleve/modes/detail/drawn_contacts.hpp"

namespace painleve {
namespace selectors_test {

using Names = std::vector<std::string>;
constexpr double degree = std::numbers::pi / 180;

struct Judged {
  ContactSpace space;
  ModeTable table;
  SelectorOptions options;

  template <class F>
  Selection operator()(const F& selector) const {
    return selector(space, table, options);
  }
};
Judged judged(const ContactSpace& space, const SelectorOptions& options = {}) {
  return {space, mode_table(space, {}), options};
}

bool says(const Selection& selection, const std::string& words) {
  return selection.reason.find(words) != std::string::npos;
}

// A planar body of mass 1 at rest with contacts at `points` from its centre, inward normals `normals`, and the load f.
ContactSpace planar_body(const std::vector<Eigen::Vector2d>& points, const std::vector<Eigen::Vector2d>& normals,
                         const Eigen::Vector2d& f, double inertia, const Eigen::VectorXd& mu) {
  const auto n = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXd J(2 * n, 3);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Vector2d& r = points[static_cast<std::size_t>(i)];
    const Eigen::Vector2d& normal = normals[static_cast<std::size_t>(i)];
    const Eigen::Vector2d tangent(normal.y(), -normal.x());
    J.row(2 * i) << tangent.transpose(), r.x() * tangent.y() - r.y() * tangent.x();
    J.row(2 * i + 1) << normal.transpose(), r.x() * normal.y() - r.y() * normal.x();
  }
  const Eigen::Vector3d inverse_mass(1, 1, 1 / inertia);
  const Eigen::MatrixXd W = J * inverse_mass.asDiagonal() * J.transpose();
  return closed_contacts(2, W, J.leftCols(2) * f, Eigen::VectorXd::Zero(2 * n), mu);
}

// --- Painlevé's principle -----------------------------------------------------------------------------------------

TEST(PainlevePrinciple, OneContactIsFreeWhereItWouldNotPressSmooth) {
  Draws draws(1905);
  int chosen_from_several = 0;
  for (int k = 0; k < 3000; ++k) {
    const PlanarContact c = drawn_planar(draws, draws.integer(-1, 1));
    const Judged state = judged(one_contact(c));
    const Selection s = state(painleve_principle);
    const Names modes = state.table.consistent_modes();
    if (c.b_n > 0) {
      EXPECT_EQ(s.chosen, Names{"F"}) << k;
      EXPECT_EQ(s.holds, true) << k;
      chosen_from_several += modes.size() > 1;
    } else {
      EXPECT_EQ(s.chosen, modes) << k;
      EXPECT_EQ(s.holds, !modes.empty()) << k;  // with b_n < 0 there is at most one
      EXPECT_EQ(says(s, "no consistent mode"), modes.empty()) << k;
    }
  }
  EXPECT_GT(chosen_from_several, 100);
}

// Two frictionless contacts, by hand: W_nn is positive definite, so that exactly one of the four words fits.
std::array<bool, 2> pressed_by_hand(const Eigen::Matrix2d& W, const Eigen::Vector2d& b) {
  if (b(0) >= 0 && b(1) >= 0) {
    return {false, false};
  }
  const double first = -b(0) / W(0, 0);
  if (first > 0 && b(1) + W(1, 0) * first >= 0) {
    return {true, false};
  }
  const double second = -b(1) / W(1, 1);
  if (second > 0 && b(0) + W(0, 1) * second >= 0) {
    return {false, true};
  }
  return {true, true};
}

// Without any load nothing presses, rough or smooth.
TEST(PainlevePrinciple, WithoutLoadNothingPresses) {
  for (const double u_t : {0.0, 1.0, -1.0}) {
    const Judged state = judged(one_contact(PlanarContact{1, 0.5, 1, 0, 0, u_t, 0.8}));
    EXPECT_TRUE(says(state(painleve_principle), "c1 would carry no force")) << state(painleve_principle).reason;
    EXPECT_EQ(state(painleve_principle).holds, true) << u_t;
  }
}

TEST(PainlevePrinciple, TwoContacts) {
  Draws draws(1906);
  int fewer = 0;
  for (int k = 0; k < 1500; ++k) {
    const Eigen::MatrixXd W = drawn_gram(draws, 4, 4, 0.05);
    Eigen::VectorXd b(4);
    Eigen::VectorXd u = Eigen::VectorXd::Zero(4);
    for (double& x : b) {
      x = draws.normal();
    }
    if (draws.uniform() < 0.5) {
      u(0) = draws.normal();
      u(2) = draws.normal();
    }
    const Judged state = judged(closed_contacts(2, W, b, u, Eigen::Vector2d(draws.uniform(0, 3), draws.uniform(0, 3))));
    const auto pressed = pressed_by_hand(W({1, 3}, {1, 3}), b({1, 3}));
    Names wanted;
    for (const auto& entry : state.table.modes) {
      const auto fits = [&](std::size_t i) { return pressed[i] || entry.contacts[i].letter == Letter::F; };
      if (entry.consistent && fits(0) && fits(1)) {
        wanted.push_back(entry.name);
      }
    }
    const Selection s = state(painleve_principle);
    EXPECT_EQ(s.chosen, wanted) << k;
    EXPECT_EQ(s.holds, wanted.size() == 1) << k;
    EXPECT_EQ(says(s, "c1"), !pressed[0]) << k;
    EXPECT_EQ(says(s, "c2"), !pressed[1]) << k;
    fewer += wanted.size() < state.table.consistent_modes().size();
  }
  EXPECT_GT(fewer, 50);
}

TEST(PainlevePrinciple, BilateralContact) {
  for (const double b_n : {0.0, 0.4, -0.4}) {
    ContactSpace space = one_contact(PlanarContact{1, 0.5, 1, 0.3, b_n, 1, 0.5});
    space.bilateral[0] = true;
    const Judged state = judged(space);
    const Selection s = state(painleve_principle);
    EXPECT_EQ(s.chosen, Names{"S+"}) << b_n;
    EXPECT_EQ(s.holds, true) << b_n;
    EXPECT_EQ(says(s, "every contact presses"), b_n != 0) << b_n;
  }
  // μ W_tn > W_nn: pushing and pulling are both consistent, and the smooth contact presses: no choice.
  ContactSpace space = one_contact(PlanarContact{1, 0.5, 1, 0.3, 0.4, 1, 3});
  space.bilateral[0] = true;
  EXPECT_EQ(judged(space)(painleve_principle).chosen, (Names{"S+", "S+"}));
  EXPECT_EQ(judged(space)(painleve_principle).holds, false);
}

TEST(PainlevePrinciple, ASeparatingContactTakesNoPart) {
  ContactSpace space = one_contact(PlanarContact{1, 0.5, 1, 0.3, -1, 1, 0.5});
  space.u(1) = 1;
  EXPECT_EQ(judged(space)(painleve_principle).chosen, Names{"F"});
  EXPECT_TRUE(says(judged(space)(reach_by_chatter), "separates"));
  // If c1 pressed, it would lift c2.
  Eigen::Matrix4d W = Eigen::Matrix4d::Identity();
  W(1, 3) = W(3, 1) = 0.5;
  const Eigen::Vector4d b(0, -10, 0, -0.1);
  const Eigen::Vector2d mu(0.5, 0.5);
  EXPECT_EQ(judged(closed_contacts(2, W, b, Eigen::Vector4d(1, 0, 1, 0), mu))(painleve_principle).chosen, Names{"S+F"});
  EXPECT_EQ(judged(closed_contacts(2, W, b, Eigen::Vector4d(1, 1, 1, 0), mu))(painleve_principle).chosen, Names{"FS+"});
}

// --- Kilmister's principle ----------------------------------------------------------------------------------------

TEST(KilmisterPrinciple, AllowsImpulsesOnlyWhereForcesFail) {
  Draws draws(10);
  int impulses = 0;
  int several = 0;
  for (int k = 0; k < 2000; ++k) {
    const Judged state = judged(one_contact(drawn_planar(draws, draws.integer(-1, 1))));
    const Selection s = state(kilmister_principle);
    const Names modes = state.table.consistent_modes();
    EXPECT_EQ(s.chosen, modes.empty() ? Names{"I"} : modes) << k;
    EXPECT_EQ(s.holds, modes.size() <= 1) << k;
    EXPECT_EQ(says(s, "an impulse must act"), modes.empty()) << k;
    EXPECT_EQ(says(s, "does not choose"), modes.size() > 1) << k;
    impulses += modes.empty();
    several += modes.size() > 1;
  }
  EXPECT_GT(impulses, 50);
  EXPECT_GT(several, 50);
}

// Fig. 15(A) of the review, class 261: one consistent mode, which is unstable whatever the springs.
TEST(KilmisterPrinciple, KeepsAnUnstableMode) {
  Eigen::Matrix2d P;
  P << -0.055, 0.088, 0.055, -0.036;
  const Eigen::Matrix2d W_nn = Eigen::Matrix2d::Identity();
  const Eigen::Matrix2d W_nt = W_nn - P;  // μ = 1
  Eigen::Matrix4d W;
  Eigen::Vector4d b = Eigen::Vector4d::Zero();
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      W(2 * i + 1, 2 * j + 1) = W_nn(i, j);
      W(2 * i + 1, 2 * j) = W_nt(i, j);
      W(2 * j, 2 * i + 1) = W_nt(i, j);
      W(2 * i, 2 * j) = i == j ? 4 : 0;
    }
    b(2 * i + 1) = -1;
  }
  const Judged state = judged(closed_contacts(2, W, b, Eigen::Vector4d(1, 0, 1, 0), Eigen::Vector2d(1, 1)));
  const Selection s = state(kilmister_principle);
  EXPECT_EQ(s.chosen, Names{"S+S+"});
  EXPECT_EQ(s.holds, true);
  EXPECT_TRUE(says(s, "none of the modes that it keeps is stable")) << s.reason;
  EXPECT_EQ(state.table.continuations, (Names{"FI", "IF"})) << "what the stiff limit leaves";
}

// --- equilibria ---------------------------------------------------------------------------------------------------

// Fig. 7, left: a block between walls that lean over it. It may fall; with friction above tan β it may also hang.
TEST(StrongStability, WedgedBlockIsAmbiguous) {
  const double tilt = 0.2;
  const Eigen::Vector2d left(std::cos(tilt), -std::sin(tilt));
  const Eigen::Vector2d right(-std::cos(tilt), -std::sin(tilt));
  for (const double mu : {0.1, 0.3}) {
    const Judged state =
        judged(planar_body({{-0.5, 0}, {0.5, 0}}, {left, right}, {0, -9.81}, 0.1, Eigen::Vector2d::Constant(mu)));
    const bool holds = mu > std::tan(tilt);
    EXPECT_EQ(state(weak_stability).holds, holds);
    EXPECT_EQ(state(strong_stability).holds, false);
    EXPECT_EQ(state(unambiguity).holds, false);
    EXPECT_TRUE(says(state(unambiguity), "FF"));
    EXPECT_EQ(state(painleve_principle).chosen, Names{"FF"}) << "the principle denies wedging";
    EXPECT_EQ(state(painleve_principle).holds, true);
    EXPECT_EQ(state(lyapunov_stability).holds, holds ? std::optional<bool>(false) : std::nullopt);
  }
}

// Fig. 7, right, and Fig. 16: feet at 0.1 and 0.5 downslope of the centre; ambiguous below μ1 = x1/h = 0.1.
TEST(StrongStability, TwoLeggedBodyLosesItBelowItsThreshold) {
  const double slope = 10 * degree;
  for (const double mu1 : {0.05, 0.099, 0.101, 0.105, 0.2}) {
    const Judged state = judged(planar_body({{0.1, -1}, {0.5, -1}}, {{0, 1}, {0, 1}},
                                            {std::sin(slope), -std::cos(slope)}, 0.5, Eigen::Vector2d(mu1, 2.5)));
    EXPECT_EQ(state(weak_stability).holds, true) << mu1;
    EXPECT_EQ(state(weak_stability).chosen, Names{"TT"}) << mu1;
    EXPECT_EQ(state(strong_stability).holds, mu1 > 0.1) << mu1;
    EXPECT_EQ(state(unambiguity).holds, mu1 > 0.1) << mu1;
    EXPECT_EQ(says(state(strong_stability), "S+F"), mu1 < 0.1) << mu1;
    // Sec. 6.4: strong stability does not make it stable; its loss makes it unstable.
    EXPECT_EQ(state(lyapunov_stability).holds, mu1 > 0.1 ? std::nullopt : std::optional<bool>(false)) << mu1;
    EXPECT_EQ(state(lyapunov_chatter).holds, std::nullopt);
  }
}

// Three legs in a line: the forces are not determined, and words with an idle leg end the family. One motion: none.
TEST(StrongStability, RedundantLegsDoNotSpeakAgainstIt) {
  const Judged state = judged(planar_body({{-1, -1}, {0.2, -1}, {1, -1}}, {{0, 1}, {0, 1}, {0, 1}}, {0.1, -9.81}, 0.5,
                                          Eigen::Vector3d(0.5, 0.4, 0.6)));
  ASSERT_GT(state.table.consistent_modes().size(), 1U);
  EXPECT_EQ(state(weak_stability).holds, true);
  EXPECT_EQ(state(strong_stability).holds, true);
  EXPECT_EQ(state(painleve_principle).holds, true) << "several words, one motion";
  EXPECT_EQ(state(kilmister_principle).holds, true);
}

TEST(StrongStability, OneContactAsTable2) {
  Draws draws(64);
  int weak_only = 0;
  for (int k = 0; k < 3000; ++k) {
    const Judged state = judged(one_contact(drawn_planar(draws, 0)));
    const auto modes = names_of_consistent(state.table.modes);
    EXPECT_EQ(state(weak_stability).holds, modes.contains("T")) << k;
    EXPECT_EQ(state(strong_stability).holds, joined(modes) == "T") << k;
    EXPECT_EQ(state(unambiguity).holds, joined(modes) == "T") << k;
    weak_only += modes.contains("T") && modes.size() > 1;
  }
  EXPECT_GT(weak_only, 30);
}

TEST(StrongStability, IsForStatesAtRest) {
  const PlanarContact c{1, 0.5, 1, 0.1, -1, 0, 0.8};
  for (const auto& property : {weak_stability, strong_stability, unambiguity, lyapunov_stability}) {
    EXPECT_FALSE(says(judged(one_contact(c))(property), "defined at rest"));
    ContactSpace slipping = one_contact(c);
    slipping.u(0) = 1;
    EXPECT_EQ(judged(slipping)(property).holds, std::nullopt);
    EXPECT_TRUE(says(judged(slipping)(property), "c1 moves"));
    ContactSpace turning = one_contact(c);
    turning.drift(1) = 0.2;
    EXPECT_TRUE(says(judged(turning)(property), "drift"));
    SelectorOptions moving;
    moving.equilibrium = false;
    EXPECT_TRUE(says(judged(one_contact(c), moving)(property), "the mechanism moves"));
  }
}

TEST(StrongStability, SpatialContact) {
  Eigen::Matrix3d W = Eigen::Matrix3d::Identity();
  const Judged rests = judged(one_contact(W, {0.3, 0.2, -1}, {0, 0}, 0.5));
  EXPECT_EQ(rests(weak_stability).holds, true);
  EXPECT_EQ(rests(strong_stability).holds, true);
  EXPECT_EQ(rests(lyapunov_chatter).holds, std::nullopt);
  EXPECT_TRUE(says(rests(lyapunov_chatter), "planar"));
  const Judged slides = judged(one_contact(W, {0.5, 0.2, -1}, {0, 0}, 0.5));
  EXPECT_EQ(slides(weak_stability).holds, false);
  EXPECT_EQ(slides(strong_stability).holds, false);
}

// --- Lyapunov stability -------------------------------------------------------------------------------------------

SelectorOptions with_restitution(double r) {
  SelectorOptions options;
  options.bounce = {{r, RestitutionLaw::energetic, {}}};
  options.equilibrium = true;
  options.degrees_of_freedom = 2;
  return options;
}

// a/(−b) = 1, B = 0.5, μ = 1.5: reverse chatter for r = 0.7 (e = 1.1068), chatter for r = 0.5.
const PlanarContact bouncing{1, 0.5, 1, 1, -1, 0, 1.5};

TEST(LyapunovStability, NeedsBouncesThatDieOut) {
  const Judged grows = judged(one_contact(bouncing), with_restitution(0.7));
  EXPECT_EQ(grows(unambiguity).holds, true);
  EXPECT_EQ(grows(lyapunov_potential).holds, true);
  EXPECT_EQ(grows(lyapunov_unambiguity).holds, true);
  EXPECT_EQ(grows(lyapunov_chatter).holds, false);
  EXPECT_TRUE(says(grows(lyapunov_chatter), "1.1068")) << grows(lyapunov_chatter).reason;
  EXPECT_EQ(grows(lyapunov_stability).holds, false);
  EXPECT_TRUE(says(grows(lyapunov_stability), "lyapunov_chatter"));
  const Judged dies = judged(one_contact(bouncing), with_restitution(0.5));
  EXPECT_EQ(dies(lyapunov_chatter).holds, true);
  EXPECT_EQ(dies(lyapunov_stability).holds, true);
  SelectorOptions unknown = with_restitution(0.5);
  unknown.equilibrium.reset();
  EXPECT_EQ(judged(one_contact(bouncing), unknown)(lyapunov_stability).holds, std::nullopt);
  unknown.bounce.clear();
  EXPECT_EQ(judged(one_contact(bouncing), unknown)(lyapunov_chatter).holds, true) << "without bounces e = 0";
  EXPECT_EQ(judged(one_contact(PlanarContact{1, 0.5, 1, 0, -1, 0, 1.5}), with_restitution(1))(lyapunov_chatter).holds,
            false)
      << "e = 1";
  // μ W_tt < −W_tn: slip reverses in the impact; e ≤ r is all that is known.
  const PlanarContact reversing{1, -0.5, 1, 0.45, -1, 0, 0.4};
  EXPECT_EQ(judged(one_contact(reversing), with_restitution(0.7))(lyapunov_chatter).holds, true);
  EXPECT_EQ(judged(one_contact(reversing), with_restitution(1))(lyapunov_chatter).holds, std::nullopt);
  EXPECT_TRUE(says(judged(one_contact(reversing), with_restitution(1))(lyapunov_chatter), "reverses"));
}

TEST(LyapunovStability, NeedsAMinimumOfThePotential) {
  SelectorOptions options = with_restitution(0.5);
  options.degrees_of_freedom = 3;
  EXPECT_EQ(judged(one_contact(bouncing), options)(lyapunov_potential).holds, std::nullopt);
  EXPECT_EQ(judged(one_contact(bouncing), options)(lyapunov_stability).holds, std::nullopt);
  for (const double curvature : {2.0, 0.0, -2.0}) {
    options.stick_curvature = curvature;
    const Judged state = judged(one_contact(bouncing), options);
    const std::optional<bool> wanted = curvature == 0 ? std::nullopt : std::optional<bool>(curvature > 0);
    EXPECT_EQ(state(lyapunov_potential).holds, wanted) << curvature;
    EXPECT_EQ(state(lyapunov_stability).holds, wanted) << curvature;
  }
  options.degrees_of_freedom = 2;  // no motion is left whose curvature could matter
  EXPECT_EQ(judged(one_contact(bouncing), options)(lyapunov_stability).holds, true);
}

TEST(LyapunovStability, NeedsUnambiguity) {
  // Cell II(iii) of Table 2: b_n > 0, p+ < 0 and b_t large: F, T and S+.
  const PlanarContact c{1, 0.8, 1, 3.2, 1, 0, 2};
  const Judged state = judged(one_contact(c), with_restitution(0.5));
  EXPECT_EQ(joined(names_of_consistent(state.table.modes)), "F S+ T");
  EXPECT_EQ(state(weak_stability).chosen, Names{"T"});
  EXPECT_EQ(state(lyapunov_unambiguity).holds, false);
  EXPECT_TRUE(says(state(lyapunov_unambiguity), "F, S+") || says(state(lyapunov_unambiguity), "S+, F"));
  EXPECT_EQ(state(lyapunov_chatter).holds, std::nullopt) << "no flight returns";
  EXPECT_EQ(state(lyapunov_stability).holds, false);
  const Judged slides = judged(one_contact({1, 0.1, 1, 3, -1, 0, 0.2}), with_restitution(0.5));
  EXPECT_EQ(slides(lyapunov_stability).holds, std::nullopt);
  EXPECT_TRUE(says(slides(lyapunov_stability), "no equilibrium"));
  EXPECT_TRUE(says(slides(lyapunov_potential), "no equilibrium"));
}

// --- all of them --------------------------------------------------------------------------------------------------

TEST(Selections, ComeInAFixedOrderWithReasons) {
  const Names order{"painleve_principle", "kilmister_principle", "weak_stability",       "strong_stability",
                    "unambiguity",        "lyapunov_potential",  "lyapunov_unambiguity", "lyapunov_chatter",
                    "lyapunov_stability", "reach_by_chatter"};
  Draws draws(3);
  for (int k = 0; k < 200; ++k) {
    const PlanarContact c = drawn_planar(draws, draws.integer(-1, 1));
    const Judged state = judged(one_contact(c), with_restitution(0.5));
    Names names;
    for (const auto& s : selections(state.space, state.table, state.options)) {
      names.push_back(s.name);
      EXPECT_FALSE(s.reason.empty() || s.source.empty()) << s.name;
    }
    EXPECT_EQ(names, order);
    const Selection reach = state(reach_by_chatter);
    EXPECT_EQ(reach.holds, chatter_reach(c).here) << k;
  }
}

// What was found stays found; that there is nothing else is not claimed.
TEST(Selections, ClaimNoMoreThanAnIncompleteTableShows) {
  Judged stuck = judged(one_contact(bouncing), with_restitution(0.5));
  stuck.table.complete = false;
  EXPECT_EQ(stuck(weak_stability).holds, true);
  EXPECT_EQ(stuck(strong_stability).holds, std::nullopt);
  EXPECT_EQ(stuck(lyapunov_stability).holds, std::nullopt);
  Judged jammed = judged(one_contact(PlanarContact{1, 0.5, 1, 0.1, -1, 1, 2.5}));
  ASSERT_TRUE(jammed.table.consistent_modes().empty());
  jammed.table.complete = false;
  EXPECT_EQ(jammed(painleve_principle).holds, std::nullopt);
  EXPECT_EQ(jammed(kilmister_principle).holds, std::nullopt);
  EXPECT_TRUE(jammed(kilmister_principle).chosen.empty());
  Judged slides = judged(one_contact(PlanarContact{1, 0.1, 1, 3, -1, 0, 0.2}));
  slides.table.complete = false;
  EXPECT_EQ(slides(weak_stability).holds, std::nullopt);
  EXPECT_EQ(slides(strong_stability).holds, false) << "it moves in S+";
}

TEST(Selections, SlownessBelowTheToleranceIsRest) {
  for (const double u_t : {1e-10, 1e-8}) {
    const Judged state = judged(one_contact(PlanarContact{1, 0.5, 1, 0.1, -1, u_t, 2.5}));
    EXPECT_EQ(state(reach_by_chatter).holds, u_t > 1e-9 ? std::optional<bool>(false) : std::nullopt) << u_t;
  }
}

TEST(Selections, SayWhyThereIsNothingToSelect) {
  ContactSpace approaching = one_contact(PlanarContact{1, 0.5, 1, 0.1, -1, 0, 0.8});
  approaching.u(1) = -1;
  ContactSpace open = one_contact(PlanarContact{1, 0.5, 1, 0.1, -1, 0, 0.8});
  open.gap(0) = 1;
  for (const auto& space : {approaching, open}) {
    for (const auto& s : selections(space, mode_table(space, {}), {})) {
      EXPECT_EQ(s.holds, std::nullopt) << s.name;
      EXPECT_TRUE(s.chosen.empty()) << s.name;
      EXPECT_TRUE(says(s, space.gap(0) > 0 ? "no contact is closed" : "impact comes first")) << s.name;
    }
  }
}

}  // namespace selectors_test
}  // namespace painleve
