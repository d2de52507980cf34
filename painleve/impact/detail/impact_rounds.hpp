// A sequence of impacts in rounds: the same contacts again and again, with impulses that fall by the same factor f from
// round to round. As long as that goes on, k rounds after the last one that was followed
//
//   Λ = Λ₀ + (f + f² + … + f^k) ΔΛ,       u = u_∞ + f^k (u₀ − u_∞),       u_∞ = u₀ + W ΔΛ f/(1 − f),
//
// so that every velocity within a round, too, is a straight line in s = f^k, from s = 1 (now) to s = 0 (the end). It
// goes on as long as
//
//   each contact that is struck slips the same way when it is struck and after it (or its slip dies out with the rest),
//   no other closed contact approaches faster than the one whose turn it is.
//
// Both are signs of straight lines in s: how far they hold is known without following the rounds.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "painleve/impact/detail/impact_space.hpp"

namespace painleve::detail {

// What a series leaves of a velocity that it ends, in parts of the velocities that it began with.
inline constexpr double rounding_of_end = 1e-11;

struct RoundsAhead {
  Eigen::VectorXd Lambda;  // of all the impacts that are passed over
  double impacts = 0;      // how many; infinite: all that follow
};

class ImpactRounds {
 public:
  explicit ImpactRounds(const ImpactSpace& s) : s_(s) {}

  // An impact at a contact: velocities of the space before it, all impulses of the sequence after it.
  void add(int contact, const Eigen::VectorXd& u_before, const Eigen::VectorXd& Lambda);

  void clear() { impacts_.clear(); }

  // What can be passed over from here, where the last three rounds were alike. `u`: now.
  std::optional<RoundsAhead> ahead(const Eigen::VectorXd& u) const;

 private:
  struct Impact {
    int contact = 0;
    Eigen::VectorXd u, Lambda;
  };

  bool repeats(std::size_t round) const;
  Eigen::VectorXd step(std::size_t round, std::size_t ago) const;
  double holds_down_to(std::size_t round, const Eigen::VectorXd& u, const Eigen::VectorXd& u_end) const;
  double slips_down_to(int contact, const Eigen::VectorXd& u, const Eigen::VectorXd& u_end, double scale) const;
  double leads_down_to(std::size_t round, const Impact& next, const Eigen::VectorXd& u_end) const;

  const ImpactSpace& s_;
  std::vector<Impact> impacts_;
};

}  // namespace painleve::detail
