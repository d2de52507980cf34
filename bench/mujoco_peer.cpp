#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include "stepping_peers.hpp"

namespace painleve {
namespace {

std::string description(const SlidingRod& rod) {
  return fmt::format(
      R"(<mujoco><option timestep="{dt}" gravity="0 0 {g}"/><worldbody>
<geom type="plane" size="0 0 1" friction="{mu}"/>
<body pos="0 0 {z}" quat="{w} 0 {y} 0"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="{I} {I} {I}"/>
<geom type="capsule" fromto="-1 0 0 1 0 0" size="{r}" friction="{mu}"/></body></worldbody></mujoco>)",
      fmt::arg("dt", rod.dt), fmt::arg("g", -rod.gravity), fmt::arg("mu", rod.mu),
      fmt::arg("z", std::sin(rod.theta) + SlidingRod::capsule_radius), fmt::arg("w", std::cos(rod.theta / 2)),
      fmt::arg("y", std::sin(rod.theta / 2)), fmt::arg("I", SlidingRod::inertia),
      fmt::arg("r", SlidingRod::capsule_radius));
}

// MuJoCo reads from files, or from its own in memory.
mjModel* load(const std::string& text) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "rod.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[0], text.data(), text.size());
  char error[256] = "";
  mjModel* model = mj_loadXML("rod.xml", files.get(), error, sizeof error);
  mj_deleteVFS(files.get());
  if (model == nullptr) throw std::runtime_error(error);
  return model;
}

class MujocoSlidingRod final : public SteppingPeer {
 public:
  explicit MujocoSlidingRod(const SlidingRod& rod)
      : rod_(rod), model_(load(description(rod))), data_(mj_makeData(model_)) {
    MujocoSlidingRod::reset();
  }
  MujocoSlidingRod(const MujocoSlidingRod&) = delete;
  MujocoSlidingRod& operator=(const MujocoSlidingRod&) = delete;
  ~MujocoSlidingRod() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

  void reset() override {
    mj_resetData(model_, data_);
    data_->qvel[0] = rod_.slip;
  }
  void step() override { mj_step(model_, data_); }
  double theta() const override { return 2 * std::atan2(data_->qpos[5], data_->qpos[3]); }

 private:
  SlidingRod rod_;
  mjModel* model_;
  mjData* data_;
};

}  // namespace

std::unique_ptr<SteppingPeer> mujoco_rod(const SlidingRod& rod) { return std::make_unique<MujocoSlidingRod>(rod); }

}  // namespace painleve
