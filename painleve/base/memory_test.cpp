#include "painleve/base/memory.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <new>

namespace painleve {
namespace memory_test {

TEST(Memory, IsAskedForAndNotTaken) {
  for (int k = 0; k < 2000; ++k) EXPECT_NO_THROW(need_memory(std::size_t{1} << 28U));  // half a terabyte if it were
  EXPECT_THROW(need_memory(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
}

}  // namespace memory_test
}  // namespace painleve
