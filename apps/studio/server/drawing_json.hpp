// Outlines and plots as JSON for the page.
#pragma once

#include "api.hpp"
#include "painleve/figure/plot.hpp"
#include "painleve/mechanism/outline.hpp"

namespace painleve::studio {

Json to_json(const Outline& outline, int dimension);
// The drawing of a scene in another state of its mechanism; null where nobody drew it.
Json drawing(const Scene& scene, const State& state);
Json to_json(const Plot& plot);  // NaN breaks a line: null

}  // namespace painleve::studio
