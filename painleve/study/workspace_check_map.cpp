// mu_jam over the joints that matter most around a pose.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "painleve/study/detail/workspace_parts.hpp"

namespace painleve {
namespace {

using detail::PoseProbe;
using detail::Workspace;

// How much the logarithm of mu_jam varies along a joint, up to ten times the value at the pose.
double variation(const Workspace& w, PoseProbe& probe, const WorkspacePose& pose, std::size_t k) {
  constexpr int points = 33;
  const auto& joint = w.joints[k];
  std::vector<bool> held = w.fixed;
  held[k] = true;
  double sum = 0, squares = 0;
  int count = 0;
  for (int i = 0; i < points; ++i) {
    Eigen::VectorXd q = pose.q;
    q(static_cast<Eigen::Index>(k)) = joint.from + (joint.to - joint.from) * i / (points - 1);
    const auto value = probe.at(q, held);
    if (!value.exists) continue;
    const double x = std::log(std::clamp(value.mu_jam / pose.mu_jam, 1e-3, 10.0));
    sum += x;
    squares += x * x;
    ++count;
  }
  return count < 2 ? 0 : squares / count - sum / count * (sum / count);
}

std::vector<std::size_t> axes_that_matter(const Workspace& w, PoseProbe& probe, const WorkspacePose& pose) {
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t k = 0; k < w.joints.size(); ++k) {
    if (w.fixed[k] || !w.joints[k].known) continue;
    ranked.emplace_back(variation(w, probe, pose, k), k);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::size_t> axes;
  for (std::size_t n = 0; n < ranked.size() && n < 2; ++n) axes.push_back(ranked[n].second);
  std::sort(axes.begin(), axes.end());
  return axes;
}

// Cells outwards from the pose, each starting from a neighbour's pose, so that joints that follow a surface stay in
// their branch: a start far away would end now in one, now in another.
class OutwardMap {
 public:
  OutwardMap(const Workspace& w, PoseProbe& probe, const std::vector<std::size_t>& axes, const Map& map)
      : w_(w), probe_(probe), axes_(axes), map_(map), held_(w.fixed), values_(static_cast<std::size_t>(map.cells())) {
    for (const std::size_t k : axes) held_[k] = true;
  }

  std::vector<PoseProbe::Value> run(const WorkspacePose& pose) {
    std::vector<int> index;
    for (std::size_t n = 0; n < axes_.size(); ++n) {
      const auto& axis = map_.axes[n];
      const double part = (pose.q(static_cast<Eigen::Index>(axes_[n])) - axis.from) / (axis.to - axis.from);
      index.push_back(std::clamp(static_cast<int>(std::lround(part * (axis.count - 1))), 0, axis.count - 1));
    }
    enter(index, pose.q);
    for (std::size_t next = 0; next < done_.size(); ++next) spread(std::vector<int>(done_[next]));
    return std::move(values_);
  }

 private:
  std::size_t flat(const std::vector<int>& index) const {
    std::size_t cell = 0;
    for (std::size_t n = 0; n < index.size(); ++n)
      cell = cell * static_cast<std::size_t>(map_.axes[n].count) + static_cast<std::size_t>(index[n]);
    return cell;
  }

  void spread(const std::vector<int>& from) {
    for (std::size_t n = 0; n < from.size(); ++n) {
      for (const int side : {1, -1}) {
        std::vector<int> to = from;
        to[n] += side;
        if (to[n] < 0 || to[n] >= map_.axes[n].count || values_[flat(to)].exists) continue;
        enter(to, Eigen::VectorXd(values_[flat(from)].q));
      }
    }
  }

  void enter(const std::vector<int>& index, Eigen::VectorXd q) {
    for (std::size_t n = 0; n < index.size(); ++n) q(static_cast<Eigen::Index>(axes_[n])) = map_.axes[n].at(index[n]);
    constexpr double farthest = 0.1;  // part of a range that a joint may move from one cell to the next
    auto value = probe_.at(q, held_);
    if (!value.exists || detail::pose_distance(w_, q, value.q) > farthest) return;
    values_[flat(index)] = std::move(value);
    done_.push_back(index);
  }

  const Workspace& w_;
  PoseProbe& probe_;
  const std::vector<std::size_t>& axes_;
  const Map& map_;
  std::vector<bool> held_;
  std::vector<PoseProbe::Value> values_;
  std::vector<std::vector<int>> done_;  // in the order in which they were reached
};

}  // namespace

Map workspace_map(const WorkspaceProblem& problem, const WorkspacePose& pose, int count) {
  const Workspace w(problem);
  PoseProbe probe(w);
  const auto axes = axes_that_matter(w, probe, pose);
  Map map;
  for (const std::size_t k : axes) {
    const auto& joint = w.joints[k];
    map.axes.push_back({"state." + joint.name, joint.name, joint.unit, joint.from, joint.to, count});
  }
  MapColumn column{"mu_jam", "1", false, {}, {}, {}};
  map.reasons = {"mu_jam does not exist there", "no path of poses leads there from the worst one"};
  for (const auto& value : OutwardMap(w, probe, axes, map).run(pose)) {
    const bool number = value.exists && std::isfinite(value.mu_jam);
    column.values.push_back(number ? value.mu_jam : std::nan(""));
    column.reasons.push_back(number ? -1 : (value.exists ? 0 : 1));
  }
  map.columns.push_back(std::move(column));
  map.last = map.cells();
  return map;
}

}  // namespace painleve
