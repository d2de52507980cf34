#include <Eigen/LU>

#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/gallery/planar_body.hpp"

namespace painleve::detail {
namespace {

//      | preload            a pad held by a bushing (springs and dampers in x, y, theta) over a disc that moves along
//      +x
//   ┌──▼──┐                 leading: the edge that the disc meets first, at −half_width; trailing at +half_width
//   o_____o  → belt_speed   the bushing is relaxed at x = 0, y = height, theta = 0, where both edges just touch
struct BrakePad {
  static constexpr int degrees = 3;
  static constexpr int dimension = 2;
  static constexpr std::size_t contact_count = 2;

  PlanarBody body;
  double height, bushing_x, bushing_y, bushing_theta, bushing_damping, preload;

  template <class S>
  void describe(Sketch<S, 3>& sketch, std::span<const S> forces) const {
    body.describe(sketch, forces);
    const auto& [x, y, theta] = sketch.q;
    const auto lift = y - height;
    sketch.potential(0.5 * bushing_x * (x * x) + 0.5 * bushing_y * (lift * lift) +
                     0.5 * bushing_theta * (theta * theta) + preload * y);
    for (const auto& coordinate : sketch.q) sketch.work(S(-bushing_damping) * coordinate.d1, coordinate);
  }

  // The bushing: one spring to a wall behind the pad, one to a ceiling.
  Outline outline(const State& state) const {
    const double w = std::abs(body.contacts.front().point_x);
    const double h = height;
    const double coil = 0.3 * h;
    const Place centre = flat(state.q(0), state.q(1));
    const Place wall = flat(-1.9 * w, h);
    const Place ceiling = flat(0, 2 * h + 0.9 * w);
    Outline o = body.outline(state);
    add_link(o, Part::linkage, flat(wall[0], h - coil), flat(wall[0], h + coil), 0.06 * h);
    add_link(o, Part::linkage, flat(-coil, ceiling[1]), flat(coil, ceiling[1]), 0.06 * h);
    add_spring(o, wall, turned(centre, state.q(2), -w, 0), coil);
    add_spring(o, ceiling, turned(centre, state.q(2), 0, h), coil);
    return o;
  }
};

struct PadContact {
  double mu, stiffness;
};

// Residual of the sliding equilibrium at rest over the moving disc: bushing, loads, and for each edge that is pressed
// λ_n = −stiffness gap and friction against the slip of the pad relative to the disc.
Eigen::VectorXd unbalance(const Dynamics& d, const std::vector<PadContact>& contacts) {
  Eigen::VectorXd r = d.f;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto c = static_cast<Eigen::Index>(i);
    const double lambda_n = std::max(0.0, -contacts[i].stiffness * d.gap(c));
    const double slip = d.u(2 * c) > 0 ? 1.0 : (d.u(2 * c) < 0 ? -1.0 : 0.0);
    r += lambda_n * (d.J.row(2 * c + 1) - contacts[i].mu * slip * d.J.row(2 * c)).transpose();
  }
  return r;
}

// Coordinates that are given stay; the others are put into balance.
State sliding_equilibrium(const Setup& setup, const Mechanism& mechanism, const State& start) {
  std::vector<PadContact> contacts;
  for (const auto& name : mechanism.contacts()) {
    const auto found = setup.contacts.find(name);
    const ContactSetup contact = found == setup.contacts.end() ? ContactSetup{} : found->second;
    contacts.push_back({contact.mu, contact.stiffness.value_or(1e6)});
  }
  std::vector<Eigen::Index> free;
  for (std::size_t i = 0; i < mechanism.coordinates().size(); ++i)
    if (!setup.given.has(mechanism.coordinates()[i])) free.push_back(static_cast<Eigen::Index>(i));
  State state = start;
  if (free.empty()) return state;
  state.v.setZero();  // the equilibrium is one at rest; given velocities start from it
  constexpr int iterations = 100;
  constexpr double step = 1e-7;  // [m, rad] of the difference quotient; only the rate of convergence depends on it
  for (int k = 0; k < iterations; ++k) {
    const Eigen::VectorXd r = unbalance(mechanism.dynamics(state), contacts);
    Eigen::Matrix3d slope;
    for (int i = 0; i < 3; ++i) {
      State moved = state;
      moved.q(i) += step;
      slope.col(i) = (unbalance(mechanism.dynamics(moved), contacts) - r) / step;
    }
    const Eigen::VectorXd dq = -slope(free, free).eval().fullPivLu().solve(r(free));
    if (!dq.allFinite()) break;
    state.q(free) += dq;
    if (dq.cwiseAbs().maxCoeff() < 1e-16) break;
  }
  const double scale = mechanism.dynamics(state).f.cwiseAbs().maxCoeff() + 1;
  if (!(unbalance(mechanism.dynamics(state), contacts)(free).cwiseAbs().maxCoeff() < 1e-9 * scale))
    throw InputError(
        "the brake pad has no sliding equilibrium with these parameters: give state.x, state.y and state.theta");
  state.v = start.v;
  return state;
}

}  // namespace

