// Springs that show that a mode can be stable, or can be unstable: the existence half of stability_for_all().
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "painleve/modes/stability.hpp"

namespace painleve {

using Set = unsigned;  // of contacts, one bit each

inline std::vector<int> members(Set set) {
  std::vector<int> list;
  for (int i = 0; set >> static_cast<unsigned>(i) != 0; ++i)
    if ((set >> static_cast<unsigned>(i) & 1U) != 0) list.push_back(i);
  return list;
}

// Minors of more contacts than this are not listed: there are 2ⁿ.
inline constexpr int most_listed = 12;

struct SpringProblem {
  const Eigen::MatrixXd& P;
  const Eigen::MatrixXd& gaps;
  int n() const { return static_cast<int>(P.rows()); }
  int m() const { return static_cast<int>(gaps.cols()); }
};

// Signs, not products: those may underflow.
inline bool opposite(double a, double b) { return (a < 0 && b > 0) || (a > 0 && b < 0); }

// Stiffness that makes the response k p of each contact about 1, so that recipes do not depend on units.
Eigen::VectorXd unit_stiffness(const Eigen::MatrixXd& P);

// On which side the eigenvalues lie, as far as rounding lets one tell.
struct Spectrum {
  Growth growth;
  bool stable() const { return growth.rate < -growth.rounding; }
  bool unstable() const { return growth.rate > growth.rounding; }
};
Spectrum spectrum(const SpringProblem& p, const Eigen::VectorXd& k, const Eigen::VectorXd& nu);

// Signs of the principal minors of at most m contacts, by set; 0 when only rounding is left.
std::vector<int> minor_signs(const SpringProblem& p);

// Each returns springs whose eigenvalues confirm the claim, or nothing.
//
// Stiffness and damping that fall along nested sets of contacts with positive minors.
std::optional<Witness> stable_by_nest(const SpringProblem& p, const std::vector<int>& signs);
// Weak springs outside a set with a negative minor.
std::optional<Witness> unstable_by_minor(const SpringProblem& p, const std::vector<int>& signs);
// Weakly damped pairs or triples of contacts whose frequencies coincide, some of the others being stiff and the rest
// weak. A pair with s_ij s_ji < 0 flutters at k_i s_ii = k_j s_jj. If a triple were symmetric, two of its frequencies
// would coincide at k_i (s_ii − g_i) = 1, g_i = s_ij s_il/s_jl; there the least asymmetry makes it flutter.
std::optional<Witness> unstable_by_resonance(const SpringProblem& p);
// Climbing (or descending, for `stable`) max Re s/|s| over log k and log ν with `spectra` eigenvalue problems.
std::optional<Witness> search_springs(const SpringProblem& p, bool stable, int spectra);

}  // namespace painleve
