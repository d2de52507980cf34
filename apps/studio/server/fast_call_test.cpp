#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "painleve/contact/contact_space.hpp"
#include "studio_scenes_for_tests.hpp"

namespace painleve::studio {
namespace fast_call_test {

Json fast(const std::string& name, double stiffness = 1, double damping = 1, Json set = Json::object()) {
  Json request = named(name, std::move(set));
  request["contact"] = 0;
  request["stiffness"] = stiffness;
  request["damping"] = damping;
  return request;
}

Json from(Json request, double y, double v) {
  request["start"] = {y, v};
  return fast_trajectory(request);
}

TEST(FastCall, HasTheSaddleOfThePressedRod) {
  const Json reply = fast_dynamics(fast("rod-three-solutions", 4, 0.5));
  const Scene scene = built_scene(named("rod-three-solutions"));
  const PlanarContact c = planar_contact(scene.space, 0);
  const double p = c.W_nn + c.mu * c.W_tn;  // slips along −t
  ASSERT_LT(p, 0);
  ASSERT_EQ(reply["equilibria"].size(), 1U);
  EXPECT_TRUE(reply["equilibria"][0]["saddle"].get<bool>());
  EXPECT_NEAR(reply["equilibria"][0]["at"][0].get<double>(), c.b_n / p / 4, 1e-12);
  EXPECT_EQ(reply["separatrices"].size(), 4U);
  EXPECT_EQ(reply["field"].size(), 21U * 15U);
  EXPECT_FALSE(reply["plot"]["layers"].empty());
}

TEST(FastCall, ArrowsHaveUnitLengthInTheWindow) {
  const Json reply = fast_dynamics(fast("rod", 100, 3));
  const Json& w = reply["window"];
  const double width = w["y_to"].get<double>() - w["y_from"].get<double>();
  const double height = w["v_to"].get<double>() - w["v_from"].get<double>();
  for (const Json& arrow : reply["field"]) {
    const double y = arrow["direction"][0], v = arrow["direction"][1];
    EXPECT_NEAR(std::hypot(y, v), 1, 1e-12);
    const double speed = arrow["at"][1];
    EXPECT_EQ(y > 0, speed > 0) << "the gap grows where the speed is positive";
    EXPECT_TRUE(arrow["at"][0] > w["y_from"] && arrow["at"][0] < w["y_to"] && std::abs(speed) < height && width > 0);
  }
}

TEST(FastCall, ForceIsThatOfSpringAndDamper) {
  const Json reply = from(fast("rod", 10, 2), -0.2, -0.5);
  ASSERT_EQ(reply["force"].size(), reply["points"].size());
  EXPECT_EQ(reply["points"][0], Json::array({-0.2, -0.5}));
  EXPECT_EQ(reply["past"][0], Json::array({-0.2, -0.5}));
  for (std::size_t i = 0; i < reply["points"].size(); ++i) {
    const double y = reply["points"][i][0], v = reply["points"][i][1];
    EXPECT_NEAR(reply["force"][i].get<double>(), std::max(0.0, -10 * y - 2 * v), 1e-12);
  }
}

// The same law integrated in small steps of time, far beyond any window.
struct Law {
  PlanarContact c;
  double k, nu;

