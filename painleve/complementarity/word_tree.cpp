#include "painleve/complementarity/word_tree.hpp"

#include <algorithm>
#include <cmath>

namespace painleve {
namespace {

// The system comes scaled: loads and responses of order one. What pivots on coefficients down to `own_pivot` of their
// row leave of sixteen digits is far better than the room that these numbers give.
constexpr double sinks = -1e-7;      // below this a row is negative
constexpr double lifts = 1e-13;      // up to this a row is zero
constexpr double nothing = 1e-10;    // up to this part of its row a coefficient is zero
constexpr double own_pivot = 1e-3;   // a contact is eliminated by its own column down to this part of the row
constexpr long worth_pivots = 256;   // words below a node from which on the search for a certificate pays
constexpr int most_lp_pivots = 200;  // then the node is kept

// x_rows = a x_cols + t, the constant in the last place of each row.
struct Node {
  int rows = 0, cols = 0, stride = 0;
  std::vector<double> a;
  std::vector<int> row_variable, col_variable;
  std::vector<char> demand;  // per row: free, signed or strict

  double* row(int i) { return a.data() + static_cast<std::ptrdiff_t>(i) * stride; }
  const double* row(int i) const { return a.data() + static_cast<std::ptrdiff_t>(i) * stride; }
  double& constant(int i) { return row(i)[stride - 1]; }
  double constant(int i) const { return row(i)[stride - 1]; }
};
enum Demand : char { is_free, is_signed, is_strict };

void reserve(Node& node, int rows, int cols) {
  node.stride = cols + 1;
  node.a.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(node.stride));
  node.row_variable.resize(static_cast<std::size_t>(rows));
  node.demand.resize(static_cast<std::size_t>(rows));
  node.col_variable.resize(static_cast<std::size_t>(cols));
}

bool contains(const std::vector<int>& list, int variable) {
  return std::find(list.begin(), list.end(), variable) != list.end();
}

double largest(const Node& n, int i) {
  double most = 0;
  for (int j = 0; j < n.cols; ++j) most = std::max(most, std::abs(n.row(i)[j]));
  return most;
}

void drop_row(Node& n, int i) {
  const int last = --n.rows;
  if (i == last) return;
  std::copy_n(n.row(last), n.stride, n.row(i));
  n.row_variable[static_cast<std::size_t>(i)] = n.row_variable[static_cast<std::size_t>(last)];
  n.demand[static_cast<std::size_t>(i)] = n.demand[static_cast<std::size_t>(last)];
}

void drop_column(Node& n, int j) {
  const int last = --n.cols;
  if (j == last) return;
  for (int i = 0; i < n.rows; ++i) n.row(i)[j] = n.row(i)[last];
  n.col_variable[static_cast<std::size_t>(j)] = n.col_variable[static_cast<std::size_t>(last)];
}

// Solves row i for column j and puts the result into the other rows; row i becomes the row of that column's variable.
void exchange(Node& n, int i, int j) {
  double* pivot = n.row(i);
  const double inverse = -1 / pivot[j];
  pivot[j] = 0;
  for (int k = 0; k < n.cols; ++k) pivot[k] *= inverse;
  pivot[n.stride - 1] *= inverse;
  for (int r = 0; r < n.rows; ++r) {
    if (r == i) continue;
    double* other = n.row(r);
    const double factor = other[j];
    other[j] = 0;
    if (factor == 0) continue;
    for (int k = 0; k < n.cols; ++k) other[k] += factor * pivot[k];
    other[n.stride - 1] += factor * pivot[n.stride - 1];
  }
}

// Sets the variable of row i to zero. Returns false when that is impossible.
bool pivot_out(Node& n, int i, const std::vector<int>& preferred) {
  const double most = largest(n, i);
  if (most <= nothing) {  // the row is a constant, and so it must vanish by itself
    const bool vanishes = std::abs(n.constant(i)) <= -sinks;
    drop_row(n, i);
    return vanishes;
  }
  int best = -1;
  double weight = 0;
  for (int j = 0; j < n.cols; ++j) {
    const double size = std::abs(n.row(i)[j]);
    const bool own = size >= own_pivot * most && contains(preferred, n.col_variable[static_cast<std::size_t>(j)]);
    const double value = own ? size + most : size;
    if (value <= weight) continue;
    weight = value;
    best = j;
  }
  exchange(n, i, best);
  n.row_variable[static_cast<std::size_t>(i)] = n.col_variable[static_cast<std::size_t>(best)];
  n.demand[static_cast<std::size_t>(i)] = is_signed;
  drop_column(n, best);
  return true;
}

bool can_rise(const Node& n, int i) {
  const double* a = n.row(i);
  const double zero = nothing * std::max(1.0, largest(n, i));
  return std::any_of(a, a + n.cols, [zero](double x) { return x > zero; });
}

// Whether some row cannot be satisfied by any completion.
bool refuted(const Node& n) {
  for (int i = 0; i < n.rows; ++i) {
    const char demand = n.demand[static_cast<std::size_t>(i)];
    if (demand == is_free) continue;
    if (n.constant(i) < (demand == is_strict ? lifts : sinks) && !can_rise(n, i)) return true;
  }
  return false;
}

// Bland's rule on a copy: the lowest variable that is negative leaves, the lowest that can raise it enters.
bool refuted_by_pivots(Node& n) {
  for (int k = 0; k < most_lp_pivots; ++k) {
    int leaving = -1;
    const auto lower = [](const std::vector<int>& variable, int i, int than) {
      return than < 0 || variable[static_cast<std::size_t>(i)] < variable[static_cast<std::size_t>(than)];
    };
    for (int i = 0; i < n.rows; ++i) {
      const bool negative = n.demand[static_cast<std::size_t>(i)] != is_free && n.constant(i) < sinks;
      if (negative && lower(n.row_variable, i, leaving)) leaving = i;
    }
    if (leaving < 0) return false;
    const double zero = nothing * std::max(1.0, largest(n, leaving));
    int entering = -1;
    for (int j = 0; j < n.cols; ++j)
      if (n.row(leaving)[j] > zero && lower(n.col_variable, j, entering)) entering = j;
    if (entering < 0) return true;
    // The variable that leaves stays, as a column, with the coefficient 1/a of the one that enters.
    const double a = n.row(leaving)[entering];
    std::vector<double> column(static_cast<std::size_t>(n.rows));
    for (int r = 0; r < n.rows; ++r) column[static_cast<std::size_t>(r)] = n.row(r)[entering] / a;
    exchange(n, leaving, entering);
    for (int r = 0; r < n.rows; ++r) n.row(r)[entering] = column[static_cast<std::size_t>(r)];
    n.row(leaving)[entering] = 1 / a;
    std::swap(n.row_variable[static_cast<std::size_t>(leaving)], n.col_variable[static_cast<std::size_t>(entering)]);
    n.demand[static_cast<std::size_t>(leaving)] = is_signed;
  }
  return false;
}

class Tree {
 public:
  Tree(const WordSystem& system, long most_nodes, EnumerationWork& work,
       const std::function<void(const std::vector<int>&)>& leaf)
      : system_(system), most_nodes_(most_nodes), work_(work), leaf_(leaf) {
    const auto rows = static_cast<int>(system.T.rows());
    const auto cols = static_cast<int>(system.T.cols());
    nodes_.resize(system.groups.size() + 1);
    for (auto& node : nodes_) reserve(node, rows, cols);
    reserve(scratch_, rows, cols);
    words_below_.assign(nodes_.size(), 1);
    for (std::size_t k = system.groups.size(); k-- > 0;) {
      const long below = words_below_[k + 1] * static_cast<long>(system.groups[k].size());
      words_below_[k] = std::min(below, worth_pivots);
    }
    for (const auto& group : system.groups) {
      roles_.emplace_back();
      for (const auto& way : group) {
        roles_.back().emplace_back(static_cast<std::size_t>(rows + cols), Fate::undecided);
        for (const auto& [variable, role] : way.roles) roles_.back().back()[static_cast<std::size_t>(variable)] = role;
      }
    }
    kept_.resize(static_cast<std::size_t>(cols));
    choice_.resize(system.groups.size());
  }

