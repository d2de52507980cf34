// A pack of ground truth that the author of an engine can keep beside the engine: every shipped case as contact-space
// numbers with all of its solutions, MJCF where the mechanism can be written as one, a schema, and a checker in plain
// Python. Nothing in it depends on this project.
#pragma once

#include <string>
#include <vector>

#include "painleve/base/replaced_file.hpp"

namespace painleve {

struct CasePack {
  std::vector<FileContent> files;  // paths relative to the folder of the pack, sorted; the manifest is one of them
  int cases = 0;
  int models = 0;    // of them with MJCF
  std::string hash;  // SHA-256 over the files, as the manifest tells it
};

// The same bytes every time, for equal `version`.
CasePack case_pack(const std::string& version);

// Writes the pack. A folder that holds anything but an earlier pack is left alone; with `force` files of other names
// may lie beside it. Throws InputError: not a folder, not empty, not writable, disk full.
void write_pack(const CasePack& pack, const std::string& folder, bool force);

}  // namespace painleve
