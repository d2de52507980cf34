// Dragging: the coordinates that put a material point of the drawing where the mouse is.
//
// The point is found again by its place on the outline, and the scene is built anew for every trial, so closed contacts
// stay closed and a mechanism may complete its posture as it likes. Damped Gauss-Newton steps on finite differences,
// the smallest ones where several would do; a place out of reach is approached as far as it goes.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>

#include "analyze_call.hpp"
#include "api.hpp"
#include "painleve/base/error.hpp"
#include "request.hpp"
#include "scene_variables.hpp"

namespace painleve::studio {
namespace {

struct Grip {
  int ball = -1;
  int stroke = -1, segment = 0;
  double along = 0;
};

Grip read_grip(const Json& request) {
  if (!request.contains("grip") || !request["grip"].is_object())
    throw InputError("'grip' must be an object with stroke, segment and along, or with ball");
  const Json& j = request["grip"];
  refuse_others(j, {"stroke", "segment", "along", "ball"});
  constexpr int most = 1'000'000;
  Grip grip;
  grip.ball = whole(j, "ball", -1, 0, most);
  grip.stroke = whole(j, "stroke", -1, 0, most);
  grip.segment = whole(j, "segment", 0, 0, most);
  grip.along = number(j, "along", 0, 0, 1);
  if ((grip.ball < 0) == (grip.stroke < 0)) throw InputError("'grip' names either a stroke or a ball");
  return grip;
}

Eigen::Vector3d vector(const Place& p) { return {p[0], p[1], p[2]}; }

// Where the gripped point is; none where the outline has no such place.
std::optional<Eigen::Vector3d> place(const Outline& outline, const Grip& grip) {
  if (grip.ball >= 0) {
    const auto i = static_cast<std::size_t>(grip.ball);
    if (i >= outline.balls.size()) return {};
    return vector(outline.balls[i].centre);
  }
  const auto i = static_cast<std::size_t>(grip.stroke);
  if (i >= outline.strokes.size()) return {};
  const Stroke& stroke = outline.strokes[i];
  const auto k = static_cast<std::size_t>(grip.segment);
  const std::size_t pieces = stroke.closed ? stroke.points.size() : stroke.points.size() - 1;
  if (stroke.points.size() < 2 || k >= pieces) return {};
  const Eigen::Vector3d a = vector(stroke.points[k]);
  const Eigen::Vector3d b = vector(stroke.points[(k + 1) % stroke.points.size()]);
  return a + grip.along * (b - a);
}

// One posture that was tried.
struct Trial {
  Eigen::VectorXd x;     // values of the coordinates that may move
  Eigen::Vector3d away;  // from the wanted place to the point
};

class Pull {
 public:
  Pull(const SceneSource& source, const Scene& scene, const Grip& grip, const Eigen::Vector3d& to)
      : source_(source), grip_(grip), to_(to), free_(movable_coordinates(source, scene)) {
    const auto n = static_cast<Eigen::Index>(free_.size());
    size_ = drawn_size(scene);
    start_.x.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) start_.x(i) = free_[static_cast<std::size_t>(i)].value;
    const auto now = place(scene.posed.mechanism->outline(scene.posed.state), grip);
    if (!now) throw InputError("'grip' names a place that the drawing does not have");
    start_.away = *now - to;
  }

  // What has to be set; nothing where no posture is nearer than the present one.
  Json settings() {
    // Turning comes easier than shifting the whole: a tenth of the size counts as much as a radian. Where that way is
    // barred by a foot above the floor, the other one may be free.
    weigh(0.1);
    Trial best = nearest();
    if (best.away.norm() > near() && weigh(10)) {
      const Trial other = nearest();
      if (other.away.norm() < best.away.norm()) best = other;
    }
    Json set = Json::object();
    const Eigen::VectorXd change = (best.x - start_.x).cwiseQuotient(scale_);
    if (change.size() == 0 || change.cwiseAbs().maxCoeff() == 0) return set;
    for (Eigen::Index i = 0; i < change.size(); ++i) {
      const Variable& v = free_[static_cast<std::size_t>(i)];
      // One that is solved for would move by itself if it were not held.
      if (v.solved || std::abs(change(i)) > 1e-13) set[v.path] = best.x(i);
    }
    return set;
  }

