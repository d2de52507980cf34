#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "stepping_peers.hpp"

namespace painleve {
namespace {

class BulletSlidingRod final : public SteppingPeer {
 public:
  explicit BulletSlidingRod(const SlidingRod& rod)
      : rod_(rod),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_),
        plane_(btVector3(0, 0, 1), 0),
        capsule_(SlidingRod::capsule_radius, 2),
        floor_(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &plane_)),
        body_(btRigidBody::btRigidBodyConstructionInfo(
            1, nullptr, &capsule_, btVector3(SlidingRod::inertia, SlidingRod::inertia, SlidingRod::inertia))) {
    world_.setGravity(btVector3(0, 0, -rod_.gravity));
    floor_.setFriction(1);  // Bullet takes the product
    body_.setFriction(rod_.mu);
    body_.setDamping(0, 0);
    body_.setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(&floor_);
    world_.addRigidBody(&body_);
    BulletSlidingRod::reset();
  }
  BulletSlidingRod(const BulletSlidingRod&) = delete;
  BulletSlidingRod& operator=(const BulletSlidingRod&) = delete;
  ~BulletSlidingRod() override {
    world_.removeRigidBody(&body_);
    world_.removeRigidBody(&floor_);
  }

  void reset() override {
    const btVector3 centre(0, 0, std::sin(rod_.theta) + SlidingRod::capsule_radius);
    const btTransform start(btQuaternion(btVector3(0, 1, 0), rod_.theta), centre);
    body_.setWorldTransform(start);
    body_.setInterpolationWorldTransform(start);
    body_.setLinearVelocity(btVector3(rod_.slip, 0, 0));
    body_.setAngularVelocity(btVector3(0, 0, 0));
    body_.clearForces();
    broadphase_.getOverlappingPairCache()->cleanProxyFromPairs(body_.getBroadphaseHandle(), &dispatcher_);
    solver_.reset();
  }

  void step() override { world_.stepSimulation(rod_.dt, 0); }

  double theta() const override {
    const btVector3 axis = body_.getWorldTransform().getBasis().getColumn(0);
    return std::atan2(-axis.z(), axis.x());
  }

 private:
  SlidingRod rod_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btStaticPlaneShape plane_;
  btCapsuleShapeX capsule_;
  btRigidBody floor_, body_;
};

}  // namespace

std::unique_ptr<SteppingPeer> bullet_rod(const SlidingRod& rod) { return std::make_unique<BulletSlidingRod>(rod); }

}  // namespace painleve
