// What the text of a scenario says at a path, beside what the built scene makes of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "painleve/scene/scene.hpp"

namespace painleve::studio {

// One number as it was written: 2.5, "60deg", or a formula of t.
struct Written {
  std::optional<double> number;
  std::string text;  // where it is not a number
};

class SceneValues {
 public:
  explicit SceneValues(const SceneSource& source);
  bool given(const std::string& path) const;
  // One for a number or a text, several for a list, none where nothing is given or it is something else.
  std::vector<Written> written(const std::string& path) const;

 private:
  struct Table;
  std::shared_ptr<const Table> table_;
};

// "state.slip[2]" as its path and the index 1; empty for a plain path. Throws InputError for an index that is not one.
struct Component {
  std::string path;
  std::size_t index = 0;
};
std::optional<Component> component(const std::string& key);

}  // namespace painleve::studio
