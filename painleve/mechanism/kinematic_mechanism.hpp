// Turns a kinematic description into a Mechanism. A description is a plain struct
//
//   struct Rod {
//     static constexpr int degrees = 3;
//     static constexpr int dimension = 2;
//     template <class S> void describe(Sketch<S, 3>& sketch, std::span<const S> forces) const;
//   };
//
// with `forces` the applied forces it names, at the present time. It may also say what it looks like,
//
//   Outline outline(const State& state) const;
//
// with its contacts in order; their names are filled in here.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
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
    for (const Expression& force : forces_) {
      if (!force.constant()) return;
    }
    for (const Expression& force : forces_) constants_.push_back(force.at(0).value);
  }

  int dimension() const override { return Description::dimension; }
  const std::vector<std::string>& coordinates() const override { return coordinates_; }
  const std::vector<std::string>& contacts() const override { return contacts_; }
  const Description& description() const { return description_; }

  using Mechanism::dynamics;
  void dynamics(const State& state, Dynamics& d) const override {
    const auto part = [](double x) { return x; };
    if (constants_.size() == forces_.size()) {
      evaluate<double>(state.q.data(), state.v.data(), state.t, constants_, part, d);
      return;
    }
    Buffer<double> forces(forces_.size());
    for (std::size_t i = 0; i < forces_.size(); ++i) forces.span()[i] = forces_[i].at(state.t).value;
    evaluate<double>(state.q.data(), state.v.data(), state.t, forces.span(), part, d);
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

  void dual_forces(double t, double along_t, std::span<Dual> forces) const {
    for (std::size_t i = 0; i < forces.size(); ++i) {
      if (constants_.size() == forces.size()) {
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
    Buffer<ContactRow<S, N>> rows(contacts_.size() * static_cast<std::size_t>(Description::dimension));
    Buffer<S> gaps(contacts_.size());
    Sketch<S, N> sketch(q, v, t, rows.span(), gaps.span());
    description_.template describe<S>(sketch, forces);
    collect<S>(sketch, rows.span(), gaps.span(), part, d);
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

  template <class S, class Part>
  static void collect(const Sketch<S, N>& sketch, std::span<const ContactRow<S, N>> rows, std::span<const S> gaps,
                      const Part& part, Dynamics& d) {
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
  std::vector<double> constants_;  // their values, when none of them changes in time; otherwise empty
};

}  // namespace painleve
