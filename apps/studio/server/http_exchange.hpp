// What is under way on a connection. Beast's headers are heavy: only the sources of Connection see this.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <optional>
#include <string>

#include "http_connection.hpp"

namespace painleve::studio {

// A request and its answer; the buffer may hold the beginning of the next request.
struct Connection::Exchange {
  using Body = boost::beast::http::span_body<const char>;

  explicit Exchange(const Limits& limits) : buffer(limits.header_bytes + 65536) {}

  boost::beast::flat_buffer buffer;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser;
  std::string body;  // of the answer; files are sent from where they are
  std::optional<boost::beast::http::response<Body>> response;
  std::optional<boost::beast::http::response_serializer<Body>> serializer;
};

// A question and its answer on a WebSocket, each a number and a word on the first line, JSON on the rest.
struct Connection::Line {
  explicit Line(boost::asio::ip::tcp::socket& under) : socket(under) {}

  boost::beast::websocket::stream<boost::asio::ip::tcp::socket&> socket;
  boost::beast::flat_buffer question;
  std::string number;  // that the question gave itself
  std::string answer;
};

}  // namespace painleve::studio
