#include "painleve/complementarity/contact_block.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "painleve/base/rounding.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/complementarity/slip_directions.hpp"
#include "painleve/complementarity/slip_search.hpp"

namespace painleve {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// An eigenvalue of W with unit diagonal below this is zero; a load along it up to `unbalanced` is only rounding.
constexpr double zero_response = 1e-12;
constexpr double unbalanced = 1e-10;

// Rank is judged on W with unit diagonal, so that it does not depend on the units of r and w.
struct UnitDiagonal {
  Vector3d load;
  Matrix3d W;
};
UnitDiagonal unit_diagonal(const ContactBlock& c) {
  UnitDiagonal unit;
  for (int k = 0; k < 3; ++k) unit.load(k) = c.W(k, k) > 0 ? 1 / std::sqrt(c.W(k, k)) : 1.0;
  unit.W = unit.load.asDiagonal() * c.W * unit.load.asDiagonal();
  if (c.planar) unit.W(1, 1) = 1;  // the tangent that is not there is neither force nor null direction
  return unit;
}

void find_null_space(ContactBlock& c, const UnitDiagonal& unit) {
  NullSpace n;
  n.load = unit.load;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(unit.W);
  while (n.nulls < 3 && eigen.eigenvalues()(n.nulls) <= zero_response) ++n.nulls;
  for (int k = 0; k < 3; ++k) {
    const Vector3d v = eigen.eigenvectors().col(k);
    if (k < n.nulls) {
      n.null.col(k) = n.load.asDiagonal() * v;
      n.leak.row(k) = v;
    } else {
      const Vector3d scaled = n.load.asDiagonal() * v;
      n.pseudo += scaled * scaled.transpose() / eigen.eigenvalues()(k);
    }
  }
  c.inverse = n.pseudo;
  if (n.nulls < 3) c.condition = eigen.eigenvalues()(2) / eigen.eigenvalues()(n.nulls);
  if (n.nulls > 0) c.singular = n;
}

// The eigenvalues are at most 3 together, so that the smallest is at least the determinant over 9/4.
void find_inverse(ContactBlock& c) {
  const double product = c.W(0, 0) * c.W_nn();
  if (c.planar && product - c.W(0, 2) * c.W(0, 2) > 2.25e3 * zero_response * product) return;  // planar_modes() will do
  const UnitDiagonal unit = unit_diagonal(c);
  if (!(unit.W.determinant() > 2.25e3 * zero_response)) return find_null_space(c, unit);
  const Matrix3d inverse = unit.W.inverse();
  c.inverse = unit.load.asDiagonal() * inverse * unit.load.asDiagonal();
  c.condition = unit.W.norm() * inverse.norm();
  c.unique = c.mu * c.mu * c.tangential() * c.inverse(2, 2) < 1 - 1e-6;
}

// r_t drawn back to the friction disc.
Vector3d cut(Vector3d r, double mu) {
  const double limit = mu * std::abs(r.z());
  const double size = r.head<2>().norm();
  if (size > limit) r.head<2>() *= limit / size;
  return r;
}

// Of the solutions that are offered, the nearest to the present force; of equally near ones the first.
class Nearest {
 public:
  explicit Nearest(const Vector3d& present) : present_(present) {}

  void offer(const Vector3d& r) {
    const double distance = (r - present_).norm();
    if (!(distance < distance_)) return;  // nor a number that is none
    distance_ = distance;
    best_ = r;
  }
  const Vector3d& present() const { return present_; }
  const Vector3d& best() const { return best_; }
  bool found() const { return distance_ < std::numeric_limits<double>::infinity(); }

