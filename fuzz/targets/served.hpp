// The studio's server in this process, with answers that only count, for targets that speak to it over a socket.
#pragma once

#include <cstdint>
#include <string>

namespace painleve::fuzz {

inline const std::string studio_token(16, 'a');

std::uint16_t served_port();  // starts the server on the first call

// Sends the bytes, says that there are no more, and takes what comes until the server closes; a server that does not is
// a broken law.
std::string exchanged(const std::string& bytes);

}  // namespace painleve::fuzz
