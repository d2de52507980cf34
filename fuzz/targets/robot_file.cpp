// MJCF and URDF as far as they are our own work: the tree of elements, included files, what is removed, URDF as MJCF.
// What is handed to MuJoCo must be XML again. The reader as a whole is run from outside by robot_files.py.
#include <tinyxml2.h>

#include <fstream>
#include <optional>

#include "prepared_robot.hpp"
#include "target_list.hpp"

namespace painleve::fuzz {

void read_robot_file(std::string_view bytes) {
  const std::filesystem::path path = scratch_folder() / "robot.xml";
  write_file(path, bytes);
  write_file(scratch_folder() / "part.xml",
             "<mujocoinclude><worldbody><body name='part'/></worldbody></mujocoinclude>");
  std::optional<robot_program::PreparedRobot> robot;
  if (!accepted([&] { robot = robot_program::prepare(path); })) return;
  law(robot->format == "mjcf" || robot->format == "urdf", "a robot of no format");
  law(!robot->name.empty(), "a robot without a name");
  tinyxml2::XMLDocument document;
  law(document.Parse(robot->mjcf.c_str(), robot->mjcf.size()) == tinyxml2::XML_SUCCESS,
      "what is handed to MuJoCo is no XML");
  for (const std::string& note : robot->notes) check_sentence(note);
}

}  // namespace painleve::fuzz
