// The sections of a report on one instant: state, contacts, modes, solutions, impact.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/figure/cone_figure.hpp"
#include "painleve/figure/impact_paths.hpp"
#include "painleve/figure/mechanism_drawing.hpp"
#include "painleve/figure/mode_regions.hpp"
#include "painleve/figure/phase_portrait.hpp"
#include "painleve/figure/step_solutions.hpp"
#include "painleve/reproduction/detail/report_sections.hpp"
#include "painleve/scene/impacting.hpp"
#include "painleve/scene/solving.hpp"

namespace painleve::reporting {
namespace {

HtmlCell text(const std::string& plain, CellTone tone = CellTone::plain) { return {html_escaped(plain), tone}; }
HtmlCell number(double value) { return {fmt::format("{:.8g}", value + 0.0), CellTone::number}; }
HtmlCell number(const std::optional<double>& value) { return value ? number(*value) : text("–"); }

std::string picture(const Panel& panel, double width = 420, double height = 320) {
  Figure figure;
  figure.panels = {panel};
  figure.panel_width = width;
  figure.panel_height = height;
  return to_svg(draw(figure));
}

// A picture that the scene may not have: then the reason, in the page.
template <class Draw>
void picture_or_reason(HtmlPage& page, const std::string& what, Draw&& make) {
  try {
    page.picture(make());
  } catch (const InputError& reason) {
    page.note(fmt::format("No {}: {}.", what, html_escaped(reason.what())));
  }
}

std::string numbers(const Eigen::VectorXd& values) {
  std::string list;
  for (const double value : values) list += fmt::format("{}{:.8g}", list.empty() ? "" : ", ", value + 0.0);
  return list;
}

void state_table(HtmlPage& page, const Scene& scene) {
  const GalleryEntry& entry = *scene.entry;
  HtmlTable table{"Coordinates and velocities", {"name", "value", "velocity", "meaning"}, {}};
  for (std::size_t i = 0; i < entry.coordinates.size(); ++i) {
    const CoordinateInfo& c = entry.coordinates[i];
    const auto k = static_cast<Eigen::Index>(i);
    table.rows.push_back({text(c.name), text(with_unit(scene.posed.state.q(k), c.unit), CellTone::number),
                          text(with_unit(scene.posed.state.v(k), c.unit + "/s"), CellTone::number), text(c.meaning)});
  }
  page.table(table);
  HtmlTable parameters{"Parameters", {"name", "value", "meaning"}, {}};
  for (const ParameterInfo& p : entry.parameters) {
    if (scene.posed.parameters.has(p.name))
      parameters.rows.push_back({text(p.name),
                                 text(with_unit(scene.posed.parameters.at(p.name), p.unit), CellTone::number),
                                 text(p.meaning)});
  }
  page.table(parameters);
}

// The forces of the first consistent mode that presses, stacked over all contacts of the space.
Eigen::VectorXd shown_forces(const Analysis& analysis) {
  const ContactSpace& space = analysis.scene.space;
  for (const ModeEntry& mode : analysis.modes.modes) {
    if (!mode.consistent || !mode.lambda || mode.lambda->isZero(0)) continue;
    Eigen::VectorXd lambda = Eigen::VectorXd::Zero(space.b.size());
    for (std::size_t i = 0; i < analysis.modes.closed.size(); ++i)
      lambda.segment(space.tangent(analysis.modes.closed[i]), space.dimension) =
          mode.lambda->segment(space.dimension * static_cast<Eigen::Index>(i), space.dimension);
    return lambda;
  }
  return {};
}

void portrait_picture(HtmlPage& page, const Scene& scene, int contact) {
  const ContactLaw& law = scene.laws[static_cast<std::size_t>(contact)];
  const double k = law.stiffness.value_or(1);
  FastPortrait portrait = fast_portrait(planar_contact(scene.space, contact), k, law.damping.value_or(std::sqrt(k)));
  portrait.title = "fast dynamics of " + scene.space.names[static_cast<std::size_t>(contact)];
  page.picture(picture(fast_portrait_plot(portrait)));
}

std::string how_it_goes_on(const ModeTable& modes) {
  if (modes.verdict == "impact") return "a contact strikes its surface";
  if (modes.continuations.empty()) return "no mode continues the motion";
  const bool strikes = std::any_of(modes.continuations.begin(), modes.continuations.end(),
                                   [](const std::string& name) { return name.find('I') != std::string::npos; });
  return html_escaped(fmt::format("it goes on as {}{}", fmt::join(modes.continuations, " or "),
                                  strikes ? " (I: an impact without collision)" : ""));
}

}  // namespace

std::string with_unit(double value, const std::string& unit) {
  const double degrees = 180 / std::numbers::pi;
  if (unit == "rad") return fmt::format("{:.8g}°", value * degrees + 0.0);
  return fmt::format("{:.8g}{}{}", value + 0.0, unit == "1" || unit.empty() ? "" : " ", unit == "1" ? "" : unit);
}

void state_section(HtmlPage& page, const Subject& subject) {
  const Scene& scene = subject.scene;
  const ModeTable& modes = subject.analysis.modes;
  page.paragraph(fmt::format("Mechanism <b>{}</b>, verdict <b>{}</b>: {}.", html_escaped(scene.mechanism),
                             html_escaped(modes.verdict.empty() ? "not decided" : modes.verdict),
                             how_it_goes_on(modes)));
  if (scene.kind != SceneKind::mechanism) return;
  picture_or_reason(page, "drawing", [&] {
    MechanismDrawing drawing;
    drawing.lambda = shown_forces(subject.analysis);
    return picture(mechanism_panel(scene, drawing), 460, 360);
  });
  state_table(page, scene);
}

void contacts_section(HtmlPage& page, const Subject& subject) {
  const Scene& scene = subject.scene;
  if (scene.kind == SceneKind::drifting_contacts)
    throw InputError("drifting contacts are known by their slip matrix alone");
  HtmlTable table{
      "Contacts", {"contact", "state", "μ", "μ_{crit}", "μ_{jam}", "p [1/kg]", "b_{n} [m/s²]", "gap [m]"}, {}};
  for (std::string& head : table.head) head = html_marked(head);
  for (std::size_t i = 0; i < subject.analysis.contacts.size(); ++i) {
    const ContactReport& c = subject.analysis.contacts[i];
    const auto k = static_cast<int>(i);
    table.rows.push_back({text(c.name), text(to_string(c.touch)), number(scene.space.mu(k)), number(c.cone.mu_crit),
                          number(c.cone.mu_jam), number(c.p), number(scene.space.b(scene.space.normal(k))),
                          number(scene.space.gap(k))});
  }
  page.table(table);
  page.note(html_marked(
      "μ_{jam}: friction from which slip in some direction jams; μ_{crit}: from which the contact can be stopped "
      "without "
      "slip; p: normal acceleration per normal force in slip, negative where pressing pulls the contact in."));
  for (int i = 0; i < scene.space.count(); ++i) {
    if (subject.analysis.contacts[static_cast<std::size_t>(i)].touch == Touch::open) continue;
    picture_or_reason(page, "cone of " + scene.space.names[static_cast<std::size_t>(i)], [&] {
      return scene.space.dimension == 3 ? picture(cone_plot(scene, i)) : picture(cone_plane_plot(scene, i));
    });
  }
}

void modes_section(HtmlPage& page, const Subject& subject) {
  const ModeTable& modes = subject.analysis.modes;
  HtmlTable table{fmt::format("All kinematically admissible modes; verdict: {}", html_escaped(modes.verdict)),
                  {"mode", "consistent", "normal forces [N]", "stability", "growth rate [1/s]", "why not"},
                  {}};
  const int d = subject.scene.kind == SceneKind::drifting_contacts ? 1 : subject.scene.space.dimension;
  for (const ModeEntry& m : modes.modes) {
    Eigen::VectorXd lambda_n;
    if (m.lambda) lambda_n = (*m.lambda)(Eigen::seqN(d - 1, m.lambda->size() / d, d));
    table.rows.push_back(
        {text(m.name), text(m.consistent ? "yes" : "no", m.consistent ? CellTone::good : CellTone::plain),
         text(m.lambda ? numbers(lambda_n) : "–", CellTone::number), text(m.consistent ? m.stability.verdict : ""),
         m.growth && m.consistent ? number(m.growth->rate) : text("–"), text(m.reason)});
  }
  page.table(table);
  page.note(
      "One letter group per closed contact: F leaves its surface, T sticks, S+ and S- slip (S in space); I is an "
      "impact "
      "without collision. Stability is that of stiff springs in the place of rigid contacts.");
  for (const ImpactWithoutCollision& iwc : modes.iwc) {
    if (iwc.possible)
      page.paragraph(fmt::format("An impact without collision is possible: {}.", html_escaped(iwc.name)));
  }
  if (subject.scene.kind == SceneKind::drifting_contacts || subject.scene.space.dimension != 2) return;
  for (const int i : modes.closed) {
    picture_or_reason(page, "regions of modes", [&] { return picture(mode_regions_plot(subject.scene, i)); });
    if (modes.closed.size() > 1) page.note("The regions are those of this contact with the others free.");
  }
  if (modes.closed.size() == 1) portrait_picture(page, subject.scene, modes.closed.front());
}

void solutions_section(HtmlPage& page, const Subject& subject) {
  for (const FormulationKind kind : {FormulationKind::acceleration, FormulationKind::impulse, FormulationKind::step}) {
    SolveOptions options;
    options.formulation = kind;
    options.step.dt = subject.options.dt;
    const SolveReport solved = solve(subject.scene, options);
    const std::string dt = kind == FormulationKind::step ? fmt::format(", dt = {:g} s", subject.options.dt) : "";
    HtmlTable table{fmt::format("{}{}: {} solution{}, {}", to_string(kind), dt, solved.set.solutions.size(),
                                solved.set.solutions.size() == 1 ? "" : "s",
                                solved.set.complete ? "none can be missing" : "the list may be incomplete"),
                    {"mode",
                     kind == FormulationKind::acceleration ? "force, per contact tangents first [N]"
                                                           : "impulse, per contact tangents first [N s]",
                     "residual"},
                    {}};
    for (const ContactSolution& s : solved.set.solutions)
      table.rows.push_back(
          {text(s.mode), text(numbers(s.r), CellTone::number),
           text(s.residual < 1e-12 ? "below 1e-12" : fmt::format("{:.0e}", s.residual), CellTone::number)});
    if (table.rows.empty())
      page.paragraph(fmt::format("{}{}: no solution.", to_string(kind), dt));
    else
      page.table(table);
  }
  picture_or_reason(page, "picture of the solution space",
                    [&] { return picture(step_solutions_plot(subject.scene, subject.options.dt)); });
}

void impact_section(HtmlPage& page, const Subject& subject) {
  const ImpactRun run = impact(subject.scene, {});
  if (!run.report.happened) {
    page.paragraph(html_escaped("No impact at this state: " + run.report.reason + "."));
    return;
  }
  HtmlTable table{"Contact velocities before and after, tangents first [m/s]", {"", "velocity"}, {}};
  table.rows.push_back({text("before"), text(numbers(run.scene.space.u), CellTone::number)});
  table.rows.push_back({text("after"), text(numbers(run.report.u_after), CellTone::number)});
  page.table(table);
  if (run.contact >= 0)
    picture_or_reason(page, "impact path", [&] { return picture(impact_path_plot(run.scene, run.contact)); });
}

}  // namespace painleve::reporting
