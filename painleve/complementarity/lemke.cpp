#include "painleve/complementarity/lemke.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "painleve/complementarity/detail/lemke_path.hpp"
#include "painleve/complementarity/detail/lemke_scaling.hpp"
#include "painleve/complementarity/detail/lemke_short_path.hpp"

namespace painleve {
namespace {

constexpr int most_restarts = 4;

LemkeReport follow_path(const LinearComplementarity& problem, const LemkeOptions& options) {
  LemkeReport report;
  if (problem.q.size() == 0 || problem.q.minCoeff() >= 0) {
    report.status = LemkeStatus::solution;
    report.z = Eigen::VectorXd::Zero(problem.q.size());
    return report;
  }
  LemkePath path(problem, options);
  report.status = path.follow();
  double error = path.refine();
  report.z = path.z();
  for (int k = 0; k < most_restarts && report.status == LemkeStatus::solution && error > LemkeTolerances::wanted; ++k) {
    path.restart();
    if (path.follow() != LemkeStatus::solution) break;
    const double other = path.refine();
    if (other >= error) continue;
    error = other;
    report.z = path.z();
  }
  report.pivots = path.pivots();
  report.residual = complementarity_residual(problem, report.z);
  const double worst = std::max(error, report.residual);
  if (report.status == LemkeStatus::solution && worst > LemkeTolerances::accepted) report.status = LemkeStatus::limit;
  if (worst <= LemkeTolerances::wanted) report.status = LemkeStatus::solution;  // wherever the path took itself to be
  return report;
}

template <int Size>
LemkeReport follow_short_path(const LinearComplementarity& problem, const LemkeOptions& options) {
  ShortLemkePath<Size> path;
  const int most_pivots = options.most_pivots > 0 ? options.most_pivots : std::numeric_limits<int>::max();
  if (options.covering.size() != Size && path.walk(problem, most_pivots)) return path.report();
  return follow_path(problem, options);
}

}  // namespace

LemkeReport lemke(const LinearComplementarity& problem, const LemkeOptions& options) {
  switch (problem.q.size()) {  // few contacts at rest: 4 rows each in the plane, 6 in space with 4 facets
    case 4:
      return follow_short_path<4>(problem, options);
    case 6:
      return follow_short_path<6>(problem, options);
    case 8:
      return follow_short_path<8>(problem, options);
    case 12:
      return follow_short_path<12>(problem, options);
    case 16:
      return follow_short_path<16>(problem, options);
    default:
      return follow_path(problem, options);
  }
}

const char* to_string(LemkeStatus status) {
  switch (status) {
    case LemkeStatus::solution:
      return "solution";
    case LemkeStatus::ray:
      return "ray";
    case LemkeStatus::limit:
      return "limit";
  }
  return "";
}

}  // namespace painleve