GalleryEntry brake_pad() {
  GalleryEntry e;
  e.name = "brake-pad";
  e.summary = "a brake pad on a bushing, pressed on a moving disc: mode coupling and squeal";
  e.source = "mode coupling, Várkonyi 2018, surface S1";
  e.coordinates = {
      {"x", "m", 0, "centre of mass"}, {"y", "m", 0.3, "centre of mass"}, {"theta", "rad", 0, "counter-clockwise"}};
  e.parameters = {{"mass", "kg", 1, Bound::positive, "mass"},
                  {"gyration", "m", 0.3, Bound::positive, "radius of gyration"},
                  {"half_width", "m", 0.5, Bound::positive, "half the distance of the edges"},
                  {"height", "m", 0.3, Bound::positive, "centre of mass above the disc"},
                  {"bushing_x", "N/m", 1e4, Bound::nonnegative, "bushing stiffness along x"},
                  {"bushing_y", "N/m", 1e4, Bound::nonnegative, "bushing stiffness along y"},
                  {"bushing_theta", "N m/rad", 1e4, Bound::nonnegative, "bushing stiffness in theta"},
                  {"bushing_damping", "N s/m", 1, Bound::nonnegative, "of each of the three"},
                  {"preload", "N", 100, Bound::any, "force towards the disc"},
                  {"belt_speed", "m/s", 1, Bound::any, "speed of the disc along +t"},
                  gravity_parameter()};
  e.forces = {{"force_x", "N", "at the centre of mass, along +x"}, {"force_y", "N", "at the centre of mass, along +y"}};
  e.solved = {"x", "y", "theta"};
  e.contacts = fixed_contacts({{"leading", true, false, 1e6}, {"trailing", true, false, 1e6}});
  e.guess = [](Setup& s, Eigen::VectorXd& q) {
    if (!s.given.has("y")) q(1) = s.parameters.at("height");
  };
  e.pose = sliding_equilibrium;
  e.make = [e](const Setup& s, const Eigen::VectorXd&) {
    const auto& p = s.parameters;
    const double w = p.at("half_width");
    const double h = p.at("height");
    const double speed = p.at("belt_speed");
    return make_mechanism(e, s,
                          BrakePad{{p.at("mass"),
                                    p.at("gyration"),
                                    {p.at("gravity"), 0},
                                    {{-w, -h, 0, 0, 0, 1, speed}, {w, -h, 0, 0, 0, 1, speed}},
                                    {{-w, -h}, {w, -h}, {w, h}, {-w, h}}},
                                   h,
                                   p.at("bushing_x"),
                                   p.at("bushing_y"),
                                   p.at("bushing_theta"),
                                   p.at("bushing_damping"),
                                   p.at("preload")});
  };
  return e;
}

}  // namespace painleve::detail
