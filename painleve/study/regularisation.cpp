#include "painleve/study/regularisation.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/quantity.hpp"
#include "painleve/scene/analysis.hpp"
#include "painleve/simulation/contact_force.hpp"

namespace painleve {
namespace {

// Laws whose dampings mean the same.
int damping_family(Compliance compliance) {
  switch (compliance) {
    case Compliance::viscoelastic:
    case Compliance::kelvin_voigt:
      return 0;
    case Compliance::preclik:
      return 1;
    case Compliance::hunt_crossley:
    case Compliance::hertz:
      break;
  }
  return 2;
}

// The power of the stiffness that the damping follows.
double damping_power(Compliance compliance) {
  constexpr double powers[] = {0.5, 1, 0};
  return powers[damping_family(compliance)];
}

ContactLaw regularised_law(const ContactLaw& law, const Regularisation& r, double ratio) {
  ContactLaw base = law;
  if (damping_family(law.compliance) != damping_family(r.compliance)) base.damping.reset();
  base.compliance = r.compliance;
  const NormalSpring spring = normal_spring(base, false);
  ContactLaw scaled = base;
  scaled.stiffness = spring.stiffness * ratio;
  scaled.damping = spring.damping * std::pow(ratio, damping_power(r.compliance)) * r.damping_factor;
  const double rate = r.compliance == Compliance::preclik ? ratio : std::sqrt(ratio);
  if (r.friction == FrictionModel::scene) {
    if (law.tangential_stiffness) scaled.tangential_stiffness = *law.tangential_stiffness * ratio;
    if (law.tangential_damping) scaled.tangential_damping = *law.tangential_damping * rate;
  } else {
    scaled.tangential_stiffness.reset();
    scaled.tangential_damping.reset();
  }
  if (r.friction == FrictionModel::springs) {
    scaled.tangential_stiffness = *scaled.stiffness;
    scaled.tangential_damping = std::sqrt(*scaled.stiffness);
  }
  return scaled;
}

// The gap at which the spring of the law pushes with this force.
double gap_of_force(const ContactLaw& law, double force) {
  const double depth = force / *law.stiffness;
  return -(law.compliance == Compliance::hertz ? std::cbrt(depth * depth) : depth);
}

double start_gap(const Scene& scene, std::size_t i) {
  return scene.space.gap.size() > 0 ? scene.space.gap(static_cast<Eigen::Index>(i)) : 0.0;
}

// Per contact: the gap at the start, where the springs ask for another than the scene's.
std::vector<std::optional<double>> wanted_gaps(const Scene& scene, const Regularisation& r,
                                               const std::vector<ContactLaw>& laws) {
  std::vector<std::optional<double>> gaps(laws.size());
  std::optional<StaticForce> at_rest;
  if (r.static_factor) {
    at_rest = static_force(scene);
    if (!at_rest) throw InputError("start=static: no mode of the closed contacts has forces at the start");
  }
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const double gap = start_gap(scene, i);
    if (at_rest) {
      if (at_rest->normal[i] > 0) gaps[i] = gap_of_force(laws[i], *r.static_factor * at_rest->normal[i]);
    } else if (gap < 0) {
      const NormalSpring spring = normal_spring(scene.laws[i], false);
      gaps[i] = gap_of_force(laws[i], spring_force(spring, NormalPhase::pressing, gap));
    }
  }
  return gaps;
}

// The nearest state, in the metric of M, with these gaps and with the contact velocities as they were.
State compressed(const Mechanism& mechanism, State state, const std::vector<std::optional<double>>& gaps) {
  const int d = mechanism.dimension();
  const Dynamics before = mechanism.dynamics(state);
  std::vector<Eigen::Index> contacts;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (gaps[i]) contacts.push_back(static_cast<Eigen::Index>(i));
  }
  if (contacts.empty()) return state;
  const auto n = static_cast<Eigen::Index>(contacts.size());
  constexpr int iterations = 4;  // Newton from a depth far below the size of the mechanism
  for (int step = 0; step <= iterations; ++step) {
    const Dynamics now = mechanism.dynamics(state);
    const bool last = step == iterations;
    const Eigen::Index rows = last ? n * d : n;
    Eigen::MatrixXd J(rows, now.J.cols());
    Eigen::VectorXd miss(rows);
    for (Eigen::Index k = 0; k < n; ++k) {
      const Eigen::Index i = contacts[static_cast<std::size_t>(k)];
      if (last) {
        J.middleRows(k * d, d) = now.J.middleRows(i * d, d);
        miss.segment(k * d, d) = before.u.segment(i * d, d) - now.u.segment(i * d, d);
      } else {
        J.row(k) = now.J.row(i * d + d - 1);
        miss(k) = *gaps[static_cast<std::size_t>(i)] - now.gap(i);
      }
    }
    const Eigen::MatrixXd X = now.M.llt().solve(J.transpose());
    const Eigen::VectorXd change = X * Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(J * X).solve(miss);
    (last ? state.v : state.q) += change;
  }
  return state;
}

