#include "painleve/c/detail/small_word.hpp"

#include <algorithm>
#include <cmath>

#include "painleve/c/detail/full_pivot.hpp"

namespace painleve::small {
namespace {

// Forces and motions of a word are sums and quotients of given numbers; below this part of the largest they are zero.
constexpr double zero = 1e-12;
// What is left of sixteen digits when a motion is the small difference of the parts that large forces make.
constexpr double rounding = 4e-15;

// What row·x + offset must be for a condition to hold.
enum class Sense { non_negative, positive, vanishing };

struct Conditions {
  Rows row;
  Values offset;
  Sense sense[most_conditions] = {};
  bool is_force[most_conditions] = {};
  int cone_of[most_conditions] = {};  // the contact whose friction cone it is; −1: none
  bool lift[most_conditions] = {};    // of a free contact
  int count = 0;
};

struct Word {
  const Problem& problem;
  const Letter* letter;
  Scale scale;
  Matrix E, A;
  Vector rhs;
  int zero_rows[most_rows] = {};  // of w, set to zero
  int zeros = 0;
  Conditions conditions;
};

using Row = Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, most_rows>;

void add(Conditions& c, const Row& row, double offset, Sense sense, bool is_force, int cone_of = -1,
         bool lift = false) {
  c.row.row(c.count) = row;
  c.offset(c.count) = offset;
  c.sense[c.count] = sense;
  c.cone_of[c.count] = cone_of;
  c.lift[c.count] = lift;
  c.is_force[c.count++] = is_force;
}

// `edge`: a contact that slips does so without acceleration.
void add_conditions(Word& word, const Matrix& w, int i, Ends ends, bool edge) {
  const Problem& p = word.problem;
  const Letter& letter = word.letter[i];
  const int t = Problem::tangent(i);
  const int n = Problem::normal(i);
  Conditions& c = word.conditions;
  if (letter.kind == Kind::F) {
    // A contact that moves away does not sink in, whatever its acceleration.
    if (p.law[i] != Law::separated)
      add(c, w.row(n), p.q(n), ends == Ends::pieces ? Sense::positive : Sense::non_negative, false, -1, true);
    return;
  }
  // A bilateral contact without force is listed once, with the sign +1.
  const bool strict = p.bilateral[i] ? letter.sign < 0 : ends == Ends::modes;
  add(c, letter.sign * word.E.row(n), 0, strict ? Sense::positive : Sense::non_negative, true);
  if (letter.kind == Kind::T) {
    for (const double side : {1.0, -1.0})
      add(c, p.mu[i] * letter.sign * word.E.row(n) - side * word.E.row(t), 0, Sense::non_negative, true, i);
  } else if (p.law[i] == Law::resting) {
    add(c, letter.slip * w.row(t), letter.slip * p.q(t), edge ? Sense::vanishing : Sense::positive, false);
  }
}

void add_unknowns(Word& word, int i, Eigen::Index& columns) {
  const Letter& letter = word.letter[i];
  if (letter.kind == Kind::F) return;
  const int t = Problem::tangent(i);
  const int n = Problem::normal(i);
  word.zero_rows[word.zeros++] = n;
  word.E(n, columns) = 1;
  if (letter.kind == Kind::S) word.E(t, columns) = -word.problem.mu[i] * letter.sign * letter.slip;
  ++columns;
  if (letter.kind != Kind::T) return;
  word.zero_rows[word.zeros++] = t;
  word.E(t, columns++) = 1;
}

// `edges`: contacts that slip without acceleration; null: no contact does.
Word make_word(const Problem& p, const Letter* letter, Ends ends, const bool* edges = nullptr) {
  Word word{p, letter, scale(p), Matrix::Zero(p.W.rows(), p.W.rows()), {}, {}, {}, 0, {}};
  Eigen::Index columns = 0;
  for (int i = 0; i < p.count; ++i) add_unknowns(word, i, columns);
  word.E.conservativeResize(p.W.rows(), columns);
  const Matrix w = p.W.lazyProduct(word.E);
  word.A.resize(word.zeros, columns);
  word.rhs.resize(word.zeros);
  for (int k = 0; k < word.zeros; ++k) {
    word.A.row(k) = w.row(word.zero_rows[k]);
    word.rhs(k) = -p.q(word.zero_rows[k]);
  }
  word.conditions.row.setZero(most_conditions, columns);
  word.conditions.offset.setZero(most_conditions);
  for (int i = 0; i < p.count; ++i) add_conditions(word, w, i, ends, edges != nullptr && edges[i]);
  word.conditions.row.conservativeResize(word.conditions.count, columns);
  word.conditions.offset.conservativeResize(word.conditions.count);
  return word;
}

bool holds(Sense sense, double value, double small) {
  constexpr double at_edges = 10;  // contacts at the edges of their cones act on each other
  if (sense == Sense::vanishing) return std::abs(value) <= at_edges * small;
  return sense == Sense::positive ? value > small : value >= -small;
}

// Whether all conditions hold; marks a contact that neither carries force nor lifts. Of a single solution any lift
// counts: see linear_word.cpp.
void judge(const Word& word, const Vector& x, bool single, WordSolution& solution) {
  solution.consistent = true;
  const Conditions& c = word.conditions;
  const double largest = x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0;
  for (int i = 0; i < c.count; ++i) {
    const double value = x.size() > 0 ? c.row.row(i).dot(x) + c.offset(i) : c.offset(i);
    const double terms = x.size() > 0 ? c.row.row(i).cwiseAbs().maxCoeff() * largest : 0;
    const double small = c.is_force[i] ? zero * word.scale.force : zero * word.scale.motion + rounding * terms;
    const bool any_lift = single && c.lift[i] && c.sense[i] == Sense::positive;
    if (!holds(c.sense[i], value, any_lift ? 0 : small)) {
      solution.consistent = false;
      return;
    }
    if (!c.is_force[i] && c.sense[i] == Sense::non_negative && std::abs(value) <= small) solution.boundary = true;
  }
}

void set_solution(const Word& word, const Vector& x, WordSolution& solution) {
  const Problem& p = word.problem;
  solution.r = word.E.lazyProduct(x);
  solution.w = p.W.lazyProduct(solution.r) + p.q;
  for (int k = 0; k < word.zeros; ++k) solution.w(word.zero_rows[k]) = 0;
}

// The contacts that x carries out of their friction cones, by no more than a response that is nearly singular may have
// done, slip along that edge from here on. False if there are none.
bool move_to_edges(const Word& word, const Vector& x, Letter* letter, bool* edges) {
  constexpr double close = 1e-3;
  const Problem& p = word.problem;
  const Conditions& c = word.conditions;
  const double most = close * x.cwiseAbs().maxCoeff();
  bool any = false;
  for (int k = 0; k < c.count; ++k) {
    const int i = c.cone_of[k];
    if (i < 0) continue;
    const double value = c.row.row(k).dot(x);
    if (value >= -zero * word.scale.force) continue;
    if (value < -most * (1 + p.mu[i])) return false;
    const double r_t = word.E.row(Problem::tangent(i)).dot(x);
    letter[i].kind = Kind::S;
    letter[i].slip = r_t > 0 ? -1 : 1;
    edges[i] = any = true;
  }
  return any;
}

// Stick at the edge of the friction cone, by the slip that has no acceleration: see linear_word.cpp.
void try_edges(const Word& word, const Vector& x, Ends ends, WordSolution& solution) {
  const Problem& p = word.problem;
  Letter letter[most_contacts];
  std::copy_n(word.letter, p.count, letter);
  bool edges[most_contacts] = {};
  if (!move_to_edges(word, x, letter, edges)) return;
  for (int round = 0; round < p.count; ++round) {
    const Word edge = make_word(p, letter, ends, edges);
    const Vector along = FullPivot<Matrix>(edge.A, zero).solve(edge.rhs);
    if (!along.allFinite()) return;
    const Vector error = edge.A.lazyProduct(along) - edge.rhs;
    if (error.cwiseAbs().maxCoeff() > 1e-10 * word.scale.motion) return;
    WordSolution found = solution;
    judge(edge, along, true, found);
    if (found.consistent) {
      set_solution(edge, along, found);
      for (int k = 0; k < word.zeros; ++k) found.w(word.zero_rows[k]) = 0;
      solution = found;
      return;
    }
    Letter next[most_contacts];
    std::copy_n(letter, p.count, next);
    if (!move_to_edges(edge, along, next, edges)) return;
    std::copy_n(next, p.count, letter);
  }
}

// Columns made orthonormal, by Gram and Schmidt done twice.
Matrix orthonormal(Matrix columns) {
  for (Eigen::Index k = 0; k < columns.cols(); ++k) {
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index j = 0; j < k; ++j) columns.col(k) -= columns.col(j).dot(columns.col(k)) * columns.col(j);
    columns.col(k).normalize();
  }
  return columns;
}

int motion_rank(const Problem& p, const Matrix& directions) {
  const Matrix motion = p.W.lazyProduct(directions);
  if (motion.norm() <= zero * p.W.norm()) return 0;
  return FullPivot<Matrix>(motion, 1e-10).rank();
}

// Forces of the size of the problem are preferred to larger ones, as long as the box that limits them does not cut the
// region to its edge; boxes in units of the scale of forces.
Interior interior_point(const Rows& G, const Values& h) {
  Interior inside;
  for (const double box : {10.0, 1e2, 1e3, 1e6}) {
    inside = relative_interior(G, h, box);
    if (inside.depth <= zero) continue;
    if (inside.y.cwiseAbs().maxCoeff() < box * (1 - 1e-9)) break;
    const Interior wider = relative_interior(G, h, 2 * box);
    if (wider.directions.cols() > inside.directions.cols()) inside = wider;
    break;
  }
  return inside;
}

// The equations leave forces undetermined: x = x0 + N y. Looks for y that satisfies all conditions.
void solve_family(const Word& word, const Vector& x0, const Matrix& N, WordSolution& solution) {
  const Conditions& c = word.conditions;
  const double force = word.scale.force;
  Rows G(c.count, N.cols());
  Values h(c.count);
  for (int i = 0; i < c.count; ++i) {
    const double unit = c.is_force[i] ? force : word.scale.motion;
    G.row(i) = c.row.row(i).lazyProduct(N) * (force / unit);
    h(i) = (c.row.row(i).dot(x0) + c.offset(i)) / unit;
  }
  const Interior inside = interior_point(G, h);
  const Vector x = x0 + N.lazyProduct(inside.y) * force;
  judge(word, x, false, solution);
  if (solution.consistent && inside.directions.cols() > 0) {
    const Matrix along = N.lazyProduct(inside.directions);
    solution.directions = orthonormal(word.E.lazyProduct(along));
    solution.motion_dimension = motion_rank(word.problem, solution.directions);
  }
  set_solution(word, x, solution);
}

double largest_mu(const Problem& p) { return p.count == 2 ? std::max(p.mu[0], p.mu[1]) : p.mu[0]; }

// Values of the word's conditions at r, its equations among them as distances, which are never positive.
struct Slack {
  double force = 0, motion = 0;  // the worst; negative where broken
};
Slack slack(const Problem& p, int i, const Letter& letter, const Vector& r, const Vector& w) {
  const double r_t = r(Problem::tangent(i));
  const double r_n = r(Problem::normal(i));
  const double w_t = w(Problem::tangent(i));
  const double w_n = w(Problem::normal(i));
  if (letter.kind == Kind::F) return {-std::hypot(r_t, r_n), p.law[i] == Law::separated ? 0 : std::min(w_n, 0.0)};
  const double push = std::min(letter.sign * r_n, 0.0);
  const double limit = p.mu[i] * letter.sign * r_n;
  if (letter.kind == Kind::T) return {std::min(push, limit - std::abs(r_t)), -std::max(std::abs(w_n), std::abs(w_t))};
  const double along = p.law[i] == Law::resting ? std::min(letter.slip * w_t, 0.0) : 0;
  return {std::min(push, -std::abs(r_t + limit * letter.slip)), std::min(along, -std::abs(w_n))};
}

}  // namespace

