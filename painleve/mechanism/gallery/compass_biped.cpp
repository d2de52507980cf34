#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/gallery/plane_body.hpp"

namespace painleve::detail {
namespace {

//       o hip             legs clockwise from the upward vertical; hip = (x + l sin θ1, y + l cos θ1)
//      / \                swing foot = hip − l (sin θ2, cos θ2); each leg's mass at leg_com from the hip
//  ___/___\__ +t          (x, y) is the stance foot
struct CompassBiped {
  static constexpr int degrees = 4;
  static constexpr int dimension = 2;
  static constexpr std::size_t contact_count = 2;

  double hip_mass, leg_mass, leg_length, leg_com, leg_inertia;
  PlaneGravity gravity;

  template <class S>
  void describe(Sketch<S, 4>& sketch, std::span<const S> forces) const {
    const auto& [x, y, theta1, theta2] = sketch.q;
    const auto a = sincos(theta1);
    const auto b = sincos(theta2);
    const auto hip_x = x + leg_length * a.sin;
    const auto hip_y = y + leg_length * a.cos;
    draw_mass(sketch, hip_mass, hip_x, hip_y);
    draw_mass(sketch, leg_mass, hip_x - leg_com * a.sin, hip_y - leg_com * a.cos);
    draw_mass(sketch, leg_mass, hip_x - leg_com * b.sin, hip_y - leg_com * b.cos);
    sketch.inertia(leg_inertia, theta1, theta2);
    sketch.work(forces[0], theta2 - theta1);
    sketch.contact(x, y);
    sketch.contact(hip_x - leg_length * b.sin, hip_y - leg_length * b.cos);
  }

  template <class S>
  void draw_mass(Sketch<S, 4>& sketch, double mass, const Jet<S, 4>& x, const Jet<S, 4>& y) const {
    sketch.inertia(mass, x, y);
    sketch.potential(gravity.energy(mass, x, y));
  }

  Outline outline(const State& state) const {
    constexpr double up = std::numbers::pi / 2;
    const double l = leg_length;
    const Place hip = polar(flat(state.q(0), state.q(1)), l, up - state.q(2));
    Outline o;
    for (const double theta : {state.q(2), state.q(3)}) {
      const Place foot = polar(hip, -l, up - theta);
      add_pointed_link(o, hip, foot, 0.035 * l);
      add_ball(o, Part::mark, polar(hip, -leg_com, up - theta), 0.02 * l);
      add_contact(o, foot);
    }
    add_ball(o, Part::body, hip, 0.06 * l);
    add_floor(o);
    o.gravity = gravity.direction();
    return o;
  }
};

}  // namespace

GalleryEntry compass_biped() {
  GalleryEntry e;
  e.name = "compass-biped";
  e.summary = "a passive walker of two legs and a hip";
  e.source = "Gamus & Or";
  e.coordinates = {{"x", "m", 0, "stance foot"},
                   {"y", "m", 0, "stance foot"},
                   {"theta1", "rad", 0, "stance leg, clockwise from the upward vertical"},
                   {"theta2", "rad", 0, "swing leg, likewise"}};
  e.parameters = {{"hip_mass", "kg", 2, Bound::nonnegative, "at the hip"},
                  {"leg_mass", "kg", 1, Bound::positive, "of each leg"},
                  {"leg_length", "m", 1, Bound::positive, "hip to foot"},
                  {"leg_com", "m", 0.5, Bound::any, "hip to the leg's centre of mass"},
                  {"leg_inertia", "kg m^2", 0, Bound::nonnegative, "of each leg about its centre of mass"},
                  gravity_parameter(),
                  slope_parameter(0.05)};
  e.forces = {{"hip_torque", "N m", "on the swing leg along theta2, and against it on the stance leg"}};
  e.solved = {"y", "y_dot", "x_dot"};
  e.default_slip = {0};
  e.contacts = fixed_contacts({{"stance"}, {"swing", false}});
  e.make = [e](const Setup& s, const Eigen::VectorXd&) {
    const auto& p = s.parameters;
    return make_mechanism(e, s,
                          CompassBiped{p.at("hip_mass"),
                                       p.at("leg_mass"),
                                       p.at("leg_length"),
                                       p.at("leg_com"),
                                       p.at("leg_inertia"),
                                       {p.at("gravity"), p.at("slope")}});
  };
  return e;
}

}  // namespace painleve::detail
