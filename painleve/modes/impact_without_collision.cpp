#include "painleve/modes/impact_without_collision.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <optional>

#include "painleve/base/rounding.hpp"
#include "painleve/complementarity/linear_feasibility.hpp"

namespace painleve {
namespace {

// What a word asks of the normal forces λ of its loaded contacts, and of the part y of the friction that sticking
// contacts may choose freely.
struct Demands {
  Eigen::MatrixXd P;         // of the loaded contacts
  Eigen::VectorXd sign;      // of their forces
  Eigen::MatrixXd positive;  // rows·λ > 0
  Eigen::MatrixXd cone;      // rows·(λ, y) ≥ 0
  Eigen::MatrixXd zero;      // rows·(λ, y) = 0: a frictionless contact that sticks
  Eigen::VectorXd stiffness, damping;
  Eigen::Index free = 0;    // size of y
  bool impossible = false;  // a bilateral contact marked F would move
};

void append(Eigen::MatrixXd& A, const Eigen::MatrixXd& rows) {
  const Eigen::Index before = A.rows();
  A.conservativeResize(before + rows.rows(), Eigen::NoChange);
  A.bottomRows(rows.rows()) = rows;
}

// Rows of length 1, whatever their units; rows of zeros say nothing.
Eigen::MatrixXd unit_rows(const Eigen::MatrixXd& A) {
  Eigen::MatrixXd kept(0, A.cols());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double length = A.row(i).norm();
    if (length > 0) append(kept, A.row(i) / length);
  }
  return kept;
}

// Whether some x makes the rows of `strict` positive, those of `cone` at least zero and those of `zero` zero.
bool feasible(const Eigen::MatrixXd& strict, const Eigen::MatrixXd& cone, const Eigen::MatrixXd& zero, double inside) {
  Eigen::MatrixXd A = strict;
  append(A, unit_rows(cone));
  const Eigen::MatrixXd fixed = unit_rows(zero);
  if (fixed.rows() > 0) {
    Eigen::FullPivLU<Eigen::MatrixXd> lu(fixed);
    lu.setThreshold(1e-9);
    if (lu.dimensionOfKernel() == 0) return false;
    const Eigen::MatrixXd within = lu.kernel().colwise().normalized();
    Eigen::MatrixXd kept = strict * within;
    append(kept, unit_rows(cone) * within);
    A = kept;
  }
  return deepest_point(A, Eigen::VectorXd::Zero(A.rows()), 1).depth > inside;
}

bool cone_test(const Demands& d) {
  const Eigen::Index n = d.P.rows();
  const Eigen::MatrixXd pressed = -(d.sign.asDiagonal() * d.P);
  Eigen::MatrixXd strict = pressed;
  append(strict, d.positive);
  // Most words fail here already: a row that no force of the right sign makes positive.
  const Eigen::MatrixXd by_size = strict * d.sign.asDiagonal();
  for (Eigen::Index i = 0; i < strict.rows(); ++i)
    if (by_size.row(i).maxCoeff() <= 0 && (i < n || by_size.row(i).minCoeff() < 0)) return false;
  if (n == 1 && d.cone.rows() + d.zero.rows() == 0) return true;
  append(strict, Eigen::MatrixXd(d.sign.asDiagonal()));
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(strict.rows(), n + d.free);
  A.leftCols(n) = strict;
  constexpr double inside = 1e-12;
  return feasible(unit_rows(A), d.cone, d.zero, inside);
}

// A row of length 1, or of zeros when it is only the rounding of what it is made of.
Eigen::RowVectorXd cleared(const Eigen::RowVectorXd& row, double made_of) {
  if (row.norm() <= 1e-9 * made_of) return Eigen::RowVectorXd::Zero(row.size());
  return row.normalized();
}

// Whether (s² + P (s ν + k)) v = 0 has a solution of the kind demanded. The solutions form a space, of more than one
// dimension when s is repeated, as for equal contacts that do not see each other.
bool has_ray(const Demands& d, double s) {
  const Eigen::Index n = d.P.rows();
  const Eigen::VectorXd force_per_v = s * d.damping + d.stiffness;
  const Eigen::MatrixXd response = d.P * force_per_v.asDiagonal();
  const Eigen::MatrixXd Z = s * s * Eigen::MatrixXd::Identity(n, n) + response;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(Z, Eigen::ComputeFullV);
  const double size = s * s + response.norm();
  Eigen::Index null = 0;  // a repeated eigenvalue is known to the square root of rounding only
  while (null < n && svd.singularValues()(n - 1 - null) <= 1e-7 * size) ++null;
  if (null == 0) return false;
  const Eigen::MatrixXd V = svd.matrixV().rightCols(null);
  const Eigen::MatrixXd forces = force_per_v.asDiagonal() * V;
  Eigen::MatrixXd strict = Eigen::MatrixXd::Zero(n, null + d.free);
  strict.leftCols(null) = d.sign.asDiagonal() * V;
  for (Eigen::Index i = 0; i < d.positive.rows(); ++i) {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(null + d.free);
    row.head(null) = d.positive.row(i) * forces;
    const double made_of = (d.positive.row(i).cwiseAbs() * forces.cwiseAbs()).norm();
    if (made_of > 0) append(strict, cleared(row, made_of));
  }
  const auto along = [&](const Eigen::MatrixXd& rows) {
    Eigen::MatrixXd result(0, null + d.free);
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      Eigen::RowVectorXd row(null + d.free);
      row << rows.row(i).head(n) * forces, rows.row(i).tail(d.free);
      append(result,
             cleared(row, (rows.row(i).head(n).cwiseAbs() * forces.cwiseAbs()).norm() + row.tail(d.free).norm()));
    }
    return result;
  };
  constexpr double inside = 1e-9;
  return feasible(strict, along(d.cone), along(d.zero), inside);
}