  bool run() {
    set_root();
    return visit(0);
  }

 private:
  void set_root() {
    Node& root = nodes_[0];
    root.rows = static_cast<int>(system_.T.rows());
    root.cols = static_cast<int>(system_.T.cols());
    for (int j = 0; j < root.cols; ++j) root.col_variable[static_cast<std::size_t>(j)] = j;
    for (int i = 0; i < root.rows; ++i) {
      for (int j = 0; j < root.cols; ++j) root.row(i)[j] = system_.T(i, j);
      root.constant(i) = system_.t(i);
      root.row_variable[static_cast<std::size_t>(i)] = root.cols + i;
      root.demand[static_cast<std::size_t>(i)] = system_.signed_row[static_cast<std::size_t>(i)] ? is_signed : is_free;
    }
  }

  bool visit(std::size_t depth) {
    ++work_.nodes;
    if (depth == system_.groups.size()) {
      copy(nodes_[depth], scratch_);
      if (nodes_[depth].cols > 0 && refuted_by_pivots(scratch_)) return true;
      ++work_.leaves;
      leaf_(choice_);
      return true;
    }
    if (work_.nodes >= most_nodes_) return false;
    const auto& group = system_.groups[depth];
    for (std::size_t k = 0; k < group.size(); ++k) {
      choice_[depth] = static_cast<int>(k);
      if (!decide(nodes_[depth], depth, k, nodes_[depth + 1]) || cut(depth + 1)) {
        ++work_.pruned;
        continue;
      }
      if (!visit(depth + 1)) return false;
    }
    return true;
  }

