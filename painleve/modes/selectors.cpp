#include "painleve/modes/selectors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "painleve/complementarity/linear_complementarity.hpp"
#include "painleve/contact/held_contact.hpp"
#include "painleve/contact/same_motion.hpp"

namespace painleve {
namespace {

using Names = std::vector<std::string>;

constexpr const char* review = "Champneys & Várkonyi (2016)";

std::string list(const Names& names) { return fmt::format("{}", fmt::join(names, ", ")); }

// Why the table has nothing to choose from; empty when it has.
std::string why_no_modes(const ModeTable& table) {
  if (table.verdict == "impact") return "a contact approaches: the impact comes first";
  if (table.closed.empty()) return "no contact is closed";
  return table.verdict_reason;
}

Names closed_names(const ContactSpace& space, const ModeTable& table) {
  Names names;
  for (const int i : table.closed) names.push_back(space.names[static_cast<std::size_t>(i)]);
  return names;
}

// --- motions ------------------------------------------------------------------------------------------------------

bool same(const ContactSpace& closed, const ModeEntry& x, const ModeEntry& y) {
  return same_motion(closed.dimension, closed.W, closed.b, ContactMotion<Eigen::VectorXd>{*x.a, *x.lambda},
                     ContactMotion<Eigen::VectorXd>{*y.a, *y.lambda});
}

bool is_static(const ContactSpace& closed, const ModeEntry& entry) {
  ModeEntry rest = entry;
  rest.a->setZero();
  return entry.motion_family_dimension == 0 && same(closed, entry, rest);
}

int count_motions(const ContactSpace& closed, const std::vector<const ModeEntry*>& entries) {
  std::vector<const ModeEntry*> seen;
  for (const auto* entry : entries) {
    const bool known =
        std::any_of(seen.begin(), seen.end(), [&](const ModeEntry* other) { return same(closed, *other, *entry); });
    if (!known || entry->motion_family_dimension > 0) seen.push_back(entry);
  }
  return static_cast<int>(seen.size());
}

struct Sorted {
  Names statics, moving;
};
Sorted sorted_modes(const ContactSpace& closed, const ModeTable& table) {
  Sorted sorted;
  for (const auto& entry : table.modes) {
    if (entry.consistent) (is_static(closed, entry) ? sorted.statics : sorted.moving).push_back(entry.name);
  }
  return sorted;
}

// --- Painlevé's principle -----------------------------------------------------------------------------------------

// Per closed contact, whether it presses in some solution without friction; empty when there is none. The normal
// accelerations of these solutions are all the same, since W_nn is positive semidefinite.
std::optional<std::vector<bool>> pressed_without_friction(const ContactSpace& closed, const Tolerance& tolerance) {
  std::vector<int> taking_part;
  std::vector<int> normals;
  for (int i = 0; i < closed.count(); ++i) {
    if (touch(closed, i, tolerance) == Touch::separating) continue;
    taking_part.push_back(i);
    normals.push_back(closed.normal(i));
  }
  std::vector<bool> pressed(static_cast<std::size_t>(closed.count()), false);
  if (normals.empty()) return pressed;
  ContactProblem smooth = normals_alone({closed.W(normals, normals), closed.b(normals)});
  for (std::size_t k = 0; k < taking_part.size(); ++k) {
    smooth.bilateral[k] = closed.bilateral[static_cast<std::size_t>(taking_part[k])];
  }
  const ContactSolutions found = all_solutions(smooth);
  if (found.solutions.empty() || !found.complete) return std::nullopt;
  const double no_force = 1e-12 * scale(smooth).force;
  for (const auto& solution : found.solutions) {
    for (std::size_t k = 0; k < taking_part.size(); ++k) {
      const auto i = static_cast<std::size_t>(taking_part[k]);
      pressed[i] = pressed[i] || std::abs(solution.r(static_cast<Eigen::Index>(k))) > no_force;
    }
  }
  return pressed;
}

bool obeys(const ContactSpace& closed, const ModeEntry& entry, const std::vector<bool>& pressed) {
  for (int i = 0; i < closed.count(); ++i) {
    const double force = entry.lambda->segment(closed.tangent(i), closed.dimension).norm();
    const double no_force = 1e-12 * std::max(entry.lambda->norm(), closed.b.norm() / closed.W.norm());
    if (!pressed[static_cast<std::size_t>(i)] && force > no_force) return false;
  }
  return true;
}

std::string smooth_reason(const Names& names, const std::vector<bool>& pressed) {
  Names free;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!pressed[i]) free.push_back(names[i]);
  }
  if (free.empty()) return "without friction every contact presses";
  return fmt::format("without friction {} would carry no force", list(free));
}

// --- Kilmister's principle ----------------------------------------------------------------------------------------

void keep_bounded(const ContactSpace& closed, const ModeTable& table, Selection& result) {
  std::vector<const ModeEntry*> kept;
  bool all_unstable = true;
  for (const auto& entry : table.modes) {
    if (!entry.consistent) continue;
    kept.push_back(&entry);
    all_unstable = all_unstable && entry.stability.verdict == "unstable";
  }
  const int motions = count_motions(closed, kept);
  result.holds = motions == 1;
  result.reason = "bounded forces satisfy the constraints: no impulse acts";
  if (motions > 1) result.reason += fmt::format("; {} motions are left, and it does not choose", motions);
  if (all_unstable) result.reason += "; in the stiff limit none of the modes that it keeps is stable";
}

