// Which solution an engine returned, and what is wrong with its answer.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "painleve/engines/comparison.hpp"

namespace painleve {
namespace {

// Engines in single precision leave 1e-7 of the velocities, however short the step.
constexpr double least_load = 1e-4;

// Contact impulses that explain a change of the motion; of several the smallest.
Eigen::VectorXd impulses_for(const ContactProblem& problem, const Eigen::VectorXd& change) {
  return problem.W.completeOrthogonalDecomposition().solve(change);
}

struct BodyStep {
  Eigen::MatrixXd J, M;
  Eigen::VectorXd before, after, push;  // push: dt times the forces

  BodyStep(const EngineCase& given, const Eigen::VectorXd& velocities)
      : J(body_jacobian(given)),
        M(body_mass_matrix(given)),
        before(body_velocity(given)),
        after(velocities),
        push(given.dt * body_force(given)) {}

  // `surface`: velocities of the surfaces along the contact axes, which do work on the bodies by the impulses.
  double energy(const Eigen::VectorXd& surface, const Eigen::VectorXd& Lambda) const {
    const Eigen::VectorXd mean = (before + after) / 2;
    return mean.dot(M * (after - before)) - mean.dot(push) - Lambda.dot(surface);
  }
  double unexplained(const Eigen::VectorXd& Lambda) const {
    const Eigen::VectorXd rest = after - before - M.llt().solve(push + J.transpose() * Lambda);
    return rest.size() > 0 ? rest.cwiseAbs().maxCoeff() : 0;
  }
};

// The nearest solution. A body that is held in more ways than it can move has several impulses for one motion: where
// the engine does not say which it applied, those nearest to the solution are taken.
void find_solution(const SolvedCase& problem, const EngineReply& reply, const Eigen::VectorXd& w, double tolerance,
                   EngineAnswer& answer) {
  const ContactProblem& p = problem.given.formulation.problem;
  answer.Lambda = reply.Lambda ? *reply.Lambda : impulses_for(p, w - p.q);
  const auto& list = problem.set.solutions;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const Eigen::VectorXd Lambda = reply.Lambda ? *reply.Lambda : list[k].r + impulses_for(p, w - list[k].w);
    const double apart = distance(problem.given, list[k], Lambda, w);
    if (answer.nearest >= 0 && apart >= answer.distance) continue;
    answer.nearest = static_cast<int>(k);
    answer.distance = apart;
    answer.Lambda = Lambda;
  }
  if (answer.nearest >= 0 && answer.distance <= tolerance) answer.solution = answer.nearest;
}

// The point of a family that is nearest to `apart`, as far as the family goes.
Eigen::VectorXd within_family(const Family& family, const Eigen::VectorXd& apart) {
  Eigen::VectorXd along = family.directions * (family.directions.transpose() * apart);
  if (family.G.rows() == 0) return along;
  const Eigen::VectorXd slope = family.G * along;
  double reach = 1;
  for (Eigen::Index i = 0; i < slope.size(); ++i) {
    if (slope(i) < 0 && slope(i) + family.h(i) < 0) reach = std::min(reach, std::max(0.0, -family.h(i) / slope(i)));
  }
  return reach * along;
}

}  // namespace

double distance(const EngineCase& given, const ContactSolution& solution, const Eigen::VectorXd& r,
                const Eigen::VectorXd& w) {
  const ContactProblem& problem = given.formulation.problem;
  const Eigen::VectorXd factor = scaled(problem).factor;
  Eigen::VectorXd force = r - solution.r;
  Eigen::VectorXd motion = w - solution.w;
  if (solution.family.dimension > 0) {
    const Eigen::VectorXd along = within_family(solution.family, force);
    force -= along;
    motion -= problem.W * along;
  }
  const double load = factor.cwiseProduct(given.u_free() - given.u).norm();
  const double size = std::max(
      {solution.r.cwiseQuotient(factor).norm(), load, least_load * factor.cwiseProduct(problem.q).norm(), 1e-300});
  return std::max(force.cwiseQuotient(factor).norm(), motion.cwiseProduct(factor).norm()) / size;
}

EngineAnswer judged(const SolvedCase& problem, const EngineReply& reply, double tolerance) {
  EngineAnswer answer;
  answer.warnings = reply.warnings;
  answer.iterations = reply.iterations;
  answer.status = reply.represents ? AnswerStatus::answered : AnswerStatus::not_represented;
  answer.reason = reply.reason;
  if (!reply.represents) return answer;
  const EngineCase& given = problem.given;
  const ContactProblem& p = given.formulation.problem;
  Eigen::VectorXd w;
  if (reply.velocities) {
    w = given.u + given.formulation.shift + body_jacobian(given) * (*reply.velocities - body_velocity(given));
  } else {
    w = p.W * *reply.Lambda + p.q;
  }
  answer.Lambda_from_engine = reply.Lambda.has_value();
  answer.u_after = w - given.formulation.shift;
  find_solution(problem, reply, w, tolerance, answer);
  answer.residuals = contact_residuals(p, answer.Lambda, w);
  answer.energy = answer.Lambda.dot(given.u + answer.u_after) / 2;
  if (reply.velocities) {
    const BodyStep step(given, *reply.velocities);
    answer.energy = step.energy(step.J * step.before - given.u, answer.Lambda);
    answer.unexplained = step.unexplained(answer.Lambda);
  }
  return answer;
}

}  // namespace painleve
