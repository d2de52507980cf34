// painleve-engine-simbody: the time dt of Simbody from the state that the request gives, in one of two ways.
//
// rigid-*: Simbody's unilateral PointPlaneContact and its SemiExplicitEulerTimeStepper, exactly one step of dt. The
// contact is given as a point of the body and a plane of the ground; there are no shapes. compliant-*: a small sphere
// against a half space with Hunt-Crossley contact and regularised friction, integrated over dt with error control. That
// takes many internal steps, and the answer is not a solution of the rigid step but the motion that a stiff body makes
// during dt; it approaches a rigid answer where the contact's own time is short against dt.
#include <Simbody.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <numeric>

#include "../adapter/limits.hpp"
#include "../adapter/serve.hpp"

namespace {

using namespace painleve::adapter;
using SimTK::Vec3;

constexpr double RADIUS = 0.01;      // [m] of the compliant contact spheres
constexpr double DISSIPATION = 100;  // [s/m] Hunt-Crossley: rebounds slower than 2/(3*100) m/s, to mimic restitution 0
constexpr double TRANSITION = 1e-3;  // [m/s] slip below which the compliant friction grows linearly
constexpr double ACCURACY = 1e-8;    // of the integrator
constexpr double SLENDER = 1e-9;     // a moment below this share of the greatest one is raised to it: no thin rods

struct Choice {
  Setting setting;
  double modulus;    // [Pa] plane-strain modulus of both materials; 0: rigid
  int gauss_seidel;  // sweeps of the PGS impulse solver; 0: the PLUS solver
};

const std::vector<Choice>& choices() {
  static const std::vector<Choice> list = {
      {{"rigid-plus", "SemiExplicitEulerTimeStepper, PLUS impulse solver (its default), one step"}, 0, 0},
      {{"rigid-pgs", "SemiExplicitEulerTimeStepper, PGS impulse solver, 100 sweeps (its default), one step"}, 0, 100},
      {{"rigid-pgs-10000", "the same with 10000 sweeps and tolerance 1e-12"}, 0, 10000},
      {{"compliant-1e8", "Hunt-Crossley, modulus 1e8 Pa, many internal steps"}, 1e8, 0},
      {{"compliant-1e10", "Hunt-Crossley, modulus 1e10 Pa, many internal steps"}, 1e10, 0},
      {{"compliant-1e12", "Hunt-Crossley, modulus 1e12 Pa, many internal steps"}, 1e12, 0}};
  return list;
}

Description description() {
  Description d;
  d.engine = "simbody";
  int major = 0, minor = 0, build = 0;
  SimTK_version_simbody(&major, &minor, &build);
  d.version = std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
  d.friction =
      "rigid: Coulomb cone, slip steps; compliant: mu F_n min(slip/1e-3 m/s, 1), no stiction; double precision";
  for (const auto& choice : choices()) d.settings.push_back(choice.setting);
  return d;
}

const Choice& choice_of(const std::string& setting) {
  for (const auto& choice : choices()) {
    if (choice.setting.name == setting) return choice;
  }
  throw std::runtime_error("no setting " + setting);
}

Vec3 to_simbody(const Vector& a) { return {a[0], a[1], a[2]}; }
Vector from_simbody(const Vec3& a) { return {a[0], a[1], a[2]}; }

SimTK::Rotation rotation_of(const Body& body) {
  return SimTK::Rotation(SimTK::Quaternion(body.rotation[0], body.rotation[1], body.rotation[2], body.rotation[3]));
}

SimTK::MassProperties mass_of(const Body& body) {
  const Matrix& I = body.inertia;
  const double least = SLENDER * std::max({I[0][0], I[1][1], I[2][2]});
  return {body.mass, Vec3(0),
          SimTK::Inertia(std::max(I[0][0], least), std::max(I[1][1], least), std::max(I[2][2], least), I[0][1], I[0][2],
                         I[1][2])};
}

// Simbody keeps its solvers' counts and impulses to itself.
template <class Solver>
class Recording : public Solver {
 public:
  Recording(double transition_speed, int sweeps) : Solver(transition_speed) {
    if (sweeps > 100) {
      this->m_maxIters = sweeps;
      this->m_convergenceTol = 1e-12;
    }
  }

