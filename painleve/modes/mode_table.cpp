#include "painleve/modes/mode_table.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "painleve/complementarity/linear_complementarity.hpp"
#include "painleve/complementarity/linear_word.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/complementarity/solution_set.hpp"
#include "painleve/cone/friction_cone.hpp"
#include "painleve/contact/same_motion.hpp"
#include "painleve/modes/impact_without_collision.hpp"
#include "painleve/modes/single_contact_modes.hpp"
#include "painleve/modes/tangential_stability.hpp"

namespace painleve {
namespace {

bool any(const std::vector<Touch>& touches, Touch kind) {
  return std::find(touches.begin(), touches.end(), kind) != touches.end();
}

long count_words(const ContactProblem& problem) {
  long words = 1;
  for (int i = 0; i < problem.count() && words <= most_listed_words; ++i)
    words *= static_cast<long>(admissible_letters(problem, i).size());
  return words;
}

ModeEntry entry_of(const ContactSolution& s) {
  ModeEntry entry;
  entry.name = s.mode;
  entry.contacts = s.contacts;
  entry.consistent = true;
  entry.boundary = s.boundary;
  entry.lambda = s.r;
  entry.a = s.w;
  entry.force_family_dimension = s.family.dimension;
  entry.motion_family_dimension = s.family.motion_dimension;
  entry.residual = s.residual;
  return entry;
}

// The pieces of the solution set, found without listing all words.
void search_modes(const ContactProblem& problem, ModeTable& table) {
  const ContactSolutions found = all_solutions(problem);
  for (const auto& s : found.solutions) table.modes.push_back(entry_of(s));
  for (const auto& r : found.rejected) {
    ModeEntry entry;
    entry.name = r.mode;
    entry.contacts = r.contacts;
    entry.reason = r.reason;
    table.modes.push_back(entry);
  }
  table.complete = found.complete;
  table.incomplete_reason = found.incomplete_reason;
  table.lists_rejected = problem.dimension == 3 && !is_linear(problem);
}

void list_modes(const ContactSpace& closed, const std::vector<Touch>& touches, const ModeOptions& options,
                ModeTable& table) {
  const bool one = closed.count() == 1 && touches[0] != Touch::separating;
  if (closed.dimension == 3 && one) {
    table.modes = spatial_contact_modes(closed, options.tolerance, table.complete);
    if (!table.complete) table.incomplete_reason = "two directions of slip are too close to be told apart";
    return;
  }
  if (one && !closed.bilateral[0]) {
    PlanarContact c = planar_contact(closed, 0);
    if (touches[0] == Touch::resting) c.u_t = 0;
    if (!planar_modes(c).degenerate) {
      table.modes = planar_contact_modes(closed, options.tolerance);
      return;
    }
  }
  const ContactProblem problem = acceleration_problem(closed, options.tolerance).problem;
  if (is_linear(problem) && count_words(problem) <= most_listed_words)
    table.modes = enumerate_modes(closed, options.tolerance);
  else
    search_modes(problem, table);
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

// Springs of all closed contacts, where the sticking ones have some along the surface, too.
std::optional<ContactSprings> tangential_springs(const ModeEntry& entry, const std::vector<int>& closed,
                                                 const ModeOptions& options) {
  const auto n = static_cast<Eigen::Index>(closed.size());
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(n);
  ContactSprings springs{ones, ones, ones, ones};
  bool sticks = false;
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto c = static_cast<std::size_t>(closed[static_cast<std::size_t>(i)]);
    const auto get = [&](const std::vector<std::optional<double>>& list, double& to) {
      if (c >= list.size() || !list[c]) return false;
      to = *list[c];
      return true;
    };
    const Letter letter = entry.contacts[static_cast<std::size_t>(i)].letter;
    if (letter == Letter::F) continue;
    if (!get(options.stiffness, springs.stiffness(i)) || !get(options.damping, springs.damping(i))) return std::nullopt;
    if (letter != Letter::T) continue;
    sticks = true;
    if (!get(options.tangential_stiffness, springs.tangential_stiffness(i)) ||
        !get(options.tangential_damping, springs.tangential_damping(i)))
      return std::nullopt;
  }
  return sticks ? std::optional(springs) : std::nullopt;
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
  if (const auto tangential = tangential_springs(entry, table.closed, options)) {
    entry.growth = growth(closed, entry.contacts, *tangential);
    entry.stability = stability_for(closed, entry.contacts, *tangential);
    return;
  }
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

// What the accelerations of the modes are made of.
struct Loads {
  int dimension;
  const Eigen::MatrixXd& W;
  const Eigen::VectorXd& b;
};

bool same(const ModeEntry& x, const ModeEntry& y, const Loads& loads) {
  return same_motion(loads.dimension, loads.W, loads.b, ContactMotion<Eigen::VectorXd>{*x.a, *x.lambda},
                     ContactMotion<Eigen::VectorXd>{*y.a, *y.lambda});
}

// Number of distinct accelerations among the consistent modes.
int count_motions(const std::vector<ModeEntry>& modes, const Loads& loads) {
  std::vector<const ModeEntry*> seen;
  for (const auto& entry : modes) {
    if (!entry.consistent) continue;
    const bool known =
        std::any_of(seen.begin(), seen.end(), [&](const ModeEntry* o) { return same(*o, entry, loads); });
    if (!known) seen.push_back(&entry);
  }
  return static_cast<int>(seen.size());
}

void judge(ModeTable& table, const Loads& loads) {
  for (const auto& entry : table.modes) {
    table.force_family_dimension = std::max(table.force_family_dimension, entry.force_family_dimension);
    table.motion_family_dimension = std::max(table.motion_family_dimension, entry.motion_family_dimension);
  }
  const int motions = count_motions(table.modes, loads);
  if (!table.complete && motions < 2 && table.motion_family_dimension == 0) {  // another motion may have been missed
    table.verdict_reason = table.incomplete_reason;
    return;
  }
  if (motions == 0)
    table.verdict = "inconsistent";
  else
    table.verdict = motions == 1 && table.motion_family_dimension == 0 ? "unique" : "indeterminate";
}

// What survives in the stiff limit: stable consistent modes and impacts without collision (Table 3). A table on three
// legs has consistent words in which one leg carries nothing; they end the family of the word in which all do, and go
// with it.
void resolve(ModeTable& table, const Loads& loads) {
  if (table.verdict.empty() && table.iwc_reason.empty()) table.iwc_reason = table.verdict_reason;
  if (!table.iwc_reason.empty()) return;
  const auto survives = [](const ModeEntry& e) { return e.consistent && e.stability.verdict != "unstable"; };
  for (const auto& entry : table.modes) {
    const bool end = entry.boundary && std::any_of(table.modes.begin(), table.modes.end(), [&](const ModeEntry& o) {
                       return survives(o) && !o.boundary && o.force_family_dimension > 0 && same(o, entry, loads);
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

void add_impacts(const ContactSpace& closed, const std::vector<Touch>& touches, const ModeOptions& options,
                 ModeTable& table) {
  ModeEntry all;  // that every contact may carry a force
  all.contacts.assign(touches.size(), {Letter::T, Eigen::VectorXd(), 1});
  const Springs s = springs(all, table.closed, options);
  const ImpactWords found = impacts_without_collision(closed, touches, s.stiffness, s.damping);
  table.iwc = found.words;
  table.iwc_reason = found.reason;
  if (s.given) return;
  for (auto& word : table.iwc)
    if (word.necessary && !word.possible) word.reason += " (1 and 1: none are given, and others may have one)";
}

}  // namespace

ModeOptions mode_options(const std::vector<ContactLaw>& laws, const Tolerance& tolerance) {
  ModeOptions options;
  options.tolerance = tolerance;
  for (const ContactLaw& law : laws) {
    options.stiffness.push_back(law.stiffness);
    options.damping.push_back(law.damping);
    options.tangential_stiffness.push_back(law.tangential_stiffness);
    options.tangential_damping.push_back(law.tangential_damping);
  }
  return options;
}

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
  if (closed.count() == 0) {
    table.verdict = "unique";  // free flight
    table.continuations = {"F"};
    table.resolution = "one";
    return table;
  }
  list_modes(closed, touches, options, table);
  for (auto& entry : table.modes) add_stability(closed, table, options, entry);
  const Loads loads{closed.dimension, closed.W, closed.b};
  judge(table, loads);
  add_impacts(closed, touches, options, table);
  resolve(table, loads);
  return table;
}

// The laws of n slipping contacts with friction built into P: normals alone, with a matrix that need not be symmetric.
ModeTable slip_mode_table(const Eigen::MatrixXd& P, const Eigen::VectorXd& b, const Eigen::VectorXd& stiffness,
                          const Eigen::VectorXd& damping) {
  ModeTable table;
  ContactProblem problem = normals_alone({P, b});
  for (int i = 0; i < problem.count(); ++i) {
    table.closed.push_back(i);
    problem.names.push_back(fmt::format("c{}", i + 1));
  }
  if (count_words(problem) <= most_listed_words)
    table.modes = enumerate_modes(problem);
  else
    search_modes(problem, table);
  for (auto& entry : table.modes) {
    std::vector<int> slips;
    for (int i = 0; i < problem.count(); ++i)
      if (entry.contacts[static_cast<std::size_t>(i)].letter == Letter::S) slips.push_back(i);
    if (slips.empty()) {
      entry.stability = {"stable", true, {}};
      continue;
    }
    const Eigen::MatrixXd P_SS = P(slips, slips);
    entry.growth = growth(P_SS, stiffness(slips), damping(slips));
    entry.stability = stability_for(P_SS, stiffness(slips), damping(slips));
  }
  const Loads loads{1, P, b};
  judge(table, loads);
  table.iwc = impacts_without_collision(P, stiffness, damping);
  table.jam = (P.diagonal().array() <= 0).any();
  resolve(table, loads);
  return table;
}

}  // namespace painleve
