#include "prepared_robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "mjcf_meshes.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "robot_xml.hpp"
#include "urdf_conversion.hpp"

namespace painleve::robot_program {
namespace {

using Names = std::set<std::string>;

void keep_attributes(Element* element, const Names& kept) {
  Names found;
  for (const tinyxml2::XMLAttribute* a = element->FirstAttribute(); a != nullptr; a = a->Next())
    found.insert(a->Name());
  for (const std::string& name : found) {
    if (!kept.contains(name)) element->DeleteAttribute(name.c_str());
  }
}

void delete_children(Element* parent, const Names& names) {
  for (Element* child : children(parent)) {
    if (names.contains(child->Name())) parent->DeleteChild(child);
  }
}

// What says how the file is to be read stays; where files lie and how fast it is read goes.
void clean_compiler(Element* root) {
  const bool limits_said = !compiler_attribute(root, "autolimits").empty();
  for (Element* compiler : children(root, "compiler")) {
    keep_attributes(compiler, {"boundmass", "boundinertia", "settotalmass", "balanceinertia", "coordinate", "angle",
                               "eulerseq", "inertiafromgeom", "inertiagrouprange", "autolimits", "exactmeshinertia"});
    delete_children(compiler, {"lengthrange"});
  }
  Element* ours = root->InsertNewChildElement("compiler");
  ours->SetAttribute("fusestatic", "false");
  if (!limits_said) ours->SetAttribute("autolimits", "true");
}

void clean_option(Element* root) {
  for (Element* option : children(root, "option")) {
    for (const char* fluid : {"density", "viscosity"}) {
      if (number(option, fluid, 0) != 0) {
        throw InputError(
            fmt::format("<option {}> asks for fluid forces, which are not modelled; remove it from the file", fluid));
      }
    }
    keep_attributes(option, {"gravity"});
    for (Element* flag : children(option, "flag")) {
      keep_attributes(flag, {"constraint", "equality", "limit", "passive", "gravity"});
    }
  }
}

// Attributes of geoms, sites and joints that only draw, or that only concern actuators.
void clean_element(Element* element) {
  for (const char* name : {"material", "actuatorfrcrange", "actuatorfrclimited", "actuatorgravcomp"})
    element->DeleteAttribute(name);
}

void clean_defaults(Element* defaults) {
  const Names kept{"default", "joint", "geom", "site", "equality", "tendon", "mesh"};
  for (Element* child : children(defaults)) {
    if (!kept.contains(child->Name())) {
      defaults->DeleteChild(child);
    } else if (std::string(child->Name()) == "default") {
      clean_defaults(child);
    } else {
      clean_element(child);
    }
  }
}

void refuse_unknown_bodies(const Element* child) {
  static constexpr std::array<const char*, 6> refused{"composite", "flexcomp", "replicate",
                                                      "attach",    "frame",    "plugin"};
  for (const char* name : refused) {
    if (std::string(child->Name()) != name) continue;
    throw InputError(fmt::format("the file has a <{}> in line {}, which is not read; write its bodies and joints out",
                                 name, child->GetLineNum()));
  }
}

void check_gravity_compensation(Element* body) {
  if (number(body, "gravcomp", 0) != 0) {
    throw InputError(named(body) + " has gravcomp, which is not modelled; remove it and give the torques as [forces]");
  }
  body->DeleteAttribute("gravcomp");
}

void clean_body(Element* body, int& mocap) {
  check_gravity_compensation(body);
  if (attribute(body, "mocap") == "true") ++mocap;
  body->DeleteAttribute("mocap");
  delete_children(body, {"camera", "light"});
  for (Element* child : children(body)) {
    refuse_unknown_bodies(child);
    if (std::string(child->Name()) == "body") {
      clean_body(child, mocap);
    } else {
      clean_element(child);
    }
  }
}

// Bodies without a name get the one that they have later on: their number, in the order of the file.
void collect_inertia(Element* parent, int& number_of_body, std::map<std::string, Eigen::Matrix3d>& full) {
  for (Element* body : children(parent, "body")) {
    ++number_of_body;
    const Element* inertial = body->FirstChildElement("inertial");
    if (inertial != nullptr && has(inertial, "fullinertia")) {
      if (!has(body, "name")) body->SetAttribute("name", fmt::format("body{}", number_of_body).c_str());
      const std::vector<double> I = numbers(inertial, "fullinertia", 6);
      full[attribute(body, "name")] << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
    }
    collect_inertia(body, number_of_body, full);
  }
}

void clean_equality(Element* root) {
  for (Element* equality : children(root, "equality")) {
    for (Element* distance : children(equality, "distance")) {
      if (attribute(distance, "active") != "false") {
        throw InputError("<equality> has a <distance>, which is not modelled; use <connect> or remove it");
      }
      equality->DeleteChild(distance);
    }
  }
}

// Only the pose of the key called home is of use.
void clean_keys(Element* root) {
  for (Element* keyframe : children(root, "keyframe")) {
    for (Element* key : children(keyframe)) {
      keep_attributes(key, {"name", "qpos"});
      if (attribute(key, "name") != "home") keyframe->DeleteChild(key);
    }
  }
}

int count_in(Element* root, const char* section) {
  std::size_t count = 0;
  for (Element* element : children(root, section)) count += children(element).size();
  return static_cast<int>(count);
}

void note(PreparedRobot& prepared, int count, const std::string& what) {
  if (count > 0) prepared.notes.push_back(fmt::format("{} {}", count, what));
}

PreparedRobot prepare_mjcf(tinyxml2::XMLDocument& document, const std::filesystem::path& path) {
  Element* root = document.RootElement();
  PreparedRobot prepared;
  prepared.format = "mjcf";
  prepared.name = attribute(root, "model");
  expand_includes(document, path);
  note(prepared, count_in(root, "actuator"),
       "actuators of the file are left out: torques and forces are given as [forces] of the joints");
  const int meshes = remove_meshes(root, path.parent_path());
  note(prepared, meshes, "named geoms made of meshes or height fields are left out: contacts cannot refer to them");
  delete_children(
      root, {"actuator", "sensor", "contact", "custom", "visual", "statistic", "size", "extension", "deformable"});
  clean_compiler(root);
  clean_option(root);
  for (Element* defaults : children(root, "default")) clean_defaults(defaults);
  int mocap = 0;
  for (Element* world : children(root, "worldbody")) clean_body(world, mocap);
  note(prepared, mocap, "mocap bodies of the file are taken as fixed");
  clean_equality(root);
  clean_keys(root);
  refuse_not_finite(root);
  int bodies = 0;
  for (Element* world : children(root, "worldbody")) collect_inertia(world, bodies, prepared.full_inertia);
  prepared.mjcf = text_of(document);
  return prepared;
}

}  // namespace

PreparedRobot prepare(const std::filesystem::path& path) {
  tinyxml2::XMLDocument document;
  load_xml(path, document);
  PreparedRobot prepared = format_of(document, path) == "urdf" ? convert_urdf(document) : prepare_mjcf(document, path);
  if (prepared.name.empty()) prepared.name = path.stem().string();
  return prepared;
}

}  // namespace painleve::robot_program
