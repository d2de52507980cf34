// Stability for all springs; the reasoning is at the head of stability_for_all() in stability.hpp.
#include <Eigen/Dense>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "painleve/base/rounding.hpp"
#include "painleve/modes/detail/spring_witnesses.hpp"
#include "painleve/modes/stability.hpp"

namespace painleve {
namespace {

// Two entries count as equal, and a response as none, below this part of the largest entry.
constexpr double same = 1e-10;

Stability depends(const Witness& stable, const Witness& unstable, const char* reason) {
  return {"depends", true, {stable, unstable}, reason};
}

// Two contacts.

// The closed form at given springs, where the sum of F is not lost in rounding. P → c P is the same as k, ν → c k, c ν;
// with entries of size 1 nothing underflows.
bool by_closed_form(const Eigen::MatrixXd& response, const Eigen::VectorXd& stiffness, const Eigen::VectorXd& damping,
                    bool stable) {
  const double c = response.cwiseAbs().maxCoeff();
  const Eigen::Matrix2d P = response / c;
  const Eigen::Vector2d k = c * stiffness;
  const Eigen::Vector2d nu = c * damping;
  constexpr double safe = 1e-12;
  const double D = P.determinant();
  const double T = nu(0) * P(0, 0) + nu(1) * P(1, 1);
  const double w = k(0) * nu(1) + k(1) * nu(0);
  const double T_size = nu(0) * std::abs(P(0, 0)) + nu(1) * std::abs(P(1, 1));
  const double split = k(0) * P(0, 0) - k(1) * P(1, 1);
  const Eigen::Array3d terms(nu(0) * nu(1) * split * split, w * w * P(0, 1) * P(1, 0), nu(0) * nu(1) * w * D * T);
  const double F = terms.sum();
  const double F_size = terms.abs().sum();
  if (stable) return T > safe * T_size && F > safe * F_size;
  return T < -safe * T_size || F < -safe * F_size;
}

// The first springs along the way that eigenvalues confirm; where rounding hides the rate, the first that F confirms.
Witness two_contact_witness(const SpringProblem& p, bool stable) {
  const double p11 = p.P(0, 0);
  const double p22 = p.P(1, 1);
  const Eigen::Index strong = p11 > p22 ? 0 : 1;
  const Eigen::Index weak = 1 - strong;
  const Eigen::VectorXd unit = unit_stiffness(p.P);
  std::optional<Witness> first;
  constexpr int most_doublings = 120;
  for (int i = 0; i < most_doublings; i += 2) {
    const double scale = std::ldexp(1, i);
    Eigen::VectorXd k = unit;
    Eigen::VectorXd nu = unit;
    if (stable)
      nu(strong) *= scale;
    else if (p.P(weak, weak) < 0)
      nu(weak) *= scale;
    else if (p.P(weak, weak) == 0)
      k(weak) *= scale;
    else {  // k1 p11 = k2 p22, also where `unit` takes a small p_ii for rounding
      k = p.P.diagonal().cwiseInverse();
      nu /= scale;
    }
    const Spectrum s = spectrum(p, k, nu);
    if (stable ? s.stable() : s.unstable()) return {k, nu, s.growth.rate};
    if (!first && by_closed_form(p.P, k, nu, stable)) first = {k, nu, s.growth.rate};
  }
  return first.value_or(Witness{unit, unit, 0});
}

Stability two_contacts(const SpringProblem& p) {
  const Eigen::MatrixXd& P = p.P;
  const double D = sum_or_zero(P(0, 0) * P(1, 1), -P(0, 1) * P(1, 0));
  if (D <= 0) return {"unstable", true, {}, "det P <= 0"};
  if (P(0, 0) <= 0 && P(1, 1) <= 0) return {"unstable", true, {}, "no contact resists its own force: all p_ii <= 0"};
  if (!opposite(P(0, 1), P(1, 0)))
    return {"stable", true, {}, "P is symmetric and positive after a scaling of the contacts"};
  const Witness stable = two_contact_witness(p, true);
  const Witness unstable = two_contact_witness(p, false);
  return depends(stable, unstable, "p12 p21 < 0: the contacts feed each other");
}

// Structure.

// Positive Λ with P Λ symmetric, or nothing. Entries that are zero on one side only cannot be balanced.
std::optional<Eigen::VectorXd> symmetriser(const Eigen::MatrixXd& P) {
  const Eigen::Index n = P.rows();
  Eigen::VectorXd scale = Eigen::VectorXd::Zero(n);
  for (Eigen::Index root = 0; root < n; ++root) {
    if (scale(root) > 0) continue;
    scale(root) = 1;
    std::vector<Eigen::Index> open{root};
    while (!open.empty()) {
      const Eigen::Index i = open.back();
      open.pop_back();
      for (Eigen::Index j = 0; j < n; ++j) {
        if (scale(j) > 0 || P(i, j) == 0 || P(j, i) == 0 || opposite(P(i, j), P(j, i))) continue;
        scale(j) = scale(i) * P(j, i) / P(i, j);
        open.push_back(j);
      }
    }
  }
  const Eigen::MatrixXd S = P * scale.asDiagonal();
  const double largest = S.cwiseAbs().maxCoeff();
  if ((S - S.transpose()).cwiseAbs().maxCoeff() > same * largest) return {};
  return scale;
}

bool has_energy(const SpringProblem& p) {
  const auto scale = symmetriser(p.P);
  if (!scale) return false;
  const Eigen::MatrixXd S = p.P * scale->asDiagonal();
  const Eigen::MatrixXd confined = p.gaps.transpose() * (S + S.transpose()) * p.gaps / 2;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(confined, Eigen::EigenvaluesOnly);
  return eigen.eigenvalues()(0) > same * S.cwiseAbs().maxCoeff();
}

// Contacts that act on each other both ways, directly or through others; P is block triangular in these sets.
std::vector<std::vector<int>> coupled_sets(const Eigen::MatrixXd& P) {
  const auto n = static_cast<int>(P.rows());
  Eigen::MatrixXi reach = (P.array() != 0).cast<int>().matrix();
  reach.diagonal().setOnes();
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      if (reach(i, k) != 0) reach.row(i) = reach.row(i).cwiseMax(reach.row(k));
  std::vector<std::vector<int>> sets;
  std::vector<bool> taken(static_cast<std::size_t>(n), false);
  for (int i = 0; i < n; ++i) {
    if (taken[static_cast<std::size_t>(i)]) continue;
    sets.emplace_back();
    for (int j = i; j < n; ++j) {
      if (reach(i, j) == 0 || reach(j, i) == 0) continue;
      taken[static_cast<std::size_t>(j)] = true;
      sets.back().push_back(j);
    }
  }
  return sets;
}

// Springs of the whole from those of its blocks: witness `side` where a block has one, the unit springs elsewhere.
Witness assembled(const SpringProblem& p, const std::vector<std::vector<int>>& sets,
                  const std::vector<Stability>& parts, std::size_t side) {
  Eigen::VectorXd k = unit_stiffness(p.P);
  Eigen::VectorXd nu = k;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (parts[i].witnesses.size() != 2) continue;
    k(sets[i]) = parts[i].witnesses[side].stiffness;
    nu(sets[i]) = parts[i].witnesses[side].damping;
  }
  return {k, nu, spectrum(p, k, nu).growth.rate};
}

Stability block_by_block(const SpringProblem& p, const std::vector<std::vector<int>>& sets, int spectra) {
  std::vector<Stability> parts;
  for (const auto& set : sets) {
    const auto size = static_cast<Eigen::Index>(set.size());
    parts.push_back(stability_for_all(p.P(set, set), Eigen::MatrixXd::Identity(size, size), spectra));
  }
  constexpr const char* reason = "block by block: P is block triangular";
  const auto all_proved = [&](const std::string& verdict) {
    return std::all_of(parts.begin(), parts.end(),
                       [&](const Stability& s) { return s.verdict != verdict || s.proved; });
  };
  const auto any = [&](const std::string& verdict, bool proved) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const Stability& s) { return s.verdict == verdict && (s.proved || !proved); });
  };
  if (any("unstable", false)) return {"unstable", any("unstable", true), {}, reason};
  if (!any("depends", false)) return {"stable", all_proved("stable"), {}, reason};
  return {"depends", true, {assembled(p, sets, parts, 0), assembled(p, sets, parts, 1)}, reason};
}

