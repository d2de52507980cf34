// For the tests of the reader: files written and read, sentences caught, MuJoCo's own numbers asked for.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "painleve/base/child_process.hpp"
#include "painleve/base/error.hpp"
#include "painleve/robot/robot_reader.hpp"

namespace painleve {

namespace fs = std::filesystem;
using Json = nlohmann::json;

inline const std::string examples = std::string(PAINLEVE_SOURCE_DIR) + "/examples/robots/";

inline std::string sentence_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no error)";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class RobotReader : public ::testing::Test {
 protected:
  void SetUp() override {
    if (robot_reader_program().empty()) GTEST_SKIP() << "painleve-robot was not built (libmujoco-dev, libtinyxml2-dev)";
    folder_ = fs::temp_directory_path() / ("painleve_robot_" + std::to_string(getpid()));
    fs::create_directory(folder_);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream((folder_ / name), std::ios::binary) << text;
    return (folder_ / name).string();
  }
  RobotModel read(const std::string& text) const { return read_robot(file("robot.xml", text)); }
  std::string refusal(const std::string& text) const {
    return sentence_of([&] { read(text); });
  }
  // MuJoCo's own numbers; `as_it_is` hands the file over unchanged.
  Json evaluate(const std::string& robot, const Json& state, bool as_it_is = false) const {
    std::vector<std::string> arguments{robot, "--evaluate", file("state.json", state.dump())};
    if (as_it_is) arguments.emplace_back("--as-it-is");
    const ChildResult result = run_child(robot_reader_program(), arguments, "");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out);
  }

 private:
  fs::path folder_;
};

inline std::string one_joint(const std::string& inside, const std::string& sections = "") {
  return "<mujoco><worldbody><body name='arm'><joint name='j'/><inertial pos='0.1 0 0' mass='1' diaginertia='1 1 1'/>" +
         inside + "</body></worldbody>" + sections + "</mujoco>";
}

inline std::string urdf(const std::string& links_and_joints) {
  return "<robot name='r'><link name='base'/>"
         "<link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
         "iyz='0'/></inertial></link>" +
         links_and_joints + "</robot>";
}

inline std::string joint_of(const std::string& name, const std::string& type, const std::string& parent,
                            const std::string& child, const std::string& inside = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child + "'/>" +
         inside + "</joint>";
}

inline double distance(const Json& a, const Json& b) {
  if (!a.is_array()) return std::abs(a.get<double>() - b.get<double>());
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, distance(a[i], b[i]));
  return largest;
}

inline const RobotBody& body(const RobotModel& model, const std::string& name) {
  for (const RobotBody& one : model.bodies) {
    if (one.name == name) return one;
  }
  throw InputError("no body " + name);
}

inline bool noted(const RobotModel& model, const std::string& part) {
  return std::any_of(model.notes.begin(), model.notes.end(),
                     [&](const std::string& note) { return contains(note, part); });
}

}  // namespace painleve
