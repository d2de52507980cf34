// How close a mechanism or robot comes to jamming anywhere in its workspace: the least mu_jam of one contact over all
// poses, where it is, and which part of the workspace is at risk at the friction that is there.
//
//   mu_jam(q) = W_nn/|W_tn|     a contact that slips along e_jam = W_tn/|W_tn| jams from this friction on
//
// Poses are drawn evenly over the ranges of the joints by a Kronecker sequence (powers of the generalised golden ratio,
// shifted by the seed). Where a closed contact touches a surface that stands still, the pose is moved onto it by the
// posture solver, and counts as drawn there. Samples that no better one is near are refined by Newton's method with
// joints that reach the end of their range held there. All of it depends on the problem alone, not on threads.
//
// A minimum whose basin no sample hits is missed: more samples find more. Poses are not tested for collisions.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "painleve/mechanism/outline.hpp"
#include "painleve/study/map.hpp"

namespace painleve {

struct WorkspaceJoint {
  std::string name, unit;
  double from = 0, to = 0;  // equal: held there
  bool bounded = true;      // false: poses may lie beyond, as of a hinge that turns all around
  bool known = true;        // false: there is no range, and the joint may only be solved for
};

// The coordinates of the scene with the limits of its robot; a hinge without limits turns all around, and a slide
// without limits is left to be solved for.
std::vector<WorkspaceJoint> workspace_joints(const Scene& scene);

struct WorkspaceProblem {
  Scene scene;                         // of a mechanism or robot
  int contact = 0;                     // whose mu_jam it is
  std::vector<WorkspaceJoint> joints;  // in the order of the coordinates
  double margin = 1;                   // >= 1: a pose below margin * mu counts as close
  long samples = 20000;
  std::uint64_t seed = 1;
  int threads = 0;  // 0: one per core
  int poses = 12;   // local minima that are kept
};

struct WorkspacePose {
  Eigen::VectorXd q;
  double mu_jam = 0;
  Eigen::VectorXd e_jam;              // in the tangents of the contact
  std::optional<Place> direction;     // e_jam in the world, where the mechanism says how its tangents lie
  double locking_angle = 0;           // [rad] at the friction of the scene
  std::vector<std::string> at_limit;  // joints at the end of their range
  bool singular = false;              // W_nn vanishes here, and mu_jam with it: it is the last value on the way there
  bool refined = true;                // false: a sample as it was drawn
  int members = 1;                    // poses of this mu_jam, to 1e-6, that were found apart from each other
};

// A count among all, with the 95 % interval of Wilson for the part that it stands for.
struct WorkspaceShare {
  long count = 0;
  double part = 0, low = 0, high = 1;
};
WorkspaceShare workspace_share(long count, long of);

struct WorkspaceReport {
  std::vector<WorkspacePose> minima;     // local ones, least first; the first is the worst pose
  std::vector<std::string> independent;  // joints that mu_jam and the surfaces do not depend on: they stay at home
  bool on_surface = false;               // poses touch a surface that stands still
  long drawn = 0;
  long reached = 0;               // poses that exist and can touch
  std::string unreached_reason;   // of the first that is none
  WorkspaceShare at_risk, close;  // mu_jam < mu, and < margin * mu, of the poses reached
  bool complete = true;           // false: `proceed` stopped it
};

// `proceed` is told the part done and stops the check by returning false; what is known then is returned. Throws
// InputError when a range is missing or wrong, or when no pose can be reached.
WorkspaceReport check_workspace(const WorkspaceProblem& problem, const std::function<bool(double)>& proceed = nullptr);

// mu_jam around a pose, over the two joints along which it varies most (one, where it depends on one alone), `count`
// points each; other joints stay, or follow the surface.
Map workspace_map(const WorkspaceProblem& problem, const WorkspacePose& pose, int count);

}  // namespace painleve
