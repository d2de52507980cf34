// The sections of a report; each adds a heading and what belongs under it.
#pragma once

#include "painleve/reproduction/html.hpp"
#include "painleve/reproduction/report.hpp"
#include "painleve/scene/analysis.hpp"

namespace painleve::reporting {

struct Subject {
  const SceneSource& source;
  Scene scene;
  Analysis analysis;
  ReportOptions options;
};

// "0.333333 m", angles in degrees.
std::string with_unit(double value, const std::string& unit);

void state_section(HtmlPage& page, const Subject& subject);
void contacts_section(HtmlPage& page, const Subject& subject);
void modes_section(HtmlPage& page, const Subject& subject);
void solutions_section(HtmlPage& page, const Subject& subject);
void impact_section(HtmlPage& page, const Subject& subject);
void motion_section(HtmlPage& page, const Subject& subject);
void limit_section(HtmlPage& page, const Subject& subject);
void maps_section(HtmlPage& page, const Subject& subject);

}  // namespace painleve::reporting
