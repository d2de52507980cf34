#include "painleve/robot/robot_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/robot/loop_closure.hpp"

namespace painleve::detail {
namespace {

// A joint of the model where it stands in the file.
struct Listed {
  const RobotJoint* joint = nullptr;
  JointSetup setup;
};

std::vector<Listed> listed_joints(const RobotModel& model, const std::map<std::string, JointSetup>& setup) {
  std::vector<Listed> list;
  std::vector<std::string> names;
  for (const RobotBody& body : model.bodies) {
    for (const RobotJoint& joint : body.joints) {
      list.push_back({&joint, {}});
      names.push_back(joint.name);
    }
  }
  for (const auto& [name, said] : setup) {
    const auto is = [&name = name](const Listed& l) { return l.joint->name == name; };
    const auto was = [&name = name](const Listed& l) { return l.joint->file_name == name; };
    auto found = std::find_if(list.begin(), list.end(), is);
    if (found == list.end()) found = std::find_if(list.begin(), list.end(), was);
    if (found == list.end()) throw InputError(unknown_name("joint", name, names));
    if (said.armature && !(*said.armature >= 0 && std::isfinite(*said.armature)))
      throw InputError(fmt::format("joint.{}.armature is {}, it must be >= 0", name, *said.armature));
    if (said.position && !said.lock) {
      throw InputError(
          fmt::format("joint.{}.position is where a locked joint stands: set lock = true too, or give the "
                      "coordinate in the state",
                      name));
    }
    found->setup = said;
  }
  return list;
}

double value_at(const JointCoupling& coupling, const RobotJoint& joint, const RobotJoint* driver, double at) {
  const double s = driver == nullptr ? 0 : at - driver->reference;
  return joint.reference + polynomial(coupling.polynomial, s)[0];
}

void check_limit(const RobotJoint& joint, double value) {
  const double lower = joint.lower.value_or(-std::numeric_limits<double>::infinity());
  const double upper = joint.upper.value_or(std::numeric_limits<double>::infinity());
  if (value < lower - 1e-9 || value > upper + 1e-9)
    throw InputError(
        fmt::format("joint {} would be locked at {}, its limits are {} to {}", joint.name, value, lower, upper));
}

const Listed& joint_named(const std::vector<Listed>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Listed& l) { return l.joint->name == name; });
  if (found != list.end()) return *found;
  std::vector<std::string> names;
  for (const Listed& l : list) names.push_back(l.joint->name);
  throw InputError(unknown_name("joint in a coupling", name, names));
}

void check_couplings(const RobotModel& model, const std::vector<Listed>& list) {
  for (const JointCoupling& c : model.couplings) {
    joint_named(list, c.joint);
    if (!c.driver.empty()) joint_named(list, c.driver);
    const auto same = [&](const JointCoupling& other) { return other.joint == c.joint; };
    if (std::count_if(model.couplings.begin(), model.couplings.end(), same) > 1)
      throw InputError(
          fmt::format("joint {} follows two others: only one coupling per joint can be honoured", c.joint));
    std::string at = c.driver;  // along the chain of drivers; one that comes back has no beginning
    for (std::size_t k = 0; k <= model.couplings.size() && !at.empty(); ++k) {
      if (at == c.joint) throw InputError(fmt::format("joint {} follows itself through its couplings", c.joint));
      const auto next = std::find_if(model.couplings.begin(), model.couplings.end(),
                                     [&](const JointCoupling& other) { return other.joint == at; });
      at = next == model.couplings.end() ? "" : next->driver;
    }
  }
}

// Joints that do not move, with where they stand: locked ones, and those that follow one that does not move.
std::map<std::string, double> held_joints(const RobotModel& model, const std::vector<Listed>& list) {
  std::map<std::string, double> held;
  for (const Listed& l : list) {
    if (!l.setup.lock) continue;
    const auto follows = std::find_if(model.couplings.begin(), model.couplings.end(),
                                      [&](const JointCoupling& c) { return c.joint == l.joint->name; });
    if (follows != model.couplings.end() && !follows->driver.empty())
      throw InputError(fmt::format("joint {} follows joint {} and cannot be locked by itself: lock {} instead",
                                   l.joint->name, follows->driver, follows->driver));
    held[l.joint->name] = l.setup.position.value_or(l.joint->home);
  }
  for (std::size_t pass = 0; pass < model.couplings.size(); ++pass) {
    for (const JointCoupling& c : model.couplings) {
      if (held.contains(c.joint) || (!c.driver.empty() && !held.contains(c.driver))) continue;
      const RobotJoint* driver = c.driver.empty() ? nullptr : joint_named(list, c.driver).joint;
      held[c.joint] = value_at(c, *joint_named(list, c.joint).joint, driver, driver == nullptr ? 0 : held.at(c.driver));
    }
  }
  for (const auto& [name, value] : held) check_limit(*joint_named(list, name).joint, value);
  return held;
}

