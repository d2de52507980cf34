// A robot as sticks: robot files are read without their meshes, and what counts here are joints and contact points.
#include <algorithm>
#include <cmath>

#include "painleve/mechanism/gallery/outline_pieces.hpp"
#include "painleve/robot/loop_closure.hpp"
#include "painleve/robot/robot_mechanism.hpp"

namespace painleve {

using namespace detail;

namespace {

constexpr double thickness = 0.04;   // of a link, in parts of the robot
constexpr double same_place = 1e-6;  // likewise: a link shorter than this is not drawn
constexpr double beyond = 0.25;      // a surface reaches this much beyond what stands on it

// Points and directions of the world in the picture.
class Paper {
 public:
  Paper(int dimension, const Eigen::Matrix<double, 2, 3>& plane) : dimension_(dimension), plane_(plane) {}
  Place operator()(const Eigen::Vector3d& p) const {
    if (dimension_ == 3) return {p.x(), p.y(), p.z()};
    const Eigen::Vector2d flat = plane_ * p;
    return {flat.x(), flat.y(), 0};
  }

 private:
  int dimension_;
  Eigen::Matrix<double, 2, 3> plane_;
};

Eigen::Vector3d in_world(const LinkState<double>& link, const Eigen::Vector3d& p) { return plain(link.o + link.R * p); }

// The part of a plane that lies under everything drawn, and whose normal side is that of the bodies.
void add_surface(Outline& outline, const RobotContactPlane& contact, int dimension, const Paper& paper,
                 const std::vector<Eigen::Vector3d>& points) {
  Eigen::Vector2d low = Eigen::Vector2d::Constant(std::numeric_limits<double>::max());
  Eigen::Vector2d high = -low;
  for (const Eigen::Vector3d& p : points) {
    const Eigen::Vector2d at = contact.axes.leftCols<2>().transpose() * (p - contact.origin);
    low = low.cwiseMin(at);
    high = high.cwiseMax(at);
  }
  const double room = beyond * std::max(1e-3, (high - low).maxCoeff());
  const auto corner = [&](double s, double t) -> Eigen::Vector3d {
    return contact.origin + s * contact.axes.col(0) + t * contact.axes.col(1);
  };
  if (dimension == 3) {
    low.array() -= room;
    high.array() += room;
    outline.strokes.push_back({Part::surface,
                               {paper(corner(low.x(), low.y())), paper(corner(high.x(), low.y())),
                                paper(corner(high.x(), high.y())), paper(corner(low.x(), high.y()))},
                               true});
    return;
  }
  Place from = paper(corner(low.x() - room, 0));
  Place to = paper(corner(high.x() + room, 0));
  const Place n = paper(contact.axes.col(2));
  const double left = -(to[1] - from[1]) * n[0] + (to[0] - from[0]) * n[1];
  if (left < 0) std::swap(from, to);
  outline.strokes.push_back({Part::surface, {from, to}});
}

bool same_plane(const RobotContactPlane& a, const RobotContactPlane& b, double size) {
  const Eigen::Vector3d n = a.axes.col(2);
  return (n - b.axes.col(2)).norm() <= same_place && std::abs(n.dot(a.origin - b.origin)) <= same_place * size;
}

// The links of one posture, stroke by stroke.
class Sticks {
 public:
  Sticks(const Paper& paper, int dimension, double size) : paper_(paper), dimension_(dimension), size_(size) {}

  // Ends in a point where it touches a surface.
  void link(Part part, const Eigen::Vector3d& from, const Eigen::Vector3d& to, bool pointed = false) {
    if ((to - from).norm() <= same_place * size_) return;
    if (pointed && dimension_ == 2 && part == Part::body) {
      add_pointed_link(outline, paper_(from), paper_(to), thickness * size_);
    } else {
      detail::add_link(outline, part, paper_(from), paper_(to), thickness * size_);
    }
    points.insert(points.end(), {from, to});
  }
  void mark(Part part, const Eigen::Vector3d& at) {
    add_ball(outline, part, paper_(at), thickness * size_ / 2);
    points.push_back(at);
  }

  Outline outline;
  std::vector<Eigen::Vector3d> points;  // of the world, all that were drawn

 private:
  const Paper& paper_;
  int dimension_;
  double size_;
};

// From its joint to the joints that it carries, to its contacts and to where it closes a loop; else to its centre.
void draw_link(int index, const RobotTree& tree, const std::vector<RobotContactPlane>& contacts,
               const TreeState<double>& state, Sticks& sticks) {
  const TreeLink& link = tree.links()[static_cast<std::size_t>(index)];
  const LinkState<double>& here = state[static_cast<std::size_t>(index)];
  const Eigen::Vector3d joint = in_world(here, link.anchor);
  const Part part = link.massive() ? Part::body : Part::linkage;
  bool ends = true;
  const auto reach = [&](const Eigen::Vector3d& at, bool pointed) {
    sticks.link(part, joint, in_world(here, at), pointed);
    ends = false;
  };
  for (const TreeLink& other : tree.links())
    if (other.parent == index) reach(other.position + other.rotation * other.anchor, false);
  for (const TreeLoop& loop : tree.loops())
    for (const TreePlace* place : {&loop.one, &loop.two})
      if (place->link == index) reach(place->position, false);
  for (const RobotContactPlane& contact : contacts)
    if (contact.link == index) reach(contact.at, true);
  if (ends && link.massive()) reach(link.centre, false);
  if (link.kind == JointKind::hinge) {
    sticks.mark(Part::mark, joint);
  } else if (link.massive()) {
    sticks.mark(Part::body, in_world(here, link.centre));
  }
}

}  // namespace

Outline RobotMechanism::outline(const State& state) const {
  std::array<double, most_joints> y;
  TreeState<double> placed;
  if (!tree_->pose(state.q.data(), y, placed)) return {};
  const Paper paper(dimension_, drawing_.plane);
  Sticks sticks(paper, dimension_, drawing_.size);
  for (std::size_t i = 0; i < tree_->links().size(); ++i) {
    const Eigen::Vector3d joint = in_world(placed[i], tree_->links()[i].anchor);
    if (drawing_.feet[i].allFinite()) sticks.link(Part::linkage, drawing_.feet[i], joint);
    draw_link(static_cast<int>(i), *tree_, contacts_, placed, sticks);
  }
  for (const TreeLoop& loop : tree_->loops())
    sticks.mark(Part::mark, in_world(state_of(loop.one, placed), loop.one.position));
  Outline& o = sticks.outline;
  for (const RobotContactPlane& contact : contacts_) {
    const LinkState<double>& carrier = placed[static_cast<std::size_t>(contact.link)];
    ContactPlace at{contact.name, paper(in_world(carrier, contact.at)), {}, paper(contact.axes.col(2))};
    for (int k = 0; k + 1 < dimension_; ++k) at.tangents.push_back(paper(contact.axes.col(k)));
    o.contacts.push_back(at);
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const auto here = contacts_.begin() + static_cast<std::ptrdiff_t>(i);
    const auto same = [&](const RobotContactPlane& other) { return same_plane(other, *here, drawing_.size); };
    if (std::none_of(contacts_.begin(), here, same)) add_surface(o, *here, dimension_, paper, sticks.points);
  }
  o.gravity = paper(gravity_);
  return o;
}

}  // namespace painleve
