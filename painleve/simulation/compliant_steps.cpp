#include "painleve/simulation/compliant_steps.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace painleve {

using Eigen::VectorXd;

namespace {

// Typical magnitudes of the unknowns of contact i.
void set_contact_scales(const CompliantSystem& system, int i, CompliantScales& s) {
  const CompliantLayout& l = system.layout();
  const CompliantContact& contact = system.contacts()[static_cast<std::size_t>(i)];
  const double k = contact.spring.stiffness;
  const bool hertz = contact.spring.compliance == Compliance::hertz;
  s.y(l.gap(i)) = hertz ? std::pow(s.force / k, 2.0 / 3.0) : s.force / k;
  s.y(l.u_n(i)) = std::sqrt(s.acceleration * s.y(l.gap(i)));
  const bool linear = contact.spring.compliance != Compliance::hunt_crossley && !hertz;
  // Not below what rounding of the accelerations does to a velocity that is tied to another contact's.
  const double least = 1e-9 * s.acceleration;
  if (linear && contact.spring.damping > 0) {
    s.y(l.u_n(i)) = std::min(s.y(l.u_n(i)), std::max(s.force / contact.spring.damping, least));
  }
  const Friction& f = contact.friction;
  for (int j = 0; j < l.tangents(); ++j) {
    double& u_t = s.y(l.u(i) + j);
    u_t = s.speed;
    if (f.kind == FrictionKind::smoothed) u_t = f.smoothing;
    if (f.kind == FrictionKind::viscous || f.kind == FrictionKind::elastic) {
      if (f.damping > 0) u_t = std::min(u_t, std::max(s.force / f.damping, least));
    }
    if (f.kind == FrictionKind::elastic) s.y(l.s(i) + j) = s.force / f.stiffness;
  }
}

// Of the matrix J, in units in which gaps and velocities have the same size: eigenvalues of k = 1e12 keep their digits.
template <int most>
FastSpectrum spectrum_of(const Eigen::MatrixXd& J, const Eigen::Ref<const VectorXd>& unit) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most, most>;
  FastSpectrum spectrum;
  const Matrix scaled = unit.cwiseInverse().asDiagonal() * J * unit.asDiagonal();
  const Eigen::EigenSolver<Matrix> solver(scaled, false);
  const auto& s = solver.eigenvalues();
  spectrum.fastest = s.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < s.size(); ++i) {
    const std::complex<double> x = s(i);
    constexpr double grows = 1e-4;       // of |s|: slower growth is the business of slow drift
    constexpr double negligible = 1e-7;  // of the largest |s|: differences give no more digits
    if (std::abs(x) <= negligible * spectrum.fastest) continue;
    if (x.real() > grows * std::abs(x)) spectrum.unstable = std::max(spectrum.unstable, std::abs(x));
    if (std::abs(x.imag()) > grows * std::abs(x)) spectrum.frequency = std::max(spectrum.frequency, std::abs(x.imag()));
  }
  return spectrum;
}

}  // namespace

CompliantScales compliant_scales(const CompliantSystem& system, double t, const VectorXd& y) {
  const CompliantLayout& l = system.layout();
  const CompliantSystem::Forces& forces = system.forces(t, y);
  const ContactResponse& r = forces.response;
  CompliantScales s;
  const auto or_one = [](double x) { return x > 0 && std::isfinite(x) ? x : 1.0; };
  double w = 0;
  for (int i = 0; i < l.count; ++i)
    w = std::max(w, std::abs(r.W(l.dimension * i + l.tangents(), l.dimension * i + l.tangents())));
  w = or_one(w);
  s.acceleration = or_one(r.b.cwiseAbs().maxCoeff());
  s.force = std::max(s.acceleration / w, forces.lambda.cwiseAbs().maxCoeff());
  s.speed = std::max(y.segment(l.u(0), l.rows()).cwiseAbs().maxCoeff(), std::sqrt(s.acceleration));
  s.y.setOnes(l.size());
  for (int i = 0; i < l.count; ++i) set_contact_scales(system, i, s);
  if (!l.ledger) return s;
  s.y.segment(l.impulse(), l.rows()).setConstant(s.speed / w);
  s.y.tail(3).setConstant(s.speed * s.speed / w);
  return s;
}

