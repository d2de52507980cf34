// The studio as one: the page, the answers, the jobs and the server.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "api.hpp"
#include "http_server.hpp"

namespace painleve::studio {

class Jobs;

struct StudioOptions {
  std::uint16_t port = 8080;  // 0: a free one
  StartScene start;
  Limits limits;
};

struct Address {
  std::string url;  // with the token
  std::uint16_t port = 0;
};

// Serves until SIGINT or SIGTERM; `ready` is told the address once it can be opened. Throws InputError for a busy port.
void serve(const StudioOptions& options, const std::function<void(const Address& address)>& ready);

// POST /api/NAME: a quick call, or one of job, result, cancel, jobs. Never throws: 400 a wrong request, 404 an unknown
// name, 429 too many jobs, 507 no memory, 500 anything else, with {"error": sentence}.
Reply answer(std::string_view path, const std::string& body, const std::map<std::string, QuickCall>& quick, Jobs& jobs);

}  // namespace painleve::studio
