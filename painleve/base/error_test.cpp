#include "painleve/base/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace painleve {
namespace error_test {

TEST(InputErrors, StayOneLineThatNoTerminalObeys) {
  EXPECT_STREQ(InputError("the law 'x\x1b[2J' is unknown\n").what(), "the law 'x [2J' is unknown");
  EXPECT_STREQ(InputError("a\tb\r\nc\x7f").what(), "a b  c ");
  EXPECT_STREQ(InputError("µ must be ≥ 0").what(), "µ must be ≥ 0");
}

}  // namespace error_test
}  // namespace painleve
