#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include "boxed_lcp_peers.hpp"

namespace painleve {
namespace {

// The threshold of the change, squared, can only be set from inside.
class Sweeps final : public btSolveProjectedGaussSeidel {
 public:
  explicit Sweeps(double change) { m_leastSquaresResidualThreshold = change * change; }
};

template <class Method>
class BulletPeer final : public BoxedPeer {
 public:
  template <class... Arguments>
  BulletPeer(const BoxedProblem& problem, int most_sweeps, Arguments... arguments)
      : method_(arguments...), most_sweeps_(most_sweeps) {
    const int size = static_cast<int>(problem.q.size());
    A_.resize(size, size);
    for (btVectorXu* v : {&b_, &x_, &low_, &high_}) v->resize(size);
    dependency_.resize(size);
    for (int i = 0; i < size; ++i) {
      const auto at = static_cast<std::size_t>(i);
      for (int j = 0; j < size; ++j) A_.setElem(i, j, problem.W(i, j));
      b_[i] = -problem.q(i);
      dependency_[i] = problem.normal[at];
      low_[i] = -problem.limit[at];
      high_[i] = problem.normal[at] < 0 ? 1e30 : problem.limit[at];
    }
  }

  Eigen::VectorXd solve() override {
    x_.setZero();
    method_.solveMLCP(A_, b_, x_, low_, high_, dependency_, most_sweeps_, false);
    return Eigen::Map<const Eigen::VectorXd>(x_.getBufferPointer(), x_.rows());
  }

 private:
  Method method_;
  int most_sweeps_;
  btMatrixXu A_;
  btVectorXu b_, x_, low_, high_;
  btAlignedObjectArray<int> dependency_;
};

}  // namespace

std::unique_ptr<BoxedPeer> bullet_sweeps(const BoxedProblem& problem, int most_sweeps, double change) {
  return std::make_unique<BulletPeer<Sweeps>>(problem, most_sweeps, change);
}

std::unique_ptr<BoxedPeer> bullet_dantzig(const BoxedProblem& problem) {
  return std::make_unique<BulletPeer<btDantzigSolver>>(problem, 0);
}

}  // namespace painleve
