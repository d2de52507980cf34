#include "http_connection.hpp"

#include <array>
#include <boost/asio/write.hpp>
#include <limits>
#include <utility>

#include "http_exchange.hpp"

namespace painleve::studio {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;

namespace {

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

template <class Request>
RequestHead head_of(const Request& request) {
  RequestHead head;
  head.method = view(request.method_string());
  head.target = view(request.target());
  // Two of them are none: whichever this server took, something else may take the other.
  if (request.count(http::field::host) == 1) head.host = view(request[http::field::host]);
  head.has_origin = request.count(http::field::origin) > 0;
  if (request.count(http::field::origin) == 1) head.origin = view(request[http::field::origin]);
  const auto only = [&](beast::string_view name, std::string_view doubled) {
    return request.count(name) > 1 ? doubled : view(request[name]);
  };
  head.fetch_site = only("Sec-Fetch-Site", "doubled");
  head.token = only("X-Painleve-Token", "");
  head.upgrade = websocket::is_upgrade(request);
  if (head.upgrade) head.token = offered_token(only("Sec-WebSocket-Protocol", ""));
  head.content_type = only("Content-Type", "");
  return head;
}

// Where bytes go that nobody wants; only the one thread of the server writes to it.
asio::mutable_buffer waste() {
  static std::array<char, 65536> bytes;
  return asio::buffer(bytes);
}

std::string stream_head() {
  std::string text = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n";
  for (const auto& [name, value] : guarding_headers()) {
    text += name;
    text += ": ";
    text += value;
    text += "\r\n";
  }
  return text + "\r\n";
}

}  // namespace

Connection::Connection(asio::ip::tcp::socket socket, ConnectionHost& host, std::uint64_t serial)
    : socket_(std::move(socket)),
      deadline_(socket_.get_executor()),
      host_(host),
      serial_(serial),
      exchange_(std::make_unique<Exchange>(host.setup().limits)) {}

void Connection::start() {
  ErrorCode ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);  // an answer in two segments would wait for a late ack
  await_request();
}

void Connection::allow_time(std::chrono::milliseconds time) {
  deadline_.expires_after(time);
  deadline_.async_wait([weak = weak_from_this()](ErrorCode error) {
    const auto self = weak.lock();
    // A wait that was over when it was cancelled still ends without an error: look at the clock.
    if (error || !self || self->deadline_.expiry() > std::chrono::steady_clock::now()) return;
    self->out_of_time();
  });
}

void Connection::out_of_time() {
  if (phase_ != Phase::reading) return close();
  timed_out_ = true;  // the read that is under way ends with the socket
  refuse({408, "the request did not arrive in time", ""});
}

void Connection::await_request() {
  if (host_.stopping()) return close();
  phase_ = Phase::idle;
  exchange_->serializer.reset();
  exchange_->response.reset();
  exchange_->parser.reset();
  exchange_->body = {};
  exchange_->buffer.shrink_to_fit();
  if (exchange_->buffer.size() > 0) return read_head();
  allow_time(host_.setup().limits.idle);
  socket_.async_wait(asio::ip::tcp::socket::wait_read, [self = shared_from_this()](ErrorCode error) {
    if (self->phase_ != Phase::idle) return;
    if (error) return self->close();
    self->read_head();
  });
}

void Connection::read_head() {
  const Limits& limits = host_.setup().limits;
  phase_ = Phase::reading;
  keep_ = false;
  allow_time(limits.request);
  auto& parser = exchange_->parser.emplace();
  parser.header_limit(static_cast<std::uint32_t>(limits.header_bytes));
  parser.body_limit(std::numeric_limits<std::uint64_t>::max());  // checked once the head has told who asks
  http::async_read_header(socket_, exchange_->buffer, parser,
                          [self = shared_from_this()](ErrorCode error, std::size_t) { self->head_read(error); });
}

void Connection::head_read(ErrorCode error) {
  if (phase_ != Phase::reading) return;
  if (error) return reading_failed(error);
  const auto& request = exchange_->parser->get();
  const RequestHead head = head_of(request);
  const Admission admission = admit(head, host_.setup().token);
  brought_token_ = same_token(head.token, host_.setup().token);
  keep_ = request.keep_alive() && exchange_->parser->is_done();
  if (admission.refusal) return refuse(*admission.refusal);
  if (request.count(http::field::transfer_encoding) > 0 &&
      !beast::iequals(request[http::field::transfer_encoding], "chunked")) {
    keep_ = false;  // where this body ends is not known
    return refuse({501, "a body comes as it is or in chunks", ""});
  }
  if (admission.wanted == Wanted::call) return read_body(admission.path);
  if (!exchange_->parser->is_done()) return refuse({400, "a GET brings no body", ""});
  if (admission.wanted == Wanted::stream) return open_stream();
  if (admission.wanted == Wanted::line) return open_line();
  send_file(admission.path, head.method == "HEAD");
}

void Connection::read_body(const std::string& path) {
  const Limits& limits = host_.setup().limits;
  auto& parser = *exchange_->parser;
  if (parser.content_length().value_or(0) > limits.body_bytes) return refuse({413, "the request is too large", ""});
  parser.body_limit(limits.body_bytes);  // for a body in chunks, which does not announce its length
  auto read = [self = shared_from_this(), path](ErrorCode write_error, std::size_t) {
    if (self->phase_ != Phase::reading) return;
    if (write_error) return self->close();
    http::async_read(self->socket_, self->exchange_->buffer, *self->exchange_->parser,
                     [self, path](ErrorCode error, std::size_t) { self->body_read(error, path); });
  };
  if (!beast::iequals(parser.get()[http::field::expect], "100-continue")) return read({}, 0);
  static const std::string go_on = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(socket_, asio::buffer(go_on), read);
}