 private:
  // `shift`: the part of the size that counts as one step. False where there is nothing to weigh against each other.
  bool weigh(double shift) {
    scale_.resize(start_.x.size());
    most_.resize(start_.x.size());
    for (Eigen::Index i = 0; i < scale_.size(); ++i) {
      const bool turns = free_[static_cast<std::size_t>(i)].unit == "rad";
      scale_(i) = turns ? 1 : shift * size_;
      most_(i) = turns ? 1 : 1 / shift;
    }
    return scale_.size() > 2;
  }

  double near() const { return 1e-12 * size_; }

  std::optional<Trial> tried(const Eigen::VectorXd& x) const {
    SceneSource source = source_;
    for (std::size_t i = 0; i < free_.size(); ++i) source.set(free_[i].path, x(static_cast<Eigen::Index>(i)));
    try {
      const Scene scene = source.build();
      const auto at = place(scene.posed.mechanism->outline(scene.posed.state), grip_);
      if (!at || !at->allFinite()) return {};
      return Trial{x, *at - to_};
    } catch (const InputError&) {
      return {};  // out of reach, or an open contact would dip into its surface
    }
  }

  // Columns: how the point moves per scaled coordinate. A coordinate that cannot be moved either way has none.
  Eigen::Matrix3Xd slopes(const Trial& at) const {
    constexpr double h = 1e-6;
    Eigen::Matrix3Xd J = Eigen::Matrix3Xd::Zero(3, at.x.size());
    for (Eigen::Index i = 0; i < at.x.size(); ++i) {
      for (const double by : {h, -h}) {
        Eigen::VectorXd x = at.x;
        x(i) += by * scale_(i);
        const auto moved = tried(x);
        if (!moved) continue;
        J.col(i) = (moved->away - at.away) / by;
        break;
      }
    }
    return J;
  }

  // The smallest scaled step towards the place; at once nothing turns by more than a radian or shifts by more than the
  // size of the mechanism, since beyond that the slopes say nothing.
  Eigen::VectorXd step(const Eigen::Matrix3Xd& J, const Eigen::Vector3d& away, double damping) const {
    const Eigen::Matrix3d A = J * J.transpose() + damping * Eigen::Matrix3d::Identity();
    const Eigen::VectorXd s = -J.transpose() * A.ldlt().solve(away);
    return s.cwiseMax(-most_).cwiseMin(most_);
  }

  // A step that brings the point nearer, with as much damping as that takes.
  std::optional<Trial> improved(const Trial& at) const {
    const Eigen::Matrix3Xd J = slopes(at);
    const double size = J.squaredNorm();
    if (!(size > 0)) return {};
    for (const double damping : {1e-14, 1e-4, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3}) {
      const Eigen::VectorXd s = step(J, at.away, damping * size);
      auto next = tried(at.x + s.cwiseProduct(scale_));
      if (next && next->away.squaredNorm() < at.away.squaredNorm()) return next;
    }
    return {};
  }

  Trial nearest() const {
    constexpr int most = 12;
    Trial at = start_;
    for (int k = 0; k < most && at.x.size() > 0 && at.away.norm() > near(); ++k) {
      const auto next = improved(at);
      if (!next) break;
      at = *next;
    }
    return at;
  }

  const SceneSource& source_;
  Grip grip_;
  Eigen::Vector3d to_;
  std::vector<Variable> free_;
  Eigen::VectorXd scale_;  // what counts as one step of a coordinate
  Eigen::VectorXd most_;   // steps at once
  Trial start_;
  double size_ = 1;  // [m]
};

}  // namespace

Json drag_scene(const Json& request) {
  refuse_others(request, {"scene", "grip", "to"});
  const Scene scene = built_scene(request);
  if (scene.kind != SceneKind::mechanism)
    throw InputError("this scene is numbers without bodies: nothing can be dragged");
  const Grip grip = read_grip(request);
  const std::vector<double> wanted = numbers(request, "to", 3);
  const Eigen::Vector3d to(wanted[0], wanted[1], wanted[2]);
  SceneSource source = scene_source(request["scene"]);
  const Json set = Pull(source, scene, grip, to).settings();
  for (const auto& item : set.items()) source.set(item.key(), item.value().get<double>());
  const Scene dragged = set.empty() ? scene : source.build();
  Json reply = analysis_reply(dragged);
  reply["set"] = set;
  reply["distance"] = (*place(dragged.posed.mechanism->outline(dragged.posed.state), grip) - to).norm();
  return reply;
}

}  // namespace painleve::studio