  double friction(double f) const {
    if (c.u_t != 0) return c.u_t > 0 ? -c.mu * f : c.mu * f;
    return std::clamp(-(c.b_t + c.W_tn * f) / c.W_tt, -c.mu * f, c.mu * f);
  }
  std::array<double, 2> rate(const std::array<double, 2>& s) const {
    const double f = std::max(0.0, -k * s[0] - nu * s[1]);
    return {s[1], c.b_n + c.W_nn * f + c.W_tn * friction(f)};
  }
};

std::string integrated_fate(const Law& law, std::array<double, 2> s, double h, double far) {
  for (int n = 0; n < 400'000; ++n) {
    std::array<std::array<double, 2>, 4> k{};
    for (std::size_t i = 0; i < 4; ++i) {
      const double part = i == 0 ? 0 : (i == 3 ? h : h / 2);
      k[i] = law.rate({s[0] + (i == 0 ? 0 : part * k[i - 1][0]), s[1] + (i == 0 ? 0 : part * k[i - 1][1])});
    }
    for (std::size_t c = 0; c < 2; ++c) s[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    if (s[0] > far) return "contact breaks";
    if (s[0] < -far) return "force grows without bound";
    if (std::hypot(k[0][0], k[0][1]) < 1e-9) return "comes to rest";
  }
  return "goes on";
}

// Slip with p < 0 < b_n (lift or jam), p, b_n < 0 (jam only), p > 0 > b_n (rest), and rest with stick and slip.
TEST(FastCall, FateIsWhereTheMotionEnds) {
  struct Case {
    const char* name;
    double k, nu;
  };
  for (const Case& at :
       {Case{"rod-three-solutions", 4, 0.5}, Case{"rod-three-solutions", 1, 3}, Case{"rod-no-solution", 2, 1},
        Case{"rod", 5, 1}, Case{"fig12-indeterminate", 1, 1}, Case{"fig9-modes", 3, 0.4}}) {
    const Scene scene = built_scene(named(at.name));
    const Law law{planar_contact(scene.space, 0), at.k, at.nu};
    const Json request = fast(at.name, at.k, at.nu);
    const Json w = fast_dynamics(request)["window"];
    const double height = w["v_to"];
    const double width = std::max(-w["y_from"].get<double>(), w["y_to"].get<double>());
    int decided = 0;
    for (int i = 0; i < 6; ++i) {
      for (int k = 0; k < 5; ++k) {
        const double y =
            w["y_from"].get<double>() + (w["y_to"].get<double>() - w["y_from"].get<double>()) * (i + 0.43) / 6;
        const double v = height * (2 * (k + 0.47) / 5 - 1);
        const std::string said = from(request, y, v)["fate"];
        if (said == "goes on") continue;
        ++decided;
        EXPECT_EQ(said, integrated_fate(law, {y, v}, 1e-3, 300 * width)) << at.name << " from " << y << ", " << v;
      }
    }
    EXPECT_GE(decided, 29) << at.name;
  }
}

TEST(FastCall, WithoutADamperNothingComesToRest) {
  EXPECT_EQ(from(fast("rod", 10, 0), -0.1, 0.0)["fate"], "goes on");
  EXPECT_EQ(from(fast("rod", 10, 0), 0.1, 0.0)["fate"], "goes on");
}

TEST(FastCall, FollowsAWindowThatThePageChose) {
  Json request = fast("rod-three-solutions");
  request["start"] = {0.0, 0.001};
  request["window"] = {{"y_from", -0.01}, {"y_to", 0.01}, {"v_from", -0.01}, {"v_to", 0.01}};
  const Json reply = fast_trajectory(request);
  for (const Json& p : reply["points"]) EXPECT_LT(std::abs(p[0].get<double>()), 0.0105);
  EXPECT_EQ(reply["fate"], "contact breaks");
  request["window"]["y_to"] = -0.02;
  expect_complaint([&] { fast_trajectory(request); }, "window of a portrait must grow");
  request["window"] = 3;
  expect_complaint([&] { fast_trajectory(request); }, "'window' must be an object");
}

TEST(FastCall, TakesContactsByNameAndRefusesOthers) {
  Json request = fast("rod");
  request["contact"] = "tip";
  EXPECT_EQ(fast_dynamics(request), fast_dynamics(fast("rod")));
  request["contact"] = "tp";
  expect_complaint([&] { fast_dynamics(request); }, "did you mean 'tip'");
  request["contact"] = 1;
  expect_complaint([&] { fast_dynamics(request); }, "'contact' is 1");
  expect_complaint([] { fast_dynamics(fast("rod-3d")); }, "one contact in the plane");
  expect_complaint([] { fast_dynamics(fast("two-contact-jam")); }, "one contact in the plane");
  expect_complaint([] { fast_dynamics(fast("klein-none")); }, "bilateral");
  expect_complaint([] { fast_dynamics(fast("rod", 1e-9, 0, {{"parameters.gravity", 1e305}})); }, "no finite scale");
  expect_complaint([] { from(fast("rod", 1e-9, 0, {{"parameters.gravity", 1e305}}), 0, 1); }, "no finite scale");
  expect_complaint([] { fast_dynamics(fast("rod", 1e15, 0, {{"parameters.mass", 1e-295}})); }, "beyond 1e100");
  expect_complaint([] { from(fast("rod"), 1e308, 0); }, "'start' must lie within");
  expect_complaint([] { fast_dynamics(fast("rod", 0)); }, "'stiffness' is 0");
  expect_complaint([] { fast_dynamics(fast("rod", 1, -1)); }, "'damping' is -1");
}

}  // namespace fast_call_test
}  // namespace painleve::studio
