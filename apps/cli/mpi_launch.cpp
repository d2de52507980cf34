#include "mpi_launch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "painleve/base/error.hpp"

namespace painleve::cli {
namespace {

namespace fs = std::filesystem;

// What Open MPI, then MPICH and those that followed it, tell their processes.
std::optional<int> told(const char* open_mpi, const char* mpich) {
  for (const char* name : {open_mpi, mpich}) {
    if (const char* text = std::getenv(name); text != nullptr) return std::atoi(text);
  }
  return std::nullopt;
}

std::optional<fs::path> mpi_program() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place : {folder / "painleve-mpi", folder / "../libexec/painleve/painleve-mpi"}) {
    if (access(place.c_str(), X_OK) == 0) return place;
  }
  return std::nullopt;
}

}  // namespace

void fall_silent() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

void become_mpi_program(int argc, char** argv) {
  const int processes = told("OMPI_COMM_WORLD_SIZE", "PMI_SIZE").value_or(1);
  if (processes < 2) return;
  if (argc < 2 || std::string_view(argv[1]) != "map") {  // there is nothing to share: the first process does it
    if (told("OMPI_COMM_WORLD_RANK", "PMI_RANK").value_or(0) != 0) std::exit(0);
    return;
  }
  const auto program = mpi_program();
  if (program) execv(program->c_str(), argv);
  const std::string why = program ? std::strerror(errno) : "this installation was built without MPI";
  if (told("OMPI_COMM_WORLD_RANK", "PMI_RANK").value_or(0) != 0) fall_silent();
  throw InputError(
      fmt::format("this is one of {} processes of an MPI job, but there is no program painleve-mpi to share the map "
                  "with: {}; run it "
                  "without mpirun, with --threads, or in parts, with --shard",
                  processes, why));
}

}  // namespace painleve::cli
