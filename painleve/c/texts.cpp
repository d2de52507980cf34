// The sentences and names of painleve.h. The build tells PAINLEVE_LIBRARY_VERSION; a test compares it with the header.
#include "painleve/c/painleve.h"

extern "C" {

const char* painleve_error_text(int32_t error) {
  switch (error) {
    case PAINLEVE_OK:
      return "done";
    case PAINLEVE_NULL_POINTER:
      return "a pointer is NULL";
    case PAINLEVE_BAD_COUNT:
      return "count must be 1 or 2 contacts";
    case PAINLEVE_NOT_FINITE:
      return "a number is not finite, or larger than 1e100";
    case PAINLEVE_NEGATIVE_MU:
      return "mu is negative, it must be >= 0";
    case PAINLEVE_LARGE_MU:
      return "mu is too large, it must be <= 1e9";
    case PAINLEVE_NOT_SYMMETRIC:
      return "W is not symmetric to 1e-9 of its largest entry";
    case PAINLEVE_INDEFINITE:
      return "W is not positive semidefinite to 1e-9 of its largest entry";
    case PAINLEVE_TOO_SMALL:
      return "a number on the diagonal of W is below 1e-100 and not zero, too small to compute with";
    case PAINLEVE_BAD_TOLERANCE:
      return "a tolerance is negative, it must be >= 0";
    case PAINLEVE_BAD_DT:
      return "dt must be between 1e-12 and 1e6 s";
    case PAINLEVE_BAD_FORMULATION:
      return "the formulation must be PAINLEVE_ACCELERATION, PAINLEVE_IMPULSE or PAINLEVE_STEP";
    default:
      return "not an error code of this library";
  }
}

const char* painleve_verdict_text(int32_t verdict) {
  switch (verdict) {
    case PAINLEVE_UNIQUE:
      return "unique";
    case PAINLEVE_INCONSISTENT:
      return "inconsistent";
    case PAINLEVE_INDETERMINATE:
      return "indeterminate";
    case PAINLEVE_IMPACT:
      return "impact";
    default:
      return "unknown";
  }
}

const char* painleve_version(void) { return PAINLEVE_LIBRARY_VERSION; }

int32_t painleve_abi(void) { return PAINLEVE_ABI; }

}  // extern "C"
