#include <ode/ode.h>

#include <cmath>
#include <numbers>

#include "stepping_peers.hpp"

namespace painleve {
namespace {

class OdeSlidingRod final : public SteppingPeer {
 public:
  explicit OdeSlidingRod(const SlidingRod& rod) : rod_(rod) {
    dInitODE2(0);
    world_ = dWorldCreate();
    space_ = dSimpleSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -rod_.gravity);
    dCreatePlane(space_, 0, 0, 1, 0);
    body_ = dBodyCreate(world_);
    dMass mass;
    dMassSetParameters(&mass, 1, 0, 0, 0, SlidingRod::inertia, SlidingRod::inertia, SlidingRod::inertia, 0, 0, 0);
    dBodySetMass(body_, &mass);
    dGeomSetBody(dCreateCapsule(space_, SlidingRod::capsule_radius, 2), body_);
    OdeSlidingRod::reset();
  }
  OdeSlidingRod(const OdeSlidingRod&) = delete;
  OdeSlidingRod& operator=(const OdeSlidingRod&) = delete;
  ~OdeSlidingRod() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  void reset() override {
    dMatrix3 turn;  // ODE's capsule lies along z
    dRFromAxisAndAngle(turn, 0, 1, 0, rod_.theta + std::numbers::pi / 2);
    dBodySetPosition(body_, 0, 0, std::sin(rod_.theta) + SlidingRod::capsule_radius);
    dBodySetRotation(body_, turn);
    dBodySetLinearVel(body_, rod_.slip, 0, 0);
    dBodySetAngularVel(body_, 0, 0, 0);
  }

  void step() override {
    dSpaceCollide(space_, this, &OdeSlidingRod::touch);
    dWorldStep(world_, rod_.dt);
    dJointGroupEmpty(contacts_);
  }

  double theta() const override {
    const dReal* R = dBodyGetRotation(body_);
    return std::atan2(-R[10], R[2]);
  }

 private:
  static void touch(void* data, dGeomID one, dGeomID other) {
    const auto* self = static_cast<OdeSlidingRod*>(data);
    dContact contact[2] = {};
    const int count = dCollide(one, other, 2, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      contact[i].surface.mode = dContactApprox1;
      contact[i].surface.mu = self->rod_.mu;
      dJointAttach(dJointCreateContact(self->world_, self->contacts_, &contact[i]), dGeomGetBody(one),
                   dGeomGetBody(other));
    }
  }

  SlidingRod rod_;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID contacts_ = nullptr;
  dBodyID body_ = nullptr;
};

}  // namespace

std::unique_ptr<SteppingPeer> ode_rod(const SlidingRod& rod) { return std::make_unique<OdeSlidingRod>(rod); }

}  // namespace painleve
