// Jobs: their order and states, what is found again, what cancelling, failing and lack of room do, and many clients at
// once.
#include "jobs.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <new>
#include <vector>

#include "painleve/base/error.hpp"

namespace painleve::studio {
namespace jobs_test {

using namespace std::chrono_literals;

// Calls that the tests hold in their hands: `gate` goes on when it is opened, or stops when it is cancelled.
struct Bench {
  std::atomic<bool> open = false;
  std::atomic<int> runs = 0;
  std::atomic<int> niceness = -1;
  std::mutex mutex;
  std::vector<int> order;
  std::vector<Json> heard;

  std::map<std::string, LongCall> calls() {
    return {{"gate", [this](const Json& request, const JobContext& context) { gate(request, context); }},
            {"words", [](const Json& request, const JobContext& context) { words(request, context); }},
            {"fail", [](const Json& request, const JobContext&) { fail(request); }},
            {"priority", [this](const Json&, const JobContext&) {
               std::thread([this] { niceness = getpriority(PRIO_PROCESS, 0); }).join();
             }}};
  }

  void gate(const Json& request, const JobContext& context) {
    ++runs;
    {
      const std::lock_guard lock(mutex);
      order.push_back(request.value("n", 0));
    }
    context.publish({{"stage", "coarse"}});
    while (!open) {
      if (!context.proceed(0.25)) return;
      std::this_thread::sleep_for(1ms);
    }
    context.publish({{"stage", "fine"}});
  }

  static void words(const Json& request, const JobContext& context) {
    context.publish(std::string(request.value("bytes", std::size_t{1}), 'x'));
  }

  static void fail(const Json& request) {
    const auto how = request.value("how", std::string());
    if (how == "input") throw InputError("theta is 7, allowed are 0 to 1");
    if (how == "memory") throw std::bad_alloc();
    if (how == "odd") throw 7;
    throw std::runtime_error("the disk is full");
  }

  Jobs::Listener listener() {
    return [this](const std::string& state) {
      const std::lock_guard lock(mutex);
      heard.push_back(Json::parse(state));
    };
  }

  // What was said of a job, one word after the other, repetitions left out.
  std::vector<std::string> history(const std::string& id) {
    const std::lock_guard lock(mutex);
    std::vector<std::string> states;
    for (const Json& state : heard) {
      if (state["id"] == id && (states.empty() || states.back() != state["state"])) states.push_back(state["state"]);
    }
    return states;
  }
};

Json gate(int n) { return {{"kind", "gate"}, {"n", n}}; }
Json words(int n, std::size_t bytes) { return {{"kind", "words"}, {"n", n}, {"bytes", bytes}}; }

Json fetched(const Jobs& jobs, const std::string& id, int after = 0) { return Json::parse(jobs.result(id, after)); }

// Waits until the job is in that state; the state where it is after ten seconds, else.
std::string await(const Jobs& jobs, const std::string& id, const std::string& state) {
  std::string now;
  for (int k = 0; k < 10000; ++k) {
    now = fetched(jobs, id, 1 << 30)["state"];
    if (now == state) break;
    std::this_thread::sleep_for(1ms);
  }
  return now;
}

std::string started(Jobs& jobs, const Json& request) { return jobs.start(request)["id"]; }

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(Jobs, RunOneAfterTheOtherInTheOrderOfTheirStart) {
  Bench bench;
  Jobs jobs(bench.calls());
  jobs.listen(bench.listener());
  const std::string first = started(jobs, gate(3));
  EXPECT_EQ(await(jobs, first, "running"), "running");
  const std::string second = started(jobs, gate(1));
  const std::string third = started(jobs, gate(2));
  EXPECT_EQ(fetched(jobs, second)["state"], "waiting");
  const Json list = jobs.list();
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0]["id"], third);
  EXPECT_EQ(list[2]["id"], first);
  EXPECT_EQ(list[2]["state"], "running");
  bench.open = true;
  EXPECT_EQ(await(jobs, third, "done"), "done");
  EXPECT_EQ(bench.order, (std::vector<int>{3, 1, 2}));
  EXPECT_EQ(bench.history(second), (std::vector<std::string>{"waiting", "running", "done"}));
}

