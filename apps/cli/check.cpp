// check: how close a robot comes to jamming, anywhere in its workspace.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "check_text.hpp"
#include "commands.hpp"
#include "map_output.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/quantity.hpp"
#include "painleve/figure/map_figure.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

struct Options {
  std::string scene, contact, normal, plane_point, figure;
  std::optional<double> mu, margin;
  std::vector<std::string> over, set;
  long samples = 20000;
  std::uint64_t seed = 1;
  int threads = 0;
};

// "0,0,0.1" or "0,0,100mm".
std::string triple(const char* option, const std::string& text, const std::string& unit) {
  std::vector<double> numbers;
  std::size_t begin = 0;
  try {
    for (std::size_t comma = 0; comma != std::string::npos; begin = comma + 1) {
      comma = text.find(',', begin);
      numbers.push_back(parse_quantity(text.substr(begin, comma - begin), unit));
    }
  } catch (const InputError& error) {
    throw InputError(fmt::format("{} {}: {}", option, in_quotes(text), error.what()));
  }
  if (numbers.size() != 3)
    throw InputError(fmt::format("{} takes three numbers, as 0,0,0.1, but was given {}", option, in_quotes(text)));
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string quoted(const std::string& text) {
  std::string q = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') q += '\\';
    q += c;
  }
  return q + "\"";
}

// body, site or geom of that name; bodies win, then sites.
std::string kind_of_frame(const RobotModel& model, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& body : model.bodies) {
    if (body.name == name) return "body";
    known.push_back(body.name);
  }
  for (const char* kind : {"site", "geom"}) {
    for (const auto& frame : model.frames) {
      if (frame.kind == kind && frame.name == name) return kind;
      if (frame.kind == kind) known.push_back(frame.name);
    }
  }
  throw InputError("--contact: " + unknown_name("body, site or geom", name, known));
}

// The contacts of the scene, and whether they are meant to touch. Where a robot's state is no pose yet, all are.
std::vector<ContactInfo> contacts_there(const SceneSource& source) {
  try {
    return source.build().posed.contacts;
  } catch (const InputError&) {
    if (source.robot() == nullptr) return {};
  }
  try {
    return source.entry()->contacts({});
  } catch (const InputError&) {  // a robot without contacts
    return {};
  }
}

// Why the scene has no contact as it stands.
[[noreturn]] void explain_missing(const SceneSource& source) {
  try {
    static_cast<void>(source.build());
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}{}", error.what(), source.robot() ? "; check has --contact FRAME@x,y,z for it" : ""));
  }
  throw InputError(fmt::format("check needs a contact, but {} has none", source.mechanism()));
}

// A name of a contact in letters that a path may have.
std::string path_name(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-') c = '_';
  return name;
}

// The contact that is checked.
struct Chosen {
  std::string name;
  bool added = false;  // --contact describes it; the scene did not have it
};

Chosen choose_contact(const Options& options, SceneSource& source) {
  const auto contacts = contacts_there(source);
  std::vector<std::string> there;
  for (const auto& contact : contacts) there.push_back(contact.name);
  const auto at = options.contact.rfind('@');
  const std::string frame = options.contact.substr(0, at);
  if (options.contact.empty()) {
    if (there.empty()) explain_missing(source);
    const auto first = std::find_if(contacts.begin(), contacts.end(), [](const ContactInfo& c) { return c.closed; });
    return {first == contacts.end() ? there.front() : first->name};
  }
  if (at == std::string::npos && std::find(there.begin(), there.end(), frame) != there.end()) {
    source.set(fmt::format("contact.{}.closed=true", frame));  // mu_jam of a contact that does not touch says nothing
    return {frame};
  }
  if (source.robot() == nullptr)
    throw InputError("--contact: " + (at == std::string::npos ? unknown_name("contact", frame, there)
                                                              : "a place FRAME@x,y,z is for robots; name a contact"));
  const std::string kind = kind_of_frame(source.robot()->model, frame);
  const std::string name = path_name(frame);
  source.set(fmt::format("contact.{}.{}={}", name, kind, quoted(frame)));
  if (at != std::string::npos)
    source.set(fmt::format("contact.{}.point={}", name, triple("--contact", options.contact.substr(at + 1), "m")));
  return {name, true};
}

