// Peiret, Kövecses & Font-Llagunes, the abstract: its equations and its figure, and the lists of the items of both
// papers.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "painleve/figure/cone_figure.hpp"
#include "painleve/reproduction/items_of_papers.hpp"
#include "painleve/reproduction/peiret_parts.hpp"
#include "painleve/reproduction/shipped_scene.hpp"

namespace painleve {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;

double det_Q_t(const Eigen::MatrixXd& W, double mu) {
  return friction_cone(W, mu).Q.value().topLeftCorner<2, 2>().determinant();
}

// "−1e-3 and 2e-3 on both sides": the sign of a function below and above a value.
Comparison sign_change(const std::string& what, const std::string& printed, double below, double above) {
  return compare_statement(what, printed, fmt::format("{} below, {} above", in_digits(below, 3), in_digits(above, 3)),
                           below > 0 && above < 0);
}

}  // namespace

Reproduction peiret_cone_equations() {
  const Scene scene = shipped_scene("rod-45deg");
  const Dynamics d = scene.posed.mechanism->dynamics(scene.posed.state);
  const Eigen::MatrixXd W = scene.space.W;
  const Vector2d h = W.topRightCorner(2, 1);
  const Matrix2d abstract_M_t = W.topLeftCorner(2, 2).inverse();
  const Eigen::MatrixXd journal_M_t = inverse_blocks(W).M_t;
  const double mu_crit = (abstract_M_t * h).norm(), mu_jam = 1 / (h.norm() / W(2, 2));
  const FrictionCone cone = friction_cone(W, 2);
  Reproduction r;
  r.comparisons = {
      sign_change("(4): Q_{n} ≤ 0 from μ_{crit} on", "if and only if",
                  friction_cone(W, 0.999 * mu_crit).Q.value()(2, 2), friction_cone(W, 1.001 * mu_crit).Q.value()(2, 2)),
      sign_change("det Q_{t} ≤ 0 from μ_{jam} on", "if and only if", det_Q_t(W, 0.999 * mu_jam),
                  det_Q_t(W, 1.001 * mu_jam)),
      compare_statement("μ_{crit} = ‖M_{t} h‖ with M_{t} = (A_{t} M⁻¹ A_{t}ᵀ)⁻¹", "μ_{crit}",
                        fmt::format("{} against {} of the cone", in_digits(mu_crit), in_digits(*cone.mu_crit)),
                        std::abs(mu_crit - *cone.mu_crit) < 1e-12),
      compare_statement("the same with M_{t} of the journal's (27)", "the same letter",
                        fmt::format("{} against {}", in_digits((journal_M_t * h).norm()), in_digits(*cone.mu_crit)),
                        std::abs((journal_M_t * h).norm() - *cone.mu_crit) < 1e-12, "E-P2"),
      compare_statement("μ_{jam} = ‖M_{n} h‖⁻¹ with M_{n} = (A_{n} M⁻¹ A_{n}ᵀ)⁻¹", "μ_{jam}",
                        fmt::format("{} against {} of the cone", in_digits(mu_jam), in_digits(*cone.mu_jam)),
                        std::abs(mu_jam - *cone.mu_jam) < 1e-12),
      compare_statement("line of μ = 0 and plane of μ → ∞", "δu_{c} = A M⁻¹ A_{n} λ_{n} dt, A M⁻¹ A_{t} λ_{t} dt",
                        fmt::format("A_{{n}} is 1 × {}, M⁻¹ is {} × {}: only the transposes conform", d.J.cols(),
                                    d.M.rows(), d.M.cols()),
                        d.M.cols() == 1, "E-P1"),
      compare_statement(
          "the same with A_{n}ᵀ, A_{t}ᵀ", "",
          "limits of the cone: " + error_size((d.J * d.M.inverse() * d.J.row(2).transpose() - line_limit(W)).norm()),
          (d.J * d.M.inverse() * d.J.row(2).transpose() - line_limit(W)).norm() < 1e-12)};
  r.remark = "For the rod at 45° in space.";
  return r;
}

