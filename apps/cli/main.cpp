#include <cstdio>
#include <exception>

#include "mpi_launch.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
  using namespace painleve;
  try {
    cli::become_mpi_program(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "painleve: %s\n", error.what());
    return 2;
  }
  cli::MapComputer threads;
  return cli::program(argc, argv, threads);
}
