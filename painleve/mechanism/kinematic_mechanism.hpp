// Turns a kinematic description into a Mechanism. A description is a plain struct
//
//   struct Rod {
//     static constexpr int degrees = 3;
//     static constexpr int dimension = 2;
//     template <class S> void describe(Sketch<S, 3>& sketch, std::span<const S> forces) const;
//   };
//
// with `forces` the applied forces it names, at the present time. It may also say how many contacts it always has,
// which makes its evaluation cheaper,
//
//   static constexpr std::size_t contact_count = 1;
//
// and what it looks like,
//
//   Outline outline(const State& state) const;
//
// with its contacts in order; their names are filled in here.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/base/expression.hpp"
#include "painleve/mechanism/mechanism.hpp"
#include "painleve/mechanism/sketch.hpp"

namespace painleve {

template <class Description>
class KinematicMechanism final : public Mechanism {
 public:
  static constexpr int N = Description::degrees;

  KinematicMechanism(Description description, std::vector<std::string> coordinates, std::vector<std::string> contacts,
                     std::vector<Expression> forces)
      : description_(std::move(description)),
        coordinates_(std::move(coordinates)),
        contacts_(std::move(contacts)),
        forces_(std::move(forces)) {
    if constexpr (counted()) {
      if (contacts_.size() != Description::contact_count)
        throw InputError(fmt::format("this mechanism has {} contacts, but {} names were given for them",
                                     Description::contact_count, contacts_.size()));
    }
    constant_ = std::all_of(forces_.begin(), forces_.end(), [](const Expression& force) { return force.constant(); });
    if (!constant_) return;
    for (const Expression& force : forces_) constants_.push_back(force.at(0).value);
  }

  int dimension() const override { return Description::dimension; }
  const std::vector<std::string>& coordinates() const override { return coordinates_; }
  const std::vector<std::string>& contacts() const override { return contacts_; }
  const Description& description() const { return description_; }

  using Mechanism::dynamics;
  void dynamics(const State& state, Dynamics& d) const override {
    const auto part = [](double x) { return x; };
    if (constant_) {
      evaluate<double>(state.q.data(), state.v.data(), state.t, constants_, part, d);
      return;
    }
    Buffer<double> forces(forces_.size());
    forces_at(state.t, forces.span());
    evaluate<double>(state.q.data(), state.v.data(), state.t, forces.span(), part, d);
  }

  bool planar_motion(const double* q, const double* v, double t, PlanarMotion& motion) const override {
    if constexpr (one_planar_contact()) {
      if (constant_) return reduce(q, v, t, constants_, motion);
      Buffer<double> forces(forces_.size());
      forces_at(t, forces.span());
      return reduce(q, v, t, forces.span(), motion);
    } else {
      return Mechanism::planar_motion(q, v, t, motion);
    }
  }

  Dynamics derivative(const State& state, const State& direction) const override {
    Dynamics d;
    derivative_into(state, direction, d);
    return d;
  }

  void derivative_into(const State& state, const State& direction, Dynamics& d) const override {
    std::array<Dual, N> q, v;
    for (int i = 0; i < N; ++i) {
      q[i] = {state.q(i), direction.q(i)};
      v[i] = {state.v(i), direction.v(i)};
    }
    Buffer<Dual> forces(forces_.size());
    dual_forces(state.t, direction.t, forces.span());
    const auto part = [](const Dual& x) { return x.rate; };
    evaluate<Dual>(q.data(), v.data(), Dual(state.t, direction.t), forces.span(), part, d);
  }

  void force_response(const State& state, double along_q, double along_v, ForceResponse& response) const override {
    response.f.resize(N, N);
    response.applied.resize(N, N);
    response.drive.resize(N);
    Buffer<Dual> forces(forces_.size());
    dual_forces(state.t, 0, forces.span());
    respond(state, {along_q, along_v}, forces.span(), response);
  }

  bool forces_of_time() const override { return !constant_; }

  Outline outline(const State& state) const override {
    if constexpr (requires { description_.outline(state); }) {
      Outline outline = description_.outline(state);
      for (std::size_t i = 0; i < outline.contacts.size(); ++i) outline.contacts[i].name = contacts_.at(i);
      return outline;
    } else {
      return {};
    }
  }

