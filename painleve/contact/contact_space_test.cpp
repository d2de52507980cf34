#include "painleve/contact/contact_space.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/contact/drifting_contacts.hpp"
#include "painleve/contact/held_contact.hpp"

namespace painleve {
namespace contact_space_test {

// W = J J^T of a random mechanism with `freedoms` degrees of freedom and unit mass matrix.
ContactSpace drawn_space(Draws& draws, int dimension, int contacts, int freedoms) {
  const int size = dimension * contacts;
  Eigen::MatrixXd J(size, freedoms);
  for (Eigen::Index i = 0; i < J.size(); ++i) J(i) = draws.normal();
  Eigen::VectorXd f(freedoms);
  for (auto& x : f) x = draws.normal();
  ContactSpace s;
  s.dimension = dimension;
  s.W = J * J.transpose();
  s.b = J * f;
  s.drift = Eigen::VectorXd::Zero(size);
  s.u = Eigen::VectorXd::Zero(size);
  s.gap = Eigen::VectorXd::Zero(contacts);
  s.mu = Eigen::VectorXd::Constant(contacts, 0.5);
  s.bilateral.assign(static_cast<std::size_t>(contacts), false);
  for (int i = 0; i < contacts; ++i) {
    s.names.push_back("c" + std::to_string(i + 1));
    for (int k = 0; k < dimension; ++k) s.drift(dimension * i + k) = 100 * i + k;  // tells the rows apart in subset()
    for (int k = 0; k < dimension; ++k) s.u(dimension * i + k) = -100 * i - k;
    s.mu(i) = 0.1 * (i + 1);
    s.gap(i) = 1e-3 * i;
  }
  return s;
}

template <class Thing>
std::string complaint(const Thing& thing) {
  try {
    check(thing);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Check, AcceptsWhatAMechanismProduces) {
  Draws draws(1);
  for (int k = 0; k < 200; ++k) {
    const int freedoms = draws.integer(1, 9);  // W is singular when there are fewer freedoms than rows
    EXPECT_EQ(complaint(drawn_space(draws, draws.integer(2, 3), draws.integer(1, 3), freedoms)), "accepted") << k;
  }
}

TEST(Check, NamesTheFieldThatIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  struct Case {
    std::string field;
    std::function<void(ContactSpace&)> spoil;
  };
  const std::vector<Case> cases{
      {"dimension is 4", [](auto& s) { s.dimension = 4; }},
      {"mu is empty", [](auto& s) { s.mu.resize(0); }},
      {"W is 3 x 4", [](auto& s) { s.W = Eigen::MatrixXd::Zero(3, 4); }},
      {"W holds", [&](auto& s) { s.W(1, 1) = nan; }},
      {"W is not symmetric: W[2][1]", [](auto& s) { s.W(1, 2) += 1e-6 * s.W.cwiseAbs().maxCoeff(); }},
      {"W is not positive semidefinite", [](auto& s) { s.W -= 1.01 * s.W.trace() * Eigen::MatrixXd::Identity(4, 4); }},
      {"b has 3 numbers, expected 4", [](auto& s) { s.b.resize(3); }},
      {"drift has 5 numbers", [](auto& s) { s.drift.resize(5); }},
      {"u has 0 numbers", [](auto& s) { s.u.resize(0); }},
      {"gap has 3 numbers, expected 2", [](auto& s) { s.gap.resize(3); }},
      {"bilateral has 1 numbers", [](auto& s) { s.bilateral.resize(1); }},
      {"names has 3 numbers", [](auto& s) { s.names.emplace_back("extra"); }},
      {"b holds", [&](auto& s) { s.b(3) = infinity; }},
      {"drift holds", [&](auto& s) { s.drift(0) = nan; }},
      {"u holds", [&](auto& s) { s.u(2) = -infinity; }},
      {"gap holds", [&](auto& s) { s.gap(1) = nan; }},
      {"mu holds", [&](auto& s) { s.mu(1) = infinity; }},
      {"mu of contact c2 is -0.25", [](auto& s) { s.mu(1) = -0.25; }},
  };
  for (const auto& c : cases) {
    Draws draws(2);
    ContactSpace s = drawn_space(draws, 2, 2, 6);
    c.spoil(s);
    const std::string message = complaint(s);
    EXPECT_EQ(message.substr(0, c.field.size()), c.field) << message;
  }
}

TEST(Check, AllowsRoundingOfW) {
  Draws draws(3);
  ContactSpace s = drawn_space(draws, 2, 2, 2);  // rank 2 of 4: eigenvalues of rounding size may be negative
  const double scale = s.W.cwiseAbs().maxCoeff();
  s.W(0, 1) += 0.9e-9 * scale;
  EXPECT_EQ(complaint(s), "accepted");
  s.W(0, 1) += 0.2e-9 * scale;
  EXPECT_NE(complaint(s), "accepted");
}

TEST(Check, NamesWhatIsWrongWithDriftingContacts) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto good = [] {
    DriftingContacts c;
    c.P = c.P_rate = c.b_force = Eigen::Matrix2d::Identity();
    c.b = c.b_rate = c.stiffness = c.damping = Eigen::Vector2d::Ones();
    return c;
  };
  EXPECT_EQ(complaint(good()), "accepted");
  const std::vector<std::pair<std::string, std::function<void(DriftingContacts&)>>> cases{
      {"P is empty", [](auto& c) { c.P.resize(0, 0); }},
      {"P is 2 x 3", [](auto& c) { c.P.resize(2, 3); }},
      {"b is 3 x 1", [](auto& c) { c.b.resize(3); }},
      {"P_rate holds", [&](auto& c) { c.P_rate(0, 1) = nan; }},
      {"b_rate is 1 x 1", [](auto& c) { c.b_rate.resize(1); }},
      {"b_force is 1 x 2", [](auto& c) { c.b_force = Eigen::MatrixXd::Ones(1, 2); }},
      {"stiffness must be > 0", [](auto& c) { c.stiffness(1) = 0; }},
      {"damping must be > 0", [](auto& c) { c.damping(0) = -1; }},
      {"epsilon is 0", [](auto& c) { c.epsilon = 0; }},
      {"epsilon is inf", [](auto& c) { c.epsilon = std::numeric_limits<double>::infinity(); }},
      {"t_start is nan", [&](auto& c) { c.t_start = nan; }},
      {"t_start is -inf", [](auto& c) { c.t_start = -std::numeric_limits<double>::infinity(); }},
      {"t_start is 0", [](auto& c) { c.t_start = 0; }},
  };
  for (const auto& [field, spoil] : cases) {
    DriftingContacts c = good();
    spoil(c);
    EXPECT_EQ(complaint(c).substr(0, field.size()), field) << complaint(c);
  }
}

TEST(DriftingContacts, DriftEvenly) {
  DriftingContacts c;
  c.P = Eigen::Matrix2d::Identity();
  c.P_rate = Eigen::Vector2d(2, -4).asDiagonal();
  c.b = Eigen::Vector2d(-1, 3);
  c.b_rate = Eigen::Vector2d(8, -16);
  c.b_force = Eigen::Matrix2d::Zero();
  EXPECT_EQ(c.slip_matrix(0), c.P);
  EXPECT_EQ(c.free_acceleration(0), c.b);
  EXPECT_EQ(c.slip_matrix(-0.25), Eigen::Matrix2d(Eigen::Vector2d(0.5, 2).asDiagonal()));
  EXPECT_EQ(c.free_acceleration(-0.25), Eigen::Vector2d(-3, 7));
  c.b_force(0, 1) = 1e-300;  // b depends on the forces before: it is known at the start alone
  EXPECT_EQ(c.free_acceleration(-0.25), c.b);
}

TEST(Touch, FollowsTheDefinitionsAtTheTolerances) {
  Draws draws(4);
  ContactSpace s = drawn_space(draws, 2, 1, 2);
  const Tolerance tolerance;
  const auto touch_of = [&](double gap, double u_t, double u_n, bool bilateral) {
    s.gap(0) = gap;
    s.u << u_t, u_n;
    s.bilateral[0] = bilateral;
    return touch(s, 0, tolerance);
  };
  EXPECT_EQ(touch_of(1e-9, 0, 0, false), Touch::resting);
  EXPECT_EQ(touch_of(1.01e-9, 0, 0, false), Touch::open);
  EXPECT_EQ(touch_of(1.01e-9, 0, -1, false), Touch::open) << "an open contact may approach";
  EXPECT_EQ(touch_of(-1e-9, 0, 0, false), Touch::resting);
  EXPECT_EQ(touch_of(0, 0, -1e-9, false), Touch::resting);
  EXPECT_EQ(touch_of(0, 5, -1.01e-9, false), Touch::approaching);
  EXPECT_EQ(touch_of(0, 0, 1e-9, false), Touch::resting);
  EXPECT_EQ(touch_of(0, 5, 1.01e-9, false), Touch::separating);
  EXPECT_EQ(touch_of(0, 1e-9, 0, false), Touch::resting);
  EXPECT_EQ(touch_of(0, -1e-9, 0, false), Touch::resting);
  EXPECT_EQ(touch_of(0, 1.01e-9, 0, false), Touch::slipping);
  EXPECT_EQ(touch_of(0, -1.01e-9, 0, false), Touch::slipping);
  EXPECT_EQ(touch_of(1, 0, 1, true), Touch::resting) << "a bilateral contact is always closed";
  EXPECT_EQ(touch_of(1, 2, -1, true), Touch::slipping);
  EXPECT_EQ(touch(s, 0, Tolerance{.gap = 0, .velocity = 3}), Touch::resting) << "tolerances are the caller's";
}

TEST(Touch, TakesTheLengthOfASpatialSlip) {
  Draws draws(5);
  ContactSpace s = drawn_space(draws, 3, 1, 3);
  s.u << 0.8e-9, 0.8e-9, 0;  // each below the tolerance, their length above
  EXPECT_EQ(touch(s, 0, Tolerance{}), Touch::slipping);
  s.u << 0.7e-9, 0.7e-9, 0;
  EXPECT_EQ(touch(s, 0, Tolerance{}), Touch::resting);
}

TEST(Subset, KeepsTheRowsOfTheContactsInTheOrderAsked) {
  Draws draws(6);
  const ContactSpace s = drawn_space(draws, 3, 4, 12);
  const ContactSpace r = subset(s, {3, 1});
  EXPECT_EQ(complaint(r), "accepted");
  EXPECT_EQ(r.names, (std::vector<std::string>{"c4", "c2"}));
  EXPECT_EQ(r.mu, Eigen::Vector2d(s.mu(3), s.mu(1)));
  EXPECT_EQ(r.gap, Eigen::Vector2d(s.gap(3), s.gap(1)));
  const int from[] = {9, 10, 11, 3, 4, 5};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(r.b(i), s.b(from[i]));
    EXPECT_EQ(r.drift(i), s.drift(from[i]));
    EXPECT_EQ(r.u(i), s.u(from[i]));
    for (int j = 0; j < 6; ++j) EXPECT_EQ(r.W(i, j), s.W(from[i], from[j]));
  }
}

TEST(SingleContact, ReadsTheBlocksOfItsContact) {
  Draws draws(7);
  const ContactSpace plane = drawn_space(draws, 2, 2, 6);
  const PlanarContact p = planar_contact(plane, 1);
  EXPECT_EQ(p.W_tt, plane.W(2, 2));
  EXPECT_EQ(p.W_tn, plane.W(2, 3));
  EXPECT_EQ(p.W_nn, plane.W(3, 3));
  EXPECT_EQ(p.b_t, plane.b(2));
  EXPECT_EQ(p.b_n, plane.b(3));
  EXPECT_EQ(p.u_t, plane.u(2));
  EXPECT_EQ(p.mu, plane.mu(1));
  const ContactSpace space = drawn_space(draws, 3, 2, 6);
  const SpatialContact c = spatial_contact(space, 1);
  EXPECT_EQ(c.W_tt, (space.W.block<2, 2>(3, 3)));
  EXPECT_EQ(c.W_tn, (space.W.block<2, 1>(3, 5)));
  EXPECT_EQ(c.W_nn, space.W(5, 5));
  EXPECT_EQ(c.b_t, space.b.segment<2>(3));
  EXPECT_EQ(c.b_n, space.b(5));
  EXPECT_EQ(c.u_t, space.u.segment<2>(3));
  EXPECT_EQ(c.mu, space.mu(1));
}

// Brute force: solves for the accelerations of all contacts with the held ones at zero.
TEST(Hold, EqualsEliminationOfTheHeldForces) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Draws draws(seed);
    const int d = draws.integer(2, 3);
    const int contacts = draws.integer(2, 3);
    const ContactSpace s = drawn_space(draws, d, contacts, d * contacts + 2);
    const int contact = draws.integer(0, contacts - 1);
    std::vector<int> held;
    for (int i = 0; i < contacts; ++i)
      if (i != contact) held.push_back(i);
    const HeldContact r = hold(s, contact, held);
    EXPECT_EQ(r.held_rows, d * (contacts - 1)) << seed;
    EXPECT_EQ(r.rank, r.held_rows) << seed;
    EXPECT_TRUE(r.compatible) << seed;
    // For a drawn force on the contact, find the holding forces from W_hh x = −b_h − W_hi λ_i.
    Eigen::VectorXd force(d);
    for (auto& x : force) x = draws.normal();
    Eigen::VectorXd lambda = Eigen::VectorXd::Zero(d * contacts);
    lambda.segment(d * contact, d) = force;
    std::vector<int> rows;
    for (const int i : held)
      for (int k = 0; k < d; ++k) rows.push_back(d * i + k);
    const Eigen::VectorXd pushed = s.W * lambda + s.b;
    const Eigen::MatrixXd block = s.W(rows, rows);
    lambda(rows) = -block.fullPivLu().solve(pushed(rows).eval());
    const Eigen::VectorXd wanted = (s.W * lambda + s.b).segment(d * contact, d);
    // Two solves of a random Gram matrix: rounding times its condition, which these draws keep below 1e6.
    EXPECT_LT((r.W * force + r.b - wanted).norm(), 1e-9 * (1 + wanted.norm() + s.b.norm())) << seed;
  }
}

