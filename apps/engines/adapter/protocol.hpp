// What goes over an adapter's stdin and stdout, as structs, and its JSON; docs/engines.md describes it field by field.
// One request, one reply, one process: an engine that aborts takes only its adapter down.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "vectors.hpp"

namespace painleve::adapter {

using Json = nlohmann::ordered_json;

struct Setting {
  std::string name, about;
};

struct Description {
  std::string engine, version;
  std::string friction;           // the engine's friction model, in a few words
  std::vector<Setting> settings;  // the first is the engine's default
};

struct Body {
  std::string name;
  double mass = 0;
  Matrix inertia{};   // about the centre of mass, body axes
  Vector position{};  // of the centre of mass
  Quaternion rotation{1, 0, 0, 0};
  Vector velocity{}, angular_velocity{};  // world axes
  Vector force{}, torque{};               // applied, world axes, without gravity
};

// Between a body and the fixed world. In a plane world there is one tangent and z is left free.
struct Contact {
  std::string name;
  int body = 0;
  Vector point{};                // body axes, from the centre of mass
  Vector at{};                   // the same point in the world
  Vector normal{};               // world axes, from the surface into the body
  std::vector<Vector> tangents;  // one, or two in space; slip is measured along them
  double mu = 0, gap = 0, restitution = 0;
  Vector surface_velocity{};  // of the world's surface there
};

// The same step in contact space, components stacked per contact, tangents first: u_after = W Lambda + u_free.
struct ContactData {
  std::vector<std::vector<double>> W;
  std::vector<double> u_free, u, b, mu, gap;
};

struct Step {
  std::string setting;
  int dimension = 2;  // 2: a plane world, x-y, z out of the plane
  double dt = 0;
  Vector gravity{};
  std::vector<Body> bodies;       // empty: the scene is not made of free rigid bodies, only contact_space is given
  std::vector<Contact> contacts;  // empty with the bodies
  ContactData space;
};

struct BodyVelocity {
  Vector velocity{}, angular_velocity{};  // world axes
};

struct Reply {
  bool represents = true;
  std::string reason;                                   // why not
  std::optional<std::vector<BodyVelocity>> velocities;  // after the step, one per body
  std::optional<std::vector<double>> Lambda;            // contact impulses [N s], stacked as in ContactData
  std::vector<std::string> warnings;
  std::optional<int> iterations;
};

inline Reply not_represented(const std::string& reason) {
  Reply reply;
  reply.represents = false;
  reply.reason = reason;
  return reply;
}

inline void from_json(const Json& j, Body& body) {
  j.at("name").get_to(body.name);
  j.at("mass").get_to(body.mass);
  j.at("inertia").get_to(body.inertia);
  j.at("position").get_to(body.position);
  j.at("rotation").get_to(body.rotation);
  j.at("velocity").get_to(body.velocity);
  j.at("angular_velocity").get_to(body.angular_velocity);
  j.at("force").get_to(body.force);
  j.at("torque").get_to(body.torque);
}

inline void from_json(const Json& j, Contact& contact) {
  j.at("name").get_to(contact.name);
  j.at("body").get_to(contact.body);
  j.at("point").get_to(contact.point);
  j.at("at").get_to(contact.at);
  j.at("normal").get_to(contact.normal);
  j.at("tangents").get_to(contact.tangents);
  j.at("mu").get_to(contact.mu);
  j.at("gap").get_to(contact.gap);
  j.at("restitution").get_to(contact.restitution);
  j.at("surface_velocity").get_to(contact.surface_velocity);
}

inline void from_json(const Json& j, ContactData& space) {
  j.at("W").get_to(space.W);
  j.at("u_free").get_to(space.u_free);
  j.at("u").get_to(space.u);
  j.at("b").get_to(space.b);
  j.at("mu").get_to(space.mu);
  j.at("gap").get_to(space.gap);
}

inline void from_json(const Json& j, Step& step) {
  j.at("setting").get_to(step.setting);
  j.at("dimension").get_to(step.dimension);
  j.at("dt").get_to(step.dt);
  j.at("gravity").get_to(step.gravity);
  j.at("bodies").get_to(step.bodies);
  j.at("contacts").get_to(step.contacts);
  j.at("contact_space").get_to(step.space);
}

inline Json to_json_object(const Description& description) {
  Json settings = Json::array();
  for (const auto& setting : description.settings)
    settings.push_back({{"name", setting.name}, {"about", setting.about}});
  return {{"schema", 1},
          {"engine", description.engine},
          {"version", description.version},
          {"friction", description.friction},
          {"settings", settings}};
}

inline Json to_json_object(const Reply& reply, const std::string& engine, const std::string& setting) {
  Json velocities;
  if (reply.velocities) {
    velocities = Json::array();
    for (const auto& v : *reply.velocities)
      velocities.push_back({{"velocity", v.velocity}, {"angular_velocity", v.angular_velocity}});
  }
  return {{"schema", 1},
          {"engine", engine},
          {"setting", setting},
          {"represents", reply.represents},
          {"reason", reply.reason},
          {"velocities", velocities},
          {"Lambda", reply.Lambda ? Json(*reply.Lambda) : Json()},
          {"warnings", reply.warnings},
          {"iterations", reply.iterations ? Json(*reply.iterations) : Json()}};
}

}  // namespace painleve::adapter
