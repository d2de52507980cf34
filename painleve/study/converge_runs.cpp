#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "painleve/study/detail/converge_parts.hpp"

namespace painleve::detail {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> contact_names(const Scene& scene) {
  if (scene.kind != SceneKind::drifting_contacts) return scene.space.names;
  std::vector<std::string> names;
  for (int i = 0; i < scene.drifting.count(); ++i) names.push_back("c" + std::to_string(i + 1));
  return names;
}

int rows_per_contact(const Scene& scene) {
  return scene.kind == SceneKind::drifting_contacts ? 1 : scene.space.dimension;
}

// Stacked per contact, tangents first: "u_t.tip", "u_n.tip"; in space "u_t1.tip", "u_t2.tip".
void add_stacked(const Scene& scene, const std::string& symbol, const std::string& group, bool compared,
                 std::vector<StudiedQuantity>& list) {
  const int d = rows_per_contact(scene);
  for (const std::string& contact : contact_names(scene)) {
    for (int k = 0; k < d; ++k) {
      const std::string tangent = d == 3 ? "t" + std::to_string(k + 1) : "t";
      list.push_back({symbol + "_" + (k == d - 1 ? "n" : tangent) + "." + contact, group, compared});
    }
  }
}

// Contacts whose forces the motion does not determine.
bool shares_load(const Eigen::MatrixXd& W) {
  Eigen::FullPivLU<Eigen::MatrixXd> lu(W);
  lu.setThreshold(1e-9);
  return lu.rank() < W.rows();
}

struct Path {
  std::string why;
  Eigen::VectorXd impulse;
  std::vector<RunEnding::Mark> events;
  Eigen::VectorXd Lambda;  // of the first impact; empty: none
  bool strikes = false;
  double defect = 0;
  long steps = 0;
};

// "solution 2 of 3 (T of F, S-, T) in the step from t = 0 s" without the step, which differs from dt to dt.
std::string without_time(const std::string& why) { return why.substr(0, why.find(" in the step from")); }

Path longer(const Path& path, const Run& run) {
  Path next = path;
  if (!run.why.empty()) next.why += (path.why.empty() ? "" : ", then ") + without_time(run.why);
  next.impulse = path.impulse.size() > 0 ? Eigen::VectorXd(path.impulse + run.impulse) : run.impulse;
  for (const SimulationEvent& e : run.events) {
    const bool strike = e.kind == EventKind::impact || e.kind == EventKind::iwc;
    if (strike && next.Lambda.size() == 0) next.Lambda = e.Lambda;
    next.strikes = next.strikes || strike || e.kind == EventKind::chatter;
    next.events.push_back({e.t, e.kind, e.contact >= 0 ? run.contacts[static_cast<std::size_t>(e.contact)] : ""});
  }
  next.defect += run.energy.defect();
  next.steps += run.steps;
  return next;
}

Eigen::VectorXd values(const Scene& scene, const Run& run, const Path& path) {
  std::vector<double> list;
  const auto add = [&list](const Eigen::VectorXd& v, Eigen::Index size) {
    for (Eigen::Index i = 0; i < size; ++i) list.push_back(i < v.size() ? v(i) : missing);
  };
  const Eigen::Index rows = path.impulse.size();
  // A run that stops inside a divergence stops at a threshold: only its time means something.
  const bool diverged = scene.kind == SceneKind::drifting_contacts && run.stopped != "t_end";
  const Eigen::VectorXd nothing;
  add(diverged ? nothing : path.impulse, rows);
  if (scene.kind == SceneKind::mechanism) {
    add(run.state.q, run.state.q.size());
    add(run.state.v, run.state.v.size());
  } else {
    const bool known = !diverged && !run.samples.empty();
    add(known ? run.samples.back().gap : nothing, static_cast<Eigen::Index>(run.contacts.size()));
    add(known ? run.samples.back().u : nothing, rows);
  }
  list.push_back(run.t);
  if (scene.kind == SceneKind::mechanism) {
    list.push_back(run.energy.final);
    add(path.Lambda, rows);
  }
  return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

void collect(const Run& run, const Scene& scene, const Path& path, std::vector<Leaf>& list) {
  const Path here = longer(path, run);
  if (run.futures.empty()) {
    if (run.stopped == "merged") return;
    RunEnding ending{run.stopped, run.stop_reason, run.outcome, values(scene, run, here),
                     here.events, here.defect,     here.steps};
    list.push_back({here.why, here.strikes, std::move(ending)});
    return;
  }
  for (const Run& future : run.futures) collect(future, scene, here, list);
}

}  // namespace

std::vector<StudiedQuantity> studied_quantities(const Scene& scene) {
  std::vector<StudiedQuantity> list;
  const bool shared = scene.kind == SceneKind::mechanism && shares_load(scene.space.W);
  add_stacked(scene, "impulse", "impulse", !shared, list);
  if (scene.kind == SceneKind::mechanism) {
    for (const char* group : {"q", "v"}) {
      for (const std::string& name : scene.posed.mechanism->coordinates())
        list.push_back({std::string(group) + "." + name, group, true});
    }
  } else {
    for (const std::string& contact : contact_names(scene)) list.push_back({"gap." + contact, "gap", true});
    add_stacked(scene, "u", "u", true, list);
  }
  list.push_back({"t", "t", true});
  if (scene.kind == SceneKind::mechanism) {
    list.push_back({"energy", "energy", true});
    add_stacked(scene, "Lambda", "Lambda", false, list);
  }
  return list;
}

std::vector<Leaf> leaves(const Run& run, const Scene& scene) {
  std::vector<Leaf> list;
  collect(run, scene, {}, list);
  return list;
}

std::vector<RigidFuture> rigid_futures(const Scene& scene, const SimulationOptions& options,
                                       std::optional<double> restitution) {
  Scene rigid = scene;
  if (restitution) {
    for (ContactLaw& law : rigid.laws) {
      law.restitution = *restitution;
      law.law = RestitutionLaw::energetic;  // what springs do: they give back a part of the work done on them
    }
  }
  SimulateOptions o;
  o.method = SimulationMethod::event;
  o.simulation = options;
  o.simulation.policy = Policy::all;
  o.simulation.samples = 0;
  std::vector<RigidFuture> futures;
  for (Leaf& leaf : leaves(simulate(rigid, o), rigid))
    futures.push_back({std::move(leaf.why), leaf.strikes, std::move(leaf.ending)});
  return futures;
}

}  // namespace painleve::detail
