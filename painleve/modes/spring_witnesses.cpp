#include "painleve/modes/detail/spring_witnesses.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace {

// A response below this part of the largest is none.
constexpr double none = 1e-10;

// A witness of the wanted side, or nothing.
std::optional<Witness> confirmed(const SpringProblem& p, const Eigen::VectorXd& k, const Eigen::VectorXd& nu,
                                 bool stable) {
  const Spectrum s = spectrum(p, k, nu);
  if (stable ? !s.stable() : !s.unstable()) return {};
  return Witness{k, nu, s.growth.rate};
}

// Contacts in the order of a nest of m sets with positive minors; empty when there is none.
std::vector<int> nest(const std::vector<int>& signs, int m) {
  std::vector<int> last(signs.size(), -1);  // the contact added to reach this set
  Set end = 0;
  for (Set set = 1; set < signs.size() && end == 0; ++set) {
    if (signs[set] <= 0 || std::popcount(set) > m) continue;
    for (const int i : members(set)) {
      const Set before = set & ~(1U << static_cast<unsigned>(i));
      if (before == 0 || last[before] >= 0) last[set] = i;
    }
    if (std::popcount(set) == m && last[set] >= 0) end = set;
  }
  std::vector<int> order;
  for (Set set = end; set != 0; set &= ~(1U << static_cast<unsigned>(last[set]))) order.push_back(last[set]);
  std::reverse(order.begin(), order.end());
  return order;
}

// Stiffness at which S K has a complex pair of eigenvalues, S belonging to two or three contacts.
std::optional<Eigen::VectorXd> resonance(const Eigen::MatrixXd& S) {
  if (!S.allFinite()) return {};
  Eigen::VectorXd response = S.diagonal();
  if (S.rows() == 2 && !opposite(S(0, 1), S(1, 0))) return {};
  for (Eigen::Index i = 0; S.rows() == 3 && i < 3; ++i) {
    const Eigen::Index j = (i + 1) % 3;
    const Eigen::Index l = (i + 2) % 3;
    const double g = std::sqrt(std::abs(S(i, j) * S(j, i) * S(i, l) * S(l, i) / (S(j, l) * S(l, j))));
    response(i) -= std::copysign(g, S(i, j) * S(j, l) * S(l, i));
  }
  if (!(response.array() > 0).all() || !response.allFinite()) return {};
  const Eigen::VectorXd k = response.cwiseInverse();
  const Eigen::MatrixXd SK = S * k.asDiagonal();
  if (SK.eigenvalues().imag().cwiseAbs().maxCoeff() == 0) return {};
  return k;
}

std::optional<Witness> unstable_group(const SpringProblem& p, const std::vector<int>& group,
                                      const std::vector<int>& held) {
  Eigen::MatrixXd S = p.P(group, group);
  if (!held.empty()) {
    const Eigen::MatrixXd P_held = p.P(held, held);
    const Eigen::MatrixXd coupling = p.P(held, group);
    S -= p.P(group, held) * P_held.fullPivLu().solve(coupling);
  }
  const auto resonant = resonance(S);
  if (!resonant) return {};
  const Eigen::VectorXd unit = unit_stiffness(p.P);
  for (const double apart : {1e-4, 1e-6}) {
    for (const double weak : {1e-2, 1e-5, 1e-9}) {
      Eigen::VectorXd k = apart * unit;
      k(held) = unit(held) / apart;
      Eigen::VectorXd nu = weak * k;
      nu(held) = unit(held) / std::sqrt(apart);
      k(group) = *resonant;
      nu(group) = weak * *resonant;
      if (auto w = confirmed(p, k, nu, false)) return w;
    }
  }
  return {};
}

// max Re s/|s| without the noise of rates near zero.
double lean(const SpringProblem& p, const Eigen::VectorXd& x) {
  const Eigen::VectorXd k = x.head(p.n()).array().exp();
  const Eigen::VectorXd nu = x.tail(p.n()).array().exp();
  const Growth g = growth(p.P, p.gaps, k, nu);
  return g.rate / std::hypot(std::abs(g.rate) + g.rounding, g.frequency);
}

}  // namespace

// Stiffness that makes the response k p of each contact about 1, so that the recipes below do not depend on units.
Eigen::VectorXd unit_stiffness(const Eigen::MatrixXd& P) {
  Eigen::VectorXd k(P.rows());
  for (Eigen::Index i = 0; i < P.rows(); ++i) {
    const double own = std::abs(P(i, i));
    const double row = std::max(P.row(i).cwiseAbs().maxCoeff(), P.col(i).cwiseAbs().maxCoeff());
    k(i) = 1 / (own > none * row ? own : (row > 0 ? row : 1));
  }
  return k;
}

Spectrum spectrum(const SpringProblem& p, const Eigen::VectorXd& k, const Eigen::VectorXd& nu) {
  return {growth(p.P, p.gaps, k, nu)};
}

