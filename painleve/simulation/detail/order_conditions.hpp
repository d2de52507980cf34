// The conditions of order of a Runge-Kutta method (Butcher; Hairer, Nørsett & Wanner 1993, II.2): with the weights b
// and the matrix a it has order p if Σ b_i Φ_i(τ) = 1/γ(τ) for all rooted trees τ of up to p nodes, where for τ = [τ_1
// … τ_m]
//
//   Φ(τ)_i = Π_k (a Φ(τ_k))_i,    γ(τ) = |τ| Π_k γ(τ_k),    |τ| = 1 + Σ_k |τ_k|,
//
// and Φ = γ = 1 for the single node.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace painleve {

struct RootedTree {
  int nodes = 1;
  double gamma = 1.0;
  Eigen::ArrayXd phi;
};

/// All rooted trees of up to `order` nodes, 1, 1, 2, 4, 9, 20, 48, 115, … of each size, for the method with matrix a.
inline std::vector<RootedTree> rooted_trees(const Eigen::MatrixXd& a, int order) {
  std::vector<RootedTree> trees = {{1, 1.0, Eigen::ArrayXd::Ones(a.rows())}};
  // A tree of n nodes is a root with a multiset of smaller trees of n - 1 nodes, listed with falling indices.
  struct Builder {
    const Eigen::MatrixXd& a;
    std::vector<RootedTree>& trees;
    int nodes;
    void add(int missing, std::size_t below, double gamma, const Eigen::ArrayXd& phi) {
      if (missing == 0) {
        trees.push_back({nodes, nodes * gamma, phi});
        return;
      }
      for (std::size_t k = 0; k < below; ++k) {
        if (trees[k].nodes <= missing) {
          const RootedTree branch = trees[k];
          add(missing - branch.nodes, k + 1, gamma * branch.gamma, phi * (a * branch.phi.matrix()).array());
        }
      }
    }
  };
  for (int nodes = 2; nodes <= order; ++nodes) {
    Builder{a, trees, nodes}.add(nodes - 1, trees.size(), 1.0, Eigen::ArrayXd::Ones(a.rows()));
  }
  return trees;
}

}  // namespace painleve
