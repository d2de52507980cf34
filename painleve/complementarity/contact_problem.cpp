#include "painleve/complementarity/contact_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "painleve/base/error.hpp"

namespace painleve {
namespace {

std::vector<int> closed_contacts_of(const ContactSpace& space, const Tolerance& tolerance) {
  std::vector<int> closed;
  for (int i = 0; i < space.count(); ++i)
    if (touch(space, i, tolerance) != Touch::open) closed.push_back(i);
  return closed;
}

// Every contact rests: its slip is part of the answer.
ContactProblem resting_problem(const ContactSpace& space, const Eigen::VectorXd& q) {
  ContactProblem p;
  p.dimension = space.dimension;
  p.W = space.W;
  p.q = q;
  p.mu = space.mu;
  p.bilateral = space.bilateral;
  p.law.assign(static_cast<std::size_t>(space.count()), Law::resting);
  p.slip = Eigen::MatrixXd::Zero(space.dimension - 1, space.count());
  p.names = space.names;
  return p;
}

// The power of two nearest to 1/√x, in its logarithm; x > 0 counts as 2^−1022 when it is smaller.
double inverse_root(double x) {
  constexpr unsigned mantissa_bits = 52;
  constexpr int bias = 1023;
  const auto bits = std::bit_cast<std::uint64_t>(std::max(x, std::numeric_limits<double>::min()));
  const int whole = static_cast<int>(bits >> mantissa_bits) - bias;  // floor(log2 x)
  const bool odd = whole % 2 != 0;
  const bool exact = bits << (64U - mantissa_bits) == 0;
  // √x = 2^(−k − 1/2) is rounded away from 1, as 2^(k + 1/2) is.
  const int root = odd && exact && whole < 0 ? (whole - 1) / 2 : (whole + (odd ? 1 : 0)) / 2;
  return std::bit_cast<double>(static_cast<std::uint64_t>(bias - root) << mantissa_bits);
}

}  // namespace

std::vector<int> approaching_contacts(const ContactSpace& space, const Tolerance& tolerance) {
  std::vector<int> list;
  for (int i = 0; i < space.count(); ++i)
    if (touch(space, i, tolerance) == Touch::approaching) list.push_back(i);
  return list;
}

Formulation acceleration_problem(const ContactSpace& space, const Tolerance& tolerance) {
  Formulation f;
  f.contacts = closed_contacts_of(space, tolerance);
  const ContactSpace closed = subset(space, f.contacts);
  f.problem = resting_problem(closed, closed.b);
  f.shift = Eigen::VectorXd::Zero(closed.b.size());
  for (int i = 0; i < closed.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Eigen::VectorXd u_t = closed.u.segment(closed.tangent(i), closed.dimension - 1);
    if (!closed.bilateral[at] && closed.u(closed.normal(i)) > tolerance.velocity) {
      f.problem.law[at] = Law::separated;
    } else if (u_t.norm() > tolerance.velocity) {
      f.problem.law[at] = Law::sliding;
      f.problem.slip.col(i) = u_t.normalized();
    }
  }
  return f;
}

Formulation impulse_problem(const ContactSpace& space, const Tolerance& tolerance) {
  Formulation f;
  f.contacts = closed_contacts_of(space, tolerance);
  const ContactSpace closed = subset(space, f.contacts);
  f.problem = resting_problem(closed, closed.u);
  f.shift = Eigen::VectorXd::Zero(closed.u.size());
  return f;
}

Formulation step_problem(const ContactSpace& space, const StepOptions& options, const Tolerance& tolerance) {
  if (!(options.dt >= 1e-12 && options.dt <= 1e6))
    throw InputError(fmt::format("dt must be between 1e-12 and 1e6 s, not {}", options.dt));
  const bool positions = options.form == StepForm::stewart_trinkle;
  Formulation f;
  f.contacts = closed_contacts_of(space, tolerance);
  if (positions) {
    f.contacts.resize(static_cast<std::size_t>(space.count()));
    std::iota(f.contacts.begin(), f.contacts.end(), 0);
  }
  const ContactSpace taken = subset(space, f.contacts);
  Eigen::VectorXd push = taken.b - taken.drift;
  if (options.with_drift) push = taken.b;
  f.problem = resting_problem(taken, taken.u + options.dt * push);
  f.shift = Eigen::VectorXd::Zero(taken.u.size());
  for (int i = 0; i < taken.count(); ++i) {
    const bool apart = std::abs(taken.gap(i)) > tolerance.gap && !taken.bilateral[static_cast<std::size_t>(i)];
    if (positions && apart) f.shift(taken.normal(i)) = taken.gap(i) / options.dt;
  }
  f.problem.q += f.shift;
  return f;
}

std::string contact_name(const ContactProblem& problem, int i) {
  const auto at = static_cast<std::size_t>(i);
  return at < problem.names.size() ? problem.names[at] : fmt::format("contact {}", i + 1);
}

ContactProblem subset(const ContactProblem& problem, const std::vector<int>& keep) {
  std::vector<int> rows;
  ContactProblem p;
  p.dimension = problem.dimension;
  for (const int i : keep) {
    for (int k = 0; k < problem.dimension; ++k) rows.push_back(problem.tangent(i) + k);
    p.bilateral.push_back(problem.bilateral[static_cast<std::size_t>(i)]);
    p.law.push_back(problem.law[static_cast<std::size_t>(i)]);
    if (!problem.names.empty()) p.names.push_back(problem.names[static_cast<std::size_t>(i)]);
  }
  p.W = problem.W(rows, rows);
  p.q = problem.q(rows);
  p.mu = problem.mu(keep);
  p.slip = problem.slip(Eigen::all, keep);
  return p;
}

double largest_response(const ContactProblem& problem) {
  constexpr Eigen::Index few = 9;
  if (problem.W.size() > few) return problem.W.cwiseAbs().maxCoeff();
  double most = 0;
  for (Eigen::Index k = 0; k < problem.W.size(); ++k) most = std::max(most, std::abs(problem.W.data()[k]));
  return most;
}

double own_factor(const ContactProblem& problem, int i, double largest) {
  if (largest == 0) return 1;
  constexpr double nothing = 1e-14;  // of the largest response: rounding of one that vanishes
  double own = 0;
  for (int k = problem.tangent(i); k <= problem.normal(i); ++k) own = std::max(own, std::abs(problem.W(k, k)));
  return inverse_root(own > nothing * largest ? own : largest);
}

ScaledProblem scaled(const ContactProblem& problem) {
  ScaledProblem s{problem, Eigen::VectorXd::Ones(problem.q.size())};
  const double largest = largest_response(problem);
  if (largest == 0) return s;
  for (int i = 0; i < problem.count(); ++i)
    s.factor.segment(problem.tangent(i), problem.dimension).setConstant(own_factor(problem, i, largest));
  s.problem.W = s.factor.asDiagonal() * problem.W * s.factor.asDiagonal();
  s.problem.q = s.factor.cwiseProduct(problem.q);
  return s;
}

ProblemScale scale(const ContactProblem& problem) {
  const double response = largest_response(problem);
  const double load = problem.q.size() > 0 ? problem.q.cwiseAbs().maxCoeff() : 0;
  const double motion = load > 0 ? load : 1;  // without load any scale serves
  return {motion, motion / (response > 0 ? response : 1)};
}

}  // namespace painleve
