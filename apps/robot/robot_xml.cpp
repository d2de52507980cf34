#include "robot_xml.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve::robot_program {
namespace {

constexpr std::uintmax_t largest_file = std::uintmax_t{32} << 20U;

std::string content_of(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) throw InputError("cannot read " + in_quotes(path.string()) + ": " + error.message());
  if (size > largest_file) throw InputError(in_quotes(path.string()) + " is larger than 32 MiB, the most that is read");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw InputError("cannot read " + in_quotes(path.string()) + ", or it is empty");
  return text.str();
}

[[noreturn]] void no_xml(const std::filesystem::path& path, const tinyxml2::XMLDocument& document) {
  const std::string file = in_quotes(path.string());
  const tinyxml2::XMLError kind = document.ErrorID();
  if (kind == tinyxml2::XML_ERROR_EMPTY_DOCUMENT) throw InputError(file + " is empty");
  if (kind == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED) throw InputError(file + " nests its elements too deeply");
  if (document.Error())
    throw InputError(fmt::format("{} is not well-formed XML (line {})", file, document.ErrorLineNum()));
  throw InputError(file + " holds no XML element");
}

// Entities could grow without bound, and no robot description needs them.
void refuse_entities(const tinyxml2::XMLDocument& document, const std::filesystem::path& path) {
  for (const tinyxml2::XMLNode* node = document.FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (node->ToUnknown() != nullptr && std::string(node->Value()).find('[') != std::string::npos) {
      throw InputError(in_quotes(path.string()) + " declares its own entities in a DOCTYPE, which are not read");
    }
  }
}

// XML has one element and no text beside it. TinyXML-2 takes more, and then writes what it does not read again.
void refuse_beside_root(const tinyxml2::XMLDocument& document, const std::filesystem::path& path) {
  for (const tinyxml2::XMLNode* node = document.FirstChild(); node != nullptr; node = node->NextSibling()) {
    const bool text = node->ToText() != nullptr;
    if (!text && (node->ToElement() == nullptr || node == document.RootElement())) continue;
    throw InputError(fmt::format("{} is not well-formed XML: {} beside the root element <{}> (line {})",
                                 in_quotes(path.string()), text ? "text stands" : "a second element stands",
                                 std::string(document.RootElement()->Name()).substr(0, 40), node->GetLineNum()));
  }
}

bool is_macro(const std::string& text) {
  return text.find("${") != std::string::npos || text.find("$(") != std::string::npos;
}

bool uses_xacro(const Element* element) {
  if (std::string(element->Name()).rfind("xacro:", 0) == 0) return true;
  for (const tinyxml2::XMLAttribute* a = element->FirstAttribute(); a != nullptr; a = a->Next()) {
    if (is_macro(a->Value())) return true;
  }
  for (const Element* child = element->FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    if (uses_xacro(child)) return true;
  }
  return false;
}

// Attributes that hold names, where `nan` or `inf` may be one.
bool holds_a_name(const std::string& attribute) {
  static const std::set<std::string> names{"name",   "class",  "childclass", "model",   "file",    "mesh",    "joint",
                                           "joint1", "joint2", "body1",      "body2",   "body",    "site",    "geom",
                                           "geom1",  "geom2",  "tendon",     "tendon1", "tendon2", "sidesite"};
  return names.contains(attribute);
}

bool all_finite(const std::string& text) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (*end == '\0' && !std::isfinite(value)) return false;
  }
  return true;
}

// The one name of a file, by which it is known again; there may be none, as of a name that is too long.
std::filesystem::path only_name(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path name = std::filesystem::weakly_canonical(path, error);
  if (error) throw InputError("cannot read " + in_quotes(path.string()) + ": " + error.message());
  return name;
}

class Includer {
 public:
  explicit Includer(const std::filesystem::path& path) : folder_(path.parent_path()) { seen_.insert(only_name(path)); }

  void expand(Element* parent) {
    for (Element* child : children(parent)) {
      if (std::string(child->Name()) == "include") {
        replace(parent, child);
      } else {
        expand(child);
      }
    }
  }

 private:
  void replace(Element* parent, Element* include) {
    const std::string file = attribute(include, "file");
    if (file.empty()) throw InputError("an <include> names no file");
    const std::filesystem::path path = folder_ / file;
    if (!seen_.insert(only_name(path)).second) {
      throw InputError("the file " + in_quotes(file) + " is included twice");
    }
    tinyxml2::XMLDocument included;
    load_xml(path, included);
    expand(included.RootElement());
    tinyxml2::XMLNode* last = include;
    for (const Element* child : children(included.RootElement())) {
      last = parent->InsertAfterChild(last, child->DeepClone(parent->GetDocument()));
    }
    parent->DeleteChild(include);
  }

