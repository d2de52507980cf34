#include "painleve/engines/adapter_protocol.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "painleve/base/characters.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve {
namespace {

using Json = nlohmann::ordered_json;

template <class Vector>
Json numbers(const Vector& v) {
  Json j = Json::array();
  for (Eigen::Index i = 0; i < v.size(); ++i) j.push_back(v(i) + 0.0);  // no "-0"
  return j;
}

Json rows(const Eigen::MatrixXd& m) {
  Json j = Json::array();
  for (Eigen::Index i = 0; i < m.rows(); ++i) j.push_back(numbers(m.row(i)));
  return j;
}

Json body_json(const EngineBody& body) {
  const Eigen::Quaterniond& q = body.rotation;
  return {{"name", body.name},
          {"mass", body.mass},
          {"inertia", rows(body.inertia)},
          {"position", numbers(body.position)},
          {"rotation", numbers(Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()))},
          {"velocity", numbers(body.velocity)},
          {"angular_velocity", numbers(body.angular_velocity)},
          {"force", numbers(body.force)},
          {"torque", numbers(body.torque)}};
}

// A step of ours is inelastic.
Json contact_json(const EngineContact& c) {
  Json tangents = Json::array();
  for (const auto& t : c.tangents) tangents.push_back(numbers(t));
  return {{"name", c.name},
          {"body", c.body},
          {"point", numbers(c.point)},
          {"at", numbers(c.at)},
          {"normal", numbers(c.normal)},
          {"tangents", tangents},
          {"mu", c.mu},
          {"gap", c.gap},
          {"surface_velocity", numbers(c.surface_velocity)},
          {"restitution", 0}};
}

Json space_json(const EngineCase& given) {
  const ContactProblem& p = given.formulation.problem;
  return {{"W", rows(p.W)},      {"u_free", numbers(given.u_free())}, {"u", numbers(given.u)}, {"b", numbers(given.b)},
          {"mu", numbers(p.mu)}, {"gap", numbers(given.gap)}};
}

Json parsed(const std::string& text) {
  Json j = Json::parse(text, nullptr, false);
  if (j.is_discarded() || !j.is_object())
    throw InputError(fmt::format("what it printed is not a JSON object: {}", foreign_text(text)));
  if (!j.contains("schema") || j["schema"] != 1) throw InputError("its answer lacks \"schema\": 1");
  return j;
}

const Json& at(const Json& j, const char* key) {
  const auto found = j.find(key);
  if (found == j.end()) throw InputError(fmt::format("its answer lacks \"{}\"", key));
  return *found;
}

std::string text_at(const Json& j, const char* key) {
  const Json& value = at(j, key);
  if (!value.is_string()) throw InputError(fmt::format("\"{}\" of its answer is not a text", key));
  return value.get<std::string>();
}

Eigen::VectorXd vector_at(const Json& j, const char* key, Eigen::Index size) {
  const Json& value = at(j, key);
  if (!value.is_array() || static_cast<Eigen::Index>(value.size()) != size)
    throw InputError(fmt::format("\"{}\" of its answer is not a list of {} numbers", key, size));
  Eigen::VectorXd v(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const Json& x = value[static_cast<std::size_t>(i)];
    if (!x.is_number())  // JSON has no others than finite ones
      throw InputError(fmt::format("\"{}\" of its answer holds something that is not a finite number", key));
    v(i) = x.get<double>();
  }
  return v;
}

Eigen::VectorXd velocities_of(const Json& list, std::size_t bodies) {
  if (!list.is_array() || list.size() != bodies)
    throw InputError(fmt::format("\"velocities\" of its answer is not a list of {} bodies", bodies));
  Eigen::VectorXd v(6 * static_cast<Eigen::Index>(bodies));
  for (std::size_t i = 0; i < bodies; ++i) {
    if (!list[i].is_object()) throw InputError("\"velocities\" of its answer holds something that is not an object");
    v.segment<6>(static_cast<Eigen::Index>(6 * i)) << vector_at(list[i], "velocity", 3),
        vector_at(list[i], "angular_velocity", 3);
  }
  return v;
}

void read_answer(const Json& j, const EngineCase& given, EngineReply& reply) {
  if (const Json& v = at(j, "velocities"); !v.is_null()) reply.velocities = velocities_of(v, given.bodies.size());
  if (!at(j, "Lambda").is_null()) reply.Lambda = vector_at(j, "Lambda", given.formulation.problem.q.size());
  if (!reply.velocities && !reply.Lambda)
    throw InputError("its answer holds neither velocities nor Lambda, and it claims to represent the case");
}

}  // namespace

std::string foreign_text(const std::string& text) {
  std::string plain = text;
  for (char& c : plain) {
    if (static_cast<unsigned char>(c) >= 0x80U) c = '?';
  }
  return in_quotes(plain);
}

std::string describe_request() { return Json{{"schema", 1}, {"request", "describe"}}.dump() + "\n"; }

std::string step_request(const EngineCase& given, const std::string& setting) {
  Json bodies = Json::array();
  for (const auto& body : given.bodies) bodies.push_back(body_json(body));
  Json contacts = Json::array();
  for (const auto& contact : given.contacts) contacts.push_back(contact_json(contact));
  const Json j = {{"schema", 1},
                  {"request", "step"},
                  {"setting", setting},
                  {"dimension", given.dimension},
                  {"dt", given.dt},
                  {"gravity", numbers(given.gravity)},
                  {"bodies", bodies},
                  {"contacts", contacts},
                  {"contact_space", space_json(given)}};
  return j.dump() + "\n";
}

EngineDescription read_description(const std::string& text) {
  const Json j = parsed(text);
  EngineDescription d{text_at(j, "engine"), text_at(j, "version"), text_at(j, "friction"), {}};
  const Json& settings = at(j, "settings");
  if (!settings.is_array() || settings.empty())
    throw InputError("\"settings\" of its answer is not a list of settings");
  for (const auto& s : settings) {
    if (!s.is_object()) throw InputError("\"settings\" of its answer holds something that is not an object");
    d.settings.push_back({text_at(s, "name"), text_at(s, "about")});
  }
  return d;
}

EngineReply read_reply(const std::string& text, const EngineCase& given) {
  const Json j = parsed(text);
  EngineReply reply;
  const Json& represents = at(j, "represents");
  if (!represents.is_boolean()) throw InputError("\"represents\" of its answer is neither true nor false");
  reply.represents = represents.get<bool>();
  reply.reason = detail::one_line(text_at(j, "reason"));
  if (const auto warnings = j.find("warnings"); warnings != j.end() && warnings->is_array()) {
    for (const auto& w : *warnings) {
      if (w.is_string()) reply.warnings.push_back(detail::one_line(w.get<std::string>()));
    }
  }
  if (const auto n = j.find("iterations"); n != j.end() && n->is_number_integer())
    reply.iterations = n->get<std::int64_t>();
  if (reply.represents) read_answer(j, given, reply);
  return reply;
}

}  // namespace painleve