FastSpectrum fast_spectrum(const CompliantSystem& system, double t, const VectorXd& y, const VectorXd& scale) {
  if (!system.any_closed()) return {};
  const Eigen::MatrixXd& J = system.fast_jacobian(t, y, scale);
  if (!J.allFinite()) return {};
  // Up to four contacts in the plane without the heap: the spectrum is looked at again and again.
  constexpr int few = 12;
  const auto unit = scale.segment(system.layout().slow, J.rows());
  if (J.rows() <= few) return spectrum_of<few>(J, unit);
  return spectrum_of<Eigen::Dynamic>(J, unit);
}

double swing(const CompliantSystem& system, double frequency, double t, const VectorXd& y) {
  const CompliantLayout& l = system.layout();
  if (!(frequency > 0)) return 0;
  const CompliantSystem::Forces& forces = system.forces(t, y);
  double largest = 0;
  for (int i = 0; i < l.count; ++i) {
    const CompliantContact& contact = system.contacts()[static_cast<std::size_t>(i)];
    const NormalPhase phase = system.phases[static_cast<std::size_t>(i)].normal;
    const int n = l.dimension * i + l.tangents();
    const double u = y(l.u_n(i));
    double room = std::max(y(l.gap(i)), 0.0);
    if (phase != NormalPhase::open) {
      room = std::abs(forces.lambda(n) / normal_force(contact.spring, phase, y(l.gap(i)), u).by_gap);
    }
    const double way = std::hypot(u / frequency, forces.a(n) / (frequency * frequency));
    if (way > 0) largest = std::max(largest, room > 0 ? way / room : std::numeric_limits<double>::infinity());
  }
  return largest;
}

bool rests(const CompliantSystem& system, int i, double t, const VectorXd& y) {
  constexpr double small = 1e-3;
  const CompliantLayout& l = system.layout();
  const CompliantContact& contact = system.contacts()[static_cast<std::size_t>(i)];
  const ContactPhase& phase = system.phases[static_cast<std::size_t>(i)];
  const CompliantSystem::Forces& forces = system.forces(t, y);
  const int n = l.dimension * i + l.tangents();
  const NormalForce spring = normal_force(contact.spring, phase.normal, y(l.gap(i)), y(l.u_n(i)));
  const double lambda = std::abs(forces.lambda(n));
  const double acceleration =
      std::abs(forces.response.b(n)) + forces.response.W.row(n).cwiseAbs().dot(forces.lambda.cwiseAbs());
  // The speed of a swing, or of a creep against the damper, that changes the force by its own size.
  const auto speed = [&](double stiffness, double damping) {
    return std::min(std::sqrt(acceleration * lambda / stiffness),
                    damping > 0 ? lambda / damping : std::numeric_limits<double>::infinity());
  };
  const bool normal = std::abs(forces.a(n)) <= small * acceleration &&
                      std::abs(y(l.u_n(i))) <= small * speed(std::abs(spring.by_gap), std::abs(spring.by_rate));
  if (!normal || phase.slip) return normal;
  const Friction& f = contact.friction;
  return forces.a.segment(n - l.tangents(), l.tangents()).norm() <= small * acceleration &&
         (f.kind != FrictionKind::elastic ||
          system.tangential_velocity(i, y).norm() <= small * speed(f.stiffness, f.damping));
}

double longest_step(const FastSpectrum& spectrum, bool resolve, double swing) {
  constexpr double part = 0.2;
  constexpr double free = 1.0 / 3.0;  // a contact may part, or land, within a few swings
  double rate = resolve ? spectrum.fastest : spectrum.unstable;
  if (!resolve && swing > free) rate = std::max(rate, spectrum.frequency);
  return rate > 0 ? part / rate : std::numeric_limits<double>::infinity();
}

}  // namespace painleve
