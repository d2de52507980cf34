#include "painleve/mechanism/posture.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/base/tolerance.hpp"

namespace painleve {
namespace {

// What is being solved for: the columns of q or v that are free.
std::vector<int> unknowns(const GalleryEntry& entry, const Setup& setup, const std::string& suffix) {
  std::vector<int> free;
  for (std::size_t i = 0; i < entry.coordinates.size(); ++i) {
    const std::string name = entry.coordinates[i].name + suffix;
    const bool solved = std::find(entry.solved.begin(), entry.solved.end(), name) != entry.solved.end();
    if (solved && !setup.given.has(name)) free.push_back(static_cast<int>(i));
  }
  return free;
}

Eigen::MatrixXd columns(const Eigen::MatrixXd& A, const std::vector<int>& which) {
  Eigen::MatrixXd r(A.rows(), static_cast<Eigen::Index>(which.size()));
  for (std::size_t k = 0; k < which.size(); ++k) r.col(static_cast<Eigen::Index>(k)) = A.col(which[k]);
  return r;
}

// Adds the least-squares solution of A dx = rhs to the free entries of x.
void correct(Eigen::VectorXd& x, const Eigen::MatrixXd& A, const Eigen::VectorXd& rhs, const std::vector<int>& free) {
  if (free.empty() || rhs.size() == 0) return;
  const Eigen::VectorXd dx = columns(A, free).completeOrthogonalDecomposition().solve(rhs);
  for (std::size_t k = 0; k < free.size(); ++k) x(free[k]) += dx(static_cast<Eigen::Index>(k));
}

struct Rows {
  Eigen::MatrixXd J;
  Eigen::VectorXd target, now;
  std::vector<std::string> names;  // for messages

  void add(const Eigen::RowVectorXd& row, double wanted, double value, const std::string& name) {
    const Eigen::Index n = target.size();
    J.conservativeResize(n + 1, row.size());
    target.conservativeResize(n + 1);
    now.conservativeResize(n + 1);
    J.row(n) = row;
    target(n) = wanted;
    now(n) = value;
    names.push_back(name);
  }
};

void close_gaps(const Mechanism& mechanism, const std::vector<ContactInfo>& contacts, const std::vector<int>& free,
                State& state) {
  constexpr int iterations = 60;       // quadratic convergence needs far fewer; the rest is for poor starts
  constexpr double converged = 1e-15;  // [m] below the rounding of coordinates of order 1
  const int d = mechanism.dimension();
  const auto look = [&](const State& at) {
    const Dynamics dynamics = mechanism.dynamics(at);
    Rows rows;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const auto c = static_cast<int>(i);
      if (contacts[i].closed) rows.add(dynamics.J.row(d * c + d - 1), 0, dynamics.gap(c), contacts[i].name);
    }
    return rows;
  };
  if (free.empty()) return;
  Rows rows = look(state);
  for (int k = 0; k < iterations; ++k) {
    if (rows.target.size() == 0 || rows.now.cwiseAbs().maxCoeff() <= converged) return;
    const Eigen::VectorXd from = state.q;
    const double before = rows.now.norm();
    correct(state.q, rows.J, -rows.now, free);
    rows = look(state);
    // Less of Newton's step where the mechanism would come apart, or leave the nearest pose for another.
    for (int half = 0; half < 20 && !(rows.now.allFinite() && rows.now.norm() <= (1 - 1e-4) * before); ++half) {
      state.q = (from + state.q) / 2;
      rows = look(state);
    }
  }
}

void check_gaps(const Mechanism& mechanism, const std::vector<ContactInfo>& contacts, const Setup& setup,
                const State& state) {
  const Dynamics dynamics = mechanism.dynamics(state);
  const double tolerance = Tolerance{}.gap;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double gap = dynamics.gap(static_cast<Eigen::Index>(i));
    if (contacts[i].closed && !(std::abs(gap) <= tolerance)) {
      throw InputError(
          fmt::format("the state contradicts the closed contact '{}': its gap is {} m instead of 0 (set "
                      "contact.{}.closed = false, or leave a coordinate to be solved for)",
                      contacts[i].name, gap, contacts[i].name));
    }
    const auto found = setup.contacts.find(contacts[i].name);
    const bool compliant = found != setup.contacts.end() && found->second.stiffness.has_value();
    if (!contacts[i].closed && !contacts[i].bilateral && !compliant && gap < -tolerance)
      throw InputError(fmt::format("contact '{}' penetrates its surface: its gap is {} m", contacts[i].name, gap));
  }
}

