// The steps of a search; see search.hpp. The function that is minimised is the quantity or its negative, and +infinity
// where the quantity does not exist.
#pragma once

#include <Eigen/Core>
#include <limits>

#include "painleve/study/search.hpp"

namespace painleve::detail {

constexpr double undefined = std::numeric_limits<double>::infinity();

// One per thread: it keeps a scene of its own that it changes.
class Objective {
 public:
  // `fixed` values belong to the axes of the problem; those that are empty vary, and a point has only these.
  Objective(const SearchProblem& problem, std::vector<std::optional<double>> fixed);

  double operator()(const Eigen::VectorXd& x) const;
  Scene scene(const Eigen::VectorXd& x) const;
  std::vector<double> place(const Eigen::VectorXd& x) const;  // along all axes

  long evaluated() const { return evaluated_; }
  long refused() const { return refused_; }              // states that could not be built
  const std::string& reason() const { return reason_; }  // of the last point without a value

 private:
  const SearchProblem& problem_;
  std::vector<std::optional<double>> fixed_;
  mutable SceneSource source_;
  mutable long evaluated_ = 0, refused_ = 0;
  mutable std::string reason_;
};

class Grid {
 public:
  explicit Grid(std::vector<SearchAxis> axes);
  std::size_t size() const { return size_; }
  const std::vector<SearchAxis>& axes() const { return axes_; }
  Eigen::VectorXi index(std::size_t flat) const;
  std::size_t flat(const Eigen::VectorXi& index) const;
  double spacing(Eigen::Index k) const;  // along axis k
  Eigen::VectorXd point(const Eigen::VectorXi& index) const;
  bool inside(const Eigen::VectorXi& index) const;
  Eigen::VectorXd clamp(Eigen::VectorXd x) const;
  // The largest difference along an axis, in cells.
  double cells_between(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const;

 private:
  std::vector<SearchAxis> axes_;
  std::size_t size_ = 1;
};

// search_grid.cpp. Empty when `proceed` stopped it.
std::vector<double> grid_values(const SearchProblem& problem, const Grid& grid,
                                const std::function<bool(double)>& proceed, SearchReport& report);
// Axes along which no line of the grid changes, by more than rounding.
std::vector<bool> independent_axes(const Grid& grid, const std::vector<double>& values);

// Grid points that are joined to `start` by neighbours of the same value, to `tolerance`; at least `start` itself.
std::vector<std::size_t> plateau(const Grid& grid, const std::vector<double>& values, std::size_t start,
                                 double tolerance);

// search_descent.cpp: compass search down to steps of `finest` cells, then Newton's method where it is smooth.
Eigen::VectorXd descend(const Objective& f, const Grid& grid, Eigen::VectorXd x, double finest);
Eigen::VectorXd polish(const Objective& f, const Grid& grid, Eigen::VectorXd x);

// search_families.cpp
// The power of the distance with which f falls without bound towards x, or none.
std::optional<double> pole(const Objective& f, const Grid& grid, const Eigen::VectorXd& x);
struct Found {
  Eigen::VectorXd x;
  double height = 0;  // f(x)
  Extreme extreme;
};
// Joins what paths of equal value, or of poles, connect; `range` is that of the values on the grid.
std::vector<Extreme> families(const Objective& f, const Grid& grid, std::vector<Found> found, double range);

}  // namespace painleve::detail
