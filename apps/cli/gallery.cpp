#include "painleve/mechanism/gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/scene/scene.hpp"
#include "painleve/scene/vocabulary.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

using Json = nlohmann::ordered_json;

// The two mechanisms that are numbers instead of bodies.
struct RawEntry {
  const char *name, *summary, *keys;
};
constexpr RawEntry raw_entries[] = {
    {"contact-space", "your own numbers: W, b, u, mu",
     "parameters: dimension 2 or 3 (default 2); W, b, u stacked per contact, tangents first; mu per contact; "
     "optionally gap, drift, bilateral"},
    {"drifting-contacts", "n contacts slipping along +t, known by their slip matrix P and b (Várkonyi 2018)",
     "parameters: P, b at t = 0; optionally P_rate, b_rate, b_force (then b_start instead of b), epsilon 1e-4, t_start "
     "-0.01; "
     "contact.c1 stiffness, damping (default 1)"}};

std::string range_text(Bound bound) {
  switch (bound) {
    case Bound::any:
      return "any";
    case Bound::positive:
      return "> 0";
    case Bound::nonnegative:
      return ">= 0";
    case Bound::count:
      return "whole number >= 3";
  }
  return {};
}

std::vector<ContactInfo> default_contacts(const GalleryEntry& entry) {
  Setup setup;
  for (const auto& info : entry.parameters) setup.parameters.set(info.name, info.fallback);
  for (const auto& list : entry.lists) setup.lists[list] = {};
  return entry.contacts(setup);
}

std::string default_text(const ParameterInfo& info) {
  return info.derived ? info.derived_text : fmt::format("{:.10g}", info.fallback);
}

Json coordinate_json(const CoordinateInfo& c) {
  return {{"name", c.name}, {"unit", c.unit}, {"default", c.fallback}, {"meaning", c.meaning}};
}