  std::filesystem::path folder_;
  std::set<std::filesystem::path> seen_;
};

}  // namespace

void load_xml(const std::filesystem::path& path, tinyxml2::XMLDocument& document) {
  const std::string text = content_of(path);
  if (text.find('\0') != std::string::npos) {
    throw InputError(in_quotes(path.string()) + " is not a text file; an MJCF or URDF file is XML");
  }
  document.Parse(text.data(), text.size());
  if (document.Error() || document.RootElement() == nullptr) no_xml(path, document);
  refuse_entities(document, path);
  refuse_beside_root(document, path);
}

std::string text_of(const tinyxml2::XMLDocument& document) {
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  std::string text = printer.CStr();
  // Links of a URDF become bodies within bodies, and so may what a file includes.
  tinyxml2::XMLDocument again;
  if (again.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) refuse_depth();
  return text;
}

void refuse_depth() {
  throw InputError("the robot has too many links in a row: MuJoCo's reader takes about a hundred");
}

std::string format_of(const tinyxml2::XMLDocument& document, const std::filesystem::path& path) {
  const Element* root = document.RootElement();
  const std::string name = root->Name();
  const std::string file = in_quotes(path.string());
  if (name == "mujoco") return "mjcf";
  if (name == "robot") {
    if (!uses_xacro(root)) return "urdf";
    throw InputError(file + " holds xacro macros; run 'xacro robot.xacro > robot.urdf' first and give robot.urdf");
  }
  if (name == "mujocoinclude") throw InputError(file + " is a part for inclusion; give the MJCF file that includes it");
  if (name == "sdf") throw InputError(file + " is an SDF file; only MJCF and URDF are read");
  throw InputError(
      fmt::format("{} has the root element <{}>; MJCF has <mujoco>, URDF has <robot>", file, name.substr(0, 40)));
}

void expand_includes(tinyxml2::XMLDocument& document, const std::filesystem::path& path) {
  Includer(path).expand(document.RootElement());
}

void refuse_not_finite(const Element* element) {
  for (const tinyxml2::XMLAttribute* a = element->FirstAttribute(); a != nullptr; a = a->Next()) {
    if (holds_a_name(a->Name()) || all_finite(a->Value())) continue;
    throw InputError(
        fmt::format("{} has {}={}, which is not finite", named(element), a->Name(), in_quotes(a->Value())));
  }
  for (const Element* child = element->FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    refuse_not_finite(child);
  }
}

std::vector<Element*> children(Element* parent, const char* name) {
  std::vector<Element*> found;
  for (Element* child = parent->FirstChildElement(name); child != nullptr; child = child->NextSiblingElement(name)) {
    found.push_back(child);
  }
  return found;
}

std::string attribute(const Element* element, const char* name) {
  const char* value = element == nullptr ? nullptr : element->Attribute(name);
  return value == nullptr ? "" : value;
}

bool has(const Element* element, const char* name) { return element != nullptr && element->Attribute(name) != nullptr; }

std::string named(const Element* element) {
  const std::string name = attribute(element, "name");
  return fmt::format("<{}> {}", element->Name(),
                     name.empty() ? fmt::format("in line {}", element->GetLineNum()) : in_quotes(name));
}

std::vector<double> numbers(const Element* element, const char* name, std::size_t count) {
  const std::string text = attribute(element, name);
  std::vector<double> values;
  const char* from = text.c_str();
  for (char* end = nullptr; values.size() <= count; from = end) {
    const double value = std::strtod(from, &end);
    if (end == from) break;
    if (std::isfinite(value)) values.push_back(value);
  }
  const bool rest =
      text.find_first_not_of(" \t\r\n", static_cast<std::size_t>(from - text.c_str())) != std::string::npos;
  if (values.size() == count && !rest) return values;
  const std::string line = has(element, "name") ? fmt::format(" in line {}", element->GetLineNum()) : "";
  throw InputError(fmt::format("{}{} has {}={}, where {} finite number{} belong{}", named(element), line, name,
                               in_quotes(text), count, count == 1 ? "" : "s", count == 1 ? "s" : ""));
}

double number(const Element* element, const char* name, double otherwise) {
  return has(element, name) ? numbers(element, name, 1)[0] : otherwise;
}

Eigen::Vector3d vector(const Element* element, const char* name, const Eigen::Vector3d& otherwise) {
  if (!has(element, name)) return otherwise;
  const std::vector<double> read = numbers(element, name, 3);
  return {read[0], read[1], read[2]};
}

std::string digits(double value) { return fmt::format("{:.17g}", value); }

std::string digits(const Eigen::Ref<const Eigen::VectorXd>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : " ") + digits(value);
  return text;
}

}  // namespace painleve::robot_program