void place_plane(const Options& options, const std::string& contact, SceneSource& source) {
  if (options.normal.empty() && options.plane_point.empty()) return;
  if (source.robot() == nullptr)
    throw InputError("--normal and --plane-point are for robots: a mechanism of the gallery brings its surfaces");
  if (!options.normal.empty())
    source.set(fmt::format("contact.{}.plane.normal={}", contact, triple("--normal", options.normal, "1")));
  if (!options.plane_point.empty())
    source.set(fmt::format("contact.{}.plane.point={}", contact, triple("--plane-point", options.plane_point, "m")));
}

// Friction is asked for where the scene was not written with one.
void place_friction(const Options& options, const Chosen& contact, SceneSource& source) {
  if (options.mu) {
    if (!(*options.mu >= 0) || !std::isfinite(*options.mu))
      throw InputError(fmt::format("--mu is {}, it must be >= 0", *options.mu));
    source.set(fmt::format("contact.{}.mu", contact.name), *options.mu);
    return;
  }
  const bool set = std::any_of(options.set.begin(), options.set.end(), [](const std::string& assignment) {
    const std::string key = assignment.substr(0, assignment.find('='));
    return key == "mu" || key.ends_with(".mu");
  });
  if (contact.added && !set) throw InputError("check needs --mu, the friction that is there");
}

void narrow(const SceneSource& source, const std::string& text, std::vector<WorkspaceJoint>& joints) {
  const auto equals = text.find('=');
  if (equals == std::string::npos)
    throw InputError(fmt::format("--over takes JOINT=FROM:TO, but was given {}", in_quotes(text)));
  const std::string name = text.substr(0, equals);
  const std::string bare = name.starts_with("state.") ? name.substr(6) : name;
  std::vector<std::string> known;
  for (auto& joint : joints) {
    known.push_back(joint.name);
    if (joint.name != bare) continue;
    Range range;
    try {
      range = parse_range(text.substr(equals + 1), source.unit("state." + bare));
    } catch (const InputError& error) {
      throw InputError(fmt::format("--over {}: {}", name, error.what()));
    }
    if (range.count > 1) throw InputError(fmt::format("--over {} takes FROM:TO: poses are drawn, not set out", name));
    if (joint.bounded && (range.from < joint.from || range.to > joint.to))
      throw InputError(
          fmt::format("--over {} leaves the limits of the joint, {} to {} {}", name, joint.from, joint.to, joint.unit));
    joint = {joint.name, joint.unit, range.from, range.to, true, true};
    return;
  }
  throw InputError("--over: " + unknown_name("joint", bare, known));
}

WorkspaceProblem workspace_problem(const Options& options) {
  SceneSource source = SceneSource::open(options.scene);
  for (const auto& assignment : options.set) source.set(assignment);
  const Chosen contact = choose_contact(options, source);
  place_plane(options, contact.name, source);
  place_friction(options, contact, source);
  WorkspaceProblem problem;
  problem.scene = source.build();
  if (problem.scene.kind != SceneKind::mechanism)
    throw InputError(fmt::format("check needs a robot or a mechanism; {} has no joints", problem.scene.mechanism));
  const auto& names = problem.scene.space.names;
  problem.contact = static_cast<int>(std::find(names.begin(), names.end(), contact.name) - names.begin());
  problem.joints = workspace_joints(problem.scene);
  for (const auto& text : options.over) narrow(source, text, problem.joints);
  problem.margin = std::max(1.0, options.margin.value_or(1));
  problem.samples = options.samples;
  problem.seed = options.seed;
  problem.threads = options.threads;
  return problem;
}

