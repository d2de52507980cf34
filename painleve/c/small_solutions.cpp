#include "painleve/c/detail/small_solutions.hpp"

#include <algorithm>
#include <cmath>

#include "painleve/contact/same_motion.hpp"

namespace painleve::small {
namespace {

constexpr double same = 1e-9;

// The letters of a contact; one without meaning for a contact that is not there. The piece with the most freedom of
// force comes first, F last: where two pieces meet, the first one names the solution.
Letters letters_of(const Problem& p, int i, Ends ends) {
  Letters list;
  list.count = 1;
  if (i < p.count) list = admissible_letters(p, i);
  if (ends == Ends::pieces && list.letter[0].kind == Kind::F)
    std::rotate(list.letter, list.letter + 1, list.letter + list.count);
  return list;
}

template <class Use>
void for_each_word(const Problem& p, Ends ends, const Use& use) {
  Letter word[most_contacts];
  const Letters first = letters_of(p, 0, ends);
  const Letters second = letters_of(p, 1, ends);
  for (int i = 0; i < first.count; ++i) {
    for (int j = 0; j < second.count; ++j) {
      word[0] = first.letter[i];
      word[1] = second.letter[j];
      use(word);
    }
  }
}

void restore(const Scaled& units, WordSolution& s) {
  s.r = s.r.cwiseProduct(units.factor).eval();
  s.w = s.w.cwiseQuotient(units.factor).eval();
}

bool same_name(const Problem& p, const WordSolution& a, const WordSolution& b) {
  for (int i = 0; i < p.count; ++i)
    if (a.letter[i].kind != b.letter[i].kind || a.letter[i].slip != b.letter[i].slip) return false;
  return true;
}

// Two consistent words of one name are one mode when they have one motion and forces that agree or belong to a family.
bool same_mode(const Scale& unit, const WordSolution& a, const WordSolution& b) {
  const bool motion = (a.w - b.w).norm() <= same * std::max({a.w.norm(), b.w.norm(), unit.motion});
  const bool family = a.family_dimension() > 0 || b.family_dimension() > 0;
  return motion && (family || (a.r - b.r).norm() <= same * std::max(a.r.norm(), unit.force));
}

// A bilateral contact is tried with both signs of its force: each mode is kept once, with its largest family.
void keep_mode(const Problem& p, const WordSolution& s, Solutions& found) {
  const Scale unit = scale(p);
  for (int k = 0; k < found.count; ++k) {
    WordSolution& known = found.solution[k];
    if (!same_name(p, known, s) || !same_mode(unit, known, s)) continue;
    if (s.family_dimension() > known.family_dimension()) known = s;
    return;
  }
  found.solution[found.count++] = s;
}

// A unilateral contact without force is free, whatever the word that led to it.
void rename(const Problem& p, WordSolution& s) {
  const double small = 1e-12 * scale(p).force;
  for (int i = 0; i < p.count; ++i) {
    if (s.letter[i].kind == Kind::F || p.bilateral[i] || s.r(Problem::normal(i)) > small) continue;
    s.letter[i] = {};
    s.r(Problem::tangent(i)) = s.r(Problem::normal(i)) = 0;
    s.boundary = true;
  }
}

// Whether some contact is so close to the end of its word that another word may have led to the same solution.
bool marginal(const Problem& p, const WordSolution& s) {
  constexpr double close = 1e-6;
  const Scale unit = scale(p);
  for (int i = 0; i < p.count; ++i) {
    const double r_n = std::abs(s.r(Problem::normal(i)));
    if (r_n / unit.force < close && std::abs(s.w(Problem::normal(i))) / unit.motion < close) return true;
    if (p.law[i] != Law::resting) continue;
    const double edge = std::abs(p.mu[i] * r_n - std::abs(s.r(Problem::tangent(i)))) / unit.force;
    if (edge < close && std::abs(s.w(Problem::tangent(i))) / unit.motion < close) return true;
  }
  return false;
}

// Whether s is one of the solutions found, or lies in a family of them.
bool known(const Problem& p, const WordSolution& s, const Solutions& found) {
  const double load = scale(p).motion;  // of responses of order one: also the size of forces
  for (int k = 0; k < found.count; ++k) {
    const WordSolution& o = found.solution[k];
    if (o.family_dimension() > 0) {
      if (satisfies(p, o.letter, s.r, same)) return true;
      continue;
    }
    const bool force = (s.r - o.r).norm() <= same * std::max(load, o.r.norm());
    if (force && same_motion(2, p.W, p.q, ContactMotion<Vector>{s.w, s.r}, ContactMotion<Vector>{o.w, o.r}))
      return true;
  }
  return false;
}

void keep_piece(const Problem& p, WordSolution s, Solutions& found) {
  rename(p, s);
  if (s.family_dimension() > 0 || !marginal(p, s) || !known(p, s, found)) found.solution[found.count++] = s;
}

// How far the piece extends from r along d, up to `far`: bisection on its own closed conditions, which are convex.
double reach(const Problem& p, const WordSolution& s, const Vector& d, double far) {
  constexpr double inside = 1e-12;
  if (satisfies(p, s.letter, s.r + far * d, inside)) return far;
  double low = 0;
  double high = far;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (satisfies(p, s.letter, s.r + middle * d, inside) ? low : high) = middle;
  }
  return low;
}

// Whether all of piece a belongs to the family b, as the end of a family of slip belongs to stick as well.
bool belongs(const Problem& p, const WordSolution& a, const WordSolution& b) {
  if (b.family_dimension() <= a.family_dimension() || !satisfies(p, b.letter, a.r, same)) return false;
  const double far = 100 * scale(p).force;
  for (Eigen::Index k = 0; k < a.directions.cols(); ++k) {
    for (const double side : {1.0, -1.0}) {
      const Vector d = side * a.directions.col(k);
      if (!satisfies(p, b.letter, a.r + reach(p, a, d, far) * d, same)) return false;
    }
  }
  return true;
}

// Drops what belongs to a larger family.
void drop_ends(const Problem& p, Solutions& found) {
  bool drop[most_solutions] = {};
  for (int i = 0; i < found.count; ++i)
    for (int j = 0; j < found.count; ++j)
      drop[i] = drop[i] || (i != j && belongs(p, found.solution[i], found.solution[j]));
  int kept = 0;
  for (int i = 0; i < found.count; ++i) {
    if (drop[i]) continue;
    if (kept != i) found.solution[kept] = found.solution[i];
    ++kept;
  }
  found.count = kept;
}

// By insertion: stable, and without the storage that std::stable_sort takes.
void sort_by_force(Solutions& found) {
  for (int i = 1; i < found.count; ++i)
    for (int j = i; j > 0 && found.solution[j].r.norm() < found.solution[j - 1].r.norm(); --j)
      std::swap(found.solution[j], found.solution[j - 1]);
}

}  // namespace

void consistent_modes(const Problem& problem, Solutions& found) {
  const Scaled units = scaled(problem);
  found.count = 0;
  for_each_word(problem, Ends::modes, [&](const Letter* word) {
    WordSolution s = solve_word(units.problem, word, Ends::modes);
    if (!s.consistent) return;
    restore(units, s);
    keep_mode(problem, s, found);
  });
}

void all_solutions(const Problem& problem, Solutions& found) {
  const Scaled units = scaled(problem);
  found.count = 0;
  for_each_word(problem, Ends::pieces, [&](const Letter* word) {
    const WordSolution s = solve_word(units.problem, word, Ends::pieces);
    if (s.consistent) keep_piece(units.problem, s, found);
  });
  drop_ends(units.problem, found);
  for (int k = 0; k < found.count; ++k) restore(units, found.solution[k]);
  sort_by_force(found);
}

}  // namespace painleve::small
