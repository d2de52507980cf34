#include "painleve/reproduction/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/replaced_file.hpp"
#include "reproduce_text.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Options {
  std::string name, output, figures, format = "svg";
  bool list = false;
  int threads = 0;
};

const std::vector<std::string> picture_formats = {"svg", "png", "pdf"};

// Before the work, so that a wrong place is noticed at once and not after minutes.
void check_places(const Options& options) {
  if (std::find(picture_formats.begin(), picture_formats.end(), options.format) == picture_formats.end())
    throw InputError(unknown_name("format of figures", options.format, picture_formats));
  if (options.threads < 0) throw InputError("--threads takes 0 (one per core) or a positive number");
  if (!options.output.empty()) check_writable(options.output);
  if (options.figures.empty()) return;
  std::error_code error;
  fs::create_directories(options.figures, error);
  if (!fs::is_directory(options.figures))
    throw InputError(fmt::format("--figures {}: not a folder, and cannot be made one", in_quotes(options.figures)));
}

// The paths of what was written.
std::vector<std::string> write_files(const ReproduceReport& report, const Options& options) {
  std::vector<std::string> files;
  if (!options.output.empty()) {
    replace_files({{options.output, reproduction_page(report)}});
    files.push_back(options.output);
  }
  if (options.figures.empty()) return files;
  for (const auto& item : report.items) {
    const auto& figures = item.result.figures;
    for (std::size_t i = 0; i < figures.size(); ++i) {
      const fs::path file = fs::path(options.figures) / figure_file(*item.item, i, figures.size(), options.format);
      save(draw(figures[i]), file, figures[i].title);
      files.push_back(file.string());
    }
  }
  return files;
}

int list(const std::vector<const PublishedItem*>& items, bool json) {
  if (!json) {
    print(items_text(items));
    return done;
  }
  Json j{{"schema", 1}, {"command", "reproduce"}, {"items", Json::array()}};
  for (const PublishedItem* item : items) {
    j["items"].push_back(
        {{"paper", item->paper}, {"item", item->name}, {"title", item->title}, {"scenarios", item->scenarios}});
  }
  print_json(j);
  return done;
}

int run(const Options& options, const Common& common) {
  const auto items = select_items(published_items(), options.name);
  check_places(options);
  if (options.list) return list(items, common.json);
  interrupts_stop();
  ReproduceReport report;
  {
    Progress progress("reproduce", common.quiet);
    report = reproduce(items, {options.threads, [&](double part) { return progress.update(part); }});
  }
  const auto files = write_files(report, options);
  if (common.json) {
    Json j = to_json(report);
    j["files"] = files;
    print_json(j);
  } else {
    print(reproduce_text(report));
  }
  if (!report.complete) return interrupted_code();
  return report.explained() ? done : failed;
}

}  // namespace

void add_reproduce(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("reproduce", "the published tables and figures, computed again and compared");
  auto options = std::make_shared<Options>();
  verb->add_option("PAPER[/ITEM]", options->name, "a paper, or one item of it; all without it")
      ->check([](const std::string& name) { return name.empty() ? std::string("the name is empty") : std::string(); });
  verb->add_option("-o,--output", options->output, "a page, page.html, with all tables and figures")
      ->check([](const std::string& name) { return name.empty() ? std::string("the name is empty") : std::string(); });
  verb->add_option("--figures", options->figures, "a folder for the figures, one file each")
      ->check([](const std::string& name) { return name.empty() ? std::string("the name is empty") : std::string(); });
  verb->add_option("--format", options->format, "of those files: svg (default), png or pdf");
  verb->add_flag("--list", options->list, "the papers and items, without computing them");
  verb->add_option("--threads", options->threads, "how many items at a time; 0 (default): one per core");
  add_common(*verb, common);
  verb->footer(
      "Examples:\n"
      "  painleve reproduce --list\n"
      "  painleve reproduce peiret/eq-45-49\n"
      "  painleve reproduce -o reproduction.html\n"
      "  painleve reproduce preclik --figures pictures --format pdf\n"
      "Exit code 1: something differs and no erratum of docs/errata.md explains it. Ctrl-C ends with the items under\n"
      "way and keeps what is done (exit code 130).");
  verb->callback([&common, &action, options] { action = [&common, options] { return run(*options, common); }; });
}

}  // namespace painleve::cli
