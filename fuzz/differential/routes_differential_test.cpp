// Rigid against stiff, and cells of a map against the analysis of the same state.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "painleve/scene/analysis.hpp"
#include "painleve/scene/contact_space_json.hpp"
#include "painleve/scene/simulating.hpp"
#include "painleve/study/map.hpp"

namespace painleve::differential {
namespace {

// One contact that slides along +t, in whole numbers: W = L Lᵀ with the rows (a, 0), (b, c).
struct DrawnSlip {
  int a = 1, b = 0, c = 1, b_n = 0, mu_quarters = 0;
};

void showValue(const DrawnSlip& d, std::ostream& out) {
  out << "a " << d.a << ", b " << d.b << ", c " << d.c << ", b_n " << d.b_n << ", 4 mu " << d.mu_quarters;
}

rc::Gen<DrawnSlip> slips() {
  return rc::gen::build<DrawnSlip>(
      rc::gen::set(&DrawnSlip::a, rc::gen::inRange(1, 4)), rc::gen::set(&DrawnSlip::b, rc::gen::inRange(-1, 4)),
      rc::gen::set(&DrawnSlip::c, rc::gen::inRange(1, 3)), rc::gen::set(&DrawnSlip::b_n, rc::gen::inRange(-3, 4)),
      rc::gen::set(&DrawnSlip::mu_quarters, rc::gen::inRange(0, 21)));
}

double W_nn(const DrawnSlip& d) { return d.b * d.b + d.c * d.c; }
double p(const DrawnSlip& d) { return W_nn(d) - d.mu_quarters / 4.0 * d.a * d.b; }

constexpr double stiffness = 1e8, end_of_run = 0.01;
double damping(const DrawnSlip& d) { return std::sqrt(stiffness / W_nn(d)); }

// What is left at the end of the oscillation of the springs, λ'' + p damping λ' + p stiffness (λ + b_n/p) = 0 from
// λ = 0, λ' = −damping b_n, as a part of the force: the smaller p, the slower it dies out.
double unsettled(const DrawnSlip& d) {
  const double decay = p(d) * damping(d) / 2;
  const double ratio = decay / std::sqrt(p(d) * stiffness);
  return ratio < 1 ? std::exp(-decay * end_of_run) / std::sqrt(1 - ratio * ratio) : 0;
}

// Springs that are stiff beside the motion, with half of the critical damping of the contact alone.
Scene stiff_scene(const DrawnSlip& d) {
  nlohmann::json j;
  j["W"] = {{d.a * d.a, d.a * d.b}, {d.a * d.b, W_nn(d)}};
  j["b"] = {0, d.b_n};
  j["u"] = {1, 0};
  j["mu"] = d.mu_quarters / 4.0;
  j["stiffness"] = stiffness;
  j["damping"] = damping(d);
  return scene_from_json(j);
}

Run stiff_run(const Scene& scene) {
  SimulateOptions options;
  options.method = SimulationMethod::compliant;
  options.simulation.t_end = end_of_run;
  options.simulation.samples = 10;
  return simulate(scene, options);
}

// Champneys & Várkonyi (2016), Table 1: slip is stable in the stiff limit exactly where p > 0. Then, with b_n < 0, the
// springs come to rest at the force of the rigid contact; with p < 0 < b_n they lift; with p, b_n < 0, where rigid
// bodies have no motion, the force grows until the slip is over.
RC_GTEST_PROP(RigidAgainstStiff, OneSlidingContact, ()) {
  const DrawnSlip d = *slips();
  RC_PRE(p(d) != 0 && d.b_n != 0);
  const Scene scene = stiff_scene(d);
  const ModeTable rigid = analyze(scene).modes;
  const Run run = stiff_run(scene);
  const Sample& end = run.samples.back();
  const double force = -d.b_n / p(d);
  RC_LOG() << rigid.verdict << ", force " << force << ", springs end in " << end.mode << " with " << end.lambda(1)
           << ", " << run.outcome << "\n";
  if (p(d) > 0) {
    RC_CLASSIFY(true, "p > 0");
    RC_ASSERT(rigid.verdict == "unique");
    const double expected = std::fmax(force, 0.0);
    RC_ASSERT(std::abs(end.lambda(1) - expected) <= 1e-3 * (1 + expected) + unsettled(d) * expected);
  } else if (d.b_n > 0) {
    RC_CLASSIFY(true, "two solutions");
    RC_ASSERT(rigid.verdict == "indeterminate");
    RC_ASSERT(end.lambda(1) == 0);
    RC_ASSERT(end.gap(0) > 0);
  } else {
    RC_CLASSIFY(true, "no solution");
    RC_ASSERT(rigid.verdict == "inconsistent");
    RC_ASSERT(run.impulse(1) > 0.9 * 1 / (d.mu_quarters / 4.0 * d.a * d.a - d.a * d.b));
  }
}

RC_GTEST_PROP(MapAgainstAnalysis, CellsOfTheRod, ()) {
  const int theta = *rc::gen::inRange(1, 90), mu = *rc::gen::inRange(0, 40), slip = *rc::gen::inRange(-2, 3);
  SceneSource source = SceneSource::open("rod");
  source.set("state.slip", slip);
  MapProblem problem{source, {}, {}, {}, {}, "differential"};
  for (const char* name : {"verdict", "p", "mu_jam", "consistent_modes"})
    problem.quantities.push_back(Quantity::parse(name));
  const double angle = theta * 0.0174532925199432955;
  problem.axes = {{"state.theta", "theta", "rad", angle, angle + 0.25, 2},
                  {"contact.mu", "mu", "1", mu / 8.0, mu / 8.0 + 1, 2}};
  MapOptions options;
  options.threads = 1;
  const Map map = compute_map(problem, options);
  for (int cell = 0; cell < 4; ++cell) {
    SceneSource one = source;
    one.set("state.theta", problem.axes[0].at(cell / 2));
    one.set("contact.mu", problem.axes[1].at(cell % 2));
    const Analysis analysis = analyze(one.build());
    const auto at = static_cast<std::size_t>(cell);
    const MapColumn& verdict = map.columns[0];
    RC_ASSERT(verdict.names[static_cast<std::size_t>(verdict.values[at])] == analysis.modes.verdict);
    const double p_cell = map.columns[1].values[at];
    RC_ASSERT(std::isnan(p_cell) == !analysis.contacts[0].p.has_value());
    if (analysis.contacts[0].p) RC_ASSERT(p_cell == *analysis.contacts[0].p);
    const double jam = map.columns[2].values[at];
    RC_ASSERT(std::isnan(jam) == !analysis.contacts[0].cone.mu_jam.has_value());
    if (analysis.contacts[0].cone.mu_jam) RC_ASSERT(jam == *analysis.contacts[0].cone.mu_jam);
  }
}

}  // namespace
}  // namespace painleve::differential
