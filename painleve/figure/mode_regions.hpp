// The modes of one planar contact over the plane of its free accelerations (b_t, b_n): sectors with exact edges.
//
// At rest each mode is a cone of b, spanned by two rays (complementary cones):
//
//   F   (1, 0) and (−1, 0) through b_n > 0          T   (k+, −p+) and (−k−, −p−)
//   S+  (k+, −p+) and (1, 0)                        S−  (−k−, −p−) and (−1, 0)
//
// since b = a − W λ, with W (∓μ, 1) = (∓k±, p±). The edges are a± of Champneys & Várkonyi (2016), b_t = ∓b_n k±/p±. In
// slip along ±t they are half-planes: F for b_n > 0, S± for b_n p± < 0. Fig. 9 and Table 2 there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/figure/plot.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve {

struct ModeSector {
  Point from, to;      // unit vectors; counterclockwise from `from` to `to`, at most half a turn
  unsigned modes = 0;  // PlanarModeBit
};

// All sectors counterclockwise from +t, those of no width left out. Throws InputError unless W is positive definite and
// μ ≥ 0.
std::vector<ModeSector> mode_sectors(double W_tt, double W_tn, double W_nn, double mu, double u_t);

// "F, T, S+", or "none".
std::string mode_names(unsigned modes);

// The part of a sector in the square |b_t|, |b_n| ≤ half_width.
std::vector<Point> sector_polygon(const ModeSector& sector, double half_width);

struct ModeRegionsOptions {
  double half_width = 1;      // [m/s²] of the square that is shown
  std::optional<Point> here;  // a (b_t, b_n) to be marked
  std::string title = {};     // empty: friction and slip
};

Plot mode_regions_plot(double W_tt, double W_tn, double W_nn, double mu, double u_t,
                       const ModeRegionsOptions& options = {});
// With the present b marked, in a square that holds it.
Plot mode_regions_plot(const Scene& scene, int contact, const ModeRegionsOptions& options = {});

// One column per friction: slip along +t above, rest below (Fig. 9).
Figure mode_regions_figure(double W_tt, double W_tn, double W_nn, const std::vector<double>& mus);

}  // namespace painleve
