// SHA-256 (FIPS 180-4), so that anybody's tools can tell whether a vendored file was changed.
#pragma once

#include <string>
#include <string_view>

namespace painleve {

std::string sha256(std::string_view bytes);  // 64 hexadecimal digits

}  // namespace painleve
