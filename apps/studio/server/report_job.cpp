// {"kind": "report", "scene", "t_end"?}: the page that `painleve report` writes, as text.
#include "job_requests.hpp"
#include "request.hpp"

namespace painleve::studio {

ReportRequest requested_report(const Json& request) {
  refuse_others(request, {"kind", "scene", "t_end"});
  ReportRequest r{requested_source(request), {}};
  r.options.t_end = requested_end(request, built_scene(request), r.options.t_end);
  return r;
}

void report_job(const Json& request, const JobContext& context) {
  ReportRequest r = requested_report(request);
  r.options.proceed = context.proceed;
  context.publish({{"html", report(r.source, r.options).html}});
}

}  // namespace painleve::studio
