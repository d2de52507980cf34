#pragma once

namespace painleve {

/// Where a computed number counts as zero. Both values stand well above the rounding of metre-sized mechanisms in
/// double precision (about 1e-15 per operation, 1e-12 after a Newton projection) and well below anything that is
/// measured, so that results do not depend on them. Scale them with the mechanism when its size is far from 1 m.
struct Tolerance {
  // Event location brings a gap to about 1e-12 m; 1e-9 m leaves three digits for the drift between two projections.
  double gap = 1e-9;  // [m] a contact is closed when |gap| <= this

  // One value for all three signs, so that a contact is never at rest and moving at the same time.
  double velocity = 1e-9;  // [m/s] approaching when u_n < -this, separating when u_n > this, rest when |u_t| <= this
};

}  // namespace painleve
