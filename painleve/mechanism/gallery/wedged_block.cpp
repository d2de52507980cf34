#include <algorithm>

#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/gallery/planar_body.hpp"

namespace painleve::detail {
namespace {

// Drawn a little narrower above and below its mid-height, where alone it touches the walls.
std::vector<std::array<double, 2>> bulging_box(double w, double h, double tilt) {
  const double half = w / 2 - std::min(w / 4, h / 2 * (std::abs(std::tan(tilt)) + 0.1));
  return {{-w / 2, 0}, {-half, -h / 2}, {half, -h / 2}, {w / 2, 0}, {half, h / 2}, {-half, h / 2}};
}

}  // namespace

//   \  ______  /      a box between two walls that lean over it by `tilt`; it touches them at the mid-height of its
//   sides
//    \|      |/       inward normals (cos β, −sin β) left, (−cos β, −sin β) right; t is the normal turned by −90°
//     |______|        the walls pass through the contact points of the box at x = y = theta = 0
GalleryEntry wedged_block() {
  GalleryEntry e;
  e.name = "wedged-block";
  e.summary = "a box held between two overhanging walls";
  e.source = "Champneys & Várkonyi 2016, Fig 7 left";
  e.coordinates = {
      {"x", "m", 0, "centre of mass"}, {"y", "m", 0, "centre of mass"}, {"theta", "rad", 0, "counter-clockwise"}};
  e.parameters = {{"mass", "kg", 1, Bound::positive, "mass"},
                  {"width", "m", 1, Bound::positive, "distance of the contact points"},
                  {"height", "m", 0.5, Bound::positive, "other side; enters the inertia only"},
                  {"tilt", "rad", 0.2, Bound::any, "lean of the walls over the box"},
                  gravity_parameter()};
  e.forces = plane_forces("counter-clockwise");
  e.solved = {"y"};
  e.contacts = fixed_contacts({{"left"}, {"right"}});
  e.make = [e](const Setup& s, const Eigen::VectorXd&) {
    const auto& p = s.parameters;
    const double w = p.at("width");
    const double h = p.at("height");
    const double n_x = std::cos(p.at("tilt"));
    const double n_y = -std::sin(p.at("tilt"));
    const double gyration = std::hypot(w, h) / std::sqrt(12.0);
    return make_mechanism(e, s,
                          PlanarBody{p.at("mass"),
                                     gyration,
                                     {p.at("gravity"), 0},
                                     {{-w / 2, 0, -w / 2, 0, n_x, n_y}, {w / 2, 0, w / 2, 0, -n_x, n_y}},
                                     bulging_box(w, h, p.at("tilt"))});
  };
  return e;
}

}  // namespace painleve::detail