 private:
  // A few items on the stack, many on the heap: a simulation evaluates the same mechanism a million times.
  template <class T>
  class Buffer {
   public:
    explicit Buffer(std::size_t size) : size_(size) {
      static_assert(std::is_trivially_destructible_v<T>);
      if (size > few) {
        many_.resize(size);
      } else {
        for (std::size_t i = 0; i < size; ++i) ::new (&few_[i * sizeof(T)]) T();  // no more than is used
      }
    }
    std::span<T> span() {
      return {many_.empty() ? std::launder(reinterpret_cast<T*>(few_.data())) : many_.data(), size_};
    }

   private:
    static constexpr std::size_t few = 8;
    alignas(T) std::array<std::byte, few * sizeof(T)> few_;
    std::vector<T> many_;
    std::size_t size_;
  };

  static constexpr bool counted() {
    return requires { Description::contact_count; };
  }
  static constexpr bool one_planar_contact() {
    if constexpr (counted()) {
      return Description::dimension == 2 && Description::contact_count == 1 && N <= PlanarMotion::most_degrees;
    } else {
      return false;
    }
  }

  void forces_at(double t, std::span<double> forces) const {
    for (std::size_t i = 0; i < forces.size(); ++i) forces[i] = forces_[i].at(t).value;
  }
  void dual_forces(double t, double along_t, std::span<Dual> forces) const {
    for (std::size_t i = 0; i < forces.size(); ++i) {
      if (constant_) {
        forces[i] = constants_[i];
      } else {
        const auto at = forces_[i].at(t);
        forces[i] = Dual(at.value, at.rate * along_t);
      }
    }
  }

  struct Along {
    double q, v;
  };
  // One coordinate after the other, which one being known when this is compiled: a force depends on few of them.
  [[gnu::noinline, gnu::flatten]] void respond(const State& state, const Along& along, std::span<const Dual> forces,
                                               ForceResponse& response) const {
    std::array<double, N> q, v, drive;
    std::array<double, N * N> f, applied;
    std::copy_n(state.q.data(), N, q.data());
    std::copy_n(state.v.data(), N, v.data());
    detail::unrolled<N>([&](auto j) PAINLEVE_INLINED {
      std::array<Dual, N> q_j, v_j;
      detail::unrolled<N>([&](auto i) PAINLEVE_INLINED {
        q_j[i] = Dual(q[i], i == j ? along.q : 0.0);
        v_j[i] = Dual(v[i], i == j ? along.v : 0.0);
      });
      Sketch<Dual, N> sketch(q_j.data(), v_j.data(), Dual(state.t), {}, {});
      description_.template describe<Dual>(sketch, forces);
      detail::unrolled<N>([&](auto i) PAINLEVE_INLINED {
        f[j * N + i] = sketch.f[i].rate + 0.0;
        applied[j * N + i] = sketch.applied[i].rate + 0.0;
      });
      drive[j] = sketch.drive.rate + 0.0;
    });
    std::copy(f.begin(), f.end(), response.f.data());
    std::copy(applied.begin(), applied.end(), response.applied.data());
    std::copy(drive.begin(), drive.end(), response.drive.data());
  }

  // With all of the description inlined most of its zeros are known; see jet.hpp.
  template <class S, class Part>
  [[gnu::noinline, gnu::flatten]] void evaluate(const S* q, const S* v, const S& t, std::span<const S> forces,
                                                const Part& part, Dynamics& d) const {
    constexpr auto dimension = static_cast<std::size_t>(Description::dimension);
    if constexpr (counted()) {
      std::array<ContactRow<S, N>, Description::contact_count * dimension> rows;
      std::array<S, Description::contact_count> gaps;
      Sketch<S, N> sketch(q, v, t, rows, gaps);
      description_.template describe<S>(sketch, forces);
      collect<S>(sketch, rows, gaps, part, d);
    } else {
      Buffer<ContactRow<S, N>> rows(contacts_.size() * dimension);
      Buffer<S> gaps(contacts_.size());
      Sketch<S, N> sketch(q, v, t, rows.span(), gaps.span());
      description_.template describe<S>(sketch, forces);
      collect<S>(sketch, rows.span(), gaps.span(), part, d);
    }
  }

