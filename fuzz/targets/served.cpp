#include "served.hpp"

#include <poll.h>
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
    // No answer may need a deadline of the server: a client that has said all it has to say is answered or left at
    // once.
    setup.limits.request = setup.limits.idle = std::chrono::hours(1);
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

// Whether something can be read, or the end of it, within the time.
bool readable(const studio::TestClient& client, std::chrono::milliseconds time) {
  pollfd one{client.descriptor(), POLLIN, 0};
  return ::poll(&one, 1, static_cast<int>(time.count())) == 1;
}

// A machine that is busy elsewhere, or stood still, is no fault of the server: silence counts only when another client,
// who comes later and asks for the page, has been served meanwhile.
void check_not_forgotten(const studio::TestClient& client) {
  constexpr std::chrono::seconds patience{3}, stuck{50};
  if (readable(client, patience)) return;
  studio::TestClient witness(served_port());
  witness.send(studio::get_request("/"));
  law(readable(witness, stuck), "the server does not serve anybody");
  law(readable(client, patience), "the server neither answers nor closes");
}

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
  while (true) {
    check_not_forgotten(client);
    const ssize_t got = ::recv(client.descriptor(), buffer, sizeof buffer, 0);
    law(got >= 0 || errno == ECONNRESET, "a socket fails");
    if (got <= 0) return answer;
    answer.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace painleve::fuzz
