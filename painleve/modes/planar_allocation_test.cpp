// The kernel takes nothing from the heap. In a file of its own: it replaces operator new of the whole test program.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <new>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/modes/detail/drawn_contacts.hpp"

namespace {
std::size_t allocations = 0;
}

// Not inlined: the compiler would see malloc and free through one of the pair only and warn of a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}
// What sorts asks for memory in this way; all forms must take it from where delete gives it back.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size > 0 ? size : 1);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace painleve {
namespace planar_allocation_test {

TEST(PlanarAllocation, ThereIsNone) {
  Draws draws(2);
  std::array<PlanarContact, 1000> contacts{};
  int slip = -1;
  for (auto& c : contacts) {
    c = drawn_planar(draws, slip);
    slip = slip == 1 ? -1 : slip + 1;
  }
  const std::size_t before = allocations;
  unsigned sum = 0;
  for (const auto& c : contacts) {
    sum += planar_modes(c).consistent;
  }
  const std::size_t after = allocations;
  EXPECT_EQ(after, before);
  EXPECT_GT(sum, 0U);
  const auto counted = std::make_unique<std::array<double, 100>>();
  const void* volatile address = counted.get();  // memory that nobody can look at need never be taken
  EXPECT_GT(allocations, after) << "the counter does not count, " << address;
}

}  // namespace planar_allocation_test
}  // namespace painleve
