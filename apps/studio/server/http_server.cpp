#include "http_server.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "http_connection.hpp"
#include "http_workers.hpp"
#include "painleve/base/error.hpp"

namespace painleve::studio {

namespace asio = boost::asio;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;

namespace {

constexpr std::chrono::milliseconds tick{250};
constexpr std::chrono::milliseconds quiet_before_trim{1000};

// A line break in the data would end the event: every line is its own field.
std::shared_ptr<const std::string> event_text(const std::string& event, const std::string& data) {
  std::string text = "event: " + event + "\ndata: ";
  for (const char c : data) {
    text += c;
    if (c == '\n') text += "data: ";
  }
  return std::make_shared<const std::string>(text + "\n\n");
}

std::string busy_sentence(std::uint16_t port, ErrorCode error) {
  if (error == asio::error::address_in_use)
    return fmt::format(
        "port {} of 127.0.0.1 is in use by another program; take another one, or --port 0 for a free one", port);
  if (error == asio::error::access_denied)
    return fmt::format("port {} is not for ordinary users; take one from 1024 on, or --port 0 for a free one", port);
  return fmt::format("cannot listen on port {} of 127.0.0.1: {}; --port 0 takes a free one", port, error.message());
}

}  // namespace

Reply error_reply(int status, const std::string& sentence) {
  using Error = nlohmann::json;
  return {status, "application/json", Error{{"error", sentence}}.dump(-1, ' ', false, Error::error_handler_t::replace)};
}

class HttpServer::State final : public ConnectionHost {
 public:
  explicit State(ServerSetup setup);

  std::uint16_t port() const { return port_; }
  void run(bool signals, const std::function<void()>& started);
  void stop();
  void send(const std::string& event, const std::string& data);
  std::size_t streams() const { return stream_count_; }
  std::size_t lines() const { return line_count_; }
  std::size_t connections() const { return connection_count_; }

  const ServerSetup& setup() const override { return setup_; }
  bool ask(std::shared_ptr<Connection> client, std::string path, std::string body) override;
  bool room_for_stream() const override { return stream_count_ < setup_.limits.streams; }
  bool room_for_line() const override { return line_count_ < setup_.limits.lines; }
  bool stopping() const override { return stopping_; }
  void changed() override;
  void gone(const Connection& client) override;

 private:
  using Clients = std::vector<std::shared_ptr<Connection>>;

  void accept();
  void welcome(tcp::socket socket);
  bool make_room();
  bool dismiss_one();
  void begin_tick();
  void return_memory();
  void begin_stop();
  void end_if_empty();
  void broadcast(const std::shared_ptr<const std::string>& event);
  Clients clients() const;

  ServerSetup setup_;
  asio::io_context io_{1};
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work_;
  tcp::acceptor acceptor_{io_};
  asio::signal_set signals_{io_};
  asio::steady_timer tick_{io_}, grace_{io_}, again_{io_};
  std::uint16_t port_ = 0;
  bool stopping_ = false;
  bool memory_is_held_ = false;
  std::chrono::steady_clock::time_point last_change_, last_beat_;
  std::uint64_t serial_ = 0;
  std::map<std::uint64_t, std::shared_ptr<Connection>> connections_;  // the oldest first
  std::atomic<std::size_t> connection_count_ = 0, stream_count_ = 0, line_count_ = 0;
  std::optional<Workers> workers_;
};

HttpServer::State::State(ServerSetup setup) : setup_(std::move(setup)), work_(io_.get_executor()) {
  ErrorCode error;
  acceptor_.open(tcp::v4(), error);
  if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);  // of a server that has just ended
  if (!error) acceptor_.bind({asio::ip::address_v4::loopback(), setup_.port}, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error) throw InputError(busy_sentence(setup_.port, error));
  port_ = acceptor_.local_endpoint().port();
}

void HttpServer::State::run(bool signals, const std::function<void()>& started) {
  workers_.emplace(setup_.limits.workers, setup_.limits.waiting);
  last_change_ = last_beat_ = std::chrono::steady_clock::now();
  if (signals) {
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    signals_.async_wait([this](ErrorCode error, int) {
      if (!error) begin_stop();
    });
  }
  if (started) started();
  accept();
  begin_tick();
  for (bool ended = false; !ended;) {
    try {
      io_.run();
      ended = true;
    } catch (const std::exception&) {
      // One client's trouble, such as no memory for its answer, is not the others': its deadline closes it.
    }
  }
  workers_.reset();
}

void HttpServer::State::stop() {
  asio::post(io_, [this] { begin_stop(); });
}

// Removing the signals gives them their usual meaning back: a second Ctrl-C ends the program at once.
void HttpServer::State::begin_stop() {
  if (stopping_) return;
  stopping_ = true;
  ErrorCode ignored;
  acceptor_.close(ignored);
  signals_.clear(ignored);
  tick_.cancel();
  again_.cancel();
  grace_.expires_after(setup_.limits.finish);
  grace_.async_wait([this](ErrorCode error) {
    if (error) return;
    for (const auto& client : clients()) client->close();
  });
  for (const auto& client : clients()) client->finish();
  end_if_empty();
}

