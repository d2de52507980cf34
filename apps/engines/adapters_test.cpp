// The adapters of engines, asked directly. What an engine returns on the rod of Preclik & Rüde (dt = 0.01, W and u_free
// in closed form) is computed here a second time from those numbers alone, by the method that the engine is said to
// use; laws that hold whatever the method: turning the scene, a belt instead of a moving body, impulses that explain
// the motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "painleve/base/child_process.hpp"

namespace adapters_test {

using Json = nlohmann::json;
using Pair = std::array<double, 2>;  // tangent, normal

constexpr double DT = 0.01;
const double C30 = std::sqrt(3.0) / 2;
const double W_TT = 3.25, W_TN = -1.5 * C30, W_NN = 1.75;  // mass 1, inertia 1/3, lever (-1/2, -C30)

bool built(const std::string& engine) {
  return ("," + std::string(PAINLEVE_BUILT_ENGINES) + ",").find("," + engine + ",") != std::string::npos;
}

Json ask(const std::string& engine, const Json& request) {
  const auto child =
      painleve::run_child(std::string(PAINLEVE_ENGINE_FOLDER) + "/painleve-engine-" + engine, {}, request.dump());
  EXPECT_EQ(child.exit_code, 0) << engine << ": " << child.err;
  return Json::parse(child.out);
}

Json rod(double mu, double torque) {
  const double third = 1.0 / 3;
  const Json zero = {0, 0, 0};
  const Json body = {{"name", "rod"},
                     {"mass", 1},
                     {"inertia", {{third, 0, 0}, {0, third, 0}, {0, 0, third}}},
                     {"position", {0, C30, 0}},
                     {"rotation", {1, 0, 0, 0}},
                     {"velocity", {-1, 0, 0}},
                     {"angular_velocity", zero},
                     {"force", zero},
                     {"torque", {0, 0, torque}}};
  const Json contact = {{"name", "tip"},
                        {"body", 0},
                        {"point", {-0.5, -C30, 0}},
                        {"at", {-0.5, 0, 0}},
                        {"normal", {0, 1, 0}},
                        {"tangents", {{1, 0, 0}}},
                        {"mu", mu},
                        {"gap", 0},
                        {"surface_velocity", zero},
                        {"restitution", 0}};
  const Pair free = {-1 + DT * 3 * torque * C30, -DT - DT * 1.5 * torque};
  const Json space = {{"W", {{W_TT, W_TN}, {W_TN, W_NN}}},
                      {"u_free", free},
                      {"u", {-1, 0}},
                      {"b", {0, -1}},
                      {"mu", {mu}},
                      {"gap", {0}}};
  return {{"schema", 1},           {"request", "step"}, {"setting", ""},         {"dimension", 2},        {"dt", DT},
          {"gravity", {0, -1, 0}}, {"bodies", {body}},  {"contacts", {contact}}, {"contact_space", space}};
}

const Json no_solution = rod(1.5, 0);
const Json three_solutions = rod(1.5, -5.0 / 3);
const Json control = rod(0.3, 0);

double dot(const Json& a, const Json& b) {
  return a[0].get<double>() * b[0].get<double>() + a[1].get<double>() * b[1].get<double>() +
         a[2].get<double>() * b[2].get<double>();
}

// Velocity of a contact after the step, from the velocities of the body.
Pair contact_velocity(const Json& request, const Json& reply, std::size_t i) {
  const Json& c = request["contacts"][i];
  const Json& v = reply["velocities"][0];
  const double w = v["angular_velocity"][2];
  const double x = c["at"][0].get<double>() - request["bodies"][0]["position"][0].get<double>();
  const double y = c["at"][1].get<double>() - request["bodies"][0]["position"][1].get<double>();
  const Json u = {v["velocity"][0].get<double>() - w * y - c["surface_velocity"][0].get<double>(),
                  v["velocity"][1].get<double>() + w * x - c["surface_velocity"][1].get<double>(), 0};
  return {dot(u, c["tangents"][0]), dot(u, c["normal"])};
}

// (Λ_t, Λ_n) = W⁻¹ (u_after − u_free): from the motion, not from what the engine says of its forces.
Pair impulse(const std::string& engine, const std::string& setting, Json request) {
  request["setting"] = setting;
  const Json reply = ask(engine, request);
  EXPECT_EQ(reply["represents"], true) << reply.dump();
  const Pair u = contact_velocity(request, reply, 0);
  const double t = u[0] - request["contact_space"]["u_free"][0].get<double>();
  const double n = u[1] - request["contact_space"]["u_free"][1].get<double>();
  const double determinant = W_TT * W_NN - W_TN * W_TN;
  return {(W_NN * t - W_TN * n) / determinant, (W_TT * n - W_TN * t) / determinant};
}

void expect_near(const Pair& a, const Pair& b, double tolerance, const std::string& what) {
  EXPECT_NEAR(a[0], b[0], tolerance) << what << ", tangent";
  EXPECT_NEAR(a[1], b[1], tolerance) << what << ", normal";
}

struct Sweeps {
  int count = 0;
  bool friction_first = false;
  double mixing = 0;                                        // share by which the diagonal of W is enlarged
  double bound = std::numeric_limits<double>::quiet_NaN();  // of friction, where it does not follow the normal impulse
};

Pair swept(const Json& request, const Sweeps& s) {
  const double mu = request["contact_space"]["mu"][0];
  const Pair q = request["contact_space"]["u_free"].get<Pair>();
  const double tt = W_TT * (1 + s.mixing), nn = W_NN * (1 + s.mixing);
  Pair r{};
  const auto normal = [&] { r[1] = std::max(0.0, -(q[1] + W_TN * r[0]) / nn); };
  const auto friction = [&] {
    const double bound = std::isnan(s.bound) ? mu * r[1] : s.bound;
    r[0] = std::clamp(-(q[0] + W_TN * r[1]) / tt, -bound, bound);
  };
  for (int k = 0; k < s.count; ++k) {
    if (s.friction_first) friction();
    normal();
    if (!s.friction_first) friction();
  }
  return r;
}

// Friction bounded by mu times the normal impulse of the problem without friction.
Pair two_stages(const Json& request) {
  const double free = request["contact_space"]["u_free"][1];
  const double mu = request["contact_space"]["mu"][0];
  return swept(request, {2000, false, 0, mu * std::max(0.0, -free / W_NN)});
}

// MuJoCo's pyramid: forces f ≥ 0 along its four edges minimise ½ fᵀ(A + R)f + fᵀ(a − a_ref); two of the edges point out
// of the plane and move the normal only. R follows from impedance 0.9 and inverse weight 2/3 of a body in the plane.
Pair pyramid(const Json& request) {
  const double mu = request["contact_space"]["mu"][0];
  const Pair free = request["contact_space"]["u_free"].get<Pair>();
  const double rate = 2 / (0.95 * 0.02);
  const double R = 2 * mu * mu * (1 - 0.9) / 0.9 * (1 + mu * mu) * 2 / 3;
  const std::array<double, 4> slope = {mu, -mu, 0, 0};
  std::array<double, 4> f{};
  for (int k = 0; k < 20000; ++k) {
    for (std::size_t i = 0; i < 4; ++i) {
      const double t = mu * (f[0] - f[1]);
      const double n = f[0] + f[1] + f[2] + f[3];
      const double a_t = (free[0] + 1) / DT + W_TT * t + W_TN * n + rate * -1;
      const double a_n = free[1] / DT + W_TN * t + W_NN * n;
      const double A = slope[i] * slope[i] * W_TT + 2 * slope[i] * W_TN + W_NN;
      f[i] = std::max(0.0, f[i] - (slope[i] * a_t + a_n + R * f[i]) / (A + R));
    }
  }
  return {DT * mu * (f[0] - f[1]), DT * (f[0] + f[1] + f[2] + f[3])};
}

const Pair stick = {0.4407475952641915, 0.3328845264191642};

class Adapters : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::string(PAINLEVE_BUILT_ENGINES).empty()) GTEST_SKIP() << "no engine was built";
  }
};

