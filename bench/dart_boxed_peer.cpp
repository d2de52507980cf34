#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <limits>

#include "boxed_lcp_peers.hpp"

namespace painleve {
namespace {

// DART pads rows to a multiple of four, wants normals before their friction, and writes into the matrix it is given.
class DartPeer final : public BoxedPeer {
 public:
  DartPeer(const BoxedProblem& problem, std::unique_ptr<dart::constraint::BoxedLcpSolver> method)
      : method_(std::move(method)), size_(static_cast<int>(problem.q.size())) {
    const auto n = static_cast<std::size_t>(size_);
    const std::size_t padded = n > 1 ? (n + 3) / 4 * 4 : n;
    A_.assign(n * padded, 0.0);
    order_by_contact(problem);
    std::vector<int> place(n);
    for (std::size_t i = 0; i < n; ++i) place[static_cast<std::size_t>(order_[i])] = static_cast<int>(i);
    for (std::size_t i = 0; i < n; ++i) {
      const int row = order_[i];
      const auto at = static_cast<std::size_t>(row);
      for (std::size_t j = 0; j < n; ++j) A_[padded * i + j] = problem.W(row, order_[j]);
      b_.push_back(-problem.q(row));
      const bool is_normal = problem.normal[at] < 0;
      low_.push_back(-problem.limit[at]);
      high_.push_back(is_normal ? std::numeric_limits<double>::infinity() : problem.limit[at]);
      index_.push_back(is_normal ? -1 : place[static_cast<std::size_t>(problem.normal[at])]);
    }
    x_.resize(n);
  }

  Eigen::VectorXd solve() override {
    std::vector<double> A = A_, b = b_, low = low_, high = high_;
    std::vector<int> index = index_;
    std::fill(x_.begin(), x_.end(), 0.0);
    method_->solve(size_, A.data(), x_.data(), b.data(), 0, low.data(), high.data(), index.data(), false);
    Eigen::VectorXd r(size_);
    for (int i = 0; i < size_; ++i) r(order_[static_cast<std::size_t>(i)]) = x_[static_cast<std::size_t>(i)];
    return r;
  }

 private:
  void order_by_contact(const BoxedProblem& problem) {
    std::vector<int> friction;
    for (int row = 0; row < size_; ++row) {
      if (problem.normal[static_cast<std::size_t>(row)] >= 0) {
        friction.push_back(row);
        continue;
      }
      order_.push_back(row);
      order_.insert(order_.end(), friction.begin(), friction.end());
      friction.clear();
    }
  }

  std::unique_ptr<dart::constraint::BoxedLcpSolver> method_;
  int size_;
  std::vector<int> order_;  // our row of each of theirs
  std::vector<double> A_, b_, low_, high_, x_;
  std::vector<int> index_;
};

}  // namespace

std::unique_ptr<BoxedPeer> dart_sweeps(const BoxedProblem& problem, int most_sweeps, double change) {
  auto method = std::make_unique<dart::constraint::PgsBoxedLcpSolver>();
  method->setOption(dart::constraint::PgsBoxedLcpSolver::Option(most_sweeps, change, change));
  return std::make_unique<DartPeer>(problem, std::move(method));
}

std::unique_ptr<BoxedPeer> dart_dantzig(const BoxedProblem& problem) {
  return std::make_unique<DartPeer>(problem, std::make_unique<dart::constraint::DantzigBoxedLcpSolver>());
}

}  // namespace painleve
