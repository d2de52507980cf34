#include "painleve/complementarity/word_tree.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace painleve {
namespace {

// The system comes scaled: loads and responses of order one. What pivots on coefficients down to `own_pivot` of their
// row leave of sixteen digits is far better than the room that these numbers give.
constexpr double sinks = -1e-7;      // below this a row is negative, unless a small pivot asks for more room
constexpr double lifts = 1e-13;      // up to this a row is zero
constexpr double rounding = 1e-14;   // what a pivot of order one leaves
constexpr double nothing = 1e-10;    // up to this part of its row a coefficient is zero
constexpr double own_pivot = 1e-3;   // a contact is eliminated by its own column down to this part of the row
constexpr long worth_pivots = 256;   // words below a node from which on the search for a certificate pays
constexpr int most_lp_pivots = 200;  // then the node is kept

// x_rows = a x_cols + t, the constant in the last place of each row. The memory is that of the tree.
struct Node {
  int rows = 0, cols = 0, stride = 0;
  double negative = sinks;  // below this a row is negative
  double* a = nullptr;
  int *row_variable = nullptr, *col_variable = nullptr;
  char* demand = nullptr;  // per row: free, signed or strict

  double* row(int i) { return a + static_cast<std::ptrdiff_t>(i) * stride; }
  const double* row(int i) const { return a + static_cast<std::ptrdiff_t>(i) * stride; }
  double& constant(int i) { return row(i)[stride - 1]; }
  double constant(int i) const { return row(i)[stride - 1]; }
};
enum Demand : char { is_free, is_signed, is_strict };

bool contains(const ShortList<int, 4>& list, int variable) {
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
  n.row_variable[i] = n.row_variable[last];
  n.demand[i] = n.demand[last];
}

void drop_column(Node& n, int j) {
  const int last = --n.cols;
  if (j == last) return;
  for (int i = 0; i < n.rows; ++i) n.row(i)[j] = n.row(i)[last];
  n.col_variable[j] = n.col_variable[last];
}

// Solves row i for column j and puts the result into the other rows; row i becomes the row of that column's variable.
void exchange(Node& n, int i, int j) {
  double* pivot = n.row(i);
  const double inverse = -1 / pivot[j];
  n.negative = std::min(n.negative, -rounding * std::abs(inverse));
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
bool pivot_out(Node& n, int i, const ShortList<int, 4>& preferred) {
  const double most = largest(n, i);
  if (most <= nothing) {  // the row is a constant, and so it must vanish by itself
    const bool vanishes = std::abs(n.constant(i)) <= -n.negative;
    drop_row(n, i);
    return vanishes;
  }
  int best = -1;
  double weight = 0;
  for (int j = 0; j < n.cols; ++j) {
    const double size = std::abs(n.row(i)[j]);
    const bool own = size >= own_pivot * most && contains(preferred, n.col_variable[j]);
    const double value = own ? size + most : size;
    if (value <= weight) continue;
    weight = value;
    best = j;
  }
  exchange(n, i, best);
  n.row_variable[i] = n.col_variable[best];
  n.demand[i] = is_signed;
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
    const char demand = n.demand[i];
    if (demand == is_free) continue;
    if (n.constant(i) < (demand == is_strict ? lifts : n.negative) && !can_rise(n, i)) return true;
  }
  return false;
}

// Bland's rule on a copy: the lowest variable that is negative leaves, the lowest that can raise it enters. `column`
// has room for one number per row.
bool refuted_by_pivots(Node& n, double* column) {
  for (int k = 0; k < most_lp_pivots; ++k) {
    int leaving = -1;
    const auto lower = [](const int* variable, int i, int than) { return than < 0 || variable[i] < variable[than]; };
    for (int i = 0; i < n.rows; ++i) {
      const bool negative = n.demand[i] != is_free && n.constant(i) < n.negative;
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
    for (int r = 0; r < n.rows; ++r) column[r] = n.row(r)[entering] / a;
    exchange(n, leaving, entering);
    for (int r = 0; r < n.rows; ++r) n.row(r)[entering] = column[r];
    n.row(leaving)[entering] = 1 / a;
    std::swap(n.row_variable[leaving], n.col_variable[entering]);
    n.demand[leaving] = is_signed;
  }
  return false;
}

class Tree {
 public:
  Tree(const WordSystem& system, long most_nodes, EnumerationWork& work,
       const std::function<void(const std::vector<int>&)>& leaf)
      : system_(system), most_nodes_(most_nodes), work_(work), leaf_(leaf) {
    lay_out(system.T.rows(), system.T.cols());
    words_below_.assign(nodes_.size(), 1);
    for (std::size_t k = system.groups.size(); k-- > 0;) {
      const long below = words_below_[k + 1] * static_cast<long>(system.groups[k].size());
      words_below_[k] = std::min(below, worth_pivots);
    }
    choice_.resize(system.groups.size());
    lay_out_roles();
  }

  bool run() {
    set_root();
    return visit(0);
  }

 private:
  // One node per depth, and one more for pivots on a copy.
  void lay_out(std::ptrdiff_t rows, std::ptrdiff_t cols) {
    nodes_.resize(system_.groups.size() + 1);
    const auto count = std::ssize(nodes_) + 1;
    const auto size = [](std::ptrdiff_t n) { return static_cast<std::size_t>(n); };
    numbers_.resize(size(count * rows * (cols + 1) + rows));
    integers_.resize(size(count * (rows + cols) + cols));
    demands_.resize(size(count * rows));
    double* number = numbers_.data();
    int* integer = integers_.data();
    char* demand = demands_.data();
    const auto place = [&](Node& node) {
      node.stride = static_cast<int>(cols) + 1;
      node.a = std::exchange(number, number + rows * (cols + 1));
      node.row_variable = std::exchange(integer, integer + rows);
      node.col_variable = std::exchange(integer, integer + cols);
      node.demand = std::exchange(demand, demand + rows);
    };
    for (Node& node : nodes_) place(node);
    place(scratch_);
    column_ = number;
    kept_ = integer;
  }

  void lay_out_roles() {
    variables_ = static_cast<std::size_t>(system_.T.rows() + system_.T.cols());
    std::size_t ways = 0;
    for (const auto& group : system_.groups) {
      first_way_.push_back(ways);
      ways += group.size();
    }
    roles_.assign(ways * variables_, Fate::undecided);
    Fate* roles = roles_.data();
    for (const auto& group : system_.groups) {
      for (const auto& way : group) {
        for (const auto& [variable, role] : way.roles) roles[variable] = role;
        roles += variables_;
      }
    }
  }

  void set_root() {
    Node& root = nodes_[0];
    root.rows = static_cast<int>(system_.T.rows());
    root.cols = static_cast<int>(system_.T.cols());
    root.negative = sinks;
    for (int j = 0; j < root.cols; ++j) root.col_variable[j] = j;
    for (int i = 0; i < root.rows; ++i) {
      for (int j = 0; j < root.cols; ++j) root.row(i)[j] = system_.T(i, j);
      root.constant(i) = system_.t(i);
      root.row_variable[i] = root.cols + i;
      root.demand[i] = system_.signed_row[static_cast<std::size_t>(i)] ? is_signed : is_free;
    }
  }

  bool visit(std::size_t depth) {
    ++work_.nodes;
    if (depth == system_.groups.size()) {
      copy(nodes_[depth], scratch_);
      if (nodes_[depth].cols > 0 && refuted_by_pivots(scratch_, column_)) return true;
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
    return refuted_by_pivots(scratch_, column_);
  }

  static void copy(const Node& from, Node& to) {
    to.rows = from.rows;
    to.cols = from.cols;
    to.negative = from.negative;
    std::copy_n(from.a, static_cast<std::ptrdiff_t>(from.rows) * from.stride, to.a);
    std::copy_n(from.row_variable, from.rows, to.row_variable);
    std::copy_n(from.demand, from.rows, to.demand);
    std::copy_n(from.col_variable, from.cols, to.col_variable);
  }

  // The node below `from` on alternative k; false when it cannot be.
  bool decide(const Node& from, std::size_t depth, std::size_t k, Node& to) {
    const Fate* const roles = roles_.data() + (first_way_[depth] + k) * variables_;
    const auto role = [&roles](int variable) { return roles[variable]; };
    to.rows = 0;
    to.cols = 0;
    to.negative = from.negative;
    for (int j = 0; j < from.cols; ++j) {
      const int variable = from.col_variable[j];
      if (role(variable) == Fate::zero) continue;
      kept_[to.cols] = j;
      to.col_variable[to.cols++] = variable;
    }
    for (int i = 0; i < from.rows; ++i) {
      const Fate what = role(from.row_variable[i]);
      if (what != Fate::idle) copy_row(from, i, what, to);
    }
    for (int i = 0; i < to.rows;) {
      if (role(to.row_variable[i]) != Fate::zero) {
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
    for (int j = 0; j < to.cols; ++j) target[j] = sign * source[kept_[j]];
    target[to.stride - 1] = sign * source[from.stride - 1];
    char demand = from.demand[i];
    if (role == Fate::non_negative) demand = is_signed;
    if (role == Fate::positive || role == Fate::negative) demand = is_strict;
    to.row_variable[to.rows] = from.row_variable[i];
    to.demand[to.rows] = demand;
    ++to.rows;
  }

  const WordSystem& system_;
  const long most_nodes_;
  EnumerationWork& work_;
  const std::function<void(const std::vector<int>&)>& leaf_;
  std::vector<Node> nodes_;
  Node scratch_;
  std::vector<double> numbers_;
  std::vector<int> integers_;
  std::vector<char> demands_;
  double* column_ = nullptr;
  int* kept_ = nullptr;
  std::vector<long> words_below_;
  std::size_t variables_ = 0;
  std::vector<std::size_t> first_way_;  // per contact
  std::vector<Fate> roles_;             // of every variable, for each alternative of each contact
  std::vector<int> choice_;
};

}  // namespace

bool visit_words(const WordSystem& system, long most_nodes, EnumerationWork& work,
                 const std::function<void(const std::vector<int>&)>& leaf) {
  return Tree(system, most_nodes, work, leaf).run();
}

}  // namespace painleve
