#include "painleve/complementarity/linear_solutions.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/linear_word.hpp"
#include "painleve/complementarity/polyhedron.hpp"
#include "painleve/complementarity/word_tree.hpp"
#include "painleve/contact/same_motion.hpp"

namespace painleve {
namespace {

// A contact of the tree: the columns are the edges of its friction cone (one when it slides), so that its force is
// inside the cone when they are not negative.
struct Branch {
  int contact;
  std::vector<ContactMode> letters;  // of its alternatives
};

class SystemBuilder {
 public:
  explicit SystemBuilder(const ContactProblem& problem) : p_(problem) {
    const auto count = static_cast<std::size_t>(p_.count());
    directions_.setZero(p_.W.rows(), 4 * p_.count());
    rows_.reserve(2 * count);
    contacts_.reserve(count);
    for (int i = 0; i < p_.count(); ++i)
      if (p_.law[static_cast<std::size_t>(i)] != Law::separated) add_variables(i);
    system.groups.reserve(count);
    branches.reserve(count);
    for (const auto& v : contacts_) add_alternatives(v);
    fill();
  }

  WordSystem system;
  std::vector<Branch> branches;

 private:
  struct Row {
    int index;
    bool non_negative;
  };
  struct Variables {
    int contact;
    ShortList<int, 2> push, pull;  // columns; of a cone with two edges first (μ, 1), then (−μ, 1)
    int w_n, w_t = -1;             // rows
  };

  // Along the slip, or, at rest, along t.
  int add_column(int i, double along, double normal) {
    auto d = directions_.col(columns_);
    auto tangent = d.segment(p_.tangent(i), p_.dimension - 1);
    if (p_.law[static_cast<std::size_t>(i)] == Law::resting) {
      tangent.setConstant(along);
    } else {
      tangent = along * p_.slip.col(i);
    }
    d(p_.normal(i)) = normal;
    return columns_++;
  }
  int add_row(int index, bool non_negative) {
    rows_.push_back({index, non_negative});
    return static_cast<int>(rows_.size()) - 1;
  }

  void add_variables(int i) {
    const auto at = static_cast<std::size_t>(i);
    Variables v;
    v.contact = i;
    const bool rests = p_.law[at] == Law::resting;
    const double mu = p_.mu(i);
    for (const double sign : {1.0, -1.0}) {
      if (sign < 0 && !p_.bilateral[at]) break;
      auto& list = sign > 0 ? v.push : v.pull;
      if (rests && mu > 0) list.push_back(add_column(i, sign * mu, sign));
      list.push_back(add_column(i, rests ? -sign * mu : -mu, sign));
    }
    v.w_n = add_row(p_.normal(i), !p_.bilateral[at]);
    if (rests) v.w_t = add_row(p_.tangent(i), false);
    contacts_.push_back(v);
  }

  void add_alternatives(const Variables& v) {
    auto letters = admissible_letters(p_, v.contact);
    // The piece with the most freedom of force comes first; the order decides nothing else.
    if (letters.front().letter == Letter::F) std::rotate(letters.begin(), letters.begin() + 1, letters.end());
    std::vector<Alternative> group;
    group.reserve(letters.size());
    for (const auto& letter : letters) group.push_back(alternative(v, letter));
    system.groups.push_back(std::move(group));
    branches.push_back({v.contact, std::move(letters)});
  }

  Alternative alternative(const Variables& v, const ContactMode& c) const {
    Alternative way;
    for (const auto* edges : {&v.push, &v.pull})
      for (const int column : *edges) way.own.push_back(column);
    const bool rests = v.w_t >= 0;
    const auto without = [&way](const auto& list) {
      for (const int column : list) way.roles.push_back({column, Fate::zero});
    };
    const auto row = [&](int w, Fate fate) { way.roles.push_back({columns_ + w, fate}); };
    const bool bilateral = p_.bilateral[static_cast<std::size_t>(v.contact)];
    if (c.letter == Letter::F) {
      without(way.own);
      row(v.w_n, Fate::positive);
      if (rests) row(v.w_t, Fate::idle);
      return way;
    }
    row(v.w_n, Fate::zero);
    if (bilateral) without(c.force_sign > 0 ? v.pull : v.push);
    if (!rests) return way;
    if (c.letter == Letter::T) {
      row(v.w_t, Fate::zero);
      return way;
    }
    // Friction opposes the slip: of the two edges, times the sign of the force, the one against it stays.
    const bool plus = c.direction(0) > 0;
    const auto& cone = c.force_sign > 0 ? v.push : v.pull;
    if (cone.size() == 2) without(std::array{cone[plus == (c.force_sign > 0) ? 0 : 1]});
    row(v.w_t, plus ? Fate::positive : Fate::negative);
    return way;
  }

  // The problem comes in units of each contact; the load is brought to one.
  void fill() {
    const auto n = static_cast<Eigen::Index>(rows_.size());
    system.T.resize(n, columns_);
    system.t.resize(n);
    system.signed_row.reserve(rows_.size());
    for (Eigen::Index i = 0; i < n; ++i) {
      const Row& row = rows_[static_cast<std::size_t>(i)];
      for (Eigen::Index j = 0; j < system.T.cols(); ++j) system.T(i, j) = p_.W.row(row.index).dot(directions_.col(j));
      system.t(i) = p_.q(row.index);
      system.signed_row.push_back(row.non_negative);
    }
    const double load = n > 0 ? system.t.cwiseAbs().maxCoeff() : 0;
    if (load > 0) system.t /= load;
  }

