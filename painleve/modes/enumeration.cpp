// All words of planar contacts, and of spatial ones that all slip. For a word the unknowns x are λ_n of slipping
// contacts and (λ_t, λ_n) of sticking ones: λ = E x, and the rows R of a = W λ + b that the word sets to zero give  (R
// W E) x = −R b.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

#include "painleve/modes/certificate.hpp"
#include "painleve/modes/linear_feasibility.hpp"
#include "painleve/modes/mode_table.hpp"

namespace painleve {
namespace {

// Forces and accelerations of a word are sums and quotients of given numbers; below this part of the largest they are
// zero.
constexpr double zero = 1e-12;

struct Problem {
  const ContactSpace& space;
  const Tolerance& tolerance;
  double force_scale, acceleration_scale;
};

struct Choice {
  Letter letter;
  Eigen::VectorXd direction;  // of slip, S only
  int force_sign = 1;         // −1: a bilateral contact that pulls
  const char* name;
};

bool separates(const Problem& problem, int i) {
  const auto& s = problem.space;
  return !s.bilateral[static_cast<std::size_t>(i)] && s.u(s.normal(i)) > problem.tolerance.velocity;
}

std::vector<Choice> choices(const Problem& problem, int i) {
  const auto& s = problem.space;
  const bool bilateral = s.bilateral[static_cast<std::size_t>(i)];
  const Eigen::VectorXd u_t = s.u.segment(s.tangent(i), s.dimension - 1);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(s.dimension - 1);
  const Eigen::VectorXd plus = Eigen::VectorXd::Ones(1);
  std::vector<Choice> list;
  if (!bilateral) list.push_back({Letter::F, none, 1, "F"});
  if (!bilateral && s.u(s.normal(i)) > problem.tolerance.velocity) return list;  // separating
  const bool rest = u_t.norm() <= problem.tolerance.velocity;
  for (const int sign : {1, -1}) {
    if (sign < 0 && !bilateral) break;
    if (s.dimension == 3) {
      list.push_back({Letter::S, u_t.normalized(), sign, "S"});
      continue;
    }
    if (rest) list.push_back({Letter::T, none, sign, "T"});
    if (rest || u_t(0) > 0) list.push_back({Letter::S, plus, sign, "S+"});
    if (rest || u_t(0) < 0) list.push_back({Letter::S, -plus, sign, "S-"});
  }
  return list;
}

// One inequality of a word, linear in x: row·x + offset ≥ 0, or > 0 when strict.
struct Condition {
  Eigen::RowVectorXd row;
  double offset;
  bool strict;
  bool is_force;
  std::string broken;  // the reason when it fails; {} takes the value, or with `excess` how far it is missed
  bool excess = false;
};

struct Word {
  std::vector<Choice> letters;
  std::vector<int> rows;  // of a, set to zero
  Eigen::MatrixXd E, A;
  Eigen::VectorXd rhs;
  std::vector<Condition> conditions;
};

void add_conditions(const Problem& problem, Word& word, const Eigen::MatrixXd& a, int i, const Choice& c) {
  const auto& s = problem.space;
  const auto& name = s.names[static_cast<std::size_t>(i)];
  const int t = s.tangent(i);
  const int n = s.normal(i);
  const bool bilateral = s.bilateral[static_cast<std::size_t>(i)];
  const double sign = c.force_sign;
  if (c.letter == Letter::F) {
    if (separates(problem, i)) return;  // it moves away: whatever its acceleration, it does not sink in
    word.conditions.push_back({a.row(n), s.b(n), false, false, name + " would sink in: a_n = {:.6g} m/s^2"});
    return;
  }
  // A bilateral contact without force is listed once, with the sign +1.
  const std::string sense = !bilateral ? " would have to pull" : (sign > 0 ? " would not push" : " would not pull");
  word.conditions.push_back(
      {sign * word.E.row(n), 0, !bilateral || sign < 0, true, name + sense + ": lambda_n = {:.6g} N"});
  if (c.letter == Letter::T) {
    for (const double side : {1.0, -1.0})
      word.conditions.push_back({s.mu(i) * sign * word.E.row(n) - side * word.E.row(t), 0, false, true,
                                 name + " cannot stick: the force leaves the friction cone by {:.6g} N", true});
  } else if (s.dimension == 2 && std::abs(s.u(t)) <= problem.tolerance.velocity) {
    const double slip = c.direction(0);
    word.conditions.push_back({slip * a.row(t), slip * s.b(t), true, false,
                               name + " would not accelerate in the direction of slip: a_t along it = {:.6g} m/s^2"});
  }
}

Word make_word(const Problem& problem, const std::vector<Choice>& letters) {
  const auto& s = problem.space;
  Word word;
  word.letters = letters;
  std::vector<int>& rows = word.rows;
  std::vector<Eigen::VectorXd> columns;
  for (int i = 0; i < s.count(); ++i) {
    const Choice& c = letters[static_cast<std::size_t>(i)];
    if (c.letter == Letter::F) continue;
    Eigen::VectorXd column = Eigen::VectorXd::Unit(s.W.rows(), s.normal(i));
    rows.push_back(s.normal(i));
    if (c.letter == Letter::S) column.segment(s.tangent(i), s.dimension - 1) = -s.mu(i) * c.force_sign * c.direction;
    columns.push_back(column);
    if (c.letter == Letter::T) {
      rows.push_back(s.tangent(i));
      columns.emplace_back(Eigen::VectorXd::Unit(s.W.rows(), s.tangent(i)));
    }
  }
  word.E.resize(s.W.rows(), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) word.E.col(static_cast<Eigen::Index>(k)) = columns[k];
  const Eigen::MatrixXd W_rows = s.W(rows, Eigen::all);
  word.A = W_rows * word.E;
  word.rhs = -s.b(rows);
  const Eigen::MatrixXd a = s.W * word.E;
  for (int i = 0; i < s.count(); ++i) add_conditions(problem, word, a, i, letters[static_cast<std::size_t>(i)]);
  return word;
}

ModeEntry named(const Word& word) {
  ModeEntry entry;
  for (const auto& c : word.letters) {
    entry.name += c.name;
    entry.contacts.push_back({c.letter, c.direction, c.force_sign});
  }
  return entry;
}

double scale(const Problem& problem, const Condition& condition) {
  return condition.is_force ? problem.force_scale : problem.acceleration_scale;
}

// Sets the first broken condition as the reason; marks a contact that neither carries force nor lifts.
void judge(const Problem& problem, const Word& word, const Eigen::VectorXd& x, ModeEntry& entry) {
  entry.consistent = true;
  for (const auto& condition : word.conditions) {
    const double value = condition.row.dot(x) + condition.offset;
    const double small = zero * scale(problem, condition);
    if (condition.strict ? value <= small : value < -small) {
      entry.consistent = false;
      const double shown = std::abs(value) <= small ? 0.0 : value;
      entry.reason = fmt::format(fmt::runtime(condition.broken), condition.excess ? -shown : shown);
      return;
    }
    if (!condition.is_force && !condition.strict && std::abs(value) <= small) entry.boundary = true;
  }
}

// The certificate is taken before the rows that the word sets to zero are cleared of rounding.
void set_solution(const Problem& problem, const Word& word, const Eigen::VectorXd& x, ModeEntry& entry) {
  entry.lambda = word.E * x;
  entry.a = problem.space.W * *entry.lambda + problem.space.b;
  if (entry.consistent) entry.residual = law_residual(problem.space, *entry.lambda, *entry.a, problem.tolerance);
  for (const int row : word.rows) (*entry.a)(row) = 0;
}

// The equations leave forces undetermined: x = x0 + N y. Looks for y that satisfies all conditions.
void solve_family(const Problem& problem, const Word& word, const Eigen::VectorXd& x0, const Eigen::MatrixXd& N,
                  ModeEntry& entry) {
  const auto m = static_cast<Eigen::Index>(word.conditions.size());
  Eigen::MatrixXd G(m, N.cols());
  Eigen::VectorXd h(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const auto& condition = word.conditions[static_cast<std::size_t>(i)];
    const double unit = scale(problem, condition);
    G.row(i) = condition.row * N * problem.force_scale / unit;
    h(i) = (condition.row.dot(x0) + condition.offset) / unit;
  }
  // Forces of the size of the problem are preferred to larger ones; boxes in units of force_scale.
  Interior inside;
  for (const double box : {10.0, 1e2, 1e3, 1e6}) {
    inside = relative_interior(G, h, box);
    if (inside.depth > zero) break;
  }
  const Eigen::VectorXd x = x0 + N * inside.y * problem.force_scale;
  judge(problem, word, x, entry);
  if (entry.consistent && inside.directions.cols() > 0) {
    entry.force_family_dimension = static_cast<int>(inside.directions.cols());
    const Eigen::MatrixXd motion = problem.space.W * word.E * N * inside.directions;
    if (motion.norm() > zero * problem.space.W.norm()) {
      Eigen::FullPivLU<Eigen::MatrixXd> lu(motion);
      lu.setThreshold(1e-10);
      entry.motion_family_dimension = static_cast<int>(lu.rank());
    }
  }
  set_solution(problem, word, x, entry);
}

ModeEntry solve_word(const Problem& problem, const std::vector<Choice>& letters) {
  const Word word = make_word(problem, letters);
  ModeEntry entry = named(word);
  if (word.A.size() == 0) {
    const Eigen::VectorXd none(0);
    judge(problem, word, none, entry);
    set_solution(problem, word, none, entry);
    return entry;
  }
  const double size = problem.space.W.cwiseAbs().maxCoeff() * (1 + problem.space.mu.maxCoeff());
  Eigen::MatrixXd A = word.A;
  if (A.cwiseAbs().maxCoeff() <= zero * size) A.setZero();  // only rounding is left
  Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
  lu.setThreshold(zero);
  const Eigen::VectorXd x = A.isZero(0) ? Eigen::VectorXd::Zero(A.cols()).eval() : lu.solve(word.rhs).eval();
  // Near a threshold x is large, and the rounding of A x with it.
  const double allowed = 1e-10 * problem.acceleration_scale + 1e-13 * A.cwiseAbs().maxCoeff() * x.cwiseAbs().maxCoeff();
  if (!x.allFinite() || (A * x - word.rhs).cwiseAbs().maxCoeff() > allowed) {
    entry.reason = "the forces cannot balance: the equations of this mode are singular and have no solution";
    return entry;
  }
  const bool determined = !A.isZero(0) && lu.rank() == A.cols();
  if (determined) {
    judge(problem, word, x, entry);
    set_solution(problem, word, x, entry);
  } else {
    solve_family(problem, word, x,
                 A.isZero(0) ? Eigen::MatrixXd::Identity(A.cols(), A.cols()).eval() : lu.kernel().eval(), entry);
  }
  return entry;
}

void visit(const Problem& problem, std::vector<Choice>& letters, std::vector<ModeEntry>& entries) {
  const auto i = static_cast<int>(letters.size());
  if (i == problem.space.count()) {
    entries.push_back(solve_word(problem, letters));
    return;
  }
  for (const Choice& c : choices(problem, i)) {
    letters.push_back(c);
    visit(problem, letters, entries);
    letters.pop_back();
  }
}

// Whether two consistent entries of one name are the same: one motion, and forces that agree or belong to a family.
bool same_mode(const Problem& problem, const ModeEntry& a, const ModeEntry& b) {
  constexpr double same = 1e-9;
  const bool motion = (*a.a - *b.a).norm() <= same * std::max({a.a->norm(), b.a->norm(), problem.acceleration_scale});
  const bool family = a.force_family_dimension > 0 || b.force_family_dimension > 0;
  return motion && (family || (*a.lambda - *b.lambda).norm() <= same * std::max(a.lambda->norm(), problem.force_scale));
}

// A bilateral contact is tried with both signs of its force. Of entries with one name keep the consistent ones, each
// once; a name that is rejected with every sign stays, once.
std::vector<ModeEntry> merge(const Problem& problem, const std::vector<ModeEntry>& entries) {
  std::vector<ModeEntry> kept;
  std::map<std::string, std::vector<std::size_t>> places;  // of each name among the kept
  for (const auto& entry : entries) {
    auto& places_of_name = places[entry.name];
    const auto same = [&](std::size_t i) { return kept[i].consistent && same_mode(problem, kept[i], entry); };
    if (places_of_name.empty()) {
      places_of_name.push_back(kept.size());
      kept.push_back(entry);
    } else if (entry.consistent && !kept[places_of_name[0]].consistent) {
      kept[places_of_name[0]] = entry;
    } else if (entry.consistent) {
      const auto twin = std::find_if(places_of_name.begin(), places_of_name.end(), same);
      if (twin == places_of_name.end()) {
        places_of_name.push_back(kept.size());
        kept.push_back(entry);
      } else if (entry.force_family_dimension > kept[*twin].force_family_dimension) {
        kept[*twin] = entry;
      }
    }
  }
  return kept;
}

}  // namespace

std::vector<ModeEntry> enumerate_modes(const ContactSpace& space, const Tolerance& tolerance) {
  const double response = space.W.cwiseAbs().maxCoeff();
  const double W = response > 0 ? response : 1;
  const double largest = space.b.cwiseAbs().maxCoeff();
  const double b = largest > 0 ? largest : 1;  // without load any scale serves
  const Problem problem{space, tolerance, b / W, b};
  std::vector<Choice> letters;
  std::vector<ModeEntry> entries;
  visit(problem, letters, entries);
  return merge(problem, entries);
}

}  // namespace painleve
