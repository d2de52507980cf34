// Studies of limits and reports as jobs: the numbers and pages are those of the command line's verbs.
#include <gtest/gtest.h>

#include "api.hpp"
#include "job_requests.hpp"
#include "painleve/base/error.hpp"
#include "studio_scenes_for_tests.hpp"

namespace painleve::studio {
namespace limit_job_test {

Json limit_request() {
  return {{"kind", "limit"},
          {"scene", {{"name", "rod-three-solutions"}}},
          {"stiffness", {1e3, 1e5, 3}},
          {"dt", {1e-2, 1e-3, 3}},
          {"t_end", 0.05}};
}

// The result of a job that is stopped when it has come so far.
Json result_of(const LongCall& job, const Json& request, double stop_at = 2) {
  Json result;
  job(request, {[&](Json r) { result = std::move(r); }, [&](double part) { return part < stop_at; }});
  return result;
}

TEST(LimitJob, ReportIsThatOfTheCommandLine) {
  const Json result = result_of(limit_job, limit_request());
  ConvergeProblem problem;
  problem.stiffness = logarithmic_range(1e3, 1e5, 3);
  problem.dt = logarithmic_range(1e-2, 1e-3, 3);
  problem.simulation.t_end = 0.05;
  problem.simulation.policy = Policy::all;
  problem.scene = SceneSource::open("rod-three-solutions").build();
  Json expected = painleve::to_json(problem, converge(problem));
  expected["files"] = Json::array();
  EXPECT_EQ(result["report"].dump(), expected.dump());
  ASSERT_EQ(result["plots"].size(), 4U);  // errors and a quantity, per method
  for (const Json& plot : result["plots"]) {
    EXPECT_EQ(plot["x"]["scale"], "logarithmic");
    EXPECT_FALSE(plot["layers"].empty());
  }
}

TEST(LimitJob, EndsAtATenthOfASecondUnlessTold) {
  Json request = limit_request();
  request.erase("t_end");
  request.erase("dt");
  const ConvergeProblem problem = requested_limit(request);
  EXPECT_EQ(problem.simulation.t_end, 0.1);
  EXPECT_TRUE(problem.dt.empty());
  EXPECT_EQ(problem.stiffness.size(), 3U);
  EXPECT_EQ(problem.stiffness[1], logarithmic_range(1e3, 1e5, 3)[1]);
}

TEST(LimitJob, ACancelledStudyIsPublishedAsFarAsItCame) {
  for (const double stop_at : {0.0, 0.3, 0.8}) {
    const Json result = result_of(limit_job, limit_request(), stop_at);
    ASSERT_TRUE(result.contains("report")) << stop_at;
    EXPECT_EQ(result["report"]["complete"], false);
    EXPECT_TRUE(result["plots"].is_array());
  }
}

TEST(LimitJob, WrongRequestsAreRefusedAtOnce) {
  const auto changed = [](const char* member, const Json& value) {
    Json request = limit_request();
    request[member] = value;
    return refusal(request);
  };
  EXPECT_EQ(refusal(limit_request()), "nothing was refused");
  EXPECT_EQ(changed("stiffness", {0.5, 1e5, 3}),
            "'stiffness' goes from 0.5 to 100000, allowed are 1 to 100000000000000");
  EXPECT_EQ(changed("stiffness", {1e3, 1e15, 3}).substr(0, 31), "'stiffness' goes from 1000 to 1");
  EXPECT_EQ(changed("dt", {1e-2, 1e-8, 3}), "'dt' goes from 0.01 to 1e-08, allowed are 1e-07 to 1");
  EXPECT_EQ(changed("dt", {1e-2, 1e-3, 13}), "'dt' has 13 values, allowed are 2 to 12");
  EXPECT_EQ(changed("dt", {1e-2, 1e-3, 2.5}), "'dt' has 2.5 values, allowed are 2 to 12");
  EXPECT_NE(changed("dt", {1e-2, 1e-2, 3}), "nothing was refused");
  EXPECT_EQ(changed("dt", {1e-2, 1e-3}), "'dt' must be a list of 3 numbers");
  EXPECT_EQ(changed("t_end", -1), "t_end must be later than the start at t = 0 s, not -1");
  Json neither = limit_request();
  neither["dt"] = nullptr;
  neither.erase("stiffness");
  EXPECT_EQ(refusal(neither), "a limit needs 'stiffness' or 'dt', each as [from, to, count]");
}

TEST(ReportJob, IsAPage) {
  const Json request = {{"kind", "report"}, {"scene", {{"name", "rod-no-solution"}}}, {"t_end", 0.05}};
  EXPECT_EQ(refusal(request), "nothing was refused");
  const Json cut = result_of(report_job, request, 0.0);  // stopped at once, it is a page still
  EXPECT_EQ(cut["html"].get<std::string>().substr(0, 15), "<!DOCTYPE html>");
  EXPECT_EQ(requested_report(request).options.t_end, 0.05);
  EXPECT_NE(refusal({{"kind", "report"}, {"scene", {{"name", "rod"}}}, {"cells", 3}}), "nothing was refused");
}

TEST(LongCalls, KnowTheKindsOfTheContract) {
  std::vector<std::string> names;
  for (const auto& call : long_calls()) names.push_back(call.first);
  EXPECT_EQ(names, (std::vector<std::string>{"limit", "map", "report", "simulate"}));
  EXPECT_EQ(refusal(Json::array()), "a job must be asked for by a JSON object");
  EXPECT_EQ(refusal(Json::object()), "the request needs 'kind'");
  EXPECT_EQ(refusal({{"kind", "reprt"}}), "unknown kind of job 'reprt'; did you mean 'report'?");
}

}  // namespace limit_job_test
}  // namespace painleve::studio
