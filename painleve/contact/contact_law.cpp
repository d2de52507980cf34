#include "painleve/contact/contact_law.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve {
namespace {

std::size_t index(const std::string& name, const std::vector<std::string>& names, const char* what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError(
        fmt::format("there is no {} {}, it must be one of {}", what, in_quotes(name), fmt::join(names, ", ")));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

const std::vector<std::string>& restitution_laws() {
  static const std::vector<std::string> names = {"energetic", "poisson", "newton"};
  return names;
}

const std::vector<std::string>& compliances() {
  static const std::vector<std::string> names = {"viscoelastic", "kelvin-voigt", "preclik", "hunt-crossley", "hertz"};
  return names;
}

const char* to_string(RestitutionLaw law) { return restitution_laws()[static_cast<std::size_t>(law)].c_str(); }
const char* to_string(Compliance compliance) { return compliances()[static_cast<std::size_t>(compliance)].c_str(); }

RestitutionLaw restitution_law(const std::string& name) {
  return static_cast<RestitutionLaw>(index(name, restitution_laws(), "law of restitution"));
}

Compliance compliance(const std::string& name) {
  return static_cast<Compliance>(index(name, compliances(), "law of compliance"));
}

}  // namespace painleve
