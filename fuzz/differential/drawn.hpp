// Problems drawn for differential tests: small whole numbers, so that degenerate cases are common and exact, and shrink
// to readable ones.
#pragma once

#include <rapidcheck.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "brute_force.hpp"
#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/contact/contact_space.hpp"

namespace painleve::differential {

// Contacts of a body with few freedoms: W = J Jᵀ.
struct DrawnContacts {
  int freedoms = 1;
  std::vector<std::vector<int>> J;  // two rows per contact: tangent, normal
  std::vector<int> q;
  std::vector<int> mu_choice, slide;

  int count() const { return static_cast<int>(slide.size()); }
};

inline void showValue(const DrawnContacts& d, std::ostream& out) {
  out << "J " << rc::toString(d.J) << ", q " << rc::toString(d.q) << ", mu choice " << rc::toString(d.mu_choice)
      << ", slide " << rc::toString(d.slide);
}

inline int gram(const DrawnContacts& d, std::size_t i, std::size_t j) {
  int sum = 0;
  for (std::size_t k = 0; k < d.J[i].size(); ++k) sum += d.J[i][k] * d.J[j][k];
  return sum;
}

// In quarters. The last choice is the friction at which p vanishes, where a double can say it.
inline int mu_quarters(const DrawnContacts& d, int contact) {
  static constexpr int quarters[] = {0, 1, 2, 4, 8, 12, 20};
  const int choice = d.mu_choice[static_cast<std::size_t>(contact)];
  if (choice < 7) return quarters[choice];
  const auto t = static_cast<std::size_t>(2 * contact), n = t + 1;
  const int W_nn = gram(d, n, n), W_tn = std::abs(gram(d, t, n));
  return W_tn != 0 && (4 * W_nn) % W_tn == 0 ? 4 * W_nn / W_tn : 4;
}

inline ExactProblem exact(const DrawnContacts& d) {
  ExactProblem p;
  const std::size_t size = d.J.size();
  p.W.assign(size, Vector(size));
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) p.W[i][j] = gram(d, i, j);
  }
  for (const int x : d.q) p.q.emplace_back(x);
  for (int i = 0; i < d.count(); ++i) p.mu.emplace_back(mu_quarters(d, i), 4);
  p.slide = d.slide;
  return p;
}

// Closed contacts without normal velocity, whose b is q.
inline ContactSpace space(const DrawnContacts& d) {
  ContactSpace s;
  const auto size = static_cast<Eigen::Index>(d.J.size());
  s.W.resize(size, size);
  s.b.resize(size);
  s.u = Eigen::VectorXd::Zero(size);
  s.drift = Eigen::VectorXd::Zero(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    s.b(i) = d.q[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < size; ++j)
      s.W(i, j) = gram(d, static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  }
  s.gap = Eigen::VectorXd::Zero(d.count());
  s.mu.resize(d.count());
  for (int i = 0; i < d.count(); ++i) {
    s.mu(i) = mu_quarters(d, i) / 4.0;
    s.u(2 * i) = d.slide[static_cast<std::size_t>(i)];
    s.names.push_back("c" + std::to_string(i + 1));
  }
  s.bilateral.assign(static_cast<std::size_t>(d.count()), false);
  return s;
}

inline rc::Gen<DrawnContacts> contacts(int most) {
  return rc::gen::exec([most] {
    DrawnContacts d;
    const int count = *rc::gen::inRange(1, most + 1);
    d.freedoms = *rc::gen::inRange(1, 4);
    const auto entry = rc::gen::inRange(-3, 4);
    const auto size = static_cast<std::size_t>(count);
    d.J = *rc::gen::container<std::vector<std::vector<int>>>(
        2 * size, rc::gen::container<std::vector<int>>(static_cast<std::size_t>(d.freedoms), entry));
    d.q = *rc::gen::container<std::vector<int>>(2 * size, entry);
    d.mu_choice = *rc::gen::container<std::vector<int>>(size, rc::gen::inRange(0, 10));
    d.slide = *rc::gen::container<std::vector<int>>(size, rc::gen::inRange(-1, 2));
    return d;
  });
}

inline Eigen::VectorXd in_doubles(const Vector& v) {
  Eigen::VectorXd x(static_cast<Eigen::Index>(v.size()));
  for (std::size_t i = 0; i < v.size(); ++i) x(static_cast<Eigen::Index>(i)) = v[i].value();
  return x;
}

}  // namespace painleve::differential