TEST(Hold, RedundantHeldContactsChangeNothing) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Draws draws(seed);
    ContactSpace s = drawn_space(draws, 2, 4, 7);
    // Contact 4 is contact 2 over again: the same rows of J.
    s.W.row(6) = s.W.row(2).eval();
    s.W.row(7) = s.W.row(3).eval();
    s.W.col(6) = s.W.col(2).eval();
    s.W.col(7) = s.W.col(3).eval();
    s.b.tail(2) = s.b.segment(2, 2).eval();
    const HeldContact once = hold(s, 0, {1, 2});
    const HeldContact twice = hold(s, 0, {1, 2, 3});
    EXPECT_EQ(once.rank, 4) << seed;
    EXPECT_EQ(twice.rank, 4) << seed;
    EXPECT_EQ(twice.held_rows, 6) << seed;
    EXPECT_TRUE(twice.compatible) << seed;
    // The pseudo-inverse divides by eigenvalues of a random Gram matrix, down to about 1e-3 of the largest.
    EXPECT_LT((once.W - twice.W).norm(), 1e-9 * s.W.norm()) << seed;
    EXPECT_LT((once.b - twice.b).norm(), 1e-9 * (s.b.norm() + once.b.norm())) << seed;
  }
}

TEST(Hold, ReportsContactsThatCannotBeHeld) {
  Draws draws(11);
  ContactSpace s = drawn_space(draws, 2, 3, 6);
  s.W.row(4) = s.W.row(2).eval();
  s.W.row(5) = s.W.row(3).eval();
  s.W.col(4) = s.W.col(2).eval();
  s.W.col(5) = s.W.col(3).eval();
  s.b.tail(2) = s.b.segment(2, 2).eval();
  EXPECT_TRUE(hold(s, 0, {1, 2}).compatible);
  s.b(5) += 1e-3 * s.b.norm();  // the same point would have to accelerate in two ways
  EXPECT_FALSE(hold(s, 0, {1, 2}).compatible);
  EXPECT_TRUE(hold(s, 0, {1}).compatible);
}

