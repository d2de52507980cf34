#include "painleve/complementarity/settled_modes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory_resource>
#include <utility>
#include <vector>

#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/detail/elimination.hpp"

namespace painleve {
namespace {

// What a step needs to know of a contact that carries force: its force at the start, E x added, Rᵀw to vanish.
template <int D>
struct Loaded {
  int contact = 0;
  int first = 0, size = 0;  // unknowns
  Eigen::Matrix<double, D, 1> r;
  Eigen::Matrix<double, D, D> E, R;
  bool turns = false;  // its direction of slip is the second unknown
};

template <int D>
class ModeNewton {
 public:
  ModeNewton(const ContactProblem& problem, const Eigen::VectorXd& r, std::pmr::memory_resource* memory)
      : problem_(problem),
        r_(r),
        A_(memory),
        x_(memory),
        modes_(static_cast<std::size_t>(problem.count()), -1, memory),
        pivot_row_(memory),
        loaded_(memory) {
    loaded_.reserve(modes_.size());
    move();
  }

  const Eigen::VectorXd& r() const { return r_; }
  const Eigen::VectorXd& w() const { return w_; }
  void take(ModeSolution& s) {
    s.r = std::move(r_);
    s.w = std::move(w_);
  }
  // Of the laws, relative to the largest force: a cheap look at what law_residual() will say.
  double violation() const { return worst_ / std::max(largest_, std::numeric_limits<double>::min()); }

  // False when the modes are those of the last step and have nothing more to give.
  bool read_modes() {
    loaded_.clear();
    unknowns_ = 0;
    worst_ = largest_ = 0;
    bool changed = false;
    for (int i = 0; i < problem_.count(); ++i) {
      Loaded<D> c;
      c.contact = i;
      c.first = unknowns_;
      const int mode = read_mode(i, c);
      int& before = modes_[static_cast<std::size_t>(i)];
      changed |= mode != before || c.turns;
      before = mode;
      unknowns_ += c.size;
      if (c.size > 0) loaded_.push_back(c);
    }
    return changed;
  }

  // Newton's step in the modes that were read.
  void step() {
    r_.setZero();
    for (const auto& c : loaded_) r_.template segment<D>(problem_.tangent(c.contact)) = c.r;
    move();
    const auto n = static_cast<std::size_t>(unknowns_);
    if (A_.empty()) A_.reserve(modes_.size() * D * (modes_.size() * D + 1));
    A_.resize(n * (n + 1));
    x_.resize(n);
    Eigen::Map<Eigen::MatrixXd> A(A_.data(), unknowns_, unknowns_ + 1);
    Eigen::Map<Eigen::VectorXd> x(x_.data(), unknowns_);
    assemble(A);
    eliminate(A, x, pivot_row_);
    for (const auto& c : loaded_) add(c, x);
    move();
  }

 private:
  using Local = Eigen::Matrix<double, D, 1>;
  static constexpr int tangents = D - 1;
  using Tangential = Eigen::Matrix<double, tangents, 1>;

  // w = W r + q, by the contacts that carry force.
  void move() {
    w_ = problem_.q;
    for (int t = 0; t < r_.size(); t += D) {
      const Local r = r_.template segment<D>(t);
      if (r(tangents) == 0 && r.squaredNorm() == 0) continue;
      if constexpr (D == 1) w_ += problem_.W.col(t) * r(0);
      if constexpr (D == 2) w_ += problem_.W.col(t) * r(0) + problem_.W.col(t + 1) * r(1);
      if constexpr (D == 3)
        w_ += problem_.W.col(t) * r(0) + problem_.W.col(t + 1) * r(1) + problem_.W.col(t + 2) * r(2);
    }
  }

  // Mode of a contact as a number, and what a step needs to know of it.
  int read_mode(int i, Loaded<D>& c) {
    const auto at = static_cast<std::size_t>(i);
    const int n = problem_.normal(i);
    c.r = r_.template segment<D>(problem_.tangent(i));
    largest_ = std::max(largest_, std::abs(c.r(tangents)));
    const double pressed = c.r(tangents) - w_(n) * inverse_response(n);
    if (problem_.law[at] == Law::separated || (!problem_.bilateral[at] && pressed <= 0)) {
      violate(c.r.norm());
      return 0;
    }
    violate(std::abs(c.r(tangents) - pressed));
    c.R.setZero();
    c.R(tangents, 0) = 1;
    c.size = 1;
    if (problem_.law[at] == Law::resting && D > 1 && problem_.mu(i) > 0) return read_resting(i, pressed, c);
    Tangential e = Tangential::Zero();
    if (problem_.law[at] == Law::sliding) e = problem_.slip.col(i);
    return slip(i, pressed, e, c);
  }

