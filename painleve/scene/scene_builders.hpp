// From a parsed scenario file to a scene. Not part of the public interface.
#pragma once

#include <toml++/toml.h>

#include <map>
#include <string>
#include <vector>

#include "painleve/scene/scene.hpp"

namespace painleve::detail {

// A section of a scenario file, or none; an error when it is not a table.
const toml::table* section(const toml::table& root, const std::string& origin, const char* name);

// Every key of the table must be known; otherwise the error names the nearest one.
void check_keys(const toml::table& table, const std::string& origin, const std::string& path,
                const std::vector<std::string>& known);

// What [contact] and [contact.NAME] say: the law of each contact, and what concerns the posture.
struct Laws {
  std::vector<ContactLaw> laws;
  std::map<std::string, ContactSetup> setups;
};
Laws read_contacts(const toml::table* contacts, const std::string& origin, const std::vector<std::string>& names);

Tolerance read_tolerance(const toml::table* tolerances, const std::string& origin, Tolerance tolerance);

// One scene each, from the whole file.
Scene build_mechanism(const toml::table& root, const std::string& origin, const std::string& mechanism);
Scene build_contact_space(const toml::table& root, const std::string& origin);
Scene build_drifting(const toml::table& root, const std::string& origin);

}  // namespace painleve::detail
