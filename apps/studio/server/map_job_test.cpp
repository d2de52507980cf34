// Maps as jobs: every value is that of the scene at its cell, coarse ones come first, and wrong requests are refused
// before anything is computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <set>

#include "api.hpp"
#include "job_requests.hpp"
#include "painleve/base/error.hpp"
#include "painleve/scene/analysis.hpp"
#include "studio_scenes_for_tests.hpp"

namespace painleve::studio {
namespace map_job_test {

constexpr double pi = 3.14159265358979323846;

Json axis(const char* path, double from, double to, int count) {
  return {{"path", path}, {"from", from}, {"to", to}, {"count", count}};
}

Json map_request(const char* of, int columns = 70, int rows = 50, const char* scene = "rod") {
  return {{"kind", "map"},
          {"scene", {{"name", scene}}},
          {"x", axis("state.theta", 0.1, pi / 2, columns)},
          {"y", axis("contact.mu", 0, 3, rows)},
          {"of", of}};
}

struct Published {
  std::vector<Json> results;
  std::vector<double> parts;
};

// Runs to the end, or until `most` results are there.
Published published(const LongCall& job, const Json& request, std::size_t most = 1000) {
  Published p;
  std::mutex mutex;
  job(request, {[&](Json result) {
                  const std::lock_guard lock(mutex);
                  p.results.push_back(std::move(result));
                },
                [&](double part) {
                  const std::lock_guard lock(mutex);
                  p.parts.push_back(part);
                  return p.results.size() < most;
                }});
  return p;
}

double at(const Json& a, int k) { return MapAxis{"", "", "", a["from"], a["to"], a["count"]}.at(k); }

// A scene of the cell in column i and row j.
SceneSource source_at(const Json& map, const char* name, int i, int j) {
  SceneSource source = SceneSource::open(name);
  source.set(map["x"]["path"].get<std::string>(), at(map["x"], i));
  source.set(map["y"]["path"].get<std::string>(), at(map["y"], j));
  return source;
}

std::string verdict_of(const Scene& scene) { return to_json(analyze(scene))["verdict"]; }

std::string word_of(const Json& map, int i, int j) {
  const std::size_t cell = static_cast<std::size_t>(j * map["x"]["count"].get<int>() + i);
  return map["names"][map["values"][cell].get<std::size_t>()];
}

TEST(MapJob, ComesInStagesThatEndWithTheGridAskedFor) {
  const Published p = published(map_job, map_request("verdict", 200, 100));
  ASSERT_EQ(p.results.size(), 4U);
  const std::vector<std::pair<int, int>> sizes = {{13, 12}, {50, 25}, {200, 100}, {200, 100}};
  for (std::size_t k = 0; k < 4; ++k) {
    const Json& r = p.results[k];
    EXPECT_EQ(r["x"]["count"], sizes[k].first);
    EXPECT_EQ(r["y"]["count"], sizes[k].second);
    EXPECT_EQ(r["values"].size(), static_cast<std::size_t>(sizes[k].first * sizes[k].second));
    EXPECT_EQ(r["reason"].size(), r["values"].size());
    EXPECT_EQ(r["final"], k >= 2);
    EXPECT_EQ(r["boundaries"].empty(), k < 3);
    EXPECT_EQ(r.contains("boundaries_reason"), k == 2);
  }
  EXPECT_EQ(p.results[2]["values"], p.results[3]["values"]);
  EXPECT_EQ(p.results[3]["x"]["name"], "theta");
  EXPECT_EQ(p.results[3]["x"]["unit"], "rad");
  EXPECT_EQ(p.results[3]["y"]["path"], "contact.mu");
  EXPECT_TRUE(std::is_sorted(p.parts.begin(), p.parts.end()));
  EXPECT_GE(p.parts.front(), 0);
  EXPECT_LE(p.parts.back(), 1);
}

TEST(MapJob, SmallMapsHaveOneStage) {
  const Published p = published(map_job, map_request("mu_jam", 12, 7));
  ASSERT_EQ(p.results.size(), 1U);
  EXPECT_EQ(p.results[0]["final"], true);
  EXPECT_FALSE(p.results[0].contains("boundaries_reason"));
}

TEST(MapJob, WordsAreThoseOfAnalyzeRowByRow) {
  const Published p = published(map_job, map_request("verdict"));
  for (const Json& map : {p.results.front(), p.results.back()}) {
    const int columns = map["x"]["count"];
    const int rows = map["y"]["count"];
    std::set<std::string> seen;
    for (int j = 0; j < rows; j += 3) {
      for (int i = 0; i < columns; i += 2) {
        const std::string expected = verdict_of(source_at(map, "rod", i, j).build());
        EXPECT_EQ(word_of(map, i, j), expected) << i << " " << j;
        seen.insert(expected);
      }
    }
    EXPECT_GE(seen.size(), 2U);
  }
}

TEST(MapJob, NumbersAreThoseOfTheMapOfTheLibraryBitByBit) {
  for (const char* of : {"mu_jam", "tip.p", "growth_rate", "solutions_step"}) {
    const Json map = published(map_job, map_request(of)).results.back();
    SceneSource source = SceneSource::open("rod");
    const MapProblem problem{source,
                             {{"contact.mu", "mu", "1", 0, 3, 50}, {"state.theta", "theta", "rad", 0.1, pi / 2, 70}},
                             {Quantity::parse(of)},
                             {},
                             {},
                             "test"};
    const Map expected = compute_map(problem, {});
    ASSERT_EQ(map["values"].size(), expected.columns[0].values.size());
    std::size_t there = 0;
    for (std::size_t k = 0; k < map["values"].size(); ++k) {
      const double x = expected.columns[0].values[k];
      const int reason = map["reason"][k];
      ASSERT_EQ(map["values"][k].is_null(), std::isnan(x)) << of << k;
      ASSERT_EQ(reason >= 0, std::isnan(x));
      if (std::isnan(x)) {
        EXPECT_EQ(map["reasons"][static_cast<std::size_t>(reason)],
                  expected.reasons[static_cast<std::size_t>(expected.columns[0].reasons[k])]);
        continue;
      }
      ++there;
      ASSERT_EQ(Json::parse(map["values"][k].dump()).get<double>(), x);
    }
    EXPECT_GT(there, 100U) << of;
    EXPECT_EQ(map["unit"], Quantity::parse(of).unit());
  }
}

TEST(MapJob, BoundariesRunBetweenTheWordsThatTheyName) {
  const Json map = published(map_job, map_request("verdict")).results.back();
  ASSERT_FALSE(map["boundaries"].empty());
  for (const Json& boundary : map["boundaries"]) {
    for (const Json& chain : boundary["chains"]) {
      for (const Json& point : chain) {
        const double x = point[0];
        const double y = point[1];
        ASSERT_TRUE(x >= 0.1 && x <= pi / 2 && y >= 0 && y <= 3) << point.dump();
        std::set<std::string> around;
        for (const double dx : {-1e-6, 1e-6}) {
          for (const double dy : {-1e-6, 1e-6}) {
            SceneSource source = SceneSource::open("rod");
            source.set("state.theta", std::min(x + dx, pi / 2));
            source.set("contact.mu", y + dy);
            around.insert(verdict_of(source.build()));
          }
        }
        EXPECT_EQ(around, (std::set<std::string>{boundary["below"], boundary["above"]})) << point.dump();
      }
    }
  }
}

TEST(MapJob, RunsComeInMoreStagesAndTakeTheirOptions) {
  Json request = map_request("outcome", 24, 20, "rod-falling");
  request["x"] = axis("state.theta", 0.6, 1.5, 24);
  request["t_end"] = 0.3;
  const Published p = published(map_job, request);
  ASSERT_GE(p.results.size(), 4U);
  EXPECT_EQ(p.results[0]["x"]["count"], 6);
  const Json& map = p.results.back();
  SimulateOptions options;
  options.simulation.t_end = 0.3;
  for (const auto& [i, j] : {std::pair{0, 0}, {5, 13}, {23, 19}, {12, 2}})
    EXPECT_EQ(word_of(map, i, j), simulate(source_at(map, "rod-falling", i, j).build(), options).outcome);
}

TEST(MapJob, CanBeStoppedAtAnyStage) {
  EXPECT_EQ(published(map_job, map_request("verdict", 200, 200), 1).results.size(), 1U);
  EXPECT_EQ(published(map_job, map_request("verdict", 200, 200), 2).results.size(), 2U);
  EXPECT_EQ(published(map_job, map_request("verdict", 200, 200), 3).results.size(), 3U);
}

TEST(MapJob, CanBeStoppedWhileRunsLocateBoundaries) {
  Json request = map_request("outcome", 12, 12, "rod-falling");
  request["t_end"] = 0.5;
  request["method"] = "step";
  const std::size_t all = published(map_job, request).results.size();
  std::vector<Json> results;
  std::atomic<int> asked = 0;  // since the map was there
  map_job(request, {[&](Json result) { results.push_back(std::move(result)); },
                    [&](double) { return results.size() + 1 < all || ++asked < 5; }});
  EXPECT_EQ(results.size(), all - 1);
  EXPECT_GE(asked, 5);
  EXPECT_EQ(results.back()["boundaries_reason"], "they are being located");
}

TEST(MapJob, RaggedRegionsHaveNoBoundaries) {
  Json request = map_request("verdict");
  request["x"] = axis("state.theta", 0, 1e5, 300);  // the angle turns many times between two cells
  request["y"] = axis("contact.mu", 0, 3, 300);
  const Json map = published(map_job, request).results.back();
  EXPECT_TRUE(map["boundaries"].empty());
  EXPECT_EQ(map["boundaries_reason"], "the regions are too ragged for their boundaries to be located");
}

TEST(MapJob, WrongRequestsAreRefusedAtOnce) {
  EXPECT_EQ(refusal(map_request("verdict")), "nothing was refused");
  EXPECT_EQ(refusal(map_request("verdct")), "unknown quantity 'verdct'; did you mean 'verdict'?");
  EXPECT_EQ(refusal(map_request("foot.mu_jam")), "unknown contact 'foot'; known are: tip");
  EXPECT_EQ(refusal(map_request("verdict", 1000, 251)),
            "the map has 251000 cells, allowed are 250000 for verdict: give fewer points");
  EXPECT_EQ(refusal(map_request("outcome", 201, 200)),
            "the map has 40200 cells, allowed are 40000 for outcome: give fewer points");
  EXPECT_EQ(refusal(map_request("verdict", 1001, 2)), "'count' is 1001, it must lie between 2 and 1000");
  EXPECT_EQ(refusal(map_request("verdict", 1, 2)), "'count' is 1, it must lie between 2 and 1000");
  const auto changed = [](const char* member, const Json& value) {
    Json request = map_request("verdict");
    request[member] = value;
    return refusal(request);
  };
  EXPECT_EQ(changed("x", axis("theta", 1, 1, 5)), "the axis of theta goes from 1 to 1: it must rise");
  EXPECT_EQ(changed("x", axis("contact.mu", 0, 1, 5)), "both axes are mu: give two variables");
  EXPECT_EQ(changed("x", axis("state.thetta", 0, 1, 5)), "unknown key 'state.thetta'; did you mean 'state.theta'?");
  EXPECT_EQ(changed("x", {{"path", "theta"}, {"from", 0}, {"to", 1}}), "the axis of theta needs a count of points");
  EXPECT_EQ(changed("y", 3), "a map needs 'y': an object with path, from, to and count");
  EXPECT_EQ(changed("polcy", "all"), "unknown member of the request 'polcy'; did you mean 'policy'?");
  EXPECT_NE(changed("policy", "any"), "nothing was refused");
  EXPECT_NE(changed("method", "euler"), "nothing was refused");
  EXPECT_NE(changed("scene", {{"name", "rdo"}}), "nothing was refused");
  EXPECT_EQ(changed("scene", nullptr), "a job needs a scene: an object with its name or its toml");
  EXPECT_EQ(changed("kind", "mpa"), "unknown kind of job 'mpa'; did you mean 'map'?");
}

}  // namespace map_job_test
}  // namespace painleve::studio
