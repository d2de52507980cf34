#include <algorithm>

#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/gallery/planar_body.hpp"

namespace painleve::detail {
namespace {

// A trunk around the centre of mass, and two legs under it.
std::vector<std::array<double, 2>> standing(double foot1, double foot2, double h) {
  const double left = std::min(foot1, foot2);
  const double right = std::max(foot1, foot2);
  const double room = 0.1 * std::abs(h);
  return {{left, -h},
          {(left + right) / 2, -0.7 * h},
          {right, -h},
          {std::max(right, room), 0.15 * h},
          {std::min(left, -room), 0.15 * h}};
}

}  // namespace

//        o (x, y)            a body on a slope with two point feet, in its frame at (foot1, −h) and (foot2, −h)
//       / \                  t = +x points downslope
//   ___/___\____ +t
GalleryEntry two_legged_body() {
  GalleryEntry e;
  e.name = "two-legged-body";
  e.summary = "a body standing on a slope on two point feet";
  e.source = "Champneys & Várkonyi 2016, Figs 7 right, 16";
  e.coordinates = {
      {"x", "m", 0, "centre of mass"}, {"y", "m", 0, "centre of mass"}, {"theta", "rad", 0, "counter-clockwise"}};
  e.parameters = {{"mass", "kg", 1, Bound::positive, "mass"},
                  {"height", "m", 1, Bound::any, "centre of mass above the feet"},
                  {"foot1", "m", 0.1, Bound::any, "downslope position of foot 1"},
                  {"foot2", "m", 0.5, Bound::any, "downslope position of foot 2"},
                  {"gyration", "m", std::sqrt(0.5), Bound::positive, "radius of gyration"},
                  gravity_parameter(),
                  slope_parameter(10 * degree)};
  e.forces = plane_forces("counter-clockwise");
  e.solved = {"y", "y_dot"};
  e.contacts = fixed_contacts({{"foot1"}, {"foot2"}});
  e.make = [e](const Setup& s, const Eigen::VectorXd&) {
    const auto& p = s.parameters;
    const double h = p.at("height");
    return make_mechanism(e, s,
                          PlanarBody{p.at("mass"),
                                     p.at("gyration"),
                                     {p.at("gravity"), p.at("slope")},
                                     {{p.at("foot1"), -h, 0, 0, 0, 1}, {p.at("foot2"), -h, 0, 0, 0, 1}},
                                     standing(p.at("foot1"), p.at("foot2"), h)});
  };
  return e;
}

}  // namespace painleve::detail