 private:
  Vector3d present_, best_ = Vector3d::Zero();
  double distance_ = std::numeric_limits<double>::infinity();
};

// Member y d, low ≤ y ≤ high, of a ray of solutions.
void offer_ray(const Vector3d& d, double low, double high, Nearest& nearest) {
  nearest.offer(std::clamp(nearest.present().dot(d) / d.squaredNorm(), low, high) * d);
}

// Point of base + y d in the cone |r_t| ≤ μ sign r_n that is nearest to `target`, a point of the line. The cone is
// convex, so that is the target itself or an end of the chord.
void offer_line(const Vector3d& base, const Vector3d& d, const Vector3d& target, double mu, int sign,
                Nearest& nearest) {
  const auto in_cone = [&](const Vector3d& r) {
    return sign * r.z() >= 0 && r.head<2>().norm() <= mu * sign * r.z() * (1 + 4 * epsilon);
  };
  if (in_cone(target)) return nearest.offer(cut(target, mu));
  const auto form = [&](const Vector3d& x, const Vector3d& y) {
    return mu * mu * x.z() * y.z() - x.head<2>().dot(y.head<2>());
  };
  const double A = form(d, d);
  const double B = form(base, d);
  const double C = form(base, base);
  const double discriminant = or_zero(B * B - A * C, B * B + std::abs(A * C));
  if (discriminant < 0) return;
  const double q = -(B + std::copysign(std::sqrt(discriminant), B));
  Nearest ends(target);
  for (const double y : {q / A, C / q}) {
    const Vector3d r = base + y * d;
    if (std::isfinite(y) && sign * r.z() >= 0) ends.offer(cut(r, mu));
  }
  if (ends.found()) nearest.offer(ends.best());
}

// W of rank one: the forces that hold are those of a plane v·r = β in the cone. They exist when the edge of the cone
// that goes furthest towards the plane meets it.
void offer_plane(const ContactBlock& c, const Vector3d& b, int sign, Nearest& nearest) {
  Eigen::Index largest = 0;
  c.W.diagonal().maxCoeff(&largest);
  const Vector3d v = c.W.col(largest).normalized();
  const double beta = -v.dot(c.singular->pseudo * b);
  const Vector3d foot = nearest.present() + v * (beta - v.dot(nearest.present()));
  const double side = beta < 0 ? -1.0 : 1.0;
  Vector3d edge(0, 0, sign);
  if (v.head<2>().norm() > 0) edge.head<2>() = c.mu * side * v.head<2>().normalized();
  const double reach = v.dot(edge);
  if (beta != 0 && !(side * reach > 0)) return;
  const Vector3d anchor = beta == 0 ? Vector3d::Zero() : Vector3d(edge * (beta / reach));
  nearest.offer(anchor);
  if (foot != anchor) offer_line(anchor, foot - anchor, foot, c.mu, sign, nearest);
}

// W = 0 and no load: every force of the cone holds.
void offer_cone(const ContactBlock& c, int sign, Nearest& nearest) {
  const Vector3d& r = nearest.present();
  const double tangential = r.head<2>().norm();
  const double normal = sign * r.z();
  if (tangential <= c.mu * normal) return nearest.offer(r);
  const double along = (c.mu * tangential + normal) / (1 + c.mu * c.mu);
  if (along <= 0) return nearest.offer(Vector3d::Zero());
  const Vector2d direction = r.head<2>() / tangential;
  nearest.offer({c.mu * along * direction.x(), c.mu * along * direction.y(), sign * along});
}

// Every force that holds a singular contact, W r = −b, inside the cone |r_t| ≤ μ sign r_n.
void offer_singular_holding(const ContactBlock& c, const Vector3d& b, int sign, Nearest& nearest) {
  const NullSpace& n = *c.singular;
  const Vector3d load = n.load.asDiagonal() * b;
  if ((n.leak * load).norm() > unbalanced * load.norm()) return;
  if (n.nulls == (c.planar ? 2 : 3)) return offer_cone(c, sign, nearest);
  if (n.nulls == 2) return offer_plane(c, b, sign, nearest);
  const Vector3d r = -(n.pseudo * b);
  const Vector3d d = n.null.col(0).normalized();
  offer_line(r, d, r + d * d.dot(nearest.present() - r), c.mu, sign, nearest);
}

// Stick: W r = −b inside the cone |r_t| ≤ μ sign r_n.
void offer_holding(const ContactBlock& c, const Vector3d& b, int sign, Nearest& nearest) {
  if (c.singular) return offer_singular_holding(c, b, sign, nearest);
  const Vector3d r = -(c.inverse * b);
  // A force that leaves the cone by less than its rounding lies on the edge: no slip takes its place.
  const double rounding = std::min(16 * epsilon * c.condition * (1 + c.mu), 1e-10) * r.norm();
  if (sign * r.z() > 0 && r.head<2>().norm() <= c.mu * sign * r.z() + rounding) nearest.offer(cut(r, c.mu));
}

// r = y (−μ e, sign), y > 0: the normal motion is b_n + sign p y.
void offer_sliding(const ContactBlock& c, double b_n, int sign, Nearest& nearest) {
  const double p = sum_or_zero(c.W_nn(), -sign * c.mu * c.W_tn().dot(c.e));
  const Vector3d d(-c.mu * c.e.x(), -c.mu * c.e.y(), sign);
  const double y = -sign * b_n / p;
  if (p != 0 && y > 0) nearest.offer(y * d);
  if (p == 0 && b_n == 0) offer_ray(d, 0, std::numeric_limits<double>::max(), nearest);
}

// Slip along ±t with p± = b_n = 0: any force as long as a_t = b_t ∓ k± y keeps its direction.
void offer_slip_family(const PlanarModes& m, const PlanarContact& b, int sign, Nearest& nearest) {
  for (const int way : {1, -1}) {
    const double p = way > 0 ? m.p_plus : m.p_minus;
    const double k = way > 0 ? m.k_plus : m.k_minus;
    if (p != 0 || b.b_n != 0 || way * b.b_t < 0) continue;
    const double end = k > 0 ? way * b.b_t / k : std::numeric_limits<double>::max();
    offer_ray({-way * b.mu, 0, static_cast<double>(sign)}, 0, end, nearest);
  }
}

// `sign` = −1: the mirror image n → −n, in which a pulling force pushes.
void offer_planar(const ContactBlock& c, const Vector3d& b, int sign, Nearest& nearest) {
  const PlanarContact contact{c.W(0, 0), sign * c.W(0, 2), c.W_nn(), b.x(), sign * b.z(), 0, c.mu};
  const PlanarModes m = planar_modes(contact);
  const auto offer = [&](const PlanarForce& f) { nearest.offer({f.lambda_t, 0, sign * f.lambda_n}); };
  if ((m.consistent & mode_S_plus) != 0) offer(m.slip_plus);
  if ((m.consistent & mode_S_minus) != 0) offer(m.slip_minus);
  if (!c.singular && (m.consistent & mode_T) != 0) offer(m.stick);
  if (c.singular) offer_holding(c, b, sign, nearest);
  if (m.degenerate) offer_slip_family(m, contact, sign, nearest);
}

void offer_slip(const ContactBlock& c, const Vector2d& e, double lambda_n, Nearest& nearest) {
  const Vector2d r_t = -c.mu * std::abs(lambda_n) * e;
  nearest.offer({r_t.x(), r_t.y(), lambda_n});
}

void offer_spatial(const ContactBlock& c, const Vector3d& b, int sign, Nearest& nearest) {
  offer_holding(c, b, sign, nearest);
  if (sign * b.z() > 0 && c.mu * c.W_tn().norm() < c.W_nn()) return;  // λ_n = −b_n/p would pull in every direction
  if (b.z() != 0) {
    const SlipForces slips = slip_forces(c.W, b, c.mu, sign);
    for (int k = 0; k < slips.count && !slips.doubtful; ++k) {
      const SlipForce& s = slips.list[static_cast<std::size_t>(k)];
      offer_slip(c, s.e, s.lambda_n, nearest);
    }
    if (!slips.doubtful) return;
  }
  for (const SlipDirection& s : slip_directions(c.W, b, c.mu, sign).consistent) offer_slip(c, s.e, s.lambda_n, nearest);
}

// All solutions of the contact's own problem.
void offer_solutions(const ContactBlock& c, const Vector3d& b, Nearest& nearest) {
  if (b.z() == 0 || (b.z() > 0 && !c.bilateral)) nearest.offer(Vector3d::Zero());
  for (const int sign : {1, -1}) {
    if (sign < 0 && !c.bilateral) break;
    if (c.law == Law::sliding || c.mu == 0) {
      offer_sliding(c, b.z(), sign, nearest);
    } else if (c.planar) {
      offer_planar(c, b, sign, nearest);
    } else {
      offer_spatial(c, b, sign, nearest);
    }
  }
}

// The solution of a contact that has one at most: slip, where it does not stick, is sought near the present direction.
void offer_only_solution(const ContactBlock& c, const Vector3d& b, Nearest& nearest) {
  if (b.z() >= 0) return nearest.offer(Vector3d::Zero());
  offer_holding(c, b, 1, nearest);
  if (nearest.found()) return;
  const Vector3d wanted =
      nearest.present().head<2>().squaredNorm() == 0 ? Vector3d(-(c.inverse * b)) : nearest.present();
  const SlipForces slip = slip_force_near(c.W, b, c.mu, -wanted.head<2>().normalized());
  if (slip.count == 1) offer_slip(c, slip.list[0].e, slip.list[0].lambda_n, nearest);
}

}  // namespace

