#include <box2d/box2d.h>

#include <cmath>

#include "stepping_peers.hpp"

namespace painleve {
namespace {

// In the plane and in single precision: a small circle at the tip of the rod on an edge. Box2D turns counterclockwise,
// theta clockwise. Edges have a skin, so the edge lies that much below the floor.
class Box2dSlidingRod final : public SteppingPeer {
 public:
  explicit Box2dSlidingRod(const SlidingRod& rod) : rod_(rod), world_({0, -static_cast<float>(rod.gravity)}) {
    world_.SetContinuousPhysics(false);
    add_floor();
    b2BodyDef definition;
    definition.type = b2_dynamicBody;
    definition.allowSleep = false;
    body_ = world_.CreateBody(&definition);
    b2CircleShape tip;
    tip.m_radius = static_cast<float>(SlidingRod::capsule_radius);
    tip.m_p.Set(1, 0);
    b2FixtureDef fixture;
    fixture.shape = &tip;
    fixture.friction = static_cast<float>(rod_.mu);
    body_->CreateFixture(&fixture);
    b2MassData mass;  // after the fixture, which would otherwise set it
    mass.mass = 1;
    mass.center.SetZero();
    mass.I = static_cast<float>(SlidingRod::inertia);
    body_->SetMassData(&mass);
    Box2dSlidingRod::reset();
  }

  void reset() override {
    const double height = std::sin(rod_.theta) + SlidingRod::capsule_radius;
    body_->SetTransform({0, static_cast<float>(height)}, static_cast<float>(-rod_.theta));
    body_->SetLinearVelocity({static_cast<float>(rod_.slip), 0});
    body_->SetAngularVelocity(0);
  }
  void step() override { world_.Step(static_cast<float>(rod_.dt), velocity_iterations, position_iterations); }
  double theta() const override { return -static_cast<double>(body_->GetAngle()); }

 private:
  static constexpr int velocity_iterations = 8, position_iterations = 3;  // those of Box2D's manual

  void add_floor() {
    b2BodyDef definition;
    definition.position.Set(0, -b2_polygonRadius);
    b2EdgeShape edge;
    edge.SetTwoSided({-100, 0}, {100, 0});
    b2FixtureDef fixture;
    fixture.shape = &edge;
    fixture.friction = static_cast<float>(rod_.mu);
    world_.CreateBody(&definition)->CreateFixture(&fixture);
  }

  SlidingRod rod_;
  b2World world_;
  b2Body* body_ = nullptr;
};

}  // namespace

std::unique_ptr<SteppingPeer> box2d_rod(const SlidingRod& rod) { return std::make_unique<Box2dSlidingRod>(rod); }

}  // namespace painleve
