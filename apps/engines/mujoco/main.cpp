// painleve-engine-mujoco: one mj_step from the state that the request gives.
//
// MuJoCo makes contacts from geometry only. The model, written as MJCF in memory, is one body per body of the request
// (with two slides and a hinge in a plane world, a free joint in space) and, per contact, a small sphere on the body
// that touches a plane of the world; explicit pairs keep every other couple of shapes apart. The sphere's radius does
// not matter: it touches at the contact point, and the contact is evaluated once, at the start of the step. Its depth
// DEPTH lies above the rounding of coordinates of some metres, so that the contact is seen, and far below anything that
// the spring of the contact notices.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <sstream>

#include "../adapter/limits.hpp"
#include "../adapter/serve.hpp"

namespace {

using namespace painleve::adapter;

constexpr double RADIUS = 0.01;   // [m] of the contact spheres
constexpr double DEPTH = 1e-12;   // [m] by which a sphere at gap 0 stands in its plane
constexpr double SLENDER = 1e-9;  // a moment below this share of the greatest one is raised to it: MuJoCo has no rod

std::vector<std::string>& warnings() {  // MuJoCo reports through a plain function
  static std::vector<std::string> list;
  return list;
}

void keep_warning(const char* text) { warnings().emplace_back(text); }

[[noreturn]] void fail(const char* text) {  // MuJoCo's handler for errors must not return
  std::cerr << "painleve-engine-mujoco: " << text << std::endl;
  std::_Exit(2);
}

struct Options {
  std::string solver = "Newton", cone = "pyramidal", integrator = "Euler";
  double impratio = 1;
  bool stiff = false;  // impedance 0.9999 and the damping that ends the contact's velocity within one step
  bool free_joint =
      false;  // in a plane world too; the contact gets softer, since its compliance follows body_invweight0
};

struct NamedOptions {
  Setting setting;
  Options options;
};

const std::vector<NamedOptions>& known_settings() {
  static const std::vector<NamedOptions> list = {
      {{"default", "Newton, pyramidal cone, Euler, solref 0.02 1, solimp 0.9 0.95"}, {}},
      {{"pyramid-pgs", "default with the PGS solver"}, {"PGS", "pyramidal", "Euler"}},
      {{"pyramid-cg", "default with the CG solver"}, {"CG", "pyramidal", "Euler"}},
      {{"elliptic", "default with the elliptic cone"}, {"Newton", "elliptic", "Euler"}},
      {{"elliptic-pgs", "elliptic cone, PGS"}, {"PGS", "elliptic", "Euler"}},
      {{"implicit", "default with the implicit integrator"}, {"Newton", "pyramidal", "implicit"}},
      {{"free-joint", "default, with a free joint in plane worlds too"},
       {"Newton", "pyramidal", "Euler", 1, false, true}},
      {{"stiff-pyramid", "pyramidal, solimp 0.9999, solref -1/dt^2 -1/dt: as rigid as the model allows"},
       {"Newton", "pyramidal", "Euler", 1, true}},
      {{"stiff-elliptic", "elliptic, solimp 0.9999, solref -1/dt^2 -1/dt: as rigid as the model allows"},
       {"Newton", "elliptic", "Euler", 1, true}},
      {{"stiff-impratio", "stiff-elliptic with impratio 100: friction stiffer than the normal direction"},
       {"Newton", "elliptic", "Euler", 100, true}}};
  return list;
}

Description description() {
  Description d;
  d.engine = "mujoco";
  d.version = mj_versionString();
  d.friction =
      "convex soft contact: a slipping contact separates with about mu times its slip (the dual cone), forces yield; "
      "double precision";
  for (const auto& known : known_settings()) d.settings.push_back(known.setting);
  return d;
}

Options options_of(const std::string& setting) {
  for (const auto& known : known_settings()) {
    if (known.setting.name == setting) return known.options;
  }
  throw std::runtime_error("no setting " + setting);
}

std::string triple(const Vector& a) {
  std::ostringstream out;
  out.precision(17);
  out << a[0] << ' ' << a[1] << ' ' << a[2];
  return out.str();
}

Vector to_body(const Body& body, const Vector& a) {
  const auto [w, x, y, z] = body.rotation;
  return rotate({w, -x, -y, -z}, a);
}

bool has_free_joint(const Step& step) { return step.dimension == 3 || options_of(step.setting).free_joint; }

// Joint axes are given in the axes of the body as it stands at the start.
void write_joints(std::ostream& out, const Step& step, const Body& body) {
  if (has_free_joint(step)) {
    out << "<freejoint/>";
    return;
  }
  out << "<joint type=\"slide\" axis=\"" << triple(to_body(body, {1, 0, 0})) << "\"/><joint type=\"slide\" axis=\""
      << triple(to_body(body, {0, 1, 0})) << "\"/><joint type=\"hinge\" axis=\"" << triple(to_body(body, {0, 0, 1}))
      << "\"/>";
}

void write_body(std::ostream& out, const Step& step, std::size_t index) {
  const Body& body = step.bodies[index];
  const Matrix& inertia = body.inertia;
  out << "<body pos=\"" << triple(body.position) << "\" quat=\"" << body.rotation[0] << ' '
      << triple({body.rotation[1], body.rotation[2], body.rotation[3]}) << "\">";
  write_joints(out, step, body);
  out << "<inertial pos=\"0 0 0\" mass=\"" << body.mass << "\" fullinertia=\""
      << triple({inertia[0][0], inertia[1][1], inertia[2][2]}) << ' '
      << triple({inertia[0][1], inertia[0][2], inertia[1][2]}) << "\"/>";
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    const Contact& contact = step.contacts[i];
    if (static_cast<std::size_t>(contact.body) != index) continue;
    out << "<geom name=\"sphere" << i << "\" type=\"sphere\" size=\"" << RADIUS << "\" pos=\""
        << triple(contact.point + to_body(body, (RADIUS - DEPTH) * contact.normal)) << "\"/>";
  }
  out << "</body>";
}

