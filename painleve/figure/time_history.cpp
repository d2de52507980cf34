#include "painleve/figure/time_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "painleve/base/error.hpp"
#include "painleve/figure/detail/event_marks.hpp"
#include "painleve/figure/detail/stacked_axes.hpp"

namespace painleve {
namespace {

constexpr double nothing_there = std::numeric_limits<double>::quiet_NaN();
constexpr int most_contacts = 7;
constexpr int most_labels = 12;
constexpr double label_room = 0.035;  // of the axis of time, between two labels

void require(const Run& run, const TimeHistory& options) {
  if (run.samples.empty()) throw InputError("the run holds no samples: simulate with samples > 0");
  const auto count = run.contacts.size();
  if (!options.laws.empty() && options.laws.size() != count) {
    throw InputError(fmt::format("{} laws are given, the run has {} contacts", options.laws.size(), count));
  }
  for (const int contact : options.contacts) {
    if (contact < 0 || static_cast<std::size_t>(contact) >= count) {
      throw InputError(
          fmt::format("contact {} is asked for, the run has 0 to {}", contact, static_cast<long>(count) - 1));
    }
  }
}

// Everything that the panels share.
struct History {
  const Run* run = nullptr;
  const TimeHistory* options = nullptr;
  std::vector<int> contacts;
  double from = 0, to = 1;  // [s]
  detail::ShownUnit time;
  std::vector<detail::EventGroup> groups;

