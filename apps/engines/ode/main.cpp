// Adapter of the Open Dynamics Engine. Each contact becomes a contact joint between its body and the world, with the
// pyramid friction of dContactApprox1 (bounds mu times a normal force of the solver's own), first direction along our
// first tangent.
#include <ode/ode.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "../adapter/limits.hpp"
#include "../adapter/serve.hpp"

namespace {

using namespace painleve::adapter;

Description description() {
  return {"ode",
          dODE_VERSION,
          "pyramid aligned with the tangents; dWorldQuickStep bounds friction by the normal force of the present "
          "sweep, dWorldStep by that of the problem without friction; double precision",
          {{"quickstep-20", "dWorldQuickStep, 20 iterations, the library's default number"},
           {"quickstep-200", "dWorldQuickStep, 200 iterations"},
           {"quickstep-2000", "dWorldQuickStep, 2000 iterations"},
           {"worldstep", "dWorldStep, Dantzig's pivoting"}}};
}

// ODE's messages come through handlers without a place for our data.
std::vector<std::string>& messages() {
  static std::vector<std::string> list;
  return list;
}

void keep_message(int, const char* format, va_list arguments) {
  char text[512];
  vsnprintf(text, sizeof text, format, arguments);
  messages().emplace_back(text);
}

class World {
 public:
  explicit World(const Step& step) : step_(step) {
    dInitODE2(0);
    dSetMessageHandler(keep_message);
    world_ = dWorldCreate();
    group_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, step.gravity[0], step.gravity[1], step.gravity[2]);
    for (const Body& body : step.bodies) bodies_.push_back(make_body(body));
    feedback_.resize(step.contacts.size());
    for (std::size_t i = 0; i < step.contacts.size(); ++i) make_contact(i);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() {
    dJointGroupDestroy(group_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  void advance() {
    if (step_.setting == "worldstep") {
      dWorldStep(world_, step_.dt);
      return;
    }
    dWorldSetQuickStepNumIterations(world_, iterations());
    dWorldQuickStep(world_, step_.dt);
  }
  int iterations() const { return std::stoi(step_.setting.substr(step_.setting.find('-') + 1)); }

  std::vector<BodyVelocity> velocities() const {
    std::vector<BodyVelocity> list;
    for (dBodyID body : bodies_) {
      const dReal* v = dBodyGetLinearVel(body);
      const dReal* w = dBodyGetAngularVel(body);
      list.push_back({{v[0], v[1], v[2]}, {w[0], w[1], w[2]}});
    }
    return list;
  }
  std::vector<double> impulses() const {
    std::vector<double> list;
    for (std::size_t i = 0; i < step_.contacts.size(); ++i) {
      const Vector force{feedback_[i].f1[0], feedback_[i].f1[1], feedback_[i].f1[2]};
      for (const Vector& t : step_.contacts[i].tangents) list.push_back(step_.dt * dot(force, t));
      list.push_back(step_.dt * dot(force, step_.contacts[i].normal));
    }
    return list;
  }

 private:
  dBodyID make_body(const Body& given) const {
    dBodyID body = dBodyCreate(world_);
    const Matrix& I = given.inertia;
    dMass mass;
    dMassSetParameters(&mass, given.mass, 0, 0, 0, I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]);
    dBodySetMass(body, &mass);
    const auto& [x, y, z] = given.position;
    dBodySetPosition(body, x, y, z);
    dQuaternion rotation{given.rotation[0], given.rotation[1], given.rotation[2], given.rotation[3]};
    dBodySetQuaternion(body, rotation);
    dBodySetLinearVel(body, given.velocity[0], given.velocity[1], given.velocity[2]);
    dBodySetAngularVel(body, given.angular_velocity[0], given.angular_velocity[1], given.angular_velocity[2]);
    dBodyAddForce(body, given.force[0], given.force[1], given.force[2]);
    dBodyAddTorque(body, given.torque[0], given.torque[1], given.torque[2]);
    return body;
  }

  // Friction across the plane of a plane world is left out: the second direction is z, with mu2 = 0.
  void make_contact(std::size_t i) {
    const Contact& given = step_.contacts[i];
    if (given.gap > 0) return;
    const Vector& t = given.tangents[0];
    const Vector other = given.tangents.size() > 1 ? given.tangents[1] : cross(given.normal, t);
    dContact contact{};
    contact.surface.mode = dContactMu2 | dContactFDir1 | dContactApprox1_1 | dContactApprox1_2 | dContactMotion1 |
                           dContactMotion2 | dContactBounce;
    contact.surface.mu = given.mu;
    contact.surface.mu2 = step_.dimension == 2 ? 0 : given.mu;
    contact.surface.motion1 = dot(given.surface_velocity, t);
    contact.surface.motion2 = dot(given.surface_velocity, other);
    contact.surface.bounce = given.restitution;
    contact.geom.depth = -given.gap;
    for (std::size_t k = 0; k < 3; ++k) {
      contact.geom.pos[k] = given.at[k];
      contact.geom.normal[k] = given.normal[k];
      contact.fdir1[k] = t[k];
    }
    dJointID joint = dJointCreateContact(world_, group_, &contact);
    dJointAttach(joint, bodies_.at(static_cast<std::size_t>(given.body)), nullptr);
    dJointSetFeedback(joint, &feedback_[i]);
  }

  const Step& step_;
  dWorldID world_;
  dJointGroupID group_;
  std::vector<dBodyID> bodies_;
  std::vector<dJointFeedback> feedback_;
};

Reply step(const Step& given) {
  if (given.bodies.empty()) return not_represented("ODE needs free rigid bodies; the scene has none");
  World world(given);
  world.advance();
  Reply reply;
  reply.velocities = world.velocities();
  reply.Lambda = world.impulses();
  reply.warnings = messages();
  const bool deep =
      std::any_of(given.contacts.begin(), given.contacts.end(), [](const Contact& contact) { return contact.gap < 0; });
  if (deep) reply.warnings.emplace_back("a contact begins below the surface: ODE takes back 0.2 of that in a step");
  if (given.setting != "worldstep") reply.iterations = world.iterations();
  warn_of_open_contacts(given, 0, reply);
  return reply;
}

}  // namespace

int main() { return serve(description(), step); }
