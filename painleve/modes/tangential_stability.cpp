#include "painleve/modes/tangential_stability.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "painleve/base/rounding.hpp"
#include "painleve/complementarity/linear_feasibility.hpp"
#include "painleve/complementarity/slip_directions.hpp"

namespace painleve {
namespace {

// Motions that respond less than this part of the largest response do not happen.
constexpr double redundant = 1e-10;

// Rows of W that move: normals of the loaded contacts, then tangents of the sticking ones.
struct Moving {
  std::vector<int> rows;
  std::vector<int> loaded;  // contacts
  std::vector<int> stuck;   // contact of each tangential row
};
Moving moving(const ContactSpace& s, const std::vector<ContactMode>& modes) {
  Moving m;
  for (int i = 0; i < s.count(); ++i) {
    if (modes[static_cast<std::size_t>(i)].letter == Letter::F) continue;
    m.rows.push_back(s.normal(i));
    m.loaded.push_back(i);
  }
  for (const int i : m.loaded) {
    if (modes[static_cast<std::size_t>(i)].letter != Letter::T) continue;
    for (int k = 0; k < s.dimension - 1; ++k) {
      m.rows.push_back(s.tangent(i) + k);
      m.stuck.push_back(i);
    }
  }
  return m;
}

// Contact force per (λ_n of the loaded contacts, λ_t of the sticking ones).
Eigen::MatrixXd force_map(const ContactSpace& s, const std::vector<ContactMode>& modes, const Moving& m) {
  const auto loaded = static_cast<Eigen::Index>(m.loaded.size());
  Eigen::MatrixXd map = Eigen::MatrixXd::Zero(s.W.rows(), static_cast<Eigen::Index>(m.rows.size()));
  for (Eigen::Index j = 0; j < map.cols(); ++j) map(m.rows[static_cast<std::size_t>(j)], j) = 1;
  for (Eigen::Index j = 0; j < loaded; ++j) {
    const int i = m.loaded[static_cast<std::size_t>(j)];
    const ContactMode& mode = modes[static_cast<std::size_t>(i)];
    if (mode.letter == Letter::S)
      map.block(s.tangent(i), j, s.dimension - 1, 1) = -s.mu(i) * mode.force_sign * mode.direction;
  }
  return map;
}

Eigen::MatrixXd kernel(const Eigen::MatrixXd& A) {
  if (A.cols() == 0) return Eigen::MatrixXd(0, 0);
  Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
  lu.setThreshold(redundant);
  return lu.dimensionOfKernel() > 0 ? Eigen::MatrixXd(lu.kernel()) : Eigen::MatrixXd(A.cols(), 0);
}

TangentialStability outside(const std::string& reason) { return {false, {}, reason}; }

// Forces while the contacts of `slip` (+1, −1; 0 sticks) slip and all stay closed; empty when they are not determined.
std::optional<Eigen::VectorXd> forces_in_slip(const ContactSpace& s, const std::vector<int>& slip) {
  std::vector<ContactMode> modes;
  for (int i = 0; i < s.count(); ++i) {
    const int e = slip[static_cast<std::size_t>(i)];
    modes.push_back({e == 0 ? Letter::T : Letter::S, Eigen::VectorXd::Constant(1, e), 1});
  }
  const Moving m = moving(s, modes);
  const Eigen::MatrixXd map = force_map(s, modes, m);
  const Eigen::MatrixXd A = s.W(m.rows, Eigen::all) * map;
  Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
  lu.setThreshold(redundant);
  if (!lu.isInvertible()) return {};
  return Eigen::VectorXd(map * lu.solve(-s.b(m.rows)));
}

// Least reserve of one pattern; empty when a contact would not stay closed.
std::optional<double> reserve(const ContactSpace& s, const std::vector<int>& slip, const Eigen::VectorXd& stick_force) {
  const auto lambda = forces_in_slip(s, slip);
  if (!lambda) return {};
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < s.count(); ++i) {
    const double lambda_n = (*lambda)(s.normal(i));
    if (lambda_n <= 0) return {};
    const int e = slip[static_cast<std::size_t>(i)];
    if (e != 0) least = std::min(least, sum_or_zero(s.mu(i) * lambda_n, e * stick_force(s.tangent(i))));
  }
  return least;
}

// How far λ_t* lies inside the cone; < 0 outside.
double cone_margin(const ContactSpace& s, const Eigen::VectorXd& force) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < s.count(); ++i) {
    const double friction = force.segment(s.tangent(i), s.dimension - 1).norm();
    least = std::min(least, sum_or_zero(s.mu(i) * force(s.normal(i)), -friction));
  }
  return least;
}

