#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/gallery/outline_pieces.hpp"

namespace painleve::detail {
namespace {

//        o  pendulum (x + r sin θ, y + r cos θ), theta clockwise from the upward vertical
//       /
//   ___[■]___  slider (x, y), which translates on one frictional contact
struct PendulumOnSlider {
  static constexpr int degrees = 3;
  static constexpr int dimension = 2;
  static constexpr std::size_t contact_count = 1;

  double mass_slider, mass_pendulum, distance, gyration, gravity;

  template <class S>
  void describe(Sketch<S, 3>& sketch, std::span<const S> forces) const {
    const auto& [x, y, theta] = sketch.q;
    const auto [sin, cos] = sincos(theta);
    const auto centre_y = y + distance * cos;
    sketch.inertia(mass_slider, x, y);
    sketch.inertia(mass_pendulum, x + distance * sin, centre_y);
    sketch.inertia(mass_pendulum * gyration * gyration, theta);
    sketch.potential((mass_slider * gravity) * y + (mass_pendulum * gravity) * centre_y);
    sketch.work(forces[0], x);
    sketch.work(forces[1], theta);
    sketch.contact(x, y);
  }

  // The pendulum is a bar of the length that its gyration has when it is uniform, about its centre of mass.
  Outline outline(const State& state) const {
    const double r = distance;
    const Place slider = flat(state.q(0), state.q(1));
    const double upwards = std::numbers::pi / 2 - state.q(2);
    const Place centre = polar(slider, r, upwards);
    Outline o;
    add_box(o, flat(slider[0], slider[1] + 0.1 * r), 0, 0.2 * r, 0.1 * r);
    add_link(o, Part::linkage, slider, centre);
    add_link(o, Part::body, polar(centre, -std::sqrt(3.0) * gyration, upwards),
             polar(centre, std::sqrt(3.0) * gyration, upwards), 0.06 * r);
    add_ball(o, Part::mark, centre, 0.03 * r);
    add_ball(o, Part::mark, slider, 0.03 * r);
    add_contact(o, slider);
    add_floor(o);
    o.gravity = flat(0, -gravity);
    return o;
  }
};

}  // namespace

GalleryEntry pendulum_on_slider() {
  GalleryEntry e;
  e.name = "pendulum-on-slider";
  e.summary = "an inverted pendulum hinged on a sliding block";
  e.source = "Or & Rimon";
  e.coordinates = {{"x", "m", 0, "slider"},
                   {"y", "m", 0, "slider, height"},
                   {"theta", "rad", 0.5, "pendulum, clockwise from the upward vertical"}};
  e.parameters = {{"mass_slider", "kg", 1, Bound::positive, "slider"},
                  {"mass_pendulum", "kg", 1, Bound::positive, "pendulum"},
                  {"distance", "m", 1, Bound::positive, "hinge to the pendulum's centre of mass"},
                  {"gyration", "m", 1 / std::sqrt(3.0), Bound::nonnegative, "of the pendulum about its centre of mass"},
                  gravity_parameter()};
  e.forces = {{"force_x", "N", "on the slider, along +x"}, {"torque", "N m", "on the pendulum, along theta"}};
  e.solved = {"y", "y_dot", "x_dot"};
  e.default_slip = {0};
  e.contacts = fixed_contacts({{"slider"}});
  e.make = [e](const Setup& s, const Eigen::VectorXd&) {
    const auto& p = s.parameters;
    return make_mechanism(e, s,
                          PendulumOnSlider{p.at("mass_slider"), p.at("mass_pendulum"), p.at("distance"),
                                           p.at("gyration"), p.at("gravity")});
  };
  return e;
}

}  // namespace painleve::detail
