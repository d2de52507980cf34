// One client: its requests, one after the other, or the stream or the line that one of them turned it into.
//
//          first byte        head, token, body          reply
//   idle ------------> reading ------------> answering ------> writing --> idle
//                         |  GET /api/stream                      ^  \.
//                         |----------------> streaming            |   draining, when the request was not read to its
//                         |--------------------------------------´    end: the client reads why before it is closed
//                            a file, a refusal, too late (408)
//
// GET /api/line turns it into a WebSocket (http_line.cpp), on which phases go  listening -> answering -> telling -> ….
//
// All of it runs in the one thread of the server. Every phase but `answering` has a deadline; a stream has one while
// something is being sent, a line has one while a question arrives.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "access.hpp"
#include "http_server.hpp"

namespace painleve::studio {

class Connection;

// What a connection needs of the server.
class ConnectionHost {
 public:
  virtual const ServerSetup& setup() const = 0;
  virtual bool ask(std::shared_ptr<Connection> client, std::string path, std::string body) = 0;  // false: too many wait
  virtual bool room_for_stream() const = 0;
  virtual bool room_for_line() const = 0;
  virtual bool stopping() const = 0;
  virtual void changed() = 0;  // a connection began or ended a stream or a line, or was served
  virtual void gone(const Connection& client) = 0;

 protected:
  ~ConnectionHost() = default;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::ip::tcp::socket socket, ConnectionHost& host, std::uint64_t serial);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start();
  void answered(Reply reply);
  void push(const std::shared_ptr<const std::string>& event);
  void close();   // at once
  void finish();  // at once, or when the answer under way is written

  std::uint64_t serial() const { return serial_; }
  bool idle() const { return phase_ == Phase::idle; }
  bool streaming() const { return phase_ == Phase::streaming; }
  bool on_line() const { return line_ != nullptr && phase_ != Phase::closed; }
  bool brought_token() const { return brought_token_; }

 private:
  enum class Phase { idle, reading, answering, writing, streaming, listening, telling, draining, closed };
  using ErrorCode = boost::system::error_code;
  struct Exchange;
  struct Line;

  void await_request();
  void read_head();
  void head_read(ErrorCode error);
  void read_body(const std::string& path);
  void body_read(ErrorCode error, const std::string& path);
  void reading_failed(ErrorCode error);
  void send_file(const std::string& path, bool head_only);
  void refuse(const Refusal& refusal);
  void write(int status, std::string_view type, std::string_view body, bool head_only, const std::string& allow);
  void written(ErrorCode error);
  void drain();
  void discard();
  void open_stream();
  void watch_stream();
  void flush_stream();
  void open_line();
  void listen();
  void heard(ErrorCode error);
  void tell(Reply reply);
  void allow_time(std::chrono::milliseconds time);
  void out_of_time();

  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer deadline_;
  ConnectionHost& host_;
  std::uint64_t serial_;
  Phase phase_ = Phase::idle;
  bool brought_token_ = false, timed_out_ = false, keep_ = false;
  std::unique_ptr<Exchange> exchange_;
  std::deque<std::shared_ptr<const std::string>> events_;  // of a stream; the first is being sent
  std::size_t event_bytes_ = 0;
  std::unique_ptr<Line> line_;
};

}  // namespace painleve::studio
