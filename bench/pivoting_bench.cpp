// Lemke's method against Siconos' on the standard forms of drawn frictional problems, in the plane and in space with
// four facets, with 1 to 64 contacts: regular W, one rigid body, and chains of bodies, in equal parts.
//
// One iteration is a pass through all problems of a size: `pivoting/2/8` is that of 8 contacts in the plane. The
// counter `solved` is the share of the problems of which the method found a solution, by the residual of z and nothing
// else.
#include <benchmark/benchmark.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/lemke.hpp"
#include "painleve/complementarity/standard_form.hpp"
#include "siconos_lcp_peer.hpp"

namespace painleve {
namespace {

constexpr double solves = 1e-9;  // complementarity_residual()
constexpr int facets = 4;

// Rows of the contact Jacobian at a drawn point of a body, in a drawn frame.
Eigen::MatrixXd drawn_rows(Draws& draws, int dimension) {
  const Eigen::Vector3d x(draws.uniform(-1, 1), draws.uniform(-1, 1), draws.uniform(-1, 1));
  const double angle = draws.uniform(-3, 3);
  if (dimension == 2) {
    const double c = std::cos(angle), s = std::sin(angle);
    Eigen::MatrixXd rows(2, 3);
    rows << c, s, x.x() * s - x.y() * c, -s, c, x.x() * c + x.y() * s;
    return rows;
  }
  const Eigen::Matrix3d R = Eigen::AngleAxisd(angle, x.normalized()).toRotationMatrix();
  Eigen::MatrixXd rows(3, 6);
  rows.leftCols<3>() = R;
  for (int k = 0; k < 3; ++k) rows.block<1, 3>(k, 3) = x.cross(R.row(k).transpose()).transpose();
  return rows;
}

Eigen::MatrixXd drawn_jacobian(Draws& draws, int dimension, int count, int kind) {
  const int per_body = dimension == 2 ? 3 : 6;
  const int bodies = kind == 1 ? 1 : (count + 1) / 2;
  if (kind == 0) {
    Eigen::MatrixXd J(dimension * count, dimension * count + 2);
    for (double& x : J.reshaped()) x = draws.normal();
    return J;
  }
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(dimension * count, per_body * bodies);
  for (int i = 0; i < count; ++i) {
    const int b = draws.integer(0, bodies - 1);
    J.block(dimension * i, per_body * b, dimension, per_body) = drawn_rows(draws, dimension);
    if (b > 0) J.block(dimension * i, per_body * (b - 1), dimension, per_body) = -drawn_rows(draws, dimension);
  }
  return J;
}

LinearComplementarity drawn_problem(Draws& draws, int dimension, int count, int kind) {
  const Eigen::MatrixXd J = drawn_jacobian(draws, dimension, count, kind);
  Eigen::VectorXd inverse_mass(J.cols()), v(J.cols());
  for (double& m : inverse_mass) m = draws.uniform(0.5, 3);
  for (double& x : v) x = draws.normal();
  ContactProblem p;
  p.dimension = dimension;
  p.W = J * inverse_mass.asDiagonal() * J.transpose();
  p.q = J * v;
  p.mu.resize(count);
  for (double& m : p.mu) m = draws.uniform(0, 1.5);
  p.bilateral.assign(static_cast<std::size_t>(count), false);
  p.law.assign(static_cast<std::size_t>(count), Law::resting);
  p.slip = Eigen::MatrixXd::Zero(dimension - 1, count);
  return standard_form(p, facets).lcp;
}

// Without those that z = 0 solves.
std::vector<LinearComplementarity> drawn_problems(const benchmark::State& state) {
  const int dimension = static_cast<int>(state.range(0));
  const int count = static_cast<int>(state.range(1));
  const std::size_t wanted = count <= 8 ? 192 : (count <= 16 ? 48 : 12);
  Draws draws(static_cast<std::uint64_t>(1000 * dimension + count));
  std::vector<LinearComplementarity> list;
  while (list.size() < wanted) {
    LinearComplementarity p = drawn_problem(draws, dimension, count, static_cast<int>(list.size() % 3));
    if (p.q.minCoeff() < 0) list.push_back(std::move(p));
  }
  return list;
}

// Times `solve`, a function from a problem to z.
template <class Solve>
void measure(benchmark::State& state, const Solve& solve) {
  const auto problems = drawn_problems(state);
  std::size_t solved = 0;
  for (const auto& p : problems) solved += complementarity_residual(p, solve(p)) <= solves ? 1U : 0U;
  for (auto _ : state) {
    for (const auto& p : problems) {
      Eigen::VectorXd z = solve(p);
      benchmark::DoNotOptimize(z.data());
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(problems.size()));
  state.counters["solved"] = static_cast<double>(solved) / static_cast<double>(problems.size());
}

void pivoting(benchmark::State& state) {
  measure(state, [](const LinearComplementarity& p) { return lemke(p).z; });
}

void siconos_pivoting(benchmark::State& state) {
  const int dimension = static_cast<int>(state.range(0));
  SiconosLcpPeer peer(static_cast<int>(state.range(1)) * (dimension == 2 ? 4 : facets + 2));
  measure(state, [&peer](const LinearComplementarity& p) {
    Eigen::VectorXd z(p.q.size());
    peer.solve(p.M.data(), p.q.data(), z.data());
    return z;
  });
}

void sizes(benchmark::internal::Benchmark* bench) { bench->ArgsProduct({{2, 3}, {1, 2, 4, 8, 16, 32, 64}}); }
BENCHMARK(pivoting)->Apply(sizes);
BENCHMARK(siconos_pivoting)->Apply(sizes);

}  // namespace
}  // namespace painleve