  bool solve(int phase, const SimTK::Array_<SimTK::MultiplierIndex>& participating, const SimTK::Matrix& A,
             const SimTK::Vector& D, const SimTK::Array_<SimTK::MultiplierIndex>& expanding, SimTK::Vector& piExpand,
             SimTK::Vector& verrStart, SimTK::Vector& verrApplied, SimTK::Vector& pi,
             SimTK::Array_<SimTK::ImpulseSolver::UncondRT>& unconditional,
             SimTK::Array_<SimTK::ImpulseSolver::UniContactRT>& uniContact,
             SimTK::Array_<SimTK::ImpulseSolver::UniSpeedRT>& uniSpeed,
             SimTK::Array_<SimTK::ImpulseSolver::BoundedRT>& bounded,
             SimTK::Array_<SimTK::ImpulseSolver::ConstraintLtdFrictionRT>& consLtdFriction,
             SimTK::Array_<SimTK::ImpulseSolver::StateLtdFrictionRT>& stateLtdFriction) const override {
    const bool solved = Solver::solve(phase, participating, A, D, expanding, piExpand, verrStart, verrApplied, pi,
                                      unconditional, uniContact, uniSpeed, bounded, consLtdFriction, stateLtdFriction);
    if (multipliers_.size() != pi.size()) multipliers_ = SimTK::Vector(pi.size(), 0.0);
    multipliers_ += pi;
    return solved;
  }

  const SimTK::Vector& multipliers() const { return multipliers_; }  // [N s], of all impacts and of the step itself
  int iterations() const { return static_cast<int>(sum(this->m_nIters)); }
  bool failed() const { return sum(this->m_nFail) > 0; }

 private:
  static long long sum(const long long* per_phase) {
    return std::accumulate(per_phase, per_phase + SimTK::ImpulseSolver::MaxNumPhases, 0LL);
  }

  mutable SimTK::Vector multipliers_;
};

// What Simbody prints on stdout while this object lives: Debian's library was built with the traces of its impulse
// solvers left in, hundreds of lines for one step, among them the only word about a Newton iteration that fails.
class Trace {
 public:
  Trace() : file_(std::tmpfile()), stdout_(dup(STDOUT_FILENO)) {
    if (file_ == nullptr) throw std::runtime_error("no temporary file for what Simbody prints");
    flush();
    dup2(fileno(file_), STDOUT_FILENO);
  }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  ~Trace() {
    end();
    std::fclose(file_);
  }

  // The lines that tell of trouble, once this object no longer listens.
  std::vector<std::string> troubles() {
    end();
    std::rewind(file_);
    std::vector<std::string> list;
    for (std::array<char, 1000> buffer{}; std::fgets(buffer.data(), buffer.size(), file_) != nullptr;) {
      std::string line(buffer.data());
      line.erase(line.find_last_not_of("\r\n") + 1);
      if (line.find("poor progress") != std::string::npos) list.push_back(line);
    }
    return list;
  }

 private:
  static void flush() {
    std::cout.flush();
    std::fflush(stdout);
  }
  void end() {
    if (stdout_ < 0) return;
    flush();
    dup2(stdout_, STDOUT_FILENO);
    close(stdout_);
    stdout_ = -1;
  }

  std::FILE* file_;
  int stdout_;
};

class World {
 public:
  explicit World(const Step& step) : step_(step), choice_(choice_of(step.setting)) {
    // The subsystem keeps the force; the handle is not needed.
    const SimTK::Force::UniformGravity gravity(forces_, matter_, to_simbody(step.gravity));
    for (const auto& body : step.bodies) add_body(body);
    for (const auto& contact : step.contacts) {
      if (choice_.modulus > 0) {
        add_compliant(contact);
      } else {
        add_rigid(contact);
      }
    }
    state_ = system_.realizeTopology();
    for (std::size_t i = 0; i < bodies_.size(); ++i) set_state(step.bodies[i], bodies_[i]);
  }

