#include "painleve/simulation/impulsive_slip.hpp"

#include <Eigen/SVD>
#include <utility>

#include "painleve/simulation/projection.hpp"

namespace painleve {
namespace {

// Stacked over all contacts: the forces that grow without bound, and which part of b they do not balance.
struct GrowingForces {
  Eigen::VectorXd lambda, load;
  std::vector<int> held;  // rows of A: in stick both, in slip the normal
};

// The null vectors of A; the forces along `pressing`, which they have become most of.
GrowingForces growing_forces(const ContactSpace& space, const std::vector<ContactMode>& modes,
                             const Eigen::VectorXd& pressing) {
  GrowingForces forces;
  std::vector<int>& held = forces.held;
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(space.u.size(), space.u.size());
  for (int i = 0; i < space.count(); ++i) {
    const ContactMode& mode = modes[static_cast<std::size_t>(i)];
    if (mode.letter == Letter::F) continue;
    const int n = space.normal(i);
    const int t = space.tangent(i);
    if (mode.letter == Letter::T) {
      C(t, static_cast<Eigen::Index>(held.size())) = 1;
      held.push_back(t);
    } else {
      C(t, static_cast<Eigen::Index>(held.size())) = -space.mu(i) * mode.force_sign * mode.direction(0);
    }
    C(n, static_cast<Eigen::Index>(held.size())) = 1;
    held.push_back(n);
  }
  C.conservativeResize(Eigen::NoChange, static_cast<Eigen::Index>(held.size()));
  const Eigen::MatrixXd A = space.W(held, Eigen::all) * C;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  forces.lambda = C * svd.matrixV().col(A.cols() - 1);
  if (forces.lambda.dot(pressing) < 0) forces.lambda = -forces.lambda;
  forces.load = Eigen::VectorXd::Zero(space.u.size());
  forces.load(held) = svd.matrixU().col(A.cols() - 1);
  return forces;
}

// Whether the parabola through (0, y[0]), (½, y[1]), (1, y[2]) comes to zero on the way.
bool comes_to_zero(const double (&y)[3]) {
  const double slope = 4 * y[1] - 3 * y[0] - y[2];
  const double bend = 2 * (y[0] + y[2] - 2 * y[1]);
  if (!(y[0] * y[2] > 0)) return true;
  const double turn = -slope / (2 * bend);
  return turn > 0 && turn < 1 && !(y[0] * (y[0] + slope * turn / 2) > 0);
}

// Whose slip the impulse Λ λ ends first, u = space.u + Λ rate, and the Λ that does.
std::optional<std::pair<int, double>> first_stop(const ContactSpace& space, const std::vector<ContactMode>& modes,
                                                 const Eigen::VectorXd& rate) {
  std::optional<std::pair<int, double>> first;
  for (int i = 0; i < space.count(); ++i) {
    const ContactMode& mode = modes[static_cast<std::size_t>(i)];
    if (mode.letter != Letter::S) continue;
    const double braking = -rate(space.tangent(i)) * mode.direction(0);
    const double Lambda = space.u(space.tangent(i)) * mode.direction(0) / braking;
    if (braking > 0 && (!first || Lambda < first->second)) first = {i, Lambda};
  }
  return first;
}

// The impulse, with the little more that leaves nothing of u in the held rows and this tangent: p is not quite zero.
Eigen::VectorXd to_rest(Eigen::VectorXd Lambda, const ContactSpace& space, std::vector<int> held, int tangent) {
  held.push_back(tangent);
  const Eigen::VectorXd left = (space.u + space.W * Lambda)(held);
  const Eigen::MatrixXd W = space.W(held, held);
  const Eigen::VectorXd more = W.completeOrthogonalDecomposition().solve(left);
  Lambda(held) -= more;
  return Lambda;
}

}  // namespace

std::optional<StoppingImpulse> stopping_impulse(const SimulationProblem& problem, const std::vector<ContactMode>& modes,
                                                const PhaseEnd& end) {
  const Mechanism& mechanism = *problem.mechanism;
  if (mechanism.dimension() != 2 || end.approach.empty() || end.approach.back().D < 0) return std::nullopt;
  const ContactSpace space = contact_space(mechanism, end.state, problem.surfaces());
  const GrowingForces forces = growing_forces(space, modes, end.approach.back().lambda);
  const auto stop = first_stop(space, modes, space.W * forces.lambda);
  if (!stop) return std::nullopt;
  const Eigen::VectorXd Lambda = to_rest(stop->second * forces.lambda, space, forces.held, space.tangent(stop->first));
  const Eigen::VectorXd change = velocity_change(mechanism.dynamics(end.state), Lambda);
  double load[3] = {forces.load.dot(space.b), 0, 0};
  for (const int half : {1, 2}) {
    State state = end.state;
    state.v += half / 2.0 * change;
    load[half] = forces.load.dot(contact_space(mechanism, state, problem.surfaces()).b);
  }
  if (comes_to_zero(load)) return std::nullopt;
  return StoppingImpulse{Lambda, stop->first, space.b(space.normal(stop->first))};
}

}  // namespace painleve
