#include <algorithm>

#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/mechanism/gallery/planar_body.hpp"

namespace painleve::detail {
namespace {

std::size_t contact_count(const Setup& s) { return s.lists.at("points").size(); }

std::vector<ContactInfo> body_contacts(const Setup& s) {
  if (contact_count(s) != s.lists.at("normals").size())
    throw InputError(
        fmt::format("parameters.points has {} entries and parameters.normals {}: one normal is needed per point",
                    contact_count(s), s.lists.at("normals").size()));
  std::vector<ContactInfo> contacts;
  for (std::size_t i = 1; i <= contact_count(s); ++i) contacts.push_back({fmt::format("c{}", i)});
  return contacts;
}

bool turns_left(const std::array<double, 2>& a, const std::array<double, 2>& b, const std::array<double, 2>& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0;
}

// The surface of a contact is the fixed line through its point at the given configuration.
BodyContact laid_through(const std::array<double, 2>& point, const std::array<double, 2>& normal,
                         const Eigen::VectorXd& q) {
  const double length = std::hypot(normal[0], normal[1]);
  if (!(length > 0)) throw InputError("parameters.normals holds a zero vector");
  const double s = std::sin(q(2));
  const double c = std::cos(q(2));
  return {point[0],           point[1],          q(0) + point[0] * c - point[1] * s, q(1) + point[0] * s + point[1] * c,
          normal[0] / length, normal[1] / length};
}

// The least convex plate that holds the centre of mass and all contact points, counter-clockwise.
Points plate(Points points) {
  points.push_back({0, 0});
  std::sort(points.begin(), points.end());
  Points hull;
  for (int side = 0; side < 2; ++side) {  // from left to right below, then back above
    const std::size_t start = hull.size();
    for (const auto& p : points) {
      while (hull.size() >= start + 2 && !turns_left(hull[hull.size() - 2], hull.back(), p)) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

}  // namespace

GalleryEntry rigid_body() {
  GalleryEntry e;
  e.name = "rigid-body";
  e.summary = "any planar body with contact points against fixed lines";
  e.source = "Champneys & Várkonyi 2016, Fig 15; Várkonyi 2018";
  e.coordinates = {
      {"x", "m", 0, "centre of mass"}, {"y", "m", 0, "centre of mass"}, {"theta", "rad", 0, "counter-clockwise"}};
  e.parameters = {{"mass", "kg", 1, Bound::positive, "mass"},
                  {"gyration", "m", 1, Bound::positive, "radius of gyration"},
                  gravity_parameter(),
                  slope_parameter()};
  e.lists = {"points", "normals"};
  e.forces = plane_forces("counter-clockwise");
  e.contacts = body_contacts;
  e.make = [e](const Setup& s, const Eigen::VectorXd& q) {
    const auto& p = s.parameters;
    PlanarBody body{p.at("mass"), p.at("gyration"), {p.at("gravity"), p.at("slope")}, {}, plate(s.lists.at("points"))};
    for (std::size_t i = 0; i < contact_count(s); ++i)
      body.contacts.push_back(laid_through(s.lists.at("points")[i], s.lists.at("normals")[i], q));
    return make_mechanism(e, s, body);
  };
  return e;
}

}  // namespace painleve::detail
