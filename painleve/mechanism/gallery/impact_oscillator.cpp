#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/gallery/outline_pieces.hpp"

namespace painleve::detail {
namespace {

//   [ body m2 ]  y        a body that moves vertically only, on a spring; a massless link of length l at beta
//        \                from the downward vertical carries the tip mass m1, which slides on a belt.
//      beta\  l           tip = (l sin β, y − l cos β)
//   ________o_m1__ belt_speed →
struct ImpactOscillator {
  static constexpr int degrees = 2;
  static constexpr int dimension = 2;
  static constexpr std::size_t contact_count = 1;

  double mass_tip, mass_body, length, stiffness_y, damping_y, rest_y, stiffness_beta, damping_beta, rest_beta,
      belt_speed, gravity;

  template <class S>
  void describe(Sketch<S, 2>& sketch, std::span<const S> forces) const {
    const auto& [y, beta] = sketch.q;
    const auto [sin, cos] = sincos(beta);
    const auto tip_x = length * sin;
    const auto tip_y = y - length * cos;
    sketch.inertia(mass_body, y);
    sketch.inertia(mass_tip, tip_x, tip_y);
    const auto stretch = y - rest_y;
    const auto turn = beta - rest_beta;
    sketch.potential((mass_body * gravity) * y + (mass_tip * gravity) * tip_y);
    sketch.potential(0.5 * stiffness_y * (stretch * stretch) + 0.5 * stiffness_beta * (turn * turn));
    sketch.work(forces[0] - S(damping_y) * y.d1, y);
    sketch.work(forces[1] - S(damping_beta) * beta.d1, beta);
    sketch.contact(tip_x - belt_speed * sketch.t, tip_y);
  }

  // The body between its two rails, hung from a ceiling where it has a spring.
  Outline outline(const State& state) const {
    const double l = length;
    const Place body = flat(0, state.q(0));
    const Place tip = flat(l * std::sin(state.q(1)), state.q(0) - l * std::cos(state.q(1)));
    const double ceiling = rest_y + 0.7 * l;
    Outline o;
    for (const double side : {-0.22 * l, 0.22 * l}) {
      add_link(o, Part::linkage, flat(side, rest_y - 0.35 * l), flat(side, ceiling));
    }
    if (stiffness_y > 0) {
      add_link(o, Part::linkage, flat(-0.22 * l, ceiling), flat(0.22 * l, ceiling), 0.03 * l);
      add_spring(o, flat(0, ceiling), flat(0, body[1] + 0.12 * l), 0.16 * l);
    }
    add_box(o, body, 0, 0.2 * l, 0.12 * l);
    add_link(o, Part::linkage, body, tip, 0.03 * l);
    add_ball(o, Part::body, flat(tip[0], tip[1] + 0.06 * l), 0.06 * l);
    add_ball(o, Part::mark, body, 0.03 * l);
    add_contact(o, tip, flat(0, 1), belt_speed);
    add_floor(o);
    o.gravity = flat(0, -gravity);
    return o;
  }
};

}  // namespace

GalleryEntry impact_oscillator() {
  GalleryEntry e;
  e.name = "impact-oscillator";
  e.summary = "a body on a spring that trails a link over a moving belt";
  e.source = "Leine et al.";
  e.coordinates = {{"y", "m", 0, "height of the body"}, {"beta", "rad", 0.6, "link, from the downward vertical"}};
  e.parameters = {{"mass_tip", "kg", 1, Bound::positive, "mass at the tip"},
                  {"mass_body", "kg", 1, Bound::positive, "mass of the body"},
                  {"length", "m", 1, Bound::positive, "link"},
                  {"stiffness_y", "N/m", 0, Bound::nonnegative, "spring of the body"},
                  {"damping_y", "N s/m", 0, Bound::nonnegative, "damper of the body"},
                  {"rest_y", "m", 1, Bound::any, "height at which the spring is relaxed"},
                  {"stiffness_beta", "N m/rad", 0, Bound::nonnegative, "spring of the link"},
                  {"damping_beta", "N m s/rad", 0, Bound::nonnegative, "damper of the link"},
                  {"rest_beta", "rad", 0.6, Bound::any, "angle at which that spring is relaxed"},
                  {"belt_speed", "m/s", 0, Bound::any, "speed of the belt along +t"},
                  gravity_parameter()};
  e.forces = {{"force_y", "N", "on the body, along +y"}, {"torque", "N m", "on the link, along beta"}};
  e.solved = {"y", "y_dot", "beta_dot"};
  e.default_slip = {1};
  e.contacts = fixed_contacts({{"tip"}});
  e.make = [e](const Setup& s, const Eigen::VectorXd&) {
    const auto& p = s.parameters;
    return make_mechanism(
        e, s,
        ImpactOscillator{p.at("mass_tip"), p.at("mass_body"), p.at("length"), p.at("stiffness_y"), p.at("damping_y"),
                         p.at("rest_y"), p.at("stiffness_beta"), p.at("damping_beta"), p.at("rest_beta"),
                         p.at("belt_speed"), p.at("gravity")});
  };
  return e;
}

}  // namespace painleve::detail