// Smallest value over the unit circle of c + (α·e)(β + γ·e), by its stationary points: the derivative in the half-angle
// variable e = ±((1 − x²)/(1 + x²), 2x/(1 + x²)), |x| ≤ 1, is a quartic.
double least_on_circle(double c, const Eigen::Vector2d& alpha, double beta, const Eigen::Vector2d& gamma) {
  // In the angle θ: c0 + c1 cos θ + s1 sin θ + c2 cos 2θ + s2 sin 2θ.
  const double c1 = beta * alpha.x();
  const double s1 = beta * alpha.y();
  const double c2 = (alpha.x() * gamma.x() - alpha.y() * gamma.y()) / 2;
  const double s2 = (alpha.x() * gamma.y() + alpha.y() * gamma.x()) / 2;
  const auto value = [&](const Eigen::Vector2d& e) { return c + alpha.dot(e) * (beta + gamma.dot(e)); };
  double least = std::min({value({1, 0}), value({-1, 0}), value({0, 1}), value({0, -1})});
  for (const double side : {1.0, -1.0}) {
    // −c1 sin θ + s1 cos θ − 2 c2 sin 2θ + 2 s2 cos 2θ = 0 with cos, sin of the half circle, times (1 + x²)².
    const double a = side * s1;
    const double b = side * c1;
    const std::array<double, 5> quartic{a + 2 * s2, -2 * b - 8 * c2, -12 * s2, -2 * b + 8 * c2, -a + 2 * s2};
    bool doubtful = false;  // a stationary point without change of sign is no minimum
    for (const double x : roots_in_unit_interval(quartic, doubtful)) {
      const double w = 1 + x * x;
      least = std::min(least, value(side * Eigen::Vector2d((1 - x * x) / w, 2 * x / w)));
    }
  }
  return least;
}

// Slip velocities that the mechanism can have while all its contacts stay closed, as columns.
Eigen::MatrixXd slip_motions(const ContactSpace& s) {
  std::vector<int> normals, tangents;
  for (int i = 0; i < s.count(); ++i) {
    normals.push_back(s.normal(i));
    tangents.push_back(s.tangent(i));
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(s.W);
  const auto rank = (eigen.eigenvalues().array() > redundant * s.W.cwiseAbs().maxCoeff()).count();
  const Eigen::MatrixXd motions = eigen.eigenvectors().rightCols(rank);
  return motions(tangents, Eigen::all) * kernel(motions(normals, Eigen::all));
}

// Whether some motion slips in this pattern: two feet of one body cannot slip apart.
bool can_slip(const Eigen::MatrixXd& motions, const std::vector<int>& slip) {
  std::vector<int> sticks;
  Eigen::MatrixXd along(0, motions.cols());
  for (std::size_t i = 0; i < slip.size(); ++i) {
    if (slip[i] == 0) {
      sticks.push_back(static_cast<int>(i));
      continue;
    }
    along.conservativeResize(along.rows() + 1, Eigen::NoChange);
    along.bottomRows(1) = slip[i] * motions.row(static_cast<Eigen::Index>(i));
  }
  const Eigen::MatrixXd A = sticks.empty() ? along : Eigen::MatrixXd(along * kernel(motions(sticks, Eigen::all)));
  if (A.cols() == 0) return false;
  constexpr double inside = 1e-9;
  return deepest_point(A, Eigen::VectorXd::Zero(A.rows()), 1).depth > inside;
}

// All ways to slip (+1, −1) or stick (0), at least one of n contacts slipping.
std::vector<std::vector<int>> patterns(int n) {
  std::vector<std::vector<int>> list{{}};
  for (int i = 0; i < n; ++i) {
    std::vector<std::vector<int>> longer;
    for (const auto& head : list) {
      for (const int e : {0, 1, -1}) {
        longer.push_back(head);
        longer.back().push_back(e);
      }
    }
    list = longer;
  }
  list.erase(list.begin());  // all stick
  return list;
}

TangentialStability planar_contacts(const ContactSpace& s, const Eigen::VectorXd& stick_force) {
  constexpr int most_contacts = 8;
  if (s.count() > most_contacts) return {{}, {}, "the patterns of slip of so many contacts are not listed"};
  const Eigen::MatrixXd motions = slip_motions(s);
  if (motions.cols() == 0) return {true, {}, "no motion slips while the contacts stay closed"};
  double least = std::numeric_limits<double>::infinity();
  for (const auto& slip : patterns(s.count())) {
    if (!can_slip(motions, slip)) continue;
    const auto r = reserve(s, slip, stick_force);
    if (!r) return {{}, {}, "in some pattern of slip the forces are not determined or do not keep the contacts closed"};
    least = std::min(least, *r);
  }
  if (std::isinf(least)) return {true, {}, "no motion slips while the contacts stay closed"};
  if (least > 0) return {true, least, "friction brings every slip to rest"};
  return {{}, least, "in some pattern of slip friction does not slow every contact down"};
}

// With p(e) > 0: μ λ_n + e·λ_t* = (−μ b_n + (e·λ_t*) p(e))/p(e), p(e) = W_nn − μ W_tn·e.
TangentialStability spatial_contacts(const ContactSpace& s, const Eigen::VectorXd& stick_force) {
  if (s.count() > 1) return {{}, {}, "several spatial contacts have a continuum of patterns of slip"};
  const SpatialContact c = spatial_contact(s, 0);
  if (c.W_nn - c.mu * c.W_tn.norm() <= 0)
    return {{}, {}, "p <= 0 in some direction of slip: a question of normal dynamics"};
  const double least = least_on_circle(-c.mu * c.b_n, stick_force.head<2>(), c.W_nn, -c.mu * c.W_tn);
  const double widest = c.W_nn + c.mu * c.W_tn.norm();
  if (least <= 0) return {{}, {}, "slip in some direction is not slowed down by friction alone"};
  return {true, least / widest, "friction brings slip in every direction to rest"};
}

}  // namespace

