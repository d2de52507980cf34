#include "painleve/contact/drifting_contacts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "painleve/base/error.hpp"

namespace painleve {
namespace {

void check_shape(const char* name, const Eigen::MatrixXd& m, Eigen::Index rows, Eigen::Index cols) {
  if (m.rows() != rows || m.cols() != cols)
    throw InputError(fmt::format("{} is {} x {}, expected {} x {}", name, m.rows(), m.cols(), rows, cols));
  if (!m.allFinite()) throw InputError(fmt::format("{} holds a number that is not finite", name));
}

void check_positive(const char* name, const Eigen::VectorXd& v, Eigen::Index size) {
  check_shape(name, v, size, 1);
  if ((v.array() <= 0).any()) throw InputError(fmt::format("{} must be > 0 at every contact", name));
}

}  // namespace

void check(const DriftingContacts& c) {
  const Eigen::Index n = c.P.rows();
  if (n == 0) throw InputError("P is empty: there must be one row per contact");
  constexpr Eigen::Index most = 12;  // the number of words grows as 2ⁿ
  if (n > most) throw InputError(fmt::format("P has {} rows, allowed are up to {} contacts", n, most));
  check_shape("P", c.P, n, n);
  check_shape("b", c.b, n, 1);
  check_shape("P_rate", c.P_rate, n, n);
  check_shape("b_rate", c.b_rate, n, 1);
  check_shape("b_force", c.b_force, n, n);
  check_positive("stiffness", c.stiffness, n);
  check_positive("damping", c.damping, n);
  if (!(c.epsilon > 0) || !std::isfinite(c.epsilon))
    throw InputError(fmt::format("epsilon is {}, it must be finite and > 0", c.epsilon));
  if (!(c.t_start < 0) || !std::isfinite(c.t_start))
    throw InputError(fmt::format("t_start is {}, it must be finite and < 0", c.t_start));
}

}  // namespace painleve