// Signs of the principal minors of at most m contacts, by set; 0 when only rounding is left.
std::vector<int> minor_signs(const SpringProblem& p) {
  std::vector<int> signs(std::size_t{1} << static_cast<unsigned>(p.n()), 0);
  signs[0] = 1;
  for (Set set = 1; set < signs.size(); ++set) {
    if (std::popcount(set) > p.m()) continue;
    const auto list = members(set);
    Eigen::MatrixXd A = p.P(list, list);
    bool empty = false;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double length = A.row(i).norm();
      empty = empty || length == 0;
      if (length > 0) A.row(i) /= length;
    }
    const double det = empty ? 0 : A.partialPivLu().determinant();
    const double rounding = 16 * static_cast<double>(A.rows()) * std::numeric_limits<double>::epsilon();
    signs[set] = std::abs(det) <= rounding ? 0 : (det > 0 ? 1 : -1);
  }
  return signs;
}

std::optional<Witness> stable_by_nest(const SpringProblem& p, const std::vector<int>& signs) {
  const std::vector<int> order = nest(signs, p.m());
  if (order.empty()) return {};
  for (const double fall : {0.25, 0.1, 0.01, 1e-3, 1e-4, 1e-5}) {
    Eigen::VectorXd k = unit_stiffness(p.P) * std::pow(fall, static_cast<double>(order.size()) + 1);
    double before = 1;
    for (std::size_t r = 0; r < order.size(); ++r) {
      const std::vector<int> head(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(r) + 1);
      const Eigen::MatrixXd P_head = p.P(head, head);
      const double det = P_head.determinant();
      k(order[r]) = std::pow(fall, static_cast<double>(r)) * before / det;  // det/before: the response of this contact
      before = det;
    }
    for (const double c : {1.0, 8.0, 64.0}) {
      if (auto w = confirmed(p, k, c * k, true)) return w;
    }
  }
  return {};
}

std::optional<Witness> unstable_by_minor(const SpringProblem& p, const std::vector<int>& signs) {
  const Eigen::VectorXd unit = unit_stiffness(p.P);
  for (int size = 1; size <= p.m(); ++size) {
    for (Set set = 1; set < signs.size(); ++set) {
      if (signs[set] >= 0 || std::popcount(set) != size) continue;
      for (const double weak : {1e-2, 1e-4, 1e-6}) {
        Eigen::VectorXd k = weak * unit;
        const auto inside = members(set);
        k(inside) = unit(inside);
        if (auto w = confirmed(p, k, k, false)) return w;
      }
    }
  }
  return {};
}

std::optional<Witness> unstable_by_resonance(const SpringProblem& p) {
  const Set all = (1U << static_cast<unsigned>(p.n())) - 1U;
  // Larger sets of stiff contacts add little to what these find, and their number explodes.
  constexpr int most_held = 3;
  for (int held_size = 0; held_size <= std::min(most_held, p.m() - 2); ++held_size) {
    for (Set group = 1; group <= all; ++group) {
      const int size = std::popcount(group);
      if (size < 2 || size > 3 || size + held_size > p.m()) continue;
      for (Set held = 0; held <= all; ++held) {
        if (std::popcount(held) != held_size || (held & group) != 0) continue;
        if (auto w = unstable_group(p, members(group), members(held))) return w;
      }
    }
  }
  return {};
}

// Random steps that grow when they help and shrink when they do not, from several starts.
std::optional<Witness> search_springs(const SpringProblem& p, bool stable, int spectra) {
  Draws draws(stable ? 1895 : 1905);
  const Eigen::VectorXd unit = unit_stiffness(p.P).array().log();
  const double sign = stable ? -1 : 1;
  constexpr int starts = 4;
  for (int start = 0; start < starts; ++start) {
    Eigen::VectorXd x(2 * p.n());
    x << unit, unit;
    for (double& v : x) v += start * draws.normal();
    double best = sign * lean(p, x);
    double step = 1;
    for (int i = 0; i < spectra / starts; ++i) {
      if (auto w =
              best > 0 ? confirmed(p, x.head(p.n()).array().exp(), x.tail(p.n()).array().exp(), stable) : std::nullopt)
        return w;
      Eigen::VectorXd y = x;
      for (double& v : y) v += step * draws.normal();
      constexpr double widest = 16;  // e¹⁶: beyond, eigenvalues lose the small part of the spectrum
      const double there = (y.array() > widest + unit.maxCoeff()).any() || (y.array() < unit.minCoeff() - widest).any()
                               ? -std::numeric_limits<double>::infinity()
                               : sign * lean(p, y);
      step *= there > best ? 1.6 : 0.9;
      step = std::clamp(step, 1e-3, 4.0);
      if (there > best) {
        x = y;
        best = there;
      }
    }
  }
  return {};
}

}  // namespace painleve
