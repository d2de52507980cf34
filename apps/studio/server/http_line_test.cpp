// The line: quick questions on a WebSocket, met by good and bad clients on a bare socket.
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <list>
#include <stdexcept>
#include <string>
#include <thread>

#include "access.hpp"
#include "http_server.hpp"
#include "http_test_client.hpp"

namespace painleve::studio {
namespace http_line_test {

using namespace std::chrono_literals;

const std::string secret(64, 'a');

class Lines : public ::testing::Test {
 protected:
  void start(const Limits& limits = {}) {
    ServerSetup setup;
    setup.port = 0;
    setup.token = secret;
    setup.limits = limits;
    setup.answer = [](std::string_view path, const std::string& body) -> Reply {
      if (path == "/api/throw") throw std::runtime_error("escaped");
      if (path == "/api/refuse") return error_reply(400, "no");
      return {200, "application/json", std::string(path) + ":" + body};
    };
    setup.file = [](std::string_view) -> const StaticFile* { return nullptr; };
    server = std::make_unique<HttpServer>(std::move(setup));
    std::promise<void> started;
    auto ready = started.get_future();
    thread = std::thread([this, &started] { server->run(false, [&] { started.set_value(); }); });
    ready.wait();
  }
  void TearDown() override {
    if (!thread.joinable()) return;
    server->stop();
    thread.join();
  }
  TestClient client() const { return TestClient(server->port()); }
  bool settles(std::size_t lines) const {
    for (int i = 0; i < 500; ++i) {
      if (server->lines() == lines) return true;
      std::this_thread::sleep_for(10ms);
    }
    return false;
  }

  std::unique_ptr<HttpServer> server;
  std::thread thread;
};

std::string opening(const std::string& protocols = "painleve, token." + secret,
                    const std::string& origin = "Origin: http://127.0.0.1:8080\r\n") {
  return get_request("/api/line",
                     "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
                         origin + "Sec-WebSocket-Protocol: " + protocols + "\r\n");
}

// A text frame as a browser sends it: masked, here with zeros, under which the text stays as it is.
std::string frame(const std::string& text, unsigned char head = 0x81) {
  std::string bytes(1, static_cast<char>(head));
  if (text.size() < 126) {
    bytes += static_cast<char>(0x80U | text.size());
  } else {
    bytes += static_cast<char>(0x80U | 127U);
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>((text.size() >> shift) & 255U);
  }
  return bytes + std::string(4, '\0') + text;
}

// The text of the next frame of the server; what precedes its end is the frame's head.
std::string told(TestClient& one, const std::string& end) {
  const std::string bytes = one.read_until(end);
  if (bytes.size() < 2) return bytes;
  const auto length = static_cast<unsigned char>(bytes[1]);
  return bytes.substr(length == 127 ? 10 : length == 126 ? 4 : 2);
}

bool opens(TestClient& one) {
  one.send(opening());
  return one.read_until("\r\n\r\n").starts_with("HTTP/1.1 101 ");
}

TEST_F(Lines, AnswersQuestionsInTheirOrderLikePosts) {
  start();
  TestClient one = client();
  one.send(opening());
  const std::string head = one.read_until("\r\n\r\n");
  EXPECT_NE(head.find("Sec-WebSocket-Protocol: painleve\r\n"), std::string::npos) << head;
  EXPECT_NE(head.find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), std::string::npos);  // RFC 6455, section 1.3
  EXPECT_EQ(head.find(secret), std::string::npos);
  one.send(frame("7 analyze\n{\"a\": 1}") + frame("8 refuse\n") + frame("9 throw\n{}"));
  EXPECT_EQ(told(one, "}"), "7 200\n/api/analyze:{\"a\": 1}");
  EXPECT_EQ(told(one, "}"), "8 400\n{\"error\":\"no\"}");
  EXPECT_EQ(told(one, "}").substr(0, 6), "9 500\n");
  EXPECT_EQ(server->lines(), 1U);
  EXPECT_EQ(server->streams(), 0U);
  one.close();
  EXPECT_TRUE(settles(0));
}

TEST_F(Lines, NeedTheTokenAPageOfThisMachineAndAnUpgrade) {
  start();
  EXPECT_EQ(client().ask(opening("painleve")).status, 401);
  EXPECT_EQ(client().ask(opening("painleve, token." + std::string(64, 'b'))).status, 401);
  EXPECT_EQ(client().ask(opening("token.")).status, 401);
  EXPECT_EQ(client().ask(opening("token." + secret, "Origin: http://evil.example\r\n")).status, 403);
  EXPECT_EQ(client().ask(opening("token." + secret, "")).status, 403);
  EXPECT_EQ(client().ask(get_request("/api/line", token_header(secret))).status, 426);
  EXPECT_EQ(client().ask(get_request("/api/line")).status, 401);
  // The header of the posts does not open a line, nor the protocol of the line a stream.
  std::string with_header = opening("painleve");
  with_header.insert(with_header.size() - 2, token_header(secret));
  EXPECT_EQ(client().ask(with_header).status, 401);
  EXPECT_EQ(client().ask(get_request("/api/stream", "Sec-WebSocket-Protocol: token." + secret + "\r\n")).status, 401);
  EXPECT_EQ(server->lines(), 0U);
}

TEST_F(Lines, AreRefusedInJsonWithoutAVersionOrAKey) {
  start();
  for (const std::string wrong : {"Sec-WebSocket-Version: 13\r\n", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
                                  "Version: 13", "IHNhbXBsZSBub25jZQ=="}) {
    std::string request = opening();
    const std::string other = wrong == "Version: 13" ? "Version: 14" : "";
    request.replace(request.find(wrong), wrong.size(), other);
    const TestAnswer answer = client().ask(request);
    EXPECT_EQ(answer.status, 426) << request;
    EXPECT_TRUE(answer.body.starts_with("{\"error\":")) << answer.body;
  }
  EXPECT_TRUE(settles(0));
}

TEST_F(Lines, AreLimitedInNumberAndFreedAgain) {
  Limits limits;
  limits.lines = 3;
  start(limits);
  std::list<TestClient> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(client());
    ASSERT_TRUE(opens(all.back()));
  }
  EXPECT_EQ(client().ask(opening()).status, 503);
  all.front().reset();
  ASSERT_TRUE(settles(2));
  TestClient next = client();
  EXPECT_TRUE(opens(next));
}

