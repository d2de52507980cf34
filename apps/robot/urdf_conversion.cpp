#include "urdf_conversion.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>
#include <set>

#include "painleve/base/characters.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "urdf_links.hpp"

namespace painleve::robot_program {
namespace {

// MuJoCo wants masses and moments above 1e-15; what is smaller than this is given this much and put right afterwards.
constexpr double smallest = 1e-12;

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 8; ++i) text += (i == 0 ? "" : ", ") + detail::one_line(names[i]);
  return names.size() > 8 ? text + fmt::format(" and {} more", names.size() - 8) : text;
}

class Converter {
 public:
  explicit Converter(Element* robot) : robot_(robot), tree_(read_tree(robot)) {}

  PreparedRobot convert();

 private:
  void start();
  void add_link(Element* parent, const std::string& link, const UrdfJoint* joint);
  void add_inertia(Element* body, const std::string& link, bool moves);
  void add_joints(Element* body, const UrdfJoint& joint);
  void add_scalar(Element* body, const UrdfJoint& joint, const char* type, bool limited);
  void add_limits(Element* written, const UrdfJoint& joint);
  void add_planar(Element* body, const UrdfJoint& joint);
  void add_floating(Element* body, const UrdfJoint& joint);
  Element* add_joint(Element* body, const std::string& name, const char* type, const Eigen::Vector3d& axis);
  void add_dynamics(Element* written, const UrdfJoint& joint);
  void add_mimics();
  void add_notes();

  Element* robot_;
  UrdfTree tree_;
  tinyxml2::XMLDocument out_;
  PreparedRobot prepared_;
  std::vector<std::string> massless_, with_friction_, unlimited_;
};

PreparedRobot Converter::convert() {
  start();
  Element* world = out_.RootElement()->InsertNewChildElement("worldbody");
  if (tree_.root == "world") {
    for (const UrdfJoint& joint : tree_.below["world"]) add_link(world, joint.child, &joint);
  } else {
    add_link(world, tree_.root, nullptr);
  }
  add_mimics();
  add_notes();
  prepared_.mjcf = text_of(out_);
  return prepared_;
}

void Converter::start() {
  prepared_.format = "urdf";
  prepared_.name = attribute(robot_, "name");
  Element* root = out_.NewElement("mujoco");
  out_.InsertEndChild(root);
  Element* compiler = root->InsertNewChildElement("compiler");
  compiler->SetAttribute("angle", "radian");
  compiler->SetAttribute("autolimits", "true");
}

void Converter::add_link(Element* parent, const std::string& link, const UrdfJoint* joint) {
  Element* body = parent->InsertNewChildElement("body");
  body->SetAttribute("name", link.c_str());
  const Pose pose = joint == nullptr ? Pose{} : origin_of(joint->element);
  body->SetAttribute("pos", digits(pose.position).c_str());
  const Eigen::Vector4d quat(pose.rotation.w(), pose.rotation.x(), pose.rotation.y(), pose.rotation.z());
  body->SetAttribute("quat", digits(quat).c_str());
  add_inertia(body, link, joint != nullptr && joint->type != "fixed");
  if (joint != nullptr) add_joints(body, *joint);
  for (const UrdfJoint& next : tree_.below[link]) add_link(body, next.child, &next);
}

void Converter::add_inertia(Element* body, const std::string& link, bool moves) {
  const LinkInertia exact = inertia_of(tree_.links[link]);
  LinkInertia given = exact;
  prepared_.true_inertia[link] = exact;
  const Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(exact.inertia).eigenvalues();
  const double excess = moments(2) - moments(0) - moments(1);  // rounding of a flat body
  if (exact.mass < smallest || moments(0) < smallest || excess > -1e-9 * moments(2)) {
    given.mass = std::max(exact.mass, smallest);
    given.inertia += (smallest + 1e-8 * moments(2)) * Eigen::Matrix3d::Identity();
  }
  if (exact.mass == 0 && moves) massless_.push_back(link);
  Element* inertial = body->InsertNewChildElement("inertial");
  inertial->SetAttribute("mass", digits(given.mass).c_str());
  inertial->SetAttribute("pos", digits(given.centre).c_str());
  const Eigen::Matrix3d& I = given.inertia;
  Eigen::VectorXd six(6);
  six << I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2);
  inertial->SetAttribute("fullinertia", digits(six).c_str());
}

