// Impacts of one contact with the energetic law: the closed form in the plane, and the integration over the normal
// impulse in space.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/contact/drawn_contacts.hpp"
#include "painleve/impact/planar_impact.hpp"
#include "painleve/impact/spatial_impact.hpp"

namespace painleve {
namespace {

constexpr std::size_t count = 256;

template <class Contact>
struct Striking {
  Contact contact;
  double u_n;
  BounceLaw law;
};

void planar_impacts(benchmark::State& state) {
  Draws draws(1875);
  std::vector<Striking<PlanarContact>> list;
  for (std::size_t i = 0; i < count; ++i) {
    const PlanarContact contact = drawn_planar(draws, draws.integer(-1, 1));
    list.push_back({contact, -draws.uniform(0.05, 2), {draws.uniform(0.05, 1), RestitutionLaw::energetic, {}}});
  }
  std::size_t i = 0;
  for (auto _ : state) {
    const auto& s = list[i++ % count];
    PlanarImpact impact = planar_impact(s.contact, s.u_n, s.law);
    benchmark::DoNotOptimize(impact);
  }
}
BENCHMARK(planar_impacts);

void spatial_impacts(benchmark::State& state) {
  Draws draws(1876);
  std::vector<Striking<SpatialContact>> list;
  for (std::size_t i = 0; i < count; ++i) {
    const Eigen::Matrix3d W = drawn_gram(draws, 3, 3, 0.05);
    const Eigen::Vector2d u_t(draws.normal(), draws.normal());
    const SpatialContact contact{
        W.topLeftCorner<2, 2>(), W.topRightCorner<2, 1>(), W(2, 2), Eigen::Vector2d::Zero(), 0, u_t,
        draws.uniform(0, 2)};
    list.push_back({contact, -draws.uniform(0.05, 2), {draws.uniform(0.05, 1), RestitutionLaw::energetic, {}}});
  }
  std::size_t i = 0;
  for (auto _ : state) {
    const auto& s = list[i++ % count];
    SpatialImpact impact = spatial_impact(s.contact, s.u_n, s.law);
    benchmark::DoNotOptimize(impact);
  }
}
BENCHMARK(spatial_impacts);

}  // namespace
}  // namespace painleve