// The slip that the user asks of a contact; empty when nothing is asked. An unnamed slip belongs to the first contact.
std::vector<double> given_slip(const Setup& setup, const std::string& contact, bool first) {
  if (const auto named = setup.slip.find(contact); named != setup.slip.end()) return named->second;
  const auto unnamed = setup.slip.find("");
  if (first && unnamed != setup.slip.end()) return unnamed->second;
  return {};
}

// A default slip is asked for only where velocities that could provide it are left to be solved for: when the
// tangential rows of the closed first contact add to the rank of the normal rows.
bool default_slip_applies(const GalleryEntry& entry, const Setup& setup, const Rows& normals, const Eigen::MatrixXd& J,
                          const std::vector<int>& free, bool closed) {
  if (!closed || entry.default_slip.empty() || !setup.slip.empty() || free.empty()) return false;
  const auto tangents = static_cast<Eigen::Index>(entry.default_slip.size());
  const Eigen::Index rows = normals.J.rows();
  Eigen::MatrixXd both(rows + tangents, J.cols());
  both << normals.J, J.topRows(tangents);
  return columns(both, free).colPivHouseholderQr().rank() ==
         columns(normals.J, free).colPivHouseholderQr().rank() + tangents;
}

Rows velocity_rows(const GalleryEntry& entry, const Setup& setup, const Mechanism& mechanism,
                   const std::vector<ContactInfo>& contacts, const std::vector<int>& free, const State& state) {
  const Dynamics dynamics = mechanism.dynamics(state);
  const int d = mechanism.dimension();
  Rows rows;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int n = d * static_cast<int>(i) + d - 1;
    if (contacts[i].closed)
      rows.add(dynamics.J.row(n), 0, dynamics.u(n), "normal velocity of contact '" + contacts[i].name + "'");
  }
  const bool by_default =
      !contacts.empty() && default_slip_applies(entry, setup, rows, dynamics.J, free, contacts[0].closed);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto slip = i == 0 && by_default ? entry.default_slip : given_slip(setup, contacts[i].name, i == 0);
    if (!slip.empty() && static_cast<int>(slip.size()) != d - 1)
      throw InputError(
          fmt::format("slip of contact '{}' has {} numbers, expected {}", contacts[i].name, slip.size(), d - 1));
    for (std::size_t k = 0; k < slip.size(); ++k) {
      const int row = d * static_cast<int>(i) + static_cast<int>(k);
      rows.add(dynamics.J.row(row), slip[k], dynamics.u(row), "slip of contact '" + contacts[i].name + "'");
    }
  }
  return rows;
}

void solve_velocities(const GalleryEntry& entry, const Setup& setup, const Mechanism& mechanism,
                      const std::vector<ContactInfo>& contacts, State& state) {
  const auto free = unknowns(entry, setup, "_dot");
  for (int pass = 0; pass < 2; ++pass) {  // the second pass removes the rounding of the first
    const Rows rows = velocity_rows(entry, setup, mechanism, contacts, free, state);
    correct(state.v, rows.J, rows.target - rows.now, free);
  }
  const Rows rows = velocity_rows(entry, setup, mechanism, contacts, free, state);
  const double tolerance = Tolerance{}.velocity * std::max(1.0, state.v.cwiseAbs().maxCoeff());
  for (Eigen::Index k = 0; k < rows.target.size(); ++k)
    if (!(std::abs(rows.now(k) - rows.target(k)) <= tolerance))
      throw InputError(fmt::format("the given velocities contradict the {}: it is {} m/s instead of {} m/s",
                                   rows.names[static_cast<std::size_t>(k)], rows.now(k), rows.target(k)));
}

}  // namespace

State solve_posture(const GalleryEntry& entry, const Setup& setup, const Mechanism& mechanism,
                    const std::vector<ContactInfo>& contacts, State state) {
  close_gaps(mechanism, contacts, unknowns(entry, setup, ""), state);
  check_gaps(mechanism, contacts, setup, state);
  solve_velocities(entry, setup, mechanism, contacts, state);
  return state;
}

}  // namespace painleve
