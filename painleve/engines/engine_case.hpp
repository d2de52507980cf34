// One step of a scene as a physics engine takes it: free rigid bodies with the contacts between them and the fixed
// world, and the same step in contact space for solvers that know no bodies.
//
//   u_after = W Λ + u_free,   u_free = J (v + dt M⁻¹ f)
//
// Bodies are given only where they reproduce the scene's W, u and u_free (contact_space_of()): a scene that is more
// than a free body (an arm, a walker, numbers without bodies) is left to contact space. A plane world lies in x-y; its
// bodies get their moment of inertia about all three axes, so that no engine turns them out of the plane.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve {

struct EngineBody {
  std::string name;
  double mass = 0;                                               // [kg]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();             // [kg m²] about the centre of mass, body axes
  Eigen::Vector3d position = Eigen::Vector3d::Zero();            // [m] of the centre of mass
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  // world axes from body axes
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();            // [m/s]
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();    // [rad/s] world axes
  Eigen::Vector3d force = Eigen::Vector3d::Zero();               // [N] applied, without gravity
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();              // [N m] applied, world axes
};

struct EngineContact {
  std::string name;
  int body = 0;
  Eigen::Vector3d point, at;              // [m] on the body from its centre of mass, body axes; in the world
  Eigen::Vector3d normal;                 // into the body
  std::vector<Eigen::Vector3d> tangents;  // one, or two in space
  double mu = 0, gap = 0;                 // gap [m]: 0 for a closed contact
  Eigen::Vector3d surface_velocity = Eigen::Vector3d::Zero();  // [m/s]
};

struct EngineCase {
  int dimension = 2;
  double dt = 0.01;                                   // [s]
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // [m/s²]
  std::vector<EngineBody> bodies;                     // none: see bodies_reason
  std::vector<EngineContact> contacts;                // empty with the bodies
  std::string bodies_reason;
  Formulation formulation;  // the time step in contact space, all contacts, gaps included
  Eigen::VectorXd u, b;     // contact velocity before the step, and the free acceleration without drift
  Eigen::VectorXd gap;      // one per contact [m]

  Eigen::VectorXd u_free() const { return formulation.problem.q - formulation.shift; }
};

// Throws InputError for drifting or bilateral contacts, which no engine here takes, and for a bad dt.
EngineCase engine_case(const Scene& scene, double dt);

// The bodies in contact space, from Newton's and Euler's laws alone.
struct BodyContactSpace {
  Eigen::MatrixXd W;
  Eigen::VectorXd u, u_free;
};
BodyContactSpace contact_space_of(const EngineCase& given);

// Generalized velocities of all bodies, six per body: velocity, angular velocity; and what belongs to them.
Eigen::MatrixXd body_jacobian(const EngineCase& given);
Eigen::MatrixXd body_mass_matrix(const EngineCase& given);
Eigen::VectorXd body_velocity(const EngineCase& given);
Eigen::VectorXd body_force(const EngineCase& given);  // gravity, applied forces, gyroscopic torque

}  // namespace painleve