void Converter::add_joints(Element* body, const UrdfJoint& joint) {
  if (joint.type == "fixed") return;
  if (joint.type == "revolute") return add_scalar(body, joint, "hinge", true);
  if (joint.type == "continuous") return add_scalar(body, joint, "hinge", false);
  if (joint.type == "prismatic") return add_scalar(body, joint, "slide", true);
  if (joint.type == "floating") return add_floating(body, joint);
  if (joint.type == "planar") return add_planar(body, joint);
  throw InputError(
      fmt::format("{} has the type {}; URDF has revolute, continuous, prismatic, fixed, floating and planar",
                  named(joint.element), in_quotes(joint.type)));
}

Eigen::Vector3d axis_of(const UrdfJoint& joint) {
  const Eigen::Vector3d axis = vector(joint.element->FirstChildElement("axis"), "xyz", Eigen::Vector3d::UnitX());
  if (axis.norm() < 1e-9) throw InputError(named(joint.element) + " has an axis of length 0");
  return axis.normalized();
}

Element* Converter::add_joint(Element* body, const std::string& name, const char* type, const Eigen::Vector3d& axis) {
  Element* joint = body->InsertNewChildElement("joint");
  joint->SetAttribute("name", name.c_str());
  joint->SetAttribute("type", type);
  joint->SetAttribute("axis", digits(axis).c_str());
  return joint;
}

void Converter::add_scalar(Element* body, const UrdfJoint& joint, const char* type, bool limited) {
  Element* written = add_joint(body, joint.name, type, axis_of(joint));
  if (limited) add_limits(written, joint);
  add_dynamics(written, joint);
}

void Converter::add_limits(Element* written, const UrdfJoint& joint) {
  const Element* limit = joint.element->FirstChildElement("limit");
  const double lower = number(limit, "lower", 0), upper = number(limit, "upper", 0);
  if (lower > upper) {
    throw InputError(
        fmt::format("{} has the lower limit {:.9g} above the upper limit {:.9g}", named(joint.element), lower, upper));
  }
  if (lower == upper) return unlimited_.push_back(joint.name);
  written->SetAttribute("range", digits(Eigen::Vector2d(lower, upper)).c_str());
}

void Converter::add_dynamics(Element* written, const UrdfJoint& joint) {
  const Element* dynamics = joint.element->FirstChildElement("dynamics");
  const double damping = number(dynamics, "damping", 0);
  if (damping < 0) throw InputError(named(joint.element) + " has a negative damping");
  written->SetAttribute("damping", digits(damping).c_str());
  if (number(dynamics, "friction", 0) != 0) with_friction_.push_back(joint.name);
}

// In the plane across the axis: along the direction nearest to +x (+y where the axis is x), then across it, then turn.
void Converter::add_planar(Element* body, const UrdfJoint& joint) {
  const Eigen::Vector3d axis = axis_of(joint);
  const Eigen::Vector3d wanted = std::abs(axis.x()) > 0.9 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitX();
  const Eigen::Vector3d first = (wanted - wanted.dot(axis) * axis).normalized();
  add_joint(body, joint.name + "_x", "slide", first);
  add_joint(body, joint.name + "_y", "slide", axis.cross(first));
  add_joint(body, joint.name + "_yaw", "hinge", axis);
}

