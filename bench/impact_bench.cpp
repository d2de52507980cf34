// Impacts of one contact with the energetic law: the closed form in the plane, and the integration over the normal
// impulse in space. The peer integrates with Dormand & Prince 5(4), equations by hand, at the coarsest tolerance with
// which it errs by at most 1e-9 in any velocity of any impact. Its finest run is what errors are measured from.
//
// In space there are two sets: `spatial_impacts` in which slip may end, turn and begin anew, as drawn, and
// `slipping_impacts` in which it goes on, which is all that the peer can do.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "accuracy_ladder.hpp"
#include "drawn_inputs.hpp"
#include "impact_peer.hpp"
#include "painleve/impact/planar_impact.hpp"
#include "painleve/impact/spatial_impact.hpp"

namespace painleve {
namespace {

constexpr double asked = 1e-9;
constexpr double finest = 1e-13;

IntegratedImpact ours(const Striking<PlanarContact>& s) {
  const PlanarImpact i = planar_impact(s.contact, s.u_n, s.law);
  return {i.u_t, 0, i.u_n, i.Lambda_n, 0, true};
}

IntegratedImpact ours(const Striking<SpatialContact>& s, double tolerance) {
  const SpatialImpact i = spatial_impact(s.contact, s.u_n, s.law, {tolerance, false});
  return {i.u_t(0), i.u_t(1), i.u_n, i.Lambda_n, i.steps, true};
}

double apart(const IntegratedImpact& a, const IntegratedImpact& b) {
  return std::max({std::abs(a.u_t - b.u_t), std::abs(a.u_t2 - b.u_t2), std::abs(a.u_n - b.u_n)});
}

template <class Contact>
std::vector<IntegratedImpact> reference(const std::vector<Striking<Contact>>& list) {
  std::vector<IntegratedImpact> answers;
  for (const auto& s : list) answers.push_back(integrated_impact(s, finest));
  return answers;
}

template <class Contact, class Answer>
double worst(const std::vector<Striking<Contact>>& list, const std::vector<IntegratedImpact>& truth,
             const Answer& answer) {
  double most = 0;
  for (std::size_t i = 0; i < list.size(); ++i) most = std::max(most, apart(answer(list[i]), truth[i]));
  return most;
}

// Times `ask` on one impact after the other.
template <class Contact, class Ask>
void measure(benchmark::State& state, const std::vector<Striking<Contact>>& list, const Ask& ask) {
  long steps = 0;
  std::size_t i = 0;
  for (auto _ : state) {
    auto impact = ask(list[i]);
    benchmark::DoNotOptimize(impact);
    if (++i == list.size()) i = 0;
  }
  for (const auto& s : list) steps += ask(s).steps;
  state.counters["steps"] = static_cast<double>(steps) / static_cast<double>(list.size());
}

// The coarsest tolerance of the peer that reaches what is asked.
template <class Contact>
Rung peer_rung(const std::vector<Striking<Contact>>& list) {
  const auto truth = reference(list);
  const auto error = [&](double tolerance) {
    return worst(list, truth, [&](const auto& s) { return integrated_impact(s, tolerance); });
  };
  return coarsest(accuracy_ladder(8, 24, error), asked);
}

// Ours in space, on the same terms.
Rung our_rung(const std::vector<Striking<SpatialContact>>& list) {
  const auto truth = reference(list);
  const auto error = [&](double tolerance) {
    return worst(list, truth, [&](const auto& s) { return ours(s, tolerance); });
  };
  return coarsest(accuracy_ladder(8, 24, error), asked);
}

template <class Contact>
void measure_peer(benchmark::State& state, const std::vector<Striking<Contact>>& list, const Rung& rung) {
  measure(state, list, [&](const auto& s) { return integrated_impact(s, rung.tolerance); });
  state.counters["tolerance"] = rung.tolerance;
  state.counters["error"] = rung.error;
}

void planar_impacts(benchmark::State& state) {
  const auto list = drawn_planar_impacts();
  std::size_t i = 0;
  for (auto _ : state) {
    PlanarImpact impact = planar_impact(list[i].contact, list[i].u_n, list[i].law);
    benchmark::DoNotOptimize(impact);
    if (++i == list.size()) i = 0;
  }
  static const double error = worst(list, reference(list), [](const auto& s) { return ours(s); });
  state.counters["error"] = error;
}
BENCHMARK(planar_impacts);

void hand_planar_impacts(benchmark::State& state) {
  static const auto list = drawn_planar_impacts();
  static const Rung rung = peer_rung(list);
  measure_peer(state, list, rung);
}
BENCHMARK(hand_planar_impacts);

void spatial_impacts(benchmark::State& state) {
  measure(state, drawn_spatial_impacts(), [](const auto& s) { return spatial_impact(s.contact, s.u_n, s.law); });
}
BENCHMARK(spatial_impacts);

void slipping_impacts(benchmark::State& state) {
  static const auto list = drawn_slipping_impacts();
  static const Rung rung = our_rung(list);
  measure(state, list, [&](const auto& s) { return spatial_impact(s.contact, s.u_n, s.law, {rung.tolerance, false}); });
  state.counters["tolerance"] = rung.tolerance;
  state.counters["error"] = rung.error;
}
BENCHMARK(slipping_impacts);

void hand_slipping_impacts(benchmark::State& state) {
  static const auto list = drawn_slipping_impacts();
  static const Rung rung = peer_rung(list);
  measure_peer(state, list, rung);
}
BENCHMARK(hand_slipping_impacts);

}  // namespace
}  // namespace painleve
