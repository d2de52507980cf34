#include "drawn_problems.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace {

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

ContactProblem drawn_problem(Draws& draws, int dimension, int count, int kind) {
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
  return p;
}

}  // namespace

std::vector<ContactProblem> drawn_contact_problems(int dimension, int count) {
  const std::size_t wanted = count <= 8 ? 192 : (count <= 16 ? 48 : 12);
  Draws draws(static_cast<std::uint64_t>(1000 * dimension + count));
  std::vector<ContactProblem> list;
  while (list.size() < wanted)
    list.push_back(drawn_problem(draws, dimension, count, static_cast<int>(list.size() % 3)));
  return list;
}

}  // namespace painleve
