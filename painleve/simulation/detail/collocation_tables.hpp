// Polynomials on equidistant points, for exponential_collocation.hpp: six points 0, 1/5, …, 1 of a step for the slow
// rest of the right side, eleven points 0, 1/10, …, 1 for the work. Made once from their definitions.
#pragma once

#include <array>
#include <cstddef>

namespace painleve::detail {

struct CollocationTables {
  static constexpr std::size_t kNodes = 6;
  static constexpr std::size_t kPoints = 11;

  // [j][k]: coefficient of X^k in the Lagrange polynomial ℓ_j on X = 0 … 5.
  std::array<std::array<double, kNodes>, kNodes> lagrange{};
  // [k][j]: coefficient of X^(k+1) in its integral.
  std::array<std::array<double, kNodes>, kNodes> antiderivative{};
  // [p][k][j]: k-th derivative of ℓ_j at p/5 of the step, per fifth of the step.
  std::array<std::array<std::array<double, kNodes>, kNodes>, kNodes - 1> taylor{};
  // [p][j]: ℓ_j at p/10 of the step.
  std::array<std::array<double, kNodes>, kPoints> value{};
  // The two integrals below, at the tenths.
  std::array<std::array<double, kNodes>, kPoints> integral{};
  std::array<std::array<double, kPoints>, kPoints> work{};
  std::array<double, kPoints> tenth_difference{};  // the part of it that comes from the tenth difference

  CollocationTables();
  // ∫ of ℓ_j from 0 to x, in parts of the step.
  std::array<double, kNodes> integral_to(double x) const;
  // The same for the polynomials of degree 10 on the eleven points.
  std::array<double, kPoints> work_to(double x) const;
};

const CollocationTables& collocation_tables();

}  // namespace painleve::detail
