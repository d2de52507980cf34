// What a compliant run leaves behind, and the name of what it came to: at rest in a mode, in flight, in an impact
// without collision, or in bounces that grow or repeat.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "painleve/simulation/run.hpp"

namespace painleve {

struct Landing {
  double t = 0;
  int contact = 0;
  double speed = 0;  // > 0
};

struct GapTurn {  // a local extremum of a gap
  double t = 0;
  int contact = 0;
  double gap = 0;
};

// What a compliant run leaves behind for its classification.
struct FastHistory {
  double t_start = 0, t_end = 0;
  int contacts = 0;
  std::vector<double> changes;  // times of all landings, liftoffs, and beginnings and ends of slip
  std::vector<Landing> landings;
  std::vector<GapTurn> turns;
  std::string word;       // at the end
  std::string diverged;   // "FI" where forces diverged; empty: none
  bool parting = false;   // all open at the end, and nothing brings them back
  bool flight = false;    // all open at the end
  bool resting = false;   // there are closed contacts, and their springs rest in a stable mode
  bool settled = false;   // the same, and the others part for good
  bool unstable = false;  // the fast motion of the closed contacts grows
};

struct FastOutcome {
  std::string outcome;  // a word, "IWC:FI", "inverse_chatter" or "limit_cycle"
  std::string reason;
  std::optional<LimitCycle> cycle;
  bool lasting = true;  // false: a word that is the mode at the end, and not known to stay
};

// In this order:
//   IWC               a force has diverged
//   the word          all contacts part for good
//   limit_cycle       landings repeat up to the end
//   inverse_chatter   of 4 landings or more: speeds grow by more than 1.25 per landing over the last half, by the slope
//                     of their logarithms
//   the word          fewer than 4 landings, or such that die out: by more than 1.25 per landing, or to a quarter of
//                     the largest speed and on towards zero; or the springs rest, or nothing has happened in the last
//                     35 % of the time since the first change. It is lasting if the last holds
//   limit_cycle       else: landings go on, and have not settled to a period
// The reason says what is known: at rest, in flight, unstable or none of these; and what the landings do.
FastOutcome classify(const FastHistory& history);

// The same for a whole mechanism, where bounces that die out are common: the word once nothing happens any more, or
// when the landings neither repeat nor grow.
FastOutcome classify_motion(const FastHistory& history);

// The last period of landings of the contact that lands most, if they repeat: twice in all, and four times if the
// period has one landing. Times between them and speeds are the same up to 1 %, and where a period has several landings
// up to 5 % of how these differ: a modulation that dies out is no period.
std::optional<LimitCycle> limit_cycle(const FastHistory& history);

}  // namespace painleve