  bool cut(std::size_t depth) {
    if (refuted(nodes_[depth])) return true;
    if (words_below_[depth] < worth_pivots) return false;
    copy(nodes_[depth], scratch_);
    return refuted_by_pivots(scratch_);
  }

  static void copy(const Node& from, Node& to) {
    to.rows = from.rows;
    to.cols = from.cols;
    std::copy_n(from.a.begin(), static_cast<std::ptrdiff_t>(from.rows) * from.stride, to.a.begin());
    std::copy_n(from.row_variable.begin(), from.rows, to.row_variable.begin());
    std::copy_n(from.demand.begin(), from.rows, to.demand.begin());
    std::copy_n(from.col_variable.begin(), from.cols, to.col_variable.begin());
  }

  // The node below `from` on alternative k; false when it cannot be.
  bool decide(const Node& from, std::size_t depth, std::size_t k, Node& to) {
    const std::vector<Fate>& roles = roles_[depth][k];
    const auto role = [&roles](int variable) { return roles[static_cast<std::size_t>(variable)]; };
    to.rows = 0;
    to.cols = 0;
    for (int j = 0; j < from.cols; ++j) {
      const int variable = from.col_variable[static_cast<std::size_t>(j)];
      if (role(variable) == Fate::zero) continue;
      kept_[static_cast<std::size_t>(to.cols)] = j;
      to.col_variable[static_cast<std::size_t>(to.cols++)] = variable;
    }
    for (int i = 0; i < from.rows; ++i) {
      const Fate what = role(from.row_variable[static_cast<std::size_t>(i)]);
      if (what != Fate::idle) copy_row(from, i, what, to);
    }
    for (int i = 0; i < to.rows;) {
      if (role(to.row_variable[static_cast<std::size_t>(i)]) != Fate::zero) {
        ++i;
      } else if (!pivot_out(to, i, system_.groups[depth][k].own)) {
        return false;
      }
    }
    return true;
  }

  void copy_row(const Node& from, int i, Fate role, Node& to) const {
    const double* source = from.row(i);
    double* target = to.row(to.rows);
    const double sign = role == Fate::negative ? -1 : 1;
    for (int j = 0; j < to.cols; ++j) target[j] = sign * source[kept_[static_cast<std::size_t>(j)]];
    target[to.stride - 1] = sign * source[from.stride - 1];
    char demand = from.demand[static_cast<std::size_t>(i)];
    if (role == Fate::non_negative) demand = is_signed;
    if (role == Fate::positive || role == Fate::negative) demand = is_strict;
    to.row_variable[static_cast<std::size_t>(to.rows)] = from.row_variable[static_cast<std::size_t>(i)];
    to.demand[static_cast<std::size_t>(to.rows)] = demand;
    ++to.rows;
  }

  const WordSystem& system_;
  const long most_nodes_;
  EnumerationWork& work_;
  const std::function<void(const std::vector<int>&)>& leaf_;
  std::vector<Node> nodes_;
  Node scratch_;
  std::vector<long> words_below_;
  std::vector<std::vector<std::vector<Fate>>> roles_;  // per contact and alternative, of every variable
  std::vector<int> kept_, choice_;
};

}  // namespace

bool visit_words(const WordSystem& system, long most_nodes, EnumerationWork& work,
                 const std::function<void(const std::vector<int>&)>& leaf) {
  return Tree(system, most_nodes, work, leaf).run();
}

}  // namespace painleve
