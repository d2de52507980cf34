// Who is let in, decided from the head of a request alone.
//
// Every user of the machine can reach 127.0.0.1, and every page in a browser can send requests there. So: a request
// must name this machine (Host: 127.0.0.1, localhost or [::1], any port, for tunnels), a browser must send it from a
// page of this machine (Origin, where there is one), and everything but the page itself needs the token that only the
// printed address holds and, where the browser says so, must be asked by the page (Sec-Fetch-Site same-origin or none).
// POST must say that it brings JSON, which no foreign form can. What changes anything is a POST; GET only reads.
//
// A browser cannot give a WebSocket a header of its own: the line of quick questions brings the token among the
// protocols that it offers, as "token.TOKEN" beside "painleve", and must come from a page (Origin).
//
//   403  another Host, Origin or site          404  not a path
//   405  another method, with those allowed    401  no token, or a wrong one        415  a POST of something else
//   426  the line without an upgrade
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace painleve::studio {

struct RequestHead {
  std::string_view method, target, host, origin, fetch_site, token, content_type;
  bool has_origin = false;
  bool upgrade = false;  // to a WebSocket
};

enum class Wanted { file, stream, line, call };

struct Refusal {
  int status = 400;
  std::string sentence;
  std::string allow;  // with 405: the methods that this path has
};

struct Admission {
  Wanted wanted = Wanted::file;
  std::string path;                // without a query
  std::optional<Refusal> refusal;  // set: nothing else counts
};

Admission admit(const RequestHead& head, std::string_view token);

// The token among the protocols that a WebSocket offers, "painleve, token.TOKEN"; empty: there is none.
std::string_view offered_token(std::string_view protocols);

std::string draw_token();  // 256 random bits from the system, as hexadecimal digits
// In a time that does not tell where they differ. An empty token is like no other, not even an empty one.
bool same_token(std::string_view a, std::string_view b);

// Headers that every answer carries, name by name: content security policy, no sniffing, no frames, no caching, ….
const std::vector<std::pair<std::string, std::string>>& guarding_headers();

}  // namespace painleve::studio
