// The robot as MuJoCo's compiler has understood it.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>

#include "prepared_robot.hpp"

namespace painleve::robot_program {

struct MujocoDeleter {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using MujocoModel = std::unique_ptr<mjModel, MujocoDeleter>;
using MujocoData = std::unique_ptr<mjData, MujocoDeleter>;

// MuJoCo's default handler of errors waits for a key, and its warnings go into a file in the present folder: errors end
// this program with one sentence and code 2, warnings are dropped, since everything read is checked afterwards.
void set_handlers();

// Throws InputError with what MuJoCo said.
MujocoModel compile(const PreparedRobot& prepared);

// The file given to MuJoCo as it is: the second route of the tests.
MujocoModel compile_as_it_is(const std::filesystem::path& path);

}  // namespace painleve::robot_program
