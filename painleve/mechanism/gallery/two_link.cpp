#include <algorithm>

#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/gallery/outline_pieces.hpp"

namespace painleve::detail {
namespace {

//   o hinge (0, H)          uniform links; theta1, theta2 absolute, from the downward vertical, counter-clockwise
//    \ θ1                   tip = (l1 sin θ1 + l2 sin θ2, H − l1 cos θ1 − l2 cos θ2)
//     o
//      \ θ2
//  _____\___ +t
struct TwoLink {
  static constexpr int degrees = 2;
  static constexpr int dimension = 2;
  static constexpr std::size_t contact_count = 1;

  double mass1, mass2, length1, length2, height, gravity;

  template <class S>
  void describe(Sketch<S, 2>& sketch, std::span<const S> forces) const {
    const auto& [theta1, theta2] = sketch.q;
    const auto a = sincos(theta1);
    const auto b = sincos(theta2);
    const auto elbow_x = length1 * a.sin;
    const auto elbow_y = height - length1 * a.cos;
    const auto centre1_y = height - (length1 / 2) * a.cos;
    const auto centre2_x = elbow_x + (length2 / 2) * b.sin;
    const auto centre2_y = elbow_y - (length2 / 2) * b.cos;
    sketch.inertia(mass1 * length1 * length1 / 3, theta1);  // about the hinge
    sketch.inertia(mass2, centre2_x, centre2_y);
    sketch.inertia(mass2 * length2 * length2 / 12, theta2);
    sketch.potential((mass1 * gravity) * centre1_y + (mass2 * gravity) * centre2_y);
    sketch.work(forces[0], theta1);
    sketch.work(forces[1], theta2);
    sketch.contact(elbow_x + length2 * b.sin, elbow_y - length2 * b.cos);
  }

  Outline outline(const State& state) const {
    constexpr double down = -std::numbers::pi / 2;
    const double thickness = 0.06 * std::min(length1, length2);
    const Place hinge = flat(0, height);
    const Place elbow = polar(hinge, length1, down + state.q(0));
    const Place tip = polar(elbow, length2, down + state.q(1));
    Outline o;
    o.strokes.push_back(
        {Part::linkage,
         {hinge, turned(hinge, 0, -1.5 * thickness, 3 * thickness), turned(hinge, 0, 1.5 * thickness, 3 * thickness)},
         true});
    add_link(o, Part::body, hinge, elbow, thickness);
    add_pointed_link(o, elbow, tip, thickness);
    add_ball(o, Part::mark, hinge, thickness / 2);
    add_ball(o, Part::mark, elbow, thickness / 2);
    add_contact(o, tip);
    add_floor(o);
    o.gravity = flat(0, -gravity);
    return o;
  }
};

void close_on_floor(Setup& s, Eigen::VectorXd& q) {
  const auto& p = s.parameters;
  if (s.given.has("theta2")) return;
  const double c = (p.at("height") - p.at("length1") * std::cos(q(0))) / p.at("length2");
  if (!(std::abs(c) <= 1))
    throw InputError(fmt::format(
        "the floor is out of reach: with theta1 = {} rad the elbow is {} m above it and link 2 is {} m long", q(0),
        c * p.at("length2"), p.at("length2")));
  q(1) = (s.elbow == "back" ? -1 : 1) * std::acos(c);
}

}  // namespace

GalleryEntry two_link() {
  GalleryEntry e;
  e.name = "two-link";
  e.summary = "a two-link arm whose tip slides on the floor";
  e.source = "Liu et al.";
  e.coordinates = {{"theta1", "rad", 1.3, "link 1, absolute, from the downward vertical"},
                   {"theta2", "rad", 0, "link 2, likewise"}};
  e.parameters = {
      {"mass1", "kg", 1, Bound::positive, "link 1"},           {"mass2", "kg", 1, Bound::positive, "link 2"},
      {"length1", "m", 1, Bound::positive, "link 1"},          {"length2", "m", 1, Bound::positive, "link 2"},
      {"height", "m", 1, Bound::any, "hinge above the floor"}, gravity_parameter()};
  e.forces = {{"torque1", "N m", "on link 1, along theta1"}, {"torque2", "N m", "on link 2, along theta2"}};
  e.solved = {"theta2", "theta1_dot", "theta2_dot"};
  e.default_slip = {0};
  e.elbows = {"out", "back"};
  e.contacts = fixed_contacts({{"tip"}});
  e.guess = close_on_floor;
  e.make = [e](const Setup& s, const Eigen::VectorXd&) {
    const auto& p = s.parameters;
    return make_mechanism(
        e, s, TwoLink{p.at("mass1"), p.at("mass2"), p.at("length1"), p.at("length2"), p.at("height"), p.at("gravity")});
  };
  return e;
}

}  // namespace painleve::detail
