#include "served.hpp"

#include <sys/socket.h>

#include <future>
#include <memory>
#include <thread>

#include "http_server.hpp"
#include "http_test_client.hpp"
#include "target.hpp"

namespace painleve::fuzz {
namespace {

class Served {
 public:
  Served() {
    studio::ServerSetup setup;
    setup.port = 0;
    setup.token = studio_token;
    setup.limits.beat = std::chrono::milliseconds(20);
    setup.limits.linger = std::chrono::milliseconds(50);
    setup.answer = [](std::string_view path, const std::string& body) -> studio::Reply {
      if (path == "/api/refuse") return studio::error_reply(400, "no");
      return {200, "application/json", "{\"bytes\": " + std::to_string(body.size()) + "}"};
    };
    setup.file = [](std::string_view path) -> const studio::StaticFile* {
      static constexpr studio::StaticFile page{"/", "text/html; charset=utf-8", "<p>page</p>"};
      return path == "/" ? &page : nullptr;
    };
    server_ = std::make_unique<studio::HttpServer>(std::move(setup));
    std::promise<void> started;
    thread_ = std::thread([this, &started] { server_->run(false, [&] { started.set_value(); }); });
    started.get_future().wait();
  }
  ~Served() {
    server_->stop();
    thread_.join();
  }
  std::uint16_t port() const { return server_->port(); }

 private:
  std::unique_ptr<studio::HttpServer> server_;
  std::thread thread_;
};

}  // namespace

std::uint16_t served_port() {
  static const Served served;
  return served.port();
}

std::string exchanged(const std::string& bytes) {
  studio::TestClient client(served_port());
  law(client.descriptor() >= 0, "the server does not accept");
  client.send(bytes);
  ::shutdown(client.descriptor(), SHUT_WR);
  std::string answer;
  char buffer[65536];
  const timeval patience{5, 0};
  ::setsockopt(client.descriptor(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  while (true) {
    const ssize_t got = ::recv(client.descriptor(), buffer, sizeof buffer, 0);
    law(got >= 0 || errno == ECONNRESET, "the server neither answers nor closes");
    if (got <= 0) return answer;
    answer.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace painleve::fuzz
