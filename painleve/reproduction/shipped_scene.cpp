#include "painleve/reproduction/shipped_scene.hpp"

namespace painleve {

SceneSource shipped_source(const std::string& scenario, const std::vector<std::string>& changes) {
  SceneSource source = SceneSource::open(scenario);
  for (const auto& change : changes) source.set(change);
  return source;
}

Scene shipped_scene(const std::string& scenario, const std::vector<std::string>& changes) {
  return shipped_source(scenario, changes).build();
}

}  // namespace painleve