double ContactBlock::tangential() const {
  const double half = (W(0, 0) - W(1, 1)) / 2;
  return (W(0, 0) + W(1, 1)) / 2 + std::sqrt(half * half + W(1, 0) * W(1, 0));
}

ContactBlock contact_block(const ContactProblem& p, int i) {
  ContactBlock c;
  const auto at = static_cast<std::size_t>(i);
  c.planar = p.dimension < 3;
  c.mu = p.dimension > 1 ? p.mu(i) : 0;  // normals alone: without friction
  c.bilateral = p.bilateral[at];
  c.law = p.law[at];
  if (c.law == Law::sliding) c.e.head(p.dimension - 1) = p.slip.col(i);
  c.W.setZero();
  for (int j = 0; j < p.dimension; ++j) {
    for (int k = 0; k < p.dimension; ++k)
      c.W(row_in_space(j, p.dimension), row_in_space(k, p.dimension)) = p.W(p.tangent(i) + j, p.tangent(i) + k);
  }
  if (c.law == Law::resting && c.mu > 0) find_inverse(c);
  return c;
}

std::optional<Vector3d> nearest_solution(const ContactBlock& contact, const Vector3d& b, const Vector3d& present) {
  if (contact.law == Law::separated) return Vector3d::Zero();
  Nearest nearest(present);
  if (contact.unique && !contact.planar && !contact.bilateral && contact.law == Law::resting && contact.mu > 0)
    offer_only_solution(contact, b, nearest);
  if (!nearest.found()) offer_solutions(contact, b, nearest);
  if (!nearest.found()) return std::nullopt;
  return nearest.best();
}

