#include "cvode_peer.hpp"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <array>
#include <cmath>

namespace painleve {
namespace {

enum Index { GAP, THETA, U_T, U_N, OMEGA };
constexpr int count = 5;
constexpr int most_events = 1000;

// The rod of the gallery with mass 1, half length 1 and gyration² 1/3, in one regime of its contact.
struct Regime {
  CompliantRod rod;
  bool closed = true, compresses = true, slips = true;
  double direction = 1;  // of slip
  long evaluations = 0;

  double lambda_n(const double* y) const {
    if (!closed) return 0;
    return -rod.stiffness * (y[GAP] + (compresses ? y[U_N] : 0));
  }
  double lambda_t(const double* y) const {
    if (!closed) return 0;
    return slips ? -direction * rod.mu * lambda_n(y) : -rod.stiffness * y[U_T];
  }
};

int rates(double /*t*/, N_Vector state, N_Vector rate, void* data) {
  Regime& regime = *static_cast<Regime*>(data);
  ++regime.evaluations;
  const double* y = N_VGetArrayPointer(state);
  double* f = N_VGetArrayPointer(rate);
  const double sin = std::sin(y[THETA]), cos = std::cos(y[THETA]), omega = y[OMEGA];
  const double lambda_n = regime.lambda_n(y), lambda_t = regime.lambda_t(y);
  const double turn = -3 * (sin * lambda_t + cos * lambda_n);
  f[GAP] = y[U_N];
  f[THETA] = omega;
  f[U_T] = lambda_t - sin * turn - cos * omega * omega;
  f[U_N] = -regime.rod.gravity + lambda_n - cos * turn + sin * omega * omega;
  f[OMEGA] = turn;
  return 0;
}

int jacobian(double /*t*/, N_Vector state, N_Vector /*rate*/, SUNMatrix J, void* data, N_Vector /*scratch*/,
             N_Vector /*scratch*/, N_Vector /*scratch*/) {
  const Regime& regime = *static_cast<Regime*>(data);
  const double* y = N_VGetArrayPointer(state);
  const double sin = std::sin(y[THETA]), cos = std::cos(y[THETA]), omega = y[OMEGA];
  const double lambda_n = regime.lambda_n(y), lambda_t = regime.lambda_t(y);
  const double turn = -3 * (sin * lambda_t + cos * lambda_n);
  const double k = regime.closed ? regime.rod.stiffness : 0;
  const std::array<double, count> normal = {-k, 0, 0, regime.compresses ? -k : 0, 0};
  for (int i = 0; i < count; ++i) {
    const double n = normal[static_cast<std::size_t>(i)];
    const double t = regime.slips ? -regime.direction * regime.rod.mu * n : (i == U_T ? -k : 0);
    const double by_angle = i == THETA ? 1 : 0, by_omega = i == OMEGA ? 1 : 0;
    const double dturn = -3 * (sin * t + cos * n + by_angle * (cos * lambda_t - sin * lambda_n));
    double* column = SUNDenseMatrix_Column(J, i);
    column[GAP] = i == U_N ? 1 : 0;
    column[THETA] = by_omega;
    column[U_T] = t - sin * dturn + by_angle * (sin * omega * omega - cos * turn) - by_omega * 2 * cos * omega;
    column[U_N] = n - cos * dturn + by_angle * (cos * omega * omega + sin * turn) + by_omega * 2 * sin * omega;
    column[OMEGA] = dturn;
  }
  return 0;
}

int boundaries(double /*t*/, N_Vector state, double* g, void* data) {
  const Regime& regime = *static_cast<Regime*>(data);
  const double* y = N_VGetArrayPointer(state);
  g[0] = y[GAP];
  g[1] = y[U_N];
  g[2] = regime.closed ? regime.rod.stiffness * std::abs(y[U_T]) - regime.rod.mu * regime.lambda_n(y) : 1;
  return 0;
}

// CVODE with all that belongs to it.
class Solver {
 public:
  Solver(Regime& regime, const std::array<double, count>& start, double t_end, double tolerance) {
    SUNContext_Create(nullptr, &context_);
    y_ = N_VNew_Serial(count, context_);
    absolute_ = N_VNew_Serial(count, context_);
    for (int i = 0; i < count; ++i) {
      values()[i] = start[static_cast<std::size_t>(i)];
      // Gaps are of the size of a velocity times the time 1/k of the fast motion.
      N_VGetArrayPointer(absolute_)[i] = i == GAP ? tolerance / regime.rod.stiffness : tolerance;
    }
    memory_ = CVodeCreate(CV_BDF, context_);
    CVodeInit(memory_, rates, 0, y_);
    CVodeSVtolerances(memory_, tolerance, absolute_);
    CVodeSetUserData(memory_, &regime);
    matrix_ = SUNDenseMatrix(count, count, context_);
    linear_ = SUNLinSol_Dense(y_, matrix_, context_);
    CVodeSetLinearSolver(memory_, linear_, matrix_);
    CVodeSetJacFn(memory_, jacobian);
    CVodeRootInit(memory_, 3, boundaries);
    CVodeSetMaxNumSteps(memory_, 1000000);
    CVodeSetNoInactiveRootWarn(memory_);
    CVodeSetErrFile(memory_, nullptr);
    CVodeSetStopTime(memory_, t_end);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  ~Solver() {
    CVodeFree(&memory_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
    N_VDestroy(absolute_);
    N_VDestroy(y_);
    SUNContext_Free(&context_);
  }

  double* values() { return N_VGetArrayPointer(y_); }
  int go_on(double t_end, double& t) { return CVode(memory_, t_end, y_, &t, CV_NORMAL); }
  void restart(double t) { CVodeReInit(memory_, t, y_); }
  long steps() const {
    long steps = 0;
    CVodeGetNumSteps(memory_, &steps);
    return steps;
  }
  std::array<int, 3> crossed() const {
    std::array<int, 3> signs{};
    CVodeGetRootInfo(memory_, signs.data());
    return signs;
  }

 private:
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr, absolute_ = nullptr;
  void* memory_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
};

void change(Regime& regime, const std::array<int, 3>& crossed, const double* y) {
  if (crossed[0] != 0) regime.closed = crossed[0] < 0;
  if (crossed[1] != 0) regime.compresses = crossed[1] < 0;
  if (crossed[2] != 0) {
    regime.slips = crossed[2] > 0;
    regime.direction = y[U_T] < 0 ? -1 : 1;
  }
}

}  // namespace

CvodeRun cvode_rod(const CompliantRod& rod, double t_end, double tolerance) {
  Regime regime{rod};
  regime.direction = rod.slip < 0 ? -1 : 1;
  Solver solver(regime, {0, rod.theta, rod.slip, 0, 0}, t_end, tolerance);
  CvodeRun run;
  for (int event = 0; event < most_events; ++event) {
    const int flag = solver.go_on(t_end, run.t);
    run.steps += solver.steps();
    if (flag != CV_ROOT_RETURN) break;
    change(regime, solver.crossed(), solver.values());
    solver.restart(run.t);
  }
  const double* y = solver.values();
  run.impulse_t = y[U_T] + std::sin(y[THETA]) * y[OMEGA] - rod.slip;
  run.impulse_n = y[U_N] + std::cos(y[THETA]) * y[OMEGA] + rod.gravity * run.t;
  run.evaluations = regime.evaluations;
  return run;
}

}  // namespace painleve
