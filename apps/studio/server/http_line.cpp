// The line: a WebSocket on which the page asks what must be answered within a frame, since a browser takes several
// milliseconds to make a request of its own and well under one to send a message.
//
//   page:    7 analyze\n{"scene": …}        as POST /api/analyze with that body
//   server:  7 200\n{"schema": 1, …}        status and body of that answer
//
// Questions are answered one by one, in their order; what comes meanwhile waits in the socket.
#include <string>
#include <utility>

#include "http_exchange.hpp"

namespace painleve::studio {

namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;

namespace {

constexpr std::size_t first_line = 128;  // at most: a number and a word

struct Question {
  std::string number, path, body;
  bool well_formed = false;
};

bool all_of(std::string_view text, bool (*good)(char)) {
  for (const char c : text) {
    if (!good(c)) return false;
  }
  return !text.empty();
}

Question question_from(std::string_view text) {
  Question q;
  const std::size_t end = text.substr(0, first_line).find('\n');
  if (end == std::string_view::npos) return q;
  const std::string_view head = text.substr(0, end);
  const std::size_t space = head.find(' ');
  if (space == std::string_view::npos) return q;
  const std::string_view number = head.substr(0, space), name = head.substr(space + 1);
  q.well_formed = number.size() <= 15 && all_of(number, [](char c) { return c >= '0' && c <= '9'; }) &&
                  all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
  q.number = number;
  q.path = "/api/" + std::string(name);
  q.body = text.substr(end + 1);
  return q;
}

// What the library would refuse in words of its own, which are no JSON.
bool opens_line(const beast::http::fields& head) {
  constexpr std::size_t key_size = 24;  // 16 bytes as base64
  return head[beast::http::field::sec_websocket_version] == "13" &&
         head[beast::http::field::sec_websocket_key].size() == key_size;
}

}  // namespace

Connection::~Connection() = default;

void Connection::open_line() {
  if (!host_.room_for_line()) return refuse({503, "too many lines are open", ""});
  if (!opens_line(exchange_->parser->get()))
    return refuse({426, "a line is a WebSocket of version 13 and brings a key of 16 bytes", ""});
  const Limits& limits = host_.setup().limits;
  phase_ = Phase::telling;
  line_ = std::make_unique<Line>(socket_);
  host_.changed();
  auto& socket = line_->socket;
  socket.read_message_max(limits.body_bytes + first_line);
  socket.text(true);
  // A page that is gone without a word is found out by a ping.
  socket.set_option(websocket::stream_base::timeout{limits.request, limits.idle, true});
  socket.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
    response.set(beast::http::field::sec_websocket_protocol, "painleve");
    for (const auto& [name, value] : guarding_headers()) response.set(name, value);
  }));
  socket.async_accept(exchange_->parser->get(), [self = shared_from_this()](ErrorCode error) {
    if (self->phase_ != Phase::telling) return;
    if (error) return self->close();
    self->listen();
  });
}

void Connection::listen() {
  if (host_.stopping()) return close();
  phase_ = Phase::listening;
  deadline_.cancel();
  line_->question.clear();
  line_->question.shrink_to_fit();
  line_->answer = {};
  line_->socket.async_read_some(line_->question, 0, [self = shared_from_this()](ErrorCode error, std::size_t) {
    if (self->phase_ != Phase::listening) return;
    self->allow_time(self->host_.setup().limits.request);  // from the first byte of the question to its last
    self->heard(error);
  });
}

void Connection::heard(ErrorCode error) {
  if (phase_ != Phase::listening) return;
  if (error) return close();
  if (!line_->socket.is_message_done()) {
    line_->socket.async_read_some(line_->question, 0,
                                  [self = shared_from_this()](ErrorCode e, std::size_t) { self->heard(e); });
    return;
  }
  deadline_.cancel();
  const auto bytes = line_->question.data();
  Question q = question_from({static_cast<const char*>(bytes.data()), bytes.size()});
  if (!q.well_formed) return close();  // no page of ours
  phase_ = Phase::answering;
  line_->number = q.number;
  if (!host_.ask(shared_from_this(), std::move(q.path), std::move(q.body)))
    tell(error_reply(503, "too many requests wait for an answer"));
}

void Connection::tell(Reply reply) {
  phase_ = Phase::telling;
  const Limits& limits = host_.setup().limits;
  line_->answer = line_->number + " " + std::to_string(reply.status) + "\n" + reply.body;
  allow_time(limits.idle + std::chrono::seconds(line_->answer.size() / limits.reader_pace));
  line_->socket.async_write(boost::asio::buffer(line_->answer), [self = shared_from_this()](ErrorCode e, std::size_t) {
    if (self->phase_ != Phase::telling) return;
    self->host_.changed();
    if (e) return self->close();
    self->listen();
  });
}

}  // namespace painleve::studio
