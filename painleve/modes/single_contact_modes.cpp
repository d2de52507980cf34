#include "painleve/modes/single_contact_modes.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/planar_stick.hpp"
#include "painleve/complementarity/slip_directions.hpp"
#include "painleve/complementarity/stick_forces.hpp"
#include "painleve/cone/friction_cone.hpp"

namespace painleve {
namespace {

std::string sinks(const std::string& name, double a_n) {
  return fmt::format("{} would sink in: without a force a_n = {:.6g} m/s^2 < 0", name, a_n);
}
std::string pulls(const std::string& name, double lambda_n, double p) {
  if (p == 0) return fmt::format("{} finds no force: p = 0, so a normal force does not change a_n", name);
  return fmt::format("{} would have to pull: lambda_n = {:.6g} N (p = {:.6g} 1/kg)", name, lambda_n, p);
}
std::string against(const std::string& name, double a) {
  return fmt::format("{} would not accelerate in the direction of slip: a_t along it = {:.6g} m/s^2", name,
                     a + 0.0);  // no "-0"
}
std::string outside(const std::string& name, double lambda_t, double limit) {
  return fmt::format("{} cannot stick: |lambda_t| = {:.6g} N exceeds mu lambda_n = {:.6g} N", name, lambda_t, limit);
}

void certify(const ContactSpace& space, const Tolerance& tolerance, ModeEntry& entry) {
  if (entry.consistent && !entry.lambda) {
    entry.consistent = false;
    entry.reason = space.names[0] + " would need a force beyond the range of numbers";
  }
  if (entry.consistent)
    entry.residual = law_residual(acceleration_problem(space, tolerance).problem, *entry.lambda, *entry.a);
}

ModeEntry planar_entry(const char* name, Letter letter, double direction, const PlanarForce& f, bool consistent) {
  ModeEntry entry;
  entry.name = name;
  entry.contacts = {{letter, Eigen::VectorXd::Constant(1, direction), 1}};
  entry.consistent = consistent;
  if (std::isfinite(f.lambda_n) && std::isfinite(f.lambda_t) && std::isfinite(f.a_t)) {
    entry.lambda = Eigen::Vector2d(f.lambda_t, f.lambda_n);
    entry.a = Eigen::Vector2d(f.a_t, f.a_n);
  }
  return entry;
}

ModeEntry planar_slip(const PlanarModes& m, const std::string& contact, bool plus) {
  const PlanarForce& f = plus ? m.slip_plus : m.slip_minus;
  const double p = plus ? m.p_plus : m.p_minus;
  ModeEntry e =
      planar_entry(plus ? "S+" : "S-", Letter::S, plus ? 1 : -1, f, m.consistent & (plus ? mode_S_plus : mode_S_minus));
  if (!e.consistent)
    e.reason = p != 0 && f.lambda_n > 0 ? against(contact, plus ? f.a_t : -f.a_t) : pulls(contact, f.lambda_n, p);
  return e;
}

// p = b_n = 0 in the direction of slip: every force along one ray fits.
ModeEntry slip_ray(const ContactSpace& space, const SpatialContact& c, ModeEntry entry) {
  const ContactMode& mode = entry.contacts[0];
  const Eigen::Vector2d e = mode.direction;
  const double mu = mode.force_sign * c.mu;
  const Eigen::Vector2d per_force = c.W_tn - mu * c.W_tt * e;
  const double weight = c.b_t.norm() / space.W.norm();  // any force will do: one that fits the problem
  const double lambda_n = mode.force_sign * (weight > 0 ? weight : 1);
  entry.lambda = Eigen::Vector3d(-mu * e.x() * lambda_n, -mu * e.y() * lambda_n, lambda_n);
  entry.a = space.W * *entry.lambda + space.b;
  (*entry.a)(2) = 0;
  entry.consistent = true;
  entry.force_family_dimension = 1;
  entry.motion_family_dimension = per_force.norm() > 1e-12 * space.W.norm() ? 1 : 0;
  return entry;
}

// A spatial slip with known direction e; `sign` < 0 for a bilateral contact that pulls.
ModeEntry spatial_slip(const ContactSpace& space, const SpatialContact& c, const Eigen::Vector2d& e, int sign) {
  ModeEntry entry;
  entry.name = "S";
  entry.contacts = {{Letter::S, e, sign}};
  const double mu = sign * c.mu;
  const double p = painleve_parameter(space.W, mu, e);
  const double lambda_n = -c.b_n / p;
  if (p == 0) {
    if (c.b_n == 0) return slip_ray(space, c, std::move(entry));
    entry.reason = pulls(space.names[0], 0, 0);
    return entry;
  }
  entry.lambda = Eigen::Vector3d(-mu * e.x() * lambda_n, -mu * e.y() * lambda_n, lambda_n);
  entry.a = space.W * *entry.lambda + space.b;
  (*entry.a)(2) = 0;  // up to rounding, which the certificate sees
  const bool bilateral = space.bilateral[0];
  entry.consistent = bilateral && sign > 0 ? lambda_n >= 0 : sign * lambda_n > 0;
  if (!entry.consistent) entry.reason = pulls(space.names[0], lambda_n, p);
  return entry;
}

ModeEntry spatial_free(const ContactSpace& space) {
  ModeEntry entry;
  entry.name = "F";
  entry.contacts = {{Letter::F, Eigen::Vector2d::Zero(), 1}};
  entry.lambda = Eigen::Vector3d::Zero();
  entry.a = space.b;
  entry.consistent = space.b(2) >= 0;
  entry.boundary = space.b(2) == 0;
  if (!entry.consistent) entry.reason = sinks(space.names[0], space.b(2));
  return entry;
}

ModeEntry spatial_stick(const ContactSpace& space, int sign) {
  ModeEntry entry;
  entry.name = "T";
  entry.contacts = {{Letter::T, Eigen::Vector2d::Zero(), sign}};
  const StickForces forces = stick_forces(space.W, space.b, space.mu(0), sign);
  if (!forces.balance) {
    entry.reason =
        space.names[0] + " cannot stick: the contact cannot be driven in the direction in which it accelerates";
    return entry;
  }
  entry.lambda = forces.lambda;
  entry.a = Eigen::Vector3d::Zero();
  const double lambda_n = forces.lambda(2);
  const double lambda_t = forces.lambda.head(2).norm();
  const double limit = space.mu(0) * sign * lambda_n;
  const bool bilateral = space.bilateral[0];
  const bool right_sign = bilateral && sign > 0 ? lambda_n >= 0 : sign * lambda_n > 0;
  entry.consistent = right_sign && lambda_t <= limit + forces.rounding;  // the cone's edge belongs to stick
  entry.force_family_dimension = entry.consistent ? forces.family_dimension : 0;
  if (!entry.consistent)
    entry.reason = right_sign ? outside(space.names[0], lambda_t, limit)
                              : fmt::format("{} would have to {}: lambda_n = {:.6g} N", space.names[0],
                                            sign > 0 ? "pull" : "push", lambda_n);
  return entry;
}

ModeEntry without_force(const ContactSpace& space, const Eigen::Vector2d& e) {
  ModeEntry entry;
  entry.name = "S";
  entry.contacts = {{Letter::S, e, 1}};
  entry.lambda = Eigen::Vector3d::Zero();
  entry.a = space.b;
  entry.consistent = true;
  return entry;
}

// Slip from rest, all directions; those that coincide with stick on the cone's edge belong to stick.
void append_slips_from_rest(const ContactSpace& space, const SpatialContact& c, int sign, const ModeEntry& stick,
                            std::vector<ModeEntry>& entries, bool& complete) {
  const SlipDirections found = slip_directions(c, sign);
  complete = complete && found.complete;
  const std::size_t before = entries.size();
  if (sign > 0 && space.bilateral[0] && c.b_n == 0 && c.b_t.norm() > 0)  // needs no force to begin to slip
    entries.push_back(without_force(space, c.b_t.normalized()));
  for (const auto& d : found.consistent) {
    ModeEntry entry = spatial_slip(space, c, d.e, sign);
    if (c.b_n == 0 || !entry.lambda) {  // p = 0: the force follows from the direction of a_t
      const Eigen::Vector3d along(-sign * c.mu * d.e.x(), -sign * c.mu * d.e.y(), 1);
      entry.lambda = d.lambda_n * along;
      entry.a = space.W * *entry.lambda + space.b;
      entry.consistent = true;
      entry.reason.clear();
      const bool moves = d.turns || (space.W * along).norm() > 1e-12 * space.W.norm();
      entry.force_family_dimension = d.family_dimension;
      entry.motion_family_dimension = moves ? d.family_dimension : 0;
    }
    // Where stick is possible too, a force next to its own, or an acceleration that is only rounding, is the cone's
    // edge.
    const double rounding = 1e-12 * (space.b.norm() + space.W.norm() * entry.lambda->norm());
    const bool edge =
        stick.consistent && (d.c <= rounding || (*entry.lambda - *stick.lambda).norm() <= 1e-10 * stick.lambda->norm());
    if (!edge && entry.consistent) entries.push_back(std::move(entry));
  }
  if (entries.size() > before) return;
  ModeEntry none;
  none.name = "S";
  none.contacts = {{Letter::S, Eigen::Vector2d::Zero(), sign}};
  none.reason = fmt::format(
      "{} cannot begin to slip: of {} directions that balance, none has a pushing force and an "
      "acceleration along the slip",
      space.names[0], found.rejected.size() + found.consistent.size());
  entries.push_back(std::move(none));
}

}  // namespace

std::vector<ModeEntry> planar_contact_modes(const ContactSpace& space, const Tolerance& tolerance) {
  PlanarContact c = planar_contact(space, 0);
  if (std::abs(c.u_t) <= tolerance.velocity) c.u_t = 0;
  const PlanarModes m = planar_modes(c);
  const std::string& name = space.names[0];
  std::vector<ModeEntry> entries;
  entries.push_back(planar_entry("F", Letter::F, 0, m.free, m.consistent & mode_F));
  entries.back().boundary = m.boundary;
  if (!entries.back().consistent) entries.back().reason = sinks(name, c.b_n);
  if (m.admissible & mode_T) {
    const bool consistent = m.consistent & mode_T;
    const PlanarForce f = consistent ? balanced_stick(c, m) : m.stick;
    entries.push_back(planar_entry("T", Letter::T, 0, f, consistent));
    if (!entries.back().consistent)
      entries.back().reason = f.lambda_n > 0
                                  ? outside(name, std::abs(f.lambda_t), c.mu * f.lambda_n)
                                  : fmt::format("{} would have to pull: lambda_n = {:.6g} N", name, f.lambda_n);
  }
  if (m.admissible & mode_S_plus) entries.push_back(planar_slip(m, name, true));
  if (m.admissible & mode_S_minus) entries.push_back(planar_slip(m, name, false));
  for (auto& entry : entries) certify(space, tolerance, entry);
  return entries;
}

std::vector<ModeEntry> spatial_contact_modes(const ContactSpace& space, const Tolerance& tolerance, bool& complete) {
  const SpatialContact c = spatial_contact(space, 0);
  const bool bilateral = space.bilateral[0];
  const double slip = c.u_t.norm();
  std::vector<ModeEntry> entries;
  if (!bilateral) entries.push_back(spatial_free(space));
  const std::vector<int> signs = bilateral ? std::vector<int>{1, -1} : std::vector<int>{1};
  if (slip > tolerance.velocity) {
    for (const int sign : signs) entries.push_back(spatial_slip(space, c, c.u_t / slip, sign));
  } else {
    ModeEntry stick = spatial_stick(space, 1);
    if (bilateral && !stick.consistent) {
      ModeEntry pulling = spatial_stick(space, -1);
      if (pulling.consistent) stick = std::move(pulling);
    }
    entries.push_back(stick);
    for (const int sign : signs) append_slips_from_rest(space, c, sign, stick, entries, complete);
  }
  for (auto& entry : entries) certify(space, tolerance, entry);
  return entries;
}

}  // namespace painleve
