// The impact of one planar contact: in closed form, event by event, by the spatial integration in a plane, and by small
// steps of the impulse that know nothing of phases.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "painleve/impact/impact_path.hpp"
#include "painleve/impact/planar_impact.hpp"
#include "painleve/impact/spatial_impact.hpp"

namespace painleve::differential {
namespace {

struct DrawnImpact {
  int a = 0, b = 0, c = 0;  // W = L Lᵀ with the rows (a, 0), (b, c)
  int u_t = 0, u_n = 0, mu_quarters = 0, restitution_quarters = 0, law = 0;
};

void showValue(const DrawnImpact& d, std::ostream& out) {
  out << "a " << d.a << ", b " << d.b << ", c " << d.c << ", u_t " << d.u_t << ", u_n " << d.u_n << ", 4 mu "
      << d.mu_quarters << ", 4 r " << d.restitution_quarters << ", law " << d.law;
}

rc::Gen<DrawnImpact> impacts() {
  return rc::gen::build<DrawnImpact>(
      rc::gen::set(&DrawnImpact::a, rc::gen::inRange(1, 4)), rc::gen::set(&DrawnImpact::b, rc::gen::inRange(-3, 4)),
      rc::gen::set(&DrawnImpact::c, rc::gen::inRange(1, 4)), rc::gen::set(&DrawnImpact::u_t, rc::gen::inRange(-3, 4)),
      rc::gen::set(&DrawnImpact::u_n, rc::gen::inRange(-3, 1)),
      rc::gen::set(&DrawnImpact::mu_quarters, rc::gen::inRange(0, 13)),
      rc::gen::set(&DrawnImpact::restitution_quarters, rc::gen::inRange(0, 5)),
      rc::gen::set(&DrawnImpact::law, rc::gen::inRange(0, 3)));
}

PlanarContact contact_of(const DrawnImpact& d) {
  PlanarContact c{};
  c.W_tt = d.a * d.a;
  c.W_tn = d.a * d.b;
  c.W_nn = d.b * d.b + d.c * d.c;
  c.u_t = d.u_t;
  c.mu = d.mu_quarters / 4.0;
  return c;
}

BounceLaw law_of(const DrawnImpact& d) {
  BounceLaw law;
  law.restitution = d.restitution_quarters / 4.0;
  law.law = static_cast<RestitutionLaw>(d.law);
  return law;
}

// |x - y| as a part of the velocities and impulses of the impact.
void expect_near(double x, double y, double size, double part) {
  RC_LOG() << x << " against " << y << "\n";
  RC_ASSERT(std::abs(x - y) <= part * (1 + size));
}

RC_GTEST_PROP(ClosedFormAgainstPath, EndsWhereTheCornersDo, ()) {
  const DrawnImpact d = *impacts();
  const PlanarImpact closed = planar_impact(contact_of(d), d.u_n, law_of(d));
  const ImpactPath path = impact_path(contact_of(d), d.u_n, law_of(d));
  RC_ASSERT(closed.outcome == path.outcome);
  if (!closed.happened()) return;
  const ImpactCorner& end = path.corners.back();
  const double size = std::abs(closed.Lambda_n) + std::abs(closed.u_n);
  expect_near(closed.u_t, end.u_t, size, 1e-12);
  expect_near(closed.u_n, end.u_n, size, 1e-12);
  expect_near(closed.Lambda_n, end.Lambda_n, size, 1e-12);
  expect_near(closed.Lambda_t, end.Lambda_t, size, 1e-12);
  expect_near(closed.work_n, path.work_n, size * size, 1e-12);
}

RC_GTEST_PROP(ClosedFormAgainstSpace, IsAnImpactInAPlane, ()) {
  const DrawnImpact d = *impacts();
  const PlanarContact c = contact_of(d);
  SpatialContact s{};
  s.W_tt << c.W_tt, 0, 0, *rc::gen::inRange(1, 10);
  s.W_tn << c.W_tn, 0;
  s.W_nn = c.W_nn;
  s.b_t.setZero();
  s.u_t << c.u_t, 0;
  s.mu = c.mu;
  const PlanarImpact closed = planar_impact(c, d.u_n, law_of(d));
  const SpatialImpact integrated = spatial_impact(s, d.u_n, law_of(d));
  RC_ASSERT(closed.outcome == integrated.outcome);
  const double size = std::abs(closed.Lambda_n) + std::abs(closed.u_n);
  expect_near(closed.u_t, integrated.u_t.x(), size, 1e-9);
  expect_near(0, integrated.u_t.y(), size, 1e-9);
  expect_near(closed.u_n, integrated.u_n, size, 1e-9);
  expect_near(closed.Lambda_n, integrated.Lambda_n, size, 1e-9);
}

// One small normal impulse after another. Within one, friction brings the slip to rest at most, or holds it there as
// far as the cone allows.
struct SmallSteps {
  const PlanarContact& c;
  double u_t, u_n, work = 0, Lambda = 0;

  void press(double step) {
    const double before = u_n;
    const double free = u_t + c.W_tn * step;
    double friction = c.W_tt > 0 ? -free / c.W_tt : 0;
    friction = std::fmin(std::fmax(friction, -c.mu * step), c.mu * step);
    u_t += c.W_tt * friction + c.W_tn * step;
    u_n += c.W_tn * friction + c.W_nn * step;
    work += step * (before + u_n) / 2;
    Lambda += step;
  }
};

bool restitution_over(const SmallSteps& s, const BounceLaw& law, double V, double work_c, double Lambda_c) {
  const double r = law.restitution;
  if (law.law == RestitutionLaw::energetic) return s.work >= work_c * (1 - r * r);
  if (law.law == RestitutionLaw::poisson) return s.Lambda >= (1 + r) * Lambda_c;
  return s.u_n >= r * V;
}

RC_GTEST_PROP(ClosedFormAgainstSmallSteps, IsTheirLimit, ()) {
  const DrawnImpact d = *impacts();
  const PlanarContact c = contact_of(d);
  const BounceLaw law = law_of(d);
  const PlanarImpact closed = planar_impact(c, d.u_n, law);
  RC_PRE(closed.happened() && closed.Lambda_n > 0);
  constexpr int steps = 20000;
  const double step = closed.Lambda_n / steps;
  SmallSteps s{c, c.u_t, static_cast<double>(d.u_n)};
  do s.press(step);
  while (s.u_n < 0 && s.Lambda < 10 * closed.Lambda_n);
  const double work_c = s.work, Lambda_c = s.Lambda;
  while (!restitution_over(s, law, -d.u_n, work_c, Lambda_c) && s.Lambda < 10 * closed.Lambda_n) s.press(step);
  const double size = (1 + c.W_tt + c.W_nn) * closed.Lambda_n;
  constexpr double first_order = 50.0 / steps;
  // Work near its end grows with the square of the impulse: the energetic law ends later by a root.
  const double part = law.law == RestitutionLaw::energetic ? 0.05 : first_order;
  expect_near(closed.Lambda_n, s.Lambda, size, part);
  expect_near(closed.u_n, s.u_n, size, part);
  expect_near(closed.u_t, s.u_t, size, part);
}

}  // namespace
}  // namespace painleve::differential
