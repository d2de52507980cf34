// Runs as jobs: the report is that of the command line, the tracks hold the tree of futures without a gap, and the
// frames show every event.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "api.hpp"
#include "job_requests.hpp"
#include "painleve/base/error.hpp"
#include "studio_scenes_for_tests.hpp"
#include "tracks.hpp"

namespace painleve::studio {
namespace simulate_job_test {

Json request_for(const char* scene, double t_end, const char* policy = "principle") {
  return {{"kind", "simulate"}, {"scene", {{"name", scene}}}, {"t_end", t_end}, {"policy", policy}};
}

// The result, of a job that is stopped when it has come so far.
Json result_of(const Json& request, double stop_at = 2, std::vector<double>* parts = nullptr) {
  Json result;
  simulate_job(request, {[&](Json r) { result = std::move(r); },
                         [&](double part) {
                           if (parts != nullptr) parts->push_back(part);
                           return part < stop_at;
                         }});
  return result;
}

// No number that is not one: JSON would hide it.
void expect_finite(const Json& j) {
  EXPECT_TRUE(!j.is_number_float() || std::isfinite(j.get<double>()));
  if (j.is_structured())
    for (const Json& member : j) expect_finite(member);
}

TEST(SimulateJob, ReportIsThatOfTheCommandLine) {
  struct Case {
    const char* scene;
    const char* method;
    double t_end;
    Policy policy;
  };
  for (const Case& c :
       {Case{"rod-falling", "event", 1.2, Policy::principle}, Case{"rod-three-solutions", "event", 0.2, Policy::all},
        Case{"rod-three-solutions", "step", 0.05, Policy::all},
        Case{"rod-no-solution", "compliant", 0.05, Policy::principle},
        Case{"table-a1-6a", "compliant", 0.02, Policy::principle},
        Case{"rod-3d-crossing", "event", 0.1, Policy::stiff_limit}}) {
    Json request = request_for(c.scene, c.t_end, to_string(c.policy));
    request["method"] = c.method;
    SimulateOptions options;
    options.method = simulation_method(c.method);
    options.simulation.t_end = c.t_end;
    options.simulation.policy = c.policy;
    const Scene scene = SceneSource::open(c.scene).build();
    Json expected = painleve::to_json(scene, options, simulate(scene, options));
    expected["files"] = Json::array();
    const Json result = result_of(request);
    EXPECT_EQ(result["report"].dump(), expected.dump()) << c.scene << " " << c.method;
    expect_finite(result["tracks"]);
  }
}

TEST(SimulateJob, DefaultsAreThoseOfTheCommandLine) {
  const SimulateRequest r = requested_simulation({{"kind", "simulate"}, {"scene", {{"name", "rod"}}}});
  EXPECT_FALSE(r.options.method);
  EXPECT_EQ(r.options.simulation.t_end, 1);
  EXPECT_EQ(r.options.simulation.policy, Policy::principle);
  EXPECT_EQ(r.options.simulation.samples, 1000);
  EXPECT_EQ(r.options.simulation.seed, 0U);
  EXPECT_EQ(r.options.simulation.relative, 1e-11);
  EXPECT_EQ(r.options.stepping.dt, 1e-3);
  EXPECT_EQ(r.options.stepping.scheme, StepScheme::moreau_jean);
  EXPECT_EQ(r.options.stepping.theta, 0.5);
  Json all = {{"kind", "simulate"}, {"scene", {{"name", "rod"}}},  {"method", "step"}, {"dt", 0.01},
              {"seed", 7},          {"scheme", "stewart-trinkle"}, {"samples", 50},    {"policy", "seeded"}};
  const SimulateRequest other = requested_simulation(all);
  EXPECT_EQ(other.options.stepping.dt, 0.01);
  EXPECT_EQ(other.options.stepping.scheme, StepScheme::stewart_trinkle);
  EXPECT_EQ(other.options.simulation.seed, 7U);
  EXPECT_EQ(other.options.simulation.samples, 50);
  EXPECT_EQ(other.options.simulation.policy, Policy::seeded);
}

TEST(SimulateJob, ATrackHoldsTheSamplesOfItsRun) {
  const Json track = result_of(request_for("rod-falling", 1.2))["tracks"][0];
  const Scene scene = SceneSource::open("rod-falling").build();
  SimulateOptions options;
  options.simulation.t_end = 1.2;
  const painleve::Run run = simulate(scene, options);
  ASSERT_EQ(track["t"].size(), run.samples.size());
  EXPECT_EQ(track["rows"], 2);
  ASSERT_EQ(track["u"].size(), 2U);
  ASSERT_EQ(track["lambda"].size(), 2U);
  ASSERT_EQ(track["gap"].size(), 1U);
  for (std::size_t k = 0; k < run.samples.size(); k += 7) {
    const Sample& s = run.samples[k];
    EXPECT_EQ(track["t"][k], s.t);
    EXPECT_EQ(track["gap"][0][k], s.gap(0));
    EXPECT_EQ(track["u"][0][k], s.u(0));
    EXPECT_EQ(track["u"][1][k], s.u(1));
    EXPECT_EQ(track["lambda"][0][k], s.lambda(0));
    EXPECT_EQ(track["lambda"][1][k], s.lambda(1));
    EXPECT_EQ(track["energy"][k], s.energy);
    EXPECT_EQ(track["mode"][k], s.mode);
  }
  ASSERT_EQ(track["events"].size(), 2U);
  EXPECT_EQ(track["events"][0]["t"], run.events[0].t);
  EXPECT_EQ(track["events"][0]["kind"], "slip");
  EXPECT_EQ(track["events"][0]["contact"], run.contacts[0]);
}

// A body that falls for half a second, and then has two futures, one of which branches at once. The library's own runs
// with futures begin with them.
Run branching_run() {
  const auto sample = [](double t, double x) {
    Sample s;
    s.t = t;
    s.q = s.v = Eigen::VectorXd::Constant(3, x);
    s.gap = Eigen::VectorXd::Constant(1, x);
    s.u = s.lambda = Eigen::VectorXd::Constant(2, x);
    s.energy = x;
    s.mode = "F";
    return s;
  };
  const auto run = [&](const char* why, double from, double to, int count) {
    Run r;
    r.contacts = {"tip"};
    r.why = why;
    for (int k = 0; k < count; ++k) {
      const double t = from + (to - from) * k / std::max(1, count - 1);
      r.samples.push_back(sample(t, t));
    }
    return r;
  };
  Run root = run("", 0, 0.5, 11);
  root.futures = {run("late", 0.55, 1, 10), run("none", 0, 0, 0), run("sharp", 0.5, 1, 11)};
  root.futures[1].futures = {run("grandchild", 0.6, 1, 5)};
  return root;
}

TEST(Tracks, AreContinuousDepthFirst) {
  const Scene scene = SceneSource::open("rod").build();
  const Json all = tracks(scene, branching_run());
  ASSERT_EQ(all.size(), 5U);
  const std::vector<std::string> why = {"", "late", "none", "grandchild", "sharp"};
  const std::vector<int> parents = {-1, 0, 0, 2, 0};
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(all[k]["why"], why[k]);
    EXPECT_EQ(all[k]["parent"], parents[k]);
    if (k == 0) continue;
    const Json& parent = all[all[k]["parent"].get<std::size_t>()];
    EXPECT_EQ(all[k]["t"].front(), parent["t"].back());
    EXPECT_EQ(all[k]["gap"][0].front(), parent["gap"][0].back());
    EXPECT_EQ(all[k]["frames"].front()["drawing"]["strokes"], parent["frames"].back()["drawing"]["strokes"]);
    EXPECT_EQ(all[k]["frames"].front()["t"], parent["t"].back());
  }
  EXPECT_EQ(all[1]["t"].size(), 11U);
  EXPECT_EQ(all[4]["t"].size(), 11U);  // nothing twice
}

// rod-jam slides for a while before it has a choice, the others have it at the start.
TEST(Tracks, OfTheLibrarysFuturesAreContinuous) {
  int continued = 0;
  for (const auto& [scene, method] : {std::pair{"rod-three-solutions", "event"},
                                      {"rod-three-solutions", "step"},
                                      {"rod-jam", "event"},
                                      {"chalk-dots", "event"}}) {
    Json request = request_for(scene, 0.5, "all");
    request["method"] = method;
    const Json all = result_of(request)["tracks"];
    ASSERT_GE(all.size(), 2U);
    for (std::size_t k = 1; k < all.size(); ++k) {
      EXPECT_NE(all[k]["why"], "");
      const Json& parent = all[all[k]["parent"].get<std::size_t>()];
      if (parent["t"].empty()) {
        EXPECT_EQ(all[k]["t"].front(), 0.0);
        continue;
      }
      ++continued;
      EXPECT_EQ(all[k]["t"].front(), parent["t"].back()) << scene;
      EXPECT_NEAR(all[k]["gap"][0].front().get<double>(), parent["gap"][0].back().get<double>(), 1e-12);
      EXPECT_EQ(all[k]["frames"].front()["drawing"]["strokes"], parent["frames"].back()["drawing"]["strokes"]);
    }
  }
  EXPECT_GE(continued, 4);
}

TEST(Tracks, FewerPointsKeepEventsAndEnds) {
  painleve::Run run = branching_run().futures[2];
  const Sample one = run.samples[0];
  run.samples.clear();
  for (int k = 0; k < 10000; ++k) {
    run.samples.push_back(one);
    run.samples.back().t = k * 1e-3;
  }
  for (const int k : {1234, 1235, 7777}) {
    run.events.emplace_back();
    run.events.back().t = run.samples[static_cast<std::size_t>(k)].t;
  }
  const Json track = tracks(SceneSource::open("rod").build(), run)[0];
  ASSERT_LE(track["t"].size(), 4000U);
  ASSERT_GE(track["t"].size(), 3990U);
  std::vector<double> t = track["t"];
  EXPECT_EQ(t.front(), 0);
  EXPECT_EQ(t.back(), 9.999);
  EXPECT_TRUE(std::is_sorted(t.begin(), t.end()));
  EXPECT_EQ(track["gap"][0].size(), t.size());
  EXPECT_EQ(track["mode"].size(), t.size());
  for (std::size_t k = 1; k < t.size(); ++k) EXPECT_LT(t[k] - t[k - 1], 0.0041);
  std::vector<double> frames;
  for (const Json& frame : track["frames"]) frames.push_back(frame["t"]);
  EXPECT_LE(frames.size(), 400U);
  EXPECT_GE(frames.size(), 380U);
  for (const SimulationEvent& event : run.events) {
    EXPECT_EQ(std::count(t.begin(), t.end(), event.t), 1);
    EXPECT_EQ(std::count(frames.begin(), frames.end(), event.t), 1);
  }
  run.events.assign(9000, run.events[0]);
  for (std::size_t k = 0; k < run.events.size(); ++k) run.events[k].t = run.samples[k].t;
  const Json crowded = tracks(SceneSource::open("rod").build(), run)[0];
  EXPECT_EQ(crowded["t"].size(), 4000U);
  EXPECT_EQ(crowded["frames"].size(), 400U);
  EXPECT_EQ(crowded["events"].size(), 9000U);
}

TEST(Tracks, FramesGetDenserTowardsAnEvent) {
  const Json track = result_of(request_for("rod-falling", 1.2))["tracks"][0];
  const double event = track["events"][0]["t"];
  int within = 0;  // a microsecond
  for (const Json& frame : track["frames"]) {
    const double before = event - frame["t"].get<double>();
    within += before > 0 && before < 1e-6 ? 1 : 0;
    EXPECT_FALSE(frame["drawing"]["strokes"].empty());
  }
  EXPECT_GE(within, 3);
  EXPECT_EQ(track["frames"].front()["t"], 0.0);
  EXPECT_EQ(track["frames"].back()["t"], 1.2);
}

TEST(Tracks, AllFramesTogetherAreLimited) {
  TrackLimits limits;
  limits.all_frames = 50;
  std::size_t frames = 0;
  for (const Json& track : tracks(SceneSource::open("rod").build(), branching_run(), limits))
    frames += track["frames"].size();
  EXPECT_LE(frames, 50U);
  EXPECT_GE(frames, 30U);
}

TEST(Tracks, WhatIsNotANumberIsNull) {
  painleve::Run run = branching_run();
  run.samples[2].lambda(1) = std::numeric_limits<double>::infinity();
  run.samples[3].energy = std::numeric_limits<double>::quiet_NaN();
  run.samples[4].u.resize(0);
  const Json track = tracks(SceneSource::open("rod").build(), run)[0];
  EXPECT_TRUE(track["lambda"][1][2].is_null());
  EXPECT_TRUE(track["energy"][3].is_null());
  EXPECT_TRUE(track["u"][0][4].is_null());
  expect_finite(track);
}

TEST(SimulateJob, RawContactDataHaveNoFrames) {
  const Json result = result_of(request_for("table-a1-6a", 0.02));
  EXPECT_EQ(result["tracks"][0]["rows"], 1);
  EXPECT_EQ(result["tracks"][0]["u"].size(), 2U);
  EXPECT_TRUE(result["tracks"][0]["frames"].empty());
}

TEST(SimulateJob, ACancelledRunIsPublishedAsFarAsItCame) {
  Json request = request_for("rod-falling", 1000);
  request["method"] = "step";
  const Json result = result_of(request, 0.001);
  EXPECT_EQ(result["report"]["stopped"], "interrupted");
  EXPECT_LT(result["report"]["t"].get<double>(), 10);
  EXPECT_GT(result["tracks"][0]["t"].size(), 0U);
}

// With every future, one after the other, time starts again and again.
TEST(SimulateJob, ProgressNeverFalls) {
  for (const auto& [scene, policy] : {std::pair{"brake-squeal", "principle"}, {"arm-two-solutions", "all"}}) {
    Json request = request_for(scene, 8, policy);
    request["method"] = "event";
    std::vector<double> parts;
    result_of(request, 2, &parts);
    ASSERT_GE(parts.size(), 10U) << scene;
    EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end())) << scene;
    EXPECT_GE(parts.front(), 0);
    EXPECT_GT(parts.back(), 0.1);
    EXPECT_LE(parts.back(), 1);
  }
}

