// What the kernel needs to know of a whole line of a map. Not part of the public interface.
//
// Along an axis of friction W, b and u are those of one scene. Along an axis of velocity, slip or applied force q and W
// are; of every mechanism the velocity v is then an affine function of the axis, u = J v too, and b = J M⁻¹ f + J̇v a
// polynomial of second degree (inertial forces and drift are quadratic in v, damping is linear, applied forces enter as
// they are). So a line takes a few scenes and three numbers per component.
//
// The polynomial and the scene of a cell differ in rounding. Therefore it comes with an error bound, far above rounding
// and far below anything that is seen: a state that might change sides within it is left undecided.
#pragma once

#include <array>
#include <span>

#include "painleve/study/cell_values.hpp"

namespace painleve {

struct LineModel {
  enum class Kind { none, constant, contact } kind = Kind::none;  // none: to be looked at cell by cell
  VerdictByte byte = undecided;                                   // constant
  double W_tt = 0, W_tn = 0, W_nn = 0;
  // Polynomials of s, which runs from −1 to 1 along the axis; lowest degree first.
  std::array<double, 3> b_t{}, b_n{};
  std::array<double, 2> u_t{};
  double b_error = -1;           // [m/s²] b is known to this; negative: exactly
  double rest = 0, u_error = 0;  // [m/s] |u_t| <= rest is rest; u_t is known to u_error
  double mu = 0;
  int friction_axis = -1;  // that sets the friction of the contact; −1: it is mu
};

// Whether lines can run along the axis: velocities, slips and applied forces of a mechanism.
bool drives(const SceneSource& source, const std::string& path);

// The line through x along an axis of friction, whose number in x must be a friction.
LineModel friction_line(CellValues& values, std::span<const double> x);

// The line through x along an axis that drives(). `closely` compares with one more scene, so that no mechanism stays
// unnoticed whose velocities are not affine; elsewhere the mechanism at that velocity is compared.
LineModel drive_line(CellValues& values, const MapAxis& axis, std::size_t k, std::span<const double> x, bool closely);

}  // namespace painleve
