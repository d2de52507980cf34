#include "mjcf_meshes.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <set>

#include "default_classes.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve::robot_program {
namespace {

// What a body hands on to those below it.
struct Above {
  std::string childclass;
  bool moves = false;
};

class MeshRemoval {
 public:
  MeshRemoval(Element* root, const std::filesystem::path& folder)
      : root_(root), folder_(folder), classes_(root), inertia_from_geom_(compiler_attribute(root, "inertiafromgeom")) {
    const std::string range = compiler_attribute(root, "inertiagrouprange");
    if (!range.empty()) {
      char* rest = nullptr;
      first_group_ = std::strtol(range.c_str(), &rest, 10);
      last_group_ = std::strtol(rest, nullptr, 10);
    }
  }

  int remove() {
    for (Element* world : children(root_, "worldbody")) clean(world, {});
    for (Element* asset : children(root_, "asset")) clean_assets(asset);
    for (Element* defaults : children(root_, "default")) clean_defaults(defaults);
    return removed_names_;
  }

 private:
  void clean(Element* body, Above above) {
    if (has(body, "childclass")) above.childclass = attribute(body, "childclass");
    above.moves =
        above.moves || body->FirstChildElement("joint") != nullptr || body->FirstChildElement("freejoint") != nullptr;
    for (Element* geom : children(body, "geom")) {
      if (!is_mesh(geom, above)) continue;
      if (needs_mesh(body, geom, above)) {
        needed_.insert(mesh_of(geom, above));
        wanted_by_[mesh_of(geom, above)] = attribute(body, "name");
      } else {
        removed_names_ += has(geom, "name") ? 1 : 0;
        body->DeleteChild(geom);
      }
    }
    for (Element* child : children(body, "body")) clean(child, above);
  }

  bool is_mesh(const Element* geom, const Above& above) const {
    const std::string type = classes_.of_geom(geom, "type", above.childclass);
    return type == "mesh" || type == "hfield" || !mesh_of(geom, above).empty();
  }

  std::string mesh_of(const Element* geom, const Above& above) const {
    return classes_.of_geom(geom, "mesh", above.childclass);
  }

  // The inertia of a moving body comes from its geoms when it has no <inertial>, or when the compiler is told so.
  bool needs_mesh(Element* body, const Element* geom, const Above& above) const {
    const bool own = body->FirstChildElement("inertial") != nullptr && inertia_from_geom_ != "true";
    if (own || !above.moves || inertia_from_geom_ == "false") return false;
    if (classes_.of_geom(geom, "type", above.childclass) == "hfield") return false;
    const std::string mass = classes_.of_geom(geom, "mass", above.childclass);
    const std::string density = classes_.of_geom(geom, "density", above.childclass);
    const std::string& weight = mass.empty() ? density : mass;
    if (!weight.empty() && std::strtod(weight.c_str(), nullptr) == 0) return false;
    const long group = std::strtol(classes_.of_geom(geom, "group", above.childclass).c_str(), nullptr, 10);
    return group >= first_group_ && group <= last_group_;
  }

  void clean_assets(Element* asset) {
    for (Element* item : children(asset)) {
      std::string name = attribute(item, "name");
      const std::filesystem::path file = attribute(item, "file");
      if (name.empty()) name = file.stem().string();
      if (std::string(item->Name()) != "mesh" || !needed_.contains(name)) {
        asset->DeleteChild(item);
      } else if (!file.empty()) {
        item->SetAttribute("name", name.c_str());
        item->SetAttribute("file", place_of(file, name).c_str());
      }
    }
  }

  std::string place_of(const std::filesystem::path& file, const std::string& mesh) {
    std::filesystem::path folder = compiler_attribute(root_, "meshdir");
    if (folder.empty()) folder = compiler_attribute(root_, "assetdir");
    const bool stripped = compiler_attribute(root_, "strippath") == "true";
    const std::filesystem::path place =
        std::filesystem::absolute(folder_ / folder / (stripped ? file.filename() : file));
    std::error_code no_such_name;
    if (std::filesystem::is_regular_file(place, no_such_name)) return place.string();
    throw InputError(
        fmt::format("the inertia of the body {} would come from the mesh {}, whose file {} is not there; give the body "
                    "an <inertial>",
                    in_quotes(wanted_by_[mesh]), in_quotes(mesh), in_quotes(file.string())));
  }

  void clean_defaults(Element* defaults) {
    for (Element* geom : children(defaults, "geom")) {
      if (!needed_.contains(attribute(geom, "mesh"))) geom->DeleteAttribute("mesh");
      geom->DeleteAttribute("hfield");
    }
    for (Element* child : children(defaults, "default")) clean_defaults(child);
  }

  Element* root_;
  std::filesystem::path folder_;
  DefaultClasses classes_;
  std::string inertia_from_geom_;
  long first_group_ = 0, last_group_ = 5;
  std::set<std::string> needed_;
  std::map<std::string, std::string> wanted_by_;
  int removed_names_ = 0;
};

}  // namespace

std::string compiler_attribute(Element* root, const char* name) {
  std::string value;
  for (const Element* compiler : children(root, "compiler")) {
    if (has(compiler, name)) value = attribute(compiler, name);
  }
  return value;
}

int remove_meshes(Element* root, const std::filesystem::path& folder) { return MeshRemoval(root, folder).remove(); }

}  // namespace painleve::robot_program
