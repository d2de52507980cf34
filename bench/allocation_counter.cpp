#include "allocation_counter.hpp"

#include <cstdlib>
#include <new>

namespace {
long count = 0;
}

void* operator new(std::size_t size) {
  ++count;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace painleve {
long allocations() { return count; }
}  // namespace painleve
