#pragma once

#include <stdexcept>
#include <string>

#include "painleve/base/characters.hpp"

namespace painleve {

/// Bad input from outside: a file, a command line, a request. The message is one sentence that names the field, its
/// value and what is allowed there, so that it can be shown to the user as it is: whatever of the input it repeats, it
/// stays one line, without anything that a terminal would obey. A paradox is never an InputError.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(detail::one_line(message)) {}
};

}  // namespace painleve