// Yaw, pitch and roll, one after the other: singular only at a pitch of 90 degrees.
void Converter::add_floating(Element* body, const UrdfJoint& joint) {
  add_joint(body, joint.name + "_x", "slide", Eigen::Vector3d::UnitX());
  add_joint(body, joint.name + "_y", "slide", Eigen::Vector3d::UnitY());
  add_joint(body, joint.name + "_z", "slide", Eigen::Vector3d::UnitZ());
  add_joint(body, joint.name + "_yaw", "hinge", Eigen::Vector3d::UnitZ());
  add_joint(body, joint.name + "_pitch", "hinge", Eigen::Vector3d::UnitY());
  add_joint(body, joint.name + "_roll", "hinge", Eigen::Vector3d::UnitX());
}

bool is_scalar(const UrdfJoint& joint) {
  return joint.type == "revolute" || joint.type == "continuous" || joint.type == "prismatic";
}

struct Mimic {
  std::string driver;
  double multiplier = 1, offset = 0;
};

Mimic mimic_of(const UrdfJoint& joint, const UrdfTree& tree) {
  const Element* element = joint.element->FirstChildElement("mimic");
  Mimic mimic{attribute(element, "joint"), number(element, "multiplier", 1), number(element, "offset", 0)};
  const auto driver = tree.joints.find(mimic.driver);
  if (driver == tree.joints.end()) {
    throw InputError(
        fmt::format("{} mimics {}, which is no joint of the file", named(joint.element), in_quotes(mimic.driver)));
  }
  if (!is_scalar(joint) || !is_scalar(driver->second)) {
    throw InputError(fmt::format("{} mimics {}; only revolute, continuous and prismatic joints can do so",
                                 named(joint.element), in_quotes(mimic.driver)));
  }
  return mimic;
}

// A joint that mimics one that mimics a third follows the third.
Mimic root_mimic(const UrdfJoint& joint, const UrdfTree& tree) {
  Mimic all = mimic_of(joint, tree);
  std::set<std::string> passed{joint.name};
  while (tree.joints.at(all.driver).element->FirstChildElement("mimic") != nullptr) {
    if (!passed.insert(all.driver).second) throw InputError(named(joint.element) + " mimics itself in the end");
    const Mimic next = mimic_of(tree.joints.at(all.driver), tree);
    all = {next.driver, all.multiplier * next.multiplier, all.multiplier * next.offset + all.offset};
  }
  return all;
}

void Converter::add_mimics() {
  Element* equality = out_.RootElement()->InsertNewChildElement("equality");
  for (Element* element : children(robot_, "joint")) {
    const UrdfJoint& joint = tree_.joints.at(attribute(element, "name"));
    if (element->FirstChildElement("mimic") == nullptr) continue;
    const Mimic mimic = root_mimic(joint, tree_);
    Element* written = equality->InsertNewChildElement("joint");
    written->SetAttribute("joint1", joint.name.c_str());
    written->SetAttribute("joint2", mimic.driver.c_str());
    Eigen::VectorXd coefficients = Eigen::VectorXd::Zero(5);
    coefficients.head(2) << mimic.offset, mimic.multiplier;
    written->SetAttribute("polycoef", digits(coefficients).c_str());
  }
}

void Converter::add_notes() {
  if (!massless_.empty())
    prepared_.notes.push_back("moving links without mass, taken as massless: " + joined(massless_));
  if (!with_friction_.empty()) {
    prepared_.notes.push_back("the friction of joints (<dynamics friction>) is not modelled: " +
                              joined(with_friction_));
  }
  if (!unlimited_.empty()) {
    prepared_.notes.push_back("joints with equal or no lower and upper limit, taken as unlimited: " +
                              joined(unlimited_));
  }
  if (robot_->FirstChildElement("mujoco") != nullptr)
    prepared_.notes.emplace_back("the <mujoco> element of the URDF is not read");
}

}  // namespace

PreparedRobot convert_urdf(tinyxml2::XMLDocument& document) { return Converter(document.RootElement()).convert(); }

}  // namespace painleve::robot_program
