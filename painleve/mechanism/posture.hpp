// Completes a state: solves for what was not given, from closed contacts and from slip, and checks the rest.
#pragma once

#include "painleve/mechanism/gallery.hpp"

namespace painleve {

// `state` comes in with given values, defaults and guesses filled in.
State solve_posture(const GalleryEntry& entry, const Setup& setup, const Mechanism& mechanism,
                    const std::vector<ContactInfo>& contacts, State state);

}  // namespace painleve
