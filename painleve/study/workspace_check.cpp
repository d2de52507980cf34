#include "painleve/study/workspace_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <numbers>
#include <numeric>

#include "painleve/base/error.hpp"
#include "painleve/base/threads.hpp"
#include "painleve/study/detail/workspace_parts.hpp"

namespace painleve {
namespace {

using detail::PoseProbe;
using detail::Workspace;
using Value = PoseProbe::Value;

constexpr double unreached = -1;      // in the list of samples, where mu_jam is not negative
constexpr double not_drawn = -2;      // after an interruption
constexpr double drawing_part = 0.6;  // of the work, as progress tells it

void check(const WorkspaceProblem& problem) {
  const Scene& scene = problem.scene;
  if (scene.kind != SceneKind::mechanism)
    throw InputError(fmt::format("check needs a robot or a mechanism; {} has no joints", scene.mechanism));
  if (problem.joints.size() != scene.entry->coordinates.size())
    throw InputError("check needs the range of every joint");
  for (const auto& joint : problem.joints) {
    if (joint.known && !(std::isfinite(joint.to - joint.from) && joint.from <= joint.to))
      throw InputError(fmt::format("the range of {} must be finite and grow", joint.name));
  }
  if (problem.samples < 1) throw InputError("check needs at least one sample");
  if (!(problem.margin >= 1)) throw InputError(fmt::format("the margin is {}, it must be >= 1", problem.margin));
}

// A slide whose range is not known, that makes a difference, and that nothing solves for.
void refuse_unknown(const Workspace& w) {
  if (std::find(w.still.begin(), w.still.end(), true) != w.still.end()) return;
  for (std::size_t k = 0; k < w.joints.size(); ++k) {
    if (!w.joints[k].known && !w.fixed[k])
      throw InputError(fmt::format("the slide {} has no limits: give its range, as --over {}=0:0.5", w.joints[k].name,
                                   w.joints[k].name));
  }
}

// Threads take block after block; each value has its own place, so that who computed it does not show.
class Drawing {
 public:
  Drawing(const Workspace& w, const std::function<bool(double)>& proceed)
      : w_(w), proceed_(proceed), values_(static_cast<std::size_t>(w.samples), not_drawn) {}

  std::vector<double> run(WorkspaceReport& report) {
    const auto blocks = static_cast<std::size_t>((w_.samples + block - 1) / block);
    in_threads(std::min(thread_count(w_.threads), blocks), [this](bool of_caller) { work(of_caller); });
    if (failure_) std::rethrow_exception(failure_);
    report.complete = !stop_;
    report.unreached_reason = reason_;
    return std::move(values_);
  }

 private:
  static constexpr long block = 64;

  void work(bool asks) {
    try {
      PoseProbe probe(w_);
      while (!stop_) {
        const double part = static_cast<double>(done_) / static_cast<double>(w_.samples);
        if (asks && proceed_ && !proceed_(drawing_part * part)) stop_ = true;
        const long first = next_.fetch_add(block);
        if (first >= w_.samples || stop_) break;
        draw(probe, first, std::min(first + block, w_.samples));
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stop_ = true;
    }
  }

  void draw(PoseProbe& probe, long first, long end) {
    for (long i = first; i < end; ++i) {
      const Value value = probe.at(drawn_pose(w_, i), w_.fixed);
      values_[static_cast<std::size_t>(i)] = value.exists ? value.mu_jam : unreached;
      if (value.exists || i >= first_unreached_) continue;
      const std::lock_guard lock(mutex_);
      if (i >= first_unreached_) continue;
      first_unreached_ = i;
      reason_ = probe.reason();
    }
    done_ += end - first;
  }

  const Workspace& w_;
  const std::function<bool(double)>& proceed_;
  std::vector<double> values_;
  std::atomic<long> next_ = 0, done_ = 0, first_unreached_ = std::numeric_limits<long>::max();
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::string reason_;
  std::exception_ptr failure_;
};

// Samples that no better one is near, best first. Near: within a few times the distance that evenly spread ones have.
std::vector<Value> chosen_starts(const Workspace& w, const std::vector<double>& values, long reached) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] >= 0 && std::isfinite(values[i])) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  constexpr std::size_t most_compared = 4000, most_starts = 60;
  order.resize(std::min(order.size(), most_compared));
  auto dimension = static_cast<double>(std::count(w.fixed.begin(), w.fixed.end(), false));
  dimension -= static_cast<double>(std::count(w.still.begin(), w.still.end(), true));
  const double near = std::min(0.25, 2 * std::pow(static_cast<double>(reached), -1 / std::max(1.0, dimension)));
  PoseProbe probe(w);
  std::vector<Value> poses, starts;
  for (const std::size_t i : order) {
    poses.push_back(probe.at(drawn_pose(w, static_cast<long>(i)), w.fixed));
    const bool alone = std::none_of(poses.begin(), poses.end() - 1, [&](const Value& better) {
      return detail::pose_distance(w, better.q, poses.back().q) < near;
    });
    if (alone) starts.push_back(poses.back());
    if (starts.size() == most_starts) break;
  }
  return starts;
}

