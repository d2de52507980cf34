#include "painleve/complementarity/linear_word.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/linear_feasibility.hpp"
#include "painleve/complementarity/polyhedron.hpp"

namespace painleve {
namespace {

// Forces and motions of a word are sums and quotients of given numbers; below this part of the largest they are zero.
constexpr double zero = 1e-12;
// What is left of sixteen digits when a motion is the small difference of the parts that large forces make.
constexpr double rounding = 4e-15;

// What row·x + offset must be for a condition to hold.
enum class Sense { non_negative, positive, vanishing };

// One condition of a word, linear in x.
struct Condition {
  Eigen::RowVectorXd row;
  double offset;
  Sense sense;
  bool is_force;
  const char*
      broken;  // the reason when it fails: {0} the contact, {1} the value, or with `excess` how far it is missed
  int contact;
  bool excess = false;  // of a friction cone
  bool lift = false;    // of a free contact
};

struct Word {
  const ContactProblem& problem;  // in units of each contact
  const Eigen::VectorXd& factor;  // of those units
  const std::vector<ContactMode>& letters;
  Ends ends;
  ProblemScale scale;
  std::vector<int> rows;  // of w, set to zero
  Eigen::MatrixXd E, A;
  Eigen::VectorXd rhs;
  std::vector<Condition> conditions;
};

// `edge`: a contact that slips does so without acceleration.
void add_conditions(Word& word, const Eigen::MatrixXd& w, int i, bool edge) {
  const ContactProblem& p = word.problem;
  const ContactMode& c = word.letters[static_cast<std::size_t>(i)];
  const bool bilateral = p.bilateral[static_cast<std::size_t>(i)];
  const bool pieces = word.ends == Ends::pieces;
  const int t = p.tangent(i);
  const int n = p.normal(i);
  const double sign = c.force_sign;
  auto& list = word.conditions;
  if (c.letter == Letter::F) {
    // A contact that moves away does not sink in, whatever its acceleration.
    if (p.law[static_cast<std::size_t>(i)] == Law::separated) return;
    const Sense sense = pieces ? Sense::positive : Sense::non_negative;
    list.push_back({w.row(n), p.q(n), sense, false, "{0} would sink in: a_n = {1:.6g} m/s^2", i, false, true});
    return;
  }
  // A bilateral contact without force is listed once, with the sign +1.
  const char* broken =
      sign > 0 ? "{0} would not push: lambda_n = {1:.6g} N" : "{0} would not pull: lambda_n = {1:.6g} N";
  if (!bilateral) broken = "{0} would have to pull: lambda_n = {1:.6g} N";
  const bool strict = bilateral ? sign < 0 : !pieces;
  list.push_back({sign * word.E.row(n), 0, strict ? Sense::positive : Sense::non_negative, true, broken, i});
  if (c.letter == Letter::T) {
    for (const double side : {1.0, -1.0}) {
      list.push_back({p.mu(i) * sign * word.E.row(n) - side * word.E.row(t), 0, Sense::non_negative, true,
                      "{0} cannot stick: the force leaves the friction cone by {1:.6g} N", i, true});
    }
  } else if (p.law[static_cast<std::size_t>(i)] == Law::resting) {
    const double slip = c.direction(0);
    list.push_back({slip * w.row(t), slip * p.q(t), edge ? Sense::vanishing : Sense::positive, false,
                    "{0} would not accelerate in the direction of slip: a_t along it = {1:.6g} m/s^2", i});
  }
}

// `edges`: contacts that slip without acceleration; none: no contact does.
Word make_word(const ScaledProblem& s, const std::vector<ContactMode>& letters, Ends ends,
               const std::vector<bool>& edges = {}) {
  const ContactProblem& p = s.problem;
  Word word{p, s.factor, letters, ends, scale(p), {}, {}, {}, {}, {}};
  std::vector<Eigen::VectorXd> columns;
  for (int i = 0; i < p.count(); ++i) {
    const ContactMode& c = letters[static_cast<std::size_t>(i)];
    if (c.letter == Letter::F) continue;
    Eigen::VectorXd column = Eigen::VectorXd::Unit(p.W.rows(), p.normal(i));
    word.rows.push_back(p.normal(i));
    if (c.letter == Letter::S) column.segment(p.tangent(i), p.dimension - 1) = -p.mu(i) * c.force_sign * c.direction;
    columns.push_back(column);
    if (c.letter == Letter::T) {
      word.rows.push_back(p.tangent(i));
      columns.emplace_back(Eigen::VectorXd::Unit(p.W.rows(), p.tangent(i)));
    }
  }
  word.E.resize(p.W.rows(), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) word.E.col(static_cast<Eigen::Index>(k)) = columns[k];
  const Eigen::MatrixXd w = p.W * word.E;
  word.A = w(word.rows, Eigen::all);
  word.rhs = -p.q(word.rows);
  for (int i = 0; i < p.count(); ++i) add_conditions(word, w, i, !edges.empty() && edges[static_cast<std::size_t>(i)]);
  return word;
}

double unit(const Word& word, const Condition& condition) {
  return condition.is_force ? word.scale.force : word.scale.motion;
}

bool holds(Sense sense, double value, double small) {
  constexpr double at_edges = 10;  // contacts at the edges of their cones act on each other
  if (sense == Sense::vanishing) return std::abs(value) <= at_edges * small;
  return sense == Sense::positive ? value > small : value >= -small;
}

// Sets the first broken condition as the reason; marks a contact that neither carries force nor lifts. Of a single
// solution any lift counts, however small: the force that another word would need instead may be large, at a small p. A
// family, where a motion that is zero all along leaves rounding, must lift by more than that.
void judge(const Word& word, const Eigen::VectorXd& x, bool single, WordSolution& solution) {
  solution.consistent = true;
  const double largest = x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0;
  for (const auto& condition : word.conditions) {
    const double value = condition.row.dot(x) + condition.offset;
    const double terms = condition.row.size() > 0 ? condition.row.cwiseAbs().maxCoeff() * largest : 0;
    const double small = zero * unit(word, condition) + (condition.is_force ? 0 : rounding * terms);
    const bool any_lift = single && condition.lift && condition.sense == Sense::positive;
    if (!holds(condition.sense, value, any_lift ? 0 : small)) {
      solution.consistent = false;
      const double factor = word.factor(word.problem.normal(condition.contact));
      const double shown = std::abs(value) <= small ? 0.0 : value * (condition.is_force ? factor : 1 / factor);
      solution.reason = fmt::format(fmt::runtime(condition.broken), contact_name(word.problem, condition.contact),
                                    condition.excess ? -shown : shown);
      return;
    }
    if (!condition.is_force && condition.sense == Sense::non_negative && std::abs(value) <= small)
      solution.boundary = true;
  }
}

// The certificate is taken before the rows that the word sets to zero are cleared of rounding.
void set_solution(const Word& word, const Eigen::VectorXd& x, WordSolution& solution) {
  const ContactProblem& p = word.problem;
  solution.r = word.E * x;
  solution.w = p.W * *solution.r + p.q;
  if (solution.consistent) solution.residual = law_residual(p, *solution.r, *solution.w);
  for (const int row : word.rows) (*solution.w)(row) = 0;
}

// The conditions over y of x = x0 + N y force_scale, in units of the problem.
Polyhedron conditions_over(const Word& word, const Eigen::VectorXd& x0, const Eigen::MatrixXd& N) {
  const auto m = static_cast<Eigen::Index>(word.conditions.size());
  Polyhedron region{Eigen::MatrixXd(m, N.cols()), Eigen::VectorXd(m)};
  for (Eigen::Index i = 0; i < m; ++i) {
    const auto& condition = word.conditions[static_cast<std::size_t>(i)];
    region.G.row(i) = condition.row * N * word.scale.force / unit(word, condition);
    region.h(i) = (condition.row.dot(x0) + condition.offset) / unit(word, condition);
  }
  return region;
}

// Forces of the size of the problem are preferred to larger ones, as long as the box that limits them does not cut the
// region to its edge; boxes in units of the scale of forces.
Interior interior_point(const Polyhedron& region) {
  Interior inside;
  for (const double box : {10.0, 1e2, 1e3, 1e6}) {
    inside = relative_interior(region.G, region.h, box);
    if (inside.depth <= zero) continue;
    const bool at_box = inside.y.cwiseAbs().maxCoeff() >= box * (1 - 1e-9);
    if (!at_box) break;
    Interior wider = relative_interior(region.G, region.h, 2 * box);
    if (wider.directions.cols() > inside.directions.cols()) inside = std::move(wider);
    break;
  }
  return inside;
}

// The equations leave forces undetermined: x = x0 + N y. Looks for y that satisfies all conditions.
void solve_family(const Word& word, const Eigen::VectorXd& x0, const Eigen::MatrixXd& N, WordSolution& solution) {
  const Polyhedron region = conditions_over(word, x0, N);
  const Interior inside = interior_point(region);
  const double force = word.scale.force;
  const Eigen::VectorXd x = x0 + N * inside.y * force;
  judge(word, x, false, solution);
  if (solution.consistent && inside.directions.cols() > 0) {
    solution.family = family(region, inside, word.E * N * force, word.E * x0);
    const Eigen::MatrixXd motion = word.problem.W * solution.family.directions;
    if (motion.norm() > zero * word.problem.W.norm()) {
      Eigen::FullPivLU<Eigen::MatrixXd> lu(motion);
      lu.setThreshold(1e-10);
      solution.family.motion_dimension = static_cast<int>(lu.rank());
    }
  }
  set_solution(word, x, solution);
}

// The contacts that x carries out of their friction cones, by no more than a response that is nearly singular may have
// done, slip along that edge from here on. False if there are none.
bool move_to_edges(const Word& word, const Eigen::VectorXd& x, std::vector<ContactMode>& letters,
                   std::vector<bool>& edges) {
  constexpr double close = 1e-3;
  const ContactProblem& p = word.problem;
  const double most = close * x.cwiseAbs().maxCoeff();
  bool any = false;
  for (const auto& condition : word.conditions) {
    if (!condition.excess) continue;
    const double value = condition.row.dot(x);
    if (value >= -zero * word.scale.force) continue;
    if (value < -most * (1 + p.mu(condition.contact))) return false;
    const auto at = static_cast<std::size_t>(condition.contact);
    const double r_t = word.E.row(p.tangent(condition.contact)).dot(x);
    letters[at].letter = Letter::S;
    letters[at].direction = Eigen::VectorXd::Constant(1, r_t > 0 ? -1 : 1);
    edges[at] = any = true;
  }
  return any;
}

// Stick at the edge of the friction cone. The force of the word is off by rounding times its condition, and may leave
// the cone, while slip along that edge has no acceleration: without this neither word would have the solution that they
// share. The force of the slip is taken, which is the better conditioned one. Where several contacts are at their edges
// they may show it one after the other.
void try_edges(const ScaledProblem& s, const Word& word, const Eigen::VectorXd& x, WordSolution& solution) {
  std::vector<ContactMode> letters = word.letters;
  std::vector<bool> edges(letters.size());
  if (!move_to_edges(word, x, letters, edges)) return;
  for (int round = 0; round < s.problem.count(); ++round) {
    const Word edge = make_word(s, letters, word.ends, edges);
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(edge.A);
    const Eigen::VectorXd along = lu.solve(edge.rhs);
    if (!along.allFinite() || (edge.A * along - edge.rhs).cwiseAbs().maxCoeff() > 1e-10 * word.scale.motion) return;
    WordSolution found;
    judge(edge, along, true, found);
    if (found.consistent) {
      set_solution(edge, along, found);
      for (const int row : word.rows) (*found.w)(row) = 0;
      solution = std::move(found);
      return;
    }
    std::vector<ContactMode> next = letters;
    if (!move_to_edges(edge, along, next, edges)) return;
    letters = std::move(next);
  }
}

WordSolution solve_scaled(const ScaledProblem& s, const std::vector<ContactMode>& letters, Ends ends) {
  const ContactProblem& problem = s.problem;
  const Word word = make_word(s, letters, ends);
  WordSolution solution;
  if (word.A.size() == 0) {
    const Eigen::VectorXd none(0);
    judge(word, none, true, solution);
    set_solution(word, none, solution);
    return solution;
  }
  const double size = problem.W.cwiseAbs().maxCoeff() * (1 + problem.mu.maxCoeff());
  Eigen::MatrixXd A = word.A;
  if (A.cwiseAbs().maxCoeff() <= zero * size) A.setZero();  // only rounding is left
  const bool vanishes = A.isZero(0);
  Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
  lu.setThreshold(zero);
  const Eigen::VectorXd x = vanishes ? Eigen::VectorXd::Zero(A.cols()).eval() : lu.solve(word.rhs).eval();
  // Near a threshold x is large, and the rounding of A x with it.
  const double allowed = 1e-10 * word.scale.motion + 1e-13 * A.cwiseAbs().maxCoeff() * x.cwiseAbs().maxCoeff();
  if (!x.allFinite() || (A * x - word.rhs).cwiseAbs().maxCoeff() > allowed) {
    solution.reason = "the forces cannot balance: the equations of this mode are singular and have no solution";
    return solution;
  }
  if (!vanishes && lu.rank() == A.cols()) {
    judge(word, x, true, solution);
    set_solution(word, x, solution);
    if (!solution.consistent) try_edges(s, word, x, solution);
    return solution;
  }
  Eigen::MatrixXd N = Eigen::MatrixXd::Identity(A.cols(), A.cols());
  if (!vanishes) N = lu.kernel();
  solve_family(word, x, N, solution);
  return solution;
}

}  // namespace

bool is_linear(const ContactProblem& problem) {
  const bool rests = std::find(problem.law.begin(), problem.law.end(), Law::resting) != problem.law.end();
  return problem.dimension < 3 || !rests;
}

std::vector<ContactMode> admissible_letters(const ContactProblem& p, int i) {
  const auto at = static_cast<std::size_t>(i);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(p.dimension - 1);
  const Eigen::VectorXd plus = Eigen::VectorXd::Ones(p.dimension - 1);
  std::vector<ContactMode> list;
  if (!p.bilateral[at]) list.push_back({Letter::F, none, 1});
  if (p.law[at] == Law::separated) return list;
  for (const int sign : {1, -1}) {
    if (sign < 0 && !p.bilateral[at]) break;
    if (p.law[at] == Law::sliding) {
      list.push_back({Letter::S, p.slip.col(i), sign});
      continue;
    }
    list.push_back({Letter::T, none, sign});
    list.push_back({Letter::S, plus, sign});
    list.push_back({Letter::S, -plus, sign});
  }
  return list;
}

WordSolution solve_word(const ContactProblem& problem, const std::vector<ContactMode>& letters, Ends ends) {
  const ScaledProblem s = scaled(problem);
  WordSolution solution = solve_scaled(s, letters, ends);
  if (solution.r) solution.r = solution.r->cwiseProduct(s.factor).eval();
  if (solution.w) solution.w = solution.w->cwiseQuotient(s.factor).eval();
  restore(s.factor, solution.family);
  return solution;
}

}  // namespace painleve
