// Every word of contacts whose words are linear, one by one, with the reason for each that is rejected. The tree of
// words (painleve/complementarity/word_tree.hpp) finds the consistent ones of many contacts without this list.
#include <algorithm>
#include <map>

#include "painleve/complementarity/linear_word.hpp"
#include "painleve/modes/mode_table.hpp"

namespace painleve {
namespace {

ModeEntry make_entry(const ContactProblem& problem, const std::vector<ContactMode>& letters) {
  const WordSolution s = solve_word(problem, letters, Ends::modes);
  ModeEntry entry;
  entry.name = word(letters);
  entry.contacts = letters;
  entry.consistent = s.consistent;
  entry.boundary = s.boundary;
  entry.reason = s.reason;
  entry.lambda = s.r;
  entry.a = s.w;
  entry.force_family_dimension = s.family.dimension;
  entry.motion_family_dimension = s.family.motion_dimension;
  entry.residual = s.residual;
  return entry;
}

void visit(const ContactProblem& problem, std::vector<ContactMode>& letters, std::vector<ModeEntry>& entries) {
  const auto i = static_cast<int>(letters.size());
  if (i == problem.count()) {
    entries.push_back(make_entry(problem, letters));
    return;
  }
  for (const ContactMode& c : admissible_letters(problem, i)) {
    letters.push_back(c);
    visit(problem, letters, entries);
    letters.pop_back();
  }
}

// Whether two consistent entries of one name are the same: one motion, and forces that agree or belong to a family.
bool same_mode(const ProblemScale& unit, const ModeEntry& a, const ModeEntry& b) {
  constexpr double same = 1e-9;
  const bool motion = (*a.a - *b.a).norm() <= same * std::max({a.a->norm(), b.a->norm(), unit.motion});
  const bool family = a.force_family_dimension > 0 || b.force_family_dimension > 0;
  return motion && (family || (*a.lambda - *b.lambda).norm() <= same * std::max(a.lambda->norm(), unit.force));
}

// A bilateral contact is tried with both signs of its force. Of entries with one name keep the consistent ones, each
// once; a name that is rejected with every sign stays, once.
std::vector<ModeEntry> merge(const ProblemScale& unit, const std::vector<ModeEntry>& entries) {
  std::vector<ModeEntry> kept;
  std::map<std::string, std::vector<std::size_t>> places;  // of each name among the kept
  for (const auto& entry : entries) {
    auto& places_of_name = places[entry.name];
    const auto same = [&](std::size_t i) { return kept[i].consistent && same_mode(unit, kept[i], entry); };
    if (places_of_name.empty()) {
      places_of_name.push_back(kept.size());
      kept.push_back(entry);
    } else if (entry.consistent && !kept[places_of_name[0]].consistent) {
      kept[places_of_name[0]] = entry;
    } else if (entry.consistent) {
      const auto twin = std::find_if(places_of_name.begin(), places_of_name.end(), same);
      if (twin == places_of_name.end()) {
        places_of_name.push_back(kept.size());
        kept.push_back(entry);
      } else if (entry.force_family_dimension > kept[*twin].force_family_dimension) {
        kept[*twin] = entry;
      }
    }
  }
  return kept;
}

}  // namespace

std::vector<ModeEntry> enumerate_modes(const ContactProblem& problem) {
  std::vector<ContactMode> letters;
  std::vector<ModeEntry> entries;
  visit(problem, letters, entries);
  return merge(scale(problem), entries);
}

std::vector<ModeEntry> enumerate_modes(const ContactSpace& space, const Tolerance& tolerance) {
  return enumerate_modes(acceleration_problem(space, tolerance).problem);
}

}  // namespace painleve
