#include "painleve/complementarity/slip_pair.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "painleve/complementarity/detail/pair_laws.hpp"
#include "painleve/complementarity/detail/slip_cover.hpp"
#include "painleve/complementarity/slip_curves.hpp"
#include "painleve/complementarity/torus_roots.hpp"

namespace painleve {
namespace {

using pair_laws::Vector6;
using Square = TorusPolynomial::Square;

// Signs of quotients of numbers that are only rounding do not count against a candidate.
constexpr double rounding = 1e-11;

using pair_laws::across;
using pair_laws::along;
using pair_laws::Refutation;
using pair_laws::response;
using pair_laws::SlipCover;
using pair_laws::unit;

// Everything that depends on a pair of directions, multiplied by D where the head of the header does.
struct Balance {
  Vector6 c1, c2, w;
  double D, N1, N2;

  Balance(const TwoContacts& p, const Vector6& response1, const Vector6& response2) : c1(response1), c2(response2) {
    D = c1(2) * c2(5) - c2(2) * c1(5);
    N1 = c2(2) * p.q(5) - c2(5) * p.q(2);
    N2 = c1(5) * p.q(2) - c1(2) * p.q(5);
    w = D * p.q + c1 * N1 + c2 * N2;
  }
};

// Values at 5 × 5 pairs of directions, enough for degree (2, 2).
template <class Sample>
void at_nodes(const TwoContacts& p, const Sample& sample) {
  std::array<Eigen::Vector2d, 5> e;
  std::array<Vector6, 5> c1;
  std::array<Vector6, 5> c2;
  for (std::size_t k = 0; k < 5; ++k) {
    e[k] = unit(2 * std::numbers::pi * static_cast<double>(k) / 5);
    c1[k] = response(p, 0, e[k]);
    c2[k] = response(p, 1, e[k]);
  }
  for (std::size_t k = 0; k < 5; ++k)
    for (std::size_t l = 0; l < 5; ++l)
      sample(static_cast<int>(k), static_cast<int>(l), e[k], e[l], Balance(p, c1[k], c2[l]));
}

TorusSystem loaded_system(const TwoContacts& p) {
  std::array<Square, 7> v;
  at_nodes(p, [&](int k, int l, const Eigen::Vector2d& e1, const Eigen::Vector2d& e2, const Balance& b) {
    v[0](k, l) = across(e1, b.w, 0);
    v[1](k, l) = across(e2, b.w, 3);
    v[2](k, l) = b.D;
    v[3](k, l) = p.sign[0] * b.N1;
    v[4](k, l) = p.sign[1] * b.N2;
    v[5](k, l) = along(e1, b.w, 0);
    v[6](k, l) = along(e2, b.w, 3);
  });
  TorusSystem system{TorusPolynomial(v[0]), TorusPolynomial(v[1]), {}};
  for (std::size_t k = 2; k < 7; ++k) system.alike.emplace_back(v[k]);
  return system;
}

// r_n = t v with v the first or the second column of adj(P).
Eigen::Vector2d kernel(const Balance& b, int column) {
  return column == 0 ? Eigen::Vector2d(b.c2(5), -b.c1(5)) : Eigen::Vector2d(-b.c2(2), b.c1(2));
}

TorusSystem unloaded_system(const TwoContacts& p, int column) {
  std::array<Square, 6> s;
  at_nodes(p, [&](int k, int l, const Eigen::Vector2d& e1, const Eigen::Vector2d& e2, const Balance& b) {
    const Eigen::Vector2d v = kernel(b, column);
    const Vector6 X = b.c1 * v(0) + b.c2 * v(1);
    s[0](k, l) = b.D;
    s[1](k, l) = across(e1, p.q, 0) * across(e2, X, 3) - across(e2, p.q, 3) * across(e1, X, 0);
    s[2](k, l) = p.sign[0] * v(0);
    s[3](k, l) = p.sign[1] * v(1);
    s[4](k, l) = along(e1, X, 0);
    s[5](k, l) = along(e2, X, 3);
  });
  TorusSystem system{TorusPolynomial(s[0]), TorusPolynomial(s[1]), {}};
  const std::size_t known = p.q.isZero(0) ? 6 : 4;  // without any load t multiplies the slip as well
  for (std::size_t k = 2; k < known; ++k) system.alike.emplace_back(s[k]);
  return system;
}

SlipPair pair_of(const TwoContacts& p, const TorusZero& z, const Eigen::Vector2d& r_n) {
  SlipPair pair{{unit(z.a), unit(z.b)}, {r_n(0), r_n(1)}, {}, false};
  const Vector6 w = response(p, 0, pair.e[0]) * r_n(0) + response(p, 1, pair.e[1]) * r_n(1) + p.q;
  pair.c = {along(pair.e[0], w, 0), along(pair.e[1], w, 3)};
  return pair;
}

bool has_the_signs(const TwoContacts& p, const SlipPair& pair) {
  const double force = std::max(std::abs(pair.r_n[0]), std::abs(pair.r_n[1]));
  if (!std::isfinite(force)) return false;
  const double motion =
      p.q.cwiseAbs().maxCoeff() + p.W.cwiseAbs().maxCoeff() * (1 + std::max(p.mu[0], p.mu[1])) * force;
  const auto good = [&](std::size_t j) {
    return p.sign[j] * pair.r_n[j] > -rounding * force && pair.c[j] > -rounding * motion;
  };
  return good(0) && good(1);
}

// Where N₁ and N₂ vanish together so does D, and with it f: no balance of forces, unless by coincidence. Where D
// vanishes alone, to rounding, the forces that balance are infinite.
enum class Forces { determined, infinite, of_nothing };
Forces forces_at(const TorusSystem& system, const TorusZero& z) {
  const AngleBasis a(z.a);
  const AngleBasis b(z.b);
  // A zero is known to rounding over the smallest slope; 1e-9 leaves room for slopes of 1e-5.
  const auto vanishes = [&](std::size_t k) {
    return std::abs(system.alike[k].slope(a, b).value) <= 1e-9 * system.alike[k].magnitude();
  };
  if (vanishes(0) && vanishes(1) && vanishes(2)) return Forces::of_nothing;
  const bool infinite = std::abs(system.alike[0].slope(a, b).value) <= 4 * system.alike[0].rounding();
  return infinite ? Forces::infinite : Forces::determined;
}

void describe(const TorusZeros& zeros, SlipPairs& result) {
  result.boxes += zeros.boxes;
  if (zeros.complete()) return;
  result.complete = false;
  result.reason = zeros.exhausted ? "the directions in which both begin to slip form a curve or lie too close together"
                                  : "two pairs of directions in which both begin to slip coincide or nearly do";
}

// A row of P r_n = −q_n whose terms all have the sign of q_n, whatever the directions.
bool cannot_balance(const TwoContacts& p) {
  for (const int i : {2, 5}) {
    bool same = p.q(i) != 0;
    for (std::size_t j = 0; j < 2; ++j) {
      const int t = 3 * static_cast<int>(j);
      const double side = std::copysign(1.0, p.q(i)) * p.sign[j];
      same = same && side * p.W(i, t + 2) >= p.mu[j] * std::hypot(p.W(i, t), p.W(i, t + 1));
    }
    if (same) return true;
  }
  return false;
}

// Without load slip needs r·w = rᵀW r < 0: friction takes work, and a W that is symmetric and not negative gives none.
bool rests_without_load(const TwoContacts& p) {
  constexpr double rounded = 1e-13;
  if (!p.q.isZero(0)) return false;
  const double size = p.W.cwiseAbs().maxCoeff();
  if ((p.W - p.W.transpose()).cwiseAbs().maxCoeff() > rounded * size) return false;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> spectrum(p.W, Eigen::EigenvaluesOnly);
  return spectrum.eigenvalues()(0) >= -rounded * size;
}

// D = 0 everywhere, to rounding of its terms.
bool always_singular(const TwoContacts& p) {
  double terms = 0;
  double largest = 0;
  at_nodes(p, [&](int, int, const Eigen::Vector2d&, const Eigen::Vector2d&, const Balance& b) {
    terms = std::max(terms, std::abs(b.c1(2) * b.c2(5)) + std::abs(b.c2(2) * b.c1(5)));
    largest = std::max(largest, std::abs(b.D));
  });
  return largest <= 1e-12 * terms || terms == 0;
}

// N₁ or N₂ vanishes in all directions. Such a contact has no force, unless D = 0 somewhere.
bool lacks_load(const TorusSystem& system, const TwoContacts& p) {
  const double terms = p.W.cwiseAbs().maxCoeff() * (1 + std::max(p.mu[0], p.mu[1])) * p.q.cwiseAbs().maxCoeff();
  return std::min(system.alike[1].magnitude(), system.alike[2].magnitude()) <= 1e-14 * terms;
}

SlipPairs loaded_pairs(const TwoContacts& p) {
  TorusSystem system = loaded_system(p);
  SlipPairs result;
  if (lacks_load(system, p)) {
    if (system.alike[0].never_zero()) return result;
    result.complete = false;
    result.reason = "one of them has no normal load, and a force only where det P = 0";
    return result;
  }
  const Refutation refutes(p);
  system.refutes = refutes;
  const TorusZeros zeros = common_zeros(system);
  describe(zeros, result);
  for (const auto& z : zeros.zeros) {
    const Forces forces = forces_at(system, z);
    if (forces == Forces::of_nothing && !refutes({z.a, z.b, 1e-9})) {
      result.complete = false;
      result.reason = "their normal forces are not determined in a pair of directions in which both may begin to slip";
    }
    if (forces != Forces::determined) continue;
    const Balance b(p, response(p, 0, unit(z.a)), response(p, 1, unit(z.b)));
    const SlipPair pair = pair_of(p, z, Eigen::Vector2d(b.N1, b.N2) / b.D);
    if (has_the_signs(p, pair)) result.list.push_back(pair);
  }
  return result;
}

// The better of the two ways to write r_n and t: by the larger column, and by the contact that is turned more. Where X
// is along both directions, to rounding, no force of finite size turns a load that is not.
std::optional<SlipPair> unloaded_pair(const TwoContacts& p, const TorusZero& z) {
  const Eigen::Vector2d e1 = unit(z.a);
  const Eigen::Vector2d e2 = unit(z.b);
  const Balance b(p, response(p, 0, e1), response(p, 1, e2));
  const Eigen::Vector2d first = kernel(b, 0);
  const Eigen::Vector2d second = kernel(b, 1);
  const Eigen::Vector2d v = first.norm() > second.norm() ? first : second;
  const Vector6 X = b.c1 * v(0) + b.c2 * v(1);
  const double turn1 = across(e1, X, 0);
  const double turn2 = across(e2, X, 3);
  const double load1 = across(e1, p.q, 0);
  const double load2 = across(e2, p.q, 3);
  const double terms = std::abs(v(0)) * b.c1.norm() + std::abs(v(1)) * b.c2.norm();
  constexpr double rounded = 1e-13;
  const bool turns = std::max(std::abs(turn1), std::abs(turn2)) > rounded * terms;
  if (!turns && std::max(std::abs(load1), std::abs(load2)) > rounded * p.q.norm()) return std::nullopt;
  return pair_of(p, z, (std::abs(turn1) > std::abs(turn2) ? -load1 / turn1 : -load2 / turn2) * v);
}

// Where the column that was used vanishes the second equation holds by itself, and the motion need not be along e.
bool moves_along(const TwoContacts& p, const SlipPair& pair) {
  const Vector6 w = response(p, 0, pair.e[0]) * pair.r_n[0] + response(p, 1, pair.e[1]) * pair.r_n[1] + p.q;
  const double aside = std::max(std::abs(across(pair.e[0], w, 0)), std::abs(across(pair.e[1], w, 3)));
  // As in forces_at(): the directions are known to rounding over the smallest slope.
  return aside <= 1e-8 * (p.q.norm() + p.W.norm() * (std::abs(pair.r_n[0]) + std::abs(pair.r_n[1])));
}

SlipPairs unloaded_pairs(const TwoContacts& p) {
  SlipPairs result;
  for (const int column : {0, 1}) {
    TorusSystem system = unloaded_system(p, column);
    system.refutes = Refutation(p);
    const TorusZeros zeros = common_zeros(system);
    if (column == 0) describe(zeros, result);
    for (const auto& z : zeros.zeros) {
      const std::optional<SlipPair> pair = unloaded_pair(p, z);
      if (!pair) continue;
      const bool known = std::any_of(result.list.begin(), result.list.end(), [&](const SlipPair& o) {
        return (o.e[0] - pair->e[0]).norm() + (o.e[1] - pair->e[1]).norm() < 1e-8;
      });
      if (!known && has_the_signs(p, *pair) && moves_along(p, *pair)) result.list.push_back(*pair);
    }
  }
  return result;
}

SlipPairs searched_pairs(const TwoContacts& contacts) {
  if (always_singular(contacts)) {
    SlipPairs result;
    result.complete = false;
    result.undetermined = true;
    result.reason = "their normal forces are not determined when both begin to slip; searched, not proved";
    return result;
  }
  const bool loaded = contacts.q(2) != 0 || contacts.q(5) != 0;
  return loaded ? loaded_pairs(contacts) : unloaded_pairs(contacts);
}

}  // namespace

SlipPairs slip_pairs(const TwoContacts& contacts) {
  if (cannot_balance(contacts) || rests_without_load(contacts)) return {};
  if (const std::optional<SlipPairs> curves = slip_curves(contacts)) return *curves;
  SlipPairs result = searched_pairs(contacts);
  if (result.complete || contacts.W.isZero(0)) return result;
  SlipCover cover(contacts);
  const bool decided = cover.run();
  result.boxes += cover.boxes();
  if (!decided) return result;
  SlipPairs covered;
  covered.boxes = result.boxes;
  for (const auto& solution : cover.solutions()) {
    covered.list.push_back(solution.pair);
    covered.list.back().turns = solution.curve;
  }
  return covered;
}

}  // namespace painleve
