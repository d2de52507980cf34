// The sections that every kind of scene has: contacts and tolerances.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "painleve/base/error.hpp"
#include "painleve/scene/scene_builders.hpp"
#include "painleve/scene/toml_reader.hpp"
#include "painleve/scene/vocabulary.hpp"

namespace painleve::detail {
namespace {

void read_law(const toml::table& table, const std::string& origin, const std::string& path, ContactLaw& law,
              ContactSetup& setup) {
  const auto number = [&](const char* key, const char* unit, double least, double most) -> std::optional<double> {
    const auto* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    const std::string full = path + "." + key;
    const double value = read_number(*node, unit, origin, full);
    if (value < least || value > most) {
      throw InputError(fmt::format("{} is {}, it must be {}", where(*node, origin, full), value,
                                   most == 1      ? fmt::format("between {} and {}", least, most)
                                   : value > most ? fmt::format("<= {:g}", most)
                                   : least > 0    ? "> 0"
                                                  : ">= 0"));
    }
    return value;
  };
  const double any = std::numeric_limits<double>::infinity();
  const double sticky = 1e9;  // beyond that a normal force that holds the contact is lost in rounding
  const auto keep = [](std::optional<double>& to, const std::optional<double>& from) {
    if (from) to = from;
  };
  law.mu = number("mu", "1", 0, sticky).value_or(law.mu);
  law.restitution = number("restitution", "1", 0, 1).value_or(law.restitution);
  keep(law.mu_impact, number("mu_impact", "1", 0, sticky));
  keep(law.mu_static, number("mu_static", "1", 0, sticky));
  const double positive = std::numeric_limits<double>::denorm_min();
  keep(law.stiffness, number("stiffness", "N/m", positive, any));
  keep(law.damping, number("damping", "N s/m", 0, any));
  keep(law.tangential_stiffness, number("tangential_stiffness", "N/m", positive, any));
  keep(law.tangential_damping, number("tangential_damping", "N s/m", 0, any));
  keep(law.lands_beyond, number("lands_beyond", "m", 0, any));
  if (const auto* node = table.get("law"))
    law.law = restitution_law(read_word(*node, origin, path + ".law", restitution_laws()));
  if (const auto* node = table.get("compliance"))
    law.compliance = compliance(read_word(*node, origin, path + ".compliance", compliances()));
  if (const auto* node = table.get("closed")) setup.closed = read_bool(*node, origin, path + ".closed");
  if (const auto* node = table.get("bilateral")) setup.bilateral = read_bool(*node, origin, path + ".bilateral");
  setup.mu = law.mu;
  if (law.stiffness) setup.stiffness = law.stiffness;
}

}  // namespace

const toml::table* section(const toml::table& root, const std::string& origin, const char* name) {
  const auto* node = root.get(name);
  return node == nullptr ? nullptr : &read_table(*node, origin, name);
}

void check_keys(const toml::table& table, const std::string& origin, const std::string& path,
                const std::vector<std::string>& known) {
  std::vector<std::string> full;
  for (const auto& name : known) full.push_back(path.empty() ? name : path + "." + name);
  for (const auto& [key, node] : table)
    if (std::find(known.begin(), known.end(), key.str()) == known.end()) reject_key(key, node, origin, path, full);
}

// [contact] for all contacts, then [contact.NAME] for one.
Laws read_contacts(const toml::table* contacts, const std::string& origin, const std::vector<std::string>& names,
                   bool robot) {
  Laws result;
  std::vector<std::string> known = contact_keys();
  std::vector<std::string> of_one = contact_keys();
  if (robot) {
    const auto of_all = robot_every_contact_keys();
    const auto geometry = robot_contact_keys();
    known.insert(known.end(), of_all.begin(), of_all.end());
    of_one.insert(of_one.end(), geometry.begin(), geometry.end());
  }
  known.insert(known.end(), names.begin(), names.end());
  if (contacts != nullptr) check_keys(*contacts, origin, "contact", known);
  for (const auto& name : names) {
    ContactLaw law;
    ContactSetup setup;
    if (contacts != nullptr) {
      read_law(*contacts, origin, "contact", law, setup);
      if (const auto* node = contacts->get(name)) {
        const std::string path = "contact." + name;
        const auto& table = read_table(*node, origin, path);
        check_keys(table, origin, path, of_one);
        read_law(table, origin, path, law, setup);
      }
    }
    result.laws.push_back(law);
    result.setups[name] = setup;
  }
  return result;
}

void check_static_friction(const toml::table* contacts, const std::string& origin,
                           const std::vector<std::string>& names, const std::vector<ContactLaw>& laws) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ContactLaw& law = laws[i];
    if (!law.mu_static || *law.mu_static >= law.mu) continue;
    const auto own = contacts->at_path(names[i] + ".mu_static");
    const toml::node& node = own ? *own.node() : *contacts->get("mu_static");
    const std::string path = own ? "contact." + names[i] + ".mu_static" : "contact.mu_static";
    throw InputError(fmt::format("{} is {}, it must be >= mu, which is {}{}", where(node, origin, path), *law.mu_static,
                                 law.mu, own ? "" : " at " + names[i]));
  }
}

Tolerance read_tolerance(const toml::table* tolerances, const std::string& origin, Tolerance tolerance) {
  if (tolerances == nullptr) return tolerance;
  check_keys(*tolerances, origin, "tolerance", {"gap", "velocity"});
  const auto read = [&](const char* key, const char* unit, double fallback) {
    const auto* node = tolerances->get(key);
    if (node == nullptr) return fallback;
    const std::string path = std::string("tolerance.") + key;
    const double value = read_number(*node, unit, origin, path);
    if (value < 0) throw InputError(fmt::format("{} is {}, it must be >= 0", where(*node, origin, path), value));
    return value;
  };
  return {read("gap", "m", tolerance.gap), read("velocity", "m/s", tolerance.velocity)};
}

}  // namespace painleve::detail