void write_pair(std::ostream& out, const Contact& contact, std::size_t index, const Options& options, double dt) {
  out << "<pair geom1=\"plane" << index << "\" geom2=\"sphere" << index << "\" condim=\"3\" friction=\"" << contact.mu
      << ' ' << contact.mu << " 0 0 0\"";
  if (options.stiff) out << " solimp=\"0.9999 0.9999 0.001\" solref=\"" << -1 / (dt * dt) << ' ' << -1 / dt << '"';
  out << "/>";
}

std::string mjcf(const Step& step, const Options& options) {
  double greatest = 0;
  for (const auto& body : step.bodies)
    greatest = std::max({greatest, body.inertia[0][0], body.inertia[1][1], body.inertia[2][2]});
  std::ostringstream out;
  out.precision(17);
  out << "<mujoco><compiler boundinertia=\"" << SLENDER * greatest << "\"/><option timestep=\"" << step.dt
      << "\" gravity=\"" << triple(step.gravity) << "\" solver=\"" << options.solver << "\" cone=\"" << options.cone
      << "\" integrator=\"" << options.integrator << "\" impratio=\"" << options.impratio
      << "\"/><default><geom contype=\"0\" conaffinity=\"0\"/></default><worldbody>";
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    const Contact& contact = step.contacts[i];
    out << "<geom name=\"plane" << i << "\" type=\"plane\" size=\"1 1 1\" pos=\""
        << triple(contact.at - contact.gap * contact.normal) << "\" zaxis=\"" << triple(contact.normal) << "\"/>";
  }
  for (std::size_t i = 0; i < step.bodies.size(); ++i) write_body(out, step, i);
  out << "</worldbody><contact>";
  for (std::size_t i = 0; i < step.contacts.size(); ++i) write_pair(out, step.contacts[i], i, options, step.dt);
  out << "</contact></mujoco>";
  return out.str();
}

using Model = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;
using Data = std::unique_ptr<mjData, decltype(&mj_deleteData)>;

Model load(const std::string& xml) {
  const auto files = std::make_unique<mjVFS>();  // two megabytes: not on the stack
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "step.xml", static_cast<int>(xml.size()));
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), "step.xml")], xml.data(), xml.size());
  std::array<char, 1000> error{};
  Model model(mj_loadXML("step.xml", files.get(), error.data(), static_cast<int>(error.size())), mj_deleteModel);
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(std::string("MuJoCo refused the model: ") + error.data());
  return model;
}