bool ray_test(const Demands& d) {
  const Eigen::Index n = d.P.rows();
  // s² = |P| (s ν + k) has one positive root, and any v of the right sign goes with it.
  if (n == 1 && d.cone.rows() + d.zero.rows() == 0) return d.P(0, 0) < 0 && std::max(d.stiffness(0), d.damping(0)) > 0;
  const Eigen::MatrixXd by_stiffness = d.P * d.stiffness.asDiagonal();
  const Eigen::MatrixXd by_damping = d.P * d.damping.asDiagonal();
  // In a unit of time in which the entries are at most 1: those of stiff springs would drown the others in rounding.
  const double rate = std::max(std::sqrt(by_stiffness.cwiseAbs().maxCoeff()), by_damping.cwiseAbs().maxCoeff());
  if (rate == 0) return false;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -by_stiffness / rate / rate;
  A.bottomRightCorner(n, n) = -by_damping / rate;
  const Eigen::VectorXcd eigenvalues = rate * A.eigenvalues();
  return std::any_of(eigenvalues.begin(), eigenvalues.end(), [&](const std::complex<double>& s) {
    // A repeated real pair may come out with an imaginary part of the square root of rounding.
    const bool real = s.real() > 0 && std::abs(s.imag()) <= 1e-7 * std::abs(s);
    return real && has_ray(d, s.real());
  });
}

ImpactWithoutCollision judged(const std::string& name, const Demands& d) {
  ImpactWithoutCollision result;
  result.name = name;
  result.necessary = !d.impossible && cone_test(d);
  result.possible = result.necessary && ray_test(d);
  if (result.possible) return result;
  result.reason = result.necessary
                      ? "no growing solution of the stiff dynamics has this pattern for this stiffness and damping"
                      : "no normal forces press in the contacts marked I and lift the others";
  return result;
}

// What a contact may do, F first.
struct Choice {
  std::string name;
  ContactMode mode;
  bool slips_already = false;
  bool jams = false;  // F of a contact that slips with p ≤ 0: left to itself it would jam as well
};
std::vector<Choice> choices(const ContactSpace& s, int i, Touch touch) {
  const Eigen::Index tangents = s.dimension - 1;
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(tangents);
  std::vector<Choice> list{{"F", {Letter::F, still, 1}, false, false}};
  if (touch == Touch::slipping) {
    const Eigen::VectorXd e = s.u.segment(s.tangent(i), tangents).normalized();
    const bool bilateral = s.bilateral[static_cast<std::size_t>(i)];
    list[0].jams = fast_matrix(subset(s, {i}), {{Letter::S, e, 1}})(0, 0) <= 0;
    list.push_back({bilateral ? "I+" : "I", {Letter::S, e, 1}, true, false});
    if (bilateral) list.push_back({"I-", {Letter::S, e, -1}, true, false});
  } else if (touch == Touch::resting) {
    list.push_back({"T", {Letter::T, still, 1}, false, false});
    list.push_back({"S+", {Letter::S, Eigen::VectorXd::Ones(1), 1}, false, false});
    list.push_back({"S-", {Letter::S, -Eigen::VectorXd::Ones(1), 1}, false, false});
  }
  return list;
}