  void advance() {
    if (choice_.modulus > 0) {
      advance_compliant();
    } else {
      advance_rigid();
    }
  }

  Reply reply() const {
    Reply reply;
    system_.realize(state_, SimTK::Stage::Velocity);
    reply.velocities.emplace();
    for (const auto& body : bodies_)
      reply.velocities->push_back(
          {from_simbody(body.getBodyOriginVelocity(state_)), from_simbody(body.getBodyAngularVelocity(state_))});
    reply.iterations = steps_;
    reply.Lambda = Lambda_;
    if (failed_) reply.warnings.emplace_back("Simbody's impulse solver counts a failure to converge");
    warn_of_open_contacts(step_, 0, reply);
    return reply;
  }

 private:
  void add_body(const Body& given) {
    const SimTK::Body::Rigid rigid(mass_of(given));
    SimTK::MobilizedBody body;
    if (step_.dimension == 2) {
      body = SimTK::MobilizedBody::Planar(matter_.Ground(), SimTK::Transform(), rigid, SimTK::Transform());
    } else {
      body = SimTK::MobilizedBody::Free(matter_.Ground(), SimTK::Transform(), rigid, SimTK::Transform());
    }
    const SimTK::Force::ConstantForce force(forces_, body, Vec3(0), to_simbody(given.force));
    const SimTK::Force::ConstantTorque torque(forces_, body, to_simbody(given.torque));
    bodies_.push_back(body);
  }

  void set_state(const Body& given, const SimTK::MobilizedBody& body) {
    body.setQToFitTransform(state_, SimTK::Transform(rotation_of(given), to_simbody(given.position)));
    body.setUToFitVelocity(state_, SimTK::SpatialVec(to_simbody(given.angular_velocity), to_simbody(given.velocity)));
  }

  void add_rigid(const Contact& given) {
    const double height = dot(given.normal, given.at) - given.gap;
    matter_.adoptUnilateralContact(
        new SimTK::PointPlaneContact(matter_.updGround(), SimTK::UnitVec3(to_simbody(given.normal)), height,
                                     bodies_.at(static_cast<std::size_t>(given.body)), to_simbody(given.point),
                                     given.restitution, given.mu, given.mu, 0));
  }

  // A half space of Simbody fills x > 0 of its frame, so x points against the normal. Each contact has a set of its
  // own.
  void add_compliant(const Contact& given) {
    const SimTK::ContactSetIndex set = contacts_.createContactSet();
    const SimTK::Rotation frame(SimTK::UnitVec3(-to_simbody(given.normal)), SimTK::XAxis);
    contacts_.addBody(set, matter_.updGround(), SimTK::ContactGeometry::HalfSpace(),
                      SimTK::Transform(frame, to_simbody(given.at - given.gap * given.normal)));
    const Body& body = step_.bodies.at(static_cast<std::size_t>(given.body));
    const Vec3 inward = ~rotation_of(body) * to_simbody(given.normal);
    contacts_.addBody(set, bodies_.at(static_cast<std::size_t>(given.body)), SimTK::ContactGeometry::Sphere(RADIUS),
                      SimTK::Transform(to_simbody(given.point) + RADIUS * inward));
    SimTK::HuntCrossleyForce law(forces_, contacts_, set);
    for (int surface = 0; surface < 2; ++surface)
      law.setBodyParameters(SimTK::ContactSurfaceIndex(surface), choice_.modulus, DISSIPATION, given.mu, given.mu, 0);
    law.setTransitionVelocity(TRANSITION);
  }

  void advance_rigid() {
    if (choice_.gauss_seidel > 0) {
      advance_with<SimTK::PGSImpulseSolver>();
    } else {
      advance_with<SimTK::PLUSImpulseSolver>();
    }
  }

