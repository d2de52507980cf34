#include "access.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <stdexcept>

namespace painleve::studio {
namespace {

constexpr std::string_view api = "/api/";
constexpr std::string_view stream_path = "/api/stream";
constexpr std::string_view line_path = "/api/line";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(), [](char c) { return lower(c); });
  return small;
}

// "" or ":" and one to five digits.
bool is_port(std::string_view text) {
  if (text.empty()) return true;
  return text.front() == ':' && text.size() >= 2 && text.size() <= 6 &&
         std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_this_machine(std::string_view text) {
  const std::string host = lower(text);
  for (const std::string_view name : {"127.0.0.1", "localhost", "[::1]"}) {
    if (host.starts_with(name)) return is_port(std::string_view(host).substr(name.size()));
  }
  return false;
}

bool is_page_of_this_machine(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"})
    if (origin.starts_with(scheme)) return is_this_machine(origin.substr(scheme.size()));
  return false;  // "null" is a page without an origin: a sandboxed frame, a file
}

bool brings_json(std::string_view content_type) {
  std::string type = lower(content_type.substr(0, content_type.find(';')));
  type.erase(type.find_last_not_of(" \t") + 1);
  return type == "application/json";
}

std::optional<Refusal> stranger(const RequestHead& head) {
  if (!is_this_machine(head.host))
    return Refusal{403, "the request names another host; open the studio as 127.0.0.1 or localhost", ""};
  if (head.has_origin && !is_page_of_this_machine(head.origin))
    return Refusal{403, "the request comes from a page of another origin", ""};
  return std::nullopt;
}

// The page itself holds no secret, and a link to it may stand on any other page.
bool from_another_site(const RequestHead& head) {
  return !head.fetch_site.empty() && head.fetch_site != "same-origin" && head.fetch_site != "none";
}

bool has_method(Wanted wanted, std::string_view method) {
  switch (wanted) {
    case Wanted::file:
      return method == "GET" || method == "HEAD";
    case Wanted::stream:
    case Wanted::line:
      return method == "GET";
    case Wanted::call:
      return method == "POST";
  }
  return false;
}

const char* methods(Wanted wanted) {
  return wanted == Wanted::file ? "GET, HEAD" : wanted == Wanted::call ? "POST" : "GET";
}

Wanted wanted_at(std::string_view path) {
  if (path == stream_path) return Wanted::stream;
  if (path == line_path) return Wanted::line;
  return path.starts_with(api) ? Wanted::call : Wanted::file;
}

}  // namespace

Admission admit(const RequestHead& head, std::string_view token) {
  Admission a;
  a.refusal = stranger(head);
  if (a.refusal) return a;
  a.path = head.target.substr(0, head.target.find('?'));
  if (!a.path.starts_with('/')) {
    a.refusal = Refusal{404, "there is no such path", ""};
    return a;
  }
  a.wanted = wanted_at(a.path);
  if (!has_method(a.wanted, head.method)) {
    a.refusal = Refusal{405, std::string("this path answers to ") + methods(a.wanted) + " only", methods(a.wanted)};
  } else if (a.wanted != Wanted::file && from_another_site(head)) {
    a.refusal = Refusal{403, "the request comes from a page of another site", ""};
  } else if (a.wanted != Wanted::file && !same_token(head.token, token)) {
    a.refusal = Refusal{401, "the token is missing or wrong; open the address that the program printed", ""};
  } else if (a.wanted == Wanted::call && !brings_json(head.content_type)) {
    a.refusal = Refusal{415, "the request must bring application/json", ""};
  } else if (a.wanted == Wanted::line && !head.upgrade) {
    a.refusal = Refusal{426, "this path is a WebSocket", ""};
  } else if (a.wanted == Wanted::line && !head.has_origin) {
    a.refusal = Refusal{403, "a WebSocket must come from a page", ""};
  }
  return a;
}

std::string_view offered_token(std::string_view protocols) {
  constexpr std::string_view mark = "token.";
  for (std::size_t begin = 0; begin <= protocols.size();) {
    const std::size_t comma = std::min(protocols.find(',', begin), protocols.size());
    std::string_view name = protocols.substr(begin, comma - begin);
    name.remove_prefix(std::min(name.find_first_not_of(" \t"), name.size()));
    name = name.substr(0, name.find_last_not_of(" \t") + 1);
    if (name.starts_with(mark)) return name.substr(mark.size());
    begin = comma + 1;
  }
  return {};
}

std::string draw_token() {
  std::array<unsigned char, 32> bytes{};
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = getrandom(bytes.data() + filled, bytes.size() - filled, 0);
    if (got < 0 && errno != EINTR) throw std::runtime_error("the system has no random numbers to draw a token from");
    if (got > 0) filled += static_cast<std::size_t>(got);
  }
  std::string token;
  for (const unsigned char byte : bytes) {
    token += "0123456789abcdef"[byte >> 4U];
    token += "0123456789abcdef"[byte & 15U];
  }
  return token;
}

bool same_token(std::string_view a, std::string_view b) {
  if (a.size() != b.size() || a.empty()) return false;  // the length is no secret
  unsigned different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    different |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  }
  return different == 0;
}

const std::vector<std::pair<std::string, std::string>>& guarding_headers() {
  static const std::vector<std::pair<std::string, std::string>> headers = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
       "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
  };
  return headers;
}

}  // namespace painleve::studio
