// Impact without collision of one-sided contacts that jam together, though none of them needs to by itself: the first
// word of impact_without_collision.hpp for undamped springs, in which contacts at rest may carry impulses as well.
#pragma once

#include <string>
#include <vector>

#include "painleve/contact/contact_mode.hpp"
#include "painleve/impact/detail/impact_space.hpp"

namespace painleve::detail {

struct JointJam {
  std::vector<int> struck;         // contacts that slip and carry the impulse; empty: there is no such word
  std::vector<int> loaded;         // these, and those at rest that carry impulses with them
  std::vector<ContactMode> modes;  // of the loaded ones
  std::string undecided;           // not empty: why the words were not decided
};

// Of exactly the contacts `without_collision`, where these are named.
JointJam joint_jam(const ImpactSpace& s, const ImpactOptions& options);

}  // namespace painleve::detail
