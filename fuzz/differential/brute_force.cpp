#include "brute_force.hpp"

#include <optional>

namespace painleve::differential {
namespace {

// A row a and a number c: a·r + c, which must vanish or not be negative.
struct Row {
  Vector a;
  Rational c;
};

struct Word {
  std::string name;
  std::vector<Row> zero, not_negative;
};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Row force(const ExactProblem& p, int row, const Rational& factor = 1) {
  Row r{Vector(p.q.size()), 0};
  r.a[at(row)] = factor;
  return r;
}

Row motion_row(const ExactProblem& p, int row, int sign = 1) {
  Row r{Vector(p.q.size()), Rational(sign) * p.q[at(row)]};
  for (std::size_t j = 0; j < p.q.size(); ++j) r.a[j] = Rational(sign) * p.W[at(row)][j];
  return r;
}

// r_t·sign + μ r_n
Row friction(const ExactProblem& p, int i, int sign) {
  Row r = force(p, 2 * i, sign);
  r.a[at(2 * i + 1)] = p.mu[at(i)];
  return r;
}

void open(const ExactProblem& p, int i, Word& word) {
  word.name += "F";
  word.zero.push_back(force(p, 2 * i));
  word.zero.push_back(force(p, 2 * i + 1));
  word.not_negative.push_back(motion_row(p, 2 * i + 1));
}

void stick(const ExactProblem& p, int i, Word& word) {
  word.name += "T";
  word.zero.push_back(motion_row(p, 2 * i));
  word.zero.push_back(motion_row(p, 2 * i + 1));
  word.not_negative.push_back(force(p, 2 * i + 1));
  word.not_negative.push_back(friction(p, i, 1));
  word.not_negative.push_back(friction(p, i, -1));
}

void slip(const ExactProblem& p, int i, int sign, Word& word) {
  word.name += sign > 0 ? "S+" : "S-";
  word.zero.push_back(friction(p, i, sign));
  word.zero.push_back(motion_row(p, 2 * i + 1));
  word.not_negative.push_back(force(p, 2 * i + 1));
  if (p.slide[at(i)] == 0) word.not_negative.push_back(motion_row(p, 2 * i, sign));
}

void add_words(const ExactProblem& p, int i, const Word& begun, std::vector<Word>& words) {
  if (i == p.count()) {
    words.push_back(begun);
    return;
  }
  const auto go_on = [&](auto&& choose) {
    Word word = begun;
    choose(word);
    add_words(p, i + 1, word, words);
  };
  go_on([&](Word& word) { open(p, i, word); });
  const int slide = p.slide[at(i)];
  if (slide == 0) go_on([&](Word& word) { stick(p, i, word); });
  for (const int sign : {1, -1}) {
    if (slide == 0 || slide == sign) go_on([&](Word& word) { slip(p, i, sign, word); });
  }
}

// Gauss and Jordan: rows that determine r, or none.
struct Eliminated {
  std::vector<Row> rows;  // each with a leading 1 that no other row has
  bool contradictory = false;

  void add(Row row) {
    for (const Row& known : rows) clear(row, known, leading(known));
    const std::size_t lead = leading(row);
    if (lead == row.a.size()) {
      contradictory = contradictory || row.c.sign() != 0;
      return;
    }
    const Rational scale = row.a[lead];
    for (Rational& x : row.a) x = x / scale;
    row.c = row.c / scale;
    for (Row& known : rows) clear(known, row, lead);
    rows.push_back(std::move(row));
  }

  std::optional<Vector> solution() const {
    if (contradictory || rows.empty() || rows.size() < rows.front().a.size()) return std::nullopt;
    Vector r(rows.size());
    for (const Row& row : rows) r[leading(row)] = -row.c;
    return r;
  }

 private:
  static std::size_t leading(const Row& row) {
    std::size_t k = 0;
    while (k < row.a.size() && row.a[k].sign() == 0) ++k;
    return k;
  }
  static void clear(Row& row, const Row& by, std::size_t lead) {
    const Rational factor = row.a[lead];
    if (factor.sign() == 0) return;
    for (std::size_t j = 0; j < row.a.size(); ++j) row.a[j] = row.a[j] - factor * by.a[j];
    row.c = row.c - factor * by.c;
  }
};

bool allowed(const Word& word, const Vector& r) {
  for (const Row& row : word.not_negative) {
    Rational value = row.c;
    for (std::size_t j = 0; j < r.size(); ++j) value = value + row.a[j] * r[j];
    if (value.sign() < 0) return false;
  }
  return true;
}

void add_vertices(const ExactProblem& p, const Word& word, const Eliminated& system, std::size_t next,
                  std::vector<Vertex>& found) {
  if (system.contradictory) return;
  if (const auto r = system.solution()) {
    if (allowed(word, *r)) found.push_back({word.name, *r, motion(p, *r)});
    return;
  }
  for (std::size_t k = next; k < word.not_negative.size(); ++k) {
    Eliminated more = system;
    more.add(word.not_negative[k]);
    add_vertices(p, word, more, k + 1, found);
  }
}

}  // namespace

Vector motion(const ExactProblem& problem, const Vector& r) {
  Vector w = problem.q;
  for (std::size_t i = 0; i < w.size(); ++i) {
    for (std::size_t j = 0; j < r.size(); ++j) w[i] = w[i] + problem.W[i][j] * r[j];
  }
  return w;
}

std::vector<Vertex> vertices(const ExactProblem& problem) {
  std::vector<Word> words;
  add_words(problem, 0, {}, words);
  std::vector<Vertex> found;
  for (const Word& word : words) {
    Eliminated system;
    for (const Row& row : word.zero) system.add(row);
    add_vertices(problem, word, system, 0, found);
  }
  return found;
}

}  // namespace painleve::differential
