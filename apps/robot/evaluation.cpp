#include "evaluation.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve::robot_program {
namespace {

using Json = nlohmann::json;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Json list(const Eigen::Ref<const Eigen::VectorXd>& values) { return std::vector<double>(values.begin(), values.end()); }

Json rows(const RowMajor& matrix) {
  Json all = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) all.push_back(list(matrix.row(i).transpose()));
  return all;
}

void fill(const Json& state, const char* key, mjtNum* values, int count) {
  if (!state.contains(key)) return;
  const auto given = state[key].get<std::vector<double>>();
  if (given.size() != static_cast<std::size_t>(count)) throw InputError(fmt::format("{} needs {} numbers", key, count));
  std::copy(given.begin(), given.end(), values);
}

void fill_by_name(const mjModel& model, const Json& state, const char* key, const int* address, mjtNum* values) {
  if (!state.contains(key)) return;
  for (const auto& item : state[key].items()) {
    const int joint = mj_name2id(&model, mjOBJ_JOINT, item.key().c_str());
    if (joint < 0 || model.jnt_type[joint] == mjJNT_FREE || model.jnt_type[joint] == mjJNT_BALL) {
      throw InputError(in_quotes(item.key()) + " is no hinge or slide of the file");
    }
    values[address[joint]] = item.value().get<double>();
  }
}

struct Place {
  int body = 0;
  Eigen::Vector3d point;  // in the world
};

Place place_of(const mjModel& model, const mjData& data, const Json& wanted) {
  const bool site = wanted.contains("site");
  const std::string name = wanted.at(site ? "site" : "body").get<std::string>();
  const int index = mj_name2id(&model, site ? mjOBJ_SITE : mjOBJ_BODY, name.c_str());
  if (index < 0) throw InputError(fmt::format("there is no {} {}", site ? "site" : "body", in_quotes(name)));
  const mjtNum* at = (site ? data.site_xpos : data.xpos) + 3 * index;
  const mjtNum* turn = (site ? data.site_xmat : data.xmat) + 9 * index;
  const auto local = wanted.value("point", std::array<double, 3>{});
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(turn);
  const Eigen::Vector3d point =
      Eigen::Map<const Eigen::Vector3d>(at) + R * Eigen::Vector3d(local[0], local[1], local[2]);
  return {site ? model.site_bodyid[index] : index, point};
}

// The acceleration of a point of a body: MuJoCo gives that of the body's origin, with the angular one.
Eigen::Vector3d acceleration(const mjModel& model, const mjData& data, const Place& place) {
  std::array<mjtNum, 6> acc{};
  std::array<mjtNum, 6> vel{};
  mj_objectAcceleration(&model, &data, mjOBJ_XBODY, place.body, acc.data(), 0);
  mj_objectVelocity(&model, &data, mjOBJ_XBODY, place.body, vel.data(), 0);
  const Eigen::Vector3d omega(vel[0], vel[1], vel[2]);
  const Eigen::Vector3d alpha(acc[0], acc[1], acc[2]);
  const Eigen::Vector3d arm = place.point - Eigen::Map<const Eigen::Vector3d>(data.xpos + 3 * place.body);
  return Eigen::Vector3d(acc[3], acc[4], acc[5]) + alpha.cross(arm) + omega.cross(omega.cross(arm));
}

Json evaluated_points(mjModel& model, mjData& data, const Json& wanted) {
  // Without gravity and joint acceleration what is left of the accelerations is J̇v.
  const std::array<mjtNum, 3> gravity{model.opt.gravity[0], model.opt.gravity[1], model.opt.gravity[2]};
  std::fill_n(model.opt.gravity, 3, 0.0);
  std::fill_n(data.qacc, model.nv, 0.0);
  mj_rnePostConstraint(&model, &data);
  Json points = Json::array();
  for (const Json& one : wanted) {
    const Place place = place_of(model, data, one);
    RowMajor J(3, model.nv);
    RowMajor turn(3, model.nv);
    mj_jac(&model, &data, J.data(), turn.data(), place.point.data(), place.body);
    points.push_back({{"position", list(place.point)},
                      {"jacobian", rows(J)},
                      {"rotation_jacobian", rows(turn)},
                      {"drift", list(acceleration(model, data, place))}});
  }
  std::copy(gravity.begin(), gravity.end(), model.opt.gravity);
  return points;
}

Json names_of_velocities(const mjModel& model) {
  Json names = Json::array();
  for (int dof = 0; dof < model.nv; ++dof) {
    const char* name = mj_id2name(&model, mjOBJ_JOINT, model.dof_jntid[dof]);
    names.push_back(name == nullptr ? "" : name);
  }
  return names;
}

}  // namespace

Json evaluate(mjModel& model, const Json& state) {
  const MujocoData data(mj_makeData(&model));
  fill(state, "qpos", data->qpos, model.nq);
  fill(state, "qvel", data->qvel, model.nv);
  fill_by_name(model, state, "q", model.jnt_qposadr, data->qpos);
  fill_by_name(model, state, "v", model.jnt_dofadr, data->qvel);
  model.opt.disableflags |= mjDSBL_CONTACT;
  mj_fwdPosition(&model, data.get());
  mj_fwdVelocity(&model, data.get());
  RowMajor M(model.nv, model.nv);
  mj_fullM(&model, M.data(), data->qM);
  Json answer{{"joints", names_of_velocities(model)}, {"M", rows(M)}};
  answer["bias"] = list(Eigen::Map<const Eigen::VectorXd>(data->qfrc_bias, model.nv));
  answer["passive"] = list(Eigen::Map<const Eigen::VectorXd>(data->qfrc_passive, model.nv));
  // How far the active equality constraints are from being met, stacked as MuJoCo stacks them.
  answer["equality"] = list(Eigen::Map<const Eigen::VectorXd>(data->efc_pos, data->ne));
  answer["points"] = evaluated_points(model, *data, state.value("points", Json::array()));
  return answer;
}

}  // namespace painleve::robot_program
