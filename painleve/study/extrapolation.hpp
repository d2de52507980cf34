// The limit of a sequence a(h), h → 0, known at a few h in geometric progression.
//
// Laws that are tried, each through as many of the last points as it has unknowns; p and q are powers that theory
// expects, in order:
//
//   settled                                    a = L
//   a power          a = L + A hᵖ              p from the differences (Aitken's Δ²)
//   two powers       a = L + A hᵖ + B h^q      Richardson's extrapolation, twice; h²ᵖ where no q is expected
//   with logarithm   a = L + hᵖ (A + B ln h)   a divergence from the size of 1 to that of h⁻ᵖ lasts hᵖ ln h
//   and, from six points on, with a third term: hᵖ, hᵖ ln h, h²ᵖ or hᵖ, h^q, h²ᵖ
//
// The law that best foretells the last points from those before them is taken. Its limit from the last points is the
// estimate, and how far that moved since the points one earlier is its error.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace painleve {

struct LimitEstimate {
  double limit = 0;
  double error = 0;             // estimate, not a bound
  std::optional<double> order;  // p; empty: settled, or too erratic for a law
  bool logarithm = false;
  bool monotone = true;
  std::string law;  // "settled", "power", "two powers", "power with logarithm", "two powers with logarithm", "none"
};

// Powers that the leading terms may have.
struct ExpectedPowers {
  double p = 1;
  std::optional<double> q;  // another one beside it
};

// h positive and falling, at least one value; differences up to `noise` count as none.
LimitEstimate extrapolate(const std::vector<double>& h, const std::vector<double>& a, double noise,
                          const std::vector<ExpectedPowers>& expected);

// The order between the points k−1, k, k+1 from successive differences: ln(d_k/d_{k+1}) / ln(h_{k−1}/h_k). Empty where
// a difference is lost in noise or changes sign; the first belongs to the third point.
std::vector<std::optional<double>> orders_of_differences(const std::vector<double>& h, const std::vector<double>& a,
                                                         double noise);

// The order between successive points from the distance to `exact`; the first belongs to the second point.
std::vector<std::optional<double>> orders_of_errors(const std::vector<double>& h, const std::vector<double>& a,
                                                    double exact, double noise);

}  // namespace painleve
