#include "painleve/complementarity/spatial_solutions.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/polyhedron.hpp"
#include "painleve/complementarity/spatial_word.hpp"
#include "painleve/complementarity/word_conditions.hpp"

namespace painleve {
namespace {

// Words of nine contacts at rest. A word costs up to a millisecond, so more than these are not looked at.
constexpr long most_words = 20'000;
// Starts of Newton's method for all words with three or more sought directions together, and for one of them.
constexpr long most_starts = 10'000;
constexpr int most_starts_of_a_word = 200;

// The problem in units of each contact (scaled()) in which the load is of order one, too. Powers of two: no digit
// changes.
struct Units {
  ContactProblem problem;
  Eigen::VectorXd motion, force;  // what one is, per row

  explicit Units(const ContactProblem& p) {
    const ScaledProblem s = scaled(p);
    const double response = largest_response(s.problem);
    const double one = response > 0 ? std::exp2(std::ceil(std::log2(response))) : 1;
    const double load = std::exp2(std::ceil(std::log2(scale(s.problem).motion)));
    problem = s.problem;
    problem.W /= one;
    problem.q /= load;
    motion = load * s.factor.cwiseInverse();
    force = load / one * s.factor;
    clear_rigid_normals();
  }
  // A normal that nothing moves but rounding: it is not moved.
  void clear_rigid_normals() {
    constexpr double nothing = 1e-12;
    for (int i = 0; i < problem.count(); ++i) {
      const int n = problem.normal(i);
      if (problem.W.row(n).cwiseAbs().maxCoeff() > nothing || problem.W.col(n).cwiseAbs().maxCoeff() > nothing)
        continue;
      problem.W.row(n).setZero();
      problem.W.col(n).setZero();
      if (std::abs(problem.q(n)) <= nothing) problem.q(n) = 0;
    }
  }
  ContactUnits of_contacts() const {
    std::vector<int> normals;
    for (int i = 0; i < problem.count(); ++i) normals.push_back(problem.normal(i));
    return {motion(normals), force(normals)};
  }
};

struct Found {
  ContactSolution solution;  // in the units of the problem
  double rounding;
};

std::vector<Letter> letters_of(Role role) {
  if (role == Role::free) return {Letter::F};
  if (role == Role::stick) return {Letter::T};
  if (role == Role::smooth) return {Letter::T, Letter::S};
  return {Letter::S};
}

std::array<long, 2> rank_of(const ContactSolution& s) {
  const auto count = [&](Letter letter) {
    return std::count_if(s.contacts.begin(), s.contacts.end(), [&](const auto& m) { return m.letter == letter; });
  };
  return {count(Letter::F), count(Letter::T)};
}

// Whether `s` is a point of `other`, which stands before it: with more free contacts, or as many and more that stick.
// Such points lie at the ends of two words: a force that vanishes, a slip that does not begin.
bool is_point_of(const Found& s, const Found& other) {
  if (rank_of(s.solution) > rank_of(other.solution)) return false;
  const double size = std::max(1.0, s.solution.r.cwiseAbs().maxCoeff());
  const double same = 8 * std::max(s.rounding, other.rounding) * size;
  if ((s.solution.w - other.solution.w).cwiseAbs().maxCoeff() > same) return false;
  Eigen::VectorXd apart = s.solution.r - other.solution.r;
  const Eigen::MatrixXd& along = other.solution.family.directions;
  if (along.cols() > 0) apart -= along * (along.transpose() * apart);
  return apart.cwiseAbs().maxCoeff() <= same;
}

class Enumeration {
 public:
  Enumeration(const ContactProblem& problem, const EnumerationOptions& options)
      : original_(problem),
        units_(problem),
        p_(units_.problem),
        contact_units_(units_.of_contacts()),
        options_(options) {}

  ContactSolutions run() {
    std::vector<SpatialWord> words;
    SpatialWord word;
    collect(word, words);
    const auto hard = std::count_if(words.begin(), words.end(), [](const auto& w) { return count_sought(w) > 2; });
    starts_ = std::clamp(static_cast<int>(most_starts / std::max<long>(hard, 1)), 2, most_starts_of_a_word);
    for (const auto& w : words) solve(w);
    drop_beyond_rounding();
    drop_common_points();
    finish();
    return std::move(result_);
  }

 private:
  void collect(SpatialWord& word, std::vector<SpatialWord>& words) {
    const auto i = static_cast<int>(word.size());
    if (static_cast<long>(words.size()) >= std::min(options_.most_nodes, most_words)) {
      give_up(fmt::format("only the first {} words were looked at", words.size()));
      return;
    }
    if (i == p_.count()) {
      words.push_back(word);
      return;
    }
    for (const RoleOf role : admissible_roles(p_, i)) {
      word.push_back(role);
      collect(word, words);
      word.pop_back();
    }
  }

  void give_up(const std::string& reason) {
    if (result_.complete) result_.incomplete_reason = reason;
    result_.complete = false;
  }

