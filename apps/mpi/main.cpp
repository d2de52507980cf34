// painleve-mpi: what painleve becomes under mpirun. The same program, with the ranks of the job to compute its maps.
#include <mpi.h>

#include <cstdlib>

#include "apps/cli/mpi_launch.hpp"
#include "apps/cli/program.hpp"
#include "apps/mpi/ranks.hpp"

int main(int argc, char** argv) {
  using namespace painleve;
  int provided = 0, rank = 0, count = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  if (rank != 0) cli::fall_silent();
  setenv("NO_COLOR", "1", 1);  // mpirun shows its processes a terminal even where its own output is a file
  cli::Ranks ranks(rank, count);
  const int code = cli::program(argc, argv, ranks);
  ranks.part();
  MPI_Finalize();
  return rank == 0 ? code : 0;
}