// Hinges that turn all around are told between half a turn to both sides.
Eigen::VectorXd told(const Workspace& w, Eigen::VectorXd q) {
  for (std::size_t k = 0; k < w.joints.size(); ++k) {
    double& at = q(static_cast<Eigen::Index>(k));
    if (!w.joints[k].bounded && w.joints[k].unit == "rad") at = std::remainder(at, 2 * std::numbers::pi);
  }
  return q;
}

std::optional<Place> world_direction(const Workspace& w, PoseProbe& probe, const Value& v) {
  const Outline outline = probe.mechanism(v.q)->outline({v.q, Eigen::VectorXd::Zero(v.q.size()), w.scene.t});
  const auto contact = static_cast<std::size_t>(w.contact);
  if (contact >= outline.contacts.size()) return std::nullopt;
  const auto& tangents = outline.contacts[contact].tangents;
  if (static_cast<Eigen::Index>(tangents.size()) != v.e_jam.size()) return std::nullopt;
  Place direction{};
  for (std::size_t k = 0; k < tangents.size(); ++k)
    for (std::size_t x = 0; x < 3; ++x) direction[x] += v.e_jam(static_cast<Eigen::Index>(k)) * tangents[k][x];
  return direction;
}

WorkspacePose pose_of(const Workspace& w, PoseProbe& probe, const Value& v, bool refined) {
  WorkspacePose pose;
  pose.q = told(w, v.q);
  pose.mu_jam = v.mu_jam;
  pose.e_jam = v.e_jam;
  pose.direction = world_direction(w, probe, v);
  pose.locking_angle = v.locking_angle;
  pose.singular = v.mu_jam < detail::singular_mu_jam;
  pose.refined = refined;
  for (std::size_t k = 0; k < w.joints.size(); ++k)
    if (!w.fixed[k] && detail::at_limit(w.joints[k], v.q(static_cast<Eigen::Index>(k))))
      pose.at_limit.push_back(w.joints[k].name);
  return pose;
}

// Adds a minimum; one of the same value joins those that are known.
void add(const Workspace& w, PoseProbe& probe, const Value& v, std::vector<std::vector<Eigen::VectorXd>>& places,
         std::vector<WorkspacePose>& minima) {
  WorkspacePose pose = pose_of(w, probe, v, true);
  for (std::size_t i = 0; i < minima.size(); ++i) {
    const bool both_singular = minima[i].singular && pose.singular;
    if (!both_singular && std::abs(minima[i].mu_jam - pose.mu_jam) > 1e-6 * pose.mu_jam) continue;
    const bool apart = std::none_of(places[i].begin(), places[i].end(), [&](const Eigen::VectorXd& q) {
      return detail::pose_distance(w, q, pose.q) < 1e-3;
    });
    if (apart) places[i].push_back(pose.q);
    minima[i].members = static_cast<int>(places[i].size());
    if (pose.mu_jam >= minima[i].mu_jam) return;
    pose.members = minima[i].members;
    minima[i] = std::move(pose);
    return;
  }
  places.push_back({pose.q});
  minima.push_back(std::move(pose));
}

