// The files that map and merge write, and what can be known of them before hours are spent.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "painleve/study/map_file.hpp"

namespace painleve::cli {

struct MapPlaces {
  std::string output, figure, boundaries;  // empty: none

  std::string checkpoint() const { return output.empty() ? "" : output + ".checkpoint"; }
};

// Throws InputError for a name with another ending and for a folder in which nothing can be written.
void check_places(const MapPlaces& places);

// Writes the files but `output` where `output_stands`; the names of those written. A full disk is an InputError.
std::vector<std::string> write_places(const MapPlaces& places, const MapFile& file, bool output_stands);

// Runs `write`; when the disk is full, throws an InputError that says what is kept in the checkpoint.
void or_disk_is_full(const MapPlaces& places, const std::function<void()>& write);

}  // namespace painleve::cli
