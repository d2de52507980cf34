// painleve-engine-box2d: one b2World::Step from the state that the request gives; plane worlds only, float32.
//
// Box2D makes contacts from shapes only. Each contact is a small circle on the body that touches an edge of its own
// fixed body; a filter keeps every other couple apart. Edges have a skin (b2_polygonRadius), so the edge lies that much
// behind the surface, less a depth that keeps the rounding of single precision from opening the contact. Box2D's
// velocities do not depend on the depth; the contact point moves by half of it.
#include <box2d/box2d.h>

#include <algorithm>

#include "../adapter/limits.hpp"
#include "../adapter/serve.hpp"

namespace {

using namespace painleve::adapter;

constexpr float RADIUS = 0.01F;  // [m] of the contact circles
constexpr double DEPTH = 2e-6;   // of the contact, as a share of the greatest coordinate, at least 2e-6 m
constexpr int POSITION_ITERATIONS = 3;

Description description() {
  Description d;
  d.engine = "box2d";
  d.version = std::to_string(b2_version.major) + "." + std::to_string(b2_version.minor) + "." +
              std::to_string(b2_version.revision);
  d.friction = "Coulomb in the plane, bounded by mu times the normal impulse of the iteration before; single precision";
  d.settings = {{"default", "8 velocity and 3 position iterations"},
                {"velocity-50", "50 velocity iterations"},
                {"velocity-1000", "1000 velocity iterations"}};
  return d;
}

int velocity_iterations(const std::string& setting) {
  if (setting == "default") return 8;
  return setting == "velocity-50" ? 50 : 1000;
}

b2Vec2 to_box2d(const Vector& a) { return {static_cast<float>(a[0]), static_cast<float>(a[1])}; }

std::uintptr_t tag(const b2Fixture* fixture) { return const_cast<b2Fixture*>(fixture)->GetUserData().pointer; }

// Lets the circle and the edge of the same contact touch, and nothing else.
class SamePair : public b2ContactFilter {
 public:
  bool ShouldCollide(b2Fixture* a, b2Fixture* b) override { return tag(a) == tag(b); }
};

// Gives a contact its surface's speed before it is solved, and keeps its impulses afterwards.
class Listener : public b2ContactListener {
 public:
  explicit Listener(const Step& step) : step_(step), normal_(step.contacts.size(), 0), tangent_(normal_) {}

  // Box2D's tangent is the manifold's normal, turned clockwise; the normal points from the first fixture to the second.
  void PreSolve(b2Contact* contact, const b2Manifold* /*before*/) override {
    const Contact& given = step_.contacts[tag(contact->GetFixtureA())];
    const Vector along = box2d_tangent(given, *contact);
    const double sign = contact->GetFixtureA()->GetBody()->GetType() == b2_staticBody ? 1 : -1;
    contact->SetTangentSpeed(static_cast<float>(sign * dot(given.surface_velocity, along)));
  }

  void PostSolve(b2Contact* contact, const b2ContactImpulse* impulse) override {
    const std::size_t index = tag(contact->GetFixtureA());
    const Contact& given = step_.contacts[index];
    const double on_body = contact->GetFixtureA()->GetBody()->GetType() == b2_staticBody ? 1 : -1;
    normal_[index] = static_cast<double>(impulse->normalImpulses[0]);
    tangent_[index] = on_body * static_cast<double>(impulse->tangentImpulses[0]) *
                      dot(given.tangents.at(0), box2d_tangent(given, *contact));
  }

  std::vector<double> Lambda() const {
    std::vector<double> all;
    for (std::size_t i = 0; i < normal_.size(); ++i) {
      all.push_back(tangent_[i]);
      all.push_back(normal_[i]);
    }
    return all;
  }

 private:
  static Vector box2d_tangent(const Contact& given, const b2Contact& contact) {
    const bool body_first = const_cast<b2Contact&>(contact).GetFixtureA()->GetBody()->GetType() != b2_staticBody;
    const Vector normal = (body_first ? -1.0 : 1.0) * given.normal;
    return {normal[1], -normal[0], 0};
  }

