#include "painleve/impact/detail/joint_jam.hpp"

#include <algorithm>

#include "painleve/modes/impact_without_collision.hpp"

namespace painleve::detail {
namespace {

// A word has F, T, S+, S- or I per contact.
JointJam read(const std::string& word, const ContactSpace& space, const std::vector<int>& closed) {
  JointJam jam;
  const Eigen::Index tangents = space.dimension - 1;
  auto contact = closed.begin();
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (word[at] == '+' || word[at] == '-') continue;
    const int i = *contact++;
    if (word[at] == 'F') continue;
    ContactMode mode{Letter::T, Eigen::VectorXd::Zero(tangents), 1};
    if (word[at] == 'I') {
      mode = {Letter::S, space.u.segment(space.tangent(i), tangents).normalized(), 1};
      jam.struck.push_back(i);
    } else if (word[at] == 'S') {
      mode = {Letter::S, Eigen::VectorXd::Constant(tangents, word[at + 1] == '+' ? 1.0 : -1.0), 1};
    }
    jam.loaded.push_back(i);
    jam.modes.push_back(mode);
  }
  return jam;
}

}  // namespace

JointJam joint_jam(const ImpactSpace& s, const ImpactOptions& options) {
  const std::vector<int>& closed = s.unilateral;
  std::vector<Touch> touches;
  for (const int i : closed) touches.push_back(touch(s.space, i, options.tolerance));
  const auto count = static_cast<Eigen::Index>(closed.size());
  const Eigen::VectorXd stiffness =
      options.stiffness.size() > 0 ? Eigen::VectorXd(options.stiffness(closed)) : Eigen::VectorXd::Ones(count);
  const ImpactWords found =
      impacts_without_collision(subset(s.space, closed), touches, stiffness, Eigen::VectorXd::Zero(count));
  std::vector<int> asked = options.without_collision;
  std::sort(asked.begin(), asked.end());
  for (const ImpactWithoutCollision& word : found.words) {
    if (!word.possible) continue;
    JointJam jam = read(word.name, s.space, closed);
    if (asked.empty() || jam.struck == asked) return jam;
  }
  JointJam none;
  none.undecided = found.reason;
  return none;
}

}  // namespace painleve::detail