// One step of the projected sweep. Where W does not respond, a force that the motion forbids is taken away, and one
// that it asks for is not added without end.
Vector3d projected_step(const ContactBlock& c, Vector3d r, const Vector3d& w) {
  const double before = r.z();
  if (c.W_nn() != 0) {
    r.z() -= w.z() / std::abs(c.W_nn());  // negative only in normals alone, where W need not be a Gram matrix
  } else if (w.z() > 0 && !c.bilateral) {
    r.z() = 0;
  }
  if (!c.bilateral) r.z() = std::max(0.0, r.z());
  const double limit = c.mu * std::abs(r.z());
  if (c.law == Law::sliding) {
    r.head<2>() = -limit * c.e;
    return r;
  }
  const Vector2d w_t = w.head<2>() + c.W_tn() * (r.z() - before);
  if (const double response = c.tangential(); response > 0) {
    r.head<2>() -= w_t / response;
  } else if (w_t.norm() > 0) {
    r.head<2>() = -limit * w_t.normalized();
  }
  return cut(r, c.mu);
}

// Distance of a force from the natural map r = proj(r − ρ w). A cheap look at what law_residual() will say.
double distance_from_law(const ContactBlock& c, const Vector3d& r, const Vector3d& w, double rho) {
  if (c.law == Law::separated) return r.norm();
  const double pressed = r.z() - rho * w.z();
  const double normal = std::abs(r.z() - (c.bilateral ? pressed : std::max(0.0, pressed)));
  Vector3d wanted(0, 0, r.z());
  if (c.law == Law::sliding) {
    wanted.head<2>() = -c.mu * std::abs(r.z()) * c.e;
  } else {
    wanted.head<2>() = r.head<2>() - rho * w.head<2>();
    wanted = cut(wanted, c.mu);
  }
  return std::max(normal, (r - wanted).norm());
}

}  // namespace painleve