TEST(Hold, NothingHeldLeavesTheContactAsItIs) {
  Draws draws(12);
  const ContactSpace s = drawn_space(draws, 3, 2, 6);
  const HeldContact r = hold(s, 1, {});
  EXPECT_EQ(r.W, s.W.bottomRightCorner(3, 3));
  EXPECT_EQ(r.b, s.b.tail(3));
  EXPECT_EQ(r.rank, 0);
  EXPECT_EQ(r.held_rows, 0);
}

TEST(Hold, AContactStoppedByTheOthersHasExactlyNoWLeft) {
  Draws draws(13);
  const ContactSpace s = drawn_space(draws, 2, 3, 4);  // two held contacts stop all four freedoms
  const HeldContact r = hold(s, 0, {1, 2});
  EXPECT_EQ(r.rank, 4);
  EXPECT_EQ(r.W, Eigen::MatrixXd::Zero(2, 2));
}

TEST(Rank, CountsTheFreedomsThatTheContactsSee) {
  Draws draws(14);
  for (int freedoms = 1; freedoms <= 8; ++freedoms)
    EXPECT_EQ(rank(drawn_space(draws, 2, 3, freedoms)), std::min(freedoms, 6)) << freedoms;
  ContactSpace stuck = drawn_space(draws, 2, 2, 4);
  stuck.W.setZero();
  EXPECT_EQ(rank(stuck), 0);
}