void compress(Scene& scene, const std::vector<std::optional<double>>& gaps) {
  if (scene.kind == SceneKind::mechanism)
    scene.posed.state = compressed(*scene.posed.mechanism, scene.posed.state, gaps);
  if (scene.space.gap.size() == 0) scene.space.gap = Eigen::VectorXd::Zero(scene.space.count());
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (gaps[i]) scene.space.gap(static_cast<Eigen::Index>(i)) = *gaps[i];
  }
}

RegularisedScene regularised_drift(const Scene& scene, const Regularisation& r, double stiffness) {
  if (r.compliance != Compliance::viscoelastic || r.friction != FrictionModel::scene || r.static_factor)
    throw InputError("drifting-contacts has the regularisations viscoelastic and viscoelastic:damping=… only");
  RegularisedScene out{scene, {}};
  out.scene.drifting.epsilon = 1 / std::sqrt(stiffness);
  out.scene.drifting.damping *= r.damping_factor;
  return out;
}

double positive(const std::string& text, const std::string& value) {
  double x = 0;
  try {
    x = parse_number(value);
  } catch (const InputError& error) {
    throw InputError(fmt::format("regularisation {}: {}", in_quotes(text), error.what()));
  }
  if (!(x > 0)) throw InputError(fmt::format("regularisation {}: {} must be positive", in_quotes(text), value));
  return x;
}

void read_setting(Regularisation& r, const std::string& text, const std::string& setting) {
  const auto equals = setting.find('=');
  const std::string key = setting.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : setting.substr(equals + 1);
  if (key == "damping") {
    r.damping_factor = positive(text, value);
  } else if (key == "friction") {
    const auto& names = friction_models();
    const auto found = std::find(names.begin(), names.end(), value);
    if (found == names.end()) throw InputError(unknown_name("friction model", value, names));
    r.friction = static_cast<FrictionModel>(found - names.begin());
  } else if (key == "start") {
    constexpr std::string_view word = "static";
    if (!value.ends_with(word))
      throw InputError(
          fmt::format("regularisation {}: start is static or FACTORstatic, as 1.1static", in_quotes(text)));
    const std::string factor = value.substr(0, value.size() - word.size());
    r.static_factor = factor.empty() ? 1 : positive(text, factor);
  } else {
    throw InputError(unknown_name("setting of a regularisation", key, {"damping", "friction", "start"}));
  }
}

}  // namespace

const std::vector<std::string>& friction_models() {
  static const std::vector<std::string> names = {"scene", "exact", "springs", "smoothed"};
  return names;
}

std::string Regularisation::name() const {
  std::string text = to_string(compliance);
  if (damping_factor != 1) text += fmt::format(":damping={:g}", damping_factor);
  if (friction != FrictionModel::scene) text += ":friction=" + friction_models()[static_cast<std::size_t>(friction)];
  if (static_factor) text += *static_factor == 1 ? ":start=static" : fmt::format(":start={:g}static", *static_factor);
  return text;
}

