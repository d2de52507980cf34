#include "painleve/study/search.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "painleve/base/error.hpp"

namespace painleve {
namespace {

constexpr double undefined = std::numeric_limits<double>::infinity();

// The function to minimise; where it does not exist it is +infinity.
class Objective {
 public:
  Objective(const SearchProblem& problem, SearchReport& report) : problem_(problem), report_(report) {}

  Scene scene(const Eigen::VectorXd& x) const {
    SceneSource source = problem_.source;
    for (std::size_t i = 0; i < problem_.axes.size(); ++i)
      source.set(problem_.axes[i].path, x(static_cast<Eigen::Index>(i)));
    return source.build();
  }

  double operator()(const Eigen::VectorXd& x) const {
    ++report_.evaluated;
    try {
      const auto value = problem_.quantity.of(scene(x));
      if (value && std::isfinite(*value)) return problem_.minimise ? *value : -*value;
      note(problem_.quantity.name() + " does not exist there");
    } catch (const InputError& error) {  // an unreachable pose is a hole in the domain, not a failure
      ++refused_;
      note(error.what());
    }
    return undefined;
  }

  long refused() const { return refused_; }  // states that could not be built

 private:
  void note(const std::string& why) const {
    if (report_.undefined_reason.empty()) report_.undefined_reason = why;
  }

  const SearchProblem& problem_;
  SearchReport& report_;
  mutable long refused_ = 0;
};

class Grid {
 public:
  explicit Grid(const std::vector<SearchAxis>& axes) : axes_(axes) {
    for (const auto& axis : axes) size_ *= static_cast<std::size_t>(axis.count);
  }
  std::size_t size() const { return size_; }
  Eigen::VectorXi index(std::size_t flat) const {
    Eigen::VectorXi i(static_cast<Eigen::Index>(axes_.size()));
    for (Eigen::Index k = 0; k < i.size(); ++k) {
      const auto n = static_cast<std::size_t>(axes_[static_cast<std::size_t>(k)].count);
      i(k) = static_cast<int>(flat % n);
      flat /= n;
    }
    return i;
  }
  std::size_t flat(const Eigen::VectorXi& index) const {
    std::size_t f = 0;
    for (Eigen::Index k = index.size(); k-- > 0;)
      f = f * static_cast<std::size_t>(axes_[static_cast<std::size_t>(k)].count) + static_cast<std::size_t>(index(k));
    return f;
  }
  double spacing(Eigen::Index k) const {
    const auto& axis = axes_[static_cast<std::size_t>(k)];
    return axis.count > 1 ? (axis.to - axis.from) / (axis.count - 1) : 0;
  }
  Eigen::VectorXd point(const Eigen::VectorXi& index) const {
    Eigen::VectorXd x(index.size());
    for (Eigen::Index k = 0; k < index.size(); ++k) {
      const auto& axis = axes_[static_cast<std::size_t>(k)];
      x(k) = index(k) == axis.count - 1 ? axis.to : axis.from + spacing(k) * index(k);
    }
    return x;
  }
  bool inside(const Eigen::VectorXi& index) const {
    for (Eigen::Index k = 0; k < index.size(); ++k)
      if (index(k) < 0 || index(k) >= axes_[static_cast<std::size_t>(k)].count) return false;
    return true;
  }
  Eigen::VectorXd clamp(Eigen::VectorXd x) const {
    for (Eigen::Index k = 0; k < x.size(); ++k)
      x(k) = std::clamp(x(k), axes_[static_cast<std::size_t>(k)].from, axes_[static_cast<std::size_t>(k)].to);
    return x;
  }