TEST_F(Adapters, BulletSweepsNormalFirst) {
  for (const std::string engine : {"bullet", "bullet32"}) {
    if (!built(engine)) continue;
    for (const Json& request : {no_solution, control})
      expect_near(impulse(engine, "impulse-10", request), swept(request, {10}), 1e-6, engine);
    expect_near(impulse(engine, "impulse-10", no_solution), {0.1457, 0.0972}, 5e-5, engine);
    expect_near(impulse(engine, "impulse-50", no_solution), stick, 1e-6, engine);
    expect_near(impulse(engine, "impulse-10", three_solutions), {0, 0}, 1e-7, engine);
  }
}

TEST_F(Adapters, BulletsFrictionForgetsTheTorqueOfTheStep) {
  if (!built("bullet")) GTEST_SKIP() << "Bullet was not built";
  const double torque = -0.2;
  Json request = rod(1.5, torque);
  request["setting"] = "impulse-1000";
  const Pair u = contact_velocity(request, ask("bullet", request), 0);
  expect_near(u, {DT * 3 * torque * C30, 0}, 1e-9, "what the torque gives is left");
}

TEST_F(Adapters, DantzigsMethodBoundsFrictionInTwoStages) {
  for (const Json& request : {no_solution, control, three_solutions}) {
    if (built("bullet")) expect_near(impulse("bullet", "mlcp-dantzig", request), two_stages(request), 1e-9, "bullet");
    if (built("dart")) expect_near(impulse("dart", "default", request), two_stages(request), 1e-6, "dart");
  }
}

