#include "painleve/scene/equilibrium.hpp"

#include <Eigen/Dense>
#include <algorithm>

namespace painleve {
namespace {

// Forces of the mode in which every closed contact sticks, over all contacts of the space; empty without such a mode.
Eigen::VectorXd stick_forces_of(const Scene& scene, const ModeTable& table) {
  const auto sticks = [](const ModeEntry& e) {
    return e.consistent && std::all_of(e.contacts.begin(), e.contacts.end(),
                                       [](const ContactMode& c) { return c.letter == Letter::T; });
  };
  const auto entry = std::find_if(table.modes.begin(), table.modes.end(), sticks);
  if (entry == table.modes.end() || !entry->lambda || table.closed.empty()) return {};
  const ContactSpace& s = scene.space;
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(s.W.rows());
  for (std::size_t k = 0; k < table.closed.size(); ++k)
    lambda.segment(s.tangent(table.closed[k]), s.dimension) =
        entry->lambda->segment(static_cast<Eigen::Index>(k) * s.dimension, s.dimension);
  return lambda;
}

// Motions z that leave every closed contact where it is.
Eigen::MatrixXd motions_in_stick(const Scene& scene, const ModeTable& table, const Eigen::MatrixXd& J) {
  std::vector<int> rows;
  for (const int i : table.closed)
    for (int k = 0; k < scene.space.dimension; ++k) rows.push_back(scene.space.tangent(i) + k);
  Eigen::FullPivLU<Eigen::MatrixXd> lu(J(rows, Eigen::all));
  lu.setThreshold(1e-10);
  if (lu.dimensionOfKernel() == 0) return Eigen::MatrixXd(J.cols(), 0);
  const Eigen::MatrixXd kernel = lu.kernel();
  return Eigen::HouseholderQR<Eigen::MatrixXd>(kernel).householderQ() *
         Eigen::MatrixXd::Identity(kernel.rows(), kernel.cols());
}

// Smallest curvature of the potential along the columns of Z with the contact forces frozen.
double smallest_curvature(const Scene& scene, const Eigen::VectorXd& lambda, const Eigen::MatrixXd& Z) {
  const State& state = scene.posed.state;
  Eigen::MatrixXd H(Z.cols(), Z.cols());
  for (Eigen::Index k = 0; k < Z.cols(); ++k) {
    const State along{Z.col(k), Eigen::VectorXd::Zero(state.v.size()), 0};
    const Dynamics d = scene.posed.mechanism->derivative(state, along);
    H.col(k) = -Z.transpose() * (d.f + d.J.transpose() * lambda);
  }
  const Eigen::MatrixXd symmetric = (H + H.transpose()) / 2;
  const double curvature = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric).eigenvalues()(0);
  return std::abs(curvature) <= 1e-12 * symmetric.norm() ? 0.0 : curvature;
}

}  // namespace

SelectorOptions selector_options(const Scene& scene, const ModeTable& table) {
  SelectorOptions options;
  options.tolerance = scene.tolerance;
  for (const auto& law : scene.laws) options.bounce.push_back({law.restitution, law.law, law.mu_impact});
  if (scene.kind != SceneKind::mechanism) return options;
  const State& state = scene.posed.state;
  options.degrees_of_freedom = static_cast<int>(state.q.size());
  const Eigen::VectorXd lambda = stick_forces_of(scene, table);
  if (lambda.size() == 0) return options;
  const Dynamics d = scene.posed.mechanism->dynamics(state);
  const Eigen::VectorXd rest = d.f + d.J.transpose() * lambda;
  options.equilibrium = state.v.norm() <= scene.tolerance.velocity && rest.norm() <= 1e-9 * d.f.norm();
  const Eigen::MatrixXd Z = motions_in_stick(scene, table, d.J);
  if (*options.equilibrium && Z.cols() > 0) options.stick_curvature = smallest_curvature(scene, lambda, Z);
  return options;
}

}  // namespace painleve