 private:
  const std::vector<SearchAxis>& axes_;
  std::size_t size_ = 1;
};

// Whether no neighbour at distance `stride` is better; among equal ones the first in order counts.
bool is_lowest(const Grid& grid, const std::vector<double>& f, const Eigen::VectorXi& index, int stride) {
  const std::size_t here = grid.flat(index);
  if (f[here] == undefined) return false;
  const auto d = index.size();
  auto neighbours = static_cast<int>(std::pow(3, d));
  for (int code = 0; code < neighbours; ++code) {
    Eigen::VectorXi other = index;
    int c = code;
    for (Eigen::Index k = 0; k < d; ++k, c /= 3) other(k) += stride * (c % 3 - 1);
    if (other == index || !grid.inside(other)) continue;
    const std::size_t there = grid.flat(other);
    if (f[there] < f[here] || (f[there] == f[here] && there < here)) return false;
  }
  return true;
}

// From a point beside the edge of the domain to that edge, along one axis and at most four strides; the last point with
// a value is returned.
std::optional<Eigen::VectorXd> to_edge(const Objective& f, const Grid& grid, const Eigen::VectorXd& from,
                                       Eigen::Index axis, double stride) {
  const bool outside = f(from) == undefined;
  Eigen::VectorXd near = from;
  for (const double t : {0.25, 0.5, 1.0, 2.0, 4.0}) {
    Eigen::VectorXd far = from;
    far(axis) += t * stride;
    far = grid.clamp(far);
    if ((f(far) == undefined) != outside) {
      for (int n = 0; n < 30; ++n) {
        const Eigen::VectorXd middle = (near + far) / 2;
        ((f(middle) == undefined) == outside ? near : far) = middle;
      }
      return outside ? far : near;
    }
    near = far;
  }
  return std::nullopt;
}

// A better point along a slanted or curved edge of the domain, where a step along an axis leaves either it or its
// value.
std::optional<Eigen::VectorXd> slide(const Objective& f, const Grid& grid, const Eigen::VectorXd& x, double best,
                                     double step) {
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    for (const double side : {1.0, -1.0}) {
      Eigen::VectorXd y = x;
      y(k) += side * step * grid.spacing(k);
      y = grid.clamp(y);
      for (Eigen::Index l = 0; l < x.size() && y != x; ++l) {
        for (const double back : {1.0, -1.0}) {
          if (k == l) continue;
          auto z = to_edge(f, grid, y, l, back * step * grid.spacing(l));
          if (z && f(*z) < best) return z;
        }
      }
    }
  }
  return std::nullopt;
}

// Compass search from a grid point: robust where the function has kinks or ends.
Eigen::VectorXd descend(const Objective& f, const Grid& grid, Eigen::VectorXd x) {
  constexpr int most_steps = 20000;
  constexpr double least_slide = 1e-4;  // in cells; below it an edge blurs in rounding
  double best = f(x);
  double step = 0.5;  // in cells
  for (int n = 0; step > 1e-7 && n < most_steps; ++n) {
    bool moved = false;
    bool edge = false;
    for (Eigen::Index k = 0; k < x.size() && !moved; ++k) {
      for (const double side : {1.0, -1.0}) {
        Eigen::VectorXd y = x;
        y(k) += side * step * grid.spacing(k);
        y = grid.clamp(y);
        if (y == x) continue;
        const double value = f(y);
        edge = edge || value == undefined;
        if (value < best) {
          best = value;
          x = y;
          moved = true;
          break;
        }
      }
    }
    if (!moved && edge && step > least_slide) {
      if (const auto y = slide(f, grid, x, best, step)) {
        x = *y;
        best = f(x);
        moved = true;
      }
    }
    if (!moved) step /= 2;
  }
  return x;
}

// One Newton step on fourth-order differences; empty when a sample does not exist or the function is not convex here.
std::optional<Eigen::VectorXd> newton_step(const Objective& f, const Grid& grid, const Eigen::VectorXd& x) {
  const auto d = x.size();
  Eigen::VectorXd h(d);
  for (Eigen::Index k = 0; k < d; ++k) h(k) = 0.02 * grid.spacing(k);
  const double centre = f(x);
  const auto at = [&](Eigen::Index k, double a, Eigen::Index l, double b) {
    Eigen::VectorXd y = x;
    y(k) += a * h(k);
    y(l) += b * h(l);
    return f(y);
  };
  Eigen::VectorXd gradient(d);
  Eigen::MatrixXd hessian(d, d);
  for (Eigen::Index k = 0; k < d; ++k) {
    const double f1 = at(k, 1, k, 0), f2 = at(k, 2, k, 0), g1 = at(k, -1, k, 0), g2 = at(k, -2, k, 0);
    gradient(k) = (8 * (f1 - g1) - (f2 - g2)) / 12;
    hessian(k, k) = (16 * (f1 + g1) - (f2 + g2) - 30 * centre) / 12;
    for (Eigen::Index l = 0; l < k; ++l)
      hessian(k, l) = hessian(l, k) = (at(k, 1, l, 1) - at(k, 1, l, -1) - at(k, -1, l, 1) + at(k, -1, l, -1)) / 4;
  }
  if (!gradient.allFinite() || !hessian.allFinite()) return std::nullopt;
  const Eigen::LLT<Eigen::MatrixXd> llt(hessian);
  if (llt.info() != Eigen::Success) return std::nullopt;
  return (llt.solve(-gradient).array() * h.array()).matrix();
}

// Where the function is smooth the gradient locates the extreme to far more digits than its values do.
Eigen::VectorXd polish(const Objective& f, const Grid& grid, Eigen::VectorXd x) {
  for (int n = 0; n < 4; ++n) {
    const auto step = newton_step(f, grid, x);
    if (!step) break;
    const Eigen::VectorXd y = x + *step;
    bool small = y == grid.clamp(y);
    for (Eigen::Index k = 0; k < x.size(); ++k) small = small && std::abs((*step)(k)) <= 0.01 * grid.spacing(k);
    const double before = f(x);
    if (!small || f(y) > before + 1e-13 * std::abs(before)) break;
    x = y;
  }
  return x;
}

// An extreme is interior when it can be stepped around: neither the box nor the domain ends there.
void classify(const Objective& f, const Grid& grid, const Eigen::VectorXd& x, Extreme& extreme) {
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    for (const double side : {1.0, -1.0}) {
      Eigen::VectorXd y = x;
      y(k) += side * 1e-4 * grid.spacing(k);
      const bool outside = y != grid.clamp(y);
      extreme.at_hole = extreme.at_hole || (!outside && f(y) == undefined);
      extreme.interior = extreme.interior && !outside && !extreme.at_hole;
    }
  }
}

