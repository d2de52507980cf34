// Symmetries of the mechanisms: where the world may be moved, turned or seen in a mirror.
#include <gtest/gtest.h>

#include <set>

#include "painleve/mechanism/mechanisms_for_tests.hpp"

namespace painleve {
namespace symmetry_test {

using detail::Drawn;
using detail::expect_close;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int states = 10;
// Sines of shifted angles differ in their last digits, which M⁻¹ multiplies by up to 1e2.
constexpr double rounding = 1e-11;

void expect_same_mechanics(const Dynamics& a, const Dynamics& b) {
  expect_close(a.M, b.M, rounding, "M");
  expect_close(a.f, b.f, rounding, "f");
  expect_close(a.J, b.J, rounding, "J");
  expect_close(a.drift, b.drift, rounding, "drift");
  expect_close(a.u, b.u, rounding, "u");
  expect_close(a.gap, b.gap, rounding, "gap");
}

ContactSpace space_of(const Mechanism& mechanism, const State& s) {
  const std::vector<Surface> surfaces(mechanism.contacts().size());
  return contact_space(mechanism, s, surfaces);
}

TEST(Symmetry, FloorsAreTheSameEverywhere) {
  const std::map<std::string, std::vector<int>> shifts = {{"rod", {0}},
                                                          {"block", {0}},
                                                          {"pendulum-on-slider", {0}},
                                                          {"painleve-klein", {0}},
                                                          {"two-legged-body", {0}},
                                                          {"rimless-wheel", {0}},
                                                          {"compass-biped", {0}},
                                                          {"rod-3d", {0, 1}},
                                                          {"articulated-arm", {3}}};
  for (const auto& [name, coordinates] : shifts) {
    SCOPED_TRACE(name);
    Draws draws(31);
    for (int i = 0; i < states; ++i) {
      const Drawn d = detail::drawn_mechanism(gallery_entry(name), draws);
      State s = detail::drawn_state(*d.mechanism, draws);
      const Dynamics here = d.mechanism->dynamics(s);
      for (const int k : coordinates) {
        s.q(k) += draws.uniform(-4, 4);
      }
      expect_same_mechanics(d.mechanism->dynamics(s), here);
    }
  }
}

// Belts run and never arrive: without forces that change, time enters only the hand of the chalk.
TEST(Symmetry, TimeDoesNotEnterUnlessAskedFor) {
  for (const auto& entry : gallery()) {
    SCOPED_TRACE(entry.name);
    Draws draws(32);
    Drawn d = detail::drawn_mechanism(entry, draws);
    d.setup.forces.clear();
    d.mechanism = entry.make(d.setup, d.laid);
    State s = detail::drawn_state(*d.mechanism, draws);
    const Dynamics now = d.mechanism->dynamics(s);
    s.t += 0.7;
    const Dynamics later = d.mechanism->dynamics(s);
    if (entry.name == "chalk") {
      EXPECT_GT((later.f - now.f).norm(), 1e-3);
    } else {
      EXPECT_EQ(later.f, now.f);
      EXPECT_EQ(later.u, now.u);
      EXPECT_EQ(later.drift, now.drift);
      EXPECT_NEAR(later.drive, 0, 1e-13);  // V̇ − ∇V·v, both up to 1e2
    }
  }
}

// The rod in space, turned about the vertical: W, b, u turn with it.
TEST(Symmetry, SpatialRodTurnsAboutTheVertical) {
  Draws draws(33);
  const auto& entry = gallery_entry("rod-3d");
  for (int i = 0; i < states; ++i) {
    Drawn d = detail::drawn_mechanism(entry, draws);
    d.setup.forces.clear();
    d.setup.parameters.set("slope", 0);
    d.mechanism = entry.make(d.setup, d.laid);
    State s = detail::drawn_state(*d.mechanism, draws);
    const ContactSpace before = space_of(*d.mechanism, s);
    const double angle = draws.uniform(-3, 3);
    const Eigen::Matrix3d R = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
    s.q.head<3>() = (R * s.q.head<3>()).eval();
    s.v.head<3>() = (R * s.v.head<3>()).eval();
    s.q(4) += angle;
    const ContactSpace after = space_of(*d.mechanism, s);
    expect_close(after.W, R * before.W * R.transpose(), rounding, "W");
    expect_close(after.b, R * before.b, rounding, "b");
    expect_close(after.u, R * before.u, rounding, "u");
    EXPECT_GT(before.W.col(2).head<2>().norm(), 1e-3);  // there is a coupling to turn
  }
}

// A mirror image: q' = offset + sign q, parameters and forces that change sign, contacts in another order, rows that
// flip.
struct Mirror {
  std::vector<double> signs;
  std::vector<double> offsets;  // empty: none
  std::set<std::string> odd_parameters;
  std::set<std::string> odd_forces;
  int odd_row = 0;  // of each contact
};

const std::map<std::string, Mirror>& mirrors() {
  constexpr double pi = std::numbers::pi;
  static const std::map<std::string, Mirror> all = {
      {"rod", {{-1, 1, -1}, {0, 0, pi}, {"slope"}, {"force_x", "torque"}}},
      {"chalk", {{-1, 1, -1}, {0, 0, pi}, {"slope", "hand_speed"}, {"force_x", "torque"}}},
      {"block", {{-1, 1, -1}, {0, 0, pi}, {"slope"}, {"force_x", "torque"}}},
      {"impact-oscillator", {{1, -1}, {}, {"rest_beta", "belt_speed"}, {"torque"}}},
      {"two-link", {{-1, -1}, {}, {}, {"torque1", "torque2"}}},
      {"pendulum-on-slider", {{-1, 1, -1}, {}, {}, {"force_x", "torque"}}},
      {"painleve-klein", {{-1, 1, -1}, {0, 0, pi}, {}, {"force1", "force2"}}},
      {"wedged-block", {{-1, 1, -1}, {}, {}, {"force_x", "torque"}}},
      {"two-legged-body", {{-1, 1, -1}, {}, {"slope"}, {"force_x", "torque"}}},
      {"rigid-body", {{-1, 1, -1}, {}, {"slope"}, {"force_x", "torque"}}},
      {"brake-pad", {{-1, 1, -1}, {}, {"belt_speed"}, {"force_x"}}},
      {"rimless-wheel", {{-1, 1, -1}, {0, 0, pi}, {"slope"}, {"force_x", "torque"}}},
      {"compass-biped", {{-1, 1, -1, -1}, {}, {"slope"}, {"hip_torque"}}},
      {"articulated-arm", {{1, 1, 1, -1}, {}, {}, {"torque_phi"}}},
      {"rod-3d", {{1, -1, 1, 1, -1}, {}, {}, {"torque_psi"}, 1}}};
  return all;
}

// What does not follow from signs alone.
void mirror_the_rest(const std::string& name, Setup& setup, VectorXd& offset) {
  auto& p = setup.parameters;
  if (name == "chalk") {
    p.set("rest_angle", std::numbers::pi - p.at("rest_angle"));
  } else if (name == "block") {  // the second corner of the image is the first
    offset(2) -= 2 * std::atan2(p.at("width"), p.at("height"));
  } else if (name == "two-legged-body") {
    const double foot1 = p.at("foot1");
    p.set("foot1", -p.at("foot2"));
    p.set("foot2", -foot1);
  } else if (name == "rigid-body") {
    for (auto& [list, points] : setup.lists) {
      for (auto& point : points) {
        point[0] = -point[0];
      }
    }
  } else if (name == "rod-3d") {  // one expression per component
    auto& force = setup.forces["force"];
    force[1] = Expression::parse("-(" + force[1].text() + ")");
  }
}

// Contact i of the image is the image of contact order[i].
std::vector<Index> order(const std::string& name, Index count) {
  std::vector<Index> r;
  for (Index i = 0; i < count; ++i) {
    const bool swapped = name == "block" || name == "wedged-block" || name == "two-legged-body" || name == "brake-pad";
    r.push_back(swapped ? 1 - i : name == "rimless-wheel" ? (count - i) % count : i);
  }
  return r;
}

class MirrorImage : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Gallery, MirrorImage, testing::ValuesIn(detail::gallery_names()),
                         [](const auto& tested) { return detail::case_name(tested.param); });

TEST_P(MirrorImage, HasTheMirroredMechanics) {
  const std::string& name = GetParam();
  const auto& entry = gallery_entry(name);
  const Mirror& mirror = mirrors().at(name);
  Draws draws(34);
  for (int i = 0; i < states; ++i) {
    const Drawn d = detail::drawn_mechanism(entry, draws);
    const State s = detail::drawn_state(*d.mechanism, draws);
    const auto n = s.q.size();
    const VectorXd sign = Eigen::Map<const VectorXd>(mirror.signs.data(), n);
    VectorXd offset = VectorXd::Zero(n);
    if (!mirror.offsets.empty()) {
      offset = Eigen::Map<const VectorXd>(mirror.offsets.data(), n);
    }
    auto setup = d.setup;
    for (const auto& parameter : mirror.odd_parameters) {
      setup.parameters.set(parameter, -setup.parameters.at(parameter));
    }
    for (auto& [force, components] : setup.forces) {
      if (mirror.odd_forces.contains(force)) {
        components[0] = Expression::parse("-(" + components[0].text() + ")");
      }
    }
    mirror_the_rest(name, setup, offset);
    const auto image = entry.make(setup, offset + sign.cwiseProduct(d.laid));
    const State seen{offset + sign.cwiseProduct(s.q), sign.cwiseProduct(s.v), s.t};

    const ContactSpace a = space_of(*d.mechanism, s);
    const ContactSpace b = space_of(*image, seen);
    MatrixXd P = MatrixXd::Zero(a.b.size(), a.b.size());
    const auto from = order(name, a.count());
    VectorXd gap(a.count());
    for (Index c = 0; c < a.count(); ++c) {
      gap(c) = a.gap(from[static_cast<std::size_t>(c)]);
      for (Index k = 0; k < a.dimension; ++k) {
        P(c * a.dimension + k, from[static_cast<std::size_t>(c)] * a.dimension + k) = k == mirror.odd_row ? -1 : 1;
      }
    }
    expect_close(b.W, P * a.W * P.transpose(), rounding, "W");
    expect_close(b.b, P * a.b, rounding, "b");
    expect_close(b.u, P * a.u, rounding, "u");
    expect_close(b.drift, P * a.drift, rounding, "drift");
    expect_close(b.gap, gap, rounding, "gap");
    const MatrixXd S = sign.asDiagonal();
    const Dynamics before = d.mechanism->dynamics(s);
    const Dynamics after = image->dynamics(seen);
    expect_close(after.M, S * before.M * S, rounding, "M");
    expect_close(after.f, S * before.f, rounding, "f");
    EXPECT_NEAR(after.potential, before.potential, 100 * rounding);
  }
}

}  // namespace symmetry_test
}  // namespace painleve
