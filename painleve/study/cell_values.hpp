// The values of a map's quantities at any point of its axes.
//
// A scene is built for the axes that move or change bodies; where only numbers of its state change, from the setup of
// the scene before and not from the scenario. Axes of friction, contact.mu and contact.NAME.mu, leave W, b and u as
// they are: at the next point that differs only in these the scene is kept and its friction replaced. Where exactly one
// planar contact is closed, verdict and consistent_modes come from the kernel planar_modes() without allocation.
// Neither changes any result (cell_values_test.cpp).
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "painleve/modes/planar_verdicts.hpp"
#include "painleve/study/map.hpp"
#include "painleve/study/scene_findings.hpp"

namespace painleve {

// Words that the kernel gives, by number: four verdicts, the first three in the order of Motions, then the sets of
// consistent modes by their bits.
inline constexpr int kernel_words = 4 + 16;
const std::string& kernel_word(int number);
constexpr int verdict_number(VerdictByte byte) { return static_cast<int>(motions(byte)); }
constexpr int modes_number(VerdictByte byte) { return 4 + static_cast<int>(consistent_modes(byte)); }
inline constexpr int impact_number = 3;

class CellValues {
 public:
  // `stop`, where given, ends simulations when it becomes true; what is returned then is worthless.
  explicit CellValues(const MapProblem& problem, const std::atomic<bool>* stop = nullptr);
  CellValues(const CellValues&) = delete;
  CellValues& operator=(const CellValues&) = delete;

  // Which axes change friction alone.
  const std::vector<bool>& friction() const { return friction_; }

  // Moves to a point, one number per axis. Never throws for a point that cannot be built.
  void move_to(std::span<const double> x);
  // The number of a kernel word for this quantity here, or −1: ask value().
  int kernel(std::size_t quantity) const;
  // A point that cannot be built, or an analysis that fails, has no value and the message as reason.
  QuantityValue value(std::size_t quantity);

  // What the kernel takes of the scene: a verdict that does not depend on friction, or the one contact that is closed
  // and what its verdict is measured by.
  struct Kernel {
    enum class Kind { none, constant, contact } kind = Kind::none;
    int verdict = 0;    // constant
    PlanarContact c{};  // contact
    int contact = 0;
    double b = 0, W = 0;  // norms
  };
  const Kernel& kernel() const { return kernel_; }
  const Scene* scene() const { return failure_.empty() ? &scene_ : nullptr; }  // none: it could not be built
  int friction_axis(int contact) const { return mu_of_[static_cast<std::size_t>(contact)]; }  // −1: none sets it

 private:
  void build(std::span<const double> x);
  bool repose(std::span<const double> x);
  void find_state_keys();
  void find_friction_axes();
  void set_friction(std::span<const double> x);
  void prepare_kernel();
  void run_kernel();

  const MapProblem& problem_;
  SceneSource source_;
  SimulateOptions simulation_;
  std::vector<bool> friction_;
  bool has_friction_ = false;
  std::vector<double> at_;               // the point of the scene
  bool built_ = false;                   // the scene is that of at_, but for friction
  std::vector<std::string> state_keys_;  // per axis, the number of the state that it sets; empty: something else
  Scene scene_;
  std::string failure_;         // of the scene; empty: it could be built
  std::vector<int> mu_of_;      // per contact, the axis that sets its friction; −1: none
  bool exact_friction_ = true;  // false: a friction that only SceneSource can judge
  Kernel kernel_;
  int verdict_ = -1, modes_ = -1;  // kernel words here
  std::vector<int> kernel_of_;     // per quantity: 0 verdict, 1 consistent_modes, −1 neither
  std::optional<SceneFindings> findings_;
};

}  // namespace painleve