// The speeds of a body's joints: x, y and turning in a plane world; with a free joint the linear velocity in world
// axes, then the angular one in body axes.
void set_state(const Step& step, const mjModel& model, mjData& data) {
  for (std::size_t i = 0; i < step.bodies.size(); ++i) {
    const Body& body = step.bodies[i];
    const Vector turning = to_body(body, body.angular_velocity);
    const int id = static_cast<int>(i) + 1;  // body 0 is the world
    mjtNum* speed = data.qvel + model.body_dofadr[id];
    mjtNum* applied = data.xfrc_applied + static_cast<std::ptrdiff_t>(6) * id;
    std::copy(body.velocity.begin(), body.velocity.end(), speed);
    if (has_free_joint(step)) {
      std::copy(turning.begin(), turning.end(), speed + 3);
    } else {
      speed[2] = body.angular_velocity[2];
    }
    std::copy(body.force.begin(), body.force.end(), applied);
    std::copy(body.torque.begin(), body.torque.end(), applied + 3);
  }
}

std::vector<BodyVelocity> velocities(const Step& step, const mjModel& model, const mjData& data) {
  std::vector<BodyVelocity> after;
  for (std::size_t i = 0; i < step.bodies.size(); ++i) {
    const int id = static_cast<int>(i) + 1;
    const mjtNum* v = data.qvel + model.body_dofadr[id];
    if (has_free_joint(step)) {
      const mjtNum* q = data.qpos + model.jnt_qposadr[model.body_jntadr[id]] + 3;  // the pose at the end of the step
      after.push_back({{v[0], v[1], v[2]}, rotate({q[0], q[1], q[2], q[3]}, {v[3], v[4], v[5]})});
    } else {
      after.push_back({{v[0], v[1], 0}, {0, 0, v[2]}});
    }
  }
  return after;
}

// The forces of the step times dt. A contact's frame has the normal in its first row; it points from the plane, which
// is the pair's first shape, to the sphere.
std::vector<double> impulses(const Step& step, const mjModel& model, const mjData& data) {
  std::vector<Vector> total(step.contacts.size(), Vector{});
  for (int k = 0; k < data.ncon; ++k) {
    const mjContact& made = data.contact[k];
    std::array<mjtNum, 6> force{};
    mj_contactForce(&model, &data, k, force.data());
    const char* name = mj_id2name(&model, mjOBJ_GEOM, made.geom1);
    const auto index = static_cast<std::size_t>(std::atoi(name + std::strlen("plane")));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const mjtNum* row = made.frame + 3 * axis;
      total[index] = total[index] + (step.dt * force[axis]) * Vector{row[0], row[1], row[2]};
    }
  }
  std::vector<double> Lambda;
  for (std::size_t i = 0; i < step.contacts.size(); ++i) {
    for (const auto& tangent : step.contacts[i].tangents) Lambda.push_back(dot(total[i], tangent));
    Lambda.push_back(dot(total[i], step.contacts[i].normal));
  }
  return Lambda;
}

std::string obstacle(const Step& step) {
  if (step.bodies.empty()) return without_bodies();
  if (const auto* moving = moving_surface(step)) return "a plane of MuJoCo cannot move: contact " + moving->name;
  for (const auto& contact : step.contacts) {
    if (contact.restitution > 0) return "MuJoCo has no coefficient of restitution: contact " + contact.name;
  }
  return "";
}

Reply step(const Step& given) {
  if (const std::string reason = obstacle(given); !reason.empty()) return not_represented(reason);
  mju_user_error = fail;
  mju_user_warning = keep_warning;
  const Model model = load(mjcf(given, options_of(given.setting)));
  const Data data(mj_makeData(model.get()), mj_deleteData);
  set_state(given, *model, *data);
  mj_step(model.get(), data.get());
  Reply reply;
  reply.velocities = velocities(given, *model, *data);
  reply.Lambda = impulses(given, *model, *data);
  reply.iterations = data->solver_iter;
  reply.warnings = warnings();
  warn_of_open_contacts(given, 0, reply);
  return reply;
}

}  // namespace

int main() { return painleve::adapter::serve(description(), step); }
