// Whether two motions of the same contacts are one: each contact's accelerations agree to 1e-9 of what moves it.
//
//   |a_i − a'_i| ≤ 1e-9 max(|a_i|, |a'_i|, max_j |b_j| |W_ij|/|W_jj|) + 1e-14 Σ_j |W_ij| max(|λ_j|, |λ'_j|)
//
// The load b_j of another contact counts by what the force that holds it does here, so that a contact under a large
// load does not hide what one beside it does. A sticking contact has a = 0 up to the rounding of b + W λ. Well above
// rounding, well below what tells a mode from another. The same for velocities and impulses.
#pragma once

#include <Eigen/Core>
#include <algorithm>

namespace painleve {

template <class Vector>
struct ContactMotion {
  const Vector& a;
  const Vector& lambda;
};

// W and b of contacts with `dimension` components each.
template <class Matrix, class Vector>
bool same_motion(int dimension, const Matrix& W, const Vector& b, const ContactMotion<Vector>& x,
                 const ContactMotion<Vector>& y) {
  constexpr double same = 1e-9;
  constexpr double rounding = 1e-14;
  for (Eigen::Index i = 0; i < b.size(); i += dimension) {
    const auto x_i = x.a.segment(i, dimension);
    const auto y_i = y.a.segment(i, dimension);
    double size = std::max(x_i.norm(), y_i.norm());
    double response = 0;
    for (Eigen::Index j = 0; j < b.size(); j += dimension) {
      const double W_ij = W.block(i, j, dimension, dimension).norm();
      const double W_jj = W.block(j, j, dimension, dimension).norm();
      if (i == j)
        size = std::max(size, b.segment(j, dimension).norm());
      else if (W_jj > 0)
        size = std::max(size, b.segment(j, dimension).norm() * (W_ij / W_jj));
      response += W_ij * std::max(x.lambda.segment(j, dimension).norm(), y.lambda.segment(j, dimension).norm());
    }
    if ((x_i - y_i).norm() > same * size + rounding * response) return false;
  }
  return true;
}

}  // namespace painleve
