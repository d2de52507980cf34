// Memory for libraries that do not survive the lack of it: HDF5 and Fontconfig go on with pointers to nothing.
#pragma once

#include <cstddef>

namespace painleve {

// Throws std::bad_alloc unless so many bytes could be had now. They are not taken: other threads may be faster.
void need_memory(std::size_t bytes);

}  // namespace painleve
