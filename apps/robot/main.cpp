// painleve-robot FILE [--evaluate STATE.json] [--as-it-is]
//
// Reads an MJCF or URDF file with MuJoCo's compiler and prints the robot as JSON (painleve/robot/robot_model.hpp). It
// is a program of its own because the parsers of these formats may crash or hang on a bad file; the library runs it
// with limits. With --evaluate it prints MuJoCo's own mass matrix, bias and Jacobians instead (evaluation.hpp), for
// tests;
// --as-it-is then gives the file to MuJoCo unchanged. Errors: one sentence on stderr, code 2.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compiled_robot.hpp"
#include "evaluation.hpp"
#include "model_extraction.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace {

using painleve::InputError;

struct Options {
  std::string file, state;
  bool as_it_is = false;
};

Options parse(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--as-it-is") {
      options.as_it_is = true;
    } else if (arguments[i] == "--evaluate" && i + 1 < arguments.size()) {
      options.state = arguments[++i];
    } else if (options.file.empty() && arguments[i].rfind("--", 0) != 0) {
      options.file = arguments[i];
    } else {
      throw InputError("unexpected argument " + painleve::in_quotes(arguments[i]) +
                       "; usage: painleve-robot FILE [--evaluate STATE.json [--as-it-is]]");
    }
  }
  if (options.file.empty()) throw InputError("usage: painleve-robot FILE [--evaluate STATE.json [--as-it-is]]");
  return options;
}

nlohmann::json state_from(const std::string& path) {
  std::ifstream file(path);
  nlohmann::json state = nlohmann::json::parse(file, nullptr, false);
  if (!state.is_object()) throw InputError("there is no JSON object in " + painleve::in_quotes(path));
  return state;
}

nlohmann::json answer(const Options& options) {
  namespace program = painleve::robot_program;
  program::set_handlers();
  if (options.as_it_is) return program::evaluate(*program::compile_as_it_is(options.file), state_from(options.state));
  const program::PreparedRobot prepared = program::prepare(options.file);
  const program::MujocoModel compiled = program::compile(prepared);
  if (!options.state.empty()) return program::evaluate(*compiled, state_from(options.state));
  return painleve::to_json(program::extract(*compiled, prepared));
}

}  // namespace

int main(int count, char** values) {
  try {
    const Options options = parse({values + 1, values + count});
    std::cout << answer(options).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n' << std::flush;
    return std::cout.good() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
