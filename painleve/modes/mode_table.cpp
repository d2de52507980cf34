#include "painleve/modes/mode_table.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "painleve/cone/friction_cone.hpp"
#include "painleve/modes/impact_without_collision.hpp"
#include "painleve/modes/planar_modes.hpp"
#include "painleve/modes/single_contact_modes.hpp"
#include "painleve/modes/slip_words.hpp"

namespace painleve {
namespace {

// Two motions are one when their accelerations agree to this part of the largest acceleration at hand, with and without
// forces (a sticking contact has a = 0 up to the rounding of b + W λ): well above rounding, well below what tells a
// mode from another.
constexpr double same_motion = 1e-9;

bool any(const std::vector<Touch>& touches, Touch kind) {
  return std::find(touches.begin(), touches.end(), kind) != touches.end();
}

std::vector<ModeEntry> list_modes(const ContactSpace& closed, const std::vector<Touch>& touches,
                                  const ModeOptions& options, bool& complete) {
  const bool one = closed.count() == 1 && touches[0] != Touch::separating;
  if (closed.dimension == 3 && one) return spatial_contact_modes(closed, options.tolerance, complete);
  if (one && !closed.bilateral[0]) {
    PlanarContact c = planar_contact(closed, 0);
    if (touches[0] == Touch::resting) c.u_t = 0;
    if (!planar_modes(c).degenerate) return planar_contact_modes(closed, options.tolerance);
  }
  return enumerate_modes(closed, options.tolerance);
}

// Stiffness and damping of the contacts of a mode that carry a force; `given` tells whether all of them are set.
struct Springs {
  Eigen::VectorXd stiffness, damping;
  bool given = true;
};
Springs springs(const ModeEntry& entry, const std::vector<int>& closed, const ModeOptions& options) {
  std::vector<double> k, nu;
  Springs s;
  for (std::size_t i = 0; i < closed.size(); ++i) {
    if (entry.contacts[i].letter == Letter::F) continue;
    const auto c = static_cast<std::size_t>(closed[i]);
    const auto get = [&](const std::vector<std::optional<double>>& list) {
      const bool set = c < list.size() && list[c].has_value();
      s.given = s.given && set;
      return set ? *list[c] : 1.0;
    };
    k.push_back(get(options.stiffness));
    nu.push_back(get(options.damping));
  }
  s.stiffness = Eigen::Map<Eigen::VectorXd>(k.data(), static_cast<Eigen::Index>(k.size()));
  s.damping = Eigen::Map<Eigen::VectorXd>(nu.data(), static_cast<Eigen::Index>(nu.size()));
  if (!s.given) {  // half a choice of springs is none
    s.stiffness.setOnes();
    s.damping.setOnes();
  }
  return s;
}

void add_stability(const ContactSpace& closed, const ModeTable& table, const ModeOptions& options, ModeEntry& entry) {
  const Springs s = springs(entry, table.closed, options);
  if (s.stiffness.size() == 0) {
    entry.stability = {"stable", true, {}};
    return;
  }
  const bool known = std::all_of(entry.contacts.begin(), entry.contacts.end(), [](const ContactMode& c) {
    return c.letter != Letter::S || c.direction.norm() > 0.5;  // a rejected slip from rest has no direction
  });
  // Words are many and most are rejected: those of more than two contacts are not worth the eigenvalues.
  if (!known || (!entry.consistent && s.stiffness.size() > 2)) return;
  const Eigen::MatrixXd P = fast_matrix(closed, entry.contacts);
  const Eigen::MatrixXd gaps = gap_space(closed, entry.contacts);
  if (gaps.cols() == 0) {  // what sticks already stops the contacts: no spring can stir
    entry.stability = {"stable", true, {}};
    return;
  }
  const bool redundant = gaps.cols() < P.rows();
  entry.growth = redundant ? growth(P, gaps, s.stiffness, s.damping) : growth(P, s.stiffness, s.damping);
  constexpr int samples = 400;
  if (s.given)
    entry.stability = {entry.growth->rate < 0 ? "stable" : "unstable", true, {}};
  else
    entry.stability = redundant || P.rows() > 2 ? stability_for_all(P, gaps, samples) : stability_for_all(P);
}

std::string why_not_enumerated(const ContactSpace& closed, const std::vector<Touch>& touches) {
  if (closed.count() > most_contacts)
    return fmt::format("modes of more than {} closed contacts are not enumerated", most_contacts);
  if (closed.dimension == 3 && closed.count() > 1 && any(touches, Touch::resting))
    return "modes of several closed spatial contacts are enumerated only when none is at rest";
  return {};
}

// The size of what accelerations are made of: the load, and the response to a force.
struct Scale {
  double b, W;
};

bool same(const ModeEntry& x, const ModeEntry& y, const Scale& scale) {
  constexpr double rounding = 1e-14;
  const double response = scale.W * std::max(x.lambda->norm(), y.lambda->norm());
  return (*x.a - *y.a).norm() <= same_motion * std::max({x.a->norm(), y.a->norm(), scale.b}) + rounding * response;
}

// Number of distinct accelerations among the consistent modes.
int count_motions(const std::vector<ModeEntry>& modes, const Scale& scale) {
  std::vector<const ModeEntry*> seen;
  for (const auto& entry : modes) {
    if (!entry.consistent) continue;
    const bool known =
        std::any_of(seen.begin(), seen.end(), [&](const ModeEntry* o) { return same(*o, entry, scale); });
    if (!known) seen.push_back(&entry);
  }
  return static_cast<int>(seen.size());
}

void judge(ModeTable& table, const Scale& scale) {
  for (const auto& entry : table.modes) {
    table.force_family_dimension = std::max(table.force_family_dimension, entry.force_family_dimension);
    table.motion_family_dimension = std::max(table.motion_family_dimension, entry.motion_family_dimension);
  }
  const int motions = count_motions(table.modes, scale);
  if (motions == 0)
    table.verdict = "inconsistent";
  else
    table.verdict = motions == 1 && table.motion_family_dimension == 0 ? "unique" : "indeterminate";
}

// What survives in the stiff limit: stable consistent modes and impacts without collision (Table 3). A table on three
// legs has consistent words in which one leg carries nothing; they end the family of the word in which all do, and go
// with it.
void resolve(ModeTable& table, const Scale& scale) {
  if (!table.iwc_reason.empty()) return;
  const auto survives = [](const ModeEntry& e) { return e.consistent && e.stability.verdict != "unstable"; };
  for (const auto& entry : table.modes) {
    const bool end = entry.boundary && std::any_of(table.modes.begin(), table.modes.end(), [&](const ModeEntry& o) {
                       return survives(o) && !o.boundary && o.force_family_dimension > 0 && same(o, entry, scale);
                     });
    if (survives(entry) && !end) table.continuations.push_back(entry.name);
  }
  for (const auto& i : table.iwc)
    if (i.possible) table.continuations.push_back(i.name);
  table.resolution = table.continuations.empty() ? "none" : (table.continuations.size() == 1 ? "one" : "several");
}

bool jams(const ContactSpace& s, int i) {
  const int t = s.tangent(i);
  const int d = s.dimension;
  return painleve_parameter(s.W.block(t, t, d, d), s.mu(i), s.u.segment(t, d - 1).normalized()) <= 0;
}

// Contacts that separate are out of the game: the word shows them as F.
void add_impacts(const ContactSpace& closed, const std::vector<Touch>& touches, const ModeOptions& options,
                 ModeTable& table) {
  std::vector<int> slipping;
  for (int i = 0; i < closed.count(); ++i)
    if (touches[static_cast<std::size_t>(i)] == Touch::slipping) slipping.push_back(i);
  // At rest there is no energy that an impulse could feed on: friction and compression only take.
  if (slipping.empty()) return;
  if (std::find(closed.bilateral.begin(), closed.bilateral.end(), true) != closed.bilateral.end()) {
    table.iwc_reason = "impact without collision is decided for unilateral contacts only";
    return;
  }
  if (any(touches, Touch::resting)) {
    table.iwc_reason = "impact without collision of several contacts is decided when all of them slip, or none does";
    return;
  }
  ModeEntry slip;
  slip.contacts.assign(touches.size(), {Letter::F, Eigen::VectorXd(), 1});
  for (const int i : slipping) {
    const Eigen::VectorXd u_t = closed.u.segment(closed.tangent(i), closed.dimension - 1);
    slip.contacts[static_cast<std::size_t>(i)] = {Letter::S, u_t.normalized(), 1};
  }
  const Springs s = springs(slip, table.closed, options);
  table.iwc = impacts_without_collision(fast_matrix(closed, slip.contacts), s.stiffness, s.damping);
  for (auto& impact : table.iwc) {
    std::string word(touches.size(), 'F');
    for (std::size_t k = 0; k < slipping.size(); ++k) word[static_cast<std::size_t>(slipping[k])] = impact.name[k];
    impact.name = word;
  }
}

}  // namespace

std::vector<std::string> ModeTable::consistent_modes() const {
  std::vector<std::string> names;
  for (const auto& entry : modes)
    if (entry.consistent) names.push_back(entry.name);
  return names;
}

ModeTable mode_table(const ContactSpace& space, const ModeOptions& options) {
  ModeTable table;
  std::vector<Touch> touches;
  for (int i = 0; i < space.count(); ++i) {
    const Touch t = touch(space, i, options.tolerance);
    if (t == Touch::open) continue;
    table.closed.push_back(i);
    touches.push_back(t);
    table.jam = table.jam || (t == Touch::slipping && jams(space, i));
  }
  if (any(touches, Touch::approaching)) {
    table.verdict = "impact";
    table.iwc_reason = "a contact approaches: the impact comes first";
    return table;
  }
  const ContactSpace closed = subset(space, table.closed);
  table.verdict_reason = why_not_enumerated(closed, touches);
  if (!table.verdict_reason.empty()) {
    table.complete = false;
    table.iwc_reason = table.verdict_reason;
    return table;
  }
  if (closed.count() == 0) {
    table.verdict = "unique";  // free flight
    table.continuations = {"F"};
    table.resolution = "one";
    return table;
  }
  table.modes = list_modes(closed, touches, options, table.complete);
  for (auto& entry : table.modes) add_stability(closed, table, options, entry);
  const Scale scale{closed.b.norm(), closed.W.norm()};
  judge(table, scale);
  add_impacts(closed, touches, options, table);
  resolve(table, scale);
  return table;
}

// The laws of n slipping contacts with friction built into P: a frictionless problem whose matrix need not be
// symmetric.
ModeTable slip_mode_table(const Eigen::MatrixXd& P, const Eigen::VectorXd& b, const Eigen::VectorXd& stiffness,
                          const Eigen::VectorXd& damping) {
  const auto n = static_cast<int>(P.rows());
  ModeTable table;
  for (int i = 0; i < n; ++i) table.closed.push_back(i);
  // Words in the order FF, FS, SF, SS for two contacts.
  for (unsigned word = 0; word < (1U << static_cast<unsigned>(n)); ++word) {
    std::vector<int> slips;
    for (int i = 0; i < n; ++i)
      if (word >> static_cast<unsigned>(n - 1 - i) & 1U) slips.push_back(i);
    table.modes.push_back(slip_word(P, b, slips));
    ModeEntry& entry = table.modes.back();
    if (slips.empty()) {
      entry.stability = {"stable", true, {}};
      continue;
    }
    const Eigen::MatrixXd P_SS = P(slips, slips);
    entry.growth = growth(P_SS, stiffness(slips), damping(slips));
    entry.stability = stability_for(P_SS, stiffness(slips), damping(slips));
  }
  const Scale scale{b.norm(), P.norm()};
  judge(table, scale);
  table.iwc = impacts_without_collision(P, stiffness, damping);
  table.jam = (P.diagonal().array() <= 0).any();
  resolve(table, scale);
  return table;
}

}  // namespace painleve
