// Counts calls of operator new in this program, to show that the kernels make none.
#pragma once

namespace painleve {
long allocations();
}
