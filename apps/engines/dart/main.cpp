// painleve-engine-dart: one World::step of DART from the state that the request gives.
//
// DART makes contacts from shapes only. Each contact is a small sphere on the body that touches a small box of the
// fixed world, found by DART's own collision detector, which answers the touching point of the pair. Both shapes are so
// small that contacts at different places do not meet. Bodies move with joints whose speeds are world velocities
// (PlanarJoint; in space a TranslationalJoint that carries a BallJoint at the centre of mass): a FreeJoint's speeds
// live in the turning body, which would mix the turn of the step into the velocity that the contact solver has just
// set.
#include <dart/collision/CollisionObject.hpp>
#include <dart/collision/CollisionResult.hpp>
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/config.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/TranslationalJoint.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include <iostream>
#include <regex>
#include <sstream>

#include "../adapter/limits.hpp"
#include "../adapter/serve.hpp"

namespace {

using namespace painleve::adapter;
namespace dynamics = dart::dynamics;
namespace constraint = dart::constraint;

constexpr double RADIUS = 1e-3;  // [m] of the contact spheres
constexpr double DEPTH = 1e-12;  // [m] by which a sphere at gap 0 stands in its box; DART would correct 1 % of it

Description description() {
  Description d;
  d.engine = "dart";
  d.version = DART_VERSION;
  d.friction =
      "pyramid along the tangents as a boxed linear complementarity problem; Dantzig's method takes the bounds "
      "from the normal impulses without friction; double precision";
  d.settings = {{"default", "Dantzig's method, projected Gauss-Seidel if it fails"},
                {"pgs", "projected Gauss-Seidel alone, 30 iterations"},
                {"pgs-1000", "projected Gauss-Seidel alone, 1000 iterations, tolerances 1e-15"}};
  return d;
}

Eigen::Vector3d to_eigen(const Vector& a) { return {a[0], a[1], a[2]}; }
Vector from_eigen(const Eigen::Vector3d& a) { return {a[0], a[1], a[2]}; }

std::unique_ptr<constraint::BoxedLcpConstraintSolver> make_solver(const std::string& setting) {
  if (setting == "default") return std::make_unique<constraint::BoxedLcpConstraintSolver>();
  auto pgs = std::make_shared<constraint::PgsBoxedLcpSolver>();
  if (setting == "pgs-1000") pgs->setOption(constraint::PgsBoxedLcpSolver::Option(1000, 1e-15, 1e-15));
  return std::make_unique<constraint::BoxedLcpConstraintSolver>(pgs, nullptr);
}

dynamics::Inertia inertia_of(const Body& body, double mass) {
  Eigen::Matrix3d moment;
  for (int i = 0; i < 3; ++i) moment.row(i) = to_eigen(body.inertia[static_cast<std::size_t>(i)]);
  return dynamics::Inertia(mass, Eigen::Vector3d::Zero(), moment);
}

Eigen::Quaterniond rotation_of(const Body& body) {
  return {body.rotation[0], body.rotation[1], body.rotation[2], body.rotation[3]};
}

dynamics::BodyNode* add_planar(dynamics::Skeleton& skeleton, const Body& body) {
  auto [joint, node] = skeleton.createJointAndBodyNodePair<dynamics::PlanarJoint>();
  joint->setXYPlane();
  const double angle = 2 * std::atan2(body.rotation[3], body.rotation[0]);
  joint->setPositions(Eigen::Vector3d(body.position[0], body.position[1], angle));
  joint->setVelocities(Eigen::Vector3d(body.velocity[0], body.velocity[1], body.angular_velocity[2]));
  return node;
}

// The carrier does not turn and the ball sits at the centre of mass, so that half of the mass may ride on each of them
// and the carrier's moments do not matter: DART takes no body without mass.
dynamics::BodyNode* add_spatial(dynamics::Skeleton& skeleton, const Body& body) {
  auto [slide, carrier] = skeleton.createJointAndBodyNodePair<dynamics::TranslationalJoint>();
  carrier->setInertia(dynamics::Inertia(body.mass / 2, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()));
  auto [ball, node] = skeleton.createJointAndBodyNodePair<dynamics::BallJoint>(carrier);
  slide->setPositions(to_eigen(body.position));
  slide->setVelocities(to_eigen(body.velocity));
  const Eigen::Matrix3d rotation = rotation_of(body).toRotationMatrix();
  ball->setPositions(dynamics::BallJoint::convertToPositions(rotation));
  ball->setVelocities(rotation.transpose() * to_eigen(body.angular_velocity));
  return node;
}

dynamics::BodyNode* add_body(dart::simulation::World& world, const Step& step, const Body& body) {
  auto skeleton = dynamics::Skeleton::create("body" + std::to_string(world.getNumSkeletons()));
  auto* node = step.dimension == 2 ? add_planar(*skeleton, body) : add_spatial(*skeleton, body);
  node->setInertia(inertia_of(body, step.dimension == 2 ? body.mass : body.mass / 2));
  world.addSkeleton(skeleton);
  node->addExtForce(to_eigen(body.force), Eigen::Vector3d::Zero(), false, true);
  node->addExtTorque(to_eigen(body.torque), false);
  return node;
}

dynamics::ShapeNode* add_shape(dynamics::BodyNode& node, const dynamics::ShapePtr& shape, const Contact& contact) {
  auto* made = node.createShapeNodeWith<dynamics::CollisionAspect, dynamics::DynamicsAspect>(shape);
  made->getDynamicsAspect()->setFrictionCoeff(contact.mu);  // the pair takes the smaller of two equal numbers
  made->getDynamicsAspect()->setRestitutionCoeff(contact.restitution);
  made->getDynamicsAspect()->setFirstFrictionDirection(to_eigen(contact.tangents.at(0)));
  made->getDynamicsAspect()->setFirstFrictionDirectionFrame(dynamics::Frame::World());
  return made;
}

// A sphere on the body, and below it a box of the world whose upper face is the surface.
dynamics::ShapeNode* add_contact(dart::simulation::World& world, const Body& body, dynamics::BodyNode& node,
                                 const Contact& contact) {
  const Eigen::Vector3d normal = to_eigen(contact.normal);
  auto* sphere = add_shape(node, std::make_shared<dynamics::SphereShape>(RADIUS), contact);
  const Eigen::Vector3d inward = rotation_of(body).conjugate() * normal;
  sphere->setRelativeTranslation(to_eigen(contact.point) + (RADIUS - DEPTH) * inward);
  auto skeleton = dynamics::Skeleton::create("ground" + std::to_string(world.getNumSkeletons()));
  skeleton->setMobile(false);
  auto* ground = skeleton->createJointAndBodyNodePair<dynamics::WeldJoint>().second;
  const double edge = 8 * RADIUS;
  auto* box = add_shape(*ground, std::make_shared<dynamics::BoxShape>(Eigen::Vector3d::Constant(edge)), contact);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), normal).toRotationMatrix();
  pose.translation() = to_eigen(contact.at) - (contact.gap + edge / 2) * normal;
  box->setRelativeTransform(pose);
  world.addSkeleton(skeleton);
  return sphere;
}

