// The words of a scenario file: which keys exist for a mechanism, and in which unit a number is read.
#pragma once

#include <string>
#include <vector>

#include "painleve/mechanism/gallery.hpp"

namespace painleve {

std::vector<std::string> mechanism_names();  // gallery, contact-space, drifting-contacts

std::vector<std::string> contact_keys();
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

}  // namespace painleve
