// Peiret et al., the equations of Secs. 2 to 5: each side computed by a route of its own, on drawn systems and on the
// arm. Letters of the paper: H = W_tt, h = W_tn, a = W_nn, M_c = W⁻¹.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/reproduction/peiret_parts.hpp"
#include "painleve/reproduction/shipped_scene.hpp"

namespace painleve {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr int kDrawn = 40;

// W of a drawn system with seven velocities and one contact.
Matrix3d drawn_response(Draws& draws) {
  MatrixXd A(3, 7);
  for (double& entry : A.reshaped()) entry = draws.uniform(-1, 1);
  return A * A.transpose() + 0.05 * Matrix3d::Identity();
}

struct Drawn {
  Matrix3d W, M_c;
  Matrix2d H;
  Vector2d h;
  double a, mu;

  explicit Drawn(Draws& draws) : W(drawn_response(draws)), M_c(W.inverse()), mu(draws.uniform(0.1, 3)) {
    H = W.topLeftCorner<2, 2>();
    h = W.topRightCorner<2, 1>();
    a = W(2, 2);
  }
  Matrix3d Q(double friction) const { return M_c * Vector3d(1, 1, -friction * friction).asDiagonal() * M_c; }
  double mu_crit() const { return (H.inverse() * h).norm(); }
  double mu_jam() const { return a / h.norm(); }
};

// The largest of a defect over drawn systems.
template <class Defect>
double worst(const Defect& defect) {
  Draws draws(2019);
  double most = 0;
  for (int i = 0; i < kDrawn; ++i) most = std::max(most, std::abs(defect(Drawn(draws))));
  return most;
}

Comparison law(const std::string& what, const std::string& printed, double defect) {
  return compare_statement(what, printed, fmt::format("both sides on {} drawn systems: {}", kDrawn, error_size(defect)),
                           defect < 1e-9);
}

double block_defect(const Drawn& d) {
  const InverseBlocks blocks = inverse_blocks(d.W);
  const double t = (blocks.M_t - d.M_c.topLeftCorner<2, 2>()).norm(), n = blocks.m_n - d.M_c(2, 2);
  const double tn = (blocks.m_tn - d.M_c.topRightCorner<2, 1>()).norm();
  return (t + std::abs(n) + tn) / d.M_c.norm();
}

// (29)-(31) as printed against Q = M_c Q_μ M_c.
double cone_defect(const Drawn& d) {
  const InverseBlocks m = inverse_blocks(d.W);
  const double mu2 = d.mu * d.mu;
  Matrix3d printed;
  printed.topLeftCorner<2, 2>() = m.M_t * (Matrix2d::Identity() - mu2 / (d.a * d.a) * d.h * d.h.transpose()) * m.M_t;
  printed(2, 2) = (d.h.dot((d.H * d.H).inverse() * d.h) - mu2) * m.m_n * m.m_n;
  printed.topRightCorner<2, 1>() = (m.M_t - mu2 * m.m_n * Matrix2d::Identity()) * m.m_tn;
  printed.bottomLeftCorner<1, 2>() = printed.topRightCorner<2, 1>().transpose();
  return (printed - d.Q(d.mu)).norm() / d.Q(d.mu).norm();
}

// δu_n per unit of normal force while slipping along e, (38), against the third row of W (−μ e, 1).
double rise_defect(const Drawn& d) {
  const Vector2d e = Vector2d(0.6, -0.8);
  return painleve_parameter(d.W, d.mu, e) - d.W.row(2).dot(Vector3d(-d.mu * e(0), -d.mu * e(1), 1));
}

// (39)-(41): the half-angle about e_jam at which the rise changes its sign, by bisection, against half of (41).
double locking_defect(const Drawn& d) {
  const double mu = 1.5 * d.mu_jam();
  const Vector2d e_jam = d.h.normalized(), across(-e_jam(1), e_jam(0));
  double low = 0, high = 1.6;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    const Vector2d e = std::cos(middle) * e_jam + std::sin(middle) * across;
    (d.a - mu * d.h.dot(e) < 0 ? low : high) = middle;
  }
  return low - friction_cone(d.W, mu).locking_angle / 2;
}

}  // namespace

