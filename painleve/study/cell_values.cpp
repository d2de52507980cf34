#include "painleve/study/cell_values.hpp"

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/scene/scene.hpp"
#include "painleve/scene/vocabulary.hpp"

namespace painleve {
namespace {

// Numbered as Motions are, like all verdicts but the impact.
constexpr int free_flight = static_cast<int>(Motions::one);

std::string joined_modes(unsigned bits) {
  std::string word;
  const auto add = [&](unsigned bit, const char* name) {
    if ((bits & bit) != 0) word += (word.empty() ? "" : "|") + std::string(name);
  };
  add(mode_F, "F");
  add(mode_T, "T");
  add(mode_S_plus, "S+");
  add(mode_S_minus, "S-");
  return word.empty() ? "none" : word;
}

bool is_contact_friction(const std::string& path) { return path.starts_with("contact.") && path.ends_with(".mu"); }

// Whether friction can be set by itself: it leaves the posture as it is, and no static friction bounds it. The brake
// pad slides into an equilibrium that depends on it. A scenario that has the word in another place is built more often
// than it need be, and no more.
bool friction_apart(const MapProblem& problem) {
  const SceneSource& source = problem.source;
  const std::string bound = "mu_static";
  const bool along_bound = std::any_of(problem.axes.begin(), problem.axes.end(),
                                       [&](const MapAxis& axis) { return axis.path.ends_with(bound); });
  if (along_bound || source.text().find(bound) != std::string::npos) return false;
  if (source.kind() != SceneKind::mechanism) return source.kind() == SceneKind::contact_space;
  if (source.robot() != nullptr) return true;  // whether or not it can be built as it stands
  return source.entry()->pose == nullptr;
}

bool same_contacts(const std::vector<ContactInfo>& a, const std::vector<ContactInfo>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ContactInfo& c, const ContactInfo& d) {
    return c.name == d.name && c.closed == d.closed && c.bilateral == d.bilateral && c.stiffness == d.stiffness;
  });
}

}  // namespace

const std::string& kernel_word(int number) {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> list = {"unique", "inconsistent", "indeterminate", "impact"};
    for (unsigned bits = 0; bits < 16; ++bits) list.push_back(joined_modes(bits));
    return list;
  }();
  return words[static_cast<std::size_t>(number)];
}

CellValues::CellValues(const MapProblem& problem, const std::atomic<bool>* stop)
    : problem_(problem), source_(problem.source), simulation_(problem.simulation) {
  if (stop != nullptr)
    simulation_.simulation.progress = [stop](const Progress&) { return !stop->load(std::memory_order_relaxed); };
  find_friction_axes();
  for (const auto& quantity : problem.quantities)
    kernel_of_.push_back(quantity.key() == "verdict" ? 0 : (quantity.key() == "consistent_modes" ? 1 : -1));
}

void CellValues::find_friction_axes() {
  const bool apart = friction_apart(problem_);
  for (const auto& axis : problem_.axes) friction_.push_back(apart && is_contact_friction(axis.path));
  has_friction_ = std::find(friction_.begin(), friction_.end(), true) != friction_.end();
}

void CellValues::move_to(std::span<const double> x) {
  bool same = built_;
  for (std::size_t k = 0; k < x.size() && same; ++k) same = friction_[k] || x[k] == at_[k];
  if (!same) build(x);
  findings_.reset();
  set_friction(x);
  run_kernel();
}

// The keys that SceneSource hands to the mechanism as they are.
void CellValues::find_state_keys() {
  const std::string state = "state.";
  const auto coordinates = scene_.entry ? scene_.entry->coordinate_names() : std::vector<std::string>{};
  state_keys_.assign(problem_.axes.size(), {});
  for (std::size_t k = 0; k < state_keys_.size() && scene_.entry; ++k) {
    const std::string& path = problem_.axes[k].path;
    if (!path.starts_with(state)) continue;
    const std::string key = path.substr(state.size());
    const bool coordinate = std::find(coordinates.begin(), coordinates.end(), key) != coordinates.end();
    const bool other = key == "slip" || key == "elbow" || key == "t" || key.find('.') != std::string::npos;
    if (coordinate || !other) state_keys_[k] = key;
  }
}

// The scene at x from that at at_, where no axis but those of friction and of the state differ. False: it has to be
// built from the scenario, which also has the words for what is wrong with it.
bool CellValues::repose(std::span<const double> x) {
  if (!built_ || !failure_.empty() || scene_.kind != SceneKind::mechanism) return false;
  if (state_keys_.empty()) find_state_keys();
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!friction_[k] && state_keys_[k].empty() && x[k] != at_[k]) return false;
    if (!friction_[k] && !state_keys_[k].empty()) scene_.setup.given.set(state_keys_[k], x[k]);
  }
  std::vector<Surface> surfaces;  // whose friction is set afterwards, as far as axes set it
  for (std::size_t i = 0; i < scene_.laws.size(); ++i) {
    surfaces.push_back({std::max(0.0, scene_.laws[i].mu), scene_.posed.contacts[i].bilateral});
  }
  try {
    Posed posed = painleve::build(*scene_.entry, scene_.setup);
    if (!same_contacts(posed.contacts, scene_.posed.contacts)) return false;
    ContactSpace space = contact_space(*posed.mechanism, posed.state, surfaces);
    constexpr double ordinary = 1e50;  // far from where SceneSource refuses W
    if (!(space.W.cwiseAbs().maxCoeff() <= ordinary) || !space.b.allFinite()) return false;
    clear_rounding(space, scene_.tolerance);
    scene_.t = posed.state.t;
    scene_.posed = std::move(posed);
    scene_.space = std::move(space);
  } catch (const std::exception&) {
    return false;
  }
  at_.assign(x.begin(), x.end());
  return true;
}

