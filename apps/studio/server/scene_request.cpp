// Scenes as the page names them. A posted scene is a shipped name, the name of what the command line opened, or a text;
// no name is ever looked for on the disk.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include "api.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/scene/vocabulary.hpp"
#include "request.hpp"
#include "scene_values.hpp"

namespace painleve::studio {
namespace {

constexpr std::size_t longest_text = 64 * 1024;  // bytes of a scenario
constexpr std::size_t longest_name = 200;
constexpr std::size_t longest_value = 4096;
constexpr std::size_t most_settings = 256;
constexpr int deepest_key = 64;        // dots in one key of a scenario
constexpr int most_contacts = 64;      // W of the reply has (3 × 64)² numbers
constexpr int most_closed_planar = 8;  // 4⁸ words; space has no closed form beyond two contacts
constexpr int most_closed_spatial = 3;

// All shipped scenes, read once: their texts do not change, and copies share what was read until they are edited.
const std::map<std::string, SceneSource>& shipped() {
  static const std::map<std::string, SceneSource> sources = [] {
    std::map<std::string, SceneSource> all;
    for (const std::string& name : mechanism_names())
      all.emplace(name, SceneSource::parse(fmt::format("mechanism = \"{}\"", name), name));
    for (const Scenario& scenario : scenarios())
      all.insert_or_assign(scenario.name, SceneSource::parse(scenario.text, scenario.name));
    return all;
  }();
  return sources;
}

// What the command line offered; the page's calls come from several threads.
class Offered {
 public:
  void put(const std::string& name, const SceneSource& source) {
    const std::lock_guard lock(mutex_);
    sources_.insert_or_assign(name, source);
  }
  std::optional<SceneSource> find(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto found = sources_.find(name);
    return found == sources_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, SceneSource> sources_;
};

Offered& offered() {
  static Offered scenes;
  return scenes;
}

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const auto& [name, source] : shipped()) names.push_back(name);
  return names;
}

// A key of thousands of parts would nest tables as deep, and every walk through them the stack.
void refuse_deep_keys(const std::string& text) {
  int dots = 0;
  for (const char c : text) {
    if (c == '.') ++dots;
    if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) dots = 0;
    if (dots > deepest_key)
      throw InputError(fmt::format("the scenario has a key with more than {} parts", deepest_key));
  }
}

SceneSource named_or_written(const Json& request) {
  const std::string name = word(request, "name", "");
  if (name.size() > longest_name)
    throw InputError(fmt::format("the name of a scene is at most {} bytes long", longest_name));
  if (request.contains("toml")) {
    const std::string text = word(request, "toml");
    if (text.size() > longest_text)
      throw InputError(fmt::format("a posted scenario is at most {} kB long, this one has {} bytes",
                                   longest_text / 1024, text.size()));
    refuse_deep_keys(text);
    return SceneSource::parse(text, name.empty() ? "scene" : name);
  }
  if (name.empty()) throw InputError("a scene needs a 'name' of a shipped one or the text of a scenario as 'toml'");
  if (auto source = offered().find(name)) return *source;
  const auto found = shipped().find(name);
  if (found == shipped().end()) throw InputError(unknown_name("scene", name, shipped_names()));
  return found->second;
}

// Lists of which single components are set, by path.
using Lists = std::map<std::string, std::map<std::size_t, double>>;

std::vector<double> list_before(const SceneSource& source, const SceneValues& values, const std::string& path) {
  std::vector<double> list;
  for (const Written& one : values.written(path)) {
    if (!one.number) throw InputError(fmt::format("{} holds a text; its components cannot be set alone", path));
    list.push_back(*one.number);
  }
  if (!list.empty() || source.kind() != SceneKind::mechanism) return list;
  const auto shared = source.entry();
  const GalleryEntry& entry = *shared;
  if (path == "state.slip") {
    list.assign(static_cast<std::size_t>(entry.dimension - 1), 0.0);
    std::copy(entry.default_slip.begin(), entry.default_slip.end(), list.begin());
  }
  for (const ForceInfo& force : entry.forces)
    if (path == "forces." + force.name) list.assign(static_cast<std::size_t>(force.components), 0.0);
  return list;
}

