// Which build of the library this is: a hash of its sources, of the compiler and of its flags. Another build may give
// other digits, so that what one has begun another one does not go on with.
#pragma once

#include <cstdint>

namespace painleve {

std::uint64_t build_identity();

}  // namespace painleve
