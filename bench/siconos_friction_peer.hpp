// Siconos' nonsmooth Gauss-Seidel method for frictional contacts (NSGS), in the plane and in space.
#pragma once

#include <memory>

namespace painleve {

class SiconosFrictionPeer {
 public:
  // Sweeps at most, and the error in Siconos' own measure at which it may stop.
  SiconosFrictionPeer(int dimension, int contacts, int most_sweeps, double tolerance);
  ~SiconosFrictionPeer();
  SiconosFrictionPeer(const SiconosFrictionPeer&) = delete;
  SiconosFrictionPeer& operator=(const SiconosFrictionPeer&) = delete;

  // Siconos stacks the normal of a contact before its tangents. W is symmetric, r the result.
  void solve(const double* W, const double* q, const double* mu, double* r);

 private:
  struct Problem;
  std::unique_ptr<Problem> problem_;
};

}  // namespace painleve
