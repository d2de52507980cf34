#include "painleve/contact/contact_mode.hpp"

namespace painleve {

std::string letter_name(const ContactMode& mode) {
  switch (mode.letter) {
    case Letter::F:
      return "F";
    case Letter::T:
      return "T";
    case Letter::S:
      break;
  }
  if (mode.direction.size() != 1) return "S";
  return mode.direction(0) > 0 ? "S+" : "S-";
}

std::string word(const std::vector<ContactMode>& modes) {
  std::string name;
  for (const auto& mode : modes) name += letter_name(mode);
  return name;
}

}  // namespace painleve