void Connection::body_read(ErrorCode error, const std::string& path) {
  if (phase_ != Phase::reading) return;
  if (error) return reading_failed(error);
  keep_ = exchange_->parser->get().keep_alive();
  phase_ = Phase::answering;
  deadline_.cancel();
  std::string body = std::move(exchange_->parser->get().body());
  if (host_.ask(shared_from_this(), path, std::move(body))) return;
  refuse({503, "too many requests wait for an answer", ""});
}

void Connection::reading_failed(ErrorCode error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow)
    return refuse({431, "the head of the request is too large", ""});
  if (error == http::error::body_limit) return refuse({413, "the request is too large", ""});
  const bool spoke = error.category() == make_error_code(http::error::bad_method).category();
  if (!spoke || error == http::error::end_of_stream || error == http::error::partial_message) return close();
  refuse({400, "this is not a request that HTTP/1.1 knows", ""});
}

void Connection::answered(Reply reply) {
  if (phase_ != Phase::answering) return;  // the client has left
  if (line_) return tell(std::move(reply));
  exchange_->body = std::move(reply.body);
  write(reply.status, reply.type, exchange_->body, false, "");
}

void Connection::send_file(const std::string& path, bool head_only) {
  const StaticFile* file = host_.setup().file(path);
  if (file == nullptr) return refuse({404, "there is no such page", ""});
  write(200, file->type, file->bytes, head_only, "");
}

void Connection::refuse(const Refusal& refusal) {
  Reply reply = error_reply(refusal.status, refusal.sentence);
  exchange_->body = std::move(reply.body);
  const bool head_only = exchange_->parser && exchange_->parser->get().method() == http::verb::head;
  write(reply.status, reply.type, exchange_->body, head_only, refusal.allow);
}

void Connection::write(int status, std::string_view type, std::string_view body, bool head_only,
                       const std::string& allow) {
  const Limits& limits = host_.setup().limits;
  phase_ = Phase::writing;
  allow_time(limits.idle + std::chrono::seconds(body.size() / limits.reader_pace));
  auto& response = exchange_->response.emplace();
  if (exchange_->parser) response.version(exchange_->parser->get().version());
  response.result(static_cast<unsigned>(status));
  for (const auto& [name, value] : guarding_headers()) response.set(name, value);
  response.set(http::field::content_type, beast::string_view(type.data(), type.size()));
  if (!allow.empty()) response.set(http::field::allow, allow);
  response.content_length(body.size());
  response.keep_alive(keep_);
  if (!head_only) response.body() = beast::span<const char>(body.data(), body.size());
  auto& serializer = exchange_->serializer.emplace(response);
  http::async_write(socket_, serializer,
                    [self = shared_from_this()](ErrorCode error, std::size_t) { self->written(error); });
}

void Connection::written(ErrorCode error) {
  if (phase_ != Phase::writing) return;
  host_.changed();
  if (error || timed_out_ || host_.stopping()) return close();
  if (keep_) return await_request();
  drain();
}

// A socket that is closed while bytes wait in it is reset, and a reset may overtake the answer.
void Connection::drain() {
  phase_ = Phase::draining;
  exchange_->body = {};
  ErrorCode ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  allow_time(host_.setup().limits.linger);
  discard();
}

void Connection::discard() {
  socket_.async_read_some(waste(), [self = shared_from_this()](ErrorCode error, std::size_t) {
    if (self->phase_ != Phase::draining) return;
    if (error) return self->close();
    self->discard();
  });
}

void Connection::open_stream() {
  if (!host_.room_for_stream()) return refuse({503, "too many streams are open", ""});
  phase_ = Phase::streaming;
  deadline_.cancel();
  host_.changed();
  push(std::make_shared<const std::string>(stream_head() + "event: beat\ndata: {}\n\n"));
  watch_stream();
}

// Nothing more is expected from the client: whatever comes, the end above all, ends the stream and frees its place.
void Connection::watch_stream() {
  socket_.async_read_some(waste(), [self = shared_from_this()](ErrorCode, std::size_t) { self->close(); });
}

void Connection::push(const std::shared_ptr<const std::string>& event) {
  if (phase_ != Phase::streaming) return;
  if (event_bytes_ + event->size() > host_.setup().limits.stream_bytes) return close();
  event_bytes_ += event->size();
  events_.push_back(event);
  if (events_.size() == 1) flush_stream();
}

void Connection::flush_stream() {
  allow_time(host_.setup().limits.idle);
  asio::async_write(socket_, asio::buffer(*events_.front()),
                    [self = shared_from_this(), event = events_.front()](ErrorCode error, std::size_t) {
                      if (self->phase_ != Phase::streaming) return;
                      if (error) return self->close();
                      self->event_bytes_ -= event->size();
                      self->events_.pop_front();
                      if (!self->events_.empty()) return self->flush_stream();
                      self->deadline_.cancel();
                    });
}

void Connection::finish() {
  if (phase_ != Phase::answering && phase_ != Phase::writing && phase_ != Phase::telling) close();
}

void Connection::close() {
  if (phase_ == Phase::closed) return;
  const auto self = shared_from_this();
  phase_ = Phase::closed;
  deadline_.cancel();
  ErrorCode ignored;
  socket_.close(ignored);
  host_.gone(*this);
}

}  // namespace painleve::studio
