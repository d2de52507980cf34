#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/gallery/rod.hpp"

namespace painleve::detail {
namespace {

// A wheel without a rim: spokes from the hub. leg1 is the stance leg, at theta as in the rod; leg k+1 stands 2π/legs
// further downslope (counter-clockwise) than leg k.
struct RimlessWheel {
  static constexpr int degrees = 3;
  static constexpr int dimension = 2;

  Rod rod;
  int legs;

  template <class S>
  void describe(Sketch<S, 3>& sketch, std::span<const S> forces) const {
    rod.draw_body(sketch, forces);
    const auto& [x, y, theta] = sketch.q;
    for (int k = 0; k < legs; ++k) {
      const auto [sin, cos] = sincos(theta - 2 * std::numbers::pi * k / legs);
      sketch.contact(x + rod.half_length * cos, y - rod.half_length * sin);
    }
  }

  Outline outline(const State& state) const {
    const Place hub = Rod::centre(state);
    Outline o;
    for (int k = 0; k < legs; ++k) {
      const Place foot = rod.spoke(state, -2 * std::numbers::pi * k / legs);
      add_pointed_link(o, hub, foot, 0.05 * rod.half_length);
      add_contact(o, foot);
    }
    add_ball(o, Part::body, hub, 0.14 * rod.half_length);
    add_ball(o, Part::mark, hub, 0.04 * rod.half_length);
    add_floor(o);
    o.gravity = rod.gravity.direction();
    return o;
  }
};

std::vector<ContactInfo> wheel_contacts(const Setup& s) {
  std::vector<ContactInfo> contacts;
  for (int k = 1; k <= static_cast<int>(s.parameters.at("legs")); ++k)
    contacts.push_back({fmt::format("leg{}", k), k == 1});
  return contacts;
}

}  // namespace

GalleryEntry rimless_wheel() {
  GalleryEntry e;
  e.name = "rimless-wheel";
  e.summary = "a wheel of spokes walking down a slope";
  e.source = "Or";
  e.coordinates = {{"x", "m", 0, "hub"},
                   {"y", "m", 0, "hub, height"},
                   {"theta", "rad", 80 * degree, "angle of leg1 with the floor, grows clockwise"}};
  e.parameters = {{"mass", "kg", 1, Bound::positive, "mass"},
                  {"legs", "1", 8, Bound::count, "number of legs"},
                  {"leg_length", "m", 1, Bound::positive, "hub to foot"},
                  {"gyration", "m", 0.5, Bound::positive, "radius of gyration"},
                  gravity_parameter(),
                  slope_parameter(0.1)};
  e.forces = plane_forces("clockwise");
  e.solved = {"y", "y_dot", "x_dot"};
  e.default_slip = {1};
  e.contacts = wheel_contacts;
  e.make = [e](const Setup& s, const Eigen::VectorXd&) {
    const auto& p = s.parameters;
    const Rod body{p.at("mass"), p.at("leg_length"), p.at("gyration"), {p.at("gravity"), p.at("slope")}};
    return make_mechanism(e, s, RimlessWheel{body, static_cast<int>(p.at("legs"))});
  };
  return e;
}

}  // namespace painleve::detail