  template <class Solver>
  void advance_with() {
    SimTK::SemiExplicitEulerTimeStepper stepper(system_);
    auto* solver = new Recording<Solver>(stepper.getDefaultFrictionTransitionVelocityInUse(), choice_.gauss_seidel);
    stepper.setImpulseSolver(solver);  // which it now owns
    stepper.initialize(state_);
    stepper.stepTo(step_.dt);
    state_ = stepper.getState();
    if (choice_.gauss_seidel > 0) steps_ = solver->iterations();  // the PLUS solver counts none
    failed_ = solver->failed();
    keep_impulses(solver->multipliers());
  }

  // The direction in which a multiplier acts is its column of ~G, whose last two (plane) or three (space) speeds of a
  // body's mobilizer are the linear ones; Simbody's equations of motion have ~G lambda on the left.
  Vector impulse(const SimTK::MobilizedBody& body, SimTK::MultiplierIndex index,
                 const SimTK::Vector& multipliers) const {
    if (!index.isValid() || index >= multipliers.size()) return {};
    SimTK::Vector one(multipliers.size(), 0.0);
    one[index] = -multipliers[index];
    SimTK::Vector force;
    matter_.multiplyByGTranspose(state_, one, force);
    const int first = body.getFirstUIndex(state_) + body.getNumU(state_) - step_.dimension;
    return {force[first], force[first + 1], step_.dimension == 3 ? force[first + 2] : 0};
  }

  void keep_impulses(const SimTK::Vector& multipliers) {
    system_.realize(state_, SimTK::Stage::Velocity);
    Lambda_.emplace();
    for (std::size_t i = 0; i < step_.contacts.size(); ++i) {
      const auto& body = bodies_[static_cast<std::size_t>(step_.contacts[i].body)];
      const auto& made = matter_.getUnilateralContact(SimTK::UnilateralContactIndex(static_cast<int>(i)));
      Vector total{};
      if (made.isEnabled(state_)) {
        SimTK::MultiplierIndex x, y;
        made.getFrictionMultiplierIndices(state_, x, y);
        total = impulse(body, made.getContactMultiplierIndex(state_), multipliers) + impulse(body, x, multipliers) +
                impulse(body, y, multipliers);
      }
      for (const auto& tangent : step_.contacts[i].tangents) Lambda_->push_back(dot(total, tangent));
      Lambda_->push_back(dot(total, step_.contacts[i].normal));
    }
  }

  void advance_compliant() {
    SimTK::RungeKuttaMersonIntegrator integrator(system_);
    integrator.setAccuracy(ACCURACY);
    SimTK::TimeStepper stepper(system_, integrator);
    stepper.initialize(state_);
    stepper.stepTo(step_.dt);
    state_ = integrator.getState();
    steps_ = integrator.getNumStepsTaken();
  }

  const Step& step_;
  const Choice& choice_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  SimTK::GeneralContactSubsystem contacts_{system_};
  std::vector<SimTK::MobilizedBody> bodies_;
  SimTK::State state_;
  std::optional<int> steps_;  // iterations of the impulse solver, or internal time steps
  bool failed_ = false;
  std::optional<std::vector<double>> Lambda_;  // rigid contact only
};

std::string obstacle(const Step& step) {
  if (step.bodies.empty()) return without_bodies();
  const bool compliant = choice_of(step.setting).modulus > 0;
  if (const auto* moving = moving_surface(step)) return "this adapter has no moving surfaces: contact " + moving->name;
  for (const auto& contact : step.contacts) {
    if (compliant && contact.restitution > 0)
      return "compliant contact has no coefficient of restitution: contact " + contact.name;
  }
  return "";
}

Reply step(const Step& given) {
  if (const std::string reason = obstacle(given); !reason.empty()) return not_represented(reason);
  World world(given);
  Trace trace;
  world.advance();
  Reply reply = world.reply();
  for (const auto& line : trace.troubles()) reply.warnings.push_back(line);
  return reply;
}

}  // namespace

int main() { return painleve::adapter::serve(description(), step); }
