#include "painleve/reproduction/cases.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

struct Options {
  std::string folder;
  bool force = false;
};

int run(const Options& options, const Common& common) {
  const CasePack pack = case_pack(PAINLEVE_VERSION);
  write_pack(pack, options.folder, options.force);
  if (common.json) {
    nlohmann::ordered_json j = {{"schema", 1},
                                {"command", "cases"},
                                {"folder", options.folder},
                                {"version", PAINLEVE_VERSION},
                                {"cases", pack.cases},
                                {"models", pack.models},
                                {"hash", pack.hash},
                                {"files", nlohmann::ordered_json::array()}};
    for (const FileContent& file : pack.files) j["files"].push_back(file.path);
    print_json(j);
  } else if (!common.quiet) {
    print(fmt::format(
        "{} cases, {} of them also as MJCF, written to {}\n  hash {}\n  python3 {}/check.py verifies every number\n",
        pack.cases, pack.models, options.folder, pack.hash, options.folder));
  }
  return done;
}

}  // namespace

void add_cases(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("cases", "ground truth for authors of engines");
  verb->require_subcommand(1);
  auto* exporting = verb->add_subcommand("export", "writes all cases with all of their solutions into a folder");
  auto options = std::make_shared<Options>();
  exporting->add_option("DIR", options->folder, "a new or empty folder, or one that holds an earlier pack")->required();
  exporting->add_flag("--force", options->force, "write even if other files lie there; they are kept");
  add_common(*exporting, common);
  exporting->footer("Examples:\n  painleve cases export tests/contact-cases\n  python3 tests/contact-cases/check.py");
  exporting->callback([&common, &action, options] { action = [&common, options] { return run(*options, common); }; });
}

}  // namespace painleve::cli
