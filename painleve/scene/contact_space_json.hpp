// Contact spaces as JSON: what `analyze --batch` reads, one object per line.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "painleve/scene/scene.hpp"

namespace painleve {

// {"dimension": 2, "W": [[…]], "b": […], "u": […], "mu": […]}, optionally gap, drift, bilateral, names, stiffness,
// damping; these may also stand inside "parameters". Throws InputError for a missing or unknown key, a wrong size or a
// number that is not finite.
Scene scene_from_json(const nlohmann::json& object);

}  // namespace painleve
