#include "painleve/modes/gspot.hpp"

#include <fmt/format.h>

namespace painleve {
namespace {

std::string order(const std::array<double, 3>& a) {
  const auto [a1, a2, a3] = a;
  std::string text;
  if ((a1 < 0) != (a3 < 0))
    text = a1 < 0 ? "a1<0<a3" : "a3<0<a1";
  else if (a1 < 0)
    text = a1 < a3 ? "a1<a3<0" : "a3<a1<0";
  else
    text = a1 < a3 ? "0<a1<a3" : "0<a3<a1";
  return text + (a2 < 0 ? ", a2<0" : ", a2>0");
}

}  // namespace

// p = p0 e^{α1 s}; b_n follows the eigenline α2 p = (α1 − α3) b_n or the b_n axis, whichever rate wins.
GSpot portrait(const std::array<double, 3>& alpha) {
  const auto [a1, a2, a3] = alpha;
  GSpot g;
  g.alpha = alpha;
  g.portrait = order(alpha);
  g.lambda_limit_reason = "slip near the G-spot is not drawn into it";
  if (a1 == 0 || a2 == 0 || a3 == 0 || a1 == a3) {
    g.portrait = "degenerate";
    g.outcome = "not decided by the linear flow: a coefficient vanishes, or alpha1 = alpha3";
    return g;
  }
  if (a1 < 0 && a3 < 0 && a1 < a3) {
    g.outcome = a2 < 0 ? "G1: jam, lambda_n grows without bound, from everywhere near"
                       : "G1: jam, lambda_n grows without bound, where alpha2 p < (alpha1 - alpha3) b_n; else lift-off";
    g.exponent = a3 / a1 - 1;
    g.lambda_limit_reason = fmt::format("lambda_n grows without bound, as (t* - t)^{:.6g}", *g.exponent);
  } else if (a3 < a1 && a1 < 0) {
    g.outcome = a2 < 0 ? "G2: jam, lambda_n tends to a finite limit" : "lift-off";
    if (a2 < 0) {
      g.lambda_limit = a2 / (a3 - a1);
      g.lambda_limit_reason.clear();
    }
  } else if (a2 < 0) {
    g.outcome = "continued slip";
  } else {
    const bool splits = a3 > 0 && (a1 < 0 || a1 < a3);
    g.outcome =
        splits ? "lift-off above the eigenline alpha2 p = (alpha1 - alpha3) b_n, continued slip below" : "lift-off";
  }
  return g;
}

GSpot gspot(const ContactSpace& s, const ContactRates& rates, int contact) {
  const int d = s.dimension;
  const int t = s.tangent(contact);
  const int n = s.normal(contact);
  const double mu = s.mu(contact);
  const Eigen::VectorXd u_t = s.u.segment(t, d - 1);
  const Eigen::VectorXd e = u_t / u_t.norm();
  Eigen::VectorXd force(d);
  force << -mu * e, 1;

  const double a1 =
      rates.W(n, n) - mu * rates.W.block(t, n, d - 1, 1).col(0).dot(e) -
      (d == 3 ? mu / u_t.norm() *
                    s.W.block(t, n, d - 1, 1).col(0).dot(s.b.segment(t, d - 1) - e * e.dot(s.b.segment(t, d - 1)))
              : 0.0);
  const double a2 = rates.b(n);
  const double a3 = -rates.b_force.row(n).segment(t, d).dot(force);
  GSpot g = portrait({a1, a2, a3});
  if (d == 3) {
    const Eigen::VectorXd W_tn = s.W.block(t, n, 2, 1);
    const Eigen::VectorXd pull = W_tn - mu * s.W.block(t, t, 2, 2) * e;
    g.alpha4 = mu / u_t.norm() * W_tn.dot(pull - e * e.dot(pull));
    g.outcome = "in space the slip direction turns and p = 0 can be crossed: see alpha4";
    g.lambda_limit.reset();
    g.exponent.reset();
    g.lambda_limit_reason = "the portraits G1 and G2 are planar";
  }
  return g;
}

}  // namespace painleve
