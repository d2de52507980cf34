// The few vector operations that an adapter needs between the request and its engine's own types. No library: an
// adapter must not drag a second Eigen into the process of an engine that has its own.
#pragma once

#include <array>
#include <cmath>

namespace painleve::adapter {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;      // rows
using Quaternion = std::array<double, 4>;  // w, x, y, z, of unit length

inline Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector operator*(double s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double norm(const Vector& a) { return std::sqrt(dot(a, a)); }

inline Vector operator*(const Matrix& m, const Vector& a) { return {dot(m[0], a), dot(m[1], a), dot(m[2], a)}; }

// World axes from body axes: the columns are the body's axes.
inline Matrix rotation_matrix(const Quaternion& q) {
  const auto [w, x, y, z] = q;
  return {Vector{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
          Vector{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
          Vector{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}

// A vector in world axes from the same in body axes.
inline Vector rotate(const Quaternion& q, const Vector& a) { return rotation_matrix(q) * a; }

}  // namespace painleve::adapter
