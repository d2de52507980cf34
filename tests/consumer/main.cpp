// Compiled outside the project, against the installed headers and libraries only.
#include <iostream>

#include "painleve/scene/analysis.hpp"

int main() {
  auto source = painleve::SceneSource::open("rod");
  source.set("theta=60deg");
  source.set("mu=1.5");
  const auto analysis = painleve::analyze(source.build());
  std::cout << "a rod at 60 degrees with mu = 1.5: " << analysis.modes.verdict << "\n";
  return analysis.modes.verdict == "inconsistent" ? 0 : 1;
}
