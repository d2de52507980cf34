// Calls by name: what is answered, and which status goes with which mishap.
#include "studio.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "jobs.hpp"
#include "painleve/base/error.hpp"

namespace painleve::studio {
namespace studio_test {

const std::map<std::string, QuickCall>& fakes() {
  static const std::map<std::string, QuickCall> calls = {
      {"echo", [](const Json& request) { return request; }},
      {"wrong", [](const Json&) -> Json { throw InputError("theta must be \"finite\""); }},
      {"huge", [](const Json&) -> Json { throw std::bad_alloc(); }},
      {"broken", [](const Json&) -> Json { throw std::runtime_error("no luck"); }},
  };
  return calls;
}

std::string map_request(int count) {
  return R"({"kind":"map","scene":{"name":"rod"},"of":"verdict","x":{"path":"state.theta","from":0.1,"to":1,"count":)" +
         std::to_string(count) + R"(},"y":{"path":"contact.mu","from":0,"to":3,"count":3}})";
}

class StudioAnswer : public testing::Test {
 protected:
  Reply ask(const std::string& name, const std::string& body = "{}") {
    Reply reply = answer("/api/" + name, body, fakes(), jobs_);
    EXPECT_EQ(reply.type, "application/json");
    json_ = Json::parse(reply.body, nullptr, false);
    refused_ = json_.contains("error") && json_.size() == 1;
    EXPECT_TRUE(refused_ || reply.status == 200) << reply.body;
    return reply;
  }

  Json json_;
  bool refused_ = false;
  // Runs until it is cancelled, so that others wait.
  Jobs jobs_{{{"map",
               [](const Json&, const JobContext& context) {
                 context.publish({{"final", false}});
                 while (context.proceed(0.5)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
               }}},
             JobLimits{.waiting = 1}};
};

TEST_F(StudioAnswer, EachMishapHasItsStatus) {
  EXPECT_EQ(ask("echo", R"({"b":1,"a":[0.1]})").body, R"({"b":1,"a":[0.1]})");
  EXPECT_FALSE(refused_);
  EXPECT_EQ(ask("wrong").status, 400);
  EXPECT_EQ(json_["error"], "theta must be \"finite\"");
  EXPECT_EQ(ask("echo", "{").status, 400);
  EXPECT_EQ(ask("echo", "7").status, 400);
  EXPECT_EQ(ask("huge").status, 507);
  EXPECT_EQ(ask("broken").status, 500);
  EXPECT_EQ(ask("ecko").status, 404);
  EXPECT_EQ(json_["error"], "unknown call 'ecko'; did you mean 'echo'?");
  EXPECT_EQ(ask("").status, 404);
}

TEST_F(StudioAnswer, APolitePageIsRefusedWithoutAnErrorStatus) {
  EXPECT_EQ(ask("wrong", R"({"polite":true})").status, 200);
  EXPECT_TRUE(refused_);
  EXPECT_EQ(json_["error"], "theta must be \"finite\"");
  EXPECT_EQ(ask("wrong", R"({"polite":false})").status, 400);
  EXPECT_EQ(ask("wrong", R"({"polite":"yes"})").status, 400);
  EXPECT_EQ(ask("echo", R"({"polite":true,"a":1})").body, R"({"a":1})") << "it is no part of the question";
  EXPECT_EQ(ask("job", R"({"polite":true,"kind":"nap"})").status, 200);
  EXPECT_TRUE(refused_);
}

TEST_F(StudioAnswer, JobsAreStartedFoundAndCancelled) {
  EXPECT_EQ(ask("job", map_request(3)).status, 200);
  const std::string id = json_["id"];
  while (json_["stage"] != 1) ask("result", R"({"id":")" + id + "\"}");
  EXPECT_EQ(json_["state"], "running");
  EXPECT_EQ(json_["result"], Json({{"final", false}}));
  EXPECT_EQ(ask("result", R"({"id":")" + id + R"(","after":1})").status, 200);
  EXPECT_TRUE(json_["result"].is_null());
  EXPECT_EQ(ask("job", map_request(4)).status, 200);
  EXPECT_EQ(ask("job", map_request(5)).status, 429);
  EXPECT_EQ(ask("job", map_request(3)).status, 200);
  EXPECT_EQ(json_["id"], id);
  EXPECT_EQ(ask("jobs").status, 200);
  EXPECT_EQ(json_["jobs"].size(), 2U);
  EXPECT_EQ(ask("cancel", R"({"id":")" + id + "\"}").status, 200);
  while (json_["state"] != "cancelled") ask("result", R"({"id":")" + id + "\"}");
}

TEST_F(StudioAnswer, WrongRequestsStartNothing) {
  EXPECT_EQ(ask("job", map_request(2000000000)).status, 400);
  EXPECT_EQ(ask("job").status, 400);
  EXPECT_EQ(ask("result").status, 400);
  EXPECT_EQ(ask("result", R"({"id":"x"})").status, 400);
  EXPECT_EQ(ask("result", R"({"id":"x","after":-1})").status, 400);
  EXPECT_EQ(ask("cancel", R"({"id":["x"]})").status, 400);
  EXPECT_EQ(ask("jobs", R"({"all":true})").status, 400);
  EXPECT_EQ(ask("jobs").status, 200);
  EXPECT_TRUE(json_["jobs"].empty());
}

}  // namespace studio_test
}  // namespace painleve::studio
