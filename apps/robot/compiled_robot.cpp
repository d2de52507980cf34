#include "compiled_robot.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "robot_xml.hpp"

namespace painleve::robot_program {
namespace {

struct FilesDeleter {
  void operator()(mjVFS* files) const {
    mj_deleteVFS(files);
    std::free(files);
  }
};

std::unique_ptr<mjVFS, FilesDeleter> one_file(const char* name, const std::string& text) {
  auto* files = static_cast<mjVFS*>(std::malloc(sizeof(mjVFS)));
  if (files == nullptr) throw std::bad_alloc();
  mj_defaultVFS(files);
  mj_makeEmptyFileVFS(files, name, static_cast<int>(text.size()));
  std::copy(text.begin(), text.end(), static_cast<char*>(files->filedata[0]));  // no text of C: its size is known
  return std::unique_ptr<mjVFS, FilesDeleter>(files);
}

// The text between two marks, or "".
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t start = text.find(from);
  if (start == std::string::npos) return {};
  const std::size_t end = text.find(to, start + from.size());
  return text.substr(start + from.size(), end == std::string::npos ? end : end - start - from.size());
}

// MuJoCo's message in one line, without lines and columns, which are those of the text it was given, not of the file.
[[noreturn]] void refuse(const std::string& message) {
  const std::string object = in_quotes(between(message, "Object name = ", ","));
  if (message.find("mass and inertia of moving bodies") != std::string::npos) {
    throw InputError("the body " + object + " moves but has no mass or no moment of inertia; give it an <inertial>");
  }
  if (message.find("A + B >= C") != std::string::npos) {
    throw InputError("the inertia of the body " + object +
                     " is that of no rigid body: one principal moment exceeds the sum of the other two");
  }
  if (message.find("DEPTH_EXCEEDED") != std::string::npos) refuse_depth();
  std::string text = message.substr(0, message.find(", line"));
  text = text.substr(0, text.find(", id"));
  for (std::size_t at = text.find("\n\n"); at != std::string::npos; at = text.find("\n\n")) text.erase(at, 1);
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n')) text.replace(at, 1, "; ");
  throw InputError("MuJoCo 2.2.2 cannot read the file: " + text);
}

MujocoModel loaded(const char* name, const mjVFS* files) {
  std::array<char, 2000> message{};
  MujocoModel model(mj_loadXML(name, files, message.data(), static_cast<int>(message.size())));
  if (model == nullptr) refuse(message.data());
  return model;
}

void put_back(mjModel& model, int body, const LinkInertia& exact) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(exact.inertia);
  Eigen::Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) = -axes.col(0);
  const Eigen::Quaterniond turn(axes);
  model.body_mass[body] = exact.mass;
  for (int i = 0; i < 3; ++i) {
    model.body_ipos[3 * body + i] = exact.centre(i);
    model.body_inertia[3 * body + i] = std::max(0.0, solver.eigenvalues()(i));
  }
  const std::array<double, 4> quat{turn.w(), turn.x(), turn.y(), turn.z()};
  std::copy(quat.begin(), quat.end(), model.body_iquat + 4 * body);
}

LinkInertia compiled_inertia(const mjModel& model, int body) {
  LinkInertia now;
  const double* q = model.body_iquat + 4 * body;
  const Eigen::Matrix3d axes = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  now.mass = model.body_mass[body];
  now.centre = Eigen::Map<const Eigen::Vector3d>(model.body_ipos + 3 * body);
  now.inertia = axes * Eigen::Map<const Eigen::Vector3d>(model.body_inertia + 3 * body).asDiagonal() * axes.transpose();
  return now;
}

// The matrix as the file has it, unless an option of the compiler made another one of it.
void sharpen(mjModel& model, int body, const Eigen::Matrix3d& exact) {
  LinkInertia now = compiled_inertia(model, body);
  if ((now.inertia - exact).norm() > 1e-6 * exact.norm() + 1e-11) return;  // MuJoCo errs by some 1e-12
  now.inertia = exact;
  put_back(model, body, now);
}

// What the compiler noted about the small inertia it was given: principal axes along the body, constant rows of M.
void forget_shortcuts(mjModel& model) {
  std::fill_n(model.body_sameframe, model.nbody, mjtByte{0});
  std::fill_n(model.body_simple, model.nbody, mjtByte{0});
  std::fill_n(model.dof_simplenum, model.nv, 0);
}

}  // namespace

void set_handlers() {
  mju_user_error = [](const char* message) {
    std::fprintf(stderr, "MuJoCo stopped with the error: %.500s\n", message);
    std::_Exit(2);
  };
  mju_user_warning = [](const char*) {};
}

MujocoModel compile(const PreparedRobot& prepared) {
  const char* name = "robot.xml";
  const auto files = one_file(name, prepared.mjcf);
  MujocoModel model = loaded(name, files.get());
  for (const auto& body : prepared.true_inertia) {
    put_back(*model, mj_name2id(model.get(), mjOBJ_BODY, body.first.c_str()), body.second);
  }
  for (const auto& body : prepared.full_inertia) {
    sharpen(*model, mj_name2id(model.get(), mjOBJ_BODY, body.first.c_str()), body.second);
  }
  if (!prepared.true_inertia.empty() || !prepared.full_inertia.empty()) forget_shortcuts(*model);
  return model;
}

MujocoModel compile_as_it_is(const std::filesystem::path& path) { return loaded(path.c_str(), nullptr); }

}  // namespace painleve::robot_program
