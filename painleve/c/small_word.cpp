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

// One inequality of a word, row·x + offset ≥ 0, or > 0 when strict.
struct Conditions {
  Rows row;
  Values offset;
  bool strict[most_conditions] = {};
  bool is_force[most_conditions] = {};
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

void add(Conditions& c, const Row& row, double offset, bool strict, bool is_force) {
  c.row.row(c.count) = row;
  c.offset(c.count) = offset;
  c.strict[c.count] = strict;
  c.is_force[c.count++] = is_force;
}

void add_conditions(Word& word, const Matrix& w, int i, Ends ends) {
  const Problem& p = word.problem;
  const Letter& letter = word.letter[i];
  const int t = Problem::tangent(i);
  const int n = Problem::normal(i);
  Conditions& c = word.conditions;
  if (letter.kind == Kind::F) {
    // A contact that moves away does not sink in, whatever its acceleration.
    if (p.law[i] != Law::separated) add(c, w.row(n), p.q(n), ends == Ends::pieces, false);
    return;
  }
  // A bilateral contact without force is listed once, with the sign +1.
  const bool strict = p.bilateral[i] ? letter.sign < 0 : ends == Ends::modes;
  add(c, letter.sign * word.E.row(n), 0, strict, true);
  if (letter.kind == Kind::T) {
    for (const double side : {1.0, -1.0})
      add(c, p.mu[i] * letter.sign * word.E.row(n) - side * word.E.row(t), 0, false, true);
  } else if (p.law[i] == Law::resting) {
    add(c, letter.slip * w.row(t), letter.slip * p.q(t), true, false);
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

Word make_word(const Problem& p, const Letter* letter, Ends ends) {
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
  for (int i = 0; i < p.count; ++i) add_conditions(word, w, i, ends);
  word.conditions.row.conservativeResize(word.conditions.count, columns);
  word.conditions.offset.conservativeResize(word.conditions.count);
  return word;
}

// Whether all conditions hold; marks a contact that neither carries force nor lifts.
void judge(const Word& word, const Vector& x, WordSolution& solution) {
  solution.consistent = true;
  const Conditions& c = word.conditions;
  const double largest = x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0;
  for (int i = 0; i < c.count; ++i) {
    const double value = x.size() > 0 ? c.row.row(i).dot(x) + c.offset(i) : c.offset(i);
    const double terms = x.size() > 0 ? c.row.row(i).cwiseAbs().maxCoeff() * largest : 0;
    const double small = c.is_force[i] ? zero * word.scale.force : zero * word.scale.motion + rounding * terms;
    if (c.strict[i] ? value <= small : value < -small) {
      solution.consistent = false;
      return;
    }
    if (!c.is_force[i] && !c.strict[i] && std::abs(value) <= small) solution.boundary = true;
  }
}

void set_solution(const Word& word, const Vector& x, WordSolution& solution) {
  const Problem& p = word.problem;
  solution.r = word.E.lazyProduct(x);
  solution.w = p.W.lazyProduct(solution.r) + p.q;
  for (int k = 0; k < word.zeros; ++k) solution.w(word.zero_rows[k]) = 0;
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
  judge(word, x, solution);
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
    judge(word, Vector(0), solution);
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
    judge(word, x, solution);
    set_solution(word, x, solution);
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