void keep_impulses(const ModeTable& table, Selection& result) {
  for (const auto& impact : table.iwc) {
    if (impact.possible) result.chosen.push_back(impact.name);
  }
  result.holds = result.chosen.size() == 1;
  result.reason = "no bounded forces satisfy the constraints: an impulse must act";
  if (result.chosen.empty()) result.reason += "; but no impact without collision is possible either";
}

// --- equilibria ---------------------------------------------------------------------------------------------------

// Why the state cannot be an equilibrium, as far as it is known; empty when it can.
std::string why_no_equilibrium(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options) {
  std::string none = why_no_modes(table);
  if (!none.empty()) return none;
  for (const int i : table.closed) {
    if (touch(space, i, options.tolerance) != Touch::resting) {
      return fmt::format("defined at rest: {} moves", space.names[static_cast<std::size_t>(i)]);
    }
  }
  if (space.drift.norm() > 1e-12 * space.b.norm()) return "defined at rest: the mechanism moves, its drift is not zero";
  if (options.equilibrium == false) return "defined at rest: the mechanism moves, or is accelerated in stick";
  return {};
}

// An equilibrium of one unilateral contact that can be held, for the conditions of Lyapunov stability.
std::string why_no_single_equilibrium(const ContactSpace& space, const ModeTable& table,
                                      const SelectorOptions& options) {
  std::string why = why_no_equilibrium(space, table, options);
  if (!why.empty()) return why;
  if (table.closed.size() != 1) return "known for one contact only";
  if (space.bilateral[static_cast<std::size_t>(table.closed[0])]) return "known for unilateral contacts only";
  if (weak_stability(space, table, options).holds != true) return "no static solution: this is no equilibrium";
  return {};
}

Selection property(const char* name, std::string source) { return {name, std::move(source), {}, std::nullopt, {}}; }

// Strong stability and unambiguity: the same test, put in each author's terms.
Selection only_static(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options,
                      Selection result) {
  result.reason = why_no_equilibrium(space, table, options);
  if (!result.reason.empty()) return result;
  const Sorted modes = sorted_modes(subset(space, table.closed), table);
  result.chosen = modes.statics;
  if (!modes.moving.empty()) {
    result.holds = false;
    result.reason =
        fmt::format("{} {} consistent, with motion", list(modes.moving), modes.moving.size() == 1 ? "is" : "are");
  } else if (!table.complete) {
    result.reason = "the list of modes may be incomplete";
  } else {
    result.holds = !modes.statics.empty();
    result.reason = *result.holds ? "the static solution is the only one" : "there is no static solution";
  }
  return result;
}

}  // namespace

Selection painleve_principle(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options) {
  Selection result = property("painleve_principle", "Painlevé (1905)");
  result.reason = why_no_modes(table);
  if (!result.reason.empty()) return result;
  const ContactSpace closed = subset(space, table.closed);
  const auto pressed = pressed_without_friction(closed, options.tolerance);
  if (!pressed) {
    result.reason = "the problem without friction has no solution to compare with";
    return result;
  }
  std::vector<const ModeEntry*> kept;
  for (const auto& entry : table.modes) {
    if (!entry.consistent || !obeys(closed, entry, *pressed)) continue;
    kept.push_back(&entry);
    result.chosen.push_back(entry.name);
  }
  result.reason = smooth_reason(closed_names(space, table), *pressed);
  if (kept.empty()) result.reason += "; no consistent mode is of that kind";
  if (!kept.empty() || table.complete) result.holds = count_motions(closed, kept) == 1;
  return result;
}

Selection kilmister_principle(const ContactSpace& space, const ModeTable& table, const SelectorOptions&) {
  Selection result = property("kilmister_principle", "Kilmister, as quoted by " + std::string(review) + " Sec. 6.2");
  result.reason = why_no_modes(table);
  if (!result.reason.empty()) return result;
  result.chosen = table.consistent_modes();
  if (!result.chosen.empty()) {
    keep_bounded(subset(space, table.closed), table, result);
  } else if (!table.complete || !table.iwc_reason.empty()) {
    result.reason = table.complete ? table.iwc_reason : "the list of modes may be incomplete";
  } else {
    keep_impulses(table, result);
  }
  return result;
}

Selection weak_stability(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options) {
  Selection result = property("weak_stability", "Pang & Trinkle (2000)");
  result.reason = why_no_equilibrium(space, table, options);
  if (!result.reason.empty()) return result;
  result.chosen = sorted_modes(subset(space, table.closed), table).statics;
  if (!result.chosen.empty()) {
    result.holds = true;
    result.reason = "a static solution exists";
  } else if (table.complete) {
    result.holds = false;
    result.reason = "there is no static solution";
  } else {
    result.reason = "the list of modes may be incomplete";
  }
  return result;
}