Letters admissible_letters(const Problem& p, int i) {
  Letters list;
  const auto add_letter = [&list](Kind kind, double slip, double sign) {
    list.letter[list.count++] = {kind, slip, sign};
  };
  if (!p.bilateral[i]) add_letter(Kind::F, 0, 1);
  if (p.law[i] == Law::separated) return list;
  for (const double sign : {1.0, -1.0}) {
    if (sign < 0 && !p.bilateral[i]) break;
    if (p.law[i] == Law::sliding) {
      add_letter(Kind::S, p.slip[i], sign);
      continue;
    }
    add_letter(Kind::T, 0, sign);
    add_letter(Kind::S, 1, sign);
    add_letter(Kind::S, -1, sign);
  }
  return list;
}

WordSolution solve_word(const Problem& problem, const Letter letter[most_contacts], Ends ends) {
  const Word word = make_word(problem, letter, ends);
  WordSolution solution;
  for (int i = 0; i < problem.count; ++i) solution.letter[i] = letter[i];
  solution.directions.resize(problem.W.rows(), 0);
  if (word.zeros == 0) {
    solution.r = Vector::Zero(problem.q.size());
    judge(word, Vector(0), true, solution);
    solution.w = problem.q;
    return solution;
  }
  const double size = problem.W.cwiseAbs().maxCoeff() * (1 + largest_mu(problem));
  Matrix A = word.A;
  if (A.cwiseAbs().maxCoeff() <= zero * size) A.setZero();  // only rounding is left
  const FullPivot<Matrix> lu(A, zero);
  const Vector x = lu.solve(word.rhs);
  // Near a threshold x is large, and the rounding of A x with it.
  const double allowed = 1e-10 * word.scale.motion + 1e-13 * A.cwiseAbs().maxCoeff() * x.cwiseAbs().maxCoeff();
  const Vector error = A.lazyProduct(x) - word.rhs;
  if (!x.allFinite() || error.cwiseAbs().maxCoeff() > allowed) return solution;
  if (lu.rank() == A.cols()) {
    judge(word, x, true, solution);
    set_solution(word, x, solution);
    if (!solution.consistent) try_edges(word, x, ends, solution);
    return solution;
  }
  solve_family(word, x, lu.kernel(), solution);
  return solution;
}

bool satisfies(const Problem& p, const Letter letter[most_contacts], const Vector& r, double tolerance) {
  const Vector w = p.W.lazyProduct(r) + p.q;
  const Scale unit = scale(p);
  const double force = std::max(unit.force, r.norm());
  const double motion = std::max(unit.motion, w.norm());
  for (int i = 0; i < p.count; ++i) {
    const Slack s = slack(p, i, letter[i], r, w);
    if (s.force < -tolerance * force || s.motion < -tolerance * motion) return false;
  }
  return true;
}

}  // namespace painleve::small
