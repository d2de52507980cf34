#include "painleve/scene/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/scene/scene_builders.hpp"
#include "painleve/scene/toml_reader.hpp"
#include "painleve/scene/toml_writer.hpp"
#include "painleve/scene/vocabulary.hpp"

namespace painleve {

using namespace detail;

namespace {

// Walks to the table that holds the last segment of a path, making tables on the way.
toml::table& parent_table(toml::table& root, const std::string& path, std::string& leaf) {
  toml::table* at = &root;
  std::size_t begin = 0;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; begin = dot + 1, dot = path.find('.', begin)) {
    const std::string name = path.substr(begin, dot - begin);
    auto* node = at->get(name);
    if (node == nullptr || !node->is_table()) {
      at->insert_or_assign(name, toml::table{});
      node = at->get(name);
    }
    at = node->as_table();
  }
  leaf = path.substr(begin);
  return *at;
}

}  // namespace

struct SceneSource::Document {
  std::string origin;  // file or scenario name, for messages
  toml::table table;
  std::string mechanism;
  SceneKind kind = SceneKind::mechanism;
  std::shared_ptr<const RobotSource> robot;  // none: a name of the gallery

  SceneEntry entry() const {
    if (kind != SceneKind::mechanism) return {};
    if (robot) return robot->entry(table, origin);
    const std::shared_ptr<const GalleryEntry> nobodys;  // the gallery stays
    return {{nobodys, &gallery_entry(mechanism)}, nullptr};
  }

  // A value for all contacts takes the place of those given for single ones: the last word counts. Copied nodes forget
  // where they were read, so that no message points into the file for a value that is not there.
  template <class Value>
  void put(const std::string& path, const Value& value) {
    std::string leaf;
    parent_table(table, path, leaf).insert_or_assign(leaf, value);
    if (path != "contact." + leaf) return;
    for (auto&& [name, node] : *table.get("contact")->as_table())
      if (auto* one = node.as_table()) one->erase(leaf);
  }
};

namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("cannot read {}", in_quotes(path)));
  // Devices have no end, and no scenario is nearly as long.
  constexpr std::size_t most = std::size_t{4} << 20U;
  std::string text(most, '\0');
  file.read(text.data(), static_cast<std::streamsize>(most));
  if (file.good())
    throw InputError(fmt::format("{} is longer than the 4 MiB that a scenario may have", in_quotes(path)));
  if (!file.eof()) throw InputError(fmt::format("cannot read {}", in_quotes(path)));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const auto& scenario : scenarios()) names.push_back(scenario.name);
  for (const auto& mechanism : mechanism_names()) names.push_back(mechanism);
  return names;
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

toml::table parsed(const std::string& text, const std::string& origin) {
  try {
    return detail::parse_toml(text, origin);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw InputError(fmt::format("{}, line {}, column {}: {}", origin, at.line, at.column, error.description()));
  }
}

std::string mechanism_of(const toml::table& table, const std::string& origin) {
  const auto* mechanism = table.get("mechanism");
  if (mechanism == nullptr)
    throw InputError(origin + ": the key mechanism is missing; a robot has the key file instead");
  const auto* name = mechanism->as_string();
  if (name == nullptr) throw InputError(where(*mechanism, origin, "mechanism") + " must be a name in quotes");
  const auto names = mechanism_names();
  if (std::find(names.begin(), names.end(), name->get()) == names.end())
    throw InputError(fmt::format("{} is an {}", where(*mechanism, origin, "mechanism"),
                                 unknown_name("mechanism", name->get(), names)));
  return name->get();
}

// Bytes that are no text, which a command line may hold, would not come back from the file that is written of them.
bool is_text(const std::string& text) {
  const auto control = [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' && c != '\r') || c == '\x7f';
  };
  if (std::any_of(text.begin(), text.end(), control)) return false;
  try {
    const std::string written = toml_text(toml::table{{"value", text}});
    return detail::parse_toml(written, "--set")["value"].value<std::string>() == text;
  } catch (const toml::parse_error&) {
    return false;
  }
}