TEST(Jobs, StateHasTheMembersOfTheContract) {
  Bench bench;
  Jobs jobs(bench.calls());
  const Json state = jobs.start(gate(1));
  std::vector<std::string> keys;
  for (const auto& item : state.items()) keys.push_back(item.key());
  EXPECT_EQ(keys, (std::vector<std::string>{"id", "kind", "state", "progress", "remaining_s", "stage", "error"}));
  EXPECT_EQ(state["kind"], "gate");
  EXPECT_EQ(state["progress"], 0.0);
  EXPECT_TRUE(state["remaining_s"].is_null());
}

TEST(Jobs, TheSameRequestIsTheSameJob) {
  Bench bench;
  bench.open = true;
  Jobs jobs(bench.calls());
  const std::string id = started(jobs, Json::parse(R"({"kind": "gate", "n": 1, "scene": {"a": 1, "b": [0.5, 2]}})"));
  EXPECT_EQ(await(jobs, id, "done"), "done");
  EXPECT_EQ(started(jobs, Json::parse(R"({"scene": {"b": [0.5, 2.0], "a": 1.0}, "n": 1, "kind": "gate"})")), id);
  EXPECT_EQ(bench.runs, 1);
  for (const char* other : {R"({"kind": "gate", "n": 1, "scene": {"a": 1, "b": [0.5, 2.5]}})",
                            R"({"kind": "gate", "n": 1, "scene": {"a": 1, "b": [2, 0.5]}})",
                            R"({"kind": "gate", "n": 1, "scene": {"a": "1", "b": [0.5, 2]}})",
                            R"({"kind": "gate", "n": 1, "scene": {"a": 1, "b": [0.5, 2, 0.0]}})",
                            R"({"kind": "gate", "n": 1, "scene": {"a": 1, "b": [0.5, 2, -0.0]}})"}) {
    EXPECT_NE(started(jobs, Json::parse(other)), id) << other;
  }
  EXPECT_EQ(jobs.list().size(), 6U);
}

TEST(Jobs, EachResultIsFetchedOnceByWhoSaysWhatIsKnown) {
  Bench bench;
  Jobs jobs(bench.calls());
  jobs.listen(bench.listener());
  const std::string id = started(jobs, gate(1));
  while (fetched(jobs, id)["stage"] == 0) std::this_thread::sleep_for(1ms);
  const Json coarse = fetched(jobs, id);
  EXPECT_EQ(coarse["stage"], 1);
  EXPECT_EQ(coarse["state"], "running");
  EXPECT_EQ(coarse["result"], (Json{{"stage", "coarse"}}));
  EXPECT_TRUE(fetched(jobs, id, 1)["result"].is_null());
  bench.open = true;
  EXPECT_EQ(await(jobs, id, "done"), "done");
  EXPECT_EQ(fetched(jobs, id, 1)["result"], (Json{{"stage", "fine"}}));
  EXPECT_EQ(fetched(jobs, id, 1)["stage"], 2);
  EXPECT_EQ(fetched(jobs, id)["progress"], 1.0);
  EXPECT_TRUE(fetched(jobs, id, 2)["result"].is_null());
}

TEST(Jobs, ProgressIsToldSomeTimesASecondWithTheTimeThatIsLeft) {
  Bench bench;
  Jobs jobs(bench.calls());
  jobs.listen(bench.listener());
  const std::string id = started(jobs, gate(1));
  std::this_thread::sleep_for(1s);
  const Json state = fetched(jobs, id, 9);
  EXPECT_EQ(state["progress"], 0.25);
  EXPECT_GT(state["remaining_s"].get<double>(), 2.0);  // a quarter took a second
  jobs.cancel(id);
  EXPECT_EQ(await(jobs, id, "cancelled"), "cancelled");
  const std::lock_guard lock(bench.mutex);
  EXPECT_GE(bench.heard.size(), 6U);   // waiting, running, stage 1, cancelled, and progress on the way
  EXPECT_LE(bench.heard.size(), 16U);  // though it reported hundreds of times
}