Selection strong_stability(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options) {
  return only_static(space, table, options, property("strong_stability", "Pang & Trinkle (2000)"));
}

Selection unambiguity(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options) {
  return only_static(space, table, options, property("unambiguity", "Or & Rimon (2008)"));
}

Selection lyapunov_potential(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options) {
  Selection result = property("lyapunov_potential", std::string(review) + " Sec. 3.4, condition 1");
  result.reason = why_no_single_equilibrium(space, table, options);
  if (!result.reason.empty()) return result;
  result.chosen = weak_stability(space, table, options).chosen;
  if (options.degrees_of_freedom && rank(subset(space, table.closed)) == *options.degrees_of_freedom) {
    result.holds = true;
    result.reason = "stick leaves the mechanism no motion";
  } else if (!options.stick_curvature) {
    result.reason = "needs the potential energy along motions in stick, which the contact space does not hold";
  } else if (*options.stick_curvature == 0) {
    result.reason = "the potential energy is flat to second order along motions in stick";
  } else {
    result.holds = *options.stick_curvature > 0;
    result.reason = *result.holds ? "the potential energy has a minimum along motions in stick"
                                  : "the potential energy falls along a motion in stick";
  }
  return result;
}

Selection lyapunov_unambiguity(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options) {
  return only_static(space, table, options,
                     property("lyapunov_unambiguity", std::string(review) + " Sec. 3.4, condition 2"));
}

Selection lyapunov_chatter(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options) {
  Selection result = property("lyapunov_chatter", std::string(review) + " Sec. 3.4, condition 3");
  result.reason = why_no_single_equilibrium(space, table, options);
  if (result.reason.empty() && space.dimension != 2) result.reason = "known for planar contacts only";
  if (!result.reason.empty()) return result;
  result.chosen = weak_stability(space, table, options).chosen;
  const int i = table.closed[0];
  const auto at = static_cast<std::size_t>(i);
  const BounceLaw law = at < options.bounce.size() ? options.bounce[at] : BounceLaw{};
  const auto bounces = effective_restitution(planar_contact(space, i), law);
  if (!bounces) {
    result.reason = "b_n >= 0: a flight does not return, so there are no bounces";
  } else if (bounces->exact) {
    result.holds = bounces->e < 1;
    result.reason =
        fmt::format("e = {:.6g}{}", bounces->e, *result.holds ? " < 1" : ", not below 1: bounces do not die out");
  } else {
    if (bounces->e < 1) result.holds = true;
    result.reason = fmt::format("slip reverses in the impacts, which bounds e by r = {:.6g}", bounces->e);
  }
  return result;
}

Selection lyapunov_stability(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options) {
  Selection result = property("lyapunov_stability", std::string(review) + " Secs. 3.4, 6.4");
  result.reason = why_no_equilibrium(space, table, options);
  if (!result.reason.empty()) return result;
  const Selection weak = weak_stability(space, table, options);
  result.chosen = weak.chosen;
  if (weak.holds != true) {
    result.reason = "no static solution is known: this is no equilibrium";
    return result;
  }
  const std::vector<Selection> conditions{lyapunov_potential(space, table, options),
                                          lyapunov_unambiguity(space, table, options),
                                          lyapunov_chatter(space, table, options)};
  const auto first = [&](std::optional<bool> value) {
    return std::find_if(conditions.begin(), conditions.end(), [&](const Selection& c) { return c.holds == value; });
  };
  const auto broken = first(false);
  const auto open = first(std::nullopt);
  if (broken != conditions.end()) {
    result.holds = false;
    result.reason = fmt::format("{}: {}", broken->name, broken->reason);
  } else if (open != conditions.end()) {
    result.reason = fmt::format("{}: {}", open->name, open->reason);
  } else {
    if (options.equilibrium == true) result.holds = true;
    result.reason = "all three conditions hold";
    if (!result.holds) result.reason += ", if the whole mechanism is in equilibrium";
  }
  return result;
}

Selection reach_by_chatter(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options) {
  Selection result = property("reach_by_chatter", std::string(review) + " Sec. 5.2");
  result.reason = why_no_modes(table);
  if (!result.reason.empty()) return result;
  const int i = table.closed[0];
  const Touch state = touch(space, i, options.tolerance);
  if (table.closed.size() != 1 || space.dimension != 2 || space.bilateral[static_cast<std::size_t>(i)]) {
    result.reason = "known for one planar unilateral contact";
    return result;
  }
  if (state == Touch::separating) {
    result.reason = "the contact separates";
    return result;
  }
  PlanarContact contact = planar_contact(space, i);
  if (state == Touch::resting) contact.u_t = 0;
  const ChatterReach reach = chatter_reach(contact);
  result.holds = reach.here;
  result.reason = reach.reason;
  return result;
}

std::vector<Selection> selections(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options) {
  std::vector<Selection> all;
  for (const auto& selector :
       {painleve_principle, kilmister_principle, weak_stability, strong_stability, unambiguity, lyapunov_potential,
        lyapunov_unambiguity, lyapunov_chatter, lyapunov_stability, reach_by_chatter}) {
    all.push_back(selector(space, table, options));
  }
  return all;
}

}  // namespace painleve
