#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/gallery/outline_pieces.hpp"

namespace painleve::detail {
namespace {

// The rod in space: a thin rod (no inertia about its own axis) with centre (x, y, z) and direction to the tip
// n = (cos θ cos ψ, cos θ sin ψ, −sin θ). Floor z = 0, t1 = +x, t2 = +y, n = +z.
// W = ((1 + 1/κ) I − n nᵀ/κ)/m with κ = (gyration/l)². Champneys & Várkonyi (2016) Sec. 7; E30-E32 of docs/errata.md.
struct Rod3d {
  static constexpr int degrees = 5;
  static constexpr int dimension = 3;
  static constexpr std::size_t contact_count = 1;

  double mass, half_length, gyration;
  double g_x, g_z;

  template <class S>
  void describe(Sketch<S, 5>& sketch, std::span<const S> forces) const {
    const auto& [x, y, z, theta, psi] = sketch.q;
    const auto a = sincos(theta);
    const auto b = sincos(psi);
    const auto n_x = a.cos * b.cos;
    const auto n_y = a.cos * b.sin;
    sketch.inertia(mass, x, y, z);
    sketch.inertia(mass * gyration * gyration, n_x, n_y, a.sin);
    sketch.potential((-mass * g_x) * x + (-mass * g_z) * z);
    sketch.work_along_coordinates(forces);
    const auto gap = z - half_length * a.sin;
    sketch.contact({sketch.along(x + half_length * n_x), sketch.along(y + half_length * n_y), sketch.along(gap)},
                   gap.value);
  }

  Outline outline(const State& state) const {
    const double level = half_length * std::cos(state.q(3));
    const Place centre{state.q(0), state.q(1), state.q(2)};
    const Place tip{centre[0] + level * std::cos(state.q(4)), centre[1] + level * std::sin(state.q(4)),
                    centre[2] - half_length * std::sin(state.q(3))};
    Outline o;
    add_link(o, Part::body, between(tip, centre, 2), tip, 0.06 * half_length);
    add_ball(o, Part::mark, centre, 0.03 * half_length);
    o.contacts.push_back({"", tip, {{1, 0, 0}, {0, 1, 0}}, {0, 0, 1}});
    add_table(o);
    o.gravity = {g_x, 0, g_z};
    return o;
  }
};

}  // namespace

GalleryEntry rod_3d() {
  GalleryEntry e;
  e.name = "rod-3d";
  e.summary = "the rod in space";
  e.source = "Champneys & Várkonyi 2016, Sec. 7; Peiret et al., rod";
  e.dimension = 3;
  e.coordinates = {{"x", "m", 0, "centre of mass"},
                   {"y", "m", 0, "centre of mass"},
                   {"z", "m", 0, "centre of mass, height"},
                   {"theta", "rad", 60 * degree, "angle with the floor"},
                   {"psi", "rad", 0, "heading of the tip, about the vertical"}};
  e.parameters = rod_parameters();
  e.forces = {{"force", "N", "at the centre of mass, [x, y, z]", 3},
              {"torque_theta", "N m", "along theta"},
              {"torque_psi", "N m", "along psi"}};
  e.solved = {"z", "z_dot", "x_dot", "y_dot"};
  e.default_slip = {0, 0};
  e.contacts = fixed_contacts({{"tip"}});
  e.make = [e](const Setup& s, const Eigen::VectorXd&) {
    const auto& p = s.parameters;
    const double g = p.at("gravity");
    return make_mechanism(e, s,
                          Rod3d{p.at("mass"), p.at("half_length"), p.at("gyration"), g * std::sin(p.at("slope")),
                                -g * std::cos(p.at("slope"))});
  };
  return e;
}

}  // namespace painleve::detail
