// A motion in one picture, as under a stroboscope: the mechanism at evenly spaced times and at its events, pale at
// first and dark at the end, the paths of its contact points, and where they touched.
#pragma once

#include "painleve/figure/plot.hpp"
#include "painleve/scene/scene.hpp"
#include "painleve/simulation/run.hpp"

namespace painleve {

// The samples of the run that `shots` evenly spaced times lie next to, first and last included, and those next to its
// events where there are no more of them than shots. In order, each once.
std::vector<std::size_t> strobe_samples(const Run& run, int shots);

// Panel (a) to scale. Where the contacts leave the surface by less than a twentieth of the mechanism, in the plane,
// panel (b) shows their paths with the height magnified: the dots of the chalk. Throws InputError for a scene without
// an outline, a run without samples of its coordinates, and for shots below 2 or above 200.
Figure strobe_figure(const Scene& scene, const Run& run, int shots = 8);

}  // namespace painleve
