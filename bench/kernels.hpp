// The kernels and inner loops alone, to count their instructions: one program runs a kernel N times and once more 2 N
// times under a counter, and the difference is N calls without the start of the program and the drawing of inputs.
#pragma once

#include <string>
#include <vector>

namespace painleve {

std::vector<std::string> kernel_names();

struct KernelWork {
  long units = 0;        // calls, pivots, block updates or steps, as the kernel is counted in
  long allocations = 0;  // in the calls alone
};

// Runs through the kernel's inputs `passes` times. Throws InputError for a name that is not there.
KernelWork run_kernel(const std::string& name, long passes);

}  // namespace painleve
