// For tests: how often the test program has taken memory from the heap. The counter replaces operator new and malloc of
// the whole program, in ode_allocation_test.cpp.
#pragma once

#include <cstddef>

namespace painleve::detail {

std::size_t allocation_count();

}  // namespace painleve::detail