// Friction that sticking contacts may add without moving anything: directions in which W_tt does not respond.
Eigen::MatrixXd free_friction(const ContactSpace& s, const std::vector<int>& stuck) {
  if (stuck.empty()) return Eigen::MatrixXd(0, 0);
  const Eigen::MatrixXd W_tt = s.W(stuck, stuck);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(W_tt);
  constexpr double redundant = 1e-10;
  const auto none = (eigen.eigenvalues().array() <= redundant * W_tt.cwiseAbs().maxCoeff()).count();
  return eigen.eigenvectors().leftCols(none);
}

// A word with what its forces do: columns per normal force of the loaded contacts.
struct Response {
  Eigen::MatrixXd force, acceleration;
  Eigen::MatrixXd free_friction;  // a row per sticking contact
};

// What contact i demands, its normal force being number `loaded` and its friction number `held` of those that stick.
void add_demands(const ContactSpace& s, int i, const Choice& c, const Response& r, Eigen::Index loaded,
                 Eigen::Index held, Demands& d) {
  const Eigen::Index n = d.P.rows();
  const auto lift = r.acceleration.row(s.normal(i));
  if (c.mode.letter == Letter::F && s.bilateral[static_cast<std::size_t>(i)]) {
    d.impossible = d.impossible || lift.cwiseAbs().maxCoeff() > 0;
  } else if (c.mode.letter == Letter::F) {
    append(d.positive, lift);
    d.impossible = d.impossible || (c.jams && lift.isZero(0));
  } else if (c.mode.letter == Letter::S && !c.slips_already) {
    append(d.positive, c.mode.direction(0) * r.acceleration.row(s.tangent(i)));
  } else if (c.mode.letter == Letter::T) {
    Eigen::RowVectorXd friction(n + d.free);
    friction << r.force.row(s.tangent(i)), r.free_friction.row(held);
    const Eigen::RowVectorXd limit = s.mu(i) * Eigen::RowVectorXd::Unit(n + d.free, loaded);
    append(s.mu(i) == 0 ? d.zero : d.cone, limit - friction);
    append(s.mu(i) == 0 ? d.zero : d.cone, limit + friction);
  }
}

Demands demands(const ContactSpace& s, const std::vector<Touch>& touches, const std::vector<Choice>& word,
                const Eigen::VectorXd& stiffness, const Eigen::VectorXd& damping) {
  std::vector<ContactMode> modes;
  std::vector<int> active, stuck;
  for (int i = 0; i < s.count(); ++i) {
    const ContactMode& mode = word[static_cast<std::size_t>(i)].mode;
    modes.push_back(mode);
    if (mode.letter != Letter::F) active.push_back(i);
    if (mode.letter == Letter::T) stuck.push_back(s.tangent(i));
  }
  Response r;
  r.force = force_per_normal(s, modes);
  r.acceleration = (s.W * r.force).binaryExpr(s.W.cwiseAbs() * r.force.cwiseAbs(), &or_zero);
  r.free_friction = free_friction(s, stuck);
  Demands d;
  d.P = fast_matrix(s, modes);
  d.stiffness = stiffness(active);
  d.damping = damping(active);
  d.free = r.free_friction.cols();
  d.sign.resize(d.P.rows());
  d.positive.resize(0, d.P.rows());
  d.cone.resize(0, d.P.rows() + d.free);
  d.zero.resize(0, d.P.rows() + d.free);
  Eigen::Index loaded = 0;
  Eigen::Index held = 0;
  for (int i = 0; i < s.count(); ++i) {
    const Choice& c = word[static_cast<std::size_t>(i)];
    if (touches[static_cast<std::size_t>(i)] != Touch::separating) add_demands(s, i, c, r, loaded, held, d);
    if (c.mode.letter != Letter::F) d.sign(loaded++) = c.mode.force_sign;
    if (c.mode.letter == Letter::T) ++held;
  }
  return d;
}

