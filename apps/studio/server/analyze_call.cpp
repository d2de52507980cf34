// The answer to every movement of the page: the analysis as the command line prints it, the drawing, the cones.
#include "analyze_call.hpp"

#include <cmath>

#include "drawing_json.hpp"
#include "painleve/cone/friction_cone.hpp"
#include "painleve/figure/cone_figure.hpp"
#include "painleve/scene/analysis.hpp"
#include "request.hpp"

namespace painleve::studio {
namespace {

constexpr int segments = 64;  // of the round rim: finer than a pixel can show

Json list(const Eigen::VectorXd& v) { return std::vector<double>(v.begin(), v.end()); }

// The two edges W (∓μ, 1) of the wedge, and their largest component.
Json wedge_edges(const FrictionCone& cone, double& extent) {
  Json edges = Json::array();
  for (const double e : {1.0, -1.0}) {
    const Eigen::VectorXd edge = ray(cone, Eigen::VectorXd::Constant(1, e));
    edges.push_back(list(edge));
    extent = std::max(extent, edge.cwiseAbs().maxCoeff());
  }
  return edges;
}

Json unit_slip(const Scene& scene, int contact) {
  const ContactSpace& s = scene.space;
  const Eigen::VectorXd u_t = s.u.segment(s.tangent(contact), s.dimension - 1);
  const bool moves = touch(s, contact, scene.tolerance) != Touch::open && u_t.norm() > scene.tolerance.velocity;
  return moves ? list(u_t.normalized()) : Json(nullptr);
}

Json cone_json(const Scene& scene, int contact) {
  const ContactSpace& s = scene.space;
  if (!(s.W(s.normal(contact), s.normal(contact)) > 0)) return nullptr;
  const FrictionCone cone = friction_cone(s, contact);
  ConeShape shape;
  if (s.dimension == 3) shape = cone_shape(cone, segments);
  Json rim = s.dimension == 3 ? Json(shape.rim) : wedge_edges(cone, shape.extent);
  if (!std::isfinite(shape.extent)) return nullptr;
  return {{"dimension", s.dimension},         {"rim", std::move(rim)},
          {"section", shape.section},         {"locking_rim", shape.locking_rim},
          {"extent", shape.extent},           {"free", list(s.b.segment(s.tangent(contact), s.dimension))},
          {"slip", unit_slip(scene, contact)}};
}

Json cones_json(const Scene& scene) {
  Json cones = Json::array();
  if (scene.kind == SceneKind::drifting_contacts) {
    for (int i = 0; i < scene.drifting.count(); ++i) cones.push_back(nullptr);
  } else {
    for (int i = 0; i < scene.space.count(); ++i) cones.push_back(cone_json(scene, i));
  }
  return cones;
}

}  // namespace

Json analysis_reply(const Scene& scene) {
  Json reply;
  reply["analysis"] = to_json(analyze(scene));
  reply["drawing"] = scene.kind == SceneKind::mechanism ? drawing(scene, scene.posed.state) : Json(nullptr);
  reply["cones"] = cones_json(scene);
  return reply;
}

Json analyze_scene(const Json& request) {
  refuse_others(request, {"scene"});
  return analysis_reply(built_scene(request));
}

}  // namespace painleve::studio