TEST_F(Adapters, DartMixesAHundredThousandth) {
  if (!built("dart")) GTEST_SKIP() << "DART was not built";
  expect_near(impulse("dart", "pgs-1000", no_solution), swept(no_solution, {1000, false, 1e-5}), 1e-9, "dart");
}

TEST_F(Adapters, Box2dSweepsFrictionFirst) {
  if (!built("box2d")) GTEST_SKIP() << "Box2D was not built";
  expect_near(impulse("box2d", "default", no_solution), swept(no_solution, {8, true}), 2e-6, "N");
  expect_near(impulse("box2d", "default", control), swept(control, {8, true}), 2e-6, "control");
  expect_near(impulse("box2d", "velocity-50", no_solution), stick, 2e-6, "N, 50");
}

TEST_F(Adapters, MujocoMinimisesOverThePyramid) {
  if (!built("mujoco")) GTEST_SKIP() << "MuJoCo was not built";
  for (const Json& request : {no_solution, control, three_solutions})
    expect_near(impulse("mujoco", "default", request), pyramid(request), 1e-7, "mujoco");
  expect_near(impulse("mujoco", "default", no_solution), {0.3827, 0.2816}, 5e-5, "N");
}

TEST_F(Adapters, SimbodyLetsTheContactGoAndSaysSo) {
  if (!built("simbody")) GTEST_SKIP() << "Simbody was not built";
  expect_near(impulse("simbody", "rigid-plus", control), swept(control, {1000}), 1e-9, "control");
  expect_near(impulse("simbody", "rigid-plus", no_solution), {0, 0}, 1e-12, "N");
  expect_near(impulse("simbody", "rigid-pgs-10000", no_solution), stick, 1e-9, "N, many sweeps");
  Json request = no_solution;
  request["setting"] = "rigid-pgs";
  EXPECT_FALSE(ask("simbody", request)["warnings"].empty()) << "100 sweeps are too few";
}

struct Subject {
  const char* engine;
  const char* setting;
  double rounding;
};
constexpr Subject subjects[] = {{"bullet", "impulse-10", 1e-12}, {"bullet32", "impulse-10", 1e-6},
                                {"mujoco", "default", 1e-9},     {"dart", "pgs", 1e-12},
                                {"box2d", "default", 5e-6},      {"simbody", "rigid-pgs", 1e-12},
                                {"ode", "quickstep-20", 1e-12}};

Json turned(const Json& a, double angle, double dx = 0, double dy = 0) {
  const double x = a[0], y = a[1];
  return {std::cos(angle) * x - std::sin(angle) * y + dx, std::sin(angle) * x + std::cos(angle) * y + dy, 0};
}

TEST_F(Adapters, TurningAndMovingTheSceneChangesNothing) {
  const double angle = 0.6;
  Json other = no_solution;
  other["gravity"] = turned(other["gravity"], angle);
  Json& body = other["bodies"][0];
  body["position"] = turned(body["position"], angle, 3, -2);
  body["velocity"] = turned(body["velocity"], angle);
  body["rotation"] = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
  Json& contact = other["contacts"][0];
  contact["at"] = turned(contact["at"], angle, 3, -2);
  contact["normal"] = turned(contact["normal"], angle);
  contact["tangents"][0] = turned(contact["tangents"][0], angle);
  for (const Subject& s : subjects) {
    if (!built(s.engine)) continue;
    expect_near(impulse(s.engine, s.setting, other), impulse(s.engine, s.setting, no_solution), s.rounding, s.engine);
  }
}