Reproduction peiret_cone_blocks() {
  Reproduction r;
  r.comparisons = {
      law("(25)–(27): blocks of M_{c}", "M_{t} = (H − h a⁻¹ hᵀ)⁻¹, m_{n} = (a − hᵀ H⁻¹ h)⁻¹, m_{tn} = −H⁻¹ h m_{n}",
          worst(block_defect)),
      law("(27): the other form of m_{tn}", "m_{tn} = −M_{t} h a⁻¹", worst([](const Drawn& d) {
            const InverseBlocks m = inverse_blocks(d.W);
            return (m.m_tn + d.H.inverse() * d.h * m.m_n).norm() / m.m_tn.norm();
          })),
      law("(28)–(31): elements of Q", "Q_{t}, Q_{n}, Q_{tn}", worst(cone_defect)),
      law("(32): the cone of μ = 0 is a line", "δu_{c} = A M⁻¹ A_{n}ᵀ λ_{n} dt",
          worst([](const Drawn& d) { return (d.Q(0) * line_limit(d.W)).norm() / d.Q(0).norm(); })),
      law("(33): the cone of μ → ∞ is a plane", "δu_{c} = A M⁻¹ A_{t}ᵀ λ_{t} dt",
          worst([](const Drawn& d) { return (plane_limit(d.W).transpose() * d.W.leftCols<2>()).norm() / d.W.norm(); })),
      law("(34): Q_{n} = 0 at μ_{crit} = ‖H⁻¹h‖", "μ ≥ μ_{crit}: δu_{t} = 0 is inside the cone",
          worst([](const Drawn& d) { return d.Q(d.mu_crit())(2, 2) / d.Q(0).norm(); })),
      law("(36): det Q_{t} = 0 at μ_{jam} = a/‖h‖", "μ ≥ μ_{jam}: more than the vertex meets δu_{n} = 0",
          worst([](const Drawn& d) {
            const Matrix2d Q_t = d.Q(d.mu_jam()).topLeftCorner<2, 2>();
            return Q_t.determinant() / Q_t.squaredNorm();
          })),
      law("(38): change of normal velocity", "δu_{n} = (a − μ_{k} hᵀ e_{t}) λ_{n} dt", worst(rise_defect)),
      law("(39)–(41): locking angle", "α = 2 arccos(μ_{jam}/μ_{k})", worst(locking_defect)),
      law("(41): α exists only for μ_{k} > μ_{jam}", "α > 0 only for μ_{k} > μ_{jam}",
          worst([](const Drawn& d) { return friction_cone(d.W, 0.999 * d.mu_jam()).locking_angle; }))};
  return r;
}

namespace {

// The change of contact velocity in free motion over dt, by one midpoint step.
Vector3d free_change(const Scene& scene, double dt) {
  const Mechanism& arm = *scene.posed.mechanism;
  const State& s = scene.posed.state;
  const Dynamics d0 = arm.dynamics(s);
  const State half{s.q + dt / 2 * s.v, s.v + dt / 2 * free_acceleration(d0), s.t + dt / 2};
  const State end{s.q + dt * half.v, s.v + dt * free_acceleration(arm.dynamics(half)), s.t + dt};
  return arm.dynamics(end).u - d0.u;
}

Comparison projector_law(const std::string& what, const std::string& printed, double defect) {
  return compare_statement(what, printed, "both sides for the arm: " + error_size(defect), defect < 1e-9);
}

}  // namespace

Reproduction peiret_contact_space() {
  const Scene scene = shipped_scene("arm-jam");
  const Dynamics d = scene.posed.mechanism->dynamics(scene.posed.state);
  const MatrixXd A = d.J, M_inverse = d.M.inverse();
  const MatrixXd P = M_inverse * A.transpose() * (A * M_inverse * A.transpose()).inverse() * A;
  const VectorXd kick = M_inverse * A.transpose() * Vector3d(0.3, -0.2, 1);
  const MatrixXd rest = MatrixXd::Identity(4, 4) - P;
  const double dt = 1e-4;
  const Vector3d change = free_change(scene, dt);
  Reproduction r;
  r.comparisons = {
      projector_law("(9): P_{c} is a projector", "P_{c} = M⁻¹Aᵀ(A M⁻¹ Aᵀ)⁻¹A", (P * P - P).norm()),
      projector_law("(10): v_{c} and v_{a} are orthogonal", "orthogonal complement",
                    (P.transpose() * d.M * rest).norm()),
      projector_law("(12): δv_{c} = P_{c} δv_{c}", "contact forces act in the contact space only",
                    (P * kick - kick).norm() / kick.norm()),
      projector_law("(13): v_{c} from u_{c}", "v_{c} = M⁻¹Aᵀ(A M⁻¹ Aᵀ)⁻¹ u_{c}",
                    (P * scene.posed.state.v - M_inverse * A.transpose() * scene.space.W.inverse() * d.u).norm()),
      compare_statement("(14), (16): δu_{0} in a time dt", "u̇_{0} = (A M⁻¹(f_{0} − c) + Ȧv) dt",
                        fmt::format("in dt = {} s the free arm changes u_{{c}} by the right-hand side to {} of it: "
                                    "an increment δu_{{0}}, not a rate",
                                    in_digits(dt), "1e-3"),
                        change.norm() > 0.5 * scene.space.b.norm(), "E-P3")};
  r.features = {feature("the free change of u_{c} is b dt to first order",
                        "one midpoint step of the equations of motion",
                        (change - dt * scene.space.b).norm() < 1e-3 * dt * scene.space.b.norm(),
                        fmt::format("ratio {}", in_digits(change.norm() / (dt * scene.space.b.norm()), 3)))};
  r.remark =
      "Computed with the arm of Sec. 6 at the state of (45). Fig. 1 of the paper is a sketch without data and is not "
      "drawn.";
  return r;
}

}  // namespace painleve