Json entry_json(const GalleryEntry& e) {
  Json j;
  j["name"] = e.name;
  j["summary"] = e.summary;
  j["source"] = e.source;
  j["dimension"] = e.dimension;
  j["coordinates"] = Json::array();
  for (const auto& c : e.coordinates) j["coordinates"].push_back(coordinate_json(c));
  j["stand_ins"] = Json::array();
  for (const auto& c : e.stand_ins) j["stand_ins"].push_back(coordinate_json(c));
  j["solved_for"] = e.solved;
  j["default_slip"] = e.default_slip;
  j["elbow"] = e.elbows;
  j["parameters"] = Json::array();
  for (const auto& p : e.parameters) {
    j["parameters"].push_back({{"name", p.name},
                               {"unit", p.unit},
                               {"default", p.derived ? Json(p.derived_text) : Json(p.fallback)},
                               {"range", range_text(p.bound)},
                               {"meaning", p.meaning}});
  }
  for (const auto& list : e.lists) {
    j["parameters"].push_back({{"name", list},
                               {"unit", "m"},
                               {"default", nullptr},
                               {"default_reason", "must be given"},
                               {"range", "list of [x, y]"},
                               {"meaning", "one per contact"}});
  }
  j["contacts"] = Json::array();
  for (const auto& c : default_contacts(e))
    j["contacts"].push_back({{"name", c.name}, {"closed", c.closed}, {"bilateral", c.bilateral}});
  j["forces"] = Json::array();
  for (const auto& f : e.forces)
    j["forces"].push_back({{"name", f.name}, {"unit", f.unit}, {"components", f.components}, {"meaning", f.meaning}});
  return j;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string entry_text(const GalleryEntry& e) {
  std::string text = styled(e.name, Style::strong) + ": " + e.summary + "\n  source: " + e.source +
                     "\n\nCoordinates (velocities: NAME_dot)\n";
  for (const auto& c : e.coordinates)
    text += fmt::format("  {:<12} {:<6} default {:<12.6g} {}\n", c.name, c.unit, c.fallback, c.meaning);
  for (const auto& c : e.stand_ins)
    text += fmt::format("  {:<12} {:<6} default {:<12.6g} {}\n", c.name, c.unit, c.fallback, c.meaning);
  if (!e.solved.empty()) text += "  solved for when not given: " + join(e.solved) + "\n";
  if (!e.default_slip.empty())
    text += fmt::format("  slip of the first contact: default {}\n", fmt::join(e.default_slip, ", "));
  if (!e.elbows.empty()) text += "  elbow: " + join(e.elbows) + "\n";
  text += "\nParameters\n";
  for (const auto& p : e.parameters) {
    text += fmt::format("  {:<16} {:<10} default {:<22} {:<8} {}\n", p.name, p.unit, default_text(p),
                        range_text(p.bound), p.meaning);
  }
  for (const auto& list : e.lists) text += fmt::format("  {:<16} {:<10} must be given: a list of [x, y]\n", list, "m");
  text += "\nContacts (mu 0.5, restitution 0 unless given)\n";
  const auto contacts = default_contacts(e);
  if (contacts.empty()) text += "  c1, c2, ...   one per point\n";
  for (const auto& c : contacts) {
    text += fmt::format("  {:<12} {}{}\n", c.name, c.closed ? "closed" : "open unless it touches",
                        c.bilateral ? ", bilateral" : "");
  }
  text += "\nApplied forces (numbers or expressions of t)\n";
  for (const auto& f : e.forces) text += fmt::format("  {:<12} {:<6} {}\n", f.name, f.unit, f.meaning);
  return text;
}

int list_all(const Common& common) {
  if (common.json) {
    Json j{{"schema", 1}, {"command", "gallery"}, {"mechanisms", Json::array()}, {"scenarios", Json::array()}};
    for (const auto& e : gallery()) j["mechanisms"].push_back(entry_json(e));
    for (const auto& r : raw_entries)
      j["mechanisms"].push_back({{"name", r.name}, {"summary", r.summary}, {"keys", r.keys}});
    for (const auto& s : scenarios()) j["scenarios"].push_back({{"name", s.name}, {"question", s.title()}});
    print_json(j);
    return done;
  }
  std::string text = styled("Mechanisms", Style::strong) + " (painleve gallery NAME tells more)\n";
  for (const auto& e : gallery()) text += fmt::format("  {:<20} {}\n", e.name, e.summary);
  for (const auto& r : raw_entries) text += fmt::format("  {:<20} {}\n", r.name, r.summary);
  text += "\n" + styled("Scenarios", Style::strong) + " (painleve analyze NAME)\n";
  for (const auto& s : scenarios()) text += fmt::format("  {:<22} {}\n", s.name, s.title());
  print(text);
  return done;
}

int show(const std::string& name, const Common& common) {
  for (const auto& s : scenarios()) {
    if (s.name != name) continue;
    if (common.json) {
      print_json({{"schema", 1}, {"command", "gallery"}, {"name", s.name}, {"question", s.title()}, {"toml", s.text}});
    } else {
      print(s.text);
    }
    return done;
  }
  for (const auto& r : raw_entries) {
    if (name != r.name) continue;
    if (common.json) {
      print_json({{"schema", 1}, {"command", "gallery"}, {"name", r.name}, {"summary", r.summary}, {"keys", r.keys}});
    } else {
      print(fmt::format("{}: {}\n  {}\n", styled(r.name, Style::strong), r.summary, r.keys));
    }
    return done;
  }
  auto known = mechanism_names();
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    for (const auto& s : scenarios()) known.push_back(s.name);
    throw InputError(unknown_name("mechanism or scenario", name, known));
  }
  const auto& entry = gallery_entry(name);
  if (common.json) {
    Json j{{"schema", 1}, {"command", "gallery"}};
    j.update(entry_json(entry));
    print_json(j);
  } else {
    print(entry_text(entry));
  }
  return done;
}

}  // namespace

void add_gallery(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("gallery", "lists mechanisms and scenarios, or tells all about one");
  auto name = std::make_shared<std::string>();
  verb->add_option("NAME", *name, "mechanism or scenario");
  add_common(*verb, common);
  verb->footer(
      "Examples:\n  painleve gallery\n  painleve gallery rod\n  painleve gallery rod-no-solution > my-scene.toml");
  verb->callback([&common, &action, name, verb] {
    action = [&common, name, all = verb->count("NAME") == 0] { return all ? list_all(common) : show(*name, common); };
  });
}

}  // namespace painleve::cli
