// The tree of words. Contacts are decided one after the other; the leaves are words that may have a solution.
//
// A node holds the linear system x_B = T x_N + t of what is still undecided, with the signs that every completion must
// have: forces inside their cones, normals that do not sink in. Deciding a contact sets variables to zero: a column is
// dropped, a row is pivoted out. So all words below a node share its elimination, and the last level, where most words
// are, costs one column. A node whose signs cannot be met is cut with everything below it:
//   - by one row: t_i < 0 and no coefficient that could raise it;
//   - by a few more pivots that lead to such a row (the dual simplex method without objective), where much hangs on it.
// Such a row is a certificate of infeasibility. The tests are made with room for rounding: the tree may hand on words
// that have no solution, which their exact treatment rejects, but it does not lose one.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "painleve/complementarity/solution_set.hpp"

namespace painleve {

// What deciding a contact does to one of its variables. `positive` and `negative` are rows that must be able to leave
// zero: otherwise the same solutions belong to another word.
enum class Fate : char { undecided, zero, non_negative, positive, negative, idle };

// A list that needs no memory of its own. Most problems have few contacts, and lists of them would take longer than the
// search.
template <class Item, std::size_t most>
class ShortList {
 public:
  void push_back(const Item& item) { items_[size_++] = item; }
  std::size_t size() const { return size_; }
  const Item& operator[](std::size_t i) const { return items_[i]; }
  const Item* begin() const { return items_.data(); }
  const Item* end() const { return items_.data() + size_; }

 private:
  std::array<Item, most> items_;
  std::size_t size_ = 0;
};

// One way to decide a contact. Variables are numbered: first the columns of T, which are never negative, then its rows.
// A contact has at most two edges of its cone, to push and to pull, and two rows.
struct Alternative {
  ShortList<std::pair<int, Fate>, 6> roles;
  ShortList<int, 4> own;  // columns of this contact, by which its rows are preferably pivoted out
};

struct WordSystem {
  Eigen::MatrixXd T;
  Eigen::VectorXd t;
  std::vector<bool> signed_row;                  // rows that are non-negative in every completion; the others are free
  std::vector<std::vector<Alternative>> groups;  // per contact
};

// Calls `leaf` with the number of the alternative of each contact. Returns false when the budget ended first.
bool visit_words(const WordSystem& system, long most_nodes, EnumerationWork& work,
                 const std::function<void(const std::vector<int>&)>& leaf);

}  // namespace painleve
