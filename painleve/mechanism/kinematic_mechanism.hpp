// Turns a kinematic description into a Mechanism. A description is a plain struct
//
//   struct Rod {
//     static constexpr int degrees = 3;
//     static constexpr int dimension = 2;
//     template <class S> void describe(Sketch<S, 3>& sketch, std::span<const S> forces) const;
//   };
//
// with `forces` the applied forces it names, at the present time.
#pragma once

#include <fmt/format.h>

#include <utility>

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
        forces_(std::move(forces)) {}

  int dimension() const override { return Description::dimension; }
  const std::vector<std::string>& coordinates() const override { return coordinates_; }
  const std::vector<std::string>& contacts() const override { return contacts_; }
  const Description& description() const { return description_; }

  Dynamics dynamics(const State& state) const override {
    std::vector<double> forces;
    for (const auto& force : forces_) forces.push_back(force.at(state.t).value);
    const auto part = [](double x) { return x; };
    return evaluate<double>(state.q.data(), state.v.data(), state.t, forces, part);
  }

  Dynamics derivative(const State& state, const State& direction) const override {
    std::array<Dual, N> q, v;
    for (int i = 0; i < N; ++i) {
      q[i] = {state.q(i), direction.q(i)};
      v[i] = {state.v(i), direction.v(i)};
    }
    std::vector<Dual> forces;
    for (const auto& force : forces_) {
      const auto at = force.at(state.t);
      forces.emplace_back(at.value, at.rate * direction.t);
    }
    const auto part = [](const Dual& x) { return x.rate; };
    return evaluate<Dual>(q.data(), v.data(), Dual(state.t, direction.t), forces, part);
  }

 private:
  template <class S, class Part>
  Dynamics evaluate(const S* q, const S* v, const S& t, std::span<const S> forces, const Part& part) const {
    const auto count = static_cast<Eigen::Index>(contacts_.size());
    const Eigen::Index size = count * dimension();
    std::vector<ContactRow<S, N>> rows(static_cast<std::size_t>(size));
    std::vector<S> gaps(contacts_.size());
    Sketch<S, N> sketch(q, v, t, rows, gaps);
    description_.template describe<S>(sketch, forces);
    return collect(sketch, rows, gaps, part);
  }

  template <class S, class Part>
  static Dynamics collect(const Sketch<S, N>& sketch, const std::vector<ContactRow<S, N>>& rows,
                          const std::vector<S>& gaps, const Part& part) {
    const auto size = static_cast<Eigen::Index>(rows.size());
    Dynamics d;
    d.M.resize(N, N);
    d.f.resize(N);
    d.applied.resize(N);
    d.J.resize(size, N);
    d.drift.resize(size);
    d.u.resize(size);
    d.gap.resize(static_cast<Eigen::Index>(gaps.size()));
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
    }
    for (Eigen::Index i = 0; i < d.gap.size(); ++i) d.gap(i) = part(gaps[static_cast<std::size_t>(i)]);
    d.potential = part(sketch.energy);
    d.drive = part(sketch.drive);
    return d;
  }

  Description description_;
  std::vector<std::string> coordinates_;
  std::vector<std::string> contacts_;
  std::vector<Expression> forces_;
};

}  // namespace painleve
