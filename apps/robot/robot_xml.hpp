// The text of a robot file as a tree of elements, before MuJoCo sees it.
#pragma once

#include <tinyxml2.h>

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <vector>

namespace painleve::robot_program {

using Element = tinyxml2::XMLElement;

// Reads one file. Throws InputError: not readable, too large, no XML, a document type with entities.
void load_xml(const std::filesystem::path& path, tinyxml2::XMLDocument& document);

// The document as MuJoCo is given it. Throws InputError where its elements lie deeper in each other than is read.
std::string text_of(const tinyxml2::XMLDocument& document);

// Throws the InputError of links that follow each other in too long a row.
[[noreturn]] void refuse_depth();

// "mjcf" or "urdf", by the root element. Throws InputError for another one, and for a xacro file that was not expanded.
std::string format_of(const tinyxml2::XMLDocument& document, const std::filesystem::path& path);

// Puts the content of included files in the place of <include file="…"/>; their names are relative to the folder of the
// model, and each file may be included once, as in MuJoCo.
void expand_includes(tinyxml2::XMLDocument& document, const std::filesystem::path& path);

// Throws InputError where an attribute holds a number that is not finite: MuJoCo reads `nan` as "not given".
void refuse_not_finite(const Element* element);

// The children, or those of one name: a list of its own, so that elements may be removed on the way.
std::vector<Element*> children(Element* parent, const char* name = nullptr);

std::string attribute(const Element* element, const char* name);  // "" when it is absent
bool has(const Element* element, const char* name);
std::string named(const Element* element);  // <joint name="elbow">, for messages

// Numbers of an attribute. Throws InputError when they are not `count` finite ones.
std::vector<double> numbers(const Element* element, const char* name, std::size_t count);
double number(const Element* element, const char* name, double otherwise);
Eigen::Vector3d vector(const Element* element, const char* name, const Eigen::Vector3d& otherwise);

// Seventeen digits, so that every number comes back as it was.
std::string digits(const Eigen::Ref<const Eigen::VectorXd>& values);
std::string digits(double value);

}  // namespace painleve::robot_program