Eigen::Matrix3d turn(const Eigen::Vector3d& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

// A place behind a joint that stands still.
TreePlace behind(const TreePlace& place, const RobotJoint& joint, double value) {
  const double s = value - joint.reference;
  if (joint.kind == JointKind::slide) return place.moved(joint.axis.normalized() * s, Eigen::Matrix3d::Identity());
  const Eigen::Matrix3d R = turn(joint.axis.normalized(), s);
  return place.moved(joint.anchor - R * joint.anchor, R);
}

// Two bodies as one; without the cancellation that moments about an origin would bring.
void merge(TreeLink& link, const TreePlace& place, const RobotBody& body) {
  const Eigen::Vector3d centre = place.position + place.rotation * body.centre;
  const Eigen::Matrix3d inertia = place.rotation * body.inertia * place.rotation.transpose();
  const double mass = link.mass + body.mass;
  if (mass > 0) {
    const Eigen::Vector3d d = centre - link.centre;
    const double both = link.mass * (body.mass / mass);
    link.inertia += both * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
    link.centre += (body.mass / mass) * d;
  }
  link.inertia += inertia;
  link.inertia = (link.inertia + link.inertia.transpose()).eval() / 2;
  link.mass = mass;
}

TreeLink link_of(const RobotJoint& joint, const JointSetup& setup, const TreePlace& below) {
  TreeLink link;
  link.parent = below.link;
  link.kind = joint.kind;
  link.position = below.position;
  link.rotation = below.rotation;
  link.axis = joint.axis.normalized();
  link.anchor = joint.anchor;
  link.reference = joint.reference;
  link.armature = setup.armature.value_or(joint.armature);
  link.damping = joint.damping;
  link.stiffness = joint.stiffness;
  link.spring_reference = joint.spring_reference;
  return link;
}

}  // namespace

RobotTree::RobotTree(const RobotModel& model, const std::map<std::string, JointSetup>& setup) {
  read_links(model, setup);
  read_loops(model);
  choose_coordinates();
}

void RobotTree::read_links(const RobotModel& model, const std::map<std::string, JointSetup>& setup) {
  const std::vector<Listed> list = listed_joints(model, setup);
  check_couplings(model, list);
  const std::map<std::string, double> held = held_joints(model, list);
  std::size_t next = 0;
  for (const RobotBody& body : model.bodies) {
    TreePlace place = this->body(body.parent).moved(body.position, body.rotation.normalized().toRotationMatrix());
    for (const RobotJoint& joint : body.joints) {
      const JointSetup& said = list[next++].setup;
      if (const auto at = held.find(joint.name); at != held.end()) {
        place = behind(place, joint, at->second);
        continue;
      }
      if (links_.size() == most_joints)
        throw InputError(fmt::format("the robot has more than {} joints that move: lock some of them", most_joints));
      links_.push_back(link_of(joint, said, place));
      names_.push_back(joint.name);
      home_.push_back(joint.home);
      TreeLimit limit;
      limit.lower = joint.lower.value_or(limit.lower);
      limit.upper = joint.upper.value_or(limit.upper);
      limits_.push_back(limit);
      place = {static_cast<int>(links_.size()) - 1};
    }
    bodies_.push_back(place);
    if (place.link >= 0) merge(links_[static_cast<std::size_t>(place.link)], place, body);
  }
  if (links_.empty()) throw InputError(fmt::format("robot {} has no joint that moves", model.name));
  read_couplings(model, held);
}

