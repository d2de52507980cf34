// Candidates in the order in which a person would want to keep them, each tried with those before it held.
#include "state_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/base/quantity.hpp"

namespace painleve::studio {
namespace {

// Who is asked first when two of them cannot be moved at the same time.
enum Rank { given, independent, slip, stand_in, solved_for, slip_instead, ranks };

struct Candidate {
  Variable variable;
  Rank rank = independent;
  std::vector<double> list;  // of a list of which the variable is one component: all of them
  std::size_t index = 0;
};

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

void set(SceneSource& source, const Candidate& c, double value) {
  if (c.list.empty()) return source.set(c.variable.path, value);
  std::vector<double> list = c.list;
  list[c.index] = value;
  source.set(fmt::format("{}=[{}]", component(c.variable.path)->path, fmt::join(list, ", ")));
}

bool close(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  constexpr double rounding = 1e-9;  // the solver of postures ends far below
  return (a - b).cwiseAbs().maxCoeff() <= rounding * std::max(1.0, a.cwiseAbs().maxCoeff());
}

// The state that a scene gets, or none where it contradicts itself.
std::optional<State> state_of(const SceneSource& source) {
  try {
    return source.build().posed.state;
  } catch (const InputError&) {
    return {};
  }
}

bool same(const State& a, const State& b) { return close(a.q, b.q) && close(a.v, b.v) && a.t == b.t; }

// An open contact that would dip into its surface is in the way of one value, not of all: with springs it is allowed.
SceneSource softened(SceneSource source, const Scene& scene) {
  for (int i = 0; i < scene.space.count(); ++i) {
    if (touch(scene.space, i, scene.tolerance) == Touch::open ||
        !scene.posed.contacts[static_cast<std::size_t>(i)].closed)
      source.set("contact." + scene.space.names[static_cast<std::size_t>(i)] + ".stiffness", 1);
  }
  return source;
}

// Whether the scene stays as it is with the present value, and becomes another one with another value. `held` has the
// values of all that were found to move, and gets this one.
bool can_move(SceneSource& held, const Candidate& c, const Scene& scene) {
  SceneSource pinned = held;
  set(pinned, c, c.variable.value);
  const auto unmoved = state_of(pinned);
  if (!unmoved || !same(*unmoved, scene.posed.state)) return false;
  const double step = 1e-4 * (c.variable.to - c.variable.from);
  for (const double by : {step, -step}) {
    SceneSource moved = softened(pinned, scene);
    set(moved, c, c.variable.value + by);
    const auto state = state_of(moved);
    if (!state || same(*state, scene.posed.state)) continue;
    held = pinned;
    return true;
  }
  return false;
}

class StateList {
 public:
  StateList(const Scene& scene, const SceneValues& values)
      : scene_(scene), values_(values), entry_(*scene.entry), size_(drawn_size(scene)) {}

  std::vector<Candidate> all(const StateCandidates& wanted) {
    add_coordinates();
    add_stand_ins(wanted.velocities);
    if (!wanted.velocities) return std::move(list_);
    add_velocities();
    add_slip();
    add_time();
    return std::move(list_);
  }

 private:
  void add(const std::string& name, const std::string& unit, double value, const std::string& meaning, Rank rank) {
    Candidate c;
    c.variable = {"state." + name, name, "state", unit, value, 0, 0, meaning, false};
    const bool set = values_.given(c.variable.path) || values_.given("parameters." + name);
    c.variable.solved = !set && (rank == solved_for || rank == slip_instead);
    c.rank = set ? given : rank;
    set_ends(c.variable);
    list_.push_back(c);
  }

  void set_ends(Variable& v) const {
    const double turn = std::numbers::pi;
    double reach = std::max(5.0, 3 * std::abs(v.value));  // velocities
    if (v.unit == "m") reach = 2 * size_;
    v.from = v.unit == "m" ? v.value - reach : -reach;
    v.to = v.unit == "m" ? v.value + reach : reach;
    if (v.unit == "rad") set_between(v, -turn, turn);
    if (v.unit == "s") set_between(v, 0, std::max(2.0, 2 * v.value));
  }

