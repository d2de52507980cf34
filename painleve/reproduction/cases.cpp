#include "painleve/reproduction/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "painleve/base/error.hpp"
#include "painleve/reproduction/cases_mjcf.hpp"
#include "painleve/reproduction/detail/case_json.hpp"
#include "painleve/reproduction/detail/sha256.hpp"

namespace painleve {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* manifest_name = "manifest.json";
constexpr const char* pack_name = "painleve-cases";

void add_cases(CasePack& pack) {
  for (const Scenario& scenario : scenarios()) {
    const Scene scene = SceneSource::open(scenario.name).build();
    const MjcfResult model = to_mjcf(scene);
    pack.files.push_back(
        {fmt::format("cases/{}.json", scenario.name), case_json(scenario, scene, model).dump(1) + "\n"});
    ++pack.cases;
    if (!model.mjcf) continue;
    pack.files.push_back({fmt::format("mjcf/{}.xml", scenario.name), model.mjcf->xml});
    ++pack.models;
  }
}

void add_manifest(CasePack& pack, const std::string& version) {
  Json j = {{"pack", pack_name}, {"schema", 1}, {"version", version}, {"license", "Apache-2.0"}};
  Json files = Json::array();
  std::string lines;
  for (const FileContent& file : pack.files) {
    const std::string hash = sha256(file.bytes);
    files.push_back({{"path", file.path}, {"sha256", hash}});
    lines += hash + "  " + file.path + "\n";
  }
  pack.hash = sha256(lines);
  j["hash"] = pack.hash;
  j["cases"] = pack.cases;
  j["models"] = pack.models;
  j["files"] = files;
  pack.files.push_back({manifest_name, j.dump(1) + "\n"});
}

// The files of an earlier pack, none where there is none.
std::set<std::string> earlier_files(const fs::path& folder) {
  std::ifstream in(folder / manifest_name);
  const Json j = Json::parse(in, nullptr, false);
  const auto text = [](const Json& from, const char* key) {
    return from.is_object() && from.contains(key) && from[key].is_string() ? from[key].get<std::string>()
                                                                           : std::string();
  };
  if (text(j, "pack") != pack_name || !j.contains("files")) return {};
  std::set<std::string> paths = {manifest_name};
  for (const auto& file : j["files"]) paths.insert(text(file, "path"));
  return paths;
}

// Relative paths of all files below, links to folders not followed.
std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory() || entry.is_symlink())
      paths.push_back(fs::relative(entry.path(), folder).generic_string());
  return paths;
}

void refuse_foreign_files(const fs::path& folder, const std::set<std::string>& earlier) {
  for (const std::string& path : files_below(folder)) {
    const bool of_python = path.find("__pycache__/") != std::string::npos;  // left by those who import check.py
    const bool unfinished = path.ends_with(".part");  // left by an export that was ended from outside
    if (of_python || unfinished || earlier.contains(path)) continue;
    throw InputError(
        fmt::format("{} is not empty and holds {}, which no pack of cases put there; choose another folder or "
                    "add --force to write beside it",
                    folder.string(), path));
  }
}

// Only what an earlier pack put there and this one does not replace, and only inside the folders of a pack.
void remove_stale(const fs::path& folder, const std::set<std::string>& earlier, const CasePack& pack) {
  for (const std::string& path : earlier) {
    const bool ours = path.starts_with("cases/") || path.starts_with("mjcf/");
    const bool kept =
        std::any_of(pack.files.begin(), pack.files.end(), [&](const FileContent& f) { return f.path == path; });
    if (ours && !kept && path.find("..") == std::string::npos) fs::remove(folder / path);
  }
}

}  // namespace

CasePack case_pack(const std::string& version) {
  CasePack pack;
  add_cases(pack);
  pack.files.push_back({"README.md", case_readme});
  pack.files.push_back({"check.py", case_checker});
  pack.files.push_back({"schema.json", case_schema});
  const auto by_path = [](const FileContent& a, const FileContent& b) { return a.path < b.path; };
  std::sort(pack.files.begin(), pack.files.end(), by_path);
  add_manifest(pack, version);
  return pack;
}

void write_pack(const CasePack& pack, const std::string& folder, bool force) {
  if (folder.empty()) throw InputError("the name of the folder for the pack is empty");
  const fs::path root = folder;
  try {
    if (fs::exists(root) && !fs::is_directory(root)) throw InputError(fmt::format("{} is not a folder", folder));
    const std::set<std::string> earlier = earlier_files(root);
    if (!force && fs::exists(root)) refuse_foreign_files(root, earlier);
    fs::create_directories(root / "cases");
    fs::create_directories(root / "mjcf");
    std::vector<FileContent> files;
    for (const FileContent& file : pack.files) files.push_back({(root / file.path).string(), file.bytes});
    replace_files(files);
    remove_stale(root, earlier, pack);
  } catch (const fs::filesystem_error& error) {
    throw InputError(fmt::format("cannot write the pack to {}: {}", folder, error.code().message()));
  }
}

}  // namespace painleve
