// Meshes and height fields of an MJCF file: geometry is not needed, except where the mass of a body comes from it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "robot_xml.hpp"

namespace painleve::robot_program {

// Removes the geoms made of meshes and height fields that carry no mass that counts, and all assets but the meshes that
// are left, whose files get absolute names. Throws InputError where a needed mesh is absent. Returns how many geoms
// with a name went.
int remove_meshes(Element* root, const std::filesystem::path& folder);

// An attribute of the <compiler>; the last one counts, as in MuJoCo.
std::string compiler_attribute(Element* root, const char* name);

}  // namespace painleve::robot_program
