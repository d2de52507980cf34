#include "painleve/mechanism/gallery/rod.hpp"

#include "painleve/mechanism/gallery/entries.hpp"

namespace painleve::detail {

std::vector<ParameterInfo> rod_parameters() {
  return {{"mass", "kg", 1, Bound::positive, "mass"},
          {"half_length", "m", 1, Bound::positive, "distance l from the centre of mass to the tip"},
          {"gyration", "m", 0, Bound::positive, "radius of gyration",
           [](const Numbers& p) { return p.at("half_length") / std::sqrt(3.0); }, "half_length/sqrt(3), a uniform rod"},
          gravity_parameter(),
          slope_parameter()};
}

GalleryEntry rod() {
  GalleryEntry e;
  e.name = "rod";
  e.summary = "a slender rod sliding on its lower end: the classical Painlevé problem";
  e.source = "Champneys & Várkonyi 2016; Preclik & Rüde";
  e.coordinates = {{"x", "m", 0, "centre of mass"},
                   {"y", "m", 0, "centre of mass, height"},
                   {"theta", "rad", 60 * degree, "angle with the floor, grows clockwise"}};
  e.parameters = rod_parameters();
  e.forces = plane_forces("clockwise");
  e.solved = {"y", "y_dot", "x_dot"};
  e.default_slip = {1};
  e.contacts = fixed_contacts({{"tip"}});
  e.make = [e](const Setup& s, const Eigen::VectorXd&) {
    const auto& p = s.parameters;
    return make_mechanism(e, s,
                          Rod{p.at("mass"), p.at("half_length"), p.at("gyration"), {p.at("gravity"), p.at("slope")}});
  };
  return e;
}

}  // namespace painleve::detail