TEST(Check, TakesTheLargestNumberItself) {
  Draws draws(6);
  ContactSpace s = drawn_space(draws, 2, 1, 3);
  s.b(0) = 1e100;
  EXPECT_EQ(complaint(s), "accepted");
  s.b(0) = std::nextafter(1e100, std::numeric_limits<double>::infinity());
  EXPECT_EQ(complaint(s).substr(0, 1), "b");
}

// Contacts that no force moves are a limit of mechanisms; a W that is merely too small is a slip of units.
TEST(Check, TakesAWThatIsZeroButNoneThatIsTooSmall) {
  Draws draws(7);
  ContactSpace s = drawn_space(draws, 2, 1, 3);
  s.W.setZero();
  EXPECT_EQ(complaint(s), "accepted");
  s.W.setIdentity();
  s.W *= 1e-101;
  EXPECT_NE(complaint(s).find("too small"), std::string::npos);
  s.W << 100, 0, 0, 1e-308;  // forces would leave the range of numbers
  EXPECT_EQ(complaint(s), "W[1][1] is 1e-308, too small to compute with");
}

TEST(Check, AllowsNegativeEigenvaluesUpToABillionthOfW) {
  Draws draws(8);
  ContactSpace s = drawn_space(draws, 2, 1, 3);
  s.W = Eigen::Vector2d(1, -0.9e-9).asDiagonal();
  EXPECT_EQ(complaint(s), "accepted");
  s.W(1, 1) = -1.1e-9;
  EXPECT_NE(complaint(s).find("eigenvalue -1.1"), std::string::npos) << complaint(s);
}

}  // namespace contact_space_test
}  // namespace painleve
