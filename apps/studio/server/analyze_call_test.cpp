#include <gtest/gtest.h>

#include <cmath>

#include "painleve/scene/analysis.hpp"
#include "studio_scenes_for_tests.hpp"

namespace painleve::studio {
namespace analyze_call_test {

// W (−μ e, 1) from the numbers of the analysis.
std::vector<double> edge(const Json& contact, double mu, const std::vector<double>& e) {
  const std::size_t t = e.size();
  std::vector<double> force(t + 1, 1.0), rate(t + 1, 0.0);
  for (std::size_t k = 0; k < t; ++k) force[k] = -mu * e[k];
  for (std::size_t i = 0; i < t; ++i) {
    for (std::size_t k = 0; k < t; ++k) rate[i] += contact["W_tt"][i][k].get<double>() * force[k];
    rate[i] += contact["W_tn"][i].get<double>();
    rate[t] += contact["W_tn"][i].get<double>() * force[i];
  }
  rate[t] += contact["W_nn"].get<double>();
  return rate;
}

void expect_near(const Json& list, const std::vector<double>& wanted) {
  ASSERT_EQ(list.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(list[k].get<double>(), wanted[k], 1e-12);
}

TEST(AnalyzeCall, HasTheWedgeOfAPlanarContact) {
  const Json reply = analyze_scene(named("rod-no-solution"));
  const Json& contact = reply["analysis"]["contacts"][0];
  const Json& cone = reply["cones"][0];
  ASSERT_EQ(reply["cones"].size(), 1U);
  EXPECT_EQ(cone["dimension"], 2);
  expect_near(cone["rim"][0], edge(contact, 1.5, {1}));
  expect_near(cone["rim"][1], edge(contact, 1.5, {-1}));
  expect_near(cone["free"], {contact["b_t"][0].get<double>(), contact["b_n"].get<double>()});
  expect_near(cone["slip"], {-1});
  EXPECT_LT(cone["rim"][1][1].get<double>(), 0) << "S- of this state has p < 0";
  EXPECT_TRUE(cone["section"].empty());
  EXPECT_TRUE(analyze_scene(named("rod-falling"))["cones"][0]["slip"].is_null()) << "at rest";
}

TEST(AnalyzeCall, HasTheConeOfASpatialContact) {
  for (const double mu : {1.6, 1.7}) {  // mu_jam = 5/3
    const Json reply = analyze_scene(named("rod-45deg", {{"contact.tip.mu", mu}}));
    const Json& cone = reply["cones"][0];
    double lowest = 1e9, largest = 0;
    for (const Json& point : cone["rim"]) {
      lowest = std::min(lowest, point[2].get<double>());
      for (const Json& x : point) largest = std::max(largest, std::abs(x.get<double>()));
    }
    EXPECT_EQ(lowest<0, mu> 5.0 / 3);
    EXPECT_DOUBLE_EQ(cone["extent"].get<double>(), largest);
    EXPECT_EQ(cone["section"].size(), mu > 5.0 / 3 ? 3U : 0U);
    EXPECT_EQ(cone["locking_rim"].empty(), mu < 5.0 / 3);
    expect_near(cone["slip"], {-1, 0});
    const Json& contact = reply["analysis"]["contacts"][0];
    const std::size_t n = cone["rim"].size();
    for (std::size_t i = 0; i < n; ++i) {
      const double angle = 2 * 3.14159265358979323846 * static_cast<double>(i) / static_cast<double>(n);
      expect_near(cone["rim"][i], edge(contact, mu, {std::cos(angle), std::sin(angle)}));
    }
  }
}

TEST(AnalyzeCall, HasNoConeWhereThereIsNone) {
  EXPECT_EQ(analyze_scene(named("two-contact-jam"))["cones"], Json::array({nullptr, nullptr}));
  const Json wheel = analyze_scene(named("rimless-wheel"));
  EXPECT_EQ(wheel["cones"].size(), 8U);
  EXPECT_TRUE(wheel["cones"][0]["slip"].is_array());
  EXPECT_TRUE(wheel["cones"][3]["slip"].is_null()) << "an open contact does not slip";
  const Json held = {{"scene",
                      {{"toml",
                        "mechanism = \"contact-space\"\n[parameters]\nW = [[1.0, 0.0], [0.0, 0.0]]\nb = [0.0, 0.0]\n"
                        "u = [0.0, 0.0]\nmu = 0.5"}}}};
  EXPECT_TRUE(analyze_scene(held)["cones"][0].is_null()) << "nothing moves along its normal";
}

TEST(AnalyzeCall, DrawsEveryMechanismWithItsContacts) {
  for (const std::string& name : scene_names()) {
    SCOPED_TRACE(name);
    const Json reply = analyze_scene(named(name));
    const Scene scene = built_scene(named(name));
    if (scene.kind != SceneKind::mechanism) {
      EXPECT_TRUE(reply["drawing"].is_null());
      continue;
    }
    const Json& drawing = reply["drawing"];
    EXPECT_EQ(drawing["dimension"], scene.space.dimension);
    EXPECT_EQ(drawing["contacts"].size(), scene.space.names.size());
    EXPECT_EQ(drawing.dump().find("null"), std::string::npos) << "a place is not finite";
    EXPECT_FALSE(drawing["strokes"].empty() && drawing["balls"].empty());
    for (std::size_t i = 0; i < scene.space.names.size(); ++i) {
      const Json& contact = drawing["contacts"][i];
      EXPECT_EQ(contact["name"], scene.space.names[i]);
      EXPECT_EQ(contact["tangents"].size(), static_cast<std::size_t>(scene.space.dimension - 1));
    }
  }
}

TEST(AnalyzeCall, RefusesWhatItDoesNotKnow) {
  Json request = named("rod");
  request["scen"] = 1;
  expect_complaint([&] { analyze_scene(request); }, "did you mean 'scene'");
  expect_complaint([] { analyze_scene(named("rod", {{"mass", -1}})); }, "parameters.mass is -1");
  expect_complaint([] { analyze_scene(named("contact-space")); }, "needs [parameters]");
}

}  // namespace analyze_call_test
}  // namespace painleve::studio
