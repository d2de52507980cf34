// A scenario as text, in the layout of toml++. Not part of the public interface.
#pragma once

#include <toml++/toml.h>

#include <string>

namespace painleve::detail {

// The values of a table first, then its tables as [sections]. Lists that do not fit on a line of 120 characters have
// one entry per line. toml++ would estimate that width from the logarithm of each number, which is undefined for
// numbers below 0.1.
std::string toml_text(const toml::table& table);

}  // namespace painleve::detail
