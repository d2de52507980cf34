// The Radau IIA method of three stages (Hairer & Wanner, Solving Ordinary Differential Equations II, 1996, IV.5 and
// IV.8): collocation at
//
//   c = ((4 - √6)/10, (4 + √6)/10, 1),
//
// whose matrix a has the inverse T Λ T⁻¹, Λ = [γ 0 0; 0 α -β; 0 β α]. radau_test.cpp checks the numbers against the
// conditions of collocation.
#pragma once

#include <array>

namespace painleve::radau_coefficients {

inline constexpr double kRoot6 = 2.4494897427831780982;
inline constexpr std::array<double, 3> c = {(4 - kRoot6) / 10, (4 + kRoot6) / 10, 1.0};

// Of a⁻¹: the real eigenvalue, and the real and imaginary parts of the pair.
inline constexpr double gamma = 3.6378342527444957322;
inline constexpr double alpha = 2.6810828736277521339;
inline constexpr double beta = 3.0504301992474105694;

inline constexpr std::array<std::array<double, 3>, 3> T = {{
    {0.091232394870892942792, -0.14125529502095420843, -0.030029194105147424492},
    {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
    {0.96604818261509293619, 1.0, 0.0},
}};
inline constexpr std::array<std::array<double, 3>, 3> T_inverse = {{
    {4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
    {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497},
}};

// The Lagrange polynomials l_i(x), i = 1, 2, 3, of the nodes 0, c_1, c_2, c_3 = 1 and their slopes: the collocation
// polynomial is u = y + Σ l_i z_i, with the stages y + z_i.
inline std::array<double, 3> lagrange(double x) {
  std::array<double, 3> l{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double p = c[(i + 1) % 3];
    const double q = c[(i + 2) % 3];
    l[i] = x * (x - p) * (x - q) / (c[i] * (c[i] - p) * (c[i] - q));
  }
  return l;
}
inline std::array<double, 3> lagrange_slope(double x) {
  std::array<double, 3> slope{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double p = c[(i + 1) % 3];
    const double q = c[(i + 2) % 3];
    slope[i] = ((x - p) * (x - q) + x * (x - p) + x * (x - q)) / (c[i] * (c[i] - p) * (c[i] - q));
  }
  return slope;
}

}  // namespace painleve::radau_coefficients
