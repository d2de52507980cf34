// Peiret et al., Sec. 6: the matrices of the articulated arm, and the numbers of its sliding state, (42)-(49).
#include <fmt/format.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>

#include "painleve/reproduction/peiret_parts.hpp"
#include "painleve/reproduction/shipped_scene.hpp"
#include "painleve/scene/solving.hpp"

namespace painleve {
namespace {

using Eigen::Matrix4d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kL1 = 0.5, kL2 = 0.5, kL3 = 0.1;

// (42) as printed, and corrected: its last row and column with one more power of L3.
Matrix4d printed_mass(const Eigen::VectorXd& q, double rho, double turning, bool corrected) {
  const double third = corrected ? kL3 : 1;
  const double c12 = std::cos(q(0) - q(1)), c13 = std::cos(q(0) - q(2)), c23 = std::cos(q(1) - q(2));
  Matrix4d M = Matrix4d::Zero();
  M(0, 0) = rho * kL1 * kL1 / 3 * (kL1 + 3 * kL2 + 3 * kL3);
  M(0, 1) = M(1, 0) = rho * kL1 * kL2 / 2 * (kL2 + 2 * kL3) * c12;
  M(1, 1) = rho * kL2 * kL2 / 3 * (kL2 + 3 * kL3);
  M(0, 2) = M(2, 0) = rho * kL1 * kL3 / 2 * third * c13;
  M(1, 2) = M(2, 1) = rho * kL2 * kL3 / 2 * third * c23;
  M(2, 2) = rho * kL3 * kL3 / 3 * third;
  M(3, 3) = turning;
  return M;
}

// (43) as printed.
double printed_turning(const Eigen::VectorXd& q, double rho) {
  const double c1 = std::cos(q(0)), c2 = std::cos(q(1)), c3 = std::cos(q(2));
  const double r2 = kL1 * c1 + kL2 / 2 * c2, r3 = kL1 * c1 + kL2 * c2 + kL3 / 2 * c3;
  return rho * std::pow(kL1, 3) / 3 * c1 * c1 + rho * std::pow(kL2, 3) / 12 * c2 * c2 + rho * kL2 * r2 * r2 +
         rho * std::pow(kL3, 3) / 12 * c3 * c3 + rho * kL3 * r3 * r3;
}

// (44) as printed.
Eigen::Matrix<double, 3, 4> printed_jacobian(const Eigen::VectorXd& q, double x) {
  Eigen::Matrix<double, 3, 4> A;
  A << 0, 0, 0, -x, -kL1 * std::sin(q(0)), -kL2 * std::sin(q(1)), -kL3 * std::sin(q(2)), 0, -kL1 * std::cos(q(0)),
      -kL2 * std::cos(q(1)), -kL3 * std::cos(q(2)), 0;
  return A;
}

double jamming(const Eigen::MatrixXd& W) { return W(2, 2) / W.topRightCorner(2, 1).norm(); }

double least_eigenvalue(const Matrix4d& M) { return Eigen::SelfAdjointEigenSolver<Matrix4d>(M).eigenvalues()(0); }

}  // namespace

Reproduction peiret_arm_matrices() {
  const Scene scene = shipped_scene("arm-jam", {"density=2"});
  const Eigen::VectorXd q = scene.posed.state.q;
  const Dynamics d = scene.posed.mechanism->dynamics(scene.posed.state);
  const double turning = printed_turning(q, 2);
  const Matrix4d printed = printed_mass(q, 2, turning, false), corrected = printed_mass(q, 2, turning, true);
  const auto A = printed_jacobian(q, 0.34);
  const double wrong = jamming(A * printed.inverse() * A.transpose()),
               right = jamming(A * corrected.inverse() * A.transpose());
  const double upper = (printed - d.M).topLeftCorner<2, 2>().norm();
  Reproduction r;
  r.comparisons = {
      compare_statement("(42): entries 11, 12, 22", "as printed", "mass matrix of the mechanism: " + error_size(upper),
                        upper < 1e-12),
      compare_statement("(42): entries 13, 23, 33", "ρL_{1}L_{3}/2 cos, ρL_{2}L_{3}/2 cos, ρL_{3}²/3",
                        fmt::format("one power of L_{{3}} more; as printed the least eigenvalue is {} kg m²",
                                    in_digits(least_eigenvalue(printed), 4)),
                        least_eigenvalue(printed) > 0, "E-P5"),
      compare_statement("(42) with L_{3}² and L_{3}³ there", "",
                        "mass matrix of the mechanism: " + error_size((corrected - d.M).norm()),
                        (corrected - d.M).norm() < 1e-12),
      compare_statement("(43): inertia I_{φ}", "as printed",
                        "entry 44 of the mechanism: " + error_size(turning - d.M(3, 3)),
                        std::abs(turning - d.M(3, 3)) < 1e-12),
      compare_statement("(44): contact Jacobian", "as printed",
                        "that of the mechanism: " + error_size((A - d.J).norm()), (A - d.J).norm() < 1e-12),
      compare_printed("μ_{jam} at A from (42) as printed", "0.421", wrong, "E-P5"),
      compare_printed("μ_{jam} at A from (42) corrected", "0.421", right)};
  r.remark = "At x = 0.340 m, θ_{3} = 101.75°, ρ = 2 kg/m.";
  return r;
}

namespace {

// The state of (45): b splits into J M⁻¹ f and the drift J̇v. `of_paper`: without the terms in φ̇ of c, which the printed
// numbers lack; the drift keeps its own.
struct Sliding {
  Scene scene;
  Vector3d change, free, of_paper;  // W (−μ e, 1) [1/kg]; b [m/s²]

