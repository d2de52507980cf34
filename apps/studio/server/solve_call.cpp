// All solutions of one problem, as the command line prints them, with the picture of the solution space and a preview
// of the motion that each of them begins.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

#include "api.hpp"
#include "drawing_json.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/figure/step_solutions.hpp"
#include "painleve/scene/solving.hpp"
#include "request.hpp"
#include "scene_variables.hpp"

namespace painleve::studio {
namespace {

constexpr int frame_count = 6;
constexpr double longest_preview = 0.3;  // [s]

SolveOptions read_options(const Json& request) {
  static const std::map<std::string, FormulationKind> kinds = {{"acceleration", FormulationKind::acceleration},
                                                               {"impulse", FormulationKind::impulse},
                                                               {"step", FormulationKind::step}};
  const std::string name = word(request, "formulation", "acceleration");
  const auto kind = kinds.find(name);
  if (kind == kinds.end()) throw InputError(unknown_name("formulation", name, {"acceleration", "impulse", "step"}));
  SolveOptions options;
  options.formulation = kind->second;
  options.step.dt = number(request, "dt", options.step.dt, 1e-9, 10);
  options.step.with_drift = flag(request, "with_drift", false);
  options.facets = whole(request, "facets", 0, 0, 64);
  return options;
}

// How a motion begins: q + v t + ½ bend t².
struct Start {
  Eigen::VectorXd v, bend;
  Eigen::VectorXd acceleration;  // v̇, or what a step makes of it, (v⁺ − v)/dt
};

// Over all contacts of the scene, of which only some take part in the problem.
Eigen::VectorXd stacked(const SolveReport& report, const ContactSolution& solution) {
  const ContactSpace& s = report.scene.space;
  Eigen::VectorXd all = Eigen::VectorXd::Zero(s.b.size());
  for (std::size_t i = 0; i < report.formulation.contacts.size(); ++i)
    all.segment(s.tangent(report.formulation.contacts[i]), s.dimension) =
        solution.r.segment(s.dimension * static_cast<Eigen::Index>(i), s.dimension);
  return all;
}

Start start_of(const SolveReport& report, const Eigen::VectorXd& force) {
  const Mechanism& mechanism = *report.scene.posed.mechanism;
  State state = report.scene.posed.state;
  const Dynamics d = mechanism.dynamics(state);
  const Eigen::LDLT<Eigen::MatrixXd> M(d.M);
  const Eigen::VectorXd pushed = M.solve(d.J.transpose() * force);
  if (report.options.formulation == FormulationKind::acceleration) {
    const Eigen::VectorXd a = M.solve(d.f) + pushed;
    return {state.v, a, a};
  }
  if (report.options.formulation == FormulationKind::step) {
    // The force of a step that stops a slip would drag it backwards if it went on: what the step leaves is its
    // velocity.
    const double dt = report.options.step.dt;
    const Eigen::VectorXd a = M.solve(d.f) + pushed / dt;
    return {state.v + dt * a, Eigen::VectorXd::Zero(a.size()), a};
  }
  state.v += pushed;  // a jump, after which the contacts press or not: what is known is the velocity
  const Eigen::VectorXd a = M.solve(mechanism.dynamics(state).f);
  return {state.v, Eigen::VectorXd::Zero(a.size()), a};
}

State after(const Scene& scene, const Start& start, double t) {
  State state = scene.posed.state;
  state.q += start.v * t + start.bend * (t * t / 2);
  state.v = start.v + start.bend * t;
  state.t += t;
  return state;
}

// [m] How far the point that moves most has gone, of bodies and links.
double farthest(const Outline& a, const Outline& b) {
  double most = 0;
  const auto compare = [&](const Place& p, const Place& q) {
    most = std::max(most, std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
  };
  for (std::size_t i = 0; i < std::min(a.strokes.size(), b.strokes.size()); ++i) {
    if (a.strokes[i].part != Part::body && a.strokes[i].part != Part::linkage) continue;
    for (std::size_t k = 0; k < std::min(a.strokes[i].points.size(), b.strokes[i].points.size()); ++k)
      compare(a.strokes[i].points[k], b.strokes[i].points[k]);
  }
  for (std::size_t i = 0; i < std::min(a.balls.size(), b.balls.size()); ++i)
    if (a.balls[i].part == Part::body) compare(a.balls[i].centre, b.balls[i].centre);
  return most;
}

// [s] Until something has moved by about a quarter of the mechanism's size.
double preview_time(const Scene& scene, const Start& start) {
  const Mechanism& mechanism = *scene.posed.mechanism;
  const Outline now = mechanism.outline(scene.posed.state);
  const double enough = drawn_size(scene) / 4;
  double t = longest_preview;
  constexpr double shorter = 0.8;
  constexpr int most = 100;  // down to 6e-11 s
  for (int k = 0; k < most && !(farthest(now, mechanism.outline(after(scene, start, t))) <= enough); ++k) t *= shorter;
  return t;
}

Json frames(const Scene& scene, const Start& start) {
  Json list = Json::array();
  if (!start.v.allFinite() || !start.acceleration.allFinite()) return list;
  const double end = preview_time(scene, start);
  for (int k = 1; k <= frame_count; ++k) {
    const double t = end * k / frame_count;
    Json shot = drawing(scene, after(scene, start, t));
    if (shot.is_null()) return list;
    list.push_back({{"t", t}, {"drawing", std::move(shot)}});
  }
  return list;
}

Json preview(const SolveReport& report, const ContactSolution& solution) {
  const Eigen::VectorXd force = stacked(report, solution);
  const bool forces = report.options.formulation == FormulationKind::acceleration;
  Json j = {{"mode", solution.mode},
            {"force", std::vector<double>(force.begin(), force.end())},
            {"unit", forces ? "N" : "N s"},
            {"acceleration", Json::object()},
            {"frames", Json::array()}};
  if (report.scene.kind != SceneKind::mechanism) return j;
  const Start start = start_of(report, force);
  const auto& names = report.scene.posed.mechanism->coordinates();
  for (std::size_t i = 0; i < names.size(); ++i)
    j["acceleration"][names[i]] = start.acceleration(static_cast<Eigen::Index>(i));
  j["frames"] = frames(report.scene, start);
  return j;
}

void put_space(Json& reply, const Scene& scene, const SolveOptions& options) {
  reply["space"] = nullptr;
  reply["space_reason"] = "";
  if (options.formulation == FormulationKind::acceleration) {
    reply["space_reason"] = "the solution space is drawn for the formulations impulse and step";
  } else if (options.formulation == FormulationKind::step && options.step.with_drift) {
    reply["space_reason"] = "the solution space is drawn for the step without drift";
  } else {
    try {
      reply["space"] =
          to_json(step_solutions_plot(scene, options.formulation == FormulationKind::step ? options.step.dt : 0));
    } catch (const InputError& error) {
      reply["space_reason"] = error.what();
    }
  }
}

}  // namespace

// A polygon multiplies the pieces of every contact with each other.
void refuse_many_pieces(const Scene& scene, int facets) {
  constexpr double most = 1024;
  if (scene.kind == SceneKind::drifting_contacts || std::pow(facets, scene.space.count()) <= most) return;
  throw InputError(
      fmt::format("{} facets for {} contacts are too many for the studio; the command line has no such limit", facets,
                  scene.space.count()));
}

Json solve_scene(const Json& request) {
  refuse_others(request, {"scene", "formulation", "dt", "with_drift", "facets"});
  const SolveOptions options = read_options(request);
  Scene scene = built_scene(request);
  refuse_many_pieces(scene, options.facets);
  const SolveReport report = solve(std::move(scene), options);
  Json reply;
  reply["report"] = to_json(report);
  put_space(reply, report.scene, options);
  reply["previews"] = Json::array();
  for (const ContactSolution& solution : report.set.solutions) reply["previews"].push_back(preview(report, solution));
  return reply;
}

}  // namespace painleve::studio
