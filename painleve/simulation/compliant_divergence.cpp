#include "painleve/simulation/compliant_divergence.hpp"

#include <algorithm>
#include <vector>

#include "painleve/modes/impact_without_collision.hpp"

namespace painleve {
namespace {

using Eigen::VectorXd;

// The contacts that are judged, as the test wants them.
struct Judged {
  std::vector<int> contacts;  // of the system
  ContactSpace space;
  std::vector<Touch> touches;
  VectorXd stiffness, damping;
};

Judged judged(const CompliantSystem& system, const CompliantSystem::Forces& forces, const VectorXd& y,
              const std::vector<int>& contacts) {
  const CompliantLayout& l = system.layout();
  const auto n = static_cast<Eigen::Index>(contacts.size());
  Judged j{contacts, {}, {}, VectorXd(n), VectorXd(n)};
  ContactSpace& s = j.space;
  s.dimension = l.dimension;
  std::vector<int> rows;
  s.mu.resize(n);
  s.gap.setZero(n);
  s.u.setZero(n * l.dimension);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const int i = contacts[k];
    const auto at = static_cast<Eigen::Index>(k);
    const ContactPhase& phase = system.phases[static_cast<std::size_t>(i)];
    const CompliantContact& contact = system.contacts()[static_cast<std::size_t>(i)];
    for (int row = 0; row < l.dimension; ++row) rows.push_back(l.dimension * i + row);
    const NormalForce force = normal_force(contact.spring, phase.normal, y(l.gap(i)), y(l.u_n(i)));
    j.stiffness(at) = -force.by_gap;
    j.damping(at) = std::max(-force.by_rate, 0.0);
    j.touches.push_back(phase.slip ? Touch::slipping : Touch::resting);
    s.mu(at) = contact.friction.mu;
    s.u.segment(l.dimension * at, l.tangents()) = system.slip_direction(i, y).head(l.tangents());
    s.bilateral.push_back(contact.spring.bilateral);
    s.names.push_back("c" + std::to_string(i + 1));
  }
  s.W = forces.response.W(rows, rows);
  s.b = forces.response.b(rows);
  s.drift.setZero(s.b.size());
  return j;
}

// A word as its letters: I, I+, I-, T, S+, S-, F.
std::vector<std::string> letters(const std::string& word) {
  std::vector<std::string> list;
  for (const char c : word) {
    if (c == '+' || c == '-') {
      list.back() += c;
    } else {
      list.emplace_back(1, c);
    }
  }
  return list;
}

// How many contacts the word loads that carry force, and leaves that carry none.
int fit(const std::vector<std::string>& word, const Judged& j, const CompliantLayout& l, const VectorXd& lambda,
        double largest) {
  constexpr double of_the_largest = 1e-3;
  int fits = 0;
  for (std::size_t k = 0; k < word.size(); ++k) {
    const bool struck = lambda(l.dimension * j.contacts[k] + l.tangents()) > of_the_largest * largest;
    fits += struck == (word[k] != "F") ? 1 : 0;
  }
  return fits;
}

std::vector<int> closed_contacts(const CompliantSystem& system, bool slipping_only) {
  std::vector<int> list;
  for (int i = 0; i < system.layout().count; ++i) {
    const ContactPhase& phase = system.phases[static_cast<std::size_t>(i)];
    if (phase.closed() && (phase.slip || !slipping_only)) list.push_back(i);
  }
  return list;
}

}  // namespace

std::string impact_word(const CompliantSystem& system, double t, const VectorXd& y, int contact) {
  const CompliantLayout& l = system.layout();
  const CompliantSystem::Forces& forces = system.forces(t, y);
  Judged j = judged(system, forces, y, closed_contacts(system, false));
  ImpactWords words = impacts_without_collision(j.space, j.touches, j.stiffness, j.damping);
  if (!words.reason.empty()) {
    j = judged(system, forces, y, closed_contacts(system, true));
    words = impacts_without_collision(j.space, j.touches, j.stiffness, j.damping);
  }
  const auto place = std::find(j.contacts.begin(), j.contacts.end(), contact) - j.contacts.begin();
  std::vector<std::string> best;
  int best_fit = -1;
  for (const ImpactWithoutCollision& word : words.words) {
    const std::vector<std::string> list = letters(word.name);
    if (!word.possible || list[static_cast<std::size_t>(place)][0] != 'I') continue;
    const int fits = fit(list, j, l, forces.lambda, forces.lambda(l.dimension * contact + l.tangents()));
    if (fits <= best_fit) continue;
    best = list;
    best_fit = fits;
  }
  if (best.empty()) return {};
  std::vector<std::string> all;
  for (int i = 0; i < l.count; ++i) all.push_back(system.letter(i, y));
  for (std::size_t k = 0; k < best.size(); ++k) all[static_cast<std::size_t>(j.contacts[k])] = best[k];
  std::string result;
  for (const std::string& letter : all) result += letter;
  return result;
}

}  // namespace painleve