void HttpServer::State::end_if_empty() {
  if (!stopping_ || !connections_.empty()) return;
  grace_.cancel();
  work_.reset();
}

void HttpServer::State::accept() {
  acceptor_.async_accept([this](ErrorCode error, tcp::socket socket) {
    if (stopping_) return;
    if (!error) {
      welcome(std::move(socket));
      return accept();
    }
    if (error == asio::error::no_descriptors && dismiss_one()) return accept();
    again_.expires_after(std::chrono::milliseconds(100));
    again_.async_wait([this](ErrorCode cancelled) {
      if (!cancelled) accept();
    });
  });
}

void HttpServer::State::welcome(tcp::socket socket) {
  if (!make_room()) return;
  const auto client = std::make_shared<Connection>(std::move(socket), *this, ++serial_);
  connections_.emplace(client->serial(), client);
  connection_count_ = connections_.size();
  client->start();
}

bool HttpServer::State::make_room() { return connections_.size() < setup_.limits.connections || dismiss_one(); }

bool HttpServer::State::dismiss_one() {
  std::shared_ptr<Connection> idle;
  for (const auto& [serial, client] : connections_) {
    if (!client->brought_token()) {
      const auto stranger = client;
      stranger->close();
      return true;
    }
    if (!idle && client->idle()) idle = client;
  }
  if (idle) idle->close();
  return idle != nullptr;
}

void HttpServer::State::gone(const Connection& client) {
  connections_.erase(client.serial());
  connection_count_ = connections_.size();
  changed();
  end_if_empty();
}

void HttpServer::State::changed() {
  std::size_t streams = 0, lines = 0;
  for (const auto& [serial, client] : connections_) {
    streams += client->streaming() ? 1 : 0;
    lines += client->on_line() ? 1 : 0;
  }
  stream_count_ = streams;
  line_count_ = lines;
  memory_is_held_ = true;
  last_change_ = std::chrono::steady_clock::now();
}

bool HttpServer::State::ask(std::shared_ptr<Connection> client, std::string path, std::string body) {
  const auto length = body.size() <= setup_.limits.brief_bytes ? Workers::Length::brief : Workers::Length::lengthy;
  auto task = [this, client = std::move(client), path = std::move(path), body = std::move(body)] {
    Reply reply;
    try {
      reply = setup_.answer(path, body);
    } catch (...) {
      reply = error_reply(500, "the answer could not be computed");
    }
    asio::post(io_, [this, client, reply = std::move(reply)]() mutable {
      client->answered(std::move(reply));
      changed();  // also where the client has left: what its answer took can go back
    });
  };
  return workers_->submit(std::move(task), length);
}

void HttpServer::State::begin_tick() {
  tick_.expires_after(std::min(tick, setup_.limits.beat));
  tick_.async_wait([this](ErrorCode error) {
    if (error || stopping_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_beat_ >= setup_.limits.beat) {
      last_beat_ = now;
      broadcast(event_text("beat", "{}"));
    }
    if (memory_is_held_ && now - last_change_ >= quiet_before_trim) return_memory();
    begin_tick();
  });
}

// What a crowd made the program allocate stays with the allocator, in the pools of all threads, long after the crowd
// has gone. It goes back to the system when nothing has been asked for a while, so that nobody waits for that.
void HttpServer::State::return_memory() {
  memory_is_held_ = false;
  malloc_trim(0);
}

void HttpServer::State::send(const std::string& event, const std::string& data) {
  asio::post(io_, [this, text = event_text(event, data)] {
    last_change_ = std::chrono::steady_clock::now();
    memory_is_held_ = true;
    broadcast(text);
  });
}

void HttpServer::State::broadcast(const std::shared_ptr<const std::string>& event) {
  for (const auto& client : clients()) client->push(event);
}

// A copy, for a connection that closes leaves the list.
HttpServer::State::Clients HttpServer::State::clients() const {
  Clients all;
  for (const auto& [serial, client] : connections_) all.push_back(client);
  return all;
}

HttpServer::HttpServer(ServerSetup setup) : state_(std::make_shared<State>(std::move(setup))) {}
HttpServer::~HttpServer() = default;
std::uint16_t HttpServer::port() const { return state_->port(); }
void HttpServer::run(bool signals, const std::function<void()>& started) { state_->run(signals, started); }
void HttpServer::stop() { state_->stop(); }
void HttpServer::send(const std::string& event, const std::string& data) { state_->send(event, data); }
std::size_t HttpServer::streams() const { return state_->streams(); }
std::size_t HttpServer::lines() const { return state_->lines(); }
std::size_t HttpServer::connections() const { return state_->connections(); }

}  // namespace painleve::studio
