#include "painleve/impact/detail/bilateral_jam.hpp"

#include <algorithm>

#include "painleve/modes/impact_without_collision.hpp"

namespace painleve::detail {
namespace {

// The contacts with an I in a word of a group like F, T, S+, I or I- per contact.
std::vector<int> pressed_in(const std::string& word, const std::vector<int>& closed) {
  std::vector<int> list;
  std::size_t at = 0;
  for (const char letter : word) {
    if (letter == '+' || letter == '-') continue;
    if (letter == 'I') list.push_back(closed[at]);
    ++at;
  }
  return list;
}

}  // namespace

bool bilateral_slips(const ContactSpace& space, const Tolerance& tolerance) {
  for (int i = 0; i < space.count(); ++i) {
    if (space.bilateral[static_cast<std::size_t>(i)] && touch(space, i, tolerance) == Touch::slipping) return true;
  }
  return false;
}

BilateralJam bilateral_jam(const ContactSpace& space, const ImpactOptions& options) {
  BilateralJam jam;
  if (!bilateral_slips(space, options.tolerance)) return jam;
  std::vector<int> closed;
  std::vector<Touch> touches;
  for (int i = 0; i < space.count(); ++i) {
    const Touch t = touch(space, i, options.tolerance);
    if (t == Touch::open) continue;
    closed.push_back(i);
    touches.push_back(t);
  }
  const Eigen::VectorXd equal = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(closed.size()));
  const Eigen::VectorXd stiffness = options.stiffness.size() > 0 ? Eigen::VectorXd(options.stiffness(closed)) : equal;
  const ImpactWords found = impacts_without_collision(subset(space, closed), touches, stiffness, equal);
  jam.undecided = found.reason;
  for (const ImpactWithoutCollision& word : found.words) {
    if (!word.possible) continue;
    const std::vector<int> contacts = pressed_in(word.name, closed);
    const bool bilateral = std::any_of(contacts.begin(), contacts.end(),
                                       [&](int i) { return space.bilateral[static_cast<std::size_t>(i)]; });
    if (bilateral) {
      jam.contacts = contacts;
      break;
    }
  }
  return jam;
}

}  // namespace painleve::detail
