// Question: from which friction on can a rod jam, and how does that depend on its angle?
// Run:      build/release/bin/jam_friction        (twin: python3 examples/jam_friction.py)
// Answer:   mu_jam is least, 4/3, where tan θ = 2; at 60° it is 1.3472. Below it no state of the rod is a paradox.
#include <fmt/format.h>

#include "painleve/scene/analysis.hpp"

int main() {
  using namespace painleve;
  SceneSource rod = SceneSource::open("rod");
  rod.set("mu=1.5");
  for (int degrees = 15; degrees < 90; degrees += 15) {
    rod.set(fmt::format("theta={}deg", degrees));
    const Analysis a = analyze(rod.build());
    fmt::print("theta {} deg: mu_jam {:.10f}, at mu 1.5 {}{}\n", degrees, *a.contacts[0].cone.mu_jam, a.modes.verdict,
               a.modes.jam ? ", jams" : "");
  }
}
