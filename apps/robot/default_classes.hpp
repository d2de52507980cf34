// The defaults of an MJCF file, as far as it must be known which geoms are meshes and which of them have mass.
#pragma once

#include <map>
#include <string>

#include "robot_xml.hpp"

namespace painleve::robot_program {

class DefaultClasses {
 public:
  explicit DefaultClasses(Element* root);

  // An attribute of a geom: its own, or that of its class (named by the geom, else `inherited`, else the top class).
  std::string of_geom(const Element* geom, const char* name, const std::string& inherited) const;

 private:
  struct Class {
    std::string parent;
    std::map<std::string, std::string> geom;
  };
  void add(Element* element, const std::string& parent, bool top);

  std::map<std::string, Class> classes_;
  std::string top_ = "main";
};

}  // namespace painleve::robot_program