TEST(SimulateJob, WrongRequestsAreRefusedAtOnce) {
  const auto changed = [](const char* member, const Json& value) {
    Json request = request_for("rod", 1);
    request[member] = value;
    return refusal(request);
  };
  EXPECT_EQ(refusal(request_for("rod", 1)), "nothing was refused");
  EXPECT_EQ(changed("t_end", 1001), "'t_end' is 1001, it must lie between -1000 and 1000");
  EXPECT_EQ(changed("t_end", 0), "t_end must be later than the start at t = 0 s, not 0");
  EXPECT_EQ(changed("dt", 0), "'dt' is 0, it must lie between 1e-07 and 1");
  EXPECT_EQ(changed("method", "evnt"), "unknown method 'evnt'; did you mean 'event'?");
  EXPECT_EQ(changed("scheme", "euler"), "unknown scheme 'euler'; known are: moreau-jean, stewart-trinkle");
  EXPECT_NE(changed("policy", "any"), "nothing was refused");
  EXPECT_NE(changed("seed", -1), "nothing was refused");
  EXPECT_NE(changed("samples", 1e9), "nothing was refused");
  EXPECT_EQ(changed("theta", 1),
            "unknown member of the request 'theta'; known are: kind, scene, method, t_end, policy, seed, dt, scheme, "
            "samples");
  Json raw = request_for("table-a1-6a", 0.02);
  raw["method"] = "event";
  EXPECT_NE(refusal(raw), "nothing was refused");
  EXPECT_NE(changed("scene", {{"name", "rod"}, {"set", {{"parameters.mass", -1}}}}), "nothing was refused");
}

}  // namespace simulate_job_test
}  // namespace painleve::studio
