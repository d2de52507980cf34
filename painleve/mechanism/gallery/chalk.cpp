#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/gallery/rod.hpp"

namespace painleve::detail {
namespace {

// A rod held by a hand: a spring-damper pulls the grip, at distance `grip` from the centre away from the tip, to a
// carriage that moves along the board, and a wrist turns the chalk towards its rest angle.
//
//   carriage  ==o==> hand_speed        The carriage is where the grip is in the relaxed pose (x = 0, theta =
//   rest_angle,
//              §                       tip on the board, t = 0), lower by push/hand_stiffness.
//        grip  o
//               \  chalk
//         tip ___\___ board
struct Chalk {
  static constexpr int degrees = 3;
  static constexpr int dimension = 2;
  static constexpr std::size_t contact_count = 1;

  Rod rod;
  double grip, hand_speed, hand_stiffness, hand_damping, wrist_stiffness, wrist_damping, rest_angle;
  double carriage_x, carriage_y;  // at t = 0

  template <class S>
  void describe(Sketch<S, 3>& sketch, std::span<const S> forces) const {
    rod.describe(sketch, forces);
    const auto& [x, y, theta] = sketch.q;
    const auto [sin, cos] = sincos(theta);
    const auto stretch_x = x - grip * cos - carriage_x - hand_speed * sketch.t;
    const auto stretch_y = y + grip * sin - carriage_y;
    const auto turn = theta - rest_angle;
    sketch.potential(0.5 * hand_stiffness * (stretch_x * stretch_x + stretch_y * stretch_y));
    sketch.potential(0.5 * wrist_stiffness * (turn * turn));
    sketch.work(S(-hand_damping) * stretch_x.d1, stretch_x);
    sketch.work(S(-hand_damping) * stretch_y.d1, stretch_y);
    sketch.work(S(-wrist_damping) * turn.d1, turn);
  }

  // The carriage runs on a rail along the board.
  Outline outline(const State& state) const {
    const double l = rod.half_length;
    const Place carriage = flat(carriage_x + hand_speed * state.t, carriage_y);
    const Place held = polar(Rod::centre(state), -grip, -state.q(2));
    Outline o = rod.draw_stick(state, 0.2 * l);
    add_link(o, Part::linkage, flat(carriage[0] - 0.7 * l, carriage_y), flat(carriage[0] + 0.7 * l, carriage_y));
    add_ball(o, Part::linkage, carriage, 0.08 * l);
    add_spring(o, carriage, held, 0.1 * l);
    add_ball(o, Part::mark, held, 0.03 * l);
    add_floor(o);
    return o;
  }
};

}  // namespace

GalleryEntry chalk() {
  GalleryEntry e = rod();
  e.name = "chalk";
  e.summary = "a piece of chalk pushed along a board by a hand: hopping and dotted lines";
  e.source = "Champneys & Várkonyi 2016, Figs 1, 11";
  for (const ParameterInfo& p : std::initializer_list<ParameterInfo>{
           {"grip", "m", 0.5, Bound::any, "distance of the grip from the centre, away from the tip"},
           {"hand_speed", "m/s", 0.3, Bound::any, "speed of the carriage along +x"},
           {"hand_stiffness", "N/m", 200, Bound::positive, "spring between grip and carriage"},
           {"hand_damping", "N s/m", 2, Bound::nonnegative, "damper between grip and carriage"},
           {"push", "N", 5, Bound::any, "force of the hand towards the board in the relaxed pose"},
           {"wrist_stiffness", "N m/rad", 2, Bound::nonnegative, "spring that turns towards rest_angle"},
           {"wrist_damping", "N m s/rad", 0.02, Bound::nonnegative, "damping of the turn"},
           {"rest_angle", "rad", 60 * degree, Bound::any, "angle at which the wrist is relaxed"}})
    e.parameters.push_back(p);
  e.make = [e](const Setup& s, const Eigen::VectorXd&) {
    const auto& p = s.parameters;
    Chalk c{{p.at("mass"), p.at("half_length"), p.at("gyration"), {p.at("gravity"), p.at("slope")}},
            p.at("grip"),
            p.at("hand_speed"),
            p.at("hand_stiffness"),
            p.at("hand_damping"),
            p.at("wrist_stiffness"),
            p.at("wrist_damping"),
            p.at("rest_angle"),
            0,
            0};
    // In the relaxed pose on the board the hand presses with `push` and not sideways.
    c.carriage_x = -c.grip * std::cos(c.rest_angle);
    c.carriage_y = (c.rod.half_length + c.grip) * std::sin(c.rest_angle) - p.at("push") / c.hand_stiffness;
    return make_mechanism(e, s, c);
  };
  return e;
}

}  // namespace painleve::detail
