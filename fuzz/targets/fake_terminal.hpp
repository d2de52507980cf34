// Stands for apps/cli/terminal.cpp in programs that run the command line in their own process: what is printed is kept,
// there are no colours, and whoever asks often enough whether Ctrl-C was pressed is told yes, so that nothing runs
// long.
#pragma once

#include <string>

namespace painleve::fuzz {

void begin_session();          // nothing printed, nothing pressed
const std::string& printed();  // since then

}  // namespace painleve::fuzz