TEST(Jobs, ACancelledJobStopsAndKeepsWhatItPublished) {
  Bench bench;
  Jobs jobs(bench.calls());
  jobs.listen(bench.listener());
  const std::string running = started(jobs, gate(1));
  const std::string waiting = started(jobs, gate(2));
  while (fetched(jobs, running)["stage"] == 0) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(jobs.cancel(waiting)["state"], "cancelled");
  EXPECT_EQ(jobs.cancel(running)["state"], "running");
  EXPECT_EQ(await(jobs, running, "cancelled"), "cancelled");
  EXPECT_EQ(fetched(jobs, running)["result"], (Json{{"stage", "coarse"}}));
  EXPECT_EQ(bench.order, std::vector<int>{1});
  EXPECT_EQ(bench.history(waiting), (std::vector<std::string>{"waiting", "cancelled"}));
  bench.open = true;
  EXPECT_EQ(started(jobs, gate(1)), running);
  EXPECT_EQ(await(jobs, running, "done"), "done");
  EXPECT_EQ(fetched(jobs, running)["stage"], 3);  // stages go on counting
  EXPECT_EQ(jobs.cancel(running)["state"], "done");
}

TEST(Jobs, ARequestThatIsCancelledAndAskedAgainAtOnceRunsAgain) {
  Bench bench;
  std::atomic<int> entered = 0;
  std::atomic<bool> leave = false;
  std::map<std::string, LongCall> calls = {{"deaf", [&](const Json&, const JobContext& context) {
                                              if (++entered > 1) return context.publish("second");
                                              while (!leave) std::this_thread::sleep_for(1ms);
                                            }}};
  Jobs jobs(std::move(calls));
  jobs.listen(bench.listener());
  const std::string id = started(jobs, {{"kind", "deaf"}});
  while (entered == 0) std::this_thread::sleep_for(1ms);
  jobs.cancel(id);
  EXPECT_EQ(jobs.start({{"kind", "deaf"}})["state"], "waiting");
  leave = true;
  EXPECT_EQ(await(jobs, id, "done"), "done");
  EXPECT_EQ(fetched(jobs, id)["result"], "second");
  EXPECT_EQ(bench.history(id), (std::vector<std::string>{"waiting", "running", "waiting", "running", "done"}));
}

TEST(Jobs, AFailureIsASentence) {
  Bench bench;
  Jobs jobs(bench.calls());
  const std::vector<std::pair<const char*, const char*>> cases = {{"input", "theta is 7, allowed are 0 to 1"},
                                                                  {"memory", "not enough memory"},
                                                                  {"odd", "the job failed"},
                                                                  {"", "the disk is full"}};
  for (const auto& one : cases) {
    const std::string id = started(jobs, {{"kind", "fail"}, {"how", one.first}});
    EXPECT_EQ(await(jobs, id, "failed"), "failed");
    EXPECT_EQ(fetched(jobs, id)["error"], one.second);
    EXPECT_TRUE(fetched(jobs, id)["result"].is_null());
    EXPECT_NE(jobs.start({{"kind", "fail"}, {"how", one.first}})["state"], "failed");
  }
}

TEST(Jobs, UnknownKindsAndJobsAreNamed) {
  Bench bench;
  Jobs jobs(bench.calls());
  EXPECT_EQ(refusal([&] { jobs.start({{"kind", "gte"}}); }), "unknown kind of job 'gte'; did you mean 'gate'?");
  EXPECT_EQ(refusal([&] { jobs.start(Json::object()); }), "a job needs a kind: fail, gate, priority, words");
  EXPECT_EQ(refusal([&] { jobs.start({{"kind", 3}}); }), "a job needs a kind: fail, gate, priority, words");
  const std::string sentence = "no such job 'f00': it was never started, or its result had to make room";
  EXPECT_EQ(refusal([&] { jobs.result("f00"); }), sentence);
  EXPECT_EQ(refusal([&] { jobs.cancel("f00"); }), sentence);
}

TEST(Jobs, OnlySoManyWait) {
  Bench bench;
  JobLimits limits;
  limits.waiting = 2;
  Jobs jobs(bench.calls(), limits);
  const std::string running = started(jobs, gate(0));
  EXPECT_EQ(await(jobs, running, "running"), "running");
  started(jobs, gate(1));
  const std::string last = started(jobs, gate(2));
  EXPECT_THROW(jobs.start(gate(3)), TooManyJobs);
  EXPECT_EQ(started(jobs, gate(2)), last);  // found, not queued
  jobs.cancel(last);
  EXPECT_NO_THROW(jobs.start(gate(3)));
}

