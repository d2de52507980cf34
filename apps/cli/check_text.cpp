#include "check_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "terminal.hpp"

namespace painleve::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* nothing_jams = "no pose couples the normal motion to a tangential one: no friction jams";

double degrees(double radians) { return radians * 180 / std::numbers::pi; }
double clean(double x) { return std::abs(x) < 5e-13 ? 0.0 : x; }  // what rounding leaves of 0

std::string joint_text(const WorkspaceJoint& joint, double value) {
  return joint.unit == "rad" ? fmt::format("{:.6g} deg", clean(degrees(value)))
                             : fmt::format("{:.6g} {}", clean(value), joint.unit);
}

std::string pose_text(const CheckResult& r, const WorkspacePose& pose) {
  std::string text;
  for (std::size_t k = 0; k < r.problem.joints.size(); ++k) {
    const auto& joint = r.problem.joints[k];
    text += fmt::format("{}{} = {}", k == 0 ? "" : ", ", joint.name,
                        joint_text(joint, pose.q(static_cast<Eigen::Index>(k))));
  }
  return text;
}

// In space a vector of the world; in the plane its two components there.
std::vector<double> direction(const CheckResult& r, const WorkspacePose& pose) {
  std::vector<double> list;
  for (int k = 0; pose.direction && k < r.problem.scene.space.dimension; ++k)
    list.push_back(clean((*pose.direction)[static_cast<std::size_t>(k)]));
  return list;
}

std::string line(const std::string& what, const std::string& value) {
  return fmt::format("  {:<20} {}\n", what, value);
}

std::string share_text(const WorkspaceShare& share) {
  return fmt::format("{:.3g} % of the poses drawn (95 %: {:.3g} to {:.3g} %)", 100 * share.part, 100 * share.low,
                     100 * share.high);
}

std::string margin_text(const CheckResult& r) {
  const auto margin = r.found_margin();
  if (!margin) return r.mu() > 0 ? nothing_jams : "without friction nothing jams";
  const std::string value = fmt::format("{:.6g}, critical friction over mu = {:.6g}", *margin, r.mu());
  if (!r.margin) return value + (*margin < 1 ? styled("; it can jam", Style::bad) : "");
  const std::string asked = fmt::format("; {:g} was asked for: {}", *r.margin, r.below_margin() ? "not met" : "met");
  return value + styled(asked, r.below_margin() ? Style::bad : Style::good);
}

std::string worst_text(const CheckResult& r) {
  if (r.report.minima.empty()) return line("critical friction", std::string("none: ") + nothing_jams);
  const WorkspacePose& worst = r.report.minima.front();
  std::string text = line("critical friction", styled(fmt::format("{:.10g}", worst.mu_jam), Style::strong) +
                                                   (worst.singular ? ", falling to 0: the contact cannot move along "
                                                                     "its normal there (a singular pose)"
                                                                   : ", the least mu_jam found"));
  text += line("margin", margin_text(r));
  text += line("worst pose", pose_text(r, worst));
  for (const auto& name : worst.at_limit) text += line("", fmt::format("{} is at the end of its range", name));
  const auto along = direction(r, worst);
  if (!along.empty()) {
    text += line("sliding direction", fmt::format("({:.6g}) {}: slip this way jams first", fmt::join(along, ", "),
                                                  along.size() == 3 ? "in the world" : "in the plane of motion"));
  }
  if (worst.locking_angle > 0 && along.size() == 3) {
    text += line("locking angle", fmt::format("{:.6g} deg: slip within half of it of that direction jams",
                                              degrees(worst.locking_angle)));
  }
  return text;
}

std::string shares_text(const CheckResult& r) {
  std::string text = line("at risk", share_text(r.report.at_risk) + " have mu_jam < mu");
  if (r.margin && *r.margin > 1)
    text += line("close to it", share_text(r.report.close) + fmt::format(" have mu_jam < {:g} mu", *r.margin));
  return text;
}

std::string minima_text(const CheckResult& r) {
  std::string text;
  constexpr std::size_t most_told = 6;  // all of them are in the JSON
  for (std::size_t i = 1; i < std::min(most_told, r.report.minima.size()); ++i) {
    const auto& m = r.report.minima[i];
    text += fmt::format("  {:<14.10g} at {}{}\n", m.mu_jam, pose_text(r, m), m.singular ? " (singular)" : "");
  }
  return text.empty() ? text : "\n" + styled("Further local minima of mu_jam", Style::strong) + "\n" + text;
}

std::string small_print(const CheckResult& r) {
  const auto& report = r.report;
  std::string text = fmt::format("\n{} poses drawn{}, {} reached", report.drawn,
                                 report.on_surface ? " and moved onto the surface" : "", report.reached);
  if (report.reached < report.drawn)
    text += fmt::format(" (the first of the others is none because {})", report.unreached_reason);
  if (!report.independent.empty())
    text += fmt::format("; mu_jam does not depend on {}", fmt::join(report.independent, ", "));
  text += ". A minimum that no pose drawn is near can be missed: --samples draws more. Collisions are not tested.\n";
  if (!report.complete) text += "Interrupted: this is what was known then.\n";
  if (!r.files.empty()) text += fmt::format("written to {}\n", fmt::join(r.files, " and "));
  return text;
}