TEST_F(Adapters, ABeltUnderABodyAtRestIsTheSame) {
  Json other = no_solution;
  other["bodies"][0]["velocity"] = {0, 0, 0};
  other["contacts"][0]["surface_velocity"] = {1, 0, 0};
  for (const Subject& s : subjects) {
    if (!built(s.engine)) continue;
    Json request = other;
    request["setting"] = s.setting;
    if (ask(s.engine, request)["represents"] == false) continue;
    expect_near(impulse(s.engine, s.setting, other), impulse(s.engine, s.setting, no_solution), s.rounding, s.engine);
  }
}

// A body that slides on two feet: u_after = u_free + W Λ with the impulses that the engine reports, contact by contact.
TEST_F(Adapters, ReportedImpulsesExplainTheMotionOnTwoFeet) {
  Json request = rod(0.2, 0);
  request["bodies"][0]["position"] = {0, 0.3, 0};
  request["bodies"][0]["velocity"] = {0.5, 0, 0};
  Json foot = request["contacts"][0];
  const std::array<double, 2> x = {-0.5, 0.4};
  request["contacts"] = Json::array();
  for (const double at : x) {
    foot["point"] = {at, -0.3, 0};
    foot["at"] = {at, 0, 0};
    request["contacts"].push_back(foot);
  }
  for (const Subject& s : subjects) {
    if (!built(s.engine)) continue;
    request["setting"] = s.setting;
    const Json reply = ask(s.engine, request);
    const auto Lambda = reply["Lambda"].get<std::vector<double>>();
    ASSERT_EQ(Lambda.size(), 4U) << s.engine;
    const double along = Lambda[0] + Lambda[2], up = Lambda[1] + Lambda[3];
    const double spin = 3 * (0.3 * along + x[0] * Lambda[1] + x[1] * Lambda[3]);
    for (std::size_t i = 0; i < 2; ++i)
      expect_near(contact_velocity(request, reply, i), {0.5 + along + 0.3 * spin, -DT + up + x[i] * spin},
                  std::max(s.rounding, 1e-9), s.engine);
    EXPECT_LT(along, 0) << s.engine << ": friction is against the slip";
  }
}

TEST_F(Adapters, WhatAnEngineCannotTakeIsRefusedWithAReason) {
  Json empty = no_solution;
  empty["bodies"] = Json::array();
  empty["contacts"] = Json::array();
  for (const Subject& s : subjects) {
    if (!built(s.engine)) continue;
    empty["setting"] = s.setting;
    const Json reply = ask(s.engine, empty);
    EXPECT_EQ(reply["represents"], false) << s.engine;
    EXPECT_FALSE(reply["reason"].get<std::string>().empty()) << s.engine;
  }
  if (!built("box2d")) return;
  Json space = no_solution;
  space["dimension"] = 3;
  space["setting"] = "default";
  EXPECT_EQ(ask("box2d", space)["represents"], false);
}

// What an engine does not see must not be held against it: an open contact that closes within the step.
TEST_F(Adapters, AnOpenContactThatClosesIsNotTaken) {
  for (const std::string engine : {"mujoco", "ode", "dart", "box2d", "simbody"}) {
    if (!built(engine)) continue;
    Json request = rod(0.5, 0);
    request["setting"] = ask(engine, {{"schema", 1}, {"request", "describe"}})["settings"][0]["name"];
    request["contacts"][0]["gap"] = 1e-3;
    request["contact_space"]["gap"] = {1e-3};
    EXPECT_TRUE(ask(engine, request)["represents"].get<bool>()) << engine << ": it stays open";
    request["contact_space"]["u_free"] = {-1, -1};
    const Json reply = ask(engine, request);
    EXPECT_FALSE(reply["represents"].get<bool>()) << engine;
    EXPECT_NE(reply["reason"].get<std::string>().find("tip closes within the step"), std::string::npos) << reply;
  }
}

}  // namespace adapters_test
