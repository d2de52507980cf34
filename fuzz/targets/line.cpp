// Frames on the studio's WebSocket. The first byte chooses: frames of these bytes, or a text that is framed properly,
// in pieces, which must be answered if it is a question.
#include <string>

#include "http_test_client.hpp"
#include "served.hpp"
#include "target_list.hpp"

namespace painleve::fuzz {
namespace {

std::string opening() {
  return studio::get_request("/api/line",
                             "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://127.0.0.1:8080\r\n"
                             "Sec-WebSocket-Protocol: painleve, token." +
                                 studio_token + "\r\n");
}

// Masked by zeros, under which the text stays as it is.
std::string frame(std::string_view text, unsigned char head) {
  std::string bytes(1, static_cast<char>(head));
  if (text.size() < 126) {
    bytes += static_cast<char>(0x80U | text.size());
  } else {
    bytes += static_cast<char>(0x80U | 126U);
    bytes += static_cast<char>(text.size() >> 8U);
    bytes += static_cast<char>(text.size() & 255U);
  }
  return bytes + std::string(4, '\0') + std::string(text);
}

std::string framed(Draw draw) {
  constexpr unsigned char text_frame = 1, more = 0, last = 0x80;
  const std::string_view first = draw.rest().substr(0, draw.byte() % 64);
  const std::string_view text = draw.rest();
  const std::string_view head = text.substr(0, std::min(first.size(), text.size()));
  return frame(head, text_frame) + frame(text.substr(head.size()), static_cast<unsigned char>(more | last));
}

struct Frame {
  unsigned opcode = 0;
  std::string_view text;
};

Frame take_frame(std::string_view& bytes) {
  law(bytes.size() >= 2, "a frame without a head");
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  law((byte(1) & 0x80U) == 0, "the server masks");
  std::size_t length = byte(1), begin = 2;
  if (length >= 126) {
    const std::size_t size = length == 126 ? 2 : 8;
    law(bytes.size() >= 2 + size, "a frame without a length");
    length = 0;
    for (std::size_t i = 0; i < size; ++i) length = 256 * length + byte(2 + i);
    begin += size;
  }
  law(bytes.size() >= begin + length, "a frame is shorter than it says");
  const Frame frame{byte(0) & 15U, bytes.substr(begin, length)};
  bytes.remove_prefix(begin + length);
  return frame;
}

void check_frames(std::string_view bytes) {
  while (!bytes.empty()) {
    const Frame one = take_frame(bytes);
    law(one.opcode <= 2 || (one.opcode >= 8 && one.opcode <= 10), "a frame of no kind");
    if (one.opcode == 1) {
      const std::size_t space = one.text.find(' ');
      law(space != std::string_view::npos && one.text.substr(space + 1, 4).ends_with('\n'), "an answer without a head");
    }
  }
}

}  // namespace

void read_line(std::string_view bytes) {
  Draw draw(bytes);
  const std::string frames = draw.below(2) == 0 ? std::string(draw.rest()) : framed(draw);
  const std::string answer = exchanged(opening() + frames);
  const std::size_t end = answer.find("\r\n\r\n");
  law(answer.starts_with("HTTP/1.1 101 ") && end != std::string::npos, "the line is not opened");
  check_frames(std::string_view(answer).substr(end + 4));
}

}  // namespace painleve::fuzz
