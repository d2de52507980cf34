#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/gallery/outline_pieces.hpp"

namespace painleve::detail {
namespace {

constexpr double default_x = 0.34;  // [m] with theta3 = 101.75°: the pose of Peiret et al. (45)-(49)

//  shoulder o----___ θ1          three thin uniform links in a vertical plane that turns by phi about the shoulder's
//  axis (height) |       o            theta_i absolute, from the horizontal, downwards positive
//           |      θ2 \          radius of the tip  r = Σ L_i cos θ_i,  its height  z = height − Σ L_i sin θ_i
//   ________|__________\_ θ3 n   frame: t1 = −e_φ (u_t1 = −r φ̇), t2 radially outwards, n up
//
// Peiret et al. Sec. 6, with the mass matrix of E-P5 (docs/errata.md) and complete Coriolis terms (E-P7).
struct ArticulatedArm {
  static constexpr int degrees = 4;
  static constexpr int dimension = 3;
  static constexpr std::size_t contact_count = 1;

  std::array<double, 3> length;
  double density, height, gravity;

  template <class S>
  void describe(Sketch<S, 4>& sketch, std::span<const S> forces) const {
    const auto& phi = sketch.q[3];
    const auto turn = sincos(phi);
    Jet<S, 4> r = 0;
    Jet<S, 4> z = height;
    unrolled<3>([&](auto i) PAINLEVE_INLINED {
      const auto a = sincos(sketch.q[i]);
      const double L = length[i];
      const double m = density * L;
      const auto centre_r = r + (L / 2) * a.cos;
      const auto centre_z = z - (L / 2) * a.sin;
      sketch.inertia(m, centre_r * turn.cos, centre_r * turn.sin, centre_z);
      sketch.inertia(m * L * L / 12, a.cos * turn.cos, a.cos * turn.sin, a.sin);  // the direction of a thin rod
      sketch.potential((m * gravity) * centre_z);
      r += L * a.cos;
      z -= L * a.sin;
    });
    sketch.work_along_coordinates(forces);
    sketch.contact({sketch.along(-r, phi), sketch.along(r), sketch.along(z)}, z.value);
  }

  Outline outline(const State& state) const {
    const double cos = std::cos(state.q(3));
    const double sin = std::sin(state.q(3));
    const double thickness = 0.04 * (length[0] + length[1]);
    Outline o;
    Place joint{0, 0, height};
    add_link(o, Part::linkage, {0, 0, 0}, joint, thickness);
    for (Eigen::Index i = 0; i < 3; ++i) {
      const double L = length[static_cast<std::size_t>(i)];
      const double out = L * std::cos(state.q(i));
      const Place end{joint[0] + out * cos, joint[1] + out * sin, joint[2] - L * std::sin(state.q(i))};
      add_link(o, Part::body, joint, end, thickness);
      add_ball(o, Part::mark, joint, thickness / 2);
      joint = end;
    }
    o.contacts.push_back({"", joint, {{sin, -cos, 0}, {cos, sin, 0}}, {0, 0, 1}});
    add_table(o);
    o.gravity = {0, 0, -gravity};
    return o;
  }
};

// Inverse kinematics from the radius x of the tip: theta1, theta2 of the elbow-up or elbow-down branch.
void reach(const Setup& s, double x, Eigen::VectorXd& q) {
  const auto& p = s.parameters;
  const double L1 = p.at("length1");
  const double L2 = p.at("length2");
  const double X = x - p.at("length3") * std::cos(q(2));
  const double Z = p.at("height") - p.at("length3") * std::sin(q(2));  // downwards
  const double r = std::hypot(X, Z);
  const double c = (r * r + L1 * L1 - L2 * L2) / (2 * L1 * r);
  if (!(std::abs(c) <= 1)) {
    throw InputError(
        fmt::format("the arm cannot reach x = {} m with theta3 = {} rad: the wrist would be {} m from the shoulder, "
                    "allowed are {} to {} m",
                    x, q(2), r, std::abs(L1 - L2), L1 + L2));
  }
  q(0) = std::atan2(Z, X) - (s.elbow == "down" ? -1 : 1) * std::acos(c);
  q(1) = std::atan2(Z - L1 * std::sin(q(0)), X - L1 * std::cos(q(0)));
}

// x stands for theta1 and theta2; x_dot and phi_dot for the slip, unless that or the joint rates are given.
void translate(Setup& s, Eigen::VectorXd& q) {
  const bool joints = s.given.has("theta1") || s.given.has("theta2");
  if (joints && s.given.has("x"))
    throw InputError("state.x stands for theta1 and theta2: give it, or those two, not both");
  if (!joints) reach(s, s.given.get("x", default_x), q);
  const bool rates = s.given.has("theta1_dot") || s.given.has("theta2_dot");
  if (rates && s.given.has("x_dot"))
    throw InputError("state.x_dot stands for theta1_dot and theta2_dot: give it, or those two, not both");
  if (!s.slip.empty() && s.given.has("x_dot"))
    throw InputError("state.x_dot stands for the slip along t2: give it, or slip, not both");
  if (rates || !s.slip.empty()) return;
  double r = 0;
  for (int i = 0; i < 3; ++i) r += s.parameters.at(fmt::format("length{}", i + 1)) * std::cos(q(i));
  s.slip[""] = {-r * s.given.get("phi_dot", 0), s.given.get("x_dot", 0)};
}

}  // namespace

GalleryEntry articulated_arm() {
  GalleryEntry e;
  e.name = "articulated-arm";
  e.summary = "a three-link arm that wipes a table";
  e.source = "Peiret et al., Sec. 6";
  e.dimension = 3;
  e.coordinates = {{"theta1", "rad", 0, "link 1, absolute, from the horizontal, downwards"},
                   {"theta2", "rad", 0, "link 2, likewise"},
                   {"theta3", "rad", 101.75 * degree, "link 3, likewise"},
                   {"phi", "rad", 0, "about the vertical"}};
  e.stand_ins = {{"x", "m", default_x, "radius of the tip; theta1 and theta2 follow"},
                 {"x_dot", "m/s", 0, "its rate; theta1_dot and theta2_dot follow"}};
  e.parameters = {{"length1", "m", 0.5, Bound::positive, "link 1"},
                  {"length2", "m", 0.5, Bound::positive, "link 2"},
                  {"length3", "m", 0.1, Bound::positive, "link 3"},
                  {"density", "kg/m", 2, Bound::positive, "of each link"},
                  {"height", "m", 0.6, Bound::any, "shoulder above the table"},
                  gravity_parameter()};
  e.forces = {{"torque1", "N m", "along theta1"},
              {"torque2", "N m", "along theta2"},
              {"torque3", "N m", "along theta3"},
              {"torque_phi", "N m", "along phi"}};
  e.solved = {"theta1", "theta2", "theta1_dot", "theta2_dot", "phi_dot"};
  e.elbows = {"up", "down"};
  e.contacts = fixed_contacts({{"tip"}});
  e.guess = translate;
  e.make = [e](const Setup& s, const Eigen::VectorXd&) {
    const auto& p = s.parameters;
    return make_mechanism(
        e, s,
        ArticulatedArm{
            {p.at("length1"), p.at("length2"), p.at("length3")}, p.at("density"), p.at("height"), p.at("gravity")});
  };
  return e;
}

}  // namespace painleve::detail
