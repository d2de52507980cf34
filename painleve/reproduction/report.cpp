#include "painleve/reproduction/report.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/reproduction/detail/report_sections.hpp"

namespace painleve {
namespace {

using namespace reporting;

struct Section {
  void (*write)(HtmlPage&, const Subject&);
  const char* heading;
  const char* id;
};

constexpr std::array<Section, 8> sections{{{state_section, "The state", "state"},
                                           {contacts_section, "Contacts and friction cones", "contacts"},
                                           {modes_section, "Modes", "modes"},
                                           {solutions_section, "All solutions", "solutions"},
                                           {impact_section, "Impact", "impact"},
                                           {motion_section, "The motion, by three methods", "motion"},
                                           {limit_section, "Do the methods agree in the limit?", "limit"},
                                           {maps_section, "Around this state", "maps"}}};

void check(const ReportOptions& options) {
  if (!(options.t_end > 0) || !std::isfinite(options.t_end))
    throw InputError("the end time of a report must be a finite number of seconds > 0");
  if (!(options.dt > 0) || !std::isfinite(options.dt))
    throw InputError("the time step of a report must be a finite number of seconds > 0");
  if (options.cells < 2 || options.cells > 2000)
    throw InputError(fmt::format("maps of a report have 2 to 2000 cells per axis, not {}", options.cells));
}

std::string question(const Scene& scene) {
  for (const Scenario& scenario : scenarios()) {
    if (scenario.name == scene.name) return scenario.title();
  }
  return {};
}

}  // namespace

Report report(const SceneSource& source, const ReportOptions& options) {
  check(options);
  Scene scene = source.build();
  Analysis analysis = analyze(scene);
  // Within a section the part that is done stays what it was at its beginning.
  double part = 0;
  ReportOptions inner = options;
  inner.proceed = [&](double) { return !options.proceed || options.proceed(part); };
  const Subject subject{source, std::move(scene), std::move(analysis), inner};
  HtmlPage page(fmt::format("{}: a report", subject.scene.name));
  if (const std::string asked = question(subject.scene); !asked.empty()) page.paragraph(html_escaped(asked));
  Report result;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    part = static_cast<double>(i) / sections.size();
    if (!inner.proceed(part)) {
      page.note("This report was interrupted here.");
      result.complete = false;
      break;
    }
    page.heading(2, sections[i].heading, sections[i].id);
    try {
      sections[i].write(page, subject);
    } catch (const InputError& reason) {  // this section does not apply to this scene
      page.note(fmt::format("Left out: {}.", html_escaped(reason.what())));
    }
  }
  result.html = page.str();
  return result;
}

}  // namespace painleve