void refine(const Workspace& w, const std::vector<Value>& starts, const std::function<bool(double)>& proceed,
            WorkspaceReport& report) {
  PoseProbe probe(w);
  std::vector<std::vector<Eigen::VectorXd>> places;
  for (std::size_t i = 0; i < starts.size() && report.complete; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(starts.size());
    report.complete = !proceed || proceed(drawing_part + (1 - drawing_part) * part);
    if (report.complete) add(w, probe, descend_pose(w, probe, starts[i]), places, report.minima);
  }
  if (report.minima.empty() && !starts.empty()) report.minima.push_back(pose_of(w, probe, starts.front(), false));
  std::stable_sort(report.minima.begin(), report.minima.end(),
                   [](const WorkspacePose& a, const WorkspacePose& b) { return a.mu_jam < b.mu_jam; });
  if (report.minima.size() > static_cast<std::size_t>(std::max(1, w.poses)))
    report.minima.resize(static_cast<std::size_t>(std::max(1, w.poses)));
}

void count(const Workspace& w, const std::vector<double>& values, WorkspaceReport& report) {
  const double mu = w.scene.laws[static_cast<std::size_t>(w.contact)].mu;
  const auto below = [&](double limit) {
    return std::count_if(values.begin(), values.end(), [&](double v) { return v >= 0 && v < limit; });
  };
  report.drawn = std::count_if(values.begin(), values.end(), [](double v) { return v != not_drawn; });
  report.reached = std::count_if(values.begin(), values.end(), [](double v) { return v >= 0; });
  if (report.reached == 0 && report.complete)
    throw InputError("no pose in these ranges can be reached, the first because " + report.unreached_reason);
  report.at_risk = workspace_share(below(mu), report.reached);
  report.close = workspace_share(below(w.margin * mu), report.reached);
}

}  // namespace

std::vector<WorkspaceJoint> workspace_joints(const Scene& scene) {
  std::vector<WorkspaceJoint> joints;
  if (scene.kind != SceneKind::mechanism) return joints;
  for (const auto& c : scene.entry->coordinates) {
    const bool angle = c.unit == "rad";
    WorkspaceJoint joint{c.name, c.unit, angle ? -std::numbers::pi : 0, angle ? std::numbers::pi : 0, false, angle};
    if (scene.robot) {
      for (const auto& body : scene.robot->model.bodies) {
        for (const auto& j : body.joints) {
          if (j.name == c.name && j.lower && j.upper) joint = {c.name, c.unit, *j.lower, *j.upper, true, true};
        }
      }
    }
    joints.push_back(joint);
  }
  return joints;
}

WorkspaceShare workspace_share(long count, long of) {
  WorkspaceShare share;
  share.count = count;
  if (of <= 0) return share;
  constexpr double z = 1.959963984540054;  // two-sided 95 % of the normal distribution
  const auto n = static_cast<double>(of);
  const double p = static_cast<double>(count) / n;
  const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  share.part = p;
  share.low = count == 0 ? 0 : std::max(0.0, centre - half);
  share.high = count == of ? 1 : std::min(1.0, centre + half);
  return share;
}

WorkspaceReport check_workspace(const WorkspaceProblem& problem, const std::function<bool(double)>& proceed) {
  check(problem);
  const Workspace w(problem);
  refuse_unknown(w);
  WorkspaceReport report;
  report.independent = w.independent;
  report.on_surface = std::find(w.still.begin(), w.still.end(), true) != w.still.end();
  const std::vector<double> values = Drawing(w, proceed).run(report);
  count(w, values, report);
  refine(w, chosen_starts(w, values, report.reached), proceed, report);
  return report;
}

}  // namespace painleve
