#include "painleve/simulation/crossroads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/contact/same_motion.hpp"
#include "painleve/impact/bounce_map.hpp"
#include "painleve/modes/selectors.hpp"
#include "painleve/simulation/detail/half_solves.hpp"
#include "painleve/simulation/fast_outcome.hpp"

namespace painleve {
namespace {

// The contact space at the state, with what is known of its contacts put exactly.
ContactSpace exact_space(const SimulationProblem& problem, const State& state, const std::vector<bool>& closed,
                         const std::vector<bool>& resting) {
  ContactSpace space = contact_space(*problem.mechanism, state, problem.surfaces());
  for (int i = 0; i < space.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!closed[at]) {
      space.gap(i) = std::max(space.gap(i), 1.0);  // open, however near
      continue;
    }
    space.gap(i) = 0;
    space.u(space.normal(i)) = 0;
    if (resting[at]) space.u.segment(space.tangent(i), space.dimension - 1).setZero();
  }
  return space;
}

std::vector<ContactMode> over_all_contacts(const ContactSpace& space, const ModeTable& table, const ModeEntry& entry) {
  std::vector<ContactMode> modes(static_cast<std::size_t>(space.count()));
  for (std::size_t k = 0; k < table.closed.size(); ++k)
    modes[static_cast<std::size_t>(table.closed[k])] = entry.contacts[k];
  return modes;
}

// The contacts of the table under the letter I of a word.
std::vector<int> struck_contacts(const std::string& word, const ModeTable& table) {
  std::vector<int> struck;
  std::size_t contact = 0;
  for (const char letter : word) {
    if (letter == '+' || letter == '-') continue;
    if (letter == 'I') struck.push_back(table.closed[contact]);
    ++contact;
  }
  return struck;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Way> ways_of(const ContactSpace& space, const ModeTable& table) {
  std::vector<Way> ways;
  const ContactSpace closed = subset(space, table.closed);
  const auto same = [&](const ModeEntry& x, const ModeEntry& y) {
    return same_motion(closed.dimension, closed.W, closed.b, ContactMotion<Eigen::VectorXd>{*x.a, *x.lambda},
                       ContactMotion<Eigen::VectorXd>{*y.a, *y.lambda});
  };
  std::vector<const ModeEntry*> seen;
  std::vector<const ModeEntry*> order;  // of words with one motion the one whose contacts all press
  for (const bool boundary : {false, true})
    for (const ModeEntry& entry : table.modes)
      if (entry.consistent && entry.boundary == boundary) order.push_back(&entry);
  for (const ModeEntry* at : order) {
    const ModeEntry& entry = *at;
    if (std::any_of(seen.begin(), seen.end(), [&](const ModeEntry* o) { return same(*o, entry); })) continue;
    seen.push_back(&entry);
    Way way;
    way.name = entry.name;
    way.modes = over_all_contacts(space, table, entry);
    way.survives = entry.stability.verdict != "unstable";
    way.why = fmt::format("mode {}{}", entry.name, way.survives ? "" : ", unstable in the stiff limit");
    ways.push_back(std::move(way));
  }
  for (const ImpactWithoutCollision& iwc : table.iwc) {
    if (!iwc.possible) continue;
    Way way;
    way.name = iwc.name;
    way.impact = true;
    way.struck = struck_contacts(iwc.name, table);
    way.why = fmt::format("impact without collision {}", iwc.name);
    ways.push_back(std::move(way));
  }
  return ways;
}

// Bounces that grow out of rest (bounce_map.hpp): a continuum of futures, of which two stand for all.
void add_reverse_chatter(const SimulationProblem& problem, Crossroads& c, const std::vector<bool>& resting) {
  if (c.space.dimension != 2 || c.table.closed.size() != 1) return;
  const int contact = c.table.closed[0];
  const ContactLaw& law = problem.laws[static_cast<std::size_t>(contact)];
  if (!resting[static_cast<std::size_t>(contact)] || c.space.bilateral[static_cast<std::size_t>(contact)]) return;
  const ReverseChatter bounces =
      reverse_chatter(planar_contact(c.space, contact), {law.restitution, law.law, law.mu_impact});
  if (!bounces.possible) return;
  for (const double phase : {0.0, 0.5}) {
    Way way;
    way.name = fmt::format("reverse chatter at phase {}", phase);
    way.struck = {contact};
    way.phase = phase;
    way.why = fmt::format("reverse chatter, each bounce {:.6g} times the last, at the phase {} of a continuum",
                          bounces.e, phase);
    c.ways.push_back(std::move(way));
  }
}

// Static friction above the kinetic one, anywhere.
bool raised_friction(const SimulationProblem& problem) {
  return std::any_of(problem.laws.begin(), problem.laws.end(),
                     [](const ContactLaw& law) { return law.mu_static.value_or(0) > law.mu; });
}

// Which contact, if it is the only one that is closed, in the plane, and unilateral.
std::optional<std::size_t> lone_contact(const SimulationProblem& problem, const std::vector<bool>& closed) {
  if (problem.mechanism->dimension() != 2) return std::nullopt;
  std::optional<std::size_t> lone;
  for (std::size_t i = 0; i < closed.size(); ++i) {
    if (!closed[i]) continue;
    if (lone) return std::nullopt;
    lone = i;
  }
  return lone && !problem.bilateral[*lone] ? lone : std::nullopt;
}

// Whether bounces out of rest grow, as reverse_chatter() has it.
bool bounces_grow(const PlanarContact& contact, const ContactLaw& law) {
  if (!(law.restitution > 0)) return false;  // nothing bounces
  const auto cycle = bounce_cycle(contact, {law.restitution, law.law, law.mu_impact});
  return cycle && cycle->e > 1 && cycle->alpha;
}

// A lone contact with p > 0 either way has a single way almost everywhere: where its mode is plain and no bounces grow
// out of rest.
std::optional<Way> way_of_lone(const SimulationProblem& problem, PlanarContact contact, std::size_t at, bool resting) {
  if (std::abs(contact.u_t) <= problem.tolerance.velocity) contact.u_t = 0;
  const PlanarModes m = planar_modes(contact);
  if (m.degenerate || m.boundary || !(m.p_plus > 0 && m.p_minus > 0)) return std::nullopt;
  if (resting && bounces_grow(contact, problem.laws[at])) return std::nullopt;
  Way way;
  const auto mode = [&](unsigned bit, const char* name, Letter letter, double direction, const PlanarForce& f) {
    if (m.consistent != bit || !std::isfinite(f.lambda_n) || !std::isfinite(f.lambda_t) || !std::isfinite(f.a_t))
      return false;
    way.name = name;
    way.modes.resize(problem.laws.size());
    way.modes[at] = {letter, Eigen::VectorXd::Constant(1, direction), 1};
    way.why = "mode " + way.name;
    return true;
  };
  if (mode(mode_F, "F", Letter::F, 0, m.free) || mode(mode_T, "T", Letter::T, 0, m.stick) ||
      mode(mode_S_plus, "S+", Letter::S, 1, m.slip_plus) || mode(mode_S_minus, "S-", Letter::S, -1, m.slip_minus))
    return way;
  return std::nullopt;
}

// The contact at this state as contact_space() has it, up to rounding. Nothing where rounding may decide the sign of a
// free acceleration, which is left to contact_space().
std::optional<PlanarContact> planar_contact_at(const SimulationProblem& problem, const State& state, std::size_t at) {
  // Kept for the next call of this thread.
  thread_local Dynamics d;
  thread_local detail::HalfSolves mass;
  thread_local detail::HalfSolves::Rows half;
  problem.mechanism->dynamics(state, d);
  mass.factorise(d.M);
  const Eigen::Index degrees = d.f.size();
  half.resize(3, degrees);
  double* const h_t = half.data();
  double* const h_n = h_t + degrees;
  double* const h_f = h_n + degrees;
  const auto t = static_cast<Eigen::Index>(2 * at);
  mass.half_of_row(d.J, t, h_t);
  mass.half_of_row(d.J, t + 1, h_n);
  std::copy_n(d.f.data(), degrees, h_f);
  mass.half(h_f);
  const auto dot = [&](const double* a, const double* b) { return detail::dot(a, b, degrees); };
  const auto certain = [&](double b, const double* row, double drift) {
    return b == 0 || std::abs(b) > 1e-9 * (std::sqrt(dot(row, row) * dot(h_f, h_f)) + std::abs(drift));
  };
  const double b_t = dot(h_t, h_f) + d.drift(t);
  const double b_n = dot(h_n, h_f) + d.drift(t + 1);
  if (!certain(b_t, h_t, d.drift(t)) || !certain(b_n, h_n, d.drift(t + 1))) return std::nullopt;
  return PlanarContact{dot(h_t, h_t), dot(h_t, h_n), dot(h_n, h_n), b_t, b_n, d.u(t), problem.laws[at].mu};
}

// A contact at rest sticks up to its static friction; only where it cannot does its kinetic friction count.
Crossroads with_static_friction(const SimulationProblem& problem, const Crossroads& kinetic,
                                const std::vector<bool>& resting) {
  Crossroads raised{kinetic.space, {}, {}};
  for (int i = 0; i < raised.space.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (resting[at]) raised.space.mu(i) = problem.laws[at].mu_static.value_or(problem.laws[at].mu);
  }
  raised.table = mode_table(raised.space, mode_options(problem.laws, problem.tolerance));
  raised.ways = ways_of(raised.space, raised.table);
  std::erase_if(raised.ways, [&](const Way& way) {
    if (way.impact) return true;
    for (std::size_t i = 0; i < way.modes.size(); ++i)
      if (resting[i] && way.modes[i].letter == Letter::S) return true;
    return false;
  });
  return raised;
}

std::vector<int> indices(const std::vector<Way>& ways, const auto& keep) {
  std::vector<int> kept;
  for (int i = 0; i < static_cast<int>(ways.size()); ++i)
    if (keep(ways[static_cast<std::size_t>(i)])) kept.push_back(i);
  return kept;
}

std::vector<int> by_principle(const SimulationProblem& problem, const Crossroads& c) {
  SelectorOptions options;
  options.tolerance = problem.tolerance;
  const Selection chosen = painleve_principle(c.space, c.table, options);
  std::vector<int> kept = indices(c.ways, [&](const Way& w) { return contains(chosen.chosen, w.name); });
  if (kept.empty()) kept = indices(c.ways, [](const Way&) { return true; });
  std::vector<int> better;
  std::copy_if(kept.begin(), kept.end(), std::back_inserter(better), [&](int i) {
    const Way& way = c.ways[static_cast<std::size_t>(i)];
    return way.survives && !way.impact && !way.phase;
  });
  return better.empty() ? kept : better;
}

// The way on which the springs of the contacts settle, much faster than the motion, from the forces just before.
Taken by_springs(const SimulationProblem& problem, const Crossroads& c, const std::vector<int>& among,
                 const Eigen::VectorXd& pressed) {
  FastOutcomeOptions options;
  options.force = pressed;
  const FastOutcome fast = fast_outcome(c.space, problem.laws, options, problem.tolerance);
  const std::string word = fast.outcome.starts_with("IWC:") ? fast.outcome.substr(4) : fast.outcome;
  if (!fast.lasting) return {among.front(), "the springs of the contacts do not settle; the first"};
  for (const int i : among)
    if (c.ways[static_cast<std::size_t>(i)].name == word) return {i, "the springs of the contacts settle there"};
  return {among.front(),
          fmt::format("the springs of the contacts end in {}, which is none of them; the first", fast.outcome)};
}

}  // namespace

std::optional<Way> plain_way(const SimulationProblem& problem, const State& state, const std::vector<bool>& closed,
                             const std::vector<bool>& resting) {
  const auto at = lone_contact(problem, closed);
  if (!at || raised_friction(problem)) return std::nullopt;
  auto contact = planar_contact_at(problem, state, *at);
  if (!contact) return std::nullopt;
  if (resting[*at]) contact->u_t = 0;
  return way_of_lone(problem, *contact, *at, resting[*at]);
}

Crossroads crossroads(const SimulationProblem& problem, const State& state, const std::vector<bool>& closed,
                      const std::vector<bool>& resting) {
  Crossroads c;
  c.space = exact_space(problem, state, closed, resting);
  const bool raised = raised_friction(problem);
  if (const auto at = lone_contact(problem, closed); at && !raised) {
    auto way = way_of_lone(problem, planar_contact(c.space, static_cast<int>(*at)), *at, resting[*at]);
    if (way) {
      c.table.closed = {static_cast<int>(*at)};
      c.ways.push_back(std::move(*way));
      return c;
    }
  }
  c.table = mode_table(c.space, mode_options(problem.laws, problem.tolerance));
  c.ways = ways_of(c.space, c.table);
  add_reverse_chatter(problem, c, resting);
  if (!raised) return c;
  Crossroads held = with_static_friction(problem, c, resting);
  return held.ways.empty() ? c : held;
}

std::optional<Taken> take(const SimulationProblem& problem, const Crossroads& c, const SimulationOptions& options,
                          const Eigen::VectorXd& pressed, long draw) {
  if (c.ways.empty()) return std::nullopt;
  if (c.ways.size() == 1) return Taken{0, ""};
  const std::vector<int> surviving = indices(c.ways, [](const Way& w) { return w.survives; });
  const std::vector<int>& all = surviving.empty() ? indices(c.ways, [](const Way&) { return true; }) : surviving;
  switch (options.policy) {
    case Policy::seeded: {
      // Mixed first: the draws of neighbouring seeds would be each other's, one place on.
      Draws draws(Draws(options.seed).bits() + static_cast<std::uint64_t>(draw));
      const int k = draws.integer(0, static_cast<int>(all.size()) - 1);
      return Taken{all[static_cast<std::size_t>(k)],
                   fmt::format("drawn from {} with seed {}", all.size(), options.seed)};
    }
    case Policy::stiff_limit:
      return by_springs(problem, c, all, pressed);
    case Policy::principle:
    case Policy::all:
      break;
  }
  return Taken{by_principle(problem, c).front(), "Painlevé's principle"};
}

}  // namespace painleve
