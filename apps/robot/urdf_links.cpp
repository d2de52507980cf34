#include "urdf_links.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve::robot_program {
namespace {

std::string required_name(const Element* element) {
  std::string name = attribute(element, "name");
  if (name.empty())
    throw InputError(fmt::format("the <{}> in line {} has no name", element->Name(), element->GetLineNum()));
  return name;
}

std::string link_of(Element* joint, const char* end, const UrdfTree& tree) {
  std::string link = attribute(joint->FirstChildElement(end), "link");
  if (tree.links.contains(link)) return link;
  throw InputError(
      fmt::format("{} has {} as its {}, which is no link of the file", named(joint), in_quotes(link), end));
}

void add_joint(Element* element, UrdfTree& tree, std::map<std::string, std::string>& joint_above) {
  UrdfJoint joint{required_name(element), attribute(element, "type"), link_of(element, "parent", tree),
                  link_of(element, "child", tree), element};
  if (!joint_above.emplace(joint.child, joint.name).second) {
    throw InputError(fmt::format("the link {} hangs on two joints, {} and {}; a robot must be a tree",
                                 in_quotes(joint.child), in_quotes(joint_above[joint.child]), in_quotes(joint.name)));
  }
  if (!tree.joints.emplace(joint.name, joint).second) {
    throw InputError("two joints have the name " + in_quotes(joint.name));
  }
  tree.below[joint.parent].push_back(joint);
}

// `room`: how many links may follow in a row. More than a stack can take is more than the reader takes, too.
std::size_t count_from(const UrdfTree& tree, const std::string& link, int room) {
  if (room == 0) refuse_depth();
  std::size_t count = 1;
  const auto below = tree.below.find(link);
  if (below == tree.below.end()) return count;
  for (const UrdfJoint& joint : below->second) count += count_from(tree, joint.child, room - 1);
  return count;
}

void find_root(UrdfTree& tree, const std::map<std::string, std::string>& joint_above) {
  for (const auto& link : tree.links) {
    if (joint_above.contains(link.first)) continue;
    if (!tree.root.empty()) {
      throw InputError(fmt::format("the links {} and {} both hang on no joint; a robot has one root",
                                   in_quotes(tree.root), in_quotes(link.first)));
    }
    tree.root = link.first;
  }
  if (tree.links.empty()) throw InputError("the file has no <link>");
  if (tree.root.empty())
    throw InputError("every link of the file hangs on a joint; a robot must be a tree with a root");
  constexpr int most_in_a_row = 200;
  if (count_from(tree, tree.root, most_in_a_row) != tree.links.size())
    throw InputError("some links of the file hang on each other in a cycle");
}

// The largest principal moment of a rigid body is at most the sum of the other two.
void check_moments(const LinkInertia& body, const Element* link) {
  const Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(body.inertia).eigenvalues();
  const double slack = 1e-9 * moments.cwiseAbs().maxCoeff();
  if (body.mass < 0)
    throw InputError(fmt::format("{} has the mass {:.9g}, which must not be negative", named(link), body.mass));
  if (moments(0) < -slack) {
    throw InputError(fmt::format("{} has the principal moment of inertia {:.9g}, which must not be negative",
                                 named(link), moments(0)));
  }
  if (moments(2) > moments(0) + moments(1) + slack) {
    throw InputError(
        fmt::format("{} has the principal moments of inertia {:.6g}, {:.6g} and {:.6g}: no rigid body has one "
                    "that exceeds the sum of the other two; correct <inertia>",
                    named(link), moments(0), moments(1), moments(2)));
  }
}

}  // namespace

UrdfTree read_tree(Element* robot) {
  UrdfTree tree;
  for (Element* link : children(robot, "link")) {
    if (!tree.links.emplace(required_name(link), link).second)
      throw InputError("two links have the name " + in_quotes(required_name(link)));
  }
  std::map<std::string, std::string> joint_above;
  for (Element* joint : children(robot, "joint")) add_joint(joint, tree, joint_above);
  find_root(tree, joint_above);
  return tree;
}

Pose origin_of(Element* element) {
  const Element* origin = element == nullptr ? nullptr : element->FirstChildElement("origin");
  const Eigen::Vector3d rpy = vector(origin, "rpy", Eigen::Vector3d::Zero());
  const Eigen::Quaterniond rotation = Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) *
                                      Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
                                      Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX());
  return {vector(origin, "xyz", Eigen::Vector3d::Zero()), rotation};
}

LinkInertia inertia_of(Element* link) {
  LinkInertia body;
  Element* inertial = link->FirstChildElement("inertial");
  if (inertial == nullptr) return body;
  const Pose origin = origin_of(inertial);
  const Element* inertia = inertial->FirstChildElement("inertia");
  body.mass = number(inertial->FirstChildElement("mass"), "value", 0);
  body.centre = origin.position;
  const double xx = number(inertia, "ixx", 0), xy = number(inertia, "ixy", 0), xz = number(inertia, "ixz", 0);
  const double yy = number(inertia, "iyy", 0), yz = number(inertia, "iyz", 0), zz = number(inertia, "izz", 0);
  body.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  check_moments(body, link);
  const Eigen::Matrix3d turn = origin.rotation.toRotationMatrix();
  const Eigen::Matrix3d turned = turn * body.inertia * turn.transpose();
  body.inertia = 0.5 * (turned + turned.transpose());
  return body;
}

}  // namespace painleve::robot_program
