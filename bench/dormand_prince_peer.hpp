// What a careful programmer writes for this one rod: the equations of stick and slip by hand, Dormand & Prince 5(4)
// with its dense output, and events located on that by the Illinois method. No mechanism, no forces but gravity, no
// flight: it stops where the tip would lift.
#pragma once

namespace painleve {

struct HandWrittenRun {
  double t = 0, theta = 0;
  double energy = 0, defect = 0;  // at the start; what the numbers lost or gained until t
  double impulse_n = 0;
  int steps = 0, events = 0;
};

// The rod of the gallery with its default mass, length and gravity, at rest on its tip.
HandWrittenRun hand_written_rod(double theta, double mu, double t_end, double tolerance);

}  // namespace painleve
