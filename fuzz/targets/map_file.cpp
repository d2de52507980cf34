// map.h5. The first byte chooses: a file of these bytes; a good file, damaged, which must be refused or be as it was;
// or a map whose words, reasons and names are these bytes, which must come back as they were. A file that was forged
// together with its seal is not drawn: what the HDF5 library makes of it is not ours to test.
#include <algorithm>
#include <optional>
#include <string>

#include "painleve/study/map_file.hpp"
#include "small_map.hpp"
#include "target_list.hpp"

namespace painleve::fuzz {
namespace {

std::optional<MapFile> read_back(std::string_view bytes) {
  const std::filesystem::path path = scratch_folder() / "map.h5";
  write_file(path, bytes);
  std::optional<MapFile> file;
  accepted([&] { file = read_map(path.string()); });
  return file;
}

// A word of the bytes, without the zeros that end a text.
std::string word(Draw& draw) {
  std::string text;
  for (unsigned length = draw.below(12); length > 0; --length) text += static_cast<char>(1 + draw.below(255));
  return text;
}

std::vector<std::string> sorted_words(Draw& draw, unsigned most) {
  std::vector<std::string> words;
  for (unsigned count = 1 + draw.below(most); count > 0; --count) words.push_back(word(draw) + std::to_string(count));
  std::sort(words.begin(), words.end());
  return words;
}

MapFile drawn_file(Draw draw) {
  MapFile file = small_map_file();
  Map& map = file.map;
  map.reasons = sorted_words(draw, 4);
  map.axes[0].name = "a" + word(draw);
  map.axes[1].name = "b" + word(draw);
  file.scene = "s" + word(draw);
  for (MapColumn& column : map.columns) {
    column.quantity += word(draw);
    if (column.words) column.names = sorted_words(draw, 5);
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      const bool there = draw.below(4) != 0;
      const double value = column.words ? draw.below(static_cast<unsigned>(column.names.size())) : draw.number();
      column.values[i] = there ? value : std::numeric_limits<double>::quiet_NaN();
      column.reasons[i] = column.values[i] == column.values[i]
                              ? -1
                              : static_cast<int>(draw.below(static_cast<unsigned>(map.reasons.size())));
    }
  }
  return file;
}

void write_and_read(const MapFile& file) {
  std::string bytes;
  if (!accepted([&] { bytes = map_hdf5(file); })) return;
  const auto again = read_back(bytes);
  law(again.has_value(), "a map that was written is not read again");
  law(same_map(again->map, file.map), "a map changes when it is written and read again");
  law(again->scene == file.scene && again->scene_text == file.scene_text && again->program == file.program,
      "the words around a map change when it is written and read again");
  law(map_hdf5(*again) == bytes, "the same map gives other bytes");
}

}  // namespace

void read_map_file(std::string_view bytes) {
  static const std::string good = map_hdf5(small_map_file());
  Draw draw(bytes);
  switch (draw.below(3)) {
    case 0:
      read_back(draw.rest());
      return;
    case 1: {
      const auto file = read_back(damaged(good, draw.rest()));
      if (file) law(same_map(file->map, small_map()), "damage to a map is not noticed");
      return;
    }
    default:
      write_and_read(drawn_file(draw));
  }
}

}  // namespace painleve::fuzz
