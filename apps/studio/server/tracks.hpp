// The tree of futures of a run as a list of branches, for plots and for playing. Not the report: that is `to_json` of
// the run.
#pragma once

#include "api.hpp"
#include "painleve/simulation/run.hpp"

namespace painleve::studio {

struct TrackLimits {
  std::size_t points = 4000;      // per track
  std::size_t frames = 400;       // per track
  std::size_t all_frames = 3000;  // over all tracks
};

// The root first, then depth first. A track begins where its parent ends; its samples are its own from there on.
Json tracks(const Scene& scene, const Run& run, const TrackLimits& limits = {});

}  // namespace painleve::studio