  Rank rank_of(const std::string& name) const { return contains(entry_.solved, name) ? solved_for : independent; }

  void add_coordinates() {
    for (std::size_t i = 0; i < entry_.coordinates.size(); ++i) {
      const CoordinateInfo& info = entry_.coordinates[i];
      add(info.name, info.unit, scene_.posed.state.q(static_cast<Eigen::Index>(i)), info.meaning, rank_of(info.name));
    }
  }

  void add_velocities() {
    for (std::size_t i = 0; i < entry_.coordinates.size(); ++i) {
      const CoordinateInfo& info = entry_.coordinates[i];
      add(info.name + "_dot", info.unit + "/s", scene_.posed.state.v(static_cast<Eigen::Index>(i)),
          "rate of " + info.name, rank_of(info.name + "_dot"));
    }
  }

  void add_stand_ins(bool rates) {
    for (const CoordinateInfo& info : entry_.stand_ins) {
      if (!rates && info.unit.ends_with("/s")) continue;
      double value = info.fallback;
      const auto written = values_.written("state." + info.name);
      if (written.size() == 1)
        value = written[0].number ? *written[0].number : parse_quantity(written[0].text, info.unit);
      add(info.name, info.unit, value, info.meaning, stand_in);
    }
  }

  // The present slip of the first contact. What was asked for, exactly, where that is what the posture has.
  std::vector<double> slip_values() const {
    std::vector<double> slip_now(static_cast<std::size_t>(entry_.dimension - 1));
    for (std::size_t k = 0; k < slip_now.size(); ++k) slip_now[k] = scene_.space.u(static_cast<Eigen::Index>(k));
    std::vector<double> asked = values_.given("state.slip") ? std::vector<double>{} : entry_.default_slip;
    for (const Written& one : values_.written("state.slip"))
      asked.push_back(one.number ? *one.number : parse_quantity(one.text, "m/s"));
    for (std::size_t k = 0; k < slip_now.size() && asked.size() == slip_now.size(); ++k) {
      constexpr double rounding = 1e-12;
      if (std::abs(slip_now[k] - asked[k]) <= rounding * std::max(1.0, std::abs(asked[k]))) slip_now[k] = asked[k];
    }
    return slip_now;
  }

  void add_slip() {
    if (scene_.space.count() == 0) return;
    const std::vector<double> now = slip_values();
    const Rank rank = entry_.default_slip.empty() ? slip_instead : slip;
    const std::string& contact = scene_.space.names.front();
    if (now.size() == 1) return add("slip", "m/s", now[0], "velocity of " + contact + " along its surface", rank);
    for (std::size_t k = 0; k < now.size(); ++k) {
      add(fmt::format("slip[{}]", k + 1), "m/s", now[k], fmt::format("velocity of {} along t{}", contact, k + 1),
          values_.given("state.slip") ? given : rank);
      list_.back().list = now;
      list_.back().index = k;
    }
  }

  // Only where something depends on it.
  void add_time() {
    State later = scene_.posed.state;
    const Dynamics now = scene_.posed.mechanism->dynamics(later);
    constexpr double a_while = 0.37;  // [s] not a period of anything round
    later.t += a_while;
    const Dynamics then = scene_.posed.mechanism->dynamics(later);
    if (now.f == then.f && now.u == then.u && now.gap == then.gap && !values_.given("state.t")) return;
    add("t", "s", scene_.t, "time, of which applied forces and supports may depend", independent);
  }

  const Scene& scene_;
  const SceneValues& values_;
  const GalleryEntry& entry_;
  double size_;
  std::vector<Candidate> list_;
};

}  // namespace

std::vector<Variable> state_variables(const SceneSource& source, const Scene& scene, const SceneValues& values,
                                      const StateCandidates& wanted) {
  const std::vector<Candidate> candidates = StateList(scene, values).all(wanted);
  SceneSource held = source;
  std::vector<bool> moves(candidates.size(), false);
  for (int rank = 0; rank < ranks; ++rank) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].rank == rank) moves[i] = can_move(held, candidates[i], scene);
    }
  }
  std::vector<Variable> list;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (moves[i]) list.push_back(candidates[i].variable);
  return list;
}

}  // namespace painleve::studio