Reproduction peiret_cone_figure_1() {
  const Scene scene = shipped_scene("rod-45deg");
  const FrictionCone cone = friction_cone(scene.space, 0);
  const double mu_crit = cone.mu_crit.value(), mu_jam = cone.mu_jam.value();
  Reproduction r;
  r.comparisons = {
      compare_statement("high friction: sliding in certain directions gives δu_{n} < 0", "for μ > μ_{jam}",
                        fmt::format("lowest ray {} at μ = 2, {} at μ = 1.6", in_digits(lowest_ray(cone), 3),
                                    in_digits(lowest_ray(friction_cone(cone.W, 1.6)), 3)),
                        lowest_ray(cone) < 0 && lowest_ray(friction_cone(cone.W, 1.6)) > 0),
      compare_statement("the plane of μ → ∞ is not the plane δu_{n} = 0", "not directly related",
                        fmt::format("normal ({}, {}, {})", in_digits(plane_limit(cone.W)(0), 3),
                                    in_digits(plane_limit(cone.W)(1), 3), in_digits(plane_limit(cone.W)(2), 3)),
                        plane_limit(cone.W).head(2).norm() > 0.1)};
  const Vector3d line = line_limit(cone.W).normalized(), normal = plane_limit(cone.W).normalized();
  r.features = {feature_near("μ_{crit} = 3/5", "closed form W = (4 I − 3 n nᵀ)/m at 45°", mu_crit, 0.6, 1e-12),
                feature_near("μ_{jam} = 5/3", "closed form", mu_jam, 5.0 / 3, 1e-12),
                feature_near("the line of μ = 0 makes the angle atan(3/5) with the normal", "drawn line",
                             std::acos(line(2)), std::atan(0.6), 1e-9),
                feature_near("the plane of μ → ∞ is tilted by atan(3/5)", "its normal", std::acos(std::abs(normal(2))),
                             std::atan(0.6), 1e-9)};
  r.figures = {{"Figure 1: the generalized cone of a rod at 45°",
                "Changes of the contact velocity by impulses of 1 N s on the edge of the cone, for the two "
                "characteristic values and "
                "for both limits; from μ_{jam} on the cone dips below the tangent plane.",
                {nested_cones({0.3, mu_crit, mu_jam, 3}, "")},
                1,
                480,
                420}};
  r.remark = "The other frictions of the figure are not stated; 0.3 and 3 are our choice.";
  return r;
}

std::vector<PublishedItem> peiret_cone_items() {
  return {{"peiret-cone",
           "eq-1-4",
           "the generalized friction cone and its two characteristic frictions",
           {"rod-45deg"},
           peiret_cone_equations},
          {"peiret-cone", "fig-1", "the cone of a rod at 45°", {"rod-45deg"}, peiret_cone_figure_1}};
}

std::vector<PublishedItem> peiret_items() {
  const std::string p = "peiret";
  return {
      {p, "eq-9-16", "contact space and contact velocity", {"arm-jam"}, peiret_contact_space},
      {p, "eq-25-41", "the generalized friction cone", {}, peiret_cone_blocks},
      {p, "fig-2", "the cone of a rod for different friction", {"rod-45deg"}, peiret_figure_2},
      {p, "fig-3", "the locking angle of a rod", {"rod-45deg"}, peiret_figure_3},
      {p, "fig-4", "possible solutions of a sliding rod", {"rod-45deg"}, peiret_figure_4},
      {p, "eq-42-44", "the matrices of the articulated arm", {"arm-jam"}, peiret_arm_matrices},
      {p, "fig-5", "the articulated arm and its configuration A", {"arm-jam"}, peiret_figure_5},
      {p, "fig-6", "jamming friction of the arm", {"arm-jam"}, peiret_figure_6},
      {p, "eq-45-49", "the sliding arm: none and two solutions", {"arm-jam", "arm-two-solutions"}, peiret_arm_sliding}};
}

}  // namespace painleve