  int read_resting(int i, double pressed, Loaded<D>& c) {
    const int t = problem_.tangent(i);
    double response = 0;
    for (int k = 0; k < tangents; ++k) response = std::max(response, problem_.W(t + k, t + k));
    const double rho = response > 0 ? 1 / response : 1;
    const Tangential wanted = c.r.template head<tangents>() - rho * w_.template segment<tangents>(t);
    const double size = wanted.norm();
    if (size <= problem_.mu(i) * std::abs(pressed)) {
      violate((c.r.template head<tangents>() - wanted).norm());
      c.E.setIdentity();
      c.R.setIdentity();
      c.size = D;
      return pressed < 0 ? -2 : 2;
    }
    const Tangential e = -wanted / size;
    const int mode = slip(i, pressed, e, c);
    if constexpr (D == 3) {
      c.E.col(1) = c.R.col(1) = Eigen::Vector3d(-e.y(), e.x(), 0);
      c.size = 2;
      c.turns = true;
    }
    if (D == 3 || e(0) > 0) return mode;
    return mode > 0 ? 4 : -4;
  }

  int slip(int i, double pressed, const Tangential& e, Loaded<D>& c) {
    const int sign = pressed < 0 ? -1 : 1;
    const double mu = D > 1 ? problem_.mu(i) : 0;  // normals alone: without friction
    c.E.template topLeftCorner<tangents, 1>() = -sign * mu * e;
    c.E(tangents, 0) = 1;
    const Local before = c.r;
    c.r = (sign * c.r(tangents) > 0 ? c.r(tangents) : pressed) * c.E.col(0);
    violate((c.r - before).template head<tangents>().norm());
    return 3 * sign;
  }

  void violate(double distance) {
    if (!(distance <= worst_)) worst_ = distance;
  }

  double inverse_response(int row) const {
    const double response = std::abs(problem_.W(row, row));
    return response > 0 ? 1 / response : 1;
  }

  void assemble(Eigen::Map<Eigen::MatrixXd>& A) const {
    for (const auto& c : loaded_) {
      const int t = problem_.tangent(c.contact);
      for (int k = 0; k < c.size; ++k) {
        for (const auto& d : loaded_) {
          const Local motion = problem_.W.template block<D, D>(problem_.tangent(d.contact), t).lazyProduct(c.E.col(k));
          for (int j = 0; j < d.size; ++j) A(d.first + j, c.first + k) = d.R.col(j).dot(motion);
        }
        A(c.first + k, unknowns_) = -c.R.col(k).dot(w_.template segment<D>(t));
      }
      if (c.turns) A(c.first + 1, c.first + 1) += turning_resistance(c);
    }
  }

  // Friction that turns by y/|r_t| no longer opposes w_t = c e: e⊥·w_t changes by c y/|r_t|.
  double turning_resistance(const Loaded<D>& c) const {
    const int t = problem_.tangent(c.contact);
    const auto r_t = r_.template segment<tangents>(t);
    const double size = r_t.norm();
    const double speed = -r_t.dot(w_.template segment<tangents>(t)) / size;
    return size > 0 && speed > 0 ? speed / size : 0;
  }

  void add(const Loaded<D>& c, const Eigen::Map<Eigen::VectorXd>& x) {
    auto r = r_.template segment<D>(problem_.tangent(c.contact));
    if (!c.turns) {
      r += c.E.leftCols(c.size) * x.segment(c.first, c.size);
      return;
    }
    if constexpr (D == 3) {
      const Eigen::Vector2d turned = r.template head<2>() + x(c.first + 1) * c.E.template topRows<2>().col(1);
      const double r_n = r(2) + x(c.first);
      const double limit = problem_.mu(c.contact) * std::abs(r_n);
      r << limit / turned.norm() * turned, r_n;
    }
  }

  const ContactProblem& problem_;
  Eigen::VectorXd r_, w_;
  std::pmr::vector<double> A_, x_;  // Newton's equations
  std::pmr::vector<int> modes_, pivot_row_;
  std::pmr::vector<Loaded<D>> loaded_;
  int unknowns_ = 0;
  double worst_ = 0, largest_ = 0;
};

template <int D>
ModeSolution solve(const ContactProblem& problem, const Eigen::VectorXd& r, double tolerance, int most_steps) {
  std::array<std::byte, 4096> few;  // all that four contacts need
  std::pmr::monotonic_buffer_resource memory(few.data(), few.size());
  ModeNewton<D> newton(problem, r, &memory);
  ModeSolution s;
  double best = std::numeric_limits<double>::infinity();
  int worse = 0;  // steps since the best
  while (true) {
    const bool news = newton.read_modes();
    worse = newton.violation() < best ? 0 : worse + 1;
    best = std::min(best, newton.violation());
    if (newton.violation() <= tolerance) {
      s.residual = law_residual(problem, newton.r(), newton.w());
      s.solved = s.residual <= tolerance;
    }
    constexpr int patience = 3;
    if (s.solved || !news || worse == patience || s.steps == most_steps) break;
    newton.step();
    ++s.steps;
    if (!newton.r().allFinite()) break;
  }
  if (s.solved) newton.take(s);
  return s;
}

}  // namespace

ModeSolution solve_modes(const ContactProblem& problem, const Eigen::VectorXd& r, double tolerance, int most_steps) {
  switch (problem.dimension) {
    case 1:
      return solve<1>(problem, r, tolerance, most_steps);
    case 2:
      return solve<2>(problem, r, tolerance, most_steps);
    default:
      return solve<3>(problem, r, tolerance, most_steps);
  }
}

}  // namespace painleve
