// Files of maps.
//
//   map.csv  one row per cell, the last axis fastest:  theta [rad], mu, verdict, verdict_reason, p [1/kg], p_reason, …
//            Numbers have as many digits as bring back the same double; what does not exist is an empty cell, and
//            the reason says why.
//   map.h5   /axes/NAME        the values of an axis; attributes name, path, unit, axis (its number)
//            /quantities/NAME  one value per cell, in the shape of the grid; attributes name, unit, kind, column (its
//                              number). Numbers as doubles, NaN where there is none; words as indices into
//            /words/NAME       the words of that quantity; the first is empty and stands where there is none
//            /reason/NAME      per cell, index into /reasons of why there is no value; absent when all cells have one
//            /reasons          the first is empty
//            /boundaries/K     points (one row each), chains (the first row of each); attributes quantity, below, above
//            /scene_text, and attributes format, schema, program, scene, fingerprint, first, last. After all that,
//            16 bytes with a hash of it, in which a flipped bit shows.
//            A shard, the cells [first, last) of the grid, has lists in place of the shape of the grid.
//
// Files are written beside their place as PATH.part and moved there when complete. The same map gives the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "painleve/study/boundaries.hpp"
#include "painleve/study/map.hpp"

namespace painleve {

// A map with what it was computed from.
struct MapFile {
  Map map;
  std::string program;     // and version, "painleve 0.1.0"
  std::string scene;       // as the user called it
  std::string scene_text;  // SceneSource::text()
  std::vector<Boundary> boundaries;
};

// By the end of the name, .csv or .h5 (.hdf5). Throws InputError for other names (check_map_path) and
// std::runtime_error, with path and reason, when the file cannot be written; what stood there is then still there.
void write_map(const MapFile& file, const std::string& path);
void check_map_path(const std::string& path);  // throws InputError: another ending, a folder, or no such folder

std::string map_csv(const Map& map);
std::string map_hdf5(const MapFile& file);  // the bytes

// One row per point: quantity, below, above, chain, and the coordinates under the names of the axes.
std::string boundaries_csv(const std::vector<MapAxis>& axes, const std::vector<Boundary>& boundaries);
void write_boundaries(const std::vector<MapAxis>& axes, const std::vector<Boundary>& boundaries,
                      const std::string& path);

// Of map.h5. Throws InputError for what is not such a file, or is damaged.
MapFile read_map(const std::string& path);

// Shards of one problem, in any order, into one file: the bytes of the whole map computed at once. Throws InputError
// when one is missing, double or of another problem; `names` are for the messages.
MapFile merge_map_files(std::vector<MapFile> shards, const std::vector<std::string>& names);

}  // namespace painleve
