// Siconos on dense linear complementarity problems: its lexicographic Lemke method, and the enumeration of all bases.
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

class SiconosEnumerationPeer {
 public:
  explicit SiconosEnumerationPeer(int size);
  ~SiconosEnumerationPeer();
  SiconosEnumerationPeer(const SiconosEnumerationPeer&) = delete;
  SiconosEnumerationPeer& operator=(const SiconosEnumerationPeer&) = delete;

  // Number of complementary bases that Siconos accepts; M column-major.
  int enumerate(const double* M, const double* q);

 private:
  struct Problem;
  std::unique_ptr<Problem> problem_;
};

}  // namespace painleve