Regularisation Regularisation::parse(const std::string& text) {
  Regularisation r;
  std::size_t colon = text.find(':');
  r.compliance = painleve::compliance(text.substr(0, colon));
  while (colon != std::string::npos) {
    const std::size_t next = text.find(':', colon + 1);
    read_setting(r, text, text.substr(colon + 1, next == std::string::npos ? next : next - colon - 1));
    colon = next;
  }
  if (r.compliance == Compliance::preclik && r.friction != FrictionModel::scene && r.friction != FrictionModel::springs)
    throw InputError("preclik has dampers along the surface; friction=springs is the only other choice");
  return r;
}

std::vector<Regularisation> standard_regularisations(const Scene& scene) {
  const bool drifts = scene.kind == SceneKind::drifting_contacts;
  Regularisation own;
  if (!drifts && !scene.laws.empty()) own.compliance = scene.laws.front().compliance;
  std::vector<Regularisation> list = {own};
  const auto add = [&](auto change) {
    list.push_back(own);
    change(list.back());
  };
  for (const double factor : {0.1, 10.0}) add([&](Regularisation& r) { r.damping_factor = factor; });
  if (drifts) return list;
  for (int k = 0; k < static_cast<int>(compliances().size()); ++k) {
    if (static_cast<Compliance>(k) != own.compliance)
      add([&](Regularisation& r) { r.compliance = static_cast<Compliance>(k); });
  }
  add([](Regularisation& r) { r.friction = FrictionModel::springs; });
  if (own.compliance != Compliance::preclik) add([](Regularisation& r) { r.friction = FrictionModel::smoothed; });
  if (const auto force = static_force(scene)) {
    const std::vector<double> factors = force->stable ? std::vector{1.0} : std::vector{0.9, 1.1};
    for (const double factor : factors) add([&](Regularisation& r) { r.static_factor = factor; });
  }
  return list;
}

std::optional<StaticForce> static_force(const Scene& scene) {
  if (scene.kind == SceneKind::drifting_contacts) return std::nullopt;
  const ModeTable table = mode_table(scene.space, mode_options(scene.laws, scene.tolerance));
  std::optional<StaticForce> best;
  const int d = scene.space.dimension;
  for (const ModeEntry& mode : table.modes) {
    if (!mode.consistent || !mode.lambda) continue;
    const bool stable = mode.stability.verdict != "unstable";
    if (best && (best->stable || !stable)) continue;
    StaticForce force{std::vector<double>(scene.laws.size(), 0.0), mode.name, stable};
    bool presses = false;
    for (std::size_t k = 0; k < table.closed.size(); ++k) {
      const double normal = (*mode.lambda)(static_cast<Eigen::Index>(k) * d + d - 1);
      force.normal[static_cast<std::size_t>(table.closed[k])] = normal;
      presses = presses || normal > 0;
    }
    if (presses) best = std::move(force);
  }
  return best;
}

RegularisedScene regularised(const Scene& scene, const Regularisation& r, double stiffness) {
  if (!(stiffness > 0) || !std::isfinite(stiffness))
    throw InputError(fmt::format("stiffness must be positive, not {:g}", stiffness));
  if (scene.kind == SceneKind::drifting_contacts) return regularised_drift(scene, r, stiffness);
  RegularisedScene out{scene, {}};
  const double first = normal_spring(scene.laws.front(), false).stiffness;
  for (ContactLaw& law : out.scene.laws) law = regularised_law(law, r, stiffness / first);
  if (r.friction == FrictionModel::smoothed) out.options.smoothing = 1 / std::sqrt(stiffness);
  compress(out.scene, wanted_gaps(scene, r, out.scene.laws));
  return out;
}

}  // namespace painleve