Json pose_json(const CheckResult& r, const WorkspacePose& pose) {
  Json j;
  j["mu_jam"] = pose.mu_jam;
  for (std::size_t k = 0; k < r.problem.joints.size(); ++k)
    j["q"][r.problem.joints[k].name] = pose.q(static_cast<Eigen::Index>(k));
  j["e_jam"] = std::vector<double>(pose.e_jam.begin(), pose.e_jam.end());
  const auto along = direction(r, pose);
  j["sliding_direction"] = along.empty() ? Json(nullptr) : Json(along);
  if (along.empty()) j["sliding_direction_reason"] = "the mechanism does not say how its contacts lie";
  j["locking_angle"] = pose.locking_angle;
  j["at_limit"] = pose.at_limit;
  j["singular"] = pose.singular;
  j["refined"] = pose.refined;
  j["members"] = pose.members;
  return j;
}

Json share_json(const WorkspaceShare& share) {
  return {{"count", share.count}, {"part", share.part}, {"low", share.low}, {"high", share.high}};
}

Json joints_json(const CheckResult& r) {
  Json list = Json::array();
  for (const auto& joint : r.problem.joints) {
    Json j{{"name", joint.name}, {"unit", joint.unit}};
    j["from"] = joint.known ? Json(joint.from) : Json(nullptr);
    j["to"] = joint.known ? Json(joint.to) : Json(nullptr);
    if (!joint.known) j["from_reason"] = j["to_reason"] = "it has no limits and is solved for, or has no effect";
    j["limited"] = joint.bounded;
    list.push_back(std::move(j));
  }
  return list;
}

void put_worst(Json& j, const CheckResult& r) {
  const bool any = !r.report.minima.empty();
  j["critical_friction"] = any ? Json(r.report.minima.front().mu_jam) : Json(nullptr);
  if (!any) j["critical_friction_reason"] = nothing_jams;
  const auto margin = r.found_margin();
  j["margin"] = margin ? Json(*margin) : Json(nullptr);
  if (!margin) j["margin_reason"] = any ? "without friction nothing jams" : nothing_jams;
  j["margin_asked"] = r.margin ? Json(*r.margin) : Json(nullptr);
  if (!r.margin) j["margin_asked_reason"] = "--margin was not given";
  j["below_margin"] = r.below_margin();
  j["worst"] = any ? pose_json(r, r.report.minima.front()) : Json(nullptr);
  if (!any) j["worst_reason"] = nothing_jams;
}

}  // namespace

std::optional<double> CheckResult::found_margin() const {
  if (report.minima.empty() || !(mu() > 0)) return std::nullopt;
  return report.minima.front().mu_jam / mu();
}

bool CheckResult::below_margin() const {
  const auto found = found_margin();
  return margin && found && *found < *margin;
}

std::string check_text(const CheckResult& r) {
  const Scene& scene = r.problem.scene;
  std::string text =
      fmt::format("{}: {}, contact {}, mu = {:.6g}\n", styled(r.scene, Style::strong), scene.entry->summary,
                  scene.space.names[static_cast<std::size_t>(r.problem.contact)], r.mu());
  if (scene.robot)
    for (const auto& note : scene.robot->notes) text += fmt::format("  {} {}\n", styled("note:", Style::warn), note);
  return text + "\n" + worst_text(r) + shares_text(r) + minima_text(r) + small_print(r);
}

nlohmann::ordered_json check_json(const CheckResult& r) {
  const Scene& scene = r.problem.scene;
  Json j{{"schema", 1}, {"command", "check"}, {"scene", r.scene}, {"mechanism", scene.mechanism}};
  if (scene.robot) {
    j["file"] = scene.robot->file;
    j["notes"] = scene.robot->notes;
  }
  j["dimension"] = scene.space.dimension;
  j["contact"] = scene.space.names[static_cast<std::size_t>(r.problem.contact)];
  j["mu"] = r.mu();
  put_worst(j, r);
  j["minima"] = Json::array();
  for (const auto& pose : r.report.minima) j["minima"].push_back(pose_json(r, pose));
  j["at_risk"] = share_json(r.report.at_risk);
  j["close"] = share_json(r.report.close);
  j["over"] = joints_json(r);
  j["independent_of"] = r.report.independent;
  j["on_surface"] = r.report.on_surface;
  j["samples"] = r.report.drawn;
  j["reached"] = r.report.reached;
  if (r.report.reached < r.report.drawn) j["unreached_reason"] = r.report.unreached_reason;
  j["seed"] = r.problem.seed;
  j["complete"] = r.report.complete;
  j["files"] = r.files;
  return j;
}

}  // namespace painleve::cli
