#pragma once

#include <stdexcept>

namespace painleve {

/// Bad input from outside: a file, a command line, a request. The message is one sentence that names the field, its
/// value and what is allowed there, so that it can be shown to the user as it is. A paradox is never an InputError.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace painleve
