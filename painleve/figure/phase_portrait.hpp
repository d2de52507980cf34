// Phase portraits: the fast normal dynamics of one planar contact, and the flow near the G-spot.
//
// Fast dynamics, y the gap and v the normal velocity, contact force f of a spring and damper that cannot pull:
//
//   y' = v,   v' = b + P f,   f = max(0, −k y − ν v)
//
// In slip (b, P) = (b_n, p±). From rest the friction is what stick needs, as far as the cone allows, λ_t =
// −(b_t + W_tn f)/W_tt within ±μ f: v' is a chain of straight lines over f, with corners at f = b_t/k+ and f = −b_t/k−.
// A piece with P < 0 that holds its own equilibrium f* = −b/P has a saddle, whose manifolds are straight lines of slope
// s in that piece, s² + P ν s + P k = 0. Champneys & Várkonyi (2016) Sec. 4, Fig. 12; E14 of docs/errata.md.
//
// G-spot, in the rescaled time dt = p ds:  p' = α1 p,  b_n' = α2 p + α3 b_n, solved exactly. Arrows show real time,
// which runs against s where p < 0; on p = 0 they show the limit p → 0+. Fig. 13 there.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "painleve/contact/single_contact.hpp"
#include "painleve/figure/plot.hpp"

namespace painleve {

struct ForcePiece {
  double from = 0;        // [N] the piece reaches from here to the next one, the last to infinity
  double b = 0, P = 0;    // v' = b + P f
  std::string name = {};  // "slip +", "stick", "slip -"
};

struct FastPortrait {
  std::vector<ForcePiece> pieces;  // one or more, the first from 0; v' is continuous
  double stiffness = 1;            // [N/m] > 0
  double damping = 1;              // [N s/m] ≥ 0
  // The window; unset: about the equilibria.
  std::optional<double> y_from, y_to, v_from, v_to;
  std::string title = {};

  double force(Point state) const;
  Point field(Point state) const;  // (y', v')
};

FastPortrait slip_portrait(double b_n, double p, double stiffness = 1, double damping = 1);
// By the slip of the contact; at rest (u_t = 0) with stick and slip, for which W_tt must be positive.
FastPortrait fast_portrait(const PlanarContact& contact, double stiffness = 1, double damping = 1);

struct Equilibrium {
  Point at{};
  bool saddle = false;
  int piece = 0;
};
std::vector<Equilibrium> equilibria(const FastPortrait& portrait);

struct Window {
  double y_from = 0, y_to = 0, v_from = 0, v_to = 0;
};
Window window(const FastPortrait& portrait);

// The trajectory through a state, forward or backward in time, until it leaves the window, comes to rest or has run
// `most` times the size of the window. Points at even distances of about 1/400 of the window.
std::vector<Point> trajectory(const FastPortrait& portrait, Point start, bool forward, double most = 6);

// The four branches that leave (forward) and enter (backward) a saddle, each from the saddle outwards.
struct Separatrix {
  std::vector<Point> points;
  bool unstable = false;  // followed forward in time
};
std::vector<Separatrix> separatrices(const FastPortrait& portrait);

Plot fast_portrait_plot(const FastPortrait& portrait);

// The flow near the G-spot after the time s from (p, b_n).
Point gspot_flow(double alpha1, double alpha2, double alpha3, Point start, double s);

// The slip states (p > 0, b_n < 0) that end in the G-spot, as the sector between two unit vectors, clockwise from the
// first; empty where there are none.
std::optional<std::array<Point, 2>> gspot_basin(double alpha1, double alpha2, double alpha3);

Plot gspot_portrait_plot(double alpha1, double alpha2, double alpha3);
// The twelve portraits by sign and order of the α: (α1, α2, α3) of each, and all in one figure.
std::vector<std::array<double, 3>> gspot_portraits();
Figure gspot_portraits_figure();

}  // namespace painleve
