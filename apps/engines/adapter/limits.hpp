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

// Engines that act on touching shapes only do not see what the step could still close: where it would, without any
// contact force, their answer is no answer to this step.
inline void warn_of_open_contacts(const Step& step, double seen_up_to, Reply& reply) {
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    const Contact& contact = step.contacts[i];
    const std::size_t normal = static_cast<std::size_t>(step.dimension) * (i + 1) - 1;
    if (contact.gap > seen_up_to && contact.gap + step.dt * step.space.u_free.at(normal) < 0) {
      reply = not_represented("the open contact " + contact.name +
                              " closes within the step, which the engine does not see");
      return;
    }
  }
  const auto open = std::count_if(step.contacts.begin(), step.contacts.end(),
                                  [&](const Contact& contact) { return contact.gap > seen_up_to; });
  if (open > 0) reply.warnings.push_back("the engine does not see open contacts: " + std::to_string(open));
}

}  // namespace painleve::adapter
