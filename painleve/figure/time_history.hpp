// What the contacts of a run did in the course of time: gaps, normal and tangential velocities and forces, and the
// energy, one above the other over one axis of time, with its events as flags. At most twelve flags
// are labelled; events that crowd are counted.
//
// Force axes are logarithmic where λ_n spans more than three decades. The dashed edges of the tangential force are
// ±μλ_n.
#pragma once

#include <string>
#include <vector>

#include "painleve/contact/contact_law.hpp"
#include "painleve/figure/plot.hpp"
#include "painleve/simulation/run.hpp"

namespace painleve {

struct TimeHistory {
  std::string title = {};
  std::vector<ContactLaw> laws = {};  // per contact, for the edges of the cones; empty: no edges
  std::vector<int> contacts = {};     // empty: those that touch, seven at most
  double panel_width = 460, panel_height = 112;
};

// Panels of numbers that stay zero (to 1e-9 in m or m/s) are left out, and the caption says so; it also tells the
// energy ledger. Throws InputError for a run without samples and for a contact or a number of laws that the run does
// not have.
Figure time_history(const Run& run, const TimeHistory& options = {});

// Whether λ_n asks for a logarithmic axis: its largest value exceeds 1e3 times the tenth part from below of its
// positive values, so that the few small ones at a touch-down do not decide.
bool wants_logarithmic_force(const Run& run, const std::vector<int>& contacts);

}  // namespace painleve
