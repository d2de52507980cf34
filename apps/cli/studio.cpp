#include "apps/studio/server/studio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "painleve/base/error.hpp"
#include "painleve/scene/vocabulary.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

constexpr int last_port = 65535;

struct Options {
  std::string scene = "rod";
  int port = 8080;
  std::vector<std::string> set;
};

bool is_shipped(const std::string& scene) {
  for (const auto& scenario : scenarios())
    if (scenario.name == scene) return true;
  const auto mechanisms = mechanism_names();
  return std::find(mechanisms.begin(), mechanisms.end(), scene) != mechanisms.end();
}

// "60deg" stays a text; a number becomes one, for the page's sliders.
nlohmann::ordered_json value_of(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(number)) return number;
  return text;
}

// The scene as the page will ask for it. A file is read here, once, for the server reads none; what cannot be built is
// refused before anybody opens the page.
studio::StartScene start_scene(const Options& options) {
  SceneSource source = SceneSource::open(options.scene);
  studio::StartScene start;
  start.name = options.scene;
  if (!is_shipped(options.scene)) {
    start.name = std::filesystem::path(options.scene).filename().string();
    if (source.robot() != nullptr)
      studio::offer_scene(start.name, source);
    else
      start.toml = source.text();
  }
  for (const auto& assignment : options.set) {
    source.set(assignment);
    const auto equals = assignment.find('=');
    std::string key = assignment.substr(0, equals);
    key.erase(0, key.find_first_not_of(" \t"));
    key.erase(key.find_last_not_of(" \t") + 1);
    start.set.erase(source.resolve(key));  // the last word counts, also in the order
    start.set[source.resolve(key)] = value_of(assignment.substr(equals + 1));
  }
  static_cast<void>(source.build());
  nlohmann::ordered_json asked = {{"name", start.name}, {"set", start.set}};
  if (!start.toml.empty()) asked["toml"] = start.toml;
  static_cast<void>(studio::built_scene({{"scene", asked}}));  // what the page may ask for has further bounds
  return start;
}

void announce(const studio::Address& address, const Common& common) {
  if (common.json) {
    print_json({{"schema", 1}, {"command", "studio"}, {"url", address.url}, {"port", address.port}}, false);
  } else {
    print(fmt::format("Painlevé studio: {}\nCtrl-C ends it.\n", address.url));
  }
}

int run(const Options& options, const Common& common) {
  if (options.port < 0 || options.port > last_port)
    throw InputError(fmt::format("--port must be 0 (a free one) or from 1 to {}, not {}", last_port, options.port));
  studio::StudioOptions o;
  o.port = static_cast<std::uint16_t>(options.port);
  o.start = start_scene(options);
  studio::serve(o, [&](const studio::Address& address) { announce(address, common); });
  if (!common.quiet) std::fputs("painleve: the studio has ended\n", stderr);
  return done;
}

}  // namespace

void add_studio(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("studio", "a page in the browser: drag a mechanism through the paradox");
  auto options = std::make_shared<Options>();
  verb->add_option("SCENE", options->scene, "scenario file, shipped scenario or gallery name (default rod)");
  // The parser reads an empty word as 0, which means something here.
  verb->add_option("--port", options->port, "of 127.0.0.1 (default 8080); 0 takes a free one")
      ->check([](const std::string& word) { return word.empty() ? "a number is missing" : ""; });
  verb->add_option("--set", options->set, "KEY=VALUE, overrides a value of the scene; may be repeated")
      ->allow_extra_args(false);
  add_common(*verb, common);
  verb->footer(
      "Examples:\n"
      "  painleve studio\n"
      "  painleve studio rod-no-solution --set mu=2\n"
      "  painleve studio my-scene.toml --port 0\n"
      "The address that it prints is good for this machine only and holds a secret: whoever has it can use the page.\n"
      "From elsewhere: ssh -L 8080:127.0.0.1:8080 HOST, then open the address there. Ctrl-C ends the studio with exit "
      "code 0.");
  verb->callback([&common, &action, options] { action = [&common, options] { return run(*options, common); }; });
}

}  // namespace painleve::cli