void set_lists(SceneSource& source, const Lists& lists) {
  if (lists.empty()) return;
  const SceneValues values(source);
  for (const auto& [path, components] : lists) {
    std::vector<double> list = list_before(source, values, path);
    for (const auto& [index, value] : components) {
      if (index >= list.size())
        throw InputError(
            fmt::format("{} has {} components, there is no [{}]", in_quotes(path), list.size(), index + 1));
      list[index] = value;
    }
    source.set(fmt::format("{}=[{}]", path, fmt::join(list, ", ")));
  }
}

void check_key(const std::string& key) {
  if (key.empty() || key.size() > longest_name || key.find_first_of("=\n\r\"'#") != std::string::npos)
    throw InputError(fmt::format("{} is not a path of a scenario", in_quotes(key)));
}

void set_text(SceneSource& source, const std::string& key, const std::string& text) {
  if (text.size() > longest_value)
    throw InputError(fmt::format("the value of {} is longer than {} bytes", in_quotes(key), longest_value));
  if (text.find_first_of("\n\r") != std::string::npos)
    throw InputError(fmt::format("the value of {} must be one line", in_quotes(key)));
  source.set(key + "=" + text);
}

void apply(SceneSource& source, const Json& settings) {
  if (!settings.is_object()) throw InputError("'set' must be an object of paths and values");
  if (settings.size() > most_settings)
    throw InputError(fmt::format("'set' has {} entries, at most {} are allowed", settings.size(), most_settings));
  Lists lists;
  for (const auto& item : settings.items()) {
    check_key(item.key());
    const auto part = component(item.key());
    if (part && item.value().is_number())
      lists[source.resolve(part->path)][part->index] = item.value().get<double>();
    else if (!part && item.value().is_number())
      source.set(item.key(), item.value().get<double>());
    else if (!part && item.value().is_string())
      set_text(source, item.key(), item.value().get<std::string>());
    else
      throw InputError(
          fmt::format("the value of {} must be a number{}", in_quotes(item.key()), part ? "" : " or a text"));
  }
  set_lists(source, lists);
}

// What takes seconds belongs on the command line: here it would hold up every page.
void refuse_large(const Scene& scene) {
  if (scene.kind == SceneKind::drifting_contacts) {
    if (scene.drifting.count() > most_closed_planar)
      throw InputError(fmt::format("the studio takes at most {} drifting contacts", most_closed_planar));
    return;
  }
  const ContactSpace& s = scene.space;
  if (s.count() > most_contacts)
    throw InputError(fmt::format("the studio takes at most {} contacts, this scene has {}", most_contacts, s.count()));
  int closed = 0;
  for (int i = 0; i < s.count(); ++i) closed += touch(s, i, scene.tolerance) == Touch::open ? 0 : 1;
  const int most = s.dimension == 2 ? most_closed_planar : most_closed_spatial;
  if (closed > most) {
    throw InputError(
        fmt::format("the studio takes at most {} closed contacts, this scene has {}; the command line has "
                    "no such limit",
                    most, closed));
  }
}

}  // namespace

void offer_scene(const std::string& name, const SceneSource& source) { offered().put(name, source); }

SceneSource scene_source(const Json& request) {
  if (!request.is_object()) throw InputError("a scene must be an object with 'name' or 'toml'");
  refuse_others(request, {"name", "toml", "set"});
  SceneSource source = named_or_written(request);
  if (request.contains("set")) apply(source, request["set"]);
  return source;
}

Scene built_scene(const Json& request) {
  if (!request.contains("scene")) throw InputError("the request needs 'scene'");
  Scene scene = scene_source(request["scene"]).build();
  scene.name = word(request["scene"], "name", scene.name);  // a file of the command line has its path for a name
  refuse_large(scene);
  return scene;
}

}  // namespace painleve::studio