TEST_F(Lines, EndWithWhatIsNoQuestion) {
  Limits limits;
  limits.idle = 500ms;  // also for a goodbye that the other side does not answer
  start(limits);
  for (const std::string text : {"rubbish", "7\n{}", "seven analyze\n{}", "7 ../up\n{}", "7 \n{}", " analyze\n{}",
                                 "1234567890123456 analyze\n{}", "7 analyze{}"}) {
    TestClient one = client();
    ASSERT_TRUE(opens(one));
    one.send(frame(text));
    EXPECT_TRUE(one.ends()) << text;
  }
  TestClient unmasked = client();  // a client must mask
  ASSERT_TRUE(opens(unmasked));
  unmasked.send(std::string("\x81\x02hi"));
  EXPECT_TRUE(unmasked.ends());
  EXPECT_TRUE(settles(0));
}

TEST_F(Lines, BoundTheLengthAndTheTimeOfAQuestion) {
  Limits limits;
  limits.body_bytes = 1000;
  limits.request = 300ms;
  start(limits);
  TestClient wordy = client();
  ASSERT_TRUE(opens(wordy));
  wordy.send(frame("1 a\n" + std::string(5000, 'x')));
  EXPECT_TRUE(wordy.ends());
  TestClient slow = client();
  ASSERT_TRUE(opens(slow));
  slow.send(frame("1 a\n{}").substr(0, 8));
  EXPECT_TRUE(slow.ends(3000ms));
  EXPECT_TRUE(settles(0));
}

TEST_F(Lines, OutliveTheTimeOfAQuestionWhileNothingIsAsked) {
  Limits limits;
  limits.request = 200ms;
  start(limits);
  TestClient one = client();
  ASSERT_TRUE(opens(one));
  std::this_thread::sleep_for(600ms);
  one.send(frame("1 a\n{}"));
  EXPECT_EQ(told(one, "}"), "1 200\n/api/a:{}");
}

TEST_F(Lines, AClientThatNeverAnswersAPingIsGone) {
  Limits limits;
  limits.idle = 400ms;
  start(limits);
  TestClient mute = client();
  ASSERT_TRUE(opens(mute));
  EXPECT_TRUE(mute.ends(4000ms));
  EXPECT_TRUE(settles(0));
}

TEST_F(Lines, DoNotKeepTheServerFromStopping) {
  start();
  TestClient one = client();
  ASSERT_TRUE(opens(one));
  const auto before = std::chrono::steady_clock::now();
  server->stop();
  thread.join();
  EXPECT_LT(std::chrono::steady_clock::now() - before, 1500ms);
  EXPECT_TRUE(one.ends());
}

TEST(OfferedToken, IsFoundAmongTheProtocols) {
  EXPECT_EQ(offered_token("painleve, token.ab"), "ab");
  EXPECT_EQ(offered_token("token.ab,painleve"), "ab");
  EXPECT_EQ(offered_token("  token.ab\t"), "ab");
  EXPECT_EQ(offered_token("painleve"), "");
  EXPECT_EQ(offered_token(""), "");
  EXPECT_EQ(offered_token(",,  ,"), "");
}

}  // namespace http_line_test
}  // namespace painleve::studio