// DART keeps the force of the step on the first of a contact's two shapes.
std::vector<double> impulses(const Step& step, const dart::simulation::World& world,
                             const std::vector<dynamics::ShapeNode*>& spheres) {
  std::vector<Eigen::Vector3d> total(spheres.size(), Eigen::Vector3d::Zero());
  const auto& result = world.getConstraintSolver()->getLastCollisionResult();
  for (const auto& made : result.getContacts()) {
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      if (made.collisionObject1->getShapeFrame() == spheres[i]) total[i] += step.dt * made.force;
      if (made.collisionObject2->getShapeFrame() == spheres[i]) total[i] -= step.dt * made.force;
    }
  }
  std::vector<double> Lambda;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    for (const auto& tangent : step.contacts[i].tangents) Lambda.push_back(total[i].dot(to_eigen(tangent)));
    Lambda.push_back(total[i].dot(to_eigen(step.contacts[i].normal)));
  }
  return Lambda;
}

std::string obstacle(const Step& step) {
  if (step.bodies.empty()) return without_bodies();
  if (const auto* moving = moving_surface(step)) return "this adapter has no moving surfaces: contact " + moving->name;
  return "";
}

// What DART prints on std::cerr while this object lives.
class Warnings {
 public:
  Warnings() : before_(std::cerr.rdbuf(text_.rdbuf())) {}
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;
  ~Warnings() { std::cerr.rdbuf(before_); }

  std::vector<std::string> lines() const {
    std::vector<std::string> list;
    std::istringstream in(text_.str());
    for (std::string line; std::getline(in, line);) list.push_back(without_colours(line));
    return list;
  }

 private:
  static std::string without_colours(const std::string& line) {
    static const std::regex colour("\x1b\\[[0-9;]*m");
    return std::regex_replace(line, colour, "");
  }

  std::ostringstream text_;
  std::streambuf* before_;
};

Reply step(const Step& given) {
  if (const std::string reason = obstacle(given); !reason.empty()) return not_represented(reason);
  const Warnings warnings;
  const auto world = dart::simulation::World::create();
  world->setTimeStep(given.dt);
  world->setGravity(to_eigen(given.gravity));
  world->setConstraintSolver(make_solver(given.setting));
  world->getConstraintSolver()->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
  std::vector<dynamics::BodyNode*> bodies;
  for (const auto& body : given.bodies) bodies.push_back(add_body(*world, given, body));
  std::vector<dynamics::ShapeNode*> spheres;
  for (const auto& contact : given.contacts) {
    const auto body = static_cast<std::size_t>(contact.body);
    spheres.push_back(add_contact(*world, given.bodies.at(body), *bodies.at(body), contact));
  }
  world->step();
  Reply reply;
  reply.velocities.emplace();
  for (const auto* node : bodies)
    reply.velocities->push_back({from_eigen(node->getLinearVelocity()), from_eigen(node->getAngularVelocity())});
  reply.Lambda = impulses(given, *world, spheres);
  reply.warnings = warnings.lines();
  warn_of_open_contacts(given, 0, reply);
  return reply;
}

}  // namespace

int main() { return painleve::adapter::serve(description(), step); }
