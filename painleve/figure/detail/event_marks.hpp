// How events are marked, and how many of them are told in a few words.
#pragma once

#include <string>
#include <vector>

#include "painleve/figure/plot.hpp"
#include "painleve/simulation/run.hpp"

namespace painleve::detail {

struct EventMark {
  Glyph glyph = Glyph::disc;
  Colour colour = ink;
  double size = 4.5;  // a landing is drawn around its impact
};
EventMark event_mark(EventKind kind);
// "impact w/o collision", "reverse chatter"
std::string event_name(EventKind kind);

// Events that follow each other closely: "landing, impact", "impact ×37", "impact ×37, 24 more" where all would be
// long.
struct EventGroup {
  double from = 0, to = 0;  // [s]
  int count = 0;
  std::string label;
};
// At most `most` groups; neighbours within a group are never farther apart than two groups are. Events less than
// `nearest` apart are always together.
std::vector<EventGroup> event_groups(const std::vector<SimulationEvent>& events, double nearest, int most);

// The contacts that touch at some time of the run, `most` of them at most: those that carry force, change by an event,
// or are closed; all where none does.
std::vector<int> touching_contacts(const Run& run, int most);

// A length of this size is told in m, mm or µm; shown = factor × metres. Likewise times in s or ms.
struct ShownUnit {
  std::string unit;
  double factor = 1;
};
ShownUnit length_unit(double largest);
ShownUnit time_unit(double span);

}  // namespace painleve::detail