  int normal(int contact) const { return run->dimension * contact + run->dimension - 1; }
};

History history_of(const Run& run, const TimeHistory& options) {
  History h{&run, &options, options.contacts, run.samples.front().t, run.samples.back().t, {}, {}};
  if (h.contacts.empty()) h.contacts = detail::touching_contacts(run, most_contacts);
  if (!(h.to > h.from)) h.to = h.from + 1e-3;
  h.time = detail::time_unit(h.to - h.from);
  h.groups = detail::event_groups(run.events, label_room * (h.to - h.from), most_labels);
  return h;
}

using Value = std::function<double(const Sample&)>;

std::vector<Point> curve(const History& h, const Value& value) {
  std::vector<Point> points;
  points.reserve(h.run->samples.size());
  for (const Sample& sample : h.run->samples) points.push_back({sample.t, value(sample)});
  return points;
}

double largest(const History& h, const std::function<double(const Sample&, int)>& value) {
  double size = 0;
  for (const Sample& sample : h.run->samples) {
    for (const int contact : h.contacts) size = std::max(size, std::abs(value(sample, contact)));
  }
  return size;
}

// Okabe and Ito's colours and, where curves may hide each other, dashes.
Pen pen_of(std::size_t index) {
  constexpr Dash dashes[] = {Dash::solid, Dash::dashed, Dash::dash_dot, Dash::dotted};
  static constexpr int order[] = {5, 6, 3, 1, 7, 2, 0};  // the dark ones first: thin lines on white
  return {series_colour(order[index % 7]), 1.3, dashes[index % 4]};
}

Pen edge_pen(std::size_t index) { return {pen_of(index).colour.faded(0.75), 0.8, Dash::dashed}; }

Plot empty_plot(const History& h, const std::string& label, const std::string& unit) {
  Plot plot;
  plot.x = {.label = {}, .unit = {}, .from = h.from, .to = h.to, .factor = h.time.factor};
  plot.y = {.label = label, .unit = unit};
  return plot;
}

// Lines at the first and the last event of every group.
void add_flags(Plot& plot, const History& h) {
  const Pen pen{Colour{110, 110, 110}, 0.7, Dash::dotted};
  for (const auto& group : h.groups) {
    plot.layers.emplace_back(RuleLayer{true, group.from, pen});
    if (group.to > group.from) plot.layers.emplace_back(RuleLayer{true, group.to, pen});
  }
}

// One curve per contact of one row of numbers.
Plot contact_plot(const History& h, const std::string& label, const std::string& unit,
                  const std::function<double(const Sample&, int)>& value) {
  Plot plot = empty_plot(h, label, unit);
  add_flags(plot, h);
  for (std::size_t k = 0; k < h.contacts.size(); ++k) {
    const int contact = h.contacts[k];
    plot.layers.emplace_back(CurveLayer{curve(h, [&](const Sample& s) { return value(s, contact); }), pen_of(k)});
  }
  return plot;
}

double at(const Eigen::VectorXd& numbers, int row) { return row < numbers.size() ? numbers(row) : nothing_there; }

std::vector<Point> band(const detail::EventGroup& group) {
  return {{group.from, 0}, {group.to, 0}, {group.to, 1}, {group.from, 1}};
}

// A strip with one label per group of events, beside its flag.
void add_events(Figure& figure, const History& h) {
  if (h.groups.empty()) return;
  Plot plot = empty_plot(h, "events", "");
  plot.y.from = 0;
  plot.y.to = 1;
  plot.y.ticks = {{0, ""}};  // none but at the corner, to be padded
  add_flags(plot, h);
  for (const auto& group : h.groups) {
    const double span = h.to - h.from;
    const bool wide = group.to - group.from > label_room * span;
    if (wide) plot.layers.emplace_back(RegionLayer{band(group), Colour{232, 232, 232}});
    const bool at_the_end = group.to > h.to - label_room * span;
    const double beside = wide ? 2.5 : at_the_end ? -2.0 : 8.0;  // [pt] from the flag; letters are some 6 high
    plot.layers.emplace_back(
        NoteLayer{{(group.from + group.to) / 2, 0.04}, group.label, {7, Anchor::start, ink, 90}, beside, 0});
  }
  figure.panels.emplace_back(std::move(plot));
}

// --- the panels ----------------------------------------------------------------------------------------------------

void add_gaps(Figure& figure, const History& h) {
  const auto gap = [](const Sample& s, int contact) { return at(s.gap, contact); };
  const double size = largest(h, gap);
  if (!(size > Tolerance{}.gap)) {
    figure.caption += "All contacts shown stay closed. ";
    return;
  }
  const auto unit = detail::length_unit(size);
  Plot plot = contact_plot(h, "gap", unit.unit, gap);
  plot.y.factor = unit.factor;
  figure.panels.emplace_back(std::move(plot));
}

void add_normal_velocities(Figure& figure, const History& h) {
  const auto u_n = [&](const Sample& s, int contact) { return at(s.u, h.normal(contact)); };
  if (!(largest(h, u_n) > Tolerance{}.velocity)) return;
  figure.panels.emplace_back(contact_plot(h, "/u/_{n}", "m/s", u_n));
}

std::string component(const History& h, const char* symbol, int k) {
  return h.run->dimension == 2 ? fmt::format("{}_{{t}}", symbol) : fmt::format("{}_{{t{}}}", symbol, k + 1);
}

void add_tangential_velocities(Figure& figure, const History& h) {
  for (int k = 0; k + 1 < h.run->dimension; ++k) {
    figure.panels.emplace_back(contact_plot(h, component(h, "/u/", k), "m/s", [&](const Sample& s, int contact) {
      return at(s.u, h.run->dimension * contact + k);
    }));
  }
}

// On a logarithmic axis only what is positive is seen.
double shown_force(double force, bool logarithmic) { return !logarithmic || force > 0 ? force : nothing_there; }

bool carries_force(const History& h) {
  const auto largest_force = largest(h, [&](const Sample& s, int contact) { return at(s.lambda, h.normal(contact)); });
  return largest_force > 0;
}

void add_normal_forces(Figure& figure, const History& h, bool logarithmic) {
  Plot plot = contact_plot(h, "λ_{n}", "N", [&](const Sample& s, int contact) {
    return shown_force(at(s.lambda, h.normal(contact)), logarithmic);
  });
  if (logarithmic) plot.y.scale = Scale::logarithmic;
  figure.panels.emplace_back(std::move(plot));
}

// The edges ±μ|λ_n| of the cones.
void add_edges(Plot& plot, const History& h, bool logarithmic) {
  if (h.options->laws.empty()) return;
  for (std::size_t k = 0; k < h.contacts.size(); ++k) {
    const int contact = h.contacts[k];
    const double mu = h.options->laws[static_cast<std::size_t>(contact)].mu;
    for (const double side : {1.0, -1.0}) {
      if (logarithmic && side < 0) continue;
      const auto edge = [&](const Sample& s) {
        return shown_force(side * mu * std::abs(at(s.lambda, h.normal(contact))), logarithmic);
      };
      plot.layers.emplace_back(CurveLayer{curve(h, edge), edge_pen(k)});
    }
  }
}

void add_tangential_forces(Figure& figure, const History& h, bool logarithmic) {
  for (int k = 0; k + 1 < h.run->dimension; ++k) {
    const auto force = [&](const Sample& s, int contact) {
      const double value = at(s.lambda, h.run->dimension * contact + k);
      return logarithmic ? shown_force(std::abs(value), true) : value;
    };
    const std::string symbol = component(h, "λ", k);
    Plot plot = contact_plot(h, logarithmic ? "|" + symbol + "|" : symbol, "N", force);
    if (logarithmic) plot.y.scale = Scale::logarithmic;
    add_edges(plot, h, logarithmic);
    figure.panels.emplace_back(std::move(plot));
  }
}

// The axis of time is named once, and the contacts once, under the last panel.
void finish(Figure& figure, const History& h) {
  detail::stack_axes(figure.panels);
  auto& last = std::get<Plot>(figure.panels.back());
  last.legend = LegendPlace::below;
  const std::vector<Point> nowhere{{nothing_there, nothing_there}};
  for (std::size_t k = 0; k < h.contacts.size(); ++k) {
    last.layers.emplace_back(CurveLayer{nowhere, pen_of(k), h.run->contacts[static_cast<std::size_t>(h.contacts[k])]});
  }
  if (!h.options->laws.empty() && h.run->dimension > 1 && carries_force(h)) {
    last.layers.emplace_back(CurveLayer{nowhere, edge_pen(0), "edge of the cone, μλ_{n}"});
  }
  last.x.label = "time";
  last.x.unit = h.time.unit;
}

// Raw contact data have none.
void add_energy(Figure& figure, const History& h) {
  const auto& samples = h.run->samples;
  if (std::all_of(samples.begin(), samples.end(), [](const Sample& s) { return s.energy == 0; })) return;
  Plot plot = empty_plot(h, "energy", "J");
  add_flags(plot, h);
  plot.layers.emplace_back(CurveLayer{curve(h, [](const Sample& s) { return s.energy; }), {ink, 1.3}});
  figure.panels.emplace_back(std::move(plot));
  const EnergyLedger& e = h.run->energy;
  const double scale = std::max({std::abs(e.initial), std::abs(e.final), std::abs(e.applied)});
  const auto plain = [&](double x) { return std::abs(x) < 1e-12 * scale ? 0.0 : x; };  // what is only rounding
  figure.caption += fmt::format(
      "Energy: {:.4g} J at the start, {:.4g} J at the end; friction took {:.4g} J, impacts {:.4g} J, applied forces "
      "and "
      "moving supports gave {:.4g} J; defect {:.1e} J. ",
      e.initial, e.final, plain(e.friction), plain(e.impact), plain(e.applied), e.defect());
}

}  // namespace

bool wants_logarithmic_force(const Run& run, const std::vector<int>& contacts) {
  constexpr double decades = 1e3;
  std::vector<double> positive;
  for (const Sample& sample : run.samples) {
    for (const int contact : contacts) {
      const double force = at(sample.lambda, run.dimension * contact + run.dimension - 1);
      if (force > 0 && std::isfinite(force)) positive.push_back(force);
    }
  }
  if (positive.empty()) return false;
  const auto tenth = positive.begin() + static_cast<std::ptrdiff_t>(positive.size() / 10);
  std::nth_element(positive.begin(), tenth, positive.end());
  const double low = *tenth;
  return *std::max_element(positive.begin(), positive.end()) > decades * low;
}

Figure time_history(const Run& run, const TimeHistory& options) {
  require(run, options);
  const History h = history_of(run, options);
  const bool logarithmic = wants_logarithmic_force(run, h.contacts);
  Figure figure;
  figure.title = options.title;
  figure.letters = false;
  figure.panel_width = options.panel_width;
  figure.panel_height = options.panel_height;
  add_events(figure, h);
  add_gaps(figure, h);
  add_normal_velocities(figure, h);
  add_tangential_velocities(figure, h);
  if (carries_force(h)) {
    add_normal_forces(figure, h, logarithmic);
    add_tangential_forces(figure, h, logarithmic);
  } else {
    figure.caption += "No contact force acts but in impacts. ";
  }
  add_energy(figure, h);
  finish(figure, h);
  return figure;
}

}  // namespace painleve
