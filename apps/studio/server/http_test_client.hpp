// A client for tests of the server, on a bare socket: it sends what no library would, byte by byte where asked, and
// waits for nothing longer than its patience.
#pragma once

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace painleve::studio {

struct TestAnswer {
  int status = 0;                              // 0: the connection ended before a whole answer was there
  std::map<std::string, std::string> headers;  // names in small letters
  std::string body;
};

class TestClient {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds patience{5000};

  explicit TestClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) close();
    const int on = 1;
    if (socket_ >= 0) setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  ~TestClient() { close(); }
  TestClient(TestClient&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), received_(std::move(other.received_)) {}
  TestClient& operator=(TestClient&& other) noexcept {
    close();
    socket_ = std::exchange(other.socket_, -1);
    received_ = std::move(other.received_);
    return *this;
  }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  int descriptor() const { return socket_; }
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  // Leaves without a goodbye: the other side sees a reset.
  void reset() {
    const linger at_once{1, 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
  }
  // False when the other side has closed or does not read.
  bool send(std::string_view text) {
    const auto end = Clock::now() + patience;
    while (!text.empty()) {
      const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno != EAGAIN) return false;
      if (sent > 0) text.remove_prefix(static_cast<std::size_t>(sent));
      if (sent <= 0 && !wait(POLLOUT, end)) return false;
    }
    return true;
  }
  // Up to and with `end`; what there is when the connection ends or patience does.
  std::string read_until(std::string_view end, std::chrono::milliseconds time = patience) {
    const auto until = Clock::now() + time;
    std::size_t found = received_.find(end);
    while (found == std::string::npos && receive(until)) found = received_.find(end);
    return take(found == std::string::npos ? received_.size() : found + end.size());
  }
  TestAnswer read(bool head_only = false) {
    TestAnswer answer;
    const std::string head = read_until("\r\n\r\n");
    if (!head.starts_with("HTTP/1.") || !head.ends_with("\r\n\r\n")) return answer;
    for (std::size_t at = head.find("\r\n") + 2; at + 2 < head.size();) {
      const std::size_t end = head.find("\r\n", at);
      const std::size_t colon = head.find(": ", at);
      std::string name = head.substr(at, colon - at);
      std::transform(name.begin(), name.end(), name.begin(), [](char c) { return static_cast<char>(tolower(c)); });
      answer.headers[name] = head.substr(colon + 2, end - colon - 2);
      at = end + 2;
    }
    const std::size_t length = head_only ? 0 : std::strtoul(answer.headers["content-length"].c_str(), nullptr, 10);
    const auto until = Clock::now() + patience;
    while (received_.size() < length && receive(until)) continue;
    if (received_.size() < length) return answer;
    answer.body = take(length);
    answer.status = std::atoi(head.substr(9, 3).c_str());
    return answer;
  }
  TestAnswer ask(std::string_view request) {
    send(request);
    return read();
  }
  // True when the other side closes, whatever it sends before.
  bool ends(std::chrono::milliseconds time = patience) {
    const auto until = Clock::now() + time;
    while (receive(until)) received_.clear();
    return Clock::now() < until;
  }

 private:
  bool wait(short events, Clock::time_point until) const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd one{socket_, events, 0};
    return left > 0 && ::poll(&one, 1, static_cast<int>(left)) == 1;
  }
  bool receive(Clock::time_point until) {
    char bytes[65536];
    if (!wait(POLLIN, until)) return false;
    const ssize_t got = ::recv(socket_, bytes, sizeof bytes, 0);
    if (got > 0) received_.append(bytes, static_cast<std::size_t>(got));
    return got > 0;
  }
  std::string take(std::size_t count) {
    std::string taken = received_.substr(0, count);
    received_.erase(0, count);
    return taken;
  }

  int socket_ = -1;
  std::string received_;
};

// Requests as the page sends them.
inline std::string get_request(const std::string& path, const std::string& headers = "") {
  return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + "\r\n";
}
inline std::string token_header(const std::string& token) { return "X-Painleve-Token: " + token + "\r\n"; }
inline std::string post_request(const std::string& path, const std::string& body, const std::string& token) {
  return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" + token_header(token) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace painleve::studio
