#include "painleve/robot/robot_reader.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "painleve/base/child_process.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve {
namespace {

void check_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError("there is no robot file " + in_quotes(path));
  if (std::filesystem::is_directory(status)) {
    throw InputError(in_quotes(path) + " is a folder; name the MJCF or URDF file in it");
  }
  if (!std::filesystem::is_regular_file(status)) throw InputError(in_quotes(path) + " is not a regular file");
}

std::string reader_of(const RobotReaderOptions& options) {
  std::string program = options.program.empty() ? robot_reader_program() : options.program;
  if (!program.empty()) return program;
  throw InputError(
      "robot files cannot be read, because the program painleve-robot was not built; "
      "'apt install libmujoco-dev libtinyxml2-dev', then configure and build Painlevé again");
}

// The first line of what the reader wrote to stderr, without the line's end.
std::string sentence(const std::string& text) { return text.substr(0, text.find('\n')); }

// A new library that throws for want of memory ends by SIGABRT (6) and says so.
bool out_of_memory(const ChildResult& result) {
  return result.err.find("bad_alloc") != std::string::npos || result.err.find("not allocate") != std::string::npos;
}

[[noreturn]] void explain(const std::string& path, const RobotReaderOptions& options, const ChildResult& result) {
  const std::string file = in_quotes(path);
  if (result.timed_out)
    throw InputError(fmt::format("reading {} took more than {:g} s and was ended", file, options.seconds));
  if (result.too_long) throw InputError(fmt::format("the reader of {} printed too much and was ended", file));
  if (out_of_memory(result)) {
    throw InputError(
        fmt::format("reading {} needs more than {} MiB of memory and was ended", file, options.memory >> 20U));
  }
  if (result.signal != 0) {
    throw InputError(
        fmt::format("the parser of the MuJoCo library ended by signal {} while reading {}", result.signal, file));
  }
  if (result.exit_code == 2 && !sentence(result.err).empty()) throw InputError(sentence(result.err));
  throw InputError(
      fmt::format("the reader of {} ended with code {}: {}", file, result.exit_code, in_quotes(sentence(result.err))));
}

RobotModel model_of(const std::string& text, const std::string& path) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) throw InputError("the reader of " + in_quotes(path) + " printed no JSON");
  return robot_model_from_json(json);
}

}  // namespace

std::string robot_reader_program() { return find_helper("painleve-robot"); }

RobotModel read_robot(const std::string& path, const RobotReaderOptions& options) {
  check_file(path);
  const std::string program = reader_of(options);
  const std::string file = path.front() == '-' ? "./" + path : path;  // never an option
  const ChildLimits limits{options.seconds, options.memory, std::size_t{64} << 20U};
  const ChildResult result = run_child(program, {file}, "", limits);
  if (result.exit_code != 0 || result.timed_out || result.too_long) explain(path, options, result);
  return model_of(result.out, path);
}

}  // namespace painleve
