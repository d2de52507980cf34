// What a mechanism looks like in a posture: strokes, discs and polygons in its plane or in space, [m]. Drawings only;
// the mechanics never looks at it.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace painleve {

using Place = std::array<double, 3>;  // z = 0 in the plane

enum class Part {
  body,     // a rigid body or link that carries mass
  linkage,  // a massless link, a rail, a handle
  spring,
  surface,  // what the contacts touch; in the plane it runs with the bodies on its left, in space counter-clockwise
  mark,     // a joint or a centre of mass
};

struct Stroke {
  Part part = Part::body;
  std::vector<Place> points;
  bool closed = false;  // a polygon
  double width = 0;     // [m]; 0: a thin line
};

struct Ball {
  Part part = Part::body;
  Place centre{};
  double radius = 0;  // [m]
};

// A contact in its place: the point of the body, and the directions of its frame.
struct ContactPlace {
  std::string name;
  Place at{};
  std::vector<Place> tangents;  // one in the plane, two in space
  Place normal{};
  Place surface_velocity{};  // [m/s] of the surface there
};

struct Outline {
  std::vector<Stroke> strokes;
  std::vector<Ball> balls;
  std::vector<ContactPlace> contacts;  // in the order of the mechanism
  Place gravity{};                     // [m/s^2]; a slope turns it, not the floor
};

}  // namespace painleve
