// Solid figures seen from afar: an orthographic view, faces painted from back to front.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "painleve/figure/canvas.hpp"

namespace painleve {

using Point3 = std::array<double, 3>;

struct View {
  double azimuth = -0.9;   // [rad] of the eye about +z, from +x
  double elevation = 0.4;  // [rad] of the eye above the x, y plane

  Point project(const Point3& p) const;  // right, up
  double depth(const Point3& p) const;   // towards the eye
};

struct Face {
  std::vector<Point3> corners = {};  // convex, flat
  Colour fill = {};
  Pen pen{nothing, 0};
};

struct SpaceLine {
  std::vector<Point3> points = {};
  Pen pen = {};
  bool arrow = false;   // at the last point
  bool on_top = false;  // drawn after all faces
};

struct SpaceNote {
  Point3 at{};
  std::string text = {};
  TextStyle style = {};
  double right = 0, up = 0;
};

struct Solid {
  std::vector<Face> faces = {};
  std::vector<SpaceLine> lines = {};
  std::vector<SpaceNote> notes = {};
};

// Axes through the origin with arrows, names and units, each from −length to +length where `both`, else from 0.
void add_axes(Solid& solid, const std::array<std::string, 3>& names, const std::array<double, 3>& lengths, bool both);

}  // namespace painleve
