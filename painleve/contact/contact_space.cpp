#include "painleve/contact/contact_space.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "painleve/base/error.hpp"

namespace painleve {
namespace {

// W comes from users' own computations: symmetry and definiteness hold only to rounding of those.
constexpr double matrix_tolerance = 1e-9;

void check_size(const char* name, Eigen::Index size, Eigen::Index expected) {
  if (size != expected) throw InputError(fmt::format("{} has {} numbers, expected {}", name, size, expected));
}

// Beyond these sizes products of the numbers leave the range of double precision.
constexpr double largest_number = 1e100;
constexpr double smallest_scale = 1e-100;

void check_finite(const char* name, const Eigen::MatrixXd& m) {
  if (!m.allFinite()) throw InputError(fmt::format("{} holds a number that is not finite", name));
  if (m.size() > 0 && m.cwiseAbs().maxCoeff() > largest_number)
    throw InputError(fmt::format("{} holds the number {}, allowed are sizes up to {}", name, m.cwiseAbs().maxCoeff(),
                                 largest_number));
}

void check_matrix(const Eigen::MatrixXd& W) {
  const Eigen::Index size = W.rows();
  check_finite("W", W);
  const double scale = W.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < size; ++i)
    if (W(i, i) > 0 && W(i, i) < smallest_scale)
      throw InputError(fmt::format("W[{}][{}] is {}, too small to compute with", i, i, W(i, i)));
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      if (std::abs(W(i, j) - W(j, i)) <= matrix_tolerance * scale) continue;
      throw InputError(
          fmt::format("W is not symmetric: W[{}][{}] = {} but W[{}][{}] = {}", i, j, W(i, j), j, i, W(j, i)));
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen((W + W.transpose()) / 2, Eigen::EigenvaluesOnly);
  const double lowest = eigen.eigenvalues()(0);
  if (lowest < -matrix_tolerance * scale)
    throw InputError(fmt::format("W is not positive semidefinite: it has the eigenvalue {}", lowest));
}

}  // namespace

void check(const ContactSpace& space) {
  if (space.dimension != 2 && space.dimension != 3)
    throw InputError(fmt::format("dimension is {}, expected 2 or 3", space.dimension));
  const Eigen::Index n = space.count();
  if (n == 0) throw InputError("mu is empty: there must be one friction coefficient per contact");
  const Eigen::Index size = n * space.dimension;
  if (space.W.rows() != size || space.W.cols() != size)
    throw InputError(
        fmt::format("W is {} x {}, expected {} x {}: mu has {} number{}, one per contact, and the dimension is {}",
                    space.W.rows(), space.W.cols(), size, size, n, n == 1 ? "" : "s", space.dimension));
  check_matrix(space.W);
  check_size("b", space.b.size(), size);
  check_size("drift", space.drift.size(), size);
  check_size("u", space.u.size(), size);
  check_size("gap", space.gap.size(), n);
  check_size("bilateral", static_cast<Eigen::Index>(space.bilateral.size()), n);
  check_size("names", static_cast<Eigen::Index>(space.names.size()), n);
  check_finite("b", space.b);
  check_finite("drift", space.drift);
  check_finite("u", space.u);
  check_finite("gap", space.gap);
  check_finite("mu", space.mu);
  for (int i = 0; i < space.count(); ++i) {
    const double mu = space.mu(i);
    if (mu >= 0 && mu <= 1e9) continue;  // beyond that a normal force that holds the contact is lost in rounding
    throw InputError(fmt::format("mu of contact {} is {}, it must be {}", space.names[static_cast<std::size_t>(i)], mu,
                                 mu < 0 ? ">= 0" : "<= 1e9"));
  }
}

Touch touch(const ContactSpace& space, int contact, const Tolerance& tolerance) {
  const double u_n = space.u(space.normal(contact));
  const bool bilateral = space.bilateral[static_cast<std::size_t>(contact)];
  if (!bilateral) {
    if (space.gap(contact) > tolerance.gap) return Touch::open;
    if (u_n < -tolerance.velocity) return Touch::approaching;
    if (u_n > tolerance.velocity) return Touch::separating;
  }
  const double slip = space.u.segment(space.tangent(contact), space.dimension - 1).norm();
  return slip > tolerance.velocity ? Touch::slipping : Touch::resting;
}

PlanarContact planar_contact(const ContactSpace& s, int contact) {
  const int t = s.tangent(contact);
  const int n = s.normal(contact);
  return {s.W(t, t), s.W(t, n), s.W(n, n), s.b(t), s.b(n), s.u(t), s.mu(contact)};
}

SpatialContact spatial_contact(const ContactSpace& s, int contact) {
  const int t = s.tangent(contact);
  const int n = s.normal(contact);
  return {s.W.block<2, 2>(t, t), s.W.block<2, 1>(t, n), s.W(n, n), s.b.segment<2>(t), s.b(n),
          s.u.segment<2>(t),     s.mu(contact)};
}

ContactSpace subset(const ContactSpace& s, const std::vector<int>& keep) {
  const int d = s.dimension;
  const auto n = static_cast<Eigen::Index>(keep.size());
  ContactSpace r;
  r.dimension = d;
  r.W.resize(d * n, d * n);
  for (auto* v : {&r.b, &r.drift, &r.u}) v->resize(d * n);
  r.gap.resize(n);
  r.mu.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int from = keep[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < n; ++j)
      r.W.block(d * i, d * j, d, d) = s.W.block(d * from, d * keep[static_cast<std::size_t>(j)], d, d);
    r.b.segment(d * i, d) = s.b.segment(d * from, d);
    r.drift.segment(d * i, d) = s.drift.segment(d * from, d);
    r.u.segment(d * i, d) = s.u.segment(d * from, d);
    r.gap(i) = s.gap(from);
    r.mu(i) = s.mu(from);
    r.bilateral.push_back(s.bilateral[static_cast<std::size_t>(from)]);
    r.names.push_back(s.names[static_cast<std::size_t>(from)]);
  }
  return r;
}

}  // namespace painleve
