#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/gallery/rod.hpp"

namespace painleve::detail {
namespace {

// A homogeneous box on its lowest corner: a rod of half length d = half the diagonal, with gyration d/√3 for any aspect
// ratio. Upright it stands on its side of length `width`, between corner (right) and corner2 (left).
struct Block {
  static constexpr int degrees = 3;
  static constexpr int dimension = 2;
  static constexpr std::size_t contact_count = 2;

  Rod rod;
  double corner2_angle;  // from corner to corner2, clockwise, seen from the centre

  template <class S>
  void describe(Sketch<S, 3>& sketch, std::span<const S> forces) const {
    rod.describe(sketch, forces);
    const auto& [x, y, theta] = sketch.q;
    const auto [sin, cos] = sincos(theta + corner2_angle);
    sketch.contact(x + rod.half_length * cos, y - rod.half_length * sin);
  }

  // Its four corners are two diagonals, from corner and from corner2.
  Outline outline(const State& state) const {
    constexpr double half_turn = std::numbers::pi;
    Outline o;
    o.strokes.push_back({Part::body,
                         {rod.spoke(state), rod.spoke(state, corner2_angle), rod.spoke(state, half_turn),
                          rod.spoke(state, half_turn + corner2_angle)},
                         true});
    add_ball(o, Part::mark, Rod::centre(state), 0.04 * rod.half_length);
    add_contact(o, rod.spoke(state));
    add_contact(o, rod.spoke(state, corner2_angle));
    add_floor(o);
    o.gravity = rod.gravity.direction();
    return o;
  }
};

}  // namespace

GalleryEntry block() {
  GalleryEntry e;
  e.name = "block";
  e.summary = "a box sliding on its lowest corner down a slope";
  e.source = "Painlevé 1895";
  e.coordinates = rod().coordinates;
  e.coordinates[2] = {"theta", "rad", 50 * degree,
                      "angle between the floor and the line from centre to corner, clockwise"};
  e.parameters = {{"mass", "kg", 1, Bound::positive, "mass"},
                  {"width", "m", 1, Bound::positive, "side between corner and corner2"},
                  {"height", "m", 0.5, Bound::positive, "other side"},
                  gravity_parameter(),
                  slope_parameter(0.2)};
  e.forces = plane_forces("clockwise");
  e.solved = {"y", "y_dot", "x_dot"};
  e.default_slip = {1};
  e.contacts = fixed_contacts({{"corner"}, {"corner2", false}});
  e.make = [e](const Setup& s, const Eigen::VectorXd&) {
    const auto& p = s.parameters;
    const double w = p.at("width");
    const double h = p.at("height");
    const double d = std::hypot(w, h) / 2;
    return make_mechanism(
        e, s, Block{{p.at("mass"), d, d / std::sqrt(3.0), {p.at("gravity"), p.at("slope")}}, 2 * std::atan2(w, h)});
  };
  return e;
}

}  // namespace painleve::detail