  // Of one contact in the plane. Returns true.
  [[gnu::noinline, gnu::flatten]] bool reduce(const double* q, const double* v, double t,
                                              std::span<const double> forces, PlanarMotion& motion) const {
    std::array<ContactRow<double, N>, 2> rows;
    std::array<double, 1> gaps;
    Sketch<double, N> sketch(q, v, t, rows, gaps);
    description_.template describe<double>(sketch, forces);
    double power = sketch.drive, body_t = 0, body_n = 0;
    detail::unrolled<N>([&](auto i) PAINLEVE_INLINED {
      power = detail::plus(power, detail::times(sketch.applied[i], v[i]));
      body_t = detail::plus(body_t, detail::times(rows[0].J[i], v[i]));
      body_n = detail::plus(body_n, detail::times(rows[1].J[i], v[i]));
    });
    motion.u_t = rows[0].u;
    motion.u_n = rows[1].u;
    motion.body_t = body_t;
    motion.body_n = body_n;
    motion.gap = gaps[0];
    std::array<double, N> inverse_D;
    const detail::PlanarResponse r = detail::eliminate<N>(sketch, rows, inverse_D);
    motion.W_tt = r.W_tt;
    motion.W_tn = r.W_tn;
    motion.W_nn = r.W_nn;
    motion.b_t = r.b_t;
    motion.b_n = r.b_n;
    detail::substitute_back<N>(sketch.M, inverse_D, sketch.f, motion.v_dot);
    detail::substitute_back<N>(sketch.M, inverse_D, rows[0].J, motion.X_t);
    detail::substitute_back<N>(sketch.M, inverse_D, rows[1].J, motion.X_n);
    bool definite = true;
    detail::unrolled<N>([&](auto i) PAINLEVE_INLINED { definite = definite && inverse_D[i] > 0; });
    motion.power = definite ? power : std::numeric_limits<double>::quiet_NaN();
    return true;
  }

  static void fit(Dynamics& d, Eigen::Index contacts) {
    const Eigen::Index rows = contacts * Description::dimension;
    if (d.M.rows() == N && d.M.cols() == N && d.f.size() == N && d.applied.size() == N && d.J.cols() == N &&
        d.J.rows() == rows && d.drift.size() == rows && d.u.size() == rows && d.place.size() == rows &&
        d.gap.size() == contacts)
      return;
    d.M.resize(N, N);
    d.f.resize(N);
    d.applied.resize(N);
    d.J.resize(rows, N);
    d.drift.resize(rows);
    d.u.resize(rows);
    d.place.resize(rows);
    d.gap.resize(contacts);
  }

  template <class S, class Part, class Rows, class Gaps>
  static void collect(const Sketch<S, N>& sketch, const Rows& rows, const Gaps& gaps, const Part& part, Dynamics& d) {
    const auto size = static_cast<Eigen::Index>(rows.size());
    fit(d, static_cast<Eigen::Index>(gaps.size()));
    const auto signless = [&](const S& x)
                              PAINLEVE_INLINED { return part(x) + 0.0; };  // no −0: what was left out of sums was +0
    double* const M = d.M.data();
    double* const f = d.f.data();
    double* const applied = d.applied.data();
    detail::unrolled<N>([&](auto i) PAINLEVE_INLINED {
      detail::unrolled<static_cast<int>(i + 1)>(
          [&](auto j) PAINLEVE_INLINED { M[i * N + j] = M[j * N + i] = signless(sketch.M[i][j]); });
      f[i] = signless(sketch.f[i]);
      applied[i] = signless(sketch.applied[i]);
    });
    double* J = d.J.data();
    for (Eigen::Index r = 0; r < size; ++r) {
      const ContactRow<S, N>& row = rows[static_cast<std::size_t>(r)];
      detail::unrolled<N>([&](auto i)
                              PAINLEVE_INLINED { J[r + static_cast<Eigen::Index>(i) * size] = signless(row.J[i]); });
      d.u(r) = signless(row.u);
      d.drift(r) = signless(row.drift);
      d.place(r) = part(row.place);
    }
    for (std::size_t i = 0; i < gaps.size(); ++i) d.gap(static_cast<Eigen::Index>(i)) = part(gaps[i]);
    d.potential = part(sketch.energy);
    d.drive = signless(sketch.drive);
  }

  Description description_;
  std::vector<std::string> coordinates_;
  std::vector<std::string> contacts_;
  std::vector<Expression> forces_;
  bool constant_ = false;          // none of them changes in time
  std::vector<double> constants_;  // their values then
};

}  // namespace painleve
