#include "painleve/study/line_direction.hpp"

#include <algorithm>

namespace painleve {
namespace {

// The rows of the closed contact on the velocities that are solved for, and their products.
struct FreeRows {
  std::vector<int> columns;
  Eigen::VectorXd t, n;
  double tt = 0, nn = 0, tn = 0;

  bool independent() const {  // by far
    constexpr double far = 1e-6;
    return tt * nn - tn * tn > far * (tt * nn) && std::min(tt, nn) > far * std::max(tt, nn);
  }
};

FreeRows free_rows(const Scene& scene, const Eigen::MatrixXd& J, int contact) {
  const GalleryEntry& entry = *scene.entry;
  FreeRows rows;
  for (std::size_t i = 0; i < entry.coordinates.size(); ++i) {
    const std::string name = entry.coordinates[i].name + "_dot";
    const bool solved = std::find(entry.solved.begin(), entry.solved.end(), name) != entry.solved.end();
    if (solved && !scene.setup.given.has(name)) rows.columns.push_back(static_cast<int>(i));
  }
  rows.t = J(2 * contact, rows.columns).transpose();
  rows.n = J(2 * contact + 1, rows.columns).transpose();
  rows.tt = rows.t.squaredNorm();
  rows.nn = rows.n.squaredNorm();
  rows.tn = rows.t.dot(rows.n);
  return rows;
}

// The one closed contact; −1 where there is another number of them, or a slip of another contact is given.
int only_closed(const Scene& scene) {
  int contact = -1;
  for (std::size_t i = 0; i < scene.posed.contacts.size(); ++i) {
    if (!scene.posed.contacts[i].closed) continue;
    if (contact >= 0) return -1;
    contact = static_cast<int>(i);
  }
  if (contact < 0) return -1;
  const std::string& name = scene.posed.contacts[static_cast<std::size_t>(contact)].name;
  for (const auto& slip : scene.setup.slip)
    if (slip.first != name && !(slip.first.empty() && contact == 0)) return -1;
  return contact;
}

// Whether the tangential row is asked for, too; empty where that hangs on a rank that is not plain.
std::optional<bool> slip_asked(const Scene& scene, const FreeRows& rows, int contact) {
  if (!scene.setup.slip.empty()) return rows.independent() ? std::optional(true) : std::nullopt;
  if (contact != 0 || scene.entry->default_slip.empty()) return false;
  if (rows.independent()) return true;
  const bool dependent = rows.tt == 0 || rows.columns.size() == 1;  // of the normal row, which is not zero
  return dependent ? std::optional(false) : std::nullopt;
}

}  // namespace

std::optional<Eigen::VectorXd> line_direction(const Scene& scene, const std::string& path) {
  if (scene.entry->guess || scene.entry->pose || scene.space.dimension != 2) return {};
  const int contact = only_closed(scene);
  if (contact < 0) return {};
  const Eigen::MatrixXd J = scene.posed.mechanism->dynamics(scene.posed.state).J;
  const FreeRows rows = free_rows(scene, J, contact);
  if (!(rows.nn > 1e-12 * J.row(2 * contact + 1).squaredNorm())) return {};
  const auto slip = slip_asked(scene, rows, contact);
  if (!slip) return {};
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(J.cols());
  const bool along_slip = path.starts_with("state.slip");
  for (std::size_t i = 0; i < scene.entry->coordinates.size(); ++i)
    if (path == "state." + scene.entry->coordinates[i].name + "_dot") direction(static_cast<Eigen::Index>(i)) = 1;
  // The least change of what is solved for that meets the rows, as the pseudoinverse gives it.
  const double t = (along_slip ? 1 : 0) - J.row(2 * contact).dot(direction);
  const double n = -J.row(2 * contact + 1).dot(direction);
  const double D = rows.tt * rows.nn - rows.tn * rows.tn;
  const double y_t = *slip ? (rows.nn * t - rows.tn * n) / D : 0;
  const double y_n = *slip ? (rows.tt * n - rows.tn * t) / D : n / rows.nn;
  direction(rows.columns) += y_t * rows.t + y_n * rows.n;
  return direction;
}

}  // namespace painleve