void RobotTree::read_couplings(const RobotModel& model, const std::map<std::string, double>& held) {
  const auto index = [&](const std::string& name) {
    return static_cast<int>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  };
  for (const JointCoupling& c : model.couplings) {
    if (held.contains(c.joint)) continue;
    TreeCoupling coupling{index(c.joint), index(c.driver), 0, 0, c.polynomial};
    coupling.joint_reference = links_[static_cast<std::size_t>(coupling.joint)].reference;
    coupling.driver_reference = links_[static_cast<std::size_t>(coupling.driver)].reference;
    couplings_.push_back(coupling);
  }
  // Drivers first: a coupling goes behind the one that gives its driver.
  std::vector<TreeCoupling> ordered;
  const auto waits = [&](const TreeCoupling& c) {
    const auto gives = [&](const TreeCoupling& other) { return other.joint == c.driver; };
    return std::any_of(couplings_.begin(), couplings_.end(), gives) &&
           std::none_of(ordered.begin(), ordered.end(), gives);
  };
  while (ordered.size() < couplings_.size()) {
    for (const TreeCoupling& c : couplings_) {
      const auto same = [&](const TreeCoupling& other) { return other.joint == c.joint; };
      if (std::none_of(ordered.begin(), ordered.end(), same) && !waits(c)) ordered.push_back(c);
    }
  }
  couplings_ = ordered;
}

void RobotTree::read_loops(const RobotModel& model) {
  for (const LoopClosure& closure : model.loops) {
    TreeLoop loop{closure.name, closure.weld, {}, {}};
    const Eigen::Matrix3d relative = closure.rotation.normalized().toRotationMatrix();
    loop.one = body(closure.body1).moved(closure.anchor1, closure.weld ? relative : Eigen::Matrix3d::Identity());
    loop.two = body(closure.body2).moved(closure.anchor2, Eigen::Matrix3d::Identity());
    loop_rows_ += loop.rows();
    loops_.push_back(loop);
  }
  if (loop_rows_ > most_loop_rows)
    throw InputError(fmt::format("the closed loops of the robot have {} equations, at most {} can be honoured",
                                 loop_rows_, most_loop_rows));
}

void RobotTree::choose_coordinates() {
  couple(*this, home_.data());
  if (!loops_.empty()) {
    const LoopState found = close_home(*this, home_.data());
    if (!found.closed) {
      int row = found.row;
      std::size_t which = 0;
      while (row >= loops_[which].rows()) row -= loops_[which++].rows();
      throw InputError(fmt::format("loop {} cannot be closed: near home {:.3g} {} are left", loops_[which].name,
                                   found.residual, row < 3 ? "m" : "rad"));
    }
    dependent_ = dependent_joints(*this, home_.data());
  }
  for (int j = 0; j < static_cast<int>(links_.size()); ++j) {
    const bool coupled =
        std::any_of(couplings_.begin(), couplings_.end(), [j](const TreeCoupling& c) { return c.joint == j; });
    const bool depends = std::find(dependent_.begin(), dependent_.end(), j) != dependent_.end();
    if (!coupled && !depends) coordinates_.push_back(j);
  }
  if (coordinates_.empty()) throw InputError("the closed loops of the robot hold all of its joints: nothing can move");
}

bool RobotTree::pose(const double* x, std::array<double, most_joints>& y, TreeState<double>& state) const {
  for (std::size_t k = 0; k < coordinates_.size(); ++k) y[static_cast<std::size_t>(coordinates_[k])] = x[k];
  if (!loops_.empty()) return close_loops(*this, y.data(), state).closed;
  couple(*this, y.data());
  place(links_, y.data(), state);
  return true;
}

std::string RobotTree::open_loop(const double* x) const {
  std::array<double, most_joints> y{};
  TreeState<double> state;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) y[static_cast<std::size_t>(coordinates_[k])] = x[k];
  const LoopState found = close_loops(*this, y.data(), state);
  std::string which;
  for (const TreeLoop& loop : loops_) which += (which.empty() ? "" : ", ") + loop.name;
  if (found.reached < 1) {
    std::string joints;
    for (const int j : dependent_) joints += (joints.empty() ? "" : ", ") + names_[static_cast<std::size_t>(j)];
    return fmt::format(
        "loop {} cannot be closed in this posture: on the way from home it comes to a dead point, or out of reach of "
        "{}, "
        "after {:.3g} of the way",
        which, joints, found.reached);
  }
  return fmt::format("loop {} cannot be closed in this posture: {:.3g} m are left", which, found.residual);
}

}  // namespace painleve::detail
