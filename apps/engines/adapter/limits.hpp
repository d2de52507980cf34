// What several engines cannot take, found and said in the same way.
#pragma once

#include <algorithm>
#include <string>

#include "protocol.hpp"

namespace painleve::adapter {

inline const char* without_bodies() { return "the scene is not made of free rigid bodies"; }

// The first contact whose surface moves; null when all of them are at rest.
inline const Contact* moving_surface(const Step& step) {
  const auto moving = std::find_if(step.contacts.begin(), step.contacts.end(),
                                   [](const Contact& contact) { return norm(contact.surface_velocity) > 0; });
  return moving == step.contacts.end() ? nullptr : &*moving;
}

// Engines that act on touching shapes only do not see what the step could still close.
inline void warn_of_open_contacts(const Step& step, double seen_up_to, Reply& reply) {
  const auto open = std::count_if(step.contacts.begin(), step.contacts.end(),
                                  [&](const Contact& contact) { return contact.gap > seen_up_to; });
  if (open > 0) reply.warnings.push_back("the engine does not see open contacts: " + std::to_string(open));
}

}  // namespace painleve::adapter
