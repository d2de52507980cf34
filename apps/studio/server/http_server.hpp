// A small HTTP/1.1 server on 127.0.0.1 that holds its ground among hostile neighbours. It knows no mechanics.
//
// One thread does all input and output without blocking, so a client that is slow holds a socket and nothing else;
// answers are computed by a few workers. Who is let in is decided from the head of a request (access.hpp): no byte of
// the body of a stranger is kept. Limits: see Limits.
//
// At most `connections` at once. For one more, the oldest connection whose latest request did not bring the token goes,
// whatever it is doing; if all brought it, the oldest that is idle; if none is, the newcomer. So strangers only ever
// take places from each other, and the page gets in. Likewise where the system has no descriptor left for one more.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace painleve::studio {

struct Limits {
  std::size_t connections = 512;         // see above
  std::size_t streams = 16;              // more: 503
  std::size_t lines = 16;                // WebSockets for quick questions; more: 503
  std::size_t header_bytes = 16384;      // more: 431
  std::size_t body_bytes = 1U << 20U;    // more: 413
  std::size_t brief_bytes = 1U << 16U;   // of a body; a longer one is answered after those, one at a time
  std::size_t stream_bytes = 1U << 20U;  // that wait for the reader of a stream; more: it is closed
  std::size_t waiting = 256;             // requests that wait for a worker; more: 503
  int workers = 2;
  std::chrono::milliseconds request{10000};  // from the first byte of a request to its last: 408
  std::chrono::milliseconds idle{60000};     // between requests, and for a client that does not read what it asked for
  std::size_t reader_pace = 65536;           // [B/s] at which it must at least read a long answer, beyond the idle time
  std::chrono::milliseconds linger{1000};    // in which a client that was refused in mid-sentence may read why
  std::chrono::milliseconds beat{5000};      // between two signs of life on a stream
  std::chrono::milliseconds finish{2000};    // for answers under way when the server is stopped
};

struct Reply {
  int status = 200;
  std::string type = "application/json";
  std::string body;
};
Reply error_reply(int status, const std::string& sentence);  // {"error": sentence}

struct StaticFile {
  std::string_view path, type, bytes;  // "/", "text/html; charset=utf-8", …; the bytes outlive the server
};

struct ServerSetup {
  std::uint16_t port = 8080;  // 0: a free one
  std::string token;
  Limits limits;
  std::function<Reply(std::string_view path, const std::string& body)>
      answer;  // POST below /api/, or a question on a line, from several threads
  std::function<const StaticFile*(std::string_view path)> file;  // the page; null: there is none
};

class HttpServer {
 public:
  // Listens from here on. Throws InputError with one sentence when the port cannot be had.
  explicit HttpServer(ServerSetup setup);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  // Serves until stop(), or until SIGINT or SIGTERM where `signals`; once, in the thread that calls it. `started` is
  // called when signals are heeded. No answer is being computed any more when it returns.
  void run(bool signals, const std::function<void()>& started = {});
  void stop();  // from any thread
  // One server-sent event to every open stream, from any thread. A stream that does not keep up is closed.
  void send(const std::string& event, const std::string& data);
  std::size_t streams() const;
  std::size_t lines() const;
  std::size_t connections() const;

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace painleve::studio
