#include "painleve/complementarity/polyhedron.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>

namespace painleve {
namespace {

// Rows are scaled to length one and points are of order one: a row below this is met.
constexpr double met = 1e-9;
// Sets of rows that are tried for a vertex or a ray.
constexpr double most_sets = 20000;

// The rows that depend on z, scaled to length one.
Polyhedron scaled(const Polyhedron& p) {
  std::vector<Eigen::Index> kept;
  const double longest = p.G.rows() > 0 ? p.G.rowwise().norm().maxCoeff() : 0;
  for (Eigen::Index i = 0; i < p.G.rows(); ++i)
    if (p.G.row(i).norm() > met * longest) kept.push_back(i);
  Polyhedron s{p.G(kept, Eigen::all), p.h(kept)};
  for (Eigen::Index i = 0; i < s.G.rows(); ++i) {
    const double length = s.G.row(i).norm();
    s.G.row(i) /= length;
    s.h(i) /= length;
  }
  return s;
}

double binomial(Eigen::Index n, Eigen::Index k) {
  double value = 1;
  for (Eigen::Index i = 0; i < k; ++i) value *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  return value;
}

// Calls `use` with every set of k numbers below n, in order.
void for_each_set(Eigen::Index n, Eigen::Index k, const std::function<void(const std::vector<Eigen::Index>&)>& use) {
  if (k > n) return;
  std::vector<Eigen::Index> set(static_cast<std::size_t>(k));
  for (std::size_t i = 0; i < set.size(); ++i) set[i] = static_cast<Eigen::Index>(i);
  while (true) {
    use(set);
    auto i = static_cast<Eigen::Index>(set.size()) - 1;
    while (i >= 0 && set[static_cast<std::size_t>(i)] == n - k + i) --i;
    if (i < 0) return;
    ++set[static_cast<std::size_t>(i)];
    for (auto j = static_cast<std::size_t>(i) + 1; j < set.size(); ++j) set[j] = set[j - 1] + 1;
  }
}

void add_once(std::vector<Eigen::VectorXd>& list, const Eigen::VectorXd& z) {
  const auto same = [&](const Eigen::VectorXd& o) { return (o - z).norm() <= 1e-7 * std::max(1.0, z.norm()); };
  if (std::none_of(list.begin(), list.end(), same)) list.push_back(z);
}

std::vector<Eigen::VectorXd> vertices(const Polyhedron& p) {
  std::vector<Eigen::VectorXd> list;
  const Eigen::Index d = p.G.cols();
  for_each_set(p.G.rows(), d, [&](const std::vector<Eigen::Index>& set) {
    Eigen::FullPivLU<Eigen::MatrixXd> lu(p.G(set, Eigen::all));
    lu.setThreshold(met);
    if (lu.rank() < d) return;
    const Eigen::VectorXd z = lu.solve(-p.h(set));
    if (((p.G * z + p.h).array() >= -met * std::max(1.0, z.norm())).all()) add_once(list, z);
  });
  return list;
}

std::vector<Eigen::VectorXd> rays(const Polyhedron& p) {
  std::vector<Eigen::VectorXd> list;
  const Eigen::Index d = p.G.cols();
  for_each_set(p.G.rows(), d - 1, [&](const std::vector<Eigen::Index>& set) {
    Eigen::VectorXd z = Eigen::VectorXd::Ones(1);
    if (d > 1) {
      Eigen::FullPivLU<Eigen::MatrixXd> lu(p.G(set, Eigen::all));
      lu.setThreshold(met);
      if (lu.rank() < d - 1) return;
      z = lu.kernel().col(0).normalized();
    }
    for (const double sign : {1.0, -1.0})
      if (((sign * (p.G * z)).array() >= -met).all()) add_once(list, sign * z);
  });
  return list;
}

}  // namespace

Family family(const Polyhedron& region, const Interior& inside, const Eigen::MatrixXd& map,
              const Eigen::VectorXd& origin) {
  Family f;
  const Eigen::MatrixXd to_r = map * inside.directions;  // z: coordinates along the directions, from the interior point
  const Eigen::VectorXd centre = origin + map * inside.y;
  f.dimension = static_cast<int>(to_r.cols());
  f.directions =
      Eigen::HouseholderQR<Eigen::MatrixXd>(to_r).householderQ() * Eigen::MatrixXd::Identity(to_r.rows(), to_r.cols());
  const Polyhedron along = scaled({region.G * inside.directions, region.G * inside.y + region.h});
  const Eigen::MatrixXd to_z = to_r.completeOrthogonalDecomposition().pseudoInverse();
  f.G = along.G * to_z;
  f.h = along.h;
  if (binomial(along.G.rows(), f.dimension) > most_sets) return f;
  f.enumerated = true;
  for (const auto& z : vertices(along)) f.vertices.emplace_back(centre + to_r * z);
  for (const auto& z : rays(along)) f.rays.emplace_back((to_r * z).normalized());
  return f;
}

void restore(const Eigen::VectorXd& factor, Family& family) {
  if (family.dimension == 0) return;
  const Eigen::MatrixXd directions = factor.asDiagonal() * family.directions;
  family.directions = Eigen::HouseholderQR<Eigen::MatrixXd>(directions).householderQ() *
                      Eigen::MatrixXd::Identity(directions.rows(), directions.cols());
  if (family.G.rows() > 0) family.G = (family.G * factor.cwiseInverse().asDiagonal()).eval();
  for (auto& v : family.vertices) v = v.cwiseProduct(factor).eval();
  for (auto& ray : family.rays) ray = ray.cwiseProduct(factor).normalized().eval();
}

}  // namespace painleve