// At the edge of the domain an extreme is known to fewer digits.
bool same_place(const Grid& grid, const Extreme& a, const Extreme& b) {
  const double cells = a.at_hole && b.at_hole ? 0.05 : 1e-3;
  for (std::size_t k = 0; k < a.at.size(); ++k)
    if (std::abs(a.at[k] - b.at[k]) > cells * grid.spacing(static_cast<Eigen::Index>(k))) return false;
  return true;
}

bool every_second(const Eigen::VectorXi& index) {
  return (index.array().unaryExpr([](int i) { return i % 2; }) == 0).all();
}

void check(const SearchProblem& problem) {
  if (problem.axes.empty()) throw InputError("search needs at least one --over range");
  double points = 1;
  for (auto axis = problem.axes.begin(); axis != problem.axes.end(); ++axis) {
    const auto same = [&](const SearchAxis& other) { return other.path == axis->path; };
    if (std::any_of(problem.axes.begin(), axis, same))
      throw InputError(fmt::format("the range of {} is given twice", axis->name));
  }
  for (const auto& axis : problem.axes) {
    points *= axis.count;
    if (!std::isfinite(axis.to - axis.from))
      throw InputError(fmt::format("the range of {} is too wide for double precision", axis.name));
    if (axis.count < 2 || !(axis.from < axis.to))
      throw InputError(fmt::format("the range of {} must grow and have at least 2 points", axis.name));
  }
  constexpr double most = 2e8;
  if (points > most)
    throw InputError(fmt::format("the grid has {:.3g} points, allowed are {:.3g}: give fewer per axis", points, most));
}

// A misspelt contact is an error, not a hole in the domain. The state without the ranges need not exist.
void check_quantity(const SearchProblem& problem) {
  std::optional<Scene> scene;
  try {
    scene = problem.source.build();
  } catch (const InputError&) {
    return;
  }
  problem.quantity.of(*scene);
}

// Empty when `proceed` stopped it.
std::vector<double> grid_values(const Grid& grid, const Objective& f, const std::function<bool(double)>& proceed) {
  std::vector<double> values(grid.size(), undefined);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (proceed && i % 256 == 0 && !proceed(static_cast<double>(i) / static_cast<double>(grid.size()))) return {};
    values[i] = f(grid.point(grid.index(i)));
  }
  return values;
}

// Refines a grid point and adds what it leads to, unless that is known.
void refine(const SearchProblem& problem, const Objective& f, const Grid& grid, const Eigen::VectorXi& index,
            bool coarse, SearchReport& report) {
  const Eigen::VectorXd x = polish(f, grid, descend(f, grid, grid.point(index)));
  const double value = f(x);
  Extreme extreme{problem.minimise ? value : -value, {x.begin(), x.end()}, true, false, coarse, f.scene(x)};
  classify(f, grid, x, extreme);
  const auto known = std::find_if(report.extremes.begin(), report.extremes.end(),
                                  [&](const Extreme& e) { return same_place(grid, extreme, e); });
  if (known != report.extremes.end()) {
    known->confirmed = known->confirmed || coarse;
    return;
  }
  report.extremes.push_back(std::move(extreme));
}

}  // namespace

int default_count(std::size_t axes) {
  constexpr int counts[] = {2001, 201, 41, 17};
  return counts[std::min<std::size_t>(axes, 4) - 1];
}

SearchReport search(const SearchProblem& problem, const std::function<bool(double)>& proceed) {
  check(problem);
  check_quantity(problem);
  SearchReport report;
  const Grid grid(problem.axes);
  const Objective f(problem, report);
  for (std::size_t k = 0; k < problem.axes.size(); ++k)
    report.cell.push_back(grid.spacing(static_cast<Eigen::Index>(k)));

  const std::vector<double> values = grid_values(grid, f, proceed);
  report.complete = !values.empty();
  report.undefined = std::count(values.begin(), values.end(), undefined);
  if (report.complete && static_cast<std::size_t>(f.refused()) == grid.size())
    throw InputError("no state in these ranges can be built, the first because " + report.undefined_reason);
  for (std::size_t i = 0; report.complete && i < grid.size(); ++i) {
    const Eigen::VectorXi index = grid.index(i);
    const bool fine = is_lowest(grid, values, index, 1);
    const bool coarse = every_second(index) && is_lowest(grid, values, index, 2);
    if (!fine && !coarse) continue;
    report.complete = !proceed || proceed(1);
    refine(problem, f, grid, index, coarse, report);
  }
  std::stable_sort(report.extremes.begin(), report.extremes.end(), [&](const Extreme& a, const Extreme& b) {
    if (a.interior != b.interior) return a.interior;
    return problem.minimise ? a.value < b.value : a.value > b.value;
  });
  return report;
}

}  // namespace painleve
