// Contact spaces and sets of names for the tests of this folder.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "painleve/contact/drawn_contacts.hpp"
#include "painleve/modes/mode_table.hpp"

namespace painleve {

inline std::set<std::string> names_of_consistent(const std::vector<ModeEntry>& entries) {
  std::set<std::string> names;
  for (const auto& entry : entries) {
    if (entry.consistent) {
      names.insert(entry.name);
    }
  }
  return names;
}

inline std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const auto& name : names) {
    text += (text.empty() ? "" : " ") + name;
  }
  return text;
}

}  // namespace painleve
