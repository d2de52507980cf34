// Reads an MJCF or URDF file in a child process with limited time, memory and output: the parsers of these formats are
// not ours, and a file that crashes one of them takes only the child down.
#pragma once

#include <string>

#include "painleve/robot/robot_model.hpp"

namespace painleve {

struct RobotReaderOptions {
  std::string program;                         // the reader; empty: robot_reader_program()
  double seconds = 20;                         // of the child's time
  std::size_t memory = std::size_t{2} << 30U;  // of the child's address space [bytes]
};

// Where the reader program `painleve-robot` lies: beside this program, or in the folder of installed helpers. Empty:
// nowhere (built without MuJoCo).
std::string robot_reader_program();

// Throws InputError with one sentence: no such file, what the parser said, what cannot be honoured, no reader.
RobotModel read_robot(const std::string& path, const RobotReaderOptions& options = {});

}  // namespace painleve
