// painleve-engine-bullet: one step of Bullet's rigid-body world from the state that the request gives.
//
// Bullet lets the user make contacts: bodies carry empty shapes, and each contact of the request becomes a persistent
// manifold with one point (place, normal, gap, friction) between the body and a fixed body of its own. Collision
// detection therefore finds nothing and changes nothing. Built twice, since Bullet's two precisions share their
// symbols: with BT_USE_DOUBLE_PRECISION as "bullet", without it as "bullet32".
#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <memory>

#include "../adapter/limits.hpp"
#include "../adapter/serve.hpp"

namespace {

using namespace painleve::adapter;

#ifdef BT_USE_DOUBLE_PRECISION
constexpr const char* ENGINE = "bullet";
constexpr const char* PRECISION = "double precision";
#else
constexpr const char* ENGINE = "bullet32";
constexpr const char* PRECISION = "single precision";
#endif

Description description() {
  Description d;
  d.engine = ENGINE;
  d.version = std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100);
  d.friction = std::string(
                   "box: one friction direction, along the slip before the step, bounded by mu times the present "
                   "normal impulse; ") +
               PRECISION;
  d.settings = {
      {"impulse-10", "sequential impulses, 10 iterations"},
      {"impulse-50", "sequential impulses, 50 iterations"},
      {"impulse-1000", "sequential impulses, 1000 iterations"},
      {"impulse-pyramid-50", "sequential impulses, 50 iterations, two friction directions along the tangents"},
      {"nncg-50", "non-smooth nonlinear conjugate gradients, 50 iterations"},
      {"mlcp-dantzig", "btMLCPSolver with Dantzig's method"},
      {"mlcp-pgs", "btMLCPSolver with projected Gauss-Seidel, 50 iterations"},
      {"mlcp-lemke",
       "btMLCPSolver with Lemke's method; friction is bounded by mu * 1 N s, whatever the "
       "normal impulse"}};
  return d;
}

btVector3 to_bullet(const Vector& a) {
  return {static_cast<btScalar>(a[0]), static_cast<btScalar>(a[1]), static_cast<btScalar>(a[2])};
}

Vector from_bullet(const btVector3& a) {
  return {static_cast<double>(a.x()), static_cast<double>(a.y()), static_cast<double>(a.z())};
}

// A solver and, for the MLCP ones, the method that it drives.
struct Solver {
  std::unique_ptr<btMLCPSolverInterface> method;
  std::unique_ptr<btSequentialImpulseConstraintSolver> solver;
};

Solver make_solver(const std::string& setting) {
  Solver s;
  if (setting == "mlcp-dantzig") s.method = std::make_unique<btDantzigSolver>();
  if (setting == "mlcp-pgs") s.method = std::make_unique<btSolveProjectedGaussSeidel>();
  if (setting == "mlcp-lemke") s.method = std::make_unique<btLemkeSolver>();
  if (s.method) {
    s.solver = std::make_unique<btMLCPSolver>(s.method.get());
  } else if (setting == "nncg-50") {
    s.solver = std::make_unique<btNNCGConstraintSolver>();
  } else {
    s.solver = std::make_unique<btSequentialImpulseConstraintSolver>();
  }
  return s;
}

int iterations(const std::string& setting) {
  if (setting == "impulse-10") return 10;
  return setting == "impulse-1000" ? 1000 : 50;
}

// A world that owns what Bullet only points to. The members die after the world that uses them.
class World {
 public:
  explicit World(const Step& step)
      : solver_(make_solver(step.setting)), world_(&dispatcher_, &broadphase_, solver_.solver.get(), &configuration_) {
    world_.setGravity(to_bullet(step.gravity));
    world_.getSolverInfo().m_numIterations = iterations(step.setting);
    if (step.setting == "impulse-pyramid-50")
      world_.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS |
                                             SOLVER_ENABLE_FRICTION_DIRECTION_CACHING |
                                             SOLVER_DISABLE_VELOCITY_DEPENDENT_FRICTION_DIRECTION;
    for (const auto& body : step.bodies) add_body(body);
    for (const auto& contact : step.contacts) add_contact(contact, step.dt);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  ~World() {
    for (auto* manifold : manifolds_) dispatcher_.releaseManifold(manifold);
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    for (const auto& ground : grounds_) world_.removeRigidBody(ground.get());
  }

  // One step of exactly dt: no substeps, no interpolation.
  void advance(double dt) { world_.stepSimulation(static_cast<btScalar>(dt), 0, static_cast<btScalar>(dt)); }

  Reply reply(const Step& step) const {
    Reply reply;
    reply.velocities.emplace();
    for (const auto& body : bodies_)
      reply.velocities->push_back({from_bullet(body->getLinearVelocity()), from_bullet(body->getAngularVelocity())});
    reply.Lambda.emplace();
    for (std::size_t i = 0; i < step.contacts.size(); ++i) append_impulse(step.contacts[i], i, *reply.Lambda);
    if (!solver_.method) reply.iterations = iterations(step.setting);
    if (const auto* mlcp = dynamic_cast<const btMLCPSolver*>(solver_.solver.get()); mlcp && mlcp->getNumFallbacks() > 0)
      reply.warnings.emplace_back("the MLCP method failed; Bullet fell back to sequential impulses");
    warn_of_open_contacts(step, static_cast<double>(gContactBreakingThreshold), reply);
    return reply;
  }

 private:
  // Bullet keeps principal moments only, so the body's axes are turned into its principal axes.
  void add_body(const Body& given) {
    btMatrix3x3 inertia, axes;
    for (int i = 0; i < 3; ++i) inertia[i] = to_bullet(given.inertia[static_cast<std::size_t>(i)]);
    inertia.diagonalize(axes, SIMD_EPSILON, 50);
    const auto [w, x, y, z] = given.rotation;
    const btMatrix3x3 rotation(btQuaternion(static_cast<btScalar>(x), static_cast<btScalar>(y),
                                            static_cast<btScalar>(z), static_cast<btScalar>(w)));
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(given.mass), nullptr, &shape_,
                                                  {inertia[0][0], inertia[1][1], inertia[2][2]});
    info.m_startWorldTransform = btTransform(rotation * axes, to_bullet(given.position));
    auto body = std::make_unique<btRigidBody>(info);
    body->setLinearVelocity(to_bullet(given.velocity));
    body->setAngularVelocity(to_bullet(given.angular_velocity));
    body->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(body.get());  // gives it the world's gravity
    body->applyCentralForce(to_bullet(given.force));
    body->applyTorque(to_bullet(given.torque));
    bodies_.push_back(std::move(body));
  }

