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

#include <array>
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
    for (std::size_t i = 0; i < forces_.size(); ++i) {
      const auto at = forces_[i].at(state.t);
      forces.span()[i] = Dual(at.value, at.rate * direction.t);
    }
    const auto part = [](const Dual& x) { return x.rate; };
    evaluate<Dual>(q.data(), v.data(), Dual(state.t, direction.t), forces.span(), part, d);
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
      if (size > few_.size()) many_.resize(size);
    }
    std::span<T> span() { return {many_.empty() ? few_.data() : many_.data(), size_}; }

   private:
    std::array<T, 8> few_{};
    std::vector<T> many_;
    std::size_t size_;
  };

  template <class S, class Part>
  void evaluate(const S* q, const S* v, const S& t, std::span<const S> forces, const Part& part, Dynamics& d) const {
    Buffer<ContactRow<S, N>> rows(contacts_.size() * static_cast<std::size_t>(Description::dimension));
    Buffer<S> gaps(contacts_.size());
    Sketch<S, N> sketch(q, v, t, rows.span(), gaps.span());
    description_.template describe<S>(sketch, forces);
    collect<S>(sketch, rows.span(), gaps.span(), part, d);
  }

  template <class S, class Part>
  static void collect(const Sketch<S, N>& sketch, std::span<const ContactRow<S, N>> rows, std::span<const S> gaps,
                      const Part& part, Dynamics& d) {
    const auto size = static_cast<Eigen::Index>(rows.size());
    d.M.resize(N, N);
    d.f.resize(N);
    d.applied.resize(N);
    d.J.resize(size, N);
    d.drift.resize(size);
    d.u.resize(size);
    d.gap.resize(static_cast<Eigen::Index>(gaps.size()));
    d.place.resize(size);
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j <= i; ++j) d.M(i, j) = d.M(j, i) = part(sketch.M[i][j]);
      d.f(i) = part(sketch.f[i]);
      d.applied(i) = part(sketch.applied[i]);
    }
    for (Eigen::Index r = 0; r < size; ++r) {
      const auto& row = rows[static_cast<std::size_t>(r)];
      for (int i = 0; i < N; ++i) d.J(r, i) = part(row.J[i]);
      d.u(r) = part(row.u);
      d.drift(r) = part(row.drift);
      d.place(r) = part(row.place);
    }
    for (Eigen::Index i = 0; i < d.gap.size(); ++i) d.gap(i) = part(gaps[static_cast<std::size_t>(i)]);
    d.potential = part(sketch.energy);
    d.drive = part(sketch.drive);
  }

  Description description_;
  std::vector<std::string> coordinates_;
  std::vector<std::string> contacts_;
  std::vector<Expression> forces_;
  std::vector<double> constants_;  // their values, when none of them changes in time; otherwise empty
};

}  // namespace painleve
