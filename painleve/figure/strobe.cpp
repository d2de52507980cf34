#include "painleve/figure/strobe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "painleve/base/error.hpp"
#include "painleve/figure/detail/event_marks.hpp"
#include "painleve/figure/detail/outline_layers.hpp"

namespace painleve {
namespace {

using detail::flat;

constexpr int most_contacts = 7;
constexpr double palest = 0.22;  // strength of the first shot
constexpr Colour path_ink{150, 150, 150};

void require(const Scene& scene, const Run& run, int shots) {
  if (scene.kind != SceneKind::mechanism) {
    throw InputError(
        fmt::format("{} is of the kind {}, which has no bodies to draw: a picture of its motion needs a mechanism",
                    scene.name, scene.mechanism));
  }
  if (shots < 2 || shots > 200) throw InputError(fmt::format("shots is {}, it must be from 2 to 200", shots));
  if (run.samples.empty()) throw InputError("the run holds no samples: simulate with samples > 0");
  const auto degrees = static_cast<Eigen::Index>(scene.posed.mechanism->coordinates().size());
  for (const Sample& sample : run.samples) {
    if (sample.q.size() != degrees) throw InputError("the samples of the run do not hold the coordinates of the scene");
  }
}

std::size_t nearest_sample(const Run& run, double t) {
  const auto later = std::lower_bound(run.samples.begin(), run.samples.end(), t,
                                      [](const Sample& sample, double time) { return sample.t < time; });
  if (later == run.samples.begin()) return 0;
  const auto index = static_cast<std::size_t>(later - run.samples.begin());
  if (later == run.samples.end()) return index - 1;
  return later->t - t < t - run.samples[index - 1].t ? index : index - 1;
}

// Outlines of the mechanism along the run.
struct Motion {
  const Run* run = nullptr;
  std::vector<Outline> outlines;  // of every sample
  std::vector<std::size_t> shots;
  std::vector<int> touching;  // contacts
  double size = 0;            // of the mechanism [m]
};

Motion motion_of(const Scene& scene, const Run& run, int shots) {
  Motion motion{&run, {}, strobe_samples(run, shots), detail::touching_contacts(run, most_contacts)};
  for (const Sample& sample : run.samples) {
    motion.outlines.push_back(scene.posed.mechanism->outline({sample.q, sample.v, sample.t}));
  }
  if (motion.outlines.front().contacts.size() != run.contacts.size()) {
    throw InputError(fmt::format("the mechanism {} has no outline to draw", scene.mechanism));
  }
  motion.size = detail::size_of(motion.outlines.front());
  return motion;
}

std::vector<Outline> shot_outlines(const Motion& motion) {
  std::vector<Outline> outlines;
  for (const std::size_t shot : motion.shots) outlines.push_back(motion.outlines[shot]);
  return outlines;
}

double strength(const Motion& motion, std::size_t shot) {
  const double last = static_cast<double>(motion.shots.size()) - 1;
  return last > 0 ? palest + (1 - palest) * std::pow(static_cast<double>(shot) / last, 2) : 1;
}

bool touches(const Motion& motion, std::size_t sample, int contact) {
  const Sample& s = motion.run->samples[sample];
  const Eigen::Index normal = motion.run->dimension * (contact + 1) - 1;
  return std::abs(s.gap(contact)) <= Tolerance{}.gap || s.lambda(normal) != 0;
}

Colour colour_of(std::size_t index) {
  constexpr int order[] = {5, 6, 3, 1, 7, 2, 0};  // the dark ones first
  return series_colour(order[index % 7]);
}

// Where the events happened: the contact named, or every closed one.
template <class See>
void at_events(const Motion& motion, const See& see) {
  for (const SimulationEvent& event : motion.run->events) {
    const std::size_t sample = nearest_sample(*motion.run, event.t);
    for (const int contact : motion.touching) {
      const bool named = event.contact == contact || (event.contact < 0 && touches(motion, sample, contact));
      if (named) see(event.kind, sample, contact);
    }
  }
}

// --- in the plane --------------------------------------------------------------------------------------------------

// A curve over all samples, broken where `shown` says no.
template <class At, class Shown>
std::vector<Point> track(const Motion& motion, const At& at, const Shown& shown) {
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  std::vector<Point> points;
  for (std::size_t i = 0; i < motion.outlines.size(); ++i) points.push_back(shown(i) ? at(i) : Point{gap, gap});
  return points;
}

// Paths of the contacts that touch, thick where they do; the others grey. `at` gives the place of a contact in a
// sample.
template <class At>
void add_paths(Plot& plot, const Motion& motion, const At& at) {
  for (std::size_t k = 0; k < motion.touching.size(); ++k) {
    const int contact = motion.touching[k];
    const auto place = [&](std::size_t i) { return at(i, contact); };
    const Colour colour = colour_of(k);
    plot.layers.emplace_back(CurveLayer{track(motion, place, [](std::size_t) { return true; }),
                                        {colour, 1},
                                        motion.run->contacts[static_cast<std::size_t>(contact)]});
    plot.layers.emplace_back(CurveLayer{
        track(motion, place, [&](std::size_t i) { return touches(motion, i, contact); }), {colour.faded(0.8), 3}});
  }
}

template <class At>
void add_events(Plot& plot, const Motion& motion, const At& at) {
  std::map<EventKind, CurveLayer> layers;
  at_events(motion, [&](EventKind kind, std::size_t sample, int contact) {
    const detail::EventMark mark = detail::event_mark(kind);
    auto [layer, fresh] = layers.try_emplace(
        kind, CurveLayer{{}, {mark.colour, 1}, detail::event_name(kind), mark.glyph, mark.size, false});
    layer->second.points.push_back(at(sample, contact));
  });
  for (auto& [kind, layer] : layers) plot.layers.emplace_back(std::move(layer));
}

Plot shots_plot(const Scene& scene, const Motion& motion) {
  Plot plot;
  plot.x = {.label = "/x/", .unit = "m"};
  plot.y = {.label = "/y/", .unit = "m"};
  plot.equal_scales = true;
  plot.legend = LegendPlace::below;
  const auto at = [&](std::size_t i, int contact) {
    return flat(motion.outlines[i].contacts[static_cast<std::size_t>(contact)].at);
  };
  detail::add_surfaces(plot.layers, detail::joined_surfaces(shot_outlines(motion)), 0.04 * motion.size);
  for (int contact = 0; contact < scene.space.count(); ++contact) {
    if (std::find(motion.touching.begin(), motion.touching.end(), contact) != motion.touching.end()) continue;
    plot.layers.emplace_back(
        CurveLayer{track(
                       motion, [&](std::size_t i) { return at(i, contact); }, [](std::size_t) { return true; }),
                   {path_ink.faded(0.5), 0.5}});
  }
  for (std::size_t k = 0; k < motion.shots.size(); ++k) {
    detail::add_bodies(plot.layers, motion.outlines[motion.shots[k]], strength(motion, k));
  }
  add_paths(plot, motion, at);
  add_events(plot, motion, at);
  return plot;
}

// How far the contacts that touch get from their surfaces; 0 where one presses into its surface or passes below it.
double largest_gap(const Motion& motion) {
  double largest = 0;
  for (const Sample& sample : motion.run->samples) {
    for (const int contact : motion.touching) {
      if (sample.gap(contact) < -Tolerance{}.gap) return 0;
      largest = std::max(largest, sample.gap(contact));
    }
  }
  return largest;
}

// How far a contact has come along the surface since the first sample.
double way(const Motion& motion, std::size_t sample, int contact) {
  const auto k = static_cast<std::size_t>(contact);
  const ContactPlace& start = motion.outlines.front().contacts[k];
  const Place moved = detail::plus(motion.outlines[sample].contacts[k].at, -1, start.at);
  return moved[0] * start.tangents[0][0] + moved[1] * start.tangents[0][1];
}

// The way along the surface and the height above it.
Plot heights_plot(const Motion& motion, double highest) {
  double longest = 0;
  for (std::size_t i = 0; i < motion.outlines.size(); ++i) {
    for (const int contact : motion.touching) longest = std::max(longest, std::abs(way(motion, i, contact)));
  }
  const auto x_unit = detail::length_unit(longest);
  const auto y_unit = detail::length_unit(highest);
  Plot plot;
  plot.x = {.label = "way along the surface", .unit = x_unit.unit, .factor = x_unit.factor};
  plot.y = {.label = "gap", .unit = y_unit.unit, .factor = y_unit.factor};
  plot.legend = LegendPlace::none;
  const auto at = [&](std::size_t i, int contact) {
    return Point{way(motion, i, contact), motion.run->samples[i].gap(contact)};
  };
  plot.layers.emplace_back(RuleLayer{false, 0, {ink, 0.8}});
  add_paths(plot, motion, at);
  add_events(plot, motion, at);
  return plot;
}

// --- in space ------------------------------------------------------------------------------------------------------

SpacePlot shots_in_space(const Motion& motion) {
  SpacePlot plot;
  const std::vector<Stroke> tables = detail::joined_surfaces(shot_outlines(motion));
  detail::add_surfaces(plot.solid, tables);
  if (!tables.empty()) detail::add_scale(plot.solid, tables.front(), motion.size);
  for (std::size_t k = 0; k < motion.shots.size(); ++k) {
    detail::add_bodies(plot.solid, motion.outlines[motion.shots[k]], plot.view, strength(motion, k));
  }
  for (std::size_t k = 0; k < motion.touching.size(); ++k) {
    const auto contact = static_cast<std::size_t>(motion.touching[k]);
    SpaceLine path{{}, {colour_of(k), 1.2}, false, true};
    for (const Outline& outline : motion.outlines) path.points.push_back(outline.contacts[contact].at);
    plot.solid.lines.push_back(std::move(path));
    plot.legend.emplace_back("path of " + motion.run->contacts[contact], colour_of(k));
  }
  at_events(motion, [&](EventKind kind, std::size_t sample, int contact) {
    const Place& at = motion.outlines[sample].contacts[static_cast<std::size_t>(contact)].at;
    const std::pair<std::string, Colour> entry{detail::event_name(kind), detail::event_mark(kind).colour};
    detail::add_dot(plot.solid, at, 0.015 * motion.size, plot.view, entry.second);
    if (std::find(plot.legend.begin(), plot.legend.end(), entry) == plot.legend.end()) plot.legend.push_back(entry);
  });
  return plot;
}

std::string caption(const Motion& motion) {
  const auto& samples = motion.run->samples;
  const auto unit = detail::time_unit(samples.back().t - samples.front().t);
  std::string text = fmt::format("{} shots from {:.4g} to {:.4g} {}, the last one darkest.", motion.shots.size(),
                                 samples.front().t * unit.factor, samples.back().t * unit.factor, unit.unit);
  const auto events = motion.run->events.size();
  if (events > 0) text += fmt::format(" {} {}.", events, events == 1 ? "event" : "events");
  return text;
}

}  // namespace

std::vector<std::size_t> strobe_samples(const Run& run, int shots) {
  std::vector<std::size_t> found;
  const double from = run.samples.front().t;
  const double to = run.samples.back().t;
  for (int k = 0; k < shots; ++k) found.push_back(nearest_sample(run, from + (to - from) * k / (shots - 1)));
  if (run.events.size() <= static_cast<std::size_t>(shots)) {
    for (const SimulationEvent& event : run.events) found.push_back(nearest_sample(run, event.t));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Figure strobe_figure(const Scene& scene, const Run& run, int shots) {
  require(scene, run, shots);
  const Motion motion = motion_of(scene, run, shots);
  Figure figure;
  figure.title = scene.name;
  figure.panel_width = 460;
  figure.panel_height = 300;
  figure.caption = caption(motion);
  if (run.dimension == 3) {
    figure.panels.emplace_back(shots_in_space(motion));
    return figure;
  }
  figure.panels.emplace_back(shots_plot(scene, motion));
  const double highest = largest_gap(motion);
  if (highest > Tolerance{}.gap && highest < 0.05 * motion.size) {
    figure.panels.emplace_back(heights_plot(motion, highest));
    figure.caption += " (b): height magnified; thick where a contact touches.";
  }
  return figure;
}

}  // namespace painleve