  void solve(const SpatialWord& word) {
    const WordPoints points = solve_equations(p_, word, starts_);
    result_.work.nodes += 1 + points.nodes;
    ++result_.work.leaves;
    if (!points.complete) give_up(points.reason);
    std::string reason = points.reason;
    for (const auto& point : points.list) {
      Judged judged = judge(p_, word, point, contact_units_);
      if (judged.solution) {
        if (point.turning.cols() > 0) add_turning(point.turning, *judged.solution);
        found_.push_back({std::move(*judged.solution), point.rounding});
      } else {
        reason = judged.reason;
      }
    }
    note_reason(word, reason);
  }

  // A family that is a curve: its tangents where it is listed.
  void add_turning(const Eigen::MatrixXd& turning, ContactSolution& s) const {
    Eigen::MatrixXd span(turning.rows(), s.family.directions.cols() + turning.cols());
    if (s.family.dimension > 0) span.leftCols(s.family.dimension) = s.family.directions;
    span.rightCols(turning.cols()) = turning;
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(span);
    s.family.dimension = static_cast<int>(span.cols());
    s.family.directions = qr.householderQ() * Eigen::MatrixXd::Identity(span.rows(), span.cols());
    Eigen::FullPivLU<Eigen::MatrixXd> lu(p_.W * s.family.directions);
    lu.setThreshold(1e-10);
    s.family.motion_dimension = static_cast<int>(lu.rank());
  }

  // For all names under which the word could appear: a contact without friction may stick or slip.
  void note_reason(const SpatialWord& roles, const std::string& reason) {
    std::vector<std::vector<ContactMode>> names{{}};
    for (int i = 0; i < p_.count(); ++i) {
      const RoleOf role = roles[static_cast<std::size_t>(i)];
      if (role.role == Role::unloaded) return;  // bears the name of another word
      std::vector<std::vector<ContactMode>> longer;
      for (const auto& name : names) {
        for (const Letter letter : letters_of(role.role)) {
          longer.push_back(name);
          const bool given = letter == Letter::S && role.role == Role::given;
          longer.back().push_back(
              {letter, given ? Eigen::Vector2d(p_.slip.col(i)) : Eigen::Vector2d::Zero(), role.sign});
        }
      }
      names = std::move(longer);
    }
    for (auto& name : names) {
      const std::string mode = word(name);
      if (places_.emplace(mode, rejected_.size()).second) rejected_.push_back({mode, reason, std::move(name)});
    }
  }

  // Forces so far beyond the load that the laws hold only to rounding are no solutions, and may hide some.
  void drop_beyond_rounding() {
    constexpr double far_beyond = 1e9;
    const auto beyond = [](const Found& f) { return f.solution.r.cwiseAbs().maxCoeff() > far_beyond; };
    const auto first = std::remove_if(found_.begin(), found_.end(), beyond);
    if (first == found_.end()) return;
    found_.erase(first, found_.end());
    give_up("forces far beyond the load satisfy the laws to rounding, which proves nothing");
  }

  void drop_common_points() {
    std::vector<Found> kept;
    for (std::size_t k = 0; k < found_.size(); ++k) {
      std::string twin;
      for (std::size_t o = 0; o < found_.size() && twin.empty(); ++o) {
        const bool equal = rank_of(found_[k].solution) == rank_of(found_[o].solution);
        if (o == k || (equal && o > k)) continue;
        if (is_point_of(found_[k], found_[o])) twin = found_[o].solution.mode;
      }
      if (twin.empty()) {
        kept.push_back(found_[k]);
      } else {
        rejected_[places_.at(found_[k].solution.mode)].reason =
            "its solution is the end of another mode and listed as " + twin;
      }
    }
    found_ = std::move(kept);
  }

  void finish() {
    for (auto& f : found_) {
      ContactSolution& s = f.solution;
      s.r = s.r.cwiseProduct(units_.force).eval();
      s.w = s.w.cwiseProduct(units_.motion).eval();
      restore(units_.force, s.family);
      s.residual = law_residual(original_, s.r, s.w);
      result_.solutions.push_back(std::move(s));
    }
    for (auto& word : rejected_) {
      const bool solved = std::any_of(result_.solutions.begin(), result_.solutions.end(),
                                      [&](const auto& s) { return s.mode == word.mode; });
      if (solved) continue;
      if (word.reason.empty()) word.reason = without_friction();
      result_.rejected.push_back(std::move(word));
    }
  }

  // A word has no reason only when its solution bears another name: that of a contact without friction.
  std::string without_friction() const {
    for (int i = 0; i < p_.count(); ++i)
      if (p_.mu(i) == 0) return contact_name(p_, i) + " has no friction: whether it slips is not its choice";
    return "no solution";
  }

  const ContactProblem& original_;
  const Units units_;
  const ContactProblem& p_;
  const ContactUnits contact_units_;
  const EnumerationOptions options_;
  int starts_ = 0;
  std::vector<Found> found_;
  std::vector<RejectedWord> rejected_;         // every word, until its solutions are known
  std::map<std::string, std::size_t> places_;  // of its name
  ContactSolutions result_;
};

}  // namespace

ContactSolutions spatial_solutions(const ContactProblem& problem, const EnumerationOptions& options) {
  return Enumeration(problem, options).run();
}

}  // namespace painleve
