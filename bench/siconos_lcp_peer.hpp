// Siconos' lexicographic Lemke method on a dense linear complementarity problem.
#pragma once

#include <memory>

namespace painleve {

class SiconosLcpPeer {
 public:
  explicit SiconosLcpPeer(int size);
  ~SiconosLcpPeer();
  SiconosLcpPeer(const SiconosLcpPeer&) = delete;
  SiconosLcpPeer& operator=(const SiconosLcpPeer&) = delete;

  // M column-major, z the result. What it returns is Siconos' opinion: whether z solves the problem is for us to see.
  int solve(const double* M, const double* q, double* z);

 private:
  struct Problem;
  std::unique_ptr<Problem> problem_;
};

}  // namespace painleve
