#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <fc2d_Solvers.h>

#include <cmath>

#include "stepping_peers.hpp"

namespace painleve {
namespace {

class SiconosSlidingRod final : public SteppingPeer {
 public:
  explicit SiconosSlidingRod(const SlidingRod& rod)
      : rod_(rod), mu_(rod.mu), options_(solver_options_create(SICONOS_FRICTION_2D_LEMKE)) {
    problem_->dimension = 2;
    problem_->numberOfContacts = 1;
    problem_->M = NM_create_from_data(NM_DENSE, 2, 2, W_);
    problem_->q = q_;
    problem_->mu = &mu_;
    SiconosSlidingRod::reset();
  }
  SiconosSlidingRod(const SiconosSlidingRod&) = delete;
  SiconosSlidingRod& operator=(const SiconosSlidingRod&) = delete;
  ~SiconosSlidingRod() override {
    problem_->M->matrix0 = nullptr;  // the data are this object's
    problem_->q = nullptr;
    problem_->mu = nullptr;
    frictionContactProblem_free(problem_);
    solver_options_delete(options_);
  }

  void reset() override {
    theta_ = rod_.theta;
    x_ = omega_ = v_y_ = 0;
    y_ = std::sin(theta_);
    v_x_ = rod_.slip;
  }

  // Moreau and Jean with θ = 1/2; the normal comes first in Siconos.
  void step() override {
    const double v_y = v_y_ - rod_.dt * rod_.gravity;
    const double angle = theta_ + rod_.dt * omega_, sin = std::sin(angle), cos = std::cos(angle);
    const double tt = 1 + sin * sin / SlidingRod::inertia, tn = sin * cos / SlidingRod::inertia;
    const double nn = 1 + cos * cos / SlidingRod::inertia;
    W_[0] = nn;
    W_[1] = W_[2] = tn;
    W_[3] = tt;
    q_[0] = v_y - cos * omega_;
    q_[1] = v_x_ - sin * omega_;
    double r[2] = {0, 0}, u[2] = {0, 0};
    int info = 1;
    fc2d_lexicolemke(problem_, r, u, &info, options_);
    const double next_x = v_x_ + r[1], next_y = v_y + r[0];
    const double next_omega = omega_ - (sin * r[1] + cos * r[0]) / SlidingRod::inertia;
    x_ += rod_.dt * (v_x_ + next_x) / 2;
    y_ += rod_.dt * (v_y_ + next_y) / 2;
    theta_ += rod_.dt * (omega_ + next_omega) / 2;
    v_x_ = next_x;
    v_y_ = next_y;
    omega_ = next_omega;
  }

  double theta() const override { return theta_; }

 private:
  SlidingRod rod_;
  double mu_;
  double W_[4] = {}, q_[2] = {};
  double x_ = 0, y_ = 0, theta_ = 0, v_x_ = 0, v_y_ = 0, omega_ = 0;
  FrictionContactProblem* problem_ = frictionContactProblem_new();
  SolverOptions* options_;
};

}  // namespace

std::unique_ptr<SteppingPeer> siconos_rod(const SlidingRod& rod) { return std::make_unique<SiconosSlidingRod>(rod); }

}  // namespace painleve