  explicit Sliding(const std::string& scenario, double density = 1)
      : scene(shipped_scene(scenario, {fmt::format("density={}", density)})) {
    const Scene still = shipped_scene(scenario, {fmt::format("density={}", density), "phi_dot=0"});
    change = ray(friction_cone(scene.space, 0), direction());
    free = scene.space.b;
    of_paper = still.space.b - still.space.drift + scene.space.drift;
  }
  Vector2d direction() const { return scene.space.u.head<2>().normalized(); }
};

const std::array<std::string, 3> kAxes = {"t1", "t2", "n"};

void add_velocity(Reproduction& r, const Sliding& s) {
  const std::array<std::string, 3> u = {"−0.340", "−1.0", "0"};
  for (int i = 0; i < 3; ++i) {
    r.comparisons.push_back(compare_printed(fmt::format("(45) u_{{{}}} [m/s]", kAxes[i]), u[i], s.scene.space.u(i)));
  }
  r.comparisons.push_back(compare_printed("e_{t}, first component", "−0.3219", s.direction()(0)));
  r.comparisons.push_back(compare_printed("e_{t}, second component", "−0.9468", s.direction()(1)));
  const FrictionCone cone = friction_cone(s.scene.space, 0);
  const double along = cone.e_jam.value().dot(s.direction());
  r.comparisons.push_back(
      compare_statement("(39): e_{t} satisfies the locking condition", "e_{jam}ᵀ e_{t} > μ_{jam}/μ_{k}",
                        fmt::format("{} > {}", in_digits(along, 4), in_digits(*cone.mu_jam / cone.mu, 4)),
                        along > *cone.mu_jam / cone.mu));
}

void add_change(Reproduction& r, const Sliding& s, const Sliding& dense, const std::string& equation) {
  const std::array<std::string, 3> printed = {"0.1265", "8.316", "−0.3118"};
  for (int i = 0; i < 3; ++i) {
    r.comparisons.push_back(compare_printed(
        fmt::format("{} δu_{{c,{}}}/(λ_{{n}} dt) [1/kg], ρ = 1 kg/m", equation, kAxes[i]), printed[i], s.change(i)));
  }
  for (int i = 0; i < 3; ++i) {
    r.comparisons.push_back(
        compare_printed(fmt::format("{} δu_{{c,{}}}/(λ_{{n}} dt) [1/kg], ρ = 2 kg/m as stated", equation, kAxes[i]),
                        printed[i], dense.change(i), "E-P6"));
  }
}

// Per component its erratum; empty: none is needed.
void add_free(Reproduction& r, const Sliding& s, const std::string& equation, const std::array<std::string, 3>& printed,
              const std::array<std::string, 3>& complete, const std::array<std::string, 3>& reduced) {
  for (int i = 0; i < 3; ++i) {
    r.comparisons.push_back(compare_printed(fmt::format("{} δu_{{0,{}}}/dt [m/s²]", equation, kAxes[i]), printed[i],
                                            s.free(i), complete[i]));
  }
  for (int i = 0; i < 3; ++i) {
    r.comparisons.push_back(
        compare_printed(fmt::format("{} the same without the terms in φ̇ of c, {}", equation, kAxes[i]), printed[i],
                        s.of_paper(i), reduced[i]));
  }
}

std::string found(const SolveReport& report) {
  std::string text = fmt::format("{} solutions", report.set.solutions.size());
  for (const auto& s : report.set.solutions) {
    text += fmt::format("; {}: λ_{{n}} = {} N, u̇_{{n}} = {} m/s²", s.mode, in_digits(s.r(2), 5), in_digits(s.w(2), 5));
  }
  return text;
}

}  // namespace

Reproduction peiret_arm_sliding() {
  const Sliding jam("arm-jam"), dense("arm-jam", 2), two("arm-two-solutions"), dense_two("arm-two-solutions", 2);
  const SolveReport none = solve(jam.scene, {}), both = solve(two.scene, {});
  const double p = two.change(2);
  Reproduction r;
  add_velocity(r, jam);
  add_change(r, jam, dense, "(46)");
  add_free(r, jam, "(46)", {"1.0", "−0.0169", "−9.766"}, {"E-P7", "E-P7", "E-P7"}, {"", "", ""});
  r.comparisons.push_back(
      compare_statement("(47)", "no solution exists", found(none), none.set.complete && none.set.solutions.empty()));
  add_free(r, two, "(48)", {"1.0", "−1.262", "3.223"}, {"E-P7", "E-P8", "E-P7"}, {"", "E-P8", ""});
  r.comparisons.push_back(compare_statement("(49)", "two solutions", found(both), both.set.solutions.size() == 2));
  r.comparisons.push_back(compare_printed("(49) λ_{n} without detachment [N]", "10.3", -two.free(2) / p));
  r.comparisons.push_back(compare_printed("the same with the paper's δu_{0}", "10.3", -two.of_paper(2) / p));
  r.comparisons.push_back(compare_printed("(49) u̇_{n} with detachment [m/s²]", "3.223", two.free(2), "E-P7"));
  r.comparisons.push_back(
      compare_statement("(49) with ρ = 2 kg/m and τ_{1} = 5 N m as stated", "two solutions",
                        fmt::format("u̇_{{n}} = {} − {} λ_{{n}}: no solution", in_digits(dense_two.free(2), 4),
                                    in_digits(-dense_two.change(2), 4)),
                        dense_two.free(2) > 0, "E-P6"));
  r.features = {
      feature("du_{n} < 0 for all λ_{n} ≥ 0 in (46)", "both coefficients of the normal are negative",
              jam.change(2) < 0 && jam.free(2) < 0,
              fmt::format("{} λ_{{n}} − {}", in_digits(jam.change(2), 4), in_digits(-jam.free(2), 4))),
      feature_near("the closed solution of (49) balances the normal", "enumeration against −b_{n}/p",
                   both.set.solutions.size() == 2 ? both.set.solutions[1].r(2) : 0, -two.free(2) / p, 1e-9),
      feature("the torque lifts the tip", "b_{n} with the torque minus b_{n} without", two.free(2) - jam.free(2) > 12.9,
              fmt::format("{} m/s²", in_digits(two.free(2) - jam.free(2), 5)))};
  r.remark =
      "At x = 0.340 m, θ_{3} = 101.75°, ẋ = −1 m/s, θ̇_{3} = 0, φ̇ = 1 rad/s, μ = 0.5. τ_{1} = −5 N m along θ_{1}.";
  return r;
}

}  // namespace painleve
