// A shipped scenario with some values changed, as a scene.
#pragma once

#include <string>
#include <vector>

#include "painleve/scene/scene.hpp"

namespace painleve {

// `changes` as for `--set`: {"theta=30deg", "mu=2"}.
SceneSource shipped_source(const std::string& scenario, const std::vector<std::string>& changes = {});
Scene shipped_scene(const std::string& scenario, const std::vector<std::string>& changes = {});

}  // namespace painleve
