// Adapter programs that answer, lie, crash, hang and babble.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "painleve/base/error.hpp"
#include "painleve/engines/adapter_process.hpp"

namespace painleve {
namespace adapter_test {

class Program {
 public:
  explicit Program(const std::string& body) {
    std::string pattern = (std::filesystem::temp_directory_path() / "painleve_adapter_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(path()) << "#!/bin/sh\n" << body << "\n";
    chmod(path().c_str(), 0700);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { std::filesystem::remove_all(folder_); }
  std::string path() const { return folder_ + "/adapter"; }

 private:
  std::string folder_;
};

EngineCase rod() { return engine_case(SceneSource::open("rod-no-solution").build(), 0.01); }

AdapterAnswer<EngineReply> answer_of(const std::string& body, double seconds = 20) {
  const Program program(body);
  ChildLimits limits;
  limits.seconds = seconds;
  return ask_step(program.path(), rod(), "default", limits);
}

std::string reply(const std::string& fields) {
  return "cat >/dev/null; echo '{\"schema\":1,\"represents\":true,\"reason\":\"\"," + fields + "}'";
}

TEST(Adapter, TheRequestHoldsTheCase) {
  const auto j = nlohmann::json::parse(step_request(rod(), "fast"));
  EXPECT_EQ(j["schema"], 1);
  EXPECT_EQ(j["request"], "step");
  EXPECT_EQ(j["setting"], "fast");
  EXPECT_EQ(j["dimension"], 2);
  EXPECT_EQ(j["dt"], 0.01);
  EXPECT_EQ(j["bodies"].size(), 1U);
  EXPECT_EQ(j["bodies"][0]["velocity"], (std::vector<double>{-1, 0, 0}));
  EXPECT_EQ(j["bodies"][0]["rotation"].size(), 4U);
  EXPECT_EQ(j["contacts"][0]["normal"], (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(j["contacts"][0]["tangents"].size(), 1U);
  EXPECT_EQ(j["contacts"][0]["mu"], 1.5);
  EXPECT_EQ(j["contact_space"]["W"].size(), 2U);
  EXPECT_EQ(j["contact_space"]["u_free"][0], -1);
}

TEST(Adapter, AnAnswerIsRead) {
  const auto answer = answer_of(reply(
      R"("velocities":[{"velocity":[1,2,3],"angular_velocity":[4,5,6]}],"Lambda":[7,8],"warnings":["hot"],"iterations":9)"));
  ASSERT_TRUE(answer.value) << answer.failure;
  Eigen::VectorXd v(6);
  v << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(*answer.value->velocities, v);
  EXPECT_EQ(*answer.value->Lambda, Eigen::Vector2d(7, 8));
  EXPECT_EQ(answer.value->warnings, std::vector<std::string>{"hot"});
  EXPECT_EQ(answer.value->iterations, 9);
}

TEST(Adapter, WhatItSaysOnStderrIsKept) {
  const auto answer = answer_of("echo deprecated >&2; echo more >&2; " + reply(R"("velocities":null,"Lambda":[7,8])"));
  ASSERT_TRUE(answer.value) << answer.failure;
  EXPECT_EQ(answer.said, "'deprecated'");
}

struct Bad {
  const char* program;
  const char* said;
};

TEST(Adapter, FailuresAreSaidInWords) {
  const std::string neither = reply(R"("velocities":null,"Lambda":null)");
  const std::string few = reply(R"("velocities":null,"Lambda":[1])");
  const std::string infinite = reply(R"("velocities":null,"Lambda":[1,null])");
  const std::string bodies = reply(R"("velocities":[],"Lambda":null)");
  const std::string lacking = reply(R"("velocities":null)");
  const Bad list[] = {{"kill -SEGV $$", "Segmentation fault"},
                      {"echo no such setting >&2; exit 2", "exit code 2: 'no such setting'"},
                      {"cat >/dev/null; echo hello", "not a JSON object: 'hello"},
                      {"cat >/dev/null; printf '\\377'", "not a JSON object: '?"},
                      {"cat >/dev/null", "not a JSON object"},
                      {"cat >/dev/null; echo '{}'", "lacks \"schema\""},
                      {neither.c_str(), "neither velocities nor Lambda"},
                      {few.c_str(), "\"Lambda\" of its answer is not a list of 2 numbers"},
                      {infinite.c_str(), "not a finite number"},
                      {bodies.c_str(), "not a list of 1 bodies"},
                      {lacking.c_str(), "lacks \"Lambda\""}};
  for (const Bad& bad : list) {
    const auto answer = answer_of(bad.program);
    EXPECT_FALSE(answer.value) << bad.program;
    EXPECT_NE(answer.failure.find(bad.said), std::string::npos) << bad.program << "\n" << answer.failure;
  }
}

TEST(Adapter, AHangEnds) {
  const auto start = std::chrono::steady_clock::now();
  const auto answer = answer_of("exec sleep 60", 0.3);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_NE(answer.failure.find("did not answer within 0.3 s"), std::string::npos) << answer.failure;
}

TEST(Adapter, AProgramThatIsNotThere) {
  const auto answer = ask_description("/nowhere/adapter", {});
  EXPECT_FALSE(answer.value);
  EXPECT_NE(answer.failure.find("/nowhere/adapter"), std::string::npos) << answer.failure;
}

TEST(Adapter, DescriptionsAreChecked) {
  const auto good = read_description(
      R"({"schema":1,"engine":"e","version":"1","friction":"f","settings":[{"name":"a","about":"b"}]})");
  EXPECT_EQ(good.engine, "e");
  EXPECT_EQ(good.settings.at(0).about, "b");
  EXPECT_THROW(read_description(R"({"schema":1,"engine":"e","version":"1","friction":"f","settings":[]})"), InputError);
  EXPECT_THROW(read_description(R"({"schema":2,"engine":"e","version":"1","friction":"f","settings":[]})"), InputError);
  EXPECT_THROW(read_description(R"({"schema":1,"engine":3,"version":"1","friction":"f","settings":[{}]})"), InputError);
}

TEST(Adapter, UnknownEnginesHaveANearestName) {
  EXPECT_EQ(known_engine("ode").package, "libode-dev");
  EXPECT_NE(known_engine("dart").remedy().find("apt install libdart-all-dev"), std::string::npos);
  try {
    known_engine("bulet");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'bullet'"), std::string::npos) << error.what();
  }
}

}  // namespace adapter_test
}  // namespace painleve