// Whether a coefficient of the characteristic polynomial is ≤ 0 for all springs.
bool coefficient_never_positive(const std::vector<int>& signs, int m) {
  std::vector<bool> some_positive(static_cast<std::size_t>(m) + 1, false);
  for (Set set = 1; set < signs.size(); ++set)
    if (signs[set] > 0) some_positive[static_cast<std::size_t>(std::popcount(set))] = true;
  for (int j = 0; j < 2 * m; ++j) {
    const int first = m - j / 2;
    const int last = std::min(m, 2 * m - j);
    if (std::none_of(some_positive.begin() + first, some_positive.begin() + last + 1, [](bool x) { return x; }))
      return true;
  }
  return false;
}

Stability many_contacts(const SpringProblem& p, int spectra) {
  if (has_energy(p))
    return {"stable", true, {}, "P is symmetric and positive after a scaling of the contacts: energy falls"};
  const auto sets = coupled_sets(p.P);
  if (p.m() == p.n() && sets.size() > 1) return block_by_block(p, sets, spectra);
  std::optional<Witness> stable, unstable;
  if (p.n() <= most_listed) {
    const std::vector<int> signs = minor_signs(p);
    if (coefficient_never_positive(signs, p.m()))
      return {"unstable", true, {}, "a coefficient of the characteristic polynomial is never positive"};
    stable = stable_by_nest(p, signs);
    unstable = unstable_by_minor(p, signs);
    if (!unstable) unstable = unstable_by_resonance(p);
  }
  if (!stable) stable = search_springs(p, true, spectra);
  if (!unstable) unstable = search_springs(p, false, spectra);
  if (stable && unstable) return depends(*stable, *unstable, "springs of both kinds exist");
  if (stable) return {"stable", false, {}, "no unstable springs were found"};
  return {"unstable", false, {}, "no stable springs were found"};
}

}  // namespace

Stability stability_for_all(const Eigen::MatrixXd& P) {
  constexpr int spectra = 400;
  return stability_for_all(P, Eigen::MatrixXd::Identity(P.rows(), P.rows()), spectra);
}

Stability stability_for_all(const Eigen::MatrixXd& P, const Eigen::MatrixXd& gaps, int spectra) {
  if (gaps.cols() == 0) return {"stable", true, {}, "the contacts that stick hold every gap"};
  if (P.rows() == 1) return {P(0, 0) > 0 ? "stable" : "unstable", true, {}, "by the sign of p"};
  const SpringProblem p{P, gaps};
  return P.rows() == 2 && gaps.cols() == 2 ? two_contacts(p) : many_contacts(p, spectra);
}

}  // namespace painleve
