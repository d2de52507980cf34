// Requests to the studio's server, as bytes on a socket. What comes back must be whole answers of HTTP/1.1, one after
// the other, each with a status that the server knows.
#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>

#include "served.hpp"
#include "target_list.hpp"

namespace painleve::fuzz {
namespace {

constexpr std::array<int, 17> statuses{100, 101, 200, 400, 401, 403, 404, 405, 408,
                                       411, 413, 415, 426, 431, 500, 501, 503};

int status_of(std::string_view head) {
  int status = 0;
  std::from_chars(head.data() + 9, head.data() + 12, status);
  return status;
}

std::string_view header(std::string_view head, std::string_view name) {
  const std::size_t at = head.find(name);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at + name.size();
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

// Returns what follows the answer; empty where it has no end of its own.
std::string_view check_answer(std::string_view text, bool head_only) {
  const std::size_t end = text.find("\r\n\r\n");
  law(end != std::string_view::npos && text.starts_with("HTTP/1."), "an answer that is not HTTP");
  const std::string_view head = text.substr(0, end + 2);
  const int status = status_of(head);
  law(std::find(statuses.begin(), statuses.end(), status) != statuses.end(), "status " + std::to_string(status));
  law(status != 500, "an answer failed: " + std::string(text.substr(0, 500)));
  text.remove_prefix(end + 4);
  const std::string_view written = header(head, "Content-Length: ");
  if (written.empty()) return {};  // a stream, or a line
  std::size_t length = 0;
  std::from_chars(written.data(), written.data() + written.size(), length);
  if (head_only && text.size() < length) return {};
  if (text.starts_with("HTTP/1.")) return text;  // the answer to a HEAD
  law(text.size() >= length, "an answer is shorter than it says");
  if (status >= 400) {
    const auto body = nlohmann::json::parse(text.substr(0, length), nullptr, false);
    law(body.is_object() && body.contains("error"), "a refusal that is no JSON");
    check_sentence(body["error"].get<std::string>());
  }
  return text.substr(length);
}

}  // namespace

void read_http(std::string_view bytes) {
  const std::string answer = exchanged(std::string(bytes));
  const bool head_only = bytes.find("HEAD ") != std::string_view::npos;
  std::string_view rest = answer;
  while (!rest.empty()) rest = check_answer(rest, head_only);
}

}  // namespace painleve::fuzz
