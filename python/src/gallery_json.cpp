#include "gallery_json.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/mechanism/gallery.hpp"
#include "painleve/scene/scene.hpp"
#include "painleve/scene/vocabulary.hpp"

namespace painleve::python {
namespace {

using Json = nlohmann::ordered_json;

// The two mechanisms that are numbers instead of bodies.
struct RawEntry {
  const char *name, *summary, *keys;
};
constexpr std::array<RawEntry, 2> raw_entries = {
    {{"contact-space", "your own numbers: W, b, u, mu",
      "parameters: dimension 2 or 3 (default 2); W, b, u stacked per contact, tangents first; mu per contact; "
      "optionally gap, drift, bilateral"},
     {"drifting-contacts", "n contacts slipping along +t, known by their slip matrix P and b (Várkonyi 2018)",
      "parameters: P, b at t = 0; optionally P_rate, b_rate, b_force (then b_start instead of b), epsilon 1e-4, "
      "t_start -0.01; contact.c1 stiffness, damping (default 1)"}}};

const char* range_text(Bound bound) {
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
  return "";
}

Json coordinates_json(const std::vector<CoordinateInfo>& coordinates) {
  Json list = Json::array();
  for (const CoordinateInfo& c : coordinates)
    list.push_back({{"name", c.name}, {"unit", c.unit}, {"default", c.fallback}, {"meaning", c.meaning}});
  return list;
}

Json parameters_json(const GalleryEntry& entry) {
  Json list = Json::array();
  for (const ParameterInfo& p : entry.parameters) {
    list.push_back({{"name", p.name},
                    {"unit", p.unit},
                    {"default", p.derived ? Json(p.derived_text) : Json(p.fallback)},
                    {"range", range_text(p.bound)},
                    {"meaning", p.meaning}});
  }
  for (const std::string& name : entry.lists) {
    list.push_back({{"name", name},
                    {"unit", "m"},
                    {"default", nullptr},
                    {"default_reason", "must be given"},
                    {"range", "list of [x, y]"},
                    {"meaning", "one per contact"}});
  }
  return list;
}

Json contacts_json(const GalleryEntry& entry) {
  Setup setup;
  for (const ParameterInfo& p : entry.parameters) setup.parameters.set(p.name, p.fallback);
  for (const std::string& name : entry.lists) setup.lists[name] = {};
  Json list = Json::array();
  for (const ContactInfo& c : entry.contacts(setup))
    list.push_back({{"name", c.name}, {"closed", c.closed}, {"bilateral", c.bilateral}});
  return list;
}

Json entry_json(const GalleryEntry& e) {
  Json j{{"name", e.name}, {"summary", e.summary}, {"source", e.source}, {"dimension", e.dimension}};
  j["coordinates"] = coordinates_json(e.coordinates);
  j["stand_ins"] = coordinates_json(e.stand_ins);
  j["solved_for"] = e.solved;
  j["default_slip"] = e.default_slip;
  j["elbow"] = e.elbows;
  j["parameters"] = parameters_json(e);
  j["contacts"] = contacts_json(e);
  j["forces"] = Json::array();
  for (const ForceInfo& f : e.forces)
    j["forces"].push_back({{"name", f.name}, {"unit", f.unit}, {"components", f.components}, {"meaning", f.meaning}});
  return j;
}

Json raw_json(const RawEntry& r) { return {{"name", r.name}, {"summary", r.summary}, {"keys", r.keys}}; }

Json head() { return {{"schema", 1}, {"command", "gallery"}}; }

[[noreturn]] void refuse(const std::string& name) {
  std::vector<std::string> known = mechanism_names();
  for (const Scenario& s : scenarios()) known.push_back(s.name);
  throw InputError(unknown_name("mechanism or scenario", name, known));
}

}  // namespace

Json gallery_json() {
  Json j = head();
  j["mechanisms"] = Json::array();
  for (const GalleryEntry& e : gallery()) j["mechanisms"].push_back(entry_json(e));
  for (const RawEntry& r : raw_entries) j["mechanisms"].push_back(raw_json(r));
  j["scenarios"] = Json::array();
  for (const Scenario& s : scenarios()) j["scenarios"].push_back({{"name", s.name}, {"question", s.title()}});
  return j;
}

Json gallery_json(const std::string& name) {
  Json j = head();
  for (const Scenario& s : scenarios()) {
    if (s.name != name) continue;
    j.update(Json{{"name", s.name}, {"question", s.title()}, {"toml", s.text}});
    return j;
  }
  for (const RawEntry& r : raw_entries) {
    if (name != r.name) continue;
    j.update(raw_json(r));
    return j;
  }
  for (const GalleryEntry& e : gallery()) {
    if (e.name != name) continue;
    j.update(entry_json(e));
    return j;
  }
  refuse(name);
}

}  // namespace painleve::python
