// How a compliant run is stepped: natural scales of its unknowns, the spectrum of its fast motion, and what follows
// from it for the method and for the length of steps.
#pragma once

#include <Eigen/Core>

#include "painleve/simulation/compliant_system.hpp"

namespace painleve {

struct CompliantScales {
  double acceleration = 1;  // [m/s²] of the contacts without force
  double force = 1;         // [N] that stops it, or that the springs hold at the start
  double speed = 1;         // [m/s] of slip, for mechanisms of the size of metres
  Eigen::VectorXd y;        // typical magnitude of each unknown: a gap of force/k, not of a metre
};
CompliantScales compliant_scales(const CompliantSystem& system, double t, const Eigen::VectorXd& y);

struct FastSpectrum {
  double fastest = 0;    // largest |s| over the eigenvalues s of the fast motion [1/s]
  double unstable = 0;   // largest |s| of those that grow
  double frequency = 0;  // largest |Im s|
};
FastSpectrum fast_spectrum(const CompliantSystem& system, double t, const Eigen::VectorXd& y,
                           const Eigen::VectorXd& scale);

// How far the fast motion swings, in parts of what a contact has to go until it parts or lands: the largest over the
// contacts. 0: at rest.
double swing(const CompliantSystem& system, double frequency, double t, const Eigen::VectorXd& y);

// Whether the springs of closed contact i are at rest, to a thousandth of their force and of what accelerates it.
bool rests(const CompliantSystem& system, int i, double t, const Eigen::VectorXd& y);

// Longest step [s] that sees all there is to see, for a fast motion that swings that far.
double longest_step(const FastSpectrum& spectrum, bool resolve, double swing);

}  // namespace painleve
