#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <set>

#include "painleve/base/error.hpp"
#include "painleve/base/threads.hpp"
#include "painleve/study/detail/search_parts.hpp"

namespace painleve::detail {

Objective::Objective(const SearchProblem& problem, std::vector<std::optional<double>> fixed)
    : problem_(problem), fixed_(std::move(fixed)), source_(problem.source) {}

std::vector<double> Objective::place(const Eigen::VectorXd& x) const {
  std::vector<double> at;
  Eigen::Index next = 0;
  for (const auto& value : fixed_) at.push_back(value ? *value : x(next++));
  return at;
}

Scene Objective::scene(const Eigen::VectorXd& x) const {
  const std::vector<double> at = place(x);
  for (std::size_t i = 0; i < at.size(); ++i) source_.set(problem_.axes[i].path, at[i]);
  return source_.build();
}

double Objective::operator()(const Eigen::VectorXd& x) const {
  ++evaluated_;
  try {
    const auto value = problem_.quantity.of(scene(x));
    if (value && std::isfinite(*value)) return problem_.minimise ? *value : -*value;
    reason_ = problem_.quantity.name() + " does not exist there";
  } catch (const InputError& error) {  // an unreachable pose is a hole in the domain, not a failure
    ++refused_;
    reason_ = error.what();
  }
  return undefined;
}

Grid::Grid(std::vector<SearchAxis> axes) : axes_(std::move(axes)) {
  for (const auto& axis : axes_) size_ *= static_cast<std::size_t>(axis.count);
}

Eigen::VectorXi Grid::index(std::size_t flat) const {
  Eigen::VectorXi i(static_cast<Eigen::Index>(axes_.size()));
  for (Eigen::Index k = 0; k < i.size(); ++k) {
    const auto n = static_cast<std::size_t>(axes_[static_cast<std::size_t>(k)].count);
    i(k) = static_cast<int>(flat % n);
    flat /= n;
  }
  return i;
}

std::size_t Grid::flat(const Eigen::VectorXi& index) const {
  std::size_t f = 0;
  for (Eigen::Index k = index.size(); k-- > 0;)
    f = f * static_cast<std::size_t>(axes_[static_cast<std::size_t>(k)].count) + static_cast<std::size_t>(index(k));
  return f;
}

double Grid::spacing(Eigen::Index k) const {
  const auto& axis = axes_[static_cast<std::size_t>(k)];
  return axis.count > 1 ? (axis.to - axis.from) / (axis.count - 1) : 0;
}

Eigen::VectorXd Grid::point(const Eigen::VectorXi& index) const {
  Eigen::VectorXd x(index.size());
  for (Eigen::Index k = 0; k < index.size(); ++k) {
    const auto& axis = axes_[static_cast<std::size_t>(k)];
    x(k) = index(k) == axis.count - 1 ? axis.to : axis.from + spacing(k) * index(k);
  }
  return x;
}

bool Grid::inside(const Eigen::VectorXi& index) const {
  for (Eigen::Index k = 0; k < index.size(); ++k) {
    if (index(k) < 0 || index(k) >= axes_[static_cast<std::size_t>(k)].count) return false;
  }
  return true;
}

Eigen::VectorXd Grid::clamp(Eigen::VectorXd x) const {
  for (Eigen::Index k = 0; k < x.size(); ++k)
    x(k) = std::clamp(x(k), axes_[static_cast<std::size_t>(k)].from, axes_[static_cast<std::size_t>(k)].to);
  return x;
}

double Grid::cells_between(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const {
  double cells = 0;
  for (Eigen::Index k = 0; k < a.size(); ++k) cells = std::max(cells, std::abs(a(k) - b(k)) / spacing(k));
  return cells;
}

namespace {

// Threads take block after block; each value has its own place, so that who computed it does not show.
class GridRun {
 public:
  GridRun(const SearchProblem& problem, const Grid& grid, const std::function<bool(double)>& proceed)
      : problem_(problem), grid_(grid), proceed_(proceed), values_(grid.size(), undefined) {}

  std::vector<double> run(SearchReport& report) {
    const std::size_t blocks = (grid_.size() + block - 1) / block;
    in_threads(std::min(thread_count(problem_.threads), blocks), [this](bool of_caller) { work(of_caller); });
    if (failure_) std::rethrow_exception(failure_);
    report.evaluated += static_cast<long>(evaluated_);
    report.undefined_reason = reason_;
    if (refused_ == static_cast<long>(grid_.size()))
      throw InputError("no state in these ranges can be built, the first because " + reason_);
    return stop_ ? std::vector<double>{} : std::move(values_);
  }

 private:
  static constexpr std::size_t block = 64;

  void work(bool asks) {
    try {
      const Objective f(problem_, std::vector<std::optional<double>>(problem_.axes.size()));
      while (!stop_) {
        if (asks && proceed_ && !proceed_(static_cast<double>(done_) / static_cast<double>(grid_.size()))) stop_ = true;
        const std::size_t first = next_.fetch_add(block);
        if (first >= grid_.size() || stop_) break;
        compute(f, first);
      }
      const std::lock_guard lock(mutex_);
      evaluated_ += f.evaluated();
      refused_ += f.refused();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stop_ = true;
    }
  }

  void compute(const Objective& f, std::size_t first) {
    const std::size_t end = std::min(first + block, grid_.size());
    for (std::size_t i = first; i < end; ++i) {
      values_[i] = f(grid_.point(grid_.index(i)));
      if (values_[i] != undefined || i >= first_undefined_) continue;
      const std::lock_guard lock(mutex_);
      if (i < first_undefined_) {
        first_undefined_ = i;
        reason_ = f.reason();
      }
    }
    done_ += end - first;
  }

  const SearchProblem& problem_;
  const Grid& grid_;
  const std::function<bool(double)>& proceed_;
  std::vector<double> values_;
  std::atomic<std::size_t> next_ = 0, done_ = 0, first_undefined_ = std::numeric_limits<std::size_t>::max();
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  long evaluated_ = 0, refused_ = 0;
  std::string reason_;
  std::exception_ptr failure_;
};

// Whether the line of the grid through `start` along the axis does not change.
bool flat_line(const Grid& grid, const std::vector<double>& values, Eigen::VectorXi index, Eigen::Index axis) {
  constexpr double rounding = 1e-12;
  double low = undefined, high = -undefined;
  int missing = 0;
  const int count = grid.axes()[static_cast<std::size_t>(axis)].count;
  for (index(axis) = 0; index(axis) < count; ++index(axis)) {
    const double value = values[grid.flat(index)];
    missing += value == undefined ? 1 : 0;
    if (value == undefined) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (missing > 0) return missing == count;
  return high - low <= rounding * std::max(std::abs(low), std::abs(high));
}

}  // namespace

std::vector<double> grid_values(const SearchProblem& problem, const Grid& grid,
                                const std::function<bool(double)>& proceed, SearchReport& report) {
  return GridRun(problem, grid, proceed).run(report);
}

std::vector<std::size_t> plateau(const Grid& grid, const std::vector<double>& values, std::size_t start,
                                 double tolerance) {
  std::vector<std::size_t> members = {start};
  std::set<std::size_t> seen = {start};
  for (std::size_t next = 0; next < members.size(); ++next) {
    const Eigen::VectorXi here = grid.index(members[next]);
    for (Eigen::Index k = 0; k < here.size(); ++k) {
      for (const int side : {1, -1}) {
        Eigen::VectorXi there = here;
        there(k) += side;
        if (!grid.inside(there)) continue;
        const std::size_t at = grid.flat(there);
        if (std::abs(values[at] - values[start]) <= tolerance && seen.insert(at).second) members.push_back(at);
      }
    }
  }
  return members;
}

std::vector<bool> independent_axes(const Grid& grid, const std::vector<double>& values) {
  std::vector<bool> independent(grid.axes().size(), true);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const Eigen::VectorXi index = grid.index(i);
    for (Eigen::Index k = 0; k < index.size(); ++k) {
      const auto axis = static_cast<std::size_t>(k);
      if (index(k) == 0 && independent[axis]) independent[axis] = flat_line(grid, values, index, k);
    }
  }
  return independent;
}

}  // namespace painleve::detail