  const Step& step_;
  std::vector<double> normal_, tangent_;
};

void add_circle(b2Body& body, const Body& given, const Contact& contact, std::size_t index) {
  const auto [w, x, y, z] = given.rotation;
  const Vector inward = rotate({w, -x, -y, -z}, contact.normal);
  b2CircleShape circle;
  circle.m_radius = RADIUS;
  circle.m_p = to_box2d(contact.point + static_cast<double>(RADIUS) * inward);
  b2FixtureDef fixture;
  fixture.shape = &circle;
  fixture.friction = static_cast<float>(contact.mu);  // the pair's is the geometric mean of two equal numbers
  fixture.restitution = static_cast<float>(contact.restitution);
  fixture.userData.pointer = index;
  body.CreateFixture(&fixture);
}

b2Body* add_body(b2World& world, const Step& step, std::size_t index) {
  const Body& given = step.bodies[index];
  b2BodyDef definition;
  definition.type = b2_dynamicBody;
  definition.position = to_box2d(given.position);
  definition.angle = static_cast<float>(2 * std::atan2(given.rotation[3], given.rotation[0]));
  definition.linearVelocity = to_box2d(given.velocity);
  definition.angularVelocity = static_cast<float>(given.angular_velocity[2]);
  definition.allowSleep = false;
  b2Body* body = world.CreateBody(&definition);
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    if (static_cast<std::size_t>(step.contacts[i].body) == index) add_circle(*body, given, step.contacts[i], i);
  }
  b2MassData mass;  // after the fixtures, which would otherwise set it
  mass.mass = static_cast<float>(given.mass);
  mass.center.SetZero();
  mass.I = static_cast<float>(given.inertia[2][2]);
  body->SetMassData(&mass);
  body->ApplyForceToCenter(to_box2d(given.force), true);
  body->ApplyTorque(static_cast<float>(given.torque[2]), true);
  return body;
}

void add_edge(b2World& world, const Contact& contact, std::size_t index) {
  const double depth = DEPTH * std::max({1.0, std::abs(contact.at[0]), std::abs(contact.at[1])});
  const double behind = contact.gap + static_cast<double>(b2_polygonRadius) - depth;
  b2BodyDef definition;
  definition.position = to_box2d(contact.at - behind * contact.normal);
  const b2Vec2 along = to_box2d(contact.tangents.at(0));
  b2EdgeShape edge;
  edge.SetTwoSided(-along, along);
  b2FixtureDef fixture;
  fixture.shape = &edge;
  fixture.friction = static_cast<float>(contact.mu);
  fixture.restitution = static_cast<float>(contact.restitution);
  fixture.userData.pointer = index;
  world.CreateBody(&definition)->CreateFixture(&fixture);
}

std::string obstacle(const Step& step) {
  if (step.bodies.empty()) return without_bodies();
  if (step.dimension != 2) return "Box2D is an engine for the plane";
  for (const auto& contact : step.contacts) {
    if (dot(contact.surface_velocity, contact.normal) != 0)
      return "the surface moves along its normal: contact " + contact.name;
  }
  return "";
}

Reply step(const Step& given) {
  if (const std::string reason = obstacle(given); !reason.empty()) return not_represented(reason);
  b2World world(to_box2d(given.gravity));
  SamePair filter;
  Listener listener(given);
  world.SetContactFilter(&filter);
  world.SetContactListener(&listener);
  world.SetContinuousPhysics(false);
  std::vector<b2Body*> bodies;
  for (std::size_t i = 0; i < given.bodies.size(); ++i) bodies.push_back(add_body(world, given, i));
  for (std::size_t i = 0; i < given.contacts.size(); ++i) add_edge(world, given.contacts[i], i);
  const int iterations = velocity_iterations(given.setting);
  world.Step(static_cast<float>(given.dt), iterations, POSITION_ITERATIONS);
  Reply reply;
  reply.velocities.emplace();
  for (const b2Body* body : bodies) {
    const b2Vec2 v = body->GetLinearVelocity();
    reply.velocities->push_back({{static_cast<double>(v.x), static_cast<double>(v.y), 0},
                                 {0, 0, static_cast<double>(body->GetAngularVelocity())}});
  }
  reply.Lambda = listener.Lambda();
  reply.iterations = iterations;
  warn_of_open_contacts(given, 0, reply);
  return reply;
}

}  // namespace

int main() { return painleve::adapter::serve(description(), step); }
