// The program behind main(): reads the command line, runs the verb, and turns what went wrong into one line and an
// exit code.
#pragma once

#include "map_computer.hpp"

namespace painleve::cli {

int program(int argc, char** argv, MapComputer& computer);

}  // namespace painleve::cli
