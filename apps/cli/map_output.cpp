#include "map_output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/replaced_file.hpp"
#include "painleve/figure/map_figure.hpp"

namespace painleve::cli {
namespace {

namespace fs = std::filesystem;

// Only an attempt tells: permissions say nothing to root, nor of a disk that is read-only.
void check_folder(const std::string& path) {
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  std::string trial = (folder / ".painleve_XXXXXX").string();
  const int descriptor = mkstemp(trial.data());
  if (descriptor < 0) throw InputError(fmt::format("cannot write {}: {}", in_quotes(path), std::strerror(errno)));
  close(descriptor);
  unlink(trial.c_str());
}

void check_ending(const std::string& path, const std::vector<std::string>& endings) {
  const std::string end = fs::path(path).extension().string();
  for (const std::string& one : endings) {
    if (end == one) return;
  }
  throw InputError(fmt::format("{} must end in {}", in_quotes(path), fmt::join(endings, ", ")));
}

void check_file(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw InputError(fmt::format("{} is a folder", in_quotes(path)));
  check_writable(path);
}

std::string kept_in_checkpoint(const MapPlaces& places) {
  std::error_code ignored;
  if (places.output.empty() || !fs::exists(places.checkpoint(), ignored)) return "";
  return fmt::format("; what was computed is kept in {}: make room and run the command again with --resume",
                     in_quotes(places.checkpoint()));
}

// Not an InputError: the command is good.
[[noreturn]] void no_memory(const MapPlaces& places) {
  throw std::runtime_error("not enough memory" + kept_in_checkpoint(places));
}

}  // namespace

void check_places(const MapPlaces& places) {
  if (!places.output.empty()) {
    check_map_path(places.output);
    check_folder(places.output);
  }
  if (!places.figure.empty()) {
    check_ending(places.figure, {".svg", ".png", ".pdf"});
    check_file(places.figure);
  }
  if (!places.boundaries.empty()) {
    check_ending(places.boundaries, {".csv"});
    check_file(places.boundaries);
  }
  if (!places.output.empty() &&
      fs::path(places.output).lexically_normal() == fs::path(places.boundaries).lexically_normal())
    throw InputError(fmt::format("{} is given for the map and for its boundaries", in_quotes(places.output)));
}

void or_disk_is_full(const MapPlaces& places, const std::function<void()>& write) {
  try {
    write();
  } catch (const InputError&) {
    throw;
  } catch (const std::bad_alloc&) {
    no_memory(places);
  } catch (const std::system_error&) {
    throw;  // no threads
  } catch (const std::runtime_error& error) {
    throw InputError(error.what() + kept_in_checkpoint(places));
  }
}

std::vector<std::string> write_places(const MapPlaces& places, const MapFile& file, bool output_stands) {
  std::vector<std::string> written;
  try {
    if (!places.output.empty() && !output_stands) write_map(file, places.output);
    if (!places.output.empty()) written.push_back(places.output);
    if (!places.boundaries.empty()) {
      write_boundaries(file.map.axes, file.boundaries, places.boundaries);
      written.push_back(places.boundaries);
    }
    if (!places.figure.empty()) {
      save(draw(map_figure(file.map, file.boundaries)), places.figure, file.scene);
      written.push_back(places.figure);
    }
  } catch (const InputError& error) {
    throw InputError(error.what() + kept_in_checkpoint(places));
  } catch (const std::bad_alloc&) {
    no_memory(places);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(error.what() + kept_in_checkpoint(places));
  }
  return written;
}

}  // namespace painleve::cli