void draw_map(const Options& options, CheckResult& result) {
  if (options.figure.empty()) return;
  if (result.report.minima.empty()) {
    std::fputs("painleve: no picture was drawn, since there is no pose that jams\n", stderr);
    return;
  }
  Map map = workspace_map(result.problem, result.report.minima.front(), 121);
  // Where nearly nothing couples, mu_jam is huge, and its colours would leave none for what matters.
  const double most = 10 * std::max({result.mu(), result.report.minima.front().mu_jam, 0.1});
  for (double& value : map.columns.front().values) value = value > most ? most : value;
  MapFigureOptions figure;
  figure.title = fmt::format("{}: mu_jam around the worst pose ({:g} stands for more)", result.scene, most);
  figure.scale = Scale::logarithmic;
  figure.levels = {result.mu()};
  if (result.margin && *result.margin > 1) figure.levels.push_back(*result.margin * result.mu());
  save(draw(map_figure(map, {}, figure)), options.figure, result.scene);
  result.files.push_back(options.figure);
}

int run(const Options& options, const Common& common) {
  if (options.margin && !(*options.margin > 0 && std::isfinite(*options.margin)))
    throw InputError(fmt::format("--margin is {}, it must be > 0", *options.margin));
  CheckResult result{options.scene, workspace_problem(options), {}, options.margin, {}};
  check_places({"", options.figure, ""});
  interrupts_stop();
  {
    Progress progress("check", common.quiet);
    result.report = check_workspace(result.problem, [&](double part) { return progress.update(part); });
    if (result.report.complete) draw_map(options, result);
  }
  if (common.json) {
    print_json(check_json(result));
  } else {
    print(check_text(result));
  }
  if (!result.report.complete) {
    std::fputs("painleve: interrupted before the check was complete\n", stderr);
    return interrupted_code();
  }
  return result.below_margin() ? finding : done;
}

void add_options(CLI::App& verb, Options& o) {
  verb.add_option("ROBOT", o.scene, "URDF or MJCF file, scenario file, shipped scenario or gallery name")->required();
  verb.add_option("--contact", o.contact,
                  "FRAME@x,y,z: a point of a body, site or geom [m]; or the name of a contact of the scenario");
  verb.add_option("--mu", o.mu, "friction that is there (default: that of the scenario)");
  verb.add_option("--margin", o.margin, "exit code 3 when critical friction / mu is below it");
  verb.add_option("--normal", o.normal, "x,y,z: out of the surface, towards the robot (default 0,0,1: a floor)");
  verb.add_option(
      "--plane-point", o.plane_point,
      "x,y,z: the surface passes here, and only poses that touch it count (default: wherever the point is)");
  verb.add_option("--over", o.over,
                  "JOINT=FROM:TO, repeatable: narrows a joint; FROM = TO holds it (default: its limits, or all around)")
      ->allow_extra_args(false);
  verb.add_option("--samples", o.samples, "poses that are drawn (default 20000)")->check(CLI::Range(1L, 100000000L));
  verb.add_option("--seed", o.seed, "of the poses (default 1)")->check(is_seed);
  verb.add_option("--threads", o.threads, "that share the work; the answer is the same (default: one per core)")
      ->check(CLI::Range(0, 1024));
  verb.add_option("--figure", o.figure, "map.svg, map.png or map.pdf: mu_jam around the worst pose")
      ->check([](const std::string& name) { return name.empty() ? "the name is empty" : ""; });
  verb.add_option("--set", o.set, "KEY=VALUE, overrides a value of the scene; may be repeated")
      ->allow_extra_args(false);
}

}  // namespace

void add_check(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("check", "worst pose of a robot: how much friction until it can jam");
  auto options = std::make_shared<Options>();
  add_options(*verb, *options);
  add_common(*verb, common);
  verb->footer(
      "Examples:\n"
      "  painleve check arm.urdf --contact tool0@0,0,0.1 --mu 0.8 --margin 1.25\n"
      "  painleve check arm.urdf --contact tool0 --mu 0.8 --plane-point 0,0,0 --set joint.j1.armature=0.2\n"
      "  painleve check articulated-arm --mu 0.5 --over theta3=0:180deg --figure map.svg\n"
      "Ctrl-C ends it with what is known by then (exit code 130).");
  verb->callback([&common, &action, options] { action = [&common, options] { return run(*options, common); }; });
}

}  // namespace painleve::cli
