#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "impact_text.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/quantity.hpp"
#include "painleve/scene/impacting.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

struct Options {
  std::string scene, law, several = "sequential";
  std::optional<double> restitution;
  std::vector<std::string> approach, without_collision, set;
};

// "V" or "CONTACT=V".
std::pair<std::string, double> approach_of(const std::string& text) {
  const auto at = text.find('=');
  const std::string name = at == std::string::npos ? "" : text.substr(0, at);
  try {
    if (at == 0) throw InputError("the name of the contact is missing");
    return {name, parse_quantity(at == std::string::npos ? text : text.substr(at + 1), "m/s")};
  } catch (const InputError& error) {
    throw InputError(fmt::format("--approach: {}", error.what()));
  }
}

ImpactRunOptions run_options(const Options& options) {
  ImpactRunOptions o;
  if (!options.law.empty()) o.law = restitution_law(options.law);
  o.restitution = options.restitution;
  o.several = several_impacts(options.several);
  o.without_collision = options.without_collision;
  for (const auto& text : options.approach) {
    const auto [name, speed] = approach_of(text);
    if (!o.approach.emplace(name, speed).second)
      throw InputError(fmt::format("--approach: {} is given two speeds", name.empty() ? "the first contact" : name));
  }
  return o;
}

int run(const Options& options, const Common& common) {
  SceneSource source = SceneSource::open(options.scene);
  for (const auto& assignment : options.set) source.set(assignment);
  const ImpactRun impact_run = impact(source.build(), run_options(options));
  if (common.json)
    print_json(to_json(impact_run));
  else
    print(impact_text(impact_run));
  return done;
}

void add_options(CLI::App& verb, Options& options) {
  verb.add_option("SCENE", options.scene, "scenario file, shipped scenario or gallery name")->required();
  verb.add_option("--law", options.law, "energetic, poisson or newton, for all contacts (default: the scene's)")
      ->check(CLI::IsMember(restitution_laws()));
  verb.add_option("--restitution", options.restitution, "0 to 1, for all contacts (default: the scene's)");
  verb.add_option("--several", options.several,
                  "where several contacts are closed: sequential (default), simultaneous or compliant")
      ->check(CLI::IsMember(several_impacts()));
  verb.add_option("--approach", options.approach,
                  "V or CONTACT=V: a closed contact strikes with the speed V, for example 1 or tip=\"5 mm/s\"; may be "
                  "repeated")
      ->allow_extra_args(false);
  verb.add_option("--without-collision", options.without_collision,
                  "CONTACT on which an impact without collision is asked for; may be repeated")
      ->allow_extra_args(false);
  verb.add_option("--set", options.set, "KEY=VALUE, overrides a value of the scene; may be repeated")
      ->allow_extra_args(false);
}

}  // namespace

void add_impact(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("impact", "outcome of an impact, with or without collision, at a state");
  auto options = std::make_shared<Options>();
  add_options(*verb, *options);
  add_common(*verb, common);
  verb->footer(
      "A closed contact of a mechanism has u_n = 0, so that nothing strikes. To make it strike, say --approach, or "
      "give\n"
      "the whole state: closed = false, a position that touches, and velocities. With --approach the other velocities "
      "of\n"
      "closed contacts stay; of the motions that are left, the one nearest to the state's is taken (the kinetic energy "
      "of\n"
      "the difference is least), and open contacts move with it.\n"
      "Examples:\n"
      "  painleve impact rod --set theta=60deg --set slip=0.5 --set mu=0.8 --approach 1 --restitution 0.5\n"
      "  painleve impact rod --set contact.tip.closed=false --set theta=90deg --set y=1 --set y_dot=-1 --set "
      "x_dot=0.5\n"
      "  painleve impact rod-no-solution --restitution 0.8 --json     an impact without collision\n"
      "  painleve impact two-legged-body --approach foot1=1 --several compliant\n"
      "  painleve impact rod-3d --set mu=0.8 --approach 1 --law poisson");
  verb->callback([&common, &action, options] { action = [&common, options] { return run(*options, common); }; });
}

}  // namespace painleve::cli
