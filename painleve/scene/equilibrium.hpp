// What the contact space does not know of its mechanism and some notions of the literature ask for: whether the whole
// mechanism is in equilibrium, and how its potential energy curves along motions in stick.
#pragma once

#include "painleve/modes/selectors.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve {

// Options for selections() on this scene; what is unknown stays empty, as for a contact space given in numbers.
SelectorOptions selector_options(const Scene& scene, const ModeTable& table);

}  // namespace painleve