  void add_contact(const Contact& given, double dt) {
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, &shape_);
    info.m_startWorldTransform = btTransform(btQuaternion::getIdentity(), to_bullet(given.at));
    auto ground = std::make_unique<btRigidBody>(info);
    if (norm(given.surface_velocity) > 0) set_moving(*ground, given, dt);
    world_.addRigidBody(ground.get());
    btRigidBody& body = *bodies_.at(static_cast<std::size_t>(given.body));
    const btVector3 on_ground = to_bullet(given.at - given.gap * given.normal);
    btManifoldPoint point(body.getWorldTransform().inverse() * to_bullet(given.at), on_ground - to_bullet(given.at),
                          to_bullet(given.normal), static_cast<btScalar>(given.gap));
    point.m_positionWorldOnA = to_bullet(given.at);
    point.m_positionWorldOnB = on_ground;
    point.m_combinedFriction = static_cast<btScalar>(given.mu);
    point.m_combinedRestitution = static_cast<btScalar>(given.restitution);
    if (world_.getSolverInfo().m_solverMode & SOLVER_ENABLE_FRICTION_DIRECTION_CACHING) fix_directions(given, point);
    auto* manifold = dispatcher_.getNewManifold(&body, ground.get());
    // Bullet's own detection drops a point beyond this gap.
    if (point.getDistance() <= manifold->getContactBreakingThreshold()) manifold->addManifoldPoint(point);
    manifolds_.push_back(manifold);
    grounds_.push_back(std::move(ground));
  }

  // Bullet takes the velocity of a kinematic body from its last two poses.
  static void set_moving(btRigidBody& ground, const Contact& given, double dt) {
    ground.setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
    ground.setActivationState(DISABLE_DEACTIVATION);
    const btVector3 before = to_bullet(given.at - dt * given.surface_velocity);
    ground.setInterpolationWorldTransform(btTransform(btQuaternion::getIdentity(), before));
  }

  static void fix_directions(const Contact& given, btManifoldPoint& point) {
    point.m_lateralFrictionDir1 = to_bullet(given.tangents.at(0));
    point.m_lateralFrictionDir2 = to_bullet(cross(given.normal, given.tangents.at(0)));
    point.m_contactPointFlags |= BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED;
  }

  void append_impulse(const Contact& contact, std::size_t index, std::vector<double>& Lambda) const {
    if (manifolds_[index]->getNumContacts() == 0) {
      Lambda.resize(Lambda.size() + contact.tangents.size() + 1, 0);
      return;
    }
    const auto& point = manifolds_[index]->getContactPoint(0);
    const Vector friction =
        static_cast<double>(point.m_appliedImpulseLateral1) * from_bullet(point.m_lateralFrictionDir1) +
        static_cast<double>(point.m_appliedImpulseLateral2) * from_bullet(point.m_lateralFrictionDir2);
    for (const auto& tangent : contact.tangents) Lambda.push_back(dot(friction, tangent));
    Lambda.push_back(static_cast<double>(point.m_appliedImpulse));
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btEmptyShape shape_;
  Solver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_, grounds_;
  std::vector<btPersistentManifold*> manifolds_;
};

Reply step(const Step& given) {
  if (given.bodies.empty()) return not_represented(without_bodies());
  World world(given);
  world.advance(given.dt);
  return world.reply(given);
}

}  // namespace

int main() { return painleve::adapter::serve(description(), step); }
