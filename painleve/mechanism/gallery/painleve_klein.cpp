#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/gallery/outline_pieces.hpp"

namespace painleve::detail {
namespace {

//   ===========o m2===== guide2, y = L sin φ      a massless rod of length L joins two masses on parallel guides
//             /                                   mass 2 = mass 1 + L (cos φ, sin φ)
//   =====m1 o/========== guide1, y = 0            t = +x at both
//
// Bilateral guides have n = +y. A one-sided guide pushes inwards: n = +y at the lower guide, −y at the upper one, which
// is guide2 as drawn, and guide1 when φ < 0.
struct PainleveKlein {
  static constexpr int degrees = 3;
  static constexpr int dimension = 2;
  static constexpr std::size_t contact_count = 2;

  double mass1, mass2, length, gravity;
  double guide2_height;
  double normal1, normal2;  // y components

  template <class S>
  void describe(Sketch<S, 3>& sketch, std::span<const S> forces) const {
    const auto& [x1, y1, phi] = sketch.q;
    const auto [sin, cos] = sincos(phi);
    const auto x2 = x1 + length * cos;
    const auto y2 = y1 + length * sin;
    sketch.inertia(mass1, x1, y1);
    sketch.inertia(mass2, x2, y2);
    sketch.potential((mass1 * gravity) * y1 + (mass2 * gravity) * y2);
    sketch.work(forces[0], x1);
    sketch.work(forces[1], x2);
    sketch.contact(x1, normal1 * y1);
    sketch.contact(x2, normal2 * (y2 - guide2_height));
  }

  Outline outline(const State& state) const {
    const Place one = flat(state.q(0), state.q(1));
    const Place two = polar(one, length, state.q(2));
    const double reach = 0.6 * length;
    Outline o;
    add_line(o, {one, two}, flat(0, 0), flat(0, normal1), reach);
    add_line(o, {one, two}, flat(0, guide2_height), flat(0, normal2), reach);
    add_link(o, Part::linkage, one, two, 0.03 * length);
    add_ball(o, Part::body, one, 0.07 * length);
    add_ball(o, Part::body, two, 0.07 * length);
    draw_contact(o, one, normal1);
    draw_contact(o, two, normal2);
    o.gravity = flat(0, -gravity);
    return o;
  }
  // Both have t = +x, whichever way the normal points.
  static void draw_contact(Outline& o, const Place& at, double normal) {
    o.contacts.push_back({"", at, {flat(1, 0)}, flat(0, normal)});
  }
};

}  // namespace

GalleryEntry painleve_klein() {
  GalleryEntry e;
  e.name = "painleve-klein";
  e.summary = "two masses on parallel guides, joined by a slanted rod";
  e.source = "Painlevé 1895; Klein";
  e.coordinates = {{"x1", "m", 0, "mass 1"},
                   {"y1", "m", 0, "mass 1"},
                   {"phi", "rad", 1.2, "rod, from the guides; sets the height of guide2"}};
  e.parameters = {{"mass1", "kg", 1, Bound::positive, "on guide1"},
                  {"mass2", "kg", 1, Bound::positive, "on guide2"},
                  {"length", "m", 1, Bound::positive, "rod"},
                  gravity_parameter(0)};
  e.forces = {{"force1", "N", "on mass 1, along +x"}, {"force2", "N", "on mass 2, along +x"}};
  e.solved = {"y1", "y1_dot", "phi_dot", "x1_dot"};
  e.default_slip = {0};
  e.contacts = fixed_contacts({{"guide1", true, true}, {"guide2", true, true}});
  e.make = [e](const Setup& s, const Eigen::VectorXd& q) {
    const auto& p = s.parameters;
    const auto one_sided = [&](const char* guide) {
      const auto said = s.contacts.find(guide);
      return said != s.contacts.end() && said->second.bilateral == false;
    };
    const double height = p.at("length") * std::sin(q(2));
    const double normal1 = one_sided("guide1") && height < 0 ? -1 : 1;
    const double normal2 = one_sided("guide2") && height >= 0 ? -1 : 1;
    return make_mechanism(
        e, s, PainleveKlein{p.at("mass1"), p.at("mass2"), p.at("length"), p.at("gravity"), height, normal1, normal2});
  };
  return e;
}

}  // namespace painleve::detail
