#include "painleve/complementarity/lemke.hpp"

#include <algorithm>
#include <cmath>

#include "painleve/complementarity/detail/lemke_path.hpp"
#include "painleve/complementarity/detail/lemke_scaling.hpp"

namespace painleve {
namespace {

constexpr double wanted = 1e-13;   // LemkePath::refine(): above, the path starts again where it ended
constexpr double accepted = 1e-9;  // of that and of the residual: above, it is not called a solution
constexpr int most_restarts = 4;

// complementarity_residual() in the same order of operations, without allocation.
template <int Size>
double residual(const LinearComplementarity& problem, const Eigen::VectorXd& z) {
  using Column = Eigen::Matrix<double, Size, 1>;
  const auto largest = [](const Column& v) {
    double most = 0;
    for (Eigen::Index i = 0; i < Size; ++i) most = std::max(most, std::abs(v(i)));
    return most;
  };
  Column w = problem.q;
  for (Eigen::Index j = 0; j < Size; ++j)
    if (z(j) != 0) w += z(j) * problem.M.col(j);
  const double scale = std::max({largest(problem.q), largest(z), largest(w)});
  return largest(z.cwiseMin(w)) / (scale > 0 ? scale : 1);
}

template <int Size>
LemkeReport follow_path(const LinearComplementarity& problem, const LemkeOptions& options) {
  LemkeReport report;
  LemkePath<Size> path(problem, options);
  report.status = path.follow();
  double error = path.refine();
  report.z = path.z();
  for (int k = 0; k < most_restarts && report.status == LemkeStatus::solution && error > wanted; ++k) {
    path.restart();
    if (path.follow() != LemkeStatus::solution) break;
    const double other = path.refine();
    if (other >= error) continue;
    error = other;
    report.z = path.z();
  }
  report.pivots = path.pivots();
  if constexpr (Size == Eigen::Dynamic) {
    report.residual = complementarity_residual(problem, report.z);
  } else {
    report.residual = residual<Size>(problem, report.z);
  }
  const double worst = std::max(error, report.residual);
  if (report.status == LemkeStatus::solution && worst > accepted) report.status = LemkeStatus::limit;
  if (worst <= wanted) report.status = LemkeStatus::solution;  // wherever the path took itself to be
  return report;
}

}  // namespace

LemkeReport lemke(const LinearComplementarity& problem, const LemkeOptions& options) {
  if (problem.q.size() == 0 || problem.q.minCoeff() >= 0) {
    LemkeReport report;
    report.status = LemkeStatus::solution;
    report.z = Eigen::VectorXd::Zero(problem.q.size());
    return report;
  }
  switch (problem.q.size()) {  // one or two contacts at rest: 4 rows each in the plane, 6 in space with 4 facets
    case 4:
      return follow_path<4>(problem, options);
    case 6:
      return follow_path<6>(problem, options);
    case 8:
      return follow_path<8>(problem, options);
    case 12:
      return follow_path<12>(problem, options);
    default:
      return follow_path<Eigen::Dynamic>(problem, options);
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