// The words over {I, F} of contacts that slip share one matrix; 2ⁿ − 1 of them.
std::vector<int> marked(unsigned word, int n, bool wanted) {
  std::vector<int> list;
  for (int i = 0; i < n; ++i)
    if (((word >> static_cast<unsigned>(n - 1 - i) & 1U) != 0) == wanted) list.push_back(i);
  return list;
}

std::string undecided(const ContactSpace& s, const std::vector<Touch>& touches, std::size_t words) {
  const auto rests = [&](bool bilateral) {
    for (std::size_t i = 0; i < touches.size(); ++i)
      if (touches[i] == Touch::resting && (s.bilateral[i] || !bilateral)) return true;
    return false;
  };
  if (s.dimension == 3 && rests(false))
    return "impact without collision is not decided for spatial contacts at rest beside slipping ones";
  if (rests(true)) return "impact without collision is not decided for bilateral contacts at rest beside slipping ones";
  constexpr std::size_t most_words = 1U << 16U;
  if (words > most_words) return fmt::format("impact without collision would need {} words", words);
  return {};
}

// P of contacts that all slip and cannot pull: their words need no more.
std::optional<Eigen::MatrixXd> slip_matrix(const ContactSpace& s, const std::vector<Touch>& touches) {
  constexpr int most = 16;  // contacts
  if (s.count() > most) return std::nullopt;
  std::vector<ContactMode> modes;
  for (int i = 0; i < s.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (touches[at] != Touch::slipping || s.bilateral[at]) return std::nullopt;
    modes.push_back({Letter::S, s.u.segment(s.tangent(i), s.dimension - 1).normalized(), 1});
  }
  return fast_matrix(s, modes);
}

}  // namespace

std::vector<ImpactWithoutCollision> impacts_without_collision(const Eigen::MatrixXd& P,
                                                              const Eigen::VectorXd& stiffness,
                                                              const Eigen::VectorXd& damping) {
  const auto n = static_cast<int>(P.rows());
  std::vector<ImpactWithoutCollision> list;
  for (unsigned word = 1; word < (1U << static_cast<unsigned>(n)); ++word) {
    const auto impact = marked(word, n, true);
    const auto lift = marked(word, n, false);
    std::string name(static_cast<std::size_t>(n), 'F');
    for (const int i : impact) name[static_cast<std::size_t>(i)] = 'I';
    Demands d;
    d.P = P(impact, impact);
    d.sign = Eigen::VectorXd::Ones(d.P.rows());
    d.positive = P(lift, impact);
    for (std::size_t k = 0; k < lift.size(); ++k)
      d.impossible =
          d.impossible || (P(lift[k], lift[k]) <= 0 && d.positive.row(static_cast<Eigen::Index>(k)).isZero(0));
    d.cone.resize(0, d.P.cols());
    d.zero.resize(0, d.P.cols());
    d.stiffness = stiffness(impact);
    d.damping = damping(impact);
    list.push_back(judged(name, d));
  }
  return list;
}

ImpactWords impacts_without_collision(const ContactSpace& closed, const std::vector<Touch>& touches,
                                      const Eigen::VectorXd& stiffness, const Eigen::VectorXd& damping) {
  ImpactWords result;
  if (std::find(touches.begin(), touches.end(), Touch::slipping) == touches.end()) return result;
  if (const auto P = slip_matrix(closed, touches)) {
    result.words = impacts_without_collision(*P, stiffness, damping);
    return result;
  }
  std::vector<std::vector<Choice>> all;
  std::size_t count = 1;
  for (int i = 0; i < closed.count(); ++i) {
    all.push_back(choices(closed, i, touches[static_cast<std::size_t>(i)]));
    count *= all.back().size();
  }
  result.reason = undecided(closed, touches, count);
  if (!result.reason.empty()) return result;
  for (std::size_t number = 0; number < count; ++number) {  // the last contact changes fastest
    std::vector<Choice> word(all.size());
    std::size_t rest = number;
    for (std::size_t i = all.size(); i-- > 0; rest /= all[i].size()) word[i] = all[i][rest % all[i].size()];
    if (std::none_of(word.begin(), word.end(), [](const Choice& c) { return c.slips_already; })) continue;
    const std::string name = std::accumulate(word.begin(), word.end(), std::string(),
                                             [](const std::string& a, const Choice& c) { return a + c.name; });
    result.words.push_back(judged(name, demands(closed, touches, word, stiffness, damping)));
  }
  return result;
}

}  // namespace painleve
