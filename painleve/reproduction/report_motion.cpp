// The sections of a report on what follows: the motion by three methods, their limits, maps around the state.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/figure/convergence_figure.hpp"
#include "painleve/figure/map_figure.hpp"
#include "painleve/figure/strobe.hpp"
#include "painleve/figure/time_history.hpp"
#include "painleve/reproduction/detail/report_sections.hpp"
#include "painleve/scene/simulating.hpp"
#include "painleve/study/boundaries.hpp"
#include "painleve/study/converge.hpp"
#include "painleve/study/map.hpp"

namespace painleve::reporting {
namespace {

constexpr int most_histories = 3;  // futures whose course is drawn

HtmlCell text(const std::string& plain, CellTone tone = CellTone::plain) { return {html_escaped(plain), tone}; }
HtmlCell number(double value) { return {fmt::format("{:.8g}", value + 0.0), CellTone::number}; }

// The ends of a tree of futures, with the choices that led to each.
struct Leaf {
  const Run* run;
  std::string why;
};

void collect(const Run& run, const std::string& why, std::vector<Leaf>& endings) {
  const std::string here = run.why.empty() ? why : why.empty() ? run.why : why + "; " + run.why;
  if (run.futures.empty()) endings.push_back({&run, here});
  for (const Run& future : run.futures) collect(future, here, endings);
}

void endings_table(HtmlPage& page, const std::string& caption, const std::vector<Leaf>& endings) {
  HtmlTable table{
      html_escaped(caption), {"future", "stopped by", "t [s]", "outcome", "events", "energy defect [J]", "remark"}, {}};
  for (const Leaf& e : endings) {
    const double defect = std::abs(e.run->energy.defect());
    table.rows.push_back({text(e.why.empty() ? "the only one" : e.why), text(e.run->stopped), number(e.run->t),
                          text(e.run->outcome), number(static_cast<double>(e.run->events.size())),
                          text(defect < 1e-12 ? "below 1e-12" : fmt::format("{:.0e}", defect), CellTone::number),
                          text(e.run->stop_reason)});
  }
  page.table(table);
}

void jam_paragraph(HtmlPage& page, const Run& run) {
  if (run.jam && run.jam->exponent) {
    page.paragraph(
        fmt::format("On the way to a jam at t = {:.9g} s the normal force grows as (t* − t) to the power "
                    "{:.4f}{}.",
                    run.jam->t_star, *run.jam->exponent,
                    run.jam->predicted ? fmt::format(" (predicted {:.4f})", *run.jam->predicted) : ""));
  }
  if (run.nearest_jam) {
    page.paragraph(fmt::format("Nearest to jamming: contact {} at t = {:.6g} s, with {:.4g} of the friction that jams.",
                               html_escaped(run.contacts[static_cast<std::size_t>(run.nearest_jam->contact)]),
                               run.nearest_jam->t, run.nearest_jam->ratio));
  }
}

void run_pictures(HtmlPage& page, const Scene& scene, const Run& run, const std::string& title) {
  if (run.samples.size() < 2) return;
  TimeHistory history;
  history.title = title;
  if (run.dimension == scene.space.dimension) history.laws = scene.laws;
  page.picture(to_svg(draw(time_history(run, history))));
  if (scene.kind == SceneKind::mechanism) page.picture(to_svg(draw(strobe_figure(scene, run, 8))));
}

void method_part(HtmlPage& page, const Subject& subject, SimulationMethod method) {
  SimulateOptions options;
  options.method = method;
  options.simulation.t_end = subject.options.t_end;
  options.simulation.samples = 600;
  options.simulation.policy = method == SimulationMethod::compliant ? Policy::principle : Policy::all;
  options.simulation.most_futures = 16;
  options.simulation.progress = [&](const Progress&) { return subject.options.proceed(0); };
  page.heading(3, fmt::format("method {}", to_string(method)), fmt::format("motion-{}", to_string(method)));
  try {
    const Run run = simulate(subject.scene, options);
    std::vector<Leaf> endings;
    collect(run, "", endings);
    endings_table(page, fmt::format("{} future{}", endings.size(), endings.size() == 1 ? "" : "s"), endings);
    jam_paragraph(page, run);
    if (run.samples.size() > 1 && !run.futures.empty()) run_pictures(page, subject.scene, run, "until it branches");
    for (std::size_t i = 0; i < endings.size() && i < most_histories; ++i)
      run_pictures(page, subject.scene, *endings[i].run, endings[i].why);
  } catch (const InputError& reason) {
    page.note(fmt::format("Left out: {}.", html_escaped(reason.what())));
  }
}

// A state variable on which W depends, angles first, and its range about the present value.
std::optional<MapAxis> posture_axis(const Subject& subject) {
  const GalleryEntry& entry = *subject.scene.entry;
  std::vector<const CoordinateInfo*> candidates;
  for (const CoordinateInfo& c : entry.coordinates) candidates.push_back(&c);
  std::stable_partition(candidates.begin(), candidates.end(), [](const CoordinateInfo* c) { return c->unit == "rad"; });
  const auto& names = subject.scene.posed.mechanism->coordinates();
  for (const CoordinateInfo* c : candidates) {
    const auto at = std::find(names.begin(), names.end(), c->name) - names.begin();
    const double here = subject.scene.posed.state.q(at);
    const double reach = c->unit == "rad" ? std::numbers::pi / 4 : std::max(0.5 * std::abs(here), 0.1);
    try {
      SceneSource moved = subject.source;
      moved.set("state." + c->name, here + reach / 7);
      if ((moved.build().space.W - subject.scene.space.W).norm() > 1e-9)
        return MapAxis{"state." + c->name, c->name, c->unit, here - reach, here + reach, subject.options.cells};
    } catch (const InputError&) {  // solved for, or out of reach: the next one
    }
  }
  return std::nullopt;
}

}  // namespace

void motion_section(HtmlPage& page, const Subject& subject) {
  if (subject.scene.kind == SceneKind::mechanism) {
    method_part(page, subject, SimulationMethod::event);
    method_part(page, subject, SimulationMethod::step);
  }
  method_part(page, subject, SimulationMethod::compliant);
}

void limit_section(HtmlPage& page, const Subject& subject) {
  if (!subject.options.converge) {
    page.note("Left out on request.");
    return;
  }
  ConvergeProblem problem;
  problem.scene = subject.scene;
  problem.simulation.t_end = subject.options.t_end;
  problem.stiffness = logarithmic_range(1e4, 1e7, 4);
  if (subject.scene.kind == SceneKind::mechanism) problem.dt = logarithmic_range(1e-2, 1.25e-3, 4);
  const ConvergeReport report = converge(problem, subject.options.proceed);
  if (!report.complete) return;
  page.paragraph(fmt::format("<b>{}</b>: {}", html_escaped(report.verdict), html_escaped(report.verdict_reason)));
  const char* agreement = !report.agrees   ? "were not compared to the end"
                          : *report.agrees ? "agree in the limit"
                                           : "do not agree in the limit";
  page.paragraph(html_escaped(
      fmt::format("Rigid, time-stepping and compliant answers {}: {}. {}{}.", agreement, report.agrees_reason,
                  report.futures.empty() ? "There is no rigid answer: " : "In theory they ", report.expected)));
  page.picture(to_svg(draw(convergence_figure(problem, report))));
}

void maps_section(HtmlPage& page, const Subject& subject) {
  if (subject.scene.kind != SceneKind::mechanism) throw InputError("maps vary a posture and the friction");
  const std::optional<MapAxis> posture = posture_axis(subject);
  if (!posture) throw InputError("no coordinate changes its contact data");
  MapProblem problem{subject.source, {}, {}, {}, {}, ""};
  const double mu = subject.scene.space.mu.maxCoeff();
  problem.axes = {*posture, {"contact.mu", "mu", "1", 0, std::max(2 * mu, 2.0), subject.options.cells}};
  problem.quantities = {Quantity::parse("verdict"), Quantity::parse("consistent_modes"),
                        Quantity::parse("continuations")};
  MapOptions options;
  options.threads = subject.options.threads;
  const Map map = compute_map(problem, options);
  Figure figure = map_figure(map, boundaries(problem, map, 1e-6, subject.options.threads));
  const double here = (posture->from + posture->to) / 2;
  for (Panel& panel : figure.panels) {
    CurveLayer mark;
    mark.points = {{here, subject.scene.space.mu(0)}};
    mark.line = false;
    mark.glyph = Glyph::cross;
    mark.glyph_size = 8;
    mark.label = "this state";
    if (auto* plot = std::get_if<Plot>(&panel)) plot->layers.emplace_back(mark);
  }
  page.picture(to_svg(draw(figure)));
}

}  // namespace painleve::reporting
