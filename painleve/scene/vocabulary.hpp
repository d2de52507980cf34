// The words of a scenario file: which keys exist for a mechanism, and in which unit a number is read.
#pragma once

#include <string>
#include <vector>

#include "painleve/mechanism/gallery.hpp"
#include "painleve/robot/robot_model.hpp"

namespace painleve {

std::vector<std::string> mechanism_names();  // gallery, contact-space, drifting-contacts

std::vector<std::string> contact_keys();
std::vector<std::string> robot_contact_keys();        // of [contact.NAME] of a robot, beside those
std::vector<std::string> robot_every_contact_keys();  // those of them that [contact] may hold for all contacts
std::vector<std::string> robot_joint_keys();          // of [joint.NAME]
std::vector<std::string> contact_space_keys();
std::vector<std::string> drifting_contacts_keys();

std::vector<std::string> parameter_keys(const GalleryEntry& entry);
std::vector<std::string> posture_keys(const GalleryEntry& entry);  // coordinates, stand-ins of coordinates, elbow
std::vector<std::string> state_keys(const GalleryEntry& entry);
std::vector<std::string> force_keys(const GalleryEntry& entry);
std::vector<std::string> contact_names(const GalleryEntry& entry, const Setup& setup);

std::string parameter_unit(const GalleryEntry& entry, const std::string& key);
std::string state_unit(const GalleryEntry& entry, const std::string& key);

// "theta" -> "state.theta"; throws InputError when a name is unknown or ambiguous.
std::string resolve_key(const std::string& mechanism, const std::string& key);
std::string path_unit(const std::string& mechanism, const std::string& path);
// Of a robot. The applied forces are named as the joints are: a bare name is the joint's position, and its force is
// forces.NAME.
std::string resolve_key(const RobotModel& robot, const std::string& key);
std::string path_unit(const RobotModel& robot, const std::string& path);

}  // namespace painleve
