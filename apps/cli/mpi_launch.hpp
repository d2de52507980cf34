// The same command under mpirun. The program does not load MPI's library: where it finds itself one of several
// processes of an MPI job, and the verb is map, it becomes painleve-mpi, which stands beside it or in libexec.
#pragma once

namespace painleve::cli {

// Returns where there is nothing to become; of several processes with another verb than map only the first does, the
// others end. Throws InputError where there should be a painleve-mpi and is none; then
// the processes but the first have nowhere to print to.
void become_mpi_program(int argc, char** argv);

// What this process prints from now on goes nowhere.
void fall_silent();

}  // namespace painleve::cli
