// The server with answers that need no mechanics, met by good and bad clients in one process.
#include "http_server.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "access.hpp"
#include "http_test_client.hpp"
#include "painleve/base/error.hpp"

namespace painleve::studio {
namespace http_server_test {

using namespace std::chrono_literals;

const std::string secret(64, 'f');

// A server in a thread; /api/wait answers when it is let go.
class Running {
 public:
  explicit Running(const Limits& limits = {}, bool signals = false) : server_(setup(limits)) {
    std::promise<void> started;
    auto ready = started.get_future();
    thread_ = std::thread([this, signals, &started] { server_.run(signals, [&] { started.set_value(); }); });
    ready.wait();
  }
  ~Running() {
    if (thread_.joinable()) stop();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  HttpServer& server() { return server_; }
  TestClient client() const { return TestClient(server_.port()); }
  int answers() const { return answers_; }
  void let_go() { go_.set_value(); }
  void join() { thread_.join(); }
  void stop() {
    server_.stop();
    join();
  }
  bool settles(std::size_t connections, std::size_t streams) const {
    for (int i = 0; i < 500; ++i) {
      if (server_.connections() == connections && server_.streams() == streams) return true;
      std::this_thread::sleep_for(10ms);
    }
    return false;
  }

 private:
  ServerSetup setup(const Limits& limits) {
    ServerSetup s;
    s.port = 0;
    s.token = secret;
    s.limits = limits;
    s.answer = [this](std::string_view path, const std::string& body) { return answer(path, body); };
    s.file = [this](std::string_view path) { return path == "/" ? &index_ : path == "/big.js" ? &big_ : nullptr; };
    return s;
  }
  Reply answer(std::string_view path, const std::string& body) {
    ++answers_;
    if (path == "/api/wait") going_.wait();
    if (path == "/api/throw") throw std::runtime_error("escaped");
    return {200, "application/json", body};
  }

  std::atomic<int> answers_ = 0;
  std::promise<void> go_;
  std::shared_future<void> going_ = go_.get_future().share();
  std::string big_bytes_ = std::string(32U << 20U, 'x');
  StaticFile index_{"/", "text/html; charset=utf-8", "<!DOCTYPE html>"};
  StaticFile big_{"/big.js", "text/javascript", big_bytes_};
  HttpServer server_;
  std::thread thread_;
};

std::string stream_request() { return get_request("/api/stream", token_header(secret)); }

TEST(HttpServer, ServesThePageWithGuardingHeaders) {
  Running running;
  TestClient client = running.client();
  const TestAnswer page = client.ask(get_request("/"));
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, "<!DOCTYPE html>");
  EXPECT_EQ(page.headers.at("content-type"), "text/html; charset=utf-8");
  EXPECT_NE(page.headers.at("content-security-policy").find("frame-ancestors 'none'"), std::string::npos);
  EXPECT_EQ(page.headers.at("cache-control"), "no-store");
  EXPECT_EQ(page.headers.count("access-control-allow-origin"), 0U);
  client.send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const TestAnswer head = client.read(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("content-length"), "15");
  const TestAnswer missing = client.ask(get_request("/../etc/passwd"));
  EXPECT_EQ(missing.status, 404) << "and the answer to HEAD had no body";
  EXPECT_EQ(missing.body, R"({"error":"there is no such page"})");
  EXPECT_EQ(missing.headers.count("content-security-policy"), 1U);
}

// Two hundred answers on one connection; with a late acknowledgement each would wait 40 ms, 8 s in all.
TEST(HttpServer, AnswersOneAfterTheOtherWithoutStalling) {
  Running running;
  TestClient client = running.client();
  const auto start = TestClient::Clock::now();
  for (int i = 0; i < 200; ++i) {
    const std::string body = "{\"i\":" + std::to_string(i) + "}";
    const TestAnswer a = client.ask(post_request("/api/echo", body, secret));
    ASSERT_EQ(a.status, 200);
    ASSERT_EQ(a.body, body);
  }
  EXPECT_LT(TestClient::Clock::now() - start, 4s);
  EXPECT_EQ(running.server().connections(), 1U);
}

TEST(HttpServer, AnswersPipelinedRequestsInTheirOrder) {
  Running running;
  TestClient client = running.client();
  client.send(post_request("/api/echo", "1", secret) + get_request("/") + post_request("/api/echo", "2", secret));
  EXPECT_EQ(client.read().body, "1");
  EXPECT_EQ(client.read().body, "<!DOCTYPE html>");
  EXPECT_EQ(client.read().body, "2");
}

TEST(HttpServer, TakesBodiesInChunksAndAsksForThem) {
  Running running;
  TestClient client = running.client();
  const std::string head = "POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
                           token_header(secret) + "Transfer-Encoding: chunked\r\n";
  EXPECT_EQ(client.ask(head + "\r\n2\r\n{}\r\n0\r\n\r\n").body, "{}");
  client.send(head + "Expect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read().status, 100);
  EXPECT_EQ(client.ask("3\r\n[1]\r\n0\r\n\r\n").body, "[1]");
}

// Refused from the head alone: the body never comes, yet the answer does, and then the end.
TEST(HttpServer, RefusesBeforeTheBody) {
  Running running;
  const std::string end = "Content-Length: 100000\r\n\r\n{";
  const std::string json = "Content-Type: application/json\r\n";
  const std::string post = "POST /api/echo HTTP/1.1\r\n";
  const std::string host = "Host: 127.0.0.1\r\n";
  const std::string token = token_header(secret);
  const std::string large = "Content-Length: 100000000\r\n\r\n{";
  const std::pair<int, std::string> cases[] = {
      {401, post + host + json + end},
      {401, post + host + json + token_header(std::string(64, 'e')) + end},
      {403, post + "Host: evil.example\r\n" + json + token + end},
      {403, post + host + "Host: 127.0.0.1\r\n" + json + token + end},
      {403, post + json + token + end},
      {403, post + host + json + token + "Origin: http://evil.example\r\n" + end},
      {403, post + host + json + token + "Origin: null\r\n" + end},
      {403, post + host + json + token + "Sec-Fetch-Site: cross-site\r\n" + end},
      {403, post + host + json + token + "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\n" + end},
      {401, post + host + json + token + token + end},
      {415, post + host + json + json + token + end},
      {501, post + host + json + token + "Transfer-Encoding: gzip\r\n\r\n{"},
      {501, post + host + json + token + "Transfer-Encoding: gzip, chunked\r\n\r\n{"},
      {413, post + host + json + token + large},
      {401, post + host + json + large},
      {415, post + host + "Content-Type: text/plain\r\n" + token + end},
      {405, "PUT /api/echo HTTP/1.1\r\n" + host + json + token + end},
      {400, "GET / HTTP/1.1\r\n" + host + end},
  };
  for (const auto& [status, request] : cases) {
    TestClient client = running.client();
    const TestAnswer a = client.ask(request);
    EXPECT_EQ(a.status, status) << request;
    EXPECT_TRUE(a.body.starts_with("{\"error\":\"")) << a.body;
    EXPECT_EQ(a.headers.count("allow"), status == 405 ? 1U : 0U);
    EXPECT_TRUE(client.ends()) << request;
  }
  EXPECT_EQ(running.answers(), 0);
  EXPECT_TRUE(running.settles(0, 0));
}

// The client writes all it has before it reads; a server that just closed would reset the connection under its hands,
// which browsers report as a broken network instead of the answer.
TEST(HttpServer, ARefusedClientThatWritesOnReadsWhy) {
  Running running;
  TestClient client = running.client();
  client.send("POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 8000000\r\n\r\n");
  EXPECT_TRUE(client.send(std::string(8000000, ' ')));
  EXPECT_EQ(client.read().status, 401);
}

TEST(HttpServer, RefusesWhatIsTooLargeOrNotHttp) {
  Running running;
  EXPECT_EQ(running.client().ask(get_request("/", "X: " + std::string(20000, 'x') + "\r\n")).status, 431);
  EXPECT_EQ(running.client().ask("\x16\x03\x01\x02 garbage\r\n\r\n").status, 400);
  EXPECT_EQ(running.client().ask("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").status, 400);
  const std::string head = "POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
                           token_header(secret) + "Transfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(running.client().ask(head + "200000\r\n").status, 413);
  std::string chunks = head;
  for (int i = 0; i < 20; ++i) chunks += "10000\r\n" + std::string(65536, ' ') + "\r\n";
  EXPECT_EQ(running.client().ask(chunks).status, 413);
  EXPECT_EQ(running.client().ask(post_request("/api/echo", std::string(1U << 20U, ' '), secret)).status, 200);
  EXPECT_EQ(running.client().ask(post_request("/api/echo", std::string((1U << 20U) + 1, ' '), secret)).status, 413);
  EXPECT_TRUE(running.settles(0, 0));
}

TEST(HttpServer, AnExceptionIsAnAnswer) {
  Running running;
  TestClient client = running.client();
  const TestAnswer a = client.ask(post_request("/api/throw", "{}", secret));
  EXPECT_EQ(a.status, 500);
  EXPECT_TRUE(a.body.starts_with("{\"error\":\"")) << a.body;
  EXPECT_EQ(client.ask(post_request("/api/echo", "{}", secret)).status, 200);
}

TEST(HttpServer, ARequestHasATimeToArrive) {
  Limits limits;
  limits.request = 300ms;
  Running running(limits);
  const std::string request = post_request("/api/echo", "{\"a\":1}", secret);
  for (const std::size_t begin : {std::size_t{1}, request.size() - 6}) {  // in the head, in the body
    TestClient client = running.client();
    const auto start = TestClient::Clock::now();
    client.send(std::string_view(request).substr(0, begin));
    for (std::size_t i = begin; i < begin + 4; ++i) {  // each byte is early enough, their sum is not
      std::this_thread::sleep_for(100ms);
      client.send(std::string_view(request).substr(i, 1));
    }
    EXPECT_EQ(client.read().status, 408) << begin;
    EXPECT_TRUE(client.ends()) << begin;
    EXPECT_GE(TestClient::Clock::now() - start, 300ms);
  }
  EXPECT_EQ(running.answers(), 0);
  EXPECT_TRUE(running.settles(0, 0));
}

TEST(HttpServer, AnIdleClientIsClosedAndSoIsOneThatDoesNotRead) {
  Limits limits;
  limits.idle = 200ms;
  limits.reader_pace = 1U << 30U;
  Running running(limits);
  TestClient idle = running.client();
  EXPECT_EQ(idle.ask(get_request("/")).status, 200);
  EXPECT_TRUE(idle.ends());
  TestClient deaf = running.client();
  deaf.send(get_request("/big.js"));
  EXPECT_NE(deaf.read_until("\r\n\r\n"), "");
  EXPECT_TRUE(running.settles(0, 0));
}

TEST(HttpServer, TooManyWaitingRequestsAreRefused) {
  Limits limits;
  limits.workers = 1;
  limits.waiting = 2;
  Running running(limits);
  std::list<TestClient> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(running.client());
    clients.back().send(post_request("/api/wait", "{}", secret));
    while (running.answers() == 0) std::this_thread::sleep_for(1ms);  // the first is at work, the others wait
  }
  std::this_thread::sleep_for(100ms);
  TestClient late = running.client();
  EXPECT_EQ(late.ask(post_request("/api/echo", "{}", secret)).status, 503);
  EXPECT_EQ(late.ask(get_request("/")).status, 200) << "the page needs no worker";
  running.let_go();
  for (auto& client : clients) EXPECT_EQ(client.read().status, 200);
  EXPECT_EQ(late.ask(post_request("/api/echo", "{}", secret)).status, 200);
}

// Two workers, and more long requests than that: a short one still finds a free hand.
TEST(HttpServer, LongRequestsLeaveAWorkerForShortOnes) {
  Limits limits;
  limits.brief_bytes = 100;
  Running running(limits);
  std::list<TestClient> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(running.client());
    clients.back().send(post_request("/api/wait", std::string(101, ' '), secret));
  }
  while (running.answers() == 0) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(running.client().ask(post_request("/api/echo", std::string(100, ' '), secret)).status, 200);
  EXPECT_EQ(running.answers(), 2) << "one long and the short one";
  running.let_go();
  for (auto& client : clients) EXPECT_EQ(client.read().status, 200);
}

TEST(HttpServer, StreamsCarryEventsToEveryPage) {
  Limits limits;
  limits.beat = 50ms;
  Running running(limits);
  TestClient one = running.client();
  TestClient two = running.client();
  for (TestClient* client : {&one, &two}) {
    client->send(stream_request());
    const std::string head = client->read_until("\r\n\r\n");
    EXPECT_TRUE(head.starts_with("HTTP/1.1 200 ")) << head;
    EXPECT_NE(head.find("Content-Type: text/event-stream\r\n"), std::string::npos);
    EXPECT_NE(head.find("Content-Security-Policy: default-src 'none'"), std::string::npos);
    EXPECT_EQ(client->read_until("\n\n"), "event: beat\ndata: {}\n\n");
  }
  EXPECT_EQ(running.server().streams(), 2U);
  running.server().send("job", "{\"id\":\"a\"}");
  running.server().send("text", "two\nlines");
  for (TestClient* client : {&one, &two}) {
    EXPECT_TRUE(client->read_until("event: job\ndata: {\"id\":\"a\"}\n\n").ends_with("}\n\n"));
    EXPECT_TRUE(client->read_until("event: text\ndata: two\ndata: lines\n\n").ends_with("lines\n\n"));
    EXPECT_TRUE(client->read_until("event: beat\ndata: {}\n\n").ends_with("{}\n\n"));
  }
}

TEST(HttpServer, AStreamThatEndsFreesItsPlace) {
  Limits limits;
  limits.streams = 2;
  Running running(limits);
  for (int reload = 0; reload < 10; ++reload) {
    TestClient one = running.client();
    TestClient two = running.client();
    TestClient three = running.client();
    one.send(stream_request());
    EXPECT_TRUE(one.read_until("\r\n").starts_with("HTTP/1.1 200 ")) << reload;
    two.send(stream_request());
    EXPECT_TRUE(two.read_until("\r\n").starts_with("HTTP/1.1 200 ")) << reload;
    EXPECT_EQ(three.ask(stream_request()).status, 503);
    one.close();
    ASSERT_TRUE(running.settles(2, 1));
    EXPECT_TRUE(three.send(stream_request())) << "the refused one may ask again";
    EXPECT_TRUE(three.read_until("\r\n").starts_with("HTTP/1.1 200 ")) << reload;
    two.reset();
    three.close();
    ASSERT_TRUE(running.settles(0, 0));
  }
}

TEST(HttpServer, AStreamThatIsNotReadIsClosed) {
  Limits limits;
  limits.stream_bytes = 100000;
  Running running(limits);
  TestClient deaf = running.client();
  deaf.send(stream_request());
  ASSERT_TRUE(running.settles(1, 1));
  const std::string data(50000, 'x');
  for (int i = 0; i < 1000 && running.server().streams() > 0; ++i) {
    running.server().send("job", data);
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_TRUE(running.settles(0, 0));
}

// A stranger fills every place; the page gets in, keeps its connection, and its stream stays.
TEST(HttpServer, StrangersTakePlacesOnlyFromEachOther) {
  Limits limits;
  limits.connections = 8;
  Running running(limits);
  TestClient page = running.client();
  TestClient stream = running.client();
  EXPECT_EQ(page.ask(post_request("/api/echo", "1", secret)).status, 200);
  stream.send(stream_request());
  EXPECT_TRUE(stream.read_until("\n\n").starts_with("HTTP/1.1 200 "));
  std::list<TestClient> strangers;
  for (int i = 0; i < 40; ++i) {
    strangers.push_back(running.client());
    strangers.back().send(i % 3 == 0 ? get_request("/big.js") : i % 3 == 1 ? "GET / HT" : "");
  }
  EXPECT_EQ(running.client().ask(get_request("/")).status, 200);
  EXPECT_EQ(page.ask(post_request("/api/echo", "2", secret)).body, "2");
  EXPECT_LE(running.server().connections(), 8U);
  EXPECT_EQ(running.server().streams(), 1U);
  EXPECT_TRUE(strangers.front().ends());
}

TEST(HttpServer, WithAllPlacesHeldByPagesTheOldestIdleOneGoes) {
  Limits limits;
  limits.connections = 2;
  Running running(limits);
  TestClient busy = running.client();
  busy.send(post_request("/api/wait", "{}", secret));
  while (running.answers() == 0) std::this_thread::sleep_for(1ms);
  TestClient idle = running.client();
  EXPECT_EQ(idle.ask(post_request("/api/echo", "1", secret)).status, 200);
  TestClient late = running.client();
  late.send(post_request("/api/wait", "{}", secret));
  EXPECT_TRUE(idle.ends());
  while (running.answers() < 3) std::this_thread::sleep_for(1ms);
  TestClient turned_away = running.client();
  EXPECT_TRUE(turned_away.ends());
  running.let_go();
  EXPECT_EQ(busy.read().status, 200);
  EXPECT_EQ(late.read().status, 200);
}

TEST(HttpServer, StoppingLetsAnAnswerUnderWayEnd) {
  Running running;
  TestClient idle = running.client();
  TestClient stream = running.client();
  TestClient busy = running.client();
  EXPECT_EQ(idle.ask(get_request("/")).status, 200);
  stream.send(stream_request());
  EXPECT_NE(stream.read_until("\n\n"), "");
  busy.send(post_request("/api/wait", "{}", secret));
  while (running.answers() == 0) std::this_thread::sleep_for(1ms);
  running.server().stop();
  EXPECT_TRUE(idle.ends());
  EXPECT_TRUE(stream.ends());
  running.let_go();
  EXPECT_EQ(busy.read().status, 200);
  running.join();
  EXPECT_EQ(running.server().connections(), 0U);
  EXPECT_EQ(running.client().descriptor(), -1) << "nobody listens any more";
}

TEST(HttpServer, StoppingDoesNotWaitForAClientThatDoesNotRead) {
  Limits limits;
  limits.finish = 200ms;
  Running running(limits);
  TestClient deaf = running.client();
  deaf.send(get_request("/big.js"));
  EXPECT_NE(deaf.read_until("\r\n\r\n"), "");
  const auto start = TestClient::Clock::now();
  running.stop();
  EXPECT_LT(TestClient::Clock::now() - start, 3s);
}

TEST(HttpServer, StopsOnSignals) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Running running({}, true);
    EXPECT_EQ(running.client().ask(get_request("/")).status, 200);
    ASSERT_EQ(kill(getpid(), signal), 0);
    running.join();
    struct sigaction now {};
    ASSERT_EQ(sigaction(signal, nullptr, &now), 0);
    EXPECT_EQ(now.sa_handler, SIG_DFL) << "a second one ends the program";
  }
}

TEST(HttpServer, ABusyPortIsOneSentence) {
  Running running;
  ServerSetup other;
  other.port = running.server().port();
  try {
    const HttpServer second(std::move(other));
    FAIL() << "two servers on one port";
  } catch (const InputError& error) {
    const std::string sentence = error.what();
    EXPECT_NE(sentence.find(std::to_string(running.server().port())), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("--port 0"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  }
}

TEST(HttpServer, ThePortOfOneThatEndedCanBeTakenAtOnce) {
  std::uint16_t port = 0;
  {
    Running running;
    port = running.server().port();
    EXPECT_EQ(running.client().ask(get_request("/")).status, 200);
  }
  ServerSetup again;
  again.port = port;
  EXPECT_NO_THROW(HttpServer{std::move(again)});
}

}  // namespace http_server_test
}  // namespace painleve::studio