// With a friction that every contact may have, so that a scene that fails, fails for any.
void CellValues::build(std::span<const double> x) {
  if (repose(x)) {
    prepare_kernel();
    return;
  }
  at_.assign(x.begin(), x.end());
  built_ = true;
  failure_.clear();
  mu_of_.clear();
  try {
    for (std::size_t k = 0; k < x.size(); ++k)
      source_.set(problem_.axes[k].path, friction_[k] ? std::max(0.0, x[k]) : x[k]);
    scene_ = source_.build();
  } catch (const std::exception& error) {
    failure_ = error.what();
    return;
  }
  for (const auto& name : scene_.space.names) {
    int by = -1;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const std::string& path = problem_.axes[k].path;
      if (friction_[k] && (path == "contact.mu" || path == "contact." + name + ".mu")) by = static_cast<int>(k);
    }
    mu_of_.push_back(by);
  }
  prepare_kernel();
}

void CellValues::set_friction(std::span<const double> x) {
  exact_friction_ = true;
  if (!has_friction_) return;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!friction_[k]) continue;
    at_[k] = x[k];
    exact_friction_ = exact_friction_ && x[k] >= 0 && std::isfinite(x[k]);
  }
  for (std::size_t i = 0; i < mu_of_.size(); ++i) {
    if (mu_of_[i] < 0) continue;
    const double mu = x[static_cast<std::size_t>(mu_of_[i])];
    scene_.laws[i].mu = scene_.space.mu(static_cast<Eigen::Index>(i)) = mu;
  }
}

// What the kernel needs of the scene, friction aside; the rules are those of mode_table().
void CellValues::prepare_kernel() {
  kernel_ = {};
  if (scene_.kind == SceneKind::drifting_contacts) return;
  const ContactSpace& s = scene_.space;
  int closed = 0;
  for (int i = 0; i < s.count(); ++i) {
    const Touch t = touch(s, i, scene_.tolerance);
    if (t == Touch::open) continue;
    ++closed;
    if (t == Touch::approaching) {
      kernel_.kind = Kernel::Kind::constant;
      kernel_.verdict = impact_number;
      return;
    }
    if (s.dimension != 2 || s.bilateral[static_cast<std::size_t>(i)] || t == Touch::separating) closed = 2;
    kernel_.contact = i;
    if (s.dimension == 2) kernel_.c = planar_contact(s, i);
    if (t == Touch::resting) kernel_.c.u_t = 0;
  }
  if (closed > 1) return;
  kernel_.kind = closed == 0 ? Kernel::Kind::constant : Kernel::Kind::contact;
  kernel_.verdict = free_flight;
  if (closed == 0) return;
  const ContactSpace one = subset(s, {kernel_.contact});
  kernel_.b = one.b.norm();
  kernel_.W = one.W.norm();
}

void CellValues::run_kernel() {
  verdict_ = modes_ = -1;
  if (!failure_.empty() || !exact_friction_ || kernel_.kind == Kernel::Kind::none) return;
  if (kernel_.kind == Kernel::Kind::constant) {
    verdict_ = kernel_.verdict;
    return;
  }
  kernel_.c.mu = scene_.space.mu(kernel_.contact);
  const VerdictByte byte = planar_verdict(planar_modes(kernel_.c), kernel_.b, kernel_.W);
  if (byte == undecided) return;
  verdict_ = verdict_number(byte);
  modes_ = modes_number(byte);
}

int CellValues::kernel(std::size_t quantity) const {
  const int which = kernel_of_[quantity];
  return which < 0 ? -1 : (which == 0 ? verdict_ : modes_);
}

QuantityValue CellValues::value(std::size_t quantity) {
  const int number = kernel(quantity);
  if (number >= 0) return {{}, kernel_word(number), {}};
  try {
    if (!exact_friction_) {  // refused by SceneSource, in its words
      for (std::size_t k = 0; k < at_.size(); ++k) source_.set(problem_.axes[k].path, at_[k]);
      const Scene refused = source_.build();
      SceneFindings findings(refused, {&simulation_, &problem_.step});
      return problem_.quantities[quantity].value(findings);
    }
    if (!failure_.empty()) return {{}, {}, failure_};
    if (!findings_) findings_.emplace(scene_, FindingOptions{&simulation_, &problem_.step});
    return problem_.quantities[quantity].value(*findings_);
  } catch (const std::exception& error) {
    return {{}, {}, error.what()};
  }
}

}  // namespace painleve
