// Checkpoints of maps. The first byte chooses: a file of these bytes; a good file, damaged, from which a resumed map
// must still come out as if it had never been interrupted; or records that are whole but hold these bytes.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <string>

#include "painleve/study/map_checkpoint.hpp"
#include "small_map.hpp"
#include "target_list.hpp"

namespace painleve::fuzz {
namespace {

std::filesystem::path place() { return scratch_folder() / "map.checkpoint"; }

MapOptions resumed(bool resume) {
  MapOptions options;
  options.threads = 1;
  options.checkpoint = place();
  options.resume = resume;
  return options;
}

const std::string& good_file() {
  static const std::string bytes = [] {
    std::filesystem::remove(place());
    compute_map(small_problem(), resumed(false));
    std::ifstream file(place(), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  return bytes;
}

std::optional<Map> resumed_from(std::string_view bytes) {
  write_file(place(), bytes);
  std::optional<Map> map;
  accepted([&] { map = compute_map(small_problem(), resumed(true)); });
  return map;
}

// Whatever the records hold, the map must hang together.
void check_map(const Map& map) {
  law(map.complete, "a resumed map is not complete");
  for (const MapColumn& column : map.columns) {
    law(column.values.size() == static_cast<std::size_t>(map.cells()), "a column of another size than the map");
    law(std::is_sorted(column.names.begin(), column.names.end()), "names are not sorted");
    for (const double x : column.values) {
      law(!column.words || x != x || (x >= 0 && x < static_cast<double>(column.names.size())), "a word without a name");
    }
    for (const int reason : column.reasons)
      law(reason >= -1 && reason < static_cast<int>(map.reasons.size()), "a reason that is not in the list");
  }
}

void resume_from_forged(Draw draw) {
  std::filesystem::remove(place());
  {
    MapCheckpoint file(place(), checkpoint_key(small_problem(), {}), false);
    for (int records = static_cast<int>(draw.below(3)); records >= 0 && !draw.empty(); --records) {
      // Near the ends of the grid and of the numbers.
      const auto bound = [&] {
        static constexpr long ends[] = {
            0, 1, 11, 12, 13, -1, std::numeric_limits<long>::max(), std::numeric_limits<long>::min()};
        return ends[draw.below(8)];
      };
      const auto whole = static_cast<long>(small_map().cells());
      const bool fits = draw.below(4) != 0;
      const long first = fits ? 0 : bound(), last = fits ? whole : bound();
      const std::string_view rest = draw.rest();
      const std::size_t length = records == 0 ? rest.size() : std::min<std::size_t>(rest.size(), draw.byte());
      file.append({first, last, std::string(draw.rest().substr(0, length))});
      draw = Draw(draw.rest().substr(std::min(length, draw.rest().size())));
    }
  }
  std::optional<Map> map;
  if (accepted([&] { map = compute_map(small_problem(), resumed(true)); })) check_map(*map);
}

}  // namespace

void read_checkpoint(std::string_view bytes) {
  Draw draw(bytes);
  switch (draw.below(3)) {
    case 0: {
      const auto map = resumed_from(draw.rest());
      if (map) law(same_map(*map, small_map()), "a foreign checkpoint changed the map");
      return;
    }
    case 1: {
      const auto map = resumed_from(damaged(good_file(), draw.rest()));
      if (map) law(same_map(*map, small_map()), "a damaged checkpoint changed the map");
      return;
    }
    default:
      resume_from_forged(draw);
  }
}

}  // namespace painleve::fuzz
