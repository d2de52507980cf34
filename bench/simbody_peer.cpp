#include <Simbody.h>

#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <stdexcept>

#include "stepping_peers.hpp"

namespace painleve {
namespace {

// Debian's library was built with the traces of its impulse solvers left in: they go nowhere while this object lives.
class Silence {
 public:
  Silence() : kept_(dup(STDOUT_FILENO)) {
    flush();
    const int nowhere = open("/dev/null", O_WRONLY);
    if (kept_ < 0 || nowhere < 0) throw std::runtime_error("Simbody's traces cannot be silenced");
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() {
    flush();
    dup2(kept_, STDOUT_FILENO);
    close(kept_);
  }

 private:
  static void flush() {
    std::cout.flush();
    std::fflush(stdout);
  }
  int kept_;
};

// A body in the plane with one unilateral contact of its tip, and Simbody's own stepper. Simbody turns
// counterclockwise, theta clockwise. The time is that of the library as Debian ships it, with the making of its traces.
class SimbodySlidingRod final : public SteppingPeer {
 public:
  explicit SimbodySlidingRod(const SlidingRod& rod)
      : rod_(rod),
        matter_(system_),
        forces_(system_),
        gravity_(forces_, matter_, -SimTK::YAxis, rod.gravity),
        body_(matter_.Ground(), SimTK::Transform(),
              SimTK::Body::Rigid(SimTK::MassProperties(1, SimTK::Vec3(0), SimTK::Inertia(SlidingRod::inertia))),
              SimTK::Transform()) {
    matter_.adoptUnilateralContact(new SimTK::PointPlaneContact(matter_.updGround(), SimTK::YAxis, 0, body_,
                                                                SimTK::Vec3(1, 0, 0), 0, rod.mu, rod.mu, 0));
    start_ = system_.realizeTopology();
    system_.realizeModel(start_);
    body_.setQToFitTransform(
        start_, SimTK::Transform(SimTK::Rotation(-rod.theta, SimTK::ZAxis), SimTK::Vec3(0, std::sin(rod.theta), 0)));
    body_.setUToFitVelocity(start_, SimTK::SpatialVec(SimTK::Vec3(0), SimTK::Vec3(rod.slip, 0, 0)));
    SimbodySlidingRod::reset();
  }

  void reset() override {
    silence_ = std::make_unique<Silence>();
    stepper_ = std::make_unique<SimTK::SemiExplicitEulerTimeStepper>(system_);
    stepper_->initialize(start_);
    steps_ = 0;
  }
  void step() override { stepper_->stepTo(rod_.dt * ++steps_); }
  double theta() const override {
    silence_.reset();
    return -body_.getOneQ(stepper_->getState(), 0);
  }

 private:
  SlidingRod rod_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::Gravity gravity_;
  SimTK::MobilizedBody::Planar body_;
  SimTK::State start_;
  std::unique_ptr<SimTK::SemiExplicitEulerTimeStepper> stepper_;
  mutable std::unique_ptr<Silence> silence_;  // from the start of a run to the question where it got to
  int steps_ = 0;
};

}  // namespace

std::unique_ptr<SteppingPeer> simbody_rod(const SlidingRod& rod) { return std::make_unique<SimbodySlidingRod>(rod); }

}  // namespace painleve
