// The studio when it has too much to do and too little to do it with: a thousand clients, few descriptors, requests cut
// anywhere, lines left half open, jobs at work when it is told to end.
#include <gtest/gtest.h>

#include <list>
#include <random>

#include "apps/studio/server/http_test_client.hpp"
#include "faults_program.hpp"

namespace faults_studio {
namespace faults_studio_test {

using namespace painleve_cli;
using namespace painleve::studio;

class Studio {
 public:
  explicit Studio(const Limits& limits = {}) : child_({"studio", "rod", "--port", "0", "--json", "--quiet"}, limits) {
    EXPECT_TRUE(becomes([&] { return child_.printed().ends_with("\n"); }));
    const Json said = Json::parse(child_.printed(), nullptr, false);
    port_ = said.value("port", std::uint16_t{0});
    const std::string url = said.value("url", "=");
    token_ = url.substr(url.find('=') + 1);
  }
  TestClient client() const { return TestClient(port_); }
  std::string post(const std::string& call, const std::string& body) const {
    return post_request("/api/" + call, body, token_);
  }
  std::string line() const {
    return get_request("/api/line",
                       "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                       "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://127.0.0.1:" +
                           std::to_string(port_) + "\r\nSec-WebSocket-Protocol: painleve, token." + token_ + "\r\n");
  }
  void expect_answers() const {
    const TestAnswer answer = client().ask(post("analyze", R"({"scene":{"name":"rod"}})"));
    EXPECT_EQ(answer.status, 200) << answer.body;
  }
  void expect_ends(int signal) {
    kill(child_.pid(), signal);
    const Outcome o = child_.wait();
    EXPECT_EQ(o.code, 0) << "signal " << o.signal;
    EXPECT_EQ(o.err, "");
  }

 private:
  LimitedChild child_;
  std::uint16_t port_ = 0;
  std::string token_;
};

// For this side's ends of a thousand connections.
void allow_descriptors(rlim_t many) {
  rlimit bound{};
  getrlimit(RLIMIT_NOFILE, &bound);
  bound.rlim_cur = std::min(std::max(bound.rlim_cur, many), bound.rlim_max);
  setrlimit(RLIMIT_NOFILE, &bound);
}

TEST(FaultsStudio, AThousandClientsThatSayNothing) {
  allow_descriptors(2100);
  Studio studio;
  std::list<TestClient> crowd;
  for (int k = 0; k < 1000; ++k) {
    crowd.push_back(studio.client());
    if (k % 3 == 0) crowd.back().send("GET / HTT");
    if (k % 100 == 99) studio.expect_answers();
  }
  studio.expect_ends(SIGTERM);
}

// As many clients as there are descriptors, and more: who brings no token makes room for who does.
TEST(FaultsStudio, FewDescriptors) {
  allow_descriptors(2100);
  Studio studio({.descriptors = 40});
  std::list<TestClient> crowd;
  for (int k = 0; k < 150; ++k) crowd.push_back(studio.client());
  for (int k = 0; k < 5; ++k) studio.expect_answers();
  crowd.clear();
  studio.expect_answers();
  studio.expect_ends(SIGINT);
}

TEST(FaultsStudio, RequestsCutAnywhere) {
  Studio studio;
  const std::string body = R"({"scene":{"name":"rod","set":{"contact.mu":1.5}}})";
  const std::string frame = std::string("\x81\xfe\x00\x40", 4) + std::string(68, '\0');
  for (const std::string& request : {studio.post("analyze", body), studio.post("job", body), studio.line() + frame,
                                     studio.post("analyze", body) + studio.post("analyze", body)}) {
    std::list<TestClient> left_open;
    for (std::size_t cut = 0; cut < request.size(); cut += 1 + request.size() / 60) {
      TestClient client = studio.client();
      client.send(request.substr(0, cut));
      if (cut % 3 == 0)
        client.reset();
      else if (cut % 3 == 1)
        client.close();
      else
        left_open.push_back(std::move(client));
    }
    studio.expect_answers();
  }
  studio.expect_ends(SIGTERM);
}

// More lines than there are places, all of them stuck in the middle of a frame.
TEST(FaultsStudio, LinesLeftHalfOpen) {
  Studio studio;
  std::list<TestClient> lines;
  int opened = 0;
  for (int k = 0; k < 30; ++k) {
    lines.push_back(studio.client());
    lines.back().send(studio.line());
    opened += lines.back().read_until("\r\n\r\n").starts_with("HTTP/1.1 101 ") ? 1 : 0;
    lines.back().send("\x81\xff");  // a length that never comes
  }
  EXPECT_EQ(opened, 16);
  studio.expect_answers();
  studio.expect_ends(SIGINT);
}

TEST(FaultsStudio, EndsWithJobsAtWork) {
  for (const int signal : {SIGTERM, SIGINT}) {
    Studio studio;
    std::set<int> answers;
    for (int k = 0; k < 12; ++k) {
      const std::string count = std::to_string(60 + k);
      answers.insert(studio.client()
                         .ask(studio.post("job", R"({"kind":"map","scene":{"name":"rod"},"of":"outcome","x":{"path":)"
                                                 R"("state.theta","from":0.1,"to":1.5,"count":)" +
                                                     count + R"(},"y":{"path":"contact.mu","from":0,"to":3,"count":)" +
                                                     count + "}}"))
                         .status);
    }
    EXPECT_TRUE(answers.contains(200));
    for (const int status : answers) EXPECT_TRUE(status == 200 || status == 503) << status;
    studio.expect_answers();
    studio.expect_ends(signal);
  }
}

TEST(FaultsStudio, LittleMemoryIsOneClientsTrouble) {
  if (sanitized) GTEST_SKIP() << "sanitizers take terabytes of addresses";
  Studio studio({.memory = rlim_t{1} << 30U});
  const std::string large(900000, ' ');
  std::list<TestClient> crowd;
  for (int k = 0; k < 200; ++k) {
    crowd.push_back(studio.client());
    crowd.back().send(studio.post("analyze", R"({"scene":{"name":"rod"},"x":)" + large + "1}"));
  }
  crowd.clear();
  EXPECT_TRUE(becomes(
      [&] { return studio.client().ask(studio.post("analyze", R"({"scene":{"name":"rod"}})")).status == 200; }));
  studio.expect_ends(SIGTERM);
}

}  // namespace faults_studio_test
}  // namespace faults_studio
