#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "map_output.hpp"
#include "map_text.hpp"
#include "painleve/base/replaced_file.hpp"
#include "painleve/study/map_file.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

struct Options {
  std::vector<std::string> shards;
  MapPlaces places;
};

int run(const Options& options, const Common& common) {
  for (const std::string& output : {options.places.output, options.places.figure})
    refuse_overwriting(output, options.shards);
  check_places(options.places);
  std::vector<MapFile> shards;
  for (const std::string& path : options.shards) shards.push_back(read_map(path));
  const MapFile whole = merge_map_files(std::move(shards), options.shards);
  const auto files = write_places(options.places, whole, false);
  if (common.json) {
    nlohmann::ordered_json j = map_json(whole, "merge");
    j["files"] = files;
    print_json(j);
  } else {
    print(map_text(whole) + fmt::format("written to {}\n", fmt::join(files, " and ")));
  }
  return done;
}

}  // namespace

void add_merge(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("merge", "the shards of a map into one file");
  auto options = std::make_shared<Options>();
  verb->add_option("SHARD", options->shards, "files that painleve map --shard wrote, .h5, all of them, in any order")
      ->required();
  verb->add_option("-o,--output", options->places.output, "map.h5 or map.csv")
      ->required()
      ->check([](const std::string& name) { return name.empty() ? std::string("the name is empty") : std::string(); });
  verb->add_option("--figure", options->places.figure, "a picture: map.svg, map.png or map.pdf");
  add_common(*verb, common);
  verb->footer(
      "Examples:\n"
      "  painleve merge part1.h5 part2.h5 part3.h5 part4.h5 -o map.h5 --figure map.svg\n"
      "The file is byte for byte the one that painleve map writes for the whole grid.");
  verb->callback([&common, &action, options] { action = [&common, options] { return run(*options, common); }; });
}

}  // namespace painleve::cli