TEST(Jobs, TheOldestResultsMakeRoom) {
  Bench bench;
  JobLimits limits;
  limits.kept_bytes = 5000;
  Jobs jobs(bench.calls(), limits);
  std::vector<std::string> ids;
  for (int n = 0; n < 5; ++n) {
    ids.push_back(started(jobs, words(n, 1500)));
    EXPECT_EQ(await(jobs, ids.back(), "done"), "done");
    EXPECT_LE(jobs.bytes(), 5000U);
  }
  EXPECT_EQ(refusal([&] { jobs.result(ids[0]); }).substr(0, 12), "no such job ");
  EXPECT_EQ(refusal([&] { jobs.result(ids[1]); }).substr(0, 12), "no such job ");
  for (const std::size_t kept : {2U, 3U, 4U})
    EXPECT_EQ(fetched(jobs, ids[kept])["result"].get<std::string>().size(), 1500U);
  EXPECT_GE(jobs.bytes(), 4500U);
  EXPECT_EQ(started(jobs, words(0, 1500)), ids[0]);  // computed anew
  EXPECT_EQ(await(jobs, ids[0], "done"), "done");
}

TEST(Jobs, FinishedJobsWithoutResultsGoToo) {
  Bench bench;
  JobLimits limits;
  limits.kept = 3;
  Jobs jobs(bench.calls(), limits);
  std::string id;
  for (int n = 0; n < 20; ++n) {
    id = started(jobs, {{"kind", "fail"}, {"n", n}});
    EXPECT_EQ(await(jobs, id, "failed"), "failed");
  }
  EXPECT_EQ(jobs.list().size(), 3U);
  EXPECT_EQ(jobs.list()[0]["id"], id);
}

TEST(Jobs, AResultThatIsTooLargeFails) {
  Bench bench;
  JobLimits limits;
  limits.result_bytes = 2'000'000;
  Jobs jobs(bench.calls(), limits);
  const std::string id = started(jobs, words(1, 3'000'000));
  EXPECT_EQ(await(jobs, id, "failed"), "failed");
  EXPECT_EQ(fetched(jobs, id)["error"], "the result has 3 MB, allowed are 2: ask for less");
  EXPECT_LT(jobs.bytes(), 1000U);
}

TEST(Jobs, EndAtOnceWhenTheProgramEnds) {
  Bench bench;
  const auto begin = std::chrono::steady_clock::now();
  {
    Jobs jobs(bench.calls());
    const std::string id = started(jobs, gate(0));
    for (int n = 1; n < 20; ++n) started(jobs, gate(n));
    EXPECT_EQ(await(jobs, id, "running"), "running");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  EXPECT_EQ(bench.runs, 1);
}

#ifdef __linux__
TEST(Jobs, WorkAtALowerPriorityThanTheRest) {
  Bench bench;
  Jobs jobs(bench.calls());
  EXPECT_EQ(await(jobs, started(jobs, {{"kind", "priority"}}), "done"), "done");
  EXPECT_GT(bench.niceness, getpriority(PRIO_PROCESS, 0));
}
#endif

// Eight clients start, fetch and cancel the same few jobs and others in any order. Whatever they do, every reply is a
// state, and in the end nothing waits or runs.
TEST(Jobs, ManyClientsAtOnce) {
  Bench bench;
  JobLimits limits;
  limits.kept_bytes = 20000;
  Jobs jobs(bench.calls(), limits);
  jobs.listen(bench.listener());
  const auto client = [&](unsigned number) {
    unsigned draw = number * 7919U + 1;
    for (int k = 0; k < 200; ++k) {
      draw = draw * 1664525U + 1013904223U;
      const int n = static_cast<int>(draw >> 29U);
      try {
        const std::string id = started(jobs, k % 3 == 0 ? gate(n) : words(n, 1000));
        if (k % 3 == 0) jobs.cancel(id);
        const Json result = fetched(jobs, id);
        EXPECT_EQ(result["id"], id);
        jobs.list();
      } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).substr(0, 12), "no such job ");
      } catch (const TooManyJobs&) {
        std::this_thread::yield();
      }
    }
  };
  {
    std::vector<std::jthread> clients;
    for (unsigned c = 0; c < 8; ++c) clients.emplace_back(client, c);
  }
  bench.open = true;
  const std::string last = started(jobs, gate(1000));
  EXPECT_EQ(await(jobs, last, "done"), "done");
  for (const Json& state : jobs.list())
    EXPECT_TRUE(state["state"] == "done" || state["state"] == "cancelled") << state.dump();
  EXPECT_LE(jobs.bytes(), 20000U);
}

}  // namespace jobs_test
}  // namespace painleve::studio