// A robot file stands in the place of a scenario.
bool names_robot(const std::string& scene) {
  const std::string end = std::filesystem::path(scene).extension().string();
  return end == ".urdf" || end == ".xml" || end == ".mjcf";
}

// The robot that `file` names.
std::shared_ptr<const RobotSource> robot_of(const toml::node& file, const toml::table& table, const std::string& origin,
                                            const std::string* folder) {
  const auto* name = file.as_string();
  if (name == nullptr || name->get().empty())
    throw InputError(where(file, origin, "file") + " must be the name of a URDF or MJCF file in quotes");
  if (const auto* mechanism = table.get("mechanism"))
    throw InputError(where(*mechanism, origin, "mechanism") + " and file are given: a scene has one of them");
  if (folder == nullptr)
    throw InputError(where(file, origin, "file") +
                     " is refused: a scenario that does not come from a file cannot name one");
  try {
    return std::make_shared<const RobotSource>((std::filesystem::path(*folder) / name->get()).string(), name->get());
  } catch (const InputError& error) {
    if (names_robot(origin)) throw;  // no scenario was written that could be pointed into
    throw InputError(where(file, origin, "file") + ": " + error.what());
  }
}

}  // namespace

SceneSource::SceneSource(std::shared_ptr<Document> document) : document_(std::move(document)) {}

SceneSource SceneSource::parse(const std::string& text, const std::string& origin) {
  return read(text, origin, nullptr);
}

SceneSource SceneSource::parse(const std::string& text, const std::string& origin, const std::string& folder) {
  return read(text, origin, &folder);
}

SceneSource SceneSource::read(const std::string& text, const std::string& origin, const std::string* folder) {
  auto document = std::make_shared<Document>();
  document->origin = origin;
  document->table = parsed(text, origin);
  const toml::table& table = document->table;
  const auto* schema = table.get("schema");
  if (schema != nullptr && read_number(*schema, "1", origin, "schema") != 1)
    throw InputError(where(*schema, origin, "schema") + " must be 1, the only version there is");
  std::vector<std::string> keys = {"schema", "mechanism", "file",   "parameters",
                                   "state",  "contact",   "forces", "tolerance"};
  if (table.contains("file")) keys.emplace_back("joint");
  check_keys(table, origin, "", keys);
  if (const auto* file = table.get("file")) {
    document->robot = robot_of(*file, table, origin, folder);
    const std::string& name = document->robot->robot()->model.name;
    document->mechanism = name.empty() ? "robot" : name;  // as robot_entry() calls it
  } else {
    document->mechanism = mechanism_of(table, origin);
    if (document->mechanism == "contact-space") document->kind = SceneKind::contact_space;
    if (document->mechanism == "drifting-contacts") document->kind = SceneKind::drifting_contacts;
  }
  return SceneSource(std::move(document));
}

SceneSource SceneSource::open(const std::string& scene) {
  if (scene.empty()) throw InputError("the name of the scene is empty");
  for (const auto& scenario : scenarios())
    if (scenario.name == scene) return parse(scenario.text, scene);
  const auto mechanisms = mechanism_names();
  if (std::find(mechanisms.begin(), mechanisms.end(), scene) != mechanisms.end())
    return parse(fmt::format("mechanism = \"{}\"", scene), scene);
  std::error_code ignored;
  if (std::filesystem::is_directory(scene, ignored))
    throw InputError(fmt::format("{} is a folder, not a scenario file", in_quotes(scene)));
  const std::string folder = std::filesystem::path(scene).parent_path().string();
  if (names_robot(scene)) {
    toml::table table;
    table.insert_or_assign("file", std::filesystem::path(scene).filename().string());
    return parse(toml_text(table), scene, folder);
  }
  const bool looks_like_file = scene.find('/') != std::string::npos || scene.ends_with(".toml");
  if (looks_like_file || std::filesystem::exists(scene, ignored)) return parse(read_file(scene), scene, folder);
  throw InputError(unknown_name("scene", scene, scene_names()));
}

const std::string& SceneSource::mechanism() const { return document_->mechanism; }

SceneKind SceneSource::kind() const { return document_->kind; }

