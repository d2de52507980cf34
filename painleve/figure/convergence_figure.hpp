// The picture of a convergence study, per method that was studied: how far each row is from the limit, with the slopes
// of order 1/2 and 1 beside it, and one quantity itself with the rigid futures as lines across.
#pragma once

#include "painleve/figure/plot.hpp"
#include "painleve/study/converge.hpp"

namespace painleve {

Figure convergence_figure(const ConvergeProblem& problem, const ConvergeReport& report);

// The largest distance, in units of the scales, of the compared quantities of a row from the rigid future that the
// series tends to, or from its own limit where it tends to none; NaN where there is nothing to compare.
double distance_to_limit(const ConvergeReport& report, const ConvergeSeries& series, const ConvergeRow& row);

}  // namespace painleve