SpringDynamics spring_dynamics(const ContactSpace& s, const std::vector<ContactMode>& modes,
                               const ContactSprings& springs) {
  const Moving m = moving(s, modes);
  SpringDynamics d;
  d.R = s.W(m.rows, Eigen::all) * force_map(s, modes, m);
  const Eigen::MatrixXd W = s.W(m.rows, m.rows);
  if (!m.rows.empty()) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(W);
    const auto free = (eigen.eigenvalues().array() > redundant * W.cwiseAbs().maxCoeff()).count();
    d.motions = eigen.eigenvectors().rightCols(free);
  }
  d.stiffness.resize(d.R.rows());
  d.damping.resize(d.R.rows());
  d.stiffness << springs.stiffness(m.loaded), springs.tangential_stiffness(m.stuck);
  d.damping << springs.damping(m.loaded), springs.tangential_damping(m.stuck);
  return d;
}

Growth growth(const ContactSpace& space, const std::vector<ContactMode>& modes, const ContactSprings& springs) {
  const SpringDynamics d = spring_dynamics(space, modes, springs);
  return growth(d.R, d.motions, d.stiffness, d.damping);
}

Stability stability_for(const ContactSpace& space, const std::vector<ContactMode>& modes,
                        const ContactSprings& springs) {
  const SpringDynamics d = spring_dynamics(space, modes, springs);
  return stability_for(d.R, d.motions, d.stiffness, d.damping);
}

Stability stability_for_all_springs(const ContactSpace& space, const std::vector<ContactMode>& modes, int spectra) {
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(space.count());
  const SpringDynamics d = spring_dynamics(space, modes, {ones, ones, ones, ones});
  return stability_for_all(d.R, d.motions, spectra);
}

TangentialStability tangential_stability(const ContactSpace& s) {
  Eigen::FullPivLU<Eigen::MatrixXd> lu(s.W);
  lu.setThreshold(redundant);
  if (!lu.isInvertible()) return {{}, {}, "the forces in stick are not determined"};
  return tangential_stability(s, lu.solve(-s.b));
}

TangentialStability tangential_stability(const ContactSpace& s, const Eigen::VectorXd& stick_force) {
  for (int i = 0; i < s.count(); ++i)
    if (stick_force(s.normal(i)) <= 0) return outside("a contact carries no force: it does not stick");
  const double margin = cone_margin(s, stick_force);
  if (margin < 0) return outside("the force leaves its friction cone: it does not stick");
  if (margin == 0) return outside("the force lies on the edge of its friction cone: slip begins there");
  return s.dimension == 3 ? spatial_contacts(s, stick_force) : planar_contacts(s, stick_force);
}

}  // namespace painleve