  const ContactProblem& p_;
  Eigen::MatrixXd directions_;  // of the columns, as forces
  int columns_ = 0;
  std::vector<Row> rows_;
  std::vector<Variables> contacts_;
};

// A unilateral contact without force is free, whatever the word that led to it.
void rename(const ContactProblem& p, double small, ContactSolution& s) {
  for (int i = 0; i < p.count(); ++i) {
    auto& c = s.contacts[static_cast<std::size_t>(i)];
    if (c.letter == Letter::F || p.bilateral[static_cast<std::size_t>(i)] || s.r(p.normal(i)) > small) continue;
    c = {Letter::F, Eigen::VectorXd::Zero(p.dimension - 1), 1};
    s.r.segment(p.tangent(i), p.dimension).setZero();
    s.boundary = true;
  }
  s.mode = word(s.contacts);
}

// Whether all of solution a belongs to the family of b, as the end of a family of slip belongs to stick as well.
bool belongs(const ContactProblem& p, const ContactSolution& a, const ContactSolution& b) {
  if (b.family.dimension <= a.family.dimension) return false;
  ContactSolutions only;
  only.solutions.push_back(b);
  const auto inside = [&](const Eigen::VectorXd& r) { return index_of(p, only, r, p.W * r + p.q, 1e-9) == 0; };
  if (!inside(a.r)) return false;
  if (a.family.dimension == 0) return true;
  const double far = scale(p).force;
  const auto recedes = [&](const Eigen::VectorXd& ray) {
    return inside(a.r + far * ray) && inside(a.r + 100 * far * ray);
  };
  return a.family.enumerated && std::all_of(a.family.vertices.begin(), a.family.vertices.end(), inside) &&
         std::all_of(a.family.rays.begin(), a.family.rays.end(), recedes);
}

// Whether some contact is so close to the end of its word that another word may have led to the same solution.
bool marginal(const ContactProblem& p, const ContactSolution& s) {
  constexpr double close = 1e-6;
  const ProblemScale unit = scale(p);
  for (int i = 0; i < p.count(); ++i) {
    const double r_n = std::abs(s.r(p.normal(i))) / unit.force;
    const double w_n = std::abs(s.w(p.normal(i))) / unit.motion;
    if (r_n < close && w_n < close) return true;
    if (p.dimension != 2 || p.law[static_cast<std::size_t>(i)] != Law::resting) continue;
    const double edge = std::abs(p.mu(i) * std::abs(s.r(p.normal(i))) - std::abs(s.r(p.tangent(i)))) / unit.force;
    if (edge < close && std::abs(s.w(p.tangent(i))) / unit.motion < close) return true;
  }
  return false;
}

// A contact under a large load does not hide what one beside it does.
bool is_known(const ContactProblem& p, const ContactSolution& s, const ContactSolutions& set) {
  const int nearest = index_of(p, set, s.r, s.w, 1e-9);
  if (nearest < 0) return false;
  const ContactSolution& other = set.solutions[static_cast<std::size_t>(nearest)];
  return other.family.dimension > 0 || same_motion(p.dimension, p.W, p.q, ContactMotion<Eigen::VectorXd>{s.w, s.r},
                                                   ContactMotion<Eigen::VectorXd>{other.w, other.r});
}

// Adds a solution unless it is known. Two families on one line are two pieces of it, as of a smooth bilateral contact
// that pushes or pulls.
void add(const ContactProblem& p, ContactSolution solution, ContactSolutions& set) {
  rename(p, 1e-12 * scale(p).force, solution);
  const bool family = solution.family.dimension > 0;
  if (family || !marginal(p, solution) || !is_known(p, solution, set)) set.solutions.push_back(std::move(solution));
}

// Drops what belongs to a larger family.
void drop_ends(const ContactProblem& p, std::vector<ContactSolution>& list) {
  std::vector<ContactSolution> families;
  std::copy_if(list.begin(), list.end(), std::back_inserter(families),
               [](const ContactSolution& s) { return s.family.dimension > 0; });
  const auto is_end = [&](const ContactSolution& s) {
    return std::any_of(families.begin(), families.end(), [&](const ContactSolution& f) { return belongs(p, s, f); });
  };
  list.erase(std::remove_if(list.begin(), list.end(), is_end), list.end());
}

}  // namespace

void restore(const ContactProblem& problem, const Eigen::VectorXd& factor, ContactSolution& solution) {
  solution.r.array() *= factor.array();
  solution.w.array() /= factor.array();
  restore(factor, solution.family);
  solution.residual = law_residual(problem, solution.r, solution.w);
}

ContactSolutions linear_solutions(const ContactProblem& problem, const EnumerationOptions& options) {
  const ScaledProblem units = scaled(problem);
  const ContactProblem& p = units.problem;
  const SystemBuilder builder(p);
  ContactSolutions set;
  std::vector<ContactMode> letters(static_cast<std::size_t>(p.count()),
                                   {Letter::F, Eigen::VectorXd::Zero(p.dimension - 1), 1});
  const auto leaf = [&](const std::vector<int>& choice) {
    for (std::size_t k = 0; k < choice.size(); ++k) {
      const Branch& branch = builder.branches[k];
      letters[static_cast<std::size_t>(branch.contact)] = branch.letters[static_cast<std::size_t>(choice[k])];
    }
    WordSolution s = solve_word(p, letters, Ends::pieces);
    if (s.consistent)
      add(p, {"", letters, s.boundary, std::move(*s.r), std::move(*s.w), std::move(s.family), s.residual}, set);
  };
  set.complete = visit_words(builder.system, options.most_nodes, set.work, leaf);
  if (!set.complete)
    set.incomplete_reason = fmt::format("the search was ended after {} nodes of the tree of words", set.work.nodes);
  drop_ends(p, set.solutions);
  for (auto& s : set.solutions) restore(problem, units.factor, s);
  return set;
}

}  // namespace painleve
