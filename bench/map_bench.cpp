// Maps: verdicts per second from contact data in cache-sized blocks, with each instruction set that this machine has,
// beside the kernel for one contact in a loop; and from the rod's mechanism, through compute_map() as `painleve map`
// calls it. items_per_second are verdicts, over all threads.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/modes/planar_verdicts.hpp"
#include "painleve/study/map.hpp"

namespace painleve {
namespace {

constexpr std::size_t count = 2048;  // contacts of 56 bytes: with their bytes they fit the cache of one core

enum class Kind { slip, rest, mixed };

// A structure of arrays that owns its numbers.
struct Contacts {
  std::array<std::vector<double>, 7> columns;

  explicit Contacts(Kind kind) {
    Draws draws(1895);
    for (std::size_t i = 0; i < count; ++i) {
      const double a = draws.uniform(0.5, 3), c = draws.uniform(0.5, 3);
      const double coupling = draws.uniform(-0.95, 0.95) * std::sqrt(a * c);
      const bool rests = kind == Kind::rest || (kind == Kind::mixed && i % 2 == 0);
      const std::array<double, 7> row = {
          a, coupling, c, draws.normal(), draws.normal(), rests ? 0 : draws.uniform(-1, 1), draws.uniform(0, 2)};
      for (std::size_t k = 0; k < row.size(); ++k) columns[k].push_back(row[k]);
    }
  }
  PlanarContacts view() const {
    return {columns[0].data(), columns[1].data(), columns[2].data(), columns[3].data(),
            columns[4].data(), columns[5].data(), columns[6].data()};
  }
};

void contacts_to_verdicts(benchmark::State& state, InstructionSet set, Kind kind) {
  const Contacts contacts(kind);
  std::vector<VerdictByte> bytes(count);
  for (auto _ : state) {
    planar_verdicts(contacts.view(), bytes, set);
    benchmark::DoNotOptimize(bytes.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<long>(count));
}

// What all sets must agree with, one contact after the other.
void contacts_one_by_one(benchmark::State& state, Kind kind) {
  const Contacts contacts(kind);
  std::vector<VerdictByte> bytes(count);
  for (auto _ : state) {
    for (std::size_t i = 0; i < count; ++i) bytes[i] = planar_verdict(contacts.view()[i]);
    benchmark::DoNotOptimize(bytes.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<long>(count));
}

MapProblem rod_map(const std::vector<MapAxis>& axes) {
  MapProblem problem{SceneSource::open("rod"), axes, {Quantity::parse("verdict")}, {}, {}, "bench"};
  problem.source.set("contact.mu", 1.5);
  for (MapAxis& axis : problem.axes) axis.path = problem.source.resolve(axis.name);
  return problem;
}

void rod_to_map(benchmark::State& state, const std::vector<MapAxis>& axes) {
  const MapProblem problem = rod_map(axes);
  MapOptions options;
  options.threads = 2;
  for (auto _ : state) {
    const Map map = compute_map(problem, options);
    benchmark::DoNotOptimize(map.columns[0].values.data());
  }
  state.SetItemsProcessed(state.iterations() * problem.cells());
}

const MapAxis theta{"", "theta", "rad", 0.1, 1.5, 2000}, omega{"", "theta_dot", "rad/s", -5, 5, 2000},
    friction{"", "mu", "1", 0, 3, 2000}, torque{"", "torque", "N m", -5, 5, 2000};

MapAxis finer(MapAxis axis, int count_of) {
  axis.count = count_of;
  return axis;
}

void add_kernels(const char* name, Kind kind) {
  const std::string ending = std::string("/") + name;
  benchmark::RegisterBenchmark(("contacts_one_by_one" + ending).c_str(), contacts_one_by_one, kind)
      ->Threads(2)
      ->UseRealTime();
  for (const auto& [set, set_name] :
       {std::pair{InstructionSet::baseline, "sse2"}, std::pair{InstructionSet::avx2, "avx2"},
        std::pair{InstructionSet::avx512, "avx512"}}) {
    if (available(set))
      benchmark::RegisterBenchmark((std::string("contacts_to_verdicts/") + set_name + ending).c_str(),
                                   contacts_to_verdicts, set, kind)
          ->Threads(2)
          ->UseRealTime();
  }
}

void add_map(const char* name, const std::vector<MapAxis>& axes) {
  benchmark::RegisterBenchmark((std::string("rod_to_map/") + name).c_str(), rod_to_map, axes)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

const bool registered = [] {
  add_kernels("slip", Kind::slip);
  add_kernels("rest", Kind::rest);
  add_kernels("mixed", Kind::mixed);
  add_map("theta,theta_dot", {theta, omega});
  add_map("theta,theta_dot/16M", {finer(theta, 4000), finer(omega, 4000)});
  add_map("theta_dot,theta", {omega, theta});
  add_map("theta,mu", {theta, friction});
  add_map("mu,theta", {friction, theta});
  add_map("mu,theta_dot", {friction, omega});
  add_map("theta,torque", {theta, torque});
  return true;
}();

}  // namespace
}  // namespace painleve