std::shared_ptr<const SceneRobot> SceneSource::robot() const {
  return document_->robot ? document_->robot->robot() : nullptr;
}

std::shared_ptr<const GalleryEntry> SceneSource::entry() const { return document_->entry().entry; }

std::string SceneSource::resolve(const std::string& key) const {
  const auto& d = *document_;
  return d.robot ? resolve_key(d.robot->robot()->model, key) : resolve_key(d.mechanism, key);
}

std::string SceneSource::unit(const std::string& path) const {
  const auto& d = *document_;
  return d.robot ? path_unit(d.robot->robot()->model, path) : path_unit(d.mechanism, path);
}

// Copies of a SceneSource share the document until one of them is edited. A sole owner edits in place, because a copied
// table forgets lines and columns.
void SceneSource::own_document() {
  if (document_.use_count() > 1) document_ = std::make_shared<Document>(*document_);
}

void SceneSource::set(const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(fmt::format("--set takes key=value, but was given {}", in_quotes(assignment)));
  if (!is_text(assignment))
    throw InputError(
        fmt::format("--set takes text without control characters, but was given {}", in_quotes(assignment)));
  const std::string path = resolve(trimmed(assignment.substr(0, equals)));
  const std::string text = assignment.substr(equals + 1);
  toml::table value;
  try {
    value = detail::parse_toml("value = " + text, "--set");
  } catch (const toml::parse_error&) {
    value.insert_or_assign("value", text);  // "60deg" and expressions are words to TOML
  }
  if (value.size() != 1)
    throw InputError(fmt::format("--set takes one value, but was given {}", in_quotes(assignment)));
  own_document();
  document_->put(path, std::as_const(*value.get("value")));
}

void SceneSource::set(const std::string& key, double value) {
  const std::string path = resolve(key);
  own_document();
  document_->put(path, value);
}

std::string SceneSource::text() const {
  std::string text = toml_text(document_->table);
  if (document_->robot) text += "\n# what was read from the file: " + document_->robot->fingerprint() + "\n";
  return text;
}

Scene SceneSource::build() const {
  const auto& d = *document_;
  Scene scene;
  if (d.kind == SceneKind::contact_space)
    scene = build_contact_space(d.table, d.origin);
  else if (d.kind == SceneKind::drifting_contacts)
    scene = build_drifting(d.table, d.origin);
  else
    scene = build_mechanism(d.table, d.origin, d.entry());
  scene.name = d.origin;
  return scene;
}

ContactSpace raw_contact_space(int dimension, Eigen::MatrixXd W, Eigen::VectorXd b, Eigen::VectorXd u,
                               Eigen::VectorXd mu) {
  ContactSpace s;
  s.dimension = dimension;
  s.W = std::move(W);
  s.b = std::move(b);
  s.u = std::move(u);
  s.mu = std::move(mu);
  s.drift = Eigen::VectorXd::Zero(s.b.size());
  s.gap = Eigen::VectorXd::Zero(s.mu.size());
  s.bilateral.assign(static_cast<std::size_t>(s.mu.size()), false);
  for (Eigen::Index i = 1; i <= s.mu.size(); ++i) s.names.push_back(fmt::format("c{}", i));
  check(s);
  // What differs across the diagonal is rounding of the user's own computation; every route must see one matrix, since
  // forces near a threshold multiply the difference.
  s.W = ((s.W + s.W.transpose()) / 2).eval();
  return s;
}

void refuse_penetration(const Scene& scene) {
  const ContactSpace& s = scene.space;
  for (int i = 0; i < s.count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (s.bilateral[k] || scene.laws[k].stiffness || s.gap(i) >= -scene.tolerance.gap) continue;
    throw InputError(
        fmt::format("gap of contact {} is {} m: a rigid contact does not penetrate; only one with a stiffness may",
                    s.names[k], s.gap(i)));
  }
}

std::string Scenario::title() const {
  if (!text.starts_with("#")) return {};
  const std::size_t begin = text.find_first_not_of("# ");
  return text.substr(begin, text.find('\n') - begin);
}

}  // namespace painleve
