// Files that are there whole or not at all.
#pragma once

#include <string>
#include <vector>

namespace painleve {

struct FileContent {
  std::string path, bytes;
};

// Replaces the files, or leaves all of them as they were: writes PATH.part, waits until that is on the disk, renames.
// Processes that write the same file do so one after the other; the last one's is there in the end. A link is replaced,
// not what it leads to; a device or pipe is written to as it is. Throws InputError with path and reason: a place that
// cannot be written, a full disk, a path that is given twice.
void replace_files(const std::vector<FileContent>& files);

// Throws InputError when the output is one of the files that are read: it would be lost.
void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs);

// Throws InputError when a file could not be made there: before long work, so that it is not lost.
void check_writable(const std::string& path);

}  // namespace painleve
