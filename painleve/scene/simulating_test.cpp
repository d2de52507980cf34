#include "painleve/scene/simulating.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "painleve/base/error.hpp"

namespace painleve {
namespace simulating_test {

using Json = nlohmann::ordered_json;

Scene scene_of(const std::string& name, const std::vector<std::string>& set = {}) {
  SceneSource source = SceneSource::open(name);
  for (const auto& assignment : set) source.set(assignment);
  return source.build();
}

SimulateOptions stepping(double t_end, double dt) {
  SimulateOptions o;
  o.method = SimulationMethod::step;
  o.simulation.t_end = t_end;
  o.stepping.dt = dt;
  return o;
}

std::string refusal(const Scene& scene, const SimulateOptions& options) {
  try {
    simulate(scene, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Simulating, NamesAreReadBack) {
  for (const auto& name : simulation_methods()) EXPECT_EQ(to_string(simulation_method(name)), name);
  for (const auto& name : step_schemes()) EXPECT_EQ(to_string(step_scheme(name)), name);
  EXPECT_EQ(to_string(SimulationMethod::compliant), std::string("compliant"));
  EXPECT_EQ(to_string(StepScheme::stewart_trinkle), std::string("stewart-trinkle"));
  EXPECT_THROW(simulation_method("events"), InputError);
  EXPECT_THROW(step_scheme("moreau"), InputError);
}

TEST(Simulating, MethodFitsTheScene) {
  SimulateOptions o;
  EXPECT_EQ(chosen_method(scene_of("rod"), o), SimulationMethod::event);
  EXPECT_EQ(chosen_method(scene_of("table-a1-6a"), o), SimulationMethod::compliant);
  EXPECT_EQ(chosen_method(scene_of("brake-squeal"), o), SimulationMethod::compliant) << "its springs are compressed";
  const Scene raw = SceneSource::parse(R"(
mechanism = "contact-space"
[parameters]
W = [[1, 0], [0, 1]]
b = [0, -1]
u = [1, 0]
mu = [0.5]
)",
                                       "raw")
                        .build();
  EXPECT_EQ(chosen_method(raw, o), SimulationMethod::compliant);
  for (const auto method : {SimulationMethod::event, SimulationMethod::step}) {
    o.method = method;
    EXPECT_NE(refusal(raw, o).find("contact-space has the method compliant only"), std::string::npos);
    EXPECT_NE(refusal(scene_of("table-a1-6a"), o).find("drifting-contacts"), std::string::npos);
  }
}

// Where no contact would heed it, smoothing is refused.
TEST(Simulating, SmoothingThatChangesNothingIsRefused) {
  SimulateOptions o;
  o.method = SimulationMethod::compliant;
  o.simulation.t_end = 0.01;
  o.compliant.smoothing = 1e-3;
  const auto rod = [](const std::string& assignment) {
    SceneSource source = SceneSource::open("rod");
    source.set(assignment);
    return source.build();
  };
  EXPECT_EQ(refusal(scene_of("rod"), o), "");
  for (const char* smooth : {"tangential_stiffness=1e5", "tangential_damping=10", "compliance=preclik"}) {
    EXPECT_NE(refusal(rod(smooth), o).find("smoothing is for contacts with neither"), std::string::npos) << smooth;
  }
  EXPECT_NE(refusal(scene_of("table-a1-6a"), o).find("drifting-contacts has no smoothing"), std::string::npos);
}

TEST(Simulating, BadOptionsAreNamed) {
  const Scene rod = scene_of("rod");
  SimulateOptions o = stepping(1, 1e-2);
  o.simulation.t_end = 0;
  EXPECT_NE(refusal(rod, o).find("t_end"), std::string::npos);
  o = stepping(1, 1e-2);
  o.simulation.relative = 0;
  EXPECT_NE(refusal(rod, o).find("tolerance"), std::string::npos);
  o = stepping(1, 1e-2);
  o.simulation.samples = -1;
  EXPECT_NE(refusal(rod, o).find("samples"), std::string::npos);
  o = stepping(1, -1);
  EXPECT_NE(refusal(rod, o).find("dt"), std::string::npos);
  o = stepping(4, 1e-2);
  const Scene late = scene_of("rod", {"state.t=5"});
  EXPECT_NE(refusal(late, o).find("t = 5"), std::string::npos) << "the start is not t = 0";
  const Scene below = scene_of("rod", {"contact.tip.closed=false", "y=0.8", "theta=60deg", "stiffness=1e4"});
  EXPECT_NE(refusal(below, stepping(1, 1e-2)).find("rigid"), std::string::npos);
  SimulateOptions springs = stepping(0.01, 1e-2);
  springs.method = SimulationMethod::compliant;
  EXPECT_EQ(refusal(below, springs), "");
}

// A pad that its springs hold in balance starts in the balance of rigid contacts: the bushing carries the friction of
// the whole load, x = μ (preload + m g)/bushing_x. A pad that is given a place has it.
TEST(Simulating, RigidPadStartsInBalance) {
  const std::vector<std::string> soft = {"bushing_x=120", "preload=100", "mu=0.3", "mass=1.5"};
  const double x = 0.3 * (100 + 1.5 * 9.81) / 120;
  for (const auto method : {SimulationMethod::event, SimulationMethod::step}) {
    SimulateOptions o = stepping(0.2, 1e-3);
    o.method = method;
    const auto run = simulate(scene_of("brake-pad", soft), o);
    for (const Sample& s : run.samples) {
      EXPECT_NEAR(s.q(0), x, 1e-11) << to_string(method) << " " << s.t;
      EXPECT_NEAR(s.q(1), 0.3, 1e-12) << to_string(method) << " " << s.t;
    }
    std::vector<std::string> given = soft;
    given.emplace_back("state.x=0.1");
    EXPECT_NEAR(simulate(scene_of("brake-pad", given), o).samples.front().q(0), 0.1, 1e-4) << to_string(method);
  }
}

// A pad in balance stays there, and nothing of it is fast: neither dampers that rounding turns on and off nor an
// iteration that rounding keeps from agreeing may shorten the steps. The end of the run decides where these lie.
TEST(Simulating, BalancedPadTakesLongSteps) {
  const Scene pad = scene_of("brake-pad", {"compliance=preclik", "stiffness=1e5"});
  SimulateOptions o;
  o.method = SimulationMethod::compliant;
  for (const double t_end : {0.1, 0.3, 1.0, 3.0}) {
    o.simulation.t_end = t_end;
    const auto run = simulate(pad, o);
    EXPECT_EQ(run.stopped, "t_end");
    EXPECT_LT(run.steps, 1000) << t_end;  // of 1/200 of the load on its dampers, which is 1 s long, and more at first
    EXPECT_EQ(run.samples.back().mode, run.samples.front().mode) << t_end;
    EXPECT_LE((run.state.q - run.samples.front().q).cwiseAbs().maxCoeff(), 1e-9) << t_end;
  }
}

// Two feet that stand on stiff dampers: what rounding leaves of an iteration may not shorten the steps to the dampers'
// own time. Each ten times stiffer springs took a hundred times as many steps.
TEST(Simulating, StandingFeetTakeLongSteps) {
  SimulateOptions o;
  o.method = SimulationMethod::compliant;
  o.simulation.t_end = 0.01;
  for (const char* stiffness : {"stiffness=1e6", "stiffness=1e8", "stiffness=1e10", "stiffness=1e12"}) {
    const auto run = simulate(scene_of("two-legged-body", {"compliance=preclik", stiffness}), o);
    EXPECT_EQ(run.stopped, "t_end");
    EXPECT_EQ(run.outcome, "TT");
    EXPECT_LT(run.steps, 10000) << stiffness;
    EXPECT_LE(std::abs(run.energy.defect()), 1e-10 * run.energy.initial) << stiffness;
  }
}

TEST(Simulating, JsonHasTheKeysOfTheContract) {
  const Scene scene = scene_of("rod-no-solution");
  const SimulateOptions o = stepping(0.1, 0.01);
  const auto run = simulate(scene, o);
  const Json j = to_json(scene, o, run);
  for (const char* key : {"method", "stopped", "t", "q", "v", "events", "impulse_n", "impulse_t", "outcome", "energy",
                          "futures", "stop_reason", "jam", "cycle", "steps"})
    EXPECT_TRUE(j.contains(key)) << key;
  EXPECT_EQ(j["command"], "simulate");
  EXPECT_EQ(j["method"], "step");
  EXPECT_EQ(j["stopped"], "t_end");
  EXPECT_EQ(j["t"], 0.1);
  EXPECT_EQ(j["dt"], 0.01);
  EXPECT_EQ(j["steps"], 10);
  EXPECT_EQ(j["q"]["theta"], run.state.q(2));
  EXPECT_EQ(j["v"]["y"], run.state.v(1));
  ASSERT_EQ(j["events"].size(), 1U);
  const Json& event = j["events"][0];
  EXPECT_EQ(event["kind"], "iwc");
  EXPECT_EQ(event["contact"], "tip");
  EXPECT_EQ(event["mode"], "T");
  EXPECT_NEAR(event["before"]["u_t"][0][0], -1, 1e-14);
  EXPECT_NEAR(event["after"]["u_t"][0][0], 0, 1e-14);
  EXPECT_NEAR(event["Lambda_n"][0], 3 * std::sqrt(3.0) / 16 + 0.13 / 16, 1e-14);
  EXPECT_EQ(j["impulse_n"][0], run.impulse(1));
  EXPECT_EQ(j["impulse_t"][0][0], run.impulse(0));
  for (const char* key : {"initial", "final", "friction", "impact", "applied", "defect"})
    EXPECT_TRUE(j["energy"][key].is_number()) << key;
  EXPECT_TRUE(j["jam"].is_null());
  EXPECT_TRUE(j.contains("jam_reason"));
  EXPECT_TRUE(j["futures"].empty());
}

TEST(Simulating, FuturesAreTheSameObjectWithWhy) {
  const Scene scene = scene_of("rod-three-solutions");
  SimulateOptions o = stepping(0.1, 0.01);
  o.simulation.policy = Policy::all;
  const Json j = to_json(scene, o, simulate(scene, o));
  EXPECT_EQ(j["stopped"], "branched");
  ASSERT_EQ(j["futures"].size(), 3U);
  const char* words[] = {"F", "S-", "T"};
  for (std::size_t k = 0; k < 3; ++k) {
    const Json& future = j["futures"][k];
    EXPECT_NE(future["why"].get<std::string>().find(words[k]), std::string::npos);
    for (const char* key : {"method", "stopped", "t", "q", "v", "events", "impulse_n", "energy", "futures", "outcome"})
      EXPECT_TRUE(future.contains(key)) << key;
  }
}

// Every method is asked about the same falling rod before anything happens: three independent routes.
TEST(Simulating, ThreeMethodsAgreeOnASlidingRod) {
  const Scene scene = scene_of("rod", {"theta=70deg", "slip=0.5", "mu=0.3", "stiffness=1e9"});
  SimulateOptions o = stepping(0.1, 1e-5);
  const auto steps = simulate(scene, o);
  o.method = SimulationMethod::event;
  const auto events = simulate(scene, o);
  o.method = SimulationMethod::compliant;
  const auto springs = simulate(scene, o);
  EXPECT_LT((steps.state.q - events.state.q).norm(), 1e-5);
  EXPECT_LT((steps.state.v - events.state.v).norm(), 1e-4);
  EXPECT_LT((springs.state.q - events.state.q).norm(), 1e-4);
  EXPECT_LT((springs.state.v - events.state.v).norm(), 1e-3);
  EXPECT_NEAR(steps.impulse(1), events.impulse(1), 1e-4);
}

TEST(Simulating, RawScenesRunWithSprings) {
  const Scene drifting = scene_of("table-a1-6a");
  SimulateOptions o;
  o.simulation.t_end = 0.02;
  const auto run = simulate(drifting, o);
  EXPECT_EQ(run.dimension, 1);
  EXPECT_EQ(run.outcome, "FS");
  const Json j = to_json(drifting, o, run);
  EXPECT_EQ(j["method"], "compliant");
  EXPECT_TRUE(j["policy"].is_null());
  EXPECT_TRUE(j["q"].empty());
  EXPECT_EQ(j["impulse_n"].size(), 2U);
}

}  // namespace simulating_test
}  // namespace painleve
