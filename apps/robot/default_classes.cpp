#include "default_classes.hpp"

namespace painleve::robot_program {

DefaultClasses::DefaultClasses(Element* root) {
  for (Element* element : children(root, "default")) add(element, "", true);
}

void DefaultClasses::add(Element* element, const std::string& parent, bool top) {
  std::string name = attribute(element, "class");
  if (top && !name.empty()) top_ = name;
  if (name.empty()) name = top_;
  Class& added = classes_[name];
  added.parent = parent;
  for (const Element* geom : children(element, "geom")) {
    for (const tinyxml2::XMLAttribute* a = geom->FirstAttribute(); a != nullptr; a = a->Next())
      added.geom[a->Name()] = a->Value();
  }
  for (Element* child : children(element, "default")) add(child, name, false);
}

std::string DefaultClasses::of_geom(const Element* geom, const char* name, const std::string& inherited) const {
  if (has(geom, name)) return attribute(geom, name);
  std::string next = has(geom, "class") ? attribute(geom, "class") : inherited;
  if (next.empty()) next = top_;
  // No chain is longer than there are classes.
  for (std::size_t steps = 0; steps <= classes_.size(); ++steps) {
    const auto found = classes_.find(next);
    if (found == classes_.end()) return {};
    const auto value = found->second.geom.find(name);
    if (value != found->second.geom.end()) return value->second;
    next = found->second.parent;
  }
  return {};
}

}  // namespace painleve::robot_program
