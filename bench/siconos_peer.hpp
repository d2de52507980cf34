// The same contact at rest as a linear complementarity problem for Siconos: unknowns λ_n, λ+, λ−, γ with λ_t = λ+ − λ−,
//   0 ≤ λ_n ⊥ a_n ≥ 0,  0 ≤ λ± ⊥ ±a_t + γ ≥ 0,  0 ≤ γ ⊥ μ λ_n − λ+ − λ− ≥ 0.
#pragma once

#include <memory>

#include "painleve/contact/single_contact.hpp"

namespace painleve {

class SiconosPeer {
 public:
  SiconosPeer();
  ~SiconosPeer();
  int enumerate(const PlanarContact& contact);  // number of complementary bases that Siconos accepts

 private:
  struct Problem;
  std::unique_ptr<Problem> problem_;
};

}  // namespace painleve
